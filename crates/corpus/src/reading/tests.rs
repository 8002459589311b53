//! Whole bodies, read.

use super::*;
use auslese_model::TargetKind;
use proptest::prelude::*;

fn read(body: &[u8], media_type: &str, charset: Option<&str>) -> Reading {
    let url = Url::parse("http://h.example/d/p.html").unwrap();
    Reading::of(body, Some(media_type), charset, &url)
}

#[test]
fn a_page() {
    let html = "<!DOCTYPE html><html lang=de><head><title> Das Institut </title>\
        <meta name=generator content=Hand></head><body><div id=nav><a href=a>Start</a> <a href=b>Hilfe</a></div>\
        <div id=main><h1>Das Institut</h1><p>Das Institut wurde von einer Gruppe junger Leute in Ulm gegründet, \
        die mit der Lage nicht zufrieden war. Es ist klein.</p><p lang=en>This is the second part of it.</p></div>\
        <div id=foot>Stand</div></body></html>";
    let reading = read(html.as_bytes(), "Text/HTML", None);
    assert_eq!((reading.format, reading.trouble.as_deref()), (Format::Html, None));
    assert_eq!(reading.title.as_deref(), Some("Das Institut"));
    assert_eq!(reading.html_lang.as_deref(), Some("de"));
    assert_eq!(reading.generator.as_deref(), Some("Hand"));
    assert!(reading.structure.is_some());
    let counts = reading.counts;
    assert_eq!((counts.paragraphs, counts.boilerplate, counts.links), (5, 1, 2));
    assert_eq!((counts.words, counts.sentences, counts.longest_sentence), (33, 6, 18));
    assert_eq!(reading.blocks[0].boilerplate, Some(Boilerplate::Links));
    assert_eq!(reading.blocks[3].lang.as_deref(), Some("en"));
    assert_eq!(reading.elements["p"], 2);
    let conformance = reading.conformance.unwrap();
    assert_eq!(conformance.doctype.as_deref(), Some("HTML5"));
    assert!(conformance.errors.is_empty(), "{:?}", conformance.errors);
}

#[test]
fn targets() {
    let html = "<a href=#x>x</a><a href=p.html>self</a><img src=a.gif><a href='a.gif'>large</a>\
        <a href=../b#c> </a><a href='../b#d'>b</a><a href=../b>c</a><iframe src=/f></iframe><form action=/g></form>\
        <a href=mailto:a@h.example>mail</a><a href='https://other.example'>other</a>";
    let reading = read(html.as_bytes(), "text/html", None);
    let told: Vec<(&str, TargetKind, Option<&str>)> = reading
        .targets
        .iter()
        .map(|target| (target.url.as_str(), target.kind, target.text.as_deref()))
        .collect();
    #[rustfmt::skip]
    assert_eq!(told, [
        ("http://h.example/d/a.gif", TargetKind::Page,  Some("large")),
        ("http://h.example/b",       TargetKind::Page,  Some("b")),
        ("http://h.example/f",       TargetKind::Frame, None),
        ("https://other.example/",   TargetKind::Page,  Some("other")),
    ]);
    let many: String = (0..MAX_TARGETS + 7).map(|n| format!("<a href={n}></a>")).collect();
    let reading = read(format!("{many}<a href=0></a>").as_bytes(), "text/html", None);
    assert_eq!(reading.targets.len(), MAX_TARGETS);
    let trouble = reading.trouble.unwrap();
    assert!(trouble.starts_with("7 of the addresses it links to"), "{trouble}");
}

#[test]
fn characters_are_those_of_the_text() {
    let html = "<p>für dich<p>und mich";
    let reading = read(html.as_bytes(), "text/html", None);
    let text: Vec<&str> = reading.texts().collect();
    assert_eq!(reading.counts.characters as usize, text.join("\n").chars().count());
}

#[test]
fn troubles() {
    let deep = "<div>".repeat(2_000);
    #[rustfmt::skip]
    let cases: &[(&[u8], &str, Option<&str>, &str)] = &[
        (b"",                        "text/html",  None,          "the body is empty"),
        (b"%PDF-1.3",                "text/html",  None,          "labelled text/html, is PDF"),
        (b"<p>a\xFFb",               "text/html",  Some("utf-8"), "undecodable: 1 characters"),
        (b"a\xFFb",                  "text/plain", Some("utf-8"), "undecodable: 1 characters"),
        (deep.as_bytes(),            "text/html",  None,          "nested-too-deep: flattened at 512 levels, "),
        (b"<html><p>a\xFFb",         "text/plain", Some("utf-8"), "labelled text/plain, is HTML; undecodable: 1 characters"),
    ];
    for (body, media_type, charset, expected) in cases {
        let trouble = read(body, media_type, *charset).trouble.unwrap_or_default();
        assert!(trouble.starts_with(expected), "{trouble}");
    }
}

#[test]
fn plain_text_and_xml() {
    let text = read(b"Gr\xFC\xDFe aus K\xF6ln.\r\n\r\nBis bald.", "text/plain", None);
    assert_eq!(text.texts().collect::<Vec<_>>(), ["Grüße aus Köln.", "Bis bald."]);
    assert_eq!((text.counts.words, text.counts.sentences), (5, 2));
    let wide = read(b"<\0p\0>\0J\0a\0", "text/html", Some("UTF-16LE"));
    assert_eq!(wide.texts().collect::<Vec<_>>(), ["Ja"]);
    let xml = read(
        b"<?xml version='1.0'?><rss><title>Neues</title><b>a &amp; b</b></rss>",
        "text/xml",
        None,
    );
    assert_eq!((xml.format, xml.elements["title"]), (Format::Xml, 1));
    assert_eq!(xml.texts().collect::<Vec<_>>(), ["Neues", "a & b"]);
}

#[test]
fn nested_tags_without_end() {
    let reading = read("<b><div>".repeat(50_000).as_bytes(), "text/html", None);
    assert_eq!(reading.format, Format::Html);
    assert!(reading.trouble.unwrap().contains("nested-too-deep"));
}

#[test]
fn what_is_too_long_is_cut_and_said() {
    let mut body = vec![b' '; MAX_DOCUMENT];
    body.extend(b"behind the end...");
    let reading = read(&body, "text/plain", None);
    assert!(reading.blocks.is_empty());
    assert!(reading.trouble.unwrap().starts_with("only the first 67108864 of 67108881 bytes"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes(body in prop::collection::vec(any::<u8>(), 0..300), media_type in "(text/(html|plain|xml)|.{0,10})", charset in "[a-z0-9-]{0,10}") {
        let url = Url::parse("http://h.example/").unwrap();
        Reading::of(&body, Some(&media_type), Some(&charset), &url);
        Reading::of(&body, None, None, &url);
    }

    #[test]
    fn any_page(html in "(<(p|div|a href=x|table|td|nav|li|h1|frame src=y|meta name=generator content=z)( lang=de| class=a| id=b)?>|</(p|div|a|table)>|Wort |der |ich |, |\\. |!|😀|:-\\)|\\PC){0,60}") {
        let reading = read(html.as_bytes(), "text/html", None);
        prop_assert!(reading.features.values().all(|value| value.is_finite()));
        prop_assert!(reading.counts.boilerplate <= reading.counts.paragraphs);
        prop_assert!(reading.counts.longest_sentence <= reading.counts.words);
    }
}

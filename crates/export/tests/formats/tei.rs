//! Up-conversion of pages to TEI, in tables; and what holds for all bytes.

use crate::documents::{described, exported, page};
use auslese_export::{DocumentFormat, MAX_TEI_DEPTH};
use proptest::prelude::*;

fn body(html: &str) -> String {
    let tei = exported(DocumentFormat::Tei, &[page(html.as_bytes())]);
    let (_, rest) = tei.split_once("<body>").expect("a body");
    let (body, _) = rest.split_once("</body>").expect("its end");
    body.to_owned()
}

fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        assert_eq!(body(html), *expected, "{html}");
    }
}

#[test]
fn divisions_and_paragraphs() {
    #[rustfmt::skip]
    check(&[
        ("",                                  "<p/>"),
        ("a",                                 "<p>a</p>"),
        ("<p>a<p>b",                          "<p>a</p><p>b</p>"),
        ("<div>a<div>b</div>c</div>",         "<p>a</p><p>b</p><p>c</p>"),
        ("<p>a<br>b<br><br>c",                "<p>a<lb/>b</p><p>c</p>"),
        ("<h1>A</h1><p>x<h2>B</h2><p>y<h1>C</h1>", "<div><head>A</head><p>x</p><div><head>B</head><p>y</p></div></div><div><head>C</head></div>"),
        ("<h2>B</h2>x<h1>A</h1>y",            "<div><head>B</head><p>x</p></div><div><head>A</head><p>y</p></div>"),
        ("<h1></h1>x",                        "<p>x</p>"),
        ("<h1>A<br>B</h1>",                   "<div><head>A<lb/>B</head></div>"),
        ("<h1><div>A</div><p>B</p></h1>",     "<div><head>A<lb/>B</head></div>"),
        ("<nav>N</nav><p>x",                  "<div type=\"navigation\"><p>N</p></div><div type=\"continuation\"><p>x</p></div>"),
        ("<nav>N</nav><h1>A</h1>x<footer>F</footer>", "<div type=\"navigation\"><p>N</p></div><div><head>A</head><p>x</p><div type=\"footer\"><p>F</p></div></div>"),
        ("<p>a<hr><p>b",                      "<p>a</p><milestone unit=\"rule\"/><p>b</p>"),
        ("<script>x</script><style>y</style>a", "<p>a</p>"),
    ]);
}

#[test]
fn phrases() {
    #[rustfmt::skip]
    check(&[
        ("a <b>b</b> c",                      "<p>a <hi rend=\"bold\">b</hi> c</p>"),
        ("a<b> b </b>c",                      "<p>a <hi rend=\"bold\">b</hi> c</p>"),
        ("<b>a<p>b</b>c",                     "<p><hi rend=\"bold\">a</hi></p><p><hi rend=\"bold\">b</hi>c</p>"),
        ("<a href=/x>y</a>",                  "<p><ref target=\"http://www.mueritz.example/x\">y</ref></p>"),
        ("<a href=\"javascript:x()\">y</a>",  "<p>y</p>"),
        ("<a name=x>y</a>",                   "<p>y</p>"),
        ("<a href=/x><div>y</div></a>",       "<p><ref target=\"http://www.mueritz.example/x\">y</ref></p>"),
        ("<em>a</em><q>b</q><dfn>c</dfn>",    "<p><emph>a</emph><q>b</q><term>c</term></p>"),
        ("<abbr><q>b</q></abbr>",             "<p><abbr><hi rend=\"quoted\">b</hi></abbr></p>"),
        ("<del>a</del><ins>b</ins><sup>c</sup>", "<p><del>a</del><add>b</add><hi rend=\"superscript\">c</hi></p>"),
        ("<code>a&lt;b</code>",               "<p><code>a&lt;b</code></p>"),
        ("<code>a<b>c</b></code>",            "<p><hi rend=\"code\">a<hi rend=\"bold\">c</hi></hi></p>"),
        ("<img src=a.gif alt=' ein  Bild '>", "<p><graphic url=\"http://www.mueritz.example/seiten/a.gif\"><desc>ein Bild</desc></graphic></p>"),
        ("<img src=a.gif width=1>",           "<p/>"),
        ("<img src='data:image/gif;base64,x' alt=B>", "<p><figure><figDesc>B</figDesc></figure></p>"),
        ("<figure><img src=a.gif><figcaption>C</figcaption></figure>", "<figure><graphic url=\"http://www.mueritz.example/seiten/a.gif\"/><head>C</head></figure><p/>"),
        ("<pre>  a\n   <b>b</b>\n</pre>",     "<eg xml:space=\"preserve\">  a\n   <hi rend=\"bold\">b</hi></eg>"),
    ]);
}

#[test]
fn languages() {
    #[rustfmt::skip]
    check(&[
        ("<html lang=de>a <span lang=en>b</span>", "<p>a <foreign xml:lang=\"en\">b</foreign></p>"),
        ("<p lang=en>a<p>b",                  "<p xml:lang=\"en\">a</p><p>b</p>"),
        ("<div lang=en><ul><li>a</ul></div>", "<list xml:lang=\"en\"><item>a</item></list>"),
        ("<ul><li lang=fr>a</ul>",            "<list><item xml:lang=\"fr\">a</item></list>"),
        ("<p lang='not a tag'>a",             "<p>a</p>"),
    ]);
}

#[test]
fn lists_quotations_and_tables() {
    #[rustfmt::skip]
    check(&[
        ("<ul><li>a<li><p>b<p>c</ul>",        "<list><item>a</item><item><p>b</p><p>c</p></item></list>"),
        ("<ol><li>a<ul><li>b</ul>c</ol>",     "<list rend=\"numbered\"><item>a<list><item>b</item></list><p>c</p></item></list>"),
        ("<ul>x<li>a</li>y</ul>",             "<list><item>x</item><item>a</item><item>y</item></list>"),
        ("<ul><li></ul>z",                    "<p>z</p>"),
        ("<li>a",                             "<p>a</p>"),
        ("<ul><li><h2>H</h2>a</ul>",          "<list><item><label type=\"heading\" n=\"2\">H</label><p>a</p></item></list>"),
        ("<dl><dt>a<dd>b<dt>c<dt>d<dd>e</dl>", "<list type=\"gloss\"><label>a</label><item>b</item><label>c</label><item/><label>d</label><item>e</item></list>"),
        ("<dl><dd>b</dl>",                    "<list type=\"gloss\"><label/><item>b</item></list>"),
        ("<dl><dt>a</dl>",                    "<list type=\"gloss\"><label>a</label><item/></list>"),
        ("<blockquote>a<p>b</blockquote>",    "<quote><p>a</p><p>b</p></quote>"),
        ("<blockquote cite=/q>a</blockquote>", "<quote source=\"http://www.mueritz.example/q\"><p>a</p></quote>"),
        ("<table><caption>T</caption><thead><tr><th>a<th>b</thead><tr><td colspan=2>c</table>",
         "<table><head>T</head><row role=\"label\"><cell role=\"label\">a</cell><cell role=\"label\">b</cell></row><row><cell cols=\"2\">c</cell></row></table>"),
        ("<table><tr><td>a<td></table>",      "<table><row><cell>a</cell><cell></cell></row></table>"),
        ("<table><tr><td>a<tr><td>b</table>", "<p>a</p><p>b</p>"),
        ("<table><tr><td><h1>A</h1><td>b</table>", "<div><head>A</head><p>b</p></div>"),
        ("<table><tr><td>n<td><table><tr><td>a<td>b</table></table>", "<p>n</p><table><row><cell>a</cell><cell>b</cell></row></table>"),
        ("<select><option>a<option>b</select>", "<list><item>a</item><item>b</item></list>"),
    ]);
}

#[test]
fn depth_is_bounded() {
    let html = format!("{}tief", "<ul><li><blockquote>".repeat(300));
    let body = body(&html);
    assert!(body.contains("tief"), "{body}");
    assert!(body.matches("<list>").count() < MAX_TEI_DEPTH);
    let nested = body.matches("<list>").count() + body.matches("<quote>").count();
    assert!(nested > MAX_TEI_DEPTH / 2, "{nested}");
}

#[test]
fn headers_say_what_is_known_and_how_surely() {
    let tei = exported(DocumentFormat::Tei, &[described(5, b"<p>Text")]);
    #[rustfmt::skip]
    let parts = [
        "<title xml:id=\"d5-title-1\" cert=\"0.875\">Die Müritz: \"See\" &amp; &lt;Land&gt;\\</title>",
        "<author xml:id=\"d5-author-2\" cert=\"0.500\">Karl Heuer</author>",
        "<certainty target=\"#d5-title-1\" locus=\"value\" degree=\"0.875\"><desc>carmen-title&lt;4&gt;, dc&lt;1&gt;, initially 0.800; /html/head/title</desc></certainty>",
        "<certainty target=\"#d5-keywords-1\"",
        "<date xml:id=\"d5-date-1\" when=\"2001-05\" cert=\"0.700\">2001-05</date>",
        "<language ident=\"de\" usage=\"72\">de</language>",
        "<taxonomy xml:id=\"d5-scheme-msc-1991\"><bibl>MSC 1991</bibl></taxonomy>",
        "<classCode xml:id=\"d5-classification-1\" scheme=\"#d5-scheme-msc-1991\" cert=\"0.950\">68P20</classCode>",
        "<idno type=\"WARC-Record-ID\">urn:uuid:8a1e9e06-0a4f-4f5c-8f2e-2b0c1f3c9d11</idno>",
        "<measure unit=\"words\" quantity=\"120\">120 words</measure>",
        "<bibl xml:id=\"d5-references-1\" cert=\"0.850\">A. Weber: Seen. 1999</bibl>",
        "<text xml:lang=\"de\">",
    ];
    for part in parts {
        assert!(tei.contains(part), "{part}\n{tei}");
    }
    assert!(!tei.contains("Verworfen"), "what was not chosen is not said aloud");
}

/// Reads XML to its end and says how deep it is; panics if it is not well-formed.
fn depth_of(xml: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let (mut depth, mut deepest) = (0_usize, 0);
    loop {
        match reader.read_event().expect("well-formed") {
            quick_xml::events::Event::Start(_) => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            quick_xml::events::Event::End(_) => depth -= 1,
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "all elements are closed");
    deepest
}

fn is_xml_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

pub(crate) const TAGS: &str = "<(/)?(p|h1|h2|ul|li|dl|dt|dd|table|tr|td|th|caption|a href=x|b|q|pre|nav|figure|figcaption|\
                    blockquote|br|hr|img src=x|div|select|option|code|span lang=en|title)>|[a-c \n&\u{1}]";

proptest! {
    #[test]
    fn any_bytes_give_well_formed_xml(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let tei = exported(DocumentFormat::Tei, &[page(&bytes)]);
        prop_assert!(tei.chars().all(is_xml_character));
        depth_of(&tei);
    }

    #[test]
    fn any_tags_give_well_formed_xml(tags in proptest::collection::vec(TAGS, 0..60)) {
        let tei = exported(DocumentFormat::Tei, &[page(tags.concat().as_bytes())]);
        prop_assert!(tei.chars().all(is_xml_character));
        prop_assert!(depth_of(&tei) < 256);
    }
}

/// In a document of several languages, pieces that nobody declared get theirs; short ones and those of
/// other documents do not.
#[test]
fn passages_in_other_languages() {
    let html = "<p>Das Institut liegt am Ufer der Müritz, und von den Fenstern sieht man weit über den See.\
        <p>The institute lies on the shore of the lake, and from the windows one can see far.\
        <div>Visitors are <b>welcome</b> on every first Monday of the month between ten and four.</div>\
        <p>See you soon!<p lang=fr>Bonjour</p>";
    let body = |shares: &[(&str, f64)]| {
        let mut document = described(1, html.as_bytes());
        let note = document.content.as_mut().and_then(|it| it.language.as_mut()).expect("a note");
        note.language = "de".to_owned();
        note.shares = shares.iter().map(|(tag, share)| ((*tag).to_owned(), *share)).collect();
        exported(DocumentFormat::Tei, &[document])
    };
    let mixed = body(&[("de", 0.5), ("en", 0.5)]);
    for part in [
        "<p>Das Institut",
        "<p xml:lang=\"en\">The institute",
        "<p xml:lang=\"en\">Visitors are <hi rend=\"bold\">welcome</hi>",
        "<p>See you soon!</p>",
        "<p xml:lang=\"fr\">Bonjour</p>",
    ] {
        assert!(mixed.contains(part), "{part} in {mixed}");
    }
    assert!(!body(&[("de", 1.0)]).contains("xml:lang=\"en\">"));
}

//! What may be left in a page that is shown out of an archive, and what not.

use auslese_markup::{LinkKind, css_links, enclose_css, enclose_html, parse};
use proptest::prelude::*;
use url::Url;

fn document() -> Url {
    Url::parse("http://h.example/d/p.html").expect("a valid URL")
}

fn replayed(url: &Url, _kind: LinkKind) -> Option<String> {
    Some(format!("/r/{url}"))
}

fn html(source: &str) -> String {
    let enclosed = enclose_html(source.as_bytes(), Some("utf-8"), &document(), &mut replayed);
    String::from_utf8(enclosed.bytes).expect("UTF-8 stays UTF-8")
}

#[test]
fn documents() {
    #[rustfmt::skip]
    let cases = [
        ("<a href=x#y ping='http://p.example/'>", "<a href=\"/r/http://h.example/d/x#y\" archived-ping='http://p.example/'>"),
        ("<a href=#top><a href=''>",             "<a href=#top><a href=''>"),
        ("<a href='javascript:alert(1)'>",       "<a href='#'>"),
        ("<a href=' java\nscript:alert(1)'>",    "<a href='#'>"),
        ("<a href=data:text/html,x><a href=ftp://f.example/>", "<a href=\"#\"><a href=\"#\">"),
        ("<a href=mailto:a@b.example>",          "<a href=mailto:a@b.example>"),
        ("<a href='http://['>",                  "<a href='#'>"),
        ("<img src=data:image/png,x>",           "<img src=data:image/png,x>"),
        ("<iframe src=data:text/html,x>",        "<iframe src=\"about:invalid\">"),
        ("<script src=s.js integrity=x crossorigin>", "<script src=\"/r/http://h.example/d/s.js\" archived-integrity=x archived-crossorigin>"),
        ("<form method=post action=f><button formaction=//i.example/>", "<form method=post action=\"/r/http://h.example/d/f\"><button formaction=\"/r/http://i.example/\">"),
        ("<link rel='preconnect dns-prefetch' href=//i.example>", "<link rel='' href=\"/r/http://i.example/\">"),
        ("<link rel='stylesheet preload' href=s>", "<link rel='stylesheet' href=\"/r/http://h.example/d/s\">"),
        ("<base href=/b/><img src=x>",           "<base href=\"\"><img src=\"/r/http://h.example/b/x\">"),
        ("<base href=//i.example/>",             "<base href=\"\">"),
        ("<meta http-equiv=set-cookie content='a=b'>", "<meta archived-http-equiv=set-cookie archived-content='a=b'>"),
        ("<meta http-equiv=Content-Security-Policy content=x>", "<meta archived-http-equiv=Content-Security-Policy archived-content=x>"),
        ("<meta http-equiv=content-type content='text/html; charset=latin1'>", "<meta http-equiv=content-type content='text/html; charset=latin1'>"),
        ("<meta http-equiv=refresh content='0; url=javascript:x'>", "<meta http-equiv=refresh content='0; url=#'>"),
        ("<meta name=referrer content=unsafe-url>", "<meta archived-name=referrer archived-content=unsafe-url>"),
        ("<iframe srcdoc='<a href=x>&amp;amp;</a>'>", "<iframe srcdoc='<a href=\"/r/http://h.example/d/x\">&amp;amp;</a>'>"),
        ("<iframe srcdoc='<iframe srcdoc=x>'>",  "<iframe srcdoc='<iframe archived-srcdoc=x>'>"),
        ("<svg><a><animate attributeName=xlink:href values=http://i.example/>", "<svg><a><animate attributeName=xlink:href archived-values=http://i.example/>"),
        ("<svg><rect fill='url(http://i.example/#p)' mask='url(#m)'>", "<svg><rect fill='url(\"/r/http://i.example/#p\")' mask='url(#m)'>"),
        ("<svg><pattern href=//i.example/x xml:base=y>", "<svg><pattern href=\"/r/http://i.example/x\" archived-xml:base=y>"),
        ("<blockquote cite=x><img usemap=#m longdesc=l>", "<blockquote cite=\"/r/http://h.example/d/x\"><img usemap=#m longdesc=\"/r/http://h.example/d/l\">"),
        ("<a href ping=x =http://i.example/>",   "<a href archived-ping=x =http://i.example/>"),
        ("<p style='a:url(b)' onclick=x>",       "<p style='a:url(\"/r/http://h.example/d/b\")' onclick=x>"),
        ("<object data=d codebase=//i.example/o/ archive=a>", "<object data=\"/r/http://i.example/o/d\" codebase=\"\" archive=\"/r/http://i.example/o/a\">"),
        ("<a ping=x ping=y srcdoc=z srcdoc=z>",  "<a archived-ping=x archived-ping=y srcdoc=\"z\" archived-srcdoc=z>"),
        ("<a href=x href=http://i.example/>",    "<a href=\"/r/http://h.example/d/x\" href=http://i.example/>"),
    ];
    for (source, expected) in cases {
        assert_eq!(html(source), expected, "{source}");
    }
}

#[test]
fn attributes_beyond_the_limit_are_taken_out() {
    let many: String = (0..300).map(|number| format!(" x{number}")).collect();
    let page = html(&format!("<a{many} href=http://i.example/ y='>'>z"));
    assert!(page.ends_with(">z") && !page.contains("i.example"), "{page}");
}

#[test]
fn a_long_base_does_not_multiply() {
    let base = "x".repeat(1 << 20);
    let links = "<a href=y>".repeat(100_000);
    let page = html(&format!("<base href='http://i.example/{base}/'>{links}"));
    assert!(page.len() < 80 << 20, "{}", page.len());
    assert!(page.ends_with("<a href=\"#\">"));
}

#[test]
fn style_sheets() {
    #[rustfmt::skip]
    let cases = [
        ("@import 'a.css'; b { c: url( d.png ) }", "@import \"/r/http://h.example/d/a.css\"; b { c: url( \"/r/http://h.example/d/d.png\" ) }"),
        ("a{b:url(data:image/png,x)}",           "a{b:url(data:image/png,x)}"),
        ("a{b:url(javascript:x)}",               "a{b:url(\"about:invalid\")}"),
        ("@font-face{src:url(//i.example/f)}",   "@font-face{src:url(\"/r/http://i.example/f\")}"),
        ("a{b:url(#c)}",                         "a{b:url(#c)}"),
    ];
    for (source, expected) in cases {
        let enclosed = enclose_css(source.as_bytes(), None, &document(), &mut replayed);
        assert_eq!(String::from_utf8(enclosed.bytes).unwrap(), expected, "{source}");
    }
}

/// Attributes of a page, as a browser would see them, that lead out.
fn leaks(bytes: &[u8]) -> Vec<String> {
    const FOLLOWED: &[&str] = &[
        "href",
        "xlink:href",
        "src",
        "poster",
        "background",
        "data",
        "action",
        "formaction",
        "cite",
        "longdesc",
        "lowsrc",
        "ping",
        "manifest",
        "codebase",
    ];
    let is_inside = |value: &str| {
        let value = value.trim_matches(|c: char| c <= ' ');
        value.is_empty()
            || ["#", "/r/", "about:invalid", "mailto:", "tel:"]
                .iter()
                .any(|it| value.starts_with(it))
            || value.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("data:"))
    };
    let page = parse(bytes, Some("utf-8"));
    let mut leaks = Vec::new();
    for node in page.tree().ids() {
        for attribute in page.tree().attributes(node) {
            let prefix = attribute.prefix().map(|it| format!("{it}:")).unwrap_or_default();
            let name = format!("{prefix}{}", attribute.name()).to_ascii_lowercase();
            let value: &str = &attribute.value;
            let leads_out = match name.as_str() {
                "style" => css_links(value).iter().any(|link| !is_inside(link)),
                "srcdoc" => !leaks_within(value).is_empty(),
                name => FOLLOWED.contains(&name) && !is_inside(value),
            };
            if leads_out {
                leaks.push(format!("{name}={value}"));
            }
        }
    }
    leaks
}

fn leaks_within(markup: &str) -> Vec<String> {
    leaks(markup.as_bytes())
}

/// Pieces of tags, for pages of any shape.
const TAGS: &str = "<a |<img |<iframe |<base |<form |<link |<object |<b |href=|src=|ping=|action=|srcdoc=|style=|codebase=|url\\(|http://i.example/|//i.example|&lt;|&quot;|'|\"|>|<|/|=|#|[ -~]|\\PC";

fn pages(elements: &str) -> impl Strategy<Value = String> {
    let pattern = format!("({elements}|{TAGS}){{0,40}}");
    proptest::string::string_regex(&pattern).expect("a valid pattern")
}

proptest! {
    #[test]
    fn nothing_leads_out(
        plain in pages("<style>|</style>|<noscript>|<textarea>|</textarea>|<!--|-->|<xmp>|<title>"),
        foreign in pages("<svg>|<math>|</svg>|<foreignObject>|<mi>|<p>|<template>|<table>"),
    ) {
        for text in [plain, foreign] {
            let page = html(&text);
            prop_assert_eq!(leaks(page.as_bytes()), Vec::<String>::new(), "{}", page);
        }
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        enclose_html(&bytes, None, &document(), &mut replayed);
        enclose_css(&bytes, None, &document(), &mut |_, _| None);
    }
}

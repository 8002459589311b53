//! What the rewriter changes, and what it leaves alone.

use auslese_markup::{LinkKind, rewrite_css, rewrite_html};
use proptest::prelude::*;
use url::Url;

fn document() -> Url {
    Url::parse("http://h.example/d/p.html").expect("a valid URL")
}

/// Pages of this host move below `/m`, all else stays.
fn moved(url: &Url, _kind: LinkKind) -> Option<String> {
    (url.host_str() == Some("h.example"))
        .then(|| format!("/m{}", &url[url::Position::BeforePath..]))
}

fn html(source: &str) -> String {
    let bytes = rewrite_html(source.as_bytes(), Some("utf-8"), &document(), &mut moved);
    String::from_utf8(bytes).expect("UTF-8 stays UTF-8")
}

#[test]
fn documents() {
    #[rustfmt::skip]
    let cases = [
        ("<a href=\"x.html\">ä</a>",               "<a href=\"/m/d/x.html\">ä</a>"),
        ("<A  HREF = x.html >",                    "<A  HREF = \"/m/d/x.html\" >"),
        ("<a href='/x?a=1&amp;b=2#c'>",            "<a href='/m/x?a=1&amp;b=2#c'>"),
        ("<a href='/x?a=1&b=2'>",                  "<a href='/m/x?a=1&amp;b=2'>"),
        ("<a href=\"http://i.example/\">",         "<a href=\"http://i.example/\">"),
        ("<a href=#a><a href=''><a href>",         "<a href=#a><a href=''><a href>"),
        ("<img srcset='a.png 1x, b,c.png 2x'>",    "<img srcset='/m/d/a.png 1x, /m/d/b%2Cc.png 2x'>"),
        ("<p style=\"a:url('b.png')\">",           "<p style=\"a:url(&quot;/m/d/b.png&quot;)\">"),
        ("<style>a{b:url(c.png)}/*url(d)*/</style>", "<style>a{b:url(\"/m/d/c.png\")}/*url(d)*/</style>"),
        ("<svg><style>a{b:url(c?d&amp;e)}</style>", "<svg><style>a{b:url(\"/m/d/c?d&amp;e\")}</style>"),
        ("<svg><style><![CDATA[@import 'c?d&e']]>", "<svg><style><![CDATA[@import \"/m/d/c?d&e\"]]>"),
        ("<meta http-equiv=refresh content=\"0; url='x'\">", "<meta http-equiv=refresh content=\"0; url='/m/d/x'\">"),
        ("<noframes><a href=x></noframes>",        "<noframes><a href=\"/m/d/x\"></noframes>"),
        ("<script>'<a href=x>'</script><!-- <a href=x> -->", "<script>'<a href=x>'</script><!-- <a href=x> -->"),
        ("<base href='/b/'><a href=x><a href='http://i.example/'>", "<base href=''><a href=\"/m/b/x\"><a href='http://i.example/'>"),
        ("<base href='http://i.example/b/'><a href=x>", "<base href='http://i.example/b/'><a href=x>"),
        ("<base href='http://i.example/b/'><a href=x#y><a href=//h.example/z>", "<base href=''><a href=\"http://i.example/b/x#y\"><a href=\"/m/z\">"),
        ("<a href=x><template><base href=/t/></template><base href=/b/>", "<a href=\"/m/b/x\"><template><base href=\"\"></template><base href=\"\">"),
        ("<object codebase=o/ data=d>",            "<object codebase=\"\" data=\"/m/d/o/d\">"),
        ("<form action=f><form method=post action=f>", "<form action=\"/m/d/f\"><form method=post action=f>"),
    ];
    for (source, expected) in cases {
        assert_eq!(html(source), expected, "{source}");
    }
}

#[test]
fn the_encoding_stays() {
    let source = b"<meta charset=latin1>\xE4<a href='\xF6'>\x80</a>\xFF";
    let mut map = |_: &Url, _| Some("\u{fc}\u{3a9}".to_owned());
    let expected = b"<meta charset=latin1>\xE4<a href='\xFC&#937;'>\x80</a>\xFF";
    assert_eq!(rewrite_html(source, None, &document(), &mut map), expected);
}

#[test]
fn style_sheets() {
    #[rustfmt::skip]
    let cases = [
        ("@import 'a.css'; b { c: url( d.png ) }", "@import \"/m/d/a.css\"; b { c: url( \"/m/d/d.png\" ) }"),
        ("a{b:url(http://i.example/c)}",           "a{b:url(http://i.example/c)}"),
        ("a{b:url(data:image/png,x)}",             "a{b:url(data:image/png,x)}"),
        ("/* url(a) */ b{c:'url(d)'}",             "/* url(a) */ b{c:'url(d)'}"),
        ("@charset \"utf-8\";a{b:url(ä)}",         "@charset \"utf-8\";a{b:url(\"/m/d/%C3%A4\")}"),
    ];
    for (source, expected) in cases {
        let bytes = rewrite_css(source.as_bytes(), None, &document(), &mut moved);
        assert_eq!(String::from_utf8(bytes).unwrap(), expected, "{source}");
    }
}

proptest! {
    #[test]
    fn a_map_that_says_nothing_changes_nothing(
        bytes in proptest::collection::vec(any::<u8>(), 0..100),
        text in "(<a href=|<style>|<base href=|url\\(|'|\"|>|<|/|[ -~]|\\PC){0,40}",
    ) {
        for source in [&bytes, text.as_bytes()] {
            prop_assert_eq!(rewrite_html(source, None, &document(), &mut |_, _| None), source);
            prop_assert_eq!(rewrite_css(source, None, &document(), &mut |_, _| None), source);
        }
    }

    #[test]
    fn any_map_is_safe(
        text in "(<a href=|<style>|<base href=|<svg>|<object codebase=|url\\(|'|\"|>|<|/|[ -~]|\\PC){0,40}",
        link in "\\PC{0,10}",
    ) {
        rewrite_html(text.as_bytes(), None, &document(), &mut |_, _| Some(link.clone()));
        rewrite_css(text.as_bytes(), None, &document(), &mut |_, _| Some(link.clone()));
    }
}

//! Any bytes as a page: a tree, its text, its links by both ways, and the page as XML.

#![no_main]

use auslese_markup::{parse, parse_text, rewrite_html, scan_css, scan_links};
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|bytes: &[u8]| {
    let page = parse(bytes, None);
    let base = Url::parse("http://www.example.org/a/").expect("an address");
    let scanned = scan_links(bytes, None);
    let text = page.text();
    assert!(text.len() <= 16 * bytes.len() + 64, "a text does not outgrow its page");
    page.blocks();
    page.xml();
    page.title();
    for link in scanned.found.iter().take(50) {
        page.resolve(&base, &link.href);
    }
    parse_text(bytes, Some("windows-1252")).text();
    scan_css(bytes, None);
    rewrite_html(bytes, None, &base, &mut |_, _| Some("x".to_owned()));
});

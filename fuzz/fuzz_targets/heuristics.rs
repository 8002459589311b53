//! Any text as a file of heuristics: rules or errors with places, and rules describe a page within their budget.

#![no_main]

use auslese_describe::{Around, Heuristics, Subject, Weights, describe};
use auslese_markup::parse_text;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

const PAGE: &[u8] = b"<html><title>Soziologie - Universit\xe4t</title><meta name=author content='Max Weber'>\
    <body><h1>Soziologie</h1><p>Von Max Weber, Stand: 12. M\xe4rz 2004</p><a href='mailto:m@x.example'>M. Weber</a>";

fuzz_target!(|bytes: &[u8]| {
    static WEIGHTS: OnceLock<Weights> = OnceLock::new();
    let text = String::from_utf8_lossy(bytes);
    let Ok(heuristics) = Heuristics::parse("fuzzed", &[("fuzzed.rules", &text)]) else { return };
    heuristics.check();
    let page = parse_text(PAGE, Some("iso-8859-1"));
    let subject = Subject { page: &page, url: None, around: &Around::default() };
    describe(&subject, &heuristics, WEIGHTS.get_or_init(Weights::initial));
});

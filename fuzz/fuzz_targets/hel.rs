//! Any text as an extraction rule, before a blank line, on any page, behind it.

#![no_main]

use auslese_hidden::{FiniteRegex, HelBudget, HelPage, HelPrefix, HelRule};
use auslese_markup::parse;
use libfuzzer_sys::fuzz_target;

const TABLE: &[u8] =
    b"<table><tr><td><b>Hotel</b> Adler<td>Rostock</tr><tr><td>Zur Post<td>Wismar</table>";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (rule, page) = text.split_once("\n\n").unwrap_or((&text, ""));
    let _ = FiniteRegex::parse(rule);
    let prefix = HelPrefix::parse(rule);
    let Ok(rule) = HelRule::parse(rule, prefix.ok().flatten().as_ref()) else { return };
    for page in [TABLE, page.as_bytes()] {
        let page = parse(page, None);
        let _ = rule.evaluate(&HelPage::new(&page), &mut HelBudget::new(10_000));
    }
});

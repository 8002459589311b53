//! Any text as an XPath expression, before a blank line, on any page, behind it.

#![no_main]

use auslese_markup::{StepBudget, XPath, XPathNode, parse};
use libfuzzer_sys::fuzz_target;

const PAGE: &[u8] = b"<html lang=de><title>T</title><body><h1 id=a class='b c'>U</h1><p>V <b>W</b> 3.5</p><!-- x -->";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (expression, page) = text.split_once("\n\n").unwrap_or((&text, ""));
    let Ok(expression) = XPath::parse(expression) else { return };
    for page in [PAGE, page.as_bytes()] {
        let page = parse(page, None);
        let _ = expression.evaluate(
            page.tree(),
            XPathNode::DOCUMENT,
            &|_| None,
            &mut StepBudget::new(20_000),
        );
    }
});

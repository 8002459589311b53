//! Whether a text that came without a header, from a file or by hand, is a web page.

use super::format::SNIFF_BYTES;

/// By its name, or by how it begins: some pages begin with messages of the program that made them.
pub fn looks_like_html(name: &str, bytes: &[u8]) -> bool {
    const NAMES: [&str; 4] = [".html", ".htm", ".xhtml", ".shtml"];
    const CERTAIN: [&str; 2] = ["<!doctype html", "<html"];
    const ELEMENTS: [&str; 8] =
        ["<head", "<body", "<title", "<meta", "<div", "<p>", "<table", "<h1"];
    let name = name.to_ascii_lowercase();
    let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(SNIFF_BYTES)]);
    let beginning = beginning.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    let beginning = beginning.to_ascii_lowercase();
    let has = |signs: &[&str]| signs.iter().any(|sign| beginning.contains(sign));
    NAMES.iter().any(|end| name.ends_with(end))
        || has(&CERTAIN)
        || (beginning.starts_with('<') && has(&ELEMENTS))
}

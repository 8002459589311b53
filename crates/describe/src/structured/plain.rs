//! The text that a value means: pages escape twice, and leave tags in what should be plain.

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A tag as people write it; `a < b` and `<3` are none.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>").expect("the pattern is fixed")
});

/// Soft hyphens and marks without width are typography, not text.
const WITHOUT_WIDTH: [char; 4] = ['\u{ad}', '\u{200b}', '\u{feff}', '\u{2060}'];

/// References resolved as often as they were escaped, but at most twice; tags removed; white space
/// normalised.
pub(crate) fn plain_text(value: &str) -> String {
    let mut text = without_references(value);
    if text.contains('&') {
        text = Cow::Owned(without_references(&text).into_owned());
    }
    let untagged = if text.contains('<') { TAG.replace_all(&text, " ") } else { text };
    normalised(&untagged)
}

/// White space normalised, nothing else.
pub(crate) fn normalised(text: &str) -> String {
    let is_plain = |byte: u8| (b' '..0x7f).contains(&byte);
    // Nearly all values are one line of ASCII; looked at without an early end, many bytes at once.
    if text.bytes().fold(true, |plain, byte| plain & is_plain(byte)) && !text.contains("  ") {
        return text.trim_matches(' ').to_owned();
    }
    let mut normal = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.extend(word.chars().filter(|letter| !WITHOUT_WIDTH.contains(letter)));
    }
    normal
}

fn without_references(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    // The parser of whole pages knows all references; with its tags disarmed, the value is a page
    // that consists of one text.
    let disarmed = value.replace('<', "&lt;");
    let page = auslese_markup::parse(disarmed.as_bytes(), Some("utf-8"));
    Cow::Owned(page.tree().string_value(auslese_markup::NodeId::DOCUMENT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        #[rustfmt::skip]
        let cases = [
            ("plain",                              "plain"),
            ("  a \n\t b ",                        "a b"),
            ("Katz &amp; Maus",                    "Katz & Maus"),
            ("Katz &amp;amp; Maus &amp;#8211; 2",  "Katz & Maus – 2"),
            ("R&D in 2004",                        "R&D in 2004"),
            ("<p>Erster</p><p>Zweiter<br/>Teil</p>", "Erster Zweiter Teil"),
            ("&lt;b&gt;fett&lt;/b&gt;",            "fett"),
            ("a < b und c > d",                    "a < b und c > d"),
            ("I <3 Ulm &amp; a<b",                 "I <3 Ulm & a<b"),
            ("Uni\u{ad}ver\u{ad}sität",            "Universität"),
            ("&Uuml;ber &quot;uns&quot;",          "Über \"uns\""),
            ("",                                   ""),
        ];
        for (value, expected) in cases {
            assert_eq!(plain_text(value), expected, "{value}");
        }
    }
}

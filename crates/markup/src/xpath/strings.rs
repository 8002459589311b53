//! The string functions that are more than a call to the standard library.

use super::numbers::round;
use super::tokens::is_white;
use regex::{Regex, RegexBuilder};
use std::collections::HashMap;

/// Memory that a compiled pattern of `matches()` may take, in bytes.
pub const MAX_XPATH_PATTERN: usize = 1024 * 1024;

/// Compiles a pattern of `matches()`.
pub(super) fn pattern(text: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(text)
        .size_limit(MAX_XPATH_PATTERN)
        .dfa_size_limit(MAX_XPATH_PATTERN)
        .build();
    built.map_err(|error| {
        // The last line says what is wrong, those before it draw where.
        let words = error.to_string();
        let reason = words.lines().last().unwrap_or_default().trim();
        let reason = reason.strip_prefix("error: ").unwrap_or(reason);
        format!("the pattern of matches() does not compile: {reason}")
    })
}

/// The characters from a place on, the first being 1, by the rounding rules of the standard.
pub(super) fn substring(text: &str, from: f64, count: Option<f64>) -> &str {
    let first = round(from);
    let end = count.map(|count| first + round(count));
    // Comparisons with NaN are false, which the standard wants here.
    let within = |place: f64| place >= first && end.is_none_or(|end| place < end);
    let mut places = text.char_indices().zip(1u32..);
    let Some(((start, _), _)) = places.find(|(_, place)| within(f64::from(*place))) else {
        return "";
    };
    let stop = places.find(|(_, place)| !within(f64::from(*place)));
    stop.map_or(&text[start..], |((stop, _), _)| &text[start..stop])
}

/// Words with one space between them.
pub(super) fn normalize_space(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split(is_white).filter(|word| !word.is_empty()) {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.push_str(word);
    }
    normal
}

/// Exchanges characters of `from` for those at the same place of `to`, or leaves them out.
pub(super) fn translate(text: &str, from: &str, to: &str) -> String {
    let mut replacements = to.chars();
    let mut map = HashMap::new();
    for c in from.chars() {
        let replacement = replacements.next();
        map.entry(c).or_insert(replacement);
    }
    let exchange = |c: char| map.get(&c).copied().unwrap_or(Some(c));
    text.chars().filter_map(exchange).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substrings() {
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        #[rustfmt::skip]
        let cases = [
            (2.0,       Some(3.0),      "234"),
            (2.0,       None,           "2345"),
            (1.5,       Some(2.6),      "234"),
            (0.0,       Some(3.0),      "12"),
            (nan,       Some(3.0),      ""),
            (1.0,       Some(nan),      ""),
            (-42.0,     Some(infinity), "12345"),
            (-infinity, Some(infinity), ""),
            (-infinity, None,           "12345"),
            (6.0,       None,           ""),
            (5.0,       Some(1e300),    "5"),
        ];
        for (from, count, expected) in cases {
            assert_eq!(substring("12345", from, count), expected, "{from} {count:?}");
        }
        assert_eq!(substring("äöü𝄞!", 2.0, Some(3.0)), "öü𝄞");
        assert_eq!(substring("", 1.0, None), "");
    }

    #[test]
    fn translations() {
        let cases = [
            ("bar", "abc", "ABC", "BAr"),
            ("--aaa--", "abc-", "ABC", "AAA"),
            ("aba", "aa", "xy", "xbx"),
            ("äöü", "äöü", "aou", "aou"),
            ("abc", "", "xyz", "abc"),
        ];
        for (text, from, to, expected) in cases {
            assert_eq!(translate(text, from, to), expected);
        }
    }

    #[test]
    fn spaces() {
        assert_eq!(normalize_space("\n a  b\tc \r"), "a b c");
        assert_eq!(normalize_space("a\u{a0}b"), "a\u{a0}b");
        assert_eq!(normalize_space(" \n"), "");
    }

    #[test]
    fn patterns() {
        assert!(pattern("^a+$").is_ok());
        for bad in ["(", "a{1000}{1000}{1000}", "(?P<"] {
            let reason = pattern(bad).unwrap_err();
            assert!(reason.starts_with("the pattern of matches()"), "{reason}");
        }
    }
}

//! Patterns with stars, as people write them for addresses and media types.

/// Whether the whole text fits a pattern in which `*` stands for any characters, also none. Takes
/// time of the order of both lengths multiplied, and no memory.
pub(crate) fn glob_matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut seen) = (0, 0);
    // Where the last star stands, and how far it reached: what came after it may have begun later.
    let mut star: Option<(usize, usize)> = None;
    while seen < text.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at, seen));
            at += 1;
        } else if pattern.get(at) == Some(&text[seen]) {
            at += 1;
            seen += 1;
        } else if let Some((place, reached)) = star {
            star = Some((place, reached + 1));
            (at, seen) = (place + 1, reached + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars() {
        #[rustfmt::skip]
        let cases = [
            ("",            "",                                 true),
            ("",            "a",                                false),
            ("*",           "",                                 true),
            ("a*c",         "abbc",                             true),
            ("a*c",         "abbcd",                            false),
            ("*/_vti_*/*",  "http://a.example/x/_vti_bin/y",    true),
            ("*/_vti_*/*",  "http://a.example/x/_vti_bin",      false),
            ("text/*",      "text/html",                        true),
            ("*a*b*a*b",    "xaybzaqb",                         true),
            ("http://a/",   "http://a/",                        true),
            ("*ü",          "http://a/ü",                       true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(glob_matches(pattern, text), expected, "{pattern} on {text}");
        }
    }
}

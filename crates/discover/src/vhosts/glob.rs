//! File name patterns as web servers understand them in their include directives.
//!
//! `*` and `?` match within one part of a path, `[a-c]` and `[!a-c]` one character; a file whose
//! name begins with a dot is matched only by a pattern that begins with one.

/// Longest part of a pattern, in bytes; names of files have 255 at most.
const MAX_PATTERN: usize = 1024;

/// Whether a text is a pattern rather than a plain path.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether a path matches a pattern, part by part.
pub(crate) fn path_matches(pattern: &str, path: &str) -> bool {
    let parts = |text: &str| text.split('/').filter(|p| !p.is_empty()).count();
    parts(pattern) == parts(path)
        && pattern
            .split('/')
            .filter(|part| !part.is_empty())
            .zip(path.split('/').filter(|part| !part.is_empty()))
            .all(|(pattern, part)| name_matches(pattern, part))
}

/// Whether one file name matches one part of a pattern.
///
/// Goes back to the last star only: an earlier one can match nothing that this one cannot, so the
/// time is at most the product of the two lengths.
pub(crate) fn name_matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') || pattern.len() > MAX_PATTERN {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while here < name.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at + 1, here));
            at += 1;
        } else if let Some(next) = match_one(&pattern, at, name[here]) {
            (at, here) = (next, here + 1);
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            (at, here) = (after, from + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

/// The place in the pattern behind what matched one character.
fn match_one(pattern: &[char], at: usize, c: char) -> Option<usize> {
    match *pattern.get(at)? {
        '?' => Some(at + 1),
        '[' => match_class(pattern, at, c),
        '\\' if at + 1 < pattern.len() => (pattern[at + 1] == c).then_some(at + 2),
        plain => (plain == c).then_some(at + 1),
    }
}

fn match_class(pattern: &[char], open: usize, c: char) -> Option<usize> {
    let negated = matches!(pattern.get(open + 1), Some('!' | '^'));
    let first = open + 1 + usize::from(negated);
    // A bracket right at the beginning of a class is a member of it.
    let Some(close) = (first + 1..pattern.len()).find(|at| pattern[*at] == ']') else {
        return (c == '[').then_some(open + 1);
    };
    let class = &pattern[first..close];
    let mut inside = false;
    let mut at = 0;
    while at < class.len() {
        if at + 2 < class.len() && class[at + 1] == '-' {
            inside |= (class[at]..=class[at + 2]).contains(&c);
            at += 3;
        } else {
            inside |= class[at] == c;
            at += 1;
        }
    }
    (inside != negated).then_some(close + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names() {
        #[rustfmt::skip]
        let cases = [
            ("*.conf",      "a.conf",       true),
            ("*.conf",      ".a.conf",      false),
            (".*",          ".a.conf",      true),
            ("*",           "",             true),
            ("a*b*c",       "aXbYbZc",      true),
            ("a*b*c",       "aXbYbZ",       false),
            ("?.conf",      "ab.conf",      false),
            ("[0-9]*.conf", "10-a.conf",    true),
            ("[!0-9]*",     "10-a.conf",    false),
            ("[]a]x",       "]x",           true),
            ("[a",          "[a",           true),
            ("a.conf",      "a.conf",       true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(name_matches(pattern, name), expected, "{pattern} {name}");
        }
        assert!(path_matches("/etc/nginx/*/x?.conf", "/etc/nginx/sites/x1.conf"));
        assert!(!path_matches("/etc/nginx/*.conf", "/etc/nginx/sites/x.conf"));
    }

    proptest! {
        #[test]
        fn any_pattern(pattern in ".{0,40}", name in ".{0,40}") {
            name_matches(&pattern, &name);
            prop_assert!(name_matches("*", &name) || name.starts_with('.'));
        }
    }
}

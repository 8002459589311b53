//! Reads the target of `<meta http-equiv="refresh" content="5; URL=next.html">`.
//!
//! The standard's steps (WHATWG §4.2.5.3) with one liberty: the time may be missing, because old
//! pages write `content="URL=next.html"` and old browsers followed.

use std::ops::Range;

/// Where in the value the target stands; `None` if the page only reloads itself.
pub(crate) fn target(value: &str) -> Option<Range<usize>> {
    let bytes = value.as_bytes();
    let mut at = skip(bytes, 0, is_space);
    let time_start = at;
    at = skip(bytes, at, |b| b.is_ascii_digit() || b == b'.');
    if at > time_start {
        if !bytes.get(at).is_some_and(|&b| is_space(b) || b == b';' || b == b',') {
            return None;
        }
        at = skip(bytes, at, is_space);
        if matches!(bytes.get(at), Some(b';' | b',')) {
            at += 1;
        }
        at = skip(bytes, at, is_space);
        at = after_url_sign(bytes, at).unwrap_or(at);
    } else {
        at = after_url_sign(bytes, at)?;
    }
    let quote = bytes.get(at).copied().filter(|b| matches!(b, b'"' | b'\''));
    let range = match quote {
        Some(quote) => {
            let start = at + 1;
            start..start + memchr::memchr(quote, &bytes[start..]).unwrap_or(bytes.len() - start)
        }
        None => at..at + bytes[at..].trim_ascii_end().len(),
    };
    (!range.is_empty()).then_some(range)
}

/// Where the value after `url =` begins, if that is what stands at `at`.
fn after_url_sign(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at + 3)?;
    let sign = skip(bytes, at + 3, is_space);
    let is_sign = word.eq_ignore_ascii_case(b"url") && bytes.get(sign) == Some(&b'=');
    is_sign.then(|| skip(bytes, sign + 1, is_space))
}

fn skip(bytes: &[u8], from: usize, unwanted: impl Fn(u8) -> bool) -> usize {
    let rest = &bytes[from..];
    from + rest.iter().position(|&b| !unwanted(b)).unwrap_or(rest.len())
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings() {
        #[rustfmt::skip]
        let cases = [
            ("5; URL=next.html",       Some("next.html")),
            ("0;url=next.html",        Some("next.html")),
            ("0,url='a b.html'",       Some("a b.html")),
            ("0; url = \"next.html\" ", Some("next.html")),
            ("0; url='next.html",      Some("next.html")),
            ("  1.5 ;  Url=next.html  ", Some("next.html")),
            ("0; next.html",           Some("next.html")),
            ("0 next.html",            Some("next.html")),
            ("0; url",                 Some("url")),
            ("0; urlaub.html",         Some("urlaub.html")),
            ("0;; next.html",          Some("; next.html")),
            ("URL=next.html",          Some("next.html")),
            ("url='next.html'",        Some("next.html")),
            (".5; url=next.html",      Some("next.html")),
            ("5",                      None),
            ("5;",                     None),
            ("5; url=",                None),
            ("5; url=''",              None),
            ("5x; url=next.html",      None),
            ("next.html",              None),
            ("",                       None),
        ];
        for (value, expected) in cases {
            assert_eq!(target(value).map(|range| &value[range]), expected, "{value}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "[0-9;,. urlURL='\"aä]{0,20}", other in ".{0,20}") {
            target(&text).map(|range| text[range].len());
            target(&other).map(|range| other[range].len());
        }
    }
}

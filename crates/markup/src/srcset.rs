//! Reads the image candidates of `srcset` (WHATWG §4.8.4.3.10): URLs with descriptors, separated
//! by commas that may also be part of a URL or stand within parentheses.

use std::ops::Range;

/// The URLs in the value, as ranges of it.
pub(crate) fn candidates(value: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || next_candidate(value.as_bytes(), &mut at))
}

fn next_candidate(bytes: &[u8], at: &mut usize) -> Option<Range<usize>> {
    loop {
        let start = *at + bytes[*at..].iter().position(|&b| !is_space(b) && b != b',')?;
        let rest = &bytes[start..];
        let end = start + rest.iter().position(|&b| is_space(b)).unwrap_or(rest.len());
        let commas = bytes[start..end].iter().rev().take_while(|&&b| b == b',').count();
        *at = if commas > 0 { end } else { descriptors_end(bytes, end) };
        let url = start..end - commas;
        if !url.is_empty() {
            return Some(url);
        }
    }
}

/// Descriptors end with a comma outside parentheses.
fn descriptors_end(bytes: &[u8], from: usize) -> usize {
    let mut in_parentheses = false;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            b',' if !in_parentheses => return at + 1,
            _ => {}
        }
    }
    bytes.len()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("",                                    &[]),
            (" , ,",                                &[]),
            ("a.png",                               &["a.png"]),
            ("a.png 1x, b.png 2x",                  &["a.png", "b.png"]),
            ("a.png 100w,b.png 200w",               &["a.png", "b.png"]),
            ("a.png, b.png 2x",                     &["a.png", "b.png"]),
            ("a.png,b.png 2x",                      &["a.png,b.png"]),
            ("data:image/png;base64,AA 1x, b.png",  &["data:image/png;base64,AA", "b.png"]),
            ("a.png 1x (x, y), b.png",              &["a.png", "b.png"]),
            ("a.png (1x, b.png 2x",                 &["a.png"]),
            ("\n\ta.png\n1x,\n\tb.png\n2x\n",       &["a.png", "b.png"]),
            ("a.png,,, b.png",                      &["a.png", "b.png"]),
            ("ä.png 2x, ö.png 3x",                  &["ä.png", "ö.png"]),
        ];
        for (value, expected) in cases {
            let found: Vec<_> = candidates(value).map(|range| &value[range]).collect();
            assert_eq!(found, *expected, "{value}");
        }
    }
}

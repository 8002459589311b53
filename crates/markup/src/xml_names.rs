//! Makes XML names of the names in a page.
//!
//! A character that may not stand in a name (without prefix) becomes its number in hexadecimal
//! between `_x` and `_`: `o:p` is written `o_x003A_p`. Where a name has `_x` itself, that underscore
//! becomes a number, too, so that no two names are written alike. A name that becomes longer than
//! [`MAX_XML_NAME`] is replaced by `_x_` and the place of the attribute in its element.

use std::borrow::Cow;
use std::fmt::Write;

/// Bytes of a name in XML. Parsers that defend themselves stop at 50 000.
pub const MAX_XML_NAME: usize = 1000;

/// The name as XML can hold it; `index` is the place of the attribute.
pub(crate) fn xml_name(name: &str, index: usize) -> Cow<'_, str> {
    if name.len() <= MAX_XML_NAME && is_fit(name) {
        return Cow::Borrowed(name);
    }
    let mut repaired = String::new();
    for (at, c) in name.char_indices() {
        let fits = if at == 0 { starts_name(c) } else { continues_name(c) };
        let looks_repaired = c == '_' && name[at + 1..].starts_with('x');
        if fits && !looks_repaired {
            repaired.push(c);
        } else {
            write!(repaired, "_x{:04X}_", u32::from(c)).expect("a string takes everything");
        }
        if repaired.len() > MAX_XML_NAME {
            break;
        }
    }
    if repaired.is_empty() || repaired.len() > MAX_XML_NAME {
        return Cow::Owned(format!("_x_{index}"));
    }
    Cow::Owned(repaired)
}

fn is_fit(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(starts_name)
        && characters.all(continues_name)
        && !name.contains("_x")
}

/// Production 4 of XML 1.0 (fifth edition), without the colon.
fn starts_name(c: char) -> bool {
    matches!(c,
        'A'..='Z' | '_' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

/// Production 4a.
fn continues_name(c: char) -> bool {
    starts_name(c)
        || matches!(c,
            '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names() {
        let long = "a".repeat(MAX_XML_NAME + 1);
        #[rustfmt::skip]
        let cases = [
            ("p",      "p"),
            ("h1",     "h1"),
            ("größe",  "größe"),
            ("o:p",    "o_x003A_p"),
            ("1",      "_x0031_"),
            ("-a",     "_x002D_a"),
            ("a-b.c",  "a-b.c"),
            ("a\"b",   "a_x0022_b"),
            ("_x",     "_x005F_x"),
            ("a_b",    "a_b"),
            ("",       "_x_7"),
            (&long,    "_x_7"),
        ];
        for (name, expected) in cases {
            assert_eq!(xml_name(name, 7), expected, "{name}");
        }
    }

    proptest! {
        #[test]
        fn different_names_stay_different(one in "[_xA-F0-9:a]{1,12}", other in "[_xA-F0-9:a]{1,12}") {
            prop_assert_eq!(one == other, xml_name(&one, 0) == xml_name(&other, 1));
        }
    }
}

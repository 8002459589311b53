//! Turns the character references of HTML into characters: some registries escape what they print.
//!
//! Only references that end with a semicolon are read, and of the named ones those that stand for
//! signs and for the letters of Western Europe.

use std::borrow::Cow;

/// A reference is not longer than this.
const MAX_REFERENCE_BYTES: usize = 10;

pub(super) fn without_references(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        match reference(&from[1..]) {
            Some((letter, length)) => {
                kept.push(letter);
                rest = &from[1 + length..];
            }
            None => {
                kept.push('&');
                rest = &from[1..];
            }
        }
    }
    if kept.is_empty() {
        return text;
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The character that `text`, which begins after the ampersand, refers to, and the length of the
/// reference with its semicolon.
fn reference(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(MAX_REFERENCE_BYTES).position(|byte| byte == b';')?;
    let name = &text[..end];
    let letter = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((letter, end + 1))
}

fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    // A line feed here would break the line apart.
    char::from_u32(code).filter(|letter| !letter.is_control())
}

#[rustfmt::skip]
const NAMED: &[(&str, char)] = &[
    ("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", ' '), ("ndash", '–'),
    ("Agrave", 'À'), ("Aacute", 'Á'), ("Acirc", 'Â'), ("Atilde", 'Ã'), ("Auml", 'Ä'), ("Aring", 'Å'), ("AElig", 'Æ'),
    ("Ccedil", 'Ç'), ("Egrave", 'È'), ("Eacute", 'É'), ("Ecirc", 'Ê'), ("Euml", 'Ë'), ("Iacute", 'Í'), ("Ntilde", 'Ñ'),
    ("Oacute", 'Ó'), ("Ocirc", 'Ô'), ("Otilde", 'Õ'), ("Ouml", 'Ö'), ("Oslash", 'Ø'), ("Uacute", 'Ú'), ("Uuml", 'Ü'),
    ("szlig", 'ß'), ("agrave", 'à'), ("aacute", 'á'), ("acirc", 'â'), ("atilde", 'ã'), ("auml", 'ä'), ("aring", 'å'),
    ("aelig", 'æ'), ("ccedil", 'ç'), ("egrave", 'è'), ("eacute", 'é'), ("ecirc", 'ê'), ("euml", 'ë'), ("igrave", 'ì'),
    ("iacute", 'í'), ("icirc", 'î'), ("iuml", 'ï'), ("ntilde", 'ñ'), ("ograve", 'ò'), ("oacute", 'ó'), ("ocirc", 'ô'),
    ("otilde", 'õ'), ("ouml", 'ö'), ("oslash", 'ø'), ("ugrave", 'ù'), ("uacute", 'ú'), ("ucirc", 'û'), ("uuml", 'ü'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        #[rustfmt::skip]
        let cases = [
            ("Smith &amp; Sons",                    "Smith & Sons"),
            ("M&uuml;ller &#38; Co",                "Müller & Co"),
            ("&#1055;&#x440;имер",                  "Пример"),
            ("AT&T; R&D",                           "AT&T; R&D"),
            ("&#10;&#0;&#99999999;&;&",             "&#10;&#0;&#99999999;&;&"),
            ("&é;",                                 "&é;"),
            ("none",                                "none"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_references(Cow::Borrowed(text)), expected);
        }
    }
}

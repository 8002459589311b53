//! Puts accents and letters together that a file sets apart.
//!
//! TeX's old fonts have no letter ä: a file shows ¨ and sets the a below it, or the accent after
//! the letter. Readers of placed type see from the places that the two belong together, and ask
//! here what they make. Ligatures, the other way round, become the letters they stand for.

use unicode_normalization::char::compose;

/// The mark that combines with a letter, for an accent that stands alone (`¨`) or is one (`◌̈`).
pub(crate) fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '`' | '\u{2cb}' => '\u{300}',
        '´' | '\u{2ca}' => '\u{301}',
        'ˆ' => '\u{302}',
        '˜' => '\u{303}',
        '¯' | 'ˉ' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        '\u{300}'..='\u{304}' | '\u{306}'..='\u{308}' | '\u{30a}'..='\u{30c}' => accent,
        '\u{327}' | '\u{328}' => accent,
        '\u{337}' | '\u{338}' => '\u{338}',
        _ => return None,
    })
}

/// The letter with the accent on it, if there is one: `a` and `¨` make `ä`.
pub(crate) fn accented(letter: char, accent: char) -> Option<char> {
    let mark = combining(accent)?;
    let letter = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        other => other,
    };
    match (letter, mark) {
        // Unicode takes a letter with a stroke for a letter of its own.
        ('l', '\u{338}') => Some('ł'),
        ('L', '\u{338}') => Some('Ł'),
        ('o', '\u{338}') => Some('ø'),
        ('O', '\u{338}') => Some('Ø'),
        _ => compose(letter, mark),
    }
}

/// A character as text: ligatures resolved, odd blanks made plain, what is not text left out.
pub(crate) fn plain(character: char, text: &mut String) {
    match character {
        'ﬀ' => text.push_str("ff"),
        'ﬁ' => text.push_str("fi"),
        'ﬂ' => text.push_str("fl"),
        'ﬃ' => text.push_str("ffi"),
        'ﬄ' => text.push_str("ffl"),
        'ﬅ' | 'ﬆ' => text.push_str("st"),
        'Ĳ' => text.push_str("IJ"),
        'ĳ' => text.push_str("ij"),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => text.push(' '),
        '\t' | '\n' | '\r' => text.push(' '),
        // On a page that is set, a soft hyphen is one that is printed.
        '\u{ad}' | '\u{2010}' | '\u{2011}' => text.push('-'),
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fffd}' => {}
        other if other.is_control() => {}
        other => text.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_with_accents() {
        #[rustfmt::skip]
        let cases = [
            ('a', '¨', Some('ä')), ('U', '¨', Some('Ü')), ('e', '´', Some('é')), ('ı', '´', Some('í')),
            ('c', '¸', Some('ç')), ('s', 'ˇ', Some('š')), ('o', '˝', Some('ő')), ('A', '˚', Some('Å')),
            ('x', '¨', Some('ẍ')), ('q', '¨', None),      ('a', 'b', None),      ('n', '\u{303}', Some('ñ')),
            ('l', '\u{337}', Some('ł')), ('L', '\u{338}', Some('Ł')), ('=', '\u{338}', Some('≠')),
        ];
        for (letter, accent, expected) in cases {
            assert_eq!(accented(letter, accent), expected, "{letter} {accent}");
        }
    }

    #[test]
    fn ligatures_and_blanks() {
        let mut text = String::new();
        "e\u{fb03}z\u{a0}\u{ad}\u{0}\u{200b}".chars().for_each(|c| plain(c, &mut text));
        assert_eq!(text, "effiz -");
    }
}

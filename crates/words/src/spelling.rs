//! The form in which a word is looked up in a list.
//!
//! Lower case, `ß` as `ss`, umlauts in one piece, soft hyphens dropped, typographic apostrophes as
//! plain ones. Umlauts stay umlauts, unlike in [`crate::fold()`]: `schon` and `schön` are two words, and
//! contrast with other languages depends on the letters. That `ae` may stand for `ä` is tried by
//! [`crate::WordList`] only where the word as written is not found.

use crate::fold::is_mark;
use crate::pieces::is_invisible;

/// Longer words, in bytes of their looked-up form, are in no list.
pub const MAX_WORD: usize = 96;

/// A word in its looked-up form; lives on the stack, since there is one per word of a text. Made
/// once, it can be looked up in several lists.
#[derive(Debug, Clone)]
pub struct Spelling {
    bytes: [u8; MAX_WORD],
    len: usize,
}

impl Spelling {
    /// `None` if the word is longer than [`MAX_WORD`].
    #[inline]
    pub fn of(word: &str) -> Option<Spelling> {
        let mut spelling = Spelling { bytes: [0; MAX_WORD], len: 0 };
        if word.len() <= MAX_WORD && word.is_ascii() {
            spelling.bytes[..word.len()].copy_from_slice(word.as_bytes());
            spelling.bytes[..word.len()].make_ascii_lowercase();
            spelling.len = word.len();
            return Some(spelling);
        }
        for letter in word.chars() {
            spelling.push_folded(letter)?;
        }
        Some(spelling)
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    #[inline]
    fn push_folded(&mut self, letter: char) -> Option<()> {
        match letter {
            'a'..='z' => self.push(letter),
            'A'..='Z' => self.push(letter.to_ascii_lowercase()),
            'ä' | 'ö' | 'ü' => self.push(letter),
            'Ä' => self.push('ä'),
            'Ö' => self.push('ö'),
            'Ü' => self.push('ü'),
            'ß' | 'ẞ' => self.push('s').and_then(|()| self.push('s')),
            '’' | 'ʼ' => self.push('\''),
            '\u{308}' => self.add_diaeresis(),
            letter if is_invisible(letter) => Some(()),
            letter if is_mark(letter) => self.push(letter),
            letter => letter.to_lowercase().try_for_each(|letter| self.push(letter).ok_or(())).ok(),
        }
    }

    #[inline]
    fn push(&mut self, letter: char) -> Option<()> {
        let end = self.len + letter.len_utf8();
        let place = self.bytes.get_mut(self.len..end)?;
        letter.encode_utf8(place);
        self.len = end;
        Some(())
    }

    fn add_diaeresis(&mut self) -> Option<()> {
        let whole = match self.as_bytes().last() {
            Some(b'a') => 'ä',
            Some(b'o') => 'ö',
            Some(b'u') => 'ü',
            _ => return self.push('\u{308}'),
        };
        self.len -= 1;
        self.push(whole)
    }

    /// The same word with some of its `ae`, `oe`, `ue` as umlauts: those whose bit is set in
    /// `choice`, counted from the left.
    pub(crate) fn with_umlauts(&self, choice: u32) -> Spelling {
        let mut written = Spelling { bytes: [0; MAX_WORD], len: 0 };
        let bytes = self.as_bytes();
        let (mut at, mut nth) = (0, 0);
        while at < bytes.len() {
            let umlaut = umlaut_at(bytes, at);
            if let Some(umlaut) = umlaut {
                nth += 1;
                if choice & (1 << (nth - 1)) != 0 {
                    // As long as the two letters it stands for, so there is room.
                    written.push(umlaut).unwrap_or_default();
                    at += 2;
                    continue;
                }
            }
            written.bytes[written.len] = bytes[at];
            written.len += 1;
            at += 1;
        }
        written
    }

    /// How many letters may be umlauts written out; no more than are worth trying.
    pub(crate) fn possible_umlauts(&self) -> u32 {
        const MOST: usize = 4;
        let bytes = self.as_bytes();
        (0..bytes.len()).filter(|at| umlaut_at(bytes, *at).is_some()).take(MOST).count() as u32
    }
}

fn umlaut_at(bytes: &[u8], at: usize) -> Option<char> {
    match (bytes[at], bytes.get(at + 1)) {
        (b'a', Some(b'e')) => Some('ä'),
        (b'o', Some(b'e')) => Some('ö'),
        (b'u', Some(b'e')) => Some('ü'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms() {
        #[rustfmt::skip]
        let cases = [
            ("Straße",          "strasse"),
            ("STRASSE",         "strasse"),
            ("ÜBER",            "über"),
            ("u\u{308}ber",     "über"),
            ("Stra\u{ad}ße",    "strasse"),
            ("Geht’s",          "geht's"),
            ("École",           "école"),
            ("МОСКВА",          "москва"),
        ];
        for (word, expected) in cases {
            let spelling = Spelling::of(word).unwrap();
            assert_eq!(std::str::from_utf8(spelling.as_bytes()).unwrap(), expected, "{word}");
        }
        assert!(Spelling::of(&"x".repeat(MAX_WORD)).is_some());
        assert!(Spelling::of(&"x".repeat(MAX_WORD + 1)).is_none());
        assert!(Spelling::of(&"ж".repeat(MAX_WORD)).is_none());
    }

    #[test]
    fn umlauts_written_out() {
        let spelling = Spelling::of("Steuererhoehung").unwrap();
        assert_eq!(spelling.possible_umlauts(), 2);
        let tried: Vec<_> = (1..4)
            .map(|choice| {
                String::from_utf8(spelling.with_umlauts(choice).as_bytes().to_vec()).unwrap()
            })
            .collect();
        assert_eq!(tried, ["steürerhoehung", "steuererhöhung", "steürerhöhung"]);
    }

    proptest! {
        #[test]
        fn any_word_has_a_form_or_is_too_long(word in "\\PC{0,60}", choice in 0u32..16) {
            if let Some(spelling) = Spelling::of(&word) {
                prop_assert!(std::str::from_utf8(spelling.as_bytes()).is_ok());
                prop_assert!(std::str::from_utf8(spelling.with_umlauts(choice).as_bytes()).is_ok());
            }
        }
    }
}

//! Which words of a text are in the list: counted, or told one by one.
//!
//! What says nothing about a language is left out before shares are taken: addresses, numbers,
//! signs, single capitals (initials) and names. A name is a word with a capital that is in the list
//! of names.

use auslese_words::{Piece, PieceKind, Spelling, WordList, pieces};
use serde::Serialize;

/// What became of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// In the word list.
    Recognised,
    /// A word, but not in the list.
    Unknown,
    Url,
    Mail,
    Number,
    Symbol,
    Name,
}

impl Fate {
    /// Whether the token counts for the shares.
    pub fn counts(self) -> bool {
        matches!(self, Fate::Recognised | Fate::Unknown)
    }
}

/// The lists that decide over tokens.
#[derive(Debug, Clone)]
pub(crate) struct Lists {
    pub(crate) words: WordList,
    pub(crate) names: WordList,
    /// Names found in the collection itself.
    pub(crate) own_names: WordList,
}

impl Lists {
    #[inline]
    pub(crate) fn fate(&self, text: &str, piece: &Piece) -> Fate {
        match piece.kind {
            PieceKind::Word => self.fate_of_word(&text[piece.span.clone()]),
            PieceKind::Number => Fate::Number,
            PieceKind::Url => Fate::Url,
            PieceKind::Mail => Fate::Mail,
            PieceKind::Symbol => Fate::Symbol,
        }
    }

    #[inline]
    fn fate_of_word(&self, word: &str) -> Fate {
        let is_capital = starts_with_capital(word);
        if is_capital && word.len() == 1 {
            return Fate::Symbol;
        }
        let Some(spelling) = Spelling::of(word) else { return Fate::Unknown };
        let in_names = |list: &WordList| list.contains_exactly(&spelling);
        if is_capital && (in_names(&self.names) || in_names(&self.own_names)) {
            return Fate::Name;
        }
        let known = self.words.contains_exactly(&spelling)
            || self.words.contains_otherwise(word, &spelling);
        if known { Fate::Recognised } else { Fate::Unknown }
    }
}

#[inline]
fn starts_with_capital(word: &str) -> bool {
    let first = word.as_bytes()[0];
    first.is_ascii_uppercase()
        || (!first.is_ascii() && word.chars().next().is_some_and(char::is_uppercase))
}

/// Words and characters of a text, and how many of them are in the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub words: u32,
    pub recognised: u32,
    pub chars: u64,
    pub recognised_chars: u64,
}

impl Tally {
    pub(crate) fn of(text: &str, lists: &Lists) -> Tally {
        let mut tally = Tally::default();
        for piece in pieces(text) {
            let fate = lists.fate(text, &piece);
            if fate.counts() {
                tally.count(&text[piece.span], fate);
            }
        }
        tally
    }

    #[inline]
    pub(crate) fn count(&mut self, word: &str, fate: Fate) {
        let chars = length(word);
        self.words = self.words.saturating_add(1);
        self.chars += chars;
        if fate == Fate::Recognised {
            self.recognised = self.recognised.saturating_add(1);
            self.recognised_chars += chars;
        }
    }

    pub(crate) fn add(&mut self, other: Tally) {
        self.words = self.words.saturating_add(other.words);
        self.recognised = self.recognised.saturating_add(other.recognised);
        self.chars += other.chars;
        self.recognised_chars += other.recognised_chars;
    }

    pub fn share_words(&self) -> f64 {
        share(u64::from(self.recognised), u64::from(self.words))
    }

    pub fn share_chars(&self) -> f64 {
        share(self.recognised_chars, self.chars)
    }

    /// The share that has to reach a threshold: the smaller of the two.
    pub fn share(&self) -> f64 {
        self.share_words().min(self.share_chars())
    }
}

/// In characters: all bytes but those that continue one.
#[inline]
fn length(word: &str) -> u64 {
    word.bytes().filter(|byte| byte & 0xc0 != 0x80).count() as u64
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

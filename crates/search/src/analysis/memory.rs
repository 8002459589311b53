//! Remembers something about words.
//!
//! Most words of a text were met before, and finding them again is most of the work. What costs time there is memory that
//! is not at hand, so the letters of nearly all words lie in the table itself, and not somewhere else.

use rustc_hash::FxHashMap;
use std::ops::Index;

/// Words that are remembered; then it starts anew.
const MAX_REMEMBERED: usize = 200_000;

/// What is known of words.
#[derive(Debug)]
pub(super) struct WordMemory<T> {
    short: FxHashMap<ShortWord, u32>,
    long: FxHashMap<Box<str>, u32>,
    known: Vec<T>,
}

impl<T> Default for WordMemory<T> {
    fn default() -> WordMemory<T> {
        WordMemory { short: FxHashMap::default(), long: FxHashMap::default(), known: Vec::new() }
    }
}

impl<T> WordMemory<T> {
    /// Where that which is known of a word lies, until something is kept.
    pub(super) fn find(&self, word: &str) -> Option<u32> {
        match ShortWord::new(word) {
            Some(short) => self.short.get(&short),
            None => self.long.get(word),
        }
        .copied()
    }

    /// Keeps what is known of a word that was not found.
    pub(super) fn keep(&mut self, word: &str, known: T) -> u32 {
        if self.known.len() >= MAX_REMEMBERED {
            *self = WordMemory::default();
        }
        let place = self.known.len() as u32;
        self.known.push(known);
        match ShortWord::new(word) {
            Some(short) => self.short.insert(short, place),
            None => self.long.insert(word.into(), place),
        };
        place
    }
}

impl<T> Index<u32> for WordMemory<T> {
    type Output = T;

    fn index(&self, place: u32) -> &T {
        &self.known[place as usize]
    }
}

/// The letters of a word of up to 24 bytes, filled up with zeros, which no word has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ShortWord([u64; 3]);

impl ShortWord {
    fn new(word: &str) -> Option<ShortWord> {
        let mut letters = [0; 24];
        letters.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
        let part = |nth: usize| {
            let bytes = std::array::from_fn(|at| letters[8 * nth + at]);
            u64::from_le_bytes(bytes)
        };
        Some(ShortWord(std::array::from_fn(part)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_words() {
        let words = ["", "a", "haus", "haushalt", &"x".repeat(24), &"x".repeat(25), "ää"];
        let mut memory = WordMemory::default();
        for word in words {
            assert_eq!(memory.find(word), None, "{word}");
            let place = memory.keep(word, word.len());
            assert_eq!(memory[place], word.len());
        }
        for word in words {
            let place = memory.find(word).unwrap();
            assert_eq!(memory[place], word.len(), "{word}");
        }
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let mut memory = WordMemory::default();
        for number in 0..MAX_REMEMBERED + 10 {
            memory.keep(&number.to_string(), ());
        }
        assert_eq!(memory.known.len(), 10);
        assert_eq!(memory.find("0"), None);
    }
}

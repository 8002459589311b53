//! Remembers something about words.
//!
//! Most words of a text were met before, and finding them again is most of the work. What costs time there is memory that
//! is not at hand, so the letters of nearly all words lie in the table itself, and not somewhere else.

use rustc_hash::FxHashMap;

/// Words that are remembered; then it is time to start anew.
const MAX_REMEMBERED: usize = 200_000;

/// What is known of words, beside their letters.
#[derive(Debug)]
pub(super) struct WordMemory<T> {
    short: FxHashMap<ShortWord, T>,
    long: FxHashMap<Box<str>, T>,
}

impl<T> Default for WordMemory<T> {
    fn default() -> WordMemory<T> {
        WordMemory { short: FxHashMap::default(), long: FxHashMap::default() }
    }
}

impl<T: Copy> WordMemory<T> {
    pub(super) fn find(&self, word: &str) -> Option<T> {
        match ShortWord::new(word) {
            Some(short) => self.short.get(&short),
            None => self.long.get(word),
        }
        .copied()
    }

    pub(super) fn keep(&mut self, word: &str, known: T) {
        match ShortWord::new(word) {
            Some(short) => self.short.insert(short, known),
            None => self.long.insert(word.into(), known),
        };
    }

    /// Whether its owner should forget everything before more is kept.
    pub(super) fn is_full(&self) -> bool {
        self.short.len() + self.long.len() >= MAX_REMEMBERED
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
            memory.keep(word, word.len());
        }
        for word in words {
            assert_eq!(memory.find(word), Some(word.len()), "{word}");
        }
    }

    #[test]
    fn it_tells_when_it_is_full() {
        let mut memory = WordMemory::default();
        for number in 0..MAX_REMEMBERED {
            assert!(!memory.is_full(), "{number}");
            memory.keep(&number.to_string(), ());
        }
        assert!(memory.is_full());
    }
}

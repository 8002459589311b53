//! A set of words that answers quickly: one table of hashes, one block of bytes.
//!
//! An automaton is small on disk and slow to ask, since every letter is a jump. Here a question
//! costs one hash and mostly one look into the table. The table keeps half of each hash, so that
//! words that are not there are nearly never compared letter by letter.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Words as bytes.
#[derive(Clone, Default)]
pub(crate) struct WordSet {
    /// Upper half of the hash, and one more than the place of the word in `words`; 0 is empty.
    slots: Vec<u64>,
    /// Each word behind its length.
    words: Vec<u8>,
    len: usize,
}

impl WordSet {
    /// Room for so many words.
    pub(crate) fn with_room(words: usize) -> WordSet {
        WordSet { slots: vec![0; table_size(words)], words: Vec::with_capacity(words * 12), len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds a word.
    pub(crate) fn insert(&mut self, word: &[u8]) {
        if !self.contains(word) {
            self.insert_new(word);
        }
    }

    /// Adds a word that is not there yet; words longer than [`crate::MAX_WORD`] are never looked up,
    /// and are dropped.
    pub(crate) fn insert_new(&mut self, word: &[u8]) {
        if word.is_empty() || word.len() > crate::MAX_WORD {
            return;
        }
        if (self.len + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let place = self.words.len();
        self.words.push(word.len() as u8);
        self.words.extend_from_slice(word);
        place_in(&mut self.slots, word, place);
        self.len += 1;
    }

    #[inline]
    pub(crate) fn contains(&self, word: &[u8]) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let hash = hash(word);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let held = self.slots[slot];
            if held == 0 {
                return false;
            }
            if held >> 32 == hash >> 32 && self.word_at((held as u32 - 1) as usize) == word {
                return true;
            }
            slot = (slot + 1) & mask;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut place = 0;
        std::iter::from_fn(move || {
            let length = usize::from(*self.words.get(place)?);
            let word = &self.words[place + 1..place + 1 + length];
            place += 1 + length;
            Some(word)
        })
    }

    fn word_at(&self, place: usize) -> &[u8] {
        let length = self.words[place] as usize;
        &self.words[place + 1..place + 1 + length]
    }

    fn grow(&mut self) {
        let mut slots = vec![0; table_size(self.len + 1)];
        let mut place = 0;
        while place < self.words.len() {
            let word = self.word_at(place);
            place_in(&mut slots, word, place);
            place += word.len() + 1;
        }
        self.slots = slots;
    }
}

impl std::fmt::Debug for WordSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WordSet({} words)", self.len)
    }
}

/// At most half full after as many more words.
fn table_size(words: usize) -> usize {
    (words * 2 + 2).next_power_of_two()
}

fn place_in(slots: &mut [u64], word: &[u8], place: usize) {
    let hash = hash(word);
    let mask = slots.len() - 1;
    let mut slot = hash as usize & mask;
    while slots[slot] != 0 {
        slot = (slot + 1) & mask;
    }
    slots[slot] = (hash >> 32 << 32) | (place as u64 + 1);
}

fn hash(word: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_holds_what_was_put_in(words in proptest::collection::vec("[abcä]{0,6}", 0..200), others in proptest::collection::vec("[abcä]{0,6}", 0..50)) {
            let mut set = WordSet::default();
            let mut expected = BTreeSet::new();
            for word in &words {
                set.insert(word.as_bytes());
                if !word.is_empty() {
                    expected.insert(word);
                }
            }
            prop_assert_eq!(set.len(), expected.len());
            for word in words.iter().chain(&others) {
                prop_assert_eq!(set.contains(word.as_bytes()), expected.contains(word));
            }
        }
    }
}

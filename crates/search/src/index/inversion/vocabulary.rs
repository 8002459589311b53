//! The words of a piece of the index, each with a number.
//!
//! Nearly every word of a text is looked up here, and what that costs is waiting for memory. So the letters of nearly all
//! words lie in the table itself, and whoever has many words to look up touches their places first: loads that do not
//! depend on each other are waited for together.
//!
//! Words come from strangers. Where a word lies depends on a number that is drawn anew in every process, so that nobody
//! can write a page whose words all want the same place.

use crate::analysis::{Analyzer, WORD};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::LazyLock;

/// Words that the table has room for at first.
const ROOM: usize = 1 << 15;

/// Bytes of a word that lie in the table.
const SHORT: usize = 24;

#[derive(Debug)]
pub(super) struct Vocabulary {
    /// A power of two of places, at most half of them taken.
    places: Vec<Place>,
    taken: usize,
    long: HashMap<Box<[u8]>, Known>,
    /// The letters of all words, one behind the other, and where each of them ends.
    letters: Vec<u8>,
    ends: Vec<usize>,
    /// Numbers of the pieces of compounds.
    pieces: Vec<u32>,
    /// Where in `pieces` those of a compound are; the first is for words that have none.
    compounds: Vec<Range<u32>>,
}

/// What is known of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) number: u32,
    /// Which compound it is; 0 if it is none.
    compound: u32,
}

/// A word of up to 24 bytes, filled up with zeros, which no word has.
#[derive(Debug, Clone, Copy)]
struct Place {
    letters: [u64; 3],
    known: Known,
}

const FREE: Place = Place { letters: [0; 3], known: Known { number: 0, compound: 0 } };

/// A word that is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Zeros if it is long.
    letters: [u64; 3],
    digest: u64,
}

impl Wanted {
    pub(super) fn new(word: &[u8]) -> Wanted {
        let mut bytes = [0; SHORT];
        if let Some(short) = bytes.get_mut(..word.len()) {
            short.copy_from_slice(word);
        }
        let part = |nth: usize| u64::from_le_bytes(std::array::from_fn(|at| bytes[8 * nth + at]));
        let letters = std::array::from_fn(part);
        let mix = |digest: u64, part: u64| (digest.rotate_left(26) ^ part).wrapping_mul(MULTIPLIER);
        let mixed = letters.into_iter().fold(*SEED, mix);
        // What only the last bytes differ in has to reach the bits that tell the place.
        Wanted { letters, digest: mix(mixed, mixed >> 32) }
    }
}

static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));

/// Odd, with bits of both kinds all over.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Vocabulary {
    pub(super) fn new() -> Vocabulary {
        Vocabulary {
            places: vec![FREE; 2 * ROOM],
            taken: 0,
            long: HashMap::new(),
            letters: Vec::new(),
            ends: Vec::new(),
            pieces: Vec::new(),
            // The words without pieces.
            compounds: std::iter::once(0..0).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        // Long words lie in their own table, too.
        self.places.len() * size_of::<Place>()
            + 2 * self.letters.len()
            + self.long.capacity() * size_of::<(Box<[u8]>, Known)>()
            + self.ends.len() * size_of::<usize>()
    }

    pub(super) fn letters(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.letters[start..self.ends[number]]
    }

    /// All numbers in the order of their words.
    pub(super) fn in_order(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..self.len() as u32).collect();
        numbers.sort_unstable_by_key(|number| self.letters(*number));
        numbers
    }

    /// Has the place of a word brought near. What is returned means nothing, but must be used.
    pub(super) fn touch(&self, wanted: &Wanted) -> u64 {
        self.places[self.home(wanted.digest)].letters[0]
    }

    /// The number of a word, which gets one if it has none.
    pub(super) fn find(&mut self, word: &[u8], wanted: &Wanted, analyzer: &mut Analyzer) -> Known {
        if word.len() > SHORT || word.is_empty() {
            if let Some(known) = self.long.get(word) {
                return *known;
            }
            let known = self.add(word, analyzer);
            self.long.insert(word.into(), known);
            return known;
        }
        let mut at = self.home(wanted.digest);
        while self.places[at].letters[0] != 0 {
            if self.places[at].letters == wanted.letters {
                return self.places[at].known;
            }
            at = (at + 1) & (self.places.len() - 1);
        }
        let known = self.add(word, analyzer);
        self.take_place(Place { letters: wanted.letters, known }, wanted.digest);
        known
    }

    /// The numbers of the pieces of a compound.
    pub(super) fn pieces(&self, known: Known) -> &[u32] {
        let Range { start, end } = self.compounds[known.compound as usize].clone();
        &self.pieces[start as usize..end as usize]
    }

    fn home(&self, digest: u64) -> usize {
        (digest >> 32) as usize & (self.places.len() - 1)
    }

    fn add(&mut self, word: &[u8], analyzer: &mut Analyzer) -> Known {
        let number = self.len() as u32;
        self.letters.extend_from_slice(word);
        self.ends.push(self.letters.len());
        let stems = analyzer.pieces_of_term(word).to_owned();
        if stems.is_empty() {
            return Known { number, compound: 0 };
        }
        // Pieces have no pieces themselves, so this ends here.
        let pieces: Vec<u32> = stems
            .split(WORD)
            .filter(|stem| !stem.is_empty())
            .map(|stem| {
                let stem = stem.as_bytes();
                self.find(stem, &Wanted::new(stem), analyzer).number
            })
            .collect();
        let start = self.pieces.len() as u32;
        self.pieces.extend(pieces);
        self.compounds.push(start..self.pieces.len() as u32);
        Known { number, compound: self.compounds.len() as u32 - 1 }
    }

    /// Puts a word that is not there into the table.
    fn take_place(&mut self, place: Place, digest: u64) {
        if 2 * (self.taken + 1) > self.places.len() {
            let larger = vec![FREE; 2 * self.places.len()];
            for old in std::mem::replace(&mut self.places, larger) {
                if old.letters[0] != 0 {
                    let bytes = old.letters.map(u64::to_le_bytes);
                    let length = bytes.as_flattened().iter().take_while(|byte| **byte != 0).count();
                    let digest = Wanted::new(&bytes.as_flattened()[..length]).digest;
                    self.settle(old, digest);
                }
            }
        }
        self.taken += 1;
        self.settle(place, digest);
    }

    fn settle(&mut self, place: Place, digest: u64) {
        let mut at = self.home(digest);
        while self.places[at].letters[0] != 0 {
            at = (at + 1) & (self.places.len() - 1);
        }
        self.places[at] = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(vocabulary: &mut Vocabulary, word: &str, analyzer: &mut Analyzer) -> Known {
        let word = word.as_bytes();
        vocabulary.find(word, &Wanted::new(word), analyzer)
    }

    #[test]
    fn words_keep_their_numbers_while_the_table_grows() {
        let (mut vocabulary, mut analyzer) = (Vocabulary::new(), Analyzer::new());
        let word = |number: usize| match number % 3 {
            0 => format!("{number}"),
            1 => format!("a word of more bytes than places have {number}"),
            _ => format!("{:x>24}", number),
        };
        let many = 3 * ROOM;
        for round in 0..2 {
            for number in 0..many {
                let found = find(&mut vocabulary, &word(number), &mut analyzer);
                assert_eq!(found.number as usize, number, "round {round}");
            }
        }
        assert_eq!(vocabulary.len(), many);
        for number in 0..many {
            assert_eq!(vocabulary.letters(number as u32), word(number).as_bytes());
        }
        let order = vocabulary.in_order();
        assert!(order.is_sorted_by_key(|number| vocabulary.letters(*number)));
    }

    #[test]
    fn compounds_have_pieces() {
        let (mut vocabulary, mut analyzer) = (Vocabulary::new(), Analyzer::new());
        let mut pieces = |word: &str| -> Vec<String> {
            let known = find(&mut vocabulary, word, &mut analyzer);
            let spelled = |number: &u32| vocabulary.letters(*number).to_owned();
            let letters: Vec<Vec<u8>> = vocabulary.pieces(known).iter().map(spelled).collect();
            letters.into_iter().map(|it| String::from_utf8(it).unwrap()).collect()
        };
        for _ in 0..2 {
            assert_eq!(pieces("wissenschaftsgeschichte\u{1}"), ["wissenschaft", "geschicht"]);
            // Too long for the table.
            assert!(pieces("universitaetsbibliothekswesen\u{1}").contains(&"bibliothek".into()));
            // Not German, and no compound.
            assert_eq!(pieces("wissenschaftsgeschichte"), [""; 0]);
            assert_eq!(pieces("wissenschaft\u{1}"), [""; 0]);
        }
    }
}

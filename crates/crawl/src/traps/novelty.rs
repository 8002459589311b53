//! Remembers what pages have shown, to tell whether the next one brings something new.
//!
//! A page is its phrases: words that follow each other in one piece of text, without those that hold
//! digits, so that dates, counters and session ids do not count. A bitmap of fixed size remembers them
//! for each kind of page. When it is half full it is put aside and a second one begun, and what is met
//! again moves over; so what recurs is never forgotten, and what was met once, long ago, is. An archive
//! of any size stays news, and a calendar does not.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Bytes of each of the two bitmaps: room for the phrases of some hundred thousand pages.
const BITMAP_BYTES: usize = 8 << 20;
/// Words of a block, which holds all bits of a phrase: one cache line.
const WORDS: usize = 8;
const BLOCKS: usize = BITMAP_BYTES / (WORDS * 8);
/// Bits for one phrase.
const PROBES: u32 = 5;
/// Phrases after which the next bitmap is begun: about half of its bits are set then.
const PHRASES: u64 = BITMAP_BYTES as u64;

type Bitmap = Vec<[u64; WORDS]>;

/// What a page has to show.
#[derive(Debug, Clone, Copy)]
pub enum Shown<'a> {
    /// The phrases of a text, as numbers.
    Phrases(&'a [u64]),
    /// A file, by its digest.
    Digest(u64),
}

/// The phrases of all pages, as far as they are remembered.
#[derive(Debug)]
pub struct NoveltyMemory {
    current: Bitmap,
    previous: Bitmap,
    phrases: u64,
}

impl Default for NoveltyMemory {
    fn default() -> NoveltyMemory {
        // Taken from the system when it is first written to.
        NoveltyMemory { current: bitmap(), previous: Vec::new(), phrases: 0 }
    }
}

fn bitmap() -> Bitmap {
    vec![[0; WORDS]; BLOCKS]
}

impl NoveltyMemory {
    /// Whether a page brings something new among its kin, which is any value that they share; from
    /// now on it is known. One new phrase is enough: of a long page only some are compared.
    pub fn is_new(&mut self, kin: impl Hash, shown: Shown<'_>) -> bool {
        let mut hasher = FxHasher::default();
        kin.hash(&mut hasher);
        let kin = hasher.finish();
        match shown {
            Shown::Digest(digest) => self.enter(kin, digest),
            Shown::Phrases(phrases) => {
                phrases.iter().filter(|phrase| self.enter(kin, **phrase)).count() > 0
            }
        }
    }

    /// Enters a phrase; whether it is new.
    fn enter(&mut self, kin: u64, phrase: u64) -> bool {
        let mixed = (phrase ^ kin.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bits = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let block = usize::try_from(mixed >> 32).unwrap_or(0) % BLOCKS;
        let mut mask = [0u64; WORDS];
        for probe in 0..PROBES {
            let bit = bits >> (10 * probe);
            mask[usize::try_from(bit & 7).unwrap_or(0)] |= 1 << ((bit >> 3) & 63);
        }
        let holds =
            |block: &[u64; WORDS]| block.iter().zip(&mask).all(|(word, mask)| word & mask == *mask);
        let current = &mut self.current[block];
        if holds(current) {
            return false;
        }
        current.iter_mut().zip(&mask).for_each(|(word, mask)| *word |= mask);
        let is_new = !self.previous.get(block).is_some_and(holds);
        self.phrases += 1;
        if self.phrases >= PHRASES {
            self.previous = std::mem::replace(&mut self.current, bitmap());
            self.phrases = 0;
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(from: u64, count: u64) -> Vec<u64> {
        (from..from + count).map(|number| number.wrapping_mul(0xbf58_476d_1ce4_e5b9)).collect()
    }

    #[test]
    fn what_was_shown_before_is_not_new() {
        let mut memory = NoveltyMemory::default();
        let navigation = phrases(0, 60);
        let page = |own: u64| [navigation.clone(), phrases(own, 5)].concat();
        assert!(memory.is_new("papers", Shown::Phrases(&page(1_000))));
        assert!(!memory.is_new("papers", Shown::Phrases(&page(1_000))));
        assert!(memory.is_new("papers", Shown::Phrases(&page(2_000))));
        assert!(memory.is_new("others", Shown::Phrases(&page(1_000))));
        assert!(!memory.is_new("papers", Shown::Phrases(&[])));
        assert!(
            memory.is_new("files", Shown::Digest(7)) && !memory.is_new("files", Shown::Digest(7))
        );
    }

    #[test]
    fn a_large_archive_stays_news_and_a_calendar_does_not() {
        let mut memory = NoveltyMemory::default();
        let (mut papers, mut months) = (0, 0);
        let pages = 400_000;
        for page in 0..pages {
            let own = phrases(1_000_000 + page * 40, 40);
            papers += u64::from(memory.is_new("papers", Shown::Phrases(&own)));
            let month = [phrases(0, 30), phrases(100 + page % 12, 1)].concat();
            months += u64::from(memory.is_new("calendar", Shown::Phrases(&month)));
        }
        assert!(papers > pages * 99 / 100, "{papers} of {pages} papers were new");
        assert!(months < 40, "{months} months were new");
    }
}

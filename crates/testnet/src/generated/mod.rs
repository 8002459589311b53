//! Large sites made from a number: the same pages for the same seed, on every machine.

mod library;
mod tree;

pub use library::generated_library;
pub(crate) use library::{Language, person};
pub use tree::generated_site;

/// Numbers that look random: SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Debug)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64, subject: usize) -> Numbers {
        Numbers(seed ^ (subject as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Numbers that share nothing with those of other subjects: the next subject's are not the same
    /// ones, begun a step later.
    pub(crate) fn apart(seed: u64, subject: usize) -> Numbers {
        let beginning = Numbers::new(seed, subject).next();
        Numbers(beginning ^ Numbers(beginning).next().rotate_left(32))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn within(&mut self, range: std::ops::RangeInclusive<u64>) -> u64 {
        range.start() + self.next() % (range.end() - range.start() + 1)
    }
}

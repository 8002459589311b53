//! Finds what two sequences have in common, in order, within a bound on the work.
//!
//! Short sequences are compared exactly (Myers 1986, by the crate `similar`). That takes time
//! proportional to length times difference, so for long ones numbers that occur once on each side
//! serve as anchors (patience diff, Cohen): the longest rising run of them is taken as common, and
//! only what lies between two anchors is compared further. A long stretch without anchors counts
//! as replaced. So the result is exact for what is small or little changed, a fair account of the
//! rest, and the same on every machine: no clock decides.

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Items of both sequences together up to which they are compared exactly.
pub const MAX_COMPARED_AT_ONCE: usize = 4_000;

/// How often stretches between anchors are searched for anchors again. Each turn can only find
/// numbers that became single by the cut, which is rare beyond the first few.
const MAX_TURNS: u32 = 6;

/// A run that both sequences have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Common {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) length: usize,
}

/// The common runs of two sequences, in order and without overlap.
pub(super) fn align(old: &[u32], new: &[u32]) -> Vec<Common> {
    let mut common = Vec::new();
    Stretch { old, new, old_start: 0, new_start: 0 }.align(MAX_TURNS, &mut common);
    common
}

#[derive(Clone, Copy)]
struct Stretch<'a> {
    old: &'a [u32],
    new: &'a [u32],
    old_start: usize,
    new_start: usize,
}

impl<'a> Stretch<'a> {
    fn align(self, turns: u32, common: &mut Vec<Common>) {
        let head = equal_items(self.old.iter(), self.new.iter());
        let rest = self.part(head..self.old.len(), head..self.new.len());
        let tail = equal_items(rest.old.iter().rev(), rest.new.iter().rev());
        let middle = rest.part(0..rest.old.len() - tail, 0..rest.new.len() - tail);
        self.push(common, 0, 0, head);
        if middle.old.is_empty() || middle.new.is_empty() {
            // Only one side has anything left: nothing in common.
        } else if middle.old.len() + middle.new.len() <= MAX_COMPARED_AT_ONCE {
            middle.exactly(common);
        } else if turns > 0 {
            middle.between_anchors(turns, common);
        }
        rest.push(common, middle.old.len(), middle.new.len(), tail);
    }

    fn exactly(self, common: &mut Vec<Common>) {
        for operation in capture_diff_slices(Algorithm::Myers, self.old, self.new) {
            if let DiffOp::Equal { old_index, new_index, len } = operation {
                self.push(common, old_index, new_index, len);
            }
        }
    }

    fn between_anchors(self, turns: u32, common: &mut Vec<Common>) {
        let anchors = rising(&self.single_pairs());
        if anchors.is_empty() {
            return;
        }
        let (mut old_done, mut new_done) = (0, 0);
        for (old, new) in anchors {
            self.part(old_done..old, new_done..new).align(turns - 1, common);
            self.push(common, old, new, 1);
            (old_done, new_done) = (old + 1, new + 1);
        }
        self.part(old_done..self.old.len(), new_done..self.new.len()).align(turns - 1, common);
    }

    /// Places of the items that occur once on each side, in the order of the old side.
    fn single_pairs(self) -> Vec<(usize, usize)> {
        let once = |items: &[u32]| {
            let mut places: FxHashMap<u32, Option<usize>> = FxHashMap::default();
            for (at, item) in items.iter().enumerate() {
                places.entry(*item).and_modify(|place| *place = None).or_insert(Some(at));
            }
            places
        };
        let (old_places, new_places) = (once(self.old), once(self.new));
        let place =
            |places: &FxHashMap<u32, Option<usize>>, item| places.get(item).copied().flatten();
        let pairs = self.old.iter().enumerate().filter_map(|(at, item)| {
            place(&old_places, item)?;
            Some((at, place(&new_places, item)?))
        });
        pairs.collect()
    }

    fn part(self, old: std::ops::Range<usize>, new: std::ops::Range<usize>) -> Stretch<'a> {
        Stretch {
            old_start: self.old_start + old.start,
            new_start: self.new_start + new.start,
            old: &self.old[old],
            new: &self.new[new],
        }
    }

    /// Notes a run; one that continues the last is joined to it.
    fn push(self, common: &mut Vec<Common>, old: usize, new: usize, length: usize) {
        let (old, new) = (self.old_start + old, self.new_start + new);
        match common.last_mut() {
            _ if length == 0 => {}
            Some(last) if last.old + last.length == old && last.new + last.length == new => {
                last.length += length;
            }
            _ => common.push(Common { old, new, length }),
        }
    }
}

fn equal_items<'i>(
    old: impl Iterator<Item = &'i u32>,
    new: impl Iterator<Item = &'i u32>,
) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

/// The longest run of pairs, given in order of their first place, that rises in the second as well.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[k]` is the pair with the smallest second place that ends a run of k + 1 pairs.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, (_, place)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *place);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut run: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(old: &[u32], new: &[u32]) -> Result<usize, TestCaseError> {
        let (mut old_done, mut new_done, mut length) = (0, 0, 0);
        for run in align(old, new) {
            prop_assert!(run.length > 0 && run.old >= old_done && run.new >= new_done);
            prop_assert_eq!(&old[run.old..][..run.length], &new[run.new..][..run.length]);
            (old_done, new_done) = (run.old + run.length, run.new + run.length);
            length += run.length;
        }
        Ok(length)
    }

    #[test]
    fn long_sequences_keep_what_is_common() {
        let old: Vec<u32> = (0..50_000).collect();
        let mut new = old.clone();
        new.splice(10_000..10_100, 100_000..100_050);
        new.remove(30_000);
        assert_eq!(check(&old, &new).unwrap(), 49_899);
        // Two words only, so there are no anchors: the ends are common, the middle is replaced.
        let old: Vec<u32> = (0..50_000).map(|n| n * n / 7 % 2).collect();
        let mut new = old.clone();
        new[20_000] = 7;
        assert_eq!(check(&old, &new).unwrap(), 49_999);
        let turned: Vec<u32> = old.iter().rev().copied().collect();
        check(&old, &turned).unwrap();
        let others: Vec<u32> = (100_000..200_000).collect();
        assert_eq!(check(&old, &others).unwrap(), 0);
    }

    #[test]
    fn rising_runs() {
        assert_eq!(rising(&[(0, 3), (1, 1), (2, 2), (3, 0), (4, 5)]), [(1, 1), (2, 2), (4, 5)]);
        assert_eq!(rising(&[]), []);
    }

    proptest! {
        #[test]
        fn runs_are_common(
            old in proptest::collection::vec(0u32..12, 0..60),
            new in proptest::collection::vec(0u32..12, 0..60),
        ) {
            check(&old, &new)?;
            let stretch = Stretch { old: &old, new: &new, old_start: 0, new_start: 0 };
            let mut common = Vec::new();
            stretch.between_anchors(MAX_TURNS, &mut common);
            for run in common {
                prop_assert_eq!(&old[run.old..][..run.length], &new[run.new..][..run.length]);
            }
        }
    }
}

//! The lines that are kept: those with the lowest numbers, as many as fit.
//!
//! Two limits hold, of lines and of bytes. What exceeds one drops the line with the highest number,
//! and from then on no line above it is taken: so the kept lines are always all those below some
//! number, which is what makes them a fair sample and independent of the order of arrival.

use super::Source;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Memory for kept lines, with what they are sorted by, in bytes.
pub const MAX_KEPT_BYTES: usize = 256 << 20;

#[derive(Debug, Clone)]
pub(super) struct Kept {
    lines: BinaryHeap<KeptLine>,
    max_lines: usize,
    bytes: usize,
    max_bytes: usize,
    /// The lowest line that was dropped.
    ceiling: Option<(Place, Box<str>)>,
}

#[derive(Debug, Clone)]
pub(super) struct KeptLine {
    pub(super) place: Place,
    pub(super) source: Arc<Source>,
    pub(super) span: (usize, usize),
    pub(super) sort_key: Box<str>,
    pub(super) left: Box<str>,
    pub(super) node: Box<str>,
    pub(super) right: Box<str>,
}

/// The number that decides about a line, and its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) number: u64,
    pub(super) position: u32,
}

impl Place {
    /// FNV-1a over the key, then two rounds of splitmix64 with seed and position. Written out here,
    /// since a sample must be the same in years to come.
    pub(super) fn new(seed: u64, key: &str, position: u32) -> Place {
        let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let document = key.bytes().fold(0xcbf2_9ce4_8422_2325, fnv);
        let number = mixed(mixed(document ^ mixed(seed)) ^ u64::from(position));
        Place { number, position }
    }
}

/// The output function of splitmix64 (Steele, Lea and Flood 2014).
fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Kept {
    pub(super) fn new(max_lines: usize) -> Kept {
        Kept {
            lines: BinaryHeap::new(),
            max_lines,
            bytes: 0,
            max_bytes: MAX_KEPT_BYTES,
            ceiling: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether a line is to be kept; asked before it is made. If not, it counts as dropped.
    pub(super) fn wants(&mut self, place: &Place, key: &str) -> bool {
        let wanted = self.has_room_for(place, key);
        if !wanted {
            self.lower_ceiling(*place, key);
        }
        wanted
    }

    fn has_room_for(&self, place: &Place, key: &str) -> bool {
        let below = |other: &Place, other_key: &str| (place, key) < (other, other_key);
        let full = self.lines.len() >= self.max_lines;
        let below_worst = || match self.lines.peek() {
            Some(worst) => below(&worst.place, &worst.source.key),
            None => false,
        };
        self.ceiling.as_ref().is_none_or(|(other, key)| below(other, key))
            && (!full || below_worst())
    }

    pub(super) fn add(&mut self, line: KeptLine) {
        if !self.wants(&line.place, &line.source.key) {
            return;
        }
        self.bytes += line.bytes();
        self.lines.push(line);
        while self.lines.len() > self.max_lines || self.bytes > self.max_bytes {
            let Some(dropped) = self.lines.pop() else { return };
            self.bytes -= dropped.bytes();
            self.lower_ceiling(dropped.place, &dropped.source.key);
        }
    }

    fn lower_ceiling(&mut self, place: Place, key: &str) {
        let is_lower =
            |(other, other_key): &(Place, Box<str>)| (&place, key) < (other, &**other_key);
        if self.ceiling.as_ref().is_none_or(is_lower) {
            self.ceiling = Some((place, key.into()));
        }
    }

    pub(super) fn merge(&mut self, other: Kept) {
        if let Some((place, key)) = other.ceiling {
            self.lower_ceiling(place, &key);
        }
        let lines = std::mem::take(&mut self.lines).into_vec();
        self.bytes = 0;
        for line in lines.into_iter().chain(other.lines.into_vec()) {
            self.add(line);
        }
    }

    pub(super) fn into_lines(self) -> Vec<KeptLine> {
        self.lines.into_vec()
    }
}

impl KeptLine {
    fn bytes(&self) -> usize {
        let texts = [&self.sort_key, &self.left, &self.node, &self.right];
        let texts: usize = texts.iter().map(|text| text.len()).sum();
        texts + self.source.bytes() + size_of::<KeptLine>()
    }

    fn rank(&self) -> (&Place, &str) {
        (&self.place, &self.source.key)
    }
}

impl Ord for KeptLine {
    fn cmp(&self, other: &KeptLine) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for KeptLine {
    fn partial_cmp(&self, other: &KeptLine) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for KeptLine {
    fn eq(&self, other: &KeptLine) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for KeptLine {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(position: u32, length: usize) -> KeptLine {
        let source = crate::Text { key: "a", ..crate::Text::default() };
        KeptLine {
            place: Place::new(1, "a", position),
            source: Arc::new(Source::of(&source)),
            span: (0, 0),
            sort_key: "".into(),
            left: "x".repeat(length).into(),
            node: "".into(),
            right: "".into(),
        }
    }

    fn positions(kept: Kept) -> Vec<u32> {
        let mut positions: Vec<u32> =
            kept.into_lines().iter().map(|line| line.place.position).collect();
        positions.sort_unstable();
        positions
    }

    proptest! {
        /// Whatever the order and the threads, the lines below some number are kept.
        #[test]
        fn what_is_kept_does_not_depend_on_order(
            lengths in proptest::collection::vec(0usize..3_000, 1..60),
            max_lines in 0usize..50, max_bytes in 500usize..40_000, turn in 0usize..60,
        ) {
            let empty = || Kept { max_bytes, ..Kept::new(max_lines) };
            let mut lines: Vec<KeptLine> = (0..).zip(&lengths).map(|(at, length)| line(at, *length)).collect();
            let mut once = empty();
            lines.iter().cloned().for_each(|line| once.add(line));
            let turn = turn % lines.len();
            lines.rotate_left(turn);
            let (mut a, mut b) = (empty(), empty());
            for (at, line) in lines.iter().cloned().enumerate() {
                if at % 3 == 0 { a.add(line) } else { b.add(line) }
            }
            a.merge(b);
            prop_assert!(once.len() <= max_lines && once.bytes <= max_bytes);
            lines.sort();
            let kept = once.len();
            let mut lowest: Vec<u32> = lines[..kept].iter().map(|line| line.place.position).collect();
            lowest.sort_unstable();
            prop_assert_eq!(positions(once), lowest.clone());
            prop_assert_eq!(positions(a), lowest);
            let next = lines.get(kept);
            let bytes: usize = lines[..kept].iter().chain(next).map(KeptLine::bytes).sum();
            prop_assert!(next.is_none() || kept == max_lines || bytes > max_bytes);
        }
    }

    /// Computed apart from this program. A change here would change everybody's samples.
    #[test]
    fn numbers_stay() {
        let numbers = [Place::new(0, "", 0), Place::new(7, "doc-1", 3)].map(|place| place.number);
        assert_eq!(numbers, [0xa6bb_c8dc_be30_928c, 0x094e_b756_5154_ee4a]);
    }
}

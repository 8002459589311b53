//! An automaton that finds many short pieces of text in one pass.
//!
//! It is asked about every letter of a page, so it must stay in the nearest memory: bytes that mean
//! the same are one column of its table, states are numbers of two bytes, and those in which a piece ends
//! come last, so that one comparison tells them. After A. Aho and M. Corasick, "Efficient string matching",
//! Communications of the ACM 18 (1975). ASCII letters are the same in either case.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;

#[derive(Debug)]
pub(super) struct PieceFinder {
    /// The column of each byte; 0 is that of bytes that no piece has.
    columns: [u8; 256],
    /// The width of the table, as a power of two.
    shift: u32,
    /// The next state by state and column.
    next: Vec<u16>,
    /// The first state in which a piece ends.
    first_end: u16,
    /// The pieces that end, by state from that on.
    ends: Vec<Box<[u16]>>,
    /// Bytes of each piece.
    lengths: Vec<usize>,
    /// Those of the longest.
    longest: usize,
}

/// The state before any letter.
const START: u16 = 0;

impl PieceFinder {
    /// Of pieces that are different and not empty; `None` if they are too many for it.
    pub(super) fn new(pieces: &[&str]) -> Option<PieceFinder> {
        let (columns, width) = columns(pieces);
        let trie = Trie::of(pieces, &columns, width)?;
        let lengths = pieces.iter().map(|piece| piece.len()).collect();
        Some(trie.automaton(columns, width, lengths))
    }

    /// Bytes of a piece.
    pub(super) fn length(&self, piece: u16) -> usize {
        self.lengths[usize::from(piece)]
    }

    /// Whether a text has any of the pieces.
    pub(super) fn finds_any(&self, text: &str) -> bool {
        let mut state = START;
        text.bytes().any(|byte| {
            state = self.after(state, byte);
            state >= self.first_end
        })
    }

    /// Tells where pieces end in a text, and which; in the order of their ends.
    pub(super) fn each(&self, text: &str, mut tell: impl FnMut(usize, &[u16])) {
        let mut state = START;
        for (at, byte) in text.bytes().enumerate() {
            state = self.after(state, byte);
            if state >= self.first_end {
                tell(at + 1, self.ending_in(state));
            }
        }
    }

    /// The same for a long text. Each step waits for the one before, so four parts of the text are read side
    /// by side; each begins some bytes earlier, for pieces that go beyond the end of a part.
    pub(super) fn each_of_many(&self, text: &str, mut tell: impl FnMut(usize, &[u16])) {
        let bytes = text.as_bytes();
        let part = bytes.len() / 4;
        if part <= self.longest {
            return self.each(text, tell);
        }
        let begins = [0, 1, 2, 3].map(|number| (number * part).saturating_sub(self.longest));
        let mut states = [START; 4];
        let mut found: [Vec<(usize, u16)>; 4] = Default::default();
        let [first, second, third, fourth] = begins.map(|begin| &bytes[begin..begin + part]);
        let together = first.iter().zip(second).zip(third).zip(fourth);
        for (at, (((one, two), three), four)) in together.enumerate() {
            states = [
                self.after(states[0], *one),
                self.after(states[1], *two),
                self.after(states[2], *three),
                self.after(states[3], *four),
            ];
            for which in 0..4 {
                if states[which] >= self.first_end {
                    found[which].push((begins[which] + at + 1, states[which]));
                }
            }
        }
        for which in 0..4 {
            let (start, end) =
                (which * part, if which == 3 { bytes.len() } else { (which + 1) * part });
            let mut state = states[which];
            for (at, byte) in bytes.iter().enumerate().take(end).skip(begins[which] + part) {
                state = self.after(state, *byte);
                if state >= self.first_end {
                    found[which].push((at + 1, state));
                }
            }
            // What ends before was told with the part before.
            for (end, state) in found[which].iter().filter(|(end, _)| *end > start) {
                tell(*end, self.ending_in(*state));
            }
        }
    }

    #[inline]
    fn after(&self, state: u16, byte: u8) -> u16 {
        let column = usize::from(self.columns[usize::from(byte)]);
        self.next[(usize::from(state) << self.shift) | column]
    }

    fn ending_in(&self, state: u16) -> &[u16] {
        &self.ends[usize::from(state - self.first_end)]
    }
}

fn columns(pieces: &[&str]) -> ([u8; 256], usize) {
    let mut columns = [0; 256];
    let mut width = 1;
    for byte in pieces.iter().flat_map(|piece| piece.bytes()) {
        if columns[usize::from(byte)] == 0 {
            columns[usize::from(byte.to_ascii_lowercase())] = width;
            columns[usize::from(byte.to_ascii_uppercase())] = width;
            // UTF-8 has fewer bytes than that.
            width += 1;
        }
    }
    (columns, usize::from(width).next_power_of_two())
}

/// What begins some piece, letter by letter.
struct Trie {
    /// By state and column; [`START`] for none.
    children: Vec<u16>,
    /// The piece that ends in a state.
    piece: FxHashMap<u16, u16>,
    states: u16,
}

impl Trie {
    fn of(pieces: &[&str], columns: &[u8; 256], width: usize) -> Option<Trie> {
        let mut trie =
            Trie { children: vec![START; width], piece: FxHashMap::default(), states: 1 };
        for (number, piece) in pieces.iter().enumerate() {
            let mut state = START;
            for byte in piece.bytes() {
                let place = usize::from(state) * width + usize::from(columns[usize::from(byte)]);
                if trie.children[place] == START {
                    trie.children[place] = trie.states;
                    trie.states = trie.states.checked_add(1)?;
                    trie.children.resize(trie.children.len() + width, START);
                }
                state = trie.children[place];
            }
            trie.piece.insert(state, u16::try_from(number).ok()?);
        }
        Some(trie)
    }

    fn automaton(self, columns: [u8; 256], width: usize, lengths: Vec<usize>) -> PieceFinder {
        let Trie { children, piece, states } = self;
        let count = usize::from(states);
        let mut next = children.clone();
        // The state of the longest end of what was read that begins a piece, too.
        let mut shorter = vec![START; count];
        let mut ending: Vec<Vec<u16>> = vec![Vec::new(); count];
        let mut waiting = VecDeque::from([START]);
        while let Some(state) = waiting.pop_front() {
            let (row, fallback) =
                (usize::from(state) * width, usize::from(shorter[usize::from(state)]));
            ending[usize::from(state)] = piece.get(&state).into_iter().copied().collect();
            let inherited = ending[fallback].clone();
            if state != START {
                ending[usize::from(state)].extend(inherited);
            }
            for column in 0..width {
                let beside = if state == START { START } else { next[fallback * width + column] };
                match children[row + column] {
                    START => next[row + column] = beside,
                    child => {
                        shorter[usize::from(child)] = beside;
                        waiting.push_back(child);
                    }
                }
            }
        }
        // States in which something ends are numbered last.
        let mut order: Vec<u16> = (0..states).collect();
        order.sort_by_key(|state| !ending[usize::from(*state)].is_empty());
        let mut renamed = vec![START; count];
        order.iter().zip(0..).for_each(|(old, new)| renamed[usize::from(*old)] = new);
        let rows = order.iter().flat_map(|old| &next[usize::from(*old) * width..][..width]);
        let next = rows.map(|state| renamed[usize::from(*state)]).collect();
        let ends: Vec<Box<[u16]>> = order
            .iter()
            .map(|old| std::mem::take(&mut ending[usize::from(*old)]).into_boxed_slice())
            .filter(|pieces| !pieces.is_empty())
            .collect();
        PieceFinder {
            columns,
            shift: width.trailing_zeros(),
            next,
            first_end: states - ends.len() as u16,
            ends,
            longest: lengths.iter().copied().max().unwrap_or(0),
            lengths,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_pieces_are_found_where_they_end(
            pieces in proptest::collection::btree_set("[abä1]{1,4}", 1..8),
            text in "[abABä1 x]{0,60}",
        ) {
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            let mut found = Vec::new();
            let finder = PieceFinder::new(&pieces).expect("they are few");
            finder.each(&text, |end, ended| found.extend(ended.iter().map(|it| (end, usize::from(*it)))));
            let lower = text.to_ascii_lowercase();
            let mut expected = Vec::new();
            for end in 1..=lower.len() {
                let ends = |piece: &&str| lower.as_bytes()[..end].ends_with(piece.as_bytes());
                expected.extend((0..pieces.len()).filter(|it| ends(&pieces[*it])).map(|it| (end, it)));
            }
            let mut side_by_side = Vec::new();
            finder.each_of_many(&text, |end, ended| side_by_side.extend(ended.iter().map(|it| (end, usize::from(*it)))));
            prop_assert_eq!(&side_by_side, &found);
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}

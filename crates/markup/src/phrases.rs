//! What a page says, as a few numbers: enough to tell whether another one says the same.
//!
//! A phrase is five words in a row within one piece of text, or all of a shorter piece. Words with
//! digits are passed over, so that dates, counters and session ids make no difference; markup separates
//! pieces, so that the order of the entries of a list makes none either. Of all phrases of a page the
//! [`MAX_PHRASES`] with the smallest numbers are kept: two pages that share their text share these.
//!
//! Words are runs of ASCII letters and of all characters beyond ASCII, in upper or lower case; what
//! exactly a word is does not matter here, as long as it is always the same.

/// Phrases kept of one page.
pub const MAX_PHRASES: usize = 64;

/// Bytes of text that are looked at.
const MAX_TEXT: usize = 1 << 18;

/// Words of a phrase.
const WORDS: usize = 5;

/// Gathers the phrases of a page, piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Sketch {
    smallest: Vec<u64>,
    /// What is not below is not kept.
    bound: Option<u64>,
    bytes: usize,
}

impl Sketch {
    /// Adds a piece of text, as it stands in the source.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        let piece = &piece[..piece.len().min(MAX_TEXT.saturating_sub(self.bytes))];
        self.bytes += piece.len();
        let mut last = [0u64; WORDS];
        let mut words = 0;
        let mut at = 0;
        while at < piece.len() {
            let start = at;
            let mut kinds = BETWEEN;
            while let Some(kind) = piece.get(at).map(|byte| KINDS[usize::from(*byte)])
                && kind != BETWEEN
            {
                kinds |= kind;
                at += 1;
            }
            if kinds == LETTER {
                let [_, second, third, fourth, fifth] = last;
                last = [second, third, fourth, fifth, word_number(piece, start, at)];
                words += 1;
                if words >= WORDS {
                    self.keep(&last);
                }
            }
            at += 1;
        }
        if (1..WORDS).contains(&words) {
            self.keep(&last);
        }
    }

    fn keep(&mut self, words: &[u64; WORDS]) {
        // Every word turned by another angle, so that their order counts.
        let turned = words.iter().zip([0, 13, 26, 39, 52]);
        let mixed = turned.fold(0, |mixed, (word, angle)| mixed ^ word.rotate_left(angle));
        let mut phrase = mixed.wrapping_mul(SPREAD);
        phrase ^= phrase >> 32;
        phrase = phrase.wrapping_mul(SPREAD) ^ phrase >> 29;
        if self.bound.is_some_and(|bound| phrase >= bound) {
            return;
        }
        self.smallest.push(phrase);
        if self.smallest.len() >= 4 * MAX_PHRASES {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.smallest.sort_unstable();
        self.smallest.dedup();
        if self.smallest.len() >= MAX_PHRASES {
            self.smallest.truncate(MAX_PHRASES);
            self.bound = self.smallest.last().map(|last| last + 1);
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u64> {
        self.cut();
        self.smallest.shrink_to_fit();
        self.smallest
    }
}

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a byte is: nothing of a word, a letter, or a digit.
const BETWEEN: u8 = 0;
const LETTER: u8 = 1;
const DIGIT: u8 = 2;

const KINDS: [u8; 256] = {
    let mut kinds = [BETWEEN; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => LETTER,
            _ => BETWEEN,
        };
        byte += 1;
    }
    kinds
};

/// A number for the word from `start` to `end` of a piece, whatever the case of its letters.
fn word_number(piece: &[u8], start: usize, end: usize) -> u64 {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    let (mut at, mut number) = (start, 0u64);
    loop {
        let left = end - at;
        let part = match piece[at..].first_chunk() {
            // What stands behind the word is left out.
            Some(eight) if left < 8 => u64::from_le_bytes(*eight) & !(u64::MAX << (8 * left)),
            Some(eight) => u64::from_le_bytes(*eight),
            None => {
                let mut last = [0; 8];
                last[..left].copy_from_slice(&piece[at..end]);
                u64::from_le_bytes(last)
            }
        };
        number = (number.rotate_left(5) ^ (part | LOWER)).wrapping_mul(SPREAD);
        if left < 8 {
            return number;
        }
        at += 8;
    }
}

/// The phrases of a text without markup; lines are pieces of their own.
pub fn text_phrases(text: &[u8]) -> Vec<u64> {
    let mut sketch = Sketch::default();
    text.split(|byte| *byte == b'\n').for_each(|line| sketch.add(line));
    sketch.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan_links;

    fn check(html: &str) -> Vec<u64> {
        scan_links(html.as_bytes(), Some("utf-8")).phrases
    }

    #[test]
    fn what_makes_no_difference() {
        let page = "<title>Events in November 2026</title><p>No events on day 5.<p>Next month";
        #[rustfmt::skip]
        let same = [
            "<title>Events in November 2031</title><p>No events on day 17.<p>Next month",
            "<title>Events in NOVEMBER 2026</title><ul><li>Next month<li>No events on day 5.</ul>",
            "<title>Events in November 2026</title><script>var a = 'x y z w'</script><p>No events on day 5.<p>Next month",
            "<title>Events in November</title><p>No events on day a1b2c3.<p><a href=/s/8f3a>Next month</a>",
        ];
        for other in same {
            assert_eq!(check(page), check(other), "{other}");
        }
        assert_ne!(
            check(page),
            check("<title>Events in May 2026</title><p>No events on day 5.<p>Next month")
        );
    }

    #[test]
    fn few_of_a_long_page_and_all_of_a_short_one() {
        let words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"];
        let word = |n: u64| words[(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % 7];
        let long: String = (0..20_000).map(|n| word(n).to_owned() + " ").collect();
        assert_eq!(check(&format!("<p>{long}")).len(), MAX_PHRASES);
        assert_eq!(check("<p>one two three four five six<p>seven").len(), 3);
        assert_eq!(check("<p>12 34<p> ").len(), 0);
        assert_eq!(text_phrases(b"one two three\nfour five").len(), 2);
    }
}

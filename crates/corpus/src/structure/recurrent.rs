//! Hashes of blocks, so that those which recur all over a server can be counted.
//!
//! Two blocks count as the same if they have the same letters: digits, case and white space do not
//! matter, because `Stand: 3.4.2001` is the same line on every page.

use super::StableHash;
use crate::reading::Block;

/// Hashes given of one page.
pub const MAX_BLOCK_HASHES: usize = 10_000;

/// Letters a block needs: shorter ones recur by chance.
const FEWEST_LETTERS: usize = 4;

/// The hashes of the blocks, each once and sorted; at most [`MAX_BLOCK_HASHES`].
pub fn block_hashes(blocks: &[Block]) -> Vec<u64> {
    let mut hashes: Vec<u64> =
        blocks.iter().filter_map(|block| hash(&block.text)).take(MAX_BLOCK_HASHES).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

fn hash(text: &str) -> Option<u64> {
    let mut hash = StableHash::new();
    let mut letters = 0;
    let mut buffer = [0; 4];
    for letter in text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase) {
        hash.add(letter.encode_utf8(&mut buffer).as_bytes());
        letters += 1;
    }
    (letters >= FEWEST_LETTERS).then(|| hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    fn check(html: &str) -> Vec<u64> {
        let blocks = parse(html.as_bytes(), None).blocks();
        block_hashes(&blocks.into_iter().map(|block| Block::new(block, None)).collect::<Vec<_>>())
    }

    #[test]
    fn equal_blocks() {
        assert_eq!(check("<p>Stand: 3.4.2001"), check("<p>STAND: <b>5.</b> 6. 1999"));
        assert_ne!(check("<p>Stand: heute"), check("<p>Stand: gestern"));
        assert_eq!(check("<p>Impressum<p>Impressum<p>1 a").len(), 1);
    }
}

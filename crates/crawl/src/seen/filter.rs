//! Says of most keys that are not in a run that they are not: a Bloom filter in blocks of one cache
//! line, so that a question costs one look into memory.

/// Bits per key: one in a hundred questions about a key that is not there is answered wrongly.
const BITS_PER_KEY: u64 = 10;
/// Words of a block.
const WORDS: usize = 8;
/// Bits that are set for a key, one in each of so many words of its block.
const PROBES: usize = 6;

#[derive(Debug)]
pub(super) struct Filter {
    blocks: Vec<[u64; WORDS]>,
}

impl Filter {
    /// Bytes of a filter for so many keys.
    pub(super) fn bytes_for(keys: u64) -> u64 {
        blocks_for(keys) * (WORDS as u64 * 8)
    }

    pub(super) fn new(keys: u64) -> Filter {
        let blocks = usize::try_from(blocks_for(keys)).unwrap_or(usize::MAX);
        Filter { blocks: vec![[0; WORDS]; blocks] }
    }

    pub(super) fn insert(&mut self, key: u64) {
        let block = self.block(key);
        for (word, bit) in probes(key) {
            self.blocks[block][word] |= bit;
        }
    }

    pub(super) fn may_hold(&self, key: u64) -> bool {
        let block = &self.blocks[self.block(key)];
        probes(key).all(|(word, bit)| block[word] & bit != 0)
    }

    /// By the upper half of the key, which spreads evenly over any number of blocks.
    fn block(&self, key: u64) -> usize {
        let scaled = u128::from(key) * self.blocks.len() as u128;
        usize::try_from(scaled >> 64).unwrap_or(0)
    }
}

fn blocks_for(keys: u64) -> u64 {
    (keys * BITS_PER_KEY).div_ceil(WORDS as u64 * 64).max(1)
}

/// Word and bit of each probe, from bits that the choice of the block did not use up.
fn probes(key: u64) -> impl Iterator<Item = (usize, u64)> {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ key;
    (0..PROBES).map(move |probe| {
        let part = mixed >> (probe * 9);
        (usize::try_from(part & 7).unwrap_or(0), 1 << ((part >> 3) & 63))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgets_nothing_and_invents_little() {
        let keys = |from: u64| {
            (from..from + 20_000).map(|number| {
                let mut key = number.wrapping_mul(0xd134_2543_de82_ef95);
                key ^= key >> 32;
                key.wrapping_mul(0xd6e8_feb8_6659_fd93)
            })
        };
        let mut filter = Filter::new(20_000);
        keys(0).for_each(|key| filter.insert(key));
        assert!(keys(0).all(|key| filter.may_hold(key)));
        let invented = keys(1 << 40).filter(|key| filter.may_hold(*key)).count();
        assert!(invented < 1_000, "{invented} of 20,000");
    }
}

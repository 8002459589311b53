//! What a page is built like: its template, the program that made it, its parts, and the blocks it
//! shares with its neighbours.

mod fingerprint;
mod generator;
mod parts;
mod recurrent;

pub use parts::MAX_PARTS;
pub use recurrent::{MAX_BLOCK_HASHES, block_hashes};

pub(crate) use fingerprint::fingerprint;
pub(crate) use generator::generator;
pub(crate) use parts::parts;

/// FNV-1a with a final mix: the same on every machine and in every version, which stored hashes
/// need, and quick for short texts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StableHash(u64);

impl StableHash {
    pub(crate) fn new() -> StableHash {
        StableHash(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub(crate) fn finish(self) -> u64 {
        let mut hash = self.0;
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        hash ^ (hash >> 31)
    }
}

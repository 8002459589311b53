//! In how many documents a phrase occurs.
//!
//! Phrases are known by a hash of their stems, so that asking needs no string. With 64 bits, two
//! phrases of a model meet in one hash about once in a million models.

use rustc_hash::FxHashMap;

/// A phrase by its stems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PhraseKey(u64);

impl PhraseKey {
    pub(super) const EMPTY: PhraseKey = PhraseKey(0xcbf2_9ce4_8422_2325);

    /// The key of a phrase that goes on with a stem (FNV-1a: the same on every machine).
    pub(super) fn with(self, stem: &str) -> PhraseKey {
        self.with_key(PhraseKey::of_stem(stem))
    }

    pub(super) fn with_key(self, stem: PhraseKey) -> PhraseKey {
        PhraseKey((self.0.rotate_left(21) ^ stem.0).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(super) fn of_stem(stem: &str) -> PhraseKey {
        let hash = stem.bytes().fold(PhraseKey::EMPTY.0, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        PhraseKey(hash)
    }

    /// The key of stems with blanks between them.
    pub(super) fn of_phrase(stems: &str) -> PhraseKey {
        stems.split(' ').fold(PhraseKey::EMPTY, PhraseKey::with)
    }
}

/// Document frequencies of phrases.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Frequencies {
    /// The documents that were counted.
    pub(super) documents: u32,
    pub(super) counts: FxHashMap<PhraseKey, u32>,
    /// Phrases in fewer documents count as unseen, because files do not list them.
    pub(super) listed_from: u32,
}

impl Frequencies {
    /// In how many documents a phrase occurs; `own` of them are left out of the count, as a document
    /// that was counted itself must not see itself.
    pub(super) fn of(&self, key: PhraseKey, own: u32) -> u32 {
        let count = self.counts.get(&key).map_or(0, |count| count.saturating_sub(own));
        if count < self.listed_from { 0 } else { count }
    }

    /// How rare it is, in bits: −log₂ of the share of documents, one added to both.
    pub(super) fn rarity(&self, key: PhraseKey, own: u32) -> f64 {
        let all = f64::from(self.documents.saturating_sub(own)) + 1.0;
        let with = f64::from(self.of(key, own)) + 1.0;
        (all / with).log2().max(0.0)
    }

    pub(super) fn add(&mut self, keys: impl Iterator<Item = PhraseKey>) {
        self.documents += 1;
        for key in keys {
            *self.counts.entry(key).or_default() += 1;
        }
    }
}

//! Remembers which requests are known, by 64 bits of their key.
//!
//! The keys are uniform already ([`auslese_model::RequestKey::short`] is part of a sha256), so they
//! are their own hash. Two of 10⁷ keys collide with a chance of about 1 in 370,000; the store is
//! exact and has the last word. A set larger than its budget is reported, not cut: where the tail
//! should go to disk, [`SeenSet::is_over_budget`] is the place to ask.

use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Known requests, in memory.
#[derive(Debug, Clone, Default)]
pub struct SeenSet {
    keys: HashSet<u64, BuildHasherDefault<KeyItself>>,
    budget: SeenBudget,
}

/// How many bytes the set should stay below. Default: 192 MiB, enough for 14 million requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeenBudget(pub u64);

impl Default for SeenBudget {
    fn default() -> SeenBudget {
        SeenBudget(192 << 20)
    }
}

impl SeenSet {
    pub fn new(budget: SeenBudget) -> SeenSet {
        SeenSet { keys: HashSet::default(), budget }
    }

    /// Whether the key was new.
    pub fn insert(&mut self, key: u64) -> bool {
        self.keys.insert(key)
    }

    pub fn contains(&self, key: u64) -> bool {
        self.keys.contains(&key)
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Bytes held, reckoned from the table's size: eight per slot, one control byte, and the slots
    /// that the table keeps free (one in eight).
    pub fn memory(&self) -> u64 {
        match self.keys.capacity() as u64 {
            0 => 0,
            capacity => (capacity * 8).div_ceil(7).next_power_of_two() * 9,
        }
    }

    pub fn is_over_budget(&self) -> bool {
        self.memory() > self.budget.0
    }
}

/// A hasher for values that are hashes.
#[derive(Debug, Clone, Copy, Default)]
struct KeyItself(u64);

impl Hasher for KeyItself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_and_reckons() {
        let mut seen = SeenSet::new(SeenBudget(20_000));
        assert_eq!(seen.memory(), 0);
        for key in 0..1_000u64 {
            assert!(seen.insert(key << 40));
            assert!(!seen.insert(key << 40));
        }
        assert!(seen.contains(7 << 40) && !seen.contains(7));
        assert_eq!((seen.len(), seen.memory()), (1_000, 2048 * 9));
        assert!(!seen.is_over_budget());
        (0..2_000u64).for_each(|key| {
            seen.insert(key);
        });
        assert!(seen.is_over_budget());
    }
}

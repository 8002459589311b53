//! Sites dealt out to folds, so that what is checked was never learnt from.
//!
//! Pages of one site are made alike; a fold therefore holds whole sites. They are dealt in the order
//! of a hash of their names, which is as good as shuffled and always the same.

use std::collections::{BTreeMap, BTreeSet};

/// Parts of the labelled documents; each is checked with what the others taught.
const FOLDS: usize = 5;

/// For every document the number of its fold. Documents of one and the same site are dealt one by
/// one, since nothing better can be done.
pub(super) fn folds(sites: &[&str]) -> Vec<usize> {
    let distinct: BTreeSet<(u64, &str)> = sites.iter().map(|site| (hash(site), *site)).collect();
    if distinct.len() < 2 {
        return (0..sites.len()).map(|document| document % FOLDS).collect();
    }
    let dealt: BTreeMap<&str, usize> =
        distinct.iter().enumerate().map(|(place, (_, site))| (*site, place % FOLDS)).collect();
    sites.iter().map(|site| dealt[site]).collect()
}

/// All folds there may be.
pub(super) fn fold_numbers() -> std::ops::Range<usize> {
    0..FOLDS
}

/// FNV-1a: short, and the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_stay_together_and_folds_are_even() {
        let names: Vec<String> = (0..100).map(|i| format!("site{}.example", i % 50)).collect();
        let sites: Vec<&str> = names.iter().map(String::as_str).collect();
        let dealt = folds(&sites);
        assert_eq!(dealt[..50], dealt[50..]);
        for fold in fold_numbers() {
            assert_eq!(dealt.iter().filter(|it| **it == fold).count(), 20, "{fold}");
        }
        assert_eq!(folds(&["one.example"; 3]), [0, 1, 2]);
        assert_eq!(folds(&[]), [0; 0]);
    }
}

//! How much two texts have in common: twice their longest common subsequence, as a share of both.
//!
//! The subsequence is found with one bit per letter (H. Hyyrö, "Bit-parallel LCS-length computation
//! revisited", 2004), so a row of the table costs one step per 64 letters.

use rustc_hash::FxHashMap;

/// Longer texts, in characters, are compared by their beginnings of this length.
pub const MAX_ALIGNED: usize = 2000;

/// From 0 (nothing in common) to 1 (equal). Letters count as they are: fold texts first if case and
/// accents are not to matter.
///
/// ```
/// assert_eq!(auslese_describe::similarity("abcd", "abxd"), 0.75);
/// ```
pub fn similarity(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let letters = |text: &str| text.chars().take(MAX_ALIGNED).collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let both = a.len() + b.len();
    if both == 0 { 1.0 } else { 2.0 * common_letters(&a, &b) as f64 / both as f64 }
}

/// Whether two texts are at least so similar; cheap if their lengths alone rule it out.
pub(super) fn is_similar(a: &str, b: &str, least: f64) -> bool {
    let count = |text: &str| text.chars().take(MAX_ALIGNED).count() as f64;
    let (short, long) = (count(a).min(count(b)), count(a).max(count(b)));
    a == b || (2.0 * short >= least * (short + long) && similarity(a, b) >= least)
}

/// The length of the longest common subsequence.
fn common_letters(a: &[char], b: &[char]) -> usize {
    let words = a.len().div_ceil(64);
    let mut places: FxHashMap<char, Vec<u64>> = FxHashMap::default();
    for (place, letter) in a.iter().enumerate() {
        places.entry(*letter).or_insert_with(|| vec![0; words])[place / 64] |= 1 << (place % 64);
    }
    // A zero bit: up to here one letter more is common than up to the letter before.
    let mut row = vec![u64::MAX; words];
    for letter in b {
        let Some(matching) = places.get(letter) else { continue };
        let mut carry = false;
        for (cell, matching) in row.iter_mut().zip(matching) {
            let met = *cell & matching;
            let (sum, over) = cell.overflowing_add(met);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            carry = over || over_again;
            *cell = sum | (*cell & !matching);
        }
    }
    (0..a.len()).filter(|place| row[place / 64] >> (place % 64) & 1 == 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plainly(a: &[char], b: &[char]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let best = if x == y { diagonal + 1 } else { row[j].max(row[j + 1]) };
                diagonal = row[j + 1];
                row[j + 1] = best;
            }
        }
        row[b.len()]
    }

    #[test]
    fn shares_of_common_letters() {
        #[rustfmt::skip]
        let cases = [
            ("",        "",         1.0),
            ("",        "a",        0.0),
            ("Köln",    "Köln",     1.0),
            ("abcd",    "abxd",     0.75),
            ("abc",     "xyz",      0.0),
        ];
        for (a, b, expected) in cases {
            assert_eq!(similarity(a, b), expected, "{a} {b}");
            assert!(is_similar(a, b, expected));
        }
    }

    proptest! {
        #[test]
        fn as_found_plainly(a in "[a-cä]{0,200}", b in "[a-cä]{0,200}") {
            let (x, y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(common_letters(&x, &y), plainly(&x, &y));
            prop_assert_eq!(similarity(&a, &b), similarity(&b, &a));
        }
    }
}

//! How far two spellings are apart: the fewest letters to add, drop or replace.
//!
//! V. Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals",
//! Soviet Physics Doklady 10 (1966). One row of the table is kept, so memory is linear; time is
//! the product of the lengths, so these are limited.

/// Longer texts, in characters, are not laid side by side: only equal ones resemble each other.
/// Names and titles are far shorter, and what nobody wrote by hand need not be compared by hand.
pub const MAX_COMPARED: usize = 1024;

/// The fewest letters to add, drop or replace to turn one text into the other; `None` if one is
/// longer than [`MAX_COMPARED`] and they differ.
pub fn levenshtein(a: &str, b: &str) -> Option<usize> {
    distance(a, b).map(|(distance, _)| distance)
}

/// From 0 (nothing in common) to 1 (equal): the distance as a share of the longer text.
///
/// ```
/// let resemblance = auslese_words::resemblance("konstanz", "kostanz");
/// assert_eq!(resemblance, 1.0 - 1.0 / 8.0);
/// ```
pub fn resemblance(a: &str, b: &str) -> f64 {
    match distance(a, b) {
        None => 0.0,
        Some((0, _)) => 1.0,
        Some((distance, longer)) => 1.0 - distance as f64 / longer as f64,
    }
}

/// Whether one text is the other with exactly one letter left out.
pub fn one_letter_lost(a: &str, b: &str) -> bool {
    let (shorter, longer) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let mut kept = shorter.chars();
    let mut all = longer.chars();
    loop {
        match (kept.clone().next(), all.next()) {
            (Some(one), Some(other)) if one == other => kept.next(),
            (_, Some(_)) => return all.eq(kept),
            (_, None) => return false,
        };
    }
}

/// The distance, and the length of the longer text.
fn distance(a: &str, b: &str) -> Option<(usize, usize)> {
    if a == b {
        return Some((0, 0));
    }
    // A character has at most four bytes: what is longer in bytes need not be decoded.
    if a.len().max(b.len()) > 4 * MAX_COMPARED {
        return None;
    }
    if a.is_ascii() && b.is_ascii() {
        let longer = a.len().max(b.len());
        return (longer <= MAX_COMPARED).then(|| {
            let (a, b) = without_common_ends(a.as_bytes(), b.as_bytes());
            let (a, b) = if a.len() < b.len() { (a, b) } else { (b, a) };
            let distance = match a.len() {
                0 => b.len(),
                1..=128 => column_distance(a, b),
                _ => table_distance(a, b),
            };
            (distance, longer)
        });
    }
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let longer = a.len().max(b.len());
    (longer <= MAX_COMPARED).then(|| {
        let (a, b) = without_common_ends(&a, &b);
        (table_distance(a, b), longer)
    })
}

/// The same for ASCII letters, at most 128 of them in `a` and at least one, with a whole column of
/// the table in two numbers: bits say where it rises and falls. G. Myers, "A fast bit-vector
/// algorithm for approximate string matching", Journal of the ACM 46 (1999), in the form of H. Hyyrö
/// (2003) for whole texts.
fn column_distance(a: &[u8], b: &[u8]) -> usize {
    let mut places = [0u128; 128];
    for (place, letter) in a.iter().enumerate() {
        places[usize::from(letter & 0x7f)] |= 1 << place;
    }
    let last = 1u128 << (a.len() - 1);
    let (mut rises, mut falls) = (u128::MAX, 0u128);
    let mut distance = a.len();
    for letter in b {
        let same = places[usize::from(letter & 0x7f)];
        let level = (((same & rises).wrapping_add(rises)) ^ rises) | same | falls;
        let mut up = falls | !(level | rises);
        let mut down = rises & level;
        distance += usize::from(up & last != 0);
        distance -= usize::from(down & last != 0);
        up = (up << 1) | 1;
        down <<= 1;
        rises = down | !(level | up);
        falls = up & level;
    }
    distance
}

fn without_common_ends<'a, L: PartialEq>(a: &'a [L], b: &'a [L]) -> (&'a [L], &'a [L]) {
    let start = a.iter().zip(b).take_while(|(one, other)| one == other).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(one, other)| one == other).count();
    (&a[..a.len() - end], &b[..b.len() - end])
}

fn table_distance<L: PartialEq>(a: &[L], b: &[L]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, letter) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn distances() {
        #[rustfmt::skip]
        let cases = [
            ("",         "",         0),
            ("abc",      "",         3),
            ("kitten",   "sitting",  3),
            ("freiburg", "freiberg", 1),
            ("konstanz", "kostanz",  1),
            ("münchen",  "munchen",  1),
            ("ab",       "ba",       2),
        ];
        for (a, b, expected) in cases {
            assert_eq!(levenshtein(a, b), Some(expected), "{a} {b}");
        }
    }

    #[test]
    fn lost_letters() {
        #[rustfmt::skip]
        let cases = [
            ("konstanz", "kostanz",   true),
            ("kostanz",  "konstanz",  true),
            ("onstanz",  "konstanz",  true),
            ("konstan",  "konstanz",  true),
            ("halle",    "hale",      true),
            ("a",        "",          true),
            ("freiburg", "freiberg",  false),
            ("konstanz", "konstanz",  false),
            ("konstanz", "kontan",    false),
            ("",         "",          false),
        ];
        for (a, b, expected) in cases {
            assert_eq!(one_letter_lost(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn what_is_too_long_is_not_compared() {
        let long = "x".repeat(MAX_COMPARED);
        let longer = "x".repeat(MAX_COMPARED + 1);
        assert_eq!(levenshtein(&long, "x"), Some(MAX_COMPARED - 1));
        assert_eq!(levenshtein(&longer, "x"), None);
        assert_eq!(resemblance(&longer, "x"), 0.0);
        assert_eq!(resemblance(&longer, &longer), 1.0);
    }

    proptest! {
        #[test]
        fn it_is_a_distance(a in "[abcä]{0,12}", b in "[abcä]{0,12}", c in "[abcä]{0,12}") {
            let between = |one: &str, other: &str| levenshtein(one, other).unwrap();
            prop_assert_eq!(between(&a, &b), between(&b, &a));
            prop_assert_eq!(between(&a, &b) == 0, a == b);
            prop_assert!(between(&a, &c) <= between(&a, &b) + between(&b, &c));
        }

        #[test]
        fn columns_and_tables_agree(a in "[a-d]{1,128}", b in "[a-d]{0,200}") {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            prop_assert_eq!(column_distance(a, b), table_distance(a, b));
        }

        #[test]
        fn a_lost_letter_is_a_distance_of_one(text in "[abcä]{1,12}", at in 0usize..12) {
            let lost = at % text.chars().count();
            let without: String =
                text.chars().enumerate().filter(|(i, _)| *i != lost).map(|(_, c)| c).collect();
            prop_assert!(one_letter_lost(&text, &without));
            prop_assert_eq!(levenshtein(&text, &without), Some(1));
        }

        #[test]
        fn it_stays_between_nothing_and_all(a in "\\PC{0,40}", b in "\\PC{0,40}") {
            prop_assert!((0.0..=1.0).contains(&resemblance(&a, &b)));
        }
    }
}

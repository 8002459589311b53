//! How much two titles are the same.

use auslese_words::{fold, resemblance, tokens};
use rustc_hash::FxHashMap;

/// Characters of each text that are compared. Titles are shorter; the time is the product of both.
const MAX_COMPARED_TITLE: usize = 300;

/// From 0 (nothing in common) to 1 (the same but for case, punctuation and umlauts).
///
/// The mean of two measures that fail differently: the share of common words forgives another
/// order, the share of common letters forgives other endings.
///
/// ```
/// use auslese_describe::title_similarity as similarity;
/// assert_eq!(similarity("Über uns!", "UEBER UNS"), 1.0);
/// assert!(similarity("Die Universität Ulm", "Universität Ulm") > 0.75);
/// assert!(similarity("Lehre", "Forschung") < 0.3);
/// ```
pub fn similarity(a: &str, b: &str) -> f64 {
    similarity_of_folded(&comparable(a), &comparable(b))
}

/// The same for texts that are folded already, words with single spaces between them.
pub(crate) fn similarity_of_folded(a: &str, b: &str) -> f64 {
    let (a, b) = (beginning(a), beginning(b));
    match (a.is_empty(), b.is_empty()) {
        (true, true) => 1.0,
        (true, false) | (false, true) => 0.0,
        (false, false) if a == b => 1.0,
        (false, false) => (common_words(a, b) + resemblance(a, b)) / 2.0,
    }
}

/// No less than the similarity of two folded texts, by their lengths alone: whatever they have in common,
/// the letters that one has more must be added to the other.
pub(crate) fn most_similar(a: &str, b: &str) -> f64 {
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if shorter == longer || longer > MAX_COMPARED_TITLE || !a.is_ascii() || !b.is_ascii() {
        return 1.0;
    }
    // A little more, since sums of fractions are not exact.
    (1.0 + shorter as f64 / longer as f64) / 2.0 + 1e-9
}

/// Folded words with single spaces between them.
pub(crate) fn comparable(text: &str) -> String {
    let folded = fold(beginning(text));
    let mut words = String::with_capacity(folded.len());
    for word in tokens(&folded) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

fn beginning(text: &str) -> &str {
    if text.len() <= MAX_COMPARED_TITLE {
        return text;
    }
    let end = text.char_indices().nth(MAX_COMPARED_TITLE).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// Dice's coefficient over words, each counted as often as it occurs.
fn common_words(a: &str, b: &str) -> f64 {
    let mut counts: FxHashMap<&str, i32> = FxHashMap::default();
    a.split(' ').for_each(|word| *counts.entry(word).or_default() += 1);
    let mut common = 0;
    for word in b.split(' ') {
        if let Some(count) = counts.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    let total = a.split(' ').count() + b.split(' ').count();
    2.0 * f64::from(common) / total as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn titles() {
        #[rustfmt::skip]
        let cases = [
            // a                                  b                                   least  most
            ("Köln",                              "koeln",                            1.0,   1.0),
            ("Wahl 2004: Das Ergebnis",           "Wahl 2004 – das Ergebnis",         1.0,   1.0),
            ("Das Ergebnis der Wahl",             "Das Ergebnis der Wahlen",          0.8,   0.99),
            ("Ergebnis, Wahl",                    "Wahl, Ergebnis",                   0.5,   0.9),
            ("Katzen und Hunde",                  "Steuern und Abgaben",              0.0,   0.5),
            ("",                                  "etwas",                            0.0,   0.0),
            ("…",                                 "—",                                1.0,   1.0),
            ("Москва",                            "МОСКВА",                           1.0,   1.0),
        ];
        for (a, b, least, most) in cases {
            let similar = similarity(a, b);
            assert!((least..=most).contains(&similar), "{a} / {b}: {similar}");
        }
    }

    proptest! {
        #[test]
        fn bounded_and_symmetric(a in "\\PC{0,80}", b in "\\PC{0,80}") {
            let similar = similarity(&a, &b);
            prop_assert!((0.0..=1.0).contains(&similar));
            prop_assert!((similar - similarity(&b, &a)).abs() < 1e-9);
            prop_assert_eq!(similarity(&a, &a), 1.0);
            let (a, b) = (comparable(&a), comparable(&b));
            prop_assert!(similarity_of_folded(&a, &b) <= most_similar(&a, &b));
        }
    }
}

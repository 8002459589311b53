//! Whether two holders have the same postal address.
//!
//! The postcode tells most, but a big organisation has several and shares each with its
//! neighbours; so half of the score is the postcode, half are the other words: street, number,
//! town. Countries, `Postfach` and other words that stand in any address do not count.

use super::table::word_table;
use auslese_words::{fold, tokens};
use rustc_hash::FxHashSet;

/// More words than this of an address are not read.
const MAX_WORDS: usize = 100;

/// More bytes of a line than this are not read.
const MAX_LINE: usize = 1024;

/// A postcode has as many characters at least; shorter numbers are house numbers.
const MIN_POSTCODE: usize = 4;

/// What the other words count if no postcode is told on one side.
const WITHOUT_POSTCODE: f64 = 0.8;

/// How much two postal addresses resemble each other, from 0 to 1: half for a common postcode, half
/// for the share of the shorter address's other words that the longer one has. Two different
/// postcodes leave the second half; a missing one leaves 0.8 of the words' share.
///
/// ```
/// use auslese_discover::address_similarity;
///
/// let lines = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
/// let root = lines("Universitätsstraße 10|78464 Konstanz|DE");
/// assert_eq!(address_similarity(&root, &lines("Universitaetsstr. 10|D-78464 Konstanz")), 1.0);
/// assert!(address_similarity(&root, &lines("Marktstätte 1|78462 Konstanz")) < 0.5);
/// ```
pub fn address_similarity(a: &[String], b: &[String]) -> f64 {
    let (a, b) = (PostalAddress::read(a), PostalAddress::read(b));
    let share = share_of_shorter(&a.words, &b.words);
    match (a.postcodes.is_empty() || b.postcodes.is_empty(), a.postcodes.is_disjoint(&b.postcodes))
    {
        (true, _) => WITHOUT_POSTCODE * share,
        (false, true) => 0.5 * share,
        (false, false) => 0.5 + 0.5 * share,
    }
}

#[derive(Debug, Default)]
struct PostalAddress {
    postcodes: FxHashSet<String>,
    words: FxHashSet<String>,
}

impl PostalAddress {
    fn read(lines: &[String]) -> PostalAddress {
        let mut address = PostalAddress::default();
        for line in lines.iter().take(MAX_WORDS) {
            let line = fold(&line[..line.floor_char_boundary(MAX_LINE)]);
            let words: Vec<&str> = tokens(&line).take(MAX_WORDS).collect();
            if !word_table().has_placeholder(&words) {
                address.add(&words);
            }
        }
        address
    }

    fn add(&mut self, words: &[&str]) {
        for word in words.iter().copied() {
            if self.words.len() + self.postcodes.len() >= MAX_WORDS {
                return;
            }
            if is_postcode(word) {
                self.postcodes.insert(word.to_owned());
            } else if !says_nothing(word) {
                self.words.insert(street(word));
            }
        }
    }
}

fn is_postcode(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    word.len() >= MIN_POSTCODE && digits * 2 > word.len()
}

/// `universitaetsstr` and `universitaetsstrasse` are the same street.
fn street(word: &str) -> String {
    match word.strip_suffix("str") {
        Some(name) => format!("{name}strasse"),
        None => word.to_owned(),
    }
}

fn says_nothing(word: &str) -> bool {
    #[rustfmt::skip]
    const IN_ANY: [&str; 26] = [
        "d", "de", "ger", "germany", "deutschland", "a", "at", "austria", "oesterreich", "ch",
        "switzerland", "schweiz", "suisse", "postfach", "pobox", "po", "box", "bp", "der", "die",
        "am", "an", "im", "the", "of", "street",
    ];
    IN_ANY.contains(&word)
}

fn share_of_shorter(a: &FxHashSet<String>, b: &FxHashSet<String>) -> f64 {
    match a.len().min(b.len()) {
        0 => 0.0,
        shorter => a.intersection(b).count() as f64 / shorter as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(a: &str, b: &str) -> f64 {
        let lines = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        address_similarity(&lines(a), &lines(b))
    }

    #[test]
    fn addresses() {
        let root = "Universitätsstraße 10|78464 Konstanz|DE";
        #[rustfmt::skip]
        let cases = [
            // other                                                  least   most
            ("Universitaetsstr. 10|D-78464 Konstanz|Germany",         1.0,    1.0),
            ("UNIVERSITAETSSTRASSE 10, 78464 KONSTANZ",               1.0,    1.0),
            ("Rechenzentrum|Universitätsstr. 10|78464 Konstanz",      1.0,    1.0),
            ("78464 Konstanz",                                        1.0,    1.0),
            ("Jacob-Burckhardt-Straße 35|78464 Konstanz",             0.5,    0.7),
            ("Universitätsstraße 10|78457 Konstanz",                  0.5,    0.5),
            ("Universitätsstraße 10|Konstanz",                        0.8,    0.8),
            ("Universitätsstraße 10|93053 Regensburg",                0.2,    0.4),
            ("Marktstätte 1|78462 Konstanz",                          0.1,    0.2),
            ("Hauptstraße 1|10115 Berlin",                            0.0,    0.0),
            ("REDACTED FOR PRIVACY|DE",                               0.0,    0.0),
            ("",                                                      0.0,    0.0),
        ];
        for (other, least, most) in cases {
            let score = check(root, other);
            assert!((least..=most).contains(&score), "{other}: {score}");
            assert_eq!(score, check(other, root), "{other}");
        }
    }

    #[test]
    fn two_redacted_addresses_are_not_the_same() {
        assert_eq!(check("REDACTED FOR PRIVACY|DE", "REDACTED FOR PRIVACY|DE"), 0.0);
    }

    proptest! {
        #[test]
        fn any_lines_give_a_share(
            a in proptest::collection::vec("\\PC{0,40}", 0..5),
            b in proptest::collection::vec("\\PC{0,40}", 0..5),
        ) {
            prop_assert!((0.0..=1.0).contains(&address_similarity(&a, &b)));
        }
    }
}

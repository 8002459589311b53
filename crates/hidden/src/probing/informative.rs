//! Whether the choices of an element change the answer.
//!
//! A list that only sorts, or chooses a language, gives the same rows for each choice and need not be asked
//! for every one. An element is informative if enough of its answers differ (Madhavan et al. 2008).

use rustc_hash::FxHashSet;

/// Share of different answers from which an element is informative.
pub const INFORMATIVE_SHARE: f64 = 0.25;

/// Answers from which on the share says something.
const FEWEST_ANSWERS: usize = 2;

/// What answers to the choices of one element say about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Informativeness {
    /// Enough answers differ; this is their share.
    Informative(f64),
    Uninformative(f64),
    /// There are too few answers to tell.
    Unknown,
}

/// Judges an element by the rows of the answers to its choices. The order of rows does not count, and answers without rows
/// are all the same.
pub fn is_informative(answers: &[Vec<String>]) -> Informativeness {
    if answers.len() < FEWEST_ANSWERS {
        return Informativeness::Unknown;
    }
    let mut different: FxHashSet<Vec<u64>> = FxHashSet::default();
    for rows in answers {
        let mut keys: Vec<u64> = rows.iter().map(|row| super::coverage::row_key(row)).collect();
        keys.sort_unstable();
        keys.dedup();
        different.insert(keys);
    }
    let share = different.len() as f64 / answers.len() as f64;
    // One answer for all is never informative, however few there are.
    match different.len() > 1 && share >= INFORMATIVE_SHARE {
        true => Informativeness::Informative(share),
        false => Informativeness::Uninformative(share),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_is_not_informative() {
        let rows = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let (one, other) = (rows(&["a", "b"]), rows(&["b", "a"]));
        assert_eq!(
            is_informative(&[one.clone(), other.clone()]),
            Informativeness::Uninformative(0.5)
        );
        assert_eq!(is_informative(&[one.clone(), rows(&["c"])]), Informativeness::Informative(1.0));
        let mut mostly_same = vec![one.clone(); 9];
        mostly_same.push(rows(&["c"]));
        assert_eq!(is_informative(&mostly_same), Informativeness::Uninformative(0.2));
        assert_eq!(is_informative(&[one]), Informativeness::Unknown);
    }
}

//! Two names laid side by side: which words are found again, and which separate the names.

use super::reading::{HolderName, Word};
use super::{Ground, MIN_COVERAGE, SEPARATED_SHARE, Side, Similarity, TokenClass, TokenReason};
use auslese_words::{one_letter_lost, resemblance};

/// Words of fewer letters are not taken for misspellings of each other.
const MIN_MISSPELT: usize = 5;

/// A misspelt word is nearly the word.
const MISSPELT_SHARE: f64 = 0.98;

/// Names with fewer letters are not taken for misspellings of each other as a whole.
const MIN_LETTERS: usize = 8;

impl HolderName {
    /// How much another holder's name resembles this one, the root's.
    pub fn compare(&self, other: &HolderName) -> Similarity {
        let spelled_alike = spelled_alike(self, other);
        let levenshtein = match spelled_alike {
            true => best_resemblance(self, other),
            false => resemblance(&self.canonical, &other.canonical),
        };
        let matching = Matching::of(self, other);
        let coverage = matching.coverage();
        let covered = if coverage >= MIN_COVERAGE { coverage } else { 0.0 };
        let alike = levenshtein.max(covered);
        let (score, ground) = if !self.tells() || !other.tells() && !spelled_alike {
            (0.0, Ground::NothingTold)
        } else if !spelled_alike && matching.separated() {
            (alike * SEPARATED_SHARE, Ground::Separated)
        } else if levenshtein >= covered {
            (alike, Ground::Spelling)
        } else {
            (alike, Ground::Coverage)
        };
        let (cut, reasons) = (self.cut || other.cut, matching.into_reasons());
        Similarity { score, levenshtein, coverage, ground, cut, reasons }
    }
}

/// The same letters but for one: no word can separate what is spelled alike.
fn spelled_alike(root: &HolderName, other: &HolderName) -> bool {
    let long = root.letters.len().min(other.letters.len()) >= MIN_LETTERS;
    root.letters == other.letters
        || long && one_letter_lost(&root.letters, &other.letters)
        || long && one_letter_lost(&root.unfolded_letters, &other.unfolded_letters)
}

/// A lost letter may be the one by which a word was known, so names that are spelled alike are also
/// compared as they are written.
fn best_resemblance(root: &HolderName, other: &HolderName) -> f64 {
    resemblance(&root.canonical, &other.canonical)
        .max(resemblance(&root.spelled, &other.spelled))
        .max(resemblance(&root.unfolded_letters, &other.unfolded_letters))
}

/// Which word of one name is which of the other.
struct Matching<'a> {
    root: &'a HolderName,
    other: &'a HolderName,
    /// For each word of the root the index of the other's.
    of_root: Vec<Option<usize>>,
    of_other: Vec<Option<usize>>,
    other_kind: bool,
    other_qualifier: bool,
}

impl<'a> Matching<'a> {
    fn of(root: &'a HolderName, other: &'a HolderName) -> Matching<'a> {
        let mut matching = Matching {
            root,
            other,
            of_root: vec![None; root.words.len()],
            of_other: vec![None; other.words.len()],
            other_kind: is_other_kind(root, other),
            other_qualifier: is_other_qualifier(root, other),
        };
        matching.find_same();
        matching.find_misspelt();
        matching
    }

    /// A word may stand twice in one name and once in the other.
    fn find_same(&mut self) {
        for (at, word) in self.root.words.iter().enumerate() {
            for (there, candidate) in self.other.words.iter().enumerate() {
                if word.text == candidate.text {
                    self.of_root[at].get_or_insert(there);
                    self.of_other[there].get_or_insert(at);
                }
            }
        }
    }

    fn find_misspelt(&mut self) {
        for (at, word) in self.root.words.iter().enumerate() {
            if self.of_root[at].is_some() || !word.is_content() {
                continue;
            }
            let candidates = self.other.words.iter().enumerate();
            let found = candidates
                .filter(|(there, _)| self.of_other[*there].is_none())
                .find(|(_, candidate)| is_misspelt(word, candidate));
            if let Some((there, _)) = found {
                self.of_root[at] = Some(there);
                self.of_other[there] = Some(at);
            }
        }
    }

    fn weight(&self, at: usize) -> f64 {
        let word = &self.root.words[at];
        let repeated = self.root.words[..at].iter().any(|before| before.text == word.text);
        if word.beside || repeated { 0.0 } else { word.class.weight() }
    }

    fn coverage(&self) -> f64 {
        let (mut covered, mut all) = (0.0, 0.0);
        for (at, word) in self.root.words.iter().enumerate() {
            let weight = self.weight(at);
            all += weight;
            covered += match self.of_root[at] {
                Some(there) if self.other.words[there].text == word.text => weight,
                Some(_) => weight * MISSPELT_SHARE,
                None => 0.0,
            };
        }
        if all > 0.0 { covered / all } else { 0.0 }
    }

    fn separated(&self) -> bool {
        (0..self.root.words.len()).any(|at| self.separates_in_root(at))
            || (0..self.other.words.len()).any(|at| self.separates_in_other(at))
    }

    fn separates_in_root(&self, at: usize) -> bool {
        let word = &self.root.words[at];
        match word.class {
            TokenClass::Institution => self.other_kind,
            TokenClass::Qualifier => self.other_qualifier,
            _ => self.of_root[at].is_none() && word.is_content(),
        }
    }

    fn separates_in_other(&self, at: usize) -> bool {
        let word = &self.other.words[at];
        match word.class {
            TokenClass::Institution => self.other_kind,
            TokenClass::Qualifier => self.other_qualifier,
            TokenClass::Related => self.of_other[at].is_none(),
            _ => self.of_other[at].is_none() && word.is_content() && self.is_within_name(at),
        }
    }

    /// Whether a word that the root lacks is part of the other's name, rather than added to it.
    ///
    /// If the root has no proper name (`Hochschule für Musik`), any added word is the one that
    /// says which of them is meant.
    fn is_within_name(&self, at: usize) -> bool {
        if !self.root.has_proper_name() || self.is_tied(at) {
            return true;
        }
        let segment = self.other.words[at].segment;
        let in_segment = |there: &usize| self.other.words[*there].segment == segment;
        let here = || (0..self.other.words.len()).filter(in_segment);
        let last_found = here().rfind(|there| self.is_found(*there));
        let last_body = here().rfind(|there| self.is_body(*there));
        // What follows the body and the words known of its name is added to the name; what follows
        // the body first says which one it is.
        match (last_found, last_body) {
            (None, body) => body.is_some(),
            (Some(found), Some(body)) => at < found.max(body) || found < body,
            (Some(found), None) => at < found,
        }
    }

    /// A hyphen makes one word of it with a word of the name.
    fn is_tied(&self, at: usize) -> bool {
        let before = self.other.words[at].joined.then(|| at.wrapping_sub(1));
        let after = self.other.words.get(at + 1).filter(|next| next.joined).map(|_| at + 1);
        let neighbours = before.into_iter().chain(after);
        neighbours.into_iter().any(|there| {
            there < self.other.words.len() && (self.is_found(there) || self.is_body(there))
        })
    }

    fn is_body(&self, at: usize) -> bool {
        self.other.words[at].is(TokenClass::Institution)
    }

    /// Whether it is a telling word of the root's name.
    fn is_found(&self, at: usize) -> bool {
        self.of_other[at].is_some_and(|root| self.root.words[root].is_content())
    }

    fn into_reasons(self) -> Vec<TokenReason> {
        let of_root = (0..self.root.words.len()).map(|at| TokenReason {
            token: self.root.words[at].text.clone(),
            class: self.root.words[at].class,
            side: Side::Root,
            weight: self.weight(at),
            matched: self.of_root[at].map(|there| self.other.words[there].text.clone()),
            separates: self.separates_in_root(at),
        });
        let only_other = (0..self.other.words.len()).filter(|at| self.of_other[*at].is_none());
        let of_other = only_other.map(|at| TokenReason {
            token: self.other.words[at].text.clone(),
            class: self.other.words[at].class,
            side: Side::Other,
            weight: 0.0,
            matched: None,
            separates: self.separates_in_other(at),
        });
        of_root.chain(of_other).collect()
    }
}

/// Bodies of which one is a university and the other is not. Names with several kinds of body in
/// them (`Hochschule Geisenheim University`) need one in common.
fn is_other_kind(root: &HolderName, other: &HolderName) -> bool {
    let none_shared = !root.kinds().any(|kind| other.kinds().any(|there| there == kind));
    let any = root.kinds().next().is_some() || other.kinds().next().is_some();
    any && none_shared
}

/// Frankfurt am Main and Frankfurt (Oder); Frankfurt alone may be either.
fn is_other_qualifier(root: &HolderName, other: &HolderName) -> bool {
    let qualifiers = |name: &'_ HolderName| -> Vec<String> {
        let words = name.words.iter().filter(|word| word.is(TokenClass::Qualifier));
        words.map(|word| word.text.clone()).collect()
    };
    let (ours, theirs) = (qualifiers(root), qualifiers(other));
    !ours.is_empty() && !theirs.is_empty() && !ours.iter().any(|word| theirs.contains(word))
}

/// A lost letter, or one too many. A replaced letter is too often another place: Freiburg and
/// Freiberg.
fn is_misspelt(word: &Word, candidate: &Word) -> bool {
    // Two words of the table are two words.
    let both_known = word.known && candidate.known;
    let long = word.text.len().max(candidate.text.len()) >= MIN_MISSPELT;
    !both_known && long && one_letter_lost(&word.text, &candidate.text)
}

//! What must occur in a text that has a hit, for an index that finds candidates.
//!
//! The answer is a list of demands, each met by any of its literals. It is safe, not sharp: a text
//! that fails a demand has no hit, one that meets all may have none. Regular expressions demand
//! nothing, since what an index could make of them is for the index to say.
//!
//! An index that folds its words ([`auslese_words::fold`]) finds the folded literals, whatever the
//! sensitivity, if it leaves soft hyphens and other invisible signs out of words as this crate does.

use super::Tree;
use super::pattern::{PatternKind, TokenPattern, Wild};
use crate::Sensitivity;
use auslese_words::{fold, tokens};
use serde::Serialize;

/// Letters that must occur at some place of some token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Literal {
    /// In the form of the sensitivity.
    pub text: String,
    /// In lower case with umlauts written out.
    pub folded: String,
    pub sensitivity: Sensitivity,
    pub place: LiteralPlace,
}

/// Where in a token the letters stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LiteralPlace {
    Whole,
    Prefix,
    Suffix,
    Inside,
}

impl Literal {
    /// The folded words of the literal, for an index that ends words at hyphens and apostrophes: all
    /// of them must occur. Of a prefix the last is a prefix only, of a suffix the first a suffix; what
    /// stands inside is both.
    pub fn words(&self) -> Vec<&str> {
        tokens(&self.folded).collect()
    }
}

pub(super) fn clauses(tree: &Tree, patterns: &[TokenPattern]) -> Vec<Vec<Literal>> {
    match tree {
        Tree::Token(number) => literal(&patterns[*number]).map(|it| vec![it]).into_iter().collect(),
        Tree::Sequence(parts) => {
            let mut all: Vec<Vec<Literal>> = Vec::new();
            for clause in parts.iter().flat_map(|part| clauses(part, patterns)) {
                if !all.contains(&clause) {
                    all.push(clause);
                }
            }
            all
        }
        Tree::Any(parts) => {
            // One demand of each alternative: whichever is there, its demand is met.
            let strictest: Option<Vec<Vec<Literal>>> = parts
                .iter()
                .map(|part| clauses(part, patterns).into_iter().max_by_key(|it| strictness(it)))
                .collect();
            let mut union: Vec<Literal> = Vec::new();
            for literal in strictest.into_iter().flatten().flatten() {
                if !union.contains(&literal) {
                    union.push(literal);
                }
            }
            if union.is_empty() { Vec::new() } else { vec![union] }
        }
        Tree::Repeat { least: 0, .. } => Vec::new(),
        Tree::Repeat { of, .. } => clauses(of, patterns),
    }
}

/// Few and long literals leave the fewest texts.
fn strictness(clause: &[Literal]) -> (bool, usize) {
    let whole = clause.iter().all(|literal| literal.place == LiteralPlace::Whole);
    (whole, clause.iter().map(|literal| literal.text.chars().count()).min().unwrap_or(0))
}

fn literal(pattern: &TokenPattern) -> Option<Literal> {
    let (text, place) = match &pattern.kind {
        PatternKind::Any | PatternKind::Regex(_) => return None,
        PatternKind::Word(word) => (word, LiteralPlace::Whole),
        PatternKind::Wildcards(parts) => longest_literal(parts)?,
    };
    // A sigma at the end of a word in capitals folds to another letter than one in lower case.
    if text.contains(['σ', 'ς']) {
        return None;
    }
    let (text, sensitivity) = (text.clone(), pattern.sensitivity);
    Some(Literal { folded: fold(&text), text, sensitivity, place })
}

fn longest_literal(parts: &[Wild]) -> Option<(&String, LiteralPlace)> {
    let literals = parts.iter().enumerate().filter_map(|(number, part)| match part {
        Wild::Literal(text) if number == 0 => Some((text, LiteralPlace::Prefix)),
        Wild::Literal(text) if number + 1 == parts.len() => Some((text, LiteralPlace::Suffix)),
        Wild::Literal(text) => Some((text, LiteralPlace::Inside)),
        Wild::Many | Wild::One => None,
    });
    literals.max_by_key(|(text, _)| text.chars().count())
}

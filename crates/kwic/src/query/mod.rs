//! What is looked for: a sequence of token patterns.
//!
//! The language is a small relative of CQP's: words, `wort*`, `/regex/`, `[]` for any token, gaps
//! `[]{0,3}`, alternatives `(a|b)`, flags `%c %d %s`. Everything is bounded: no pattern repeats
//! without end, so a node has a longest length, and regular expressions run on a linear engine
//! within a size limit. The grammar is in `docs/kwic.md`.
//!
//! [`parse`] turns the line into a tree, [`program`] the tree into steps, [`matching`] runs them.

mod matching;
mod parse;
mod pattern;
mod program;
mod required;
#[cfg(test)]
mod tests;

pub use matching::{Hit, MAX_COMPARED_TOKEN, Matcher};
pub use pattern::MAX_TOKEN_REGEX;
pub use required::{Literal, LiteralPlace};

use crate::error::KwicError;
use crate::{Sensitivity, TokenRule};
use pattern::TokenPattern;
use program::Step;

/// Longest query, in bytes.
pub const MAX_NODE_QUERY: usize = 1_000;
/// Longest node, in tokens, gaps included.
pub const MAX_NODE_TOKENS: usize = 100;
/// Groups within groups.
pub const MAX_QUERY_NESTING: usize = 32;
/// Different patterns of tokens in a query: one bit of a word each.
pub const MAX_TOKEN_PATTERNS: usize = 64;
/// Steps of a query when repetitions are written out.
pub const MAX_QUERY_STEPS: usize = 4_000;

/// A query that was understood.
#[derive(Debug, Clone)]
pub struct NodeQuery {
    source: String,
    rule: TokenRule,
    tree: Tree,
    patterns: Vec<TokenPattern>,
    steps: Vec<Step>,
}

/// How sequences and alternatives are put together; patterns by their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tree {
    Token(usize),
    Sequence(Vec<Tree>),
    /// The first that fits is taken.
    Any(Vec<Tree>),
    /// As many as possible, or as few as possible for gaps.
    Repeat {
        of: Box<Tree>,
        least: usize,
        most: usize,
        is_gap: bool,
    },
}

impl NodeQuery {
    /// Reads a query. Words of the query are cut into tokens as texts are, by `rule`; words without
    /// a flag are compared with this sensitivity.
    ///
    /// ```
    /// use auslese_kwic::{NodeQuery, Sensitivity, TokenRule};
    ///
    /// let read = |query| NodeQuery::parse(query, TokenRule::Whole, Sensitivity::IgnoreCase);
    /// assert!(read("(der|die) []{0,2} universit*").is_ok());
    /// let error = read("der (Rhein").unwrap_err();
    /// assert_eq!(error.to_string(), "'(' is never closed (at byte 4)");
    /// ```
    pub fn parse(
        query: &str,
        rule: TokenRule,
        sensitivity: Sensitivity,
    ) -> Result<NodeQuery, KwicError> {
        let (tree, patterns) = parse::parse(query, rule, sensitivity)?;
        let steps = program::compile(&tree, query.len())?;
        Ok(NodeQuery { source: query.to_owned(), rule, tree, patterns, steps })
    }

    /// The query as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// How texts must be cut into tokens to be asked.
    pub fn rule(&self) -> TokenRule {
        self.rule
    }

    /// The most tokens that a hit can have.
    pub fn longest(&self) -> usize {
        self.tree.lengths().1
    }

    /// What must occur in a text that has a hit: of each list at least one literal. An empty answer
    /// means that every text must be looked at.
    pub fn required(&self) -> Vec<Vec<Literal>> {
        required::clauses(&self.tree, &self.patterns)
    }
}

impl Tree {
    /// The fewest and the most tokens.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        match self {
            Tree::Token(_) => (1, 1),
            Tree::Sequence(parts) => parts.iter().map(Tree::lengths).fold((0, 0), |sum, part| {
                (sum.0.saturating_add(part.0), sum.1.saturating_add(part.1))
            }),
            Tree::Any(parts) => parts
                .iter()
                .map(Tree::lengths)
                .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
                .unwrap_or((0, 0)),
            Tree::Repeat { of, least, most, .. } => {
                let (fewest, longest) = of.lengths();
                (fewest.saturating_mul(*least), longest.saturating_mul(*most))
            }
        }
    }
}

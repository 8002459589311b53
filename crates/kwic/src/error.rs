//! What can be wrong with what people write: queries and sort orders. Each error knows its place.

use std::ops::Range;

/// A query or a sort order that cannot be used, and where it is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} (at byte {})", place.start)]
pub struct KwicError {
    pub problem: Problem,
    /// In bytes of what was written.
    pub place: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    #[error("the query is empty")]
    Empty,
    #[error("the query is longer than {limit} bytes (MAX_NODE_QUERY)")]
    TooLong { limit: usize },
    #[error("{0:?} is not expected here")]
    Unexpected(char),
    #[error("{0:?} is never closed")]
    Unclosed(char),
    #[error("nothing stands here")]
    NothingHere,
    #[error("{0:?} is no token")]
    NoToken(String),
    #[error("there is no flag %{0}")]
    UnknownFlag(char),
    #[error("these braces do not say how often")]
    BadRepeat,
    #[error("{least} is more than {most}")]
    RepeatReversed { least: usize, most: usize },
    #[error("a node may be {limit} tokens long (MAX_NODE_TOKENS), this one may be {tokens}")]
    NodeTooLong { tokens: usize, limit: usize },
    #[error("this can match without any token")]
    MatchesNothing,
    #[error("there are more than {limit} groups within groups (MAX_QUERY_NESTING)")]
    TooDeep { limit: usize },
    #[error("there are more than {limit} different token patterns (MAX_TOKEN_PATTERNS)")]
    TooManyPatterns { limit: usize },
    #[error("written out, the query has more than {limit} steps (MAX_QUERY_STEPS)")]
    TooManySteps { limit: usize },
    #[error("the regular expression is wrong: {0}")]
    BadRegex(String),
    #[error("compiled, the regular expression is larger than {limit} bytes (MAX_TOKEN_REGEX)")]
    RegexTooLarge { limit: usize },
    #[error("no word contains {letter:?} when accents are ignored")]
    NeverFolded { letter: char, instead: String },
    #[error("lines cannot be sorted by {0:?}")]
    UnknownSortLevel(String),
    #[error("lines are sorted by {limit} levels at most (MAX_SORT_LEVELS)")]
    TooManySortLevels { limit: usize },
}

impl KwicError {
    pub(crate) fn new(problem: Problem, place: Range<usize>) -> KwicError {
        KwicError { problem, place }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match &self.problem {
            Problem::Empty => "write a word, such as Hochschule, or several in a row",
            Problem::Unexpected('*') => "repeat with braces: []{0,3}",
            Problem::Unexpected('%') => "flags stand directly behind a word: Wort%d",
            Problem::Unexpected(_) => {
                "put signs that belong to a word between quotes: \"a)\" is the word a"
            }
            Problem::Unclosed('/') => "a regular expression ends with /; inside write \\/",
            Problem::Unclosed(_) => "close it, or put it between quotes",
            Problem::NothingHere => "write a word here, or [] for any token",
            Problem::NoToken(_) => "signs are no tokens: leave them out; * stands for any letters",
            Problem::UnknownFlag(_) => {
                "%c ignores case, %d ignores accents and case, %s takes the word as it is written"
            }
            Problem::BadRepeat => "write {2} or {0,3}",
            Problem::RepeatReversed { .. } => "write the smaller number first",
            Problem::NodeTooLong { .. } => "make gaps smaller, or ask for collocations",
            Problem::MatchesNothing => "at least one token must be there: {1,3} instead of {0,3}",
            Problem::RegexTooLarge { .. } => {
                "make counts such as {1000} smaller, or leave them out"
            }
            Problem::NeverFolded { instead, .. } => return Some(format!("write {instead}")),
            Problem::UnknownSortLevel(_) => "levels are L1 to L3, R1 to R3 and node: L1,R1,node",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// The line that was written with a mark below the place, for people.
    pub fn pointed(&self, written: &str) -> String {
        let start = written.floor_char_boundary(self.place.start);
        let end = written.floor_char_boundary(self.place.end).max(start);
        let before = written[..start].chars().count();
        let marks = written[start..end].chars().count().max(1);
        let shown: String = written.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("{shown}\n{}{}", " ".repeat(before), "^".repeat(marks))
    }
}

//! By which words lines are sorted.

use crate::collation::collation_key;
use crate::error::{KwicError, Problem};
use crate::query::Hit;
use crate::tokens::Reading;
use serde::{Deserialize, Serialize};

/// Words by which lines are sorted at most.
pub const MAX_SORT_LEVELS: usize = 7;

/// Farthest word on either side.
const FARTHEST: u8 = 3;

/// The words that decide, the most important first; written `L1,R1,node`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SortOrder(pub Vec<SortLevel>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SortLevel {
    /// The word so many places before the node, from 1 to 3.
    Left(u8),
    /// The word so many places behind it.
    Right(u8),
    Node,
}

impl SortOrder {
    /// ```
    /// use auslese_kwic::{SortLevel, SortOrder};
    ///
    /// let order = SortOrder::parse("R1, node").unwrap();
    /// assert_eq!(order.0, [SortLevel::Right(1), SortLevel::Node]);
    /// assert_eq!(SortOrder::parse("R1,L9").unwrap_err().place, 3..5);
    /// ```
    pub fn parse(levels: &str) -> Result<SortOrder, KwicError> {
        let mut found = Vec::new();
        let mut at = 0;
        for part in levels.split(',') {
            let word = part.trim();
            let start = at + part.len() - part.trim_start().len();
            at += part.len() + 1;
            if word.is_empty() && levels.trim().is_empty() {
                break;
            }
            let unknown = || {
                KwicError::new(
                    Problem::UnknownSortLevel(word.to_owned()),
                    start..start + word.len(),
                )
            };
            found.push(level(word).ok_or_else(unknown)?);
        }
        if found.len() > MAX_SORT_LEVELS {
            let problem = Problem::TooManySortLevels { limit: MAX_SORT_LEVELS };
            return Err(KwicError::new(problem, 0..levels.len()));
        }
        Ok(SortOrder(found))
    }

    /// What a line is sorted by; empty if documents decide.
    pub(super) fn key(&self, reading: &Reading<'_>, hit: Hit) -> Box<str> {
        if self.0.is_empty() {
            return "".into();
        }
        let node = hit.tokens();
        let token = |at: usize| if at < reading.len() { reading.token(at) } else { "" };
        let words = self.0.iter().flat_map(|level| {
            let places = match level {
                SortLevel::Left(far) => match node.start.checked_sub(usize::from(*far)) {
                    Some(at) => at..at + 1,
                    None => usize::MAX - 1..usize::MAX,
                },
                SortLevel::Right(far) => {
                    let at = node.end + usize::from(*far) - 1;
                    at..at + 1
                }
                SortLevel::Node => node.clone(),
            };
            places.map(token)
        });
        collation_key(words).into()
    }
}

fn level(word: &str) -> Option<SortLevel> {
    if word.eq_ignore_ascii_case("node") {
        return Some(SortLevel::Node);
    }
    let far = |digits: &str| digits.parse().ok().filter(|far| (1..=FARTHEST).contains(far));
    match (word.get(..1)?, far(word.get(1..)?)?) {
        ("L" | "l", far) => Some(SortLevel::Left(far)),
        ("R" | "r", far) => Some(SortLevel::Right(far)),
        _ => None,
    }
}

//! What the evaluation of a rule may cost.

use super::evaluate::Exhausted;
use super::syntax::Pattern;

/// Nodes that one rule may try on one page.
pub const MAX_HEL_EVALUATIONS: u64 = 1_000_000;

/// Nodes passed over, or bytes read or made, that cost as much as a node tried.
pub(super) const READ_PER_EVALUATION: u64 = 64;

/// The work that may still be done: one evaluation for each node that is tried and for each value that is
/// made, and one for each 64 nodes passed over or bytes read. Nothing is made that is not paid, so that
/// memory is bounded, too.
#[derive(Debug, Clone)]
pub struct HelBudget {
    /// In units of a byte read.
    left: u64,
}

impl HelBudget {
    pub fn new(evaluations: u64) -> HelBudget {
        HelBudget { left: evaluations.saturating_mul(READ_PER_EVALUATION) }
    }

    pub(super) fn evaluation(&mut self) -> Result<(), Exhausted> {
        self.read(READ_PER_EVALUATION)
    }

    pub(super) fn read(&mut self, units: u64) -> Result<(), Exhausted> {
        let left = self.left.checked_sub(units);
        self.left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Exhausted)
    }

    /// Looking for a pattern takes longer the longer the pattern is.
    pub(super) fn search(&mut self, bytes: usize, pattern: &Pattern) -> Result<(), Exhausted> {
        self.read((bytes as u64 + READ_PER_EVALUATION).saturating_mul(pattern.cost))
    }
}

impl Default for HelBudget {
    fn default() -> HelBudget {
        HelBudget::new(MAX_HEL_EVALUATIONS)
    }
}

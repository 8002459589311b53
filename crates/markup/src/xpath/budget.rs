//! What an evaluation may cost, and why one can fail.

/// Steps that one evaluation may take, if nobody gives it another budget. A page of 1 MB has some
/// 50 000 nodes, so that is some 200 passes over a large page.
pub const MAX_XPATH_STEPS: u64 = 10_000_000;

/// Bytes of text that cost as much as a look at a node.
pub(super) const BYTES_PER_STEP: u64 = 8;

/// The work that may still be done: one step for each node that is looked at, and one for each
/// eight bytes of text that are read or made. Memory is bounded by it, too, for nothing is made
/// that is not paid. One budget may serve several evaluations.
#[derive(Debug, Clone)]
pub struct StepBudget {
    left: u64,
}

impl StepBudget {
    pub fn new(steps: u64) -> StepBudget {
        StepBudget { left: steps }
    }

    /// How many steps are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn spend(&mut self, steps: u64) -> Result<(), XPathFailure> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(XPathFailure::Budget)
            }
        }
    }

    pub(super) fn node(&mut self) -> Result<(), XPathFailure> {
        self.spend(1)
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<(), XPathFailure> {
        self.spend(count as u64 / BYTES_PER_STEP + 1)
    }
}

impl Default for StepBudget {
    fn default() -> StepBudget {
        StepBudget::new(MAX_XPATH_STEPS)
    }
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum XPathFailure {
    #[error("the expression takes too many steps on this page")]
    Budget,
    #[error("there is no variable ${0}")]
    UnknownVariable(String),
    /// A variable turned out to be a text or a number where nodes are needed.
    #[error("{0} takes a node set")]
    NotNodes(String),
    #[error("{0}")]
    Pattern(String),
    /// The context node, or one in a variable, is not in this tree.
    #[error("a node of another tree was given")]
    ForeignNode,
}

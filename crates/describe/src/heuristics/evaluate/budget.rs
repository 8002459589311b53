//! The budget of steps that a document may cost.
//!
//! Everything that is done is paid for, so that no heuristic runs for long on any page. When the budget
//! is used up, evaluation ends with [`Spent`] from the innermost value outwards; the first rule or name
//! that this passes is remembered, because whoever wrote it will want to know.

use super::Evaluation;
use crate::heuristics::faults::Span;
use std::cell::{Cell, OnceCell};

/// Steps that may be taken for one document. A look at a node, a comparison of two items and four
/// bytes of text that are read or made are one step each, an item that is made is sixteen; so time and
/// memory are bounded, the latter by some 150 MiB. A page of 100 KB takes a few hundred thousand.
pub const MAX_DESCRIBE_STEPS: u64 = 20_000_000;

/// Bytes of text that cost as much as a look at a node.
pub(super) const BYTES_PER_STEP: u64 = 4;

/// What an item costs: it is far larger than a step takes long.
pub(super) const STEPS_PER_ITEM: u64 = 16;

/// The budget of steps is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spent;

pub(crate) type Evaluated<T> = Result<T, Spent>;

pub(super) struct Budget {
    steps: u64,
    pub(super) left: Cell<u64>,
    /// What was being worked out when it was used up, and its place.
    spent_at: OnceCell<String>,
}

impl Budget {
    pub(super) fn of(steps: u64) -> Budget {
        Budget { steps, left: Cell::new(steps), spent_at: OnceCell::new() }
    }

    /// What to say when it is used up.
    pub(super) fn trouble(&self) -> String {
        let at = self.spent_at.get().map_or(String::new(), |at| format!(", at {at}"));
        format!("the budget of {} steps is used up{at}", self.steps)
    }
}

impl Evaluation<'_> {
    /// Pays for what is about to be done.
    pub(crate) fn spend(&self, steps: u64) -> Evaluated<()> {
        let left = &self.budget.left;
        match left.get().checked_sub(steps) {
            Some(more) if more > 0 => {
                left.set(more);
                Ok(())
            }
            _ => {
                left.set(0);
                Err(Spent)
            }
        }
    }

    /// Pays for text that is read or made.
    pub(crate) fn spend_bytes(&self, bytes: usize) -> Evaluated<()> {
        self.spend(bytes as u64 / BYTES_PER_STEP + 1)
    }

    /// Pays for what is done already.
    pub(super) fn charge(&self, steps: u64) {
        let left = &self.budget.left;
        left.set(left.get().saturating_sub(steps));
    }

    /// What became of a rule or a name; the innermost for which the budget did not suffice is remembered.
    pub(crate) fn noted<T>(&self, name: &str, span: Span, became: Evaluated<T>) -> Evaluated<T> {
        if became.is_err() {
            let at = || format!("{name} ({})", self.program.place(span));
            self.budget.spent_at.get_or_init(at);
        }
        became
    }
}

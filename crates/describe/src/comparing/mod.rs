//! Runs of descriptions: what changed between two of them, and how they are exchanged.
//!
//! Heuristics get better by running them again and again over the same documents and looking at what
//! is different. [`compare_runs`] counts it by field and by rule and lists it; [`RunWriter`] and
//! [`read_run`] exchange a run as XML or as JSON lines, so that others can look at it too.

mod comparison;
mod json_lines;
mod metered;
mod run;
mod xml_reader;
mod xml_writer;

pub use comparison::{
    Difference, DifferenceKind, FieldChanges, RuleChange, RunComparer, RunComparison, Side,
    compare_runs,
};
pub use metered::MAX_RUN_DOCUMENT;
pub use run::{RunError, RunFormat, RunHeader, RunWriter, read_run};

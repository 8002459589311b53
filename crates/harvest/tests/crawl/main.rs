//! Whole crawls of a simulated internet, through the crate's door.
//!
//! One program for all of them: linking takes longer than most of these crawls.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod archive;
mod budgets;
mod completeness;
mod databases;
mod decisions;
mod field;
mod guard;
mod membership;
mod misbehaviour;
mod notes;
mod organisation;
mod phase_one;
mod politeness;
mod registries;
mod robots;
mod scope;
mod signs;
mod traps;
mod trouble;

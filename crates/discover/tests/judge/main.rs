//! The judgement through its door: from observations to verdicts, in tables.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod evaluating;
mod golden;
mod indicators;
mod properties;
mod questions;
mod reviewing;
mod verdicts;
mod world;

//! Lookups against a simulated internet: registries of all kinds, with their bad habits.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod hostile;
mod imprints;
mod limits;
mod modes;
mod names;
mod pages;
mod registries;
mod world;

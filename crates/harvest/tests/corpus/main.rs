//! The corpus stage over crawls of a simulated internet, through the crate's door.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod building;
mod choosing;
mod demo_statistics;
mod descriptions;
mod exporting;
#[path = "../crawl/field.rs"]
#[allow(dead_code, reason = "shared with the tests of crawls, which look at more")]
mod field;
mod hostile;
mod imports;
mod interruption;
mod mirror;
mod previewing;
mod rounds;
mod statistics;

//! The summarizer against real databases: what it reads, what it refuses, and how it answers over HTTP.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod audit;
mod checking;
mod hostile;
mod limits;
mod manual;
mod provider;
mod service;
mod values;

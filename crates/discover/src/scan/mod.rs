//! Finds web servers in the organisation's network by asking every address: the servers nobody
//! links to.
//!
//! A scan is only made when a person asks for it, only inside the organisation's ranges, and gently:
//! what may be scanned is decided by [`ScanPlan::new`], which is pure; how it goes is bounded by
//! [`ScanRules`]. Each address is tried by connecting; where a port is open, the server's
//! certificate and its answers to `HEAD /` are read, and nothing else is ever sent. Every connection
//! is told as a [`Probe`].
//!
//! The order is random, so that no part of the network gets all the load, yet fixed by a seed: a
//! [`ScanState`] is the seed, a position and what was found, and can be kept anywhere. A scan that
//! was stopped goes on from its state and asks no address twice; after a crash only the addresses
//! that were under way are asked again.
//!
//! What is found are addresses, each with its class, and names: from reverse DNS, certificates and
//! redirects. A name counts only if the DNS leads from it back into the ranges.

mod answers;
mod class;
mod drive;
mod marks;
mod names;
mod order;
mod pace;
mod plan;
mod state;
mod survey;
mod sweep;
mod vantage;

pub use answers::{HeadAnswer, OpenPort, ShownCertificate};
pub use class::ServerClass;
pub use drive::{Listener, ScanError, ScanEvent, scan};
pub use names::{Candidate, CandidateSource, Confirmation, PointerName};
pub use plan::{LeftOut, ScanPlan, ScanRefused, ScanRules};
pub use state::{Outcome, Probe, ScanState, Sent, WebServer};
pub use sweep::{PointerSweep, SweepRules, ptr_sweep};
pub use vantage::Vantage;

//! The side of the parent: processes started, asked, watched and replaced.

mod ended;
mod helpers;
mod pool;
mod process;

pub use helpers::{Helped, Helper, HelperPrograms, HelperStatus};
pub use pool::Readers;
pub use process::Start;

//! The pages, one module each: what is asked of the address, the value that is shown, and how it looks.

mod about;
mod search;
mod start;

pub(crate) use about::{about, metrics};
pub(crate) use search::{export, search};
pub(crate) use start::start;

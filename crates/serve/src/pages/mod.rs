//! The pages, one module each: what is asked of the address, the value that is shown, and how it looks.

mod about;
mod document;
mod search;
mod start;

pub(crate) use about::{about, metrics};
pub(crate) use document::document_routes;
pub(crate) use search::{export, search};
pub(crate) use start::start;

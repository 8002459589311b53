//! The pages, one module each: what is asked of the address, the value that is shown, and how it looks.

mod about;
mod document;
mod search;
mod start;
mod vocabularies;
mod words;

pub(crate) use about::{about, metrics};
pub(crate) use document::document_routes;
pub(crate) use search::{export, search};
pub(crate) use start::start;
pub(crate) use vocabularies::{concept, vocabularies, vocabulary};
pub(crate) use words::{concordance, counted};

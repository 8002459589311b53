//! The pages, one module each: what is asked of the address, the value that is shown, and how it looks.

mod about;
mod access;
mod browse;
mod document;
mod language_facts;
mod listing;
mod notes;
mod organisation;
mod search;
mod sql;
mod start;
mod statistics;
mod trying;
mod vocabularies;
mod words;

pub(crate) use about::{about, metrics};
pub(crate) use access::{changes, log_in, log_out, login_page};
pub(crate) use browse::browse;
pub(crate) use document::document_routes;
pub(crate) use listing::choose;
pub(crate) use notes::note_routes;
pub(crate) use organisation::{DomainGraph, organisation, organisation_host};
pub(crate) use search::{export, search};
pub(crate) use sql::sql;
pub(crate) use start::start;
pub(crate) use statistics::{statistics, statistics_table};
pub(crate) use trying::{Bench, try_out, try_page};
pub(crate) use vocabularies::{concept, vocabularies, vocabulary};
pub(crate) use words::{concordance, counted};

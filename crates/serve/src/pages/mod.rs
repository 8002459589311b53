//! The pages, one module each: what is asked of the address, the value that is shown, and how it looks.

mod about;
mod access;
mod bench;
mod browse;
mod document;
mod listing;
mod monitor;
mod notes;
mod organisation;
mod robots;
mod rules;
mod search;
mod sql;
mod start;
mod statistics;
mod steering;
mod vocabularies;
mod words;

pub(crate) use about::{about, metrics};
pub(crate) use access::{changes, log_in, log_out, login_page};
pub(crate) use bench::{RunsCompared, bench_routes};
pub(crate) use browse::browse;

use access::own_page;
pub(crate) use document::document_routes;
use document::rule as document_rule;
pub(crate) use listing::choose;
pub(crate) use monitor::monitor_routes;
pub(crate) use notes::note_routes;
pub(crate) use organisation::{DomainGraph, organisation, organisation_host, review_routes};
pub(crate) use rules::rules_routes;
pub(crate) use search::{export, search};
pub(crate) use sql::sql;
pub(crate) use start::start;
pub(crate) use statistics::{statistics, statistics_table};
pub(crate) use vocabularies::{concept, vocabularies, vocabulary};
pub(crate) use words::{concordance, counted};

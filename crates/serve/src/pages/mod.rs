//! The pages, one module each: what is asked of the address, the value that is shown, and how it looks.

mod about;
mod access;
mod bench;
mod browse;
mod databases;
mod document;
mod language_facts;
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
mod trying;
mod vocabularies;
mod words;

pub(crate) use about::{about, metrics};
pub(crate) use access::{changes, log_in, log_out, login_page};
pub(crate) use bench::{RunsCompared, bench_routes};
pub(crate) use browse::browse;
pub(crate) use databases::database_routes;
pub(crate) use document::document_routes;
pub(crate) use listing::choose;
pub(crate) use monitor::monitor_routes;
pub(crate) use notes::note_routes;
pub(crate) use organisation::{DomainGraph, organisation, organisation_host, review_routes};
pub(crate) use rules::rules_routes;
pub(crate) use search::{export, search};
pub(crate) use sql::sql;
pub(crate) use start::start;
pub(crate) use statistics::{statistics, statistics_table};
pub(crate) use trying::{Tools, try_out, try_page};
pub(crate) use vocabularies::{concept, vocabularies, vocabulary};
pub(crate) use words::{concordance, counted};

use access::own_page;
use document::rule as document_rule;

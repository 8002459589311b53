//! What discovery keeps: verdicts on hosts, the answers of registries, decisions by hand, host names
//! found without a link, scanned web servers, and which server links to which.
//!
//! Everything is written in batches. What was observed (verdicts, answers, scans) carries its time,
//! and the newer observation holds, in whatever order they arrive. Large tables are read in pages
//! along their key, so that memory stays bounded; an empty page ends.

mod candidate;
mod decision;
mod link;
mod listing;
mod lookups;
mod reopening;
mod verdict;
mod waiting;
mod web_server;

pub use candidate::NumberedCandidate;
pub use decision::{DECISION_NOTE, HandDecision, HostPattern};
pub use listing::{HostFilter, HostOrder, JudgedHost, MetHost};
pub use verdict::{HostCounts, Judged};
pub use waiting::UnsureHost;
pub use web_server::WebServer;

pub(crate) use link::insert_links;
pub(crate) use verdict::count_hosts;

use crate::CatalogError;
use crate::engine::Value;
use crate::value::storable;
use auslese_model::HostName;

/// Bytes of a name that is part of a key, such as the source of a candidate; the rest is cut off.
/// PostgreSQL's indexes take 2704 bytes.
const KEY_TEXT: usize = 500;

/// A text of a key as it is stored.
pub(crate) fn key_text(text: &str) -> String {
    let mut text = storable(text);
    text.truncate(text.floor_char_boundary(KEY_TEXT));
    text
}

/// JSON without the character U+0000 even in its escaped form: PostgreSQL's JSON refuses it.
pub(crate) fn json(mut value: serde_json::Value) -> Value {
    clean(&mut value);
    Value::Text(Some(value.to_string()))
}

fn clean(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) => *text = storable(text),
        serde_json::Value::Array(list) => list.iter_mut().for_each(clean),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(clean),
        _ => {}
    }
}

fn read_host(name: &str) -> Result<HostName, CatalogError> {
    HostName::parse(name).ok_or_else(|| CatalogError::damaged(format!("a host is named {name:?}")))
}

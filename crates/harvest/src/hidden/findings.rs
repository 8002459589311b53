//! What a talk with a database brought, in the same shape for all of them.

use super::talk::Answer;
use auslese_catalog::{Asked, StoredValue};
use auslese_hidden::{DatabaseSummary, Problem};
use auslese_model::{RunId, Timestamp};

/// Bytes of the name of an attribute; one with a longer name is left out.
pub const MAX_ATTRIBUTE_NAME: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) title: Option<String>,
    /// How it was asked, for people to see.
    pub(crate) plan: Option<(serde_json::Value, u64)>,
    pub(crate) complete: bool,
    pub(crate) queries: u64,
    pub(crate) pages: u64,
    pub(crate) failed: u64,
    pub(crate) truncated: Option<u64>,
    pub(crate) stopped: Option<String>,
    pub(crate) coverage: Option<f64>,
    pub(crate) next_from: Option<String>,
    pub(crate) problems: Vec<Problem>,
    /// None if nothing was learnt, so that what is known stays.
    pub(crate) attributes: Option<Vec<(String, Vec<StoredValue>)>>,
}

impl Findings {
    /// What a summary says; `address` tells which address shows the answer to a query.
    pub(super) fn of_summary(
        summary: DatabaseSummary,
        address: impl Fn(u64) -> Option<String>,
    ) -> Findings {
        let mut problems = summary.problems;
        let mut attributes = Vec::new();
        for attribute in summary.attributes {
            if attribute.name.len() > MAX_ATTRIBUTE_NAME {
                let name = &attribute.name[..attribute.name.floor_char_boundary(40)];
                let message = format!("names have at most {MAX_ATTRIBUTE_NAME} bytes");
                problems.push(Problem::new("E_ATTRIBUTE_NAME", name, message));
                continue;
            }
            let values = attribute.values.into_iter().zip(attribute.shown_by);
            let values = values.map(|(value, query)| {
                let query = query.and_then(&address);
                StoredValue { value, query }
            });
            attributes.push((attribute.name, values.collect()));
        }
        let titled = summary.about.into_iter().find(|(name, _)| name == "Title");
        Findings {
            title: titled.map(|(_, title)| title),
            complete: summary.stopped.is_none(),
            queries: summary.queries,
            pages: summary.pages,
            failed: summary.failed,
            truncated: summary.truncated,
            stopped: summary.stopped,
            problems,
            // A database that was left alone at once must not lose what it once said.
            attributes: (summary.pages > 0 || !attributes.is_empty()).then_some(attributes),
            ..Findings::default()
        }
    }

    pub(super) fn stop(&mut self, reason: &str) {
        self.stopped.get_or_insert_with(|| reason.to_owned());
    }

    /// Whether an answer is there to be read; if not, why is noted.
    pub(super) fn is_open(&mut self, answer: &Answer) -> bool {
        match answer.status {
            200 => return true,
            401 | 403 => {
                let message = format!("status {}: it is open to some only", answer.status);
                self.problems.push(Problem::new("E_CONFIG_DENIED", answer.url.as_str(), message));
            }
            _ => {}
        }
        self.failed += 1;
        self.stop(&format!("{} answered with status {}", answer.url, answer.status));
        false
    }

    /// Adds the values of an attribute, each once.
    pub(super) fn add_all(&mut self, name: &str, values: Vec<String>) {
        let attributes = self.attributes.get_or_insert_default();
        let mut seen = rustc_hash::FxHashSet::default();
        let values = values.into_iter().filter(|value| seen.insert(value.clone()));
        let values = values.map(|value| StoredValue { value, query: None });
        attributes.push((name.to_owned(), values.collect()));
    }

    pub(crate) fn asked(self, run: RunId, at: Timestamp, cost: (u64, u64)) -> Asked {
        Asked {
            run,
            at,
            complete: self.complete,
            title: self.title,
            queries: self.queries,
            pages: self.pages,
            failed: self.failed,
            requests: cost.0,
            bytes: cost.1,
            truncated: self.truncated,
            stopped: self.stopped,
            coverage: self.coverage,
            next_from: self.next_from,
            problems: serde_json::json!(self.problems),
            attributes: self.attributes,
        }
    }
}

//! Hits that are no documents: databases, with the values that were looked for, and records of repositories.
//!
//! The index has the values of a database as one text. Which attribute a word belongs to, and which address shows it
//! there, is in the catalog; so the words marked in the snippet are looked up among the values once more.

use super::super::databases::{database_name, kind_name, live_link};
use crate::problem::Problem;
use crate::site::Harvest;
use crate::view::View;
use auslese_catalog::ValueMatch;
use auslese_model::{DatabaseId, DatabaseKind};
use auslese_search::{Hit, HitKey};
use maud::{Markup, html};
use serde::Serialize;

/// Values of a database that are shown with a hit.
const MATCHES: usize = 5;
/// Values that are looked at for each word, so that those with several words can come first.
const LOOKED_AT: usize = 50;
/// Words of a question that are looked up.
const WORDS: usize = 4;

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub(super) enum Beyond {
    Database { interface: DatabaseKind, form: String, matches: Vec<MatchingValue> },
    Record { repository: String, repository_title: String, document: Option<String> },
}

/// A value with what was looked for, and the address that shows it live.
#[derive(Debug, Serialize)]
pub(super) struct MatchingValue {
    attribute: String,
    value: String,
    query: Option<String>,
}

/// What the catalog knows of a hit that is no document; none if it is one, or is not known any more.
pub(super) async fn look_up(harvest: &Harvest, hit: &Hit) -> Result<Option<Beyond>, Problem> {
    let catalog = &harvest.catalog;
    match HitKey::of(hit.key) {
        HitKey::Document(_) => Ok(None),
        HitKey::Database(id) => {
            let Some(database) = catalog.hidden_database(id).await? else { return Ok(None) };
            Ok(Some(Beyond::Database {
                interface: database.new.kind,
                form: database.new.url,
                matches: matching(harvest, id, &words(hit)).await?,
            }))
        }
        HitKey::Record(id) => {
            let Some(stored) = catalog.hidden_record(id).await? else { return Ok(None) };
            let database = catalog.hidden_database(stored.database).await?;
            let title = database.map(|it| database_name(&it.new));
            Ok(Some(Beyond::Record {
                repository: format!("/databases/{}/{}", harvest.name, stored.database.0),
                repository_title: title.unwrap_or_else(|| "–".to_owned()),
                document: stored.record.url,
            }))
        }
    }
}

/// The words of the question as they stand in the text; where none is near, as the index has them.
fn words(hit: &Hit) -> Vec<String> {
    let snippet = hit.snippet.iter();
    let marked =
        snippet.flat_map(|it| it.marks.iter().filter_map(|mark| it.text.get(mark.clone())));
    let found = distinct(marked);
    if !found.is_empty() {
        return found;
    }
    let terms = hit.why.iter().flat_map(|why| &why.terms);
    distinct(terms.flat_map(|term| &term.fields).map(|field| field.form.as_str()))
}

fn distinct<'a>(all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in all.filter(|word| !word.trim().is_empty()) {
        if words.len() < WORDS && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// Values with these words, those with most of them first.
async fn matching(
    harvest: &Harvest,
    id: DatabaseId,
    words: &[String],
) -> Result<Vec<MatchingValue>, Problem> {
    let mut found: Vec<ValueMatch> = Vec::new();
    for word in words {
        for value in harvest.catalog.hidden_matches(id, word, LOOKED_AT).await? {
            if !found.contains(&value) {
                found.push(value);
            }
        }
    }
    let small: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    found.sort_by_cached_key(|it| {
        let value = it.value.value.to_lowercase();
        let has = small.iter().filter(|word| value.contains(word.as_str())).count();
        std::cmp::Reverse(has)
    });
    let shown = found.into_iter().take(MATCHES).map(|it| MatchingValue {
        attribute: it.attribute,
        value: it.value.value,
        query: it.value.query,
    });
    Ok(shown.collect())
}

impl Beyond {
    /// Whether it says better than a snippet where something was found.
    pub(super) fn has_lines(&self) -> bool {
        matches!(self, Beyond::Database { matches, .. } if !matches.is_empty())
    }

    pub(super) fn markup(&self, view: &View, page: &str) -> Markup {
        html! {
            @match self {
                Beyond::Database { interface, form, matches } => {
                    @if !matches.is_empty() {
                        ul .lines { @for it in matches { li {
                            span .soft { (it.attribute) ": " } (it.value)
                            @if let Some(query) = &it.query { " " (live_link(view, query, view.say("ask for it there", "dort danach fragen"))) }
                        } } }
                    }
                    p .about {
                        a href=(page) { (view.say("What is in the database", "Was in der Datenbank steht")) } " · "
                        (live_link(view, form, kind_name(view, *interface)))
                    }
                },
                Beyond::Record { repository, repository_title, document } => p .about {
                    (view.say("From ", "Aus ")) a href=(repository) { (repository_title) }
                    @if let Some(document) = document { " · " (live_link(view, document, view.say("the document", "das Dokument"))) }
                },
            }
        }
    }
}

//! Entries of a bibliography as they are shown: the text, its parts, and the document it cites.

use super::super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::{described, evidence};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::Failure;
use auslese_catalog::CitationEntry;
use auslese_describe::citation;
use auslese_model::{Citation, CitationEvidence};
use serde::Serialize;
use std::collections::BTreeMap;

/// An entry as it is shown.
#[derive(Debug, Clone, Serialize)]
pub(in crate::commands) struct EntryStory {
    entry: u64,
    text: String,
    parts: Citation,
    /// The document of the harvest that it cites.
    #[serde(skip_serializing_if = "Option::is_none")]
    cites: Option<Cites>,
}

#[derive(Debug, Clone, Serialize)]
struct Cites {
    url: String,
    score: f64,
    by: Vec<CitationEvidence>,
}

impl From<CitationEntry> for EntryStory {
    fn from(entry: CitationEntry) -> EntryStory {
        let CitationEntry { entry, text, parts, cited } = entry;
        let cites = cited.map(|(cited, url)| Cites { url, score: cited.score, by: cited.by });
        EntryStory { entry, text, parts, cites }
    }
}

/// Entries taken apart; those of a page of the harvest with what the current run resolved them to.
pub(in crate::commands) fn entry_stories<'t>(
    texts: impl Iterator<Item = &'t str>,
    url: Option<&str>,
    place: &Place,
) -> Result<Vec<EntryStory>, Failure> {
    let mut stored = match url {
        Some(url) => stored_entries(url, place)?,
        None => BTreeMap::new(),
    };
    let story = |(entry, text): (u64, &str)| {
        let cites = stored.remove(text).and_then(|story| story.cites);
        EntryStory { entry, text: text.to_owned(), parts: citation(text), cites }
    };
    Ok((1..).zip(texts).map(story).collect())
}

/// What the current run stored of a document's bibliography, by the text of the entries.
fn stored_entries(url: &str, place: &Place) -> Result<BTreeMap<String, EntryStory>, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let run = catalog.current_describe_run().await.map_err(catalog_failure)?;
        let mut stored = BTreeMap::new();
        if let Some(run) = run
            && let Some((capture, _)) = described(&catalog, run, url).await?
        {
            let entries = catalog.citations_of(run, capture).await.map_err(catalog_failure)?;
            let stories = entries.into_iter().map(EntryStory::from);
            stored.extend(stories.map(|story| (story.text.clone(), story)));
        }
        catalog.close().await;
        Ok(stored)
    })
}

/// An entry in some lines.
pub(in crate::commands) fn entry_text(story: &EntryStory) -> String {
    let mut text = format!("  {:>3}  {}\n", story.entry, story.text);
    let parts = parts_text(&story.parts);
    if !parts.is_empty() {
        text.push_str(&format!("       {parts}\n"));
    }
    if let Some(Cites { url, score, by }) = &story.cites {
        text.push_str(&format!("       → {url}  {score:.2}  {}\n", evidence(by)));
    }
    text
}

fn parts_text(parts: &Citation) -> String {
    let Citation { authors, title, year, venue, pages, identifiers } = parts;
    let authors: Vec<String> = authors.iter().map(ToString::to_string).collect();
    let named = [
        ("authors", (!authors.is_empty()).then(|| authors.join(", "))),
        ("title", title.clone()),
        ("year", year.map(|year| year.to_string())),
        ("in", venue.clone()),
        ("pages", pages.clone()),
    ];
    let named = named.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", value?)));
    named.chain(identifiers.iter().map(ToString::to_string)).collect::<Vec<_>>().join(" | ")
}

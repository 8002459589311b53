//! Vocabularies and the concordances between them: lists, trees, concepts with their mappings.

mod concept;
mod tree;

pub(crate) use concept::concept;
pub(crate) use tree::vocabulary;

use crate::look::{Section, empty_note};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_vocabulary::{ConceptLink, Listed, Relation, Relevance, ShortName, Vocabularies};
use axum::extract::{Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use url::form_urlencoded;

/// Concepts that a search shows.
const FOUND: usize = 50;

#[derive(Debug, Serialize)]
struct VocabulariesPage {
    q: String,
    harvests: Vec<HarvestVocabularies>,
}

#[derive(Debug, Serialize)]
struct HarvestVocabularies {
    name: String,
    title: String,
    listed: Vec<Listed>,
    /// Concepts found by the question, if there is one.
    found: Vec<ConceptLink>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    q: String,
}

pub(crate) async fn vocabularies(
    State(site): State<Arc<Site>>,
    view: View,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let desk = site.desk().await?;
    let languages = languages(&view);
    let each = site.harvests.iter().zip(&desk.transferring).map(|(harvest, transferring)| {
        let vocabularies = transferring.vocabularies();
        HarvestVocabularies {
            name: harvest.name.clone(),
            title: harvest.title.clone(),
            listed: vocabularies.list(),
            found: vocabularies.search(&asked.q, None, &languages, FOUND),
        }
    });
    Ok(view.answer(&VocabulariesPage { harvests: each.collect(), q: asked.q }))
}

/// The vocabularies of a harvest, for something that is looked up in them.
async fn looked_up<T>(
    site: &Site,
    harvest: &str,
    look: impl FnOnce(&Vocabularies) -> Option<T>,
) -> Result<T, Problem> {
    let desk = site.desk().await?;
    let number = site.harvests.iter().position(|known| known.name == harvest);
    let found = number
        .and_then(|number| desk.transferring.get(number))
        .and_then(|transferring| look(transferring.vocabularies()));
    found.ok_or_else(|| {
        Problem::not_found(
            "There is no such vocabulary or concept.",
            "Dieses Vokabular oder diesen Begriff gibt es nicht.",
        )
    })
}

/// Names are shown in the language of the reader, else in the other.
fn languages(view: &View) -> Vec<String> {
    view.say(["en", "de"], ["de", "en"]).map(str::to_owned).to_vec()
}

fn concept_address(harvest: &str, concept: &ConceptLink) -> Option<String> {
    let vocabulary = concept.vocabulary.as_ref()?;
    let uri: String = form_urlencoded::byte_serialize(concept.uri.as_bytes()).collect();
    Some(format!("/vocabularies/{harvest}/{vocabulary}/concept?uri={uri}"))
}

fn concept_link(harvest: &str, concept: &ConceptLink) -> Markup {
    html! {
        @match concept_address(harvest, concept) {
            Some(address) => a href=(address) { (concept.label) },
            None => (concept.label),
        }
        @for notation in &concept.notations { " " code { (notation) } }
    }
}

fn relation_words(view: &View, relation: Relation) -> &'static str {
    match relation {
        Relation::Exact => view.say("means the same", "meint dasselbe"),
        Relation::Close => view.say("means nearly the same", "meint fast dasselbe"),
        Relation::Broad => view.say("is wider", "ist weiter"),
        Relation::Narrow => view.say("is narrower", "ist enger"),
        Relation::Related => view.say("is related", "ist verwandt"),
    }
}

fn relevance_words(view: &View, relevance: Relevance) -> &'static str {
    match relevance {
        Relevance::High => view.say("high", "hoch"),
        Relevance::Medium => view.say("medium", "mittel"),
        Relevance::Low => view.say("low", "gering"),
    }
}

/// The title in a language, or in any, or the name.
fn title_of(view: &View, title: &BTreeMap<String, String>, id: &ShortName) -> String {
    let wished = title.get(view.tongue.tag()).or_else(|| title.values().next());
    wished.cloned().unwrap_or_else(|| id.to_string())
}

impl Page for VocabulariesPage {
    fn section(&self) -> Section {
        Section::Vocabularies
    }

    fn title(&self, view: &View) -> String {
        view.say("Vocabularies", "Vokabulare").to_owned()
    }

    fn body(&self, view: &View) -> Markup {
        let number = |number: usize| view.tongue.number(number as u64);
        html! {
            h1 { (self.title(view)) }
            form .ask action="/vocabularies" {
                label .wide { span { (view.say("Term or notation", "Begriff oder Notation")) } input type="search" name="q" value=(self.q) autocomplete="off"; }
                button { (view.say("Look up", "Nachschlagen")) }
            }
            @for harvest in &self.harvests {
                @if self.harvests.len() > 1 { h2 { (harvest.title) } }
                @if !self.q.trim().is_empty() {
                    @if harvest.found.is_empty() { (empty_note(view.say("No concept is called so.", "Kein Begriff heißt so."))) }
                    @else {
                        ul .concepts { @for concept in &harvest.found { li { (concept_link(&harvest.name, concept)) @if let Some(home) = &concept.vocabulary { " " span .tag { (home) } } } } }
                    }
                }
                @if harvest.listed.is_empty() {
                    (empty_note(view.say("There are no vocabularies. `auslese vocabulary import` brings some.", "Es gibt keine Vokabulare. `auslese vocabulary import` holt welche.")))
                }
                ul .cards {
                    @for listed in &harvest.listed {
                        li .sheet {
                            @match listed {
                                Listed::Vocabulary { id, title, concepts, labels, languages, .. } => {
                                    h3 { a href={ "/vocabularies/" (harvest.name) "/" (id) } { (title_of(view, title, id)) } }
                                    dl .facts {
                                        dt { (view.say("Name", "Name")) } dd { code { (id) } }
                                        dt { (view.say("Concepts", "Begriffe")) } dd .number { (number(*concepts)) }
                                        dt { (view.say("Labels", "Benennungen")) } dd .number { (number(*labels)) }
                                        dt { (view.say("Languages", "Sprachen")) } dd { (languages.join(", ")) }
                                    }
                                }
                                Listed::Concordance { id, title, mappings, unresolved, by_relation, .. } => {
                                    h3 { a href={ "/vocabularies/" (harvest.name) "/" (id) } { (title.as_deref().unwrap_or(id.as_str())) } }
                                    p .soft { (view.say("Concordance", "Konkordanz zwischen Vokabularen")) }
                                    dl .facts {
                                        dt { (view.say("Mappings", "Abbildungen")) } dd .number { (number(*mappings)) }
                                        @for (relation, count) in by_relation { dt { (relation_words(view, *relation)) } dd .number { (number(*count)) } }
                                        @if *unresolved > 0 { dt { (view.say("To unknown concepts", "Zu unbekannten Begriffen")) } dd .number { (number(*unresolved)) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

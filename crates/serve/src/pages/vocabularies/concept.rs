//! One concept: its names, what stands above, below and beside it, its counterparts, and the way to its documents.

use super::{concept_link, languages, looked_up, relation_words, relevance_words};
use crate::look::{Section, breadcrumbs};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_vocabulary::{ConceptLink, ConceptView, Direction, LabelKind, ShortName};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use url::form_urlencoded;

#[derive(Debug, Serialize)]
struct ConceptPage {
    harvest: String,
    #[serde(flatten)]
    concept: ConceptView,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    uri: String,
}

pub(crate) async fn concept(
    State(site): State<Arc<Site>>,
    view: View,
    Path((harvest, name)): Path<(String, String)>,
    Query(named): Query<Named>,
) -> Result<Response, Problem> {
    let languages = languages(&view);
    let concept = looked_up(&site, &harvest, |vocabularies| {
        vocabularies.view(&ShortName::new(&name)?, &named.uri, &languages)
    });
    let concept = concept.await?;
    Ok(view.answer(&ConceptPage { harvest, concept }))
}

impl Page for ConceptPage {
    fn section(&self) -> Section {
        Section::Vocabularies
    }

    fn title(&self, _view: &View) -> String {
        self.concept.label.clone()
    }

    fn body(&self, view: &View) -> Markup {
        let concept = &self.concept;
        let home = format!("/vocabularies/{}/{}", self.harvest, concept.vocabulary);
        let up = [
            (view.say("Vocabularies", "Vokabulare").to_owned(), "/vocabularies".to_owned()),
            (concept.vocabulary.to_string(), home),
        ];
        let found: String =
            form_urlencoded::byte_serialize(format!("keyword:\"{}\"", concept.label).as_bytes())
                .collect();
        html! {
            (breadcrumbs(view, &up, &concept.label))
            h1 { (concept.label) @for notation in &concept.notations { " " code { (notation) } } }
            p { a .button href={ "/search?q=" (found) } { (view.say("Documents with this keyword", "Dokumente mit diesem Schlagwort")) } }
            div .halves {
                section .sheet {
                    h2 { (view.say("Names", "Benennungen")) }
                    dl .facts {
                        @for label in &concept.labels {
                            dt { (label.language) }
                            dd lang=(label.language) { (label.text) " " small { (kind_words(view, label.kind)) } }
                        }
                    }
                    @for (language, notes) in &concept.scope_notes { @for note in notes { p lang=(language) { (note) } } }
                    p .soft .break { (concept.uri) }
                }
                section .sheet {
                    h2 { (view.say("Place in the vocabulary", "Ort im Vokabular")) }
                    @for path in &concept.paths { p { @for (number, step) in path.iter().enumerate() { @if number > 0 { " › " } (concept_link(&self.harvest, step)) } } }
                    (list(&self.harvest, view.say("Narrower", "Enger"), &concept.children))
                    @if concept.more_children > 0 { p .soft { (view.say("and ", "und ")) (concept.more_children) (view.say(" more", " weitere")) } }
                    (list(&self.harvest, view.say("Related", "Verwandt"), &concept.related))
                }
            }
            @if !concept.mappings.is_empty() {
                h2 { (view.say("Counterparts in other vocabularies", "Gegenstücke in anderen Vokabularen")) }
                div .scroll tabindex="0" { table {
                    thead { tr {
                        th { (view.say("Counterpart", "Gegenstück")) } th { (view.say("Vocabulary", "Vokabular")) }
                        th { (view.say("which …", "das …")) } th { (view.say("Relevance", "Relevanz")) } th { (view.say("Concordance", "Konkordanz")) }
                    } }
                    tbody { @for mapping in &concept.mappings {
                        @let others = match mapping.direction { Direction::Outward => mapping.to.as_slice(), Direction::Inward => std::slice::from_ref(&mapping.from) };
                        tr {
                            td { @for (number, other) in others.iter().enumerate() { @if number > 0 { " + " } (concept_link(&self.harvest, other)) } }
                            td { @if let Some(home) = others.first().and_then(|it| it.vocabulary.as_ref()) { (home) } }
                            td { (relation_words(view, mapping.relation)) @if mapping.direction == Direction::Inward { " " small { (view.say("(mapped from there)", "(von dort abgebildet)")) } } }
                            td { (relevance_words(view, mapping.relevance)) }
                            td { a href={ "/vocabularies/" (self.harvest) "/" (mapping.concordance) } { (mapping.concordance) } }
                        }
                    } }
                } }
            }
        }
    }
}

fn list(harvest: &str, title: &str, concepts: &[ConceptLink]) -> Markup {
    html! {
        @if !concepts.is_empty() {
            h3 { (title) }
            ul .concepts { @for concept in concepts { li { (concept_link(harvest, concept)) } } }
        }
    }
}

fn kind_words(view: &View, kind: LabelKind) -> &'static str {
    match kind {
        LabelKind::Preferred => "",
        LabelKind::Alternative => view.say("also", "auch"),
        LabelKind::Hidden => view.say("for searching", "zum Suchen"),
    }
}

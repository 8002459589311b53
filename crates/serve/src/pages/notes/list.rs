//! All notes of a harvest, newest first.

use super::super::listing::{address, parameter};
use super::thread_address;
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_catalog::{Remark, Topic};
use auslese_model::Timestamp;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Notes on a page.
const SHOWN: usize = 50;

#[derive(Debug, Serialize)]
struct Notes {
    harvest: String,
    title: String,
    notes: Vec<Note>,
    /// The address of earlier ones.
    earlier: Option<String>,
}

/// A note for programs.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Note {
    pub(super) number: i64,
    pub(super) about: &'static str,
    pub(super) subject: String,
    pub(super) answer_to: Option<i64>,
    pub(super) at: String,
    pub(super) by: String,
    pub(super) edited: Option<String>,
    pub(super) text: String,
    #[serde(skip)]
    thread: String,
    #[serde(skip)]
    time: Timestamp,
}

impl Note {
    pub(super) fn of(harvest: &str, remark: Remark) -> Note {
        Note {
            thread: thread_address(harvest, &remark.key),
            number: remark.id,
            about: remark.key.topic.as_str(),
            subject: remark.key.subject,
            answer_to: remark.answer_to,
            at: remark.at.to_second_text(),
            by: remark.by,
            edited: remark.edited.map(Timestamp::to_second_text),
            text: remark.body,
            time: remark.at,
        }
    }
}

pub(super) async fn list(
    State(site): State<Arc<Site>>,
    view: View,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let before = parameter(&parameters, "before").and_then(|text| text.parse().ok());
    let mut found = harvest.catalog.newest_remarks(before.unwrap_or(i64::MAX), SHOWN + 1).await?;
    let has_more = found.len() > SHOWN;
    found.truncate(SHOWN);
    let last = found.last().filter(|_| has_more).map(|remark| remark.id.to_string());
    let page = format!("/notes/{}", harvest.name);
    Ok(view.answer(&Notes {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        notes: found.into_iter().map(|remark| Note::of(&harvest.name, remark)).collect(),
        earlier: last.map(|last| address(&page, &[("before", &last)])),
    }))
}

impl Page for Notes {
    fn section(&self) -> Section {
        Section::None
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Notes", "Notizen"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 { (view.say("Notes", "Notizen")) }
            p .soft {
                (self.title) " · "
                a href={ "/notes/" (self.harvest) "/export?form=jsonl" } { "JSON lines" } " · "
                a href={ "/notes/" (self.harvest) "/export?form=csv" } { "CSV" }
            }
            @if self.notes.is_empty() {
                (empty_note(view.say(
                    "Nobody wrote a note yet. Notes are written on the pages of documents, hosts and rules.",
                    "Noch hat niemand eine Notiz geschrieben. Notizen stehen bei Dokumenten, Rechnern und Regeln.",
                )))
            }
            ul .thread {
                @for note in &self.notes {
                    li .sheet {
                        p .said {
                            strong { (note.by) } " " (date_time(note.time)) " "
                            (about_word(view, note.about)) " " a .breaks href=(note.thread) { (note.subject) }
                        }
                        p .words { (note.text) }
                    }
                }
            }
            @if let Some(earlier) = &self.earlier { p { a href=(earlier) { (view.say("Earlier notes", "Frühere Notizen")) " →" } } }
        }
    }
}

fn about_word(view: &View, about: &str) -> &'static str {
    match Topic::parse(about) {
        Some(Topic::Host) => view.say("on the host", "zum Rechner"),
        Some(Topic::Rule) => view.say("on the rule", "zur Regel"),
        Some(Topic::Document) | None => view.say("on", "zu"),
    }
}

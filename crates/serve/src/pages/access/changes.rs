//! The log of changes, newest first.

use super::super::listing::{address, parameter};
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_catalog::LoggedChange;
use auslese_model::Timestamp;
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Changes on a page.
const SHOWN: usize = 100;

#[derive(Debug, Serialize)]
struct Changes {
    harvest: String,
    title: String,
    changes: Vec<ShownChange>,
    /// The address of earlier ones.
    earlier: Option<String>,
}

#[derive(Debug, Serialize)]
struct ShownChange {
    number: i64,
    at: String,
    by: String,
    role: String,
    deed: String,
    subject: String,
    detail: serde_json::Value,
    #[serde(skip)]
    time: Timestamp,
}

pub(crate) async fn changes(
    State(site): State<Arc<Site>>,
    view: View,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let before = parameter(&parameters, "before").and_then(|text| text.parse().ok());
    let mut found = harvest.catalog.changes(before.unwrap_or(i64::MAX), SHOWN + 1).await?;
    let has_more = found.len() > SHOWN;
    found.truncate(SHOWN);
    let last = found.last().filter(|_| has_more).map(|change| change.id.to_string());
    let page = format!("/changes/{}", harvest.name);
    Ok(view.answer(&Changes {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        changes: found.into_iter().map(shown).collect(),
        earlier: last.map(|last| address(&page, &[("before", &last)])),
    }))
}

fn shown(LoggedChange { id, change }: LoggedChange) -> ShownChange {
    ShownChange {
        number: id,
        at: change.at.to_second_text(),
        by: change.by,
        role: change.role,
        deed: change.deed,
        subject: change.subject,
        detail: change.detail,
        time: change.at,
    }
}

/// The details of a change as `name: value`.
fn detail_text(detail: &serde_json::Value) -> String {
    let Some(object) = detail.as_object() else { return String::new() };
    let plain = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let parts = object.iter().filter(|(_, value)| !value.is_null());
    parts.map(|(name, value)| format!("{name}: {}", plain(value))).collect::<Vec<_>>().join(" · ")
}

impl Page for Changes {
    fn section(&self) -> Section {
        Section::None
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Changes", "Änderungen"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 { (view.say("What people changed", "Was geändert wurde")) }
            p .soft { (self.title) }
            @if self.changes.is_empty() {
                (empty_note(view.say("Nothing was changed from these pages yet.", "Von diesen Seiten aus wurde noch nichts geändert.")))
            } @else {
                div .scroll tabindex="0" {
                    table {
                        thead { tr {
                            th { (view.say("When", "Wann")) } th { (view.say("Who", "Wer")) }
                            th { (view.say("What", "Was")) } th { (view.say("On what", "Woran")) } th { (view.say("Details", "Einzelheiten")) }
                        } }
                        tbody {
                            @for change in &self.changes {
                                tr {
                                    td { (date_time(change.time)) }
                                    td { (change.by) " " span .soft { (change.role) } }
                                    td { code { (change.deed) } }
                                    td .breaks { (change.subject) }
                                    td .breaks { (detail_text(&change.detail)) }
                                }
                            }
                        }
                    }
                }
                @if let Some(earlier) = &self.earlier { p { a href=(earlier) { (view.say("Earlier changes", "Frühere Änderungen")) " →" } } }
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let text = |text: &str| Cell::Text(text.to_owned());
        let rows = self.changes.iter().map(|it| {
            let detail = Cell::Text(it.detail.to_string());
            vec![
                text(&it.at),
                text(&it.by),
                text(&it.role),
                text(&it.deed),
                text(&it.subject),
                detail,
            ]
        });
        let head = vec!["at", "by", "role", "deed", "subject", "detail"];
        let table = Table { name: "changes", title: "Changes", head, rows: rows.collect() };
        Some((format!("changes-{}", self.harvest), table.csv()))
    }
}

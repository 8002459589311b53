//! All marks, oldest first, each with a way to withdraw it.

use super::super::document::{field_name, mark_name};
use super::super::listing::{address, parameter};
use crate::access::Role;
use crate::look::{Section, breadcrumbs, date_time, empty_note};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_catalog::{MarkFilter, StoredMark};
use auslese_model::{Field, MarkKind, Timestamp};
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Marks on a page.
const SHOWN: usize = 200;

#[derive(Debug, Serialize)]
struct Marks {
    harvest: String,
    title: String,
    marks: Vec<ShownMark>,
    more: Option<String>,
}

#[derive(Debug, Serialize)]
struct ShownMark {
    number: i64,
    kind: MarkKind,
    field: Option<Field>,
    value: Option<String>,
    /// Empty if the document is no longer in the harvest.
    url: String,
    request: i64,
    run: Option<i64>,
    by: String,
    at: String,
    note: Option<String>,
    #[serde(skip)]
    time: Timestamp,
}

pub(super) async fn marks(
    State(site): State<Arc<Site>>,
    view: View,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let after = parameter(&parameters, "after").and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut found = harvest.catalog.marks(&MarkFilter::default(), after, SHOWN + 1).await?;
    let has_more = found.len() > SHOWN;
    found.truncate(SHOWN);
    let last = found.last().filter(|_| has_more).map(|mark| mark.id.to_string());
    let page = format!("/bench/{}/marks", harvest.name);
    Ok(view.answer(&Marks {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        marks: found.into_iter().map(shown).collect(),
        more: last.map(|last| address(&page, &[("after", &last)])),
    }))
}

fn shown(StoredMark { id, url, mark }: StoredMark) -> ShownMark {
    ShownMark {
        number: id,
        kind: mark.kind,
        field: mark.field,
        value: mark.value,
        url,
        request: mark.request.0,
        run: mark.run.map(|run| run.0),
        by: mark.by,
        at: mark.at.to_second_text(),
        note: mark.note,
        time: mark.at,
    }
}

impl Page for Marks {
    fn section(&self) -> Section {
        Section::Bench
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", view.say("Labels", "Urteile"), self.title)
    }

    fn body(&self, view: &View) -> Markup {
        let steps = [(
            format!("{} – {}", self.title, view.say("Test bench", "Prüfstand")),
            format!("/bench/{}", self.harvest),
        )];
        html! {
            (breadcrumbs(view, &steps, view.say("Labels", "Urteile")))
            h1 { (view.say("Labels", "Urteile")) }
            @if self.marks.is_empty() { (empty_note(view.say("Nothing is labelled yet.", "Noch ist nichts beurteilt."))) } @else {
                div .scroll tabindex="0" { table {
                    thead { tr {
                        th { (view.say("Said", "Gesagt")) } th { (view.say("Field", "Feld")) } th { (view.say("Value", "Wert")) }
                        th { (view.say("Document", "Dokument")) } th { (view.say("By", "Von")) } th {}
                    } }
                    tbody { @for it in &self.marks { tr {
                        @let (colour, name) = mark_name(view, it.kind);
                        td { span class={ "tag " (colour) } { (name) } }
                        td { @if let Some(field) = it.field { (field_name(view, field)) } }
                        td .breaks { (it.value.as_deref().unwrap_or("–")) @if let Some(note) = &it.note { br; small { (note) } } }
                        td .breaks {
                            @if it.url.is_empty() { span .soft { (view.say("no longer in the harvest", "nicht mehr in der Ernte")) } }
                            @else { a href={ "/doc/" (self.harvest) "/" (it.request) } { (it.url) } }
                        }
                        td { (it.by) br; small { (date_time(it.time)) } }
                        td { (view.act_form(&format!("/bench/{}/unmark", self.harvest), Role::Editor, &html! {
                            input type="hidden" name="number" value=(it.number);
                            button .plain type="submit" { (view.say("Withdraw", "Zurückziehen")) }
                        })) }
                    } } }
                } }
                @if let Some(more) = &self.more { p { a href=(more) { (view.say("More", "Weitere")) " →" } } }
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let text = |text: &str| Cell::Text(text.to_owned());
        let rows = self.marks.iter().map(|it| {
            vec![
                Cell::Count(it.number.unsigned_abs()),
                text(it.kind.as_str()),
                text(it.field.map_or("", Field::as_str)),
                text(it.value.as_deref().unwrap_or_default()),
                text(&it.url),
                text(&it.by),
                text(&it.at),
                text(it.note.as_deref().unwrap_or_default()),
            ]
        });
        let head = vec!["number", "mark", "field", "value", "document", "by", "at", "note"];
        let table = Table { name: "marks", title: "Marks", head, rows: rows.collect() };
        Some((format!("labels-{}", self.harvest), table.csv()))
    }
}

//! The databases of a harvest, in the order in which they were found.

use super::super::listing::{address, address_with, parameter};
use super::facts::DatabaseFacts;
use super::live::live_link;
use super::words::{cooperation_name, cooperation_words, counted, kind_name};
use crate::look::{Section, breadcrumbs, empty_note};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_catalog::DatabaseFilter;
use auslese_model::{Cooperation, DatabaseId, DatabaseKind};
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Databases of one page.
const DATABASES: usize = 50;

#[derive(Debug, Serialize)]
struct DatabaseList {
    harvest: String,
    title: String,
    cooperation: Option<Cooperation>,
    kind: Option<DatabaseKind>,
    host: Option<String>,
    /// Those that were asked for, on all pages.
    total: u64,
    databases: Vec<DatabaseFacts>,
    /// The address of the next page.
    next: Option<String>,
    #[serde(skip)]
    after: DatabaseId,
}

pub(super) async fn list(
    State(site): State<Arc<Site>>,
    view: View,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let filter = filter(&parameters)?;
    let after = parameter(&parameters, "after").and_then(|text| text.parse().ok()).unwrap_or(0);
    let after = DatabaseId(after);
    let (total, mut found) =
        harvest.catalog.chosen_databases(&filter, after, DATABASES + 1).await?;
    let has_more = found.len() > DATABASES;
    found.truncate(DATABASES);
    let last = found.last().filter(|_| has_more).map(|database| database.id.0.to_string());
    let mut databases = Vec::with_capacity(found.len());
    for database in &found {
        let attributes = harvest.catalog.hidden_attributes(database.id).await?;
        databases.push(DatabaseFacts::of(&harvest, database, &attributes).await?);
    }
    Ok(view.answer(&DatabaseList {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        cooperation: filter.cooperation,
        kind: filter.kind,
        host: filter.host,
        total,
        databases,
        next: last.map(|last| address_with(&view, &[("after", Some(&last)), ("format", None)])),
        after,
    }))
}

fn filter(parameters: &[(String, String)]) -> Result<DatabaseFilter, Problem> {
    let given = |name: &str| parameter(parameters, name).filter(|text| !text.is_empty());
    let unknown = |text: &str| {
        Problem::bad_request(
            "There is no such kind or degree of cooperation.",
            "Diese Art oder diesen Grad der Zusammenarbeit gibt es nicht.",
        )
        .detail(text)
    };
    let read = |text: &str| Cooperation::parse(text).ok_or_else(|| unknown(text));
    let cooperation = given("cooperation").map(read).transpose()?;
    let read = |text: &str| DatabaseKind::parse(text).ok_or_else(|| unknown(text));
    let kind = given("kind").map(read).transpose()?;
    Ok(DatabaseFilter { cooperation, kind, host: given("host").map(str::to_owned) })
}

impl Page for DatabaseList {
    fn section(&self) -> Section {
        Section::Databases
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Databases", "Datenbanken"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            @if view.site.harvests.len() > 1 { (breadcrumbs(view, &[(view.say("Harvests", "Ernten").to_owned(), "/databases".to_owned())], &self.title)) }
            h1 { (self.title(view)) }
            (self.form(view))
            @if self.databases.is_empty() { (self.nothing(view)) }
            @else {
                @let (one, several) = view.say(("database", "databases"), ("Datenbank", "Datenbanken"));
                p .soft role="status" { (counted(view, self.total, one, several)) }
                (self.table(view))
            }
            (self.pages(view))
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let text = |text: &str| Cell::Text(text.to_owned());
        let maybe = |number: Option<u64>| number.map_or(Cell::Empty, Cell::Count);
        let rows = self.databases.iter().map(|it| {
            vec![
                Cell::Count(it.number.unsigned_abs()),
                text(it.kind.as_str()),
                text(it.cooperation.as_str()),
                text(it.title.as_deref().unwrap_or_default()),
                text(&it.url),
                text(&it.host),
                maybe(it.planned),
                text(it.asked.word()),
                text(it.asked.at().unwrap_or_default()),
                text(it.asked.reason().unwrap_or_default()),
                Cell::Count(it.requests),
                Cell::Bytes(it.bytes),
                Cell::Count(it.values),
                Cell::Count(it.records),
                maybe(it.truncated),
                it.coverage.map_or(Cell::Empty, Cell::Number),
            ]
        });
        let head = vec![
            "number",
            "kind",
            "cooperation",
            "title",
            "address",
            "host",
            "planned queries",
            "asked",
            "asked at",
            "reason",
            "requests",
            "bytes",
            "values",
            "records",
            "cut at",
            "coverage",
        ];
        let table = Table { name: "databases", title: "Databases", head, rows: rows.collect() };
        Some((format!("databases-{}", self.harvest), table.csv()))
    }
}

impl DatabaseList {
    fn form(&self, view: &View) -> Markup {
        html! {
            form .ask action={ "/databases/" (self.harvest) } {
                label {
                    span { (view.say("How far providers help", "Wie weit Anbieter helfen")) }
                    select name="cooperation" {
                        option value="" selected[self.cooperation.is_none()] { (view.say("any", "beliebig")) }
                        @for it in Cooperation::ALL {
                            option value=(it.as_str()) selected[self.cooperation == Some(it)] { (cooperation_name(view, it)) ": " (cooperation_words(view, it)) }
                        }
                    }
                }
                label {
                    span { (view.say("Kind", "Art")) }
                    select name="kind" {
                        option value="" selected[self.kind.is_none()] { (view.say("any", "beliebig")) }
                        @for it in DatabaseKind::ALL { option value=(it.as_str()) selected[self.kind == Some(it)] { (kind_name(view, it)) } }
                    }
                }
                @if let Some(host) = &self.host { input type="hidden" name="host" value=(host); }
                button { (view.say("Show", "Zeigen")) }
            }
            @if let Some(host) = &self.host {
                ul .chips aria-label=(view.say("Narrowed to", "Eingeschränkt auf")) {
                    li { span .chip {
                        "Host: " (host)
                        a .remove href=(address_with(view, &[("host", None), ("after", None)])) aria-label=(format!("{} {host}", view.say("Take back", "Zurücknehmen:"))) { "×" }
                    } }
                }
            }
        }
    }

    fn nothing(&self, view: &View) -> Markup {
        let is_narrowed = self.cooperation.is_some() || self.kind.is_some() || self.host.is_some();
        if is_narrowed || self.after.0 > 0 {
            return empty_note(
                view.say("There are no such databases.", "Solche Datenbanken gibt es nicht."),
            );
        }
        empty_note(view.say(
            "No databases are known. `auslese hidden run` looks for forms and other interfaces on the archived pages, and asks those that may be asked.",
            "Es sind keine Datenbanken bekannt. `auslese hidden run` sucht auf den archivierten Seiten nach Formularen und anderen Schnittstellen und fragt die, die gefragt werden dürfen.",
        ))
    }

    fn table(&self, view: &View) -> Markup {
        html! {
            div .scroll tabindex="0" { table .databases {
                thead { tr {
                    th { (view.say("Database", "Datenbank")) } th { (view.say("Kind", "Art")) }
                    th { (view.say("Cooperation", "Zusammenarbeit")) }
                    th .right { (view.say("Planned queries", "Geplante Fragen")) }
                    th { (view.say("Last asked", "Zuletzt gefragt")) }
                    th .right { (view.say("Requests", "Anfragen")) } th .right { (view.say("Data", "Daten")) }
                    th { (view.say("Found", "Gefunden")) } th { (view.say("Share seen", "Gesehener Anteil")) }
                } }
                tbody { @for it in &self.databases { tr {
                    td .name {
                        a href=(it.page) { (it.name()) } br;
                        small { (live_link(view, &it.url, view.say("live", "heute")))
                            @if !it.host.is_empty() { " · " a href=(address(&format!("/databases/{}", self.harvest), &[("host", &it.host)])) { (it.host) } } }
                    }
                    td { (kind_name(view, it.kind)) }
                    td { (it.cooperation(view)) }
                    td .right { (it.planned.map_or("–".to_owned(), |planned| view.tongue.number(planned))) }
                    td .why-cell { (it.asked.markup(view)) }
                    td .right { (view.tongue.number(it.requests)) }
                    td .right .nowrap { (view.tongue.size(it.bytes)) }
                    td { (it.holdings(view)) }
                    td { (it.share(view)) }
                } } }
            } }
        }
    }

    fn pages(&self, view: &View) -> Markup {
        html! {
            @if self.after.0 > 0 || self.next.is_some() {
                nav .pager aria-label=(view.say("Pages", "Seiten")) {
                    @if self.after.0 > 0 { a rel="first" href=(address_with(view, &[("after", None)])) { "← " (view.say("From the beginning", "Von vorn")) } }
                    @if let Some(next) = &self.next { a rel="next" href=(next) { (view.say("Next", "Weiter")) " →" } }
                }
            }
        }
    }
}

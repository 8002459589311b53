//! Records of repositories: as a list on the page of their database, and each on a page of its own.

use super::super::listing::{address_with, parameter};
use super::live::{live_link, web_address};
use super::words::database_name;
use crate::look::{Section, breadcrumbs, date_time, empty_note};
use crate::problem::Problem;
use crate::replay::newest_copy;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_catalog::StoredRecord;
use auslese_model::{DatabaseId, Timestamp};
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Records of one page.
const RECORDS: usize = 50;
/// Fields of a record that are shown.
const FIELDS: usize = 500;

/// Some records of a database.
#[derive(Debug, Serialize)]
pub(super) struct Records {
    shown: Vec<ListedRecord>,
    /// The address of the next ones.
    next: Option<String>,
    #[serde(skip)]
    after: i64,
}

#[derive(Debug, Serialize)]
struct ListedRecord {
    number: i64,
    page: String,
    title: String,
    creators: Vec<String>,
    date: Option<String>,
    deleted: bool,
    url: Option<String>,
}

impl Records {
    pub(super) async fn of(
        harvest: &Harvest,
        database: DatabaseId,
        view: &View,
        parameters: &[(String, String)],
    ) -> Result<Records, Problem> {
        let after = parameter(parameters, "after").and_then(|text| text.parse().ok()).unwrap_or(0);
        let mut found = harvest.catalog.records_of(database, after, RECORDS + 1).await?;
        let has_more = found.len() > RECORDS;
        found.truncate(RECORDS);
        let last = found.last().filter(|_| has_more).map(|record| record.id.to_string());
        let next = last.map(|last| {
            address_with(view, &[("after", Some(&last)), ("format", None)]) + "#records"
        });
        let shown = found.iter().map(|stored| ListedRecord::of(&harvest.name, stored)).collect();
        Ok(Records { shown, next, after })
    }

    pub(super) fn table(&self) -> Table {
        let rows = self.shown.iter().map(|it| {
            vec![
                Cell::Count(it.number.unsigned_abs()),
                Cell::Text(it.title.clone()),
                Cell::Text(it.creators.join("; ")),
                Cell::Text(it.date.clone().unwrap_or_default()),
                Cell::Text(it.url.clone().unwrap_or_default()),
                Cell::Text(if it.deleted { "deleted" } else { "" }.to_owned()),
            ]
        });
        let head = vec!["number", "title", "creators", "date", "address", "state"];
        Table { name: "records", title: "Records", head, rows: rows.collect() }
    }

    pub(super) fn markup(&self, view: &View) -> Markup {
        html! {
            h2 #records { (view.say("Records", "Datensätze")) }
            @if self.shown.is_empty() { (empty_note(view.say("There are no further records.", "Weitere Datensätze gibt es nicht."))) }
            @else {
                div .scroll tabindex="0" { table {
                    thead { tr {
                        th { (view.say("Title", "Titel")) } th { (view.say("Creators", "Urheber")) }
                        th { (view.say("Date", "Datum")) } th { (view.say("Document", "Dokument")) }
                    } }
                    tbody { @for it in &self.shown { tr {
                        td .breaks { a href=(it.page) { (it.title) } @if it.deleted { " " (deleted_tag(view)) } }
                        td .breaks { (it.creators.join("; ")) }
                        td .nowrap { (it.date.as_deref().unwrap_or("–")) }
                        td { @match &it.url { Some(url) => (live_link(view, url, view.say("live", "heute"))), None => "–" } }
                    } } }
                } }
            }
            @if self.after > 0 || self.next.is_some() {
                nav .pager aria-label=(view.say("Pages of records", "Seiten mit Datensätzen")) {
                    @if self.after > 0 { a rel="first" href={ (address_with(view, &[("after", None)])) "#records" } { "← " (view.say("From the beginning", "Von vorn")) } }
                    @if let Some(next) = &self.next { a rel="next" href=(next) { (view.say("Next", "Weiter")) " →" } }
                }
            }
        }
    }
}

impl ListedRecord {
    fn of(harvest: &str, stored: &StoredRecord) -> ListedRecord {
        ListedRecord {
            number: stored.id,
            page: format!("/records/{harvest}/{}", stored.id),
            title: title_of(stored),
            creators: fields(stored, "creator").map(str::to_owned).collect(),
            date: fields(stored, "date").next().map(str::to_owned),
            deleted: stored.record.deleted,
            url: stored.record.url.clone(),
        }
    }
}

/// The values of a field of Dublin Core, whether it is written `title`, `dc:title` or `DC.Title`.
fn fields<'a>(stored: &'a StoredRecord, name: &'a str) -> impl Iterator<Item = &'a str> {
    let is_meant = move |written: &str| {
        let bare = written.rsplit([':', '.']).next().unwrap_or_default();
        bare.eq_ignore_ascii_case(name)
    };
    let named = stored.record.fields.iter().filter(move |(written, _)| is_meant(written));
    named.map(|(_, value)| value.as_str()).filter(|value| !value.trim().is_empty())
}

/// The title, or the identifier where there is none.
fn title_of(stored: &StoredRecord) -> String {
    let title = fields(stored, "title").next();
    let identifier = Some(stored.record.identifier.as_str()).filter(|it| !it.trim().is_empty());
    title.or(identifier).unwrap_or("–").to_owned()
}

fn deleted_tag(view: &View) -> Markup {
    html! { span .tag .bad { (view.say("deleted there", "dort gelöscht")) } }
}

#[derive(Debug, Serialize)]
struct RecordPage {
    harvest: String,
    harvest_title: String,
    number: i64,
    title: String,
    identifier: String,
    datestamp: String,
    deleted: bool,
    /// Where the document is.
    url: Option<String>,
    fields: Vec<(String, String)>,
    stored_at: String,
    repository: Repository,
    /// The document as it was captured, if it was.
    document: Option<ArchivedCopy>,
    #[serde(skip)]
    stored: Timestamp,
}

#[derive(Debug, Serialize)]
struct Repository {
    page: String,
    title: String,
    url: String,
}

/// A page in the archive: its document on this site, and the page itself.
#[derive(Debug, Serialize)]
pub(super) struct ArchivedCopy {
    pub(super) document: String,
    pub(super) page: String,
}

impl ArchivedCopy {
    /// The newest capture of an address, if it was ever captured.
    pub(super) async fn of_address(
        harvest: &Harvest,
        address: &str,
    ) -> Result<Option<ArchivedCopy>, Problem> {
        let Some(url) = web_address(address) else { return Ok(None) };
        let copy = newest_copy(harvest, &url).await?;
        Ok(copy.map(|(request, page)| ArchivedCopy {
            document: format!("/doc/{}/{}", harvest.name, request.0),
            page,
        }))
    }

    pub(super) fn markup(&self, view: &View) -> Markup {
        html! {
            a href=(self.page) { (view.say("archived page", "archivierte Seite")) } " · "
            a href=(self.document) { (view.say("what is known of it", "was davon bekannt ist")) }
        }
    }
}

pub(super) async fn record(
    State(site): State<Arc<Site>>,
    view: View,
    Path((harvest, record)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let no_record = || {
        Problem::not_found(
            "There is no such record in this harvest.",
            "Diesen Datensatz gibt es in dieser Ernte nicht.",
        )
    };
    let number: i64 = record.parse().map_err(|_| no_record())?;
    let stored = harvest.catalog.hidden_record(number).await?.ok_or_else(no_record)?;
    let database = harvest.catalog.hidden_database(stored.database).await?.ok_or_else(no_record)?;
    let document = match &stored.record.url {
        Some(url) => ArchivedCopy::of_address(&harvest, url).await?,
        None => None,
    };
    let title = title_of(&stored);
    let StoredRecord { id, record, stored_at, .. } = stored;
    Ok(view.answer(&RecordPage {
        harvest: harvest.name.clone(),
        harvest_title: harvest.title.clone(),
        number: id,
        title,
        identifier: record.identifier,
        datestamp: record.datestamp,
        deleted: record.deleted,
        url: record.url,
        fields: record.fields,
        stored_at: stored_at.to_second_text(),
        repository: Repository {
            page: format!("/databases/{}/{}", harvest.name, database.id.0),
            title: database_name(&database.new),
            url: database.new.url,
        },
        document,
        stored: stored_at,
    }))
}

impl Page for RecordPage {
    fn section(&self) -> Section {
        Section::Databases
    }

    fn title(&self, _: &View) -> String {
        self.title.clone()
    }

    fn body(&self, view: &View) -> Markup {
        let steps = [
            (
                format!("{} – {}", self.harvest_title, view.say("Databases", "Datenbanken")),
                format!("/databases/{}", self.harvest),
            ),
            (self.repository.title.clone(), self.repository.page.clone()),
        ];
        html! {
            (breadcrumbs(view, &steps, &self.title))
            h1 .breaks { (self.title) @if self.deleted { " " (deleted_tag(view)) } }
            dl .facts .sheet {
                dt { (view.say("Document", "Dokument")) }
                dd .breaks { @match &self.url { Some(url) => (live_link(view, url, url)), None => "–" } }
                @if let Some(copy) = &self.document { dt { (view.say("In the archive", "Im Archiv")) } dd { (copy.markup(view)) } }
                dt { (view.say("Repository", "Repositorium")) } dd .breaks { a href=(self.repository.page) { (self.repository.title) } }
                dt { (view.say("Identifier", "Kennung")) } dd .breaks { code { (self.identifier) } }
                dt { (view.say("State there", "Stand dort")) } dd { (self.datestamp) }
                dt { (view.say("Stored here", "Hier gespeichert")) } dd { (date_time(self.stored)) }
            }
            h2 { (view.say("Fields", "Felder")) }
            @if self.fields.is_empty() { (empty_note(view.say("The record has no fields.", "Der Datensatz hat keine Felder."))) }
            @else {
                div .scroll tabindex="0" { table {
                    thead { tr { th { (view.say("Field", "Feld")) } th { (view.say("Value", "Wert")) } } }
                    tbody { @for (name, value) in self.fields.iter().take(FIELDS) { tr {
                        td .nowrap { (name) }
                        td .breaks { @if web_address(value).is_some() { (live_link(view, value, value)) } @else { (value) } }
                    } } }
                } }
                @if self.fields.len() > FIELDS { p .soft { "+ " (view.tongue.number((self.fields.len() - FIELDS) as u64)) } }
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let rows = self
            .fields
            .iter()
            .map(|(name, value)| vec![Cell::Text(name.clone()), Cell::Text(value.clone())]);
        let head = vec!["field", "value"];
        let table = Table { name: "fields", title: "Fields", head, rows: rows.collect() };
        Some((format!("record-{}", self.number), table.csv()))
    }
}

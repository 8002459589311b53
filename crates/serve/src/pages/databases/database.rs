//! One database: what is said about it, how it is asked, what is wrong with it, and what is in it.

use super::super::listing::{address, parameter};
use super::facts::DatabaseFacts;
use super::live::live_link;
use super::plan::plan;
use super::record::{ArchivedCopy, Records};
use super::trouble::problems;
use super::values::Values;
use super::words::kind_name;
use super::{no_database, soif};
use crate::look::{Section, breadcrumbs, empty_note};
use crate::problem::Problem;
use crate::replay::copy_path;
use crate::site::{Harvest, Site};
use crate::view::{FORMAT, Page, View};
use auslese_catalog::HiddenDatabase;
use auslese_model::{DatabaseId, HostName};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Statements about a database that are shown.
const STATEMENTS: usize = 100;

#[derive(Debug, Serialize)]
struct DatabasePage {
    harvest: String,
    harvest_title: String,
    #[serde(flatten)]
    facts: DatabaseFacts,
    /// What is said about it, by names as in SOIF.
    about: Vec<(String, String)>,
    archived: Option<ArchivedCopy>,
    /// The page of its host, if that is known here.
    host_page: Option<String>,
    plan: serde_json::Value,
    problems: serde_json::Value,
    found: Values,
    listed_records: Records,
}

pub(super) async fn database(
    State(site): State<Arc<Site>>,
    view: View,
    Path((harvest, database)): Path<(String, String)>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let id = DatabaseId(database.parse().map_err(|_| no_database())?);
    let database = harvest.catalog.hidden_database(id).await?.ok_or_else(no_database)?;
    let attributes = harvest.catalog.hidden_attributes(id).await?;
    if parameter(&parameters, FORMAT) == Some("soif") {
        return soif::fragment(&harvest, &database, &attributes).await;
    }
    let page = DatabasePage {
        harvest: harvest.name.clone(),
        harvest_title: harvest.title.clone(),
        facts: DatabaseFacts::of(&harvest, &database, &attributes).await?,
        archived: archived(&harvest, &database).await?,
        host_page: host_page(&harvest, &database.new.host).await?,
        found: Values::of(&harvest, id, attributes, &parameters).await?,
        listed_records: Records::of(&harvest, id, &view, &parameters).await?,
        about: database.new.about,
        plan: database.new.plan,
        problems: database.new.problems,
    };
    Ok(view.answer(&page))
}

/// The page it was found on, else the newest capture of its own address.
async fn archived(
    harvest: &Harvest,
    database: &HiddenDatabase,
) -> Result<Option<ArchivedCopy>, Problem> {
    let capture = match database.new.capture {
        Some(capture) => harvest.catalog.capture(capture).await?,
        None => None,
    };
    let path = capture.as_ref().and_then(|it| copy_path(&harvest.name, it.capture.at, &it.url));
    match (capture, path) {
        (Some(stored), Some(page)) => Ok(Some(ArchivedCopy {
            document: format!("/doc/{}/{}", harvest.name, stored.capture.request.0),
            page,
        })),
        _ => ArchivedCopy::of_address(harvest, &database.new.url).await,
    }
}

async fn host_page(harvest: &Harvest, host: &str) -> Result<Option<String>, Problem> {
    let Some(host) = HostName::parse(host) else { return Ok(None) };
    let is_known = harvest.catalog.verdict(&host).await?.is_some()
        || !harvest.catalog.host_queues(&host).await?.is_empty();
    Ok(is_known.then(|| format!("/organisation/{}/{host}", harvest.name)))
}

impl Page for DatabasePage {
    fn section(&self) -> Section {
        Section::Databases
    }

    fn title(&self, _: &View) -> String {
        self.facts.name().to_owned()
    }

    fn body(&self, view: &View) -> Markup {
        let steps = [(
            format!("{} – {}", self.harvest_title, view.say("Databases", "Datenbanken")),
            format!("/databases/{}", self.harvest),
        )];
        html! {
            (breadcrumbs(view, &steps, self.facts.name()))
            h1 .breaks { (self.facts.name()) }
            (self.head(view))
            (self.said(view))
            @if self.found.is_empty() && self.facts.records == 0 {
                (empty_note(view.say("Nothing of what is in it is known yet. `auslese hidden run` asks databases that may be asked.", "Was darin steht, ist noch nicht bekannt. `auslese hidden run` fragt Datenbanken, die gefragt werden dürfen.")))
            }
            @if !self.found.is_empty() { (self.found.markup(view)) }
            @if self.facts.records > 0 { (self.listed_records.markup(view)) }
            (plan(view, &self.plan))
            (problems(view, &self.problems))
            p .exports { a href=(address(&self.facts.page, &[(FORMAT, "soif")])) rel="alternate" type=(auslese_model::SOIF_MEDIA_TYPE) { (view.say("All values as SOIF", "Alle Werte als SOIF")) } }
        }
    }

    /// The values that are shown; of a database without values, the records.
    fn csv(&self) -> Option<(String, String)> {
        let table = match self.found.is_empty() {
            false => self.found.table(),
            true => self.listed_records.table(),
        };
        Some((format!("database-{}-{}", self.facts.number, table.name), table.csv()))
    }
}

impl DatabasePage {
    fn head(&self, view: &View) -> Markup {
        let facts = &self.facts;
        let number = |number| view.tongue.number(number);
        let of_host = address(&format!("/databases/{}", self.harvest), &[("host", &facts.host)]);
        html! {
            dl .facts .sheet {
                dt { (view.say("Kind", "Art")) } dd { (kind_name(view, facts.kind)) }
                dt { (view.say("Cooperation", "Zusammenarbeit")) } dd { (facts.cooperation(view)) }
                dt { (view.say("Address", "Adresse")) } dd .breaks { (live_link(view, &facts.url, &facts.url)) }
                @if let Some(copy) = &self.archived { dt { (view.say("In the archive", "Im Archiv")) } dd { (copy.markup(view)) } }
                @if !facts.host.is_empty() {
                    dt { "Host" }
                    dd {
                        @match &self.host_page { Some(page) => a href=(page) { (facts.host) }, None => (facts.host) }
                        " · " a href=(of_host) { (view.say("databases there", "Datenbanken dort")) }
                    }
                }
                @if let Some(planned) = facts.planned { dt { (view.say("Planned queries", "Geplante Fragen")) } dd .number { (number(planned)) } }
                dt { (view.say("Last asked", "Zuletzt gefragt")) } dd { (facts.asked.markup(view)) }
                dt { (view.say("Cost", "Aufwand")) }
                dd .number {
                    (number(facts.requests)) " " (view.say("requests", "Anfragen")) ", " (view.tongue.size(facts.bytes)) "; "
                    (number(facts.queries)) " " (view.say("queries", "Fragen")) ", " (number(facts.pages)) " " (view.say("pages", "Seiten"))
                    @if facts.failed > 0 { ", " (number(facts.failed)) " " (view.say("failed", "fehlgeschlagen")) }
                }
                dt { (view.say("Found", "Gefunden")) }
                dd { (facts.holdings(view)) @if facts.deleted_records > 0 { " (" (number(facts.deleted_records)) " " (view.say("deleted there", "dort gelöscht")) ")" } }
                dt { (view.say("Share seen", "Gesehener Anteil")) } dd { (facts.share(view)) }
            }
        }
    }

    /// What is said about it, by whoever describes it.
    fn said(&self, view: &View) -> Markup {
        html! {
            @if !self.about.is_empty() {
                h2 { (view.say("What is said about it", "Was darüber gesagt wird")) }
                dl .facts .sheet { @for (name, value) in self.about.iter().take(STATEMENTS) { dt { (name) } dd .breaks { (value) } } }
            }
        }
    }
}

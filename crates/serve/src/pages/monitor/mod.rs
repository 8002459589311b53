//! The monitor of crawls: how it stands with each, live, and what can be done about it.
//!
//! Whatever is shown is what the catalog and the crawl's own log say at that moment; where they say nothing, the page
//! says so. What is done here is left as a note in the catalog, so it works for a crawl in any process.

mod deeds;
mod live;
mod moment;
mod shown;
mod words;

use super::listing::parameter;
use super::steering;
use crate::access::Role;
use crate::look::{Section, breadcrumbs};
use crate::problem::Problem;
use crate::routes::Route;
use crate::site::{Harvest, Site};
use crate::view::{LANGUAGE, Page, View};
use auslese_catalog::Catalog;
use auslese_harvest::{HarvestError, preview_exclusion};
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use moment::Moment;
use serde::Serialize;
use shown::part;
use std::sync::Arc;
use words::{state_sentence, state_tag};

const RUN: (&str, &str) = ("run", "The run that is meant; without it the one that runs");

/// The addresses of the monitor.
pub(crate) fn monitor_routes() -> Vec<Route> {
    vec![
        Route::page("/monitor", "How it stands with the crawls of all harvests", &[], get(all)),
        Route::page(
            "/monitor/{harvest}",
            "A crawl: state, numbers, queues, failures, newest captures, exclusions",
            &[("exclude", "The test of a scope rule: what it would drop of the queues")],
            get(one),
        ),
        Route::file(
            "/monitor/{harvest}/live",
            "The same as server-sent events: `moment` with the parts of the page that changed, or with format=json the whole; `beat` now and then",
            &[("format", "json for programs")],
            "text/event-stream",
            get(live::live),
        ),
        Route::act(
            "/monitor/{harvest}/pause",
            "Send nothing more until it is resumed; without a crawl the next one begins so",
            Role::Editor,
            &[RUN],
            post(deeds::pause),
        ),
        Route::act(
            "/monitor/{harvest}/resume",
            "Go on after a pause",
            Role::Editor,
            &[RUN],
            post(deeds::resume),
        ),
        Route::act(
            "/monitor/{harvest}/stop",
            "Let the crawl finish what is under way and end",
            Role::Admin,
            &[RUN],
            post(deeds::stop),
        ),
        Route::act(
            "/monitor/{harvest}/exclude",
            "Drop what waits in the queues and fits a test, now and in every later run",
            Role::Editor,
            &[("test", "The test of a scope rule, such as `host www.uni.example`")],
            post(deeds::exclude),
        ),
    ]
}

/// All harvests; of one only, its monitor at once.
async fn all(State(site): State<Arc<Site>>, view: View) -> Result<Response, Problem> {
    if let [only] = site.harvests.as_slice() {
        return Ok(Redirect::temporary(&format!("/monitor/{}", only.name)).into_response());
    }
    let mut harvests = Vec::new();
    for harvest in &site.harvests {
        harvests.push(moment(&site, harvest).await?);
    }
    Ok(view.answer(&Monitors { harvests }))
}

async fn one(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let preview = match parameter(&parameters, "exclude").map(str::trim).filter(|it| !it.is_empty())
    {
        Some(test) => Some(preview(&harvest.catalog, test).await?),
        None => None,
    };
    Ok(view.answer(&Monitor { moment: moment(&site, &harvest).await?, preview }))
}

async fn moment(site: &Site, harvest: &Arc<Harvest>) -> Result<Moment, Problem> {
    Ok(Moment::of(harvest, &site.watches.look(harvest).await?))
}

#[derive(Debug, Serialize)]
struct Monitors {
    harvests: Vec<Moment>,
}

#[derive(Debug, Serialize)]
struct Monitor {
    #[serde(flatten)]
    moment: Moment,
    preview: Option<Preview>,
}

/// What an exclusion would drop.
#[derive(Debug, Serialize)]
struct Preview {
    test: String,
    queued: u64,
    examples: Vec<String>,
    /// Why it is no test.
    problem: Option<String>,
}

async fn preview(catalog: &Catalog, test: &str) -> Result<Preview, Problem> {
    let (queued, examples, problem) = match preview_exclusion(catalog, test).await {
        Ok(preview) => (preview.count, preview.examples, None),
        Err(HarvestError::Crawl(error)) => (0, Vec::new(), Some(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    Ok(Preview { test: test.to_owned(), queued, examples, problem })
}

impl Page for Monitors {
    fn section(&self) -> Section {
        Section::Monitor
    }

    fn title(&self, view: &View) -> String {
        view.say("Crawls", "Crawls").to_owned()
    }

    fn body(&self, view: &View) -> Markup {
        let number = |number: u64| view.tongue.number(number);
        html! {
            h1 { (self.title(view)) }
            ul .cards { @for it in &self.harvests { li .sheet {
                h3 { a href={ "/monitor/" (it.harvest) } { (it.title) } }
                p { (state_tag(view, it.state)) " " (state_sentence(view, it)) }
                dl .facts {
                    dt { (view.say("Queued", "In Warteschlangen")) } dd .number { (number(it.counts.queued)) }
                    dt { (view.say("Fetched", "Geholt")) } dd .number { (number(it.counts.fetched)) }
                    dt { (view.say("Failed", "Fehlgeschlagen")) } dd .number { (number(it.counts.failed)) }
                }
            } } }
        }
    }
}

impl Page for Monitor {
    fn section(&self) -> Section {
        Section::Monitor
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.moment.title, view.say("Crawl", "Crawl"))
    }

    fn body(&self, view: &View) -> Markup {
        let harvest = &self.moment.harvest;
        let part = |name: &str| part(view, &self.moment, name);
        html! {
            @if view.site.harvests.len() > 1 { (breadcrumbs(view, &[(view.say("Harvests", "Ernten").to_owned(), "/monitor".to_owned())], &self.moment.title)) }
            (steering::top(view, harvest, &self.moment.title, "monitor"))
            section data-live={ "/monitor/" (harvest) "/live?" (LANGUAGE) "=" (view.tongue.tag()) }
                data-live-on=(view.say("Live: the page follows by itself.", "Live: Die Seite folgt von selbst."))
                data-live-lost=(view.say("The connection is lost: what you see may be out of date. Trying again …", "Die Verbindung ist weg: Was Sie sehen, kann veraltet sein. Neuer Versuch …"))
                aria-label=(view.say("State of the crawl", "Stand des Crawls"))
            {
                (part("crawl-state"))
                (part("crawl-controls"))
                (part("crawl-numbers"))
                p .soft .live-note role="status" { (view.say("As of ", "Stand ")) (words::clock(self.moment.at)) (view.say("; reload to see how it goes on.", "; neu laden zeigt, wie es weitergeht.")) }
                (part("crawl-workers"))
                h2 { (view.say("Queues by host", "Warteschlangen nach Host")) }
                (part("crawl-queues"))
                h2 { (view.say("Newest captures", "Neueste Aufnahmen")) }
                (part("crawl-captures"))
                h2 { (view.say("Failures by cause", "Fehlschläge nach Ursache")) }
                (part("crawl-failures"))
                h2 #exclusions { (view.say("Excluded by hand", "Von Hand ausgeschlossen")) }
                (part("crawl-exclusions"))
            }
            (self.exclude(view))
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let rows = self.moment.queues.iter().map(|it| {
            vec![
                Cell::Text(it.server.clone()),
                Cell::Count(it.queued),
                Cell::Count(it.captures),
                Cell::Count(it.bytes),
                Cell::Number(it.delay_seconds),
                Cell::Text(it.next_at.to_second_text()),
                Cell::Count(u64::from(it.failures_in_a_row)),
            ]
        });
        let head = vec![
            "server",
            "queued",
            "captures",
            "bytes",
            "delay_seconds",
            "next_at",
            "failures_in_a_row",
        ];
        let table = Table { name: "queues", title: "Queues", head, rows: rows.collect() };
        Some(("queues".to_owned(), table.csv()))
    }
}

impl Monitor {
    /// The way to an exclusion: a test, what it would drop, and only then the deed.
    fn exclude(&self, view: &View) -> Markup {
        let harvest = &self.moment.harvest;
        let test = self.preview.as_ref().map_or("", |preview| preview.test.as_str());
        html! {
            section #exclude aria-label=(view.say("Exclude addresses", "Adressen ausschließen")) {
                h3 { (view.say("What would an exclusion drop?", "Was würde ein Ausschluss verwerfen?")) }
                form .ask action={ "/monitor/" (harvest) "#exclude" } {
                    label .wide {
                        span { (view.say("The test of a scope rule, such as “host www.uni.example”, “regex /calendar/” or “suffix .zip”", "Der Test einer Regel des Umfangs, etwa „host www.uni.example“, „regex /kalender/“ oder „suffix .zip“")) }
                        input type="text" name="exclude" value=(test) required autocomplete="off" spellcheck="false";
                    }
                    button { (view.say("Preview", "Vorschau")) }
                }
                @if let Some(preview) = &self.preview { (preview.shown(view, harvest)) }
            }
        }
    }
}

impl Preview {
    fn shown(&self, view: &View, harvest: &str) -> Markup {
        let number = view.tongue.number(self.queued);
        if let Some(problem) = &self.problem {
            return html! { p .note .wrong role="alert" { (view.say("That is no test: ", "Das ist kein Test: ")) span lang="en" { (problem) } } };
        }
        let more = self.queued.saturating_sub(self.examples.len() as u64);
        let words = view.say(
            format!("Exclude them ({number}), now and in every later crawl"),
            format!("Sie ausschließen ({number}), jetzt und in jedem späteren Crawl"),
        );
        html! {
            div .sheet role="status" {
                p { strong #would-drop { (number) } " " (view.say("queued requests fit ", "wartende Anfragen erfüllen ")) code { (self.test) } "." }
                @if !self.examples.is_empty() {
                    ul .addresses { @for url in &self.examples { li .break { (url) } } @if more > 0 { li .soft { (view.say("and ", "und ")) (view.tongue.number(more)) (view.say(" more", " weitere")) } } }
                }
                p .soft { (view.say("They would count as refused, with the test as their cause. Requests that are being sent are finished; tests that need more than the address (hops, embeds, net) drop further ones when their turn comes.", "Sie gälten als abgelehnt, mit dem Test als Ursache. Anfragen, die gerade laufen, werden beendet; Tests, die mehr als die Adresse brauchen (hops, embeds, net), verwerfen weitere, sobald sie an der Reihe sind.")) }
                @if view.may(Role::Editor) {
                    (view.act_form(&format!("/monitor/{harvest}/exclude"), Role::Editor, &html! { input type="hidden" name="test" value=(self.test); button { (words) } }))
                } @else {
                    p .soft { (view.say("An editor can exclude them.", "Ausschließen kann sie, wer Redaktionsrechte hat.")) }
                }
            }
        }
    }
}

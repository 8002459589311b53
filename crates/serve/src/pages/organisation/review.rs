//! The hosts that wait for a person, those that most waits for first, each with its evidence; and what people decided.

use super::super::listing::page_number;
use super::super::steering;
use super::deciding::{Decision, decide_form, decision_table, decisions_of};
use super::words::{evidence_sentence, indicator_name, readable_host};
use crate::access::Role;
use crate::look::{Section, breadcrumbs, empty_note, pager, weight_bar};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_catalog::UnsureHost;
use auslese_harvest::{CrawlState, crawl_standing};
use auslese_model::Verdict;
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Hosts of one page.
const PER_PAGE: usize = 20;
/// Signs of a host that are shown; its own page has all.
const SIGNS: usize = 6;
/// Decisions that are shown, the newest first.
const DECISIONS: usize = 200;

#[derive(Debug, Serialize)]
struct Review {
    harvest: String,
    title: String,
    /// Whether a crawl is there to follow at once.
    is_crawling: bool,
    total: u64,
    page: usize,
    pages: usize,
    hosts: Vec<Waiting>,
    decided: u64,
    decisions: Vec<Decision>,
}

#[derive(Debug, Serialize)]
struct Waiting {
    page: String,
    /// Addresses on it that wait.
    waiting: u64,
    linking_hosts: u64,
    /// What a person decided; a crawl has not followed yet.
    decision: Option<Decision>,
    #[serde(flatten)]
    verdict: Verdict,
}

pub(crate) async fn review(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    Ok(view.answer(&read(&harvest, page_number(&parameters)).await?))
}

async fn read(harvest: &Harvest, page: usize) -> Result<Review, Problem> {
    let catalog = &harvest.catalog;
    let (total, hosts) = catalog.unsure_hosts((page - 1) * PER_PAGE, PER_PAGE).await?;
    let mut decisions = catalog.hand_decisions().await?;
    let waiting = |it: UnsureHost| Waiting {
        page: format!("/organisation/{}/{}", harvest.name, it.verdict.host),
        waiting: it.waiting,
        linking_hosts: it.linking_hosts,
        decision: decisions_of(&decisions, &it.verdict.host).pop(),
        verdict: it.verdict,
    };
    let hosts = hosts.into_iter().map(waiting).collect();
    let decided = decisions.len() as u64;
    decisions.reverse();
    let state = crawl_standing(&harvest.dir, catalog).await?.state;
    Ok(Review {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        is_crawling: state.is_alive() && state != CrawlState::Stopping,
        total,
        page,
        pages: (total as usize).div_ceil(PER_PAGE),
        hosts,
        decided,
        decisions: decisions.iter().take(DECISIONS).map(Decision::of).collect(),
    })
}

impl Page for Review {
    fn section(&self) -> Section {
        Section::Monitor
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Hosts to decide on", "Hosts zu entscheiden"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            @if view.site.harvests.len() > 1 { (breadcrumbs(view, &[(view.say("Harvests", "Ernten").to_owned(), "/review".to_owned())], &self.title)) }
            (steering::top(view, &self.harvest, &self.title, "review"))
            p {
                (view.say("The evidence on these hosts does not suffice for a verdict. What you decide wins over all evidence; ", "Bei diesen Hosts reichen die Anzeichen nicht für ein Urteil. Was Sie entscheiden, gilt mehr als alle Anzeichen; "))
                @if self.is_crawling { (view.say("the running crawl follows within a second.", "der laufende Crawl folgt innerhalb einer Sekunde.")) }
                @else { (view.say("the next crawl follows.", "der nächste Crawl folgt.")) }
                @if !view.may(Role::Editor) { " " (view.say("Editors decide.", "Entscheiden kann, wer Redaktionsrechte hat.")) }
            }
            @if self.hosts.is_empty() {
                (empty_note(view.say("No host waits for a decision.", "Kein Host wartet auf eine Entscheidung.")))
            } @else {
                p .soft role="status" { (view.tongue.number(self.total)) " " (if self.total == 1 { view.say("host", "Host") } else { view.say("hosts", "Hosts") }) }
                ol .plain .review { @for it in &self.hosts { (self.host(view, it)) } }
                (pager(view, self.page, self.pages))
            }
            h2 #decisions { (view.say("Decided by hand", "Von Hand entschieden")) }
            @if self.decisions.is_empty() {
                (empty_note(view.say("Nothing was decided by hand.", "Nichts wurde von Hand entschieden.")))
            } @else {
                (decision_table(view, &self.harvest, &self.decisions, None))
                @if self.decided > self.decisions.len() as u64 {
                    p .soft { (view.say("The newest ", "Die neuesten ")) (self.decisions.len()) (view.say(" of ", " von ")) (view.tongue.number(self.decided)) "." }
                }
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let rows = self.hosts.iter().map(|it| {
            vec![
                Cell::Text(it.verdict.host.to_string()),
                Cell::Number(it.verdict.score),
                Cell::Count(it.waiting),
                Cell::Count(it.linking_hosts),
                Cell::Text(it.verdict.reason.clone()),
            ]
        });
        let head = vec!["host", "score", "waiting", "linking_hosts", "why"];
        let table = Table { name: "review", title: "Review", head, rows: rows.collect() };
        Some((format!("review-{}", self.harvest), table.csv()))
    }
}

impl Review {
    fn host(&self, view: &View, it: &Waiting) -> Markup {
        let verdict = &it.verdict;
        let number = |number: u64| view.tongue.number(number);
        let mut signs: Vec<_> = verdict.evidence.iter().collect();
        signs.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        html! {
            li .sheet {
                h2 { a href=(it.page) { (readable_host(verdict.host.as_str())) } }
                p .soft {
                    (weight_bar(view, verdict.score)) " · "
                    (number(it.waiting)) " " (if it.waiting == 1 { view.say("address waits", "Adresse wartet") } else { view.say("addresses wait", "Adressen warten") }) " · "
                    (view.say("linked by ", "verlinkt von ")) (number(it.linking_hosts)) " " (if it.linking_hosts == 1 { view.say("host", "Host") } else { view.say("hosts", "Hosts") })
                }
                @if signs.is_empty() { p .soft { (view.say("Nothing was found about it.", "Nichts wurde über ihn gefunden.")) } }
                @else {
                    ul .signs { @for sign in signs.iter().take(SIGNS) { li .soft[sign.strength <= 0.0] {
                        span .soft { (indicator_name(view, sign.indicator)) } span { (evidence_sentence(view, sign)) }
                    } } }
                }
                @for open in &verdict.open { p .soft { (view.say("Open: ", "Offen: ")) (indicator_name(view, open.indicator)) ": " span lang="en" { (open.why) } } }
                @match &it.decision {
                    Some(decision) => p .note { (decision.sentence(view)) },
                    None => (decide_form(view, &self.harvest, &verdict.host, None)),
                }
            }
        }
    }
}

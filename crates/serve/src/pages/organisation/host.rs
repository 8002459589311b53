//! One host: the verdict with all its evidence, the servers on it, decisions by hand, and links.

use super::super::databases::{database_name, kind_name};
use super::super::listing::address;
use super::super::notes::{NoteLink, note_link};
use super::super::robots::{Robots, robots_state};
use super::deciding::{Decision, decide_form, decision_table, decisions_of};
use super::words::{
    case_in_words, decided_in_words, evidence_sentence, indicator_name, membership_tag,
    readable_host, verdict_reason,
};
use crate::access::Role;
use crate::look::{Section, breadcrumbs, date_time, empty_note, weight_bar};
use crate::problem::Problem;
use crate::reasons::reason;
use crate::site::Harvest;
use crate::view::{Page, View};
use auslese_catalog::{DatabaseFilter, ServerQueue, Topic};
use auslese_model::{DatabaseId, DatabaseKind, HostName, RobotsCopy, Verdict};
use auslese_statistics::{Cell, Table};
use maud::{Markup, html};
use serde::Serialize;

/// Hosts that link here, or are linked, of which names are shown.
const LINKS: usize = 200;
/// Databases on it of which titles are shown.
const DATABASES: usize = 10;

#[derive(Debug, Serialize)]
pub(super) struct HostPage {
    harvest: String,
    title: String,
    host: HostName,
    verdict: Option<Verdict>,
    servers: Vec<Server>,
    decisions: Vec<Decision>,
    /// Addresses on it that wait for a decision.
    waiting: u64,
    notes: NoteLink,
    databases: Databases,
    linked_from: Vec<HostName>,
    links_to: Vec<HostName>,
}

#[derive(Debug, Serialize)]
struct Server {
    origin: String,
    page: String,
    software: Option<String>,
    address: Option<String>,
    captures: u64,
    bytes: u64,
    queued: u64,
    failures: u32,
    delay_seconds: f64,
    robots: Option<Robots>,
}

/// Databases behind forms and other interfaces of the host.
#[derive(Debug, Serialize)]
struct Databases {
    total: u64,
    /// The address of the list.
    page: String,
    first: Vec<Database>,
}

#[derive(Debug, Serialize)]
struct Database {
    title: String,
    kind: DatabaseKind,
    page: String,
}

pub(super) async fn page(harvest: &Harvest, host: &HostName) -> Result<Option<HostPage>, Problem> {
    let catalog = &harvest.catalog;
    let verdict = catalog.verdict(host).await?;
    let queues = catalog.host_queues(host).await?;
    if verdict.is_none() && queues.is_empty() {
        return Ok(None);
    }
    let ids: Vec<_> = queues.iter().map(|queue| queue.server).collect();
    let copies = catalog.robots_copies(&ids).await?;
    let decisions = catalog.hand_decisions().await?;
    let databases = databases(harvest, host).await?;
    Ok(Some(HostPage {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        host: host.clone(),
        verdict,
        servers: queues.into_iter().map(|queue| server(harvest, queue, &copies)).collect(),
        decisions: decisions_of(&decisions, host),
        waiting: catalog.waiting_for_verdict(host).await?,
        notes: note_link(harvest, Topic::Host, host.as_str()).await?,
        databases,
        linked_from: catalog.linking_hosts(host, LINKS).await?,
        links_to: catalog.linked_hosts(host, LINKS).await?,
    }))
}

async fn databases(harvest: &Harvest, host: &HostName) -> Result<Databases, Problem> {
    let filter = DatabaseFilter { host: Some(host.to_string()), ..DatabaseFilter::default() };
    let (total, found) =
        harvest.catalog.chosen_databases(&filter, DatabaseId(0), DATABASES).await?;
    let list = format!("/databases/{}", harvest.name);
    let first = found.into_iter().map(|it| Database {
        title: database_name(&it.new),
        kind: it.new.kind,
        page: format!("{list}/{}", it.id.0),
    });
    Ok(Databases {
        total,
        page: address(&list, &[("host", host.as_str())]),
        first: first.collect(),
    })
}

fn server(harvest: &Harvest, queue: ServerQueue, copies: &[RobotsCopy]) -> Server {
    let origin = queue.origin.to_string();
    let copy = copies.iter().find(|copy| copy.server == queue.server);
    Server {
        page: address(&format!("/browse/{}", harvest.name), &[("server", &origin)]),
        robots: copy.map(|copy| Robots::of(&origin, copy)),
        origin,
        software: queue.software,
        address: queue.clock.address.map(|address| address.to_string()),
        captures: queue.captures,
        bytes: queue.bytes,
        queued: queue.queued,
        failures: queue.clock.failures,
        delay_seconds: queue.clock.delay.as_secs_f64(),
    }
}

impl Page for HostPage {
    fn section(&self) -> Section {
        Section::Organisation
    }

    fn title(&self, _: &View) -> String {
        readable_host(self.host.as_str())
    }

    fn body(&self, view: &View) -> Markup {
        let steps = [(
            format!("{} – {}", self.title, view.say("Organisation", "Organisation")),
            format!("/organisation/{}", self.harvest),
        )];
        html! {
            (breadcrumbs(view, &steps, &self.title(view)))
            h1 { (self.title(view)) }
            (self.head(view))
            p { (self.notes.markup(view)) }
            @if let Some(verdict) = &self.verdict { (evidence(view, verdict)) (open_questions(view, verdict)) }
            (self.decisions(view))
            (self.servers(view))
            (self.databases(view))
            div .halves {
                section { h2 { (view.say("Hosts that link to it", "Hosts, die darauf verweisen")) } (self.links(view, &self.linked_from)) }
                section { h2 { (view.say("Hosts it links to", "Hosts, auf die er verweist")) } (self.links(view, &self.links_to)) }
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let verdict = self.verdict.as_ref()?;
        let rows = verdict.evidence.iter().map(|sign| {
            vec![
                Cell::Text(sign.indicator.as_str().to_owned()),
                Cell::Text(sign.seen.clone()),
                Cell::Text(sign.compared.clone()),
                Cell::Number(sign.strength),
                Cell::Text(sign.source.clone()),
                Cell::Text(sign.at.to_second_text()),
            ]
        });
        let head = vec!["indicator", "seen", "compared", "strength", "source", "at"];
        let table = Table { name: "evidence", title: "Evidence", head, rows: rows.collect() };
        Some(("evidence".to_owned(), table.csv()))
    }
}

impl HostPage {
    fn head(&self, view: &View) -> Markup {
        html! {
            @match &self.verdict {
                None => p { (membership_tag(view, None)) " " (view.say("It was met, but not judged.", "Er kam vor, wurde aber nicht beurteilt.")) },
                Some(verdict) => dl .facts .sheet {
                    dt { (view.say("Verdict", "Urteil")) } dd { (membership_tag(view, Some(verdict.membership))) @if let Some(label) = &verdict.label { " " (label) } }
                    dt { (view.say("Score", "Punkte")) } dd { (weight_bar(view, verdict.score)) }
                    @if let Some(case) = verdict.case { dt { (view.say("Case", "Fall")) } dd { (case.number()) ": " (case_in_words(view, case)) } }
                    dt { (view.say("Settled by", "Ausschlag gab")) } dd { (decided_in_words(view, verdict.membership, verdict.decided_by, !verdict.open.is_empty())) }
                    dt { (view.say("Reason", "Begründung")) } dd { (verdict_reason(view, verdict)) }
                    dt { (view.say("Judged", "Beurteilt")) } dd { (date_time(verdict.at)) (view.say(", relied on until ", ", gilt bis ")) (date_time(verdict.until)) }
                },
            }
        }
    }

    fn decisions(&self, view: &View) -> Markup {
        html! {
            @if !self.decisions.is_empty() || view.may(Role::Editor) {
                h2 #decisions { (view.say("Decided by hand", "Von Hand entschieden")) }
            }
            @if !self.decisions.is_empty() {
                (decision_table(view, &self.harvest, &self.decisions, Some(&self.host)))
            }
            @if view.may(Role::Editor) {
                p .soft {
                    (view.say("A decision wins over all evidence. ", "Eine Entscheidung gilt mehr als alle Anzeichen. "))
                    @if self.waiting > 0 { (view.tongue.number(self.waiting)) (view.say(" addresses on it wait. ", " Adressen darauf warten. ")) }
                    (view.say("A running crawl follows within a second, otherwise the next one does.", "Ein laufender Crawl folgt innerhalb einer Sekunde, sonst der nächste."))
                }
                (decide_form(view, &self.harvest, &self.host, Some(&self.host)))
            }
        }
    }

    fn servers(&self, view: &View) -> Markup {
        html! {
            h2 { (view.say("Servers on it", "Server darauf")) }
            @if self.servers.is_empty() {
                (empty_note(view.say("No address of it was met.", "Keine Adresse von ihm kam vor.")))
            } @else {
                div .scroll tabindex="0" { table {
                    thead { tr {
                        th { (view.say("Server", "Server")) } th { (view.say("Software", "Software")) } th { (view.say("Address", "Adresse")) }
                        th .right { (view.say("Captures", "Aufnahmen")) } th .right { (view.say("Data", "Daten")) }
                        th .right { (view.say("Queued", "Wartend")) } th { "robots.txt" }
                    } }
                    tbody { @for it in &self.servers { tr {
                        td { @if it.captures > 0 { a href=(it.page) { (it.origin) } } @else { (it.origin) } @if it.failures > 0 { " " span .tag .bad { (it.failures) " " (view.say("failures", "Fehlschläge")) } } }
                        td { (it.software.as_deref().unwrap_or("–")) }
                        td .nowrap { (it.address.as_deref().unwrap_or("–")) }
                        td .right { (view.tongue.number(it.captures)) } td .right { (view.tongue.size(it.bytes)) } td .right { (view.tongue.number(it.queued)) }
                        td { (robots_state(view, it.robots.as_ref())) }
                    } } }
                } }
            }
        }
    }

    fn databases(&self, view: &View) -> Markup {
        let databases = &self.databases;
        html! {
            @if databases.total > 0 {
                h2 { (view.say("Databases on it", "Datenbanken darauf")) }
                ul { @for it in &databases.first { li .breaks { a href=(it.page) { (it.title) } " " span .tag { (kind_name(view, it.kind)) } } } }
                p { a href=(databases.page) { (view.say("All databases of this host", "Alle Datenbanken dieses Hosts")) " (" (view.tongue.number(databases.total)) ")" } }
            }
        }
    }

    fn links(&self, view: &View, hosts: &[HostName]) -> Markup {
        html! {
            @if hosts.is_empty() {
                (empty_note(view.say("None is known.", "Keiner ist bekannt.")))
            } @else {
                ul .chips { @for host in hosts { li { a .chip href={ "/organisation/" (self.harvest) "/" (host) } { (readable_host(host.as_str())) } } } }
                @if hosts.len() >= LINKS { p .soft { (view.say("the first ", "die ersten ")) (LINKS) } }
            }
        }
    }
}

fn evidence(view: &View, verdict: &Verdict) -> Markup {
    html! {
        h2 { (view.say("Evidence", "Anzeichen")) }
        @if verdict.evidence.is_empty() {
            (empty_note(view.say("Nothing was looked at.", "Nichts wurde angesehen.")))
        } @else {
            div .scroll tabindex="0" { table {
                thead { tr { th { (view.say("Sign", "Anzeichen")) } th { (view.say("Strength", "Stärke")) } th { (view.say("What was seen", "Was gesehen wurde")) } th { (view.say("Source", "Quelle")) } th { (view.say("When", "Wann")) } } }
                tbody { @for sign in &verdict.evidence { tr .soft[sign.strength <= 0.0] {
                    td .nowrap { (indicator_name(view, sign.indicator)) }
                    td .nowrap { (weight_bar(view, sign.strength)) }
                    td .why-cell { (evidence_sentence(view, sign)) }
                    td { (sign.source.strip_prefix("profile ").map_or_else(|| sign.source.clone(), |name| format!("{} {name}", view.say("profile", "Profil")))) }
                    td .nowrap { (date_time(sign.at)) }
                } } }
            } }
            p .soft { (view.say("Signs of one kind say much the same, so only the strongest of each kind counts towards the score.", "Anzeichen einer Art sagen nahezu dasselbe; für die Punkte zählt nur das stärkste jeder Art.")) }
        }
    }
}

fn open_questions(view: &View, verdict: &Verdict) -> Markup {
    html! {
        @if !verdict.open.is_empty() {
            h2 { (view.say("Open questions", "Offene Fragen")) }
            ul { @for open in &verdict.open { li { strong { (indicator_name(view, open.indicator)) } ": " (reason(view, &open.why)) } } }
        }
    }
}

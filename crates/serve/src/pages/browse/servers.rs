//! The servers of an institution that answered.

use super::super::listing::{Sorting, address, page_number};
use super::PER_PAGE;
use super::institutions::{first_steps, label_name};
use crate::look::{Section, breadcrumbs, date_time, empty_note, pager};
use crate::problem::Problem;
use crate::site::Harvest;
use crate::view::{Page, View};
use auslese_catalog::{ServerOrder, ServerSummary};
use auslese_model::Timestamp;
use auslese_statistics::{Cell, Table};
use maud::{Markup, html};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct Servers {
    harvest: String,
    title: String,
    institution: Option<String>,
    /// There is no other institution.
    #[serde(skip)]
    is_only: bool,
    sort: Sorting,
    page: usize,
    pages: usize,
    total: u64,
    servers: Vec<Server>,
}

#[derive(Debug, Serialize)]
struct Server {
    origin: String,
    host: String,
    page: String,
    software: Option<String>,
    captures: u64,
    bytes: u64,
    #[serde(skip)]
    last: Option<Timestamp>,
    last_asked: Option<String>,
}

const ORDERS: [(&str, ServerOrder); 5] = [
    ("name", ServerOrder::Name),
    ("software", ServerOrder::Software),
    ("captures", ServerOrder::Captures),
    ("bytes", ServerOrder::Bytes),
    ("last", ServerOrder::Last),
];

pub(super) async fn list(
    harvest: &Harvest,
    label: Option<&str>,
    is_only: bool,
    parameters: &[(String, String)],
) -> Result<Servers, Problem> {
    let sort = Sorting::read(parameters, &ORDERS.map(|(name, _)| name));
    let order =
        ORDERS.iter().find(|(name, _)| *name == sort.by).map_or_else(Default::default, |it| it.1);
    let page = page_number(parameters);
    let (total, servers) = harvest
        .catalog
        .server_summaries(label, order, sort.descending, (page - 1) * PER_PAGE, PER_PAGE)
        .await?;
    Ok(Servers {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        institution: label.map(str::to_owned),
        is_only,
        sort,
        page,
        pages: (total as usize).div_ceil(PER_PAGE),
        total,
        servers: servers.into_iter().map(|it| shown(harvest, it)).collect(),
    })
}

fn shown(harvest: &Harvest, summary: ServerSummary) -> Server {
    let origin = summary.origin.to_string();
    Server {
        page: address(&format!("/browse/{}", harvest.name), &[("server", &origin)]),
        host: summary.origin.host.to_string(),
        origin,
        software: summary.software,
        captures: summary.captures,
        bytes: summary.bytes,
        last: summary.last,
        last_asked: summary.last.map(Timestamp::to_second_text),
    }
}

impl Page for Servers {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        let name = match (&self.institution, self.is_only) {
            (None, true) => self.title.clone(),
            (label, _) => label_name(view, label.as_deref()),
        };
        format!("{name} – {}", view.say("Servers", "Server"))
    }

    fn body(&self, view: &View) -> Markup {
        let head = |by, name, is_number| self.sort.head(view, by, name, is_number);
        let steps = first_steps(view, &self.harvest, &self.title);
        html! {
            @if !self.is_only { (breadcrumbs(view, &steps, &label_name(view, self.institution.as_deref()))) }
            h1 { (self.title(view)) }
            p .soft { (view.tongue.number(self.total)) " " (view.say("servers that answered", "Server, die geantwortet haben")) }
            @if self.servers.is_empty() {
                (empty_note(view.say("No server answered here.", "Hier hat kein Server geantwortet.")))
            } @else {
                div .scroll tabindex="0" { table {
                    thead { tr {
                        (head("name", view.say("Server", "Server"), false))
                        (head("software", view.say("Software", "Software"), false))
                        (head("captures", view.say("Captures", "Aufnahmen"), true))
                        (head("bytes", view.say("Data", "Daten"), true))
                        (head("last", view.say("Last asked", "Zuletzt gefragt"), false))
                        th {}
                    } }
                    tbody {
                        @for it in &self.servers {
                            tr {
                                td .break { a href=(it.page) { (it.origin) } }
                                td .break { (it.software.as_deref().unwrap_or("–")) }
                                td .right { (view.tongue.number(it.captures)) }
                                td .right { (view.tongue.size(it.bytes)) }
                                td .nowrap { @if let Some(last) = it.last { (date_time(last)) } }
                                td .nowrap { a href={ "/organisation/" (self.harvest) "/" (it.host) } { (view.say("Host", "Host")) } }
                            }
                        }
                    }
                } }
                (pager(view, self.page, self.pages))
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let text = |text: &Option<String>| text.clone().map_or(Cell::Missing, Cell::Text);
        let rows = self.servers.iter().map(|it| {
            vec![
                Cell::Text(it.origin.clone()),
                text(&it.software),
                Cell::Count(it.captures),
                Cell::Bytes(it.bytes),
                text(&it.last_asked),
            ]
        });
        let head = vec!["server", "software", "captures", "bytes", "last asked"];
        let table = Table { name: "servers", title: "Servers", head, rows: rows.collect() };
        Some(("servers".to_owned(), table.csv()))
    }
}

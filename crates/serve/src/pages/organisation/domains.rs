//! The picture of domains, and its twin as a table.

use super::graph::{DomainGraph, Link, MAX_NODES, Node};
use super::top;
use super::words::{membership_name, membership_tag, readable_host};
use crate::ledger::{Counted, Reading};
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_model::Membership;
use auslese_statistics::{Cell, Table};
use axum::http::header::{HeaderName, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct Domains {
    harvest: String,
    title: String,
    counting: bool,
    counted_at: Option<String>,
    #[serde(serialize_with = "as_graph")]
    graph: Option<Arc<Counted<DomainGraph>>>,
}

fn as_graph<S: serde::Serializer>(
    counted: &Option<Arc<Counted<DomainGraph>>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    counted.as_ref().map(|counted| &counted.value).serialize(serializer)
}

pub(super) async fn answer(
    site: &Site,
    harvest: &Arc<Harvest>,
    view: &View,
) -> Result<Response, Problem> {
    let reading =
        site.graphs
            .read(harvest, "domains", |harvest| async move {
                DomainGraph::gather(&harvest.catalog).await
            })
            .await?;
    let graph = match reading {
        Reading::Ready(counted) => Some(counted),
        Reading::Counting => None,
    };
    let page = Domains {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        counting: graph.is_none(),
        counted_at: graph.as_ref().map(|it| it.at.to_second_text()),
        graph,
    };
    let mut response = view.answer(&page);
    if page.counting {
        *response.status_mut() = StatusCode::ACCEPTED;
        response
            .headers_mut()
            .insert(HeaderName::from_static("refresh"), HeaderValue::from_static("1"));
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    Ok(response)
}

impl Page for Domains {
    fn section(&self) -> Section {
        Section::Organisation
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Domains", "Domains"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (top(view, &self.harvest, &self.title, "domains"))
            @match &self.graph {
                None => p .empty role="status" { (view.say("This is being counted. The page comes back by itself in a moment.", "Das wird gerade gezählt. Die Seite kommt gleich von selbst wieder.")) },
                Some(counted) if counted.value.nodes.is_empty() => (empty_note(view.say("No host was met yet.", "Noch kam kein Host vor."))),
                Some(counted) => {
                    p .soft {
                        (view.say("Each circle is a domain somebody registered; its size is how much was captured of it. Lines are links between their hosts.", "Jeder Kreis ist eine Domain, die jemand angemeldet hat; seine Größe ist, wie viel davon aufgenommen wurde. Linien sind Verweise zwischen ihren Hosts."))
                        @if counted.value.further > 0 { " " (view.tongue.number(counted.value.further as u64)) (view.say(" further domains are not drawn.", " weitere Domains sind nicht gezeichnet.")) }
                    }
                    div .sheet .figure { (legend(view)) div .drawing tabindex="0" { (picture(view, &counted.value)) } }
                    (table(view, &counted.value))
                    p .soft { (view.say("Counted ", "Gezählt ")) (date_time(counted.at)) }
                },
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let graph = &self.graph.as_ref()?.value;
        let rows = graph.nodes.iter().enumerate().map(|(number, node)| {
            let (out, into) = neighbours(graph, number);
            vec![
                Cell::Text(node.domain.clone()),
                node.membership.map_or(Cell::Empty, |it| Cell::Text(it.as_str().to_owned())),
                Cell::Count(node.hosts),
                Cell::Count(node.captures),
                Cell::Text(out.join(" ")),
                Cell::Text(into.join(" ")),
            ]
        });
        let head = vec!["domain", "verdict", "hosts", "captures", "links to", "linked from"];
        let table = Table { name: "domains", title: "Domains", head, rows: rows.collect() };
        Some(("domains".to_owned(), table.csv()))
    }
}

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 640.0;
/// Room for names at the sides, and for circles above and below.
const MARGIN: (f64, f64) = (115.0, 40.0);
/// About as wide is a letter of a name, and as high a line.
const LETTER: (f64, f64) = (6.8, 15.0);

fn place(node: &Node) -> (f64, f64) {
    (MARGIN.0 + node.x * (WIDTH - 2.0 * MARGIN.0), MARGIN.1 + node.y * (HEIGHT - 2.0 * MARGIN.1))
}

fn class(membership: Option<Membership>) -> &'static str {
    match membership {
        Some(Membership::Member) => "is-member",
        Some(Membership::Unsure) => "is-unsure",
        Some(Membership::Foreign) => "is-foreign",
        None => "is-unjudged",
    }
}

fn picture(view: &View, graph: &DomainGraph) -> Markup {
    let largest = graph.nodes.iter().map(|node| node.captures).max().unwrap_or(0).max(1) as f64;
    let radius = |node: &Node| 5.0 + 19.0 * (node.captures as f64 / largest).sqrt();
    let round = |value: f64| format!("{value:.1}");
    let named = named(graph, radius);
    let title = view.say(
        "Domains and the links between them; the table below has the same",
        "Domains und die Verweise zwischen ihnen; die Tabelle darunter hat dasselbe",
    );
    html! {
        svg .chart .graph viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(title) {
            @for link in &graph.links {
                @let ((x1, y1), (x2, y2)) = (place(&graph.nodes[link.from]), place(&graph.nodes[link.to]));
                line .edge x1=(round(x1)) y1=(round(y1)) x2=(round(x2)) y2=(round(y2)) stroke-width=(round(1.0 + (link.hosts as f64).ln().min(3.0))) {
                    title { (graph.nodes[link.from].domain) " → " (graph.nodes[link.to].domain) ": " (view.tongue.number(link.hosts)) }
                }
            }
            @for node in &graph.nodes {
                @let (x, y) = place(node);
                g class={ "node " (class(node.membership)) } {
                    circle cx=(round(x)) cy=(round(y)) r=(round(radius(node))) {
                        title { (node.domain) ", " (membership_name(view, node.membership)) ", " (view.tongue.number(node.captures)) " " (view.say("captures", "Aufnahmen")) }
                    }
                }
            }
            @for (node, place) in graph.nodes.iter().zip(named) {
                @if let Some((x, y)) = place { text .node-name x=(round(x)) y=(round(y)) text-anchor="middle" { (readable_host(&node.domain)) } }
            }
        }
    }
}

/// Where names stand: below their circles or above, whichever has room, the greatest domains first. Names without room
/// are shown when pointed at.
fn named(graph: &DomainGraph, radius: impl Fn(&Node) -> f64) -> Vec<Option<(f64, f64)>> {
    let circle = |node: &Node| {
        let ((x, y), radius) = (place(node), radius(node));
        [x - radius, x + radius, y - radius, y + radius]
    };
    let mut taken: Vec<[f64; 4]> = graph.nodes.iter().map(circle).collect();
    let mut find = |node: &Node| {
        let (x, y) = place(node);
        let half = readable_host(&node.domain).chars().count() as f64 * LETTER.0 / 2.0;
        let tops = [y + radius(node) + 0.5, y - radius(node) - LETTER.1 - 0.5];
        let top = tops.into_iter().find(|top| {
            let room = [x - half, x + half, *top, top + LETTER.1];
            let is_apart = |it: &[f64; 4]| {
                room[1] < it[0] || room[0] > it[1] || room[3] < it[2] || room[2] > it[3]
            };
            taken.iter().all(is_apart)
        })?;
        taken.push([x - half, x + half, top, top + LETTER.1]);
        Some((x, top + LETTER.1 - 3.0))
    };
    graph.nodes.iter().map(&mut find).collect()
}

fn legend(view: &View) -> Markup {
    let kinds =
        [Some(Membership::Member), Some(Membership::Unsure), Some(Membership::Foreign), None];
    html! {
        ul .legend { @for kind in kinds {
            li { svg .key .graph viewBox="0 0 12 12" aria-hidden="true" { g class={ "node " (class(kind)) } { circle cx="6" cy="6" r="5" {} } } (membership_name(view, kind)) }
        } }
    }
}

/// Domains that a domain links to, and those that link to it.
fn neighbours(graph: &DomainGraph, number: usize) -> (Vec<&str>, Vec<&str>) {
    let name = |number: usize| graph.nodes[number].domain.as_str();
    let out =
        graph.links.iter().filter(|link| link.from == number).map(|link: &Link| name(link.to));
    let into = graph.links.iter().filter(|link| link.to == number).map(|link| name(link.from));
    (out.collect(), into.collect())
}

fn table(view: &View, graph: &DomainGraph) -> Markup {
    let names = |names: &[&str]| {
        names.iter().map(|name| readable_host(name)).collect::<Vec<_>>().join(", ")
    };
    html! {
        div .scroll tabindex="0" { table {
            thead { tr {
                th { "Domain" } th { (view.say("Verdict", "Urteil")) } th .right { "Hosts" } th .right { (view.say("Captures", "Aufnahmen")) }
                th { (view.say("Links to", "Verweist auf")) } th { (view.say("Linked from", "Verwiesen von")) }
            } }
            tbody {
                @for (number, node) in graph.nodes.iter().enumerate() {
                    @let (out, into) = neighbours(graph, number);
                    tr {
                        td { (readable_host(&node.domain)) } td { (membership_tag(view, node.membership)) }
                        td .right { (view.tongue.number(node.hosts)) } td .right { (view.tongue.number(node.captures)) }
                        td .names-cell { (names(&out)) } td .names-cell { (names(&into)) }
                    }
                }
            }
        } }
        @if graph.further > 0 { p .soft { (view.say("The first ", "Die ersten ")) (MAX_NODES) (view.say(" domains", " Domains")) } }
    }
}

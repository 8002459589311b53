//! The hosts that were judged.

use super::super::listing::{Sorting, page_number, parameter};
use super::top;
use super::words::{
    case_in_words, decided_in_words, evidence_sentence, membership_name, membership_tag,
    readable_host,
};
use crate::look::{Section, empty_note, pager, weight_bar};
use crate::problem::Problem;
use crate::site::Harvest;
use crate::view::{Page, View};
use auslese_catalog::{HostCounts, HostFilter, HostOrder, JudgedHost};
use auslese_model::{Case, Membership, Verdict};
use auslese_statistics::{Cell, Table};
use maud::{Markup, html};
use serde::Serialize;
use std::collections::BTreeMap;

/// Hosts of one page.
const PER_PAGE: usize = 50;
/// Letters to look for.
const MAX_TEXT: usize = 255;

#[derive(Debug, Serialize)]
pub(super) struct Hosts {
    harvest: String,
    title: String,
    /// Hosts by verdict, whatever is looked for.
    verdicts: BTreeMap<&'static str, u64>,
    /// Members by case.
    cases: BTreeMap<u8, u64>,
    verdict: Option<Membership>,
    case: Option<Case>,
    text: String,
    sort: Sorting,
    page: usize,
    pages: usize,
    total: u64,
    hosts: Vec<Shown>,
}

#[derive(Debug, Serialize)]
struct Shown {
    page: String,
    captures: u64,
    #[serde(flatten)]
    verdict: Verdict,
}

const ORDERS: [(&str, HostOrder); 4] = [
    ("verdict", HostOrder::Verdict),
    ("host", HostOrder::Host),
    ("score", HostOrder::Score),
    ("captures", HostOrder::Captures),
];

pub(super) async fn list(
    harvest: &Harvest,
    parameters: &[(String, String)],
) -> Result<Hosts, Problem> {
    let text = parameter(parameters, "q").unwrap_or_default().trim();
    let text: String = text.chars().take(MAX_TEXT).collect();
    let verdict = parameter(parameters, "verdict").and_then(Membership::parse);
    let case = parameter(parameters, "case").and_then(|text| Case::from_number(text.parse().ok()?));
    let filter = HostFilter { membership: verdict, case, text: text.clone() };
    let sort = Sorting::read(parameters, &ORDERS.map(|(name, _)| name));
    let order =
        ORDERS.iter().find(|(name, _)| *name == sort.by).map_or_else(Default::default, |it| it.1);
    let page = page_number(parameters);
    let (total, hosts) = harvest
        .catalog
        .judged_hosts(&filter, order, sort.descending, (page - 1) * PER_PAGE, PER_PAGE)
        .await?;
    let HostCounts { memberships, cases, .. } = harvest.catalog.host_counts().await?;
    let shown = |JudgedHost { verdict, captures }: JudgedHost| Shown {
        page: format!("/organisation/{}/{}", harvest.name, verdict.host),
        captures,
        verdict,
    };
    Ok(Hosts {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        verdicts: memberships.into_iter().map(|(it, count)| (it.as_str(), count)).collect(),
        cases: cases.into_iter().map(|(case, count)| (case.number(), count)).collect(),
        verdict,
        case,
        text,
        sort,
        page,
        pages: (total as usize).div_ceil(PER_PAGE),
        total,
        hosts: hosts.into_iter().map(shown).collect(),
    })
}

impl Page for Hosts {
    fn section(&self) -> Section {
        Section::Organisation
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Hosts", "Hosts"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (top(view, &self.harvest, &self.title, "hosts"))
            (self.form(view))
            p .soft role="status" { (view.tongue.number(self.total)) " " (if self.total == 1 { view.say("host", "Host") } else { view.say("hosts", "Hosts") }) }
            @if self.hosts.is_empty() {
                (empty_note(view.say("No host was judged that fits. `auslese discover` judges hosts.", "Kein passender Host wurde beurteilt. `auslese discover` beurteilt Hosts.")))
            } @else {
                (self.table(view))
                (pager(view, self.page, self.pages))
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let rows = self.hosts.iter().map(|it| {
            let verdict = &it.verdict;
            vec![
                Cell::Text(verdict.host.to_string()),
                Cell::Text(verdict.membership.as_str().to_owned()),
                verdict.case.map_or(Cell::Empty, |case| Cell::Count(u64::from(case.number()))),
                Cell::Number(verdict.score),
                Cell::Text(verdict.reason.clone()),
                verdict.label.clone().map_or(Cell::Empty, Cell::Text),
                Cell::Count(it.captures),
            ]
        });
        let head = vec!["host", "verdict", "case", "score", "why", "institution", "captures"];
        let table = Table { name: "hosts", title: "Hosts", head, rows: rows.collect() };
        Some(("hosts".to_owned(), table.csv()))
    }
}

impl Hosts {
    fn form(&self, view: &View) -> Markup {
        let number = |number: u64| view.tongue.number(number);
        html! {
            form .ask role="search" data-at-once action={ "/organisation/" (self.harvest) } {
                label .wide { span { (view.say("Letters of the name", "Buchstaben des Namens")) } input type="search" name="q" value=(self.text); }
                label {
                    span { (view.say("Verdict", "Urteil")) }
                    select name="verdict" {
                        option value="" { (view.say("all", "alle")) }
                        @for membership in [Membership::Member, Membership::Unsure, Membership::Foreign] {
                            option value=(membership.as_str()) selected[self.verdict == Some(membership)] {
                                (membership_name(view, Some(membership))) " (" (number(self.verdicts.get(membership.as_str()).copied().unwrap_or(0))) ")"
                            }
                        }
                    }
                }
                label {
                    span { (view.say("Case", "Fall")) }
                    select name="case" {
                        option value="" { (view.say("all", "alle")) }
                        @for case in Case::ALL {
                            option value=(case.number()) selected[self.case == Some(case)] title=(case_in_words(view, case)) {
                                (case.number()) " (" (number(self.cases.get(&case.number()).copied().unwrap_or(0))) ")"
                            }
                        }
                    }
                }
                button { (view.say("Show", "Zeigen")) }
            }
        }
    }

    fn table(&self, view: &View) -> Markup {
        let head = |by, name, is_number| self.sort.head(view, by, name, is_number);
        html! {
            div .scroll tabindex="0" { table .hosts {
                thead { tr {
                    (head("host", "Host", false))
                    (head("verdict", view.say("Verdict", "Urteil"), false))
                    th .right { (view.say("Case", "Fall")) }
                    (head("score", view.say("Score", "Punkte"), true))
                    th { (view.say("Why", "Warum")) }
                    (head("captures", view.say("Captures", "Aufnahmen"), true))
                } }
                tbody {
                    @for it in &self.hosts {
                        @let verdict = &it.verdict;
                        tr {
                            td .break { a href=(it.page) { (readable_host(verdict.host.as_str())) } }
                            td { (membership_tag(view, Some(verdict.membership))) }
                            td .right { @if let Some(case) = verdict.case { abbr title=(case_in_words(view, case)) { (case.number()) } } }
                            td .right .nowrap { (weight_bar(view, verdict.score)) }
                            td .why-cell { (why(view, verdict)) }
                            td .right { (view.tongue.number(it.captures)) }
                        }
                    }
                }
            } }
            dl .facts .cases {
                @for case in Case::ALL { dt { (view.say("Case ", "Fall ")) (case.number()) } dd { (case_in_words(view, case)) } }
            }
        }
    }
}

/// What settled it, and the strongest sign.
fn why(view: &View, verdict: &Verdict) -> Markup {
    let deciding = verdict.decided_by.and_then(|by| {
        let mut signs = verdict.evidence.iter().filter(|sign| sign.indicator == by);
        signs.next()
    });
    let strongest = verdict.evidence.iter().max_by(|a, b| a.strength.total_cmp(&b.strength));
    let sign = deciding.or(strongest.filter(|sign| sign.strength > 0.0));
    html! {
        strong { (decided_in_words(view, verdict.membership, verdict.decided_by, !verdict.open.is_empty())) }
        @if let Some(sign) = sign { ": " (evidence_sentence(view, sign)) }
    }
}

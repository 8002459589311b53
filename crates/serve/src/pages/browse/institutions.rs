//! The institutions of a harvest.

use super::super::listing::address;
use crate::look::{Section, bar, breadcrumbs, empty_note};
use crate::site::Harvest;
use crate::view::{Page, View};
use auslese_catalog::LabelSummary;
use auslese_statistics::{Cell, Table};
use maud::{Markup, html};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct Institutions {
    harvest: String,
    title: String,
    institutions: Vec<Institution>,
}

#[derive(Debug, Serialize)]
struct Institution {
    /// None: servers that belong to no institution.
    label: Option<String>,
    page: String,
    servers: u64,
    answering_servers: u64,
    captures: u64,
    bytes: u64,
}

pub(super) fn list(harvest: &Harvest, labels: Vec<LabelSummary>) -> Institutions {
    let institution = |summary: LabelSummary| Institution {
        page: address(
            &format!("/browse/{}", harvest.name),
            &[("institution", summary.label.as_deref().unwrap_or_default())],
        ),
        label: summary.label,
        servers: summary.servers,
        answering_servers: summary.answering,
        captures: summary.captures,
        bytes: summary.bytes,
    };
    Institutions {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        institutions: labels.into_iter().map(institution).collect(),
    }
}

/// What servers without an institution are called.
pub(super) fn label_name(view: &View, label: Option<&str>) -> String {
    label.map_or_else(
        || view.say("Without an institution", "Ohne Institution").to_owned(),
        str::to_owned,
    )
}

/// The way from the harvests to a harvest.
pub(super) fn first_steps(view: &View, harvest: &str, title: &str) -> Vec<(String, String)> {
    let mut steps = Vec::new();
    if view.site.harvests.len() > 1 {
        steps.push((view.say("Harvests", "Ernten").to_owned(), "/browse".to_owned()));
    }
    steps.push((title.to_owned(), format!("/browse/{harvest}")));
    steps
}

impl Page for Institutions {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Institutions", "Institutionen"))
    }

    fn body(&self, view: &View) -> Markup {
        let number = |number| view.tongue.number(number);
        let all: u64 = self.institutions.iter().map(|it| it.captures).sum();
        let mut steps = first_steps(view, &self.harvest, &self.title);
        steps.pop();
        html! {
            @if !steps.is_empty() { (breadcrumbs(view, &steps, &self.title)) }
            h1 { (self.title(view)) }
            @if self.institutions.is_empty() {
                (empty_note(view.say("Nothing was harvested yet.", "Noch wurde nichts geerntet.")))
            } @else {
                div .scroll tabindex="0" { table {
                    thead { tr {
                        th { (view.say("Institution", "Institution")) }
                        th .right { (view.say("Servers met", "Server bekannt")) }
                        th .right { (view.say("answered", "geantwortet")) }
                        th .right { (view.say("Captures", "Aufnahmen")) }
                        th { (view.say("Share", "Anteil")) }
                        th .right { (view.say("Data", "Daten")) }
                    } }
                    tbody {
                        @for it in &self.institutions {
                            tr {
                                td { a href=(it.page) { (label_name(view, it.label.as_deref())) } }
                                td .right { (number(it.servers)) }
                                td .right { (number(it.answering_servers)) }
                                td .right { (number(it.captures)) }
                                td .middle { (bar(it.captures as f64 / all.max(1) as f64)) }
                                td .right { (view.tongue.size(it.bytes)) }
                            }
                        }
                    }
                } }
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let rows = self.institutions.iter().map(|it| {
            vec![
                it.label.clone().map_or(Cell::Missing, Cell::Text),
                Cell::Count(it.servers),
                Cell::Count(it.answering_servers),
                Cell::Count(it.captures),
                Cell::Bytes(it.bytes),
            ]
        });
        let head = vec!["institution", "servers", "answering servers", "captures", "bytes"];
        let table =
            Table { name: "institutions", title: "Institutions", head, rows: rows.collect() };
        Some(("institutions".to_owned(), table.csv()))
    }
}

//! The values of a database: attribute by attribute in pages, or those that contain a text.

use super::super::listing::{address, page_number, parameter};
use super::live::live_link;
use super::words::counted;
use crate::look::{empty_note, pager};
use crate::problem::Problem;
use crate::site::Harvest;
use crate::view::View;
use auslese_catalog::{AttributeCount, StoredValue};
use auslese_model::DatabaseId;
use auslese_statistics::{Cell, Table};
use maud::{Markup, html};
use serde::Serialize;

/// Values of one page.
const VALUES: usize = 100;
/// Values that contain a text, of which are shown.
const FOUND: usize = 200;
/// Attributes that are named.
const ATTRIBUTES: usize = 200;
/// Letters to look for.
const MAX_TEXT: usize = 255;

#[derive(Debug, Serialize)]
pub(super) struct Values {
    attributes: Vec<Attribute>,
    /// The attribute whose values are shown, unless a text is looked for.
    attribute: Option<String>,
    page: usize,
    pages: usize,
    q: String,
    shown: Vec<ShownValue>,
}

#[derive(Debug, Serialize)]
struct Attribute {
    name: String,
    values: u64,
    page: String,
}

/// A value, and the address that shows it live.
#[derive(Debug, Serialize)]
struct ShownValue {
    attribute: String,
    value: String,
    query: Option<String>,
}

impl Values {
    pub(super) async fn of(
        harvest: &Harvest,
        id: DatabaseId,
        counts: Vec<AttributeCount>,
        parameters: &[(String, String)],
    ) -> Result<Values, Problem> {
        let here = format!("/databases/{}/{}", harvest.name, id.0);
        let wished = parameter(parameters, "attribute");
        let chosen = match wished {
            Some(name) => counts.iter().find(|it| it.attribute == name),
            None => counts.first(),
        };
        if wished.is_some() && chosen.is_none() {
            return Err(Problem::not_found(
                "This database has no such attribute.",
                "Dieses Merkmal hat die Datenbank nicht.",
            ));
        }
        let q: String =
            parameter(parameters, "q").unwrap_or_default().trim().chars().take(MAX_TEXT).collect();
        let mut values = Values {
            attribute: None,
            page: 1,
            pages: 1,
            shown: Vec::new(),
            attributes: Vec::new(),
            q,
        };
        if !values.q.is_empty() {
            let found = harvest.catalog.hidden_matches(id, &values.q, FOUND).await?;
            let found = found.into_iter().map(|it| ShownValue::of(it.attribute, it.value));
            values.shown = found.collect();
        } else if let Some(chosen) = chosen {
            let pages =
                usize::try_from(chosen.values.div_ceil(VALUES as u64)).unwrap_or(usize::MAX);
            values.pages = pages.max(1);
            values.page = page_number(parameters).min(values.pages);
            let from = (values.page - 1) * VALUES;
            let name = &chosen.attribute;
            let found = harvest.catalog.hidden_values(id, name, from as u64, VALUES).await?;
            values.shown = found.into_iter().map(|it| ShownValue::of(name.clone(), it)).collect();
            values.attribute = Some(name.clone());
        }
        let named = counts.into_iter().map(|it| Attribute {
            page: address(&here, &[("attribute", &it.attribute)]) + "#values",
            name: it.attribute,
            values: it.values,
        });
        values.attributes = named.collect();
        Ok(values)
    }

    /// Whether there is anything to be shown, or looked for.
    pub(super) fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    pub(super) fn table(&self) -> Table {
        let rows = self.shown.iter().map(|it| {
            let query = it.query.clone().unwrap_or_default();
            vec![Cell::Text(it.attribute.clone()), Cell::Text(it.value.clone()), Cell::Text(query)]
        });
        let head = vec!["attribute", "value", "query"];
        Table { name: "values", title: "Values", head, rows: rows.collect() }
    }

    pub(super) fn markup(&self, view: &View) -> Markup {
        html! {
            h2 #values { (view.say("What is in it", "Was darin steht")) }
            form .ask action=(view.path) {
                label .wide { span { (view.say("Values that contain", "Werte, die enthalten:")) } input type="search" name="q" value=(self.q) autocomplete="off"; }
                button { (view.say("Find", "Finden")) }
            }
            (self.names(view))
            @if !self.q.is_empty() {
                p role="status" {
                    @let (one, several) = view.say(("value contains", "values contain"), ("Wert enthält", "Werte enthalten"));
                    (counted(view, self.shown.len() as u64, one, several)) " " q { (self.q) }
                    @if self.shown.len() >= FOUND { " " (view.say("(no more are shown)", "(mehr werden nicht gezeigt)")) }
                }
            }
            @if self.shown.is_empty() { (empty_note(view.say("No value contains this.", "Kein Wert enthält das."))) }
            @else { (self.list(view)) }
            @if self.q.is_empty() { (pager(view, self.page, self.pages)) }
        }
    }

    fn names(&self, view: &View) -> Markup {
        html! {
            ul .chips aria-label=(view.say("Attributes", "Merkmale")) {
                @for it in self.attributes.iter().take(ATTRIBUTES) {
                    @let is_here = self.attribute.as_ref() == Some(&it.name);
                    li { a .chip href=(it.page) aria-current=[is_here.then_some("true")] { (it.name) " " small { "(" (view.tongue.number(it.values)) ")" } } }
                }
            }
            @if self.attributes.len() > ATTRIBUTES { p .soft { "+ " (view.tongue.number((self.attributes.len() - ATTRIBUTES) as u64)) } }
        }
    }

    fn list(&self, view: &View) -> Markup {
        let names_attribute = self.attribute.is_none();
        html! {
            div .scroll tabindex="0" { table {
                thead { tr {
                    @if names_attribute { th { (view.say("Attribute", "Merkmal")) } }
                    th { (view.say("Value", "Wert")) }
                    th { (view.say("Ask for it there", "Dort danach fragen")) }
                } }
                tbody { @for it in &self.shown { tr {
                    @if names_attribute { td { (it.attribute) } }
                    td .breaks { (it.value) }
                    td { @match &it.query { Some(query) => (live_link(view, query, view.say("filled in", "ausgefüllt"))), None => "–" } }
                } } }
            } }
        }
    }
}

impl ShownValue {
    fn of(attribute: String, stored: StoredValue) -> ShownValue {
        ShownValue { attribute, value: stored.value, query: stored.query }
    }
}

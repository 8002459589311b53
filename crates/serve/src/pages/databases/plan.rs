//! How a database is asked, as the plan says: what is usual in plans as tables, the rest as it is.

use crate::view::View;
use maud::{Markup, html};
use serde_json::Value;

/// Elements and attributes of a plan that are shown.
const PARTS: usize = 100;
/// Bytes of a part that nobody knows how to show.
const RAW_BYTES: usize = 20_000;

/// What stands in a plan, other parts included; nothing if there is none.
pub(super) fn plan(view: &View, plan: &Value) -> Markup {
    let Some(parts) = plan.as_object().filter(|parts| !parts.is_empty()) else { return html! {} };
    let list = |name: &str| parts.get(name).and_then(Value::as_array).filter(|it| !it.is_empty());
    let is_table = |name: &str| list(name).is_some_and(|it| it.iter().all(Value::is_object));
    let (elements, attributes) = (is_table("elements"), is_table("attributes"));
    let others: Vec<(&String, &Value)> = parts
        .iter()
        .filter(|(name, value)| !(value.is_null() || *name == "elements" && elements))
        .filter(|(name, _)| !(*name == "attributes" && attributes))
        .collect();
    html! {
        h2 { (view.say("How it is asked", "Wie gefragt wird")) }
        @if !others.is_empty() {
            dl .facts .sheet { @for (name, value) in others { dt { (part_name(view, name)) } dd .breaks { (any(value)) } } }
        }
        @if elements {
            (table(list("elements"), &[
                ("name", view.say("Element", "Element")), ("label", view.say("Label", "Beschriftung")),
                ("values", view.say("Values", "Werte")), ("origin", view.say("Where from", "Woher")),
                ("sample", view.say("For instance", "Zum Beispiel")),
            ]))
        }
        @if attributes {
            h3 { (view.say("What is read from answers", "Was aus Antworten gelesen wird")) }
            (table(list("attributes"), &[("name", view.say("Attribute", "Merkmal")), ("rule", view.say("Rule", "Regel"))]))
        }
    }
}

fn part_name<'a>(view: &View, name: &'a str) -> &'a str {
    match name {
        "method" => view.say("Method", "Methode"),
        "action" => view.say("Sent to", "Gesendet an"),
        "queries" => view.say("Queries", "Fragen"),
        "size" => view.say("Combinations", "Kombinationen"),
        "navigation" => view.say("Further pages", "Weitere Seiten"),
        "elements" => view.say("Elements", "Elemente"),
        "attributes" => view.say("Attributes", "Merkmale"),
        name => name,
    }
}

/// A row for each object, with these columns first and then all that any of the objects has beside them.
fn table(rows: Option<&Vec<Value>>, known: &[(&str, &str)]) -> Markup {
    let rows: Vec<_> = rows.into_iter().flatten().filter_map(Value::as_object).collect();
    let (shown, rest) = rows.split_at(rows.len().min(PARTS));
    let mut columns: Vec<(&str, &str)> = known
        .iter()
        .filter(|(key, _)| shown.iter().any(|row| row.get(*key).is_some_and(|it| !it.is_null())))
        .copied()
        .collect();
    for key in shown.iter().flat_map(|row| row.keys()) {
        if columns.len() < PARTS && known.iter().chain(&columns).all(|(name, _)| name != key) {
            columns.push((key, key));
        }
    }
    html! {
        div .scroll tabindex="0" { table {
            thead { tr { @for (_, name) in &columns { th { (name) } } } }
            tbody { @for row in shown { tr { @for (key, _) in &columns { td .breaks { @if let Some(value) = row.get(*key) { (any(value)) } } } } } }
        } }
        @if !rest.is_empty() { p .soft { "+ " (rest.len()) } }
    }
}

/// Any value, as text.
fn any(value: &Value) -> Markup {
    html! {
        @match value {
            Value::Null => "–",
            Value::String(text) => (text),
            Value::Bool(_) | Value::Number(_) => (value),
            Value::Array(list) if list.iter().all(|it| !it.is_array() && !it.is_object()) => {
                @for (number, it) in list.iter().take(PARTS).enumerate() { @if number > 0 { ", " } (any(it)) }
                @if list.len() > PARTS { " …" }
            },
            value => pre tabindex="0" { (raw(value)) },
        }
    }
}

fn raw(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    if text.len() > RAW_BYTES {
        text.truncate(text.floor_char_boundary(RAW_BYTES));
        text.push('…');
    }
    text
}

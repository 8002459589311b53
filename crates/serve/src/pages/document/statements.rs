//! The table of statements: each with its weight, the rule that made it, where it was found, and what it was
//! preferred to.

use super::head::{Head, Side};
use super::rule_texts::RuleText;
use super::words;
use crate::look::{date_time, weight_bar};
use crate::view::View;
use auslese_catalog::StoredMark;
use auslese_model::{Description, Field, Format, FoundAt, MarkKind, RuleId, Statement, Timestamp};
use maud::{Markup, html};
use serde::Serialize;
use std::collections::HashMap;
use url::form_urlencoded;

/// Statements of one field that are shown, chosen ones and candidates each; a bibliography may have hundreds.
pub(crate) const MAX_STATEMENTS_SHOWN: usize = 200;
/// Chosen statements of a field that are seen at once; the others are folded.
const SEEN_AT_ONCE: usize = 12;
/// Letters of a value that are shown in a table.
const VALUE_LETTERS: usize = 1_200;

/// What is said of one field.
#[derive(Debug, Serialize)]
pub(super) struct FieldRows {
    field: Field,
    /// How sure it is that all chosen values together are right.
    together: Option<f64>,
    chosen: Vec<Row>,
    candidates: Vec<Row>,
    /// Statements beyond the limit.
    left_out: usize,
}

#[derive(Debug, Serialize)]
struct Row {
    /// Its number among all statements, which names it in addresses.
    number: usize,
    #[serde(flatten)]
    statement: Statement,
    rule_text: Option<RuleText>,
    mark: Option<MarkKind>,
}

/// What a person said about the document.
#[derive(Debug, Serialize)]
pub(super) struct PersonsMark {
    kind: MarkKind,
    field: Option<Field>,
    value: Option<String>,
    by: String,
    at: Timestamp,
    note: Option<String>,
}

impl PersonsMark {
    pub(super) fn of(stored: StoredMark) -> PersonsMark {
        let mark = stored.mark;
        PersonsMark {
            kind: mark.kind,
            field: mark.field,
            value: mark.value,
            by: mark.by,
            at: mark.at,
            note: mark.note,
        }
    }
}

/// Statements by field, in the order of fields.
pub(super) fn field_rows(
    description: &Description,
    texts: &HashMap<String, RuleText>,
    marks: &[PersonsMark],
) -> Vec<FieldRows> {
    let mut fields = Vec::new();
    for field in Field::ALL {
        let of_field = |is_chosen: bool| {
            let all = description.statements.iter().enumerate();
            all.filter(move |(_, it)| it.field == field && it.chosen == is_chosen)
        };
        let row = |(number, statement): (usize, &Statement)| {
            let rule = statement.rules.first();
            let is_it = |mark: &&PersonsMark| {
                mark.field == Some(field) && mark.value.as_deref() == Some(&statement.value)
            };
            Row {
                number,
                rule_text: rule.and_then(|rule| texts.get(rule.as_str()).cloned()),
                mark: marks.iter().find(is_it).map(|mark| mark.kind),
                statement: statement.clone(),
            }
        };
        let shown = |is_chosen| of_field(is_chosen).take(MAX_STATEMENTS_SHOWN).map(row).collect();
        let count = of_field(true).count() + of_field(false).count();
        let (chosen, candidates): (Vec<Row>, Vec<Row>) = (shown(true), shown(false));
        if count > 0 {
            let left_out = count - chosen.len() - candidates.len();
            let together = description.field_weights.iter().find(|(known, _)| *known == field);
            let together = together.map(|(_, weight)| *weight);
            fields.push(FieldRows { field, together, chosen, candidates, left_out });
        }
    }
    fields
}

pub(super) fn statements_table(
    view: &View,
    head: &Head,
    format: Option<Format>,
    fields: &[FieldRows],
) -> Markup {
    html! {
        div .scroll { table .statements {
            thead { tr {
                th { (view.say("Field", "Feld")) }
                th { (view.say("Value", "Wert")) }
                th { (view.say("Weight", "Gewicht")) }
                th { (view.say("Rule", "Regel")) }
                th { (view.say("Found in", "Gefunden in")) }
            } }
            @for rows in fields {
                tbody {
                    @for (at, row) in rows.chosen.iter().take(SEEN_AT_ONCE).enumerate() {
                        (self::row(view, head, format, rows, row, at == 0))
                    }
                    @if rows.chosen.is_empty() {
                        tr {
                            th scope="row" { (words::field(view, rows.field)) }
                            td .soft colspan="4" { (view.say("nothing sure enough to be said", "nichts, was sicher genug wäre")) }
                        }
                    }
                    @if rows.chosen.len() > SEEN_AT_ONCE {
                        (folded(view, head, format, &rows.chosen[SEEN_AT_ONCE..], view.say("more", "weitere")))
                    }
                    @if !rows.candidates.is_empty() {
                        (folded(view, head, format, &rows.candidates, view.say("not chosen", "nicht gewählt")))
                    }
                    @if rows.left_out > 0 {
                        tr { th {} td .soft colspan="4" { (rows.left_out) " " (view.say("further statements are not shown", "weitere Aussagen sind nicht gezeigt")) } }
                    }
                }
            }
        } }
    }
}

fn row(
    view: &View,
    head: &Head,
    format: Option<Format>,
    rows: &FieldRows,
    row: &Row,
    is_first: bool,
) -> Markup {
    html! {
        tr #{ "s" (row.number) } {
            @if is_first {
                th scope="rowgroup" {
                    (words::field(view, rows.field))
                    @if let Some(together) = rows.together.filter(|_| rows.chosen.len() > 1) {
                        br; small title=(view.say("How sure it is that all of them together are right", "Wie sicher alle zusammen richtig sind")) {
                            "Σ " (view.tongue.decimal(together, 2))
                        }
                    }
                }
            } @else { th {} }
            (cells(view, head, format, row))
        }
    }
}

/// Statements that are there for who asks, as a table inside the table.
fn folded(view: &View, head: &Head, format: Option<Format>, rows: &[Row], name: &str) -> Markup {
    html! {
        tr .folded { th {} td colspan="4" {
            details {
                summary { (rows.len()) " " (name) }
                table {
                    tbody { @for row in rows { tr #{ "s" (row.number) } { (cells(view, head, format, row)) } } }
                }
            }
        } }
    }
}

fn cells(view: &View, head: &Head, format: Option<Format>, row: &Row) -> Markup {
    let statement = &row.statement;
    html! {
        td .break {
            (value(statement))
            @if let Some(origin) = &statement.origin { " " span .tag { (origin) } }
            @if let Some(mark) = row.mark {
                @let (colour, name) = words::mark(view, mark);
                " " span class={ "tag " (colour) } { (name) }
            }
        }
        td { (weight_bar(view, statement.weight)) }
        td { (rule(view, head, row)) }
        td .place { (place(view, head, format, row)) }
    }
}

fn value(statement: &Statement) -> Markup {
    let is_address =
        statement.value.starts_with("http://") || statement.value.starts_with("https://");
    html! {
        @match statement.value.char_indices().nth(VALUE_LETTERS) {
            Some((end, _)) => { (statement.value[..end]) "…" },
            None if is_address => code { (statement.value) },
            None => { (statement.value) },
        }
    }
}

fn rule(view: &View, head: &Head, row: &Row) -> Markup {
    let statement = &row.statement;
    html! {
        @if let Some((first, others)) = statement.rules.split_first() {
            details .rule {
                summary { (rule_name(first)) @if !others.is_empty() { " +" (others.len()) } }
                @if let Some(text) = &row.rule_text {
                    pre { (text.source) }
                    @if let Some(remark) = &text.remark { p lang="en" { small { (remark) } } }
                }
                p { a href={ "/notes/" (head.harvest) "/about/rule?" (about_rule(first)) } { (view.say("Notes on this rule", "Notizen zu dieser Regel")) } }
                p { small {
                    (view.say("Written with the weight ", "Geschrieben mit dem Gewicht "))
                    (view.tongue.decimal(statement.initial, 2))
                } }
                @if !others.is_empty() {
                    p { small { (view.say("Also: ", "Außerdem: ")) @for other in others { code { (other) } " " } } }
                }
            }
        }
    }
}

/// The rule as the parameter that names it.
fn about_rule(rule: &RuleId) -> String {
    form_urlencoded::Serializer::new(String::new()).append_pair("subject", rule.as_str()).finish()
}

/// The name of a rule; it may be broken before its label.
fn rule_name(rule: &RuleId) -> Markup {
    let (heuristic, label) = rule.as_str().split_once('<').unwrap_or((rule.as_str(), ""));
    html! { code { (heuristic) @if !label.is_empty() { wbr; "<" (label) } } }
}

fn place(view: &View, head: &Head, format: Option<Format>, row: &Row) -> Markup {
    let Some(place) = &row.statement.place else { return html! { span .soft { "–" } } };
    let words = words::place(view, place);
    let side = match (place, format) {
        (FoundAt::Path(_), Some(Format::Html)) => Some((Side::Source, format!("#m{}", row.number))),
        (FoundAt::Path(path), Some(Format::Paper)) => {
            let page = super::layout::page_of(path);
            page.map(|page| (Side::Page, format!("?page={page}#m{}", row.number)))
        }
        _ => None,
    };
    html! {
        @match side {
            Some((side, rest)) => a href={ (head.address(side)) (rest) } title=(place) { (words) },
            None => span title=(place) { (words) },
        }
    }
}

pub(super) fn marks_table(view: &View, marks: &[PersonsMark]) -> Markup {
    html! {
        div .scroll { table {
            thead { tr {
                th { (view.say("Field", "Feld")) }
                th { (view.say("Value", "Wert")) }
                th { (view.say("Said", "Gesagt")) }
                th { (view.say("By", "Von")) }
                th { (view.say("When", "Wann")) }
            } }
            tbody { @for mark in marks {
                @let (colour, name) = words::mark(view, mark.kind);
                tr {
                    td { @if let Some(field) = mark.field { (words::field(view, field)) } @else { (view.say("the document", "das Dokument")) } }
                    td .break { (mark.value.as_deref().unwrap_or("–")) @if let Some(note) = &mark.note { br; small { (note) } } }
                    td { span class={ "tag " (colour) } { (name) } }
                    td { (mark.by) }
                    td { (date_time(mark.at)) }
                }
            } }
        } }
    }
}

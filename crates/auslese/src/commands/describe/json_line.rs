//! A description as one line of JSON, for scripts.
//!
//! It is written as it is read from the description, since making a tree of values first took longer than writing it.
//! The names of an object are in alphabetical order.

use auslese_model::{Description, Field, FoundAt, RuleId, Statement};
use serde::Serialize;
use std::collections::BTreeMap;

/// One description, with the end of its line.
pub(crate) fn json_line(id: &str, description: &Description) -> String {
    let mut line =
        serde_json::to_string(&Line::of(id, description)).expect("texts and numbers are JSON");
    line.push('\n');
    line
}

#[derive(Serialize)]
struct Line<'a> {
    r#abstract: Option<&'a str>,
    author: Vec<&'a str>,
    class: &'a str,
    date: Option<&'a str>,
    description: Option<&'a str>,
    id: &'a str,
    institution: Vec<&'a str>,
    keywords: Vec<&'a str>,
    msc: Vec<&'a str>,
    references: Vec<&'a str>,
    statements: Vec<StatementObject<'a>>,
    title: Option<&'a str>,
    trouble: Option<&'a str>,
    r#type: Option<&'a str>,
    weights: BTreeMap<&'static str, f64>,
}

impl<'a> Line<'a> {
    fn of(id: &'a str, description: &'a Description) -> Line<'a> {
        let all = |field| description.chosen(field).map(|it| it.value.as_str()).collect();
        let first = |field| description.chosen(field).next().map(|it| it.value.as_str());
        let weights = description.field_weights.iter();
        Line {
            r#abstract: first(Field::Abstract),
            author: all(Field::Author),
            class: &description.class,
            date: first(Field::Date),
            description: first(Field::Description),
            id,
            institution: all(Field::Institution),
            keywords: all(Field::Keywords),
            msc: all(Field::Classification),
            references: all(Field::References),
            statements: description.statements.iter().map(StatementObject::of).collect(),
            title: first(Field::Title),
            trouble: description.trouble.as_deref(),
            r#type: first(Field::Type),
            weights: weights.map(|(field, weight)| (name(*field), rounded(*weight))).collect(),
        }
    }
}

#[derive(Serialize)]
struct StatementObject<'a> {
    chosen: bool,
    field: &'static str,
    initial_weight: f64,
    origin: Option<&'a str>,
    parts: &'a [String],
    place: Option<&'a str>,
    rule: Option<&'a str>,
    rules: &'a [RuleId],
    value: &'a str,
    weight: f64,
}

impl<'a> StatementObject<'a> {
    fn of(statement: &'a Statement) -> StatementObject<'a> {
        StatementObject {
            chosen: statement.chosen,
            field: statement.field.as_str(),
            initial_weight: rounded(statement.initial),
            origin: statement.origin.as_deref(),
            parts: &statement.parts,
            place: statement
                .place
                .as_ref()
                .map(|(FoundAt::Path(at) | FoundAt::Outside(at))| at.as_str()),
            rule: statement.rules.first().map(RuleId::as_str),
            rules: &statement.rules,
            value: &statement.value,
            weight: rounded(statement.weight),
        }
    }
}

/// What a field is called in a line.
fn name(field: Field) -> &'static str {
    match field {
        Field::Classification => "msc",
        field => field.as_str(),
    }
}

/// Four digits are more than any weight is sure of.
fn rounded(weight: f64) -> f64 {
    (weight * 1e4).round() / 1e4
}

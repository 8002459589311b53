//! A run as a tree: which fields were found, by which rules, in which documents.

use super::super::document::field_name;
use super::super::listing::{address, parameter};
use super::{field_of, no_run, run_of};
use crate::ledger::Reading;
use crate::look::{Section, bar, breadcrumbs, weight_bar};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_catalog::{FieldCount, RuleDocument};
use auslese_model::{CaptureId, Field, RuleId, RunId};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Documents of a rule on one page.
const SHOWN: usize = 50;
/// Letters of a value in the list.
const VALUE_LETTERS: usize = 160;

#[derive(Debug, Serialize)]
struct Tree {
    harvest: String,
    title: String,
    run: i64,
    heuristics: String,
    documents: u64,
    /// None while they are being counted.
    fields: Option<Vec<FieldNode>>,
    field: Option<Field>,
    rule: Option<String>,
    found: Vec<FoundDocument>,
    /// The address of the next documents.
    more: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct FieldNode {
    field: Field,
    documents: u64,
    high: u64,
    values: u64,
    rules: Vec<RuleNode>,
}

#[derive(Debug, Clone, Serialize)]
struct RuleNode {
    /// Empty if the statement names no rule.
    rule: String,
    documents: u64,
    high: u64,
}

#[derive(Debug, Serialize)]
struct FoundDocument {
    request: i64,
    url: String,
    value: String,
    weight: f64,
    page: String,
}

pub(super) async fn tree(
    State(site): State<Arc<Site>>,
    view: View,
    Path((harvest, run)): Path<(String, String)>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let run = run_of(&harvest, Some(&run)).await?.ok_or_else(no_run)?;
    let field = field_of(parameter(&parameters, "field"))?;
    let rule = parameter(&parameters, "rule").filter(|rule| !rule.is_empty());
    let id = run.run;
    let counted = site
        .found_fields
        .read(&harvest, &format!("fields of run {}", id.0), move |harvest| async move {
            harvest.catalog.field_counts(id).await
        })
        .await?;
    let fields = match counted {
        Reading::Ready(counted) => Some(counted.value.iter().map(node).collect()),
        Reading::Counting => None,
    };
    let after = parameter(&parameters, "after").and_then(|text| text.parse().ok());
    let after = CaptureId(after.unwrap_or(0));
    let (found, more) = match field {
        Some(field) => documents(&harvest, id, field, rule, after).await?,
        None => (Vec::new(), None),
    };
    Ok(view.answer(&Tree {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        run: id.0,
        heuristics: run.heuristics,
        documents: run.documents,
        fields,
        field,
        rule: rule.map(str::to_owned),
        found,
        more,
    }))
}

fn node(count: &FieldCount) -> FieldNode {
    let rule = |used: &auslese_catalog::RuleUse| RuleNode {
        rule: used.rule.as_ref().map(|rule| rule.as_str().to_owned()).unwrap_or_default(),
        documents: used.documents,
        high: used.high,
    };
    FieldNode {
        field: count.field,
        documents: count.documents,
        high: count.high,
        values: count.values,
        rules: count.rules.iter().map(rule).collect(),
    }
}

async fn documents(
    harvest: &Harvest,
    run: RunId,
    field: Field,
    rule: Option<&str>,
    after: CaptureId,
) -> Result<(Vec<FoundDocument>, Option<String>), Problem> {
    let rule_id = rule.map(|rule| RuleId::from_text(rule.to_owned()));
    let catalog = &harvest.catalog;
    let mut found = catalog.rule_documents(run, field, rule_id.as_ref(), after, SHOWN + 1).await?;
    let has_more = found.len() > SHOWN;
    found.truncate(SHOWN);
    let last = found.last().filter(|_| has_more).map(|document| document.capture.0.to_string());
    let more = last.map(|last| {
        let mut parameters = vec![("field", field.as_str())];
        parameters.extend(rule.map(|rule| ("rule", rule)));
        parameters.push(("after", &last));
        address(&format!("/bench/{}/run/{}", harvest.name, run.0), &parameters)
    });
    let shown = found.into_iter().map(|RuleDocument { request, url, value, weight, .. }| {
        let page = format!("/bench/{}/run/{}/doc/{}", harvest.name, run.0, request.0);
        FoundDocument { request: request.0, url, value, weight, page }
    });
    Ok((shown.collect(), more))
}

impl Page for Tree {
    fn section(&self) -> Section {
        Section::Bench
    }

    fn title(&self, view: &View) -> String {
        format!("{} {} – {}", view.say("Run", "Lauf"), self.run, self.title)
    }

    fn body(&self, view: &View) -> Markup {
        let steps = [(
            format!("{} – {}", self.title, view.say("Test bench", "Prüfstand")),
            format!("/bench/{}", self.harvest),
        )];
        let here = format!("{} {}", view.say("Run", "Lauf"), self.run);
        html! {
            (breadcrumbs(view, &steps, &here))
            h1 { (here) " " span .soft { (self.heuristics) } }
            div .bench {
                nav .tree aria-label=(view.say("Fields and rules", "Felder und Regeln")) { (self.tree(view)) }
                section { (self.list(view)) }
            }
        }
    }
}

impl Tree {
    fn here(&self, parameters: &[(&str, &str)]) -> String {
        address(&format!("/bench/{}/run/{}", self.harvest, self.run), parameters)
    }

    fn tree(&self, view: &View) -> Markup {
        html! {
            @match &self.fields {
                None => p role="status" #tree data-again="2" { (view.say("Being counted …", "Wird gezählt …")) },
                Some(fields) => ul {
                    @for node in fields {
                        @let is_open = self.field == Some(node.field);
                        li {
                            details open[is_open] {
                                summary {
                                    (field_name(view, node.field)) " "
                                    span .soft { (view.tongue.number(node.documents)) }
                                    (bar(node.documents as f64 / self.documents.max(1) as f64))
                                }
                                ul {
                                    li { a href=(self.here(&[("field", node.field.as_str())])) aria-current=[(is_open && self.rule.is_none()).then_some("page")] { (view.say("all rules", "alle Regeln")) } }
                                    @for used in &node.rules {
                                        @let is_here = is_open && self.rule.as_deref() == Some(used.rule.as_str());
                                        li {
                                            @if used.rule.is_empty() { span { "–" } } @else {
                                                a href=(self.here(&[("field", node.field.as_str()), ("rule", &used.rule)])) aria-current=[is_here.then_some("page")] { code { (used.rule) } }
                                            }
                                            " " span .soft { (view.tongue.number(used.documents)) }
                                        }
                                    }
                                }
                            }
                        }
                    }
                },
            }
        }
    }

    fn list(&self, view: &View) -> Markup {
        let Some(field) = self.field else {
            return html! { p .empty { (view.say("Choose a field or a rule to see its documents.", "Wählen Sie ein Feld oder eine Regel, um die Dokumente zu sehen.")) } };
        };
        html! {
            h2 { (field_name(view, field)) @if let Some(rule) = &self.rule { " · " code { (rule) } } }
            @if self.found.is_empty() { p .empty { (view.say("No documents.", "Keine Dokumente.")) } } @else {
                div .scroll tabindex="0" { table {
                    thead { tr { th { (view.say("Value", "Wert")) } th { (view.say("Weight", "Gewicht")) } th { (view.say("Document", "Dokument")) } } }
                    tbody { @for it in &self.found { tr {
                        td .breaks { a href=(it.page) { (shortened(&it.value)) } }
                        td { (weight_bar(view, it.weight)) }
                        td .breaks { small { (it.url) } }
                    } } }
                } }
            }
            @if let Some(more) = &self.more { p { a href=(more) { (view.say("More", "Weitere")) " →" } } }
        }
    }
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(VALUE_LETTERS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None if value.trim().is_empty() => "–".to_owned(),
        None => value.to_owned(),
    }
}

//! Two runs compared: what was gained, lost and changed, by field and by rule, with the documents.
//!
//! Comparing reads both runs whole, a page at a time, behind the reader's back; what came of it is kept.

use super::super::document::field_name;
use super::super::listing::{address, parameter};
use super::{field_of, no_run};
use crate::ledger::Reading;
use crate::look::{Section, breadcrumbs, empty_note};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_catalog::{CatalogError, ListedDescription};
use auslese_describe::{
    Difference, DifferenceKind, FieldChanges, RunComparer, RunComparison, Side,
};
use auslese_model::{CaptureId, Field, RunId};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Descriptions of each run that are read at a time.
const AT_ONCE: usize = 500;
/// Differences that are kept of two runs.
const MAX_DIFFERENCES: usize = 20_000;
/// Differences that are shown at a time.
const SHOWN: usize = 200;
/// Changes of rules that are shown.
const RULES_SHOWN: usize = 30;

#[derive(Debug, Serialize)]
struct Comparison {
    harvest: String,
    title: String,
    runs: Vec<i64>,
    before: i64,
    after: i64,
    field: Option<Field>,
    kind: Option<DifferenceKind>,
    /// None while they are being compared.
    compared: Option<Compared>,
}

#[derive(Debug, Serialize)]
struct Compared {
    documents: u64,
    only_before: u64,
    only_after: u64,
    fields: BTreeMap<Field, FieldChanges>,
    rules: Vec<auslese_describe::RuleChange>,
    /// Those that are asked for, up to a limit.
    differences: Vec<Shown>,
    /// All that are asked for.
    count: usize,
    /// Differences beyond what is kept.
    left_out: u64,
}

#[derive(Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    difference: Difference,
    page: Option<String>,
}

pub(super) async fn compare(
    State(site): State<Arc<Site>>,
    view: View,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let runs: Vec<i64> =
        harvest.catalog.describe_runs().await?.iter().map(|run| run.run.0).collect();
    let named = |name: &str| match parameter(&parameters, name) {
        Some(text) => {
            let number = text.parse().ok().filter(|number| runs.contains(number));
            number.map(Some).ok_or_else(no_run)
        }
        None => Ok(None),
    };
    let (before, after) = match (named("before")?, named("after")?, runs.as_slice()) {
        (Some(before), Some(after), _) => (before, after),
        (Some(before), None, [newest, ..]) => (before, *newest),
        (None, after, [newest, previous, ..]) => (*previous, after.unwrap_or(*newest)),
        _ => return Err(no_pair()),
    };
    let field = field_of(parameter(&parameters, "field"))?;
    let kind = kind_of(parameter(&parameters, "kind"));
    let reading = site
        .comparisons
        .read(&harvest, &format!("runs {before} and {after}"), move |harvest| async move {
            compared(&harvest, RunId(before), RunId(after)).await
        })
        .await?;
    let compared = match reading {
        Reading::Ready(counted) => Some(of_interest(&harvest, &counted.value, after, field, kind)),
        Reading::Counting => None,
    };
    let status = if compared.is_some() { StatusCode::OK } else { StatusCode::ACCEPTED };
    let title = harvest.title.clone();
    let harvest = harvest.name.clone();
    let page = Comparison { harvest, title, runs, before, after, field, kind, compared };
    Ok((status, view.answer(&page)).into_response())
}

fn no_pair() -> Problem {
    Problem::not_found(
        "There are no two runs to compare.",
        "Es gibt keine zwei Läufe zu vergleichen.",
    )
}

fn kind_of(text: Option<&str>) -> Option<DifferenceKind> {
    match text? {
        "gained" => Some(DifferenceKind::Gained),
        "lost" => Some(DifferenceKind::Lost),
        "changed" => Some(DifferenceKind::Changed),
        _ => None,
    }
}

/// What came of comparing two runs, and the documents by their addresses.
pub(crate) type RunsCompared = (RunComparison, BTreeMap<String, i64>);

/// Both runs side by side, capture by capture.
async fn compared(
    harvest: &Harvest,
    before: RunId,
    after: RunId,
) -> Result<RunsCompared, CatalogError> {
    let mut comparer = RunComparer::new(MAX_DIFFERENCES);
    let (mut before, mut after) = (Stream::of(before), Stream::of(after));
    let mut requests = BTreeMap::new();
    loop {
        before.fill(harvest).await?;
        after.fill(harvest).await?;
        let heads = (before.capture(), after.capture());
        let (earlier, later) = match heads {
            (None, None) => break,
            (Some(a), Some(b)) if a == b => (before.take(), after.take()),
            (Some(a), Some(b)) if a < b => (before.take(), None),
            (Some(_), None) => (before.take(), None),
            _ => (None, after.take()),
        };
        let Some(listed) = later.as_ref().or(earlier.as_ref()) else { break };
        let known = comparer.listed();
        let description =
            |it: &Option<ListedDescription>| it.as_ref().map(|it| it.described.description.clone());
        comparer.add(&listed.url, description(&earlier).as_ref(), description(&later).as_ref());
        if comparer.listed() > known {
            requests.insert(listed.url.clone(), listed.request.0);
        }
    }
    Ok((comparer.finish(), requests))
}

/// The descriptions of a run, one after the other.
struct Stream {
    run: RunId,
    page: VecDeque<ListedDescription>,
    last: CaptureId,
    is_over: bool,
}

impl Stream {
    fn of(run: RunId) -> Stream {
        Stream { run, page: VecDeque::new(), last: CaptureId(0), is_over: false }
    }

    async fn fill(&mut self, harvest: &Harvest) -> Result<(), CatalogError> {
        if self.page.is_empty() && !self.is_over {
            self.page = harvest.catalog.descriptions(self.run, self.last, AT_ONCE).await?.into();
            match self.page.back() {
                Some(last) => self.last = last.described.capture,
                None => self.is_over = true,
            }
        }
        Ok(())
    }

    fn capture(&self) -> Option<CaptureId> {
        self.page.front().map(|listed| listed.described.capture)
    }

    fn take(&mut self) -> Option<ListedDescription> {
        self.page.pop_front()
    }
}

fn of_interest(
    harvest: &Harvest,
    (comparison, requests): &RunsCompared,
    after: i64,
    field: Option<Field>,
    kind: Option<DifferenceKind>,
) -> Compared {
    let is_wanted = |it: &&Difference| {
        field.is_none_or(|field| it.field == field) && kind.is_none_or(|kind| it.kind == kind)
    };
    let wanted = || comparison.differences.iter().filter(is_wanted);
    let rules = comparison.rules.iter().filter(|it| field.is_none_or(|field| it.field == field));
    Compared {
        documents: comparison.documents,
        only_before: comparison.only_before,
        only_after: comparison.only_after,
        fields: comparison.fields.clone(),
        rules: rules.take(RULES_SHOWN).cloned().collect(),
        count: wanted().count(),
        differences: wanted()
            .take(SHOWN)
            .map(|difference| Shown {
                page: requests
                    .get(&difference.document)
                    .map(|request| format!("/bench/{}/run/{after}/doc/{request}", harvest.name)),
                difference: difference.clone(),
            })
            .collect(),
        left_out: comparison.left_out,
    }
}

impl Page for Comparison {
    fn section(&self) -> Section {
        Section::Bench
    }

    fn title(&self, view: &View) -> String {
        format!("{} {} → {}", view.say("Runs", "Läufe"), self.before, self.after)
    }

    fn body(&self, view: &View) -> Markup {
        let steps = [(
            format!("{} – {}", self.title, view.say("Test bench", "Prüfstand")),
            format!("/bench/{}", self.harvest),
        )];
        html! {
            (breadcrumbs(view, &steps, &self.title(view)))
            h1 { (view.say("Runs compared", "Läufe verglichen")) }
            (self.form(view))
            @match &self.compared {
                None => p .note #compared role="status" data-again="2" { (view.say("Being compared …", "Wird verglichen …")) },
                Some(compared) => { (self.fields(view, compared)) (rules(view, compared)) (self.differences(view, compared)) }
            }
        }
    }
}

impl Comparison {
    fn form(&self, view: &View) -> Markup {
        let select = |name: &str, label: &str, chosen: i64| {
            html! {
                label for=(name) { (label) } " "
                select id=(name) name=(name) { @for run in &self.runs { option value=(run) selected[*run == chosen] { (run) } } } " "
            }
        };
        html! {
            form .ask method="get" action={ "/bench/" (self.harvest) "/compare" } {
                (select("before", view.say("Before", "Vorher"), self.before))
                (select("after", view.say("After", "Nachher"), self.after))
                button type="submit" { (view.say("Compare", "Vergleichen")) }
            }
        }
    }

    fn here(&self, field: Option<Field>, kind: Option<&str>) -> String {
        let (before, after) = (self.before.to_string(), self.after.to_string());
        let mut parameters = vec![("before", before.as_str()), ("after", after.as_str())];
        parameters.extend(field.map(|field| ("field", field.as_str())));
        parameters.extend(kind.map(|kind| ("kind", kind)));
        address(&format!("/bench/{}/compare", self.harvest), &parameters)
    }

    fn fields(&self, view: &View, compared: &Compared) -> Markup {
        let cell = |field: Field, kind: &'static str, count: u64| {
            html! { td .right { @if count == 0 { "0" } @else { a href=(self.here(Some(field), Some(kind))) { (view.tongue.number(count)) } } } }
        };
        html! {
            p .soft {
                (view.tongue.number(compared.documents)) " " (view.say("documents in both", "Dokumente in beiden"))
                @if compared.only_before + compared.only_after > 0 {
                    " · " (compared.only_before) " " (view.say("only before", "nur vorher")) ", " (compared.only_after) " " (view.say("only after", "nur nachher"))
                }
            }
            div .scroll tabindex="0" { table {
                thead { tr {
                    th { (view.say("Field", "Feld")) }
                    th .right { (view.say("Gained", "Gewonnen")) } th .right { (view.say("Lost", "Verloren")) } th .right { (view.say("Changed", "Geändert")) }
                    th .right { (view.say("Other weight", "Anderes Gewicht")) } th .right { (view.say("Same", "Gleich")) }
                } }
                tbody { @for (field, changes) in &compared.fields { tr {
                    th scope="row" { a href=(self.here(Some(*field), None)) { (field_name(view, *field)) } }
                    (cell(*field, "gained", changes.gained)) (cell(*field, "lost", changes.lost)) (cell(*field, "changed", changes.changed))
                    td .right { (view.tongue.number(changes.reweighted)) } td .right { (view.tongue.number(changes.same)) }
                } } }
            } }
        }
    }

    fn differences(&self, view: &View, compared: &Compared) -> Markup {
        html! {
            h2 {
                (view.say("Differences", "Unterschiede"))
                @if let Some(field) = self.field { " · " (field_name(view, field)) }
            }
            @if compared.differences.is_empty() { (empty_note(view.say("None.", "Keine."))) } @else {
                @if compared.count > compared.differences.len() {
                    p .soft { (view.say("The first ", "Die ersten ")) (compared.differences.len()) (view.say(" of ", " von ")) (view.tongue.number(compared.count as u64)) }
                }
                div .scroll tabindex="0" { table {
                    thead { tr { th { (view.say("Field", "Feld")) } th { (view.say("Before", "Vorher")) } th { (view.say("After", "Nachher")) } th { (view.say("Document", "Dokument")) } } }
                    tbody { @for it in &compared.differences { tr {
                        td { (field_name(view, it.difference.field)) }
                        (side(view, it.difference.before.as_ref())) (side(view, it.difference.after.as_ref()))
                        td .breaks { @match &it.page { Some(page) => a href=(page) { (it.difference.document) }, None => { (it.difference.document) } } }
                    } } }
                } }
            }
        }
    }
}

fn side(view: &View, side: Option<&Side>) -> Markup {
    html! {
        td .breaks {
            @match side {
                None => span .soft { "–" },
                Some(side) => {
                    (side.value) br;
                    small { (view.tongue.decimal(side.weight, 2)) @if let Some(rule) = &side.rule { " " code { (rule) } } }
                }
            }
        }
    }
}

fn rules(view: &View, compared: &Compared) -> Markup {
    let name = |rule: &Option<auslese_model::RuleId>| match rule {
        Some(rule) => html! { code { (rule) } },
        None => html! { span .soft { (view.say("nothing", "nichts")) } },
    };
    html! {
        @if !compared.rules.is_empty() {
            details {
                summary { (view.say("Which rule's values took the place of which", "Welche Regel an die Stelle welcher trat")) }
                table {
                    thead { tr { th { (view.say("Field", "Feld")) } th { (view.say("Before", "Vorher")) } th { (view.say("After", "Nachher")) } th .right { (view.say("Values", "Werte")) } } }
                    tbody { @for it in &compared.rules { tr {
                        td { (field_name(view, it.field)) } td { (name(&it.before)) } td { (name(&it.after)) } td .right { (view.tongue.number(it.n)) }
                    } } }
                }
            }
        }
    }
}

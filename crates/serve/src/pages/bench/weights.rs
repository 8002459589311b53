//! The weights in force, rule by rule, and weights measured from the labels: shown first, put in force by who may.

use super::super::document::field_name;
use super::super::listing::parameter;
use super::runs::sets;
use crate::access::{Actor, Filled, Role};
use crate::look::{Section, breadcrumbs, empty_note};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::steering::DescribeSets;
use crate::view::{Page, View};
use auslese_catalog::Describable;
use auslese_describe::{Calibration, Heuristics, MIN_CLASS_SAMPLES, Weights, recalibrate};
use auslese_harvest::{DescribingSet, LabelledByMarks, Looking, labelled_by_marks};
use auslese_model::{Field, Timestamp};
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct WeightsPage {
    harvest: String,
    title: String,
    set: Kind,
    heuristics: String,
    date: String,
    documents: u64,
    rules: Vec<RuleWeight>,
    measured: Option<Measuring>,
}

/// Which set of heuristics is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Pages,
    Papers,
}

impl Kind {
    const ALL: [Kind; 2] = [Kind::Pages, Kind::Papers];

    fn read(text: Option<&str>) -> Result<Kind, Problem> {
        match text {
            None | Some("pages") => Ok(Kind::Pages),
            Some("papers") => Ok(Kind::Papers),
            Some(_) => Err(Problem::bad_request(
                "There are weights of pages and of papers.",
                "Es gibt Gewichte für Seiten (pages) und für Aufsätze (papers).",
            )),
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Kind::Pages => "pages",
            Kind::Papers => "papers",
        }
    }

    fn name(self, view: &View) -> &'static str {
        match self {
            Kind::Pages => view.say("Web pages", "Webseiten"),
            Kind::Papers => view.say("Papers", "Aufsätze"),
        }
    }

    fn describable(self) -> Describable {
        match self {
            Kind::Pages => Describable::Pages,
            Kind::Papers => Describable::Papers,
        }
    }

    fn set(self, sets: &DescribeSets) -> DescribingSet {
        match self {
            Kind::Pages => sets.job.pages.clone(),
            Kind::Papers => sets.job.papers.clone(),
        }
    }

    fn file(self, sets: &DescribeSets) -> PathBuf {
        match self {
            Kind::Pages => sets.weights_file.clone(),
            Kind::Papers => sets.paper_weights_file.clone(),
        }
    }
}

#[derive(Debug, Serialize)]
struct RuleWeight {
    field: Field,
    rule: String,
    written: f64,
    in_force: Option<f64>,
    right: Option<u64>,
    of: Option<u64>,
    /// What was measured now.
    new: Option<f64>,
}

/// What was measured from the labels.
#[derive(Debug, Serialize)]
struct Measuring {
    labelled: usize,
    /// Fields with enough labels, and documents that have some.
    fields: BTreeMap<Field, u64>,
    /// Documents that were labelled and cannot be read any more.
    unreadable: Vec<(String, String)>,
}

pub(super) async fn weights(
    State(site): State<Arc<Site>>,
    view: View,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let kind = Kind::read(parameter(&parameters, "set"))?;
    let set = kind.set(&sets(&site, &harvest, &view).await?);
    Ok(view.answer(&WeightsPage::of(&harvest, kind, &set, None)))
}

pub(super) async fn measure(
    State(site): State<Arc<Site>>,
    view: View,
    _: Actor,
    Path(harvest): Path<String>,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let kind = Kind::read(filled.text("set"))?;
    let sets = sets(&site, &harvest, &view).await?;
    let (weights, measuring) = measured(&site, &harvest, &sets, kind).await?;
    let set = kind.set(&sets);
    Ok(view.answer(&WeightsPage::of(&harvest, kind, &set, Some((&weights, measuring)))))
}

pub(super) async fn adopt(
    State(site): State<Arc<Site>>,
    view: View,
    actor: Actor,
    Path(harvest): Path<String>,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let kind = Kind::read(filled.text("set"))?;
    let sets = sets(&site, &harvest, &view).await?;
    let (weights, measuring) = measured(&site, &harvest, &sets, kind).await?;
    if measuring.fields.is_empty() {
        return Err(Problem::bad_request(
            &format!(
                "No field has labels of {MIN_CLASS_SAMPLES} documents yet, so nothing was measured."
            ),
            &format!(
                "Kein Feld hat Urteile zu {MIN_CLASS_SAMPLES} Dokumenten, also wurde nichts gemessen."
            ),
        ));
    }
    let file = kind.file(&sets);
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (text, digest) = (weights.to_toml(), weights.digest());
    let written = site.work(move || put(&file, &text)).await?;
    written.map_err(|error| Problem::internal("weights cannot be written", &error))?;
    let fields: Vec<&str> = measuring.fields.keys().map(|field| field.as_str()).collect();
    let detail = json!({ "set": kind.as_str(), "fields": fields, "labelled": measuring.labelled, "digest": digest });
    harvest.log_change(&actor, "weights", &name, detail).await?;
    Ok(view.done(&format!("/bench/{}/weights?set={}", harvest.name, kind.as_str())))
}

async fn measured(
    site: &Site,
    harvest: &Harvest,
    sets: &DescribeSets,
    kind: Kind,
) -> Result<(Weights, Measuring), Problem> {
    let set = kind.set(sets);
    let looking = Looking {
        dir: &harvest.dir,
        canonical: &sets.job.canonical,
        institutions: &sets.job.institutions,
        readers: &sets.job.readers,
    };
    let labelled =
        labelled_by_marks(&harvest.catalog, looking, &set.heuristics, Some(kind.describable()));
    let LabelledByMarks { documents, unreadable } = labelled.await?;
    let count = documents.len();
    let today: String = Timestamp::now().to_string().chars().take(10).collect();
    let calibration = Calibration::of(&set.heuristics, today);
    let work = move || recalibrate(&set.weights, &documents, &calibration);
    let (weights, fields) = site.work(work).await?;
    Ok((weights, Measuring { labelled: count, fields, unreadable }))
}

/// Writes a file whole or not at all.
fn put(file: &std::path::Path, text: &str) -> std::io::Result<()> {
    let new = file.with_extension("toml.new");
    let mut written = std::fs::File::create(&new)?;
    written.write_all(text.as_bytes())?;
    written.sync_all()?;
    std::fs::rename(&new, file)
}

impl WeightsPage {
    fn of(
        harvest: &Harvest,
        kind: Kind,
        set: &DescribingSet,
        measured: Option<(&Weights, Measuring)>,
    ) -> WeightsPage {
        let new = measured.as_ref().map(|(weights, _)| *weights);
        WeightsPage {
            harvest: harvest.name.clone(),
            title: harvest.title.clone(),
            set: kind,
            heuristics: set.heuristics.name().to_owned(),
            date: set.weights.header.date.clone(),
            documents: set.weights.header.documents,
            rules: rule_weights(&set.heuristics, &set.weights, new),
            measured: measured.map(|(_, measuring)| measuring),
        }
    }
}

fn rule_weights(
    heuristics: &Heuristics,
    weights: &Weights,
    new: Option<&Weights>,
) -> Vec<RuleWeight> {
    let of = |weights: &Weights, field: Field, rule: &str| {
        weights.fields.get(&field).and_then(|it| it.all.rules.get(rule).copied())
    };
    let rules = heuristics.rules().into_iter().map(|rule| {
        let known = of(weights, rule.field, rule.id.as_str());
        RuleWeight {
            field: rule.field,
            written: rule.initial,
            in_force: known.map(|it| it.weight),
            right: known.map(|it| it.right),
            of: known.map(|it| it.n),
            new: new.and_then(|new| of(new, rule.field, rule.id.as_str())).map(|it| it.weight),
            rule: rule.id.to_string(),
        }
    });
    rules.collect()
}

impl Page for WeightsPage {
    fn section(&self) -> Section {
        Section::Bench
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", view.say("Weights", "Gewichte"), self.title)
    }

    fn body(&self, view: &View) -> Markup {
        let steps = [(
            format!("{} – {}", self.title, view.say("Test bench", "Prüfstand")),
            format!("/bench/{}", self.harvest),
        )];
        let tabs = Kind::ALL.map(|kind| {
            let page = format!("/bench/{}/weights?set={}", self.harvest, kind.as_str());
            (kind.name(view).to_owned(), page, kind == self.set)
        });
        html! {
            (breadcrumbs(view, &steps, view.say("Weights", "Gewichte")))
            h1 { (view.say("Weights", "Gewichte")) }
            (crate::look::tabs(view.say("Sets of heuristics", "Sätze von Heuristiken"), &tabs))
            p .soft {
                (view.say("Heuristics ", "Heuristiken ")) code { (self.heuristics) }
                @if self.date.is_empty() { " · " (view.say("never measured: rules have the weights they were written with", "nie gemessen: Regeln haben ihre geschriebenen Gewichte")) }
                @else { " · " (view.say("measured ", "gemessen am ")) (self.date) (view.say(" on ", " an ")) (view.tongue.number(self.documents)) " " (view.say("documents", "Dokumenten")) }
            }
            (self.measuring(view))
            (self.table(view))
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let number = |number: Option<f64>| number.map_or(Cell::Missing, Cell::Number);
        let count = |count: Option<u64>| count.map_or(Cell::Missing, Cell::Count);
        let rows = self.rules.iter().map(|it| {
            vec![
                Cell::Text(it.field.to_string()),
                Cell::Text(it.rule.clone()),
                Cell::Number(it.written),
                number(it.in_force),
                count(it.right),
                count(it.of),
                number(it.new),
            ]
        });
        let head = vec!["field", "rule", "written", "in force", "right", "of", "new"];
        let table = Table { name: "weights", title: "Weights", head, rows: rows.collect() };
        Some((format!("weights-{}-{}", self.harvest, self.set.as_str()), table.csv()))
    }
}

impl WeightsPage {
    fn measuring(&self, view: &View) -> Markup {
        let form = |deed: &str, role: Role, name: &str| {
            let action = format!("/bench/{}/weights/{deed}", self.harvest);
            view.act_form(
                &action,
                role,
                &html! {
                    input type="hidden" name="set" value=(self.set.as_str());
                    button type="submit" { (name) }
                },
            )
        };
        html! {
            @match &self.measured {
                None => { (form("measure", Role::Editor, view.say("Measure from the labels", "Aus den Urteilen messen"))) },
                Some(measured) => {
                    div .sheet role="status" {
                        p {
                            (view.tongue.number(measured.labelled as u64)) " " (view.say("labelled documents of this kind.", "beurteilte Dokumente dieser Art.")) " "
                            @if measured.fields.is_empty() {
                                (view.say("No field has enough labels yet; each needs this many documents: ", "Noch hat kein Feld genug Urteile; jedes braucht so viele Dokumente: ")) (MIN_CLASS_SAMPLES)
                            } @else {
                                (view.say("Measured: ", "Gemessen: "))
                                @for (at, (field, count)) in measured.fields.iter().enumerate() { @if at > 0 { ", " } (field_name(view, *field)) " (" (count) ")" }
                                ". " (view.say("The other fields keep their weights.", "Die anderen Felder behalten ihre Gewichte."))
                            }
                        }
                        @if !measured.unreadable.is_empty() {
                            details {
                                summary { (measured.unreadable.len()) " " (view.say("labelled documents cannot be read any more", "beurteilte Dokumente lassen sich nicht mehr lesen")) }
                                ul { @for (url, why) in &measured.unreadable { li .breaks { (url) " – " (why) } } }
                            }
                        }
                        @if !measured.fields.is_empty() { (form("adopt", Role::Admin, view.say("Put these weights in force", "Diese Gewichte gelten lassen"))) }
                    }
                }
            }
        }
    }

    fn table(&self, view: &View) -> Markup {
        let weight = |weight: Option<f64>| {
            weight.map_or("–".to_owned(), |weight| view.tongue.decimal(weight, 2))
        };
        let has_new = self.measured.as_ref().is_some_and(|it| !it.fields.is_empty());
        html! {
            @if self.rules.is_empty() { (empty_note(view.say("The set has no rules.", "Der Satz hat keine Regeln."))) } @else {
                div .scroll tabindex="0" { table #weights {
                    thead { tr {
                        th { (view.say("Field", "Feld")) } th { (view.say("Rule", "Regel")) }
                        th .right { (view.say("Written", "Geschrieben")) } th .right { (view.say("In force", "Geltend")) } th .right { (view.say("Right of", "Richtig von")) }
                        @if has_new { th .right { (view.say("New", "Neu")) } }
                    } }
                    tbody { @for it in &self.rules { tr {
                        td { (field_name(view, it.field)) } td { code { (it.rule) } }
                        td .right { (view.tongue.decimal(it.written, 2)) } td .right { (weight(it.in_force)) }
                        td .right { @if let (Some(right), Some(of)) = (it.right, it.of) { (right) " / " (of) } }
                        @if has_new { td .right { (weight(it.new)) } }
                    } } }
                } }
            }
        }
    }
}

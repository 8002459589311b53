//! The first page of the bench: the runs there are, and how right one of them is by what people marked.

use super::super::document::field_name;
use super::super::listing::{address, parameter};
use super::{run_of, short};
use crate::access::{Actor, Role};
use crate::bench::RunState;
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::steering::DescribeSets;
use crate::view::{Page, View};
use auslese_catalog::DescribeRun;
use auslese_describe::{Tally, tallies_of_marks};
use auslese_harvest::judged_marks;
use auslese_model::{Field, Timestamp};
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct RunsPage {
    harvest: String,
    title: String,
    runs: Vec<ShownRun>,
    /// The run that is measured.
    measured: Option<i64>,
    quality: Vec<Quality>,
    /// Marks there are.
    marks: usize,
    /// A run that was begun from here.
    begun: Option<RunState>,
}

#[derive(Debug, Serialize)]
struct ShownRun {
    run: i64,
    started: String,
    finished: bool,
    heuristics: String,
    heuristics_version: String,
    weights_version: String,
    documents: u64,
    statements: u64,
    #[serde(skip)]
    time: Timestamp,
}

/// How right a run is about a field.
#[derive(Debug, Serialize)]
struct Quality {
    field: Field,
    right: u64,
    wrong: u64,
    missing: u64,
    precision: Option<f64>,
    recall: Option<f64>,
    silent_where_absent: Option<f64>,
}

impl Quality {
    fn of((field, tally): (Field, Tally)) -> Quality {
        Quality {
            field,
            right: tally.right,
            wrong: tally.wrong,
            missing: tally.missing,
            precision: tally.precision(),
            recall: tally.recall(),
            silent_where_absent: tally.silent_share(),
        }
    }
}

pub(super) async fn runs(
    State(site): State<Arc<Site>>,
    view: View,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let measured = run_of(&harvest, parameter(&parameters, "run")).await?;
    let judged = match &measured {
        Some(run) => judged_marks(&harvest.catalog, Some(run.run)).await?,
        None => Vec::new(),
    };
    let runs = harvest.catalog.describe_runs().await?;
    Ok(view.answer(&RunsPage {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        runs: runs.into_iter().map(shown).collect(),
        measured: measured.map(|run| run.run.0),
        marks: judged.len(),
        quality: tallies_of_marks(judged).into_iter().map(Quality::of).collect(),
        begun: site.describing.state(&harvest.name).map(|state| match state {
            // Why is for those who look after the harvest.
            RunState::Failed(_) if !view.may(Role::Editor) => RunState::Failed(String::new()),
            state => state,
        }),
    }))
}

fn shown(run: DescribeRun) -> ShownRun {
    ShownRun {
        run: run.run.0,
        started: run.started.to_second_text(),
        finished: run.finished,
        heuristics_version: short(&run.heuristics_digest),
        weights_version: short(&run.weights_digest),
        heuristics: run.heuristics,
        documents: run.documents,
        statements: run.statements,
        time: run.started,
    }
}

pub(super) async fn describe(
    State(site): State<Arc<Site>>,
    view: View,
    actor: Actor,
    Path(harvest): Path<String>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let sets = sets(&site, &harvest, &view).await?;
    let leaving = site.leaving.subscribe();
    if !site.describing.begin(&harvest.name, harvest.dir.clone(), sets.job, leaving) {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "The harvest is being described already.",
            "Die Ernte wird schon beschrieben.",
        ));
    }
    harvest.log_change(&actor, "describe", &harvest.name, json!({})).await?;
    Ok(view.done(&format!("/bench/{}", harvest.name)))
}

/// What the harvest is described with at the moment.
pub(super) async fn sets(
    site: &Site,
    harvest: &Harvest,
    view: &View,
) -> Result<DescribeSets, Problem> {
    let Some(configuration) = harvest.configuration.clone() else { return Err(unusable()) };
    let sets = site.work(move || configuration.describing()).await?;
    sets.map_err(|why| view.inside(unusable(), why))
}

/// Heuristics or weights that cannot be read; the reason is for those who write them.
fn unusable() -> Problem {
    Problem::new(
        StatusCode::CONFLICT,
        "The heuristics or weights of this harvest cannot be used.",
        "Die Heuristiken oder Gewichte dieser Ernte lassen sich nicht verwenden.",
    )
}

impl Page for RunsPage {
    fn section(&self) -> Section {
        Section::Bench
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Test bench", "Prüfstand"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 { (view.say("Test bench for heuristics", "Prüfstand für Heuristiken")) }
            p .soft {
                (view.say(
                    "What heuristics said about the documents, run by run. Open one, label what is right and wrong, and let weights be measured from the labels.",
                    "Was Heuristiken über die Dokumente gesagt haben, Lauf für Lauf. Öffnen Sie einen, beurteilen Sie die Werte, und lassen Sie daraus Gewichte messen.",
                ))
            }
            (self.begun(view))
            @if self.runs.is_empty() {
                (empty_note(view.say("Nothing was described yet; `auslese describe` does it.", "Noch ist nichts beschrieben; `auslese describe` tut es.")))
            } @else { (self.runs_table(view)) }
            (self.quality(view))
            h2 { (view.say("Weights", "Gewichte")) }
            p {
                a href={ "/bench/" (self.harvest) "/weights" } { (view.say("Weights in force, and new ones from the labels", "Geltende Gewichte, und neue aus den Urteilen")) }
            }
            (view.act_form(&format!("/bench/{}/describe", self.harvest), Role::Admin, &html! {
                button type="submit" { (view.say("Describe again", "Neu beschreiben")) }
            }))
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let share = |share: Option<f64>| share.map_or(Cell::Missing, Cell::Number);
        let rows = self.quality.iter().map(|it| {
            vec![
                Cell::Text(it.field.to_string()),
                Cell::Count(it.right),
                Cell::Count(it.wrong),
                Cell::Count(it.missing),
                share(it.precision),
                share(it.recall),
                share(it.silent_where_absent),
            ]
        });
        let head = vec![
            "field",
            "right",
            "wrong",
            "missing",
            "precision",
            "recall",
            "silent where absent",
        ];
        let table = Table { name: "quality", title: "Quality", head, rows: rows.collect() };
        Some((format!("quality-{}", self.harvest), table.csv()))
    }
}

impl RunsPage {
    /// A run that is under way, or ended since this program began.
    fn begun(&self, view: &View) -> Markup {
        html! {
            @match &self.begun {
                None => {},
                Some(RunState::Running(now)) => {
                    p #begun .note role="status" data-again="2" {
                        (view.say("Being described: ", "Wird beschrieben: "))
                        (view.tongue.number(now.done)) (view.say(" of ", " von ")) (view.tongue.number(now.of))
                    }
                }
                Some(RunState::Done(run)) => {
                    p #begun .note .good role="status" {
                        (view.say("Described: ", "Beschrieben: "))
                        a href={ "/bench/" (self.harvest) "/run/" (run) } { (view.say("run ", "Lauf ")) (run) }
                    }
                }
                Some(RunState::Failed(why)) => {
                    p #begun .note role="alert" { (view.say("Describing failed: ", "Das Beschreiben ist gescheitert: ")) (why) }
                }
            }
        }
    }

    fn runs_table(&self, view: &View) -> Markup {
        let number = |number: u64| view.tongue.number(number);
        html! {
            div .scroll tabindex="0" { table {
                thead { tr {
                    th { (view.say("Run", "Lauf")) } th { (view.say("Begun", "Begonnen")) }
                    th { (view.say("Heuristics", "Heuristiken")) } th { (view.say("Versions", "Fassungen")) }
                    th .right { (view.say("Documents", "Dokumente")) } th .right { (view.say("Statements", "Aussagen")) } th {}
                } }
                tbody {
                    @for (at, run) in self.runs.iter().enumerate() {
                        tr {
                            td { a href={ "/bench/" (self.harvest) "/run/" (run.run) } { (run.run) } @if !run.finished { " " span .tag .doubt { (view.say("not finished", "nicht fertig")) } } }
                            td { (date_time(run.time)) }
                            td { (run.heuristics) }
                            td { code { (run.heuristics_version) } " · " code { (run.weights_version) } }
                            td .right { (number(run.documents)) }
                            td .right { (number(run.statements)) }
                            td {
                                @if let Some(before) = self.runs.get(at + 1) {
                                    @let (before, after) = (before.run.to_string(), run.run.to_string());
                                    a href=(address(&format!("/bench/{}/compare", self.harvest), &[("before", &before), ("after", &after)])) {
                                        (view.say("compare with ", "vergleichen mit ")) (before)
                                    }
                                }
                            }
                        }
                    }
                }
            } }
        }
    }

    fn quality(&self, view: &View) -> Markup {
        let share = |share: Option<f64>| {
            share.map_or("–".to_owned(), |share| view.tongue.decimal(share, 3))
        };
        html! {
            h2 { (view.say("How right it is by the labels", "Wie richtig er nach den Urteilen ist")) }
            @if let Some(run) = self.measured {
                form .ask method="get" action={ "/bench/" (self.harvest) } data-at-once {
                    label for="run" { (view.say("Run", "Lauf")) } " "
                    select #run name="run" {
                        @for it in &self.runs { option value=(it.run) selected[it.run == run] { (it.run) " (" (it.heuristics) ")" } }
                    }
                    button .plain type="submit" data-plain { (view.say("Show", "Zeigen")) }
                }
            }
            @if self.quality.is_empty() {
                (empty_note(view.say("Nothing is labelled yet. Open a document of a run and say what is right.", "Noch ist nichts beurteilt. Öffnen Sie ein Dokument eines Laufs und sagen Sie, was stimmt.")))
            } @else {
                p { a href={ "/bench/" (self.harvest) "/marks" } { (view.tongue.number(self.marks as u64)) " " (view.say("labels", "Urteile")) } }
                div .scroll tabindex="0" { table #quality {
                    thead { tr {
                        th { (view.say("Field", "Feld")) }
                        th .right { (view.say("Right", "Richtig")) } th .right { (view.say("Wrong", "Falsch")) } th .right { (view.say("Missing", "Fehlt")) }
                        th .right { (view.say("Precision", "Genauigkeit")) } th .right { (view.say("Recall", "Vollständigkeit")) }
                        th .right { (view.say("Silent where absent", "Schweigt, wo nichts ist")) }
                    } }
                    tbody { @for it in &self.quality { tr {
                        th scope="row" { (field_name(view, it.field)) }
                        td .right { (it.right) } td .right { (it.wrong) } td .right { (it.missing) }
                        td .right { (share(it.precision)) } td .right { (share(it.recall)) } td .right { (share(it.silent_where_absent)) }
                    } } }
                } }
            }
        }
    }
}

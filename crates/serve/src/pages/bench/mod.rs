//! The test bench for heuristics: runs as trees of fields, rules and documents; two runs compared; values labelled right,
//! wrong, missing or absent; how right a run is by the labels, and weights measured from them.

mod compare;
mod marking;
mod marks;
mod runs;
mod tree;
mod weights;

pub(crate) use compare::RunsCompared;

use crate::access::Role;
use crate::problem::Problem;
use crate::routes::Route;
use crate::site::Harvest;
use auslese_catalog::DescribeRun;
use auslese_model::{Field, RunId};
use axum::routing::{get, post};

const MARK: &[(&str, &str)] = &[
    ("request", "The number of the document"),
    ("run", "The run that was looked at"),
    ("kind", "right, wrong, missing, absent, relevant or irrelevant"),
    ("field", "The field; none for what is said of the document"),
    ("value", "The value; none for what is said of the field"),
    ("note", "Why"),
    ("back", "The page to return to"),
];

/// The pages of the bench.
pub(crate) fn bench_routes() -> Vec<Route> {
    vec![
        Route::page("/bench", "The harvests, to test heuristics on one", &[], get(super::choose)),
        Route::page(
            "/bench/{harvest}",
            "Runs, and how right they are by the labels",
            &[("run", "The run that is measured; the newest if not given")],
            get(runs::runs),
        ),
        Route::page(
            "/bench/{harvest}/run/{run}",
            "A run as a tree: fields, their rules, and documents",
            &[
                ("field", "Rules of this field"),
                ("rule", "Documents whose value comes from this rule"),
                ("after", "Documents after the capture with this number"),
            ],
            get(tree::tree),
        ),
        Route::page(
            "/bench/{harvest}/run/{run}/doc/{request}",
            "A document with what a run said of it, its source or page beside it",
            &[("side", "source or page"), ("page", "Page of a paper, from 1")],
            get(super::document::on_bench),
        ),
        Route::page(
            "/bench/{harvest}/compare",
            "Two runs compared by field and rule",
            &[
                ("before", "The earlier run"),
                ("after", "The later run"),
                ("field", "Of this field only"),
                ("kind", "gained, lost or changed"),
            ],
            get(compare::compare),
        ),
        Route::page(
            "/bench/{harvest}/marks",
            "What people marked",
            &[("after", "Marks after the one with this number")],
            get(marks::marks),
        ),
        Route::act(
            "/bench/{harvest}/mark",
            "Mark a value, a field or a document",
            Role::Editor,
            MARK,
            post(marking::mark),
        ),
        Route::act(
            "/bench/{harvest}/unmark",
            "Withdraw a mark",
            Role::Editor,
            &[("number", "The number of the mark"), ("back", "The page to return to")],
            post(marking::unmark),
        ),
        Route::page(
            "/bench/{harvest}/weights",
            "The weights in force, rule by rule",
            &[("set", "pages or papers")],
            get(weights::weights),
        ),
        Route::act(
            "/bench/{harvest}/weights/measure",
            "Measure weights from the labels and show them; nothing is changed",
            Role::Editor,
            &[("set", "pages or papers")],
            post(weights::measure),
        ),
        Route::act(
            "/bench/{harvest}/weights/adopt",
            "Measure weights from the labels and put them in force",
            Role::Admin,
            &[("set", "pages or papers")],
            post(weights::adopt),
        ),
        Route::act(
            "/bench/{harvest}/describe",
            "Describe the harvest with the heuristics and weights in force",
            Role::Admin,
            &[],
            post(runs::describe),
        ),
    ]
}

/// A run by the text of its number, or the newest that is finished.
async fn run_of(harvest: &Harvest, number: Option<&str>) -> Result<Option<DescribeRun>, Problem> {
    let runs = harvest.catalog.describe_runs().await?;
    match number {
        Some(number) => {
            let number = number.parse().ok().map(RunId);
            let found = runs.into_iter().find(|run| Some(run.run) == number);
            found.map(Some).ok_or_else(no_run)
        }
        None => Ok(runs.into_iter().find(|run| run.finished)),
    }
}

fn no_run() -> Problem {
    Problem::not_found(
        "There is no such run in this harvest.",
        "Diesen Lauf gibt es in dieser Ernte nicht.",
    )
}

fn field_of(name: Option<&str>) -> Result<Option<Field>, Problem> {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(None) };
    Field::parse(name).map(Some).ok_or_else(|| {
        Problem::bad_request("There is no such field.", "Dieses Feld gibt es nicht.")
    })
}

/// Enough of a digest to tell versions apart. Those of pages and papers stand side by side.
fn short(digest: &str) -> String {
    let part =
        |digest: &str| digest.rsplit(':').next().unwrap_or_default().chars().take(6).collect();
    digest.split('+').map(part).collect::<Vec<String>>().join("+")
}

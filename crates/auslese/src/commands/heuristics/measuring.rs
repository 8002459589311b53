//! How far heuristics are to be trusted: weights made from labels, and checked on sites that had no
//! part in making them.

use super::super::catalog_access::{block_on, open_catalog};
use super::super::describe::SetsArgs;
use super::{field, labels};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use anyhow::Context;
use auslese_describe::{
    Calibration, Heuristics, LabelledDocument, Reliability, Tally, Weights, calibrate, reliability,
    tallies, weighed_candidates,
};
use auslese_model::{Field, Timestamp};
use clap::Args;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Measure weights on labelled documents and write them to a file
///
/// Labels are lines of JSON: `path` names the page, `url` or `site` its site, and every field that is
/// there is labelled: "title": "…", "author": ["…"], "date": null for a page without a date. Without
/// a file of labels, the marks of the harvest in --dir are taken.
#[derive(Debug, Args)]
#[command(after_help = CALIBRATE_EXAMPLES)]
pub(super) struct CalibrateArgs {
    #[command(flatten)]
    labels: LabelsArgs,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Measure precision, recall and calibration on labelled documents
///
/// Weights are made from some of the sites and checked on the others, in turn, so that no page is
/// judged by weights that knew its site. With --weights, these weights are checked as they are.
#[derive(Debug, Args)]
#[command(after_help = EVALUATE_EXAMPLES)]
pub(super) struct EvaluateArgs {
    #[command(flatten)]
    labels: LabelsArgs,

    /// How many parts the sites are divided into
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..=100))]
    folds: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct LabelsArgs {
    /// A file with labels, one JSON object per line
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// The folder that `path` starts at [default: that of the labels]
    #[arg(long, value_name = "DIR", requires = "labels")]
    pages: Option<PathBuf>,

    /// Rather be silent than less precise than this, as in `date=0.9`; may be given several times
    #[arg(long, value_name = "FIELD=SHARE", value_parser = precision_floor)]
    precision: Vec<(Field, f64)>,

    #[command(flatten)]
    sets: SetsArgs,
}

fn precision_floor(text: &str) -> Result<(Field, f64), String> {
    let (name, share) =
        text.split_once('=').ok_or("a field and a share are expected, as in `date=0.9`")?;
    let share: f64 = share.parse().map_err(|_| format!("`{share}` is no number"))?;
    match (0.0..=1.0).contains(&share) {
        true => Ok((field(name)?, share)),
        false => Err("a share lies between 0 and 1".to_owned()),
    }
}

const CALIBRATE_EXAMPLES: &str = "\
Examples:
  auslese heuristics calibrate --labels gold.jsonl --out weights.toml
  auslese heuristics calibrate --labels gold.jsonl --precision date=0.9 --out weights.toml
  auslese heuristics calibrate --heuristics my-heuristics --dir giessen --out weights.toml";

const EVALUATE_EXAMPLES: &str = "\
Examples:
  auslese heuristics evaluate --labels gold.jsonl
  auslese heuristics evaluate --labels gold.jsonl --heuristics carmen --weights none --json";

pub(super) fn calibrate_weights(args: &CalibrateArgs, place: &Place, color: Color) -> Outcome {
    let (heuristics, labelled) = load(&args.labels, place, color)?;
    let weights = calibrate(&labelled, &args.labels.calibration(&heuristics));
    fs::write(&args.out, weights.to_toml())
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let sites: BTreeSet<&str> = labelled.iter().map(|it| it.site.as_str()).collect();
    let message = format!("{} documents of {} sites", labelled.len(), sites.len());
    say(Word::Note, message, color);
    Ok(Exit::Done)
}

fn load(
    args: &LabelsArgs,
    place: &Place,
    color: Color,
) -> Result<(Heuristics, Vec<LabelledDocument>), Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let heuristics = args.sets.heuristics_or(&config.describe, place.dir())?.heuristics;
    let labelled = match &args.labels {
        Some(file) => labels::read(file, args.pages.as_deref(), &heuristics)?,
        None => block_on(async {
            let catalog = open_catalog(&config, place.dir()).await?;
            let labelled = labels::of_marks(&catalog, &config, place, &heuristics, color).await;
            catalog.close().await;
            labelled
        })?,
    };
    if labelled.is_empty() {
        return Err(Failure::usage("there are no labels").hint(
            "name a file with --labels, or mark statements of a harvest with `auslese marks add`",
        ));
    }
    Ok((heuristics, labelled))
}

impl LabelsArgs {
    fn calibration(&self, heuristics: &Heuristics) -> Calibration {
        let date = Timestamp::now().to_string().chars().take(10).collect();
        let precision_floors = self.precision.iter().copied().collect();
        Calibration { precision_floors, ..Calibration::of(heuristics, date) }
    }
}

/// What was measured of one field.
#[derive(Debug, Default)]
struct Measures {
    tally: Tally,
    pairs: Vec<(f64, bool)>,
}

pub(super) fn evaluate(args: &EvaluateArgs, place: &Place, color: Color) -> Outcome {
    let (heuristics, labelled) = load(&args.labels, place, color)?;
    let calibration = args.labels.calibration(&heuristics);
    let fixed = args.labels.sets.weights_if_named()?;
    let mut measures: BTreeMap<Field, Measures> = BTreeMap::new();
    let sites: BTreeSet<&str> = labelled.iter().map(|it| it.site.as_str()).collect();
    let fold_of: BTreeMap<&str, u64> = sites.into_iter().zip((0..args.folds).cycle()).collect();
    for fold in 0..args.folds {
        let (checked, learnt): (Vec<_>, Vec<_>) =
            labelled.iter().cloned().partition(|document| fold_of[document.site.as_str()] == fold);
        let weights = match &fixed {
            Some(weights) => weights.clone(),
            None => calibrate(&learnt, &calibration),
        };
        measure(&checked, &heuristics, &weights, &mut measures);
    }
    match args.json {
        true => output::print_json(&as_json(&measures))?,
        false => output::print(&as_text(&measures, labelled.len()))?,
    }
    Ok(Exit::Done)
}

fn measure(
    checked: &[LabelledDocument],
    heuristics: &Heuristics,
    weights: &Weights,
    measures: &mut BTreeMap<Field, Measures>,
) {
    for (field, tally) in tallies(checked, weights, |field| heuristics.limits(field)) {
        let sum = measures.entry(field).or_default();
        sum.tally = [sum.tally, tally].into_iter().sum();
        sum.pairs.extend(weighed_candidates(checked, weights, field));
    }
}

fn as_text(measures: &BTreeMap<Field, Measures>, documents: usize) -> String {
    let share = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.3}"));
    let head = [
        "field",
        "right",
        "wrong",
        "missing",
        "precision",
        "recall",
        "F1",
        "silent where absent",
        "calibration error",
        "by chance",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (field, Measures { tally, pairs }) in measures {
        let Reliability { ece, by_chance, .. } = reliability(pairs);
        rows.push(vec![
            field.to_string(),
            tally.right.to_string(),
            tally.wrong.to_string(),
            tally.missing.to_string(),
            share(tally.precision()),
            share(tally.recall()),
            share(tally.f1()),
            share(tally.silent_share()),
            format!("{ece:.3}"),
            format!("{by_chance:.3}"),
        ]);
    }
    format!("{documents} documents\n{}", output::table(&rows))
}

fn as_json(measures: &BTreeMap<Field, Measures>) -> Value {
    let fields: Vec<Value> = measures
        .iter()
        .map(|(field, Measures { tally, pairs })| {
            let Reliability { bins, n, ece, by_chance, brier } = reliability(pairs);
            json!({
                "field": field.as_str(),
                "tally": tally,
                "precision": tally.precision(),
                "recall": tally.recall(),
                "f1": tally.f1(),
                "silent_where_absent": tally.silent_share(),
                "calibration": {
                    "n": n, "error": ece, "by_chance": by_chance, "brier": brier, "bins": bins,
                },
            })
        })
        .collect();
    json!({ "fields": fields })
}

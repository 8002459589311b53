//! `auslese discover evaluate`: how often the verdicts are right, against a list by hand.

use super::AskingArgs;
use super::finding::asking_of;
use super::listing::stored;
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use anyhow::Context;
use auslese_discover::evaluate::{Evaluation, MethodResult, Quality, Truth, evaluate, read_truth};
use clap::Args;
use std::path::{Path, PathBuf};

/// Compare the verdicts with a list of right answers
///
/// The list is a table with the columns host, member (yes or no), case (1 to 5, may be empty) and
/// note. Precision and recall are printed per case, per indicator and per threshold, for the
/// weighted method and for that of the paper. Figures of single indicators are fair only with --ask.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EvaluateArgs {
    /// Table with the right answers
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Judge every host of the list anew with all indicators, and keep the verdicts
    #[arg(long)]
    ask: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese discover evaluate truth.csv --ask --dir giessen
  auslese discover evaluate truth.csv --dir giessen --json";

pub(super) fn run(args: &EvaluateArgs, place: &Place) -> Outcome {
    let truth = right_answers(&args.file)?;
    let config = place.sources(Overrides::default()).load()?;
    if args.ask {
        let asking = asking_of(place, &AskingArgs::default())?;
        for answer in &truth {
            asking.judge(&answer.host, true)?;
        }
    }
    let evaluation = evaluate(&truth, &stored(place)?, &config.discover.judge_settings());
    if args.json {
        output::print_json(&evaluation)?;
    } else {
        output::print(&evaluation_text(&evaluation))?;
    }
    Ok(Exit::Done)
}

fn right_answers(file: &Path) -> Result<Vec<Truth>, Failure> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    read_truth(&bytes).map_err(|problems| {
        let words: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure::usage(format!("{}: {}", file.display(), words.join("; ")))
            .hint("a line looks like `www.uni.example,yes,1,main site`")
    })
}

fn evaluation_text(evaluation: &Evaluation) -> String {
    let mut text = format!("{} hosts with an answer and a verdict\n", evaluation.hosts);
    for host in &evaluation.without_verdict {
        text.push_str(&format!("  no verdict on {host}\n"));
    }
    text.push_str("\nweighted\n");
    method_table(&mut text, &evaluation.weighted);
    text.push_str("\nas in the paper\n");
    method_table(&mut text, &evaluation.paper);
    text.push_str("\nindicators alone\n");
    let rows = evaluation.indicators.iter().map(|it| row(it.indicator.as_str(), &it.quality));
    table(&mut text, "indicator", rows);
    text.push_str("\nthresholds\n");
    let rows =
        evaluation.thresholds.iter().map(|it| row(&format!("{:.2}", it.threshold), &it.quality));
    table(&mut text, "score", rows);
    if let Some(best) = &evaluation.best {
        text.push_str(&format!("\nbest F1 at {:.2}\n", best.threshold));
    }
    for mistake in &evaluation.mistakes {
        let right = if mistake.member { "belongs" } else { "does not belong" };
        let (host, score, reason) = (&mistake.host, mistake.score, &mistake.reason);
        text.push_str(&format!("wrong: {host} {right}; score {score:.2}, {reason}\n"));
    }
    text
}

fn method_table(text: &mut String, method: &MethodResult) {
    let cases = method.cases.iter().map(|it| {
        let name = it.case.map_or("–".to_owned(), |case| case.number().to_string());
        row(&name, &it.quality)
    });
    table(text, "case", cases.chain([row("all", &method.all)]));
    if method.for_review > 0 {
        text.push_str(&format!("  {} hosts wait for a person\n", method.for_review));
    }
}

fn row(name: &str, quality: &Quality) -> [String; 5] {
    let share = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    [
        name.to_owned(),
        (quality.accepted_members + quality.missed_members).to_string(),
        share(quality.precision),
        share(quality.recall),
        share(quality.f1),
    ]
}

fn table(text: &mut String, first: &str, rows: impl Iterator<Item = [String; 5]>) {
    let head = [first, "members", "precision", "recall", "F1"].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    for line in output::columns(&rows).lines() {
        text.push_str(&format!("  {line}\n"));
    }
}

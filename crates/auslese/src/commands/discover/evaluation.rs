//! `auslese discover evaluate`: how often the verdicts are right, against a list by hand.

use super::Answers;
use super::listing::stored;
use super::work::asking_of;
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome};
use crate::progress::Steps;
use crate::{input, output};
use auslese_discover::evaluate::{
    Evaluation, IndicatorResult, MethodResult, Quality, Truth, evaluate, read_truth,
};
use auslese_discover::judge::Thoroughness;
use auslese_model::{HostName, Verdict};
use clap::Args;
use std::path::{Path, PathBuf};

/// Compare the verdicts with a list of right answers
///
/// The list is a table with the columns host, member (yes or no), case (1 to 5, may be empty) and
/// note. Precision and recall are printed per case, per indicator and per threshold, for the
/// weighted method and for that of the paper. What is stored is used, and each indicator is measured
/// on the hosts it was asked for; --ask asks for all of them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EvaluateArgs {
    /// Table with the right answers
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Judge every host of the list with all indicators; the verdicts are not kept
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

/// Problems of a table that are told; whoever made more has given the wrong file.
const TOLD_PROBLEMS: usize = 5;
/// Characters that are told of a problem: it may quote the line.
const TOLD_TEXT: usize = 160;
/// Hosts without a verdict that are named in the text; JSON has all.
const TOLD_WITHOUT: usize = 20;
/// Hosts that are named in the text for each indicator that was not asked for; JSON has all.
const TOLD_HOSTS: usize = 3;

pub(super) fn run(args: &EvaluateArgs, place: &Place, color: Color) -> Outcome {
    let truth = right_answers(&args.file)?;
    let config = place.sources(Overrides::default()).load()?;
    let (verdicts, thoroughness) = match args.ask {
        true => (asked_now(&truth, args.json, place, color)?, Thoroughness::Everything),
        false => (stored(place)?, Thoroughness::UntilDecided),
    };
    let settings = config.discover.judge_settings();
    let evaluation = evaluate(&truth, &verdicts, thoroughness, &settings);
    if args.json {
        output::print_json(&evaluation)?;
    } else {
        output::print(&evaluation_text(&evaluation))?;
    }
    Ok(Exit::Done)
}

/// Verdicts with everything that can be asked.
fn asked_now(
    truth: &[Truth],
    quiet: bool,
    place: &Place,
    color: Color,
) -> Result<Vec<Verdict>, Failure> {
    let asking = asking_of(place, Overrides::default(), Answers::default(), color)?;
    asking.require_profiles()?;
    let hosts: Vec<HostName> = truth.iter().map(|answer| answer.host.clone()).collect();
    let mut steps = Steps::new("hosts judged", quiet);
    let mut judged = 0;
    let mut told = |_: &Verdict| {
        judged += 1;
        steps.show(judged, hosts.len() as u64, "");
    };
    asking.run(async |work| work.until(work.opened.examine(&hosts, &mut told)).await)
}

fn right_answers(file: &Path) -> Result<Vec<Truth>, Failure> {
    let hint = "a line looks like `www.uni.example,yes,1,main site`";
    match read_truth(&input::read_table(file)?) {
        Ok(truth) if truth.is_empty() => {
            Err(Failure::usage(format!("{}: there is no answer in it", file.display())).hint(hint))
        }
        Ok(truth) => Ok(truth),
        Err(problems) => {
            let told = problems.iter().take(TOLD_PROBLEMS);
            let mut words: Vec<String> =
                told.map(|problem| problem.to_string().chars().take(TOLD_TEXT).collect()).collect();
            let more = problems.len().saturating_sub(TOLD_PROBLEMS);
            words.extend((more > 0).then(|| format!("and {more} more")));
            let message = format!("{}: {}", file.display(), words.join("; "));
            Err(Failure::usage(message).hint(hint))
        }
    }
}

fn evaluation_text(evaluation: &Evaluation) -> String {
    let mut text = format!("{} hosts with an answer and a verdict\n", evaluation.hosts);
    let without = &evaluation.without_verdict;
    for host in without.iter().take(TOLD_WITHOUT) {
        text.push_str(&format!("  no verdict on {host}\n"));
    }
    if let Some(more) = without.len().checked_sub(TOLD_WITHOUT).filter(|more| *more > 0) {
        text.push_str(&format!("  nor on {more} more\n"));
    }
    text.push_str("\nweighted\n");
    method_table(&mut text, &evaluation.weighted);
    text.push_str("\nas in the paper\n");
    method_table(&mut text, &evaluation.paper);
    text.push_str("\nindicators alone\n");
    indicator_table(&mut text, &evaluation.indicators);
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

/// What each indicator does alone, and for which hosts that is not known.
fn indicator_table(text: &mut String, indicators: &[IndicatorResult]) {
    let head = ["indicator", "members", "precision", "recall", "F1", "not asked"];
    let rows = indicators.iter().map(|it| {
        let [name, members, precision, recall, f1] = row(it.indicator.as_str(), &it.quality);
        [name, members, precision, recall, f1, not_asked(&it.not_asked)]
    });
    let rows: Vec<[String; 6]> = std::iter::once(head.map(str::to_owned)).chain(rows).collect();
    push_indented(text, &output::columns(&rows));
}

fn not_asked(hosts: &[HostName]) -> String {
    if hosts.is_empty() {
        return "0".to_owned();
    }
    let names: Vec<&str> = hosts.iter().take(TOLD_HOSTS).map(HostName::as_str).collect();
    let more = if hosts.len() > TOLD_HOSTS { ", …" } else { "" };
    format!("{}: {}{more}", hosts.len(), names.join(", "))
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
    push_indented(text, &output::columns(&rows));
}

fn push_indented(text: &mut String, lines: &str) {
    for line in lines.lines() {
        text.push_str(&format!("  {line}\n"));
    }
}

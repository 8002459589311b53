//! `auslese describe`: what documents say about themselves, with weights; over a harvest or over loose
//! files.

mod files;
mod json_line;
mod sets;
mod survey;

pub(crate) use files::{LooseFile, as_text as description_text, paper_readers};
pub(crate) use json_line::json_line;
pub(crate) use sets::{
    FoundSet, OWN_WEIGHTS, Sets, SetsArgs, SetsByKind, paper_weights_file, weights_file,
};

use super::catalog_access::ask_catalog;
use super::corpus::Telling;
use super::crawl::harvest_failure;
use super::heuristics::field;
use super::stage_worker::WorkerArgs;
use crate::args::Place;
use crate::config::{Config, Overrides};
use crate::messages::{Color, Exit, Failure, Harmless, Outcome, Word, say};
use crate::steps::{self, Shown};
use crate::{organisation, output};
use auslese_catalog::{Catalog, FieldCount};
use auslese_harvest::{
    DescribeJob, DescribeProgress, DescribeReport, DescribeWatching, DescribingSet,
    describe_harvest, describe_together,
};
use auslese_model::Field;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use sets::keyphrase_models;
use std::path::PathBuf;
use std::sync::Arc;
use survey::SurveyArgs;
use url::Url;

/// Say what documents are about: title, author, institution, date, keywords, with weights
///
/// Without files, every archived page and paper of the harvest is described, kept in the corpus or not,
/// and the result is stored as a run; nothing is fetched. Papers are documents made of pages: PDF,
/// PostScript, Word, RTF, DOCX, ODT, also packed with gzip. As long as heuristics and weights stay the
/// same, later calls describe only what is new; with others a new run begins (see `auslese runs`).
/// After an interruption the same command goes on. With files, each of them is described and printed.
#[derive(Debug, Default, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct DescribeArgs {
    #[command(subcommand)]
    action: Option<Action>,

    /// Files to describe instead of a harvest, or `-` for the standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    sets: SetsArgs,

    /// A table of the Mathematics Subject Classification to check codes in papers against: plain text
    /// with a code at the beginning of each line
    #[arg(long, value_name = "FILE")]
    msc_table: Option<PathBuf>,

    /// The address the file was found at, for rules that look at it
    #[arg(long, value_name = "URL", requires = "files")]
    url: Option<Url>,

    /// Of files: say only this, such as `title`, which is less work; several times for several fields
    #[arg(long = "field", value_name = "FIELD", value_parser = field, requires = "files")]
    fields: Vec<Field>,

    /// Print the document as well-formed XML instead: what heuristics see
    #[arg(long, requires = "files", conflicts_with_all = ["json", "fields"])]
    xml: bool,

    /// Begin a new run, although there is one with the same heuristics and weights
    #[arg(long, conflicts_with = "files")]
    anew: bool,

    #[command(flatten)]
    worker: WorkerArgs,

    /// Print JSON: one object per file, or the numbers of the run
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    Survey(SurveyArgs),
}

const EXAMPLES: &str = "\
Examples:
  auslese describe --dir giessen
  auslese describe --heuristics carmen --dir giessen
  auslese describe --worker --dir giessen    (on each of several machines)
  auslese describe page.html
  auslese describe preprint.ps.gz thesis.pdf report.docx
  auslese describe --json pages/*.html > descriptions.jsonl
  auslese describe --field title --field author pages/*.html
  auslese describe --xml page.html | xmllint --xpath '//h1' -
  auslese describe survey --per-site 2 --dir giessen";

impl DescribeArgs {
    /// With these heuristics, for callers that tell themselves what was done.
    pub(crate) fn quiet(heuristics: Option<&str>) -> DescribeArgs {
        let sets = SetsArgs { heuristics: heuristics.map(str::to_owned), weights: None };
        DescribeArgs { quiet: true, sets, ..DescribeArgs::default() }
    }
}

pub(crate) fn run(args: &DescribeArgs, place: &Place, color: Color) -> Outcome {
    if let Some(Action::Survey(survey)) = &args.action {
        return survey::run(survey, place);
    }
    if !args.files.is_empty() {
        if args.worker.is_given() {
            return Err(Failure::usage("--worker is for harvests, not for files"));
        }
        return files::run(args, place, color);
    }
    let described = carry_out(args, place, Overrides::default(), color)?;
    if args.json {
        output::print_json(&as_json(&described))?;
    } else {
        output::print(&as_text(&described))?;
    }
    if described.report.stopped {
        say(Word::Hint, "the same command goes on where it stopped", color);
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// The same after other stages, with what their command line says about the harvest.
pub(crate) fn run_after_corpus(
    telling: Telling,
    place: &Place,
    overrides: Overrides,
    color: Color,
) -> Outcome {
    let args = DescribeArgs { quiet: telling != Telling::People, ..DescribeArgs::default() };
    let described = carry_out(&args, place, overrides, color)?;
    match telling {
        Telling::People => output::print(&format!("\n{}", as_text(&described)))?,
        Telling::Programs => {
            let mut line = as_json(&described);
            line["event"] = json!("describe");
            output::print(&format!("{line}\n"))?;
        }
        Telling::Nobody => {}
    }
    Ok(if described.report.stopped { Exit::Interrupted } else { Exit::Done })
}

/// What was done, and what the run says in all.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) report: DescribeReport,
    pub(crate) fields: Vec<FieldCount>,
    pub(crate) documents: u64,
}

/// Does the work, with progress shown and Ctrl-C heard.
pub(crate) fn carry_out(
    args: &DescribeArgs,
    place: &Place,
    overrides: Overrides,
    color: Color,
) -> Result<Described, Failure> {
    let config = place.sources(overrides).load()?;
    let dir = config.harvest_dir(place.dir())?;
    let (worker, sharing) = args.worker.sharing(&config, &dir)?;
    let job = DescribeJob { worker, ..job(args, &config, place)? };
    steps::carry_out(args.quiet, color, shown, async |progress, stop| {
        let watching = DescribeWatching { progress, stop };
        let report = match sharing {
            Some(sharing) => describe_together(&dir, &job, sharing, watching).await,
            None => describe_harvest(&dir, job, watching).await,
        };
        let report = report.map_err(harvest_failure)?;
        let counts = async |catalog: &Catalog| {
            let runs = catalog.describe_runs().await?;
            let run = runs.iter().find(|run| run.run == report.run);
            let documents = run.map_or(0, |run| run.documents);
            Ok((catalog.field_counts(report.run).await?, documents))
        };
        let (fields, documents) = ask_catalog(&config, place.dir(), counts).await?;
        Ok(Described { report, fields, documents })
    })
}

pub(crate) fn job(
    args: &DescribeArgs,
    config: &Config,
    place: &Place,
) -> Result<DescribeJob, Failure> {
    let sets = SetsByKind::for_harvest(&args.sets, &config.describe, place.dir())?;
    Ok(DescribeJob {
        catalog: config.catalog_location(place.dir())?,
        catalog_settings: config.catalog_settings(),
        pages: describing_set(sets.pages),
        papers: describing_set(sets.papers.clone()),
        readers: Arc::new(paper_readers(config.describe.reader_limits())),
        keyphrases: keyphrase_models(&config.describe)?.map(Arc::new),
        msc_table: sets::msc_table(args.msc_table.as_deref(), &config.describe, place.dir())?,
        canonical: config.crawl.canonical.clone(),
        institutions: organisation::names(place.dir())?,
        anew: args.anew,
        worker: config.archive.worker_name().to_owned(),
        config_text: config.text.clone(),
    })
}

fn describing_set(sets: Sets) -> DescribingSet {
    DescribingSet { heuristics: sets.heuristics, weights: sets.weights }
}

fn shown(now: &DescribeProgress) -> Shown {
    Shown { what: "described", done: now.done, of: now.of, rate: now.rate, here: now.here }
}

/// Which fields were found, how often, and by which rules.
pub(crate) fn as_text(described: &Described) -> String {
    let Described { report, fields, documents } = described;
    let mut rows: Vec<Vec<String>> = vec![
        ["field", "documents", "of high weight", "most frequent rules"].map(Into::into).into(),
    ];
    for field in fields {
        let rules = field.rules.iter().take(RULES_SHOWN);
        let rules: Vec<String> = rules
            .map(|used| {
                let rule = used.rule.as_ref().map_or("–", |rule| rule.as_str());
                format!("{rule} {}", used.documents)
            })
            .collect();
        rows.push(vec![
            field.field.to_string(),
            field.documents.to_string(),
            field.high.to_string(),
            rules.join(", "),
        ]);
    }
    let rate = report.described as f64 / report.seconds.max(1e-6);
    let done = match report.described {
        0 => "nothing was new".to_owned(),
        described => {
            let here = report.here.map_or(String::new(), |here| format!(", {here} of them here"));
            format!("{described} documents in {:.1} s ({rate:.0} per second){here}", report.seconds)
        }
    };
    let mut text = output::table(&rows);
    text.push_str(&format!("\nrun {}: {documents} documents described; {done}\n", report.run.0));
    let mut troubles: Vec<(&String, &u64)> = report.troubles.iter().collect();
    troubles.sort_by_key(|(_, documents)| std::cmp::Reverse(**documents));
    for (trouble, documents) in troubles.iter().take(TROUBLES_SHOWN) {
        text.push_str(&format!("  {documents}: {}\n", Harmless((*trouble).clone())));
    }
    if let Some(more) = troubles.len().checked_sub(TROUBLES_SHOWN).filter(|more| *more > 0) {
        text.push_str(&format!("  and {more} other troubles; `--json` names them all\n"));
    }
    text
}

/// Different troubles that are told.
const TROUBLES_SHOWN: usize = 20;

/// Rules of a field that are named.
const RULES_SHOWN: usize = 3;

fn as_json(described: &Described) -> Value {
    let Described { report, fields, documents } = described;
    let fields: Vec<Value> = fields
        .iter()
        .map(|field| {
            let rules = field.rules.iter().map(|used| {
                json!({ "rule": used.rule.as_ref().map(|rule| rule.as_str()), "documents": used.documents })
            });
            json!({
                "field": field.field.as_str(),
                "documents": field.documents,
                "high_weight": field.high,
                "rules": rules.collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "run": report.run.0,
        "continued": report.continued,
        "documents": documents,
        "described": report.described,
        "described_here": report.here,
        "seconds": report.seconds,
        "fields": fields,
        "troubles": report.troubles,
        "stopped": report.stopped,
    })
}

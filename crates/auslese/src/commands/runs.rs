//! `auslese runs`: what was said about the documents of a harvest, run by run.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_catalog::{Catalog, DescribeRun};
use auslese_describe::{RunFormat, RunHeader, RunWriter, compare_runs, read_run};
use auslese_model::{CaptureId, Description, Field, RunId};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// List the runs of `auslese describe`, compare two of them, write one to a file
#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the runs: when, with which heuristics and weights, how many documents
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Compare two runs: what was gained, lost and changed, by field and rule
    ///
    /// Without numbers the current run is compared with the newest of the others. A run that somebody sent
    /// as a file is compared like one of the harvest; two files need no harvest.
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare {
        /// The earlier run, and the later one: numbers, or files written by `auslese runs export`
        #[arg(value_name = "RUN|FILE", num_args = 0..=2)]
        runs: Vec<String>,

        /// Show this field only
        #[arg(long, value_name = "FIELD", value_parser = super::heuristics::field)]
        field: Option<Field>,

        /// How many differences to list
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a run to a file, for exchange
    #[command(after_help = EXPORT_EXAMPLES)]
    Export {
        /// The run; the current one without a number
        #[arg(value_name = "RUN")]
        run: Option<i64>,

        /// How to write it
        #[arg(long, value_enum, default_value_t = Form::Xml)]
        format: Form,

        /// The file; the standard output without one
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Take a run out of the catalog; marks that people made stay
    #[command(after_help = REMOVE_EXAMPLES)]
    Remove {
        #[arg(value_name = "RUN")]
        run: i64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Xml,
    /// One JSON object per line
    Jsonl,
}

const LIST_EXAMPLES: &str = "\
Examples:
  auslese runs list --dir giessen
  auslese runs list --dir giessen --json";

const COMPARE_EXAMPLES: &str = "\
Examples:
  auslese runs compare --dir giessen
  auslese runs compare 4 7 --field title --limit 100 --dir giessen
  auslese runs compare 4 7 --dir giessen --json | jq '.fields[].changed'
  auslese runs compare before.xml after.xml";

const EXPORT_EXAMPLES: &str = "\
Examples:
  auslese runs export --dir giessen --out run.xml
  auslese runs export 4 --format jsonl --dir giessen | jq .title";

const REMOVE_EXAMPLES: &str = "\
Examples:
  auslese runs remove 4 --dir giessen";

/// Descriptions asked for at a time.
const PAGE: usize = 1_000;

pub(crate) fn run(args: &RunsArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    if let Action::Compare { runs, field, limit, json } = &args.action
        && let [Some(before), Some(after)] = [0, 1].map(|at| runs.get(at).and_then(file_of_run))
    {
        let before = Loaded::of_file(before)?.with_only(*field);
        let after = Loaded::of_file(after)?.with_only(*field);
        compare(&before, &after, *limit, *json)?;
        return Ok(Exit::Done);
    }
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let known = catalog.describe_runs().await.map_err(catalog_failure)?;
        match &args.action {
            Action::List { json } => list(&known, *json)?,
            Action::Compare { runs, field, limit, json } => {
                let (before, after) = pair(&known, runs)?;
                let before = before.load(&catalog).await?.with_only(*field);
                let after = after.load(&catalog).await?.with_only(*field);
                compare(&before, &after, *limit, *json)?;
            }
            Action::Export { run, format, out } => {
                let run = one(&known, *run)?;
                export(&catalog, run, *format, out.as_ref()).await?;
            }
            Action::Remove { run } => {
                let run = one(&known, Some(*run))?;
                catalog.remove_describe_run(run.run).await.map_err(catalog_failure)?;
            }
        }
        catalog.close().await;
        Ok(Exit::Done)
    })
}

fn list(runs: &[DescribeRun], json: bool) -> Result<(), Failure> {
    if json {
        let runs: Vec<Value> = runs.iter().map(run_json).collect();
        return output::print_json(&runs);
    }
    if runs.is_empty() {
        return output::print("nothing was described yet; `auslese describe` does it\n");
    }
    let head = ["run", "begun", "heuristics", "version", "weights", "documents", "statements", ""];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for run in runs {
        rows.push(vec![
            run.run.0.to_string(),
            run.started.to_string(),
            run.heuristics.clone(),
            short(&run.heuristics_digest),
            short(&run.weights_digest),
            run.documents.to_string(),
            run.statements.to_string(),
            match run.finished {
                true if run.current => "current",
                true => "",
                false => "not finished",
            }
            .to_owned(),
        ]);
    }
    output::print(&output::table(&rows))
}

fn run_json(run: &DescribeRun) -> Value {
    json!({
        "run": run.run.0,
        "started": run.started.to_string(),
        "ended": run.ended.map(|at| at.to_string()),
        "finished": run.finished,
        "current": run.current,
        "heuristics": run.heuristics,
        "heuristics_digest": run.heuristics_digest,
        "weights_digest": run.weights_digest,
        "documents": run.documents,
        "statements": run.statements,
    })
}

/// Enough of a digest to tell versions apart.
fn short(digest: &str) -> String {
    digest.rsplit(':').next().unwrap_or_default().chars().take(8).collect()
}

/// The run with this number, or the current one; the newest, if none was finished yet.
fn one(known: &[DescribeRun], number: Option<i64>) -> Result<&DescribeRun, Failure> {
    let found = match number {
        Some(number) => known.iter().find(|run| run.run == RunId(number)),
        None => known.iter().find(|run| run.current).or(known.first()),
    };
    found.ok_or_else(|| match number {
        Some(number) => Failure::usage(format!("run {number} described nothing"))
            .hint("`auslese runs list` lists the runs that did"),
        None => Failure::usage("nothing was described yet").hint("`auslese describe` does it"),
    })
}

/// A run to be compared.
#[derive(Debug)]
enum Compared<'a> {
    Stored(&'a DescribeRun),
    File(&'a Path),
}

/// A run with its documents.
#[derive(Debug)]
struct Loaded {
    name: String,
    documents: Vec<(String, Description)>,
}

/// The runs named, or the current one and the newest of the others.
fn pair<'a>(
    known: &'a [DescribeRun],
    named: &'a [String],
) -> Result<(Compared<'a>, Compared<'a>), Failure> {
    match named {
        [before, after] => Ok((Compared::named(known, before)?, Compared::named(known, after)?)),
        [before] => Ok((Compared::named(known, before)?, Compared::Stored(one(known, None)?))),
        _ => {
            let after = one(known, None)?;
            let before = known.iter().find(|run| run.run != after.run).ok_or_else(|| {
                Failure::usage("there are no two runs to compare").hint(
                    "`auslese describe` with other --heuristics or --weights makes another run",
                )
            })?;
            Ok((Compared::Stored(before), Compared::Stored(after)))
        }
    }
}

/// The file a run is read from, if it is not named by its number.
fn file_of_run(name: &String) -> Option<&Path> {
    name.parse::<i64>().is_err().then(|| Path::new(name))
}

impl<'a> Compared<'a> {
    fn named(known: &'a [DescribeRun], name: &'a String) -> Result<Compared<'a>, Failure> {
        match name.parse() {
            Ok(number) => Ok(Compared::Stored(one(known, Some(number))?)),
            Err(_) => Ok(Compared::File(Path::new(name))),
        }
    }

    async fn load(&self, catalog: &Catalog) -> Result<Loaded, Failure> {
        match self {
            Compared::Stored(run) => Ok(Loaded {
                name: format!("run {} ({})", run.run.0, run.heuristics),
                documents: documents(catalog, run.run).await?,
            }),
            Compared::File(file) => Loaded::of_file(file),
        }
    }
}

impl Loaded {
    fn of_file(file: &Path) -> Result<Loaded, Failure> {
        Ok(Loaded { name: file.display().to_string(), documents: documents_of_file(file)? })
    }

    /// With only the statements on one field, if one is named.
    fn with_only(mut self, field: Option<Field>) -> Loaded {
        if let Some(field) = field {
            for (_, description) in &mut self.documents {
                description.statements.retain(|statement| statement.field == field);
            }
        }
        self
    }
}

fn documents_of_file(file: &Path) -> Result<Vec<(String, Description)>, Failure> {
    let mut documents = Vec::new();
    let read = read_run(BufReader::new(crate::input::open(file)?), |id, description| {
        documents.push((id, description));
    });
    match read {
        Ok(_) => Ok(documents),
        Err(cause) => {
            let error =
                anyhow::Error::new(cause).context(format!("cannot read {}", file.display()));
            Err(Failure::new(Exit::Usage, error).hint("`auslese runs export` writes such a file"))
        }
    }
}

async fn documents(catalog: &Catalog, run: RunId) -> Result<Vec<(String, Description)>, Failure> {
    let mut documents = Vec::new();
    let mut after = CaptureId(0);
    loop {
        let page = catalog.descriptions(run, after, PAGE).await.map_err(catalog_failure)?;
        let Some(last) = page.last() else { return Ok(documents) };
        after = last.described.capture;
        documents.extend(page.into_iter().map(|it| (it.url, it.described.description)));
    }
}

fn compare(before: &Loaded, after: &Loaded, limit: usize, json: bool) -> Result<(), Failure> {
    let comparison = compare_runs(&before.documents, &after.documents, limit);
    match json {
        true => output::print_json(&comparison),
        false => {
            let head = format!("{} compared with {}\n\n", after.name, before.name);
            output::print(&Harmless(format!("{head}{comparison}")).to_string())
        }
    }
}

async fn export(
    catalog: &Catalog,
    run: &DescribeRun,
    format: Form,
    out: Option<&PathBuf>,
) -> Result<(), Failure> {
    let header = RunHeader {
        heuristics: run.heuristics.clone(),
        digest: run.heuristics_digest.clone(),
        weights: run.weights_digest.clone(),
        date: run.started.to_string(),
    };
    let mut sink: Box<dyn Write> = match out {
        Some(file) => Box::new(File::create(file).map_err(|cause| {
            let error =
                anyhow::Error::new(cause).context(format!("cannot write {}", file.display()));
            Failure::new(Exit::Usage, error)
        })?),
        None => Box::new(io::stdout().lock()),
    };
    let format = match format {
        Form::Xml => RunFormat::Xml,
        Form::Jsonl => RunFormat::JsonLines,
    };
    let mut writer = RunWriter::new(BufWriter::new(&mut sink), format, &header)?;
    let mut after = CaptureId(0);
    loop {
        let page = catalog.descriptions(run.run, after, PAGE).await.map_err(catalog_failure)?;
        let Some(last) = page.last() else { break };
        after = last.described.capture;
        for listed in &page {
            writer.document(&listed.url, &listed.described.description)?;
        }
    }
    Ok(writer.finish()?.flush()?)
}

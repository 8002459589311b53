//! `auslese search index`: brings the index up to date with the harvest, or makes one of a foreign
//! collection.

use super::opening::{index_path, search_failure};
use crate::args::Place;
use crate::commands::corpus::Telling;
use crate::commands::crawl::harvest_failure;
use crate::commands::describe::paper_readers;
use crate::commands::stage_worker::WorkerArgs;
use crate::config::{Config, Overrides};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use crate::steps::{self, Shown};
use anyhow::Context;
use auslese_harvest::{
    CollectionRule, HarvestDir, IndexJob, IndexProgress, IndexReport, IndexWatching, index_harvest,
    index_together,
};
use auslese_search::{Rebuild, WriterOptions, read_foreign};
use clap::Args;
use serde_json::json;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Bring the search index up to date, or index a foreign collection
///
/// Compares every document of the catalog with the index and puts in what is new or has changed; nothing
/// is fetched. After an interruption, or when the program was killed, the same command goes on. With
/// --from, a collection of others is indexed instead: one JSON object per line with `id`, `title`,
/// `text`, and if there are any `lang` and `subjects` (a list of `{"term", "weight", "scheme"}`).
/// With --worker, each worker indexes a part of the documents in its own directory; a search names all of them.
#[derive(Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct IndexArgs {
    /// Index this collection (JSON lines) instead of a harvest; --dir names a folder for the index
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Make the index anew, although it can be read
    #[arg(long)]
    anew: bool,

    #[command(flatten)]
    worker: WorkerArgs,

    /// The index of this worker is lost: index its documents again; may be given several times
    #[arg(long, value_name = "NAME", requires = "worker")]
    lost: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese search index --dir giessen
  auslese search index --anew --dir giessen
  auslese search index --worker --dir giessen    (on each of several machines)
  auslese search index --worker --lost second --dir giessen
  auslese search index --from collection.jsonl --dir collection";

/// Lines of a foreign collection that are told if they cannot be read.
const BAD_LINES_TOLD: usize = 10;

impl IndexArgs {
    /// For callers that tell themselves what was done.
    pub(crate) fn quiet() -> IndexArgs {
        IndexArgs { quiet: true, ..IndexArgs::default() }
    }
}

pub(super) fn run(args: &IndexArgs, place: &Place, color: Color) -> Outcome {
    if let Some(file) = &args.from {
        return index_foreign(file, args, place, color);
    }
    let report = carry_out(args, place, Overrides::default(), color)?;
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&report_text(&report))?;
    }
    if report.stopped {
        say(Word::Hint, "the same command goes on where it stopped", color);
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// The same after other stages, unless the configuration does not want it.
pub(crate) fn run_after_describe(
    telling: Telling,
    place: &Place,
    overrides: impl Fn() -> Overrides,
    color: Color,
) -> Outcome {
    if !place.sources(overrides()).load()?.search.after_run {
        return Ok(Exit::Done);
    }
    let args = IndexArgs { quiet: telling != Telling::People, ..IndexArgs::default() };
    let report = carry_out(&args, place, overrides(), color)?;
    match telling {
        Telling::People => output::print(&format!("\n{}", report_text(&report)))?,
        Telling::Programs => {
            let mut line = serde_json::to_value(&report)?;
            line["event"] = json!("search");
            output::print(&format!("{line}\n"))?;
        }
        Telling::Nobody => {}
    }
    Ok(if report.stopped { Exit::Interrupted } else { Exit::Done })
}

/// Indexes a harvest.
pub(crate) fn carry_out(
    args: &IndexArgs,
    place: &Place,
    overrides: Overrides,
    color: Color,
) -> Result<IndexReport, Failure> {
    let config = place.sources(overrides).load()?;
    let dir = config.harvest_dir(place.dir())?;
    let (worker, sharing) = args.worker.sharing(&config, &dir)?;
    let job = IndexJob { worker, ..job(args, &config, place.dir())? };
    steps::carry_out(args.quiet, color, shown, async |progress, stop| {
        let watching = IndexWatching { progress, stop };
        let report = match sharing {
            Some(sharing) => index_together(&dir, &job, sharing, watching).await,
            None => index_harvest(&dir, job, watching).await,
        };
        report.map_err(harvest_failure)
    })
}

fn job(args: &IndexArgs, config: &Config, dir: &Path) -> Result<IndexJob, Failure> {
    let collections = config.search.collections.iter().map(|collection| CollectionRule {
        name: collection.name.clone(),
        hosts: collection.hosts.clone(),
    });
    Ok(IndexJob {
        catalog: config.catalog_location(dir)?,
        catalog_settings: config.catalog_settings(),
        collections: collections.collect(),
        readers: Arc::new(paper_readers(config.describe.reader_limits())),
        anew: args.anew,
        lost_workers: args.lost.clone(),
        memory: usize::try_from(config.search.memory).unwrap_or(usize::MAX),
        worker: config.archive.worker_name().to_owned(),
        config_text: config.text.clone(),
    })
}

fn shown(progress: &IndexProgress) -> Shown {
    let IndexProgress { done, of, rate, here } = *progress;
    Shown { what: "documents looked at", done, of, rate, here }
}

/// What was done, for people.
pub(crate) fn report_text(report: &IndexReport) -> String {
    let IndexReport { documents, indexed, removed, seconds, .. } = report;
    let rate = *indexed as f64 / seconds.max(1e-6);
    let mut text = format!(
        "{documents} documents in the index; {indexed} put in, {removed} taken out, in {seconds:.1} s \
         ({rate:.0} per second)\n"
    );
    if let Some(here) = report.here {
        text.push_str(&format!("{here} of them in the index of this worker\n"));
    }
    if let Some(why) = &report.rebuilt {
        text.push_str(&format!("made anew: {why}\n"));
    }
    for (trouble, count) in &report.troubles {
        text.push_str(&format!("without text, {count}: {trouble}\n"));
    }
    text
}

fn index_foreign(file: &Path, args: &IndexArgs, place: &Place, color: Color) -> Outcome {
    if HarvestDir::open(place.dir()).is_ok() {
        let message = format!(
            "{} is a harvest; its index is made of its own documents",
            place.dir().display()
        );
        return Err(Failure::usage(message).hint("name another folder with --dir"));
    }
    let started = Instant::now();
    let input = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let target = index_path(place.dir());
    std::fs::create_dir_all(place.dir())
        .with_context(|| format!("cannot make {}", place.dir().display()))?;
    let rebuild = Rebuild::begin(&target).map_err(search_failure)?;
    let mut writer = rebuild.index().writer(WriterOptions::default()).map_err(search_failure)?;
    let (mut documents, mut bad, mut told) = (0_u64, 0_u64, Vec::new());
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    for line in read_foreign(BufReader::new(input), &name).map_err(search_failure)? {
        match line {
            Ok(document) => {
                writer.put(document).map_err(search_failure)?;
                documents += 1;
            }
            Err(line) => {
                bad += 1;
                if told.len() < BAD_LINES_TOLD {
                    told.push(format!("{}: {line}", file.display()));
                }
            }
        }
    }
    writer.commit("{}").map_err(search_failure)?;
    writer.finish().map_err(search_failure)?;
    rebuild.finish().map_err(search_failure)?;
    for line in told {
        say(Word::Note, line, color);
    }
    let seconds = started.elapsed().as_secs_f64();
    let rate = documents as f64 / seconds.max(1e-6);
    if args.json {
        output::print_json(&json!({
            "documents": documents, "bad_lines": bad, "seconds": seconds,
        }))?;
    } else {
        let text = format!("{documents} documents in {seconds:.1} s ({rate:.0} per second)");
        let faults =
            if bad > 0 { format!(", {bad} lines could not be read") } else { String::new() };
        output::print(&format!("{text}{faults}\n"))?;
    }
    Ok(if bad > 0 { Exit::Failures } else { Exit::Done })
}

//! `auslese archive recompress`: the same records in less space.

use super::crawl::harvest_failure;
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use crate::size_text;
use crate::steps::{self, Shown};
use auslese_archive::ArchiveSettings;
use auslese_harvest::{
    RecompressJob, RecompressProgress, RecompressReport, RecompressWatching, recompress,
};
use clap::Args;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// Store the same records in less space
///
/// A crawl compresses quickly; this compresses well, when there is time. Every record is kept with its identity,
/// digests and place in the order; records that would not become smaller stay as they are. Each new file is compared
/// with the old one before it takes its place, and after an interruption the same command goes on. Nothing may crawl
/// meanwhile. An index of the captures (CDXJ) that was made before is to be made anew.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecompressArgs {
    /// Files of the harvest's archive [default: all that are closed]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// From 1 (quick) to 12 (small, ten times slower)
    #[arg(long, value_name = "LEVEL", default_value_t = 9, value_parser = clap::value_parser!(u8).range(1..=12))]
    level: u8,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese archive recompress --dir giessen
  auslese archive recompress --level 12 --dir giessen --json
  auslese archive recompress auslese-20261115214000-00000-main.warc.gz --dir giessen";

pub(crate) fn run(args: &RecompressArgs, place: &Place, color: Color) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let dir = config.harvest_dir(place.dir())?;
    let job = RecompressJob {
        catalog: config.catalog_location(dir.root())?,
        catalog_settings: config.catalog_settings(),
        archive: ArchiveSettings { level: args.level, ..config.archive_settings(&dir.spill()) },
        files: args.files.iter().map(|file| name(file)).collect::<Result<_, Failure>>()?,
        threads: available_parallelism().map_or(1, usize::from),
    };
    let report = steps::carry_out(args.quiet, color, shown, async |progress, stop| {
        let watching = RecompressWatching { progress, stop };
        recompress(&dir, job, watching).await.map_err(harvest_failure)
    })?;
    match args.json {
        true => output::print_json(&report)?,
        false => output::print(&as_text(&report))?,
    }
    if report.stopped {
        say(Word::Hint, "the same command goes on with the files that are left", color);
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// The name under which the catalog knows a file.
fn name(file: &Path) -> Result<String, Failure> {
    let name = file.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    name.ok_or_else(|| Failure::usage(format!("{} names no file", file.display())))
}

fn shown(now: &RecompressProgress) -> Shown {
    let megabytes = |bytes: u64| bytes / 1_000_000;
    Shown {
        what: "MB read",
        done: megabytes(now.done),
        of: megabytes(now.of),
        rate: now.rate / 1_000_000.0,
        here: None,
    }
}

fn as_text(report: &RecompressReport) -> String {
    let mut rows = vec![["file", "before", "after", "saved"].map(str::to_owned)];
    let (mut before, mut after) = (0, 0);
    for file in &report.files {
        before += file.before;
        after += file.after;
        let saved = match &file.left {
            Some(why) => format!("left as it is: {why}"),
            None => share(file.before, file.after),
        };
        rows.push([
            file.file.clone(),
            size_text::format(file.before),
            size_text::format(file.after),
            saved,
        ]);
    }
    if report.files.len() > 1 {
        let saved = share(before, after);
        rows.push(["all".to_owned(), size_text::format(before), size_text::format(after), saved]);
    }
    output::columns(&rows)
}

fn share(before: u64, after: u64) -> String {
    format!("{:.1} %", 100.0 * before.saturating_sub(after) as f64 / before.max(1) as f64)
}

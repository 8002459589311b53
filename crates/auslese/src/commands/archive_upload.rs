//! `auslese archive upload`: moves the archive of a harvest into the store.

use super::catalog_access::{block_on, open_catalog};
use super::crawl::harvest_failure;
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::steps::{self, Shown};
use crate::{output, size_text};
use auslese_harvest::{DepositReport, deposit_all, waiting_files};
use clap::Args;
use std::time::Instant;

/// Store archive files in the object storage of [archive.store] that are not there yet
///
/// Each closed file is stored under its name, and then the catalog notes that it is; copies in the folder stay as far
/// as `archive.store.cache` allows. Crawls and imports do this by themselves. What was stored by an interrupted upload
/// is not sent again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UploadArgs {
    /// Only say what is not stored yet
    #[arg(long)]
    dry_run: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese archive upload --dir giessen
  auslese archive upload --dir giessen --dry-run";

pub(crate) fn run(args: &UploadArgs, place: &Place, color: Color) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let dir = config.harvest_dir(place.dir())?;
    if dir.store().is_none() {
        return Err(Failure::usage("this harvest has no store").hint(
            "set `url` in [archive.store] of auslese.toml; docs/object-storage.md tells how",
        ));
    }
    if args.dry_run {
        let waiting = block_on(async {
            let catalog = open_catalog(&config, place.dir()).await?;
            waiting_files(&dir, &catalog).await.map_err(harvest_failure)
        })?;
        let report = DepositReport { waiting, ..DepositReport::default() };
        print(args, &report)?;
        return Ok(Exit::Done);
    }
    let _lock = dir.lock().map_err(harvest_failure)?;
    // With a catalog of its own there is one worker, and its name need not be told from others.
    let worker = match config.catalog.url {
        Some(_) => dir.worker_mark(config.archive.given_worker()).map_err(harvest_failure)?.name,
        None => config.archive.worker_name().to_owned(),
    };
    let started = Instant::now();
    let report = steps::carry_out(args.quiet, color, shown, async |progress, stop| {
        let catalog = open_catalog(&config, place.dir()).await?;
        let mut told = |report: &DepositReport, of: usize| {
            let rate = report.files as f64 / started.elapsed().as_secs_f64().max(1e-6);
            progress.send_replace((report.files, of as u64, rate));
        };
        let report = deposit_all(&dir, &catalog, &worker, stop, &mut told).await;
        catalog.close().await;
        report.map_err(harvest_failure)
    })?;
    print(args, &report)?;
    Ok(match report.waiting.iter().find_map(|waiting| waiting.why.as_deref()) {
        None if report.waiting.is_empty() => Exit::Done,
        None => {
            say(Word::Hint, "the same command goes on where it stopped", color);
            Exit::Interrupted
        }
        Some(why) => {
            say(Word::Error, why, color);
            say(
                Word::Hint,
                "the files stay in the folder; `auslese doctor` checks the store",
                color,
            );
            Exit::Failures
        }
    })
}

fn shown(&(done, of, rate): &(u64, u64, f64)) -> Shown {
    Shown { what: "files stored", done, of, rate, here: None }
}

fn print(args: &UploadArgs, report: &DepositReport) -> Result<(), Failure> {
    if args.json {
        return output::print_json(report);
    }
    let mut text = format!("{} files stored, {}\n", report.files, size_text::format(report.bytes));
    for waiting in &report.waiting {
        text.push_str(&format!(
            "not stored: {}, {}\n",
            waiting.file,
            size_text::format(waiting.bytes)
        ));
    }
    output::print(&text)
}

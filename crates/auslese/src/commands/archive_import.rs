//! `auslese archive import`: takes over archives that others made.

use super::crawl::{harvest_failure, tell_waiting};
use super::init::write_new;
use crate::args::Place;
use crate::config::{Overrides, write_template};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use crate::steps::{self, Shown};
use auslese_harvest::{
    HarvestDir, ImportJob, ImportProgress, ImportReport, ImportWatching, ImportedFile,
    Institutions, archives_named, import,
};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Take over archive files that others made: WARC, ARC, WACZ
///
/// The files of wget, Heritrix, Browsertrix, warcio and others are brought into the harvest, and
/// their records are entered in the catalog, so that `auslese corpus` and all commands after it
/// work on them. Of a WACZ package, the WARC files are taken over, and all its files are compared
/// with the hashes it states. A directory that is no harvest yet becomes one. The same file adds nothing a
/// second time; after an interruption the same command goes on. Exit code 1 means that some
/// records were damaged and left out, or that a package is not what it says.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ImportArgs {
    /// WARC or ARC files, compressed or not, WACZ packages, or folders with such files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Link the files instead of copying them, where the disk allows it
    #[arg(long)]
    link: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese archive import received/*.warc.gz --dir giessen
  auslese archive import giessen.wacz --dir giessen
  auslese archive import IAH-20010305-00000.arc.gz --dir giessen-2001
  auslese archive import large.warc.gz --link --dir giessen --json";

pub(crate) fn run(args: &ImportArgs, place: &Place, color: Color) -> Outcome {
    for file in &args.files {
        if !file.exists() {
            return Err(Failure::usage(format!("there is no file {}", file.display())));
        }
    }
    let files = archives_named(&args.files).map_err(harvest_failure)?;
    if files.is_empty() {
        let message = "there is no archive in these folders";
        return Err(Failure::usage(message).hint("archives are *.warc, *.arc (.gz) and *.wacz"));
    }
    let dir = HarvestDir::create(place.dir()).map_err(harvest_failure)?;
    if !dir.config().exists() {
        write_new(&dir.config(), &write_template(&[]))?;
        if !args.quiet {
            say(Word::Note, format!("wrote {}", dir.config().display()), color);
        }
    }
    let report = carry_out(args, files, &dir, place, color)?;
    if args.json {
        output::print_json(&json!({
            "files": report.files,
            "packages": report.packages,
            "stopped": report.stopped,
        }))?;
    } else {
        output::print(&as_text(&report))?;
    }
    tell_trouble(&report, color);
    tell_waiting(report.deposited.as_ref(), color);
    if !report.stopped && !args.quiet && report.files.iter().any(|file| file.captures > 0) {
        say(Word::Hint, "`auslese corpus` reads out what has come", color);
    }
    Ok(match report.stopped {
        true => {
            say(Word::Hint, "the same command goes on where it stopped", color);
            Exit::Interrupted
        }
        false if report.has_damage() => Exit::Failures,
        false => Exit::Done,
    })
}

fn carry_out(
    args: &ImportArgs,
    files: Vec<PathBuf>,
    dir: &HarvestDir,
    place: &Place,
    color: Color,
) -> Result<ImportReport, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let dir = &config.with_store(dir.clone())?;
    let institutions = &config.harvest.institutions;
    let institutions = institutions.iter().map(|it| (it.label.as_str(), &it.root));
    let job = ImportJob {
        catalog: config.catalog_location(dir.root())?,
        catalog_settings: config.catalog_settings(),
        files,
        link: args.link,
        archive: config.archive_settings(&dir.spill()),
        canonical: config.crawl.canonical.clone(),
        institutions: Institutions::new(institutions),
        worker: config.archive.worker_name().to_owned(),
        config_text: config.text.clone(),
    };
    steps::carry_out(args.quiet, color, shown, async |progress, stop| {
        import(dir, job, ImportWatching { progress, stop }).await.map_err(harvest_failure)
    })
}

fn shown(now: &ImportProgress) -> Shown {
    Shown { what: "records read", done: now.done, of: now.of, rate: now.rate, here: None }
}

fn as_text(report: &ImportReport) -> String {
    let head = ["file", "captures", "revisits", "known", "left out", "damaged", "stored as"];
    let mut rows = vec![head.map(str::to_owned)];
    for file in &report.files {
        rows.push([
            file.file.display().to_string(),
            file.captures.to_string(),
            file.revisits.to_string(),
            file.known.to_string(),
            (file.other_addresses + file.removed).to_string(),
            file.damage_count.to_string(),
            file.stored_as.clone().unwrap_or_else(|| not_stored(file).to_owned()),
        ]);
    }
    output::columns(&rows)
}

/// Why a file is not in the folder `archive`.
fn not_stored(file: &ImportedFile) -> &'static str {
    match (&file.failure, file.known) {
        (Some(_), _) => "not taken over",
        (None, 0) => "nothing of use in it",
        (None, _) => "nothing new in it",
    }
}

fn tell_trouble(report: &ImportReport, color: Color) {
    for package in &report.packages {
        let name = package.file.display();
        for fault in &package.faults {
            say(Word::Error, format!("{name}: {fault}"), color);
        }
        let more = package.fault_count.saturating_sub(package.faults.len() as u64);
        if more > 0 {
            say(Word::Error, format!("{name}: and {more} more"), color);
        }
    }
    for file in &report.files {
        let name = file.file.display();
        if let Some(failure) = &file.failure {
            say(Word::Error, format!("{name}: {failure}"), color);
        }
        if let (Some(reason), Some(_)) = (&file.rewritten, &file.stored_as) {
            say(Word::Note, format!("{name} was written anew: {reason}"), color);
        }
        if file.orphans > 0 {
            let orphans = file.orphans;
            let message = format!(
                "{name}: {orphans} revisits refer to records that are in no file of this harvest; \
                 import the files with them as well"
            );
            say(Word::Note, message, color);
        }
        if file.removed > 0 {
            let removed = file.removed;
            let message =
                format!("{name}: {removed} records of documents removed from this harvest");
            say(Word::Note, message, color);
        }
        tell_damage(file, color);
    }
}

fn tell_damage(file: &ImportedFile, color: Color) {
    for damage in &file.damages {
        say(Word::Error, damage, color);
    }
    let more = file.damage_count.saturating_sub(file.damages.len() as u64);
    if more > 0 {
        say(Word::Error, format!("{}: and {more} more", file.file.display()), color);
    }
}

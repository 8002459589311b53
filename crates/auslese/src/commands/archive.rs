//! `auslese archive`: are the archive files sound, and what is in them? Others' files are taken in,
//! documents taken out, and what was stored in haste is stored in less space.

use super::archive_import::{self, ImportArgs};
use super::archive_recompress::{self, RecompressArgs};
use super::archive_remove::{self, RemovalsArgs, RemoveArgs};
use super::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use anyhow::Context;
use auslese_archive::{ArchiveError, FaultKind, Report, cdxj, path_of, verify};
use auslese_catalog::CatalogError;
use auslese_model::WarcProgress;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Check archive files, list what is in them, take over others, take documents out, save space
#[derive(Debug, Args)]
pub(crate) struct ArchiveArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check that every record is whole and every check sum is right
    ///
    /// Exit code 4 means that a file is damaged; the report says which record, and up to which
    /// byte the file is sound.
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify {
        /// WARC files [default: all of the harvest]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the index of the captures (CDXJ), as pywb and other replay software read it
    #[command(after_help = INDEX_EXAMPLES)]
    Index {
        /// WARC files [default: all of the harvest]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    Import(ImportArgs),
    Recompress(RecompressArgs),
    Remove(RemoveArgs),
    Removals(RemovalsArgs),
}

impl ArchiveArgs {
    /// Whether it means nothing in a directory that does not exist.
    pub(crate) fn works_on_a_harvest(&self) -> bool {
        !matches!(self.action, Action::Import(_))
    }
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  auslese archive verify --dir giessen
  auslese archive verify received/*.warc.gz --json";

const INDEX_EXAMPLES: &str = "\
Examples:
  auslese archive index --dir giessen > giessen.cdxj
  auslese archive index received/*.warc.gz > received.cdxj";

pub(crate) fn run(args: &ArchiveArgs, place: &Place, color: Color) -> Outcome {
    match &args.action {
        Action::Verify { files, json } => {
            let exit = verify_files(&files_or_all(files, place)?, *json, color)?;
            let lost = if files.is_empty() { differences(place)? } else { Vec::new() };
            for difference in &lost {
                say(Word::Error, difference, color);
            }
            Ok(if lost.is_empty() { exit } else { Exit::Damaged })
        }
        Action::Index { files } => index_files(&files_or_all(files, place)?, color),
        Action::Import(args) => archive_import::run(args, place, color),
        Action::Recompress(args) => archive_recompress::run(args, place, color),
        Action::Remove(args) => archive_remove::run(args, place, color),
        Action::Removals(args) => archive_remove::list(args, place),
    }
}

/// Where the archive is not what the catalog counts on: a file may be gone or emptied and leave no
/// broken record behind.
fn differences(place: &Place) -> Result<Vec<String>, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let committed = block_on(async {
        match open_catalog(&config, place.dir()).await {
            Ok(catalog) => catalog.warcs().await.map_err(catalog_failure),
            Err(error)
                if error.is::<CatalogError>(|it| matches!(it, CatalogError::Missing { .. })) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    })?;
    let archive = place.dir().join("archive");
    let differs = |file: WarcProgress| {
        let path = path_of(&archive, &file.file);
        match path.metadata() {
            Ok(found) if found.len() < file.length => Some(format!(
                "{} has {} bytes, but the catalog counts on {}",
                path.display(),
                found.len(),
                file.length
            )),
            Ok(_) => None,
            Err(_) => Some(format!(
                "{} is missing, but the catalog counts on {} bytes of it",
                archive.join(&file.file).display(),
                file.length
            )),
        }
    };
    Ok(committed.into_iter().filter_map(differs).collect())
}

/// The files named, or all closed files of the harvest.
fn files_or_all(files: &[PathBuf], place: &Place) -> Result<Vec<PathBuf>, Failure> {
    if !files.is_empty() {
        return Ok(files.to_vec());
    }
    all_files(place.dir())
}

/// All closed files of the harvest in a directory; at least one.
pub(crate) fn all_files(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let dir = dir.join("archive");
    let found = archive_files(&dir).unwrap_or_default();
    if found.is_empty() {
        return Err(Failure::usage(format!("there are no archive files in {}", dir.display()))
            .hint("name files, or the harvest with --dir"));
    }
    Ok(found)
}

fn archive_files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in dir.read_dir()? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        // Files that a crawl still writes to end in `.open`; their last record may be incomplete.
        if name.is_some_and(|name| name.ends_with(".warc.gz") || name.ends_with(".warc")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Checks files and prints what was found.
pub(crate) fn verify_files(files: &[PathBuf], json: bool, color: Color) -> Outcome {
    let mut exit = Exit::Done;
    let mut reports = Vec::new();
    for file in files {
        let report = verify(file).map_err(archive_failure)?;
        if !is_whole(&report) {
            exit = Exit::Damaged;
        } else if !report.is_sound() && exit == Exit::Done {
            exit = Exit::Failures;
        }
        if json {
            reports.push(report_json(&report));
        } else {
            output::print(&report_text(&report))?;
        }
    }
    if json {
        output::print_json(&reports)?;
    }
    if exit == Exit::Damaged {
        let message = "a damaged file can be read up to its last sound byte; fetch the rest again \
                       or copy the file from a backup";
        say(Word::Hint, message, color);
    }
    Ok(exit)
}

/// Whether nothing is wrong with a file but that it does not say who made it. Many tools write none of
/// these records, and nothing is lost by it.
fn is_whole(report: &Report) -> bool {
    report.fault_count == report.faults.len() as u64
        && report.faults.iter().all(|fault| fault.kind == FaultKind::NoWarcinfo)
}

fn report_text(report: &Report) -> String {
    let file = report.file.display();
    let Report { records, digests, fault_count, sound_until, .. } = report;
    if report.is_sound() {
        return format!("{file}: sound, {records} records, {digests} check sums\n");
    }
    if is_whole(report) {
        return format!(
            "{file}: whole, {records} records, {digests} check sums; the first is not a warcinfo record\n"
        );
    }
    let mut text = format!("{file}: {fault_count} faults, sound up to byte {sound_until}\n");
    for fault in &report.faults {
        text.push_str(&format!("  {fault}\n"));
    }
    let more = fault_count.saturating_sub(report.faults.len() as u64);
    if more > 0 {
        text.push_str(&format!("  and {more} more\n"));
    }
    text
}

fn report_json(report: &Report) -> Value {
    let faults: Vec<Value> = report
        .faults
        .iter()
        .map(|fault| {
            json!({
                "record": fault.record,
                "offset": fault.offset,
                "id": fault.id,
                "type": fault.record_type,
                "fault": fault.kind.to_string(),
            })
        })
        .collect();
    json!({
        "file": report.file,
        "sound": report.is_sound(),
        "records": report.records,
        "digests": report.digests,
        "sound_until": report.sound_until,
        "fault_count": report.fault_count,
        "faults": faults,
    })
}

fn index_files(files: &[PathBuf], color: Color) -> Outcome {
    let mut out = BufWriter::new(io::stdout().lock());
    let exit = write_index(files, &mut out, color)?;
    out.flush()?;
    Ok(exit)
}

/// Writes the index of files, and says what could not be indexed.
pub(crate) fn write_index(files: &[PathBuf], out: &mut impl Write, color: Color) -> Outcome {
    let spill = tempfile::tempdir().context("cannot make a temporary directory")?;
    let indexed = cdxj(files, spill.path(), out).map_err(archive_failure)?;
    for damage in &indexed.damages {
        say(Word::Error, damage, color);
    }
    if indexed.unreachable > 0 {
        let message = format!(
            "{} records share their compression with others, so that no index can point to them",
            indexed.unreachable
        );
        say(Word::Note, message, color);
    }
    Ok(if indexed.damage_count > 0 { Exit::Damaged } else { Exit::Done })
}

/// What an error of the archive means for the user.
pub(crate) fn archive_failure(error: ArchiveError) -> Failure {
    match error {
        ArchiveError::Longer { .. } => Failure::new(Exit::Damaged, error).hint(
            "the catalog seems to be an older copy; put back the one that was made with this archive",
        ),
        ArchiveError::Damaged { .. }
        | ArchiveError::Short { .. }
        | ArchiveError::Missing { .. } => Failure::new(Exit::Damaged, error),
        other => Failure::from(other),
    }
}

//! `auslese archive`: are the archive files sound, and what is in them? Others' files are taken in,
//! documents taken out, and what was stored in haste is stored in less space.

use super::archive_import::{self, ImportArgs};
use super::archive_recompress::{self, RecompressArgs};
use super::archive_remove::{self, RemovalsArgs, RemoveArgs};
use super::archive_upload::{self, UploadArgs};
use super::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use anyhow::Context;
use auslese_archive::{
    ArchiveError, CdxjIndex, FaultKind, Holdings, Report, Section, verify_bytes,
};
use auslese_catalog::{CatalogError, WarcFile};
use auslese_depot::DepotError;
use auslese_harvest::HarvestError;
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
    Upload(UploadArgs),
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
            let holdings = Held::of(place)?;
            let lost = if files.is_empty() { holdings.differences() } else { Vec::new() };
            let chosen = match holdings.chosen(files) {
                // All files are gone: that is damage, and not a harvest without an archive.
                Err(_) if !lost.is_empty() => Vec::new(),
                chosen => chosen?,
            };
            let exit = verify_sources(&chosen, *json, color)?;
            for difference in &lost {
                say(Word::Error, difference, color);
            }
            Ok(if lost.is_empty() { exit } else { Exit::Damaged })
        }
        Action::Index { files } => index_files(&Held::of(place)?.chosen(files)?, color),
        Action::Import(args) => archive_import::run(args, place, color),
        Action::Recompress(args) => archive_recompress::run(args, place, color),
        Action::Remove(args) => archive_remove::run(args, place, color),
        Action::Removals(args) => archive_remove::list(args, place),
        Action::Upload(args) => archive_upload::run(args, place, color),
    }
}

/// An archive file to be looked at.
#[derive(Debug)]
pub(crate) enum Source {
    /// A file by its path.
    File(PathBuf),
    /// A file of the harvest, wherever it lies.
    Held(Holdings, String),
}

impl Source {
    fn open(&self) -> Result<(Section, PathBuf), ArchiveError> {
        match self {
            Source::File(path) => Ok((Section::open(path)?, path.clone())),
            Source::Held(holdings, file) => holdings.open(file),
        }
    }
}

/// The archive of the harvest, and what its catalog counts on.
struct Held {
    dir: PathBuf,
    holdings: Holdings,
    files: Vec<WarcFile>,
}

impl Held {
    fn of(place: &Place) -> Result<Held, Failure> {
        let config = place.sources(Overrides::default()).load()?;
        let files = block_on(async {
            match open_catalog(&config, place.dir()).await {
                Ok(catalog) => catalog.warc_files().await.map_err(catalog_failure),
                Err(error)
                    if error
                        .is::<CatalogError>(|it| matches!(it, CatalogError::Missing { .. })) =>
                {
                    Ok(Vec::new())
                }
                Err(error) => Err(error),
            }
        })?;
        let holdings = match config.harvest_dir(place.dir()) {
            Ok(dir) => dir.holdings(),
            // Files may be named without any harvest.
            Err(failure) if failure.is(|it: &HarvestError| is_no_harvest(it)) => {
                Holdings::local(place.dir().join("archive"))
            }
            Err(failure) => return Err(failure),
        };
        Ok(Held { dir: place.dir().to_owned(), holdings, files })
    }

    /// The files named, or all closed files of the harvest: those in the folder, and those in the store only.
    fn chosen(&self, files: &[PathBuf]) -> Result<Vec<Source>, Failure> {
        if !files.is_empty() {
            return Ok(files.iter().cloned().map(Source::File).collect());
        }
        let archive = self.dir.join("archive");
        let elsewhere: Vec<Source> = self
            .files
            .iter()
            .filter(|file| file.stored_at.is_some())
            .map(|file| &file.progress.file)
            .filter(|file| !archive.join(file).exists())
            .map(|file| Source::Held(self.holdings.clone(), file.clone()))
            .collect();
        let here = match all_files(&self.dir) {
            Err(_) if !elsewhere.is_empty() => Vec::new(),
            here => here?,
        };
        Ok(here.into_iter().map(Source::File).chain(elsewhere).collect())
    }

    /// Where the archive is not what the catalog counts on: a file may be gone or emptied and leave no
    /// broken record behind.
    fn differences(&self) -> Vec<String> {
        let differs = |file: &WarcFile| {
            // Files of other workers lie in their directories until they are stored.
            match self.holdings.committed(&file.progress) {
                Ok(_) => None,
                Err(ArchiveError::Missing { committed, .. }) => Some(format!(
                    "{} is missing, but the catalog counts on {committed} bytes of it",
                    self.dir.join("archive").join(&file.progress.file).display()
                )),
                Err(error) => Some(Failure::from(error).in_short()),
            }
        };
        self.files.iter().filter_map(differs).collect()
    }
}

fn is_no_harvest(error: &HarvestError) -> bool {
    matches!(error, HarvestError::NotAHarvest { .. } | HarvestError::NoDirectory { .. })
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
    let files: Vec<Source> = files.iter().cloned().map(Source::File).collect();
    verify_sources(&files, json, color)
}

fn verify_sources(files: &[Source], json: bool, color: Color) -> Outcome {
    let mut exit = Exit::Done;
    let mut reports = Vec::new();
    for file in files {
        let (bytes, name) = file.open().map_err(archive_failure)?;
        let report = verify_bytes(&name, bytes).map_err(archive_failure)?;
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

fn index_files(files: &[Source], color: Color) -> Outcome {
    let mut out = BufWriter::new(io::stdout().lock());
    let exit = index_sources(files, &mut out, color)?;
    out.flush()?;
    Ok(exit)
}

/// Writes the index of files, and says what could not be indexed.
pub(crate) fn write_index(files: &[PathBuf], out: &mut impl Write, color: Color) -> Outcome {
    let files: Vec<Source> = files.iter().cloned().map(Source::File).collect();
    index_sources(&files, out, color)
}

fn index_sources(files: &[Source], out: &mut impl Write, color: Color) -> Outcome {
    let spill = tempfile::tempdir().context("cannot make a temporary directory")?;
    let mut index = CdxjIndex::new(spill.path());
    for file in files {
        let (bytes, path) = file.open().map_err(archive_failure)?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        index.add(&name, &path, bytes).map_err(archive_failure)?;
    }
    let indexed = index.write(out).map_err(archive_failure)?;
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
    if let ArchiveError::Io { cause, .. } = &error
        && let Some(hint) = DepotError::behind(cause).and_then(DepotError::hint)
    {
        return Failure::from(error).hint(hint);
    }
    match error {
        ArchiveError::OutOfReach { .. } => Failure::from(error).hint(
            "nothing that could not be read was noted; `auslese doctor` checks the store, and the same command \
             goes on",
        ),
        ArchiveError::Longer { .. } => Failure::new(Exit::Damaged, error).hint(
            "the catalog seems to be an older copy; put back the one that was made with this archive",
        ),
        ArchiveError::Damaged { .. }
        | ArchiveError::Short { .. }
        | ArchiveError::Missing { .. } => Failure::new(Exit::Damaged, error),
        other => Failure::from(other),
    }
}

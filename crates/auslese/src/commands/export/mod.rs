//! `auslese export`: the documents of a harvest, or those that a search finds, in forms that others read.

mod listing;
mod to_store;

use super::crawl::harvest_failure;
use super::describe::paper_readers;
use super::search::{Opened, query_failure, search_failure};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::size_text;
use crate::steps::{self, Shown};
use crate::{organisation, output};
use auslese_depot::StoreAddress;
use auslese_export::CorpusHead;
use auslese_harvest::{
    ArchiveExport, ArchiveReport, ExportFormat, ExportJob, ExportProgress, ExportReport,
    ExportSelection, ExportTarget, ExportWatching, OutputKind, export_harvest,
};
use auslese_inquiry::Selection;
use auslese_model::{RequestId, Timestamp};
use auslese_search::{Facet, FacetFilter, SearchError};
use clap::{Args, Subcommand};
use listing::FormatsArgs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use to_store::ToStore;

/// Give documents away: TEI, Dublin Core, SOIF, JSON lines, vertical, CoNLL-U, text, frequencies, Heritrix, Parquet, WACZ
///
/// Writes all documents of the harvest, or those that a search finds, in one format. `auslese export
/// formats` lists the formats; `docs/exporting.md` describes them. Some give away the archive itself. What is written appears under its name
/// when it is complete; an interrupted export leaves nothing under that name.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    action: Option<Action>,

    /// The format, by its name in `auslese export formats`
    #[arg(long, value_name = "FORMAT", value_parser = format, required = true)]
    format: Option<ExportFormat>,

    /// The file or folder to write, also in object storage (`s3://BUCKET/NAME`); `-` prints formats that are one file
    #[arg(long, value_name = "PATH", required = true)]
    out: Option<PathBuf>,

    /// Only documents that this search query finds
    #[arg(long, value_name = "QUERY")]
    query: Option<String>,

    /// Only documents with this value of a facet, such as `host=www.uni.example`
    #[arg(long, value_name = "FACET=VALUE", value_parser = super::search::facet_value)]
    only: Vec<(Facet, String)>,

    /// No documents with this value of a facet
    #[arg(long, value_name = "FACET=VALUE", value_parser = super::search::facet_value)]
    without: Vec<(Facet, String)>,

    /// Only documents of the corpus
    #[arg(long)]
    kept: bool,

    /// Write a folder with a file for each document, and a table of them
    #[arg(long)]
    split: bool,

    /// Replace what is there under that name, when the new one is complete
    #[arg(long)]
    replace: bool,

    /// What the collection is called in headers [default: the name of the harvest's folder]
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,

    /// Print what was done as JSON
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    Formats(FormatsArgs),
}

const EXAMPLES: &str = "\
Examples:
  auslese export formats
  auslese export --format tei --kept --out corpus.xml --dir giessen
  auslese export --format dc-turtle --query 'title:Bibliothek' --out library.ttl --dir giessen
  auslese export --format jsonl --out - --dir giessen | jq .url
  auslese export --format text --split --only lang=de --out texts --dir giessen
  auslese export --format vertical --kept --out vertical --dir giessen
  auslese export --format parquet --out tables --dir giessen
  auslese export --format wacz --out giessen.wacz --dir giessen
  auslese export --format internet-archive --out hand-over --dir giessen
  auslese export --format parquet --out s3://exports/giessen/tables --dir giessen";

fn format(name: &str) -> Result<ExportFormat, String> {
    let names: Vec<&str> = ExportFormat::all().map(ExportFormat::name).collect();
    ExportFormat::parse(name)
        .ok_or_else(|| format!("there is no such format; there are {}", names.join(", ")))
}

pub(crate) fn run(args: &ExportArgs, place: &Place, color: Color) -> Outcome {
    if let Some(Action::Formats(formats)) = &args.action {
        return listing::run(formats);
    }
    let (Some(format), Some(out)) = (args.format, &args.out) else {
        return Err(Failure::usage("an export needs --format and --out"));
    };
    check(args, format, out)?;
    let report = carry_out(args, format, out, place, color)?;
    if report.stopped {
        say(Word::Note, "stopped; nothing was written", color);
        return Ok(Exit::Interrupted);
    }
    tell(args, &report, out, color)?;
    let damaged = report.archive.as_ref().filter(|archive| archive.damage_count > 0);
    Ok(match damaged {
        None => Exit::Done,
        Some(archive) => {
            for damage in &archive.damages {
                say(Word::Error, damage, color);
            }
            say(Word::Hint, "`auslese archive verify` says what is wrong with the archive", color);
            Exit::Failures
        }
    })
}

fn check(args: &ExportArgs, format: ExportFormat, out: &Path) -> Result<(), Failure> {
    if args.split && !format.can_split() {
        let message = format!("{} cannot be split into documents", format.name());
        return Err(Failure::usage(message).hint("leave out --split"));
    }
    let is_folder = args.split || format.output() == OutputKind::Folder;
    if is_folder && is_stdout(out) {
        return Err(Failure::usage("a folder cannot be printed")
            .hint("name a folder that is not there yet with --out"));
    }
    if is_stdout(out) && !format.can_print() {
        return Err(Failure::usage(format!("{} cannot be printed", format.name()))
            .hint("name a file that is not there yet with --out"));
    }
    if !format.can_select() && (args.kept || selection(args) != Selection::default()) {
        let message = format!("{} is of the whole harvest, not of a selection", format.name());
        return Err(Failure::usage(message)
            .hint("leave out --query, --only, --without and --kept, or export wacz"));
    }
    Ok(())
}

fn is_stdout(out: &Path) -> bool {
    out == Path::new("-")
}

fn carry_out(
    args: &ExportArgs,
    format: ExportFormat,
    out: &Path,
    place: &Place,
    color: Color,
) -> Result<ExportReport, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let dir = config.harvest_dir(place.dir())?;
    let to_store = match out.to_str().filter(|out| StoreAddress::is_meant_by(out)) {
        Some(out) => {
            let kind = if args.split { OutputKind::Folder } else { format.output() };
            Some(ToStore::prepare(out, args.replace, kind, &config, place.dir())?)
        }
        None => None,
    };
    let target = match &to_store {
        Some(to_store) => ExportTarget::Path { path: to_store.path(), replace: false },
        None if is_stdout(out) => ExportTarget::Stdout,
        None => ExportTarget::Path { path: out.to_owned(), replace: args.replace },
    };
    let job = ExportJob {
        catalog: config.catalog_location(place.dir())?,
        catalog_settings: config.catalog_settings(),
        format,
        split: args.split,
        target,
        selection: ExportSelection { kept_only: args.kept, requests: found(args, place, color)? },
        head: CorpusHead {
            title: args.title.clone().unwrap_or_else(|| name_of(place.dir())),
            institutions: organisation::names(place.dir())?.into_values().collect(),
            selection: selection_text(args),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            at: Timestamp::now(),
        },
        readers: Arc::new(paper_readers(config.describe.reader_limits())),
        archive: ArchiveExport {
            canonical: config.crawl.canonical.clone(),
            settings: config.archive_settings(&dir.spill()),
        },
    };
    let report = steps::carry_out(args.quiet, color, shown, async |progress, stop| {
        export_harvest(&dir, job, ExportWatching { progress, stop }).await.map_err(harvest_failure)
    })?;
    match to_store {
        Some(to_store) if !report.stopped => to_store.store(args.quiet, color)?,
        _ => {}
    }
    Ok(report)
}

/// What the collection is called, if nobody says.
fn name_of(dir: &Path) -> String {
    let whole = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    whole
        .file_name()
        .map_or_else(|| "harvest".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn selection(args: &ExportArgs) -> Selection {
    let mut selection = Selection { query: args.query.clone(), ..Selection::default() };
    for (chosen, exclude) in [(&args.only, false), (&args.without, true)] {
        for (facet, value) in chosen {
            let values = vec![value.clone()];
            selection.filters.push(FacetFilter { facet: *facet, values, exclude });
        }
    }
    selection
}

fn selection_text(args: &ExportArgs) -> String {
    let which = if args.kept { "Documents of the corpus" } else { "All documents of the harvest" };
    match selection(args).told().as_str() {
        "" => format!("{which}."),
        told => format!("{which} that fit: {told}."),
    }
}

/// The documents that a search finds; none if nothing is searched for.
fn found(
    args: &ExportArgs,
    place: &Place,
    color: Color,
) -> Result<Option<Vec<RequestId>>, Failure> {
    let selection = selection(args);
    if selection == Selection::default() {
        return Ok(None);
    }
    let opened = Opened::open(place, &[], color)?;
    let keys = opened.searcher.document_keys(&selection.request());
    let keys = keys.map_err(|error| match error {
        SearchError::Query(error) => {
            query_failure(&error, selection.query.as_deref().unwrap_or_default())
        }
        other => search_failure(other),
    })?;
    let number = |key: u64| RequestId(i64::try_from(key).unwrap_or(i64::MAX));
    Ok(Some(keys.into_iter().map(|(_, key)| number(key)).collect()))
}

fn shown(progress: &ExportProgress) -> Shown {
    let ExportProgress { what, done, of, rate } = *progress;
    let what = if what == "rows" { "rows exported" } else { "documents exported" };
    Shown { what, done, of, rate, here: None }
}

/// What was done: on stdout, unless the documents themselves are there.
fn tell(args: &ExportArgs, report: &ExportReport, out: &Path, color: Color) -> Result<(), Failure> {
    if is_stdout(out) {
        if !args.quiet {
            for line in report_text(report, out).lines() {
                say(Word::Note, line, color);
            }
        }
        return Ok(());
    }
    match args.json {
        true => output::print_json(report)?,
        false => output::print(&report_text(report, out))?,
    }
    Ok(())
}

fn report_text(report: &ExportReport, out: &Path) -> String {
    let ExportReport { documents, bytes, seconds, .. } = report;
    let rate = *documents as f64 / seconds.max(1e-6);
    let place = if is_stdout(out) { "printed".to_owned() } else { format!("in {}", out.display()) };
    let size = size_text::format(*bytes);
    let mut text = match &report.archive {
        None => {
            format!(
                "{documents} documents {place}, {size} in {seconds:.1} s ({rate:.0} per second)\n"
            )
        }
        Some(archive) => archive_text(archive, &format!("{place}, {size} in {seconds:.1} s")),
    };
    for (table, rows) in &report.tables {
        text.push_str(&format!("{table}: {rows} rows\n"));
    }
    for (why, count) in &report.left_out {
        text.push_str(&format!("left out, {count}: {why}\n"));
    }
    for (trouble, count) in &report.troubles {
        text.push_str(&format!("perhaps not whole, {count}: {trouble}\n"));
    }
    text
}

/// What was given away of the archive itself.
fn archive_text(archive: &ArchiveReport, how: &str) -> String {
    let ArchiveReport { files, captures, pages, unreachable, damage_count, .. } = archive;
    let mut text = format!("{captures} captures {how}\n");
    if *files > 0 {
        text.push_str(&format!("WARC files: {files}\n"));
    }
    if *pages > 0 {
        text.push_str(&format!("pages: {pages}\n"));
    }
    if *unreachable > 0 {
        text.push_str(&format!(
            "not in the index, {unreachable}: records that share their compression with others\n"
        ));
    }
    if *damage_count > 0 {
        text.push_str(&format!("damaged, {damage_count}\n"));
    }
    text
}

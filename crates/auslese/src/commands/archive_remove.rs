//! `auslese archive remove` and `removals`: takes documents out for good, and keeps the protocol.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::crawl::harvest_failure;
use crate::args::Place;
use crate::config::{Config, Overrides};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use crate::size_text;
use auslese_catalog::{DocumentFilter, Removal};
use auslese_harvest::{HarvestDir, RemovalJob, RemovalPreview, preview_removal, remove_documents};
use auslese_model::RequestId;
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};
use url::Url;

/// Take documents out of the harvest for good, with a protocol
///
/// The archive files are written anew without the records of the documents, the files of the mirror
/// are deleted, and the catalog forgets everything but the address: no later crawl fetches it, no
/// later import brings it back. Copies elsewhere (backups, replay software) are not reached; the
/// protocol helps to find them.
#[derive(Debug, Args)]
#[command(after_help = REMOVE_EXAMPLES)]
pub(crate) struct RemoveArgs {
    /// Addresses of the documents
    #[arg(value_name = "URL", required = true)]
    urls: Vec<Url>,

    /// Take everything whose address begins like these, such as all pages of a home page
    #[arg(long)]
    below: bool,

    /// Why they have to go, for the protocol
    #[arg(long, value_name = "TEXT", required_unless_present = "dry_run")]
    reason: Option<String>,

    /// Who removes them, for the protocol [default: the user's name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,

    /// Show what would go, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Do not ask
    #[arg(long)]
    yes: bool,

    /// Look into every archive file, not only into those the catalog names
    #[arg(long)]
    all_files: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const REMOVE_EXAMPLES: &str = "\
Examples:
  auslese archive remove https://www.uni-giessen.de/~meier/ --dir giessen --dry-run
  auslese archive remove https://www.uni-giessen.de/~meier/ --dir giessen \\
    --reason \"request of 2026-11-02\"
  auslese archive remove https://www.uni-giessen.de/~meier/ --below --dir giessen \\
    --reason \"court order\" --yes --json";

/// List what was removed, when, by whom and why
#[derive(Debug, Args)]
#[command(after_help = REMOVALS_EXAMPLES)]
pub(crate) struct RemovalsArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const REMOVALS_EXAMPLES: &str = "\
Examples:
  auslese archive removals --dir giessen
  auslese archive removals --dir giessen --json | jq '.[].url'";

pub(crate) fn run(args: &RemoveArgs, place: &Place, color: Color) -> Outcome {
    let dir = place.sources(Overrides::default()).load()?.harvest_dir(place.dir())?;
    let job = job(args, &dir, place)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let preview = runtime.block_on(preview_removal(&job)).map_err(harvest_failure)?;
    for url in &preview.unknown {
        say(Word::Error, format!("{url} is not known here"), color);
    }
    for url in &preview.removed_before {
        say(Word::Note, format!("{url} was removed before"), color);
    }
    tell_copies(&preview, place, color)?;
    let exit = if preview.unknown.is_empty() { Exit::Done } else { Exit::Failures };
    if args.dry_run {
        match args.json {
            true => output::print_json(&preview_json(&preview))?,
            false => output::print(&preview_text(&preview))?,
        }
        return Ok(exit);
    }
    if !preview.requests.is_empty() && !args.yes && !confirmed(&preview)? {
        say(Word::Note, "nothing was removed", color);
        return Ok(Exit::Failures);
    }
    let report = runtime.block_on(remove_documents(&dir, &job)).map_err(harvest_failure)?;
    match args.json {
        true => output::print_json(&report.removals.iter().map(removal_json).collect::<Vec<_>>())?,
        false => output::print(&removals_text(&report.removals))?,
    }
    if !report.removals.is_empty() && !args.json {
        let message = "words counted over whole rounds, and what copied the document, follow with \
                       the next `auslese corpus`";
        say(Word::Hint, message, color);
    }
    Ok(exit)
}

pub(crate) fn list(args: &RemovalsArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let removals = block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        catalog.removals().await.map_err(catalog_failure)
    })?;
    match args.json {
        true => output::print_json(&removals.iter().map(removal_json).collect::<Vec<_>>())?,
        false => output::print(&removals_text(&removals))?,
    }
    Ok(Exit::Done)
}

fn job(args: &RemoveArgs, dir: &HarvestDir, place: &Place) -> Result<RemovalJob, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let reason = args.reason.clone().unwrap_or_default();
    if reason.trim().is_empty() && !args.dry_run {
        return Err(Failure::usage("the reason is empty").hint("the protocol needs one"));
    }
    let urls = if args.below { addresses_below(args, &config, place)? } else { args.urls.clone() };
    let user = || std::env::var("USER").or_else(|_| std::env::var("LOGNAME")).ok();
    Ok(RemovalJob {
        catalog: config.catalog_location(dir.root())?,
        catalog_settings: config.catalog_settings(),
        urls,
        reason,
        by: args.by.clone().or_else(user).unwrap_or_else(|| "unknown".to_owned()),
        all_files: args.all_files,
        archive: config.archive_settings(&dir.spill()),
        canonical: config.crawl.canonical.clone(),
        charset_note: config.corpus.charset_note(),
    })
}

/// Exact copies that are told.
const COPIES_TOLD: usize = 10;

/// The same text may lie under other addresses, which nobody has named.
fn tell_copies(preview: &RemovalPreview, place: &Place, color: Color) -> Result<(), Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let going: BTreeSet<RequestId> = preview.requests.iter().map(|known| known.id).collect();
    let staying = block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let mut originals = BTreeSet::new();
        for id in &going {
            let document = catalog.document_of(*id).await.map_err(catalog_failure)?;
            originals.extend(document.map(|it| it.document.duplicate_of.unwrap_or(*id)));
        }
        let mut staying = BTreeSet::new();
        for original in originals {
            let copies =
                DocumentFilter { duplicate_of: Some(original), ..DocumentFilter::default() };
            let copies = catalog.documents(&copies, RequestId(0), COPIES_TOLD + going.len()).await;
            let original = catalog.document_of(original).await.map_err(catalog_failure)?;
            let all = copies.map_err(catalog_failure)?.into_iter().chain(original);
            staying.extend(all.filter(|it| !going.contains(&it.document.request)).map(|it| it.url));
        }
        catalog.close().await;
        Ok(staying)
    })?;
    for url in staying.iter().take(COPIES_TOLD) {
        say(Word::Note, format!("{url} is an exact copy and stays"), color);
    }
    if staying.len() > COPIES_TOLD {
        let more = staying.len() - COPIES_TOLD;
        say(Word::Note, format!("{more} more addresses have exact copies"), color);
    }
    Ok(())
}

/// What is known below the addresses given. One below which there is nothing stays, to be told.
fn addresses_below(args: &RemoveArgs, config: &Config, place: &Place) -> Result<Vec<Url>, Failure> {
    block_on(async {
        let catalog = open_catalog(config, place.dir()).await?;
        let mut urls = Vec::new();
        for url in &args.urls {
            let host = url.host_str().unwrap_or_default();
            let below = catalog.addresses_below(host, url.as_str()).await;
            let below = below.map_err(catalog_failure)?;
            match below.is_empty() {
                true => urls.push(url.clone()),
                false => urls.extend(below.iter().filter_map(|url| Url::parse(url).ok())),
            }
        }
        catalog.close().await;
        Ok(urls)
    })
}

/// Asks on a terminal; elsewhere nobody can answer.
fn confirmed(preview: &RemovalPreview) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::usage("removing documents needs a confirmation")
            .hint("add --yes, or look first with --dry-run"));
    }
    let mut out = io::stderr().lock();
    write!(out, "{}Remove these for good? [y/N] ", preview_text(preview))?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn preview_text(preview: &RemovalPreview) -> String {
    let mut rows = Vec::new();
    for request in &preview.requests {
        let of_it = preview.plan.captures.iter().map(|stored| &stored.capture);
        let of_it: Vec<_> = of_it.filter(|capture| capture.request == request.id).collect();
        let bytes = of_it.iter().map(|capture| capture.payload_length).sum();
        rows.push([
            request.method.as_str().to_owned(),
            request.url.clone(),
            format!("{} captures", of_it.len()),
            size_text::format(bytes),
        ]);
    }
    let mut text = output::columns(&rows);
    let plan = &preview.plan;
    for file in &plan.files {
        text.push_str(&format!("archive/{file} is written anew\n"));
    }
    for file in &preview.mirror {
        text.push_str(&format!("mirror/{file} is deleted\n"));
    }
    for bereft in &plan.bereft {
        let heir = bereft.revisits.first().map(|revisit| revisit.url.as_str()).unwrap_or_default();
        text.push_str(&format!(
            "{} captures of other addresses have the same body; {heir} keeps it\n",
            bereft.revisits.len()
        ));
    }
    text
}

fn preview_json(preview: &RemovalPreview) -> Value {
    let plan = &preview.plan;
    json!({
        "documents": preview.requests.iter().map(|request| json!({
            "method": request.method.as_str(),
            "url": request.url,
            "captures": plan.captures.iter()
                .filter(|stored| stored.capture.request == request.id)
                .map(|stored| json!({
                    "at": stored.capture.at.to_string(),
                    "status": stored.capture.status,
                    "bytes": stored.capture.payload_length,
                    "record": stored.capture.storage.place().map(|place| &place.record_id),
                    "file": stored.capture.storage.place().map(|place| &place.file),
                }))
                .collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "files": plan.files,
        "mirror": preview.mirror,
        "same_body": plan.bereft.iter()
            .flat_map(|bereft| &bereft.revisits)
            .map(|revisit| &revisit.url)
            .collect::<Vec<_>>(),
        "unknown": preview.unknown.iter().map(Url::as_str).collect::<Vec<_>>(),
        "removed_before": preview.removed_before.iter().map(Url::as_str).collect::<Vec<_>>(),
    })
}

fn removals_text(removals: &[Removal]) -> String {
    let head = ["removed", "address", "captures", "bytes", "by", "reason"];
    let mut rows = vec![head.map(str::to_owned)];
    for removal in removals {
        rows.push([
            removal.at.to_second_text(),
            removal.url.clone(),
            removal.captures.to_string(),
            size_text::format(removal.bytes),
            removal.by.clone(),
            removal.reason.clone(),
        ]);
    }
    output::columns(&rows)
}

fn removal_json(removal: &Removal) -> Value {
    json!({
        "id": removal.id,
        "at": removal.at.to_string(),
        "url": removal.url,
        "reason": removal.reason,
        "by": removal.by,
        "captures": removal.captures,
        "bytes": removal.bytes,
        "promoted": removal.promoted,
        "bereft": removal.bereft,
        "files": removal.files,
    })
}

//! Host names from files: `auslese discover vhosts` and `auslese discover import`.

use super::AskingArgs;
use super::finding::asking_of;
use super::listing::host_table;
use crate::args::Place;
use crate::commands::crawl::harvest_failure;
use crate::config::DiscoverTable;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use anyhow::Context;
use auslese_discover::{
    FoundName, Import, ImportedHost, VhostError, VhostFormat, VhostReport, read_import, read_vhosts,
};
use auslese_harvest::candidate_source;
use auslese_model::{Candidate, HostName, Timestamp};
use clap::Args;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Read host names from web server configurations, zone files and port scans
///
/// Knows Apache (also `apachectl -S`), nginx (also `nginx -T`), Caddy, IIS, zone files, and the
/// output of nmap and masscan. Without --judge the names are only printed.
#[derive(Debug, Args)]
#[command(after_help = VHOSTS_EXAMPLES)]
pub(crate) struct VhostsArgs {
    /// Files, or directories with a main configuration file
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// What the files are, such as nginx-dump or zone; recognised by content if not given
    #[arg(long, value_parser = format)]
    format: Option<VhostFormat>,

    /// Judge the hosts and collect those that belong with the next crawl
    #[arg(long)]
    judge: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const VHOSTS_EXAMPLES: &str = "\
Examples:
  auslese discover vhosts /etc/apache2
  nginx -T > nginx.txt; auslese discover vhosts nginx.txt --json
  auslese discover vhosts apachectl-S.txt uni.zone --judge --dir giessen";

/// Judge the hosts of lists: certificate logs, CDX files, host lists
#[derive(Debug, Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(crate) struct ImportArgs {
    /// Files with host names
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// You vouch for the lists: every host in them belongs
    #[arg(long)]
    own: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  auslese discover import crt-sh.json --dir giessen
  auslese discover import hosts-of-the-computing-centre.txt --own --dir giessen";

fn format(text: &str) -> Result<VhostFormat, String> {
    VhostFormat::parse(text).ok_or_else(|| format!("`{text}` is no format that can be read"))
}

pub(super) fn run_vhosts(args: &VhostsArgs, place: &Place, color: Color) -> Outcome {
    let mut reports = Vec::new();
    for file in &args.files {
        let failure = |error: VhostError| Failure::new(Exit::Usage, error);
        reports.push(read_vhosts(file, args.format).map_err(failure)?);
    }
    if args.judge {
        let names: Vec<Candidate> = reports.iter().flat_map(of_report).collect();
        return judge(&names, args.json, place, color);
    }
    if args.json {
        output::print_json(&reports)?;
    } else {
        let texts: Vec<String> = reports.iter().map(report_text).collect();
        output::print(&texts.join("\n"))?;
    }
    Ok(Exit::Done)
}

fn report_text(report: &VhostReport) -> String {
    let mut text = String::new();
    let names = report
        .names
        .iter()
        .map(|found| [found.name.to_string(), found.directive.to_owned(), found.place.to_string()]);
    text.push_str(&output::columns(&names.collect::<Vec<_>>()));
    let rest = report.reported.iter().map(|it| {
        [it.text.clone(), it.directive.to_owned(), it.why.words().to_owned(), it.place.to_string()]
    });
    let rest: Vec<[String; 4]> = rest.collect();
    if !rest.is_empty() {
        text.push_str("\nnot expanded to names\n");
        text.push_str(&output::columns(&rest));
    }
    text
}

pub(super) fn run_import(args: &ImportArgs, place: &Place, color: Color) -> Outcome {
    let mut names = Vec::new();
    for file in &args.files {
        names.extend(of_list(file, args.own)?);
    }
    judge(&names, args.json, place, color)
}

/// Offers names and judges them, with all that are known already.
fn judge(names: &[Candidate], json: bool, place: &Place, color: Color) -> Outcome {
    let asking = asking_of(place, &AskingArgs::default())?;
    asking.require_profiles()?;
    let wanted: BTreeMap<&HostName, ()> = names.iter().map(|name| (&name.host, ())).collect();
    let found = asking.run(async |work| {
        work.offer(names).await.map_err(harvest_failure)?;
        work.judge_candidates(&mut |_| {}).await.map_err(harvest_failure)
    })?;
    let mut verdicts = found.verdicts;
    verdicts.retain(|verdict| wanted.contains_key(&verdict.host));
    if json {
        output::print_json(&verdicts)?;
    } else {
        output::print(&host_table(&verdicts))?;
        say(Word::Hint, "members among them are collected by the next crawl", color);
    }
    Ok(Exit::Done)
}

/// The names of all files that the settings mention; relative ones lie in the harvest.
pub(super) fn read_names(dir: &Path, settings: &DiscoverTable) -> Result<Vec<Candidate>, Failure> {
    let mut names = Vec::new();
    for file in &settings.imports {
        names.extend(of_file(&dir.join(file))?);
    }
    for file in &settings.own_hosts {
        names.extend(of_list(&dir.join(file), true)?);
    }
    Ok(names)
}

/// The names of a file of any kind.
fn of_file(file: &Path) -> Result<Vec<Candidate>, Failure> {
    match read_vhosts(file, None) {
        Ok(report) => Ok(of_report(&report)),
        Err(VhostError::Unrecognised { .. } | VhostError::TooLarge { .. }) => of_list(file, false),
        Err(error) => Err(Failure::new(Exit::Usage, error)),
    }
}

fn of_report(report: &VhostReport) -> Vec<Candidate> {
    let at = Timestamp::now();
    let candidate = |found: &FoundName| Candidate {
        host: found.name.clone(),
        source: candidate_source(false, report.format.as_str()),
        detail: found.place.to_string(),
        at,
    };
    report.names.iter().map(candidate).collect()
}

fn of_list(file: &Path, own: bool) -> Result<Vec<Candidate>, Failure> {
    let cannot_read = || format!("cannot read {}", file.display());
    let open = File::open(file).with_context(cannot_read)?;
    let import: Import = read_import(open, None).with_context(cannot_read)?;
    let at = Timestamp::now();
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let candidate = |found: &ImportedHost| Candidate {
        host: found.host.clone(),
        source: candidate_source(own, &name),
        detail: format!("line {}", found.place),
        at,
    };
    Ok(import.hosts.iter().filter(|found| !found.wildcard).map(candidate).collect())
}

//! Host names from files: `auslese discover vhosts` and `auslese discover import`.

use super::Answers;
use super::listing::host_table;
use super::work::{AtWork, asking_of};
use crate::args::Place;
use crate::config::{DiscoverTable, Overrides};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::{input, output};
use anyhow::Context;
use auslese_discover::{
    FoundName, Import, ImportedCertificate, ImportedHost, VhostError, VhostFormat, VhostReport,
    read_import, read_vhosts,
};
use auslese_harvest::candidate_source;
use auslese_model::{Candidate, HostName, Membership, Timestamp};
use clap::Args;
use std::collections::BTreeSet;
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

impl VhostsArgs {
    pub(super) fn judges(&self) -> bool {
        self.judge
    }
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
    VhostFormat::parse(text).ok_or_else(|| {
        let all: Vec<&str> = VhostFormat::ALL.iter().map(|format| format.as_str()).collect();
        format!("there are {}", all.join(", "))
    })
}

pub(super) fn run_vhosts(args: &VhostsArgs, place: &Place, color: Color) -> Outcome {
    let mut reports = Vec::new();
    for file in &args.files {
        let failure = |error: VhostError| Failure::new(Exit::Usage, error);
        reports.push(read_vhosts(file, args.format).map_err(failure)?);
    }
    if args.judge {
        let hosts = reports.iter().flat_map(of_report).collect();
        let names = Names { hosts, ..Names::default() };
        return judge(&names, args.json, place, color);
    }
    if args.json {
        output::print_json(&reports)?;
    } else {
        let texts: Vec<String> = reports.iter().map(report_text).collect();
        output::print(&texts.join("\n"))?;
        tell_empty(&args.files, &reports, color);
    }
    Ok(Exit::Done)
}

/// A file without a name in it may have been taken for something it is not.
fn tell_empty(files: &[PathBuf], reports: &[VhostReport], color: Color) {
    for (file, report) in files.iter().zip(reports) {
        if report.names.is_empty() {
            let (file, format) = (file.display(), report.format.as_str());
            say(Word::Note, format!("{file}, read as {format}, names no host"), color);
        }
    }
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
    let mut names = Names::default();
    for file in &args.files {
        let list = read_list(file)?;
        tell_drops(file, &list, color);
        names.add(of_list(file, list, args.own));
    }
    judge(&names, args.json, place, color)
}

/// What files brought up.
#[derive(Debug, Default)]
pub(super) struct Names {
    hosts: Vec<Candidate>,
    /// Which names stand together in certificates, with the file that says so.
    certificates: Vec<(String, Vec<ImportedCertificate>)>,
}

impl Names {
    fn add(&mut self, more: Names) {
        self.hosts.extend(more.hosts);
        self.certificates.extend(more.certificates);
    }

    /// Hands everything over to be judged, or to be weighed in judging.
    pub(super) async fn offer(&self, work: &AtWork) -> Result<(), Failure> {
        work.until(work.opened.offer(&self.hosts)).await?;
        for (file, certificates) in &self.certificates {
            work.until(work.opened.offer_certificates(file, certificates)).await?;
        }
        Ok(())
    }
}

/// What a list holds besides names of hosts.
fn tell_drops(file: &Path, list: &Import, color: Color) {
    let wildcards = list.hosts.iter().filter(|host| host.wildcard).count() as u64;
    let wildcards = (wildcards > 0).then_some(("a wildcard", wildcards));
    let dropped = list.dropped.iter().map(|(why, count)| (why.words(), *count));
    let parts: Vec<String> =
        dropped.chain(wildcards).map(|(why, count)| format!("{count} × {why}")).collect();
    if !parts.is_empty() {
        let message = format!("left out of {}: {}", file.display(), parts.join(", "));
        say(Word::Note, message, color);
    }
}

/// Offers names and judges them, with all that are known already.
fn judge(names: &Names, json: bool, place: &Place, color: Color) -> Outcome {
    let asking = asking_of(place, Overrides::default(), Answers::default(), color)?;
    asking.require_profiles()?;
    if names.hosts.is_empty() {
        return Err(Failure::usage("there is no host name in the files"));
    }
    let wanted: BTreeSet<&HostName> = names.hosts.iter().map(|name| &name.host).collect();
    let found = asking.run(async |work| {
        names.offer(work).await?;
        work.judge_candidates(json).await
    })?;
    let mut verdicts = found.verdicts;
    verdicts.retain(|verdict| wanted.contains(&verdict.host));
    if json {
        output::print_json(&verdicts)?;
    } else {
        output::print(&host_table(&verdicts))?;
        if verdicts.iter().any(|verdict| verdict.membership == Membership::Member) {
            say(Word::Hint, "members among them are collected by the next crawl", color);
        }
    }
    Ok(Exit::Done)
}

/// The names of all files that the settings mention; relative ones lie in the harvest.
pub(super) fn read_names(dir: &Path, settings: &DiscoverTable) -> Result<Names, Failure> {
    let mut names = Names::default();
    for file in &settings.imports {
        names.add(of_file(&dir.join(file))?);
    }
    for file in &settings.own_hosts {
        let file = dir.join(file);
        names.add(of_list(&file, read_list(&file)?, true));
    }
    Ok(names)
}

/// The names of a file of any kind.
fn of_file(file: &Path) -> Result<Names, Failure> {
    match read_vhosts(file, None) {
        Ok(report) => Ok(Names { hosts: of_report(&report), ..Names::default() }),
        Err(VhostError::Unrecognised { .. } | VhostError::TooLarge { .. }) => {
            Ok(of_list(file, read_list(file)?, false))
        }
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

fn read_list(file: &Path) -> Result<Import, Failure> {
    let list = read_import(input::open(file)?, None);
    let list = list.with_context(|| format!("cannot read {}", file.display()));
    list.map_err(|error| Failure::new(Exit::Usage, error))
}

fn of_list(file: &Path, list: Import, own: bool) -> Names {
    let at = Timestamp::now();
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let candidate = |found: &ImportedHost| Candidate {
        host: found.host.clone(),
        source: candidate_source(own, &name),
        detail: format!("line {}", found.place),
        at,
    };
    let hosts = list.hosts.iter().filter(|found| !found.wildcard).map(candidate).collect();
    Names { hosts, certificates: vec![(name, list.certificates)] }
}

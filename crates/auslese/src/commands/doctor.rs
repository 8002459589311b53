//! `auslese doctor`: does this machine offer what a harvest needs?
//!
//! Only what the program uses today is asked for. Each check tells what it found and, if that is
//! not good enough, what to do.

use super::catalog_access::{block_on, open_catalog};
use crate::args::Place;
use crate::config::{Config, Overrides, depot_failure};
use crate::messages::{Exit, Failure, Outcome};
use crate::{output, size_text};
use auslese_catalog::CatalogError;
use auslese_model::{HostName, Timestamp};
use auslese_net::Net;
use auslese_reader::Limits;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Check whether this machine offers what a harvest needs
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese doctor
  auslese doctor --dir giessen --json";

/// One thing looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Good,
    /// Works, but not well or not for long.
    Weak,
    Bad,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Good => "good",
            State::Weak => "weak",
            State::Bad => "bad",
        }
    }
}

impl Check {
    fn good(name: &'static str, found: impl Into<String>) -> Check {
        Check { name, state: State::Good, found: found.into(), advice: None }
    }

    fn weak(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, state: State::Weak, found: found.into(), advice: Some(advice.into()) }
    }

    fn bad(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, state: State::Bad, found: found.into(), advice: Some(advice.into()) }
    }
}

pub(crate) fn run(args: &DoctorArgs, place: &Place) -> Outcome {
    let checks = examine(place);
    if args.json {
        output::print_json(&checks)?;
    } else {
        output::print(&as_text(&checks))?;
    }
    let worst = checks.iter().map(|check| check.state).max();
    Ok(if worst == Some(State::Bad) { Exit::Failures } else { Exit::Done })
}

fn as_text(checks: &[Check]) -> String {
    let mut rows = Vec::new();
    for check in checks {
        rows.push([check.state.word().to_owned(), check.name.to_owned(), check.found.clone()]);
        if let Some(advice) = &check.advice {
            rows.push([String::new(), String::new(), format!("→ {advice}")]);
        }
    }
    output::columns(&rows)
}

fn examine(place: &Place) -> Vec<Check> {
    let (configuration, config) = configuration(place);
    let mut checks = vec![configuration, directory(place.dir()), disk(place.dir())];
    checks.push(open_files(u64::from(config.crawl.politeness.connections)));
    checks.push(memory());
    checks.push(clock(Timestamp::now()));
    let (certificates, net) = network(&config);
    checks.push(certificates);
    checks.push(catalog(&config, place.dir()));
    checks.extend(store(&config, place.dir()));
    checks.extend(papers());
    checks.extend(net.and_then(|net| names(&net, &config)));
    checks
}

/// How well readers of strangers' documents are confined here, and which programs help them.
fn papers() -> Vec<Check> {
    let readers = super::describe::paper_readers(Limits::default());
    let mut checks = vec![match readers.confinement() {
        Ok(confinement) if confinement.missing.is_empty() => {
            Check::good(READERS, confinement.to_string())
        }
        Ok(confinement) => {
            let missing = format!("not applied: {}", confinement.missing.join("; "));
            Check::weak(READERS, confinement.to_string(), missing)
        }
        Err(why) => Check::bad(READERS, why.to_string(), "PDF and the like cannot be described"),
    }];
    for status in readers.programs().status() {
        let name = status.helper.program();
        checks.push(match (status.program, status.version) {
            (Some(program), Some(version)) => {
                Check::good(name, format!("{version} in {}", program.display()))
            }
            (Some(program), None) => Check::weak(
                name,
                format!("{} does not start", program.display()),
                format!("install it again: apt-get install {}", status.package),
            ),
            (None, _) => Check::weak(
                name,
                "not installed; documents that need it are not described",
                format!("apt-get install {}", status.package),
            ),
        });
    }
    checks
}

/// The name of the check of confined processes.
const READERS: &str = "readers";

/// Sets up the network layer, which reads the certificate authorities.
fn network(config: &Config) -> (Check, Option<Net>) {
    const NAME: &str = "certificates";
    let spill = std::env::temp_dir();
    match Net::new(config.net_settings(&spill)) {
        Ok(net) => {
            let further = net.settings().ca_files.len();
            let found = format!("built-in authorities and {further} files of further ones");
            (Check::good(NAME, found), Some(net))
        }
        Err(cause) => {
            let words = Failure::from(cause).to_string().replace("\n", ", ");
            (Check::bad(NAME, words, "correct the table [net] of auslese.toml"), None)
        }
    }
}

/// The database: a file needs nothing, a server has to answer.
fn catalog(config: &Config, dir: &Path) -> Check {
    const NAME: &str = "catalog";
    let location = match config.catalog_location(dir) {
        Ok(location) => location,
        Err(failure) => return Check::bad(NAME, failure.to_string(), "see [catalog]"),
    };
    let opened = block_on(open_catalog(config, dir));
    match opened {
        Ok(_) => Check::good(NAME, format!("{location} can be opened")),
        Err(failure) if failure.is(is_not_made_yet) => {
            Check::good(NAME, format!("{location} will be made by the first crawl"))
        }
        Err(failure) => {
            let found = failure.to_string();
            let found = found.lines().next().unwrap_or_default().trim_start_matches("error: ");
            let advice = match failure.is(is_in_the_way) {
                true => format!("put the catalog back from a backup, or move {location} away"),
                false => format!("check that {location} can be reached"),
            };
            Check::bad(NAME, found, advice)
        }
    }
}

/// The store, if there is one: whether it can be reached and used, and whether it never overwrites.
fn store(config: &Config, dir: &Path) -> Option<Check> {
    const NAME: &str = "store";
    let in_short = |failure: Failure| {
        let found = failure.in_short();
        let text = failure.to_string();
        let hint = text.lines().find_map(|line| line.strip_prefix("hint: "));
        Check::bad(NAME, found, hint.unwrap_or("see [archive.store]"))
    };
    let address = match config.archive.store.address() {
        Ok(None) => return None,
        Ok(Some(address)) => address,
        Err(failure) => return Some(in_short(failure)),
    };
    let probed = config
        .depot(&address.bucket, dir)
        .and_then(|depot| depot.probe(&address).map_err(depot_failure));
    Some(match probed {
        Ok(probed) if probed.keeps_conditions => Check::good(
            NAME,
            format!("{address} can be written, read, listed and cleared, and overwrites nothing"),
        ),
        Ok(_) => Check::weak(
            NAME,
            format!("{address} works, but ignores the condition that nothing be overwritten"),
            "each file is looked for before it is stored; let nobody else write there, or update the store",
        ),
        Err(failure) => in_short(failure),
    })
}

/// A database on a server may be there and still be empty.
fn is_not_made_yet(error: &CatalogError) -> bool {
    matches!(error, CatalogError::Missing { .. })
        || matches!(error, CatalogError::NotACatalog { location, .. } if location.starts_with("postgres"))
}

fn is_in_the_way(error: &CatalogError) -> bool {
    matches!(error, CatalogError::NotACatalog { .. } | CatalogError::Damaged { .. })
}

/// Whether the name of the first seed is found; nothing is asked if there is none.
fn names(net: &Net, config: &Config) -> Option<Check> {
    const NAME: &str = "names";
    let host = config.seed_urls().iter().find_map(HostName::of)?;
    let resolved = block_on(async { Ok(net.resolve(&host).await) });
    Some(match resolved {
        Ok(Ok(resolution)) => {
            let addresses: Vec<String> =
                resolution.addresses.iter().map(ToString::to_string).collect();
            Check::good(NAME, format!("{host} is {}", addresses.join(", ")))
        }
        Ok(Err(cause)) => {
            let advice = "check the network, the name, and `dns` in the table [net]";
            Check::bad(NAME, format!("{host}: {cause}"), advice)
        }
        Err(failure) => Check::weak(NAME, failure.to_string(), "try again"),
    })
}

/// The configuration that the other checks go by: the defaults if there is none that can be used.
fn configuration(place: &Place) -> (Check, Config) {
    const NAME: &str = "configuration";
    let sources = place.sources(Overrides::default());
    let file = sources.config_file();
    let advice = "run `auslese config check`";
    match sources.read() {
        Err(_) => (Check::bad(NAME, "cannot be read", advice), Config::default()),
        Ok((_, problems)) if !problems.is_empty() => {
            let found = format!("{} problems in {}", problems.len(), file.display());
            (Check::bad(NAME, found, advice), Config::default())
        }
        Ok((effective, _)) => {
            let found = match file.exists() {
                true => format!("{} has no problems", file.display()),
                false => format!("no {}: defaults are used", file.display()),
            };
            let config = Config::from_effective(&effective).unwrap_or_default();
            (Check::good(NAME, found), config)
        }
    }
}

fn directory(dir: &Path) -> Check {
    const NAME: &str = "directory";
    let place = nearest_existing(dir);
    match tempfile::NamedTempFile::new_in(&place) {
        Ok(_) if !dir.is_dir() => {
            let found = format!("there is no directory {}", dir.display());
            Check::weak(NAME, found, "`auslese init` makes it; is the name after --dir right?")
        }
        Ok(_) => Check::good(NAME, format!("{} can be written to", place.display())),
        Err(cause) => {
            let found = format!("{} cannot be written to: {cause}", place.display());
            Check::bad(NAME, found, "change its permissions, or name another with --dir")
        }
    }
}

/// The directory itself, or the parent in which it would be made.
fn nearest_existing(dir: &Path) -> PathBuf {
    let found = dir.ancestors().find(|path| path.is_dir());
    found.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// Less than this fills up within minutes of a fast crawl.
const LITTLE_SPACE: u64 = 1_000_000_000;
/// Less than this is soon too little for the web of a university.
const MODEST_SPACE: u64 = 10_000_000_000;

fn disk(dir: &Path) -> Check {
    const NAME: &str = "disk space";
    let place = nearest_existing(dir);
    let advice = "make room, or put the harvest on another disk with --dir";
    match rustix::fs::statvfs(&place) {
        Err(cause) => Check::weak(NAME, format!("cannot be found out: {cause}"), advice),
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            let found = format!("{} free in {}", size_text::format(free), place.display());
            match free {
                0..LITTLE_SPACE => Check::bad(NAME, found, advice),
                LITTLE_SPACE..MODEST_SPACE => Check::weak(NAME, found, advice),
                _ => Check::good(NAME, found),
            }
        }
    }
}

/// Files besides connections: archive, catalog, spill files, standard streams.
const OTHER_FILES: u64 = 128;

fn open_files(connections: u64) -> Check {
    const NAME: &str = "open files";
    let needed = connections + OTHER_FILES;
    match rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        Some(allowed) if allowed < needed => Check::bad(
            NAME,
            format!("{allowed} allowed, {needed} needed for {connections} connections"),
            format!(
                "run `ulimit -n {}` before, or lower `connections`",
                needed.next_power_of_two()
            ),
        ),
        Some(allowed) => Check::good(NAME, format!("{allowed} allowed, {needed} needed")),
        None => Check::good(NAME, "as many as wanted"),
    }
}

/// What a crawl of ten million addresses takes.
const MODEST_MEMORY: u64 = 1 << 30;

fn memory() -> Check {
    const NAME: &str = "memory";
    let info = rustix::system::sysinfo();
    let total = info.totalram.saturating_mul(u64::from(info.mem_unit));
    let found = format!("{} in all", size_text::format(total));
    if total < MODEST_MEMORY {
        Check::weak(NAME, found, "enough for some hundred thousand pages, not for millions")
    } else {
        Check::good(NAME, found)
    }
}

/// The program did not exist before; a clock that says so is wrong.
const EARLIEST: (i64, u32, u32) = (2026, 1, 1);

fn clock(now: Timestamp) -> Check {
    const NAME: &str = "clock";
    let found = format!("{} UTC", now.to_second_text());
    if now.date() < EARLIEST {
        let advice = "set the clock: every archived answer carries its time";
        Check::bad(NAME, found, advice)
    } else {
        Check::good(NAME, found)
    }
}

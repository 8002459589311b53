//! `auslese discover DOMAIN`: the profile of the institution, and the hosts that no link leads to.

use super::imports::read_names;
use super::listing::host_table;
use super::profile_text::profile_text;
use super::{AskingArgs, FindArgs};
use crate::args::Place;
use crate::commands::crawl::harvest_failure;
use crate::commands::crawl_plan::require_contact;
use crate::commands::init::{institutions_value, write_new};
use crate::config::{Config, Overrides, write_template};
use crate::interrupt::watch_for_interrupts;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::{organisation, output};
use anyhow::Context;
use auslese_discover::Profile;
use auslese_discover::judge::Thoroughness;
use auslese_discover::lookup::{LookupMode, read_records, write_records};
use auslese_harvest::{
    DiscoverJob, Discovering, Discovery, FoundHosts, HarvestDir, ScanJob, ScanReport, Seed,
};
use auslese_model::{HostName, LookupRecord, Verdict};
use serde::Serialize;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use toml::Value;

/// What discovery found.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    pub(crate) profiles: Vec<Profile>,
    /// Whether the profiles were gathered now.
    pub(crate) gathered: bool,
    pub(crate) hosts: Vec<Verdict>,
}

pub(super) fn run(args: &FindArgs, place: &Place, color: Color) -> Outcome {
    if let Some(institution) = &args.domain {
        begin(args, institution, place, color)?;
    }
    let found = find(args, place, color)?;
    if args.json {
        output::print_json(&found)?;
    } else {
        let profiles: Vec<String> = found.profiles.iter().map(profile_text).collect();
        output::print(&profiles.join("\n"))?;
        if !found.hosts.is_empty() {
            output::print(&format!("\nHosts found without a link\n{}", host_table(&found.hosts)))?;
        }
        let message = format!(
            "{} holds what was found; correct it where it is wrong, then `auslese run` collects",
            organisation::file(place.dir()).display()
        );
        say(Word::Hint, message, color);
    }
    Ok(Exit::Done)
}

/// Makes a harvest for a domain, unless the directory is one already.
fn begin(
    args: &FindArgs,
    institution: &crate::config::Institution,
    place: &Place,
    color: Color,
) -> Result<(), Failure> {
    let dir = HarvestDir::create(place.dir()).map_err(harvest_failure)?;
    if dir.config().exists() {
        let config = place.sources(Overrides::default()).load()?;
        if config.harvest.institutions.iter().any(|known| known.root == institution.root) {
            return Ok(());
        }
        let message = format!("{} collects other institutions", dir.config().display());
        return Err(Failure::usage(message)
            .hint("add the domain to `institutions` in it, or name a new directory with --dir"));
    }
    let institutions = institutions_value(std::slice::from_ref(institution));
    let mut given = vec![("harvest.institutions", institutions)];
    given.extend(args.contact.clone().map(|contact| ("harvest.contact", Value::from(contact))));
    given.extend(net_file(place)?.map(|file| ("net.file", Value::from(file))));
    write_new(&dir.config(), &write_template(&given))?;
    say(Word::Note, format!("wrote {}", dir.config().display()), color);
    Ok(())
}

/// The file with network settings that is in use, to be written down: absolute, because commands
/// may be run from anywhere.
pub(crate) fn net_file(place: &Place) -> Result<Option<String>, Failure> {
    let Some(file) = &place.net else { return Ok(None) };
    let file = std::path::absolute(file).context("cannot tell where the current directory is")?;
    Ok(Some(file.to_string_lossy().into_owned()))
}

/// Gathers what is missing, and judges the hosts that no link leads to.
pub(crate) fn find(args: &FindArgs, place: &Place, color: Color) -> Result<Found, Failure> {
    let asking = asking_of(place, &args.asking)?;
    let quiet = args.json;
    let told = |message: String| {
        if !quiet {
            say(Word::Note, message, color);
        }
    };
    let gathered = asking.profiles.is_empty() || args.refresh;
    let asking = if gathered { asking.gathered(&told)? } else { asking };
    let hosts = asking.unlinked_hosts(&told, color)?;
    asking.record()?;
    Ok(Found { profiles: asking.profiles, gathered, hosts: hosts.verdicts })
}

/// Everything needed to ask about hosts.
pub(crate) struct Asking {
    dir: HarvestDir,
    config: Config,
    profiles: Vec<Profile>,
    mode: LookupMode,
    recorded: Vec<LookupRecord>,
    /// Where everything that was asked is to be written.
    recording: Option<PathBuf>,
}

/// Reads configuration and profiles.
pub(crate) fn asking_of(place: &Place, args: &AskingArgs) -> Result<Asking, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let dir = HarvestDir::open(place.dir()).map_err(harvest_failure)?;
    let profiles = organisation::read(dir.root())?;
    let recorded = match &args.replay {
        Some(file) => read_recording(file)?,
        None => Vec::new(),
    };
    let mode = match (&args.replay, &args.record, args.live) {
        (Some(_), ..) => LookupMode::Replay,
        (_, Some(_), _) => LookupMode::Record,
        (_, _, true) => LookupMode::Live,
        _ => LookupMode::Cached,
    };
    Ok(Asking { dir, config, profiles, mode, recorded, recording: args.record.clone() })
}

impl Asking {
    /// How hosts are judged in this harvest.
    pub(crate) fn discovery(&self) -> Discovery {
        discovery_of(&self.config, self.profiles.clone(), self.mode)
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    fn job(&self) -> Result<DiscoverJob, Failure> {
        Ok(DiscoverJob {
            catalog: self.config.catalog_location(self.dir.root())?,
            catalog_settings: self.config.catalog_settings(),
            net: self.config.net_settings(&self.dir.spill()),
            discovery: self.discovery(),
            gather: self.config.discover.gather_settings(),
            recorded: self.recorded.clone(),
        })
    }

    /// Does asynchronous work on the opened harvest.
    pub(crate) fn run<T>(
        &self,
        work: impl AsyncFnOnce(&Discovering) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let job = self.job()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let opened = Discovering::open(&self.dir, job).await.map_err(harvest_failure)?;
            let done = work(&opened).await;
            opened.close().await;
            done
        })
    }

    /// Gathers the profiles and writes them.
    fn gathered(mut self, told: &dyn Fn(String)) -> Result<Asking, Failure> {
        let institutions = self.config.harvest.institutions.iter();
        let institutions: Vec<Seed> = institutions
            .map(|it| Seed { url: it.root.clone(), label: Some(it.label.clone()) })
            .collect();
        if institutions.is_empty() {
            return Err(Failure::usage("no institution is named whose hosts could be found").hint(
                "name a domain (`auslese discover uni-giessen.de`), or set `institutions` in \
                 auslese.toml",
            ));
        }
        require_contact(&institutions, &self.config)?;
        for institution in &institutions {
            told(format!("asking about {}", institution.url));
        }
        self.profiles =
            self.run(async |work| work.gather(&institutions).await.map_err(harvest_failure))?;
        if self.mode != LookupMode::Replay {
            organisation::write(self.dir.root(), &self.profiles)?;
        }
        Ok(self)
    }

    /// Sweeps, scans and imports as the settings say, and judges what was found.
    fn unlinked_hosts(&self, told: &dyn Fn(String), color: Color) -> Result<FoundHosts, Failure> {
        let settings = &self.config.discover;
        let names = read_names(self.dir.root(), settings)?;
        let scan = settings.scan.on.then(|| ScanJob {
            ranges: Vec::new(),
            rules: settings.scan.rules(),
            place: settings.scan.vantage.clone(),
            anew: false,
        });
        let replay = self.mode == LookupMode::Replay;
        self.run(async |work| {
            work.offer(&names).await.map_err(harvest_failure)?;
            if settings.sweep
                && !replay
                && let Some(names) = work.sweep().await.map_err(harvest_failure)?
            {
                told(format!("{names} reverse names lead back to addresses of the ranges"));
            }
            if let Some(scan) = scan.filter(|_| !replay) {
                let report = scan_until_stopped(work, &scan, color).await?;
                told(format!(
                    "{} web servers at {} addresses scanned",
                    report.servers.len(),
                    report.addresses
                ));
            }
            work.judge_candidates(&mut |_| {}).await.map_err(harvest_failure)
        })
    }

    /// Writes what was asked and answered, if that is wanted.
    pub(crate) fn record(&self) -> Result<(), Failure> {
        let Some(file) = &self.recording else { return Ok(()) };
        let records = self.run(async |work| work.lookups().await.map_err(harvest_failure))?;
        write_recording(file, &records)
    }

    /// The verdict on one host.
    pub(crate) fn judge(&self, host: &HostName, all: bool) -> Result<Verdict, Failure> {
        let thoroughness = if all { Thoroughness::Everything } else { Thoroughness::UntilDecided };
        self.require_profiles()?;
        self.run(async |work| work.judge(host, thoroughness).await.map_err(harvest_failure))
    }

    pub(crate) fn require_profiles(&self) -> Result<(), Failure> {
        if self.profiles.is_empty() {
            return Err(Failure::usage("nothing is known about the institution yet")
                .hint("`auslese discover` gathers its profile"));
        }
        Ok(())
    }
}

/// How hosts are judged, by the settings.
pub(crate) fn discovery_of(config: &Config, profiles: Vec<Profile>, mode: LookupMode) -> Discovery {
    let settings = &config.discover;
    Discovery {
        profiles,
        judge: settings.judge_settings(),
        lookup: settings.lookup_settings(),
        mode,
        patience: settings.patience(),
        at_once: settings.at_once,
        bridge_hops: settings.bridge_hops,
    }
}

/// Scans until it is finished, or a person presses Ctrl-C.
pub(crate) async fn scan_until_stopped(
    work: &Discovering,
    scan: &ScanJob,
    color: Color,
) -> Result<ScanReport, Failure> {
    let stop = watch_for_interrupts(color)?;
    let mut told = |_: auslese_discover::scan::ScanEvent<'_>, _: u64| {
        if *stop.borrow() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    work.scan(scan, &mut told).await.map_err(harvest_failure)
}

fn read_recording(file: &Path) -> Result<Vec<LookupRecord>, Failure> {
    let cannot_read = || format!("cannot read {}", file.display());
    let open = File::open(file).with_context(cannot_read)?;
    Ok(read_records(BufReader::new(open)).with_context(cannot_read)?)
}

fn write_recording(file: &Path, records: &[LookupRecord]) -> Result<(), Failure> {
    let cannot_write = || format!("cannot write {}", file.display());
    let mut out = std::io::BufWriter::new(File::create(file).with_context(cannot_write)?);
    write_records(&mut out, records).with_context(cannot_write)?;
    Ok(std::io::Write::flush(&mut out).with_context(cannot_write)?)
}

//! A harvest opened to ask about hosts: configuration, profiles, and how they are worked with.
//!
//! Ctrl-C ends a scan after what is under way, and everything else at once: whatever was found out
//! is in the catalog, so the same command goes on.

use super::answers::{Answers, write_recording};
use crate::args::Place;
use crate::commands::crawl::harvest_failure;
use crate::config::{Config, Overrides};
use crate::interrupt::watch_for_interrupts;
use crate::messages::{Color, Exit, Failure};
use crate::organisation;
use crate::progress::Steps;
use auslese_discover::Profile;
use auslese_discover::judge::Thoroughness;
use auslese_discover::lookup::LookupMode;
use auslese_discover::scan::{ScanEvent, ScanState};
use auslese_harvest::{
    DiscoverJob, Discovering, Discovery, FoundHosts, HarvestDir, HarvestError, ScanJob, ScanReport,
};
use auslese_model::{HostName, Verdict};
use std::ops::ControlFlow;
use tokio::sync::watch;

/// Everything needed to ask about hosts.
pub(super) struct Asking {
    pub(super) dir: HarvestDir,
    pub(super) config: Config,
    pub(super) profiles: Vec<Profile>,
    pub(super) answers: Answers,
    pub(super) color: Color,
}

/// Reads configuration and profiles.
pub(super) fn asking_of(
    place: &Place,
    overrides: Overrides,
    answers: Answers,
    color: Color,
) -> Result<Asking, Failure> {
    let config = place.sources(overrides).load()?;
    let dir = HarvestDir::open(place.dir()).map_err(harvest_failure)?;
    let profiles = organisation::read(dir.root())?;
    Ok(Asking { dir, config, profiles, answers, color })
}

impl Asking {
    fn job(&self) -> Result<DiscoverJob, Failure> {
        Ok(DiscoverJob {
            catalog: self.config.catalog_location(self.dir.root())?,
            catalog_settings: self.config.catalog_settings(),
            net: self.config.net_settings(&self.dir.spill()),
            discovery: discovery_of(&self.config, self.profiles.clone(), self.answers.mode),
            gather: self.config.discover.gather_settings(),
            recorded: self.answers.recorded.clone(),
        })
    }

    /// Does asynchronous work on the opened harvest.
    pub(super) fn run<T>(
        &self,
        work: impl AsyncFnOnce(&AtWork) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let job = self.job()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let stop = watch_for_interrupts(self.color)?;
            let opened = Discovering::open(&self.dir, job).await.map_err(harvest_failure)?;
            let at_work = AtWork { opened, stop };
            let done = work(&at_work).await;
            at_work.opened.close().await;
            done
        })
    }

    /// Writes what was asked and answered, if that is wanted.
    pub(super) fn record(&self) -> Result<(), Failure> {
        let Some(file) = self.answers.recording() else { return Ok(()) };
        let records = self.run(async |work| work.until(work.opened.lookups()).await)?;
        write_recording(file, &records)
    }

    /// The verdict on one host.
    pub(super) fn judge(&self, host: &HostName, all: bool) -> Result<Verdict, Failure> {
        let thoroughness = if all { Thoroughness::Everything } else { Thoroughness::UntilDecided };
        self.require_profiles()?;
        self.run(async |work| work.until(work.opened.judge(host, thoroughness)).await)
    }

    pub(super) fn require_profiles(&self) -> Result<(), Failure> {
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

/// A harvest that is worked on, until Ctrl-C.
pub(super) struct AtWork {
    pub(super) opened: Discovering,
    stop: watch::Receiver<bool>,
}

impl AtWork {
    /// Does work to its end, unless Ctrl-C comes before.
    pub(super) async fn until<T>(
        &self,
        work: impl Future<Output = Result<T, HarvestError>>,
    ) -> Result<T, Failure> {
        let mut stop = self.stop.clone();
        tokio::select! {
            done = work => done.map_err(harvest_failure),
            Ok(_) = stop.wait_for(|stopped| *stopped) => Err(stopped()),
        }
    }

    /// Judges all hosts found without a link.
    pub(super) async fn judge_candidates(&self, quiet: bool) -> Result<FoundHosts, Failure> {
        let mut steps = Steps::new("hosts judged", quiet);
        let mut judged = 0;
        let mut told = |_: &Verdict, of: u64| {
            judged += 1;
            steps.show(judged, of, "");
        };
        self.until(self.opened.judge_candidates(&mut told)).await
    }

    /// Scans until it is finished, or a person presses Ctrl-C.
    pub(super) async fn scan(&self, scan: &ScanJob, quiet: bool) -> Result<ScanReport, Failure> {
        let mut steps = Steps::new("addresses scanned", quiet);
        let mut told = |event: ScanEvent<'_>, state: &ScanState| {
            if matches!(event, ScanEvent::Finished(_)) {
                let found = format!("{} web servers", state.servers.len());
                steps.show(state.asked(), state.addresses, &found);
            }
            if *self.stop.borrow() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.opened.scan(scan, &mut told).await.map_err(harvest_failure)
    }
}

/// Ctrl-C was pressed.
pub(super) fn stopped() -> Failure {
    Failure::new(Exit::Interrupted, anyhow::anyhow!("stopped before the end"))
        .hint("what was found out is kept; the same command goes on")
}

//! `auslese bench`: how fast this machine crawls, with everything that belongs to a crawl.
//!
//! A generated site is served on loopback by a process of its own, so that processor time and
//! memory measured here are those of the crawl alone. The crawl is the ordinary one: fetched,
//! parsed, archived and committed, only without pauses. `auslese bench make-harvest` keeps such a harvest,
//! of pages of prose with metadata: what all figures about searching and later stages are measured on.

use super::archive::{all_files, write_index};
use super::bench_frontier::{self, BenchFrontierArgs};
use super::bench_hidden::{self, BenchHiddenArgs};
use super::bench_latency::{self, BenchLatencyArgs};
use super::bench_site::{SiteKind, SiteProcess};
use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::crawl::{carry_out, harvest_failure};
use super::crawl_plan::{CrawlArgs, Plan};
use super::init::write_new;
use super::{corpus, describe};
use crate::args::Place;
use crate::config::write_template;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::{output, size_text};
use anyhow::Context;
use auslese_archive::verify;
use auslese_harvest::{CrawlEnd, CrawlReport, HarvestDir};
use auslese_model::State;
use clap::{Args, Subcommand};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use toml::Value;

/// Measure how fast this machine crawls, on a generated site of its own
///
/// Pages, pictures and style sheets are served on loopback by a second process and crawled without
/// pauses; fetching, parsing, archiving and committing are those of every crawl.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    action: Option<Action>,

    /// Pages of the site; pictures and style sheets come on top
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pages: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese bench
  auslese bench --pages 50000 --dir /mnt/disk/bench
  auslese bench --json | jq .files_per_second
  auslese bench make-harvest --dir large
  auslese bench hidden
  auslese bench latency
  auslese bench frontier --urls 10000000

The harvest is made in --dir, which must be new or empty and is kept; without it, in a temporary
directory.";

#[derive(Debug, Subcommand)]
enum Action {
    MakeHarvest(MakeHarvestArgs),
    Hidden(BenchHiddenArgs),
    Latency(BenchLatencyArgs),
    Frontier(BenchFrontierArgs),
}

/// Make a large harvest to measure other commands on
///
/// Pages of at least 2 KB of prose, three quarters German, a quarter English, whose words are
/// distributed as in natural language (Zipf), with titles, authors, dates, keywords and links, on four
/// hosts; crawled, read out and described like any harvest. The same number of pages makes the same
/// pages on every machine.
#[derive(Debug, Args)]
#[command(after_help = MAKE_EXAMPLES)]
struct MakeHarvestArgs {
    /// Pages, over all hosts
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pages: u32,
}

const MAKE_EXAMPLES: &str = "\
Examples:
  auslese bench make-harvest --dir large
  auslese bench make-harvest --pages 1000 --dir small";

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    files: u64,
    failed: u64,
    seconds: f64,
    files_per_second: f64,
    megabytes_per_second: f64,
    cpu_ms_per_request: f64,
    peak_rss_bytes: u64,
    bytes: u64,
    archive_bytes: u64,
    commits: i64,
    verify_seconds: f64,
    index_seconds: f64,
    /// Figures of a program built for debugging say little.
    optimized: bool,
}

pub(crate) fn run(args: &BenchArgs, place: &Place, color: Color) -> Outcome {
    if place.net.is_some() {
        return Err(Failure::usage("the benchmark brings its own network, so --net means nothing"));
    }
    match &args.action {
        Some(Action::MakeHarvest(args)) => return make_harvest(args, place, color),
        Some(Action::Hidden(args)) => return bench_hidden::run(args),
        Some(Action::Latency(args)) => return bench_latency::run(args, place, color),
        Some(Action::Frontier(args)) => return bench_frontier::run(args, place, color),
        None => {}
    }
    let bench = Bench::prepare(place, SiteKind::Tree, args.pages)?;
    let measured = bench.measure(color)?;
    if args.json {
        output::print_json(&measured)?;
    } else {
        output::print(&as_text(&measured, &bench.dir))?;
    }
    if !measured.optimized {
        say(Word::Note, "this program was built for debugging; release builds are faster", color);
    }
    Ok(if measured.failed > 0 { Exit::Failures } else { Exit::Done })
}

fn make_harvest(args: &MakeHarvestArgs, place: &Place, color: Color) -> Outcome {
    if place.dir.is_none() {
        let failure = Failure::usage("the directory of the new harvest is not named");
        return Err(failure.hint("name it with --dir"));
    }
    let bench = Bench::prepare(place, SiteKind::Library, args.pages)?;
    let report = carry_out(&bench.plan, &bench.dir, color)?;
    if report.end == CrawlEnd::Stopped {
        return Ok(Exit::Interrupted);
    }
    let chosen = corpus::run(&corpus::CorpusArgs::without_mirror(), place, color)?;
    if chosen != Exit::Done {
        return Ok(chosen);
    }
    describe::run(&describe::DescribeArgs::default(), place, color)
}

/// A site that is served and a harvest that is empty.
struct Bench {
    plan: Plan,
    dir: HarvestDir,
    _site: SiteProcess,
    /// Removed at the end.
    _temporary: TempDir,
}

impl Bench {
    fn prepare(place: &Place, kind: SiteKind, pages: u32) -> Result<Bench, Failure> {
        let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
        let root = place.dir.clone().unwrap_or_else(|| temporary.path().join("harvest"));
        let dir = HarvestDir::create(&root).map_err(harvest_failure)?;
        if dir.config().exists() || dir.catalog().exists() {
            let message = format!("{} holds a harvest already", root.display());
            return Err(Failure::usage(message).hint("name a new directory with --dir"));
        }
        let net_file = temporary.path().join("net.toml");
        let site = SiteProcess::start(kind, pages, &net_file)?;
        write_new(&dir.config(), &configuration(site.seeds()))?;
        let place = Place { dir: Some(root), also: Vec::new(), net: Some(net_file) };
        let plan = CrawlArgs::quiet().plan(&place)?;
        Ok(Bench { plan, dir, _site: site, _temporary: temporary })
    }

    fn measure(&self, color: Color) -> Result<Measured, Failure> {
        let (start, cpu_before) = (Instant::now(), cpu_time());
        let report = carry_out(&self.plan, &self.dir, color)?;
        let (time, cpu) = (start.elapsed(), cpu_time().saturating_sub(cpu_before));
        if report.end == CrawlEnd::Stopped {
            return Err(Failure::new(Exit::Interrupted, anyhow::anyhow!("stopped before the end")));
        }
        // The peak is that of the crawl; what follows must not count.
        let peak_rss_bytes = peak_memory()?;
        let files = all_files(self.dir.root())?;
        let verify_seconds = seconds_of(|| {
            files.iter().try_for_each(|file| verify(file).map(drop)).context("cannot verify")
        })?;
        let index_seconds = seconds_of(|| write_index(&files, &mut std::io::sink(), color))?;
        let (captures, bytes) = (report.status.captures, report.status.bytes);
        let seconds = time.as_secs_f64();
        Ok(Measured {
            files: captures,
            failed: report.status.requests.get(&State::Failed).copied().unwrap_or(0),
            seconds,
            files_per_second: captures as f64 / seconds,
            megabytes_per_second: bytes as f64 / 1e6 / seconds,
            cpu_ms_per_request: cpu.as_secs_f64() * 1e3 / captures.max(1) as f64,
            peak_rss_bytes,
            bytes,
            archive_bytes: report.status.warc_bytes,
            commits: self.commits(&report)?,
            verify_seconds,
            index_seconds,
            optimized: !cfg!(debug_assertions),
        })
    }

    fn commits(&self, report: &CrawlReport) -> Result<i64, Failure> {
        block_on(async {
            let catalog = open_catalog(&self.plan.config, self.dir.root()).await?;
            let runs = catalog.runs().await.map_err(catalog_failure)?;
            catalog.close().await;
            Ok(runs.iter().find(|run| run.id == report.run).map_or(0, |run| run.last_window))
        })
    }
}

/// No pauses: what is measured is the crawl, not its politeness.
fn configuration(seeds: &[String]) -> String {
    let seeds = seeds.iter().map(|seed| Value::from(seed.as_str())).collect();
    write_template(&[
        ("harvest.name", Value::from("auslese bench")),
        ("crawl.seeds", Value::Array(seeds)),
        ("crawl.politeness.delay", Value::from("0")),
    ])
}

fn seconds_of<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<f64, E> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Processor time of this process so far, over all threads, in user and system mode.
pub(super) fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The most memory this process has ever held, in bytes.
pub(super) fn peak_memory() -> Result<u64, Failure> {
    let file = Path::new("/proc/self/status");
    let text = std::fs::read_to_string(file).context("cannot read /proc/self/status")?;
    Ok(peak_of(&text).context("/proc/self/status does not tell the peak of memory")?)
}

/// What stands behind `VmHWM:`, such as `12345 kB`.
fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

fn as_text(measured: &Measured, dir: &HarvestDir) -> String {
    let row = |name: &str, value: String| [name.to_owned(), value];
    output::columns(&[
        row("harvest", dir.root().display().to_string()),
        row("files", format!("{} in {:.2} s", measured.files, measured.seconds)),
        row("failed", measured.failed.to_string()),
        row("files per second", format!("{:.0}", measured.files_per_second)),
        row("data per second", format!("{:.1} MB", measured.megabytes_per_second)),
        row("CPU per request", format!("{:.3} ms", measured.cpu_ms_per_request)),
        row("peak memory", size_text::format(measured.peak_rss_bytes)),
        row(
            "archive",
            format!(
                "{} for {} of answers",
                size_text::format(measured.archive_bytes),
                size_text::format(measured.bytes)
            ),
        ),
        row("commits", measured.commits.to_string()),
        row("then: verify", format!("{:.2} s", measured.verify_seconds)),
        row("then: index", format!("{:.2} s", measured.index_seconds)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks() {
        #[rustfmt::skip]
        let cases = [
            ("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n", Some(2_097_152)),
            ("VmHWM:\t99999999999999999999 kB\n",              None),
            ("VmHWM:\tmuch kB\n",                              None),
            ("VmRSS:\t1 kB\n",                                 None),
        ];
        for (text, expected) in cases {
            assert_eq!(peak_of(text), expected, "{text}");
        }
        assert!(peak_memory().unwrap() > 1 << 20);
    }

    #[test]
    fn processor_time_passes() {
        let before = cpu_time();
        let mut sum = 0u64;
        while cpu_time() == before {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(cpu_time() > before);
    }
}

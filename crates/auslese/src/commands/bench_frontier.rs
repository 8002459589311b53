//! `auslese bench frontier`: what an address costs that a page names, with millions known already.
//!
//! Addresses are made up, on many hosts with sections, and offered to the frontier of a new harvest as
//! pages of a hundred links: nine that are known, anywhere in the harvest, to one that is new. What is
//! measured is everything from the text of the link to its row in the catalog; nothing is fetched.

use super::bench::{cpu_time, peak_memory};
use super::crawl::harvest_failure;
use super::crawl_plan::CrawlArgs;
use super::init::write_new;
use crate::args::Place;
use crate::config::text_forms::CATALOG_URL;
use crate::config::write_template;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::{output, size_text};
use anyhow::Context;
use auslese_harvest::{FrontierTrial, HarvestDir};
use clap::Args;
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, Instant};
use toml::Value;
use url::Url;

/// Measure what addresses cost that pages name, with millions known already
///
/// Made-up addresses are offered to the frontier of a new harvest, nine known ones to a new one, and
/// committed as a crawl does. The mean is told whenever the number of known addresses has grown tenfold.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchFrontierArgs {
    /// Known addresses to go up to
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(100_000..=1_000_000_000))]
    urls: u64,

    /// Memory for remembering known addresses, such as 16MB; default: that of every crawl
    #[arg(long, value_name = "SIZE", value_parser = size_option)]
    seen_budget: Option<String>,

    /// An empty PostgreSQL database to use instead of a file
    #[arg(long, value_name = "URL", value_parser = catalog_option)]
    catalog: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese bench frontier
  auslese bench frontier --urls 10000000
  auslese bench frontier --urls 10000000 --seen-budget 32MiB --json
  auslese bench frontier --catalog postgres://me@db.example/bench

The harvest is made in --dir, which must be new or empty and is kept; without it, in a temporary
directory.";

fn size_option(text: &str) -> Result<String, String> {
    size_text::parse(text).map(|_| text.to_owned())
}

fn catalog_option(text: &str) -> Result<String, String> {
    (CATALOG_URL.check)(text).map(|()| text.to_owned())
}

/// What was measured with so many known addresses.
#[derive(Debug, Serialize)]
struct Measured {
    known: u64,
    offered: u64,
    seconds: f64,
    offered_per_second: f64,
    microseconds_per_url: f64,
    cpu_microseconds_per_url: f64,
    rss_bytes: u64,
    catalog_bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Report {
    measured: Vec<Measured>,
    /// Learning everything that is known, as a crawl does that goes on.
    start_seconds: f64,
    start_cpu_seconds: f64,
    peak_rss_bytes: u64,
    optimized: bool,
}

pub(super) fn run(args: &BenchFrontierArgs, place: &Place, color: Color) -> Outcome {
    let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
    let root = place.dir.clone().unwrap_or_else(|| temporary.path().join("harvest"));
    let dir = HarvestDir::create(&root).map_err(harvest_failure)?;
    if dir.config().exists() || dir.catalog().exists() {
        let message = format!("{} holds a harvest already", root.display());
        return Err(Failure::usage(message).hint("name a new directory with --dir"));
    }
    write_new(&dir.config(), &configuration(args))?;
    let place = Place { dir: Some(root), also: Vec::new(), net: None };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let report = runtime.block_on(measure(args, &place, &dir, color))?;
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&as_text(&report))?;
    }
    Ok(Exit::Done)
}

fn configuration(args: &BenchFrontierArgs) -> String {
    let mut settings = vec![
        ("harvest.name", Value::from("auslese bench frontier")),
        ("harvest.contact", Value::from("bench@harvest.example")),
        ("crawl.seeds", Value::Array(vec![Value::from("http://h0.bench.example/")])),
        ("crawl.scope", Value::Array(vec![Value::from("accept host .bench.example")])),
    ];
    let given = [("crawl.frontier.seen_bytes", &args.seen_budget), ("catalog.url", &args.catalog)];
    for (key, value) in given {
        settings.extend(value.as_ref().map(|value| (key, Value::from(value.as_str()))));
    }
    write_template(&settings)
}

async fn measure(
    args: &BenchFrontierArgs,
    place: &Place,
    dir: &HarvestDir,
    color: Color,
) -> Result<Report, Failure> {
    let plan = CrawlArgs::quiet().plan(place)?;
    let mut trial = FrontierTrial::open(dir, plan.job(dir)?).await.map_err(harvest_failure)?;
    let mut addresses = Addresses::default();
    let mut measured = Vec::new();
    for goal in goals(args.urls) {
        // A tenth of the offers is new.
        let sample = (goal / 10).min(MEASURED_NEW);
        grow(&mut trial, &mut addresses, goal - sample).await?;
        let (start, cpu, before) = (Instant::now(), cpu_time(), addresses.offered);
        mix(&mut trial, &mut addresses, goal).await?;
        let (time, cpu) = (start.elapsed(), cpu_time().saturating_sub(cpu));
        let offered = addresses.offered - before;
        let one = Measured {
            known: addresses.known,
            offered,
            seconds: time.as_secs_f64(),
            offered_per_second: offered as f64 / time.as_secs_f64(),
            microseconds_per_url: microseconds(time, offered),
            cpu_microseconds_per_url: microseconds(cpu, offered),
            rss_bytes: resident_memory()?,
            catalog_bytes: std::fs::metadata(dir.catalog()).ok().map(|file| file.len()),
        };
        if !args.json {
            say(Word::Note, line(&one), color);
        }
        measured.push(one);
    }
    if trial.known() != addresses.known {
        let (stored, known) = (trial.known(), addresses.known);
        return Err(anyhow::anyhow!("{stored} addresses were stored of {known} new ones").into());
    }
    trial.close().await.map_err(harvest_failure)?;
    let (start, cpu) = (Instant::now(), cpu_time());
    let trial = FrontierTrial::open(dir, plan.job(dir)?).await.map_err(harvest_failure)?;
    let (time, cpu) = (start.elapsed(), cpu_time().saturating_sub(cpu));
    trial.close().await.map_err(harvest_failure)?;
    Ok(Report {
        measured,
        start_seconds: time.as_secs_f64(),
        start_cpu_seconds: cpu.as_secs_f64(),
        peak_rss_bytes: peak_memory()?,
        optimized: !cfg!(debug_assertions),
    })
}

/// New addresses over which the mean is taken, at most.
const MEASURED_NEW: u64 = 100_000;
/// Links of a page, and pages of a window: about what a fast crawl gathers in fifty milliseconds.
const PAGE_LINKS: u64 = 100;
const WINDOW_PAGES: u64 = 250;
/// New links of a page.
const PAGE_NEW: u64 = 10;
const HOSTS: u64 = 1_000;
const SECTIONS: u64 = 20;

/// Every power of ten on the way, and the end.
fn goals(end: u64) -> Vec<u64> {
    let powers = std::iter::successors(Some(100_000u64), |goal| goal.checked_mul(10));
    powers.take_while(|goal| *goal < end).chain([end]).collect()
}

/// Offers nothing but new addresses.
async fn grow(
    trial: &mut FrontierTrial,
    addresses: &mut Addresses,
    goal: u64,
) -> Result<(), Failure> {
    while addresses.known < goal {
        let pages = (0..WINDOW_PAGES).map(|_| addresses.page(PAGE_NEW, PAGE_NEW)).collect();
        trial.offer(pages).await.map_err(harvest_failure)?;
    }
    trial.settle().await.map_err(harvest_failure)
}

/// Offers pages as they are.
async fn mix(
    trial: &mut FrontierTrial,
    addresses: &mut Addresses,
    goal: u64,
) -> Result<(), Failure> {
    while addresses.known < goal {
        let pages = (0..WINDOW_PAGES).map(|_| addresses.page(PAGE_LINKS, PAGE_NEW)).collect();
        trial.offer(pages).await.map_err(harvest_failure)?;
    }
    trial.settle().await.map_err(harvest_failure)
}

/// Made-up addresses, by their numbers.
#[derive(Debug, Default)]
struct Addresses {
    known: u64,
    offered: u64,
    random: u64,
}

impl Addresses {
    /// The links of a page, so many of them new.
    fn page(&mut self, links: u64, new: u64) -> Vec<Url> {
        let first = self.known;
        let old = (0..links - new).filter_map(|_| {
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            address((self.random >> 20).checked_rem(first)?)
        });
        let mut urls: Vec<Url> = old.collect();
        urls.extend((first..first + new).filter_map(address));
        self.known += new;
        self.offered += links;
        urls
    }
}

/// Ten in a row are of one section of a host, as links of a page are.
fn address(number: u64) -> Option<Url> {
    let page = number / PAGE_NEW;
    let (host, section) = (page % HOSTS, page / HOSTS % SECTIONS);
    let text = format!(
        "http://h{host}.bench.example/abteilung-{section}/mitteilungen/{number}/seite.html"
    );
    Url::parse(&text).ok()
}

fn microseconds(time: Duration, urls: u64) -> f64 {
    time.as_secs_f64() * 1e6 / urls.max(1) as f64
}

/// The memory this process holds now, in bytes.
fn resident_memory() -> Result<u64, Failure> {
    let text = std::fs::read_to_string(Path::new("/proc/self/status"))
        .context("cannot read /proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    Ok(kilobytes.context("/proc/self/status does not tell the memory in use")? * 1024)
}

fn line(measured: &Measured) -> String {
    let Measured { known, microseconds_per_url, cpu_microseconds_per_url, .. } = measured;
    format!(
        "{known} known: {microseconds_per_url:.2} µs per address ({cpu_microseconds_per_url:.2} µs \
         of processor time)"
    )
}

fn as_text(report: &Report) -> String {
    let head = ["known", "µs per address", "CPU µs", "addresses/s", "memory", "catalog"];
    let rows = report.measured.iter().map(|one| {
        [
            one.known.to_string(),
            format!("{:.2}", one.microseconds_per_url),
            format!("{:.2}", one.cpu_microseconds_per_url),
            format!("{:.0}", one.offered_per_second),
            size_text::format(one.rss_bytes),
            one.catalog_bytes.map_or("–".to_owned(), size_text::format),
        ]
    });
    let rows: Vec<[String; 6]> = std::iter::once(head.map(str::to_owned)).chain(rows).collect();
    format!(
        "{}\nstart with all of them known: {:.1} s ({:.1} s of processor time)\npeak memory: {}\n",
        output::columns(&rows),
        report.start_seconds,
        report.start_cpu_seconds,
        size_text::format(report.peak_rss_bytes)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_another_and_known_ones_come_again() {
        let mut addresses = Addresses::default();
        let mut met = std::collections::HashSet::new();
        let mut new = 0;
        for _ in 0..200 {
            new += addresses
                .page(PAGE_LINKS, PAGE_NEW)
                .into_iter()
                .filter(|url| met.insert(url.clone()))
                .count();
        }
        assert_eq!((new as u64, addresses.offered), (addresses.known, 200 * PAGE_LINKS));
        assert_eq!(goals(10_000_000), [100_000, 1_000_000, 10_000_000]);
        assert_eq!(goals(300_000), [100_000, 300_000]);
    }
}

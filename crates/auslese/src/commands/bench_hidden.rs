//! `auslese bench hidden`: what it costs to bring databases to light, by every degree of cooperation.
//!
//! Databases of known content are served on loopback and asked by the ordinary stage, without pauses. Two questions
//! are answered: how much of a database that nobody described is seen after so many queries, compared with what a
//! greedy oracle sees that knows every row; and what a database of so many rows costs in requests, time and
//! bytes when its provider helps, and when not.

use super::catalog_access::{block_on, catalog_failure};
use super::crawl::harvest_failure;
use crate::messages::{Exit, Failure, Outcome};
use crate::{output, size_text};
use anyhow::Context;
use auslese_archive::ArchiveSettings;
use auslese_catalog::{Catalog, CatalogSettings, HiddenDatabase, Location};
use auslese_crawl::{CrawlSettings, Scope};
use auslese_harvest::{
    CrawlJob, HarvestDir, HiddenJob, HiddenSettings, Institutions, Numbers, Revisits, Seed,
    StoringRules, Watching, WhichDatabases, ask_databases, crawl,
};
use auslese_hidden::{PlanSettings, ProbingSettings};
use auslese_net::{ConnectTo, NetSettings};
use auslese_testnet::databases::{
    Catalogue, CatalogueOptions, CatalogueRow, DbContentOffer, Essential, GuideOptions,
    HotelDatabase, HotelGuide, Matching,
};
use auslese_testnet::{Internet, LogDetail, Running, Site};
use clap::Args;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::watch;
use url::Url;

/// Measure what it costs to bring databases behind forms to light
///
/// Databases of known content are served on loopback and asked without pauses. The first table tells how much of
/// a catalogue that nobody described is seen; the second what databases of different sizes cost.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BenchHiddenArgs {
    /// Rows of the catalogue
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    rows: usize,

    /// Sizes of the databases in the second table
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    sizes: Vec<usize>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese bench hidden
  auslese bench hidden --rows 2000 --sizes 100,1000 --json";

/// Queries after which coverage is told.
const BUDGETS: [u64; 3] = [30, 100, 300];
/// Rows at which answers are cut.
const CAPS: [Option<usize>; 3] = [None, Some(1_000), Some(100)];
/// Most queries for beginnings.
const BEGINNINGS: u64 = 20_000;
const SEED: u64 = 2001;
const HOST: &str = "http://h.example";

/// How much was seen of a catalogue.
#[derive(Debug, Serialize)]
struct Seen {
    way: &'static str,
    cap: Option<usize>,
    budget: u64,
    queries: u64,
    requests: u64,
    rows: u64,
    share: f64,
    /// What the oracle sees with as many queries.
    oracle: Option<f64>,
    empty_share: f64,
    seconds: f64,
}

/// What a database cost.
#[derive(Debug, Serialize)]
struct Cost {
    rows: usize,
    way: String,
    requests: u64,
    bytes: u64,
    values: u64,
    /// Different values there are.
    of: u64,
    seconds: f64,
    stopped: Option<String>,
}

pub(super) fn run(args: &BenchHiddenArgs) -> Outcome {
    let mut seen = Vec::new();
    for cap in CAPS {
        let options = CatalogueOptions { cap, page_size: None, ..CatalogueOptions::default() };
        let catalogue = Catalogue::new(args.rows, SEED).with(options);
        let oracle = oracle(catalogue.rows(), cap);
        for budget in BUDGETS {
            seen.push(probed("words", &catalogue, budget, None, oracle_at(&oracle, budget))?);
        }
    }
    let options = CatalogueOptions {
        cap: Some(1_000),
        page_size: None,
        matching: Matching::Beginning,
        ..CatalogueOptions::default()
    };
    let catalogue = Catalogue::new(args.rows, SEED).with(options);
    seen.push(probed("beginnings", &catalogue, BEGINNINGS, Some("%"), None)?);
    if !args.json {
        output::print(&format!("{}\n", seen_table(&seen)))?;
    }
    let mut costs = Vec::new();
    for rows in &args.sizes {
        costs.extend(costs_of(*rows)?);
    }
    match args.json {
        true => output::print_json(&serde_json::json!({ "coverage": seen, "costs": costs }))?,
        false => output::print(&cost_table(&costs))?,
    }
    Ok(Exit::Done)
}

/// A site on loopback and a harvest of its pages.
struct Place {
    web: Running,
    dir: HarvestDir,
    _temporary: TempDir,
}

impl Place {
    /// Serves a site and crawls what links lead to.
    fn of(site: Site) -> Result<Place, Failure> {
        let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
        let internet = Internet::new().site(site).log_detail(LogDetail::Brief);
        let web = internet.start().context("cannot start the simulated internet")?;
        let dir = HarvestDir::create(temporary.path().join("harvest")).map_err(harvest_failure)?;
        let place = Place { web, dir, _temporary: temporary };
        let runtime = tokio::runtime::Runtime::new()?;
        let (numbers, _) = watch::channel(Numbers::default());
        let (_keep, stop) = watch::channel(false);
        let crawling = crawl(&place.dir, place.job()?, Watching { numbers, stop });
        runtime.block_on(crawling).map_err(harvest_failure)?;
        Ok(place)
    }

    fn job(&self) -> Result<CrawlJob, Failure> {
        let seed = Url::parse(HOST)?;
        let mut settings = CrawlSettings::default();
        settings.politeness.delay = Duration::ZERO;
        Ok(CrawlJob {
            catalog: self.location(),
            catalog_settings: CatalogSettings::default(),
            records: Vec::new(),
            scope: Scope::of_seeds(std::slice::from_ref(&seed)).context("cannot make a scope")?,
            seeds: vec![Seed { url: seed, label: None }],
            institutions: Institutions::default(),
            crawl: settings,
            net: NetSettings {
                dns: vec![self.web.dns()],
                connect_to: vec![ConnectTo {
                    addresses: "0.0.0.0/0".parse()?,
                    port: Some(80),
                    to: self.web.http(),
                }],
                only_mapped: true,
                spill_dir: self.dir.root().to_owned(),
                ..NetSettings::default()
            },
            archive: ArchiveSettings::default(),
            storing: StoringRules::default(),
            revisits: Revisits::Off,
            recrawl: false,
            discovery: None,
            archive_limit: None,
            worker: "bench".to_owned(),
            sharing: None,
            config_text: String::new(),
        })
    }

    fn location(&self) -> Location {
        Location::from(self.dir.catalog().as_path())
    }

    /// Asks everything there is; what became of it, and how long it took.
    fn ask(&self, settings: HiddenSettings) -> Result<(HiddenDatabase, f64), Failure> {
        let job = HiddenJob { crawl: self.job()?, settings, which: WhichDatabases::Open };
        let runtime = tokio::runtime::Runtime::new()?;
        let (numbers, _) = watch::channel(Numbers::default());
        let (_keep, stop) = watch::channel(false);
        let start = Instant::now();
        let report = runtime
            .block_on(ask_databases(&self.dir, job, Watching { numbers, stop }))
            .map_err(harvest_failure)?;
        let seconds = start.elapsed().as_secs_f64();
        let asked = report.asked.into_iter().next().context("no database was found")?;
        Ok((asked, seconds))
    }

    /// Different values of all attributes.
    fn values(&self, database: &HiddenDatabase) -> Result<u64, Failure> {
        block_on(async {
            let settings = CatalogSettings::default();
            let catalog =
                Catalog::open(&self.location(), &settings).await.map_err(catalog_failure)?;
            let counts = catalog.hidden_attributes(database.id).await.map_err(catalog_failure)?;
            catalog.close().await;
            // What stands in the form is no content.
            let in_form = |name: &str| matches!(name, "preis" | "art");
            let counts = counts.iter().filter(|it| !in_form(&it.attribute));
            Ok(counts.map(|it| it.values).sum())
        })
    }
}

fn site(link: &str) -> Site {
    Site::new(HOST).page("/", format!("<a href='{link}'>Suche</a>"))
}

fn probed(
    way: &'static str,
    catalogue: &Catalogue,
    budget: u64,
    any_ending: Option<&str>,
    oracle: Option<f64>,
) -> Result<Seen, Failure> {
    let place = Place::of(catalogue.clone().add_to(site("/katalog/"), "/katalog/"))?;
    let settings = HiddenSettings {
        probed_hosts: vec!["h.example".to_owned()],
        // The word that nothing contains is no query of the comparison.
        probing: ProbingSettings { queries: budget + 1, any_ending: any_ending.map(str::to_owned) },
        ..HiddenSettings::default()
    };
    let (asked, seconds) = place.ask(settings)?;
    let rows = place.values(&asked)?;
    let empty = asked.new.plan["empty"].as_u64().unwrap_or(0);
    Ok(Seen {
        way,
        cap: catalogue.options.cap,
        budget,
        queries: asked.queries,
        requests: asked.requests,
        rows,
        share: rows as f64 / catalogue.rows().len() as f64,
        oracle,
        empty_share: empty as f64 / asked.queries.max(1) as f64,
        seconds,
    })
}

/// How many rows are seen with the first so many queries of somebody who knows every row, query by query.
fn oracle(rows: &[CatalogueRow], cap: Option<usize>) -> Vec<f64> {
    let mut having: HashMap<String, Vec<usize>> = HashMap::default();
    for (at, row) in rows.iter().enumerate() {
        let title = row.title.to_lowercase();
        let words: HashSet<&str> = title.split_whitespace().collect();
        for word in words {
            let shown = having.entry(word.to_owned()).or_default();
            if cap.is_none_or(|cap| shown.len() < cap) {
                shown.push(at);
            }
        }
    }
    let mut seen = vec![false; rows.len()];
    let (mut count, mut course) = (0usize, Vec::new());
    let most = BUDGETS.iter().copied().max().unwrap_or(0);
    let new = |shown: &[usize], seen: &[bool]| shown.iter().filter(|at| !seen[**at]).count();
    for _ in 0..most {
        let best = having.values().max_by_key(|shown| new(shown, &seen));
        let Some(best) = best.cloned() else { break };
        for at in best {
            count += usize::from(!std::mem::replace(&mut seen[at], true));
        }
        course.push(count as f64 / rows.len().max(1) as f64);
    }
    course
}

fn oracle_at(course: &[f64], budget: u64) -> Option<f64> {
    let last = usize::try_from(budget).unwrap_or(usize::MAX).min(course.len());
    course.get(last.checked_sub(1)?).copied()
}

/// The same database by every way.
fn costs_of(rows: usize) -> Result<Vec<Cost>, Failure> {
    let database = Arc::new(HotelDatabase::new(rows, SEED));
    let hotels: HashSet<&str> = database.hotels().iter().map(|it| it.name.as_str()).collect();
    let of = (database.regions().len() + database.towns().len() + hotels.len()) as u64;
    let mut costs = Vec::new();
    let mut note = |way: &str, place: &Place, settings: HiddenSettings| -> Result<(), Failure> {
        let (asked, seconds) = place.ask(settings)?;
        costs.push(Cost {
            rows,
            way: way.to_owned(),
            requests: asked.requests,
            bytes: asked.bytes,
            values: place.values(&asked)?,
            of,
            seconds,
            stopped: asked.stopped,
        });
        Ok(())
    };
    let offer = DbContentOffer {
        database: Arc::clone(&database),
        interface: format!("{HOST}/hotels/"),
        token: None,
    };
    let place = Place::of(offer.add_to(site(DbContentOffer::DOCUMENT)))?;
    note("DBContent", &place, HiddenSettings::default())?;
    #[rustfmt::skip]
    let described = [
        ("DB.*, 1 element",      Essential::Region),
        ("DB.*, 2 elements",     Essential::RegionAndPrice),
        ("DB.*, 3 elements",     Essential::RegionPriceAndKind),
        ("DB.*, expression",     Essential::Town),
    ];
    for (way, essential) in described {
        let options = GuideOptions { essential, ..GuideOptions::default() };
        let guide = HotelGuide { database: Arc::clone(&database), options };
        let place = Place::of(guide.add_to(site("/hotels/"), "/hotels/"))?;
        let plan = PlanSettings { budget: 100_000, ..PlanSettings::default() };
        note(way, &place, HiddenSettings { plan, ..HiddenSettings::default() })?;
    }
    let options = CatalogueOptions { page_size: None, ..CatalogueOptions::default() };
    let catalogue = Catalogue::new(rows, SEED).with(options);
    let place = Place::of(catalogue.add_to(site("/katalog/"), "/katalog/"))?;
    let settings =
        HiddenSettings { probed_hosts: vec!["h.example".to_owned()], ..HiddenSettings::default() };
    note("probing, a catalogue", &place, settings)?;
    if let Some(probed) = costs.last_mut() {
        probed.of = rows as u64;
    }
    Ok(costs)
}

fn seen_table(seen: &[Seen]) -> String {
    let heading = [
        "way",
        "cut at",
        "queries",
        "rows seen",
        "share",
        "oracle",
        "of oracle",
        "empty",
        "seconds",
    ];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    for it in seen {
        let oracle = it.oracle.filter(|oracle| *oracle > 0.0);
        rows.push(vec![
            it.way.to_owned(),
            it.cap.map_or_else(|| "–".to_owned(), |cap| cap.to_string()),
            it.queries.to_string(),
            it.rows.to_string(),
            percent(it.share),
            oracle.map(percent).unwrap_or_default(),
            oracle.map(|oracle| percent(it.share / oracle)).unwrap_or_default(),
            percent(it.empty_share),
            format!("{:.1}", it.seconds),
        ]);
    }
    output::table(&rows)
}

fn cost_table(costs: &[Cost]) -> String {
    let heading = ["rows", "way", "requests", "received", "values", "of", "seconds", ""];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for it in costs {
        rows.push(vec![
            it.rows.to_string(),
            it.way.clone(),
            it.requests.to_string(),
            size_text::format(it.bytes),
            it.values.to_string(),
            it.of.to_string(),
            format!("{:.2}", it.seconds),
            it.stopped.clone().unwrap_or_default(),
        ]);
    }
    output::table(&rows)
}

//! `auslese hidden run`: asks databases whose providers agree, and those whose hosts were named for it.

use super::listing;
use crate::args::Place;
use crate::commands::corpus::Telling;
use crate::commands::crawl::{harvest_failure, watched};
use crate::commands::crawl_plan::{CrawlArgs, Plan};
use crate::config::Overrides;
use crate::config::text_forms::{HOST_PATTERN, web_url};
use crate::messages::{Color, Exit, Failure, Outcome};
use crate::output;
use crate::progress::Wish;
use auslese_crawl::BudgetSettings;
use auslese_harvest::{
    CrawlEnd, HarvestDir, HiddenJob, HiddenReport, WhichDatabases, ask_databases,
};
use clap::Args;
use url::Url;

/// Ask databases, and keep what they say; the same command goes on after an interruption
///
/// Without addresses all databases are asked whose providers agree and that were not asked yet. What was
/// archived since the last time is looked through for databases first. Answers are read by the rules of the provider, and
/// all different values are kept; `auslese hidden show` shows them, and `auslese search` finds them.
#[derive(Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// Databases by the address of their form, document or repository, asked before or not
    #[arg(value_name = "URL", value_parser = web_url)]
    urls: Vec<Url>,

    /// Ask again what was asked before; repositories hand out what has changed since
    #[arg(long, conflicts_with = "urls")]
    again: bool,

    /// A repository (OAI-PMH) that no page announces
    #[arg(long, value_name = "URL", value_parser = web_url)]
    oai: Vec<Url>,

    /// A host whose search forms may be asked although nobody described them; .uni.example means all below it, too
    #[arg(long, value_name = "HOST", value_parser = host_pattern)]
    probe: Vec<String>,

    /// Most queries for each such form
    #[arg(long, value_name = "N", requires = "probe", value_parser = clap::value_parser!(u64).range(1..))]
    probe_queries: Option<u64>,

    /// The sign for any ending that these forms know, such as %
    #[arg(long, value_name = "SIGN", requires = "probe")]
    any_ending: Option<String>,

    /// Most queries for a database that its provider has described
    #[arg(long, value_name = "N")]
    budget: Option<u64>,

    /// Ask the first queries if a database needs more than the budget allows
    #[arg(long)]
    truncate: bool,

    /// Send fields that nothing is asked of as a browser would
    #[arg(long)]
    browser_defaults: bool,

    /// Print the databases that were asked as JSON
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese hidden run --dir giessen
  auslese hidden run http://www.uni.example/hotels/ --dir giessen
  auslese hidden run --oai https://repository.uni.example/oai --dir giessen
  auslese hidden run --probe museum.uni.example --probe-queries 100 --dir giessen
  auslese hidden run --again --json --dir giessen";

fn host_pattern(text: &str) -> Result<String, String> {
    (HOST_PATTERN.check)(text).map(|()| text.to_owned())
}

pub(super) fn run(args: &RunArgs, place: &Place, color: Color) -> Outcome {
    place.require_dir()?;
    let plan = CrawlArgs::quiet().plan(place)?;
    let mut settings = plan.config.hidden.settings();
    settings.plan.budget = args.budget.unwrap_or(settings.plan.budget);
    settings.plan.truncate = args.truncate;
    settings.plan.browser_defaults |= args.browser_defaults;
    settings.probed_hosts.extend(args.probe.iter().cloned());
    settings.probing.queries = args.probe_queries.unwrap_or(settings.probing.queries);
    settings.probing.any_ending = args.any_ending.clone().or(settings.probing.any_ending);
    settings.repositories.extend(args.oai.iter().cloned());
    let which = match (args.urls.is_empty(), args.again) {
        (false, _) => WhichDatabases::At(args.urls.clone()),
        (true, true) => WhichDatabases::All,
        (true, false) => WhichDatabases::Open,
    };
    let wish = if args.quiet || args.json { Wish::Quiet } else { Wish::People };
    let dir = plan.config.harvest_dir(place.dir())?;
    let job = HiddenJob { crawl: job(&plan, &dir)?, settings, which };
    let report = carry_out(&dir, job, wish, color)?;
    if !args.urls.is_empty() && report.asked.is_empty() {
        return Err(Failure::usage("there is no database at this address that may be asked").hint(
            "`auslese hidden list` names those that are known, with the reason where one is not asked",
        ));
    }
    match args.json {
        true => output::print_json(&listing::as_json(&report.asked))?,
        false => output::print(&story(&report))?,
    }
    Ok(exit_of(&report))
}

/// The stage as a part of `auslese run` and `auslese recrawl`.
pub(crate) fn run_after_crawl(
    telling: Telling,
    again: bool,
    place: &Place,
    overrides: Overrides,
    color: Color,
) -> Outcome {
    let config = place.sources(overrides).load()?;
    if !config.hidden.after_crawl {
        return Ok(Exit::Done);
    }
    let wish = if telling == Telling::People { Wish::People } else { Wish::Quiet };
    let report = ask_all(place, again, wish, color)?;
    if telling == Telling::People && report.known > 0 {
        output::print(&format!("\n{}", story(&report)))?;
    }
    Ok(exit_of(&report))
}

/// The stage with the settings of the harvest, without a word.
pub(crate) fn ask(place: &Place, again: bool, color: Color) -> Result<HiddenReport, Failure> {
    ask_all(place, again, Wish::Quiet, color)
}

fn ask_all(place: &Place, again: bool, wish: Wish, color: Color) -> Result<HiddenReport, Failure> {
    let plan = CrawlArgs::quiet().plan(place)?;
    let dir = plan.config.harvest_dir(place.dir())?;
    let which = if again { WhichDatabases::All } else { WhichDatabases::Open };
    let settings = plan.config.hidden.settings();
    carry_out(&dir, HiddenJob { crawl: job(&plan, &dir)?, settings, which }, wish, color)
}

/// Databases have budgets of their own; those of the crawl are about pages.
fn job(plan: &Plan, dir: &HarvestDir) -> Result<auslese_harvest::CrawlJob, Failure> {
    let mut job = plan.job(dir)?;
    job.crawl.budget = BudgetSettings::default();
    job.discovery = None;
    job.recrawl = false;
    Ok(job)
}

fn carry_out(
    dir: &HarvestDir,
    job: HiddenJob,
    wish: Wish,
    color: Color,
) -> Result<HiddenReport, Failure> {
    let asking = async |watching| ask_databases(dir, job, watching).await.map_err(harvest_failure);
    watched(wish, color, asking, |report| report.crawl.as_ref())
}

/// What was asked, and what came of it.
pub(crate) fn story(report: &HiddenReport) -> String {
    let mut text = format!("{} databases known, {} of them new\n", report.known, report.new);
    match report.asked.is_empty() {
        true => text.push_str("none to ask\n"),
        false => text.push_str(&listing::table(&report.asked)),
    }
    text
}

fn exit_of(report: &HiddenReport) -> Exit {
    match report.crawl.as_ref().map(|crawl| &crawl.end) {
        Some(CrawlEnd::Stopped) => Exit::Interrupted,
        _ if report.asked.iter().any(|it| !it.complete) => Exit::Failures,
        _ => Exit::Done,
    }
}

//! `auslese describe survey`: which mark-up carries titles and authors in this harvest.

use super::super::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use auslese_catalog::{Catalog, ListedDescription};
use auslese_describe::Survey;
use auslese_harvest::{HarvestDir, stored_page};
use auslese_model::CaptureId;
use clap::Args;
use std::collections::BTreeMap;
use url::Url;

/// Which mark-up carries titles and authors, how many pages have META or Dublin Core
///
/// Looks at a few pages of every server, drawn by chance, as described by the current run: the mark-up
/// of a site is much the same on all its pages, so a few of each say more than many of one. The same
/// seed draws the same pages.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SurveyArgs {
    /// Pages of each server
    #[arg(long, value_name = "N", default_value_t = 3)]
    per_site: usize,

    /// Number that decides which pages are drawn
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese describe survey --dir giessen
  auslese describe survey --per-site 1 --seed 7 --dir giessen --json";

/// Descriptions asked for at a time.
const PAGE: usize = 1_000;

pub(super) fn run(args: &SurveyArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let dir = config.harvest_dir(place.dir())?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let drawn = draw(&dir, &catalog, args).await?;
        let mut survey = Survey::default();
        for listed in drawn {
            let capture = listed.described.capture;
            if let Ok((_, page)) = stored_page(&dir, &catalog, capture).await {
                survey.add(&page, &listed.described.description);
            }
        }
        catalog.close().await;
        match args.json {
            true => output::print_json(&survey)?,
            false => output::print(&as_text(&survey))?,
        }
        Ok(Exit::Done)
    })
}

/// A few pages of every server: those whose numbers, mixed with the seed, are the smallest.
async fn draw(
    dir: &HarvestDir,
    catalog: &Catalog,
    args: &SurveyArgs,
) -> Result<Vec<ListedDescription>, Failure> {
    let run = catalog.current_describe_run().await.map_err(catalog_failure)?;
    let run = run.ok_or_else(|| {
        Failure::usage("nothing was described yet").hint("`auslese describe` does it")
    })?;
    let mut drawn: BTreeMap<String, Vec<(u64, ListedDescription)>> = BTreeMap::new();
    let mut after = CaptureId(0);
    loop {
        let page = catalog.descriptions(run, after, PAGE).await.map_err(catalog_failure)?;
        let Some(last) = page.last() else { break };
        after = last.described.capture;
        for listed in page {
            let Ok(url) = Url::parse(&listed.url) else { continue };
            let site = drawn.entry(url.origin().ascii_serialization()).or_default();
            let lot = lot(&listed.url, args.seed);
            let place = site.partition_point(|(drawn, _)| *drawn <= lot);
            // What is no page, or cannot be read any more, says nothing about mark-up.
            if place < args.per_site
                && stored_page(dir, catalog, listed.described.capture).await.is_ok()
            {
                site.insert(place, (lot, listed));
                site.truncate(args.per_site);
            }
        }
    }
    Ok(drawn.into_values().flatten().map(|(_, listed)| listed).collect())
}

/// A number that has nothing to do with the page, and is the same every time.
fn lot(url: &str, seed: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed =
        url.bytes().fold(start, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn as_text(survey: &Survey) -> String {
    let mut rows = vec![vec!["mark-up".to_owned(), "title".to_owned(), "author".to_owned()]];
    for carrier in Survey::carriers() {
        let count =
            |counts: &BTreeMap<String, u64>| counts.get(*carrier).copied().unwrap_or(0).to_string();
        rows.push(vec![(*carrier).to_owned(), count(&survey.title), count(&survey.author)]);
    }
    rows.push(vec![
        "none found".to_owned(),
        survey.without_title.to_string(),
        survey.without_author.to_string(),
    ]);
    let share = |count: u64| {
        format!("{count} ({:.0} %)", 100.0 * count as f64 / survey.pages.max(1) as f64)
    };
    let habits = [
        ("META author, description or keywords", survey.with_meta),
        ("Dublin Core", survey.with_dublin_core),
        ("OpenGraph, JSON-LD, microdata or RDFa", survey.with_structured_data),
        ("elements that only format", survey.with_formatting),
        ("TITLE in the body", survey.misplaced_title),
        ("an institution in META description", survey.misused_description),
    ];
    let habits: Vec<[String; 2]> =
        habits.map(|(what, count)| [what.to_owned(), share(count)]).into();
    format!(
        "{} pages; one page may count in several rows\n\n{}\npages with\n{}",
        survey.pages,
        output::table(&rows),
        output::columns(&habits)
    )
}

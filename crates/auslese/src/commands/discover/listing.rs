//! `auslese discover list`: all hosts that were judged, with verdict and deciding reason.

use crate::args::Place;
use crate::commands::catalog_access::{block_on, open_catalog};
use crate::commands::crawl::harvest_failure;
use crate::config::{Config, Overrides};
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use auslese_catalog::{Catalog, CatalogError};
use auslese_harvest::verdicts;
use auslese_model::{Membership, Verdict};
use clap::Args;
use std::path::Path;

/// List the hosts that were judged
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ListArgs {
    /// Only hosts with this verdict: member, foreign or unsure
    #[arg(long, value_name = "VERDICT", value_parser = membership)]
    verdict: Option<Membership>,

    /// Only members in this case, 1 to 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    case: Option<u8>,

    /// Print JSON lines, with all evidence
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese discover list --dir giessen
  auslese discover list --dir giessen --verdict member --case 2
  auslese discover list --dir giessen --json";

fn membership(text: &str) -> Result<Membership, String> {
    Membership::parse(text).ok_or_else(|| format!("`{text}` is none of member, foreign, unsure"))
}

pub(super) fn run(args: &ListArgs, place: &Place) -> Outcome {
    let wanted = |verdict: &Verdict| {
        args.verdict.is_none_or(|membership| verdict.membership == membership)
            && args.case.is_none_or(|case| verdict.case.map(|it| it.number()) == Some(case))
    };
    let mut all = stored(place)?;
    let judged = all.len();
    all.retain(wanted);
    if args.json {
        output::print(&auslese_discover::heritrix::json_lines(&all)?)?;
    } else if all.is_empty() && judged > 0 {
        output::print(&format!("none of the {judged} hosts that were judged\n"))?;
    } else {
        output::print(&host_table(&all))?;
    }
    Ok(Exit::Done)
}

/// All verdicts of the harvest.
pub(crate) fn stored(place: &Place) -> Result<Vec<Verdict>, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_judged(&config, place.dir()).await?;
        let all = verdicts(&catalog).await.map_err(harvest_failure)?;
        catalog.close().await;
        Ok(all)
    })
}

/// Opens the catalog for commands about hosts that were judged.
pub(super) async fn open_judged(config: &Config, dir: &Path) -> Result<Catalog, Failure> {
    let opened = open_catalog(config, dir).await;
    opened.map_err(|failure| match failure.is(is_missing) {
        true => failure.hint(
            "no host was judged here yet: `auslese discover` begins, --dir names another harvest",
        ),
        false => failure,
    })
}

fn is_missing(error: &CatalogError) -> bool {
    matches!(error, CatalogError::Missing { .. })
}

/// Hosts in columns, members first.
pub(crate) fn host_table(verdicts: &[Verdict]) -> String {
    if verdicts.is_empty() {
        return "no host was judged yet\n".to_owned();
    }
    let mut sorted: Vec<&Verdict> = verdicts.iter().collect();
    sorted.sort_by(|a, b| {
        let rank = |verdict: &Verdict| (verdict.membership, verdict.case);
        rank(a).cmp(&rank(b)).then_with(|| a.host.cmp(&b.host))
    });
    let head = ["host", "verdict", "case", "score", "why"].map(str::to_owned);
    let rows = sorted.into_iter().map(|verdict| {
        [
            verdict.host.to_string(),
            verdict.membership.to_string(),
            verdict.case.map_or("–".to_owned(), |case| case.number().to_string()),
            format!("{:.2}", verdict.score),
            verdict.reason.clone(),
        ]
    });
    output::columns(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

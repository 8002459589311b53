//! `auslese recrawl`: another round over everything that was fetched before.

use super::crawl_plan::CrawlArgs;
use super::{corpus, crawl};
use crate::args::Place;
use crate::messages::{Color, Exit, Outcome};
use clap::Args;

/// Harvest again: ask for everything that was fetched before, and see what has changed
///
/// Documents are asked for with the marks their servers gave them, so that an unchanged one costs a
/// short answer and a short record. Changed ones get a new version, vanished ones are marked; new
/// links are followed. Then the corpus is brought up to date. `auslese rounds compare` and `auslese
/// versions URL` show what has changed. After an interruption the same command goes on.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecrawlArgs {
    #[command(flatten)]
    crawl: CrawlArgs,

    /// Only fetch; leave the corpus as it is
    #[arg(long)]
    no_corpus: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese recrawl --dir giessen
  auslese recrawl --dir giessen --max-time 8h";

pub(crate) fn run(args: &RecrawlArgs, place: &Place, color: Color) -> Outcome {
    let exit = crawl::run_again(&args.crawl, place, color)?;
    if args.no_corpus || exit == Exit::Interrupted {
        return Ok(exit);
    }
    let overrides = args.crawl.overrides();
    let chosen = corpus::run_after_crawl(args.crawl.is_quiet(), place, overrides, color)?;
    Ok(if chosen == Exit::Done { exit } else { chosen })
}

//! `auslese run`: all stages in their order; the same command goes on after an interruption.

use super::crawl_plan::CrawlArgs;
use super::discover::{Answers, FindArgs, find};
use super::{corpus, crawl, describe, hidden, search};
use crate::args::Place;
use crate::messages::{Color, Exit, Outcome, Word, say};
use clap::Args;

/// Do all stages: find out which hosts belong, crawl and archive them, ask databases, choose the corpus, describe, index
///
/// In a harvest made by `auslese init`, this is the one command to collect an institution. Without
/// scope rules, the profile of each institution is gathered first (see `auslese discover`), and the
/// crawl then keeps to the hosts that belong; databases whose providers agree are asked; what was archived is read out, judged by the rules
/// of the corpus, described, and made searchable. After an interruption the same command goes on.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) crawl: CrawlArgs,
}

const EXAMPLES: &str = "\
Examples:
  auslese run --dir giessen
  auslese run --dir giessen --max-time 8h --json > progress.jsonl";

pub(crate) fn run(args: &RunArgs, place: &Place, color: Color) -> Outcome {
    let config = place.sources(args.crawl.overrides()).load()?;
    // Whoever writes scope rules has decided what belongs; whoever names addresses, too.
    let discovers = config.crawl.scope.is_empty()
        && !config.harvest.institutions.is_empty()
        && !args.crawl.names_addresses();
    if discovers {
        let quiet = FindArgs::quiet_if(args.crawl.is_quiet());
        let found = find(&quiet, place, args.crawl.overrides(), Answers::default(), color)?;
        if !args.crawl.is_quiet() {
            for profile in &found.profiles {
                let (label, ranges) = (&profile.label, profile.ranges.len());
                say(Word::Note, format!("{label}: {ranges} address ranges"), color);
            }
            if !found.hosts.is_empty() {
                let hosts = found.hosts.len();
                let message = format!(
                    "{hosts} hosts found without a link; `auslese discover list` tells more"
                );
                say(Word::Note, message, color);
            }
        }
    }
    let exit = crawl::run(&args.crawl, place, color)?;
    if exit == Exit::Interrupted {
        return Ok(exit);
    }
    let (telling, overrides) = (args.crawl.telling(), args.crawl.overrides());
    let asked = hidden::run_after_crawl(telling, false, place, overrides, color)?;
    if asked == Exit::Interrupted {
        return Ok(asked);
    }
    let overrides = args.crawl.overrides();
    let chosen = corpus::run_after_crawl(args.crawl.telling(), place, overrides, color)?;
    if chosen != Exit::Done {
        return Ok(chosen);
    }
    let overrides = args.crawl.overrides();
    let described = describe::run_after_corpus(args.crawl.telling(), place, overrides, color)?;
    if described != Exit::Done {
        return Ok(described);
    }
    let (telling, overrides) = (args.crawl.telling(), || args.crawl.overrides());
    let indexed = search::run_after_describe(telling, place, overrides, color)?;
    Ok(if indexed == Exit::Done { exit } else { indexed })
}

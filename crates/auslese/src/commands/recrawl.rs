//! `auslese recrawl`: another round over everything that was fetched before.

use super::catalog_access::{block_on, open_catalog};
use super::corpus::Telling;
use super::crawl_plan::CrawlArgs;
use super::rounds::{Changed, changed_documents};
use super::{corpus, crawl, describe, hidden, search};
use crate::args::Place;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use clap::Args;
use serde_json::{Map, Value, json};

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
    let telling = args.crawl.telling();
    let asked = hidden::run_after_crawl(telling, true, place, args.crawl.overrides(), color)?;
    if asked == Exit::Interrupted {
        return Ok(asked);
    }
    let chosen = corpus::run_after_crawl(telling, place, args.crawl.overrides(), color)?;
    if chosen != Exit::Done {
        return Ok(chosen);
    }
    let described = describe::run_after_corpus(telling, place, args.crawl.overrides(), color)?;
    if described != Exit::Done {
        return Ok(described);
    }
    let overrides = || args.crawl.overrides();
    let indexed = search::run_after_describe(telling, place, overrides, color)?;
    if indexed != Exit::Done {
        return Ok(indexed);
    }
    tell_changes(args, place, color)?;
    Ok(exit)
}

/// What has become of the documents, which is what a recrawl is made for.
fn tell_changes(args: &RecrawlArgs, place: &Place, color: Color) -> Result<(), Failure> {
    let telling = args.crawl.telling();
    if telling == Telling::Nobody {
        return Ok(());
    }
    let config = place.sources(args.crawl.overrides()).load()?;
    let changed = block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let changed = changed_documents(&catalog).await;
        catalog.close().await;
        changed
    })?;
    if telling == Telling::Programs {
        return output::print(&format!("{}\n", as_json(&changed)));
    }
    let counts =
        changed.counts.iter().map(|(change, count)| format!("{count} {}", change.as_str()));
    let counts: Vec<String> = counts.collect();
    output::print(&format!("\nround {}: {}\n", changed.round, counts.join(", ")))?;
    let message = "`auslese rounds compare` shows where and which words, `auslese versions URL` one \
                   document";
    say(Word::Hint, message, color);
    Ok(())
}

fn as_json(changed: &Changed) -> Value {
    let counts = changed.counts.iter();
    let counts: Map<String, Value> =
        counts.map(|(change, count)| (change.as_str().to_owned(), json!(count))).collect();
    json!({ "event": "round", "round": changed.round, "documents": counts })
}

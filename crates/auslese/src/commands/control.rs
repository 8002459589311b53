//! `auslese control`: notes for a crawl, left in its catalog.
//!
//! A running crawl looks for notes several times a second; without one, the next crawl finds them.
//! So this command needs no connection to the crawl, and works from any machine that reaches the
//! catalog.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::crawl::harvest_failure;
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_catalog::Catalog;
use auslese_harvest::{
    ExclusionPreview, HarvestDir, ask_to_stop, crawl_standing, parse_exclusion, preview_exclusion,
};
use auslese_model::Timestamp;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::path::Path;

/// Pause or stop a running crawl, let it go on, or leave something out
#[derive(Debug, Args)]
pub(crate) struct ControlArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Send nothing more until `resume`; what is under way is finished
    #[command(after_help = PAUSE_EXAMPLES)]
    Pause(Format),
    /// Go on after `pause`
    #[command(after_help = RESUME_EXAMPLES)]
    Resume(Format),
    /// Let a running crawl finish what is under way and end, as after the first Ctrl-C
    ///
    /// The same command goes on later. It is meant for the crawl that runs now: without one it is refused, and
    /// no later crawl follows it.
    #[command(after_help = STOP_EXAMPLES)]
    Stop(Format),
    /// Drop what waits in the queues and fits a test, now and in every later run
    ///
    /// A test is what stands behind `accept` or `reject` in a scope rule, such as `host
    /// www.uni.example` or `regex /calendar/`. What is dropped counts as refused, with the test as
    /// its cause.
    #[command(after_help = EXCLUDE_EXAMPLES)]
    Exclude {
        /// The test of a scope rule
        #[arg(value_name = "TEST", required = true)]
        test: Vec<String>,

        /// Only show what would be dropped
        #[arg(long)]
        preview: bool,

        #[command(flatten)]
        format: Format,
    },
}

#[derive(Debug, Args)]
struct Format {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const PAUSE_EXAMPLES: &str = "\
Examples:
  auslese control pause --dir giessen";

const RESUME_EXAMPLES: &str = "\
Examples:
  auslese control resume --dir giessen";

const STOP_EXAMPLES: &str = "\
Examples:
  auslese control stop --dir giessen";

const EXCLUDE_EXAMPLES: &str = "\
Examples:
  auslese control exclude host www.uni-giessen.de --dir giessen --preview
  auslese control exclude 'regex /calendar/' --dir giessen";

pub(crate) fn run(args: &ControlArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let note = Note::of(&args.action)?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        match &args.action {
            Action::Exclude { test, preview: true, format } => {
                let test = test.join(" ");
                let preview = preview_exclusion(&catalog, &test).await.map_err(harvest_failure)?;
                print_preview(&test, &preview, format)?;
            }
            Action::Pause(format)
            | Action::Resume(format)
            | Action::Stop(format)
            | Action::Exclude { format, .. } => {
                let number = note.leave(&catalog, place.dir()).await?;
                print_left(&note, number, format)?;
            }
        }
        // Closed properly, the file of the catalog holds the note, not only its log.
        catalog.close().await;
        Ok(Exit::Done)
    })
}

/// The kind of the note that only a running crawl gets.
const STOP: &str = "stop";

/// What is left for the crawl.
#[derive(Debug)]
struct Note {
    kind: &'static str,
    body: Value,
}

impl Note {
    fn of(action: &Action) -> Result<Note, Failure> {
        Ok(match action {
            Action::Pause(_) => Note { kind: "pause", body: json!({}) },
            Action::Resume(_) => Note { kind: "resume", body: json!({}) },
            Action::Stop(_) => Note { kind: STOP, body: json!({}) },
            Action::Exclude { test, .. } => {
                let test = test.join(" ");
                // A note that the crawl cannot read would be dropped there without a word to us.
                parse_exclusion(&test).map_err(|cause| bad_test(&test, cause))?;
                Note { kind: "exclude", body: json!({ "test": test }) }
            }
        })
    }

    async fn leave(&self, catalog: &Catalog, dir: &Path) -> Result<i64, Failure> {
        if self.kind == STOP {
            return stop(catalog, dir).await;
        }
        let now = Timestamp::now();
        catalog.write_control(self.kind, &self.body, now).await.map_err(catalog_failure)
    }
}

/// Asks the crawl that runs now to end.
async fn stop(catalog: &Catalog, dir: &Path) -> Result<i64, Failure> {
    let dir = HarvestDir::open(dir).map_err(harvest_failure)?;
    let standing = crawl_standing(&dir, catalog).await.map_err(harvest_failure)?;
    match standing.run.filter(|_| standing.state.is_alive()) {
        Some(run) => ask_to_stop(catalog, run.id).await.map_err(catalog_failure),
        None => Err(Failure::new(Exit::Failures, anyhow::anyhow!("no crawl is running here"))
            .hint("`auslese status` tells how the last one ended")),
    }
}

fn bad_test(test: &str, cause: auslese_crawl::CrawlError) -> Failure {
    let error = anyhow::Error::new(cause).context(format!("`{test}` is not a test"));
    Failure::new(Exit::Usage, error).hint(
        "a test is what stands behind `reject` in a scope rule: `host www.uni.example`, \
         `host .uni.example`, `regex /calendar/`, `suffix .zip`",
    )
}

fn print_left(note: &Note, number: i64, format: &Format) -> Result<(), Failure> {
    if format.json {
        return output::print_json(&json!({
            "note": number,
            "kind": note.kind,
            "body": note.body,
        }));
    }
    let heeded = match note.kind {
        STOP => "the crawl finishes what is under way and ends; the same command goes on later",
        "exclude" => "a running crawl drops it within a second; it holds for later runs too",
        _ => "a running crawl follows within a second; without one, the next crawl will",
    };
    output::print(&format!("{} noted: {heeded}\n", note.kind))
}

fn print_preview(test: &str, preview: &ExclusionPreview, format: &Format) -> Result<(), Failure> {
    let ExclusionPreview { count, examples } = preview;
    if format.json {
        return output::print_json(&json!({
            "test": test,
            "queued": count,
            "examples": examples,
        }));
    }
    let mut text = format!("queued requests that fit `{test}`: {count}\n");
    for url in examples {
        text.push_str(&format!("  {url}\n"));
    }
    let more = count.saturating_sub(examples.len() as u64);
    if more > 0 {
        text.push_str(&format!("  and {more} more\n"));
    }
    output::print(&Harmless(text).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes() {
        let exclude = |test: &str| Action::Exclude {
            test: test.split(' ').map(str::to_owned).collect(),
            preview: false,
            format: Format { json: false },
        };
        #[rustfmt::skip]
        let cases = [
            (exclude("host www.uni.example"), Some(json!({ "test": "host www.uni.example" }))),
            (exclude("regex /calendar/"),     Some(json!({ "test": "regex /calendar/" }))),
            (exclude("hosts www.uni.example"), None),
            (exclude("regex ("),              None),
            (Action::Pause(Format { json: true }), Some(json!({}))),
        ];
        for (action, body) in cases {
            assert_eq!(Note::of(&action).ok().map(|note| note.body), body, "{action:?}");
        }
    }
}

//! `auslese config`: is the configuration right, and what holds?

use crate::args::Place;
use crate::config::{self, CONFIG_FILE, Effective, Overrides, Sources};
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

/// Check the configuration, or show what holds
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Find all mistakes in auslese.toml, each with line and column
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Format),
    /// List every setting with its value and where it comes from
    #[command(after_help = SHOW_EXAMPLES)]
    Show(Format),
}

#[derive(Debug, Args)]
struct Format {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  auslese config check
  auslese config check --dir giessen --json";

const SHOW_EXAMPLES: &str = "\
Examples:
  auslese config show
  auslese config show --net net.toml
  auslese config show --dir giessen --json | jq .crawl.politeness.delay";

pub(crate) fn run(args: &ConfigArgs, place: &Place) -> Outcome {
    let sources = place.sources(Overrides::default());
    match &args.action {
        Action::Check(format) => check(sources, format),
        Action::Show(format) => show(sources, format),
    }
}

fn check(sources: Sources, format: &Format) -> Outcome {
    let file = sources.config_file();
    if !file.exists() {
        let message = format!("there is no {CONFIG_FILE} in {}", sources.dir.display());
        return Err(Failure::usage(message)
            .hint("write one with `auslese init DOMAIN`, or name the harvest with --dir"));
    }
    let (_, problems) = sources.read()?;
    if format.json {
        output::print_json(&json!({ "file": file, "problems": problems }))?;
    }
    match (problems.is_empty(), format.json) {
        (true, true) => {}
        (true, false) => output::print(&format!("{}: no problems\n", file.display()))?,
        (false, true) => return Ok(Exit::Usage),
        (false, false) => return Err(config::failure_of(problems)),
    }
    Ok(Exit::Done)
}

fn show(sources: Sources, format: &Format) -> Outcome {
    let (effective, problems) = sources.read()?;
    if !problems.is_empty() {
        return Err(config::failure_of(problems));
    }
    if format.json {
        output::print_json(&as_json(&effective)?)?;
    } else {
        output::print(&effective.to_text())?;
    }
    Ok(Exit::Done)
}

/// `{ "net": { "proxy": { "value": null, "from": "default" } } }`
fn as_json(effective: &Effective) -> Result<Value, Failure> {
    let mut root = Map::new();
    for (table, key, held) in effective.iter() {
        let mut below = &mut root;
        for part in table.split('.') {
            let entry = below.entry(part).or_insert_with(|| json!({}));
            let Value::Object(entry) = entry else {
                return Err(Failure::usage(format!("the table {table} has the name of a setting")));
            };
            below = entry;
        }
        below.insert(key.to_owned(), json!({ "value": held.value, "from": held.origin }));
    }
    Ok(Value::Object(root))
}

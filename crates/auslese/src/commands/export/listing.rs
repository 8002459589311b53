//! `auslese export formats`: what can be written.

use crate::messages::{Exit, Outcome};
use crate::output;
use auslese_harvest::ExportFormat;
use clap::Args;
use serde_json::json;

/// List the formats: name, what is written, and what it is
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FormatsArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese export formats
  auslese export formats --json";

pub(super) fn run(args: &FormatsArgs) -> Outcome {
    if args.json {
        let formats = ExportFormat::all().map(|format| {
            json!({
                "name": format.name(),
                "output": format.output().as_str(),
                "about": format.about(),
                "can_split": format.can_split(),
            })
        });
        output::print_json(&formats.collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = ExportFormat::all()
        .map(|format| {
            [format.name(), format.output().as_str(), format.about()].map(str::to_owned).to_vec()
        })
        .collect();
    output::print(&output::table(&rows))?;
    Ok(Exit::Done)
}

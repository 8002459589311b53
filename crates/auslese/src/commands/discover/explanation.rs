//! `auslese discover explain`: why a host belongs, or does not.

use super::work::asking_of;
use super::{Answers, AskingArgs, host};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Harmless, Outcome};
use crate::output;
use auslese_discover::judge::explain;
use auslese_model::HostName;
use clap::Args;

/// Say why a host belongs or does not, with all evidence
///
/// What is known is used; what is not is asked, as the crawl would ask.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// The host
    #[arg(value_name = "HOST", value_parser = host)]
    host: HostName,

    /// Look at every indicator, also after the verdict is certain
    #[arg(long)]
    explain_all: bool,

    #[command(flatten)]
    asking: AskingArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese discover explain www.example.org --dir giessen
  auslese discover explain www.example.org --dir giessen --explain-all --json";

pub(super) fn run(args: &ExplainArgs, place: &Place, color: Color) -> Outcome {
    let answers = Answers::of(&args.asking)?;
    let asking = asking_of(place, Overrides::default(), answers, color)?;
    let verdict = asking.judge(&args.host, args.explain_all)?;
    asking.record()?;
    if args.json {
        output::print_json(&verdict)?;
    } else {
        let text: String = explain(&verdict).into_iter().map(|line| line + "\n").collect();
        output::print(&Harmless(text).to_string())?;
    }
    Ok(Exit::Done)
}

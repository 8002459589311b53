//! `auslese discover scan`: looks for web servers in the ranges of the institution.

use super::Answers;
use super::work::asking_of;
use crate::args::Place;
use crate::config::Overrides;
use crate::config::text_forms::network;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use auslese_discover::scan::ScanRefused;
use auslese_harvest::{ScanJob, ScanReport};
use auslese_model::Timestamp;
use clap::Args;
use ipnet::IpNet;

/// Look for web servers in the address ranges of the institution
///
/// Connects to every address of the ranges in the profile, gently and in random order, and reads
/// certificates and headers of the servers it finds. Only scan networks you may scan. The same
/// command goes on after an interruption; after a finished scan it shows what was found.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ScanArgs {
    /// Ranges to scan; all of the profile if none is named
    #[arg(value_name = "RANGE", value_parser = range)]
    ranges: Vec<IpNet>,

    /// A range that you may scan although the profile does not name it
    #[arg(long, value_name = "RANGE", value_parser = range)]
    i_own: Vec<IpNet>,

    /// Ports to try, in place of those of auslese.toml (80 and 443)
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Vec<u16>,

    /// Addresses or ranges to leave alone
    #[arg(long, value_name = "RANGE", value_parser = range)]
    exclude: Vec<IpNet>,

    /// More than 65,536 addresses are meant
    #[arg(long)]
    large: bool,

    /// Begin anew, although there is an earlier scan, finished or not
    #[arg(long)]
    anew: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese discover scan --dir giessen
  auslese discover scan 134.176.2.0/24 --exclude 134.176.2.7 --dir giessen
  auslese discover scan --port 80 --port 443 --port 8080 --dir giessen --json";

fn range(text: &str) -> Result<IpNet, String> {
    network(text)
}

pub(super) fn run(args: &ScanArgs, place: &Place, color: Color) -> Outcome {
    let asking = asking_of(place, Overrides::default(), Answers::default(), color)?;
    asking.require_profiles()?;
    let settings = &asking.config.discover.scan;
    let mut rules = settings.rules();
    rules.i_own.extend(&args.i_own);
    rules.exclude.extend(&args.exclude);
    rules.large |= args.large;
    if !args.port.is_empty() {
        rules.ports = args.port.clone();
    }
    let ranges = args.ranges.clone();
    let scan = ScanJob { ranges, rules, place: settings.vantage.clone(), anew: args.anew };
    let asked_at = Timestamp::now();
    let report = asking.run(async |work| work.scan(&scan, args.json).await).map_err(hinted)?;
    if args.json {
        output::print_json(&report.servers)?;
    } else {
        output::print(&table(&report))?;
    }
    if let Some(begun) = report.begun.filter(|begun| *begun < asked_at && report.finished) {
        let begun = begun.to_second_text();
        say(Word::Note, format!("this scan was begun at {begun}; --anew scans again"), color);
    }
    if !report.finished {
        say(Word::Note, "stopped; the same command goes on where it stopped", color);
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// What helps if a scan is refused.
fn hinted(failure: Failure) -> Failure {
    let hint = |refused: &ScanRefused| match refused {
        ScanRefused::Foreign { .. } => Some("if you may scan it, say so with --i-own RANGE"),
        ScanRefused::Large { .. } => Some("say --large, or name a part of the ranges"),
        ScanRefused::TooLarge { .. } | ScanRefused::WideV6 { .. } => {
            Some("name a part of the ranges")
        }
        ScanRefused::Nothing { .. } => {
            Some("add ranges to organisation.toml, or name one that is yours with --i-own RANGE")
        }
        _ => None,
    };
    match failure.cause::<ScanRefused>().and_then(hint) {
        Some(words) => failure.hint(words),
        None => failure,
    }
}

fn table(report: &ScanReport) -> String {
    let head = ["address", "ports", "class", "names", "why"].map(str::to_owned);
    let rows = report.servers.iter().map(|server| {
        let ports: Vec<String> = server.ports.iter().map(|port| port.port.to_string()).collect();
        let names: Vec<&str> = server.candidates.iter().map(|it| it.name.as_str()).collect();
        [
            server.address.to_string(),
            ports.join(" "),
            server.class.as_str().to_owned(),
            names.join(" "),
            server.reason.clone(),
        ]
    });
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    let count = format!("{} web servers at {} addresses\n", report.servers.len(), report.addresses);
    if rows.len() == 1 { count } else { count + &output::columns(&rows) }
}

//! `auslese discover export`: the members in forms that other crawlers read.

use super::listing::stored;
use crate::args::Place;
use crate::commands::crawl::harvest_failure;
use crate::messages::{Exit, Outcome};
use crate::{organisation, output};
use auslese_discover::heritrix::{
    MAX_ADDRESSES, address_rule, json_lines, seeds, single_addresses, surt_prefixes,
};
use auslese_harvest::HarvestDir;
use clap::{Args, ValueEnum};

/// Write the members for other programs: Heritrix, spreadsheets, scripts
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExportArgs {
    /// What to write
    #[arg(long, value_enum)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// SURT prefixes of the members, for Heritrix
    Surt,
    /// Start pages of the members
    Seeds,
    /// A bean with the addresses of all ranges, for Heritrix' IpAddressSetDecideRule
    Addresses,
    /// Every verdict with its evidence, as JSON lines
    Jsonl,
}

const EXAMPLES: &str = "\
Examples:
  auslese discover export --format surt --dir giessen > surts.txt
  auslese discover export --format addresses --dir giessen > rule.xml
  auslese discover export --format jsonl --dir giessen";

pub(super) fn run(args: &ExportArgs, place: &Place) -> Outcome {
    let lines = |lines: Vec<String>| lines.into_iter().map(|line| line + "\n").collect();
    let text: String = match args.format {
        Format::Surt => lines(surt_prefixes(&stored(place)?)),
        Format::Seeds => lines(seeds(&stored(place)?)),
        Format::Jsonl => json_lines(&stored(place)?)?,
        Format::Addresses => {
            let dir = HarvestDir::open(place.dir()).map_err(harvest_failure)?;
            let profiles = organisation::read(dir.root())?;
            let ranges: Vec<_> =
                profiles.iter().flat_map(|it| it.ranges.iter().map(|range| range.net)).collect();
            let set = single_addresses(&ranges, MAX_ADDRESSES);
            let left_out: String = set
                .left_out
                .iter()
                .map(|range| format!("<!-- too large to be listed: {range} -->\n"))
                .collect();
            left_out + &address_rule(&set.addresses)
        }
    };
    output::print(&text)?;
    Ok(Exit::Done)
}

//! `auslese discover`: which hosts belong to the institutions, and why.

mod answers;
mod decisions;
mod evaluation;
mod explanation;
mod exports;
mod finding;
mod imports;
mod listing;
mod profile_text;
mod registries;
mod scanning;
mod work;

pub(crate) use answers::Answers;
pub(crate) use finding::{Found, find, net_file};
pub(crate) use listing::{host_table, stored as stored_verdicts};
pub(crate) use profile_text::profile_text;
pub(crate) use work::discovery_of;

use crate::args::Place;
use crate::commands::institutions::{can_be_in_the_dns, parse_root};
use crate::config::Institution;
use crate::messages::{Color, Outcome};
use auslese_model::HostName;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Find out which hosts belong to an institution, and why
///
/// Asks name servers, registries and the start page about the institution, writes what they say to
/// organisation.toml, and judges every host that is known without a link: reverse names of its
/// address ranges, imported lists, scanned servers. Hosts that are linked are judged by the crawl.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct DiscoverArgs {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    finding: FindArgs,
}

impl DiscoverArgs {
    /// Whether it means nothing in a directory that does not exist.
    pub(crate) fn works_on_a_harvest(&self) -> bool {
        match &self.action {
            None => self.finding.domain.is_none(),
            Some(Action::Vhosts(args)) => args.judges(),
            Some(Action::ParseWhois(_) | Action::Similarity(_)) => false,
            Some(_) => true,
        }
    }
}

#[derive(Debug, Args, Clone, Default)]
pub(crate) struct FindArgs {
    /// A domain (or start page, or address) of the institution; without one, those of auslese.toml
    #[arg(value_name = "DOMAIN", value_parser = parse_root)]
    pub(crate) domain: Option<Institution>,

    /// Gather the profile anew, although there is one
    #[arg(long)]
    pub(crate) refresh: bool,

    /// Mail address or web page where server operators reach you
    #[arg(long, value_name = "MAIL", value_parser = crate::config::text_forms::contact)]
    pub(crate) contact: Option<String>,

    #[command(flatten)]
    pub(crate) asking: AskingArgs,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl FindArgs {
    /// For callers that print nothing, or all of it.
    pub(crate) fn quiet_if(quiet: bool) -> FindArgs {
        FindArgs { json: quiet, ..FindArgs::default() }
    }
}

/// Where answers of registries come from.
#[derive(Debug, Args, Clone, Default)]
pub(crate) struct AskingArgs {
    /// Ask everybody anew, whatever is known
    #[arg(long, conflicts_with = "replay")]
    pub(crate) live: bool,

    /// Write everything that was asked and answered to a file
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(crate) record: Option<PathBuf>,

    /// Ask nobody: take all answers from a file written with --record
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  auslese discover uni-giessen.de --dir giessen --contact archive@uni-giessen.de
  auslese discover --dir giessen --refresh
  auslese discover explain www.example.org --dir giessen
  auslese discover review --dir giessen";

#[derive(Debug, Subcommand)]
enum Action {
    Explain(explanation::ExplainArgs),
    List(listing::ListArgs),
    Review(decisions::ReviewArgs),
    Scan(scanning::ScanArgs),
    Vhosts(imports::VhostsArgs),
    Import(imports::ImportArgs),
    Evaluate(evaluation::EvaluateArgs),
    Export(exports::ExportArgs),
    ParseWhois(registries::ParseWhoisArgs),
    Similarity(registries::SimilarityArgs),
}

pub(crate) fn run(args: &DiscoverArgs, place: &Place, color: Color) -> Outcome {
    match &args.action {
        None => finding::run(&args.finding, place, color),
        Some(Action::Explain(args)) => explanation::run(args, place, color),
        Some(Action::List(args)) => listing::run(args, place),
        Some(Action::Review(args)) => decisions::run(args, place, color),
        Some(Action::Scan(args)) => scanning::run(args, place, color),
        Some(Action::Vhosts(args)) => imports::run_vhosts(args, place, color),
        Some(Action::Import(args)) => imports::run_import(args, place, color),
        Some(Action::Evaluate(args)) => evaluation::run(args, place, color),
        Some(Action::Export(args)) => exports::run(args, place),
        Some(Action::ParseWhois(args)) => registries::run_parse_whois(args),
        Some(Action::Similarity(args)) => registries::run_similarity(args),
    }
}

/// A host as people write it: also with a scheme, a port or a path.
fn host(text: &str) -> Result<HostName, String> {
    let bare = text.split_once("://").map_or(text, |(_, rest)| rest);
    let bare = bare.split(['/', '?', '#']).next().unwrap_or(bare);
    let without_port = bare.rsplit_once(':').filter(|(name, port)| {
        port.parse::<u16>().is_ok() && (!name.contains(':') || name.ends_with(']'))
    });
    let name = without_port.map_or(bare, |(name, _)| name);
    let host = HostName::parse(name).ok_or_else(|| format!("\"{text}\" is no host name"))?;
    if !can_be_in_the_dns(&host) {
        return Err(format!("\"{text}\" is no host name: a part of it is empty or too long"));
    }
    Ok(host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hosts_as_people_write_them() {
        #[rustfmt::skip]
        let cases = [
            ("www.uni.example",                  Some("www.uni.example")),
            ("WWW.Uni.Example.",                 Some("www.uni.example")),
            ("http://www.uni.example:8080/a?b",  Some("www.uni.example")),
            ("www.uni.example:443",              Some("www.uni.example")),
            ("größe.example",                    Some("xn--gre-6ka8i.example")),
            ("2001:db8::1",                      Some("[2001:db8::1]")),
            ("http://[2001:db8::1]:80/",         Some("[2001:db8::1]")),
            ("192.0.2.7",                        Some("192.0.2.7")),
            ("nosuch..host",                     None),
            (".uni.example",                     None),
            ("a b",                              None),
            ("https://",                         None),
            ("",                                 None),
        ];
        for (text, expected) in cases {
            assert_eq!(host(text).ok().as_ref().map(HostName::as_str), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_host_is_survived(text in "(?s).{0,80}") {
            let _ = host(&text);
        }
    }
}

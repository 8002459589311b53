//! `auslese search`: finding documents, in one harvest or several, and what belongs to that: the index,
//! evaluation in batches, and how questions are carried from one vocabulary into another.

mod answer_text;
mod asking;
mod batch;
mod indexing;
mod opening;
mod snapshot;
mod transfer;

pub(crate) use asking::answer;
pub(crate) use indexing::{IndexArgs, carry_out as index, report_text, run_after_describe};
pub(crate) use opening::{Opened, query_failure, search_failure};
pub(crate) use snapshot::watched_bytes;
pub(crate) use transfer::collections;

use crate::args::Place;
use crate::config::TransferChoice;
use crate::messages::{Color, Failure, Outcome};
use asking::Question;
use auslese_search::{Facet, Sort};
use batch::{BatchArgs, RunFormat};
use clap::{Args, Subcommand, ValueEnum};
use snapshot::SnapshotArgs;
use std::path::PathBuf;
use transfer::TransferArgs;

/// Find documents by their words and by what they say about themselves
///
/// Words, "phrases", fields (title:, author:, keyword:, host:, lang:, type:, date:2001..2004 …), AND, OR, NOT,
/// prefixes (wort*), similar words (wort~), NEAR/5 and regular expressions (/…/); `docs/searching.md` has
/// the grammar. Hits are ranked by the evidence of all fields, each as far as it is trusted. Terms of
/// other vocabularies are searched, too, where concordances lead there. The index is made by
/// `auslese search index`, or at the end of `auslese run`. Of an index that several workers have made, each in its own
/// directory, name all directories: the answer is that of one index.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct SearchArgs {
    #[command(subcommand)]
    action: Option<Action>,

    /// The question; several words need no quotes
    #[arg(value_name = "QUERY")]
    query: Vec<String>,

    #[command(flatten)]
    asking: AskingArgs,

    #[command(flatten)]
    batch: BatchArgs,
}

/// How a question is asked and its answer is shown.
#[derive(Debug, Args)]
pub(crate) struct AskingArgs {
    /// Search this harvest, too; may be given several times
    #[arg(long, value_name = "DIR")]
    also: Vec<PathBuf>,

    /// Hits to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Hits to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,

    /// The order of the hits
    #[arg(long, value_enum, default_value_t)]
    sort: Order,

    /// Count the hits by this property; may be given several times, or `all`
    #[arg(long, value_name = "FACET", value_parser = facet_or_all)]
    facet: Vec<FacetChoice>,

    /// Only documents with this value of a facet, such as `host=www.uni.example`
    #[arg(long, value_name = "FACET=VALUE", value_parser = facet_value)]
    only: Vec<(Facet, String)>,

    /// No documents with this value of a facet
    #[arg(long, value_name = "FACET=VALUE", value_parser = facet_value)]
    without: Vec<(Facet, String)>,

    /// Which terms of other vocabularies are searched, too [default: the setting `search.transfer`]
    #[arg(long, value_enum, value_name = "WHICH")]
    transfer: Option<TransferChoice>,

    /// Switch one transfer on, by its name in `auslese search transfer explain`
    #[arg(long, value_name = "ID")]
    switch_on: Vec<String>,

    /// Switch one transfer off
    #[arg(long, value_name = "ID")]
    switch_off: Vec<String>,

    /// Trust every statement as if it were certain
    #[arg(long)]
    ignore_weights: bool,

    /// Tell why each document was found, and what each field contributed
    #[arg(long)]
    why: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print a table for spreadsheets: rank, score, title, address, and what is known of each document
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    Index(IndexArgs),
    Similar(SimilarArgs),
    Snapshot(SnapshotArgs),
    Transfer(TransferArgs),
}

/// Find documents that are like one
///
/// Compares its strongest words with those of others. Documents near it along references, in either
/// direction, come first.
#[derive(Debug, Args)]
#[command(after_help = SIMILAR_EXAMPLES)]
pub(crate) struct SimilarArgs {
    /// The address of the document
    #[arg(value_name = "URL")]
    url: String,

    /// Documents to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese search Wissenschaftsgeschichte --dir giessen
  auslese search 'title:Bibliothek AND date:2001..2004' --dir giessen --facet host --facet year
  auslese search '\"soziale Ungleichheit\" -type:course' --why --dir giessen
  auslese search Arbeit --only kept=kept --also ../marburg --dir giessen --json
  auslese search Arbeit --dir first --dir second    (the parts of two workers)
  auslese search index --dir giessen
  auslese search index --from collection.jsonl --dir collection
  auslese search --batch queries.tsv --format trec --dir collection > run.txt
  auslese search -- index    (the word, not the command)";

const SIMILAR_EXAMPLES: &str = "\
Examples:
  auslese search similar http://www.uni.example/papers/a.pdf --dir giessen";

/// The order of hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Order {
    #[default]
    Relevance,
    /// Newest first
    Date,
    /// Last captured first
    Captured,
    Title,
    Host,
}

impl Order {
    fn sort(self) -> Sort {
        match self {
            Order::Relevance => Sort::Relevance,
            Order::Date => Sort::Date,
            Order::Captured => Sort::Captured,
            Order::Title => Sort::Title,
            Order::Host => Sort::Host,
        }
    }
}

/// A facet that is named, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FacetChoice {
    All,
    One(Facet),
}

fn facet_or_all(text: &str) -> Result<FacetChoice, String> {
    if text == "all" {
        return Ok(FacetChoice::All);
    }
    facet(text).map(FacetChoice::One)
}

fn facet(text: &str) -> Result<Facet, String> {
    let names: Vec<&str> = Facet::ALL.iter().map(|facet| facet.name()).collect();
    Facet::parse(text)
        .ok_or_else(|| format!("there is no such facet; there are {}", names.join(", ")))
}

pub(crate) fn facet_value(text: &str) -> Result<(Facet, String), String> {
    let (name, value) =
        text.split_once('=').ok_or("write it as FACET=VALUE, such as host=www.uni.example")?;
    Ok((facet(name)?, value.to_owned()))
}

impl AskingArgs {
    /// As if nothing was said but how many hits to show.
    fn plain(limit: usize) -> AskingArgs {
        AskingArgs {
            also: Vec::new(),
            limit,
            offset: 0,
            sort: Order::default(),
            facet: Vec::new(),
            only: Vec::new(),
            without: Vec::new(),
            transfer: None,
            switch_on: Vec::new(),
            switch_off: Vec::new(),
            ignore_weights: false,
            why: false,
            json: false,
            csv: false,
        }
    }

    fn facets(&self) -> Vec<Facet> {
        if self.facet.contains(&FacetChoice::All) {
            return Facet::ALL.to_vec();
        }
        let named = self.facet.iter().filter_map(|choice| match choice {
            FacetChoice::One(facet) => Some(*facet),
            FacetChoice::All => None,
        });
        named.collect()
    }
}

impl SearchArgs {
    /// Whether it asks a question, which may go to several harvests.
    pub(crate) fn asks(&self) -> bool {
        matches!(self.action, None | Some(Action::Similar(_)))
    }
}

pub(crate) fn run(args: &SearchArgs, place: &Place, color: Color) -> Outcome {
    match &args.action {
        Some(Action::Index(index)) => return indexing::run(index, place, color),
        Some(Action::Similar(similar)) => return asking::similar(similar, place),
        Some(Action::Snapshot(snapshot)) => return snapshot::run(snapshot, place, color),
        Some(Action::Transfer(transfer)) => return transfer::run(transfer, place, color),
        None => {}
    }
    if let Some(file) = &args.batch.batch {
        if !args.query.is_empty() {
            return Err(Failure::usage("--batch brings its own questions")
                .hint("leave out the question, or --batch"));
        }
        return batch::run(file, args, place, color);
    }
    if args.batch.format == Some(RunFormat::Trec) {
        return Err(Failure::usage("--format trec is for --batch"));
    }
    let query = args.query.join(" ");
    if query.trim().is_empty() {
        return Err(Failure::usage("there is no question")
            .hint("`auslese search WORDS`; `auslese search '*'` finds all documents"));
    }
    asking::run(&Question { query: &query, args: &args.asking }, place, color)
}

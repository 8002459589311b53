//! `auslese kwic`: words in their contexts, and how often they occur where, over the texts of the search
//! index.

mod selecting;

use super::search::{Opened, search_failure};
use super::stats::{Cell, Table, table_text};
use crate::args::Place;
use crate::messages::{Color, Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_inquiry::{Counted, ReadingRule, Selection, Wanted, count};
use auslese_kwic::{
    Beside, Borders, By, CollocationOptions, ConcordanceOptions, Context, DEFAULT_LISTED_FORMS,
    Field, KwicError, MAX_NGRAM, Measure, NodeQuery, Sensitivity, Sheet, SortOrder, Step,
    TokenRule, aligned_text,
};
use auslese_search::Facet;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Show words in their contexts, and count them: for corpus linguists
///
/// A query is a sequence of patterns for tokens: words, wildcards (universität*), regular expressions
/// (/…ung/), gaps ([]{0,3}), alternatives ((a|b)). Without further options it prints every occurrence in
/// its context. The texts are those of the search index: documents of the corpus, unless --all or another
/// selection is given. `docs/kwic.md` defines what is counted, and how.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct KwicArgs {
    /// What to look for; several queries for --curve
    #[arg(value_name = "QUERY")]
    queries: Vec<String>,

    #[command(flatten)]
    selection: SelectionArgs,

    /// Width of each context: characters (40), words (5w) or the whole sentence (sentence)
    #[arg(long, value_name = "WIDTH", default_value = "40", value_parser = width)]
    width: Context,

    /// Sort by the words beside the node: L1 to L3, R1 to R3, node; several with commas
    #[arg(long, value_name = "ORDER", value_parser = order)]
    sort: Option<SortOrder>,

    /// Show a random sample of so many lines, the same for the same --seed
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// What the sample is drawn by
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Lines or rows to show; 0 means all [default: 50; all as CSV, TSV and JSON]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Lines to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,

    /// Count by these: host, type, year, month, language, collection, document, form
    #[arg(long, value_name = "WHAT", value_delimiter = ',', group = "what")]
    by: Vec<By>,

    /// What stands near the node more often than chance explains
    #[arg(long, group = "what")]
    collocations: bool,

    /// Words before and behind the node that count as near, such as 5,5
    #[arg(long, value_name = "L,R", default_value = "5,5", value_parser = window)]
    window: (usize, usize),

    /// How collocations are ordered
    #[arg(long, value_enum, default_value_t)]
    measure: Ordered,

    /// Leave out stop words of German and English among collocations
    #[arg(long)]
    no_stop_words: bool,

    /// All words by frequency; with a query only those that contain a hit
    #[arg(long, group = "what")]
    frequency_list: bool,

    /// Sequences of so many words by frequency, 2 to 5
    #[arg(long, value_name = "N", group = "what")]
    #[arg(value_parser = clap::value_parser!(u8).range(2..=MAX_NGRAM as i64))]
    ngrams: Option<u8>,

    /// With a list: compare it with that of another selection, a search query
    #[arg(long, value_name = "QUERY")]
    against: Option<String>,

    /// Occurrences over time: by year or month
    #[arg(long, value_enum, value_name = "STEP", group = "what")]
    curve: Option<CurveStep>,

    /// Years or months on each side that a curve is smoothed over
    #[arg(long, value_name = "N", default_value_t = 0)]
    smooth: u32,

    /// Rarer words are left out of lists and collocations
    #[arg(long, value_name = "N", default_value_t = 1)]
    min: u64,

    /// How words are compared
    #[arg(long, value_enum, default_value_t)]
    compare: Comparing,

    /// Whether hyphens and apostrophes join words
    #[arg(long, value_enum, default_value_t)]
    tokens: Tokens,

    /// Hits and contexts may reach across the ends of sentences
    #[arg(long)]
    across_sentences: bool,

    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Which documents are read.
#[derive(Debug, Args)]
pub(crate) struct SelectionArgs {
    /// Only documents that this search query finds
    #[arg(long, value_name = "QUERY")]
    filter: Option<String>,

    /// Only documents with this value of a facet, such as `host=www.uni.example`
    #[arg(long, value_name = "FACET=VALUE", value_parser = super::search::facet_value)]
    only: Vec<(Facet, String)>,

    /// No documents with this value of a facet
    #[arg(long, value_name = "FACET=VALUE", value_parser = super::search::facet_value)]
    without: Vec<(Facet, String)>,

    /// Documents that the corpus left, too
    #[arg(long)]
    all: bool,

    /// Keep this selection under a name
    #[arg(long, value_name = "NAME")]
    save_as: Option<String>,

    /// A selection that was kept; other options narrow it
    #[arg(long, value_name = "NAME")]
    subcorpus: Option<String>,

    /// List the selections that were kept
    #[arg(long)]
    list_subcorpora: bool,

    /// Read this harvest, too; may be given several times
    #[arg(long, value_name = "DIR")]
    also: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  auslese kwic Hochschule --dir giessen
  auslese kwic 'universität*' --sort R1,L1 --width 5w --dir giessen
  auslese kwic '/.*(ung|heit)/ des' --sample 20 --seed 7 --dir giessen
  auslese kwic Student*  --by year,host --format csv --dir giessen
  auslese kwic Forschung --collocations --window 3,3 --no-stop-words --dir giessen
  auslese kwic --frequency-list --only type=course --dir giessen
  auslese kwic --frequency-list --filter lang:de --against lang:en --dir giessen
  auslese kwic Computer Internet --curve year --dir giessen
  auslese kwic Semester --only host=www.uni.example --save-as main --dir giessen
  auslese kwic Semester --subcorpus main --dir giessen";

/// Lines and rows that people are shown.
const SHOWN: usize = 50;
/// Columns of a terminal that does not tell its width.
const COLUMNS: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Ordered {
    #[default]
    LogLikelihood,
    LogDice,
    MutualInformation,
    TScore,
}

impl Ordered {
    fn measure(self) -> Measure {
        match self {
            Ordered::LogLikelihood => Measure::LogLikelihood,
            Ordered::LogDice => Measure::LogDice,
            Ordered::MutualInformation => Measure::MutualInformation,
            Ordered::TScore => Measure::TScore,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CurveStep {
    Year,
    Month,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Comparing {
    /// Every difference counts
    AsWritten,
    #[default]
    IgnoreCase,
    /// Case and accents do not count, ä is ae
    Folded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Tokens {
    /// Rhein-Main is one word
    #[default]
    Whole,
    /// Rhein-Main are two words
    Parts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Csv,
    Tsv,
    Json,
}

fn width(text: &str) -> Result<Context, String> {
    let expected = "expected characters (40), words (5w) or sentence";
    if text == "sentence" {
        return Ok(Context::Sentence);
    }
    match text.strip_suffix('w') {
        Some(words) => words.parse().map(Context::Tokens).map_err(|_| expected.to_owned()),
        None => text.parse().map(Context::Characters).map_err(|_| expected.to_owned()),
    }
}

fn order(text: &str) -> Result<SortOrder, String> {
    SortOrder::parse(text).map_err(|error| error.to_string())
}

fn window(text: &str) -> Result<(usize, usize), String> {
    let (left, right) = text.split_once(',').ok_or("expected two numbers, such as 5,5")?;
    let number = |text: &str| text.trim().parse().map_err(|_| format!("{text:?} is no number"));
    Ok((number(left)?, number(right)?))
}

impl KwicArgs {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    fn limit(&self) -> usize {
        match (self.limit, self.format()) {
            (Some(0), _) | (None, Format::Csv | Format::Tsv | Format::Json) => usize::MAX,
            (Some(limit), _) => limit,
            (None, Format::Text) => SHOWN,
        }
    }

    fn sensitivity(&self) -> Sensitivity {
        match self.compare {
            Comparing::AsWritten => Sensitivity::AsWritten,
            Comparing::IgnoreCase => Sensitivity::IgnoreCase,
            Comparing::Folded => Sensitivity::Folded,
        }
    }

    fn rule(&self) -> TokenRule {
        match self.tokens {
            Tokens::Whole => TokenRule::Whole,
            Tokens::Parts => TokenRule::Parts,
        }
    }

    fn borders(&self) -> Borders {
        if self.across_sentences { Borders::Text } else { Borders::Sentence }
    }

    fn parsed(&self) -> Result<Vec<NodeQuery>, Failure> {
        let parse = |query: &String| {
            NodeQuery::parse(query, self.rule(), self.sensitivity())
                .map_err(|error| query_failure(&error, query))
        };
        self.queries.iter().map(parse).collect()
    }

    /// What the options ask for.
    fn wanted(&self) -> Result<Wanted, Failure> {
        let is_list = self.frequency_list || self.ngrams.is_some();
        let usage = |message: &str| Err(Failure::usage(message));
        if self.queries.len() > 1 && self.curve.is_none() {
            return usage("several queries are for --curve; put one query into quotes");
        }
        if self.queries.is_empty() && !is_list {
            return usage("there is no query");
        }
        if self.against.is_some() && !is_list {
            return usage("--against compares lists; give --frequency-list or --ngrams");
        }
        Ok(if let Some(step) = self.curve {
            let step = match step {
                CurveStep::Year => Step::Year,
                CurveStep::Month => Step::Month,
            };
            Wanted::Curve { step, names: self.queries.clone() }
        } else if is_list {
            let n = usize::from(self.ngrams.unwrap_or(1));
            Wanted::Forms { n, max_forms: DEFAULT_LISTED_FORMS }
        } else if self.collocations {
            let (left, right) = self.window;
            Wanted::Collocations { left, right, max_forms: DEFAULT_LISTED_FORMS }
        } else if !self.by.is_empty() {
            Wanted::Groups { by: self.by.clone() }
        } else {
            Wanted::Lines(ConcordanceOptions {
                context: self.width,
                sort: self.sort.clone().unwrap_or_default(),
                sample: self.sample,
                seed: self.seed,
                offset: self.offset,
                limit: (self.limit() != usize::MAX).then_some(self.limit()),
                ..ConcordanceOptions::default()
            })
        })
    }
}

fn query_failure(error: &KwicError, query: &str) -> Failure {
    let failure = Failure::usage(error.pointed(query));
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

pub(crate) fn run(args: &KwicArgs, place: &Place, color: Color) -> Outcome {
    if args.selection.list_subcorpora {
        output::print(&selecting::listing(place.dir())?)?;
        return Ok(Exit::Done);
    }
    let (queries, wanted) = (args.parsed()?, args.wanted()?);
    let opened = Opened::open(place, &args.selection.also, color)?;
    let selection = selecting::selection(&args.selection, place.dir())?;
    let counted = |selection: &Selection| {
        let found = opened.searcher.documents(&selection.request()).map_err(search_failure)?;
        let reading = ReadingRule {
            rule: args.rule(),
            borders: args.borders(),
            sensitivity: args.sensitivity(),
        };
        count(found, &queries, &wanted, reading).map_err(search_failure)
    };
    let result = counted(&selection)?;
    let reference = match &args.against {
        Some(query) => {
            Some(counted(&Selection { query: Some(query.clone()), ..selection.clone() })?)
        }
        None => None,
    };
    if let Some(name) = &args.selection.save_as {
        selection.save(place.dir(), name).map_err(selecting::failure)?;
    }
    print(args, result, reference)?;
    Ok(Exit::Done)
}

fn print(args: &KwicArgs, result: Counted, reference: Option<Counted>) -> Result<(), Failure> {
    let limit = args.limit();
    match (result, reference) {
        (Counted::Lines(lines), _) => {
            let page = lines.finish();
            if args.format() == Format::Text {
                return output::print(&Harmless(concordance_text(&page)).to_string());
            }
            write(args, "concordance", &page, &page.sheet())
        }
        (Counted::Groups(groups), _) => {
            let mut table = groups.finish();
            table.rows.truncate(limit);
            write(args, "counts", &table, &table.sheet())
        }
        (Counted::Forms(forms), Some(Counted::Forms(reference))) => {
            let keyness = forms.keyness(&reference, args.min, limit);
            write(args, "keyness", &keyness, &keyness.sheet())
        }
        (Counted::Forms(forms), _) => {
            let list = forms.list(args.min, limit);
            write(args, "frequencies", &list, &list.sheet())
        }
        (Counted::Collocations(collocations), _) => {
            let table = collocations.finish(&CollocationOptions {
                measure: args.measure.measure(),
                min_together: args.min,
                stop_words: if args.no_stop_words { stop_words() } else { Vec::new() },
                limit,
                ..CollocationOptions::default()
            });
            write(args, "collocations", &table, &table.sheet())
        }
        (Counted::Curve(curve), _) => {
            let table = curve.finish(args.smooth);
            write(args, "curve", &table, &table.sheet())
        }
    }
}

fn stop_words() -> Vec<String> {
    let languages = auslese_words::StemLanguage::ALL.into_iter();
    languages.flat_map(auslese_words::stop_words).map(str::to_owned).collect()
}

fn concordance_text(page: &auslese_kwic::ConcordancePage) -> String {
    let totals = page.totals;
    let mut text = aligned_text(page, columns(), Beside::Host);
    text.push_str(&format!(
        "\n{} hits in {} of {} documents, {:.1} per million of {} words\n",
        totals.hits, totals.documents, totals.texts, page.per_million, totals.tokens
    ));
    if page.lines_cut > 0 {
        text.push_str(&format!(
            "{} lines did not fit; the rest is a fair sample\n",
            page.lines_cut
        ));
    } else if page.is_sample {
        text.push_str(&format!("a sample of {} lines, seed {}\n", page.lines_kept, page.seed));
    }
    text
}

fn columns() -> usize {
    let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    width.unwrap_or(COLUMNS)
}

/// Writes a result in the form that was asked for.
fn write(
    args: &KwicArgs,
    name: &'static str,
    result: &impl serde::Serialize,
    sheet: &Sheet,
) -> Result<(), Failure> {
    match args.format() {
        Format::Json => output::print_json(result),
        Format::Tsv => output::print(&sheet.tsv()),
        Format::Csv => output::print(&table(name, sheet).csv()),
        Format::Text => output::print(&table_text(&table(name, sheet))),
    }
}

fn table(name: &'static str, sheet: &Sheet) -> Table {
    let cell = |field: &Field| match field {
        Field::Text(text) => Cell::Text(text.clone()),
        Field::Count(count) => Cell::Count(*count),
        Field::Number(number) => Cell::Number(*number),
        Field::Missing => Cell::Missing,
    };
    let rows = sheet.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    Table { name, title: name, head: sheet.head.clone(), rows }
}

//! `auslese rounds`: what a repeated harvest has changed, over all documents.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::stats::{Cell, Table, gather, table_text};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use auslese_catalog::{Catalog, ChangeRow, RoundId, VersionChange};
use auslese_corpus::{Folding, FrequencyChange, FrequencyList};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// List the rounds of a harvest, or compare two of them
#[derive(Debug, Args)]
pub(crate) struct RoundsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the rounds: when, how many words, what became of the documents
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Compare a round with an earlier one: documents by server and type, and words
    ///
    /// Without numbers the last two rounds are compared. Words are those of the documents in the
    /// corpus at the time; they are ordered by how surely their frequency has changed
    /// (log-likelihood).
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare {
        /// The earlier round, and the later one
        #[arg(value_name = "ROUND", num_args = 0..=2)]
        rounds: Vec<i64>,

        /// How many words to list
        #[arg(long, value_name = "N", default_value_t = 30)]
        words: usize,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

const LIST_EXAMPLES: &str = "\
Examples:
  auslese rounds list --dir giessen
  auslese rounds list --dir giessen --json";

const COMPARE_EXAMPLES: &str = "\
Examples:
  auslese rounds compare --dir giessen
  auslese rounds compare 1 3 --words 100 --dir giessen --json";

/// Changed documents that are listed.
const CHANGES_SHOWN: usize = 50;
/// Words asked for at a time.
const PAGE: usize = 50_000;

pub(crate) fn run(args: &RoundsArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        match &args.action {
            Action::List { json } => {
                let tables = gather(&catalog, &["rounds"], usize::MAX).await?;
                show(&tables, *json)?;
            }
            Action::Compare { rounds, words, json } => {
                let (before, after) = pair(&catalog, rounds).await?;
                compare(&catalog, before, after, *words, *json).await?;
            }
        }
        catalog.close().await;
        Ok(Exit::Done)
    })
}

fn show(tables: &[Table], json: bool) -> Result<(), Failure> {
    match json {
        true => output::print_json(&tables.iter().map(Table::json).next().unwrap_or_default()),
        false => output::print(&tables.iter().map(table_text).collect::<String>()),
    }
}

/// What the newest round has changed.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    pub(crate) round: i64,
    pub(crate) counts: BTreeMap<VersionChange, u64>,
    /// Documents that are not what they were, with their addresses.
    pub(crate) documents: Vec<(VersionChange, String)>,
}

pub(crate) async fn changed_documents(catalog: &Catalog) -> Result<Changed, Failure> {
    let Some(round) = catalog.rounds().await.map_err(catalog_failure)?.pop() else {
        return Ok(Changed::default());
    };
    let documents = catalog.changed_in(round.id, CHANGES_SHOWN).await.map_err(catalog_failure)?;
    Ok(Changed { round: round.id.0, counts: round.changes, documents })
}

/// The rounds named, or the last two.
async fn pair(catalog: &Catalog, named: &[i64]) -> Result<(RoundId, RoundId), Failure> {
    let known: Vec<RoundId> =
        catalog.rounds().await.map_err(catalog_failure)?.into_iter().map(|it| it.id).collect();
    let exists = |number: i64| {
        let round = RoundId(number);
        known.contains(&round).then_some(round).ok_or_else(|| {
            Failure::usage(format!("there is no round {number}"))
                .hint("`auslese rounds list` lists them")
        })
    };
    let before_it = |round: RoundId| {
        known.iter().rev().find(|known| **known < round).copied().ok_or_else(|| {
            Failure::usage(format!("there is no round before round {}", round.0))
                .hint("`auslese recrawl` makes another")
        })
    };
    match named {
        [before, after] => match (exists(*before)?, exists(*after)?) {
            (before, after) if before < after => Ok((before, after)),
            (before, after) => Err(Failure::usage(format!(
                "round {} is not earlier than round {}",
                before.0, after.0
            ))
            .hint("the earlier round is named first")),
        },
        [after] => {
            let after = exists(*after)?;
            Ok((before_it(after)?, after))
        }
        _ => match known.as_slice() {
            [.., before, after] => Ok((*before, *after)),
            _ => Err(Failure::usage("there are no two rounds to compare")
                .hint("`auslese recrawl` makes another")),
        },
    }
}

async fn compare(
    catalog: &Catalog,
    before: RoundId,
    after: RoundId,
    most: usize,
    as_json: bool,
) -> Result<(), Failure> {
    let changes = catalog.change_table(after).await.map_err(catalog_failure)?;
    let (old, new) = (word_list(catalog, before).await?, word_list(catalog, after).await?);
    let mut words = new.since(&old);
    words.sort_by(|one, other| {
        other.log_likelihood.total_cmp(&one.log_likelihood).then_with(|| one.form.cmp(&other.form))
    });
    words.truncate(most);
    if as_json {
        let documents: Vec<Value> = changes
            .iter()
            .map(|row| {
                let mut value = json!({ "server": row.server, "media_type": row.media_type });
                for change in VersionChange::ALL {
                    value[change.as_str()] = json!(count(row, change));
                }
                value["words_added"] = json!(row.words.added);
                value["words_removed"] = json!(row.words.removed);
                value
            })
            .collect();
        let words: Vec<Value> = words.iter().map(word_json).collect();
        return output::print_json(
            &json!({ "before": before.0, "after": after.0, "documents": documents, "words": words }),
        );
    }
    output::print(&change_text(&changes, after))?;
    output::print(&word_text(&words, before, after))
}

fn count(row: &ChangeRow, change: VersionChange) -> u64 {
    row.documents.get(&change).copied().unwrap_or(0)
}

/// Documents by server and type. Where nothing changed, a line for all is enough.
fn change_text(changes: &[ChangeRow], round: RoundId) -> String {
    let mut head = vec!["server", "type"];
    head.extend(VersionChange::ALL.map(VersionChange::as_str));
    head.extend(["words added", "words removed"]);
    let cells = |server: &str, media_type: Option<&str>, rows: &[&ChangeRow]| {
        let sum =
            |of: &dyn Fn(&ChangeRow) -> u64| Cell::Count(rows.iter().map(|row| of(row)).sum());
        let media_type = media_type.map_or(Cell::Empty, |name| Cell::Text(name.to_owned()));
        let mut cells = vec![Cell::Text(server.to_owned()), media_type];
        cells.extend(VersionChange::ALL.map(|change| sum(&|row| count(row, change))));
        cells.extend([sum(&|row| row.words.added), sum(&|row| row.words.removed)]);
        cells
    };
    let is_quiet =
        |row: &&ChangeRow| row.documents.keys().all(|change| *change == VersionChange::Unchanged);
    let (quiet, others): (Vec<&ChangeRow>, Vec<&ChangeRow>) = changes.iter().partition(is_quiet);
    let mut rows: Vec<Vec<Cell>> = others
        .iter()
        .map(|row| cells(&row.server, Some(row.media_type.as_deref().unwrap_or("–")), &[row]))
        .collect();
    if !quiet.is_empty() {
        rows.push(cells("all without any change", None, &quiet));
    }
    rows.push(cells("all", None, &changes.iter().collect::<Vec<_>>()));
    let table = Table { name: "changes", title: "", head, rows };
    let title = format!("Documents of round {}, compared with what was there before", round.0);
    title + &table_text(&table)
}

async fn word_list(catalog: &Catalog, round: RoundId) -> Result<FrequencyList, Failure> {
    let mut list = FrequencyList::new(Folding::AsWritten);
    let mut after = String::new();
    loop {
        let page = catalog.round_words(round, &after, PAGE).await.map_err(catalog_failure)?;
        let Some((last, _)) = page.last() else { return Ok(list) };
        after = last.clone();
        for (word, count) in page {
            list.add(word, count);
        }
    }
}

fn word_text(words: &[FrequencyChange], before: RoundId, after: RoundId) -> String {
    let title = format!("\nWords of round {} and round {}", before.0, after.0);
    if words.is_empty() {
        return format!("{title}: no frequency has changed\n");
    }
    let rows = words.iter().map(|word| {
        vec![
            Cell::Text(word.form.clone()),
            Cell::Text(word.trend.as_str().to_owned()),
            Cell::Count(word.before),
            Cell::Count(word.after),
            Cell::Number(word.before_per_million),
            Cell::Number(word.after_per_million),
            Cell::Number(word.log_likelihood),
        ]
    });
    let head =
        vec!["word", "trend", "before", "after", "before per million", "after per million", "G²"];
    title + &table_text(&Table { name: "words", title: "", head, rows: rows.collect() })
}

fn word_json(word: &FrequencyChange) -> Value {
    json!({
        "word": word.form,
        "trend": word.trend.as_str(),
        "before": word.before,
        "after": word.after,
        "before_per_million": word.before_per_million,
        "after_per_million": word.after_per_million,
        "log_likelihood": word.log_likelihood,
    })
}

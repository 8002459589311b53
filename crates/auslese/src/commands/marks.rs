//! `auslese marks`: what people say about descriptions. Marks are the labels that precision and recall
//! are counted from, and weights calibrated with.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::crawl::harvest_failure;
use super::heuristics::field;
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_catalog::{Catalog, Mark, StoredMark};
use auslese_describe::{Tally, tallies_of_marks};
use auslese_harvest::{all_marks, judged_marks};
use auslese_model::{Field, MarkKind, Timestamp};
use clap::{ArgGroup, Args, Subcommand};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Mark values as right, wrong or missing, fields as absent, documents as relevant or not
///
/// Marks outlive the runs they were made in. On the same field and value of a document the newest
/// mark holds.
#[derive(Debug, Args)]
pub(crate) struct MarksArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Add(AddArgs),
    /// List marks, oldest first
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// Of this field only
        #[arg(long, value_name = "FIELD", value_parser = field)]
        field: Option<Field>,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Withdraw marks by their numbers
    #[command(after_help = REMOVE_EXAMPLES)]
    Remove {
        #[arg(value_name = "NUMBER", required = true)]
        numbers: Vec<i64>,
    },
    /// Count precision and recall from the marks, field by field
    #[command(after_help = TABLE_EXAMPLES)]
    Table {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Mark a value, a field or a document
#[derive(Debug, Args)]
#[command(after_help = ADD_EXAMPLES)]
#[command(group = ArgGroup::new("saying").required(true)
    .args(["right", "wrong", "missing", "absent", "relevant", "irrelevant"]))]
struct AddArgs {
    /// The address of the document
    #[arg(value_name = "URL")]
    url: String,

    /// What the value is about
    #[arg(long, value_name = "FIELD", value_parser = field)]
    #[arg(required_unless_present_any = ["relevant", "irrelevant"])]
    field: Option<Field>,

    /// This value is right
    #[arg(long, value_name = "VALUE")]
    right: Option<String>,

    /// This value is wrong
    #[arg(long, value_name = "VALUE")]
    wrong: Option<String>,

    /// This value is the document's, and was not found
    #[arg(long, value_name = "VALUE")]
    missing: Option<String>,

    /// The document has no value of this field
    #[arg(long)]
    absent: bool,

    /// The document is of interest
    #[arg(long, conflicts_with = "field")]
    relevant: bool,

    /// The document is of no interest
    #[arg(long, conflicts_with = "field")]
    irrelevant: bool,

    /// A word about it
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    /// Who says so [default: the name of the account]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

const ADD_EXAMPLES: &str = "\
Examples:
  auslese marks add http://www.uni.example/a.html --field title --right 'Ein Titel' --dir giessen
  auslese marks add http://www.uni.example/a.html --field author --absent --dir giessen
  auslese marks add http://www.uni.example/a.html --field date --missing 2004-03-12 --dir giessen
  auslese marks add http://www.uni.example/b.html --irrelevant --dir giessen";

const LIST_EXAMPLES: &str = "\
Examples:
  auslese marks list --dir giessen
  auslese marks list --field title --dir giessen --json";

const REMOVE_EXAMPLES: &str = "\
Examples:
  auslese marks remove 12 13 --dir giessen";

const TABLE_EXAMPLES: &str = "\
Examples:
  auslese marks table --dir giessen";

pub(crate) fn run(args: &MarksArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        match &args.action {
            Action::Add(args) => add(&catalog, args).await?,
            Action::List { field, json } => {
                let marks = all_marks(&catalog, *field).await.map_err(harvest_failure)?;
                list(&marks, *json)?;
            }
            Action::Remove { numbers } => {
                let removed = catalog.remove_marks(numbers).await.map_err(catalog_failure)?;
                if removed < numbers.len() as u64 {
                    let message = format!("{removed} of {} marks were there", numbers.len());
                    return Err(Failure::usage(message).hint("`auslese marks list` numbers them"));
                }
            }
            Action::Table { json } => {
                let marked = judged_marks(&catalog, None).await.map_err(harvest_failure)?;
                table(&tallies_of_marks(marked), *json)?;
            }
        }
        catalog.close().await;
        Ok(Exit::Done)
    })
}

async fn add(catalog: &Catalog, args: &AddArgs) -> Result<(), Failure> {
    let document = catalog.document(&args.url).await.map_err(catalog_failure)?.pop();
    let document = document.ok_or_else(|| {
        Failure::usage(format!("{} is no document of this harvest", args.url))
            .hint("`auslese explain URL` says what is known of an address")
    })?;
    let capture = document.document.content.ok_or_else(|| {
        Failure::usage(format!("no body of {} was archived and read", args.url))
            .hint("`auslese corpus` reads what is archived")
    })?;
    let (kind, value) = args.saying();
    let mark = Mark {
        capture,
        request: document.document.request,
        field: args.field,
        value: value.map(str::to_owned),
        kind,
        run: catalog.current_describe_run().await.map_err(catalog_failure)?,
        by: args.by.clone().unwrap_or_else(account),
        at: Timestamp::now(),
        note: args.note.clone(),
    };
    catalog.set_marks(&[mark]).await.map_err(catalog_failure)
}

impl AddArgs {
    fn saying(&self) -> (MarkKind, Option<&str>) {
        let values = [
            (MarkKind::Right, &self.right),
            (MarkKind::Wrong, &self.wrong),
            (MarkKind::Missing, &self.missing),
        ];
        let value = values.into_iter().find_map(|(kind, value)| Some((kind, value.as_deref()?)));
        match value {
            Some((kind, value)) => (kind, Some(value)),
            None if self.absent => (MarkKind::Absent, None),
            None if self.relevant => (MarkKind::Relevant, None),
            None => (MarkKind::Irrelevant, None),
        }
    }
}

fn account() -> String {
    std::env::var("USER").unwrap_or_else(|_| "unknown".to_owned())
}

fn list(marks: &[StoredMark], json: bool) -> Result<(), Failure> {
    if json {
        let marks: Vec<Value> = marks
            .iter()
            .map(|StoredMark { id, url, mark }| {
                json!({
                    "number": id,
                    "url": url,
                    "field": mark.field.map(|field| field.as_str()),
                    "mark": mark.kind.as_str(),
                    "value": mark.value,
                    "by": mark.by,
                    "at": mark.at.to_string(),
                    "note": mark.note,
                })
            })
            .collect();
        return output::print_json(&marks);
    }
    let head = ["number", "mark", "field", "value", "document", "by", "note"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for StoredMark { id, url, mark } in marks {
        rows.push(vec![
            id.to_string(),
            mark.kind.as_str().to_owned(),
            mark.field.map_or("", Field::as_str).to_owned(),
            mark.value.clone().unwrap_or_default(),
            url.clone(),
            mark.by.clone(),
            mark.note.clone().unwrap_or_default(),
        ]);
    }
    output::print(&Harmless(output::table(&rows)).to_string())
}

fn table(tallies: &BTreeMap<Field, Tally>, json: bool) -> Result<(), Failure> {
    if json {
        let fields: Vec<Value> = tallies
            .iter()
            .map(|(field, tally)| {
                json!({
                    "field": field.as_str(),
                    "right": tally.right,
                    "wrong": tally.wrong,
                    "missing": tally.missing,
                    "precision": tally.precision(),
                    "recall": tally.recall(),
                    "f1": tally.f1(),
                    "silent_where_absent": tally.silent_share(),
                })
            })
            .collect();
        return output::print_json(&fields);
    }
    if tallies.is_empty() {
        return output::print("no statement was marked yet; `auslese marks add` does it\n");
    }
    let share = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.3}"));
    let head = ["field", "right", "wrong", "missing", "precision", "recall", "silent where absent"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (field, tally) in tallies {
        rows.push(vec![
            field.to_string(),
            tally.right.to_string(),
            tally.wrong.to_string(),
            tally.missing.to_string(),
            share(tally.precision()),
            share(tally.recall()),
            share(tally.silent_share()),
        ]);
    }
    output::print(&output::table(&rows))
}

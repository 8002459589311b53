//! `auslese stats`: the numbers about a harvest and its corpus, as text, CSV, JSON or HTML.

mod page;
mod table_text;

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use anyhow::Context;
use auslese_catalog::Catalog;
use auslese_statistics::NAMES;
pub(crate) use auslese_statistics::{Cell, Table};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
pub(crate) use table_text::table_text;

/// Count: institutions, types, languages, servers, sizes, ages, elements, and why documents were left
///
/// Without names the most asked-for tables are printed; `all` names every table there is. CSV holds
/// one table; with several, or with `all`, --out names a folder that gets a file for each.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    /// Tables to print: `institutions`, `rules`, `types` and so on, or `all`
    #[arg(value_name = "TABLE", value_parser = table_name)]
    tables: Vec<String>,

    /// How to print them
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Rows of a table at most, most frequent first; 0 means all [default: 20; all as CSV and JSON]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Write to this file (for CSV of several tables: into this folder)
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Rows that people are shown; programs and spreadsheets get all.
const ROWS_SHOWN: usize = 20;

impl StatsArgs {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    fn limit(&self) -> usize {
        match (self.limit, self.format()) {
            (Some(0), _) | (None, Format::Csv | Format::Json) => usize::MAX,
            (Some(limit), _) => limit,
            (None, Format::Text | Format::Html) => ROWS_SHOWN,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  auslese stats --dir giessen
  auslese stats rules --dir giessen --json
  auslese stats institutions --dir giessen --format csv > table.csv
  auslese stats all --dir giessen --format html --out statistics.html";

/// What is printed if no table is named.
const USUAL: &[&str] = &["institutions", "rules", "languages", "types", "statuses"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Csv,
    Json,
    Html,
}

fn table_name(text: &str) -> Result<String, String> {
    if text == "all" || NAMES.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(format!("there is no such table; there are all, {}", NAMES.join(", ")))
}

pub(crate) fn run(args: &StatsArgs, place: &Place) -> Outcome {
    let format = args.format();
    let names: Vec<&str> = match args.tables.as_slice() {
        [] => USUAL.to_vec(),
        named if named.iter().any(|name| name == "all") => NAMES.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    if format == Format::Csv && names.len() > 1 && args.out.is_none() {
        return Err(Failure::usage("CSV holds one table, but several are to be printed")
            .hint("name one table, or a folder for all of them with --out"));
    }
    let config = place.sources(Overrides::default()).load()?;
    let tables = block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let tables = gather(&catalog, &names, args.limit()).await;
        catalog.close().await;
        tables
    })?;
    write(&tables, format, args.out.as_deref())?;
    Ok(Exit::Done)
}

/// The tables named, in that order.
pub(crate) async fn gather(
    catalog: &Catalog,
    names: &[&str],
    limit: usize,
) -> Result<Vec<Table>, Failure> {
    auslese_statistics::gather(catalog, names, limit).await.map_err(catalog_failure)
}

fn write(tables: &[Table], format: Format, out: Option<&Path>) -> Result<(), Failure> {
    if let (Format::Csv, Some(folder), true) = (format, out, tables.len() > 1) {
        std::fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
        for table in tables {
            let file = folder.join(format!("{}.csv", table.name));
            std::fs::write(&file, table.csv()).with_context(|| cannot_write(&file))?;
        }
        return Ok(());
    }
    let text = match format {
        Format::Text => tables.iter().map(table_text).collect::<Vec<_>>().join("\n"),
        Format::Csv => tables.iter().map(Table::csv).collect(),
        Format::Json => {
            let tables: serde_json::Map<_, _> =
                tables.iter().map(|table| (table.name.to_owned(), table.json())).collect();
            serde_json::to_string_pretty(&tables)? + "\n"
        }
        Format::Html => page::html(tables),
    };
    match out {
        Some(file) => Ok(std::fs::write(file, text).with_context(|| cannot_write(file))?),
        None => output::print(&text),
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

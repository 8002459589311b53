//! `auslese catalog`: the database of a harvest taken to another engine.

use super::catalog_access::{block_on, catalog_failure};
use super::crawl::harvest_failure;
use crate::args::Place;
use crate::config::{Overrides, database_login};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use auslese_catalog::{Catalog, CatalogSettings, CopiedTable, Location, copy_catalog};
use auslese_harvest::{HarvestDir, HarvestLock};
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Take the catalog of a harvest to another database
#[derive(Debug, Args)]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    command: CatalogCommand,
}

#[derive(Debug, Subcommand)]
enum CatalogCommand {
    Copy(CopyArgs),
}

/// Copy a catalog between SQLite and PostgreSQL, and check that all of it arrived
///
/// FROM and TO are a file, the directory of a harvest, or `postgres://…`; TO must be empty or not there. All is
/// copied or nothing. Every table is read back, counted and summed. The configuration is not changed: say in
/// auslese.toml which catalog holds from now on.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
struct CopyArgs {
    /// Catalog to read
    #[arg(value_name = "FROM")]
    from: String,

    /// Catalog to make
    #[arg(value_name = "TO")]
    to: String,

    /// Print the tables with rows and sums as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese catalog copy giessen postgres://auslese@db.uni.example/giessen
  auslese catalog copy postgres://auslese@db.uni.example/giessen giessen/catalog.sqlite --json";

pub(crate) fn run(args: &CatalogArgs, place: &Place, color: Color) -> Outcome {
    let CatalogCommand::Copy(args) = &args.command;
    let (from, to) = (Side::of(&args.from, place)?, Side::of(&args.to, place)?);
    if from.location == to.location {
        return Err(Failure::usage("FROM and TO are the same catalog"));
    }
    let settings = place.sources(Overrides::default()).load()?.catalog_settings();
    let _locks = (from.lock()?, to.lock()?);
    let tables = block_on(copy(&from.location, &to.location, &settings, args.json, color))?;
    let rows: u64 = tables.iter().map(|table| table.rows).sum();
    match args.json {
        true => output::print_json(&json!({ "rows": rows, "tables": tables }))?,
        false => output::print(&format!(
            "{rows} rows of {} tables copied to {}, and all arrived\n",
            tables.len(),
            to.location
        ))?,
    }
    Ok(Exit::Done)
}

async fn copy(
    from: &Location,
    to: &Location,
    settings: &CatalogSettings,
    quiet: bool,
    color: Color,
) -> Result<Vec<CopiedTable>, Failure> {
    let source = Catalog::open(from, settings).await.map_err(catalog_failure)?;
    let exclusive = source.exclusive().await.map_err(catalog_failure)?;
    let tell = |table: &CopiedTable| {
        if !quiet && table.rows > 0 {
            say(Word::Note, format!("{}: {} rows", table.table, table.rows), color);
        }
    };
    let copied = copy_catalog(&source, to, settings, tell).await.map_err(catalog_failure)?;
    exclusive.release().await.map_err(catalog_failure)?;
    source.close().await;
    Ok(copied)
}

/// One of the two catalogs.
struct Side {
    location: Location,
    /// The harvest whose file it is.
    harvest: Option<PathBuf>,
}

impl Side {
    fn of(text: &str, place: &Place) -> Result<Side, Failure> {
        let location = Location::parse(text).map_err(catalog_failure)?;
        Ok(match location {
            Location::Server(url) => {
                let url = database_login(url, "AUSLESE_CATALOG_PASSWORD", None, place.dir())?;
                Side { location: Location::Server(url), harvest: None }
            }
            Location::File(path) if path.is_dir() => {
                Side { location: Location::File(path.join("catalog.sqlite")), harvest: Some(path) }
            }
            Location::File(path) => {
                let folder = path.parent().map(Path::to_owned);
                let is_harvest = |it: &PathBuf| it.join("auslese.toml").exists();
                Side { location: Location::File(path), harvest: folder.filter(is_harvest) }
            }
        })
    }

    /// Nobody else may write to the harvest meanwhile.
    fn lock(&self) -> Result<Option<HarvestLock>, Failure> {
        let Some(dir) = &self.harvest else { return Ok(None) };
        let dir = HarvestDir::open(dir).map_err(harvest_failure)?;
        Ok(Some(dir.lock().map_err(harvest_failure)?))
    }
}

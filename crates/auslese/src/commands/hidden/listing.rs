//! `auslese hidden list`: the databases of a harvest.

use crate::args::Place;
use crate::commands::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use crate::size_text;
use auslese_catalog::{Catalog, HiddenDatabase};
use auslese_model::DatabaseId;
use clap::Args;
use serde_json::{Value, json};

/// List the databases that are known, how far their providers help, and what asking them cost
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese hidden list --dir giessen
  auslese hidden list --json --dir giessen | jq '.[] | select(.truncated)'";

/// Databases read from the catalog at a time.
const PAGE: usize = 500;

pub(super) fn run(args: &ListArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let databases = block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let databases = all(&catalog).await;
        catalog.close().await;
        databases
    })?;
    match (args.json, databases.is_empty()) {
        (true, _) => output::print_json(&as_json(&databases))?,
        (false, false) => output::print(&table(&databases))?,
        (false, true) => output::print(
            "no databases are known; `auslese hidden run` looks for them in what was archived\n",
        )?,
    }
    Ok(Exit::Done)
}

async fn all(catalog: &Catalog) -> Result<Vec<HiddenDatabase>, Failure> {
    let mut all = Vec::new();
    loop {
        let after = all.last().map_or(DatabaseId(0), |it: &HiddenDatabase| it.id);
        let page = catalog.hidden_databases(after, PAGE).await.map_err(catalog_failure)?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// One line for each.
pub(super) fn table(databases: &[HiddenDatabase]) -> String {
    let heading =
        ["", "kind", "help", "planned", "queries", "requests", "bytes", "state", "address"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for database in databases {
        let new = &database.new;
        rows.push(vec![
            database.id.0.to_string(),
            new.kind.as_str().to_owned(),
            new.cooperation.as_str().to_owned(),
            new.planned.map_or_else(String::new, |it| it.to_string()),
            database.queries.to_string(),
            database.requests.to_string(),
            size_text::format(database.bytes),
            state(database),
            new.url.clone(),
        ]);
    }
    output::table(&rows)
}

/// Where asking stands, in words.
pub(super) fn state(database: &HiddenDatabase) -> String {
    let cut = database.truncated.map(|rows| format!(", cut at {rows}")).unwrap_or_default();
    let seen = database.coverage.map(|it| format!(", about {:.0} % seen", it * 100.0));
    let seen = seen.unwrap_or_default();
    match (&database.stopped, database.asked_at, database.asking_since, &database.new.refusal) {
        (Some(reason), _, None, _) => format!("left alone: {reason}"),
        (_, _, Some(_), _) => "interrupted".to_owned(),
        (None, Some(_), None, _) if database.complete => format!("asked{cut}{seen}"),
        (None, Some(_), None, _) => format!("asked in part{cut}{seen}"),
        (None, None, None, Some(reason)) => reason.clone(),
        (None, None, None, None) => "not asked yet".to_owned(),
    }
}

pub(super) fn as_json(databases: &[HiddenDatabase]) -> Vec<Value> {
    databases.iter().map(database_json).collect()
}

pub(super) fn database_json(database: &HiddenDatabase) -> Value {
    let new = &database.new;
    json!({
        "id": database.id,
        "kind": new.kind,
        "cooperation": new.cooperation,
        "url": new.url,
        "host": new.host,
        "title": new.title,
        "about": new.about,
        "plan": new.plan,
        "planned": new.planned,
        "refusal": new.refusal,
        "asked_at": database.asked_at.map(|at| at.to_second_text()),
        "interrupted": database.asking_since.is_some(),
        "complete": database.complete,
        "queries": database.queries,
        "pages": database.pages,
        "failed": database.failed,
        "requests": database.requests,
        "bytes": database.bytes,
        "truncated": database.truncated,
        "stopped": database.stopped,
        "coverage": database.coverage,
        "problems": new.problems,
    })
}

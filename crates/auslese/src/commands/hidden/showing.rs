//! `auslese hidden show`: what is in a database, as text, JSON or SOIF.

use super::listing::{database_json, state};
use crate::args::Place;
use crate::commands::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::config::Overrides;
use crate::messages::{Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_catalog::{Catalog, HiddenDatabase, StoredRecord, StoredValue};
use auslese_model::{DatabaseId, SoifLists, SoifObject, write_soif};
use clap::Args;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::io::Write as _;

/// Show what is known of a database, and the values or records found in it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ShowArgs {
    /// Its number in `auslese hidden list`, or the address of its form, document or repository
    #[arg(value_name = "ID|URL")]
    database: String,

    /// Show so many values of each attribute, and so many records
    #[arg(long, value_name = "N", default_value_t = 20)]
    values: usize,

    /// Print all values as a SOIF object
    #[arg(long, conflicts_with = "json")]
    soif: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese hidden show 1 --dir giessen
  auslese hidden show http://www.uni.example/hotels/ --values 1000 --json --dir giessen
  auslese hidden show 1 --soif --dir giessen > hotels.soif";

/// Values read from the catalog at a time.
const PAGE: usize = 5_000;

pub(super) fn run(args: &ShowArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let database = find(&catalog, &args.database).await?;
        let limit = if args.soif { usize::MAX } else { args.values };
        let attributes = attributes(&catalog, database.id, limit).await?;
        if args.soif {
            print_soif(&database, &attributes)?;
        } else {
            let records =
                catalog.records_of(database.id, 0, args.values).await.map_err(catalog_failure)?;
            let count = catalog.count_records(database.id).await.map_err(catalog_failure)?;
            match args.json {
                true => output::print_json(&as_json(&database, &attributes, &records, count))?,
                false => {
                    let text = text(&database, &attributes, &records, count);
                    output::print(&Harmless(text).to_string())?;
                }
            }
        }
        catalog.close().await;
        Ok(Exit::Done)
    })
}

async fn find(catalog: &Catalog, name: &str) -> Result<HiddenDatabase, Failure> {
    let found = match name.parse::<i64>() {
        Ok(number) => catalog.hidden_database(DatabaseId(number)).await.map_err(catalog_failure)?,
        Err(_) => catalog.hidden_databases_at(name).await.map_err(catalog_failure)?.pop(),
    };
    found.ok_or_else(|| {
        Failure::usage(format!("no database {name} is known"))
            .hint("`auslese hidden list` names them")
    })
}

/// An attribute with how many values it has, and some of them.
struct Attribute {
    name: String,
    count: u64,
    values: Vec<StoredValue>,
}

async fn attributes(
    catalog: &Catalog,
    id: DatabaseId,
    limit: usize,
) -> Result<Vec<Attribute>, Failure> {
    let mut attributes = Vec::new();
    for counted in catalog.hidden_attributes(id).await.map_err(catalog_failure)? {
        let (name, count) = (counted.attribute, counted.values);
        let mut values = Vec::new();
        while (values.len() as u64) < count && values.len() < limit {
            let wanted = PAGE.min(limit - values.len());
            let page = catalog.hidden_values(id, &name, values.len() as u64, wanted).await;
            let page = page.map_err(catalog_failure)?;
            if page.is_empty() {
                break;
            }
            values.extend(page);
        }
        attributes.push(Attribute { name, count, values });
    }
    Ok(attributes)
}

fn text(
    database: &HiddenDatabase,
    attributes: &[Attribute],
    records: &[StoredRecord],
    (count, deleted): (u64, u64),
) -> String {
    let new = &database.new;
    let mut text = format!("{}\n", new.title.as_deref().unwrap_or(&new.url));
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<12}{value}");
    };
    line("address", &new.url);
    line("kind", &format!("{}, cooperation {}", new.kind.as_str(), new.cooperation.as_str()));
    for (name, value) in new.about.iter().filter(|(name, _)| name != "Title") {
        line(&name.to_lowercase(), value);
    }
    line("state", &state(database));
    if let Some(at) = database.asked_at {
        line("asked", &at.to_second_text());
        let HiddenDatabase { queries, pages, failed, requests, bytes, .. } = database;
        let cost = format!(
            "{requests} requests, {bytes} bytes; {queries} queries, {pages} pages, {failed} failed"
        );
        line("cost", &cost);
    }
    for problem in new.problems.as_array().into_iter().flatten() {
        let part = |name: &str| problem[name].as_str().unwrap_or_default();
        line("note", &format!("{} {}: {}", part("code"), part("subject"), part("message")));
    }
    for attribute in attributes {
        let values: Vec<&str> = attribute.values.iter().map(|it| it.value.as_str()).collect();
        let more = if attribute.count > values.len() as u64 { " …" } else { "" };
        let _ = writeln!(text, "\n{} ({})", attribute.name, attribute.count);
        let _ = writeln!(text, "  {}{more}", values.join("\n  "));
    }
    if count > 0 {
        let _ = writeln!(text, "\nrecords ({count}, of which {deleted} deleted)");
        for stored in records {
            let record = &stored.record;
            let title = record.fields.iter().find(|(name, _)| name.eq_ignore_ascii_case("title"));
            let title = title.map_or("", |(_, title)| title.as_str());
            let mark = if record.deleted { " (deleted)" } else { "" };
            let _ = writeln!(text, "  {}{mark}  {title}", record.identifier);
        }
    }
    text
}

fn as_json(
    database: &HiddenDatabase,
    attributes: &[Attribute],
    records: &[StoredRecord],
    (count, deleted): (u64, u64),
) -> Value {
    let mut value = database_json(database);
    let attributes: Map<String, Value> = attributes
        .iter()
        .map(|it| {
            let values: Vec<Value> = it
                .values
                .iter()
                .map(|one| json!({ "value": one.value, "query": one.query }))
                .collect();
            (it.name.clone(), json!({ "count": it.count, "values": values }))
        })
        .collect();
    let records: Vec<Value> = records
        .iter()
        .map(|stored| {
            let record = &stored.record;
            json!({
                "identifier": record.identifier,
                "datestamp": record.datestamp,
                "deleted": record.deleted,
                "url": record.url,
                "fields": record.fields,
            })
        })
        .collect();
    value["attributes"] = Value::Object(attributes);
    value["records"] = json!({ "count": count, "deleted": deleted, "some": records });
    value
}

fn print_soif(database: &HiddenDatabase, attributes: &[Attribute]) -> Result<(), Failure> {
    let mut object = SoifObject::new("FILE", Some(&database.new.url));
    object.add("Type", "DBForm");
    if let Some(title) = &database.new.title {
        object.add("Title", title.as_str());
    }
    for (name, value) in database.new.about.iter().filter(|(name, _)| name != "Title") {
        object.add(name, value.as_str());
    }
    let mut bytes = 0;
    for attribute in attributes {
        let values = attribute.values.iter().map(|it| it.value.as_str());
        bytes += attribute.values.iter().map(|it| it.value.len()).sum::<usize>();
        object.add_all(&attribute.name, values, SoifLists::Joined);
    }
    object.add("Query-Count", database.queries.to_string());
    object.add("Page-Count", database.pages.to_string());
    object.add("File-Size", bytes.to_string());
    let cut = database.truncated.map_or_else(|| "false".to_owned(), |rows| rows.to_string());
    object.add("Truncated", cut);
    if let Some(at) = database.asked_at {
        object.add("Update-Time", at.to_second_text());
    }
    let mut out = Vec::new();
    write_soif(&object, &mut out);
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(&out)?;
    Ok(stdout.flush()?)
}

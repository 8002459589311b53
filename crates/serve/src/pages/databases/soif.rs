//! The fragment of a database as a file: one object in SOIF with all its values, as gatherers exchange them.
//!
//! The length of an attribute stands before its values, so the object is made whole before it is sent; its size is
//! bounded as it is when a database is asked.

use crate::problem::Problem;
use crate::site::Harvest;
use auslese_catalog::{AttributeCount, HiddenDatabase};
use auslese_hidden::MAX_FRAGMENT_BYTES;
use auslese_model::{DatabaseKind, SOIF_MEDIA_TYPE, SoifLists, SoifObject, write_soif};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// Values that are read at a time.
const AT_ONCE: usize = 5_000;

pub(super) async fn fragment(
    harvest: &Harvest,
    database: &HiddenDatabase,
    attributes: &[AttributeCount],
) -> Result<Response, Problem> {
    let mut object = SoifObject::new("FILE", Some(&database.new.url));
    object.add("Type", kind_word(database.new.kind));
    for (name, value) in &database.new.about {
        object.add(name, value.as_str());
    }
    let mut room = MAX_FRAGMENT_BYTES;
    for AttributeCount { attribute, .. } in attributes {
        let (values, is_whole) = read_values(harvest, database, attribute, room).await?;
        room -= values.iter().map(String::len).sum::<usize>();
        object.add_all(attribute, values.iter().map(String::as_str), SoifLists::Joined);
        if !is_whole {
            object.add(&format!("Truncated-{attribute}"), "true");
        }
    }
    object.add("Query-Count", database.queries.to_string());
    object.add("Page-Count", database.pages.to_string());
    object.add("File-Size", (MAX_FRAGMENT_BYTES - room).to_string());
    let truncated = database.truncated.map_or("false".to_owned(), |rows| rows.to_string());
    object.add("Truncated", truncated);
    if let Some(asked) = database.asked_at {
        object.add("Update-Time", asked.to_second_text());
    }
    let mut bytes = Vec::new();
    write_soif(&object, &mut bytes);
    let name = format!("attachment; filename=\"database-{}.soif\"", database.id.0);
    Ok(([(CONTENT_TYPE, SOIF_MEDIA_TYPE.to_owned()), (CONTENT_DISPOSITION, name)], bytes)
        .into_response())
}

/// All values of an attribute as long as there is room for them, and whether these are all.
async fn read_values(
    harvest: &Harvest,
    database: &HiddenDatabase,
    attribute: &str,
    mut room: usize,
) -> Result<(Vec<String>, bool), Problem> {
    let mut values: Vec<String> = Vec::new();
    loop {
        let from = values.len() as u64;
        let some = harvest.catalog.hidden_values(database.id, attribute, from, AT_ONCE).await?;
        let is_last = some.len() < AT_ONCE;
        for stored in some {
            let Some(rest) = room.checked_sub(stored.value.len()) else {
                return Ok((values, false));
            };
            room = rest;
            values.push(stored.value);
        }
        if is_last {
            return Ok((values, true));
        }
    }
}

fn kind_word(kind: DatabaseKind) -> &'static str {
    match kind {
        DatabaseKind::Form | DatabaseKind::DbContent => "DBForm",
        DatabaseKind::OaiPmh => "OAI-PMH",
        DatabaseKind::OpenSearch => "OpenSearch",
        DatabaseKind::Dataset => "Dataset",
    }
}

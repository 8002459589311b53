//! Looks through the archive for databases: forms with and without metadata, DBContent documents, repositories,
//! searches that describe themselves, sets of data. Nothing is fetched.
//!
//! Only what was archived since the last look is looked at. Pages without any sign are not parsed.

use crate::HarvestError;
use crate::corpus::{on_all_cores, stored_body};
use auslese_archive::Holdings;
use auslese_catalog::{Catalog, NewDatabase, StoredCapture};
use auslese_hidden::{
    DbContent, DbMetadata, Form, PlanSettings, datasets, forms, linked_oai_addresses,
    opensearch_links, page_entries, plan, read_opensearch,
};
use auslese_markup::{Page, parse};
use auslese_model::{
    CaptureId, Cooperation, DatabaseId, DatabaseKind, HostName, Method, Timestamp,
};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use tokio::sync::watch;
use url::Url;

/// Captures looked at together.
const PAGE: usize = 256;

/// Databases known to the catalog that are read together.
const KNOWN: usize = 1_000;

/// Databases that one page can announce; further ones are passed over.
pub const MAX_DATABASES_PER_PAGE: usize = 100;

/// Databases that the catalog knows.
pub(super) async fn count(catalog: &Catalog) -> Result<u64, HarvestError> {
    Ok(Known::read(catalog).await?.databases)
}

/// Finds databases in what was archived since the last look.
pub(super) async fn spot(
    catalog: &Catalog,
    archive: &Holdings,
    settings: PlanSettings,
    stop: &watch::Receiver<bool>,
) -> Result<(), HarvestError> {
    let mut known = Known::read(catalog).await?;
    let mut after = catalog.spotted_until().await?;
    loop {
        let captures = catalog.pages_to_spot(after, PAGE).await?;
        let Some(last) = captures.last().map(|stored| stored.capture.id) else { break };
        let reading = archive.clone();
        let mut found = on_all_cores(captures, move |stored| {
            (stored.capture.id, look(&reading, stored, settings))
        })
        .await?;
        archive.in_reach()?;
        // Threads finish in any order; the first page that shows a form stands for it.
        found.sort_unstable_by_key(|(id, _)| *id);
        let new: Vec<NewDatabase> =
            found.into_iter().flat_map(|(_, found)| found).filter(|it| known.take(it)).collect();
        catalog.note_databases(&new, Timestamp::now()).await?;
        catalog.set_spotted_until(last).await?;
        after = last;
        if *stop.borrow() {
            break;
        }
    }
    Ok(())
}

/// What the catalog knows: a form that nobody described stands on many pages, and is one database.
#[derive(Default)]
struct Known {
    databases: u64,
    actions: FxHashSet<String>,
    pages: FxHashSet<String>,
}

impl Known {
    async fn read(catalog: &Catalog) -> Result<Known, HarvestError> {
        let mut known = Known::default();
        let mut after = DatabaseId(0);
        loop {
            let some = catalog.hidden_databases(after, KNOWN).await?;
            let Some(last) = some.last().map(|it| it.id) else { return Ok(known) };
            after = last;
            for database in some {
                known.databases += 1;
                if database.new.cooperation == Cooperation::None {
                    known.actions.extend(action_of(&database.new));
                    known.pages.insert(database.new.url);
                }
            }
        }
    }

    /// Whether something found is to be noted.
    fn take(&mut self, found: &NewDatabase) -> bool {
        if found.cooperation != Cooperation::None || self.pages.contains(&found.url) {
            return true;
        }
        action_of(found).is_none_or(|action| self.actions.insert(action))
    }
}

fn action_of(database: &NewDatabase) -> Option<String> {
    Some(database.plan.get("action")?.as_str()?.to_owned())
}

/// What one capture announces.
fn look(archive: &Holdings, stored: &StoredCapture, settings: PlanSettings) -> Vec<NewDatabase> {
    let Ok(url) = Url::parse(&stored.url) else { return Vec::new() };
    let Ok(body) = stored_body(archive, &stored.capture) else { return Vec::new() };
    let fields = &stored.capture.fields;
    let (media_type, charset) = (fields.media_type().unwrap_or_default(), fields.charset());
    let id = Some(stored.capture.id);
    let is_content = url.path().to_ascii_lowercase().ends_with(".dbcontent")
        || media_type == "application/x-dbcontent";
    if is_content {
        return vec![content(&body.bytes, &url, id)];
    }
    if !has_sign(&body.bytes) {
        return Vec::new();
    }
    if media_type.ends_with("xml") && !media_type.contains("html") {
        return search_description(&body.bytes, charset.as_deref(), &url, id).into_iter().collect();
    }
    let page = parse(&body.bytes, charset.as_deref());
    let mut found: Vec<NewDatabase> = form_of(&page, &url, id, settings).into_iter().collect();
    found.extend(linked_oai_addresses(&page, &url).iter().filter_map(|base| repository(base, id)));
    found.extend(opensearch_links(&page, &url).iter().filter_map(|link| {
        let host = HostName::of(link)?;
        Some(NewDatabase {
            capture: id,
            ..declared(DatabaseKind::OpenSearch, link.as_str(), host.as_str())
        })
    }));
    found.extend(data_sets(&page, &url, id));
    found.truncate(MAX_DATABASES_PER_PAGE);
    found
}

/// Words without which no database is announced, in any case.
fn has_sign(bytes: &[u8]) -> bool {
    const SIGNS: [&[u8]; 5] = [b"<form", b"verb=", b"oai", b"opensearchdescription", b"dataset"];
    SIGNS
        .iter()
        .any(|sign| bytes.windows(sign.len()).any(|window| window.eq_ignore_ascii_case(sign)))
}

/// The form of a page that is a database: described, or with something to write or choose.
fn form_of(
    page: &Page,
    url: &Url,
    capture: Option<CaptureId>,
    settings: PlanSettings,
) -> Option<NewDatabase> {
    let entries = page_entries(page);
    let host = HostName::of(url)?;
    let mut database = NewDatabase {
        kind: DatabaseKind::Form,
        cooperation: Cooperation::Restricted,
        url: url.to_string(),
        host: host.to_string(),
        capture,
        title: page.title(),
        about: Vec::new(),
        plan: Value::Null,
        planned: None,
        refusal: None,
        problems: json!([]),
    };
    if entries.is_empty() {
        let mut forms = forms(page, url).into_iter();
        let form = forms.find(|form| {
            form.method == Method::Get && form.refusal().is_none() && is_search(form)
        })?;
        database.cooperation = Cooperation::None;
        let mut action = form.action.clone();
        action.set_query(None);
        database.plan = json!({ "method": "GET", "action": action.as_str() });
        database.refusal = Some("nobody said that it may be asked".to_owned());
        return Some(database);
    }
    let metadata = DbMetadata::of_entries(&entries, &[]);
    if metadata.config_file.is_some() {
        return Some(database);
    }
    match plan(page, url, &metadata, settings) {
        Ok(plan) => {
            database.plan = super::plan_value(&plan, &metadata);
            database.planned = Some(plan.queries);
            database.about = plan.about;
            database.problems = json!(plan.problems);
        }
        Err(problems) => database.problems = json!(problems),
    }
    Some(database)
}

/// Forms for logging in, ordering or choosing a language are many; one to search in has a field to write in, or
/// several choices.
fn is_search(form: &Form) -> bool {
    form.asks_something() && form.controls.len() < 100
}

fn content(bytes: &[u8], url: &Url, capture: Option<CaptureId>) -> NewDatabase {
    let host = HostName::of(url).map(|host| host.to_string()).unwrap_or_default();
    let database = NewDatabase {
        cooperation: Cooperation::Full,
        capture,
        ..declared(DatabaseKind::DbContent, url.as_str(), &host)
    };
    match DbContent::read(bytes, Some(url)) {
        Ok(content) => {
            let attributes: Vec<String> = content
                .attributes
                .iter()
                .map(|it| format!("{}.{}", it.table, it.attribute))
                .collect();
            let keywords = content.keywords.join(", ");
            let about = [("Description", content.description), ("Keywords", Some(keywords))];
            let about = about.into_iter().filter_map(|(name, value)| {
                Some((name.to_owned(), value.filter(|value| !value.is_empty())?))
            });
            NewDatabase {
                title: content.title,
                about: about.collect(),
                plan: json!({
                    "method": "GET",
                    "action": content.summarizer.as_str(),
                    "interface": content.interface.as_str(),
                    "database": content.database,
                    "columns": attributes,
                    "refresh_days": content.refresh_days,
                }),
                planned: Some(1),
                problems: json!(content.problems),
                ..database
            }
        }
        Err(problems) => NewDatabase { problems: json!(problems), ..database },
    }
}

fn declared(kind: DatabaseKind, url: &str, host: &str) -> NewDatabase {
    NewDatabase {
        kind,
        cooperation: Cooperation::Declared,
        url: url.to_owned(),
        host: host.to_owned(),
        capture: None,
        title: None,
        about: Vec::new(),
        plan: Value::Null,
        planned: None,
        refusal: None,
        problems: json!([]),
    }
}

fn repository(base: &Url, capture: Option<CaptureId>) -> Option<NewDatabase> {
    let host = HostName::of(base)?;
    Some(NewDatabase { capture, ..declared(DatabaseKind::OaiPmh, base.as_str(), host.as_str()) })
}

fn search_description(
    bytes: &[u8],
    charset: Option<&str>,
    url: &Url,
    capture: Option<CaptureId>,
) -> Option<NewDatabase> {
    let description = read_opensearch(bytes, charset)?;
    let host = HostName::of(url)?;
    let template = description.templates.first().map(|it| it.template.clone());
    Some(NewDatabase {
        capture,
        title: Some(description.name).filter(|it| !it.is_empty()),
        about: vec![("Description".to_owned(), description.description)],
        plan: json!({ "method": "GET", "action": template }),
        ..declared(DatabaseKind::OpenSearch, url.as_str(), host.as_str())
    })
}

fn data_sets(page: &Page, url: &Url, capture: Option<CaptureId>) -> Vec<NewDatabase> {
    let Some(host) = HostName::of(url) else { return Vec::new() };
    let sets = datasets(page).into_iter().enumerate().map(|(number, set)| {
        let address = set.url.as_deref().and_then(|it| page.resolve(url, it));
        let address = address.map_or_else(|| format!("{url}#dataset-{}", number + 1), String::from);
        let mut about = vec![("Description".to_owned(), set.description)];
        about.push(("Keywords".to_owned(), set.keywords.join(", ")));
        about.push(("Author".to_owned(), set.creators.join("; ")));
        about.push(("License".to_owned(), set.license.unwrap_or_default()));
        about.extend(set.distributions.into_iter().map(|it| ("URL".to_owned(), it.url)));
        about.retain(|(_, value)| !value.is_empty());
        NewDatabase {
            capture,
            title: Some(set.name).filter(|it| !it.is_empty()),
            about,
            ..declared(DatabaseKind::Dataset, &address, host.as_str())
        }
    });
    sets.collect()
}

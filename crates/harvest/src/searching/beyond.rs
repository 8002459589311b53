//! Databases and records of repositories as entries of the index, beside the documents.
//!
//! A database is found by its values: its text has one line for each, with the name of the attribute before it, so that a
//! snippet tells what kind of value was met. A record is found by what it says.

use super::Stage;
use super::collections::collection_of;
use crate::HarvestError;
use auslese_catalog::{HiddenDatabase, StoredRecord};
use auslese_model::{Cooperation, DatabaseId, Field, TextKey};
use auslese_search::{
    DocumentDate, HitKey, IndexedDocument, IndexedStatement, Kept, MAX_TEXT_BYTES, Source,
};
use serde_json::json;
use std::fmt::Write as _;
use url::Url;

/// Databases or records looked at together.
const PAGE: usize = 500;

/// Changes when the same database or record becomes another entry of the index.
const EDITION: u32 = 1;

impl Stage<'_> {
    /// The next databases: their keys, and entries for those that differ from what is indexed.
    pub(super) async fn databases(
        &self,
        after: DatabaseId,
    ) -> Result<Option<(DatabaseId, Beyond)>, HarvestError> {
        let databases = self.catalog.hidden_databases(after, PAGE).await?;
        let Some(last) = databases.last().map(|it| it.id) else { return Ok(None) };
        let mut page = Beyond::default();
        for database in databases.into_iter().filter(is_worth_finding) {
            let key = HitKey::Database(database.id).key();
            let fingerprint = database_mark(&database);
            page.keys.push(key);
            if self.known.get(&key) == Some(&fingerprint) {
                continue;
            }
            let text = self.text_of(database.id).await?;
            page.entries.push(self.database_entry(&database, key, fingerprint, text));
        }
        Ok(Some((last, page)))
    }

    /// The next records, in the same way. Deleted ones are not found.
    pub(super) async fn records(&self, after: i64) -> Result<Option<(i64, Beyond)>, HarvestError> {
        let records = self.catalog.hidden_records(after, PAGE).await?;
        let Some(last) = records.last().map(|it| it.id) else { return Ok(None) };
        let mut page = Beyond::default();
        for record in records.into_iter().filter(|it| !it.record.deleted) {
            let key = HitKey::Record(record.id).key();
            let fingerprint = record.mark ^ u64::from(EDITION).rotate_left(40);
            page.keys.push(key);
            if self.known.get(&key) != Some(&fingerprint) {
                page.entries.push(self.record_entry(&record, key, fingerprint));
            }
        }
        Ok(Some((last, page)))
    }

    /// Lines `attribute: value`; each attribute has the same room.
    async fn text_of(&self, id: DatabaseId) -> Result<String, HarvestError> {
        let attributes = self.catalog.hidden_attributes(id).await?;
        let room = MAX_TEXT_BYTES / attributes.len().max(1);
        let mut text = String::new();
        for attribute in attributes {
            let (mut from, end) = (0, text.len() + room);
            'values: loop {
                let name = &attribute.attribute;
                let values = self.catalog.hidden_values(id, name, from, PAGE).await?;
                if values.is_empty() {
                    break;
                }
                from += values.len() as u64;
                for stored in values {
                    if text.len() + name.len() + stored.value.len() + 3 > end {
                        break 'values;
                    }
                    let _ = writeln!(text, "{name}: {}", stored.value);
                }
            }
        }
        Ok(text)
    }

    fn database_entry(
        &self,
        database: &HiddenDatabase,
        key: u64,
        fingerprint: u64,
        text: String,
    ) -> IndexedDocument {
        let new = &database.new;
        let title = new.title.clone().unwrap_or_else(|| new.url.clone());
        let mut statements = vec![certain(Field::Title, &title)];
        for (name, value) in &new.about {
            match name.as_str() {
                "Description" => statements.push(certain(Field::Description, value)),
                "Author" => statements.push(certain(Field::Author, value)),
                "Keywords" => {
                    let keywords = value.split([',', ';']).map(str::trim);
                    let keywords = keywords.filter(|it| !it.is_empty());
                    statements.extend(keywords.map(|it| certain(Field::Keywords, it)));
                }
                _ => {}
            }
        }
        // A hit leads to the form, also where a document speaks for it.
        let interface = new.plan.get("interface").and_then(|it| it.as_str());
        IndexedDocument {
            key,
            id: interface.unwrap_or(&new.url).to_owned(),
            fingerprint,
            host: new.host.clone(),
            path: path_of(&new.url),
            collection: collection_of(&self.job.collections, &new.host).to_owned(),
            source: Source::Database,
            kept: Kept::Left,
            format: new.kind.as_str().to_owned(),
            size: text.len() as u64,
            document_type: "database".to_owned(),
            captured: database.asked_at,
            title,
            text,
            statements,
            ..IndexedDocument::default()
        }
    }

    fn record_entry(&self, stored: &StoredRecord, key: u64, fingerprint: u64) -> IndexedDocument {
        let record = &stored.record;
        let id = record.url.clone().unwrap_or_else(|| record.identifier.clone());
        let host = Url::parse(&id).ok().and_then(|url| url.host_str().map(str::to_owned));
        let host = host.unwrap_or_default();
        let mut statements: Vec<IndexedStatement> = Vec::new();
        let mut text = String::new();
        for (name, value) in &record.fields {
            match field_of(name) {
                Some(field) => statements.push(certain(field, value)),
                None => {
                    let _ = writeln!(text, "{name}: {value}");
                }
            }
        }
        let first = |field: Field| statements.iter().find(|it| it.field == field);
        let said = |field: Field| first(field).map(|it| it.value.clone());
        IndexedDocument {
            key,
            fingerprint,
            path: path_of(&id),
            collection: collection_of(&self.job.collections, &host).to_owned(),
            source: Source::Record,
            kept: Kept::Left,
            format: "record".to_owned(),
            language: said(Field::Language).filter(|tag| tag.len() == 2),
            document_type: said(Field::Type).unwrap_or_else(|| "record".to_owned()),
            captured: Some(stored.stored_at),
            date: said(Field::Date).and_then(|date| date_of(&date)),
            title: said(Field::Title).unwrap_or_else(|| record.identifier.clone()),
            id,
            host,
            text,
            statements,
            ..IndexedDocument::default()
        }
    }
}

/// A page of databases or records.
#[derive(Default)]
pub(super) struct Beyond {
    /// Of all that are to be found.
    pub(super) keys: Vec<u64>,
    pub(super) entries: Vec<IndexedDocument>,
}

/// A form that nobody described and nobody asked is only a form.
fn is_worth_finding(database: &HiddenDatabase) -> bool {
    database.new.cooperation != Cooperation::None || database.asked_at.is_some()
}

/// Changes with what is indexed of a database.
fn database_mark(database: &HiddenDatabase) -> u64 {
    let new = &database.new;
    let all = json!([EDITION, database.asked_at, new.title, new.about, new.kind, new.host]);
    TextKey::new(&all.to_string()).short()
}

/// What providers say about their own is taken as said.
fn certain(field: Field, value: &str) -> IndexedStatement {
    IndexedStatement { field, value: value.to_owned(), weight: 1.0, scheme: None, chosen: true }
}

/// The elements of Dublin Core among our fields.
fn field_of(name: &str) -> Option<Field> {
    Some(match name.to_ascii_lowercase().as_str() {
        "title" => Field::Title,
        "creator" => Field::Author,
        "subject" => Field::Keywords,
        "description" => Field::Abstract,
        "publisher" => Field::Institution,
        "date" => Field::Date,
        "type" => Field::Type,
        "format" => Field::Format,
        "identifier" => Field::Identifier,
        "language" => Field::Language,
        "rights" => Field::Rights,
        _ => return None,
    })
}

fn path_of(url: &str) -> String {
    Url::parse(url).map(|url| url.path().to_owned()).unwrap_or_default()
}

fn date_of(date: &str) -> Option<DocumentDate> {
    let mut parts = date.splitn(3, '-');
    let year = parts.next()?.parse().ok()?;
    let mut part = || parts.next().and_then(|part| part.get(..2)?.parse().ok());
    Some(DocumentDate { year, month: part(), day: part(), weight: 1.0 })
}

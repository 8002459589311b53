//! Marks: what people say about values, fields and documents. They are the labels of calibration and
//! of tables of precision and recall, so they outlive the runs they were made in.
//!
//! A mark belongs to the body it was made for and to the address at which the person looked. On the
//! same field and value of a body the newest mark holds, in whatever order they arrive.

use crate::batch::Batch;
use crate::catalog::take_numbers;
use crate::engine::{Fields, Sql, Value};
use crate::value::storable;
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Field, MarkKind, RequestId, RunId, Timestamp};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// What a person says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The capture that stores the body.
    pub capture: CaptureId,
    /// The document that was looked at.
    pub request: RequestId,
    /// None for what is said of the document as a whole.
    pub field: Option<Field>,
    /// None for what is said of the field as a whole.
    pub value: Option<String>,
    pub kind: MarkKind,
    /// The run that was looked at.
    pub run: Option<RunId>,
    pub by: String,
    pub at: Timestamp,
    pub note: Option<String>,
}

/// A mark with its number and address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMark {
    pub id: i64,
    pub url: String,
    pub mark: Mark,
}

/// Which marks are listed; every field that is set must fit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkFilter {
    pub capture: Option<CaptureId>,
    pub request: Option<RequestId>,
    pub field: Option<Field>,
    pub kind: Option<MarkKind>,
    pub run: Option<RunId>,
    pub by: Option<String>,
}

impl Catalog {
    /// Stores marks; on the same field and value of a capture the newest holds.
    pub async fn set_marks(&self, marks: &[Mark]) -> Result<(), CatalogError> {
        let mut newest: BTreeMap<(CaptureId, Vec<u8>), &Mark> = BTreeMap::new();
        for mark in marks {
            let known = newest.entry((mark.capture, key(mark))).or_insert(mark);
            if mark.at >= known.at {
                *known = mark;
            }
        }
        let mut session = self.engine.begin().await?;
        let count = u32::try_from(newest.len()).unwrap_or(u32::MAX);
        let first = take_numbers(&mut session, "mark", count).await?;
        let mut batch = Batch::new(
            "INSERT INTO mark (id, key, capture_id, request_id, kind, field, run_id, at, made_by, \
             value, note)",
            11,
            " ON CONFLICT (capture_id, key) DO UPDATE SET request_id = excluded.request_id, \
             kind = excluded.kind, run_id = excluded.run_id, at = excluded.at, \
             made_by = excluded.made_by, note = excluded.note WHERE excluded.at >= mark.at",
        );
        for (id, ((_, key), mark)) in (first..).zip(newest) {
            batch.push(mark_row(id, key, mark));
        }
        batch.run(&mut session).await?;
        Ok(session.commit().await?)
    }

    /// Withdraws marks by their numbers; how many there were.
    pub async fn remove_marks(&self, ids: &[i64]) -> Result<u64, CatalogError> {
        let mut batch =
            Batch::new("WITH v (id) AS (", 1, ") DELETE FROM mark WHERE id IN (SELECT id FROM v)");
        for id in ids {
            batch.push([(*id).into()]);
        }
        let mut session = self.engine.begin().await?;
        let removed = batch.run(&mut session).await?;
        session.commit().await?;
        Ok(removed)
    }

    /// The next marks after the one given, by number. 0 begins; an empty page ends.
    pub async fn marks(
        &self,
        filter: &MarkFilter,
        after: i64,
        limit: usize,
    ) -> Result<Vec<StoredMark>, CatalogError> {
        let (text, values) = marks_page(filter);
        let mut sql = Sql::new(text).bind(after).bind(limit);
        sql.values.extend(values);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_mark(&mut row)).collect()
    }
}

pub(super) fn marks_page(filter: &MarkFilter) -> (String, Vec<Value>) {
    let mut text =
        "SELECT m.id, COALESCE(r.url, ''), m.capture_id, m.request_id, m.kind, m.field, \
                    m.run_id, m.at, m.made_by, m.value, m.note FROM mark m \
                    LEFT JOIN request r ON r.id = m.request_id WHERE m.id > $1"
            .to_owned();
    let mut values: Vec<Value> = Vec::new();
    let conditions = [
        ("m.capture_id", filter.capture.map(Value::from)),
        ("m.request_id", filter.request.map(Value::from)),
        ("m.field", filter.field.map(|field| field.as_str().into())),
        ("m.kind", filter.kind.map(|kind| kind.as_str().into())),
        ("m.run_id", filter.run.map(Value::from)),
        ("m.made_by", filter.by.as_deref().map(Value::from)),
    ];
    for (column, value) in conditions {
        if let Some(value) = value {
            values.push(value);
            text.push_str(&format!(" AND {column} = ${}", values.len() + 2));
        }
    }
    text.push_str(" ORDER BY m.id LIMIT $2");
    (text, values)
}

/// Digest of field and value; what is missing differs from what is empty.
fn key(mark: &Mark) -> Vec<u8> {
    let field = mark.field.map(Field::as_str).unwrap_or_default();
    let value = mark.value.as_deref().map(|value| format!("\0{}", storable(value)));
    let mut digest = Sha256::digest(format!("{field}{}", value.unwrap_or_default())).to_vec();
    digest.truncate(16);
    digest
}

fn mark_row(id: i64, key: Vec<u8>, mark: &Mark) -> [Value; 11] {
    [
        id.into(),
        Value::Bytes(Some(key)),
        mark.capture.into(),
        mark.request.into(),
        mark.kind.as_str().into(),
        mark.field.map(Field::as_str).into(),
        mark.run.into(),
        mark.at.into(),
        mark.by.as_str().into(),
        (&mark.value).into(),
        (&mark.note).into(),
    ]
}

fn read_mark(row: &mut Fields) -> Result<StoredMark, CatalogError> {
    let (id, url) = (row.number()?, row.text()?);
    let unreadable = |column: &str| {
        CatalogError::damaged(format!("the column {column} of mark {id} is unreadable"))
    };
    let (capture, request) = (CaptureId(row.number()?), RequestId(row.number()?));
    let kind = MarkKind::parse(&row.text()?).ok_or_else(|| unreadable("kind"))?;
    let field = row.maybe_text()?;
    let field =
        field.map(|name| Field::parse(&name).ok_or_else(|| unreadable("field"))).transpose()?;
    let run = row.maybe_number()?.map(RunId);
    let (at, by) = (Timestamp(row.number()?), row.text()?);
    let (value, note) = (row.maybe_text()?, row.maybe_text()?);
    Ok(StoredMark {
        id,
        url,
        mark: Mark { capture, request, field, value, kind, run, by, at, note },
    })
}

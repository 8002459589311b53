//! The answers of registries, name servers and pages, so that nobody is asked twice and a decision
//! can be made again from the record.

use crate::batch::Batch;
use crate::engine::{Fields, Sql, Value};
use crate::lookup::read_cause;
use crate::value::storable;
use crate::{Catalog, CatalogError};
use auslese_model::{LookupAnswer, LookupKey, LookupKind, LookupRecord, Timestamp};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// Bytes of the digest that stands for a question: as many as for a request.
const KEY_BYTES: usize = 16;

impl Catalog {
    /// Stores answers; a question that has a newer answer keeps it. Returns how many were stored.
    pub async fn store_lookups(&self, records: &[LookupRecord]) -> Result<u64, CatalogError> {
        let mut batch = Batch::new(
            "INSERT INTO lookup (key, kind, server, question, outcome, answer, cause_kind, cause, \
             at, until)",
            10,
            " ON CONFLICT (key) DO UPDATE SET outcome = excluded.outcome, \
             answer = excluded.answer, cause_kind = excluded.cause_kind, cause = excluded.cause, \
             at = excluded.at, until = excluded.until WHERE excluded.at >= lookup.at",
        );
        let mut newest: BTreeMap<Vec<u8>, &LookupRecord> = BTreeMap::new();
        for record in records {
            let known = newest.entry(digest(&record.key)).or_insert(record);
            if record.at >= known.at {
                *known = record;
            }
        }
        for (key, record) in newest {
            batch.push(record_row(key, record));
        }
        let mut session = self.engine.begin().await?;
        let stored = batch.run(&mut session).await?;
        session.commit().await?;
        Ok(stored)
    }

    /// The next answers of some kinds after the one given, in no meaningful order, those that have
    /// run out included.
    pub async fn lookups_page(
        &self,
        kinds: &[LookupKind],
        after: Option<&LookupKey>,
        limit: usize,
    ) -> Result<Vec<LookupRecord>, CatalogError> {
        let names: Vec<String> = kinds.iter().map(|kind| format!("'{}'", kind.as_str())).collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT kind, server, question, outcome, answer, cause_kind, cause, at, until \
             FROM lookup WHERE key > $1 AND kind IN ({}) ORDER BY key LIMIT $2",
            names.join(",")
        );
        let after = Value::Bytes(Some(after.map(digest).unwrap_or_default()));
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(after).bind(limit)).await?;
        rows.into_iter().map(|mut row| read_record(&mut row)).collect()
    }

    /// Forgets answers that ran out before a time; returns how many.
    pub async fn prune_lookups(&self, before: Timestamp) -> Result<u64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = Sql::new("DELETE FROM lookup WHERE until < $1").bind(before);
        let forgotten = session.execute(sql).await?;
        session.commit().await?;
        Ok(forgotten)
    }
}

/// Over the texts as they are stored: a question read back has the same digest.
fn digest(key: &LookupKey) -> Vec<u8> {
    let (server, question) = (storable(&key.server), storable(&key.question));
    let mut digest = Sha256::digest([key.kind.as_str(), &server, &question].join("\0")).to_vec();
    digest.truncate(KEY_BYTES);
    digest
}

fn record_row(key: Vec<u8>, record: &LookupRecord) -> [Value; 10] {
    let (outcome, answer, cause_kind, words) = match &record.answer {
        LookupAnswer::Found(bytes) => ("found", Some(bytes.clone()), None, None),
        LookupAnswer::Absent(words) => ("absent", None, None, Some(words.as_str())),
        LookupAnswer::Failed(cause) => {
            ("failed", None, Some(cause.kind.as_str()), Some(cause.detail.as_str()))
        }
    };
    [
        Value::Bytes(Some(key)),
        record.key.kind.as_str().into(),
        record.key.server.as_str().into(),
        record.key.question.as_str().into(),
        outcome.into(),
        Value::Bytes(answer),
        cause_kind.into(),
        words.into(),
        record.at.into(),
        record.until.into(),
    ]
}

fn read_record(row: &mut Fields) -> Result<LookupRecord, CatalogError> {
    let (kind, server, question) = (row.text()?, row.text()?, row.text()?);
    let unreadable = |column: &str| {
        let words = format!("the column {column} of the lookup of {question} is unreadable");
        CatalogError::damaged(words)
    };
    let kind = LookupKind::parse(&kind).ok_or_else(|| unreadable("kind"))?;
    let (outcome, answer) = (row.text()?, row.maybe_bytes()?);
    let answer = match outcome.as_str() {
        "found" => {
            row.skip(2);
            LookupAnswer::Found(answer.ok_or_else(|| unreadable("answer"))?)
        }
        "absent" => {
            row.skip(1);
            LookupAnswer::Absent(row.maybe_text()?.unwrap_or_default())
        }
        "failed" => LookupAnswer::Failed(read_cause(row)?.ok_or_else(|| unreadable("cause_kind"))?),
        _ => return Err(unreadable("outcome")),
    };
    let (at, until) = (Timestamp(row.number()?), Timestamp(row.number()?));
    Ok(LookupRecord { key: LookupKey { kind, server, question }, answer, at, until })
}

//! Remarks: what people say about documents, hosts and rules, in short threads.
//!
//! Every remark is a row of its own, so two people who write at the same time both are heard. Who edits or withdraws a
//! remark names the edition they saw; if somebody was faster, nothing is changed and they are told. What is withdrawn
//! keeps its place in the thread, without its text.

use crate::catalog::take_numbers;
use crate::engine::{Fields, Sql, Value};
use crate::value::storable;
use crate::{Catalog, CatalogError};
use auslese_model::Timestamp;
use sha2::{Digest as _, Sha256};

/// The longest remark, in bytes.
pub const MAX_REMARK: usize = 20_000;

/// What kind of thing a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// By its address.
    Document,
    /// By its name.
    Host,
    /// A rule of heuristics, by its name.
    Rule,
}

impl Topic {
    pub const ALL: [Topic; 3] = [Topic::Document, Topic::Host, Topic::Rule];

    pub fn as_str(self) -> &'static str {
        match self {
            Topic::Document => "document",
            Topic::Host => "host",
            Topic::Rule => "rule",
        }
    }

    pub fn parse(text: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.as_str() == text)
    }
}

/// What a remark is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemarkKey {
    pub topic: Topic,
    pub subject: String,
}

impl RemarkKey {
    fn digest(&self) -> Vec<u8> {
        let mut digest =
            Sha256::digest(format!("{}\0{}", self.topic.as_str(), storable(&self.subject)))
                .to_vec();
        digest.truncate(16);
        digest
    }
}

/// A remark that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRemark {
    pub key: RemarkKey,
    /// The remark of the same thread that it answers.
    pub answer_to: Option<i64>,
    pub at: Timestamp,
    pub by: String,
    pub body: String,
}

/// A remark as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub id: i64,
    pub key: RemarkKey,
    pub answer_to: Option<i64>,
    pub at: Timestamp,
    pub by: String,
    /// 1 for what was written first; one more with each change.
    pub edition: i64,
    pub edited: Option<Timestamp>,
    pub withdrawn: Option<Timestamp>,
    /// Empty if it was withdrawn.
    pub body: String,
}

/// What came of a change of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemarkChange {
    Done,
    /// There is none of this number, or it was withdrawn.
    Missing,
    /// Somebody changed it since that edition.
    Overtaken,
}

const COLUMNS: &str =
    "id, about, subject, answer_to, at, made_by, edition, edited, withdrawn, body";

impl Catalog {
    /// Stores a remark; its number. None if it answers a remark that is not in the same thread.
    pub async fn add_remark(&self, remark: &NewRemark) -> Result<Option<i64>, CatalogError> {
        let mut session = self.engine.begin().await?;
        let key = Value::Bytes(Some(remark.key.digest()));
        if let Some(answered) = remark.answer_to {
            let sql = Sql::new("SELECT id FROM remark WHERE id = $1 AND key = $2");
            if session.row(sql.bind(answered).bind(key.clone())).await?.is_none() {
                return Ok(None);
            }
        }
        let id = take_numbers(&mut session, "remark", 1).await?;
        let sql = "INSERT INTO remark (id, key, about, subject, answer_to, at, made_by, edition, body) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8)";
        let sql = Sql::new(sql)
            .bind(id)
            .bind(key)
            .bind(remark.key.topic.as_str())
            .bind(remark.key.subject.as_str())
            .bind(Value::from(remark.answer_to))
            .bind(remark.at)
            .bind(remark.by.as_str())
            .bind(remark.body.as_str());
        session.execute(sql).await?;
        session.commit().await?;
        Ok(Some(id))
    }

    /// Replaces the text of a remark, or withdraws it if there is none.
    pub async fn change_remark(
        &self,
        id: i64,
        edition: i64,
        body: Option<&str>,
        at: Timestamp,
    ) -> Result<RemarkChange, CatalogError> {
        let mut session = self.engine.begin().await?;
        let known = Sql::new("SELECT edition FROM remark WHERE id = $1 AND withdrawn IS NULL");
        let Some(mut known) = session.row(known.bind(id)).await? else {
            return Ok(RemarkChange::Missing);
        };
        if known.number()? != edition {
            return Ok(RemarkChange::Overtaken);
        }
        let sql = match body {
            Some(_) => {
                "UPDATE remark SET body = $1, edited = $2, edition = edition + 1 \
                 WHERE id = $3 AND edition = $4 AND withdrawn IS NULL"
            }
            None => {
                "UPDATE remark SET body = $1, withdrawn = $2, edition = edition + 1 \
                 WHERE id = $3 AND edition = $4 AND withdrawn IS NULL"
            }
        };
        let text = body.unwrap_or_default();
        let sql = Sql::new(sql).bind(text).bind(at).bind(id).bind(edition);
        let changed = session.execute(sql).await?;
        session.commit().await?;
        Ok(if changed == 1 { RemarkChange::Done } else { RemarkChange::Overtaken })
    }

    pub async fn remark(&self, id: i64) -> Result<Option<Remark>, CatalogError> {
        let sql = Sql::new(format!("SELECT {COLUMNS} FROM remark WHERE id = $1")).bind(id);
        let row = self.engine.reader().await?.row(sql).await?;
        row.map(|mut row| read_remark(&mut row)).transpose()
    }

    /// A thread, oldest first, with what was withdrawn.
    pub async fn thread(&self, key: &RemarkKey, limit: usize) -> Result<Vec<Remark>, CatalogError> {
        let sql = format!("SELECT {COLUMNS} FROM remark WHERE key = $1 ORDER BY id LIMIT $2");
        let sql = Sql::new(sql).bind(Value::Bytes(Some(key.digest()))).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_remark(&mut row)).collect()
    }

    /// How many remarks there are about something.
    pub async fn remark_count(&self, key: &RemarkKey) -> Result<u64, CatalogError> {
        let sql = "SELECT COUNT(*) FROM remark WHERE key = $1 AND withdrawn IS NULL";
        let sql = Sql::new(sql).bind(Value::Bytes(Some(key.digest())));
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map(|mut row| row.number()).transpose()?.unwrap_or(0).unsigned_abs())
    }

    /// All remarks after the one given, by number, without what was withdrawn. 0 begins; an empty page ends.
    pub async fn remarks(&self, after: i64, limit: usize) -> Result<Vec<Remark>, CatalogError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM remark WHERE id > $1 AND withdrawn IS NULL ORDER BY id LIMIT $2"
        );
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(after).bind(limit)).await?;
        rows.into_iter().map(|mut row| read_remark(&mut row)).collect()
    }

    /// The remarks before the one given, newest first, without what was withdrawn.
    pub async fn newest_remarks(
        &self,
        before: i64,
        limit: usize,
    ) -> Result<Vec<Remark>, CatalogError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM remark WHERE id < $1 AND withdrawn IS NULL \
             ORDER BY id DESC LIMIT $2"
        );
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(before).bind(limit)).await?;
        rows.into_iter().map(|mut row| read_remark(&mut row)).collect()
    }
}

fn read_remark(row: &mut Fields) -> Result<Remark, CatalogError> {
    let id = row.number()?;
    let topic = Topic::parse(&row.text()?).ok_or_else(|| {
        CatalogError::damaged(format!("the column about of remark {id} is unreadable"))
    })?;
    Ok(Remark {
        id,
        key: RemarkKey { topic, subject: row.text()? },
        answer_to: row.maybe_number()?,
        at: Timestamp(row.number()?),
        by: row.text()?,
        edition: row.number()?,
        edited: row.maybe_number()?.map(Timestamp),
        withdrawn: row.maybe_number()?.map(Timestamp),
        body: row.text()?,
    })
}

//! Rounds: one pass over the documents of a harvest, by one or more runs, and its word counts.
//!
//! Words are rows, so that rounds can be compared in SQL. A round keeps the counts of its most
//! frequent words only: beyond them there are mostly misspellings and numbers, without end.

use super::take_number;
use super::version::VersionChange;
use crate::batch::Batch;
use crate::discovery::key_text;
use crate::engine::{Session, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{RunId, Timestamp};
use std::collections::BTreeMap;

/// Words of one round that are counted one by one, the most frequent ones. All are in the sums.
pub const MAX_ROUND_WORDS: usize = 1_000_000;

/// The number of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundId(pub i64);

/// How a round came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundKind {
    Crawl,
    Recrawl,
    /// Taken over from archives others made.
    Import,
}

impl RoundKind {
    const ALL: [RoundKind; 3] = [RoundKind::Crawl, RoundKind::Recrawl, RoundKind::Import];

    pub fn as_str(self) -> &'static str {
        match self {
            RoundKind::Crawl => "crawl",
            RoundKind::Recrawl => "recrawl",
            RoundKind::Import => "import",
        }
    }

    pub fn parse(text: &str) -> Option<RoundKind> {
        RoundKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A round as the catalog knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    pub id: RoundId,
    pub kind: RoundKind,
    pub started: Timestamp,
    pub ended: Option<Timestamp>,
    /// Requests that were queued again when it began.
    pub requests: u64,
    /// Running words of its documents, once they were counted.
    pub words: Option<u64>,
    pub distinct_words: Option<u64>,
    pub runs: Vec<RunId>,
    /// What became of the documents, once they were compared.
    pub changes: BTreeMap<VersionChange, u64>,
}

impl Catalog {
    /// Begins a round. There is one at a time: it is a conflict if another one has not ended.
    pub async fn begin_round(
        &self,
        kind: RoundKind,
        at: Timestamp,
    ) -> Result<RoundId, CatalogError> {
        let mut session = self.engine.begin().await?;
        let round = insert_round(&mut session, kind, at, 0).await?;
        session.commit().await?;
        Ok(round)
    }

    /// The round that has not ended, if there is one.
    pub async fn open_round(&self) -> Result<Option<RoundId>, CatalogError> {
        open_round(&mut self.engine.reader().await?).await
    }

    /// Says that a run is a part of a round: its captures are the round's.
    pub async fn add_to_round(&self, round: RoundId, run: RunId) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = Sql::new("UPDATE run SET round_id = $1 WHERE id = $2").bind(round.0).bind(run);
        session.execute(sql).await?;
        Ok(session.commit().await?)
    }

    /// Notes the end of a round; of several ends the first counts.
    pub async fn end_round(&self, round: RoundId, at: Timestamp) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE round SET ended = $1 WHERE id = $2 AND ended IS NULL";
        session.execute(Sql::new(sql).bind(at).bind(round.0)).await?;
        Ok(session.commit().await?)
    }

    /// All rounds, oldest first.
    pub async fn rounds(&self) -> Result<Vec<Round>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = "SELECT id, kind, started, ended, requests, words, distinct_words \
                   FROM round ORDER BY id";
        let mut rounds = BTreeMap::new();
        for mut row in session.rows(Sql::new(sql)).await? {
            let (id, kind) = (RoundId(row.number()?), row.text()?);
            let kind = RoundKind::parse(&kind).ok_or_else(|| {
                CatalogError::damaged(format!("round {} is of the kind {kind:?}", id.0))
            })?;
            let round = Round {
                id,
                kind,
                started: Timestamp(row.number()?),
                ended: row.maybe_number()?.map(Timestamp),
                requests: row.count()?,
                words: row.maybe_number()?.map(i64::unsigned_abs),
                distinct_words: row.maybe_number()?.map(i64::unsigned_abs),
                runs: Vec::new(),
                changes: BTreeMap::new(),
            };
            rounds.insert(id, round);
        }
        let sql = "SELECT round_id, id FROM run WHERE round_id IS NOT NULL ORDER BY id";
        for mut row in session.rows(Sql::new(sql)).await? {
            if let Some(round) = rounds.get_mut(&RoundId(row.number()?)) {
                round.runs.push(RunId(row.number()?));
            }
        }
        let sql = "SELECT round_id, change, COUNT(*) FROM version GROUP BY round_id, change";
        for mut row in session.rows(Sql::new(sql)).await? {
            let (round, change) = (RoundId(row.number()?), row.text()?);
            if let (Some(round), Some(change)) =
                (rounds.get_mut(&round), VersionChange::parse(&change))
            {
                round.changes.insert(change, row.count()?);
            }
        }
        Ok(rounds.into_values().collect())
    }

    /// Stores how often words occur in the documents of a round, in place of what was stored
    /// before. Of more than [`MAX_ROUND_WORDS`] the most frequent are kept; words longer than a
    /// key may be are left out. Returns how many were stored.
    pub async fn store_round_words(
        &self,
        round: RoundId,
        words: &[(String, u64)],
    ) -> Result<usize, CatalogError> {
        let mut kept: Vec<&(String, u64)> =
            words.iter().filter(|(word, _)| key_text(word) == *word).collect();
        if kept.len() > MAX_ROUND_WORDS {
            let by_frequency = |one: &&(String, u64), other: &&(String, u64)| {
                other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0))
            };
            kept.select_nth_unstable_by(MAX_ROUND_WORDS, by_frequency);
            kept.truncate(MAX_ROUND_WORDS);
        }
        kept.sort_unstable();
        kept.dedup_by(|one, other| one.0 == other.0);
        let running = words.iter().fold(0u64, |sum, (_, count)| sum.saturating_add(*count));

        let mut session = self.engine.begin().await?;
        let sql = Sql::new("DELETE FROM round_word WHERE round_id = $1").bind(round.0);
        session.execute(sql).await?;
        for some in kept.chunks(WORDS_AT_ONCE) {
            let mut batch = Batch::new("INSERT INTO round_word (round_id, word, count)", 3, "");
            for (word, count) in some {
                batch.push([round.0.into(), word.as_str().into(), (*count).into()]);
            }
            batch.run(&mut session).await?;
        }
        let sql = "UPDATE round SET words = $1, distinct_words = $2 WHERE id = $3";
        let sql = Sql::new(sql).bind(running).bind(words.len()).bind(round.0);
        session.execute(sql).await?;
        session.commit().await?;
        Ok(kept.len())
    }

    /// Says that the words of a round are to be counted: its documents are not what they were.
    pub async fn forget_round_words(&self, round: RoundId) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE round SET words = NULL, distinct_words = NULL \
                   WHERE id = $1 AND words IS NOT NULL";
        session.execute(Sql::new(sql).bind(round.0)).await?;
        Ok(session.commit().await?)
    }

    /// The next words of a round after the one given, in the order of code points. The empty word
    /// begins; an empty page ends.
    pub async fn round_words(
        &self,
        round: RoundId,
        after: &str,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, CatalogError> {
        let sql = "SELECT word, count FROM round_word WHERE round_id = $1 AND word > $2 \
                   ORDER BY word LIMIT $3";
        let sql = Sql::new(sql).bind(round.0).bind(after).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| Ok((row.text()?, row.count()?))).collect()
    }
}

/// Words turned into values at once.
const WORDS_AT_ONCE: usize = 32_768;

async fn open_round(session: &mut Session) -> Result<Option<RoundId>, CatalogError> {
    let sql = "SELECT MAX(id) FROM round WHERE ended IS NULL";
    let row = session.row(Sql::new(sql)).await?;
    Ok(row.map_or(Ok(None), |mut row| row.maybe_number())?.map(RoundId))
}

pub(super) async fn insert_round(
    session: &mut Session,
    kind: RoundKind,
    at: Timestamp,
    requests: u64,
) -> Result<RoundId, CatalogError> {
    let round = RoundId(take_number(session, "round").await?);
    if let Some(open) = open_round(session).await? {
        let words = format!("round {} has not ended", open.0);
        return Err(CatalogError::Conflict { words });
    }
    let sql = "INSERT INTO round (id, kind, started, requests) VALUES ($1, $2, $3, $4)";
    let sql = Sql::new(sql).bind(round.0).bind(kind.as_str()).bind(at).bind(requests);
    session.execute(sql).await?;
    Ok(round)
}

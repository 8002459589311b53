//! Versions: what became of each document in each round, and the sums over that.
//!
//! What a document was before is found among its captures, not among its versions, so that rounds
//! can be compared again, and a catalog that is older than this table loses nothing.

use super::IS_MACHINERY;
use super::round::RoundId;
use crate::batch::Batch;
use crate::engine::{Fields, Sql};
use crate::lookup::read_cause;
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Cause, Digest, RequestId, State, Timestamp};
use std::collections::BTreeMap;

/// What became of a document in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VersionChange {
    New,
    Unchanged,
    /// Its words changed.
    Changed,
    /// Its bytes changed, its words did not.
    Markup,
    /// Its server says that it is there no more.
    Vanished,
    /// It could not be fetched this time.
    Error,
}

impl VersionChange {
    pub const ALL: [VersionChange; 6] = [
        VersionChange::New,
        VersionChange::Unchanged,
        VersionChange::Changed,
        VersionChange::Markup,
        VersionChange::Vanished,
        VersionChange::Error,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            VersionChange::New => "new",
            VersionChange::Unchanged => "unchanged",
            VersionChange::Changed => "changed",
            VersionChange::Markup => "markup",
            VersionChange::Vanished => "vanished",
            VersionChange::Error => "error",
        }
    }

    pub fn parse(text: &str) -> Option<VersionChange> {
        VersionChange::ALL.into_iter().find(|change| change.as_str() == text)
    }
}

/// Words of a document compared with those of its previous version.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordCounts {
    pub added: u64,
    pub removed: u64,
    pub kept: u64,
}

/// A document in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    pub request: RequestId,
    pub round: RoundId,
    pub change: VersionChange,
    /// None if nothing came.
    pub capture: Option<CaptureId>,
    /// The capture it was compared with.
    pub previous: Option<CaptureId>,
    /// None where no words were compared.
    pub words: Option<WordCounts>,
}

/// A version with what its answer said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatedVersion {
    pub version: Version,
    pub round_started: Timestamp,
    pub at: Option<Timestamp>,
    pub status: Option<u16>,
}

/// What is known of a request after a round, to find out what became of its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionFacts {
    pub request: RequestId,
    pub url: String,
    pub state: State,
    pub cause: Option<Cause>,
    /// The answer that came in this round.
    pub now: Option<VersionCapture>,
    /// The last document before this round.
    pub before: Option<VersionCapture>,
    /// What became of it in this round is stored already.
    pub compared: bool,
}

/// A capture to compare with another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionCapture {
    pub capture: CaptureId,
    pub status: u16,
    /// The capture that stores the body; none if it is stored nowhere.
    pub content: Option<CaptureId>,
    pub payload_digest: Option<Digest>,
}

/// Sums over the documents of one server and type in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRow {
    pub server: String,
    pub media_type: Option<String>,
    pub documents: BTreeMap<VersionChange, u64>,
    pub words: WordCounts,
}

impl Catalog {
    /// The next requests after the one given, by number, that a round answered or that failed in
    /// it; without those that only served the crawl. `RequestId(0)` begins; an empty page ends.
    pub async fn version_facts(
        &self,
        round: RoundId,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<VersionFacts>, CatalogError> {
        let sql = Sql::new(facts_page()).bind(round.0).bind(after).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| {
                let (request, url) = (RequestId(row.number()?), row.text()?);
                let state = State::parse(&row.text()?).ok_or_else(|| {
                    CatalogError::damaged(format!("request {} has an unknown state", request.0))
                })?;
                Ok(VersionFacts {
                    request,
                    url,
                    state,
                    cause: read_cause(&mut row)?,
                    now: read_version_capture(&mut row)?,
                    before: read_version_capture(&mut row)?,
                    compared: row.number()? != 0,
                })
            })
            .collect()
    }

    /// Stores versions; one that is there already for the same request and round is replaced.
    pub async fn store_versions(&self, versions: &[Version]) -> Result<(), CatalogError> {
        let versions: BTreeMap<(RequestId, RoundId), &Version> =
            versions.iter().map(|version| ((version.request, version.round), version)).collect();
        let mut batch = Batch::new(
            "INSERT INTO version (request_id, round_id, change, capture_id, previous_capture, \
             words_added, words_removed, words_kept)",
            8,
            " ON CONFLICT (request_id, round_id) DO UPDATE SET change = excluded.change, \
             capture_id = excluded.capture_id, previous_capture = excluded.previous_capture, \
             words_added = excluded.words_added, words_removed = excluded.words_removed, \
             words_kept = excluded.words_kept",
        );
        for version in versions.values() {
            let words = |of: fn(&WordCounts) -> u64| {
                version.words.as_ref().map(|words| i64::try_from(of(words)).unwrap_or(i64::MAX))
            };
            batch.push([
                version.request.into(),
                version.round.0.into(),
                version.change.as_str().into(),
                version.capture.into(),
                version.previous.into(),
                words(|words| words.added).into(),
                words(|words| words.removed).into(),
                words(|words| words.kept).into(),
            ]);
        }
        let mut session = self.engine.begin().await?;
        batch.run(&mut session).await?;
        Ok(session.commit().await?)
    }

    /// The versions of one document, oldest first.
    pub async fn versions_of(&self, request: RequestId) -> Result<Vec<DatedVersion>, CatalogError> {
        let sql = "SELECT v.request_id, v.round_id, v.change, v.capture_id, v.previous_capture, \
                   v.words_added, v.words_removed, v.words_kept, o.started, h.captured_at, \
                   h.status FROM version v JOIN round o ON o.id = v.round_id \
                   LEFT JOIN http_header h ON h.id = v.capture_id \
                   WHERE v.request_id = $1 ORDER BY v.round_id";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(request)).await?;
        rows.into_iter().map(|mut row| read_version(&mut row)).collect()
    }

    /// Documents of a round that are not what they were, with their addresses, in the order of
    /// their requests.
    pub async fn changed_in(
        &self,
        round: RoundId,
        limit: usize,
    ) -> Result<Vec<(VersionChange, String)>, CatalogError> {
        let sql = "SELECT v.change, r.url FROM version v JOIN request r ON r.id = v.request_id \
                   WHERE v.round_id = $1 AND v.change <> 'unchanged' \
                   ORDER BY v.request_id LIMIT $2";
        let sql = Sql::new(sql).bind(round.0).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        let mut changed = Vec::new();
        for mut row in rows {
            let (change, url) = (row.text()?, row.text()?);
            changed.extend(VersionChange::parse(&change).map(|change| (change, url)));
        }
        Ok(changed)
    }

    /// What became of the documents of a round, by server and type.
    pub async fn change_table(&self, round: RoundId) -> Result<Vec<ChangeRow>, CatalogError> {
        // What vanished or was confirmed has the type of the document it was.
        let sql = "SELECT server, media_type, change, COUNT(*), \
             CAST(COALESCE(SUM(words_added), 0) AS BIGINT), \
             CAST(COALESCE(SUM(words_removed), 0) AS BIGINT), \
             CAST(COALESCE(SUM(words_kept), 0) AS BIGINT) FROM \
             (SELECT s.name AS server, CASE WHEN v.change IN ('new', 'changed', 'markup') \
              THEN h.media_type ELSE COALESCE(p.media_type, h.media_type) END AS media_type, \
              v.change, v.words_added, v.words_removed, v.words_kept FROM version v \
              JOIN request r ON r.id = v.request_id JOIN server_info s ON s.id = r.server_id \
              LEFT JOIN http_header h ON h.id = v.capture_id \
              LEFT JOIN http_header p ON p.id = v.previous_capture WHERE v.round_id = $1) typed \
             GROUP BY server, media_type, change";
        let mut rows: BTreeMap<(String, Option<String>), ChangeRow> = BTreeMap::new();
        for mut row in self.engine.reader().await?.rows(Sql::new(sql).bind(round.0)).await? {
            let (server, media_type, change) = (row.text()?, row.maybe_text()?, row.text()?);
            let Some(change) = VersionChange::parse(&change) else { continue };
            let sums = rows.entry((server.clone(), media_type.clone())).or_insert(ChangeRow {
                server,
                media_type,
                documents: BTreeMap::new(),
                words: WordCounts::default(),
            });
            *sums.documents.entry(change).or_default() += row.count()?;
            sums.words.added += row.count()?;
            sums.words.removed += row.count()?;
            sums.words.kept += row.count()?;
        }
        Ok(rows.into_values().collect())
    }

    /// How many documents changed their words how often, over all rounds.
    pub async fn change_frequencies(&self) -> Result<BTreeMap<u64, u64>, CatalogError> {
        let sql = "SELECT changes, COUNT(*) FROM (SELECT CAST(SUM(CASE WHEN change = 'changed' \
                   THEN 1 ELSE 0 END) AS BIGINT) AS changes FROM version GROUP BY request_id) c \
                   GROUP BY changes";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter().map(|mut row| Ok((row.count()?, row.count()?))).collect()
    }
}

pub(super) fn facts_page() -> String {
    format!(
        "SELECT r.id, r.url, r.state, r.cause_kind, r.cause, h.id, h.status, h.storage, \
         COALESCE(h.original_id, h.id), h.payload_digest, p.id, p.status, p.storage, \
         COALESCE(p.original_id, p.id), p.payload_digest, \
         CASE WHEN v.request_id IS NULL THEN CAST(0 AS BIGINT) ELSE 1 END FROM {} \
         AND r.id > $2 ORDER BY r.id LIMIT $3",
        answered_in_round()
    )
}

/// The numbers of requests that round $1 answered, or that failed in it, and of which what became of
/// them is not stored yet.
pub(crate) fn uncompared() -> String {
    format!("SELECT r.id FROM {} AND v.request_id IS NULL", answered_in_round())
}

/// Requests `r` with their answers of round $1 and from before, and with the version that is stored.
fn answered_in_round() -> String {
    const IN_ROUND: &str = "(SELECT id FROM run WHERE round_id = $1)";
    format!(
        "request r LEFT JOIN http_header h ON h.id = r.capture_id AND h.run_id IN {IN_ROUND} \
         LEFT JOIN http_header p ON p.id = (SELECT MAX(e.id) FROM http_header e \
         WHERE e.request_id = r.id AND e.status BETWEEN 200 AND 299 \
         AND (h.id IS NULL OR e.id < h.id) AND e.run_id NOT IN {IN_ROUND}) \
         LEFT JOIN version v ON v.request_id = r.id AND v.round_id = $1 \
         AND v.capture_id IS NOT DISTINCT FROM h.id \
         WHERE (h.id IS NOT NULL OR (r.state = 'failed' AND p.id IS NOT NULL)) \
         AND NOT {IS_MACHINERY}"
    )
}

fn read_version_capture(row: &mut Fields) -> Result<Option<VersionCapture>, CatalogError> {
    let Some(capture) = row.maybe_number()?.map(CaptureId) else {
        row.skip(4);
        return Ok(None);
    };
    let status = u16::try_from(row.number()?).unwrap_or(0);
    let is_stored = row.text()? != "header-only";
    let content = row.maybe_number()?.map(CaptureId).filter(|_| is_stored);
    let payload_digest = row.maybe_text()?.and_then(|text| Digest::parse(&text));
    Ok(Some(VersionCapture { capture, status, content, payload_digest }))
}

fn read_version(row: &mut Fields) -> Result<DatedVersion, CatalogError> {
    let (request, round) = (RequestId(row.number()?), RoundId(row.number()?));
    let change = row.text()?;
    let change = VersionChange::parse(&change).ok_or_else(|| {
        CatalogError::damaged(format!("request {} has the change {change:?}", request.0))
    })?;
    let capture = row.maybe_number()?.map(CaptureId);
    let previous = row.maybe_number()?.map(CaptureId);
    let mut count = || Ok::<_, CatalogError>(row.maybe_number()?.map(i64::unsigned_abs));
    let (added, removed, kept) = (count()?, count()?, count()?);
    let words = match (added, removed, kept) {
        (Some(added), Some(removed), Some(kept)) => Some(WordCounts { added, removed, kept }),
        _ => None,
    };
    let round_started = Timestamp(row.number()?);
    let at = row.maybe_number()?.map(Timestamp);
    let status = row.maybe_number()?.and_then(|status| u16::try_from(status).ok());
    let version = Version { request, round, change, capture, previous, words };
    Ok(DatedVersion { version, round_started, at, status })
}

//! Documents: the verdicts of the corpus on all requests, and where the kept ones lie in the mirror.
//!
//! Judging and mirroring are two steps, so each writes its own columns: verdicts leave the path
//! alone, even when a document is not kept any more, until the mirror has taken the file away.

use super::ANSWERING;
use super::facts::{BodyState, DocumentFacts};
use crate::batch::Batch;
use crate::engine::{Fields, Session, Sql, Value};
use crate::lookup::{AT_ONCE, filled, places};
use crate::schema::size;
use crate::{Catalog, CatalogError};
use auslese_model::{
    CaptureId, CorpusRule, CorpusVerdict, Document, Keeping, Method, RequestId, RequestKey,
    Timestamp,
};
use std::collections::BTreeMap;

/// Which documents are listed; every field that is set must fit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentFilter {
    pub keeping: Option<Keeping>,
    pub rule: Option<CorpusRule>,
    pub label: Option<String>,
    pub host: Option<String>,
    pub language: Option<String>,
    /// Whether the document has a file in the mirror.
    pub mirrored: Option<bool>,
    pub gone: Option<bool>,
    /// Exact copies of this document.
    pub duplicate_of: Option<RequestId>,
    /// The cluster of this original.
    pub near_original: Option<RequestId>,
    /// The parts of the logical document that begins with this one.
    pub logical: Option<RequestId>,
}

/// A document with its address.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedDocument {
    pub method: Method,
    /// Tells requests to one address apart.
    pub key: RequestKey,
    pub url: String,
    pub label: Option<String>,
    pub document: Document,
    /// Since when its verdict is as it is.
    pub judged_at: Timestamp,
}

/// Documents by rule. Together with the requests that were not judged yet they are all requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleCounts {
    /// In the order of the rules.
    pub rules: Vec<RuleCount>,
    /// Requests that were found since documents were last judged.
    pub unjudged: u64,
}

/// Documents that one rule decided on in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleCount {
    pub keeping: Keeping,
    pub rule: CorpusRule,
    pub documents: u64,
    /// Their sizes, as far as they are known.
    pub bytes: u64,
}

impl RuleCounts {
    /// All requests.
    pub fn total(&self) -> u64 {
        self.rules.iter().map(|count| count.documents).sum::<u64>() + self.unjudged
    }

    pub fn of(&self, keeping: Keeping) -> u64 {
        let of_it = self.rules.iter().filter(|count| count.keeping == keeping);
        of_it.map(|count| count.documents).sum()
    }
}

impl DocumentFacts {
    /// The document of these facts with a verdict; without duplicates, cluster and mirror.
    pub fn document(&self, verdict: CorpusVerdict) -> Document {
        let stored = self.answer.as_ref().and_then(|answer| match answer.body {
            BodyState::Stored { capture, .. } => Some(capture),
            BodyState::HeaderOnly { .. } => None,
        });
        Document {
            request: self.request,
            capture: self.answer.as_ref().map(|answer| answer.capture),
            content: stored,
            verdict,
            duplicate_of: None,
            near: None,
            logical: None,
            gone: self.gone,
            mirror_path: None,
        }
    }
}

/// The columns [`read_listed`] expects of `document d`, `request r` and `server_info s`.
const LISTED_COLUMNS: &str = "r.method, r.key, r.url, s.label, d.judged_at, d.request_id, d.capture_id, \
    d.content_id, d.keeping, d.rule, d.reason, d.duplicate_of, d.near_original, \
    d.near_similarity, d.logical, d.gone, d.mirror_path";

pub(super) fn documents_query() -> String {
    format!("SELECT {LISTED_COLUMNS} {LISTED} WHERE d.request_id IN ({})", places(1))
}

const LISTED: &str = "FROM document d JOIN request r ON r.id = d.request_id \
    JOIN server_info s ON s.id = r.server_id LEFT JOIN content c ON c.capture_id = d.content_id";

impl Catalog {
    /// Stores verdicts and says how many differ from those that were there: only these are
    /// written. [`Document::mirror_path`] is not stored here, see [`Catalog::set_mirror_paths`].
    pub async fn store_documents(
        &self,
        documents: &[Document],
        at: Timestamp,
    ) -> Result<u64, CatalogError> {
        let documents: BTreeMap<RequestId, &Document> =
            documents.iter().map(|document| (document.request, document)).collect();
        let mut session = self.engine.begin().await?;
        move_corpus_files(&mut session, &documents, LEAVE_OLD_CAPTURE).await?;
        let mut batch = Batch::new(
            "INSERT INTO document (request_id, capture_id, content_id, keeping, rule, reason, \
             duplicate_of, near_original, near_similarity, logical, gone, judged_at)",
            12,
            " ON CONFLICT (request_id) DO UPDATE SET capture_id = excluded.capture_id, \
             content_id = excluded.content_id, keeping = excluded.keeping, rule = excluded.rule, \
             reason = excluded.reason, duplicate_of = excluded.duplicate_of, \
             near_original = excluded.near_original, near_similarity = excluded.near_similarity, \
             logical = excluded.logical, gone = excluded.gone, judged_at = excluded.judged_at \
             WHERE document.capture_id IS DISTINCT FROM excluded.capture_id \
             OR document.content_id IS DISTINCT FROM excluded.content_id \
             OR document.keeping <> excluded.keeping OR document.rule <> excluded.rule \
             OR document.reason <> excluded.reason \
             OR document.duplicate_of IS DISTINCT FROM excluded.duplicate_of \
             OR document.near_original IS DISTINCT FROM excluded.near_original \
             OR document.near_similarity IS DISTINCT FROM excluded.near_similarity \
             OR document.logical IS DISTINCT FROM excluded.logical \
             OR document.gone <> excluded.gone",
        );
        for document in documents.values() {
            batch.push(document_row(document, at));
        }
        let written = batch.run(&mut session).await?;
        move_corpus_files(&mut session, &documents, ENTER_NEW_CAPTURE).await?;
        session.commit().await?;
        Ok(written)
    }

    /// Notes where documents lie in the mirror, or that they do not any more. The newest capture
    /// carries the path as well, in `corpus_file`. Requests that were never judged are left out.
    pub async fn set_mirror_paths(
        &self,
        paths: &[(RequestId, Option<String>)],
    ) -> Result<(), CatalogError> {
        let paths: BTreeMap<RequestId, Option<&str>> =
            paths.iter().map(|(request, path)| (*request, path.as_deref())).collect();
        let mut session = self.engine.begin().await?;
        for after in [
            ") UPDATE document SET mirror_path = v.path FROM v WHERE document.request_id = v.id",
            ") UPDATE http_header SET corpus_file = NULL FROM v \
             WHERE http_header.request_id = v.id AND http_header.corpus_file IS NOT NULL",
            ") UPDATE http_header SET corpus_file = v.path \
             FROM v JOIN document d ON d.request_id = v.id WHERE http_header.id = d.capture_id",
        ] {
            let mut batch = Batch::new("WITH v (id, path) AS (", 2, after);
            for (request, path) in &paths {
                batch.push([(*request).into(), (*path).into()]);
            }
            batch.run(&mut session).await?;
        }
        Ok(session.commit().await?)
    }

    /// The next documents after the one given, by number of their request. `RequestId(0)` begins;
    /// an empty page ends.
    pub async fn documents(
        &self,
        filter: &DocumentFilter,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<ListedDocument>, CatalogError> {
        let (text, values) = documents_page(filter);
        let mut sql = Sql::new(text).bind(after).bind(limit);
        sql.values.extend(values);
        self.listed(sql).await
    }

    /// How many documents fit.
    pub async fn count_documents(&self, filter: &DocumentFilter) -> Result<u64, CatalogError> {
        let (condition, values) = conditions(filter, 1);
        let mut sql = Sql::new(format!("SELECT COUNT(*) {LISTED} WHERE true{condition}"));
        sql.values = values;
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }

    /// The documents of exactly this URL: one for each method, and for each body sent.
    pub async fn document(&self, url: &str) -> Result<Vec<ListedDocument>, CatalogError> {
        let mut documents = Vec::new();
        for request in self.find_requests(url).await? {
            documents.extend(self.document_of(request.id).await?);
        }
        Ok(documents)
    }

    pub async fn document_of(
        &self,
        request: RequestId,
    ) -> Result<Option<ListedDocument>, CatalogError> {
        let sql = format!("SELECT {LISTED_COLUMNS} {LISTED} WHERE d.request_id = $1");
        Ok(self.listed(Sql::new(sql).bind(request)).await?.pop())
    }

    /// The documents of several requests; those that were not judged have no entry.
    pub async fn documents_of(
        &self,
        requests: &[RequestId],
    ) -> Result<BTreeMap<RequestId, ListedDocument>, CatalogError> {
        let sql = documents_query();
        let mut found = BTreeMap::new();
        for some in requests.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|request| (*request).into()));
            let listed = self.listed(asked).await?;
            found.extend(listed.into_iter().map(|it| (it.document.request, it)));
        }
        Ok(found)
    }

    async fn listed(&self, sql: Sql) -> Result<Vec<ListedDocument>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_listed(&mut row)).collect()
    }

    /// How many documents each rule kept and left.
    pub async fn rule_counts(&self) -> Result<RuleCounts, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = format!(
            "SELECT d.keeping, d.rule, COUNT(*), CAST(COALESCE(SUM({}), 0) AS BIGINT) \
             FROM {} GROUP BY d.keeping, d.rule",
            size("a"),
            judged()
        );
        let mut counts = RuleCounts::default();
        for mut row in session.rows(Sql::new(sql)).await? {
            let (keeping, rule) = read_verdict_words(&mut row)?;
            let (documents, bytes) = (row.count()?, row.count()?);
            counts.rules.push(RuleCount { keeping, rule, documents, bytes });
        }
        counts.rules.sort_by_key(|count| (count.rule, count.keeping));
        let sql = "SELECT (SELECT COUNT(*) FROM request) - (SELECT COUNT(*) FROM document)";
        if let Some(mut row) = session.row(Sql::new(sql)).await? {
            counts.unjudged = row.count()?;
        }
        Ok(counts)
    }

    /// Queues those documents again that the rules might keep, but of which only the header row
    /// exists; returns how many. The next crawl fetches them.
    pub async fn requeue_unknown(&self) -> Result<u64, CatalogError> {
        let mut session = self.engine.begin().await?;
        let sql = "UPDATE request SET state = 'queued', attempts = 0, not_before = 0, \
                   cause_kind = NULL, cause = NULL WHERE state = 'done' \
                   AND id IN (SELECT request_id FROM document WHERE keeping = $1)";
        let unknown = Keeping::Unknown.as_str();
        let queued = session.execute(Sql::new(sql).bind(unknown)).await?;
        if queued > 0 {
            let sql = "UPDATE server_queue SET idle = 0 WHERE server_id IN \
                       (SELECT r.server_id FROM document d JOIN request r ON r.id = d.request_id \
                        WHERE d.keeping = $1)";
            session.execute(Sql::new(sql).bind(unknown)).await?;
        }
        session.commit().await?;
        Ok(queued)
    }
}

/// `document d` with its request `r`, newest capture `h`, and the answer `a` that stands for it.
pub(super) fn judged() -> String {
    format!(
        "document d JOIN request r ON r.id = d.request_id \
         LEFT JOIN http_header h ON h.id = d.capture_id LEFT JOIN http_header a ON a.id = {ANSWERING}"
    )
}

fn document_row(document: &Document, at: Timestamp) -> [Value; 12] {
    [
        document.request.into(),
        document.capture.into(),
        document.content.into(),
        document.verdict.keeping.as_str().into(),
        document.verdict.rule.as_str().into(),
        document.verdict.reason.as_str().into(),
        document.duplicate_of.into(),
        document.near.map(|(original, _)| original).into(),
        document.near.map(|(_, similarity)| similarity).into(),
        document.logical.into(),
        document.gone.into(),
        at.into(),
    ]
}

/// A document in the mirror that has a new capture: the old one gives up the path …
const LEAVE_OLD_CAPTURE: &str = ") UPDATE http_header SET corpus_file = NULL \
    FROM v JOIN document d ON d.request_id = v.id WHERE http_header.id = d.capture_id \
    AND d.mirror_path IS NOT NULL AND d.capture_id IS DISTINCT FROM v.capture_id";

/// … and the new one gets it.
const ENTER_NEW_CAPTURE: &str = ") UPDATE http_header SET corpus_file = d.mirror_path \
    FROM v JOIN document d ON d.request_id = v.id WHERE http_header.id = v.capture_id \
    AND d.mirror_path IS NOT NULL AND http_header.corpus_file IS DISTINCT FROM d.mirror_path";

async fn move_corpus_files(
    session: &mut Session,
    documents: &BTreeMap<RequestId, &Document>,
    after: &'static str,
) -> Result<(), CatalogError> {
    let mut batch = Batch::new("WITH v (id, capture_id) AS (", 2, after);
    for (request, document) in documents {
        batch.push([(*request).into(), document.capture.into()]);
    }
    batch.run(session).await?;
    Ok(())
}

pub(super) fn documents_page(filter: &DocumentFilter) -> (String, Vec<Value>) {
    let (condition, values) = conditions(filter, 3);
    let text = format!(
        "SELECT {LISTED_COLUMNS} {LISTED} WHERE d.request_id > $1{condition} \
         ORDER BY d.request_id LIMIT $2"
    );
    (text, values)
}

/// Further conditions with their values, whose places begin with the one given.
fn conditions(filter: &DocumentFilter, first: usize) -> (String, Vec<Value>) {
    let mut text = String::new();
    let mut values: Vec<Value> = Vec::new();
    let mut must_be = |column: &str, value: Value| {
        let place = first + values.len();
        values.push(value);
        format!(" AND {column} = ${place}")
    };
    let words = [
        ("d.keeping", filter.keeping.map(Keeping::as_str)),
        ("d.rule", filter.rule.map(CorpusRule::as_str)),
        ("s.label", filter.label.as_deref()),
        ("s.name", filter.host.as_deref()),
        ("c.language", filter.language.as_deref()),
    ];
    for (column, word) in words {
        if let Some(word) = word {
            text.push_str(&must_be(column, word.into()));
        }
    }
    if let Some(gone) = filter.gone {
        text.push_str(&must_be("d.gone", gone.into()));
    }
    let others = [
        ("d.duplicate_of", filter.duplicate_of),
        ("d.near_original", filter.near_original),
        ("d.logical", filter.logical),
    ];
    for (column, request) in others {
        if let Some(request) = request {
            text.push_str(&must_be(column, request.into()));
        }
    }
    match filter.mirrored {
        Some(true) => text.push_str(" AND d.mirror_path IS NOT NULL"),
        Some(false) => text.push_str(" AND d.mirror_path IS NULL"),
        None => {}
    }
    (text, values)
}

/// Reads [`LISTED_COLUMNS`].
fn read_listed(row: &mut Fields) -> Result<ListedDocument, CatalogError> {
    let (method, key) = (Method::parse(&row.text()?), row.bytes()?.try_into());
    let (Some(method), Ok(key)) = (method, key) else {
        return Err(CatalogError::damaged("the request of a document is unreadable".to_owned()));
    };
    let (url, label) = (row.text()?, row.maybe_text()?);
    let judged_at = Timestamp(row.number()?);
    let request = RequestId(row.number()?);
    let (capture, content) = (row.maybe_number()?.map(CaptureId), row.maybe_number()?);
    let (keeping, rule) = read_verdict_words(row)?;
    let reason = row.text()?;
    let duplicate_of = row.maybe_number()?.map(RequestId);
    let (near, similarity) = (row.maybe_number()?.map(RequestId), row.maybe_fraction()?);
    let logical = row.maybe_number()?.map(RequestId);
    let gone = row.number()? != 0;
    let document = Document {
        request,
        capture,
        content: content.map(CaptureId),
        verdict: CorpusVerdict { keeping, rule, reason },
        duplicate_of,
        near: near.map(|near| (near, similarity.unwrap_or(0.0))),
        logical,
        gone,
        mirror_path: row.maybe_text()?,
    };
    Ok(ListedDocument { method, key: RequestKey(key), url, label, document, judged_at })
}

/// The columns `keeping, rule`.
fn read_verdict_words(row: &mut Fields) -> Result<(Keeping, CorpusRule), CatalogError> {
    let (keeping, rule) = (row.text()?, row.text()?);
    match (Keeping::parse(&keeping), CorpusRule::parse(&rule)) {
        (Some(keeping), Some(rule)) => Ok((keeping, rule)),
        _ => Err(CatalogError::damaged(format!("a document is {keeping:?} by the rule {rule:?}"))),
    }
}

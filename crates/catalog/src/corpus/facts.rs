//! What the rules of the corpus ask of each request: how it was found, how it was answered, what
//! was read out of its body. One row for every request, fetched or not, so that the reasons add up.

use super::content_row::{
    COUNT_COLUMNS, LANGUAGE_COLUMNS, read_counts, read_format, read_json, read_language, small,
};
use super::{ANSWERING, STORING, is_trouble};
use crate::engine::{Fields, Sql};
use crate::lookup::read_cause;
use crate::{Catalog, CatalogError};
use auslese_model::{
    CaptureId, Cause, Counts, Digest, Format, HopPath, LanguageNote, Method, Part, RequestId,
    Scheme, ServerId, State, Timestamp,
};

/// A request with all that the rules look at.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentFacts {
    pub request: RequestId,
    pub method: Method,
    pub url: String,
    pub hops: HopPath,
    pub via: Option<RequestId>,
    pub state: State,
    pub cause: Option<Cause>,
    pub server: ServerId,
    pub scheme: Scheme,
    pub port: u16,
    pub label: Option<String>,
    /// None if no answer ever came.
    pub answer: Option<Answer>,
    /// None if the body is not stored or not examined yet.
    pub content: Option<ContentSummary>,
    /// There was a document once, and the newest answer says that it is there no more.
    pub gone: bool,
}

/// The newest answer; for one that said "not modified", the document it confirmed; for one that
/// tells of trouble (408, 425, 429, 5xx), the last one that did not, if there is any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The newest capture.
    pub capture: CaptureId,
    pub at: Timestamp,
    /// The newest answer was 304; the rest stands for the answer it confirmed.
    pub not_modified: bool,
    /// The status of the newest answer, if the server had trouble; the rest stands for the last
    /// answer before.
    pub trouble: Option<u16>,
    pub status: u16,
    pub content_type: Option<String>,
    /// The same without parameters, in lower case.
    pub media_type: Option<String>,
    pub content_language: Option<String>,
    pub content_length: Option<i64>,
    pub payload_length: u64,
    pub payload_digest: Option<Digest>,
    pub last_modified: Option<Timestamp>,
    pub body: BodyState,
}

/// Where the body of an answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyState {
    /// The capture that stores it: the answer's own, or the one it is a revisit of.
    Stored { capture: CaptureId, revisit: bool },
    /// Nowhere, for the reason given.
    HeaderOnly { reason: String },
}

/// What the rules need of a content.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentSummary {
    /// The capture that stores the body.
    pub capture: CaptureId,
    pub reader: u32,
    /// Length of the body without any coding.
    pub bytes: u64,
    pub format: Format,
    pub trouble: Option<String>,
    pub title: Option<String>,
    pub language: Option<LanguageNote>,
    pub counts: Counts,
    pub structure: Option<u64>,
    pub generator: Option<String>,
    pub parts: Vec<Part>,
}

impl Catalog {
    /// The next requests after the one given, by number. `RequestId(0)` begins; an empty page
    /// ends.
    pub async fn document_facts(
        &self,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<DocumentFacts>, CatalogError> {
        self.read_facts(Sql::new(facts_page()).bind(after).bind(limit)).await
    }

    /// The same for one request.
    pub async fn facts_of(&self, id: RequestId) -> Result<Option<DocumentFacts>, CatalogError> {
        let sql = format!("{} WHERE r.id = $1", facts_query());
        Ok(self.read_facts(Sql::new(sql).bind(id)).await?.pop())
    }

    async fn read_facts(&self, sql: Sql) -> Result<Vec<DocumentFacts>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_facts(&mut row)).collect()
    }
}

pub(super) fn facts_page() -> String {
    format!("{} WHERE r.id > $1 ORDER BY r.id LIMIT $2", facts_query())
}

fn facts_query() -> String {
    format!(
        "SELECT r.id, r.method, r.url, r.hops, r.via, r.state, r.cause_kind, r.cause, r.server_id, \
         s.scheme, s.port, s.label, \
         CASE WHEN a.status IN (404, 410) AND EXISTS (SELECT 1 FROM http_header e \
         WHERE e.request_id = r.id AND e.status BETWEEN 200 AND 299) \
         THEN CAST(1 AS BIGINT) ELSE 0 END, \
         h.id, h.captured_at, h.status, {STORING}, a.status, a.content_type, a.media_type, \
         a.content_language, a.content_length, a.payload_length, a.payload_digest, \
         a.last_modified, a.storage, a.not_stored_reason, \
         c.capture_id, c.reader, c.bytes, c.format, c.trouble, c.title, c.structure, c.generator, c.parts, \
         {LANGUAGE_COLUMNS}, {COUNT_COLUMNS} \
         FROM request r JOIN server_info s ON s.id = r.server_id \
         LEFT JOIN http_header h ON h.id = r.capture_id \
         LEFT JOIN http_header a ON a.id = {ANSWERING} \
         LEFT JOIN content c ON c.capture_id = {STORING}"
    )
}

fn read_facts(row: &mut Fields) -> Result<DocumentFacts, CatalogError> {
    let request = RequestId(row.number()?);
    let unreadable = |column: &str| {
        CatalogError::damaged(format!("the column {column} of request {} is unreadable", request.0))
    };
    let method = Method::parse(&row.text()?).ok_or_else(|| unreadable("method"))?;
    let url = row.text()?;
    let hops = HopPath(row.text()?);
    let via = row.maybe_number()?.map(RequestId);
    let state = State::parse(&row.text()?).ok_or_else(|| unreadable("state"))?;
    let cause = read_cause(row)?;
    let server = ServerId(row.number()?);
    let scheme = row.text()?;
    let scheme = [Scheme::Http, Scheme::Https].into_iter().find(|known| known.as_str() == scheme);
    let scheme = scheme.ok_or_else(|| unreadable("scheme"))?;
    let port = u16::try_from(row.number()?).map_err(|_| unreadable("port"))?;
    let label = row.maybe_text()?;
    let gone = row.number()? != 0;
    let answer = read_answer(row)?;
    let content = read_summary(row)?;
    Ok(DocumentFacts {
        request,
        method,
        url,
        hops,
        via,
        state,
        cause,
        server,
        scheme,
        port,
        label,
        answer,
        content,
        gone,
    })
}

/// The fourteen columns of an answer.
fn read_answer(row: &mut Fields) -> Result<Option<Answer>, CatalogError> {
    let Some(capture) = row.maybe_number()?.map(CaptureId) else {
        row.skip(13);
        return Ok(None);
    };
    let at = Timestamp(row.number()?);
    let newest_status = row.number()?;
    let not_modified = newest_status == 304;
    let stored = CaptureId(row.number()?);
    let answering_status = row.number()?;
    let status = u16::try_from(answering_status).unwrap_or(0);
    let trouble = Some(newest_status).filter(|newest| is_trouble(*newest));
    let trouble = trouble.filter(|newest| *newest != answering_status);
    let trouble = trouble.and_then(|newest| u16::try_from(newest).ok());
    let (content_type, media_type) = (row.maybe_text()?, row.maybe_text()?);
    let (content_language, content_length) = (row.maybe_text()?, row.maybe_number()?);
    let payload_length = row.count()?;
    let payload_digest = row.maybe_text()?.and_then(|text| Digest::parse(&text));
    let last_modified = row.maybe_number()?.map(Timestamp);
    let (storage, reason) = (row.text()?, row.maybe_text()?);
    let body = match storage.as_str() {
        "header-only" => BodyState::HeaderOnly { reason: reason.unwrap_or_default() },
        "revisit" => BodyState::Stored { capture: stored, revisit: true },
        _ => BodyState::Stored { capture: stored, revisit: not_modified },
    };
    Ok(Some(Answer {
        capture,
        at,
        not_modified,
        trouble,
        status,
        content_type,
        media_type,
        content_language,
        content_length,
        payload_length,
        payload_digest,
        last_modified,
        body,
    }))
}

fn read_summary(row: &mut Fields) -> Result<Option<ContentSummary>, CatalogError> {
    let Some(capture) = row.maybe_number()?.map(CaptureId) else { return Ok(None) };
    Ok(Some(ContentSummary {
        capture,
        reader: small(row.number()?),
        bytes: row.count()?,
        format: read_format(row, capture)?,
        trouble: row.maybe_text()?,
        title: row.maybe_text()?,
        structure: row.maybe_number()?.map(i64::cast_unsigned),
        generator: row.maybe_text()?,
        parts: read_json(&row.text()?, "parts", capture)?,
        language: read_language(row, capture)?,
        counts: read_counts(row)?,
    }))
}

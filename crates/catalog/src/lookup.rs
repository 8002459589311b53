//! Looking things up: one request with its history, one capture, the original of a payload.

use crate::batch::Batch;
use crate::engine::{Fields, Sql, Value};
use crate::header::{CAPTURE_COLUMNS, StoredCapture, digest_number, read_capture};
use crate::{Catalog, CatalogError};
use auslese_model::{
    CaptureId, Cause, CauseKind, Digest, HopPath, Method, Place, RequestId, RequestKey, ServerId,
    State, Timestamp,
};
use std::collections::{HashMap, HashSet};

/// How many steps back a chain of discoveries is followed.
pub const MAX_CHAIN: i64 = 1_000;

/// Keys or digests asked about in one statement; shorter lists are filled up by repeating.
pub(crate) const AT_ONCE: usize = 64;

/// Everything the frontier knows of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRequest {
    pub id: RequestId,
    pub key: RequestKey,
    pub server: ServerId,
    pub method: Method,
    pub url: String,
    pub state: State,
    pub priority: i64,
    pub hops: HopPath,
    pub via: Option<RequestId>,
    pub attempts: u16,
    pub not_before: Timestamp,
    pub cause: Option<Cause>,
    /// The last capture.
    pub capture: Option<CaptureId>,
    pub found_at: Timestamp,
}

/// The record a revisit refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    pub capture: CaptureId,
    pub record_id: String,
    pub uri: String,
    pub at: Timestamp,
}

/// The columns [`read_request`] expects, for a query over `request r`.
const REQUEST_COLUMNS: &str = "r.id, r.key, r.server_id, r.method, r.url, r.state, r.priority, \
    r.hops, r.via, r.attempts, r.not_before, r.cause_kind, r.cause, r.capture_id, r.found_at";

impl Catalog {
    /// Requests for exactly this URL. A spelling that differs from the canonical one is searched
    /// for in the whole table, which takes seconds when there are millions of rows; who can make
    /// the canonical form asks [`Catalog::find_keys`].
    pub async fn find_requests(&self, url: &str) -> Result<Vec<KnownRequest>, CatalogError> {
        let key = RequestKey::new(Method::Get, url, &[]);
        let known: Vec<KnownRequest> =
            self.find_keys(&[key]).await?.into_values().filter(|known| known.url == url).collect();
        if !known.is_empty() {
            return Ok(known);
        }
        self.requests_for(url).await
    }

    /// Requests for exactly this URL by any method, however it is keyed. Reads the whole table.
    pub async fn requests_for(&self, url: &str) -> Result<Vec<KnownRequest>, CatalogError> {
        let sql = format!("SELECT {REQUEST_COLUMNS} FROM request r WHERE r.url = $1 ORDER BY r.id");
        self.requests(Sql::new(sql).bind(url)).await
    }

    /// The same for many URLs, with one look at the table for many of them.
    pub async fn requests_for_any(
        &self,
        urls: &[String],
    ) -> Result<Vec<KnownRequest>, CatalogError> {
        let sql = format!("SELECT {REQUEST_COLUMNS} FROM request r WHERE r.url IN ({})", places(1));
        let mut found = Vec::new();
        for some in urls.chunks(AT_ONCE) {
            let values = some.iter().map(|url| Value::from(url.as_str()));
            found.extend(self.requests(filled(&sql, values)).await?);
        }
        Ok(found)
    }

    /// The addresses of a host that begin like this one, in their order.
    pub async fn addresses_below(
        &self,
        host: &str,
        beginning: &str,
    ) -> Result<Vec<String>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = "SELECT DISTINCT r.url FROM request r JOIN server_info s ON s.id = r.server_id \
                   WHERE s.name = $1 AND substr(r.url, 1, CAST($2 AS INTEGER)) = $3 ORDER BY r.url";
        let length = beginning.chars().count();
        let sql = Sql::new(sql).bind(host).bind(length).bind(beginning);
        let mut addresses = Vec::new();
        for mut row in session.rows(sql).await? {
            addresses.push(row.text()?);
        }
        Ok(addresses)
    }

    /// Those of the keys that are known.
    pub async fn find_keys(
        &self,
        keys: &[RequestKey],
    ) -> Result<HashMap<RequestKey, KnownRequest>, CatalogError> {
        let sql = format!("SELECT {REQUEST_COLUMNS} FROM request r WHERE r.key IN ({})", places(1));
        let mut found = HashMap::new();
        for some in keys.chunks(AT_ONCE) {
            let values = some.iter().map(|key| Value::from(key.0.as_slice()));
            let requests = self.requests(filled(&sql, values)).await?;
            found.extend(requests.into_iter().map(|request| (request.key, request)));
        }
        Ok(found)
    }

    pub async fn request(&self, id: RequestId) -> Result<Option<KnownRequest>, CatalogError> {
        let sql = format!("SELECT {REQUEST_COLUMNS} FROM request r WHERE r.id = $1");
        Ok(self.requests(Sql::new(sql).bind(id)).await?.pop())
    }

    /// How a request was found: itself, the request in whose answer it was found, and so on to the
    /// seed; at most [`MAX_CHAIN`] steps.
    pub async fn via_chain(&self, id: RequestId) -> Result<Vec<KnownRequest>, CatalogError> {
        let sql = format!(
            "WITH RECURSIVE chain (id, via, step) AS ( \
             SELECT id, via, CAST(0 AS BIGINT) FROM request WHERE id = $1 UNION ALL \
             SELECT f.id, f.via, chain.step + 1 FROM request f JOIN chain ON f.id = chain.via \
             WHERE chain.step < $2) \
             SELECT {REQUEST_COLUMNS} FROM chain JOIN request r ON r.id = chain.id \
             ORDER BY chain.step"
        );
        let mut chain = self.requests(Sql::new(sql).bind(id).bind(MAX_CHAIN)).await?;
        // Archives of others may say that two pages were found on each other.
        let mut seen = HashSet::new();
        let circle = chain.iter().position(|request| !seen.insert(request.id));
        chain.truncate(circle.unwrap_or(chain.len()));
        Ok(chain)
    }

    /// Notes on which page each of these requests was found: the second of each pair.
    pub async fn set_via(&self, pairs: &[(RequestId, RequestId)]) -> Result<(), CatalogError> {
        let after = ") UPDATE request SET via = v.via FROM v WHERE request.id = v.id";
        let mut batch = Batch::new("WITH v (id, via) AS (", 2, after);
        for (request, via) in pairs {
            batch.push([(*request).into(), (*via).into()]);
        }
        let mut session = self.engine.begin().await?;
        batch.run(&mut session).await?;
        Ok(session.commit().await?)
    }

    async fn requests(&self, sql: Sql) -> Result<Vec<KnownRequest>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_request(&mut row)).collect()
    }

    /// All captures of requests for exactly this URL, oldest first.
    pub async fn captures_of(&self, url: &str) -> Result<Vec<StoredCapture>, CatalogError> {
        let mut captures = Vec::new();
        for request in self.find_requests(url).await? {
            captures.extend(self.captures_of_request(request.id).await?);
        }
        captures.sort_by_key(|stored| (stored.capture.at, stored.capture.id));
        Ok(captures)
    }

    /// All captures of a request, oldest first.
    pub async fn captures_of_request(
        &self,
        request: RequestId,
    ) -> Result<Vec<StoredCapture>, CatalogError> {
        let sql = capture_query("h.request_id = $1 ORDER BY h.captured_at, h.id");
        self.captures(Sql::new(sql).bind(request)).await
    }

    pub async fn capture(&self, id: CaptureId) -> Result<Option<StoredCapture>, CatalogError> {
        Ok(self.captures(Sql::new(capture_query("h.id = $1")).bind(id)).await?.pop())
    }

    /// The captures whose records lie in a WARC file, in the order of the file. Reads the whole
    /// table.
    pub async fn captures_in(&self, file: &str) -> Result<Vec<(CaptureId, Place)>, CatalogError> {
        let sql = "SELECT id, warc_offset, warc_length, record_id FROM http_header \
                   WHERE warc_file = $1 ORDER BY warc_offset";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(file)).await?;
        rows.into_iter()
            .map(|mut row| {
                let id = CaptureId(row.number()?);
                let (offset, length) = (row.count()?, row.count()?);
                let place = Place { file: file.to_owned(), offset, length, record_id: row.text()? };
                Ok((id, place))
            })
            .collect()
    }

    /// The next captures after the one given, by number. `CaptureId(0)` begins; an empty page
    /// ends.
    pub async fn captures_page(
        &self,
        after: CaptureId,
        limit: usize,
    ) -> Result<Vec<StoredCapture>, CatalogError> {
        let sql = capture_query("h.id > $1 ORDER BY h.id LIMIT $2");
        self.captures(Sql::new(sql).bind(after).bind(limit)).await
    }

    pub(crate) async fn captures(&self, sql: Sql) -> Result<Vec<StoredCapture>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_capture(&mut row)).collect()
    }

    /// For each digest the first capture that stores its payload in full; never a revisit.
    pub async fn originals(
        &self,
        digests: &[Digest],
    ) -> Result<Vec<Option<Original>>, CatalogError> {
        let sql = format!(
            "SELECT h.payload_digest, h.id, h.record_id, r.url, h.captured_at FROM http_header h \
             JOIN request r ON r.id = h.request_id \
             WHERE h.storage = 'stored' AND h.payload_prefix IN ({}) ORDER BY h.id",
            places(1)
        );
        let mut found: HashMap<String, Original> = HashMap::new();
        for some in digests.chunks(AT_ONCE) {
            let values = some.iter().map(|digest| Value::from(digest_number(digest)));
            for mut row in self.engine.reader().await?.rows(filled(&sql, values)).await? {
                let digest = row.text()?;
                let original = Original {
                    capture: CaptureId(row.number()?),
                    record_id: row.text()?,
                    uri: row.text()?,
                    at: Timestamp(row.number()?),
                };
                found.entry(digest).or_insert(original);
            }
        }
        Ok(digests.iter().map(|digest| found.get(&digest.to_string()).cloned()).collect())
    }
}

pub(crate) fn capture_query(condition: &str) -> String {
    format!(
        "SELECT {CAPTURE_COLUMNS} FROM http_header h LEFT JOIN request r ON r.id = h.request_id \
         WHERE {condition}"
    )
}

pub(crate) fn places(first: usize) -> String {
    let places: Vec<String> = (first..first + AT_ONCE).map(|number| format!("${number}")).collect();
    places.join(",")
}

/// Fills the places of an `IN` list, the last value as often as needed.
pub(crate) fn filled(sql: &str, values: impl Iterator<Item = Value>) -> Sql {
    let mut values: Vec<Value> = values.collect();
    if let Some(last) = values.last().cloned() {
        values.resize(AT_ONCE, last);
    }
    Sql { text: sql.to_owned().into(), values }
}

fn read_request(row: &mut Fields) -> Result<KnownRequest, CatalogError> {
    let id = RequestId(row.number()?);
    let unreadable = |column: &str| {
        CatalogError::damaged(format!("the column {column} of request {} is unreadable", id.0))
    };
    let key = row.bytes()?.try_into().map_err(|_| unreadable("key"))?;
    let server = ServerId(row.number()?);
    let method = Method::parse(&row.text()?).ok_or_else(|| unreadable("method"))?;
    let url = row.text()?;
    let state = State::parse(&row.text()?).ok_or_else(|| unreadable("state"))?;
    let priority = row.number()?;
    let hops = HopPath(row.text()?);
    let via = row.maybe_number()?.map(RequestId);
    let attempts = u16::try_from(row.number()?).unwrap_or(u16::MAX);
    let not_before = Timestamp(row.number()?);
    let cause = read_cause(row)?;
    let capture = row.maybe_number()?.map(CaptureId);
    let found_at = Timestamp(row.number()?);
    Ok(KnownRequest {
        id,
        key: RequestKey(key),
        server,
        method,
        url,
        state,
        priority,
        hops,
        via,
        attempts,
        not_before,
        cause,
        capture,
        found_at,
    })
}

/// The columns `cause_kind, cause`.
pub(crate) fn read_cause(row: &mut Fields) -> Result<Option<Cause>, CatalogError> {
    let (kind, detail) = (row.maybe_text()?, row.maybe_text()?);
    let Some(kind) = kind else { return Ok(None) };
    let kind = CauseKind::parse(&kind)
        .ok_or_else(|| CatalogError::damaged(format!("unknown cause {kind}")))?;
    Ok(Some(Cause::new(kind, detail.unwrap_or_default())))
}

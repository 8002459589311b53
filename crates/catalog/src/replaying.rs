//! What replay and the index for other tools ask of the catalog: when a request was captured, and
//! the captures of a host or below an address, in pages.
//!
//! There is no index of addresses, since crawls would pay for it with every link they find. So what
//! asks for the captures of a host reads all requests once per page; pages are long.

use crate::engine::{Dialect, Fields, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, RequestId, Timestamp};

/// When and how a request was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub capture: CaptureId,
    pub at: Timestamp,
    pub status: u16,
    /// Whether there is a body, here or in an earlier capture.
    pub has_body: bool,
}

/// A capture as one line of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedCapture {
    pub url: String,
    pub capture: CaptureId,
    pub request: RequestId,
    pub at: Timestamp,
    pub status: u16,
    /// Without parameters, in lower case.
    pub media_type: Option<String>,
    pub digest: Option<String>,
    pub location: Option<String>,
    pub is_revisit: bool,
    /// File, offset and length of the record; none if only the header row is there.
    pub record: Option<(String, u64, u64)>,
}

/// Which captures are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaptureScope {
    /// Of these requests.
    Requests(Vec<RequestId>),
    /// Of addresses that begin like this, on the host named.
    Beginning {
        host: String,
        beginning: String,
    },
    Host(String),
    /// Of a host and all hosts below it.
    Domain(String),
}

/// The last line of a page, behind which the next one begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexPosition {
    pub url: String,
    pub at: Timestamp,
    pub capture: CaptureId,
}

impl IndexedCapture {
    pub fn position(&self) -> IndexPosition {
        IndexPosition { url: self.url.clone(), at: self.at, capture: self.capture }
    }
}

impl Catalog {
    /// The captures of a request in the order of time; at most `limit`, the newest ones.
    pub async fn moments(
        &self,
        request: RequestId,
        limit: usize,
    ) -> Result<Vec<Moment>, CatalogError> {
        let sql = "SELECT id, captured_at, status, storage FROM http_header \
                   WHERE request_id = $1 ORDER BY captured_at DESC, id DESC LIMIT $2";
        let sql = Sql::new(sql).bind(request).bind(limit);
        let mut moments = Vec::new();
        for mut row in self.engine.reader().await?.rows(sql).await? {
            moments.push(Moment {
                capture: CaptureId(row.number()?),
                at: Timestamp(row.number()?),
                status: u16::try_from(row.number()?).unwrap_or(0),
                has_body: row.text()? != "header-only",
            });
        }
        moments.reverse();
        Ok(moments)
    }

    /// The captures of a scope between two times, by address and time: the next page behind a
    /// position, or the first.
    pub async fn index_page(
        &self,
        scope: &CaptureScope,
        (from, to): (Timestamp, Timestamp),
        after: Option<&IndexPosition>,
        limit: usize,
    ) -> Result<Vec<IndexedCapture>, CatalogError> {
        let mut session = self.engine.reader().await?;
        // Addresses are compared byte by byte, whatever the language of the database.
        let url = match session.dialect() {
            Dialect::Sqlite => "r.url",
            Dialect::Postgres => "r.url COLLATE \"C\"",
        };
        let mut sql = Sql::new("").bind(from).bind(to).bind(limit);
        let behind = match after {
            None => String::new(),
            Some(position) => {
                sql = sql.bind(&*position.url).bind(position.at).bind(position.capture);
                format!(
                    "AND ({url} > $4 OR r.url = $4 AND (h.captured_at > $5 \
                     OR h.captured_at = $5 AND h.id > $6))"
                )
            }
        };
        let condition = scope.condition(&mut sql);
        sql.text = format!(
            "SELECT r.url, h.id, h.request_id, h.captured_at, h.status, h.media_type, \
             h.payload_digest, h.location, h.storage, h.warc_file, h.warc_offset, h.warc_length \
             FROM request r JOIN http_header h ON h.request_id = r.id \
             JOIN server_info s ON s.id = r.server_id \
             WHERE h.captured_at >= $1 AND h.captured_at <= $2 AND {condition} {behind} \
             ORDER BY {url}, h.captured_at, h.id LIMIT $3"
        )
        .into();
        let rows = session.rows(sql).await?;
        rows.into_iter().map(|mut row| read_indexed(&mut row)).collect()
    }
}

impl CaptureScope {
    /// The condition of the scope, with its values bound behind those that are there.
    fn condition(&self, sql: &mut Sql) -> String {
        let first = sql.values.len() + 1;
        match self {
            CaptureScope::Requests(requests) => {
                sql.values.extend(requests.iter().map(|request| (*request).into()));
                let places: Vec<String> =
                    (first..first + requests.len()).map(|at| format!("${at}")).collect();
                match places.len() {
                    0 => "1 = 0".to_owned(),
                    _ => format!("r.id IN ({})", places.join(",")),
                }
            }
            CaptureScope::Beginning { host, beginning } => {
                let length = beginning.chars().count();
                sql.values.extend([host.as_str().into(), length.into(), beginning.as_str().into()]);
                format!(
                    "s.name = ${first} AND substr(r.url, 1, CAST(${} AS INTEGER)) = ${}",
                    first + 1,
                    first + 2
                )
            }
            CaptureScope::Host(host) => {
                sql.values.push(host.as_str().into());
                format!("s.name = ${first}")
            }
            CaptureScope::Domain(host) => {
                let mark = |c: char| if "!%_".contains(c) { vec!['!', c] } else { vec![c] };
                let escaped: String = host.chars().flat_map(mark).collect();
                sql.values.extend([host.as_str().into(), format!("%.{escaped}").as_str().into()]);
                format!("(s.name = ${first} OR s.name LIKE ${} ESCAPE '!')", first + 1)
            }
        }
    }
}

fn read_indexed(row: &mut Fields) -> Result<IndexedCapture, CatalogError> {
    let url = row.text()?;
    let (capture, request) = (CaptureId(row.number()?), RequestId(row.number()?));
    let at = Timestamp(row.number()?);
    let status = u16::try_from(row.number()?).unwrap_or(0);
    let (media_type, digest) = (row.maybe_text()?, row.maybe_text()?);
    let location = row.maybe_text()?;
    let is_revisit = row.text()? == "revisit";
    let file = row.maybe_text()?;
    let (offset, length) = (row.maybe_number()?, row.maybe_number()?);
    let number = |number: Option<i64>| number.map_or(0, i64::unsigned_abs);
    let record = file.map(|file| (file, number(offset), number(length)));
    Ok(IndexedCapture {
        url,
        capture,
        request,
        at,
        status,
        media_type,
        digest,
        location,
        is_revisit,
        record,
    })
}

//! Asking again: a new round over everything that was answered or failed, and what is needed to ask
//! servers only for what changed.
//!
//! The validators are read from the raw header of the last document, because a server must get them
//! back exactly as it sent them.

use super::round::{RoundId, RoundKind, insert_round};
use crate::engine::{Fields, Sql};
use crate::lookup::{Original, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Digest, RequestId, Timestamp};
use std::collections::HashMap;

/// A recrawl that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recrawl {
    pub round: RoundId,
    /// Requests that were queued again.
    pub requests: u64,
}

/// What a conditional request says, and what a revisit record refers to if the answer is 304.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validators {
    /// The last capture of this request with a document.
    pub capture: CaptureId,
    /// The value of its `ETag` line.
    pub etag: Option<String>,
    /// The value of its `Last-Modified` line.
    pub last_modified: Option<String>,
    pub payload_digest: Option<Digest>,
    /// The record that stores its body.
    pub original: Original,
}

/// Longer values are not sent back.
const MAX_VALIDATOR: usize = 1_000;

impl Catalog {
    /// Begins a round in which everything is asked for again that was answered (documents that
    /// vanished included) or failed. Left out are robots.txt, which the crawl asks for by itself, and
    /// questions to databases, which whoever asks the database puts again.
    ///
    /// It is a conflict if another round has not ended.
    pub async fn begin_recrawl(&self, at: Timestamp) -> Result<Recrawl, CatalogError> {
        let mut session = self.engine.begin().await?;
        let round = insert_round(&mut session, RoundKind::Recrawl, at, 0).await?;
        let sql = "UPDATE request SET state = 'queued', attempts = 0, not_before = 0, \
                   cause_kind = NULL, cause = NULL WHERE state IN ('done', 'failed') \
                   AND NOT (via IS NULL AND hops = 'P') AND hops NOT LIKE '%Q'";
        let requests = session.execute(Sql::new(sql)).await?;
        let sql = "UPDATE round SET requests = $1 WHERE id = $2";
        session.execute(Sql::new(sql).bind(requests).bind(round.0)).await?;
        session.execute(Sql::new("UPDATE server_queue SET idle = 0 WHERE idle = 1")).await?;
        session.commit().await?;
        Ok(Recrawl { round, requests })
    }

    /// What is known of the last document of each request. Requests whose last answers brought
    /// none, or whose body is not stored, have no entry: they must be asked without conditions.
    pub async fn validators(
        &self,
        requests: &[RequestId],
    ) -> Result<HashMap<RequestId, Validators>, CatalogError> {
        let sql = format!(
            "SELECT h.request_id, h.id, h.raw_header, h.payload_digest, o.id, o.record_id, \
             COALESCE(u.url, ''), o.captured_at FROM http_header h \
             JOIN http_header o ON o.id = COALESCE(h.original_id, h.id) AND o.storage = 'stored' \
             LEFT JOIN request u ON u.id = o.request_id \
             WHERE h.request_id IN ({}) AND h.status = 200 AND h.truncated IS NULL \
             AND h.storage <> 'header-only' AND o.truncated IS NULL ORDER BY h.id",
            places(1)
        );
        let mut found = HashMap::new();
        let mut session = self.engine.reader().await?;
        for some in requests.chunks(crate::lookup::AT_ONCE) {
            let values = some.iter().map(|request| (*request).into());
            for mut row in session.rows(filled(&sql, values)).await? {
                // In the order of captures: the last one stays.
                found.insert(RequestId(row.number()?), read_validators(&mut row)?);
            }
        }
        Ok(found)
    }
}

fn read_validators(row: &mut Fields) -> Result<Validators, CatalogError> {
    let capture = CaptureId(row.number()?);
    let head = row.bytes()?;
    Ok(Validators {
        capture,
        etag: header_value(&head, "etag"),
        last_modified: header_value(&head, "last-modified"),
        payload_digest: row.maybe_text()?.and_then(|text| Digest::parse(&text)),
        original: Original {
            capture: CaptureId(row.number()?),
            record_id: row.maybe_text()?.unwrap_or_default(),
            uri: row.text()?,
            at: Timestamp(row.number()?),
        },
    })
}

/// The value of the first line of this name; none if it cannot be sent back safely.
fn header_value(head: &[u8], name: &str) -> Option<String> {
    head.split(|byte| *byte == b'\n').skip(1).find_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let (candidate, value) = (line.get(..colon)?, line.get(colon + 1..)?);
        if !candidate.trim_ascii().eq_ignore_ascii_case(name.as_bytes()) {
            return None;
        }
        let value = value.trim_ascii();
        let sendable = |byte: &u8| matches!(byte, b' '..=b'~');
        let is_safe =
            !value.is_empty() && value.len() <= MAX_VALIDATOR && value.iter().all(sendable);
        Some(is_safe.then(|| String::from_utf8_lossy(value).into_owned()))
    })?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_are_read_as_sent() {
        let head = b"HTTP/1.1 200 OK\r\netag:  W/\"a:b\" \r\nLast-Modified: 1 Jan 99\nX\r\n\
                     Etag: late\r\nOdd: a\x80\r\nEmpty:\r\n\r\n";
        #[rustfmt::skip]
        let cases = [
            ("etag",          Some("W/\"a:b\"")),
            ("last-modified", Some("1 Jan 99")),
            ("odd",           None),
            ("empty",         None),
            ("x",             None),
            ("http/1.1 200 ok", None),
        ];
        for (name, expected) in cases {
            assert_eq!(header_value(head, name).as_deref(), expected, "{name}");
        }
    }

    proptest! {
        #[test]
        fn nothing_dangerous_is_sent_back(head: Vec<u8>, value: Vec<u8>) {
            let line = [b"\nETag: ", value.as_slice(), b"\n", head.as_slice()].concat();
            if let Some(value) = header_value(&line, "etag") {
                prop_assert!(value.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            }
        }
    }
}

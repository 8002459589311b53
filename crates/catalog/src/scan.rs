//! Passes over whole tables: what a crawl has to know in memory when it starts, and previews.
//!
//! Tables may hold tens of millions of rows. They are read in pages along an index, so that memory
//! stays bounded and no transaction stays open; where only numbers are wanted, the database packs a
//! page of them into one text, because a row costs far more than a number.

use crate::engine::{Dialect, Sql, Value};
use crate::{Catalog, CatalogError};
use auslese_model::{RequestId, ServerId};

/// Rows per page where rows are packed.
const PACKED_PAGE: i64 = 16_384;

/// Rows per page otherwise.
const PAGE: i64 = 2_048;

/// A request that waits in a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuedUrl<'a> {
    pub id: RequestId,
    pub server: ServerId,
    pub url: &'a str,
}

impl Catalog {
    /// Hands over [`RequestKey::short`](auslese_model::RequestKey::short) of every request known,
    /// in no particular order.
    pub async fn known_keys(&self, seen: &mut (dyn FnMut(u64) + Send)) -> Result<(), CatalogError> {
        let mut session = self.engine.reader().await?;
        // SQLite reads the keys alone from their index; PostgreSQL would look up each row from
        // there, so it reads the table in its order.
        let (sql, mut last) = match session.dialect() {
            Dialect::Sqlite => (
                "SELECT group_concat(hex(substr(key, 7, 8)), ''), max(key) FROM \
                 (SELECT key FROM request WHERE key > $1 ORDER BY key LIMIT $2)",
                Value::Bytes(Some(Vec::new())),
            ),
            Dialect::Postgres => (
                "SELECT string_agg(encode(substr(key, 7, 8), 'hex'), ''), max(id) FROM \
                 (SELECT id, key FROM request WHERE id > $1 ORDER BY id LIMIT $2) page",
                Value::from(i64::MIN),
            ),
        };
        loop {
            let page = session.row(Sql::new(sql).bind(last.clone()).bind(PACKED_PAGE)).await?;
            let Some(mut page) = page else { return Ok(()) };
            let Some(keys) = page.maybe_text()? else { return Ok(()) };
            last = match last {
                Value::Bytes(_) => Value::Bytes(Some(page.bytes()?)),
                _ => Value::from(page.number()?),
            };
            for digits in keys.as_bytes().chunks(16) {
                seen(hexadecimal(digits).ok_or_else(|| CatalogError::damaged("a request key"))?);
            }
        }
    }

    /// Hands over [`Digest::prefix`](auslese_model::Digest::prefix) of every payload that is stored
    /// in full, each once.
    pub async fn known_digests(
        &self,
        seen: &mut (dyn FnMut(u64) + Send),
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.reader().await?;
        let pack = match session.dialect() {
            Dialect::Sqlite => "group_concat(payload_prefix, ',')",
            Dialect::Postgres => "string_agg(payload_prefix::text, ',')",
        };
        let sql = format!(
            "SELECT {pack}, max(payload_prefix) FROM (SELECT DISTINCT payload_prefix \
             FROM http_header WHERE storage = 'stored' AND payload_prefix >= $1 \
             ORDER BY payload_prefix LIMIT $2) page"
        );
        let mut next = i64::MIN;
        loop {
            let page = session.row(Sql::new(sql.clone()).bind(next).bind(PACKED_PAGE)).await?;
            let Some(mut page) = page else { return Ok(()) };
            let Some(numbers) = page.maybe_text()? else { return Ok(()) };
            for number in numbers.split(',') {
                let number: i64 =
                    number.parse().map_err(|_| CatalogError::damaged("a payload digest"))?;
                seen(number.cast_unsigned());
            }
            match page.number()?.checked_add(1) {
                Some(number) => next = number,
                None => return Ok(()),
            }
        }
    }

    /// Hands over every queued URL, server by server: to count what an exclusion would drop, or to
    /// drop it.
    pub async fn queued_urls(
        &self,
        each: &mut (dyn FnMut(QueuedUrl<'_>) + Send),
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = "SELECT server_id, priority, id, url FROM request WHERE state = 'queued' \
                   AND (server_id, priority, id) > ($1, $2, $3) \
                   ORDER BY server_id, priority, id LIMIT $4";
        let mut last = [i64::MIN; 3];
        loop {
            let sql = last.into_iter().fold(Sql::new(sql), Sql::bind).bind(PAGE);
            let page = session.rows(sql).await?;
            if page.is_empty() {
                return Ok(());
            }
            for mut row in page {
                last = [row.number()?, row.number()?, row.number()?];
                let url = row.text()?;
                let [server, _, id] = last;
                each(QueuedUrl { id: RequestId(id), server: ServerId(server), url: &url });
            }
        }
    }
}

fn hexadecimal(digits: &[u8]) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

//! Checking a catalog on demand: the file itself (SQLite), then what its tables say of each other.

use crate::engine::{Dialect, Session, Sql};
use crate::{Catalog, CatalogError};

/// How many faults of one kind are listed.
const LISTED: i64 = 20;

/// A rule of the tables: a query for the rows that break it, and how to say so.
type Rule = (&'static str, &'static str);

const RULES: &[Rule] = &[
    (
        "is done but has no capture",
        "SELECT 'request ' || r.id FROM request r WHERE r.state = 'done' AND NOT EXISTS \
         (SELECT 1 FROM http_header h WHERE h.id = r.capture_id) LIMIT $1",
    ),
    (
        "belongs to no server",
        "SELECT 'request ' || r.id FROM request r WHERE NOT EXISTS \
         (SELECT 1 FROM server_queue q JOIN server_info s ON s.id = q.server_id \
          WHERE q.server_id = r.server_id) LIMIT $1",
    ),
    (
        "lies outside the committed part of its WARC file",
        "SELECT 'capture ' || h.id FROM http_header h LEFT JOIN warc_file w ON w.name = h.warc_file \
         WHERE h.storage <> 'header-only' \
         AND (w.name IS NULL OR h.warc_offset + h.warc_length > w.length) LIMIT $1",
    ),
    (
        "refers to a capture that does not store its payload",
        "SELECT 'capture ' || h.id FROM http_header h WHERE h.storage = 'revisit' AND NOT EXISTS \
         (SELECT 1 FROM http_header o WHERE o.id = h.original_id AND o.storage = 'stored') LIMIT $1",
    ),
    (
        "was read out of a body that is not stored",
        "SELECT 'content ' || c.capture_id FROM content c WHERE NOT EXISTS \
         (SELECT 1 FROM http_header h WHERE h.id = c.capture_id AND h.storage = 'stored') LIMIT $1",
    ),
    (
        "names a request or a capture that does not exist",
        "SELECT 'document ' || d.request_id FROM document d WHERE NOT EXISTS \
         (SELECT 1 FROM request r WHERE r.id = d.request_id) OR (d.capture_id IS NOT NULL AND \
         NOT EXISTS (SELECT 1 FROM http_header h WHERE h.id = d.capture_id)) LIMIT $1",
    ),
];

impl Catalog {
    /// Reads the whole catalog and lists what is wrong with it, in words; an empty list is a clean
    /// bill. It takes as long as reading the file.
    pub async fn check(&self) -> Result<Vec<String>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let mut faults = file_faults(&mut session).await?;
        if !faults.is_empty() {
            return Ok(faults);
        }
        for (words, sql) in RULES {
            for mut row in session.rows(Sql::new(*sql).bind(LISTED)).await? {
                faults.push(format!("{} {words}", row.text()?));
            }
        }
        Ok(faults)
    }
}

/// A PostgreSQL server looks after its files itself.
async fn file_faults(session: &mut Session) -> Result<Vec<String>, CatalogError> {
    if session.dialect() == Dialect::Postgres {
        return Ok(Vec::new());
    }
    let rows = match session.rows(Sql::new("PRAGMA quick_check(20)")).await.map_err(Into::into) {
        Ok(rows) => rows,
        Err(CatalogError::Damaged { words }) => return Ok(vec![words]),
        Err(error) => return Err(error),
    };
    let mut faults = Vec::new();
    for mut row in rows {
        let words = row.text()?;
        if words != "ok" {
            faults.push(words);
        }
    }
    Ok(faults)
}

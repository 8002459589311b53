//! Where the archive files lie: what of them is in a store elsewhere.
//!
//! That a file is stored is written after it is, so whatever this says can be relied on; a file that is stored and not
//! yet noted is found again by whoever stores it a second time.

use crate::CatalogError;
use crate::catalog::Catalog;
use crate::engine::Sql;
use auslese_model::{Timestamp, WarcProgress};

/// An archive file, and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcFile {
    pub progress: WarcProgress,
    /// Who wrote it.
    pub worker: Option<String>,
    /// When the whole of it was stored elsewhere, if it was.
    pub stored_at: Option<Timestamp>,
    /// The SHA-256 of what was stored, in hexadecimal digits.
    pub sha256: Option<String>,
}

impl Catalog {
    /// All archive files, by name.
    pub async fn warc_files(&self) -> Result<Vec<WarcFile>, CatalogError> {
        let sql = "SELECT name, length, records, closed, worker, stored_at, sha256 FROM warc_file \
                   ORDER BY name";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(WarcFile {
                    progress: WarcProgress {
                        file: row.text()?,
                        length: row.count()?,
                        records: row.count()?,
                        closed: row.number()? != 0,
                    },
                    worker: row.maybe_text()?,
                    stored_at: row.maybe_number()?.map(Timestamp),
                    sha256: row.maybe_text()?,
                })
            })
            .collect()
    }

    /// Notes that a closed file of this length lies in the store. False if there is no such file: then what was
    /// stored is not what the catalog counts on.
    pub async fn note_stored(
        &self,
        file: &str,
        length: u64,
        sha256: &str,
        at: Timestamp,
    ) -> Result<bool, CatalogError> {
        let sql = "UPDATE warc_file SET stored_at = $1, sha256 = $2 \
                   WHERE name = $3 AND length = $4 AND closed = 1 RETURNING name";
        let sql = Sql::new(sql).bind(at).bind(sha256).bind(file).bind(length);
        let mut session = self.engine.begin().await?;
        let is_known = session.row(sql).await?.is_some();
        session.commit().await?;
        Ok(is_known)
    }
}

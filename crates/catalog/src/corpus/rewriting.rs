//! Archive files that were written anew: where their records lie now.
//!
//! A file is rewritten when documents are taken out of it, or to store the same records in less space. The archive
//! does it; the catalog hears where everything lies now in one transaction, so that no reader ever sees half of it.

use crate::batch::Batch;
use crate::engine::{Session, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Place, Timestamp, WarcProgress};
use std::collections::BTreeMap;

/// What the archive did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewriting {
    /// The files that were rewritten, with their new lengths.
    pub files: Vec<WarcProgress>,
    /// Where the records of captures that stay lie now, as far as they moved.
    pub moved: Vec<(CaptureId, Place)>,
    /// Captures that were revisits and store their body now.
    pub promoted: Vec<CaptureId>,
    /// Files that got another name because they lie in a store, where nothing is written twice.
    pub renamed: Vec<Renamed>,
}

/// A rewritten file under a new name, which is stored already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    pub from: String,
    pub to: String,
    pub sha256: String,
}

impl Catalog {
    /// Notes where the records of rewritten files lie now; nothing else changes.
    pub async fn move_records(
        &self,
        rewriting: &Rewriting,
        at: Timestamp,
    ) -> Result<(), CatalogError> {
        let mut work = self.engine.begin().await?;
        move_records(&mut work, rewriting, at).await?;
        Ok(work.commit().await?)
    }
}

pub(super) async fn move_records(
    session: &mut Session,
    rewriting: &Rewriting,
    at: Timestamp,
) -> Result<(), CatalogError> {
    let mut places = Batch::new(
        "WITH v (id, file, first, length, record_id) AS (",
        5,
        ") UPDATE http_header SET warc_file = v.file, warc_offset = v.first, \
         warc_length = v.length, record_id = v.record_id FROM v WHERE http_header.id = v.id",
    );
    let moved: BTreeMap<CaptureId, &Place> =
        rewriting.moved.iter().map(|(capture, place)| (*capture, place)).collect();
    for (capture, place) in moved {
        places.push([
            capture.into(),
            place.file.as_str().into(),
            place.offset.into(),
            place.length.into(),
            place.record_id.as_str().into(),
        ]);
    }
    places.run(session).await?;
    for Renamed { from, to, sha256 } in &rewriting.renamed {
        let sql = "UPDATE warc_file SET name = $1, sha256 = $2, stored_at = $3 WHERE name = $4";
        let sql = Sql::new(sql).bind(to.as_str()).bind(sha256.as_str()).bind(at);
        session.execute(sql.bind(from.as_str())).await?;
        let sql = "UPDATE http_header SET warc_file = $1 WHERE warc_file = $2";
        session.execute(Sql::new(sql).bind(to.as_str()).bind(from.as_str())).await?;
    }
    let mut files = Batch::new(
        "WITH v (name, length, records, closed) AS (",
        4,
        ") UPDATE warc_file SET length = v.length, records = v.records, closed = v.closed \
         FROM v WHERE warc_file.name = v.name",
    );
    let rewritten: BTreeMap<&str, &WarcProgress> =
        rewriting.files.iter().map(|file| (file.file.as_str(), file)).collect();
    for (name, file) in rewritten {
        files.push([name.into(), file.length.into(), file.records.into(), file.closed.into()]);
    }
    files.run(session).await?;
    Ok(())
}

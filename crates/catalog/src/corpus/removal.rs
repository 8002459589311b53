//! Taking documents out: everything the catalog knows of some requests is deleted, with a protocol.
//!
//! A removal has three steps. [`Catalog::plan_removal`] says which records are to go and what else
//! depends on them; the archive rewrites its files; [`Catalog::remove`] then deletes the rows and
//! notes where the remaining records lie now, in one transaction.
//!
//! Two things remain on purpose. The request stays as *refused*, without its answers, so that no
//! later crawl fetches the address again; and the protocol names the address. Words counted over
//! whole rounds stay until they are counted again. Documents that were marked as copies of a removed
//! one lose that mark: the rules are to be applied again afterwards.
//!
//! A body that is removed may be the one others' revisits refer to: the same bytes under other
//! addresses. The archive then writes one of these in full, and it becomes the original
//! ([`Rewriting::promoted`]); where it does not, the revisits have lost their body and become
//! header rows that say so. What was read out of the body goes to the new original; what was said in
//! descriptions goes, because it may come from the address that is removed.

use super::content::delete_contents;
use super::rewriting::{Rewriting, move_records};
use super::take_number;
use crate::batch::Batch;
use crate::commit::{add, storage_name};
use crate::description::remove_descriptions;
use crate::engine::{Session, Sql, Value};
use crate::header::{CAPTURE_COLUMNS, StoredCapture, read_capture};
use crate::{Catalog, CatalogError};
use auslese_model::{Capture, CaptureId, CauseKind, RequestId, ServerId, Storage, Timestamp};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What would go.
#[derive(Debug, Clone, PartialEq)]
pub struct RemovalPlan {
    /// All captures of the requests, oldest first.
    pub captures: Vec<StoredCapture>,
    /// The WARC files that hold their records.
    pub files: BTreeSet<String>,
    /// What would lose its body.
    pub bereft: Vec<Bereft>,
}

/// Captures of other requests whose body is stored by one that goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Bereft {
    /// The capture that goes.
    pub original: CaptureId,
    /// Its revisits that stay, oldest first: the first is the natural new original.
    pub revisits: Vec<StoredCapture>,
}

/// Why, by whom and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemovalNote<'a> {
    pub reason: &'a str,
    pub by: &'a str,
    pub at: Timestamp,
}

/// The protocol of one removed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    pub id: i64,
    pub at: Timestamp,
    pub request: RequestId,
    pub url: String,
    pub reason: String,
    pub by: String,
    /// Captures that were deleted, and their payload bytes.
    pub captures: u64,
    pub bytes: u64,
    /// Captures of other requests that store their body themselves since.
    pub promoted: u64,
    /// Captures of other requests that lost their body.
    pub bereft: u64,
    /// The WARC files that were rewritten.
    pub files: Vec<String>,
}

impl Catalog {
    /// What removing these requests would take.
    pub async fn plan_removal(&self, requests: &[RequestId]) -> Result<RemovalPlan, CatalogError> {
        plan(&mut self.engine.reader().await?, requests).await
    }

    /// Deletes everything on some requests after the archive was rewritten; see the
    /// [plan](Catalog::plan_removal) for what that is. Requests that do not exist are left out.
    pub async fn remove(
        &self,
        requests: &[RequestId],
        rewriting: &Rewriting,
        note: RemovalNote<'_>,
    ) -> Result<Vec<Removal>, CatalogError> {
        let requests: BTreeSet<RequestId> = requests.iter().copied().collect();
        let requests: Vec<RequestId> = requests.into_iter().collect();
        let mut work = self.engine.begin().await?;
        let session = &mut work;
        let plan = plan(session, &requests).await?;
        move_records(session, rewriting, note.at).await?;
        let heirs = heirs(&plan, &rewriting.promoted);
        bequeath(session, &heirs).await?;
        strip(session, &plan, &heirs).await?;
        recount(session, &plan, &heirs).await?;
        uncount(session, &plan.captures).await?;
        let gone = plan.captures.iter().map(|stored| stored.capture.id);
        delete_contents(session, gone.clone()).await?;
        remove_descriptions(session, gone, &requests, &heirs).await?;
        delete_rows(session, &requests).await?;
        let removals = write_protocol(session, &requests, &plan, &heirs, rewriting, note).await?;
        work.commit().await?;
        Ok(removals)
    }

    /// The protocol, oldest first.
    pub async fn removals(&self) -> Result<Vec<Removal>, CatalogError> {
        let sql = "SELECT id, at, request_id, url, reason, made_by, captures, bytes, promoted, \
                   bereft, warc_files FROM removal ORDER BY id";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter()
            .map(|mut row| {
                let id = row.number()?;
                Ok(Removal {
                    id,
                    at: Timestamp(row.number()?),
                    request: RequestId(row.number()?),
                    url: row.text()?,
                    reason: row.text()?,
                    by: row.text()?,
                    captures: row.count()?,
                    bytes: row.count()?,
                    promoted: row.count()?,
                    bereft: row.count()?,
                    files: serde_json::from_str(&row.text()?).map_err(|_| {
                        CatalogError::damaged(format!("the files of removal {id} are unreadable"))
                    })?,
                })
            })
            .collect()
    }
}

async fn plan(session: &mut Session, requests: &[RequestId]) -> Result<RemovalPlan, CatalogError> {
    let removed: BTreeSet<RequestId> = requests.iter().copied().collect();
    let mut captures = Vec::new();
    for request in &removed {
        captures.extend(captures_where(session, "h.request_id = $1", request.0).await?);
    }
    captures.sort_by_key(|stored| stored.capture.id);
    let places = captures.iter().filter_map(|stored| stored.capture.storage.place());
    let files = places.map(|place| place.file.clone()).collect();
    let mut bereft = Vec::new();
    for stored in &captures {
        if !matches!(stored.capture.storage, Storage::Stored(_)) {
            continue;
        }
        let original = stored.capture.id;
        let mut revisits = captures_where(session, "h.original_id = $1", original.0).await?;
        revisits.retain(|revisit| !removed.contains(&revisit.capture.request));
        if !revisits.is_empty() {
            bereft.push(Bereft { original, revisits });
        }
    }
    Ok(RemovalPlan { captures, files, bereft })
}

async fn captures_where(
    session: &mut Session,
    condition: &str,
    number: i64,
) -> Result<Vec<StoredCapture>, CatalogError> {
    let sql = format!(
        "SELECT {CAPTURE_COLUMNS} FROM http_header h LEFT JOIN request r ON r.id = h.request_id \
         WHERE {condition} ORDER BY h.id"
    );
    let rows = session.rows(Sql::new(sql).bind(number)).await?;
    rows.into_iter().map(|mut row| read_capture(&mut row)).collect()
}

/// For each original that goes, the capture that stores its body from now on.
fn heirs(plan: &RemovalPlan, promoted: &[CaptureId]) -> BTreeMap<CaptureId, CaptureId> {
    plan.bereft
        .iter()
        .filter_map(|bereft| {
            let ids = bereft.revisits.iter().map(|revisit| revisit.capture.id);
            let heir = ids.filter(|id| promoted.contains(id)).min()?;
            Some((bereft.original, heir))
        })
        .collect()
}

/// Gives the place of an original, and what was read out of it, to its heir.
async fn bequeath(
    session: &mut Session,
    heirs: &BTreeMap<CaptureId, CaptureId>,
) -> Result<(), CatalogError> {
    for after in [
        ") UPDATE http_header SET storage = 'stored', original_id = NULL FROM v \
         WHERE http_header.id = v.heir AND http_header.storage = 'revisit'",
        ") UPDATE http_header SET original_id = v.heir FROM v \
         WHERE http_header.original_id = v.original AND http_header.id <> v.heir",
        ") UPDATE document SET content_id = v.heir FROM v WHERE document.content_id = v.original",
        ") UPDATE content SET capture_id = v.heir FROM v WHERE content.capture_id = v.original",
        ") UPDATE content_element SET capture_id = v.heir FROM v \
         WHERE content_element.capture_id = v.original",
        ") UPDATE content_feature SET capture_id = v.heir FROM v \
         WHERE content_feature.capture_id = v.original",
        ") UPDATE content_link SET capture_id = v.heir FROM v \
         WHERE content_link.capture_id = v.original",
    ] {
        let mut batch = Batch::new("WITH v (original, heir) AS (", 2, after);
        for (original, heir) in heirs {
            batch.push([(*original).into(), (*heir).into()]);
        }
        batch.run(session).await?;
    }
    Ok(())
}

/// Revisits without an original and without an heir become header rows.
async fn strip(
    session: &mut Session,
    plan: &RemovalPlan,
    heirs: &BTreeMap<CaptureId, CaptureId>,
) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "WITH v (id) AS (",
        1,
        ") UPDATE http_header SET storage = 'header-only', \
         not_stored_reason = 'its body was removed with another document', warc_file = NULL, \
         warc_offset = NULL, warc_length = NULL, record_id = NULL, original_id = NULL FROM v \
         WHERE http_header.id = v.id",
    );
    let mut documents = Batch::new(
        "WITH v (id) AS (",
        1,
        ") UPDATE document SET content_id = NULL FROM v WHERE document.content_id = v.id",
    );
    for bereft in without_heir(plan, heirs) {
        documents.push([bereft.original.into()]);
        for revisit in &bereft.revisits {
            batch.push([revisit.capture.id.into()]);
        }
    }
    batch.run(session).await?;
    documents.run(session).await?;
    Ok(())
}

/// Notes in the running sums that revisits are stored in full now, or not at all.
async fn recount(
    session: &mut Session,
    plan: &RemovalPlan,
    heirs: &BTreeMap<CaptureId, CaptureId>,
) -> Result<(), CatalogError> {
    let (mut stored, mut stripped) = ((0, 0), (0, 0));
    for bereft in &plan.bereft {
        let heir = heirs.get(&bereft.original);
        for revisit in &bereft.revisits {
            match heir {
                None => add(&mut stripped, revisit.capture.payload_length),
                Some(heir) if *heir == revisit.capture.id => {
                    add(&mut stored, revisit.capture.payload_length);
                }
                Some(_) => {}
            }
        }
    }
    for (name, (captures, bytes)) in [("stored", stored), ("header-only", stripped)] {
        if captures == 0 {
            continue;
        }
        let sql = "UPDATE tally SET captures = captures - $1, bytes = bytes - $2 \
                   WHERE kind = 'storage' AND name = 'revisit'";
        session.execute(Sql::new(sql).bind(captures).bind(bytes)).await?;
        let sql = "INSERT INTO tally (kind, name, captures, bytes) VALUES ('storage', $1, $2, $3) \
                   ON CONFLICT (kind, name) DO UPDATE SET \
                   captures = tally.captures + excluded.captures, \
                   bytes = tally.bytes + excluded.bytes";
        session.execute(Sql::new(sql).bind(name).bind(captures).bind(bytes)).await?;
    }
    Ok(())
}

fn without_heir<'a>(
    plan: &'a RemovalPlan,
    heirs: &'a BTreeMap<CaptureId, CaptureId>,
) -> impl Iterator<Item = &'a Bereft> {
    plan.bereft.iter().filter(|bereft| !heirs.contains_key(&bereft.original))
}

/// Takes captures out of the accounts of their servers and out of the running sums.
async fn uncount(session: &mut Session, captures: &[StoredCapture]) -> Result<(), CatalogError> {
    let mut servers: BTreeMap<ServerId, (u64, u64)> = BTreeMap::new();
    let mut tallies: BTreeMap<(&str, String), (u64, u64)> = BTreeMap::new();
    for StoredCapture { capture, .. } in captures {
        let storage = storage_name(&capture.storage).to_owned();
        add(servers.entry(capture.server).or_default(), capture.payload_length);
        for name in [("status", capture.status.to_string()), ("storage", storage)] {
            add(tallies.entry(name).or_default(), capture.payload_length);
        }
    }
    let mut accounts = Batch::new(
        "WITH v (id, captures, bytes) AS (",
        3,
        ") UPDATE server_queue SET captures = server_queue.captures - v.captures, \
         bytes = server_queue.bytes - v.bytes FROM v WHERE server_queue.server_id = v.id",
    );
    for (server, (count, bytes)) in servers {
        accounts.push([server.into(), count.into(), bytes.into()]);
    }
    accounts.run(session).await?;
    let mut sums = Batch::new(
        "WITH v (kind, name, captures, bytes) AS (",
        4,
        ") UPDATE tally SET captures = tally.captures - v.captures, bytes = tally.bytes - v.bytes \
         FROM v WHERE tally.kind = v.kind AND tally.name = v.name",
    );
    for ((kind, name), (count, bytes)) in tallies {
        sums.push([kind.into(), name.as_str().into(), count.into(), bytes.into()]);
    }
    sums.run(session).await?;
    Ok(())
}

async fn delete_rows(session: &mut Session, requests: &[RequestId]) -> Result<(), CatalogError> {
    for after in [
        ") DELETE FROM http_header WHERE request_id IN (SELECT id FROM v)",
        ") DELETE FROM version WHERE request_id IN (SELECT id FROM v)",
        ") DELETE FROM document WHERE request_id IN (SELECT id FROM v)",
        ") DELETE FROM content_link WHERE request_id IN (SELECT id FROM v)",
        ") UPDATE document SET duplicate_of = NULL WHERE duplicate_of IN (SELECT id FROM v)",
        ") UPDATE document SET near_original = NULL, near_similarity = NULL \
         WHERE near_original IN (SELECT id FROM v)",
        ") UPDATE document SET logical = NULL WHERE logical IN (SELECT id FROM v)",
    ] {
        let mut batch = Batch::new("WITH v (id) AS (", 1, after);
        for request in requests {
            batch.push([(*request).into()]);
        }
        batch.run(session).await?;
    }
    Ok(())
}

async fn write_protocol(
    session: &mut Session,
    requests: &[RequestId],
    plan: &RemovalPlan,
    heirs: &BTreeMap<CaptureId, CaptureId>,
    rewriting: &Rewriting,
    note: RemovalNote<'_>,
) -> Result<Vec<Removal>, CatalogError> {
    let of_request: HashMap<CaptureId, RequestId> =
        plan.captures.iter().map(|stored| (stored.capture.id, stored.capture.request)).collect();
    let mut removals = Vec::new();
    for request in requests {
        let refuse = "UPDATE request SET state = 'refused', cause_kind = $1, cause = $2, \
                      capture_id = NULL, body_type = NULL, body = NULL WHERE id = $3 RETURNING url";
        let refuse =
            Sql::new(refuse).bind(CauseKind::Removed.as_str()).bind(note.reason).bind(*request);
        let Some(mut row) = session.row(refuse).await? else { continue };
        let captures: Vec<&Capture> = plan
            .captures
            .iter()
            .map(|stored| &stored.capture)
            .filter(|capture| capture.request == *request)
            .collect();
        let places = captures.iter().filter_map(|capture| capture.storage.place());
        let held: BTreeSet<&str> = places.map(|place| place.file.as_str()).collect();
        let rewritten = rewriting.files.iter().map(|file| file.file.clone());
        let is_its = |original: &CaptureId| of_request.get(original) == Some(request);
        let lost = without_heir(plan, heirs).filter(|bereft| is_its(&bereft.original));
        let removal = Removal {
            id: take_number(session, "removal").await?,
            at: note.at,
            request: *request,
            url: row.text()?,
            reason: note.reason.to_owned(),
            by: note.by.to_owned(),
            captures: captures.len() as u64,
            bytes: captures.iter().map(|capture| capture.payload_length).sum(),
            promoted: heirs.keys().filter(|original| is_its(original)).count() as u64,
            bereft: lost.map(|bereft| bereft.revisits.len() as u64).sum(),
            files: rewritten.filter(|file| held.contains(file.as_str())).collect(),
        };
        insert_removal(session, &removal).await?;
        removals.push(removal);
    }
    Ok(removals)
}

async fn insert_removal(session: &mut Session, removal: &Removal) -> Result<(), CatalogError> {
    let sql = "INSERT INTO removal (id, at, request_id, url, reason, made_by, captures, bytes, \
               promoted, bereft, warc_files) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let files = serde_json::to_string(&removal.files).expect("texts are always JSON");
    let sql = Sql::new(sql)
        .bind(removal.id)
        .bind(removal.at)
        .bind(removal.request)
        .bind(removal.url.as_str())
        .bind(removal.reason.as_str())
        .bind(removal.by.as_str())
        .bind(removal.captures)
        .bind(removal.bytes)
        .bind(removal.promoted)
        .bind(removal.bereft)
        .bind(Value::Text(Some(files)));
    session.execute(sql).await?;
    Ok(())
}

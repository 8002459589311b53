//! Writes the WARC files anew that hold records which are to go.
//!
//! A record goes if it is of a removed address, or if it accompanies one that goes. Where the body
//! of another document was stored only under a removed address, the oldest revisit of that body
//! becomes a response that holds it, and the other revisits refer to that one from then on.

use super::journal::new_path;
use super::removed::Removed;
use crate::HarvestError;
use crate::directory::HarvestDir;
use crate::importing::concurrent;
use auslese_archive::{
    ArchiveError, ArchiveSettings, Fate, Fields, Form, Holdings, Reader, Record, Replacement,
    Section, rewrite_bytes, without_transfer_coding,
};
use auslese_catalog::{Bereft, RemovalPlan, Renamed, Rewriting};
use auslese_model::{CaptureId, Place, Storage, WarcProgress};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::path::Path;

/// What is done to single records of those that stay, by their identity.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Revisits that become responses.
    promoted: FxHashMap<String, Inheritance>,
    /// Revisits that refer to another record from now on.
    redirected: FxHashMap<String, NewOriginal>,
    pub(super) captures: Vec<CaptureId>,
    /// The files these records lie in.
    files: BTreeSet<String>,
}

/// What a revisit needs to become a response.
#[derive(Debug)]
struct Inheritance {
    /// The header that came with the revisit.
    head: Vec<u8>,
    /// Where the body lies.
    body: Place,
}

/// What a revisit refers to.
#[derive(Debug, Clone)]
struct NewOriginal {
    record_id: String,
    uri: String,
    date: String,
}

impl Changes {
    /// Chooses who inherits the bodies that go.
    pub(super) fn of(plan: &RemovalPlan, archive: &Holdings) -> Changes {
        let mut changes = Changes::default();
        for bereft in &plan.bereft {
            changes.pass_on(plan, bereft, archive);
        }
        changes
    }

    fn pass_on(&mut self, plan: &RemovalPlan, bereft: &Bereft, archive: &Holdings) {
        let original = plan.captures.iter().find(|stored| stored.capture.id == bereft.original);
        let body = original.and_then(|stored| stored.capture.storage.place());
        // An answer that only says "not modified" cannot hold a body.
        let heir = bereft.revisits.iter().find(|revisit| revisit.capture.status != 304);
        let (Some(body), Some(heir)) = (body, heir) else { return };
        let Some(place) = heir.capture.storage.place() else { return };
        if let Err(error) = archive.read_at(body) {
            tracing::warn!("a body cannot be passed on: {error}");
            return;
        }
        let inheritance = Inheritance { head: heir.capture.head.clone(), body: body.clone() };
        self.promoted.insert(place.record_id.clone(), inheritance);
        self.captures.push(heir.capture.id);
        self.files.insert(place.file.clone());
        let new = NewOriginal {
            record_id: place.record_id.clone(),
            uri: heir.url.clone(),
            date: heir.capture.at.to_string(),
        };
        for other in bereft.revisits.iter().filter(|it| it.capture.id != heir.capture.id) {
            if let Storage::Revisit { place, .. } = &other.capture.storage {
                self.redirected.insert(place.record_id.clone(), new.clone());
                self.files.insert(place.file.clone());
            }
        }
    }
}

/// Everything that is needed to write files anew.
#[derive(Debug)]
pub(super) struct Rewriter<'a> {
    pub(super) dir: &'a HarvestDir,
    pub(super) settings: &'a ArchiveSettings,
    pub(super) removed: &'a Removed,
    pub(super) changes: Changes,
    /// How far the catalog knows each file.
    pub(super) committed: &'a FxHashMap<String, WarcProgress>,
    /// The files that lie in the store.
    pub(super) stored: &'a FxHashSet<String>,
}

impl Rewriter<'_> {
    /// The files that hold something which goes or changes.
    pub(super) fn files(&self, plan: &RemovalPlan, all: bool) -> BTreeSet<String> {
        if all {
            return self.committed.keys().cloned().collect();
        }
        let named = plan.files.union(&self.changes.files);
        named.filter(|file| self.committed.contains_key(*file)).cloned().collect()
    }

    /// Writes the new version of a file beside it, and adds to the list of what moved. False if
    /// nothing in it goes or changes; then there is no new version.
    pub(super) fn rewrite(
        &self,
        file: &str,
        places: &[(CaptureId, Place)],
        rewriting: &mut Rewriting,
    ) -> Result<bool, HarvestError> {
        let archive = self.dir.holdings();
        let Some(progress) = self.committed.get(file) else { return Ok(false) };
        let name = match self.stored.contains(file) {
            true => next_name(file),
            false => file.to_owned(),
        };
        let ((source, path), target) = (archive.committed(progress)?, new_path(self.dir, &name));
        let doomed = self.doomed(&path, &source)?;
        let touches = |record: &Record| doomed.holds(record) || self.changes_record(record);
        if !doomed.any && !any_record(&path, &source, touches)? {
            return Ok(false);
        }
        let mut decide = |record: &Record| self.fate(record, &doomed, &archive);
        let form = Form::AsStored;
        let done = rewrite_bytes(&path, &source, &target, form, self.settings, &mut decide)?;
        let moved: FxHashMap<u64, (u64, u64)> =
            done.moved.iter().map(|it| (it.from, (it.offset, it.length))).collect();
        for (capture, place) in places {
            if let Some((offset, length)) = moved.get(&place.offset) {
                let (file, record_id) = (name.clone(), place.record_id.clone());
                let place = Place { file, offset: *offset, length: *length, record_id };
                rewriting.moved.push((*capture, place));
            }
        }
        if name != file {
            let (from, to) = (file.to_owned(), name.clone());
            rewriting.renamed.push(Renamed { from, to, sha256: String::new() });
        }
        rewriting.files.push(WarcProgress {
            file: name,
            length: done.length,
            records: done.records,
            closed: progress.closed,
        });
        Ok(true)
    }

    /// Finds the records of a file that go. Companions may stand before what they accompany, so
    /// this takes a pass of its own.
    fn doomed(&self, path: &Path, source: &Section) -> Result<Doomed<'_>, HarvestError> {
        let mut doomed = Doomed { removed: self.removed, ids: FxHashSet::default(), any: false };
        any_record(path, source, |record| {
            if self.removed.holds(record) {
                doomed.any = true;
                doomed.ids.extend(record.id().map(str::to_owned));
            }
            false
        })?;
        Ok(doomed)
    }

    fn changes_record(&self, record: &Record) -> bool {
        record.id().is_some_and(|id| {
            self.changes.promoted.contains_key(id) || self.changes.redirected.contains_key(id)
        })
    }

    fn fate(
        &self,
        record: &Record,
        doomed: &Doomed<'_>,
        archive: &Holdings,
    ) -> Result<Fate, ArchiveError> {
        if doomed.holds(record) {
            return Ok(Fate::Drop);
        }
        let id = record.id().unwrap_or_default();
        if let Some(inheritance) = self.changes.promoted.get(id) {
            return promoted(record, inheritance, archive).map(Fate::Replace);
        }
        if let Some(new) = self.changes.redirected.get(id) {
            let mut fields = record.fields.clone();
            fields.set("WARC-Refers-To", format!("<{}>", new.record_id));
            fields.set("WARC-Refers-To-Target-URI", new.uri.clone());
            fields.set("WARC-Refers-To-Date", new.date.clone());
            return Ok(Fate::Relabel(fields));
        }
        Ok(Fate::Keep)
    }
}

/// The name of the next version of a stored file: `a.warc.gz` becomes `a-r1.warc.gz`, and that `a-r2.warc.gz`.
fn next_name(file: &str) -> String {
    let ending = [".warc.gz", ".warc"].into_iter().find(|ending| file.ends_with(ending));
    let ending = ending.unwrap_or_default();
    let stem = &file[..file.len() - ending.len()];
    let (stem, number) = match stem.rsplit_once("-r").map(|(stem, digits)| (stem, digits.parse())) {
        Some((stem, Ok(number))) => (stem, number),
        _ => (stem, 0_u32),
    };
    format!("{stem}-r{}{ending}", number + 1)
}

/// The records of a file that go.
struct Doomed<'a> {
    removed: &'a Removed,
    ids: FxHashSet<String>,
    any: bool,
}

impl Doomed<'_> {
    fn holds(&self, record: &Record) -> bool {
        self.removed.holds(record) || concurrent(record).any(|id| self.ids.contains(id))
    }
}

/// The revisit as a response with the body it referred to.
fn promoted(
    revisit: &Record,
    Inheritance { head, body }: &Inheritance,
    archive: &Holdings,
) -> Result<Replacement, ArchiveError> {
    let original = archive.read_at(body)?;
    let head = match head.is_empty() {
        // Some tools keep no header with a revisit; the same body came with the same kind of one.
        true => original.http.map(|head| head.raw).unwrap_or_default(),
        false => head.clone(),
    };
    let mut fields = Fields::default();
    for (name, value) in revisit.fields.iter() {
        let name_lower = name.to_ascii_lowercase();
        let is_of_revisit = name_lower.starts_with("warc-refers-to")
            || ["warc-profile", "warc-truncated", "warc-block-digest", "content-length"]
                .contains(&name_lower.as_str());
        if !is_of_revisit {
            fields.push(name, value);
        }
    }
    fields.set("WARC-Type", "response");
    fields.set("Content-Type", "application/http; msgtype=response");
    if let Some(reason) = original.record.fields.get("WARC-Truncated") {
        fields.push("WARC-Truncated", reason);
    }
    let head = without_transfer_coding(&head, original.payload.len());
    Ok(Replacement { fields, head, body: original.payload })
}

/// Whether a record of the committed part of a file is wanted; damage is passed over.
fn any_record(
    path: &Path,
    committed: &Section,
    mut wanted: impl FnMut(&Record) -> bool,
) -> Result<bool, HarvestError> {
    let mut reader = Reader::new(path, committed.clone(), 0)?;
    loop {
        match reader.next_record() {
            Ok(None) => return Ok(false),
            Ok(Some(record)) if wanted(&record) => return Ok(true),
            Ok(Some(_)) | Err(ArchiveError::Damaged { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_next_versions() {
        #[rustfmt::skip]
        let cases = [
            ("a.warc.gz",         "a-r1.warc.gz"),
            ("a-r1.warc.gz",      "a-r2.warc.gz"),
            ("a-r99.warc",        "a-r100.warc"),
            ("a-rx.warc.gz",      "a-rx-r1.warc.gz"),
            ("odd",               "odd-r1"),
        ];
        for (file, expected) in cases {
            assert_eq!(next_name(file), expected, "{file}");
        }
    }
}

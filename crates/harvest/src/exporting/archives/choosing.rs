//! Which records are needed for some documents: all their captures, the records that revisits refer to, and whatever a
//! page needs to be seen whole: images, style sheets, scripts, frames, and what these need in turn.
//!
//! What a page embeds is known from the corpus; what a style sheet embeds is read out of it. Redirects are followed. The
//! places are sorted on the disk, so that memory does not grow with their number.

use super::super::Task;
use super::super::output::WorkFolder;
use super::cutting::Chosen;
use crate::HarvestError;
use crate::corpus::body_at;
use auslese_archive::{Holdings, SortedLines};
use auslese_catalog::{Catalog, StoredCapture};
use auslese_crawl::{CanonicalRules, canonical};
use auslese_markup::scan_css;
use auslese_model::{CaptureId, Method, Place, RequestId, RequestKey, Storage};
use rustc_hash::FxHashSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;
use url::Url;

/// How far what is needed is followed: from a page to a frame in it, to its style sheet, to the image of that.
const MAX_STEPS: usize = 6;
/// Requests that are remembered as taken already. Beyond that some are taken again, which changes nothing.
const MAX_REMEMBERED: usize = 1 << 20;
/// What separates file and offset in a line.
pub(super) const BETWEEN: char = '\t';

/// A choice that grows.
pub(super) struct Choosing<'a> {
    catalog: &'a Catalog,
    canonical: CanonicalRules,
    archive: Holdings,
    work: PathBuf,
    places: SortedLines,
    taken: FxHashSet<RequestId>,
}

impl<'a> Choosing<'a> {
    pub(super) fn new(catalog: &'a Catalog, task: &Task, work: &WorkFolder) -> Choosing<'a> {
        Choosing {
            catalog,
            canonical: task.giving.canonical.clone(),
            archive: task.archive.clone(),
            work: work.path().to_owned(),
            places: SortedLines::new(work.path()),
            taken: FxHashSet::default(),
        }
    }

    /// Adds all that these documents need.
    pub(super) async fn choose(&mut self, documents: Vec<RequestId>) -> Result<(), HarvestError> {
        let mut next = documents;
        for _ in 0..MAX_STEPS {
            if self.taken.len() > MAX_REMEMBERED {
                self.taken.clear();
            }
            next.retain(|request| self.taken.insert(*request));
            if next.is_empty() {
                break;
            }
            next = self.take(&next).await?;
        }
        Ok(self.archive.in_reach()?)
    }

    /// The places, sorted.
    pub(super) fn finish(self) -> Result<Chosen, HarvestError> {
        let path = self.work.join("places");
        let cannot = |cause| HarvestError::Io { path: path.clone(), cause };
        let mut file = BufWriter::new(File::create(&path).map_err(cannot)?);
        self.places.write(&mut file).and_then(|_| file.flush()).map_err(cannot)?;
        Ok(Chosen::new(BufReader::new(File::open(&path).map_err(cannot)?), &path))
    }

    /// Adds the captures of some requests, and tells what these need.
    async fn take(&mut self, requests: &[RequestId]) -> Result<Vec<RequestId>, HarvestError> {
        let captures = self.catalog.captures_of_requests(requests).await?;
        let originals: Vec<CaptureId> = captures
            .iter()
            .filter_map(|stored| match &stored.capture.storage {
                Storage::Revisit { original, .. } => Some(*original),
                Storage::Stored(_) | Storage::HeaderOnly { .. } => None,
            })
            .collect();
        let originals = self.catalog.stored_captures(&originals).await?;
        let mut bodies = Vec::new();
        let mut addresses = Vec::new();
        for stored in captures.iter().chain(originals.values()) {
            let Some(place) = stored.capture.storage.place() else { continue };
            self.push(place)?;
            bodies.push(stored.capture.id);
            addresses.extend(self.named_by(stored));
        }
        let mut needed: Vec<RequestId> =
            self.catalog.needed_by(&bodies).await?.into_iter().collect();
        let keys: Vec<RequestKey> = addresses
            .iter()
            .map(|url| RequestKey::new(Method::Get, &canonical(url, &self.canonical), &[]))
            .collect();
        needed.extend(self.catalog.find_keys(&keys).await?.into_values().map(|known| known.id));
        Ok(needed)
    }

    fn push(&mut self, place: &Place) -> Result<(), HarvestError> {
        let line = format!("{}{BETWEEN}{:020}", place.file, place.offset);
        let pushed = self.places.push(line);
        pushed.map_err(|cause| HarvestError::Io { path: self.work.clone(), cause })
    }

    /// Addresses that a capture needs and that the corpus does not know of.
    fn named_by(&self, stored: &StoredCapture) -> Vec<Url> {
        let StoredCapture { url, capture } = stored;
        let Ok(url) = Url::parse(url) else { return Vec::new() };
        if (300..400).contains(&capture.status) {
            let location = capture.fields.location.as_deref();
            return location.and_then(|it| url.join(it).ok()).into_iter().collect();
        }
        if capture.fields.media_type().as_deref() != Some("text/css") {
            return Vec::new();
        }
        let (length, truncated) = (capture.payload_length, capture.truncated);
        // A style sheet that cannot be read needs nothing.
        let Ok(body) = body_at(&self.archive, &capture.storage, length, truncated) else {
            return Vec::new();
        };
        let links = scan_css(&body.bytes, capture.fields.charset().as_deref());
        links.resolve(&url).into_iter().map(|found| found.url).collect()
    }
}

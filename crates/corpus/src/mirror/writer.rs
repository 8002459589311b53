//! Brings a mirror up to date: writes what is new or changed, leaves what is as it should be,
//! removes what is no longer wanted.
//!
//! A file is as it should be if it was made of the same payload, by the same rules, and all its
//! links still lead where they should (see [`super::links`]). Exact duplicates share one file by
//! hard links, if they are equal as written too: relative links from two places usually differ.
//!
//! An update that was killed is simply made again: the manifest knows what was finished.

use super::charset::declared;
use super::folder::{Folder, remove_if_there};
use super::links::{Rewritten, Source, Targets};
use super::manifest::{Entry, Manifest};
use super::opening::{self, Lock, MARKER, marker_text};
use super::path::{MirrorPath, RequestMark, mirror_path};
use super::start_page::{FORMS_PAGE, forms_page, start_page};
use auslese_model::{CaptureId, Digest};
use data_encoding::HEXLOWER;
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest as _, Sha256};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use url::Url;

/// Failures listed in a report; all are counted.
pub const MAX_FAILURES: usize = 100;

/// Names of one payload that are tried for a hard link.
const MAX_TWINS: usize = 16;

/// Raised when documents are written differently, so that all are written again.
const RECIPE: u32 = 1;

/// A document that belongs in the mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorDocument {
    pub url: Url,
    /// The mark of a request that is no plain GET; links never lead to such a document.
    pub request: Option<RequestMark>,
    pub capture: CaptureId,
    /// Of the payload: equal digests are exact duplicates.
    pub digest: Digest,
    pub media_type: Option<String>,
    /// From the HTTP header.
    pub charset: Option<String>,
    /// Other addresses that lead here, such as redirects: links to them lead to this file.
    pub aliases: Vec<Url>,
}

impl MirrorDocument {
    /// Where it lies in the mirror; `None` if its address is not `http` or `https`.
    pub fn path(&self) -> Option<MirrorPath> {
        mirror_path(&self.url, self.media_type.as_deref(), self.request.as_ref())
    }
}

/// What to do with pages whose encoding is known from the HTTP header only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CharsetNote {
    /// Nothing: links are the only change. The manifest keeps the header's word.
    #[default]
    InManifest,
    /// Set a `<meta charset>` into the page, so that it looks right from disk.
    InPage,
}

/// What an update did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MirrorReport {
    pub written: usize,
    pub unchanged: usize,
    pub removed: usize,
    /// Of those written: names of a file that was there already.
    pub linked: usize,
    /// Of those written: exact duplicates that are files of their own, because links make them
    /// differ or the file system knows no hard links.
    pub separate: usize,
    pub failed: usize,
    /// Address and cause of the first [`MAX_FAILURES`] failures.
    pub failures: Vec<(String, String)>,
}

#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    #[error("{} is not empty and no mirror", .0.display())]
    NotAMirror(PathBuf),
    #[error("the mirror {} was written by a newer version", .0.display())]
    Newer(PathBuf),
    #[error("the mirror {} is being updated by another process", .0.display())]
    Locked(PathBuf),
    #[error("the update of the mirror was interrupted")]
    Interrupted,
    #[error("cannot update the mirror {}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        cause: io::Error,
    },
}

/// A mirror, open for one update after another.
#[derive(Debug)]
pub struct MirrorWriter {
    root: PathBuf,
    folder: Folder,
    manifest: Manifest,
    charset_note: CharsetNote,
    _lock: Lock,
}

impl MirrorWriter {
    /// Opens a mirror, or makes one of an empty or missing directory. Any other directory is
    /// refused.
    pub fn open(root: &Path, charset_note: CharsetNote) -> Result<MirrorWriter, MirrorError> {
        let lock = opening::open(root)?;
        let failed = |cause| MirrorError::Io { path: root.to_owned(), cause };
        let folder = Folder::new(root.to_owned());
        folder.write_own(MARKER, &marker_text()).map_err(failed)?;
        let manifest = Manifest::open(&folder).map_err(failed)?;
        Ok(MirrorWriter { root: root.to_owned(), folder, manifest, charset_note, _lock: lock })
    }

    /// Brings the mirror up to date with the wanted documents. Their order matters in one respect:
    /// of exact duplicates the first is the one whose file the others share, so originals come
    /// first. `body` gives the payload of a document; if it fails, the document is left as it was,
    /// and if it fails with [`ErrorKind::Interrupted`], the update ends and can be taken up again.
    pub fn update(
        &mut self,
        wanted: &[MirrorDocument],
        body: &mut dyn FnMut(&MirrorDocument) -> io::Result<Vec<u8>>,
    ) -> Result<MirrorReport, MirrorError> {
        let mut update = Update {
            report: MirrorReport::default(),
            twins: FxHashMap::default(),
            done: FxHashSet::default(),
            failed: FxHashSet::default(),
        };
        let mut plan = Plan::of(wanted);
        self.remove_unwanted(&plan, &mut update.report)?;
        // A document that cannot be had is no target for links; those who link to it are written
        // once more. Each turn but the last loses a document, and more than a few are not worth it.
        for _ in 0..3 {
            let lost = self.turn(&plan, &mut update, body)?;
            if lost.is_empty() {
                break;
            }
            plan.drop_documents(&lost);
            update.twins.clear();
        }
        let untouched = |path: &MirrorPath| !update.done.contains(path.as_str());
        update.report.unchanged = plan.documents.iter().filter(|(_, path)| untouched(path)).count();
        self.finish()?;
        Ok(update.report)
    }

    /// The address of the file at a path, shortened or not.
    pub fn address(&self, path: &str) -> Option<&str> {
        self.manifest.entries.get(path).map(|entry| entry.url.as_str())
    }

    fn remove_unwanted(
        &mut self,
        plan: &Plan<'_>,
        report: &mut MirrorReport,
    ) -> Result<(), MirrorError> {
        let wanted: FxHashSet<&str> =
            plan.documents.iter().map(|(_, path)| path.as_str()).collect();
        let present = self.manifest.entries.keys().chain(&self.manifest.unfinished);
        let unwanted: Vec<String> =
            present.filter(|path| !wanted.contains(path.as_str())).cloned().collect();
        for path in unwanted {
            self.manifest.begin(&path).map_err(|cause| self.io(cause))?;
            match self.folder.remove(&path) {
                Ok(()) => {
                    self.manifest.removed(&path).map_err(|cause| self.io(cause))?;
                    report.removed += 1;
                }
                Err(cause) => report.fail(&path, &cause),
            }
        }
        Ok(())
    }

    /// Goes over all documents; returns the paths of those that are wanted and not there.
    fn turn(
        &mut self,
        plan: &Plan<'_>,
        update: &mut Update,
        body: &mut dyn FnMut(&MirrorDocument) -> io::Result<Vec<u8>>,
    ) -> Result<FxHashSet<String>, MirrorError> {
        let mut lost = FxHashSet::default();
        for (document, path) in &plan.documents {
            if self.is_current(document, path, &plan.targets) {
                update.note_twin(document, path, &self.manifest);
                continue;
            }
            if update.failed.contains(path.as_str()) {
                continue;
            }
            let written = body(document)
                .and_then(|bytes| self.write(document, path, bytes, &plan.targets, update));
            match written {
                Ok(()) => {
                    if update.done.insert(path.to_string()) {
                        update.report.written += 1;
                    }
                    update.note_twin(document, path, &self.manifest);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {
                    return Err(MirrorError::Interrupted);
                }
                Err(error) if is_the_disk(&error) => return Err(self.io(error)),
                Err(error) => {
                    update.report.fail(document.url.as_str(), &error);
                    update.failed.insert(path.to_string());
                    update.done.insert(path.to_string());
                    if self.folder.length(path.as_str()).is_none() {
                        lost.insert(path.to_string());
                    }
                }
            }
        }
        Ok(lost)
    }

    fn is_current(&self, document: &MirrorDocument, path: &MirrorPath, targets: &Targets) -> bool {
        self.manifest.entries.get(path.as_str()).is_some_and(|entry| {
            entry.digest == document.digest.to_string()
                && entry.recipe == self.recipe()
                && entry.charset == document.charset
                && entry.media_type == document.media_type
                && targets.still_hold(&entry.local_links, &entry.remote_links)
                && self.folder.length(path.as_str()) == Some(entry.size)
        })
    }

    fn write(
        &mut self,
        document: &MirrorDocument,
        path: &MirrorPath,
        bytes: Vec<u8>,
        targets: &Targets,
        update: &mut Update,
    ) -> io::Result<()> {
        let source = Source {
            url: &document.url,
            media_type: document.media_type.as_deref(),
            charset: document.charset.as_deref(),
        };
        let (mut bytes, links) = targets.rewrite(&bytes, &source, path);
        if self.charset_note == CharsetNote::InPage && source.format() == Rewritten::Html {
            bytes = declared(bytes, source.charset);
        }
        let written = HEXLOWER.encode(&Sha256::digest(&bytes)[..16]);
        self.manifest.begin(path.as_str())?;
        let twin = update.twin(document, &written).filter(|_| !bytes.is_empty());
        if twin.is_some_and(|twin| self.folder.link(twin, path.as_str()).is_ok()) {
            update.report.linked += 1;
        } else {
            self.folder.write(path.as_str(), &bytes)?;
            update.report.separate += usize::from(update.twins.contains_key(&document.digest));
        }
        self.manifest.done(Entry {
            path: path.to_string(),
            url: document.url.to_string(),
            request: document.request.map(|mark| HEXLOWER.encode(&mark)),
            capture: document.capture,
            digest: document.digest.to_string(),
            media_type: document.media_type.clone(),
            charset: document.charset.clone(),
            written,
            size: bytes.len() as u64,
            recipe: self.recipe(),
            local_links: links.local,
            remote_links: links.remote,
        })
    }

    fn recipe(&self) -> u32 {
        RECIPE * 2 + u32::from(self.charset_note == CharsetNote::InPage)
    }

    fn finish(&mut self) -> Result<(), MirrorError> {
        let entries = || self.manifest.entries.values();
        let written = self.folder.write_own("index.html", &start_page(entries()));
        let forms = match forms_page(entries()) {
            Some(page) => self.folder.write_own(FORMS_PAGE, &page),
            None => remove_if_there(&self.folder.own(FORMS_PAGE)),
        };
        written.and(forms).map_err(|cause| self.io(cause))?;
        self.manifest
            .tidy(&self.folder)
            .map_err(|cause| MirrorError::Io { path: self.root.clone(), cause })
    }

    fn io(&self, cause: io::Error) -> MirrorError {
        MirrorError::Io { path: self.root.clone(), cause }
    }
}

impl MirrorReport {
    fn fail(&mut self, what: &str, cause: &io::Error) {
        self.failed += 1;
        if self.failures.len() < MAX_FAILURES {
            self.failures.push((what.to_owned(), cause.to_string()));
        }
    }
}

/// What is to lie where.
struct Plan<'d> {
    documents: Vec<(&'d MirrorDocument, MirrorPath)>,
    targets: Targets,
}

impl<'d> Plan<'d> {
    /// Of two documents with one path, which are one request, the first counts.
    fn of(wanted: &'d [MirrorDocument]) -> Plan<'d> {
        let mut taken = FxHashSet::default();
        let documents: Vec<_> = wanted
            .iter()
            .filter_map(|document| Some((document, document.path()?)))
            .filter(|(_, path)| taken.insert(path.clone()))
            .collect();
        let targets = targets(&documents);
        Plan { documents, targets }
    }

    fn drop_documents(&mut self, paths: &FxHashSet<String>) {
        self.documents.retain(|(_, path)| !paths.contains(path.as_str()));
        self.targets = targets(&self.documents);
    }
}

fn targets(documents: &[(&MirrorDocument, MirrorPath)]) -> Targets {
    let mut targets = Targets::default();
    let by_get = || documents.iter().filter(|(document, _)| document.request.is_none());
    for (document, path) in by_get() {
        targets.add(&document.url, path);
    }
    for (document, path) in by_get() {
        document.aliases.iter().for_each(|alias| targets.add(alias, path));
    }
    targets
}

/// What has happened so far.
struct Update {
    report: MirrorReport,
    /// Up-to-date files by their payload: path, and digest as written.
    twins: FxHashMap<Digest, Vec<(String, String)>>,
    /// Paths that were written or failed.
    done: FxHashSet<String>,
    failed: FxHashSet<String>,
}

impl Update {
    fn note_twin(&mut self, document: &MirrorDocument, path: &MirrorPath, manifest: &Manifest) {
        let twins = self.twins.entry(document.digest.clone()).or_default();
        if let Some(entry) = manifest.entries.get(path.as_str())
            && twins.len() < MAX_TWINS
            && !twins.iter().any(|(_, written)| *written == entry.written)
        {
            twins.push((path.to_string(), entry.written.clone()));
        }
    }

    fn twin(&self, document: &MirrorDocument, written: &str) -> Option<&str> {
        let twins = self.twins.get(&document.digest)?;
        twins.iter().find(|(_, digest)| digest == written).map(|(path, _)| path.as_str())
    }
}

/// Failures that the next document would meet as well.
fn is_the_disk(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::ReadOnlyFilesystem
    )
}

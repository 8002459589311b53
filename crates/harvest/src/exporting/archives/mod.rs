//! Giving away the archive itself: as a WACZ package, as an index, as a folder for those who keep archives.
//!
//! The files are those that the catalog counts on, each as far as it is committed, so a crawl may go on meanwhile. For
//! a selection, files are written anew with the records that the chosen documents need ([`choosing`]). Everything
//! streams: memory holds a page of documents, or a block of a file.

mod choosing;
mod cutting;
mod describing;
mod giving;

use super::output::WorkFolder;
use super::{ExportReport, Form, Page, Stage, batches};
use crate::HarvestError;
use crate::corpus::on_all_cores;
use auslese_archive::{ArchiveError, ArchiveSettings, Holdings, Section, WaczPage};
use auslese_crawl::CanonicalRules;
use auslese_export::ExportedDocument;
use auslese_model::{Format, Method, RequestId, WarcProgress};
use choosing::Choosing;
use cutting::{Chosen, cut_out};
use giving::{Giving, Offered};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use tokio::sync::watch;
use url::Url;

/// Bytes of a page's text that are given away with a package; replay software has all of them in memory.
const MAX_PAGE_TEXT: usize = 1 << 20;

/// A form of the archive itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArchiveFormat {
    Wacz,
    Cdxj,
    InternetArchive,
}

impl ArchiveFormat {
    pub const ALL: [ArchiveFormat; 3] =
        [ArchiveFormat::Wacz, ArchiveFormat::Cdxj, ArchiveFormat::InternetArchive];

    pub fn name(self) -> &'static str {
        match self {
            ArchiveFormat::Wacz => "wacz",
            ArchiveFormat::Cdxj => "cdxj",
            ArchiveFormat::InternetArchive => "internet-archive",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            ArchiveFormat::Wacz => "the web archive as one file for replay: WARC, index, pages",
            ArchiveFormat::Cdxj => "the index of all captures, as pywb reads it",
            ArchiveFormat::InternetArchive => {
                "WARC files with check sums, index and item metadata, to be handed over"
            }
        }
    }

    /// Whether it is written in order, from the beginning to the end.
    pub(super) fn can_print(self) -> bool {
        self == ArchiveFormat::Cdxj
    }

    /// Whether some of the documents can be given away.
    pub(super) fn can_select(self) -> bool {
        self != ArchiveFormat::Cdxj
    }
}

/// What the forms of the archive need to be told.
#[derive(Debug, Clone, Default)]
pub struct ArchiveExport {
    /// How addresses are recognised.
    pub canonical: CanonicalRules,
    /// How records are written, and what is said of who crawled.
    pub settings: ArchiveSettings,
}

/// What was given away of the archive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveReport {
    /// WARC files.
    pub files: u64,
    /// Captures in the index.
    pub captures: u64,
    /// Documents that are offered as pages.
    pub pages: u64,
    /// Records that share their compression with others, so that no index can point to them.
    pub unreachable: u64,
    /// What could not be read, the first few; and how much there was.
    pub damages: Vec<String>,
    pub damage_count: u64,
}

/// What becomes of a document: the line of a page, if it is one.
pub(super) fn page_of(document: &ExportedDocument) -> Form {
    let is_page = document.capture.record_id.is_some()
        && matches!(document.format(), Some(Format::Html | Format::Paper | Format::Text))
        && document.capture.media_type.as_deref().is_none_or(|it| !is_machinery(it));
    if !is_page {
        return Form::Address;
    }
    let page = WaczPage {
        id: document.id(),
        url: document.url.clone(),
        ts: document.capture.at.to_second_text(),
        title: document.title().to_owned(),
        text: text_of(document),
    };
    Form::Bytes(page.to_line())
}

/// Text that programs read, not people.
fn is_machinery(media_type: &str) -> bool {
    ["css", "javascript", "ecmascript", "json"].iter().any(|word| media_type.contains(word))
}

fn text_of(document: &ExportedDocument) -> String {
    let mut text = String::new();
    for paragraph in document.paragraphs() {
        if text.len() + paragraph.text.len() >= MAX_PAGE_TEXT {
            let room = MAX_PAGE_TEXT.saturating_sub(text.len() + 1);
            text.push_str(&paragraph.text[..paragraph.text.floor_char_boundary(room)]);
            break;
        }
        text.push_str(&paragraph.text);
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}

/// Writes the archive of a harvest, or of some of its documents.
pub(super) async fn run(
    mut stage: Stage<'_>,
    format: ArchiveFormat,
) -> Result<ExportReport, HarvestError> {
    let is_selection = stage.kept_only || stage.wanted.is_some();
    if is_selection && !format.can_select() {
        return Err(HarvestError::ExportsWhole { format: format.name() });
    }
    let work = WorkFolder::beside(&stage.target)?;
    let mut giving = Giving::begin(format, &stage, &work)?;
    let mut choosing = is_selection.then(|| Choosing::new(stage.catalog, &stage.task, &work));
    let mut report =
        ExportReport { archive: Some(ArchiveReport::default()), ..ExportReport::default() };

    if is_selection || format == ArchiveFormat::Wacz {
        let mut page = stage.page(RequestId(0)).await?;
        while let Some(this) = page.take() {
            let (last, looked_at) = (this.last, this.looked_at);
            if let Some(choosing) = &mut choosing {
                let requests = this.gathered.iter().map(|it| it.document.request).collect();
                choosing.choose(requests).await?;
            }
            if !offer_pages(&stage, this, &mut giving, &mut report).await? {
                report.stopped = true;
                return Ok(report);
            }
            stage.tell(looked_at);
            page = stage.page(last).await?;
        }
    } else {
        // Nothing is said of single documents.
        report.documents = stage.of;
    }
    if is_selection && report.documents == 0 {
        return Err(HarvestError::NothingToExport { left_out: 0 });
    }
    let whole = stage.catalog.warcs().await?.into_iter();
    let files = Files {
        whole: whole.map(|file| (file.file.clone(), file)).collect(),
        chosen: choosing.map(Choosing::finish).transpose()?,
        archive: stage.task.archive.clone(),
        settings: stage.task.giving.settings.clone(),
        work: work.path().to_owned(),
        stop: stage.watching.stop.clone(),
    };
    let given = tokio::task::spawn_blocking(move || files.give(giving)).await;
    let given = given.map_err(|error| HarvestError::Lost { what: error.to_string() })?;
    // What is complete stays, even if somebody wanted to stop in the last moment.
    let (bytes, mut told) = match given {
        Err(_) if *stage.watching.stop.borrow() => {
            report.stopped = true;
            return Ok(report);
        }
        given => given?,
    };
    told.pages = report.archive.map_or(0, |archive| archive.pages);
    report.archive = Some(told);
    report.bytes = bytes;
    report.seconds = stage.started.elapsed().as_secs_f64();
    Ok(report)
}

/// Formats a page of documents, as far as pages are listed; false if a person wanted to stop.
async fn offer_pages(
    stage: &Stage<'_>,
    page: Page,
    giving: &mut Giving,
    report: &mut ExportReport,
) -> Result<bool, HarvestError> {
    let requests: Vec<RequestId> = page.gathered.iter().map(|it| it.document.request).collect();
    let ways = stage.catalog.ways_of(&requests).await?;
    let seeds: BTreeSet<RequestId> =
        ways.iter().filter(|(_, (_, hops))| hops.0.is_empty()).map(|(id, _)| *id).collect();
    let is_get = |request| ways.get(&request).is_none_or(|way| way.0 == Some(Method::Get));
    for batch in batches(page.gathered) {
        let task = stage.task.clone();
        let mut formatted = on_all_cores(batch, move |one| task.format(one)).await?;
        formatted.sort_unstable_by_key(|one| one.request);
        for one in formatted {
            report.documents += 1;
            let Form::Bytes(line) = one.form else { continue };
            // Only what answers to a plain address can be opened by it.
            if !is_get(one.request) {
                continue;
            }
            let is_start = seeds.contains(&one.request) || is_start_page(&one.url);
            giving.offer_page(&line, is_start, seeds.contains(&one.request))?;
            if let Some(archive) = &mut report.archive {
                archive.pages += 1;
            }
            if let Some(trouble) = one.trouble {
                *report.troubles.entry(trouble).or_default() += 1;
            }
        }
        if *stage.watching.stop.borrow() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_start_page(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| url.path() == "/" && url.query().is_none())
}

/// The files of the archive, to be given away one by one.
struct Files {
    whole: BTreeMap<String, WarcProgress>,
    /// What is needed of them, if not all of it.
    chosen: Option<Chosen>,
    archive: Holdings,
    settings: ArchiveSettings,
    work: PathBuf,
    stop: watch::Receiver<bool>,
}

impl Files {
    fn give(self, mut giving: Giving) -> Result<(u64, ArchiveReport), HarvestError> {
        let Files { whole, chosen, archive, settings, work, stop } = self;
        let mut report = ArchiveReport::default();
        let stoppable = |bytes: Section| Stoppable { bytes, stop: stop.clone() };
        if let Some(mut chosen) = chosen {
            while let Some((name, offsets)) = chosen.next_file()? {
                let missing =
                    || ArchiveError::Missing { file: archive.dir().join(&name), committed: 0 };
                let file = whole.get(&name).ok_or_else(missing)?;
                let part = cut_out(&archive, file, &offsets, &settings, &work)?;
                report.damages.extend(part.damages);
                report.damage_count += part.damage_count;
                let name = part.name;
                let part_file = WarcProgress {
                    file: name.clone(),
                    length: part.length,
                    records: 0,
                    closed: true,
                };
                let (bytes, path) = Holdings::local(&work).committed(&part_file)?;
                giving.take(Offered { name: &name, bytes: stoppable(bytes), path: &path })?;
                std::fs::remove_file(&path).map_err(|cause| HarvestError::Io { path, cause })?;
            }
        } else {
            for file in whole.values().filter(|file| file.length > 0) {
                let (bytes, path) = archive.committed(file)?;
                giving.take(Offered { name: &file.file, bytes: stoppable(bytes), path: &path })?;
            }
        }
        giving.finish(report)
    }
}

/// Bytes that end when a person wants to stop, because a file may be long.
#[derive(Debug, Clone)]
struct Stoppable {
    bytes: Section,
    stop: watch::Receiver<bool>,
}

impl Read for Stoppable {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if *self.stop.borrow() {
            return Err(io::Error::other("a person wanted to stop"));
        }
        self.bytes.read(buffer)
    }
}

impl Seek for Stoppable {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// An error that says which file could not be written.
fn io_error(path: &std::path::Path) -> impl FnOnce(io::Error) -> HarvestError {
    let path = path.to_owned();
    move |cause| HarvestError::Io { path, cause }
}

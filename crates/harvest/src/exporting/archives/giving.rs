//! Archive files to their new places: into a package, into an index, into a folder.

use super::super::Stage;
use super::super::output::{OutputFile, OutputFolder, SeekableFile, WorkFolder};
use super::describing::{HandOver, Handed};
use super::{ArchiveFormat, ArchiveReport, Stoppable, io_error};
use crate::HarvestError;
use auslese_archive::{CdxjIndex, Indexed, PageList, WaczHead, WaczPage, WaczWriter, copy_summed};
use auslese_export::CorpusHead;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The name of the index in a folder.
const INDEX: &str = "index.cdxj";

/// An archive file to be given away.
pub(super) struct Offered<'a> {
    pub(super) name: &'a str,
    pub(super) bytes: Stoppable,
    /// Where it is, for a link.
    pub(super) path: &'a Path,
}

/// A form of the archive that is being written.
pub(super) enum Giving {
    Package(Box<Package>),
    Index(Box<Index>),
    Folder(Box<Folder>),
}

pub(super) struct Package {
    writer: WaczWriter,
    output: SeekableFile,
    pages: PageList,
    extra_pages: PageList,
    head: CorpusHead,
    software: String,
    main_page: Option<(String, String)>,
    main_is_seed: bool,
}

pub(super) struct Index {
    index: CdxjIndex,
    out: OutputFile,
}

pub(super) struct Folder {
    output: OutputFolder,
    index: CdxjIndex,
    hand_over: HandOver,
}

impl Giving {
    pub(super) fn begin(
        format: ArchiveFormat,
        stage: &Stage<'_>,
        work: &WorkFolder,
    ) -> Result<Giving, HarvestError> {
        let head = stage.task.head.clone();
        let description = stage.task.giving.settings.description.clone();
        let index = CdxjIndex::new(work.path());
        Ok(match format {
            ArchiveFormat::Cdxj => {
                Giving::Index(Box::new(Index { index, out: OutputFile::create(&stage.target)? }))
            }
            ArchiveFormat::InternetArchive => Giving::Folder(Box::new(Folder {
                output: OutputFolder::create(&stage.target)?,
                index,
                hand_over: HandOver::new(head, description),
            })),
            ArchiveFormat::Wacz => {
                let (output, file) = SeekableFile::create(&stage.target)?;
                let list = || PageList::new(work.path()).map_err(io_error(work.path()));
                Giving::Package(Box::new(Package {
                    writer: WaczWriter::new(file, output.path(), work.path(), head.at),
                    output,
                    pages: list()?,
                    extra_pages: list()?,
                    software: description.software,
                    head,
                    main_page: None,
                    main_is_seed: false,
                }))
            }
        })
    }

    /// Lists a page, by its line.
    pub(super) fn offer_page(
        &mut self,
        line: &[u8],
        is_start: bool,
        is_seed: bool,
    ) -> Result<(), HarvestError> {
        match self {
            Giving::Package(package) => package.offer_page(line, is_start, is_seed),
            Giving::Index(_) | Giving::Folder(_) => Ok(()),
        }
    }

    /// Takes in a file.
    pub(super) fn take(&mut self, offered: Offered<'_>) -> Result<(), HarvestError> {
        match self {
            Giving::Package(package) => {
                let length = offered.bytes.bytes.len();
                Ok(package.writer.add_warc(offered.name, offered.bytes, length)?)
            }
            Giving::Index(index) => {
                Ok(index.index.add(offered.name, offered.path, offered.bytes)?)
            }
            Giving::Folder(folder) => folder.take(offered),
        }
    }

    /// Gives everything its name, and tells how much it is.
    pub(super) fn finish(
        self,
        mut report: ArchiveReport,
    ) -> Result<(u64, ArchiveReport), HarvestError> {
        let (bytes, files, indexed) = match self {
            Giving::Package(package) => package.finish()?,
            Giving::Index(giving) => {
                let Index { index, out } = *giving;
                let mut lines = Counting { out, bytes: 0 };
                let indexed = not_empty(index.write(&mut lines)?)?;
                lines.out.finish()?;
                (lines.bytes, 0, indexed)
            }
            Giving::Folder(folder) => folder.finish()?,
        };
        report.files = files;
        report.captures = indexed.lines;
        report.unreachable = indexed.unreachable;
        report.damage_count += indexed.damage_count;
        report.damages.extend(indexed.damages.iter().map(ToString::to_string));
        Ok((bytes, report))
    }
}

impl Package {
    fn offer_page(
        &mut self,
        line: &[u8],
        is_start: bool,
        is_seed: bool,
    ) -> Result<(), HarvestError> {
        let list = if is_start { &mut self.pages } else { &mut self.extra_pages };
        list.push(line).map_err(io_error(self.output.path()))?;
        // A reader begins with the first seed, else with the first start page, else with the first page.
        let is_better = self.main_page.is_none() || is_seed && !self.main_is_seed;
        if is_better && let Ok(page) = serde_json::from_slice::<WaczPage>(line) {
            self.main_page = Some((page.url, page.ts));
            self.main_is_seed = is_seed;
        }
        Ok(())
    }

    fn finish(self) -> Result<(u64, u64, Indexed), HarvestError> {
        let Package { writer, output, mut pages, mut extra_pages, head, software, .. } = self;
        if pages.count() == 0 {
            std::mem::swap(&mut pages, &mut extra_pages);
        }
        let head = WaczHead {
            title: head.title,
            description: head.selection,
            software,
            created: head.at,
            main_page: self.main_page,
        };
        let written = writer.finish(&head, pages, extra_pages)?;
        let indexed = not_empty(written.indexed)?;
        output.finish(&written.file)?;
        Ok((written.length, written.warcs, indexed))
    }
}

impl Folder {
    fn take(&mut self, offered: Offered<'_>) -> Result<(), HarvestError> {
        let Offered { name, mut bytes, path } = offered;
        let target = self.output.path(name);
        let is_whole = fs::metadata(path).is_ok_and(|it| it.len() == bytes.bytes.len())
            && path.file_name().is_some_and(|it| it == name);
        let mut is_linked = is_whole && fs::hard_link(path, &target).is_ok();
        if is_linked && !bytes.bytes.is_at(&target) {
            // Another file has taken its name in the meantime.
            fs::remove_file(&target).map_err(io_error(&target))?;
            is_linked = false;
        }
        let sums = if is_linked {
            copy_summed(&mut bytes, &mut io::sink())
        } else {
            File::create(&target).and_then(|mut file| {
                let sums = copy_summed(&mut bytes, &mut file)?;
                file.sync_all()?;
                Ok(sums)
            })
        };
        let sums = sums.map_err(io_error(&target))?;
        self.hand_over.add(Handed { name: name.to_owned(), sums, is_warc: true });
        Ok(self.index.add(name, path, bytes)?)
    }

    fn finish(self) -> Result<(u64, u64, Indexed), HarvestError> {
        let Folder { output, index, mut hand_over } = self;
        let mut lines = output.file(INDEX)?;
        let indexed = not_empty(index.write(&mut lines)?)?;
        lines.flush().map_err(|cause| output.io(cause))?;
        drop(lines);
        let sums = File::open(output.path(INDEX))
            .and_then(|mut file| copy_summed(&mut file, &mut io::sink()))
            .map_err(|cause| output.io(cause))?;
        hand_over.add(Handed { name: INDEX.to_owned(), sums, is_warc: false });
        let files = hand_over.warcs();
        let mut bytes = hand_over.bytes();
        for (name, text) in hand_over.documents(&indexed) {
            bytes += text.len() as u64;
            let mut file = output.file(name)?;
            let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
            written.map_err(|cause| output.io(cause))?;
        }
        output.finish()?;
        Ok((bytes, files, indexed))
    }
}

/// An archive without a capture is of no use to anybody.
fn not_empty(indexed: Indexed) -> Result<Indexed, HarvestError> {
    match indexed.lines {
        0 => Err(HarvestError::NothingToExport { left_out: 0 }),
        _ => Ok(indexed),
    }
}

/// Counts what is written.
struct Counting {
    out: OutputFile,
    bytes: u64,
}

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| match error {
            HarvestError::Io { cause, .. } => cause,
            other => io::Error::other(other),
        })?;
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

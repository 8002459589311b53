//! Writes an archive file anew: records are kept, dropped or changed one by one.
//!
//! Three things need this. A document that has to go is taken out of the files that hold it. A
//! foreign file whose records share their compression is rewritten with one gzip member per
//! record, because nothing can jump into the middle of a member. And what a crawl compressed in
//! haste can be compressed well later.
//!
//! What stays is copied byte for byte wherever it can be. The source is only read; the new file is
//! complete and on the disk when this returns, and whoever called puts it in its place. Damaged
//! stretches of the source are not copied: nobody can say what they hold.

use crate::digest::{Hasher, each_piece};
use crate::encode::seal;
use crate::error::{ArchiveError, Damage};
use crate::gzip::{Member, Opening, Pieces};
use crate::reader::{Reader, RecordEnd};
use crate::record::{Fields, Record, VERSION};
use crate::section::Section;
use crate::settings::ArchiveSettings;
use crate::stored::read_body;
use auslese_model::Body;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What becomes of a record.
#[derive(Debug)]
pub enum Fate {
    Keep,
    Drop,
    /// Other header fields, the same block.
    Relabel(Fields),
    /// Another record altogether.
    Replace(Replacement),
}

/// A record in place of another. Digest and length of the block are added to its fields.
#[derive(Debug)]
pub struct Replacement {
    pub fields: Fields,
    /// The beginning of the block: the header of an HTTP message.
    pub head: Vec<u8>,
    /// The rest of the block.
    pub body: Body,
}

/// How records are to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As in the source: its members as they are, or no compression.
    AsStored,
    /// One gzip member per record.
    OwnMembers,
    /// One gzip member per record: the stored one, or one compressed anew where that is smaller.
    Smaller,
}

/// The new file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewritten {
    pub length: u64,
    pub records: u64,
    pub dropped: u64,
    /// Where the records lie now, in their order.
    pub moved: Vec<Moved>,
    /// What could not be read and was left out, the first few; and how much there was.
    pub damages: Vec<String>,
    pub damage_count: u64,
}

/// A record that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Where it was.
    pub from: u64,
    pub offset: u64,
    pub length: u64,
}

/// Damages that are told one by one.
pub(crate) const DAMAGES_TOLD: usize = 20;

/// Copies a file record by record. Of the source only the first `committed` bytes count, if given.
pub fn rewrite(
    source: &Path,
    committed: Option<u64>,
    target: &Path,
    form: Form,
    settings: &ArchiveSettings,
    decide: &mut dyn FnMut(&Record) -> Result<Fate, ArchiveError>,
) -> Result<Rewritten, ArchiveError> {
    let opened = Section::open(source)?;
    let opened = match committed {
        Some(end) => opened.part(0, end),
        None => opened,
    };
    rewrite_bytes(source, &opened, target, form, settings, decide)
}

/// The same for a stretch of a file that is open already; `source` is for messages.
pub fn rewrite_bytes(
    source: &Path,
    bytes: &Section,
    target: &Path,
    form: Form,
    settings: &ArchiveSettings,
    decide: &mut dyn FnMut(&Record) -> Result<Fate, ArchiveError>,
) -> Result<Rewritten, ArchiveError> {
    let mut work = Work {
        reader: Reader::new(source, bytes.clone(), 0)?,
        raw: bytes.clone(),
        source: source.to_owned(),
        sink: RecordSink::create(target)?,
        form,
        settings,
        done: Rewritten::default(),
    };
    loop {
        match work.reader.next_record() {
            Ok(None) => break,
            Ok(Some(record)) => {
                let fate = decide(&record)?;
                match work.apply(&record, fate) {
                    Err(ArchiveError::Damaged { .. }) if work.form == Form::AsStored => {
                        // Told by the reader already, or when it was asked for the end.
                        work.done.note(&format!("record at byte {}", record.offset));
                    }
                    result => result?,
                }
            }
            Err(error @ ArchiveError::Damaged { .. }) => work.done.note(&error.to_string()),
            Err(error) => return Err(error),
        }
    }
    work.done.length = work.sink.finish()?;
    Ok(work.done)
}

impl Rewritten {
    fn note(&mut self, damage: &str) {
        self.damage_count += 1;
        if self.damages.len() < DAMAGES_TOLD {
            self.damages.push(damage.to_owned());
        }
    }
}

struct Work<'a> {
    reader: Reader<Section>,
    /// The same file once more, for copying bytes.
    raw: Section,
    source: PathBuf,
    sink: RecordSink,
    form: Form,
    settings: &'a ArchiveSettings,
    done: Rewritten,
}

impl Work<'_> {
    fn apply(&mut self, record: &Record, fate: Fate) -> Result<(), ArchiveError> {
        let compressed = self.form != Form::AsStored || self.reader.is_compressed();
        let (offset, length) = match fate {
            Fate::Drop => {
                self.done.dropped += 1;
                self.reader.end_record()?;
                return Ok(());
            }
            Fate::Keep => match self.form {
                Form::AsStored => self.copy(record)?,
                Form::OwnMembers => self.store_again(record, &record.fields, compressed)?,
                Form::Smaller => self.store_smaller(record)?,
            },
            Fate::Relabel(fields) => self.store_again(record, &fields, compressed)?,
            Fate::Replace(Replacement { fields, head, body }) => {
                self.reader.end_record()?;
                self.sink.put(fields, &head, &body, compressed, self.settings)?
            }
        };
        self.done.records += 1;
        self.done.moved.push(Moved { from: record.offset, offset, length });
        Ok(())
    }

    /// Copies the bytes of a record with its separator, or its gzip member.
    fn copy(&mut self, record: &Record) -> Result<(u64, u64), ArchiveError> {
        let end = self.reader.end_record()?;
        if !end.alone {
            let (file, offset) = (self.source.clone(), record.offset);
            return Err(ArchiveError::Damaged { file, offset, damage: Damage::Shared });
        }
        self.copy_bytes(record, end)
    }

    fn copy_bytes(
        &mut self,
        record: &Record,
        RecordEnd { length, next, .. }: RecordEnd,
    ) -> Result<(u64, u64), ArchiveError> {
        self.raw.seek(SeekFrom::Start(record.offset)).map_err(ArchiveError::io(&self.source))?;
        let mut bytes = (&mut self.raw).take(next - record.offset);
        let offset = self.sink.position;
        self.sink.copy(&mut bytes)?;
        Ok((offset, length))
    }

    /// Stores the block again behind these fields.
    fn store_again(
        &mut self,
        record: &Record,
        fields: &Fields,
        compressed: bool,
    ) -> Result<(u64, u64), ArchiveError> {
        let block = read_body(&mut self.reader.block());
        let block = block.map_err(|cause| self.reader.failed(cause))?;
        self.reader.end_record()?;
        self.sink.put_as_is(version_line(record), fields, &block, compressed, self.settings)
    }

    /// Stores a record in the smaller of two ways: as it is, or compressed anew.
    fn store_smaller(&mut self, record: &Record) -> Result<(u64, u64), ArchiveError> {
        let block = read_body(&mut self.reader.block());
        let block = block.map_err(|cause| self.reader.failed(cause))?;
        let end = self.reader.end_record()?;
        let (member, opening) =
            compress_as_is(version_line(record), &record.fields, &block, self.settings)?;
        let is_a_member = end.alone && self.reader.is_compressed();
        match is_a_member && end.length <= member.length(&opening) {
            true => self.copy_bytes(record, end),
            false => self.sink.put_member(&member, &opening),
        }
    }
}

/// The version that a record is written with again.
fn version_line(record: &Record) -> &str {
    match record.version.len() {
        // A version line of any length is legal in a header, but not worth keeping.
        0..=20 => record.version.as_str(),
        _ => VERSION,
    }
}

/// A record whose fields say all there is to say, as a member.
fn compress_as_is(
    version: &str,
    fields: &Fields,
    block: &Body,
    settings: &ArchiveSettings,
) -> Result<(Member, Opening), ArchiveError> {
    let head = format!("{}\r\n", fields.to_lines()).into_bytes();
    let pieces = Pieces { head, body: Some(block), tail: b"\r\n\r\n" };
    let member = Member::compress(pieces, settings.level, &settings.spill_dir)?;
    Ok((member, Opening::new(&format!("{version}\r\n"))))
}

/// A file that records are written to in order.
#[derive(Debug)]
pub(crate) struct RecordSink {
    file: BufWriter<File>,
    path: PathBuf,
    pub(crate) position: u64,
}

impl RecordSink {
    pub(crate) fn create(path: &Path) -> Result<RecordSink, ArchiveError> {
        let file = File::create(path).map_err(ArchiveError::io(path))?;
        Ok(RecordSink { file: BufWriter::new(file), path: path.to_owned(), position: 0 })
    }

    /// Writes a member; tells where it lies and how long it is.
    pub(crate) fn put_member(
        &mut self,
        member: &Member,
        opening: &Opening,
    ) -> Result<(u64, u64), ArchiveError> {
        let (offset, length) = (self.position, member.length(opening));
        member.write(opening, &mut self.file).map_err(ArchiveError::io(&self.path))?;
        self.position += length;
        Ok((offset, length))
    }

    /// Writes a record whose digest and length are still to be found.
    fn put(
        &mut self,
        mut fields: Fields,
        head: &[u8],
        body: &Body,
        compressed: bool,
        settings: &ArchiveSettings,
    ) -> Result<(u64, u64), ArchiveError> {
        if compressed {
            let member = seal(fields, head, Some(body), settings.level, settings)?;
            return self.put_member(&member, &Opening::new(&format!("{VERSION}\r\n")));
        }
        let mut hasher = Hasher::new(settings.algorithm);
        hasher.update(head);
        each_piece(body, |piece| hasher.update(piece)).map_err(ArchiveError::io(&self.path))?;
        fields.push("WARC-Block-Digest", hasher.finish().to_string());
        fields.push("Content-Length", (head.len() as u64 + body.len()).to_string());
        self.put_plain(VERSION, &fields, head, body)
    }

    /// Writes a record whose fields say all there is to say.
    fn put_as_is(
        &mut self,
        version: &str,
        fields: &Fields,
        block: &Body,
        compressed: bool,
        settings: &ArchiveSettings,
    ) -> Result<(u64, u64), ArchiveError> {
        if !compressed {
            return self.put_plain(version, fields, b"", block);
        }
        let (member, opening) = compress_as_is(version, fields, block, settings)?;
        self.put_member(&member, &opening)
    }

    fn put_plain(
        &mut self,
        version: &str,
        fields: &Fields,
        head: &[u8],
        body: &Body,
    ) -> Result<(u64, u64), ArchiveError> {
        let offset = self.position;
        self.copy(&mut format!("{version}\r\n{}\r\n", fields.to_lines()).as_bytes())?;
        self.copy(&mut &head[..])?;
        self.copy(&mut body.reader())?;
        let length = self.position - offset;
        self.copy(&mut &b"\r\n\r\n"[..])?;
        Ok((offset, length))
    }

    fn copy(&mut self, bytes: &mut impl Read) -> Result<(), ArchiveError> {
        let count = io::copy(bytes, &mut self.file).map_err(ArchiveError::io(&self.path))?;
        self.position += count;
        Ok(())
    }

    /// Waits until the disk has everything; tells how long the file is.
    pub(crate) fn finish(&mut self) -> Result<u64, ArchiveError> {
        self.file.flush().map_err(ArchiveError::io(&self.path))?;
        self.file.get_ref().sync_all().map_err(ArchiveError::io(&self.path))?;
        Ok(self.position)
    }
}

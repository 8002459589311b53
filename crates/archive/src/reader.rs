//! Reads WARC files of any origin, record by record, in bounded memory.
//!
//! Taken are plain files, gzip files with one member per record, and gzip files made in other
//! ways (many records in one member, a record across members); versions 0.17 to 1.1; lines that
//! end in LF alone. Damage is reported with its place, and the next call goes on behind it.

use crate::chunked::{Dechunked, read_line};
use crate::digest::{COPY_BUFFER, Hasher};
use crate::error::{ArchiveError, Damage};
use crate::flow::{Counted, Flow, Found, RECORD_MAGIC};
use crate::http_head::HttpHead;
use crate::record::{Fields, Record};
use auslese_model::{Algorithm, Digest};
use std::fs::File;
use std::io::{self, BufRead, Read, Seek};
use std::path::{Path, PathBuf};

/// A longer record header is taken for damage.
pub(crate) const HEADER_LIMIT: usize = 256 * 1024;

/// Reads the records of one file in order.
///
/// [`Reader::next_record`] gives the header; the block may then be read with
/// [`Reader::block`], or as HTTP with [`Reader::http_head`] and [`Reader::payload`]. What is not
/// read is skipped.
#[derive(Debug)]
pub struct Reader<R = File> {
    file: PathBuf,
    /// Only absent while it changes from member to member.
    flow: Option<Flow<R>>,
    state: State,
    member_offset: u64,
    place_in_member: u64,
    chunked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the beginning of the file, or behind a record.
    Between,
    InBlock {
        offset: u64,
        left: u64,
        compressed: bool,
    },
    /// Something was wrong; the next record begins at or behind this offset.
    Lost {
        from: u64,
    },
    End,
}

/// Where a record ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordEnd {
    /// How many bytes of the file the record occupies: its member, or header and block in a file
    /// that is not compressed. 0 if it shares its member with a later record.
    pub length: u64,
    /// Where the bytes behind the record and its separator begin.
    pub next: u64,
    /// Whether it is the only record of its member (or the file is not compressed).
    pub alone: bool,
}

impl Reader<File> {
    pub fn open(path: &Path) -> Result<Reader<File>, ArchiveError> {
        Reader::open_at(path, 0)
    }

    /// Begins at a record whose offset is known.
    pub fn open_at(path: &Path, offset: u64) -> Result<Reader<File>, ArchiveError> {
        let file = File::open(path).map_err(ArchiveError::io(path))?;
        Reader::new(path, file, offset)
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Reads from anything that can seek; `name` is for messages.
    pub fn new(name: &Path, file: R, offset: u64) -> Result<Reader<R>, ArchiveError> {
        let counted = Counted::new(file, offset).map_err(ArchiveError::io(name))?;
        Ok(Reader {
            file: name.to_path_buf(),
            flow: Some(Flow::Plain(counted)),
            state: State::Between,
            member_offset: offset,
            place_in_member: 0,
            chunked: false,
        })
    }

    /// The next record, or `None` at the end. After [`ArchiveError::Damaged`] the next call goes
    /// on behind the damage; any other error is final.
    pub fn next_record(&mut self) -> Result<Option<Record>, ArchiveError> {
        if let State::InBlock { .. } = self.state {
            self.end_record()?;
        }
        if let State::Lost { from } = self.state {
            self.find_next(from)?;
        }
        while self.state == State::Between {
            if let Some(record) = self.begin_record()? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// What is left of the current block.
    pub fn block(&mut self) -> BlockReader<'_, R> {
        BlockReader { reader: self }
    }

    /// Reads the header block of the HTTP message that the current block begins with; afterwards
    /// [`Reader::payload`] is its body.
    pub fn http_head(&mut self) -> Result<HttpHead, ArchiveError> {
        let head = HttpHead::read(&mut self.block());
        let head = head.map_err(|cause| self.failed(cause))?;
        self.chunked = head.is_chunked();
        Ok(head)
    }

    /// What is left of the block, without transfer coding if [`Reader::http_head`] found one.
    pub fn payload(&mut self) -> Payload<'_, R> {
        if self.chunked {
            Payload(Inner::Chunked(Dechunked::new(self.block())))
        } else {
            Payload(Inner::Plain(self.block()))
        }
    }

    /// Length and digest of what is left of the payload.
    pub fn payload_digest(&mut self, algorithm: Algorithm) -> Result<(u64, Digest), ArchiveError> {
        let summed = summed(&mut self.payload(), algorithm);
        summed.map_err(|cause| self.failed(cause))
    }

    /// Whether the current record lies in a gzip member.
    pub(crate) fn is_compressed(&self) -> bool {
        matches!(self.state, State::InBlock { compressed: true, .. })
    }

    /// Skips what is left of the current record and tells where it ends.
    pub fn end_record(&mut self) -> Result<RecordEnd, ArchiveError> {
        io::copy(&mut self.block(), &mut io::sink()).map_err(|cause| self.failed(cause))?;
        let State::InBlock { offset, left, compressed } = self.state else {
            return Ok(RecordEnd { length: 0, next: self.member_offset, alone: true });
        };
        if left > 0 {
            return Err(self.cut_block(offset, left, compressed));
        }
        self.state = State::Between;
        let block_end = self.flow().position();
        let separated = self.skip_separator().map_err(|cause| self.failed(cause))?;
        let shared = compressed && !self.flow().at_end().map_err(|cause| self.failed(cause))?;
        let alone = !shared && self.place_in_member == 0;
        let next = self.flow().position();
        let end = if compressed { next } else { block_end };
        if shared {
            self.place_in_member += 1;
        }
        if !separated {
            let damage = Damage::NoSeparator;
            return Err(ArchiveError::Damaged { file: self.file.clone(), offset, damage });
        }
        Ok(RecordEnd { length: if shared { 0 } else { end - offset }, next, alone })
    }

    fn flow(&mut self) -> &mut Flow<R> {
        self.flow.as_mut().expect("put back by whoever took it")
    }

    /// Opens the next member if this one is at its end, and says what is there.
    fn advance(&mut self) -> io::Result<Found> {
        if self.flow().is_member() && !self.flow().at_end()? {
            return Ok(Found::Record);
        }
        let flow = self.flow.take().expect("put back by whoever took it");
        let (flow, found, offset) = flow.open_next().inspect_err(|_| self.state = State::End)?;
        if flow.is_member() {
            self.member_offset = offset;
            self.place_in_member = 0;
        }
        self.flow = Some(flow);
        Ok(found)
    }

    fn begin_record(&mut self) -> Result<Option<Record>, ArchiveError> {
        let found = self.advance().map_err(|cause| self.failed(cause))?;
        match found {
            Found::End => {
                self.state = State::End;
                return Ok(None);
            }
            Found::Other => {
                let position = self.flow().position();
                return Err(self.damaged(position, Damage::NotARecord));
            }
            // A member without content is legal gzip and means nothing.
            Found::Member if self.flow().at_end().map_err(|cause| self.failed(cause))? => {
                return Ok(None);
            }
            Found::Member | Found::Record => {}
        }
        let compressed = self.flow().is_member();
        let offset = if compressed { self.member_offset } else { self.flow().position() };
        let header = self.read_header(offset).map_err(|cause| self.failed(cause))?;
        match header {
            Ok(record) => {
                self.state = State::InBlock { offset, left: record.content_length, compressed };
                self.chunked = false;
                Ok(Some(record))
            }
            Err(damage) => Err(self.damaged(offset, damage)),
        }
    }

    fn read_header(&mut self, offset: u64) -> io::Result<Result<Record, Damage>> {
        let place_in_member = self.place_in_member;
        let mut flow = Continuous { reader: self };
        // The separator of a record across members may have its end here.
        skip_line_ends(flow.reader.flow())?;
        let version = read_line(&mut flow, HEADER_LIMIT)?;
        if !version.starts_with(RECORD_MAGIC) {
            return Ok(Err(Damage::NotARecord));
        }
        let mut fields = Fields::default();
        let mut size = version.len();
        loop {
            let line = read_line(&mut flow, HEADER_LIMIT - size)?;
            size += line.len();
            if size >= HEADER_LIMIT {
                return Ok(Err(Damage::LongHeader(HEADER_LIMIT)));
            }
            if !line.ends_with(b"\n") {
                return Ok(Err(Damage::CutHeader));
            }
            if line.trim_ascii().is_empty() {
                break;
            }
            add_line(&mut fields, &String::from_utf8_lossy(&line));
        }
        let Some(content_length) = fields.get("Content-Length").and_then(|text| text.parse().ok())
        else {
            return Ok(Err(Damage::NoLength));
        };
        let version = String::from_utf8_lossy(&version).trim().to_owned();
        Ok(Ok(Record { version, fields, offset, place_in_member, content_length }))
    }

    /// Skips the two line ends behind a block; more or fewer are forgiven, none is damage.
    fn skip_separator(&mut self) -> io::Result<bool> {
        skip_line_ends(self.flow()).map(|count| count >= 2)
    }

    /// Reads on in the next member where a record does not end with its own. A member that
    /// begins a record of its own is left alone: then the length was wrong.
    fn continues(&mut self) -> io::Result<bool> {
        let (member_offset, place_in_member) = (self.member_offset, self.place_in_member);
        if !self.flow().is_member() || self.advance()? != Found::Member {
            return Ok(false);
        }
        let ahead = self.flow().fill_buf()?;
        let begins = ahead.starts_with(RECORD_MAGIC)
            || (!ahead.is_empty() && RECORD_MAGIC.starts_with(ahead));
        let continues = !begins;
        if continues {
            (self.member_offset, self.place_in_member) = (member_offset, place_in_member + 1);
        }
        Ok(continues)
    }

    fn find_next(&mut self, from: u64) -> Result<(), ArchiveError> {
        let flow = self.flow.take().expect("put back by whoever took it");
        match flow.find_next(from) {
            Ok(flow) => {
                self.flow = Some(flow);
                self.state = State::Between;
                self.place_in_member = 0;
                Ok(())
            }
            Err(cause) => {
                self.state = State::End;
                Err(ArchiveError::io(&self.file)(cause))
            }
        }
    }

    /// A block that ends early. Where the gzip data is whole, the next record follows it; in a
    /// plain file a wrong length may have swallowed any number of records.
    fn cut_block(&mut self, offset: u64, missing: u64, compressed: bool) -> ArchiveError {
        let error = self.damaged(offset, Damage::CutBlock { missing });
        if compressed {
            let in_later_member = self.member_offset > offset;
            let from = if in_later_member { self.member_offset } else { self.flow().position() };
            self.state = State::Lost { from };
        }
        error
    }

    /// Notes damage; the search goes on one byte behind the beginning of what is damaged.
    fn damaged(&mut self, offset: u64, damage: Damage) -> ArchiveError {
        self.state = State::Lost { from: offset + 1 };
        ArchiveError::Damaged { file: self.file.clone(), offset, damage }
    }

    /// Tells broken gzip data, which can be passed over, from a disk that cannot be read.
    pub(crate) fn failed(&mut self, cause: io::Error) -> ArchiveError {
        let broken = matches!(
            cause.kind(),
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof
        );
        let offset = self.member_offset;
        if broken && self.flow.as_ref().is_some_and(Flow::is_member) {
            return self.damaged(offset, Damage::Gzip(cause.to_string()));
        }
        self.state = State::End;
        ArchiveError::io(&self.file)(cause)
    }
}

/// Length and digest of all that can be read.
pub(crate) fn summed(bytes: &mut impl Read, algorithm: Algorithm) -> io::Result<(u64, Digest)> {
    let mut hasher = Hasher::new(algorithm);
    let mut buffer = vec![0; COPY_BUFFER];
    let mut length = 0;
    loop {
        match bytes.read(&mut buffer)? {
            0 => return Ok((length, hasher.finish())),
            count => {
                hasher.update(&buffer[..count]);
                length += count as u64;
            }
        }
    }
}

fn add_line(fields: &mut Fields, line: &str) {
    if line.starts_with([' ', '\t']) {
        fields.extend_last(line.trim());
    } else if let Some((name, value)) = line.split_once(':') {
        fields.push(name.trim(), value.trim());
    }
}

/// Skips line ends and counts them.
fn skip_line_ends(reader: &mut impl BufRead) -> io::Result<usize> {
    let mut line_ends = 0;
    loop {
        let ahead = reader.fill_buf()?;
        let count = ahead.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line_ends += ahead[..count].iter().filter(|byte| **byte == b'\n').count();
        let done = count < ahead.len() || ahead.is_empty();
        reader.consume(count);
        if done {
            return Ok(line_ends);
        }
    }
}

/// The flow across members, as long as they belong to the same record.
struct Continuous<'a, R> {
    reader: &'a mut Reader<R>,
}

impl<R: Read + Seek> Read for Continuous<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read + Seek> BufRead for Continuous<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.reader.flow().at_end()? && !self.reader.continues()? {
            return Ok(&[]);
        }
        self.reader.flow().fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.reader.flow().consume(count);
    }
}

/// The rest of the current block.
#[derive(Debug)]
pub struct BlockReader<'a, R> {
    reader: &'a mut Reader<R>,
}

impl<R: Read + Seek> Read for BlockReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read + Seek> BufRead for BlockReader<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let State::InBlock { left, .. } = self.reader.state else { return Ok(&[]) };
        if left == 0 || self.reader.flow().at_end()? && !self.reader.continues()? {
            return Ok(&[]);
        }
        let ahead = self.reader.flow().fill_buf()?;
        Ok(&ahead[..ahead.len().min(usize::try_from(left).unwrap_or(usize::MAX))])
    }

    fn consume(&mut self, count: usize) {
        if let State::InBlock { left, .. } = &mut self.reader.state {
            *left = left.saturating_sub(count as u64);
            self.reader.flow().consume(count);
        }
    }
}

/// The payload of the current record.
#[derive(Debug)]
pub struct Payload<'a, R: Read + Seek>(Inner<'a, R>);

#[derive(Debug)]
enum Inner<'a, R: Read + Seek> {
    Plain(BlockReader<'a, R>),
    Chunked(Dechunked<BlockReader<'a, R>>),
}

impl<R: Read + Seek> Read for Payload<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::Plain(block) => block.read(buffer),
            Inner::Chunked(body) => body.read(buffer),
        }
    }
}

//! The bytes of a WARC file, uncompressed, with exact positions in the file.
//!
//! A gzip file is shown member by member: the flow ends with its member, and the owner opens the
//! next one. So the owner always knows which bytes of the file a record occupies, and can go on
//! behind a damaged member.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// How much of the file is read at a time; also how far the search for a member looks at once. Most records are smaller,
/// and whoever reads single ones pays for all that is read.
const WINDOW: usize = 16 * 1024;

/// Magic and method of a gzip member.
pub(crate) const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// What every record begins with.
pub(crate) const RECORD_MAGIC: &[u8] = b"WARC/";

/// So many bytes of a member are enough to see the first bytes of its record.
const ENOUGH: usize = 512;

/// A buffered file that knows how many of its bytes were consumed.
#[derive(Debug)]
pub(crate) struct Counted<R> {
    inner: BufReader<R>,
    position: u64,
}

impl<R: Read + Seek> Counted<R> {
    pub(crate) fn new(inner: R, position: u64) -> io::Result<Counted<R>> {
        let mut inner = BufReader::with_capacity(WINDOW, inner);
        let position = inner.seek(SeekFrom::Start(position))?;
        Ok(Counted { inner, position })
    }

    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// At least `count` bytes without consuming them, or what is left of the file. A buffer that is
    /// nearly used up would show too little of what begins at its end.
    pub(crate) fn ahead(&mut self, count: usize) -> io::Result<&[u8]> {
        if self.inner.buffer().len() < count {
            self.inner.seek(SeekFrom::Start(self.position))?;
        }
        self.inner.fill_buf()
    }

    /// Keeps what is in the buffer, so that a file full of damage is not read again and again.
    pub(crate) fn go_to(&mut self, position: u64) -> io::Result<()> {
        self.inner.seek_relative(position.wrapping_sub(self.position) as i64)?;
        self.position = position;
        Ok(())
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
        self.position += count as u64;
    }
}

/// What lies at a position of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Member,
    Record,
    Other,
    End,
}

#[derive(Debug)]
pub(crate) enum Flow<R> {
    Plain(Counted<R>),
    Member(Box<BufReader<GzDecoder<Counted<R>>>>),
}

impl<R: Read + Seek> Flow<R> {
    /// How many bytes of the file were consumed.
    pub(crate) fn position(&self) -> u64 {
        match self {
            Flow::Plain(file) => file.position,
            Flow::Member(member) => member.get_ref().get_ref().position,
        }
    }

    pub(crate) fn is_member(&self) -> bool {
        matches!(self, Flow::Member(_))
    }

    /// Whether nothing is left: of the member, or of a plain file.
    pub(crate) fn at_end(&mut self) -> io::Result<bool> {
        Ok(self.fill_buf()?.is_empty())
    }

    /// Leaves the member, looks at what follows in the file, and opens it if it is a member.
    /// Also gives the offset of what was found: a decoder has read its header when it is made.
    pub(crate) fn open_next(self) -> io::Result<(Flow<R>, Found, u64)> {
        let mut file = self.into_file();
        let offset = file.position;
        let found = look(&mut file)?;
        let flow = match found {
            Found::Member => {
                let decoder = GzDecoder::new(file);
                Flow::Member(Box::new(BufReader::with_capacity(WINDOW, decoder)))
            }
            Found::Record | Found::Other | Found::End => Flow::Plain(file),
        };
        Ok((flow, found, offset))
    }

    /// Goes to the next record after `from`: the beginning of a member that decompresses to a
    /// record, or of a line that begins one. At the end of the file if there is none.
    pub(crate) fn find_next(self, from: u64) -> io::Result<Flow<R>> {
        let compressed = self.is_member();
        let mut file = self.into_file();
        // Damage behind whole data (a wrong check sum) leaves the position at the next member.
        if compressed && file.position > from && member_begins(file.ahead(ENOUGH)?) {
            return Ok(Flow::Plain(file));
        }
        file.go_to(from)?;
        search(&mut file)?;
        Ok(Flow::Plain(file))
    }

    fn into_file(self) -> Counted<R> {
        match self {
            Flow::Plain(file) => file,
            Flow::Member(member) => member.into_inner().into_inner(),
        }
    }
}

impl<R: Read> Read for Flow<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Flow::Plain(file) => file.read(buffer),
            Flow::Member(member) => member.read(buffer),
        }
    }
}

impl<R: Read> BufRead for Flow<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Flow::Plain(file) => file.fill_buf(),
            Flow::Member(member) => member.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        match self {
            Flow::Plain(file) => file.consume(count),
            Flow::Member(member) => member.consume(count),
        }
    }
}

/// Looks without consuming. Two bytes tell a member: a file may end right behind them.
fn look<R: Read + Seek>(file: &mut Counted<R>) -> io::Result<Found> {
    let ahead = file.ahead(RECORD_MAGIC.len())?;
    Ok(match ahead {
        [] => Found::End,
        [0x1f, 0x8b, ..] => Found::Member,
        _ if ahead.starts_with(RECORD_MAGIC) || RECORD_MAGIC.starts_with(ahead) => Found::Record,
        _ => Found::Other,
    })
}

/// Consumes up to the next beginning of a record, looking through the file window by window.
/// A record is only found if enough of it lies in the window to recognise it, so the last bytes
/// of a window are looked at again together with the next one.
fn search<R: Read + Seek>(file: &mut Counted<R>) -> io::Result<()> {
    let mut at_line_start = false;
    loop {
        let start = file.position;
        let ahead = file.ahead(ENOUGH + 1)?;
        if ahead.is_empty() {
            return Ok(());
        }
        let hit = (0..ahead.len()).find(|index| {
            let rest = &ahead[*index..];
            match rest[0] {
                0x1f => member_begins(rest),
                b'W' if rest.starts_with(RECORD_MAGIC) => match index.checked_sub(1) {
                    Some(before) => ahead[before] == b'\n',
                    None => at_line_start,
                },
                _ => false,
            }
        });
        if let Some(index) = hit {
            file.consume(index);
            return Ok(());
        }
        let length = ahead.len();
        // Step back a little, unless this was the end of the file.
        let step = if length > ENOUGH { length - ENOUGH } else { length };
        at_line_start = ahead[step - 1] == b'\n';
        file.go_to(start + step as u64)?;
    }
}

/// Whether these bytes begin a gzip member that decompresses to a record.
fn member_begins(bytes: &[u8]) -> bool {
    if !bytes.starts_with(&GZIP_MAGIC) {
        return false;
    }
    let mut beginning = [0; RECORD_MAGIC.len()];
    let read = GzDecoder::new(bytes).read_exact(&mut beginning);
    read.is_ok() && beginning == RECORD_MAGIC
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::{Cursor, Write};

    /// A member that holds `text` and is made longer by an extra field.
    fn member(text: &[u8], padding: usize) -> Vec<u8> {
        let builder = GzBuilder::new().extra(vec![0; padding]);
        let mut encoder = builder.write(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_that_begin_at_the_end_of_a_window() {
        let record = b"WARC/1.1\r\n\r\n\r\n\r\n";
        let bare = member(record, 1).len() - 1;
        for before_end in 0..20 {
            let mut file = member(record, WINDOW - before_end - bare);
            let second = file.len() as u64;
            assert_eq!(second, (WINDOW - before_end) as u64);
            file.extend(member(record, 1));

            let flow = Flow::Plain(Counted::new(Cursor::new(file.clone()), 0).unwrap());
            let (mut flow, found, _) = flow.open_next().unwrap();
            assert_eq!(found, Found::Member);
            io::copy(&mut flow, &mut io::sink()).unwrap();
            let (_, found, offset) = flow.open_next().unwrap();
            assert_eq!((found, offset), (Found::Member, second), "{before_end} before the end");

            let flow = Flow::Plain(Counted::new(Cursor::new(file), 0).unwrap());
            let flow = flow.find_next(1).unwrap();
            assert_eq!(flow.position(), second, "searched, {before_end} before the end");
        }
    }
}

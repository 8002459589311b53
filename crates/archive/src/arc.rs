//! Reads ARC files, the format of web archives before WARC, and writes them as WARC.
//!
//! Everything else in auslese reads WARC only, so an ARC file is converted once. Taken are versions
//! 1.0 and 1.1 (header lines of five words) and 2 (ten words), plain or compressed, with one gzip
//! member per record or one for all. A record of HTTP becomes a `response`, any other a
//! `resource`; the description of the file itself becomes the `warcinfo` record.
//!
//! Damage is noted with its place, and reading goes on with the next record that can be found.

use crate::chunked::{Dechunked, read_line};
use crate::encode::{encode_warcinfo, seal};
use crate::error::{ArchiveError, Damage};
use crate::flow::Counted;
use crate::gzip::Opening;
use crate::http_head::HttpHead;
use crate::reader::summed;
use crate::record::{VERSION, begin, new_id, read_date, warcinfo_block};
use crate::rewrite::{DAMAGES_TOLD, RecordSink, Rewritten};
use crate::settings::{ArchiveSettings, Description};
use crate::stored::read_body;
use auslese_model::{Body, Timestamp};
use flate2::bufread::GzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::net::IpAddr;
use std::path::Path;

/// A longer header line is taken for damage.
const LINE_LIMIT: usize = 64 * 1024;
/// What an ARC file begins with.
const MAGIC: &[u8] = b"filedesc:";
/// So much of a gzip member is looked at to see whether it begins with a header line.
const GLANCE: usize = 4 * 1024;

/// Whether a file is an ARC file, compressed or not.
pub fn is_arc(path: &Path) -> Result<bool, ArchiveError> {
    let failed = || ArchiveError::io(path);
    let mut file = BufReader::new(File::open(path).map_err(failed())?);
    let mut first = vec![0; MAGIC.len()];
    let read = if file.fill_buf().map_err(failed())?.starts_with(&GZIP_MAGIC) {
        GzDecoder::new(file).read_exact(&mut first)
    } else {
        file.read_exact(&mut first)
    };
    Ok(read.is_ok() && first == MAGIC)
}

/// Writes the records of an ARC file as a WARC file with one gzip member per record.
pub fn convert_arc(
    source: &Path,
    target: &Path,
    settings: &ArchiveSettings,
) -> Result<Rewritten, ArchiveError> {
    let file = File::open(source).map_err(ArchiveError::io(source))?;
    let mut file = Counted::new(file, 0).map_err(ArchiveError::io(source))?;
    let mut work = Conversion {
        sink: RecordSink::create(target)?,
        opening: Opening::new(""),
        settings,
        source,
        done: Rewritten::default(),
    };
    work.begin(target)?;
    work.read_all(&mut file)?;
    work.done.length = work.sink.finish()?;
    Ok(work.done)
}

/// Magic and method of a gzip member.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

struct Conversion<'a> {
    sink: RecordSink,
    opening: Opening,
    settings: &'a ArchiveSettings,
    source: &'a Path,
    done: Rewritten,
}

/// What the header line of a record says.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    url: String,
    address: Option<IpAddr>,
    date: Option<Timestamp>,
    media_type: String,
    length: u64,
}

/// How a stretch of records ended.
enum Ended {
    /// At the end of the member or file.
    Well,
    Damaged(Damage),
}

impl Conversion<'_> {
    fn begin(&mut self, target: &Path) -> Result<(), ArchiveError> {
        let id = new_id().map_err(ArchiveError::io(target))?;
        let name = |path: &Path| {
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let description = format!("converted from the ARC file {}", name(self.source));
        let block =
            warcinfo_block(&Description { description, ..self.settings.description.clone() });
        let (file, at) = (name(target), Timestamp::now());
        let warcinfo = encode_warcinfo(&id, &file, &block, at, self.settings)?;
        self.sink.put_member(&warcinfo, &Opening::new(&format!("{VERSION}\r\n")))?;
        self.done.records += 1;
        self.opening = Opening::new(&format!("{VERSION}\r\nWARC-Warcinfo-ID: <{id}>\r\n"));
        Ok(())
    }

    fn read_all(&mut self, file: &mut Counted<File>) -> Result<(), ArchiveError> {
        let source = self.source;
        let failed = || ArchiveError::io(source);
        loop {
            let ahead = file.ahead(GZIP_MAGIC.len()).map_err(failed())?;
            if ahead.is_empty() {
                return Ok(());
            }
            if !ahead.starts_with(&GZIP_MAGIC) {
                self.read_plain(file)?;
                continue;
            }
            let start = file.position();
            let mut member = BufReader::new(GzDecoder::new(&mut *file));
            if let Ended::Damaged(damage) = self.read_records(&mut member)? {
                self.note(start, damage);
                file.go_to(start + 1).map_err(failed())?;
                find_member(file).map_err(failed())?;
            }
        }
    }

    /// Reads the records that are not compressed, up to the end of the file or to damage. Behind it
    /// the next line that looks like a header is taken for one.
    fn read_plain(&mut self, file: &mut Counted<File>) -> Result<(), ArchiveError> {
        let Ended::Damaged(damage) = self.read_records(file)? else { return Ok(()) };
        self.note(file.position(), damage);
        loop {
            let at = file.position();
            let line = read_line(file, LINE_LIMIT).map_err(ArchiveError::io(self.source))?;
            if line.is_empty() {
                return Ok(());
            }
            if Header::parse(&line).is_some() {
                return file.go_to(at).map_err(ArchiveError::io(self.source));
            }
        }
    }

    /// Reads records until the bytes end or make no sense.
    fn read_records(&mut self, bytes: &mut impl BufRead) -> Result<Ended, ArchiveError> {
        // A wrong check sum shows itself behind the last record only, so each waits for what follows.
        let mut waiting: Option<(Header, Body)> = None;
        loop {
            let line = match next_line(bytes) {
                Ok(line) => line,
                Err(error) => return self.broken(error),
            };
            if let Some((header, block)) = waiting.take() {
                self.store(header, &block)?;
            }
            if line.is_empty() {
                return Ok(Ended::Well);
            }
            let Some(header) = Header::parse(&line) else {
                return Ok(Ended::Damaged(Damage::NotAnArcRecord));
            };
            let block = match read_body(&mut bytes.take(header.length)) {
                Ok(block) => block,
                Err(error) => return self.broken(error),
            };
            if block.len() < header.length {
                let missing = header.length - block.len();
                return Ok(Ended::Damaged(Damage::CutBlock { missing }));
            }
            waiting = Some((header, block)).filter(|(it, _)| !it.url.starts_with("filedesc:"));
        }
    }

    fn broken(&self, error: io::Error) -> Result<Ended, ArchiveError> {
        match error.kind() {
            io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::UnexpectedEof => Ok(Ended::Damaged(Damage::Gzip(error.to_string()))),
            _ => Err(ArchiveError::io(self.source)(error)),
        }
    }

    fn store(&mut self, header: Header, block: &Body) -> Result<(), ArchiveError> {
        let spill = &self.settings.spill_dir;
        let failed = || ArchiveError::io(spill);
        let mut reader = BufReader::new(block.reader());
        let is_http = header.url.starts_with("http")
            && reader.fill_buf().map_err(failed())?.starts_with(b"HTTP/");
        let (kind, media_type) = match is_http {
            true => ("response", "application/http; msgtype=response"),
            false => ("resource", header.media_type.as_str()),
        };
        let algorithm = self.settings.algorithm;
        let head = match is_http {
            true => Some(HttpHead::read(&mut reader).map_err(failed())?),
            false => None,
        };
        let payload = match head.is_some_and(|head| head.is_chunked()) {
            true => summed(&mut Dechunked::new(reader), algorithm),
            false => summed(&mut reader, algorithm),
        };
        let (_, digest) = payload.map_err(failed())?;
        let id = new_id().map_err(failed())?;
        let mut fields = begin(kind, &id, header.date.unwrap_or(Timestamp(0)));
        fields.push("WARC-Target-URI", &header.url);
        if let Some(address) = header.address {
            fields.push("WARC-IP-Address", address.to_string());
        }
        fields.push("WARC-Payload-Digest", digest.to_string());
        fields.push("Content-Type", media_type);
        let member = seal(fields, b"", Some(block), self.settings.level, self.settings)?;
        self.sink.put_member(&member, &self.opening)?;
        self.done.records += 1;
        Ok(())
    }

    fn note(&mut self, offset: u64, damage: Damage) {
        self.done.damage_count += 1;
        if self.done.damages.len() < DAMAGES_TOLD {
            let file = self.source.to_owned();
            let error = ArchiveError::Damaged { file, offset, damage };
            self.done.damages.push(error.to_string());
        }
    }
}

/// Goes to the next gzip member whose content begins with a header line, or to the end.
fn find_member(file: &mut Counted<File>) -> io::Result<()> {
    loop {
        let ahead = file.ahead(GZIP_MAGIC.len())?;
        let length = ahead.len();
        if length < GZIP_MAGIC.len() {
            file.consume(length);
            return Ok(());
        }
        let at = ahead.windows(GZIP_MAGIC.len()).position(|bytes| bytes == GZIP_MAGIC);
        file.consume(at.unwrap_or(length - (GZIP_MAGIC.len() - 1)));
        if at.is_none() {
            continue;
        }
        let start = file.position();
        let member = GzDecoder::new(&mut *file).take(GLANCE as u64);
        let line = next_line(&mut BufReader::with_capacity(GLANCE, member));
        file.go_to(start)?;
        if line.is_ok_and(|line| Header::parse(&line).is_some()) {
            return Ok(());
        }
        file.consume(1);
    }
}

/// The next line that is not empty; empty at the end.
fn next_line(bytes: &mut impl BufRead) -> io::Result<Vec<u8>> {
    loop {
        let line = read_line(bytes, LINE_LIMIT)?;
        if line.is_empty() || !line.trim_ascii().is_empty() {
            return Ok(line);
        }
    }
}

impl Header {
    /// `URL IP-address Archive-date Content-type Archive-length`, or the ten words of version 2,
    /// which put four more before the length. Some crawlers left blanks in addresses, so the words
    /// are counted from the end.
    fn parse(line: &[u8]) -> Option<Header> {
        if line.len() >= LINE_LIMIT {
            return None;
        }
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        let (behind_url, type_at) = match words.len() {
            0..5 => return None,
            10 if is_date(words[2]) => (9, 3),
            count => (4, count - 2),
        };
        let url = words[..words.len() - behind_url].join("%20");
        let (address, date) =
            (words[words.len() - behind_url], words[words.len() - behind_url + 1]);
        let has_scheme = url.split_once(':').is_some_and(|(scheme, _)| {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        });
        let length = words.last()?.parse().ok()?;
        let media_type = match words[type_at] {
            "" | "-" => "application/octet-stream".to_owned(),
            text => text.to_owned(),
        };
        (has_scheme && is_date(date)).then(|| Header {
            url,
            address: address.parse().ok().filter(|address: &IpAddr| !address.is_unspecified()),
            date: read_date(date),
            media_type,
            length,
        })
    }
}

fn is_date(word: &str) -> bool {
    (8..=17).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_lines() {
        #[rustfmt::skip]
        let cases = [
            ("http://a.example/ 192.0.2.1 20010305120102 text/html 17\n", Some(("http://a.example/", "text/html", 17))),
            ("http://a.example/b c 192.0.2.1 20010305120102 text/html 17\n", Some(("http://a.example/b%20c", "text/html", 17))),
            ("http://a.example/ 192.0.2.1 20010305120102 text/html 200 - - 0 a.arc 17\n", Some(("http://a.example/", "text/html", 17))),
            ("filedesc://a.arc 0.0.0.0 20010305120102 text/plain 77", Some(("filedesc://a.arc", "text/plain", 77))),
            ("http://a.example/ 192.0.2.1 20010305120102 - 17", Some(("http://a.example/", "application/octet-stream", 17))),
            ("http://a.example/ 192.0.2.1 20010305120102 text/html many", None),
            ("just some text in a line 3", None),
            ("", None),
        ];
        for (line, expected) in cases {
            let header = Header::parse(line.as_bytes());
            let header =
                header.as_ref().map(|it| (it.url.as_str(), it.media_type.as_str(), it.length));
            assert_eq!(header, expected, "{line}");
        }
    }
}

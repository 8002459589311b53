//! The index that replay software reads: one line per capture, sorted by key and time.

use crate::error::ArchiveError;
use crate::reader::Reader;
use crate::record::{Record, WARC_FIELDS};
use crate::sorted_lines::SortedLines;
use crate::surt::surt;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// More damages than this are counted only.
const DAMAGES_KEPT: usize = 100;

/// What became of an index.
#[derive(Debug, Default)]
pub struct Indexed {
    pub lines: u64,
    /// The times of the first and the last capture, in fourteen digits.
    pub span: Option<(String, String)>,
    /// Records that share a gzip member with others: no offset leads to them.
    pub unreachable: u64,
    /// Where files could not be read; what follows was indexed all the same.
    pub damages: Vec<ArchiveError>,
    /// All damages, also those not kept.
    pub damage_count: u64,
}

impl Indexed {
    fn note(&mut self, time: &str) {
        match &mut self.span {
            None => self.span = Some((time.to_owned(), time.to_owned())),
            Some((first, last)) => {
                if time < first.as_str() {
                    time.clone_into(first);
                }
                if time > last.as_str() {
                    time.clone_into(last);
                }
            }
        }
    }
}

/// Writes the CDXJ index of some WARC files. Damaged records are passed over and reported.
///
/// # Errors
/// If a file cannot be opened or the index cannot be written.
pub fn cdxj(
    files: &[PathBuf],
    spill_dir: &Path,
    out: &mut dyn Write,
) -> Result<Indexed, ArchiveError> {
    let mut index = CdxjIndex::new(spill_dir);
    for path in files {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let name = name.strip_suffix(crate::writer::OPEN_SUFFIX).unwrap_or(&name);
        let file = File::open(path).map_err(ArchiveError::io(path))?;
        index.add(name, path, file)?;
    }
    index.write(out)
}

/// An index that is being made, in bounded memory.
#[derive(Debug)]
pub struct CdxjIndex {
    spill_dir: PathBuf,
    lines: SortedLines,
    indexed: Indexed,
}

impl CdxjIndex {
    pub fn new(spill_dir: &Path) -> CdxjIndex {
        CdxjIndex {
            spill_dir: spill_dir.to_owned(),
            lines: SortedLines::new(spill_dir),
            indexed: Indexed::default(),
        }
    }

    /// Adds the records of a file that replay software will find under this name; `path` is for messages.
    pub fn add<R: Read + Seek>(
        &mut self,
        name: &str,
        path: &Path,
        file: R,
    ) -> Result<(), ArchiveError> {
        let mut reader = Reader::new(path, file, 0)?;
        loop {
            match next_line(&mut reader, name, &mut self.indexed) {
                Ok(Next::Line(line)) => self.lines.push(line).map_err(ArchiveError::io(path))?,
                Ok(Next::Passed) => {}
                Ok(Next::End) => return Ok(()),
                Err(damage @ ArchiveError::Damaged { .. }) => {
                    self.indexed.damage_count += 1;
                    if self.indexed.damages.len() < DAMAGES_KEPT {
                        self.indexed.damages.push(damage);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes all lines in order.
    pub fn write(mut self, out: &mut dyn Write) -> Result<Indexed, ArchiveError> {
        let written = self.lines.write(out).map_err(ArchiveError::io(&self.spill_dir))?;
        out.flush().map_err(ArchiveError::io(&self.spill_dir))?;
        self.indexed.lines = written;
        Ok(self.indexed)
    }
}

enum Next {
    Line(String),
    Passed,
    End,
}

fn next_line<R: Read + Seek>(
    reader: &mut Reader<R>,
    file: &str,
    indexed: &mut Indexed,
) -> Result<Next, ArchiveError> {
    let Some(record) = reader.next_record()? else { return Ok(Next::End) };
    let (Some(url), true) = (record.target().map(str::to_owned), is_indexed(&record)) else {
        return Ok(Next::Passed);
    };
    let http = if record.holds_http() { Some(reader.http_head()?) } else { None };
    let end = reader.end_record()?;
    if !end.alone {
        indexed.unreachable += 1;
        return Ok(Next::Passed);
    }
    let mime = match (record.kind(), &http) {
        ("revisit", _) => Some("warc/revisit".to_owned()),
        ("response", Some(http)) => http.media_type(),
        _ => record.fields.get("Content-Type").map(essence),
    };
    let status = http.as_ref().map(|http| http.status).filter(|status| *status > 0);
    let mut json = Json::default();
    json.add("url", Some(&url));
    json.add("mime", mime.as_deref());
    json.add("status", status.map(|status| format!("{status:03}")).as_deref());
    json.add("digest", record.fields.get("WARC-Payload-Digest"));
    json.add("length", Some(&end.length.to_string()));
    json.add("offset", Some(&record.offset.to_string()));
    json.add("filename", Some(file));
    let time = digits14(&record);
    indexed.note(&time);
    Ok(Next::Line(format!("{} {time} {{{}}}", key(&url), json.0)))
}

/// Captures only: requests, descriptions and conversions are not asked for by address.
fn is_indexed(record: &Record) -> bool {
    match record.kind() {
        "response" | "revisit" => true,
        "resource" | "metadata" => record.fields.get("Content-Type") != Some(WARC_FIELDS),
        _ => false,
    }
}

fn essence(media_type: &str) -> String {
    media_type.split([';', ' ']).next().unwrap_or("").to_owned()
}

/// A key must be one word, or the line falls apart.
fn key(url: &str) -> String {
    surt(url).replace(|c: char| c.is_whitespace(), "%20")
}

/// The record's date in fourteen digits; what an imprecise date leaves open is taken as early.
fn digits14(record: &Record) -> String {
    const EARLIEST: &str = "00000101000000";
    let date = record.fields.get("WARC-Date").unwrap_or("");
    let digits: String = date.chars().filter(char::is_ascii_digit).take(EARLIEST.len()).collect();
    let missing = &EARLIEST[digits.len()..];
    digits + missing
}

/// The members of a JSON object, spaced as other indexers space them.
#[derive(Default)]
struct Json(String);

impl Json {
    fn add(&mut self, name: &str, value: Option<&str>) {
        let Some(value) = value else { return };
        if !self.0.is_empty() {
            self.0.push_str(", ");
        }
        let value = serde_json::Value::from(value);
        self.0.push_str(&format!("\"{name}\": {value}"));
    }
}

//! The index that replay software reads: one line per capture, sorted by key and time.

use crate::error::ArchiveError;
use crate::reader::Reader;
use crate::record::{Record, WARC_FIELDS};
use crate::sorted_lines::SortedLines;
use crate::surt::surt;
use std::io::Write;
use std::path::{Path, PathBuf};

/// More damages than this are counted only.
const DAMAGES_KEPT: usize = 100;

/// What became of an index.
#[derive(Debug, Default)]
pub struct Indexed {
    pub lines: u64,
    /// Records that share a gzip member with others: no offset leads to them.
    pub unreachable: u64,
    /// Where files could not be read; what follows was indexed all the same.
    pub damages: Vec<ArchiveError>,
    /// All damages, also those not kept.
    pub damage_count: u64,
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
    let mut indexed = Indexed::default();
    let mut lines = SortedLines::new(spill_dir);
    for file in files {
        index_file(file, &mut lines, &mut indexed)?;
    }
    indexed.lines = lines.write(out).map_err(ArchiveError::io(spill_dir))?;
    out.flush().map_err(ArchiveError::io(spill_dir))?;
    Ok(indexed)
}

fn index_file(
    path: &Path,
    lines: &mut SortedLines,
    indexed: &mut Indexed,
) -> Result<(), ArchiveError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let name = name.strip_suffix(crate::writer::OPEN_SUFFIX).unwrap_or(&name);
    let mut reader = Reader::open(path)?;
    loop {
        match next_line(&mut reader, name, indexed) {
            Ok(Next::Line(line)) => lines.push(line).map_err(ArchiveError::io(path))?,
            Ok(Next::Passed) => {}
            Ok(Next::End) => return Ok(()),
            Err(damage @ ArchiveError::Damaged { .. }) => {
                indexed.damage_count += 1;
                if indexed.damages.len() < DAMAGES_KEPT {
                    indexed.damages.push(damage);
                }
            }
            Err(error) => return Err(error),
        }
    }
}

enum Next {
    Line(String),
    Passed,
    End,
}

fn next_line(reader: &mut Reader, file: &str, indexed: &mut Indexed) -> Result<Next, ArchiveError> {
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
    Ok(Next::Line(format!("{} {} {{{}}}", key(&url), digits14(&record), json.0)))
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

//! Tables (CSV) whose first line names the columns, as exports of crt.sh's database have it.
//!
//! A quoted field may hold line ends: that is how one certificate lists its names.

use super::lines::{skip_line, text_of};
use super::list::take_entry;
use super::{DropReason, Finds, MAX_ITEM};
use std::io::{self, BufRead, Read};

/// Columns that hold names, in lower case.
const COLUMNS: [&str; 15] = [
    "name_value",
    "common_name",
    "dns_names",
    "matching_identities",
    "host",
    "hostname",
    "host_name",
    "domain",
    "name",
    "fqdn",
    "url",
    "website",
    "site",
    "subdomain",
    "san",
];

/// Of these, the columns that hold names of one certificate.
const CERTIFICATE_COLUMNS: [&str; 5] =
    ["name_value", "common_name", "dns_names", "matching_identities", "san"];

/// Separators that are known, the likeliest first.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

pub(crate) fn is_heading(line: &str) -> bool {
    heading(line.as_bytes()).is_some()
}

pub(crate) fn read(source: &mut dyn BufRead, finds: &mut Finds) -> io::Result<u64> {
    let mut records = Records { source, line: 0 };
    let mut bytes = Vec::new();
    let mut columns: Option<Heading> = None;
    loop {
        let begin = records.line + 1;
        match records.next(&mut bytes)? {
            Next::End => return Ok(records.line),
            Next::TooLong => finds.drop(&text_of(&bytes[..200]), begin, DropReason::TooLong),
            Next::Record => match &columns {
                Some(heading) => take(&bytes, heading, begin, finds),
                // Without a heading the first column is meant, also of the first line.
                None => match heading(&bytes) {
                    Some(found) => columns = Some(found),
                    None => {
                        let first =
                            Heading { separator: separator_of(&bytes), columns: vec![(0, false)] };
                        take(&bytes, &first, begin, finds);
                        columns = Some(first);
                    }
                },
            },
        }
    }
}

/// What the first line says.
struct Heading {
    separator: u8,
    /// Columns with names, and whether these are names of a certificate.
    columns: Vec<(usize, bool)>,
}

fn take(record: &[u8], heading: &Heading, line: u64, finds: &mut Finds) {
    let fields = fields(record, heading.separator);
    if heading.columns.iter().all(|(column, _)| *column >= fields.len()) {
        return finds.drop(&text_of(record), line, DropReason::Malformed);
    }
    let mut certificate: Vec<&str> = Vec::new();
    for (column, of_certificate) in &heading.columns {
        let Some(field) = fields.get(*column) else { continue };
        // Lists within a field come in lines, with blanks, with commas, or as {a,b}.
        let parts = field.split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}'));
        let parts: Vec<&str> = parts.collect();
        parts.iter().for_each(|part| take_entry(part, line, finds));
        if *of_certificate {
            certificate.extend(parts);
        }
    }
    finds.certificate(certificate.into_iter(), line);
}

/// The separator and the columns with names, if a line is a heading.
fn heading(line: &[u8]) -> Option<Heading> {
    let separator = separator_of(line);
    let named = |(at, field): (usize, &String)| {
        let field = field.trim().trim_start_matches('\u{feff}').to_ascii_lowercase();
        let field = field.replace(' ', "_");
        let of_certificate = CERTIFICATE_COLUMNS.contains(&field.as_str());
        COLUMNS.contains(&field.as_str()).then_some((at, of_certificate))
    };
    let columns: Vec<_> = fields(line, separator).iter().enumerate().filter_map(named).collect();
    (!columns.is_empty()).then_some(Heading { separator, columns })
}

fn separator_of(line: &[u8]) -> u8 {
    SEPARATORS.into_iter().find(|separator| line.contains(separator)).unwrap_or(b',')
}

/// Fields of a record; two quotes within quotes are one.
fn fields(record: &[u8], separator: u8) -> Vec<String> {
    let text = text_of(record);
    let separator = char::from(separator);
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.trim_end_matches(['\n', '\r']).chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            _ if c == separator && !quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(c),
        }
    }
    fields.push(field);
    fields
}

/// Records of a stream: lines, joined while a quote is open.
struct Records<'a> {
    source: &'a mut dyn BufRead,
    /// Lines that were read.
    line: u64,
}

enum Next {
    Record,
    /// A quote that is never closed, or a huge line; the beginning is told.
    TooLong,
    End,
}

impl Records<'_> {
    fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Next> {
        bytes.clear();
        let mut quotes = 0;
        loop {
            let before = bytes.len();
            let room = (MAX_ITEM - before) as u64;
            let read = self.source.take(room).read_until(b'\n', bytes)?;
            if read == 0 {
                return match bytes.len() {
                    0 => Ok(Next::End),
                    MAX_ITEM.. => self.skip_rest(),
                    _ => Ok(Next::Record),
                };
            }
            self.line += u64::from(bytes.ends_with(b"\n"));
            quotes += bytes[before..].iter().filter(|byte| **byte == b'"').count();
            if quotes % 2 == 0 && bytes.ends_with(b"\n") {
                return Ok(Next::Record);
            }
        }
    }

    /// The next record begins at the next line, or else it would begin with half a name.
    fn skip_rest(&mut self) -> io::Result<Next> {
        skip_line(self.source)?;
        self.line += 1;
        Ok(Next::TooLong)
    }
}

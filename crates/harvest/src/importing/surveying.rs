//! Reads a WARC file through before anything of it is taken over.

use super::DAMAGES_TOLD;
use crate::HarvestError;
use crate::removing::Removed;
use auslese_archive::{ArchiveError, Reader, Record};
use auslese_model::Method;
use rustc_hash::FxHashMap;
use std::io::Read;
use std::path::Path;

/// Bytes of a POST's body that tell it from others.
const BODY_LIMIT: u64 = 1024 * 1024;

/// Bytes of a metadata record in which the referrer is looked for; links that were found follow it.
const METADATA_LIMIT: u64 = 64 * 1024;

/// What is to be known of a file.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) records: u64,
    pub(super) revisits: u64,
    /// Some records share their gzip member with others.
    pub(super) shared: bool,
    /// Records of documents that were removed from the harvest.
    pub(super) removed: u64,
    /// Requests other than GET, by their own identity and by that of the records they go with.
    pub(super) sent: FxHashMap<String, Sent>,
    /// The addresses on whose pages others were found, by the records their metadata go with.
    pub(super) via: FxHashMap<String, String>,
    pub(super) damages: Vec<String>,
    pub(super) damage_count: u64,
}

/// A request that is not a plain GET.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    /// None for methods that a harvest has no use for.
    pub(super) method: Option<Method>,
    pub(super) body: Option<(String, Vec<u8>)>,
}

impl Survey {
    pub(super) fn of(path: &Path, removed: &Removed) -> Result<Survey, HarvestError> {
        let mut survey = Survey::default();
        let mut reader = Reader::open(path)?;
        loop {
            match survey.next(&mut reader, removed) {
                Ok(true) => {}
                Ok(false) => return Ok(survey),
                Err(error @ ArchiveError::Damaged { .. }) => {
                    survey.damage_count += 1;
                    if survey.damages.len() < DAMAGES_TOLD {
                        survey.damages.push(error.to_string());
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Looks at one record; false at the end.
    fn next(&mut self, reader: &mut Reader, removed: &Removed) -> Result<bool, ArchiveError> {
        let Some(record) = reader.next_record()? else { return Ok(false) };
        self.records += 1;
        self.revisits += u64::from(record.kind() == "revisit");
        self.removed += u64::from(removed.holds(&record));
        match record.kind() {
            "request" => self.note_request(reader, &record)?,
            "metadata" => self.note_metadata(reader, &record),
            _ => {}
        }
        self.shared |= !reader.end_record()?.alone;
        Ok(true)
    }

    fn note_request(&mut self, reader: &mut Reader, record: &Record) -> Result<(), ArchiveError> {
        let head = reader.http_head()?;
        let method = head.raw.split(|byte| *byte == b' ').next().unwrap_or_default();
        let method = String::from_utf8_lossy(method).to_ascii_uppercase();
        if method == "GET" {
            return Ok(());
        }
        let mut bytes = Vec::new();
        // A body that cannot be read shows itself at the end of the record.
        let _ = reader.payload().take(BODY_LIMIT).read_to_end(&mut bytes);
        let media_type = head.headers.get("content-type").unwrap_or_default();
        let method = Method::parse(&method);
        let body = (method == Some(Method::Post)).then_some((media_type, bytes));
        let sent = Sent { method, body };
        for id in record.id().into_iter().chain(concurrent(record)) {
            self.sent.insert(id.to_owned(), sent.clone());
        }
        Ok(())
    }

    /// Heritrix and auslese write `via: URL` lines into the metadata of an answer.
    fn note_metadata(&mut self, reader: &mut Reader, record: &Record) {
        let mut bytes = Vec::new();
        let _ = reader.payload().take(METADATA_LIMIT).read_to_end(&mut bytes);
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let Some(via) = lines.find_map(|line| line.strip_prefix(b"via:")) else { return };
        let Ok(via) = str::from_utf8(via.trim_ascii()) else { return };
        let refers =
            record.fields.get("WARC-Refers-To").map(|id| id.trim().trim_matches(['<', '>']));
        for id in concurrent(record).chain(refers) {
            self.via.insert(id.to_owned(), via.to_owned());
        }
    }

    /// The address on whose page this answer's was found.
    pub(super) fn via(&self, record: &Record) -> Option<&str> {
        let mut ids = record.id().into_iter().chain(concurrent(record));
        ids.find_map(|id| self.via.get(id)).map(String::as_str)
    }

    /// What was sent for this answer; none for a GET.
    pub(super) fn sent(&self, record: &Record) -> Option<&Sent> {
        let mut ids = record.id().into_iter().chain(concurrent(record));
        ids.find_map(|id| self.sent.get(id))
    }
}

/// The records that one names as its companions, without angle brackets.
pub(crate) fn concurrent(record: &Record) -> impl Iterator<Item = &str> {
    record.fields.all("WARC-Concurrent-To").map(|id| id.trim().trim_matches(['<', '>']))
}

//! Makes of each record what the catalog is to know of it.

use super::ImportJob;
use super::placing::Placed;
use super::surveying::Survey;
use crate::HarvestError;
use auslese_archive::{ArchiveError, HttpHead, Reader, Record, RecordEnd};
use auslese_crawl::{CanonicalRules, canonical};
use auslese_model::{
    Algorithm, Body, Digest, HeaderFields, Headers, Method, Oddity, Place, Request, RequestKey,
    Response, Timestamp, Truncation,
};
use std::net::IpAddr;
use std::sync::Arc;
use url::Url;

/// Answers that are committed together.
const WINDOW_ITEMS: usize = 500;
/// Records that are read for one window at most, whether they bring anything or not.
const WINDOW_RECORDS: u64 = 5_000;

/// Which records are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Bodies,
    Revisits,
}

/// A file that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    reader: Reader,
    name: String,
    survey: Arc<Survey>,
    phase: Phase,
    canonical: CanonicalRules,
    algorithm: Algorithm,
}

/// What was read for one commit. The last one of a file has no records.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) items: Vec<Item>,
    pub(super) records: u64,
    pub(super) other_addresses: u64,
    pub(super) companions: u64,
    pub(super) damages: Vec<String>,
}

/// One archived answer.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) request: Request,
    pub(super) key: RequestKey,
    /// The request on whose page it was found, as far as the file tells.
    pub(super) via: Option<RequestKey>,
    pub(super) at: Timestamp,
    pub(super) address: Option<IpAddr>,
    pub(super) status: u16,
    pub(super) http_version: String,
    pub(super) head: Vec<u8>,
    pub(super) fields: HeaderFields,
    pub(super) truncated: Option<Truncation>,
    pub(super) oddities: Vec<Oddity>,
    pub(super) payload_length: u64,
    /// None for a revisit, which has no payload of its own.
    pub(super) payload_digest: Option<Digest>,
    pub(super) place: Place,
    pub(super) refers: Option<Refers>,
}

/// What a revisit says of its original.
#[derive(Debug)]
pub(super) struct Refers {
    pub(super) record_id: Option<String>,
    /// The key and the address of its request; its own, if it names no other.
    pub(super) key: RequestKey,
    pub(super) uri: String,
    pub(super) at: Option<Timestamp>,
    pub(super) digest: Option<Digest>,
    /// The server said that nothing had changed.
    pub(super) not_modified: bool,
}

impl Reading {
    pub(super) fn open(
        placed: &Placed,
        phase: Phase,
        job: &ImportJob,
    ) -> Result<Reading, HarvestError> {
        Ok(Reading {
            reader: Reader::open(&placed.path)?,
            name: placed.name.clone(),
            survey: placed.survey.clone(),
            phase,
            canonical: job.canonical.clone(),
            algorithm: job.archive.algorithm,
        })
    }

    pub(super) fn window(&mut self) -> Result<Window, HarvestError> {
        let mut window = Window::default();
        while window.items.len() < WINDOW_ITEMS && window.records < WINDOW_RECORDS {
            match self.next(&mut window) {
                Ok(true) => window.records += 1,
                Ok(false) => break,
                Err(error @ ArchiveError::Damaged { .. }) => {
                    window.records += 1;
                    window.damages.push(error.to_string());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(window)
    }

    /// Reads one record; false at the end.
    fn next(&mut self, window: &mut Window) -> Result<bool, ArchiveError> {
        let Some(record) = self.reader.next_record()? else { return Ok(false) };
        let kind = record.kind();
        if !matches!(kind, "response" | "resource" | "revisit") {
            window.companions += 1;
        } else if self.wants(kind) {
            match self.request(&record) {
                None => window.other_addresses += 1,
                Some(request) => {
                    let item = self.item(&record, request)?;
                    window.items.push(item);
                    return Ok(true);
                }
            }
        }
        self.reader.end_record()?;
        Ok(true)
    }

    fn wants(&self, kind: &str) -> bool {
        (kind == "revisit") == (self.phase == Phase::Revisits)
    }

    /// The request a record answers; none if it is not of the web, or by a method we never send.
    fn request(&self, record: &Record) -> Option<Request> {
        let url = Url::parse(record.target()?).ok()?;
        match self.survey.sent(record) {
            None => Request::new(Method::Get, url, None),
            Some(sent) => Request::new(sent.method?, url, sent.body.clone()),
        }
    }

    fn item(&mut self, record: &Record, request: Request) -> Result<Item, ArchiveError> {
        let is_http = record.kind() == "revisit" || record.holds_http();
        let head = match is_http && record.content_length > 0 {
            true => self.reader.http_head()?,
            false => HttpHead::default(),
        };
        let (payload_length, digest) = self.reader.payload_digest(self.algorithm)?;
        let RecordEnd { length, .. } = self.reader.end_record()?;
        let key = request.key(&canonical(&request.url, &self.canonical));
        let mut oddities = Vec::new();
        let at = record.date().unwrap_or_else(|| {
            let text = record.fields.get("WARC-Date").unwrap_or_default();
            oddities.push(Oddity::new("unreadable-warc-date", text));
            Timestamp(0)
        });
        let status = if is_http { head.status } else { 200 };
        let (mut fields, more) = HeaderFields::of(&response(&head));
        oddities.extend(more);
        if !is_http {
            fields.content_type = record.fields.get("Content-Type").map(str::to_owned);
            oddities.push(Oddity::new("no-http-header", record.kind()));
        }
        let refers = (record.kind() == "revisit").then(|| self.refers(record, &request, key));
        let via = self.survey.via(record).and_then(|via| Url::parse(via).ok());
        let via = via.and_then(|url| Request::new(Method::Get, url, None));
        let via = via.map(|page| page.key(&canonical(&page.url, &self.canonical)));
        Ok(Item {
            key,
            via,
            at,
            address: record.fields.get("WARC-IP-Address").and_then(|text| text.parse().ok()),
            status,
            http_version: http_version(&head.raw),
            head: head.raw,
            fields,
            truncated: record.fields.get("WARC-Truncated").map(|text| {
                Truncation::parse(&text.to_ascii_lowercase()).unwrap_or(Truncation::Unspecified)
            }),
            oddities,
            payload_length,
            payload_digest: refers.is_none().then_some(digest),
            place: Place {
                file: self.name.clone(),
                offset: record.offset,
                length,
                record_id: record.id().unwrap_or_default().to_owned(),
            },
            refers,
            request,
        })
    }

    fn refers(&self, record: &Record, own: &Request, own_key: RequestKey) -> Refers {
        let field = |name: &str| record.fields.get(name).map(|text| text.trim_matches(['<', '>']));
        let named = field("WARC-Refers-To-Target-URI")
            .and_then(|uri| Request::new(own.method, Url::parse(uri).ok()?, own.body.clone()));
        let profile = record.fields.get("WARC-Profile").unwrap_or_default();
        Refers {
            record_id: field("WARC-Refers-To").map(str::to_owned),
            key: match &named {
                Some(named) => named.key(&canonical(&named.url, &self.canonical)),
                None => own_key,
            },
            uri: named.as_ref().unwrap_or(own).url.to_string(),
            at: field("WARC-Refers-To-Date").and_then(auslese_archive::read_date),
            digest: record.fields.get("WARC-Payload-Digest").and_then(Digest::parse),
            not_modified: profile.ends_with("server-not-modified"),
        }
    }
}

fn response(head: &HttpHead) -> Response {
    Response {
        version: String::new(),
        status: head.status,
        head: Vec::new(),
        headers: Headers::clone(&head.headers),
        body: Body::empty(),
        decoded: None,
        truncated: None,
        stopped: None,
        oddities: Vec::new(),
    }
}

/// The first word of the status line, if it is one.
fn http_version(head: &[u8]) -> String {
    let word = head.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    let word = &word[..word.len().min(20)];
    if word.starts_with(b"HTTP/") {
        String::from_utf8_lossy(word).into_owned()
    } else {
        String::new()
    }
}

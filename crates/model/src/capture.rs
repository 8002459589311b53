//! A capture: one archived answer, as the catalog knows it.
//!
//! Every response gets one, also when its body was not kept: the header row is what remains of
//! unwanted files.

use crate::http_date::{DateReading, read_http_date};
use crate::{
    CaptureId, Digest, Oddity, RequestId, Response, RunId, ServerId, Timestamp, Truncation,
};
use std::net::IpAddr;
use std::time::Duration;

/// One row of the table `http_header`.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    pub id: CaptureId,
    pub request: RequestId,
    pub run: RunId,
    pub server: ServerId,
    /// Path and query, as in the request line.
    pub target: String,
    pub at: Timestamp,
    pub duration: Duration,
    pub address: Option<IpAddr>,
    pub status: u16,
    pub http_version: String,
    /// Status line and header lines, raw.
    pub head: Vec<u8>,
    pub fields: HeaderFields,
    /// Length of the body without transfer coding, as received.
    pub payload_length: u64,
    pub payload_digest: Option<Digest>,
    pub truncated: Option<Truncation>,
    /// What was wrong with the certificate, if anything was.
    pub tls_problem: Option<String>,
    /// The character encoding found, for documents with text.
    pub charset: Option<String>,
    pub storage: Storage,
    pub oddities: Vec<Oddity>,
}

/// Where the body is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// In a `response` record.
    Stored(Place),
    /// In a `revisit` record that refers to an earlier capture with the same payload.
    Revisit { place: Place, original: CaptureId },
    /// Nowhere: only this row exists, for the reason given.
    HeaderOnly { reason: String },
}

impl Storage {
    pub fn place(&self) -> Option<&Place> {
        match self {
            Storage::Stored(place) | Storage::Revisit { place, .. } => Some(place),
            Storage::HeaderOnly { .. } => None,
        }
    }
}

/// A record in a WARC file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// File name without directory and without `.open`.
    pub file: String,
    pub offset: u64,
    /// Compressed length.
    pub length: u64,
    /// `urn:uuid:…`, without angle brackets.
    pub record_id: String,
}

/// What the catalog keeps of a response header, as the corpus paper lists it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderFields {
    pub content_length: Option<i64>,
    pub content_type: Option<String>,
    pub content_encoding: Option<String>,
    pub content_language: Option<String>,
    pub content_location: Option<String>,
    pub location: Option<String>,
    pub date: Option<Timestamp>,
    pub expires: Option<Timestamp>,
    pub last_modified: Option<Timestamp>,
    pub server: Option<String>,
    pub has_www_authenticate: bool,
    pub has_cache_control: bool,
    pub has_content_md5: bool,
    pub has_pragma: bool,
    pub has_set_cookie: bool,
}

impl HeaderFields {
    /// Reads the fields of a response; what could not be read is reported as oddities, and stays
    /// in the raw header.
    pub fn of(response: &Response) -> (HeaderFields, Vec<Oddity>) {
        let headers = &response.headers;
        let mut oddities = Vec::new();
        let mut date = |name: &str| -> Option<Timestamp> {
            let text = headers.get(name)?;
            match read_http_date(&text) {
                DateReading::Legal(time) => Some(time),
                DateReading::Irregular(time) => {
                    oddities.push(Oddity::new("irregular-date", format!("{name}: {text}")));
                    Some(time)
                }
                DateReading::Unreadable => {
                    oddities.push(Oddity::new("unreadable-date", format!("{name}: {text}")));
                    None
                }
            }
        };
        let (sent, expires, last_modified) = (date("date"), date("expires"), date("last-modified"));
        let content_length = headers.get("content-length").and_then(|text| {
            let length = text.parse::<i64>().ok().filter(|length| *length >= 0);
            if length.is_none() {
                oddities.push(Oddity::new("unreadable-length", text));
            }
            length
        });
        let fields = HeaderFields {
            content_length,
            content_type: headers.get("content-type"),
            content_encoding: headers.get("content-encoding"),
            content_language: headers.get("content-language"),
            content_location: headers.get("content-location"),
            location: headers.get("location"),
            date: sent,
            expires,
            last_modified,
            server: headers.get("server"),
            has_www_authenticate: headers.contains("www-authenticate"),
            has_cache_control: headers.contains("cache-control"),
            has_content_md5: headers.contains("content-md5"),
            has_pragma: headers.contains("pragma"),
            has_set_cookie: headers.contains("set-cookie"),
        };
        (fields, oddities)
    }

    /// The media type without parameters, in lower case.
    pub fn media_type(&self) -> Option<String> {
        let essence = self.content_type.as_deref()?.split(';').next()?.trim();
        (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
    }

    /// The character encoding that `Content-Type` names.
    pub fn charset(&self) -> Option<String> {
        let parameters = self.content_type.as_deref()?.split(';').skip(1);
        let mut pairs = parameters.filter_map(|parameter| parameter.split_once('='));
        let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
        let value = value.trim().trim_matches(['"', '\'']);
        (!value.is_empty()).then(|| value.to_owned())
    }
}

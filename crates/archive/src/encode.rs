//! Turns exchanges into compressed WARC records.
//!
//! This is the costly half of writing: digests and compression. It touches no archive file and
//! may run on any thread. One exchange becomes three records: the response (or a revisit in its
//! place), the request, and a metadata record; the latter two name the first as concurrent, so
//! they never name a record that was not written.

use crate::digest::{Hasher, each_piece, payload_digest};
use crate::error::ArchiveError;
use crate::gzip::{Member, Opening, Pieces};
use crate::http_head::without_transfer_coding;
use crate::metadata::{self, Notes};
use crate::record::{Fields, WARC_FIELDS, begin, new_id};
use crate::settings::{ArchiveSettings, Framing};
use auslese_model::{Body, Capture, Digest, Exchange, Response, Storage, Timestamp, Truncation};
use std::borrow::Cow;
use std::io;

/// Compressed records that belong together and are appended together.
#[derive(Debug)]
pub struct Encoded {
    /// The first is the one the capture refers to.
    pub(crate) members: Vec<Member>,
    record_id: String,
    payload_digest: Option<Digest>,
}

impl Encoded {
    /// The id of the first record: `urn:uuid:…`, without angle brackets.
    pub fn record_id(&self) -> &str {
        &self.record_id
    }

    /// The payload digest that stands in the first record.
    pub fn payload_digest(&self) -> Option<&Digest> {
        self.payload_digest.as_ref()
    }

    /// How many bytes of it are in memory, for the budgets of queues.
    pub fn memory(&self) -> usize {
        self.members.iter().map(Member::memory).sum()
    }

    pub(crate) fn length(&self, opening: &Opening) -> u64 {
        self.members.iter().map(|member| member.length(opening)).sum()
    }
}

/// The response that a revisit refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// `urn:uuid:…`, without angle brackets.
    pub record_id: String,
    pub uri: String,
    pub date: Timestamp,
    /// Of its payload; a server's "not modified" takes it from here.
    pub payload_digest: Option<Digest>,
}

impl Original {
    /// The original a capture can serve as: only a stored response can, since a revisit must not
    /// refer to another revisit.
    pub fn of(capture: &Capture, uri: &str) -> Option<Original> {
        match &capture.storage {
            Storage::Stored(place) => Some(Original {
                record_id: place.record_id.clone(),
                uri: uri.to_owned(),
                date: capture.at,
                payload_digest: capture.payload_digest.clone(),
            }),
            Storage::Revisit { .. } | Storage::HeaderOnly { .. } => None,
        }
    }
}

/// Encodes an exchange with its body.
pub fn encode(
    exchange: &Exchange,
    notes: &Notes,
    settings: &ArchiveSettings,
) -> Result<Encoded, ArchiveError> {
    let spill_error = || ArchiveError::io(&settings.spill_dir);
    let response = &exchange.response;
    let decoded = settings.framing == Framing::Decoded;
    let body = if decoded { response.payload() } else { &response.body };
    let payload = match &notes.payload_digest {
        Some(digest) => digest.clone(),
        None => payload_digest(response.payload(), settings.algorithm).map_err(spill_error())?,
    };
    let id = new_id().map_err(spill_error())?;
    let mut fields = begin("response", &id, exchange.started);
    add_target(&mut fields, exchange);
    fields.push("WARC-Payload-Digest", payload.to_string());
    if let Some(truncation) = truncation(response) {
        fields.push("WARC-Truncated", truncation.as_str());
    }
    fields.push("Content-Type", "application/http; msgtype=response");
    let level = level(response, settings.level);
    let head = stored_head(response, settings.framing);
    let member = seal(fields, &head, Some(body), level, settings)?;
    with_companions(member, id, Some(payload), exchange, notes, settings)
}

/// Encodes an exchange whose payload is archived already: the header block is kept, the body is
/// referred to.
pub fn encode_revisit(
    exchange: &Exchange,
    notes: &Notes,
    original: &Original,
    settings: &ArchiveSettings,
) -> Result<Encoded, ArchiveError> {
    let spill_error = || ArchiveError::io(&settings.spill_dir);
    let response = &exchange.response;
    let unmodified = response.status == 304;
    let payload = match (&original.payload_digest, &notes.payload_digest) {
        (Some(digest), _) => Some(digest.clone()),
        (None, _) if unmodified => None,
        (None, Some(digest)) => Some(digest.clone()),
        (None, None) => {
            Some(payload_digest(response.payload(), settings.algorithm).map_err(spill_error())?)
        }
    };
    let id = new_id().map_err(spill_error())?;
    let mut fields = begin("revisit", &id, exchange.started);
    add_target(&mut fields, exchange);
    fields.push("WARC-Profile", if unmodified { NOT_MODIFIED } else { IDENTICAL_PAYLOAD });
    fields.push("WARC-Refers-To", format!("<{}>", original.record_id));
    fields.push("WARC-Refers-To-Target-URI", uri_text(&original.uri));
    fields.push("WARC-Refers-To-Date", original.date.to_string());
    if let Some(payload) = &payload {
        fields.push("WARC-Payload-Digest", payload.to_string());
    }
    fields.push("Content-Type", "application/http; msgtype=response");
    let head = stored_head(response, settings.framing);
    let member = seal(fields, &head, None, settings.level, settings)?;
    with_companions(member, id, payload, exchange, notes, settings)
}

const IDENTICAL_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
const NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

/// Encodes something that was not fetched over HTTP, such as a DNS or WHOIS answer.
pub fn encode_resource(
    uri: &str,
    media_type: &str,
    bytes: &[u8],
    at: Timestamp,
    settings: &ArchiveSettings,
) -> Result<Encoded, ArchiveError> {
    single("resource", uri, None, media_type, bytes, at, settings)
}

/// Encodes a version of an archived document in another format, such as its text.
pub fn encode_conversion(
    original: &Original,
    media_type: &str,
    bytes: &[u8],
    at: Timestamp,
    settings: &ArchiveSettings,
) -> Result<Encoded, ArchiveError> {
    let refers_to = Some(original.record_id.as_str());
    single("conversion", &original.uri, refers_to, media_type, bytes, at, settings)
}

fn single(
    kind: &str,
    uri: &str,
    refers_to: Option<&str>,
    media_type: &str,
    bytes: &[u8],
    at: Timestamp,
    settings: &ArchiveSettings,
) -> Result<Encoded, ArchiveError> {
    let record_id = new_id().map_err(ArchiveError::io(&settings.spill_dir))?;
    let mut hasher = Hasher::new(settings.algorithm);
    hasher.update(bytes);
    let payload = hasher.finish();
    let mut fields = begin(kind, &record_id, at);
    fields.push("WARC-Target-URI", uri_text(uri));
    if let Some(id) = refers_to {
        fields.push("WARC-Refers-To", format!("<{id}>"));
    }
    fields.push("WARC-Payload-Digest", payload.to_string());
    fields.push("Content-Type", media_type);
    let member = seal(fields, bytes, None, settings.level, settings)?;
    Ok(Encoded { members: vec![member], record_id, payload_digest: Some(payload) })
}

/// The warcinfo record that a file begins with.
pub(crate) fn encode_warcinfo(
    id: &str,
    file: &str,
    block: &[u8],
    at: Timestamp,
    settings: &ArchiveSettings,
) -> Result<Member, ArchiveError> {
    let mut fields = begin("warcinfo", id, at);
    fields.push("WARC-Filename", file);
    fields.push("Content-Type", WARC_FIELDS);
    seal(fields, block, None, settings.level, settings)
}

/// Adds the request and metadata records.
fn with_companions(
    main: Member,
    record_id: String,
    payload_digest: Option<Digest>,
    exchange: &Exchange,
    notes: &Notes,
    settings: &ArchiveSettings,
) -> Result<Encoded, ArchiveError> {
    let spill_error = || ArchiveError::io(&settings.spill_dir);
    let companion = |kind: &str, media_type: &str, block: &[u8]| {
        let id = new_id().map_err(spill_error())?;
        let mut fields = begin(kind, &id, exchange.started);
        add_target(&mut fields, exchange);
        fields.push("WARC-Concurrent-To", format!("<{record_id}>"));
        fields.push("Content-Type", media_type);
        seal(fields, block, None, settings.level, settings)
    };
    let request = companion("request", "application/http; msgtype=request", &exchange.sent)?;
    let block = metadata::block(exchange, notes, settings.framing).map_err(spill_error())?;
    let metadata = companion("metadata", WARC_FIELDS, &block)?;
    Ok(Encoded { members: vec![main, request, metadata], record_id, payload_digest })
}

/// Completes a record's header with digest and length of its block, and compresses it.
pub(crate) fn seal(
    mut fields: Fields,
    block_head: &[u8],
    body: Option<&Body>,
    level: u8,
    settings: &ArchiveSettings,
) -> Result<Member, ArchiveError> {
    let digest =
        block_digest(block_head, body, settings).map_err(ArchiveError::io(&settings.spill_dir))?;
    let length = block_head.len() as u64 + body.map_or(0, Body::len);
    fields.push("WARC-Block-Digest", digest.to_string());
    fields.push("Content-Length", length.to_string());
    let mut head = fields.to_lines().into_bytes();
    head.extend_from_slice(b"\r\n");
    head.extend_from_slice(block_head);
    Member::compress(Pieces { head, body, tail: b"\r\n\r\n" }, level, &settings.spill_dir)
}

fn block_digest(
    head: &[u8],
    body: Option<&Body>,
    settings: &ArchiveSettings,
) -> io::Result<Digest> {
    let mut hasher = Hasher::new(settings.algorithm);
    hasher.update(head);
    if let Some(body) = body {
        each_piece(body, |piece| hasher.update(piece))?;
    }
    Ok(hasher.finish())
}

fn add_target(fields: &mut Fields, exchange: &Exchange) {
    fields.push("WARC-Target-URI", exchange.request.url.as_str());
    if let Some(address) = exchange.address {
        fields.push("WARC-IP-Address", address.to_string());
    }
}

/// A URI as a field value: blanks would end it for many readers.
fn uri_text(uri: &str) -> String {
    uri.trim().replace(|c: char| c.is_whitespace() || c.is_control(), "%20")
}

fn stored_head(response: &Response, framing: Framing) -> Cow<'_, [u8]> {
    match (framing, &response.decoded) {
        (Framing::Decoded, Some(payload)) => {
            Cow::Owned(without_transfer_coding(&response.head, payload.len()))
        }
        _ => Cow::Borrowed(&response.head),
    }
}

/// A body that was not wanted to its end is cut too, even if no limit was reached.
fn truncation(response: &Response) -> Option<Truncation> {
    response.truncated.or(response.stopped.as_ref().map(|_| Truncation::Unspecified))
}

/// From this size on, bodies that are compressed already are stored as they are; below it, the
/// header lines make compression worth its time.
const STORE_FROM: u64 = 4 * 1024;

fn level(response: &Response, level: u8) -> u8 {
    if response.payload().len() >= STORE_FROM && is_compressed(response) { 0 } else { level }
}

fn is_compressed(response: &Response) -> bool {
    let coding = response.headers.get("content-encoding").unwrap_or_default();
    let coded = !matches!(coding.to_ascii_lowercase().as_str(), "" | "identity");
    coded || response.media_type().is_some_and(|media_type| is_compressed_type(&media_type))
}

fn is_compressed_type(media_type: &str) -> bool {
    const PLAIN_PICTURES: [&str; 6] =
        ["svg", "bmp", "x-ms-bmp", "x-icon", "vnd.microsoft.icon", "tiff"];
    const PLAIN_SOUNDS: [&str; 4] = ["wav", "x-wav", "midi", "x-midi"];
    const COMPRESSED: [&str; 12] = [
        "zip",
        "gzip",
        "x-gzip",
        "x-bzip2",
        "x-xz",
        "x-7z-compressed",
        "x-rar-compressed",
        "vnd.rar",
        "zstd",
        "java-archive",
        "epub+zip",
        "x-compress",
    ];
    match media_type.split_once('/') {
        Some(("image", kind)) => {
            let kind = kind.split('+').next().unwrap_or(kind);
            !PLAIN_PICTURES.contains(&kind) && !kind.starts_with("x-portable-")
        }
        Some(("audio", kind)) => !PLAIN_SOUNDS.contains(&kind),
        Some(("video", _)) => true,
        Some(("font", kind)) => matches!(kind, "woff" | "woff2"),
        Some(("application", kind)) => {
            COMPRESSED.contains(&kind)
                || kind.starts_with("vnd.openxmlformats-")
                || kind.starts_with("vnd.oasis.opendocument.")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_types() {
        #[rustfmt::skip]
        let cases = [
            ("image/png",                        true),
            ("image/svg+xml",                    false),
            ("image/x-portable-pixmap",          false),
            ("application/zip",                  true),
            ("application/pdf",                  false),
            ("application/vnd.oasis.opendocument.text", true),
            ("video/mp4",                        true),
            ("audio/midi",                       false),
            ("text/html",                        false),
            ("nonsense",                         false),
        ];
        for (media_type, expected) in cases {
            assert_eq!(is_compressed_type(media_type), expected, "{media_type}");
        }
    }

    #[test]
    fn addresses_are_one_word() {
        assert_eq!(uri_text(" dns:a b\r\nWARC-Type: x "), "dns:a%20b%20%20WARC-Type:%20x");
    }
}

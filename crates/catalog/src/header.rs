//! The table `http_header`: a capture as a row, and a row as a capture.

use crate::CatalogError;
use crate::batch::Batch;
use crate::commit::storage_name;
use crate::engine::{Fields, Session, Value};
use crate::value::storable;
use auslese_model::{
    Capture, CaptureId, Digest, HeaderFields, Oddity, Place, RequestId, RunId, ServerId, Storage,
    Timestamp, Truncation,
};
use std::time::Duration;

/// A capture with the URL it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCapture {
    pub url: String,
    /// As it was committed, but without [`HeaderFields::server`] (the raw header has it), and with
    /// its duration in whole milliseconds.
    pub capture: Capture,
}

/// Where the body of a capture lies, and what its readers have to know: a capture without what only its archivist needs.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyPlace {
    pub url: String,
    pub capture: CaptureId,
    pub content_type: Option<String>,
    pub payload_length: u64,
    pub truncated: Option<Truncation>,
    pub storage: Storage,
}

/// The columns [`read_body_place`] expects, for a query over `http_header h` and `request r`.
pub(crate) const BODY_COLUMNS: &str = "COALESCE(r.url, ''), h.id, h.content_type, \
    h.payload_length, h.truncated, h.storage, h.not_stored_reason, h.warc_file, h.warc_offset, \
    h.warc_length, h.record_id, h.original_id";

/// The columns [`read_capture`] expects, for a query over `http_header h` and `request r`.
pub(crate) const CAPTURE_COLUMNS: &str = "COALESCE(r.url, ''), h.id, h.partial_uri, h.server_id, \
    h.status, h.content_length, h.content_type, h.content_encoding, h.content_language, \
    h.content_location, h.location, h.date, h.expires, h.last_modified, h.has_www_authenticate, \
    h.has_cache_control, h.has_content_md5, h.has_pragma, h.has_set_cookie, h.request_id, \
    h.run_id, h.captured_at, h.duration_ms, h.address, h.http_version, h.payload_length, \
    h.payload_digest, h.truncated, h.tls_problem, h.charset, h.storage, h.not_stored_reason, \
    h.warc_file, h.warc_offset, h.warc_length, h.record_id, h.original_id, h.oddities, \
    h.raw_header";

pub(crate) async fn insert_captures(
    session: &mut Session,
    captures: &[Capture],
) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "INSERT INTO http_header (id, partial_uri, server_id, status, content_length, \
         content_type, content_encoding, content_language, content_location, location, date, \
         expires, last_modified, has_www_authenticate, has_cache_control, has_content_md5, \
         has_pragma, has_set_cookie, request_id, run_id, captured_at, duration_ms, address, \
         http_version, payload_length, payload_digest, payload_prefix, truncated, tls_problem, \
         charset, storage, not_stored_reason, warc_file, warc_offset, warc_length, record_id, \
         original_id, oddities, raw_header, media_type, suffix)",
        41,
        "",
    );
    for capture in captures {
        batch.push(capture_row(capture));
    }
    batch.run(session).await?;
    Ok(())
}

fn capture_row(capture: &Capture) -> [Value; 41] {
    let fields = &capture.fields;
    let place = capture.storage.place();
    let (original, reason) = match &capture.storage {
        Storage::Stored(_) => (None, None),
        Storage::Revisit { original, .. } => (Some(*original), None),
        Storage::HeaderOnly { reason } => (None, Some(reason.as_str())),
    };
    let digest = capture.payload_digest.as_ref();
    [
        capture.id.into(),
        capture.target.as_str().into(),
        capture.server.into(),
        u64::from(capture.status).into(),
        fields.content_length.into(),
        (&fields.content_type).into(),
        (&fields.content_encoding).into(),
        (&fields.content_language).into(),
        (&fields.content_location).into(),
        (&fields.location).into(),
        fields.date.into(),
        fields.expires.into(),
        fields.last_modified.into(),
        fields.has_www_authenticate.into(),
        fields.has_cache_control.into(),
        fields.has_content_md5.into(),
        fields.has_pragma.into(),
        fields.has_set_cookie.into(),
        capture.request.into(),
        capture.run.into(),
        capture.at.into(),
        capture.duration.into(),
        capture.address.into(),
        capture.http_version.as_str().into(),
        capture.payload_length.into(),
        Value::Text(digest.map(Digest::to_string)),
        digest.map(digest_number).into(),
        capture.truncated.map(Truncation::as_str).into(),
        (&capture.tls_problem).into(),
        (&capture.charset).into(),
        storage_name(&capture.storage).into(),
        reason.into(),
        place.map(|place| place.file.as_str()).into(),
        place.map(|place| place.offset.cast_signed()).into(),
        place.map(|place| place.length.cast_signed()).into(),
        place.map(|place| place.record_id.as_str()).into(),
        original.into(),
        Value::Text(oddities_text(&capture.oddities)),
        capture.head.as_slice().into(),
        Value::Text(fields.content_type.as_deref().and_then(media_type)),
        Value::Text(suffix(&capture.target)),
    ]
}

/// Characters of a media type, and of a suffix, that are kept to group by.
const MEDIA_TYPE_LENGTH: usize = 100;
const SUFFIX_LENGTH: usize = 20;

/// The type of a `Content-Type` without its parameters, in lower case.
pub(crate) fn media_type(content_type: &str) -> Option<String> {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let kept: String = essence.chars().take(MEDIA_TYPE_LENGTH).collect();
    (!kept.is_empty()).then(|| storable(&kept.to_lowercase()))
}

/// The ending of the last part of a path, in lower case and without its dot. A name that begins
/// with its only dot has none, and endings too long to be one do not count.
pub(crate) fn suffix(target: &str) -> Option<String> {
    let path = target.split('?').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let (before, ending) = name.rsplit_once('.')?;
    let is_ending = !before.is_empty() && (1..=SUFFIX_LENGTH).contains(&ending.chars().count());
    is_ending.then(|| storable(&ending.to_lowercase()))
}

/// The number digests are looked up by.
pub(crate) fn digest_number(digest: &Digest) -> i64 {
    digest.prefix().cast_signed()
}

/// JSON, without the character U+0000 even in its escaped form: PostgreSQL's JSON refuses it.
fn oddities_text(oddities: &[Oddity]) -> Option<String> {
    if oddities.is_empty() {
        return None;
    }
    let clean: Vec<Oddity> = oddities
        .iter()
        .map(|oddity| Oddity::new(storable(&oddity.kind), storable(&oddity.detail)))
        .collect();
    Some(serde_json::to_string(&clean).expect("texts are always JSON"))
}

/// Reads [`CAPTURE_COLUMNS`].
pub(crate) fn read_capture(row: &mut Fields) -> Result<StoredCapture, CatalogError> {
    let url = row.text()?;
    let id = CaptureId(row.number()?);
    let unreadable = |column: &str| {
        CatalogError::damaged(format!("the column {column} of capture {} is unreadable", id.0))
    };
    let target = row.text()?;
    let server = ServerId(row.number()?);
    let status = u16::try_from(row.number()?).map_err(|_| unreadable("status"))?;
    let fields = read_header_fields(row)?;
    let request = RequestId(row.number()?);
    let run = RunId(row.number()?);
    let at = Timestamp(row.number()?);
    let duration = Duration::from_millis(row.count()?);
    let address = row.maybe_text()?.and_then(|text| text.parse().ok());
    let http_version = row.text()?;
    let payload_length = row.count()?;
    let payload_digest = row.maybe_text()?.and_then(|text| Digest::parse(&text));
    let truncated = row.maybe_text()?.and_then(|text| Truncation::parse(&text));
    let tls_problem = row.maybe_text()?;
    let charset = row.maybe_text()?;
    let storage = read_storage(row)?.ok_or_else(|| unreadable("storage"))?;
    let oddities = match row.maybe_text()? {
        Some(text) => serde_json::from_str(&text).map_err(|_| unreadable("oddities"))?,
        None => Vec::new(),
    };
    let head = row.bytes()?;
    let capture = Capture {
        id,
        request,
        run,
        server,
        target,
        at,
        duration,
        address,
        status,
        http_version,
        head,
        fields,
        payload_length,
        payload_digest,
        truncated,
        tls_problem,
        charset,
        storage,
        oddities,
    };
    Ok(StoredCapture { url, capture })
}

pub(crate) fn read_body_place(row: &mut Fields) -> Result<BodyPlace, CatalogError> {
    let (url, capture) = (row.text()?, CaptureId(row.number()?));
    let content_type = row.maybe_text()?;
    let payload_length = row.count()?;
    let truncated = row.maybe_text()?.and_then(|text| Truncation::parse(&text));
    let storage = read_storage(row)?.ok_or_else(|| {
        CatalogError::damaged(format!("the storage of capture {} is unreadable", capture.0))
    })?;
    Ok(BodyPlace { url, capture, content_type, payload_length, truncated, storage })
}

fn read_header_fields(row: &mut Fields) -> Result<HeaderFields, sqlx::Error> {
    Ok(HeaderFields {
        content_length: row.maybe_number()?,
        content_type: row.maybe_text()?,
        content_encoding: row.maybe_text()?,
        content_language: row.maybe_text()?,
        content_location: row.maybe_text()?,
        location: row.maybe_text()?,
        date: row.maybe_number()?.map(Timestamp),
        expires: row.maybe_number()?.map(Timestamp),
        last_modified: row.maybe_number()?.map(Timestamp),
        server: None,
        has_www_authenticate: row.number()? != 0,
        has_cache_control: row.number()? != 0,
        has_content_md5: row.number()? != 0,
        has_pragma: row.number()? != 0,
        has_set_cookie: row.number()? != 0,
    })
}

/// The seven columns from `storage` to `original_id`; `None` if they do not fit together.
fn read_storage(row: &mut Fields) -> Result<Option<Storage>, sqlx::Error> {
    let name = row.text()?;
    let reason = row.maybe_text()?;
    let (file, offset, length) = (row.maybe_text()?, row.maybe_number()?, row.maybe_number()?);
    let (record_id, original) = (row.maybe_text()?, row.maybe_number()?);
    let place = || {
        Some(Place {
            file: file?,
            offset: u64::try_from(offset?).ok()?,
            length: u64::try_from(length?).ok()?,
            record_id: record_id?,
        })
    };
    Ok(match (name.as_str(), original) {
        ("stored", _) => place().map(Storage::Stored),
        ("revisit", Some(original)) => {
            place().map(|place| Storage::Revisit { place, original: CaptureId(original) })
        }
        ("header-only", _) => Some(Storage::HeaderOnly { reason: reason.unwrap_or_default() }),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_suffixes() {
        let long = format!("/a.{}", "x".repeat(21));
        #[rustfmt::skip]
        let suffixes = [
            ("/a.HTML",         Some("html")),
            ("/a.tar.gz?x=b.c", Some("gz")),
            ("/a.b/c",          None),
            ("/.htaccess",      None),
            ("/a.",             None),
            ("/",               None),
            (long.as_str(),     None),
        ];
        for (target, expected) in suffixes {
            assert_eq!(suffix(target).as_deref(), expected, "{target}");
        }
        #[rustfmt::skip]
        let types = [
            ("text/HTML; charset=x", Some("text/html")),
            ("  image/gif ",         Some("image/gif")),
            (";",                    None),
            ("",                     None),
        ];
        for (content_type, expected) in types {
            assert_eq!(media_type(content_type).as_deref(), expected, "{content_type}");
        }
    }
}

//! Bodies out of the archive, as a reader of pages sees them.

use auslese_archive::Holdings;
use auslese_model::{Capture, Oddity, Response, Storage, Truncation};
use auslese_net::{DecodeLimits, decode_content, oddity};

/// A body without its codings.
#[derive(Debug)]
pub struct StoredBody {
    pub bytes: Vec<u8>,
    /// What was wrong with it; some of it may be missing.
    pub troubles: Vec<String>,
    /// Why only its beginning was unpacked, if so. A reader may do with that, a copy may not.
    pub cut: Option<String>,
}

/// What unpacking notes where it stops at a limit of ours.
const STOPPED_AT: [&str; 2] = [oddity::DECODED_SIZE, oddity::DECODED_RATIO];

/// The body a capture stores, or why it cannot be had. A fault costs this document only.
pub fn stored_body(archive: &Holdings, capture: &Capture) -> Result<StoredBody, String> {
    body_at(archive, &capture.storage, capture.payload_length, capture.truncated)
}

/// The same, of a capture of which only this is known.
pub(crate) fn body_at(
    archive: &Holdings,
    storage: &Storage,
    payload_length: u64,
    truncated: Option<Truncation>,
) -> Result<StoredBody, String> {
    let Storage::Stored(place) = storage else {
        return Err("the archive has no body of it".to_owned());
    };
    let stored = archive.read_at(place);
    let stored = stored.map_err(|error| format!("the archive cannot be read: {error}"))?;
    let mut troubles: Vec<String> = truncated.map(cut).into_iter().collect();
    let Some(head) = stored.http else {
        // A record of another kind, such as a resource: the block is the body.
        let limit = usize::try_from(DecodeLimits::default().bytes).unwrap_or(usize::MAX);
        let bytes = stored.payload.prefix(limit).map_err(|error| error.to_string())?;
        let cut = (payload_length > bytes.len() as u64)
            .then(|| format!("{}: {limit} bytes", oddity::DECODED_SIZE));
        return Ok(StoredBody { bytes, troubles, cut });
    };
    let response = Response {
        version: String::new(),
        status: head.status,
        head: head.raw,
        headers: head.headers,
        body: stored.payload,
        decoded: None,
        truncated: None,
        stopped: None,
        oddities: Vec::new(),
    };
    let decoded = decode_content(&response, DecodeLimits::default());
    let words = |oddity: &Oddity| format!("{}: {}", oddity.kind, oddity.detail);
    troubles.extend(decoded.oddities.iter().map(words));
    let cut = decoded.oddities.iter().find(|oddity| STOPPED_AT.contains(&&*oddity.kind));
    Ok(StoredBody { cut: cut.map(words), bytes: decoded.bytes.into_owned(), troubles })
}

fn cut(truncation: Truncation) -> String {
    format!("only the beginning was received: {}", truncation.as_str())
}

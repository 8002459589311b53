//! The body of a capture out of the archive, wherever it is stored.

use crate::problem::Problem;
use crate::site::{Harvest, Site};
use auslese_catalog::StoredCapture;
use auslese_model::{Body, Capture, CaptureId, Response as HttpResponse, Storage};
use auslese_net::{DecodeLimits, decode_content, oddity};
use axum::http::StatusCode;
use std::fmt::Display;
use std::sync::Arc;

/// Bytes of an archived body once its codings are off.
const MAX_DECODED: u64 = 64 << 20;
/// How often a capture may refer to another.
const MAX_REFERENCES: usize = 4;

/// An archived answer: who gave it when, and what its header said.
#[derive(Debug, Clone)]
pub(super) struct Archived {
    /// The capture that was asked for.
    pub(super) capture: Capture,
    /// Whose header counts, and who stores the body: another one if the server said that nothing had changed.
    pub(super) source: Capture,
}

impl Archived {
    /// Follows revisits to the capture that stores the body.
    pub(super) async fn of(harvest: &Harvest, id: CaptureId) -> Result<Archived, Problem> {
        let capture = capture(harvest, id).await?;
        let mut source = capture.clone();
        for _ in 0..MAX_REFERENCES {
            match source.storage {
                Storage::Revisit { original, .. } => {
                    source = self::capture(harvest, original).await?
                }
                Storage::Stored(_) | Storage::HeaderOnly { .. } => break,
            }
        }
        Ok(Archived { capture, source })
    }

    /// The capture whose header describes the answer.
    pub(super) fn described(&self) -> &Capture {
        if self.capture.status == 304 { &self.source } else { &self.capture }
    }

    pub(super) fn content_type(&self) -> Option<&str> {
        let of = |capture: &'_ Capture| capture.fields.content_type.is_some();
        let capture = if of(self.described()) { self.described() } else { &self.source };
        capture.fields.content_type.as_deref()
    }

    pub(super) fn charset(&self) -> Option<String> {
        self.described().fields.charset().or_else(|| self.source.fields.charset())
    }

    /// The body as it was received, with its content coding.
    pub(super) async fn received(
        &self,
        site: &Site,
        harvest: &Arc<Harvest>,
    ) -> Result<HttpResponse, Problem> {
        let Storage::Stored(place) = &self.source.storage else {
            return Err(not_kept(&self.source.storage));
        };
        let (harvest, place) = (harvest.clone(), place.clone());
        let read = site.work(move || harvest.archive().read_at(&place));
        let stored = read.await?.map_err(|error| unreadable(&error))?;
        let head = stored.http.unwrap_or_default();
        Ok(HttpResponse {
            version: String::new(),
            status: head.status,
            head: head.raw,
            headers: head.headers,
            body: stored.payload,
            decoded: None,
            truncated: None,
            stopped: None,
            oddities: Vec::new(),
        })
    }
}

/// A body without its content codings; takes a processor.
pub(super) fn decoded(response: HttpResponse) -> Result<Body, Problem> {
    if !response.headers.contains("content-encoding") {
        return Ok(response.body);
    }
    let limits = DecodeLimits { bytes: MAX_DECODED, ..DecodeLimits::default() };
    let decoded = decode_content(&response, limits);
    let has = |kinds: &[&str]| decoded.oddities.iter().any(|it| kinds.contains(&&*it.kind));
    if has(&[oddity::CONTENT_CODING, oddity::CODING_LAYERS]) {
        return Err(Problem::new(
            StatusCode::NOT_IMPLEMENTED,
            "This page was sent in a compression that is not read here. Its bytes can be had with id_ in the address.",
            "Diese Seite kam in einer Kompression, die hier nicht gelesen wird. Mit id_ in der Adresse gibt es die Bytes.",
        ));
    }
    if has(&[oddity::DECODED_SIZE, oddity::DECODED_RATIO]) {
        return Err(too_large());
    }
    Ok(Body::Memory(decoded.bytes.into_owned()))
}

pub(super) fn too_large() -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "This page is too large to be shown. Its bytes can be had with id_ in the address.",
        "Diese Seite ist zu groß, um gezeigt zu werden. Mit id_ in der Adresse gibt es die Bytes.",
    )
}

pub(crate) fn unreadable(error: &dyn Display) -> Problem {
    tracing::error!("an archived record cannot be read: {error}");
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The archive cannot be read at this place: a file is missing or damaged.",
        "Das Archiv ist an dieser Stelle nicht zu lesen: Eine Datei fehlt oder ist beschädigt.",
    )
}

pub(super) fn not_kept(storage: &Storage) -> Problem {
    let problem = Problem::not_found(
        "This was fetched, but only its header was kept.",
        "Dies wurde abgerufen, aber nur der Kopf der Antwort wurde aufgehoben.",
    );
    match storage {
        Storage::HeaderOnly { reason } => problem.detail(reason.as_str()),
        Storage::Stored(_) | Storage::Revisit { .. } => problem,
    }
}

pub(super) async fn capture(harvest: &Harvest, id: CaptureId) -> Result<Capture, Problem> {
    let found = harvest.catalog.capture(id).await?;
    found.map(|StoredCapture { capture, .. }| capture).ok_or_else(|| {
        Problem::not_found("There is no such capture.", "Diese Aufnahme gibt es nicht.")
    })
}

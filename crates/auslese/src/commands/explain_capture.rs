//! What `auslese explain` says about a capture: where it lies, what is missing of it, what was odd
//! about the answer, and what became of the address it redirects to.
//!
//! The crawl notes nothing of a redirect that it does not follow, so its target is looked up, and judged
//! anew by the scope if it is not known.

use super::catalog_access::catalog_failure;
use super::explain::scope_story;
use super::explain_host_facts::Judged;
use crate::config::Config;
use crate::messages::Failure;
use auslese_catalog::{Catalog, KnownRequest, StoredCapture};
use auslese_crawl::canonical;
use auslese_model::{HostName, Method, Oddity, RequestKey, State, Storage, Truncation};
use serde::Serialize;
use std::path::Path;
use url::Url;

#[derive(Debug, Serialize)]
pub(super) struct CaptureStory {
    at: String,
    status: u16,
    media_type: Option<String>,
    bytes: u64,
    stored: String,
    /// Why its end is missing, in WARC's words.
    truncated: Option<Truncation>,
    oddities: Vec<Oddity>,
    redirect: Option<RedirectStory>,
}

/// Where an answer sends whoever asks.
#[derive(Debug, Serialize)]
struct RedirectStory {
    /// As the server wrote it.
    location: String,
    /// The address it means, if it is one.
    url: Option<String>,
    followed: bool,
    /// What became of it, or why nothing did.
    why: String,
}

/// What a redirect is judged with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) seeds: &'a [Url],
    pub(super) config: &'a Config,
    pub(super) catalog: &'a Catalog,
    pub(super) dir: &'a Path,
}

pub(super) async fn capture_story(
    request: &KnownRequest,
    stored: &StoredCapture,
    around: Surroundings<'_>,
) -> Result<CaptureStory, Failure> {
    let capture = &stored.capture;
    Ok(CaptureStory {
        at: capture.at.to_second_text(),
        status: capture.status,
        media_type: capture.fields.content_type.clone(),
        bytes: capture.payload_length,
        stored: match &capture.storage {
            Storage::Stored(place) => format!("{} at byte {}", place.file, place.offset),
            Storage::Revisit { place, original } => format!(
                "{} at byte {}, unchanged since capture {}",
                place.file, place.offset, original.0
            ),
            Storage::HeaderOnly { reason } => format!("header row only: {reason}"),
        },
        truncated: capture.truncated,
        oddities: capture.oddities.clone(),
        redirect: redirect_story(request, stored, around).await?,
    })
}

async fn redirect_story(
    request: &KnownRequest,
    stored: &StoredCapture,
    around: Surroundings<'_>,
) -> Result<Option<RedirectStory>, Failure> {
    let capture = &stored.capture;
    let location = capture.fields.location.clone();
    let Some(location) = location.filter(|_| (300..400).contains(&capture.status)) else {
        return Ok(None);
    };
    let base = Url::parse(&stored.url).ok();
    let url = base.and_then(|base| base.join(location.trim()).ok());
    let Some(mut url) = url.filter(|url| matches!(url.scheme(), "http" | "https")) else {
        let why = "it is no address of the web".to_owned();
        return Ok(Some(RedirectStory { location, url: None, followed: false, why }));
    };
    url.set_fragment(None);
    let (followed, why) = fate(request, &url, around).await?;
    Ok(Some(RedirectStory { location, url: Some(url.to_string()), followed, why }))
}

/// Whether the target of a redirect was asked for, and what came of it.
async fn fate(
    request: &KnownRequest,
    url: &Url,
    around: Surroundings<'_>,
) -> Result<(bool, String), Failure> {
    let key = RequestKey::new(Method::Get, &canonical(url, &around.config.crawl.canonical), &[]);
    let known = around.catalog.find_keys(&[key]).await.map_err(catalog_failure)?;
    if let Some(target) = known.into_values().next() {
        if target.id == request.id {
            return Ok((false, "it counts as the same address".to_owned()));
        }
        let (followed, state) = match target.state {
            State::Done => (true, "fetched"),
            State::Failed => (true, "failed"),
            State::Queued => (false, "it is queued"),
            State::Parked => (false, "it waits for a verdict on its host"),
            State::Refused => (false, "refused"),
        };
        let cause = target.cause.map_or(String::new(), |cause| format!(", because {cause}"));
        return Ok((followed, format!("{state}{cause}")));
    }
    let judged = Judged::of(HostName::of(url), Some(around.catalog), around.dir).await?;
    let hops = request.hops.then('R');
    let scope = scope_story(url, Some(hops), around.seeds, around.config, &judged)?;
    let why = match scope {
        Some(scope) => format!("never met; the scope says {}", scope.in_short()),
        None => "never met".to_owned(),
    };
    Ok((false, why))
}

impl CaptureStory {
    pub(super) fn push_text(&self, text: &mut String) {
        let CaptureStory { at, status, media_type, bytes, stored, .. } = self;
        let media_type = media_type.as_deref().unwrap_or("no media type");
        text.push_str(&format!("\ncapture: {at}, status {status}, {media_type}, {bytes} bytes\n"));
        text.push_str(&format!("  {stored}\n"));
        if let Some(truncation) = self.truncated {
            let (word, why) = (truncation.as_str(), cut_words(truncation));
            text.push_str(&format!("  cut ({word}): {why}\n"));
        }
        if let Some(redirect) = &self.redirect {
            redirect.push_text(text);
        }
        for Oddity { kind, detail } in &self.oddities {
            text.push_str(&format!("  odd ({kind}): {detail}\n"));
        }
    }
}

impl RedirectStory {
    fn push_text(&self, text: &mut String) {
        let RedirectStory { location, url, followed, why } = self;
        let to = url.as_ref().unwrap_or(location);
        let word = if *followed { "followed" } else { "not followed" };
        text.push_str(&format!("  redirects to {to}\n    {word}: {why}\n"));
    }
}

fn cut_words(truncation: Truncation) -> &'static str {
    match truncation {
        Truncation::Length => "longer than the limit",
        Truncation::Time => "silent or slow for too long",
        Truncation::Disconnect => "the server ended the connection",
        Truncation::Unspecified => "its end could not be read",
    }
}

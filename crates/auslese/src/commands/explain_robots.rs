//! What robots.txt of a server says about an address, by the copy in the archive.
//!
//! The crawl archives every robots.txt it reads like any page, so its last capture tells which line
//! decided; redirects are followed from capture to capture, as the crawl followed them.

use super::archive::archive_failure;
use super::catalog_access::catalog_failure;
use crate::config::Config;
use crate::messages::Failure;
use auslese_catalog::{Catalog, StoredCapture};
use auslese_crawl::{ROBOTS_BYTES, RobotsRules, RobotsVerdict, canonical, host_settings};
use auslese_model::{HostName, Method, RequestKey, Storage};
use serde::Serialize;
use std::path::Path;
use url::Url;

/// What robots.txt says.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RobotsStory {
    /// `allowed`, `disallowed` or `unknown`.
    pub(crate) verdict: &'static str,
    /// The line that decided, or why none did.
    pub(crate) why: String,
    /// When it was read, if it was.
    pub(crate) read_at: Option<String>,
}

pub(crate) async fn robots_story(
    url: &Url,
    config: &Config,
    catalog: &Catalog,
    dir: &Path,
) -> Result<RobotsStory, Failure> {
    if !obeyed(url, config) {
        return Ok(unread("allowed", "robots.txt is not asked for, by setting"));
    }
    let Ok(mut place) = url.join("/robots.txt") else {
        return Ok(unread("unknown", "the address has no place for a robots.txt"));
    };
    for _ in 0..=config.crawl.robots.redirects {
        let Some(stored) = last_capture(&place, config, catalog).await? else {
            return not_captured(&place, config, catalog).await;
        };
        match redirect_target(&place, &stored) {
            Some(target) => place = target,
            None => return judged(url, &stored, config, catalog, dir).await,
        }
    }
    Ok(unread("allowed", "its redirects have no end, so there are no rules"))
}

fn obeyed(url: &Url, config: &Config) -> bool {
    let host = HostName::of(url);
    let exception = host.as_ref().and_then(|host| host_settings(&config.crawl.hosts, host));
    exception.and_then(|settings| settings.obey_robots).unwrap_or(config.crawl.robots.obey)
}

fn key_of(url: &Url, config: &Config) -> RequestKey {
    RequestKey::new(Method::Get, &canonical(url, &config.crawl.canonical), &[])
}

async fn last_capture(
    url: &Url,
    config: &Config,
    catalog: &Catalog,
) -> Result<Option<StoredCapture>, Failure> {
    let known = catalog.find_keys(&[key_of(url, config)]).await.map_err(catalog_failure)?;
    let Some(capture) = known.into_values().find_map(|request| request.capture) else {
        return Ok(None);
    };
    catalog.capture(capture).await.map_err(catalog_failure)
}

async fn not_captured(
    url: &Url,
    config: &Config,
    catalog: &Catalog,
) -> Result<RobotsStory, Failure> {
    let known = catalog.find_keys(&[key_of(url, config)]).await.map_err(catalog_failure)?;
    let cause = known.into_values().find_map(|request| request.cause);
    Ok(match cause {
        Some(cause) => unread("disallowed", &format!("it could not be read: {cause}")),
        None => unread("unknown", "no copy of it is in the archive"),
    })
}

fn redirect_target(url: &Url, stored: &StoredCapture) -> Option<Url> {
    let is_redirect = (300..400).contains(&stored.capture.status);
    let location = stored.capture.fields.location.as_deref().filter(|_| is_redirect)?;
    url.join(location).ok()
}

async fn judged(
    url: &Url,
    stored: &StoredCapture,
    config: &Config,
    catalog: &Catalog,
    dir: &Path,
) -> Result<RobotsStory, Failure> {
    let capture = &stored.capture;
    let read_at = Some(capture.at.to_second_text());
    let is_good = (200..300).contains(&capture.status);
    if is_good && capture.fields.content_encoding.is_some() {
        let why = "it was sent compressed; `auslese explain` does not unpack it".to_owned();
        return Ok(RobotsStory { verdict: "unknown", why, read_at });
    }
    let body = if is_good { body_of(stored, config, catalog, dir).await? } else { Vec::new() };
    let rules = RobotsRules::from_answer(capture.status, &body, &config.crawl.robots.agent);
    let (verdict, why) = match rules.judge(url) {
        RobotsVerdict::Allowed { by: Some(line) } => ("allowed", line.to_string()),
        RobotsVerdict::Allowed { by: None } if is_good => {
            ("allowed", "no line speaks of it".to_owned())
        }
        RobotsVerdict::Allowed { by: None } => {
            ("allowed", format!("there is none (status {})", capture.status))
        }
        RobotsVerdict::Disallowed { by } => ("disallowed", by.to_string()),
        RobotsVerdict::Unknown { status } => {
            ("disallowed", format!("it cannot be read for now (status {status})"))
        }
    };
    Ok(RobotsStory { verdict, why, read_at })
}

/// The archived body, of the original if this capture only refers to one.
async fn body_of(
    stored: &StoredCapture,
    config: &Config,
    catalog: &Catalog,
    dir: &Path,
) -> Result<Vec<u8>, Failure> {
    let original = match &stored.capture.storage {
        Storage::Revisit { original, .. } => {
            catalog.capture(*original).await.map_err(catalog_failure)?
        }
        Storage::Stored(_) | Storage::HeaderOnly { .. } => None,
    };
    let Some(place) = original.as_ref().unwrap_or(stored).capture.storage.place() else {
        return Ok(Vec::new());
    };
    let record = config.harvest_dir(dir)?.holdings().read_at(place).map_err(archive_failure)?;
    // One byte more than counts, so that the reader of rules sees that there was more.
    Ok(record.payload.prefix(ROBOTS_BYTES + 1)?)
}

fn unread(verdict: &'static str, why: &str) -> RobotsStory {
    RobotsStory { verdict, why: why.to_owned(), read_at: None }
}

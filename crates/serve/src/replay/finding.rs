//! Finds the capture of a URL that is nearest to a time.
//!
//! A URL is looked up by the key that the crawl gave its request, so whatever the crawl took for the same request is the
//! same here. Where a URL was never asked for, its twin with the other scheme is tried: sites move from one to the other.

use super::address::view_path;
use crate::problem::Problem;
use crate::site::Harvest;
use auslese_catalog::Moment;
use auslese_crawl::{CanonicalRules, canonical};
use auslese_model::{Method, RequestId, RequestKey, Timestamp};
use url::Url;

/// Captures of one URL that are looked at: the newest.
pub(super) const MAX_MOMENTS: usize = 10_000;

/// All captures of a URL that can be shown, in the order of time; at least one.
#[derive(Debug, Clone)]
pub(super) struct Captures {
    pub(super) moments: Vec<(RequestId, Moment)>,
}

impl Captures {
    /// `None` if the URL is not in the archive.
    pub(super) async fn of(harvest: &Harvest, url: &Url) -> Result<Option<Captures>, Problem> {
        for url in [Some(url.clone()), twin(url)].into_iter().flatten() {
            let requests = harvest.catalog.find_keys(&keys(&url, &harvest.canonical)).await?;
            let mut moments = Vec::new();
            for request in requests.values() {
                let found = harvest.catalog.moments(request.id, MAX_MOMENTS).await?;
                moments.extend(found.into_iter().map(|moment| (request.id, moment)));
            }
            moments.sort_by_key(|(_, moment)| (moment.at, moment.capture));
            let is_shown = |moment: &Moment| moment.has_body || is_redirect(moment.status);
            if moments.iter().any(|(_, moment)| is_shown(moment)) {
                moments.retain(|(_, moment)| is_shown(moment));
            }
            if !moments.is_empty() {
                return Ok(Some(Captures { moments }));
            }
        }
        Ok(None)
    }

    /// The place of the capture nearest to a time; of two equally near ones the earlier.
    pub(super) fn nearest(&self, time: Timestamp) -> usize {
        let distance = |at: &usize| self.moments[*at].1.at.0.abs_diff(time.0);
        (0..self.moments.len()).min_by_key(distance).unwrap_or(0)
    }

    pub(super) fn at(&self, place: usize) -> Timestamp {
        self.moments[place].1.at
    }

    pub(super) fn first(&self) -> Timestamp {
        self.at(0)
    }

    pub(super) fn last(&self) -> Timestamp {
        self.at(self.moments.len() - 1)
    }
}

/// The newest capture of a URL: its request, and the page of ours around it; none if it is not in the archive.
pub(crate) async fn newest_copy(
    harvest: &Harvest,
    url: &Url,
) -> Result<Option<(RequestId, String)>, Problem> {
    let captures = Captures::of(harvest, url).await?;
    let newest = captures.and_then(|captures| captures.moments.last().cloned());
    Ok(newest.map(|(request, moment)| (request, view_path(&harvest.name, moment.at, url))))
}

/// The page of ours around a capture, if its URL can be asked for.
pub(crate) fn copy_path(harvest: &str, at: Timestamp, url: &str) -> Option<String> {
    Url::parse(url).ok().map(|url| view_path(harvest, at, &url))
}

pub(super) fn is_redirect(status: u16) -> bool {
    (300..400).contains(&status) && status != 304
}

/// Keys under which a URL may be known: as this harvest makes them, as others do, and as it is.
pub(super) fn keys(url: &Url, rules: &CanonicalRules) -> Vec<RequestKey> {
    let spellings =
        [canonical(url, rules), canonical(url, &CanonicalRules::default()), url.to_string()];
    let mut keys: Vec<RequestKey> = Vec::new();
    for spelling in spellings {
        let key = RequestKey::new(Method::Get, &spelling, &[]);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn twin(url: &Url) -> Option<Url> {
    let scheme = if url.scheme() == "http" { "https" } else { "http" };
    let mut twin = url.clone();
    (url.port().is_none() && twin.set_scheme(scheme).is_ok()).then_some(twin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::CaptureId;

    #[test]
    fn the_nearest_counts() {
        let moment = |at: i64| Moment {
            capture: CaptureId(at),
            at: Timestamp(at),
            status: 200,
            has_body: true,
        };
        let moments = [10, 20, 40].map(|at| (RequestId(1), moment(at))).to_vec();
        let captures = Captures { moments };
        #[rustfmt::skip]
        let cases = [(i64::MIN, 10), (0, 10), (14, 10), (15, 10), (16, 20), (30, 20), (31, 40), (i64::MAX, 40)];
        for (asked, expected) in cases {
            let place = captures.nearest(Timestamp(asked));
            assert_eq!(captures.at(place), Timestamp(expected), "{asked}");
        }
    }

    #[test]
    fn urls_have_their_keys() {
        let keys_of = |url: &str| keys(&Url::parse(url).unwrap(), &CanonicalRules::default());
        let plain = RequestKey::new(Method::Get, "http://a.example/x", &[]);
        assert!(keys_of("http://a.example/x?utm_source=y").contains(&plain));
        assert_eq!(keys_of("http://a.example/x"), [plain]);
        let twin_of = |url: &str| twin(&Url::parse(url).unwrap()).map(String::from);
        assert_eq!(twin_of("http://a.example/x").as_deref(), Some("https://a.example/x"));
        assert_eq!(twin_of("https://a.example:8443/x"), None);
    }
}

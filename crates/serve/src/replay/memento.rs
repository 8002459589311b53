//! Memento (RFC 7089): which captures of a page there are, and which is nearest to a date.

use super::address::{Modifier, replay_path, url_behind};
use super::answer::{MAX_LINKED_URL, insert, not_archived};
use super::finding::Captures;
use super::http_date::http_date;
use crate::guard::Origins;
use crate::problem::Problem;
use crate::site::Site;
use auslese_model::{DateReading, Timestamp, read_http_date};
use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, LINK, LOCATION, VARY};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::sync::Arc;
use url::Url;

const ACCEPT_DATETIME: HeaderName = HeaderName::from_static("accept-datetime");
const LINK_FORMAT: &str = "application/link-format";

/// The captures of one page, and where they are.
pub(super) struct Mementos<'a> {
    pub(super) origins: &'a Origins,
    pub(super) harvest: &'a str,
    pub(super) url: &'a Url,
    pub(super) captures: &'a Captures,
}

impl Mementos<'_> {
    fn memento(&self, at: Timestamp) -> String {
        let path = replay_path(self.harvest, at, Modifier::Page, self.url);
        format!("{}{path}", self.origins.replay)
    }

    fn time_gate(&self) -> String {
        format!("{}/timegate/{}/{}", self.origins.pages, self.harvest, self.url)
    }

    fn time_map(&self, form: &str) -> String {
        format!("{}/timemap/{}/{form}/{}", self.origins.pages, self.harvest, self.url)
    }

    /// A capture as a link; the first and the last say so.
    fn link(&self, place: usize) -> String {
        let last = self.captures.moments.len() - 1;
        let relation = match place {
            0 if last == 0 => "first last memento",
            0 => "first memento",
            place if place == last => "last memento",
            _ => "memento",
        };
        let at = self.captures.at(place);
        format!("<{}>; rel=\"{relation}\"; datetime=\"{}\"", self.memento(at), http_date(at))
    }
}

/// The links of a capture or a time gate: the page, its gate and map, and the captures around.
pub(super) fn link_header(mementos: &Mementos<'_>, place: Option<usize>) -> String {
    let captures = mementos.captures;
    let mut links = vec![
        format!("<{}>; rel=\"original\"", mementos.url),
        format!("<{}>; rel=\"timegate\"", mementos.time_gate()),
        format!(
            "<{}>; rel=\"timemap\"; type=\"{LINK_FORMAT}\"; from=\"{}\"; until=\"{}\"",
            mementos.time_map("link"),
            http_date(captures.first()),
            http_date(captures.last()),
        ),
    ];
    let mut shown = vec![0, captures.moments.len() - 1];
    shown.extend(place);
    shown.sort_unstable();
    shown.dedup();
    links.extend(shown.into_iter().map(|place| mementos.link(place)));
    links.join(", ")
}

/// Leads to the capture nearest to `Accept-Datetime`, or to the newest.
pub(crate) async fn time_gate(
    State(site): State<Arc<Site>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let address = uri.path_and_query().map_or("", |it| it.as_str());
    let harvest = site.harvest(part(address, 1))?;
    let url = url_behind(address, 2)?;
    let wished = headers.get(ACCEPT_DATETIME).map(|it| it.to_str().unwrap_or_default());
    let time = wished_time(wished)?;
    let captures = Captures::of(&harvest, &url).await?.ok_or_else(|| not_archived(&url))?;
    let origins = Origins::of(&site.settings, &headers);
    let mementos =
        Mementos { origins: &origins, harvest: &harvest.name, url: &url, captures: &captures };
    let place = captures.nearest(time);
    let mut response = StatusCode::FOUND.into_response();
    let headers = response.headers_mut();
    insert(headers, LOCATION, &mementos.memento(captures.at(place)));
    insert(headers, VARY, "accept-datetime");
    if url.as_str().len() <= MAX_LINKED_URL {
        insert(headers, LINK, &link_header(&mementos, Some(place)));
    }
    Ok(response)
}

fn wished_time(wished: Option<&str>) -> Result<Timestamp, Problem> {
    let Some(wished) = wished else { return Ok(Timestamp(i64::MAX)) };
    match read_http_date(wished) {
        DateReading::Legal(time) | DateReading::Irregular(time) => Ok(time),
        DateReading::Unreadable => Err(Problem::bad_request(
            "Accept-Datetime is written as in Sun, 15 Nov 2026 21:40:00 GMT.",
            "Accept-Datetime wird geschrieben wie in Sun, 15 Nov 2026 21:40:00 GMT.",
        )
        .detail(wished)),
    }
}

/// All captures of a page, as a list of links or as JSON.
pub(crate) async fn time_map(
    State(site): State<Arc<Site>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let address = uri.path_and_query().map_or("", |it| it.as_str());
    let harvest = site.harvest(part(address, 1))?;
    let form = part(address, 2);
    if !["link", "json"].contains(&form) {
        return Err(Problem::not_found(
            "A time map can be had as link or json.",
            "Eine Time Map gibt es als link oder json.",
        ));
    }
    let url = url_behind(address, 3)?;
    let captures = Captures::of(&harvest, &url).await?.ok_or_else(|| not_archived(&url))?;
    let origins = Origins::of(&site.settings, &headers);
    let mementos =
        Mementos { origins: &origins, harvest: &harvest.name, url: &url, captures: &captures };
    Ok(match form {
        "json" => Json(as_json(&mementos)).into_response(),
        _ => ([(CONTENT_TYPE, LINK_FORMAT)], as_links(&mementos)).into_response(),
    })
}

fn as_links(mementos: &Mementos<'_>) -> String {
    let captures = mementos.captures;
    let mut links = vec![
        format!("<{}>; rel=\"original\"", mementos.url),
        format!(
            "<{}>; rel=\"self\"; type=\"{LINK_FORMAT}\"; from=\"{}\"; until=\"{}\"",
            mementos.time_map("link"),
            http_date(captures.first()),
            http_date(captures.last()),
        ),
        format!("<{}>; rel=\"timegate\"", mementos.time_gate()),
    ];
    links.extend((0..captures.moments.len()).map(|place| mementos.link(place)));
    links.join(",\n") + "\n"
}

fn as_json(mementos: &Mementos<'_>) -> serde_json::Value {
    let captures = mementos.captures;
    let memento =
        |at: Timestamp| json!({ "datetime": at.to_second_text(), "uri": [mementos.memento(at)] });
    let list: Vec<_> = captures.moments.iter().map(|(_, moment)| memento(moment.at)).collect();
    json!({
        "original_uri": mementos.url.as_str(),
        "timegate_uri": mementos.time_gate(),
        "timemap_uri": { "link_format": mementos.time_map("link"), "json_format": mementos.time_map("json") },
        "mementos": { "first": memento(captures.first()), "last": memento(captures.last()), "list": list },
    })
}

/// A part of a path, counted from 0.
pub(super) fn part(address: &str, number: usize) -> &str {
    let path = address.split('?').next().unwrap_or_default();
    path.trim_start_matches('/').split('/').nth(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_catalog::Moment;
    use auslese_model::{CaptureId, RequestId};

    fn captures(seconds: &[i64]) -> Captures {
        let moment = |second: &i64| Moment {
            capture: CaptureId(*second),
            at: Timestamp::from_seconds(1_794_778_800 + second),
            status: 200,
            has_body: true,
        };
        Captures { moments: seconds.iter().map(|it| (RequestId(1), moment(it))).collect() }
    }

    #[test]
    fn links_say_what_they_are() {
        let origins = Origins { pages: "http://p:1".to_owned(), replay: "http://r:2".to_owned() };
        let url = Url::parse("http://a.example/x?y=%3E").unwrap();
        let one = |seconds: &[i64]| {
            let captures = captures(seconds);
            as_links(&Mementos { origins: &origins, harvest: "h", url: &url, captures: &captures })
        };
        assert_eq!(
            one(&[0]),
            "<http://a.example/x?y=%3E>; rel=\"original\",\n\
             <http://p:1/timemap/h/link/http://a.example/x?y=%3E>; rel=\"self\"; type=\"application/link-format\"; \
             from=\"Sun, 15 Nov 2026 21:40:00 GMT\"; until=\"Sun, 15 Nov 2026 21:40:00 GMT\",\n\
             <http://p:1/timegate/h/http://a.example/x?y=%3E>; rel=\"timegate\",\n\
             <http://r:2/h/20261115214000mp_/http://a.example/x?y=%3E>; rel=\"first last memento\"; \
             datetime=\"Sun, 15 Nov 2026 21:40:00 GMT\"\n"
        );
        let three = one(&[0, 1, 2]);
        for relation in ["\"first memento\"", "\"memento\"", "\"last memento\""] {
            assert_eq!(three.matches(relation).count(), 1, "{relation}");
        }
    }

    #[test]
    fn wishes_for_dates() {
        let time = Timestamp::from_seconds(784_111_777);
        let cases = [
            (None, Some(Timestamp(i64::MAX))),
            (Some("Sun, 06 Nov 1994 08:49:37 GMT"), Some(time)),
            (Some("Sunday, 06-Nov-94 08:49:37 GMT"), Some(time)),
            (Some("yesterday"), None),
            (Some(""), None),
        ];
        for (wished, expected) in cases {
            assert_eq!(wished_time(wished).ok(), expected, "{wished:?}");
        }
    }
}

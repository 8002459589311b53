//! Answers of the replay origin: an archived page with all its links led back into the archive.
//!
//! Of the archived header nothing is passed on but a checked type. Whatever the page holds, its browser is told (by
//! [`crate::guard::replay_policy`], on every answer of this origin) to run nothing, send nothing, and fetch from here
//! only. A page that is opened by itself is shown within a page of ours, whose policy keeps the frame from leaving.

use super::address::{Modifier, Wanted, replay_path, view_path};
use super::body::{Archived, decoded, too_large};
use super::finding::{Captures, is_redirect, keys};
use super::http_date::http_date;
use super::media::{LOOKED_AT, Media, Treatment, essence, is_font, looks_like_font};
use super::memento::{Mementos, link_header};
use super::notice::{not_in_a_frame, notice_policy};
use super::stream::stretch;
use crate::guard::Origins;
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::View;
use auslese_archive::Section;
use auslese_markup::{LinkKind, decode_plain, enclose_css, enclose_html};
use auslese_model::{Body as StoredBody, Timestamp};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LOCATION,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, LINK, LOCATION,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use std::sync::Arc;
use url::Url;

/// Bytes of a page, style sheet or drawing that are rewritten; larger ones are not shown.
pub(crate) const MAX_REWRITTEN: usize = 16 << 20;

/// Longest URL that is named in the header `Link`, where it stands several times.
pub(super) const MAX_LINKED_URL: usize = 2_000;

const MEMENTO_DATETIME: HeaderName = HeaderName::from_static("memento-datetime");
const DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");
const SERVICE_WORKER: HeaderName = HeaderName::from_static("service-worker");

pub(crate) async fn replay(
    State(site): State<Arc<Site>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let address = uri.path_and_query().map_or("/", |it| it.as_str());
    if address == "/robots.txt" {
        return Ok("User-agent: *\nDisallow: /\n".into_response());
    }
    let destination = headers.get(DESTINATION).and_then(|it| it.to_str().ok());
    if headers.contains_key(SERVICE_WORKER) || destination.is_some_and(runs_code) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "Archived pages run no code.",
            "Archivierte Seiten führen nichts aus.",
        ));
    }
    let wanted = Wanted::read(address)?;
    let harvest = site.harvest(&wanted.harvest)?;
    let origins = Origins::of(&site.settings, &headers);
    let captures = Captures::of(&harvest, &wanted.url).await?;
    let captures = captures.ok_or_else(|| not_archived(&wanted.url))?;
    let place = captures.nearest(wanted.time);
    let at = captures.at(place);
    if destination == Some("document")
        && matches!(wanted.modifier, Modifier::Page | Modifier::Frame)
    {
        let page = format!("{}{}", origins.pages, view_path(&harvest.name, at, &wanted.url));
        return Ok(redirect(&page));
    }
    // The query of an archived page is not ours.
    let view = View::of(uri.path(), "", &headers, &site);
    let archived = Archived::of(&harvest, captures.moments[place].1.capture).await?;
    let request = Asked { site: &site, harvest: &harvest, wanted: &wanted, at, destination };
    let mut response = match request.redirect_of(&archived)? {
        Some(target) => redirect(&target),
        None => request.show(&archived, &view, &origins).await?,
    };
    let mementos = Mementos {
        origins: &origins,
        harvest: &harvest.name,
        url: &wanted.url,
        captures: &captures,
    };
    let headers = response.headers_mut();
    insert(headers, MEMENTO_DATETIME, &http_date(at));
    if wanted.url.as_str().len() <= MAX_LINKED_URL {
        insert(headers, LINK, &link_header(&mementos, Some(place)));
    }
    let here = replay_path(&harvest.name, at, wanted.modifier, &wanted.url);
    insert(headers, CONTENT_LOCATION, &here);
    Ok(response)
}

/// One request with what was found for it.
struct Asked<'a> {
    site: &'a Site,
    harvest: &'a Arc<Harvest>,
    wanted: &'a Wanted,
    at: Timestamp,
    destination: Option<&'a str>,
}

impl Asked<'_> {
    /// Where an archived redirect leads, as an address of this origin.
    fn redirect_of(&self, archived: &Archived) -> Result<Option<String>, Problem> {
        let answer = archived.described();
        let Some(location) =
            answer.fields.location.as_deref().filter(|_| is_redirect(answer.status))
        else {
            return Ok(None);
        };
        let joined = self.wanted.url.join(location.trim()).ok();
        let target =
            joined.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let Some(mut target) = target else { return Err(leads_nowhere(location)) };
        target.set_fragment(None);
        let rules = &self.harvest.canonical;
        if keys(&target, rules) == keys(&self.wanted.url, rules) {
            return Err(leads_nowhere(location));
        }
        Ok(Some(replay_path(&self.harvest.name, self.at, self.wanted.modifier, &target)))
    }

    async fn show(
        &self,
        archived: &Archived,
        view: &View,
        origins: &Origins,
    ) -> Result<Response, Problem> {
        let received = archived.received(self.site, self.harvest).await?;
        if self.wanted.modifier == Modifier::Identity {
            let coding = received.headers.get("content-encoding");
            return Ok(identity(archived.content_type(), coding.as_deref(), received.body));
        }
        let body = self.site.work(move || decoded(received)).await??;
        let read = body.prefix(LOOKED_AT);
        let beginning = read.map_err(|error| Problem::internal("an archived body", &error))?;
        let media =
            Media::of(archived.content_type(), self.wanted.modifier, self.destination, &beginning);
        let in_frame = matches!(self.destination, Some("document" | "iframe" | "frame"));
        if in_frame && !media.is_shown() {
            let page = view_path(&self.harvest.name, self.at, &self.wanted.url);
            let page = format!("{}{page}", origins.pages);
            let notice = not_in_a_frame(view, &media.media_type, body.len(), &page);
            let mut response = Html(notice.into_string()).into_response();
            let is_within = self.wanted.modifier == Modifier::Frame;
            let policy = notice_policy((!is_within).then_some(&*origins.pages));
            insert(response.headers_mut(), CONTENT_SECURITY_POLICY, &policy);
            return Ok(response);
        }
        let font = is_font(&media.media_type) && looks_like_font(&beginning);
        let charset = archived.charset();
        let mut response = self.body(media, charset, body).await?;
        *response.status_mut() = shown_status(archived.described().status);
        // Browsers ask for fonts as from another origin, which a sandbox always is. Only they can ask like this.
        if font && self.destination == Some("font") {
            insert(response.headers_mut(), ACCESS_CONTROL_ALLOW_ORIGIN, "null");
        }
        Ok(response)
    }

    async fn body(
        &self,
        media: Media,
        charset: Option<String>,
        body: StoredBody,
    ) -> Result<Response, Problem> {
        let Media { media_type, treatment } = media;
        if matches!(treatment, Treatment::Shown | Treatment::Taken) {
            return Ok(typed(&media_type, sent(body)));
        }
        if treatment == Treatment::Text {
            let read = body.prefix(LOOKED_AT);
            let start = read.map_err(|error| Problem::internal("an archived body", &error))?;
            let (_, charset) = decode_plain(&start, charset.as_deref());
            return Ok(typed(&format!("{media_type}; charset={}", charset.name), sent(body)));
        }
        if body.len() > MAX_REWRITTEN as u64 {
            return Err(too_large());
        }
        // Links of a page in a frame lead to pages in that frame.
        let here = match self.wanted.modifier {
            Modifier::Frame => Modifier::Frame,
            _ => Modifier::Page,
        };
        let (harvest, at, url) = (self.harvest.name.clone(), self.at, self.wanted.url.clone());
        let rewritten = self.site.work(move || {
            let bytes = match body {
                StoredBody::Memory(bytes) => bytes,
                spilled @ StoredBody::Spilled { .. } => spilled.prefix(MAX_REWRITTEN)?,
            };
            let enclose = if treatment == Treatment::Css { enclose_css } else { enclose_html };
            std::io::Result::Ok(enclose(&bytes, charset.as_deref(), &url, &mut |target, kind| {
                let modifier = match kind {
                    LinkKind::Frame => Modifier::Frame,
                    LinkKind::Page | LinkKind::Form => here,
                    LinkKind::Embedded => Modifier::Page,
                };
                Some(replay_path(&harvest, at, modifier, target))
            }))
        });
        let page =
            rewritten.await?.map_err(|error| Problem::internal("an archived body", &error))?;
        let content_type = format!("{media_type}; charset={}", page.charset.name);
        Ok(typed(&content_type, Body::from(page.bytes)))
    }
}

/// What a browser would run, or hand to a program of its own.
fn runs_code(destination: &str) -> bool {
    const CODE: [&str; 11] = [
        "script",
        "worker",
        "sharedworker",
        "serviceworker",
        "audioworklet",
        "paintworklet",
        "xslt",
        "manifest",
        "object",
        "embed",
        "webidentity",
    ];
    CODE.contains(&destination)
}

/// Bytes as they were archived, to be taken away.
fn identity(content_type: Option<&str>, coding: Option<&str>, body: StoredBody) -> Response {
    const CODINGS: [&str; 5] = ["gzip", "x-gzip", "deflate", "br", "zstd"];
    let media_type = content_type.and_then(essence);
    let media_type = media_type.unwrap_or_else(|| "application/octet-stream".to_owned());
    let mut response = typed(&media_type, sent(body));
    let headers = response.headers_mut();
    insert(headers, CONTENT_DISPOSITION, "attachment");
    let coding = coding.map(|coding| coding.trim().to_ascii_lowercase());
    if let Some(coding) = coding.filter(|coding| CODINGS.contains(&coding.as_str())) {
        insert(headers, CONTENT_ENCODING, &coding);
    }
    response
}

/// The status under which an archived answer is shown. Some would make a browser ask again, or show nothing.
fn shown_status(archived: u16) -> StatusCode {
    match archived {
        403 | 404 | 410 | 451 | 500 | 503 => StatusCode::from_u16(archived).unwrap_or_default(),
        400..500 => StatusCode::NOT_FOUND,
        500.. => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::OK,
    }
}

fn sent(body: StoredBody) -> Body {
    match body {
        StoredBody::Memory(bytes) => Body::from(bytes),
        StoredBody::Spilled { file, len } => stretch(Section::new(file, 0, len)),
    }
}

fn typed(content_type: &str, body: Body) -> Response {
    let mut response = Response::new(body);
    insert(response.headers_mut(), CONTENT_TYPE, content_type);
    response
}

fn redirect(target: &str) -> Response {
    let mut response = StatusCode::FOUND.into_response();
    insert(response.headers_mut(), LOCATION, target);
    response
}

pub(super) fn insert(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

pub(super) fn not_archived(url: &Url) -> Problem {
    Problem::not_found(
        "This page is not in the archive. It may not have been found, or not have been wanted.",
        "Diese Seite ist nicht im Archiv. Vielleicht wurde sie nicht gefunden, vielleicht war sie nicht gewollt.",
    )
    .detail(url.as_str())
}

fn leads_nowhere(location: &str) -> Problem {
    Problem::not_found(
        "The server redirected this address, but to no other page.",
        "Der Server leitete diese Adresse weiter, aber auf keine andere Seite.",
    )
    .detail(location)
}

//! The page of ours around an archived one: what it is, when it was taken, its other versions, and itself in a frame.
//!
//! A link within the frame changes the frame and not this page, which cannot see where the frame has gone. So the head
//! speaks of the capture that was asked for.

use super::address::{Modifier, read_time, replay_path, url_behind, view_path};
use super::answer::not_archived;
use super::body::Archived;
use super::finding::{Captures, is_redirect};
use super::media::Media;
use super::memento::part;
use crate::guard::Origins;
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_model::{Storage, Timestamp};
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct ArchivedPage {
    harvest: String,
    url: String,
    title: Option<String>,
    captured: Timestamp,
    /// What was asked for, if the capture is of another time.
    asked: Option<Timestamp>,
    status: u16,
    media_type: String,
    bytes: u64,
    /// Why there is no body, if there is none.
    not_kept: Option<String>,
    version: usize,
    versions: usize,
    earlier: Option<Neighbour>,
    later: Option<Neighbour>,
    /// The archived page on the replay origin; none if a frame cannot show it.
    frame: Option<String>,
    /// The archived bytes.
    download: String,
    /// The document's page on this site.
    document: String,
    record: Option<String>,
    time_map: String,
}

#[derive(Debug, Serialize)]
struct Neighbour {
    captured: Timestamp,
    page: String,
}

pub(crate) async fn archived_page(
    State(site): State<Arc<Site>>,
    view: View,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let address = uri.path_and_query().map_or("", |it| it.as_str());
    let harvest = site.harvest(part(address, 1))?;
    let time = read_time(part(address, 2))?;
    let url = url_behind(address, 3)?;
    let captures = Captures::of(&harvest, &url).await?.ok_or_else(|| not_archived(&url))?;
    let place = captures.nearest(time);
    let (request, moment) = captures.moments[place];
    let archived = Archived::of(&harvest, moment.capture).await?;
    let content = harvest.catalog.content(archived.source.id).await?;
    let title = content.and_then(|content| content.title).filter(|it| !it.trim().is_empty());
    let media = Media::of(archived.content_type(), Modifier::Page, None, b"");
    let not_kept = match &archived.source.storage {
        Storage::HeaderOnly { reason } => Some(reason.clone()),
        Storage::Stored(_) | Storage::Revisit { .. } => None,
    };
    let replay = Origins::of(&site.settings, &headers).replay;
    let name = harvest.name.as_str();
    let on_replay = |modifier| format!("{replay}{}", replay_path(name, moment.at, modifier, &url));
    // A body without a type may turn out to be a page.
    let is_shown = media.is_shown() || archived.content_type().is_none();
    let has_frame = is_shown && not_kept.is_none() || is_redirect(archived.described().status);
    let neighbour = |place: Option<usize>| {
        let captured = captures.moments.get(place?)?.1.at;
        Some(Neighbour { captured, page: view_path(name, captured, &url) })
    };
    let escaped = view_path(name, moment.at, &url);
    let page = ArchivedPage {
        harvest: name.to_owned(),
        url: url.to_string(),
        title,
        captured: moment.at,
        asked: (time.0 != i64::MAX && time.seconds() != moment.at.seconds()).then_some(time),
        status: archived.described().status,
        media_type: media.media_type,
        bytes: archived.source.payload_length,
        not_kept,
        version: place + 1,
        versions: captures.moments.len(),
        earlier: neighbour(place.checked_sub(1)),
        later: neighbour(Some(place + 1)),
        frame: has_frame.then(|| on_replay(Modifier::Page)),
        download: on_replay(Modifier::Identity),
        document: format!("/doc/{name}/{}", request.0),
        record: archived
            .capture
            .storage
            .place()
            .map(|_| format!("/warc/{name}/{}", moment.capture.0)),
        time_map: format!("/timemap/{name}/link/{url}"),
    };
    // Parameters of this page must not become part of the archived address.
    Ok(View { path: escaped, ..view }.answer(&page))
}

impl Page for ArchivedPage {
    fn section(&self) -> Section {
        Section::None
    }

    fn title(&self, view: &View) -> String {
        let title = self.title.as_deref().unwrap_or(&self.url);
        format!("{title} – {}", view.say("archived", "archiviert"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            div .archived {
                (self.head(view))
                @if let Some(asked) = self.asked {
                    p .note { (view.say("This is the capture nearest to ", "Das ist die Aufnahme, die am nächsten liegt bei ")) (date_time(asked)) "." }
                }
                @match (&self.frame, &self.not_kept) {
                    (Some(frame), _) => {
                        iframe src=(frame) title=(view.say("Archived page", "Archivierte Seite"))
                            sandbox="allow-top-navigation-by-user-activation" referrerpolicy="no-referrer" {}
                    }
                    (None, Some(reason)) => {
                        (empty_note(view.say("This was fetched, but only its header was kept.", "Dies wurde abgerufen, aber nur der Kopf der Antwort wurde aufgehoben.")))
                        p .soft { (reason) }
                    }
                    (None, None) => {
                        div .empty {
                            p { (view.say("A frame cannot show documents of this type: ", "Dokumente dieser Art kann ein Rahmen nicht zeigen: ")) code { (self.media_type) } }
                            p { a .button href=(self.download) { (view.say("Download", "Herunterladen")) " (" (view.tongue.size(self.bytes)) ")" } }
                        }
                    }
                }
            }
        }
    }
}

impl ArchivedPage {
    fn head(&self, view: &View) -> Markup {
        let title = self.title.as_deref().unwrap_or(&self.url);
        html! {
            header .banner {
                div {
                    h1 { (title) }
                    p .address { (self.url) }
                }
                p .moment {
                    span .tag { (view.say("Archived copy", "Archivierte Fassung")) } " "
                    (date_time(self.captured)) " · "
                    @if self.versions > 1 {
                        (view.say("version ", "Fassung ")) (view.tongue.number(self.version as u64))
                        (view.say(" of ", " von ")) (view.tongue.number(self.versions as u64))
                    } @else {
                        (view.say("the only version", "die einzige Fassung"))
                    }
                    @if self.status >= 400 { " · " span .tag.bad { "HTTP " (self.status) } }
                }
                nav .moment aria-label=(view.say("Versions", "Fassungen")) {
                    @if let Some(earlier) = &self.earlier {
                        a rel="prev" href=(earlier.page) { "← " (view.say("earlier", "früher")) " (" (date_time(earlier.captured)) ")" }
                    }
                    @if let Some(later) = &self.later {
                        a rel="next" href=(later.page) { (view.say("later", "später")) " (" (date_time(later.captured)) ") →" }
                    }
                    a href=(self.document) { (view.say("About the document", "Zum Dokument")) }
                    @if let Some(record) = &self.record { a href=(record) { (view.say("WARC record", "WARC-Datensatz")) } }
                    a href=(self.time_map) { (view.say("Time map", "Time Map")) }
                }
            }
        }
    }
}

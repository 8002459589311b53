//! The document as it looked: the archived page in a frame from the replay origin, which can do nothing; papers as the
//! layout of their pages.

use super::head::{Head, Side, cannot_show};
use super::layout::{MAX_LAYOUT_PAGES, ShownLayout};
use super::subject::{StoredPlace, Subject, is_document};
use crate::guard::Origins;
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_harvest::paper_layout;
use auslese_model::{Capture, Format, Timestamp};
use auslese_reader::Request;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct PageTab {
    #[serde(flatten)]
    head: Head,
    shown: Option<ShownCapture>,
    /// The archived page, on the origin for archived pages.
    replay: Option<String>,
    layout: Option<ShownLayout>,
    /// Why nothing can be shown.
    why_not: Option<String>,
    #[serde(skip)]
    record: Option<String>,
}

/// Which capture is shown, and where it stands among the others.
#[derive(Debug, Serialize)]
struct ShownCapture {
    capture: i64,
    at: Timestamp,
    status: u16,
    /// From 1.
    number: usize,
    of: usize,
    /// Addresses of the captures before and after it.
    previous: Option<String>,
    next: Option<String>,
}

pub(super) async fn page_tab(
    State(site): State<Arc<Site>>,
    view: View,
    headers: HeaderMap,
    subject: Subject,
) -> Result<Response, Problem> {
    let mut page = PageTab {
        head: Head::of(&subject),
        shown: None,
        replay: None,
        layout: None,
        why_not: None,
        record: None,
    };
    let Some(capture) = subject.asked()?.cloned() else {
        page.why_not = Some("there is no capture".to_owned());
        return Ok(view.answer(&page));
    };
    page.shown = Some(ShownCapture::of(&subject, &capture));
    page.record = Some(format!("/warc/{}/{}", subject.harvest.name, capture.id.0));
    if subject.format() == Some(Format::Paper) {
        match layout(&site, &subject, &capture).await? {
            Ok(layout) => page.layout = Some(layout),
            Err(why) => page.why_not = Some(why),
        }
    } else {
        match subject.stored(&capture).await? {
            StoredPlace::Here(_) => {
                let origin = Origins::of(&site.settings, &headers).replay;
                page.replay = Some(replay_address(&origin, &subject, &capture));
            }
            StoredPlace::Nowhere(why) => page.why_not = Some(why),
        }
    }
    Ok(view.answer(&page))
}

/// The archived page on the origin for archived pages.
pub(super) fn replay_address(origin: &str, subject: &Subject, capture: &Capture) -> String {
    let (harvest, at) = (&subject.harvest.name, capture.at.digits14());
    format!("{origin}/{harvest}/{at}mp_/{}", subject.request.url)
}

/// Reads a paper in a confined process; or says why it cannot be read.
pub(super) async fn layout(
    site: &Arc<Site>,
    subject: &Subject,
    capture: &Capture,
) -> Result<Result<ShownLayout, String>, Problem> {
    let (stored, body) = match subject.body(site, capture).await? {
        Ok(read) => read,
        Err(why) => return Ok(Err(why)),
    };
    let readers = site.readers.clone();
    let name = subject.request.url.clone();
    let read = move || {
        let media_type = stored.fields.media_type().unwrap_or_default();
        let request = Request {
            name: &name,
            mime_type: &media_type,
            pages: Some(MAX_LAYOUT_PAGES as u32),
            bytes: &body.bytes,
            ..Request::default()
        };
        paper_layout(&readers, &request)
    };
    let number = subject.parameter("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let described = subject.described.as_ref();
    // Statements are about one body; those of another version stand elsewhere.
    let described =
        described.filter(|it| Some(it.described.capture) == super::subject::storing(capture));
    let description = described.map(|listed| &listed.described.description);
    Ok(site.work(read).await?.map(|text| ShownLayout::of(text, number, description)))
}

impl ShownCapture {
    fn of(subject: &Subject, capture: &Capture) -> ShownCapture {
        let all = subject.captures.iter().map(|stored| &stored.capture);
        let documents: Vec<&Capture> =
            all.filter(|it| is_document(it) || it.id == capture.id).collect();
        let number = documents.iter().position(|it| it.id == capture.id).unwrap_or(0);
        let address = |at: Option<usize>| {
            let other = documents.get(at?)?;
            Some(format!("{}?capture={}", subject.address("page"), other.id.0))
        };
        ShownCapture {
            capture: capture.id.0,
            at: capture.at,
            status: capture.status,
            number: number + 1,
            of: documents.len(),
            previous: address(number.checked_sub(1)),
            next: address(Some(number + 1)),
        }
    }

    fn banner(&self, view: &View, versions: &str) -> Markup {
        html! {
            div .capture-banner {
                span .steps {
                    @match &self.previous {
                        Some(address) => a rel="prev" href=(address) title=(view.say("earlier", "früher")) { "←" },
                        None => span .soft aria-hidden="true" { "←" },
                    }
                    a href=(versions) { (self.number) " " (view.say("of", "von")) " " (self.of) }
                    @match &self.next {
                        Some(address) => a rel="next" href=(address) title=(view.say("later", "später")) { "→" },
                        None => span .soft aria-hidden="true" { "→" },
                    }
                }
                span { (view.say("Archived copy, captured ", "Archivierte Kopie, aufgenommen ")) strong { (date_time(self.at)) } }
                @if !(200..300).contains(&self.status) { span .tag .doubt { "Status " (self.status) } }
            }
        }
    }
}

impl Page for PageTab {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Page)
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (self.head.markup(view, Side::Page))
            @if let Some(shown) = &self.shown { (shown.banner(view, &self.head.address(Side::Versions))) }
            @if let Some(why) = &self.why_not {
                (cannot_show(view, why))
                @if let Some(record) = self.record.as_ref().filter(|_| self.layout.is_none()) {
                    p { a href=(self.head.address(Side::Record)) { (view.say("What the server answered", "Was der Server antwortete")) } " · " a href=(record) { (view.say("raw record", "roher Datensatz")) } }
                }
            }
            @if let Some(address) = &self.replay {
                iframe .replay src=(address) title=(view.say("The archived page", "Die archivierte Seite")) sandbox="" referrerpolicy="no-referrer" loading="lazy" {}
                p .soft { small { (view.say(
                    "Shown without scripts and forms; links lead to other archived pages.",
                    "Ohne Skripte und Formulare gezeigt; Verweise führen zu anderen archivierten Seiten.",
                )) " " a href=(address) { (view.say("Open alone", "Allein öffnen")) } } }
            }
            @if let Some(layout) = &self.layout { (layout.markup(view, &self.head.address(Side::Overview))) }
            @if self.shown.is_none() {
                (empty_note(view.say("This address was never captured.", "Diese Adresse wurde nie aufgenommen.")))
            }
        }
    }
}

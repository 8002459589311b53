//! Links: what the page links to and whether that is archived, who links to it and with which words, and redirects.

use super::head::{Head, Side, cannot_show};
use super::subject::Subject;
use super::words;
use crate::look::{Section, date_time, empty_note, pager};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_catalog::{BriefDocument, DocumentLink, KnownRequest};
use auslese_corpus::{MAX_TARGETS, Reading, Target};
use auslese_crawl::{CanonicalRules, canonical};
use auslese_model::{Capture, Format, Method, RequestId, RequestKey, TargetKind, Timestamp};
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use url::Url;

/// Links of one page that are shown.
pub(crate) const MAX_LINKS_SHOWN: usize = 500;
/// Documents that link to one: how many are counted, and how many are listed at a time.
pub(crate) const MAX_LINKS_COUNTED: usize = 10_000;
const LINKS_AT_A_TIME: usize = 25;

#[derive(Debug, Serialize)]
struct Links {
    #[serde(flatten)]
    head: Head,
    redirects: Vec<Redirect>,
    links_out: Vec<LinkOut>,
    /// Links beyond the limit.
    left_out: usize,
    links_in: Vec<LinkIn>,
    /// At most [`MAX_LINKS_COUNTED`].
    links_in_count: u64,
    page: usize,
    why_not: Option<String>,
}

/// A link of the page.
#[derive(Debug, Serialize)]
struct LinkOut {
    url: String,
    kind: TargetKind,
    text: Option<String>,
    /// Its page here, if it is known.
    page: Option<String>,
    title: Option<String>,
    /// Whether its newest answer was a document.
    is_archived: bool,
    state: Option<&'static str>,
    #[serde(skip)]
    known_state: Option<auslese_model::State>,
}

#[derive(Debug, Serialize)]
struct LinkIn {
    page: String,
    url: String,
    title: Option<String>,
    kind: TargetKind,
    text: Option<String>,
}

/// From where to where a server sent whoever asked.
#[derive(Debug, Serialize)]
struct Redirect {
    at: Option<Timestamp>,
    status: Option<u16>,
    from: Option<Place>,
    to: Option<Place>,
}

#[derive(Debug, Clone, Serialize)]
struct Place {
    url: String,
    page: Option<String>,
}

pub(super) async fn links(
    State(site): State<Arc<Site>>,
    view: View,
    subject: Subject,
) -> Result<Response, Problem> {
    let catalog = &subject.harvest.catalog;
    let pages = MAX_LINKS_COUNTED / LINKS_AT_A_TIME;
    let page =
        subject.parameter("page").and_then(|page| page.parse().ok()).unwrap_or(1).clamp(1, pages);
    let links_in_count = catalog.count_links_to(subject.id(), MAX_LINKS_COUNTED).await?;
    let links_in =
        catalog.links_to(subject.id(), (page - 1) * LINKS_AT_A_TIME, LINKS_AT_A_TIME).await?;
    let (targets, why_not) = match targets(&site, &subject).await {
        Ok(Ok(targets)) => (targets, None),
        Ok(Err(why)) => (Vec::new(), Some(why)),
        // What links to it is known all the same.
        Err(problem) => (Vec::new(), Some(view.say(problem.english, problem.german))),
    };
    let noted = match subject.content_id() {
        Some(content) => catalog.links_from(content, MAX_TARGETS).await?,
        None => Vec::new(),
    };
    let (mut links_out, left_out) = joined(targets, noted);
    let known = known_targets(&subject, &links_out).await?;
    for link in &mut links_out {
        link.1 = link.1.or_else(|| known.get(&link.0.url).map(|known| known.id));
    }
    let around: Vec<RequestId> = links_out
        .iter()
        .filter_map(|(_, request)| *request)
        .chain(links_in.iter().map(|link| link.request))
        .collect();
    let run = subject.described.as_ref().map(|listed| listed.run);
    let brief = catalog.brief_documents(&around, run).await?;
    let redirects = redirects(&subject).await?;
    Ok(view.answer(&Links {
        redirects,
        links_out: links_out
            .into_iter()
            .map(|(link, id)| link.known(id, &brief, &subject))
            .collect(),
        left_out,
        links_in: links_in.into_iter().map(|link| LinkIn::of(link, &brief, &subject)).collect(),
        links_in_count,
        page,
        why_not,
        head: Head::of(&subject),
    }))
}

/// What the archived page links to, as its reader finds it.
async fn targets(site: &Site, subject: &Subject) -> Result<Result<Vec<Target>, String>, Problem> {
    let Some(capture) = subject.standing().filter(|_| subject.format() == Some(Format::Html))
    else {
        return Ok(Ok(Vec::new()));
    };
    let (stored, body) = match subject.body(site, capture).await? {
        Ok(read) => read,
        Err(why) => return Ok(Err(why)),
    };
    let Ok(url) = Url::parse(&subject.request.url) else { return Ok(Ok(Vec::new())) };
    site.work(move || {
        let (media_type, charset) = (stored.fields.media_type(), stored.fields.charset());
        Ok(Reading::of(&body.bytes, media_type.as_deref(), charset.as_deref(), &url).targets)
    })
    .await
}

type NumberedLink = (LinkOut, Option<RequestId>);

/// The links of the page, with the requests that the catalog noted; and how many are beyond the limit.
fn joined(targets: Vec<Target>, noted: Vec<DocumentLink>) -> (Vec<NumberedLink>, usize) {
    let by_url: HashMap<&str, RequestId> =
        noted.iter().map(|link| (link.url.as_str(), link.request)).collect();
    let mut links: Vec<NumberedLink> = Vec::new();
    for target in targets {
        let request = by_url.get(target.url.as_str()).copied();
        links.push((LinkOut::new(target.url.into(), target.kind, target.text), request));
    }
    // Of a body that cannot be read, what the catalog noted is still there.
    if links.is_empty() {
        let known =
            |link: DocumentLink| (LinkOut::new(link.url, link.kind, link.text), Some(link.request));
        links.extend(noted.into_iter().map(known));
    }
    // Links that lead somewhere come before what the page only needs to be shown.
    links.sort_by_key(|(link, _)| link.kind == TargetKind::Embedded);
    let left_out = links.len().saturating_sub(MAX_LINKS_SHOWN);
    links.truncate(MAX_LINKS_SHOWN);
    (links, left_out)
}

/// Those links that the frontier knows under another spelling.
async fn known_targets(
    subject: &Subject,
    links: &[NumberedLink],
) -> Result<HashMap<String, KnownRequest>, Problem> {
    let unknown = links.iter().filter(|(_, request)| request.is_none());
    let keys: Vec<(String, RequestKey)> =
        unknown.filter_map(|(link, _)| Some((link.url.clone(), key(&link.url)?))).collect();
    let asked: Vec<RequestKey> = keys.iter().map(|(_, key)| *key).collect();
    let found = subject.harvest.catalog.find_keys(&asked).await?;
    Ok(keys.into_iter().filter_map(|(url, key)| Some((url, found.get(&key)?.clone()))).collect())
}

fn key(url: &str) -> Option<RequestKey> {
    let url = Url::parse(url).ok()?;
    Some(RequestKey::new(Method::Get, &canonical(&url, &CanonicalRules::default()), &[]))
}

/// Where answers of this address led to, and whose answer led here.
async fn redirects(subject: &Subject) -> Result<Vec<Redirect>, Problem> {
    let catalog = &subject.harvest.catalog;
    let page = |id: RequestId| format!("/doc/{}/{}", subject.harvest.name, id.0);
    let mut redirects = Vec::new();
    if subject.request.hops.0.ends_with('R')
        && let Some(via) = subject.request.via
        && let Some(from) = catalog.request(via).await?
    {
        let from = Place { url: from.url, page: Some(page(via)) };
        redirects.push(Redirect { at: None, status: None, from: Some(from), to: None });
    }
    let base = Url::parse(&subject.request.url).ok();
    let mut last: Option<String> = None;
    for capture in subject.captures.iter().rev().map(|stored| &stored.capture) {
        let Some(to) = leads_to(capture, base.as_ref()) else { continue };
        if last.as_ref() == Some(&to) {
            continue;
        }
        let found = match key(&to) {
            Some(key) => catalog.find_keys(&[key]).await?.remove(&key),
            None => None,
        };
        let place = Place { url: to.clone(), page: found.map(|known| page(known.id)) };
        let (at, status) = (Some(capture.at), Some(capture.status));
        redirects.push(Redirect { at, status, from: None, to: Some(place) });
        last = Some(to);
        if redirects.len() > MAX_REDIRECTS {
            break;
        }
    }
    Ok(redirects)
}

/// Redirects of one address that are shown.
const MAX_REDIRECTS: usize = 20;

fn leads_to(capture: &Capture, base: Option<&Url>) -> Option<String> {
    if !matches!(capture.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = capture.fields.location.as_deref()?.trim();
    let joined = base.and_then(|base| base.join(location).ok());
    Some(joined.map_or_else(|| location.to_owned(), Into::into))
}

impl LinkOut {
    fn new(url: String, kind: TargetKind, text: Option<String>) -> LinkOut {
        let (page, title, state, known_state) = (None, None, None, None);
        LinkOut { url, kind, text, page, title, is_archived: false, state, known_state }
    }

    fn known(
        self,
        request: Option<RequestId>,
        brief: &BTreeMap<RequestId, BriefDocument>,
        subject: &Subject,
    ) -> LinkOut {
        let Some(brief) = request.and_then(|request| brief.get(&request)) else { return self };
        LinkOut {
            page: Some(format!("/doc/{}/{}", subject.harvest.name, brief.request.0)),
            title: brief.title.clone(),
            is_archived: brief.is_there,
            state: Some(brief.state.as_str()),
            known_state: Some(brief.state),
            ..self
        }
    }

    fn status(&self, view: &View) -> Markup {
        html! {
            @if self.is_archived { span .tag .good { (view.say("archived", "archiviert")) } }
            @else if let Some(state) = self.known_state {
                @let answered = view.say("no document", "kein Dokument");
                span .tag .doubt { (if state == auslese_model::State::Done { answered } else { words::state(view, state) }) }
            }
            @else { span .tag { (view.say("not in the harvest", "nicht in der Ernte")) } }
        }
    }
}

impl LinkIn {
    fn of(
        link: DocumentLink,
        brief: &BTreeMap<RequestId, BriefDocument>,
        subject: &Subject,
    ) -> LinkIn {
        LinkIn {
            page: format!("/doc/{}/{}", subject.harvest.name, link.request.0),
            title: brief.get(&link.request).and_then(|brief| brief.title.clone()),
            url: link.url,
            kind: link.kind,
            text: link.text,
        }
    }
}

impl Links {
    fn out(&self, view: &View) -> Markup {
        let archived = self.links_out.iter().filter(|link| link.is_archived).count();
        html! {
            h2 { (view.say("Links of this document", "Verweise dieses Dokuments")) }
            @if let Some(why) = &self.why_not { (cannot_show(view, why)) }
            @if self.links_out.is_empty() {
                (empty_note(view.say("No links are known of this document.", "Von diesem Dokument sind keine Verweise bekannt.")))
            } @else {
                p .soft {
                    (self.links_out.len() + self.left_out) " " (view.say("addresses, of those shown ", "Adressen, davon gezeigt und archiviert: ")) (archived) (view.say(" archived", ""))
                }
                div .scroll tabindex="0" { table .links {
                    thead { tr { th { (view.say("Words", "Worte")) } th { (view.say("Leads to", "Führt zu")) } th { (view.say("Kind", "Art")) } th { (view.say("Archive", "Archiv")) } } }
                    tbody { @for link in &self.links_out {
                        tr {
                            td .break { @match &link.text { Some(text) => (text), None => span .soft { "–" } } }
                            td .break {
                                @match &link.page {
                                    Some(page) => { a href=(page) { (link.title.as_deref().unwrap_or(&link.url)) } @if link.title.is_some() { br; small { (link.url) } } },
                                    None => (link.url),
                                }
                            }
                            td { (words::target_kind(view, link.kind)) }
                            td { (link.status(view)) }
                        }
                    } }
                } }
                @if self.left_out > 0 { p .note { (self.left_out) " " (view.say("further links are not shown.", "weitere Verweise sind nicht gezeigt.")) } }
            }
        }
    }

    fn linking_here(&self, view: &View) -> Markup {
        let is_more = self.links_in_count >= MAX_LINKS_COUNTED as u64;
        html! {
            h2 #in { (view.say("Documents that link here", "Dokumente, die hierher verweisen")) }
            @if self.links_in.is_empty() {
                (empty_note(view.say("No document of this harvest links here.", "Kein Dokument dieser Ernte verweist hierher.")))
            } @else {
                p .soft { @if is_more { (view.say("at least ", "mindestens ")) } (view.tongue.number(self.links_in_count)) " " (view.say("documents", "Dokumente")) }
                div .scroll tabindex="0" { table .links {
                    thead { tr { th { (view.say("Words of the link", "Worte des Verweises")) } th { (view.say("Document", "Dokument")) } } }
                    tbody { @for link in &self.links_in {
                        tr {
                            td .break { @match &link.text { Some(text) => (text), None => span .soft { (words::target_kind(view, link.kind)) } } }
                            td .break { a href=(link.page) { (link.title.as_deref().unwrap_or(&link.url)) } @if link.title.is_some() { br; small { (link.url) } } }
                        }
                    } }
                } }
                (pager(view, self.page, (self.links_in_count as usize).div_ceil(LINKS_AT_A_TIME)))
            }
        }
    }

    fn redirects(&self, view: &View) -> Markup {
        let place = |place: &Place| {
            html! {
                @match &place.page { Some(page) => a href=(page) { (place.url) }, None => (place.url) }
            }
        };
        html! {
            @if !self.redirects.is_empty() {
                h2 { (view.say("Redirects", "Umleitungen")) }
                ul .redirects { @for redirect in &self.redirects {
                    li {
                        @if let Some(from) = &redirect.from { (view.say("Found by the redirect of ", "Gefunden durch die Umleitung von ")) (place(from)) }
                        @if let Some(to) = &redirect.to { (view.say("Redirects to ", "Leitet um zu ")) (place(to)) }
                        @if let (Some(status), Some(at)) = (redirect.status, redirect.at) { " " span .tag { (status) } " " small { (date_time(at)) } }
                    }
                } }
            }
        }
    }
}

impl Page for Links {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Links)
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (self.head.markup(view, Side::Links))
            (self.redirects(view))
            (self.linking_here(view))
            (self.out(view))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str, kind: TargetKind) -> Target {
        Target { url: Url::parse(url).unwrap(), kind, text: None }
    }

    #[test]
    fn links_come_before_what_is_embedded() {
        let targets = vec![
            target("http://a.example/x.gif", TargetKind::Embedded),
            target("http://a.example/1", TargetKind::Page),
            target("http://a.example/2", TargetKind::Page),
        ];
        let noted = vec![DocumentLink {
            request: RequestId(7),
            url: "http://a.example/2".to_owned(),
            kind: TargetKind::Page,
            text: None,
        }];
        let (links, left_out) = joined(targets, noted.clone());
        let shown: Vec<(&str, Option<i64>)> =
            links.iter().map(|(link, id)| (&link.url[17..], id.map(|id| id.0))).collect();
        assert_eq!((shown, left_out), (vec![("1", None), ("2", Some(7)), ("x.gif", None)], 0));
        assert_eq!(joined(Vec::new(), noted).0.len(), 1, "what the catalog knows is enough");
        let many = (0..MAX_LINKS_SHOWN + 3)
            .map(|n| target(&format!("http://a.example/{n}"), TargetKind::Page));
        assert_eq!(joined(many.collect(), Vec::new()).1, 3);
    }
}

//! What stands above every side of a document: where it belongs, what it is called, its address, and the other sides.

use super::super::listing::address;
use super::super::notes::NoteLink;
use super::subject::Subject;
use super::words;
use crate::look::{breadcrumbs, tabs};
use crate::view::View;
use auslese_model::{Format, Keeping, State};
use maud::{Markup, html};
use serde::Serialize;
use url::form_urlencoded;

#[derive(Debug, Clone, Serialize)]
pub(super) struct Head {
    pub(super) harvest: String,
    pub(super) request: i64,
    pub(super) url: String,
    pub(super) method: &'static str,
    pub(super) host: String,
    pub(super) title: String,
    /// None if it was not judged yet.
    pub(super) keeping: Option<Keeping>,
    /// Its server has taken it away.
    pub(super) gone: bool,
    pub(super) state: &'static str,
    pub(super) notes: NoteLink,
    /// The page where things are tried out, on this document.
    #[serde(rename = "try")]
    trying: String,
    #[serde(skip)]
    harvest_title: String,
    #[serde(skip)]
    request_state: State,
}

/// The sides of a document, as addresses name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Overview,
    Page,
    Source,
    Text,
    Record,
    Links,
    Versions,
    Related,
}

impl Side {
    const ALL: [Side; 8] = [
        Side::Overview,
        Side::Page,
        Side::Source,
        Side::Text,
        Side::Record,
        Side::Links,
        Side::Versions,
        Side::Related,
    ];

    pub(super) fn path(self) -> &'static str {
        match self {
            Side::Overview => "",
            Side::Page => "page",
            Side::Source => "source",
            Side::Text => "text",
            Side::Record => "record",
            Side::Links => "links",
            Side::Versions => "versions",
            Side::Related => "related",
        }
    }

    pub(super) fn name(self, view: &View) -> &'static str {
        match self {
            Side::Overview => view.say("Overview", "Überblick"),
            Side::Page => view.say("Page", "Seite"),
            Side::Source => view.say("Source", "Quelltext"),
            Side::Text => "Text",
            Side::Record => view.say("Record", "Datensatz"),
            Side::Links => view.say("Links", "Verweise"),
            Side::Versions => view.say("Versions", "Fassungen"),
            Side::Related => view.say("Related", "Verwandtes"),
        }
    }
}

impl Head {
    pub(super) fn of(subject: &Subject) -> Head {
        let listed = subject.listed.as_ref().map(|listed| &listed.document);
        let request = &subject.request;
        let url = url::Url::parse(&request.url).ok();
        let set = (subject.format() == Some(Format::Paper)).then_some(("set", "papers"));
        let number = subject.id().0.to_string();
        let named = [("harvest", subject.harvest.name.as_str()), ("document", &number)];
        let named: Vec<(&str, &str)> = named.into_iter().chain(set).collect();
        Head {
            trying: address("/try", &named),
            harvest: subject.harvest.name.clone(),
            request: subject.id().0,
            url: request.url.clone(),
            method: request.method.as_str(),
            host: url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default(),
            title: subject.title(),
            keeping: listed.map(|document| document.verdict.keeping),
            gone: listed.is_some_and(|document| document.gone),
            state: request.state.as_str(),
            notes: subject.notes.clone(),
            harvest_title: subject.harvest.title.clone(),
            request_state: request.state,
        }
    }

    /// The title of a side, for the window.
    pub(super) fn window_title(&self, view: &View, side: Side) -> String {
        match side {
            Side::Overview => self.title.clone(),
            side => format!("{} – {}", side.name(view), self.title),
        }
    }

    /// The address of a side.
    pub(super) fn address(&self, side: Side) -> String {
        let base = format!("/doc/{}/{}", self.harvest, self.request);
        if side == Side::Overview { base } else { format!("{base}/{}", side.path()) }
    }

    pub(super) fn markup(&self, view: &View, here: Side) -> Markup {
        let of_host = form_urlencoded::Serializer::new(String::new())
            .append_pair("q", "")
            .append_pair("only", &format!("host:{}", self.host))
            .finish();
        let steps = [
            (self.harvest_title.clone(), format!("/browse/{}", self.harvest)),
            (self.host.clone(), format!("/search?{of_host}")),
        ];
        let shown: Vec<(String, String, bool)> = Side::ALL
            .into_iter()
            .map(|side| (side.name(view).to_owned(), self.address(side), side == here))
            .collect();
        html! {
            (breadcrumbs(view, &steps, here.name(view)))
            div .document-head {
                h1 { (self.title) }
                p .address {
                    span { @if self.method != "GET" { (self.method) " " } (self.url) }
                    (self.tags(view))
                    " " (self.notes.markup(view))
                    " " a href=(self.trying) { (view.say("Try things out on it", "Daran ausprobieren")) }
                }
            }
            (tabs(view.say("Sides of this document", "Seiten dieses Dokuments"), &shown))
        }
    }

    fn tags(&self, view: &View) -> Markup {
        html! {
            @if let Some(keeping) = self.keeping {
                @let (colour, name) = words::keeping(view, keeping);
                " " span class={ "tag " (colour) } { (name) }
            } @else {
                " " span .tag { (view.say("not judged yet", "noch nicht beurteilt")) }
            }
            @if self.gone { " " span .tag .bad { (view.say("gone from its server", "vom Server verschwunden")) } }
            @if self.request_state != State::Done { " " span .tag .doubt { (words::state(view, self.request_state)) } }
        }
    }
}

/// Says why something cannot be shown, in the words of whoever knows.
pub(super) fn cannot_show(view: &View, why: &str) -> Markup {
    html! {
        div .note role="status" {
            p { (view.say("The body of this capture cannot be shown.", "Der Inhalt dieser Aufnahme lässt sich nicht zeigen.")) }
            p { (view.say("Reason: ", "Grund: ")) (words::why(view, why)) }
        }
    }
}

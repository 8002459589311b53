//! The frame of every page: head, navigation, the page itself, foot.

use super::assets::address;
use crate::problem::Problem;
use crate::view::{FORMAT, LANGUAGE, Page, View};
use maud::{DOCTYPE, Markup, html};

/// The parts of the site, as the navigation names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Search,
    Browse,
    Organisation,
    Monitor,
    Statistics,
    Words,
    Vocabularies,
    Databases,
    Sql,
    Bench,
    Trying,
    None,
}

impl Section {
    const SHOWN: [Section; 11] = [
        Section::Search,
        Section::Browse,
        Section::Organisation,
        Section::Monitor,
        Section::Statistics,
        Section::Words,
        Section::Vocabularies,
        Section::Databases,
        Section::Sql,
        Section::Bench,
        Section::Trying,
    ];

    fn address(self) -> &'static str {
        match self {
            Section::Search | Section::None => "/",
            Section::Browse => "/browse",
            Section::Organisation => "/organisation",
            Section::Monitor => "/monitor",
            Section::Statistics => "/statistics",
            Section::Words => "/kwic",
            Section::Vocabularies => "/vocabularies",
            Section::Databases => "/databases",
            Section::Sql => "/sql",
            Section::Bench => "/bench",
            Section::Trying => "/try",
        }
    }

    fn name(self, view: &View) -> &'static str {
        match self {
            Section::Search => view.say("Search", "Suche"),
            Section::Browse => view.say("Browse", "Stöbern"),
            Section::Organisation => view.say("Organisation", "Organisation"),
            Section::Monitor => view.say("Monitor", "Monitor"),
            Section::Statistics => view.say("Statistics", "Statistik"),
            Section::Words => view.say("Words", "Wörter"),
            Section::Vocabularies => view.say("Vocabularies", "Vokabulare"),
            Section::Databases => view.say("Databases", "Datenbanken"),
            Section::Sql => "SQL",
            Section::Bench => view.say("Bench", "Prüfstand"),
            Section::Trying => view.say("Try it", "Ausprobieren"),
            Section::None => "",
        }
    }
}

/// A page with everything around it.
pub(crate) fn frame(view: &View, page: &impl Page) -> Markup {
    let twins = html! {
        a href=(view.here_with(FORMAT, Some("json"))) rel="alternate" type="application/json" { "JSON" }
        @if page.csv().is_some() {
            " · " a href=(view.here_with(FORMAT, Some("csv"))) rel="alternate" type="text/csv" { "CSV" }
        }
    };
    around(view, &page.title(view), page.section(), &page.body(view), &twins)
}

/// The page for a problem.
pub(crate) fn problem_page(view: &View, problem: &Problem) -> Markup {
    let status = problem.status.as_u16();
    let title = match status {
        404 => view.say("Not found", "Nicht gefunden"),
        400 => view.say("That cannot be understood", "Das ist nicht zu verstehen"),
        500.. => view.say("That did not work", "Das ging nicht"),
        _ => view.say("That is not possible", "Das geht nicht"),
    };
    let body = html! {
        div .problem role="alert" {
            h1 { (title) }
            p { (view.say(&problem.english, &problem.german)) }
            @if let Some(detail) = &problem.detail { pre tabindex="0" { (detail) } }
            p {
                @if status == 401 { a href="/login" { (view.say("Log in", "Anmelden")) } " · " }
                a href="/" { (view.say("To the search", "Zur Suche")) }
            }
        }
    };
    around(view, title, Section::None, &body, &html! {})
}

fn around(view: &View, title: &str, section: Section, body: &Markup, twins: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(view.tongue.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · auslese" }
                link rel="icon" href=(address("sign.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(address("auslese.css"));
                script src=(address("auslese.js")) defer {}
            }
            body {
                a .skip href="#content" { (view.say("To the content", "Zum Inhalt")) }
                header .site {
                    a .sign href="/" { img src=(address("sign.svg")) alt="" width="26" height="26"; span { "auslese" } }
                    nav aria-label=(view.say("Parts of the site", "Teile der Seiten")) {
                        ul {
                            @for shown in Section::SHOWN {
                                @if shown != Section::Sql || view.site.offers_sql() {
                                    li { a href=(shown.address()) aria-current=[(shown == section).then_some("page")] { (shown.name(view)) } }
                                }
                            }
                        }
                    }
                    (who(view))
                    div .tongues {
                        @for (tag, name) in [("en", "English"), ("de", "Deutsch")] {
                            @if tag == view.tongue.tag() {
                                span aria-current="true" { (tag.to_uppercase()) }
                            } @else {
                                a href=(view.here_with(LANGUAGE, Some(tag))) lang=(tag) hreflang=(tag) title=(name) { (tag.to_uppercase()) }
                            }
                        }
                    }
                }
                main #content { (body) }
                footer .site {
                    span { a href="/about" { "auslese " (env!("CARGO_PKG_VERSION")) } }
                    span .twins { (twins) }
                }
            }
        }
    }
}

/// Who is logged in, or the way there. Where nobody can log in there is nothing.
fn who(view: &View) -> Markup {
    html! {
        @if let Some(actor) = &view.actor {
            a .who href="/login" { (actor.name) }
        } @else if view.site.access.has_accounts() {
            a .who href=(login_address(view)) { (view.say("Log in", "Anmelden")) }
        }
    }
}

/// The page for logging in, which leads back here.
fn login_address(view: &View) -> String {
    let here = view.here_with(LANGUAGE, None);
    let query =
        url::form_urlencoded::Serializer::new(String::new()).append_pair("back", &here).finish();
    format!("/login?{query}")
}

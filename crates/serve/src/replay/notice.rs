//! Small pages of ours on the replay origin. The styles of our other pages are on another origin, so these bring theirs.

use crate::problem::Problem;
use crate::view::View;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}\
    h1{font-size:1.35rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;border-radius:6px;padding:.6rem .8rem;opacity:.85}";

/// The policy of such a page that leads to a page of ours: it may change the whole window when its link is clicked.
pub(super) fn notice_policy(page_origin: Option<&str>) -> String {
    let ancestors = page_origin.map(|origin| format!("; frame-ancestors 'self' {origin}"));
    format!(
        "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'{}",
        ancestors.unwrap_or_default()
    )
}

pub(crate) fn problem_notice(view: &View, problem: &Problem) -> Markup {
    let title = match problem.status.as_u16() {
        404 => view.say("Not in the archive", "Nicht im Archiv"),
        500.. => view.say("That did not work", "Das ging nicht"),
        _ => view.say("That is not possible", "Das geht nicht"),
    };
    let body = html! {
        p { (view.say(&problem.english, &problem.german)) }
        @if let Some(detail) = &problem.detail { pre { (detail) } }
    };
    around(view, title, &body)
}

/// Says that a frame cannot show something, and where it can be had.
pub(super) fn not_in_a_frame(view: &View, media_type: &str, bytes: u64, page: &str) -> Markup {
    let body = html! {
        p {
            (view.say("This is a document of the type ", "Das ist ein Dokument der Art "))
            code { (media_type) } ", " (view.tongue.size(bytes)) ". "
            (view.say("It cannot be shown within a page.", "Innerhalb einer Seite kann es nicht gezeigt werden."))
        }
        p { a href=(page) target="_top" { (view.say("To the document", "Zum Dokument")) } }
    };
    around(view, view.say("Another kind of document", "Eine andere Art von Dokument"), &body)
}

fn around(view: &View, title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(view.tongue.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { h1 { (title) } (body) }
        }
    }
}

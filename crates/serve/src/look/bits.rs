//! Pieces that several pages use.

use crate::view::View;
use auslese_model::Timestamp;
use maud::{Markup, html};

/// A bar for a share from 0 to 1, drawn as SVG, since the policy of our pages forbids styles in attributes.
pub(crate) fn bar(share: f64) -> Markup {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    html! {
        svg .bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
            rect .bar-back x="0" y="0" width="100" height="8" rx="2" {}
            rect .bar-front x="0" y="0" width=(format!("{:.1}", share * 100.0)) height="8" rx="2" {}
        }
    }
}

/// A weight with its bar and number.
pub(crate) fn weight_bar(view: &View, weight: f64) -> Markup {
    html! { span .weight { (bar(weight)) span .number { (view.tongue.decimal(weight, 2)) } } }
}

/// A time as `2026-11-17 09:30`, exact in its attribute.
pub(crate) fn date_time(time: Timestamp) -> Markup {
    let exact = time.to_second_text();
    let shown: String = exact.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    html! { time datetime=(exact) title=(exact) { (shown) } }
}

/// Where the reader is; the last step is the page itself.
pub(crate) fn breadcrumbs(view: &View, steps: &[(String, String)], here: &str) -> Markup {
    html! {
        nav .crumbs aria-label=(view.say("Where you are", "Wo Sie sind")) {
            ol {
                @for (name, address) in steps { li { a href=(address) { (name) } } }
                li aria-current="page" { (here) }
            }
        }
    }
}

/// Views of one thing; each with its name, its address and whether it is the present one.
pub(crate) fn tabs(label: &str, tabs: &[(String, String, bool)]) -> Markup {
    html! {
        nav .tabs aria-label=(label) {
            ul {
                @for (name, address, is_here) in tabs {
                    li { a href=(address) aria-current=[is_here.then_some("page")] { (name) } }
                }
            }
        }
    }
}

/// Pages of a long list; `page` counts from 1.
pub(crate) fn pager(view: &View, page: usize, pages: usize) -> Markup {
    let to = |page: usize| view.here_with("page", Some(&page.to_string()));
    html! {
        @if pages > 1 {
            nav .pager aria-label=(view.say("Pages", "Seiten")) {
                @if page > 1 { a rel="prev" href=(to(page - 1)) { "← " (view.say("Back", "Zurück")) } }
                span { (view.say("Page ", "Seite ")) (page) (view.say(" of ", " von ")) (view.tongue.number(pages as u64)) }
                @if page < pages { a rel="next" href=(to(page + 1)) { (view.say("Next", "Weiter")) " →" } }
            }
        }
    }
}

/// Says that there is nothing, and what to do about it.
pub(crate) fn empty_note(text: &str) -> Markup {
    html! { p .empty { (text) } }
}

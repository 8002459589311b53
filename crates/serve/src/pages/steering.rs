//! What the pages for steering a harvest have in common: its crawl, the hosts that wait for a person, the rules of its
//! corpus.

use crate::look::tabs;
use crate::view::View;
use maud::{Markup, html};

/// Title and tabs.
pub(super) fn top(view: &View, harvest: &str, title: &str, here: &str) -> Markup {
    let all = [
        ("monitor", view.say("Crawl", "Crawl")),
        ("review", view.say("Hosts to decide on", "Hosts zu entscheiden")),
        ("rules", view.say("Corpus rules", "Korpusregeln")),
    ];
    let name = all.iter().find(|(key, _)| *key == here).map_or("", |(_, name)| name);
    let shown: Vec<(String, String, bool)> = all
        .iter()
        .map(|(key, name)| ((*name).to_owned(), format!("/{key}/{harvest}"), *key == here))
        .collect();
    html! {
        h1 { (title) " – " (name) }
        (tabs(view.say("Steering", "Steuerung"), &shown))
    }
}

//! The first page: one box to search with, and what there is in each harvest.

use crate::ledger::Reading;
use crate::look::Section;
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_model::Keeping;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct Start {
    harvests: Vec<HarvestCard>,
}

#[derive(Debug, Serialize)]
struct HarvestCard {
    name: String,
    title: String,
    servers: u64,
    captures: u64,
    /// Documents in the corpus and in all; none while they are counted for the first time.
    kept: Option<u64>,
    left: Option<u64>,
    received_bytes: u64,
    archive_bytes: u64,
    queued: u64,
}

pub(crate) async fn start(State(site): State<Arc<Site>>, view: View) -> Result<Response, Problem> {
    let mut harvests = Vec::new();
    for harvest in &site.harvests {
        let status = harvest.catalog.status().await?;
        let counting = |harvest: Arc<Harvest>| async move { harvest.catalog.rule_counts().await };
        let rules = match site.rules.read(harvest, "rules", counting).await? {
            Reading::Ready(counted) => Some(counted),
            Reading::Counting => None,
        };
        let kept = rules.as_ref().map(|rules| rules.value.of(Keeping::Kept));
        let all = rules.as_ref().map(|rules| rules.value.total());
        harvests.push(HarvestCard {
            name: harvest.name.clone(),
            title: harvest.title.clone(),
            servers: status.servers,
            captures: status.captures,
            kept,
            left: all.zip(kept).map(|(all, kept)| all - kept),
            received_bytes: status.bytes,
            archive_bytes: status.warc_bytes,
            queued: status.requests.get(&auslese_model::State::Queued).copied().unwrap_or(0),
        });
    }
    Ok(view.answer(&Start { harvests }))
}

impl Page for Start {
    fn section(&self) -> Section {
        Section::Search
    }

    fn title(&self, view: &View) -> String {
        view.say("Search", "Suche").to_owned()
    }

    fn body(&self, view: &View) -> Markup {
        let number = |number| view.tongue.number(number);
        html! {
            div .welcome {
                h1 { (view.say("Read what was harvested", "Lesen, was geerntet wurde")) }
                form .ask role="search" action="/search" {
                    label .wide {
                        span { (view.say("Words, \"phrases\", fields such as title: or host:", "Wörter, \"Wendungen\", Felder wie title: oder host:")) }
                        input type="search" name="q" autocomplete="off";
                    }
                    button { (view.say("Search", "Suchen")) }
                }
            }
            h2 { (view.say("Harvests", "Ernten")) }
            ul .cards {
                @for harvest in &self.harvests {
                    li .sheet {
                        h3 { a href={ "/browse/" (harvest.name) } { (harvest.title) } }
                        dl .facts {
                            dt { (view.say("Servers", "Server")) } dd .number { (number(harvest.servers)) }
                            dt { (view.say("Captures", "Aufnahmen")) } dd .number { (number(harvest.captures)) }
                            dt { (view.say("In the corpus", "Im Korpus")) }
                            @match harvest.kept.zip(harvest.left) {
                                Some((kept, left)) => dd .number { (number(kept)) (view.say(" of ", " von ")) (number(kept + left)) },
                                None => dd { (view.say("being counted", "wird gezählt")) },
                            }
                            dt { (view.say("Received", "Empfangen")) } dd .number { (view.tongue.size(harvest.received_bytes)) }
                            @if harvest.queued > 0 {
                                dt { (view.say("Still queued", "Noch in Warteschlangen")) } dd .number { (number(harvest.queued)) }
                            }
                        }
                        p {
                            a href={ "/organisation/" (harvest.name) } { (view.say("Organisation", "Organisation")) } " · "
                            a href={ "/statistics/" (harvest.name) } { (view.say("Statistics", "Statistik")) }
                        }
                    }
                }
            }
        }
    }
}

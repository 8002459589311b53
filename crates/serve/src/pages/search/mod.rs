//! Search: one box, facets, hits with snippets and reasons, transferred terms as chips, and the result set to take away.

mod beyond;
mod export;
mod facets;
mod hits;
mod question;

pub(crate) use export::export;

use crate::desk::{Desk, hit_page};
use crate::look::{Section, empty_note, pager};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_search::{
    FacetCounts, Hit, HitKey, QueryError, SearchError, SearchResults, alternatives,
};
use auslese_vocabulary::{Rewriting, Transfer};
use axum::extract::{Query, State};
use axum::response::Response;
use beyond::Beyond;
use maud::{Markup, html};
use question::{PER_PAGE, Question};
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct SearchPage {
    question: Question,
    total: u64,
    pages: usize,
    took_milliseconds: f64,
    corrected: Option<String>,
    notes: Vec<String>,
    /// Terms of other vocabularies: those that acted, and those that could.
    transfers: Vec<ShownTransfer>,
    facets: Vec<FacetCounts>,
    hits: Vec<ShownHit>,
}

#[derive(Debug, Serialize)]
struct ShownHit {
    rank: usize,
    /// Its page on this site.
    page: String,
    harvest: String,
    /// What is known of it, if it is no document.
    #[serde(skip_serializing_if = "Option::is_none")]
    beyond: Option<Beyond>,
    #[serde(flatten)]
    hit: Hit,
}

#[derive(Debug, Serialize)]
struct ShownTransfer {
    #[serde(flatten)]
    transfer: Transfer,
    collection: String,
    /// Documents it found.
    hits: u64,
}

pub(crate) async fn search(
    State(site): State<Arc<Site>>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let question = Question::read(&parameters)?;
    let desk = site.desk().await?;
    let mut page = site.work(move || answer(&desk, question)).await??;
    for shown in &mut page.hits {
        let harvest = site.harvest(&shown.harvest)?;
        shown.beyond = beyond::look_up(&harvest, &shown.hit).await?;
    }
    Ok(view.answer(&page))
}

/// Asks with all transfers that act.
fn ask(
    desk: &Desk,
    question: &Question,
    offset: usize,
    limit: usize,
) -> Result<(SearchResults, Vec<Rewriting>), Problem> {
    let mut request = question.request(offset, limit);
    let rewritings = desk
        .rewritings(&request, question.choice(), &question.switches())
        .map_err(|error| query_problem(&error, &question.q))?;
    request.alternatives = alternatives(&rewritings);
    let results = desk.searcher.search(&request).map_err(|error| match error {
        SearchError::Query(error) => query_problem(&error, &question.q),
        other => other.into(),
    })?;
    Ok((results, rewritings))
}

/// A question that cannot be understood, with a mark below the place.
pub(crate) fn query_problem(error: &QueryError, query: &str) -> Problem {
    Problem::bad_request("The question cannot be understood.", "Die Frage ist nicht zu verstehen.")
        .detail(error.render(query))
}

fn answer(desk: &Desk, question: Question) -> Result<SearchPage, Problem> {
    let offset = (question.page - 1) * PER_PAGE;
    let (results, rewritings) = ask(desk, &question, offset, PER_PAGE)?;
    let transfers = shown_transfers(&results, rewritings);
    let reachable = results.total.min(auslese_search::MAX_RESULT_WINDOW as u64) as usize;
    let hits = results.hits.into_iter().enumerate().map(|(number, hit)| {
        let harvest = desk.harvest_of(hit.index).name.clone();
        let page = hit_page(&harvest, HitKey::of(hit.key));
        ShownHit { rank: offset + number + 1, page, harvest, beyond: None, hit }
    });
    Ok(SearchPage {
        total: results.total,
        pages: reachable.div_ceil(PER_PAGE),
        took_milliseconds: results.took_micros as f64 / 1000.0,
        corrected: results.corrected,
        notes: results.notes,
        transfers,
        facets: results.facets,
        hits: hits.collect(),
        question,
    })
}

/// Each transfer once, even where several collections have it.
fn shown_transfers(results: &SearchResults, rewritings: Vec<Rewriting>) -> Vec<ShownTransfer> {
    let mut shown: Vec<ShownTransfer> = Vec::new();
    for rewriting in rewritings {
        for transfer in rewriting.transfers {
            if shown.iter().any(|known| known.transfer.id == transfer.id) {
                continue;
            }
            let found = results.alternatives.iter().filter(|it| it.id == transfer.id);
            let hits = found.map(|it| it.hits).sum();
            shown.push(ShownTransfer { transfer, collection: rewriting.collection.clone(), hits });
        }
    }
    shown
}

impl Page for SearchPage {
    fn section(&self) -> Section {
        Section::Search
    }

    fn title(&self, view: &View) -> String {
        match self.question.q.as_str() {
            "" => view.say("Search", "Suche").to_owned(),
            q => format!("{q} – {}", view.say("Search", "Suche")),
        }
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 .visually-hidden { (self.title(view)) }
            (self.question.form(view))
            (self.head(view))
            div .columns {
                aside aria-label=(view.say("Narrow the result", "Ergebnis einschränken")) {
                    (facets::chosen(view, &self.question))
                    (facets::facets(view, &self.question, &self.facets))
                }
                section aria-label=(view.say("Documents found", "Gefundene Dokumente")) {
                    (self.transfer_chips(view))
                    @if self.hits.is_empty() {
                        (empty_note(view.say(
                            "Nothing was found. Fewer words, other endings (wort*) or similar spellings (wort~) may help.",
                            "Nichts gefunden. Weniger Wörter, andere Endungen (wort*) oder ähnliche Schreibungen (wort~) helfen vielleicht.",
                        )))
                    }
                    ol .hits start=(self.hits.first().map_or(1, |hit| hit.rank)) {
                        @for hit in &self.hits { li { (hits::hit(view, hit, view.site.harvests.len() > 1)) } }
                    }
                    (pager(view, self.question.page, self.pages))
                    (self.exports(view))
                }
            }
        }
    }
}

impl SearchPage {
    fn head(&self, view: &View) -> Markup {
        let total = view.tongue.number(self.total);
        html! {
            p .soft role="status" {
                @match self.total {
                    1 => { (view.say("1 document", "1 Dokument")) }
                    _ => { (total) " " (view.say("documents", "Dokumente")) }
                }
                " · " (view.tongue.decimal(self.took_milliseconds, 1)) " ms"
            }
            @if let Some(corrected) = &self.corrected {
                p {
                    (view.say("Did you mean ", "Meinten Sie "))
                    a href=(self.question.with(|it| it.q.clone_from(corrected))) { (corrected) } "?"
                }
            }
            @for note in &self.notes { p .note { (note) } }
        }
    }

    /// What was searched beside the words, each to be switched off; and what could be.
    fn transfer_chips(&self, view: &View) -> Markup {
        let acting = self.transfers.iter().filter(|it| it.transfer.active && it.hits > 0);
        let off = self.transfers.iter().filter(|it| !it.transfer.active);
        let (acting, off): (Vec<_>, Vec<_>) = (acting.collect(), off.collect());
        html! {
            @if !acting.is_empty() {
                div .transfers {
                    span .soft { (view.say("Also searched:", "Auch gesucht:")) }
                    ul .chips {
                        @for it in acting {
                            li { span .chip title=(it.transfer.why) {
                                (it.transfer.words) " → " (it.transfer.target.label())
                                small { "(" (view.tongue.number(it.hits)) ")" }
                                a .remove href=(self.question.switched(&it.transfer.id, false)) aria-label=(format!("{} {}", view.say("Do not search", "Nicht suchen:"), it.transfer.target.label())) { "×" }
                            } }
                        }
                    }
                }
            }
            @if !off.is_empty() {
                details .transfers {
                    summary { (view.say("Further terms that could be searched", "Weitere Begriffe, die gesucht werden könnten")) " (" (off.len()) ")" }
                    ul .chips {
                        @for it in off {
                            li { a .chip href=(self.question.switched(&it.transfer.id, true)) title=(it.transfer.why) { "+ " (it.transfer.words) " → " (it.transfer.target.label()) } }
                        }
                    }
                }
            }
        }
    }

    fn exports(&self, view: &View) -> Markup {
        html! {
            @if self.total > 0 {
                p .exports {
                    span .soft { (view.say("All documents found as ", "Alle gefundenen Dokumente als ")) }
                    @for (form, name) in [("csv", "CSV"), ("jsonl", "JSON Lines"), ("urls", view.say("list of addresses", "Liste der Adressen"))] {
                        a href={ "/search/export?" (self.question.query_string()) "&form=" (form) } { (name) } " "
                    }
                }
            }
        }
    }
}

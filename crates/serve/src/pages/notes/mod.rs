//! Notes: what people say about documents, hosts and rules, where these are.
//!
//! A thread belongs to an address, a host or a rule, not to a capture: it stays when a document changes or vanishes.
//! Texts are plain; nothing in them is ever markup.

mod export;
mod list;
mod thread;

use super::listing::address;
use crate::access::Role;
use crate::problem::Problem;
use crate::routes::Route;
use crate::site::Harvest;
use crate::view::View;
use auslese_catalog::{RemarkKey, Topic};
use axum::routing::{get, post};
use maud::{Markup, html};

const SUBJECT: (&str, &str) =
    ("subject", "The address, the name of the host, the name of the rule");

/// The pages of notes.
pub(crate) fn note_routes() -> Vec<Route> {
    vec![
        Route::page("/notes", "The harvests, to read one's notes", &[], get(super::choose)),
        Route::page(
            "/notes/{harvest}",
            "All notes, newest first",
            &[("before", "Notes before the one with this number")],
            get(list::list),
        ),
        Route::file(
            "/notes/{harvest}/export",
            "All notes as a file",
            &[("form", "jsonl or csv")],
            "application/x-ndjson",
            get(export::export),
        ),
        Route::page(
            "/notes/{harvest}/about/{topic}",
            "The thread about a document, a host or a rule",
            &[SUBJECT],
            get(thread::thread),
        ),
        Route::act(
            "/notes/{harvest}/about/{topic}/add",
            "Write a note, or answer one",
            Role::Reader,
            &[SUBJECT, ("body", "The text"), ("answer-to", "The number of the note it answers")],
            post(thread::add),
        ),
        Route::act(
            "/notes/{harvest}/change",
            "Change a note of one's own, or withdraw it",
            Role::Reader,
            &[
                ("number", "The number of the note"),
                ("edition", "The edition that was seen"),
                ("body", "The new text"),
                ("withdraw", "yes: take it back"),
            ],
            post(thread::change),
        ),
    ]
}

/// The page of a thread.
fn thread_address(harvest: &str, key: &RemarkKey) -> String {
    let path = format!("/notes/{harvest}/about/{}", key.topic.as_str());
    address(&path, &[("subject", &key.subject)])
}

/// The way to the notes on something, with their number. Who can neither read nor write any sees nothing.
pub(super) async fn note_link(
    harvest: &Harvest,
    topic: Topic,
    subject: &str,
) -> Result<NoteLink, Problem> {
    let key = RemarkKey { topic, subject: subject.to_owned() };
    let count = harvest.catalog.remark_count(&key).await?;
    Ok(NoteLink { address: thread_address(&harvest.name, &key), count })
}

/// How many notes there are on something, and where.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct NoteLink {
    address: String,
    count: u64,
}

impl NoteLink {
    pub(super) fn markup(&self, view: &View) -> Markup {
        html! {
            @if self.count > 0 || view.may(Role::Reader) {
                a .notes href=(self.address) {
                    @match self.count {
                        0 => { (view.say("Write a note", "Notiz schreiben")) },
                        1 => { (view.say("1 note", "1 Notiz")) },
                        count => { (count) " " (view.say("notes", "Notizen")) },
                    }
                }
            }
        }
    }
}

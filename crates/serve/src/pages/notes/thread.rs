//! One thread, and how it grows. Who edits a note names the edition they saw: if somebody was faster, both texts are
//! shown and nothing is lost.

use super::super::listing::parameter;
use super::thread_address;
use crate::access::{Actor, Filled, Role};
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_catalog::{MAX_REMARK, NewRemark, Remark, RemarkChange, RemarkKey, Topic};
use auslese_model::Timestamp;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

/// Notes of one thread that are shown.
const SHOWN: usize = 1_000;
/// The longest thing a note is about, in bytes.
const MAX_SUBJECT: usize = 16 << 10;

#[derive(Debug, Serialize)]
struct Thread {
    harvest: String,
    about: &'static str,
    subject: String,
    /// The page of what it is about, if it is there.
    page: Option<String>,
    notes: Vec<Said>,
}

#[derive(Debug, Serialize)]
struct Said {
    number: i64,
    answer_to: Option<i64>,
    by: String,
    at: String,
    edition: i64,
    edited: Option<String>,
    withdrawn: bool,
    text: String,
    #[serde(skip)]
    time: Timestamp,
}

pub(super) async fn thread(
    State(site): State<Arc<Site>>,
    view: View,
    Path((harvest, topic)): Path<(String, String)>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let key = key_of(&topic, parameter(&parameters, "subject"))?;
    let notes = harvest.catalog.thread(&key, SHOWN).await?;
    let page = page_of(&harvest, &key).await?;
    if notes.is_empty() && page.is_none() && key.topic != Topic::Rule {
        return Err(Problem::not_found(
            "There is no such document or host in this harvest, and no note on it.",
            "Dieses Dokument oder diesen Rechner gibt es in dieser Ernte nicht, auch keine Notiz dazu.",
        ));
    }
    Ok(view.answer(&Thread {
        harvest: harvest.name.clone(),
        about: key.topic.as_str(),
        subject: key.subject,
        page,
        notes: notes.into_iter().map(said).collect(),
    }))
}

fn said(remark: Remark) -> Said {
    Said {
        number: remark.id,
        answer_to: remark.answer_to,
        by: remark.by,
        at: remark.at.to_second_text(),
        edition: remark.edition,
        edited: remark.edited.map(Timestamp::to_second_text),
        withdrawn: remark.withdrawn.is_some(),
        text: remark.body,
        time: remark.at,
    }
}

fn key_of(topic: &str, subject: Option<&str>) -> Result<RemarkKey, Problem> {
    let topic = Topic::parse(topic).ok_or_else(|| {
        Problem::not_found(
            "Notes are about a document, a host or a rule.",
            "Notizen gibt es zu einem Dokument, einem Rechner oder einer Regel.",
        )
    })?;
    let subject = subject.unwrap_or_default().trim();
    if subject.is_empty() || subject.len() > MAX_SUBJECT {
        return Err(Problem::bad_request(
            "It is not said what the notes are about.",
            "Es ist nicht gesagt, wozu die Notizen sind.",
        ));
    }
    Ok(RemarkKey { topic, subject: subject.to_owned() })
}

/// Where the thing is shown that a thread is about.
async fn page_of(harvest: &Harvest, key: &RemarkKey) -> Result<Option<String>, Problem> {
    Ok(match key.topic {
        Topic::Document => {
            let requests = harvest.catalog.find_requests(&key.subject).await?;
            requests.first().map(|request| format!("/doc/{}/{}", harvest.name, request.id.0))
        }
        Topic::Host => {
            let Some(host) = auslese_model::HostName::parse(&key.subject) else { return Ok(None) };
            let is_known = harvest.catalog.verdict(&host).await?.is_some()
                || !harvest.catalog.host_queues(&host).await?.is_empty();
            is_known.then(|| format!("/organisation/{}/{host}", harvest.name))
        }
        Topic::Rule => None,
    })
}

pub(super) async fn add(
    State(site): State<Arc<Site>>,
    view: View,
    actor: Actor,
    Path((harvest, topic)): Path<(String, String)>,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let key = key_of(&topic, filled.get("subject"))?;
    let body = text_of(&filled)?;
    let answer_to = match filled.text("answer-to") {
        Some(number) => Some(number.parse().map_err(|_| no_note())?),
        None => None,
    };
    let known = harvest.catalog.remark_count(&key).await? > 0;
    if !known && key.topic != Topic::Rule && page_of(&harvest, &key).await?.is_none() {
        return Err(no_note());
    }
    let at = Timestamp::now();
    let remark = NewRemark { key: key.clone(), answer_to, at, by: actor.name.clone(), body };
    let number = harvest.catalog.add_remark(&remark).await?.ok_or_else(no_note)?;
    harvest.log_change(&actor, "note", &key.subject, json!({ "note": number })).await?;
    Ok(view.done(&format!("{}#n{number}", thread_address(&harvest.name, &key))))
}

pub(super) async fn change(
    State(site): State<Arc<Site>>,
    view: View,
    actor: Actor,
    Path(harvest): Path<String>,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let number = |name| filled.text(name).and_then(|text| text.parse().ok()).ok_or_else(no_note);
    let (id, edition) = (number("number")?, number("edition")?);
    let remark = harvest.catalog.remark(id).await?.ok_or_else(no_note)?;
    let withdraws = filled.text("withdraw") == Some("yes");
    let is_own = remark.by == actor.name;
    // Texts are their authors'; an admin may take one away, but put no words into a mouth.
    if !(is_own || withdraws && actor.role == Role::Admin) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "Only who wrote a note can change it.",
            "Nur wer eine Notiz geschrieben hat, kann sie ändern.",
        ));
    }
    let body = if withdraws { None } else { Some(text_of(&filled)?) };
    let at = Timestamp::now();
    match harvest.catalog.change_remark(id, edition, body.as_deref(), at).await? {
        RemarkChange::Done => {}
        RemarkChange::Missing => return Err(no_note()),
        RemarkChange::Overtaken => return Err(overtaken(body)),
    }
    let deed = if withdraws { "withdraw-note" } else { "edit-note" };
    let detail = json!({ "note": id, "by": remark.by });
    harvest.log_change(&actor, deed, &remark.key.subject, detail).await?;
    Ok(view.done(&format!("{}#n{id}", thread_address(&harvest.name, &remark.key))))
}

fn text_of(filled: &Filled) -> Result<String, Problem> {
    let text = filled.text("body").ok_or_else(|| {
        Problem::bad_request("The note has no text.", "Die Notiz hat keinen Text.")
    })?;
    if text.len() > MAX_REMARK {
        return Err(Problem::bad_request("The note is too long.", "Die Notiz ist zu lang.")
            .detail(format!("at most {MAX_REMARK} bytes")));
    }
    Ok(text.replace("\r\n", "\n"))
}

fn no_note() -> Problem {
    Problem::not_found("There is no such note.", "Diese Notiz gibt es nicht.")
}

fn overtaken(body: Option<String>) -> Problem {
    let problem = Problem::new(
        StatusCode::CONFLICT,
        "This note was changed since you opened it. Your text is below, so that you can write it again.",
        "Diese Notiz wurde geändert, seit Sie sie geöffnet haben. Ihr Text steht unten, damit Sie ihn neu schreiben können.",
    );
    match body {
        Some(body) => problem.detail(body),
        None => problem,
    }
}

impl Page for Thread {
    fn section(&self) -> Section {
        Section::None
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", view.say("Notes", "Notizen"), self.subject)
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            p { a href={ "/notes/" (self.harvest) } { "← " (view.say("All notes", "Alle Notizen")) } }
            h1 { (view.say("Notes", "Notizen")) }
            p .breaks {
                @match &self.page {
                    Some(page) => a href=(page) { (self.subject) },
                    None => { code { (self.subject) } },
                }
            }
            @if self.page.is_none() && self.about != Topic::Rule.as_str() {
                p .note { (view.say("This is no longer in the harvest; the notes stay.", "Das ist nicht mehr in der Ernte; die Notizen bleiben.")) }
            }
            @if self.notes.is_empty() { (empty_note(view.say("No notes yet.", "Noch keine Notizen."))) }
            (self.answers(view, None, 0))
            @if view.may(Role::Reader) {
                h2 { (view.say("Write a note", "Notiz schreiben")) }
                (self.add_form(view, None))
            } @else {
                p .soft { (view.say("To write, log in.", "Zum Schreiben bitte anmelden.")) }
            }
        }
    }
}

/// Answers deeper than this are set no further to the right.
const DEEPEST: usize = 6;

impl Thread {
    /// What answers a note; without one, what answers nothing.
    fn answers(&self, view: &View, to: Option<i64>, depth: usize) -> Markup {
        let answers = || self.notes.iter().filter(|note| note.answer_to == to);
        html! {
            @if answers().next().is_some() {
                ol .thread {
                    @for note in answers() {
                        li #{ "n" (note.number) } {
                            article .sheet { (self.note(view, note)) }
                            @if depth < DEEPEST { (self.answers(view, Some(note.number), depth + 1)) }
                        }
                        @if depth >= DEEPEST { (self.flat(view, note.number)) }
                    }
                }
            }
        }
    }

    /// All that follows a note at the greatest depth, one below the other.
    fn flat(&self, view: &View, to: i64) -> Markup {
        // A note answers an earlier one, so one pass finds all that hang on it.
        let mut within = vec![to];
        let mut below = Vec::new();
        for note in &self.notes {
            if note.answer_to.is_some_and(|it| within.contains(&it)) {
                within.push(note.number);
                below.push(note);
            }
        }
        html! { @for note in below { li #{ "n" (note.number) } { article .sheet { (self.note(view, note)) } } } }
    }

    fn note(&self, view: &View, note: &Said) -> Markup {
        let is_own = view.actor.as_ref().is_some_and(|actor| actor.name == note.by);
        html! {
            p .said {
                strong { (note.by) } " " (date_time(note.time))
                @if note.edited.is_some() && !note.withdrawn { " " span .soft { (view.say("(edited)", "(geändert)")) } }
            }
            @if note.withdrawn {
                p .soft { (view.say("Withdrawn.", "Zurückgezogen.")) }
            } @else {
                p .words { (note.text) }
                div .acts {
                    @if view.may(Role::Reader) {
                        details { summary { (view.say("Answer", "Antworten")) } (self.add_form(view, Some(note.number))) }
                    }
                    @if is_own { details { summary { (view.say("Edit", "Ändern")) } (self.edit_form(view, note)) } }
                    @if is_own || view.may(Role::Admin) { (self.withdraw_form(view, note)) }
                }
            }
        }
    }

    fn add_form(&self, view: &View, answer_to: Option<i64>) -> Markup {
        let action = format!("/notes/{}/about/{}/add", self.harvest, self.about);
        let id = answer_to.map_or("new-note".to_owned(), |number| format!("answer-{number}"));
        let fields = html! {
            input type="hidden" name="subject" value=(self.subject);
            @if let Some(number) = answer_to { input type="hidden" name="answer-to" value=(number); }
            label for=(id) { (view.say("Text", "Text")) }
            textarea .prose id=(id) name="body" rows="4" required maxlength=(MAX_REMARK) {}
            button type="submit" { (view.say("Send", "Absenden")) }
        };
        view.act_form(&action, Role::Reader, &fields)
    }

    fn edit_form(&self, view: &View, note: &Said) -> Markup {
        let id = format!("edit-{}", note.number);
        let fields = html! {
            input type="hidden" name="number" value=(note.number);
            input type="hidden" name="edition" value=(note.edition);
            label for=(id) { (view.say("Text", "Text")) }
            textarea .prose id=(id) name="body" rows="4" required maxlength=(MAX_REMARK) { (note.text) }
            button type="submit" { (view.say("Change", "Ändern")) }
        };
        view.act_form(&format!("/notes/{}/change", self.harvest), Role::Reader, &fields)
    }

    fn withdraw_form(&self, view: &View, note: &Said) -> Markup {
        let fields = html! {
            input type="hidden" name="number" value=(note.number);
            input type="hidden" name="edition" value=(note.edition);
            input type="hidden" name="withdraw" value="yes";
            button .plain type="submit" { (view.say("Withdraw", "Zurückziehen")) }
        };
        view.act_form(&format!("/notes/{}/change", self.harvest), Role::Reader, &fields)
    }
}

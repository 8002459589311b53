//! People decide on hosts: accept, reject, withdraw. The decision is stored with its note and its author; a running crawl
//! follows, or the next one.

use super::super::listing::choose;
use super::review::review;
use crate::access::{Actor, Filled, Role};
use crate::look::date_time;
use crate::problem::Problem;
use crate::routes::Route;
use crate::site::Site;
use crate::view::View;
use auslese_catalog::{HandDecision, HostPattern};
use auslese_model::{HostName, Timestamp};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

/// Letters of a note.
const MAX_NOTE: usize = 2_000;
/// The value of the field `back` that leads to the page of the host.
const TO_HOST: &str = "host";

const BACK: (&str, &str) = ("back", "`host` leads to the page of the host afterwards");

/// The addresses for decisions on hosts.
pub(crate) fn review_routes() -> Vec<Route> {
    vec![
        Route::page("/review", "The harvests, to decide on one's hosts", &[], get(choose)),
        Route::page(
            "/review/{harvest}",
            "Hosts that wait for a person, with their evidence, and decisions by hand",
            &[("page", "Page of the list, from 1")],
            get(review),
        ),
        Route::act(
            "/review/{harvest}/decide",
            "Accept or reject a host, whatever the evidence says",
            Role::Editor,
            &[
                ("host", "The host"),
                ("decision", "accept or reject"),
                ("below", "Set: all hosts below it as well"),
                ("note", "Why"),
                BACK,
            ],
            post(decide),
        ),
        Route::act(
            "/review/{harvest}/withdraw",
            "Take back what was decided on a host",
            Role::Editor,
            &[
                ("pattern", "The hosts, as they were decided on"),
                BACK,
                ("host", "The host to return to"),
            ],
            post(withdraw),
        ),
    ]
}

async fn decide(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    actor: Actor,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let host = filled.text("host").and_then(HostName::parse).ok_or_else(|| {
        Problem::bad_request("This is no name of a host.", "Das ist kein Name eines Hosts.")
    })?;
    let accept = match filled.get("decision") {
        Some("accept") => true,
        Some("reject") => false,
        _ => {
            return Err(Problem::bad_request(
                "A decision is `accept` or `reject`.",
                "Eine Entscheidung ist `accept` oder `reject`.",
            ));
        }
    };
    let note = filled.text("note").unwrap_or_default();
    if note.chars().count() > MAX_NOTE {
        return Err(Problem::bad_request("The note is too long.", "Die Notiz ist zu lang.")
            .detail(format!("at most {MAX_NOTE} characters")));
    }
    let pattern = match filled.text("below") {
        Some(_) => HostPattern::Domain(host.clone()),
        None => HostPattern::Host(host.clone()),
    };
    let decision = HandDecision {
        pattern: pattern.clone(),
        accept,
        note: note.to_owned(),
        by: actor.name.clone(),
        at: Timestamp::now(),
    };
    harvest.catalog.set_hand_decisions(&[decision]).await?;
    let deed = if accept { "accept-host" } else { "reject-host" };
    let note = (!note.is_empty()).then_some(note);
    harvest.log_change(&actor, deed, &pattern.to_string(), json!({ "note": note })).await?;
    Ok(view.done(&back(&harvest.name, &filled)))
}

async fn withdraw(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    actor: Actor,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let pattern = filled.text("pattern").and_then(HostPattern::parse).ok_or_else(|| {
        Problem::bad_request("This is no name of hosts.", "Das ist kein Name von Hosts.")
    })?;
    if !harvest.catalog.remove_hand_decision(&pattern, Timestamp::now()).await? {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "Nothing is decided on these hosts; somebody may have withdrawn it already.",
            "Über diese Hosts ist nichts entschieden; vielleicht wurde es schon zurückgenommen.",
        ));
    }
    harvest.log_change(&actor, "withdraw-decision", &pattern.to_string(), json!({})).await?;
    Ok(view.done(&back(&harvest.name, &filled)))
}

/// The page that shows what was done.
fn back(harvest: &str, filled: &Filled) -> String {
    let host = filled.text("host").and_then(HostName::parse);
    match (filled.get("back"), host) {
        (Some(TO_HOST), Some(host)) => format!("/organisation/{harvest}/{host}#decisions"),
        _ => format!("/review/{harvest}"),
    }
}

/// A decision as it is shown.
#[derive(Debug, Serialize)]
pub(super) struct Decision {
    pattern: String,
    accept: bool,
    note: String,
    by: String,
    at: String,
    #[serde(skip)]
    time: Timestamp,
}

impl Decision {
    pub(super) fn of(decision: &HandDecision) -> Decision {
        Decision {
            pattern: decision.pattern.to_string(),
            accept: decision.accept,
            note: decision.note.clone(),
            by: decision.by.clone(),
            at: decision.at.to_second_text(),
            time: decision.at,
        }
    }

    fn tag(&self, view: &View) -> Markup {
        html! { span .tag .good[self.accept] .bad[!self.accept] { (if self.accept { view.say("belongs", "gehört dazu") } else { view.say("never belongs", "gehört nie dazu") }) } }
    }

    /// For a host that a crawl has not judged by it yet.
    pub(super) fn sentence(&self, view: &View) -> Markup {
        html! {
            (self.tag(view)) " " (view.say("decided by ", "entschieden von ")) (self.by) ", " (date_time(self.time))
            (view.say("; a crawl has not followed yet.", "; noch ist kein Crawl gefolgt."))
        }
    }
}

/// The decisions that cover a host, oldest first.
pub(super) fn decisions_of(decisions: &[HandDecision], host: &HostName) -> Vec<Decision> {
    let covering = decisions.iter().filter(|decision| decision.pattern.covers(host));
    covering.map(Decision::of).collect()
}

/// The form to decide on a host; from its own page one comes back to it.
pub(super) fn decide_form(
    view: &View,
    harvest: &str,
    host: &HostName,
    back: Option<&HostName>,
) -> Markup {
    let fields = html! {
        input type="hidden" name="host" value=(host);
        @if back.is_some() { input type="hidden" name="back" value=(TO_HOST); }
        div .decide {
            label .wide { span { (view.say("Why (a note for later)", "Warum (eine Notiz für später)")) } input type="text" name="note" maxlength=(MAX_NOTE) autocomplete="off"; }
            label .check { input type="checkbox" name="below" value="yes"; span { (view.say("all hosts below it as well", "auch alle Hosts darunter")) } }
            button name="decision" value="accept" { (view.say("It belongs", "Gehört dazu")) span .visually-hidden { ": " (host) } }
            button .plain name="decision" value="reject" { (view.say("It does not belong", "Gehört nicht dazu")) span .visually-hidden { ": " (host) } }
        }
    };
    view.act_form(&format!("/review/{harvest}/decide"), Role::Editor, &fields)
}

/// Decisions with the way to take each back.
pub(super) fn decision_table(
    view: &View,
    harvest: &str,
    decisions: &[Decision],
    back: Option<&HostName>,
) -> Markup {
    let may = view.may(Role::Editor);
    html! {
        div .scroll tabindex="0" { table {
            thead { tr { th { (view.say("Hosts", "Hosts")) } th { (view.say("Decision", "Entscheidung")) } th { (view.say("Note", "Notiz")) } th { (view.say("By", "Von")) } th { (view.say("When", "Wann")) } @if may { th { span .visually-hidden { (view.say("Withdraw", "Zurücknehmen")) } } } } }
            tbody { @for it in decisions { tr {
                td .break { code { (it.pattern) } } td { (it.tag(view)) } td .break { (it.note) } td { (it.by) } td .nowrap { (date_time(it.time)) }
                @if may { td { (view.act_form(&format!("/review/{harvest}/withdraw"), Role::Editor, &html! {
                    input type="hidden" name="pattern" value=(it.pattern);
                    @if let Some(host) = back { input type="hidden" name="back" value=(TO_HOST); input type="hidden" name="host" value=(host); }
                    button .plain { (view.say("Withdraw", "Zurücknehmen")) span .visually-hidden { ": " (it.pattern) } }
                })) } }
            } } }
        } }
    }
}

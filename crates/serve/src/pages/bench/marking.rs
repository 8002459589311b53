//! Marks that people make and withdraw.

use super::super::own_page;
use crate::access::{Actor, Filled};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::View;
use auslese_catalog::Mark;
use auslese_model::{Field, MarkKind, RequestId, RunId, Timestamp};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use std::sync::Arc;

/// The longest value or note of a mark, in bytes.
const MAX_MARK_TEXT: usize = 20_000;

pub(super) async fn mark(
    State(site): State<Arc<Site>>,
    view: View,
    actor: Actor,
    Path(harvest): Path<String>,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let number = |name| filled.text(name).and_then(|text| text.parse().ok());
    let request = RequestId(number("request").ok_or_else(not_understood)?);
    let kind = filled.text("kind").and_then(MarkKind::parse).ok_or_else(not_understood)?;
    let (field, value) = said(kind, &filled)?;
    let run = number("run").map(RunId);
    let known = harvest.catalog.request(request).await?.ok_or_else(vanished)?;
    // A mark belongs to the body that was described.
    let capture = match harvest.catalog.description_of(request, run).await? {
        Some(listed) => Some(listed.described.capture),
        None => harvest.catalog.document_of(request).await?.and_then(|it| it.document.content),
    };
    let capture = capture.ok_or_else(vanished)?;
    let mark = Mark {
        capture,
        request,
        field,
        value: value.clone(),
        kind,
        run,
        by: actor.name.clone(),
        at: Timestamp::now(),
        note: filled.text("note").map(str::to_owned),
    };
    harvest.catalog.set_marks(&[mark]).await?;
    let detail =
        json!({ "kind": kind.as_str(), "field": field.map(Field::as_str), "value": value });
    harvest.log_change(&actor, "mark", &known.url, detail).await?;
    let page = format!("/bench/{}", harvest.name);
    Ok(view.done(&own_page(filled.get("back").or(Some(&page)))))
}

/// What the mark is about, by its kind.
fn said(kind: MarkKind, filled: &Filled) -> Result<(Option<Field>, Option<String>), Problem> {
    let is_long = |name| filled.get(name).is_some_and(|text| text.len() > MAX_MARK_TEXT);
    if is_long("value") || is_long("note") {
        return Err(Problem::bad_request("The text is too long.", "Der Text ist zu lang."));
    }
    let field = || filled.text("field").and_then(Field::parse).ok_or_else(not_understood);
    // A value is what the run said, to the letter: spaces at its ends are part of it.
    let value = filled.get("value").filter(|value| !value.trim().is_empty()).map(str::to_owned);
    Ok(match kind {
        MarkKind::Relevant | MarkKind::Irrelevant => (None, None),
        MarkKind::Absent => (Some(field()?), None),
        MarkKind::Missing => {
            (Some(field()?), Some(value.ok_or_else(not_understood)?.trim().to_owned()))
        }
        MarkKind::Right | MarkKind::Wrong => {
            (Some(field()?), Some(value.ok_or_else(not_understood)?))
        }
    })
}

pub(super) async fn unmark(
    State(site): State<Arc<Site>>,
    view: View,
    actor: Actor,
    Path(harvest): Path<String>,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let number = filled.text("number").and_then(|text| text.parse().ok());
    let number: i64 = number.ok_or_else(not_understood)?;
    if harvest.catalog.remove_marks(&[number]).await? == 0 {
        return Err(Problem::not_found("There is no such mark.", "Dieses Urteil gibt es nicht."));
    }
    harvest.log_change(&actor, "unmark", &number.to_string(), json!({})).await?;
    let page = format!("/bench/{}/marks", harvest.name);
    Ok(view.done(&own_page(filled.get("back").or(Some(&page)))))
}

fn not_understood() -> Problem {
    Problem::bad_request(
        "It is not said what is marked, or how.",
        "Es ist nicht gesagt, was beurteilt wird, oder wie.",
    )
}

fn vanished() -> Problem {
    Problem::new(
        StatusCode::GONE,
        "This document is no longer in the harvest, so it cannot be marked. Marks that were made before stay.",
        "Dieses Dokument ist nicht mehr in der Ernte, also lässt es sich nicht beurteilen. Frühere Urteile bleiben.",
    )
}

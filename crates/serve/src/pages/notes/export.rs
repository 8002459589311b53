//! All notes as a file, made and sent in parts.

use super::list::Note;
use crate::parted::PartedBody;
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use auslese_statistics::{Cell, Table};
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Notes that are read at a time.
const AT_ONCE: usize = 1_000;

pub(super) async fn export(
    State(site): State<Arc<Site>>,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let form = parameters.iter().find(|(name, _)| name == "form").map(|(_, value)| value.as_str());
    let (write, media_type, suffix): (fn(&[Note], bool) -> String, _, _) = match form {
        Some("jsonl") | None => (json_lines, "application/x-ndjson", "jsonl"),
        Some("csv") => (csv, "text/csv; charset=utf-8", "csv"),
        Some(_) => {
            return Err(Problem::bad_request(
                "Notes can be had as jsonl or csv.",
                "Notizen gibt es als jsonl oder csv.",
            ));
        }
    };
    let headers = [
        (CONTENT_TYPE, media_type.to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"notes-{}.{suffix}\"", harvest.name)),
    ];
    // A catalog that does not answer is an error and no broken file.
    let first = page(&harvest, 0).await?;
    let (sender, body) = PartedBody::channel();
    tokio::spawn(async move {
        let (mut notes, mut is_first) = (first, true);
        while sender.send(write(&notes, is_first)).await {
            let Some(last) = notes.last() else { return };
            match page(&harvest, last.number).await {
                Ok(next) if !next.is_empty() => (notes, is_first) = (next, false),
                _ => return,
            }
        }
    });
    Ok((headers, Body::new(body)).into_response())
}

async fn page(harvest: &Harvest, after: i64) -> Result<Vec<Note>, Problem> {
    let found = harvest.catalog.remarks(after, AT_ONCE).await?;
    Ok(found.into_iter().map(|remark| Note::of(&harvest.name, remark)).collect())
}

fn json_lines(notes: &[Note], _: bool) -> String {
    notes.iter().map(|note| serde_json::to_string(note).unwrap_or_default() + "\n").collect()
}

fn csv(notes: &[Note], with_head: bool) -> String {
    let text = |text: &str| Cell::Text(text.to_owned());
    let rows = notes.iter().map(|note| {
        vec![
            Cell::Count(note.number.unsigned_abs()),
            text(note.about),
            text(&note.subject),
            note.answer_to.map_or(Cell::Empty, |number| Cell::Count(number.unsigned_abs())),
            text(&note.at),
            text(&note.by),
            text(note.edited.as_deref().unwrap_or_default()),
            text(&note.text),
        ]
    });
    let head = vec!["number", "about", "subject", "answer to", "at", "by", "edited", "text"];
    let all = Table { name: "notes", title: "Notes", head, rows: rows.collect() }.csv();
    match all.split_once("\r\n") {
        Some((_, rows)) if !with_head => rows.to_owned(),
        _ => all,
    }
}

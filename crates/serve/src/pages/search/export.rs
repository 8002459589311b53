//! The result set as a file: a table, one JSON object per line, or the bare addresses. It is made and sent in parts, so
//! its size costs no memory.

use super::question::Question;
use super::{ask, hits};
use crate::problem::Problem;
use crate::site::Site;
use auslese_search::{Hit, MAX_RESULT_WINDOW};
use auslese_statistics::{Cell, Table};
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Hits that are asked for at a time.
const AT_ONCE: usize = 1_000;

#[derive(Debug, Clone, Copy)]
enum ExportForm {
    Csv,
    JsonLines,
    Addresses,
}

pub(crate) async fn export(
    State(site): State<Arc<Site>>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let question = Question::read(&parameters)?;
    let form = parameters.iter().find(|(name, _)| name == "form").map(|(_, value)| value.as_str());
    let (form, media_type, name) = match form {
        Some("csv") | None => (ExportForm::Csv, "text/csv; charset=utf-8", "hits.csv"),
        Some("jsonl") => (ExportForm::JsonLines, "application/x-ndjson", "hits.jsonl"),
        Some("urls") => (ExportForm::Addresses, "text/plain; charset=utf-8", "hits.txt"),
        Some(_) => {
            return Err(Problem::bad_request(
                "A result set can be had as csv, jsonl or urls.",
                "Eine Treffermenge gibt es als csv, jsonl oder urls.",
            ));
        }
    };
    let desk = site.desk().await?;
    // The first part is made before anything is sent, so that a wrong question is an error and no broken file.
    let (first_desk, first_question) = (desk.clone(), question.clone());
    let first = site.work(move || ask(&first_desk, &first_question, 0, AT_ONCE)).await??.0;
    let (sender, receiver) = mpsc::channel::<Result<String, Infallible>>(2);
    tokio::spawn(async move {
        let mut hits = first.hits;
        let mut offset = 0;
        loop {
            let count = hits.len();
            if sender.send(Ok(part(form, offset, &hits))).await.is_err() {
                return;
            }
            offset += count;
            if count < AT_ONCE || offset >= MAX_RESULT_WINDOW {
                return;
            }
            let (desk, question) = (desk.clone(), question.clone());
            let Ok(Ok((next, _))) = site.work(move || ask(&desk, &question, offset, AT_ONCE)).await
            else {
                return;
            };
            hits = next.hits;
        }
    });
    let headers = [
        (CONTENT_TYPE, media_type.to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, Body::new(Parts { receiver })).into_response())
}

fn part(form: ExportForm, offset: usize, hits: &[Hit]) -> String {
    match form {
        ExportForm::Csv => {
            let text = table(offset, hits).csv();
            // The head stands once.
            match (offset, text.split_once("\r\n")) {
                (0, _) | (_, None) => text,
                (_, Some((_, rows))) => rows.to_owned(),
            }
        }
        ExportForm::JsonLines => hits
            .iter()
            .map(|hit| serde_json::to_string(&hit.document).unwrap_or_default() + "\n")
            .collect(),
        ExportForm::Addresses => hits.iter().map(|hit| format!("{}\n", hit.id)).collect(),
    }
}

fn table(offset: usize, hits: &[Hit]) -> Table {
    let text = |text: &str| Cell::Text(text.to_owned());
    let rows = hits.iter().enumerate().map(|(rank, hit)| {
        let document = &hit.document;
        vec![
            Cell::Count((offset + rank) as u64 + 1),
            Cell::Number(hit.score),
            text(&hit.title),
            text(&hit.id),
            text(&document.institution),
            text(&document.host),
            text(&document.document_type),
            text(document.language.as_deref().unwrap_or_default()),
            text(&hits::date(document)),
            text(&document.media_type),
            Cell::Bytes(document.size),
            text(document.kept.as_str()),
        ]
    });
    let head = vec![
        "rank",
        "score",
        "title",
        "address",
        "institution",
        "host",
        "type",
        "language",
        "date",
        "media type",
        "size",
        "kept",
    ];
    Table { name: "hits", title: "hits", head, rows: rows.collect() }
}

/// A body that is sent as its parts come.
struct Parts {
    receiver: mpsc::Receiver<Result<String, Infallible>>,
}

impl axum::body::HttpBody for Parts {
    type Data = axum::body::Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Infallible>>> {
        self.receiver
            .poll_recv(context)
            .map(|part| part.map(|part| part.map(|text| hyper::body::Frame::data(text.into()))))
    }
}

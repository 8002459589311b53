//! The index of captures for other tools: a subset of what pywb and the Wayback Machine's CDX server answer.
//!
//! Lines come by address and then by time, and are sent as they are read, so that their number costs no memory.

mod line;
mod question;

use super::address::read_url;
use super::finding::keys;
use crate::parted::PartedBody;
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use auslese_catalog::{CaptureScope, IndexPosition, IndexedCapture};
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use line::Line;
use question::{Matching, Output, Question};
use std::sync::Arc;

/// Captures that are read at a time. Each page of a host reads the whole table of requests, so pages are long.
const AT_ONCE: usize = 5_000;
/// Captures that are looked at for one answer, whether they pass the filters or not.
const MAX_LOOKED_AT: usize = 500_000;

pub(crate) async fn cdx(
    State(site): State<Arc<Site>>,
    Path(harvest): Path<String>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let question = Question::read(&parameters)?;
    let scope = scope(&harvest, &question).await?;
    let media_type = match question.output {
        Output::Json => "application/x-ndjson",
        Output::Text => "text/plain; charset=utf-8",
    };
    let mut answer = Answer { harvest, question, scope, given: 0, looked_at: 0, last: None };
    // The first part is made before anything is sent, so that an error is one.
    let first = answer.next(None).await?;
    let (sender, body) = PartedBody::channel();
    tokio::spawn(async move {
        let mut part = first;
        while let Some((text, position)) = part {
            if !sender.send(text).await {
                return;
            }
            part = match answer.next(Some(&position)).await {
                Ok(part) => part,
                Err(problem) => return tracing::warn!("an index ends early: {}", problem.english),
            };
        }
    });
    Ok(([(CONTENT_TYPE, media_type)], Body::new(body)).into_response())
}

async fn scope(harvest: &Harvest, question: &Question) -> Result<CaptureScope, Problem> {
    let url = read_url(&question.url)?;
    let host = url.host_str().unwrap_or_default().to_owned();
    Ok(match question.matching {
        Matching::Exact => {
            let found = harvest.catalog.find_keys(&keys(&url, &harvest.canonical)).await?;
            CaptureScope::Requests(found.values().map(|request| request.id).collect())
        }
        Matching::Prefix => CaptureScope::Beginning { host, beginning: url.into() },
        Matching::Host => CaptureScope::Host(host),
        Matching::Domain => CaptureScope::Domain(host),
    })
}

/// An answer that is being given.
struct Answer {
    harvest: Arc<Harvest>,
    question: Question,
    scope: CaptureScope,
    given: usize,
    looked_at: usize,
    /// The value of the last line by which lines are collapsed.
    last: Option<String>,
}

impl Answer {
    /// The next lines, and where they end.
    async fn next(
        &mut self,
        after: Option<&IndexPosition>,
    ) -> Result<Option<(String, IndexPosition)>, Problem> {
        if self.given >= self.question.limit || self.looked_at >= MAX_LOOKED_AT {
            return Ok(None);
        }
        let time = (self.question.from, self.question.to);
        let is_plain = self.question.filters.is_empty() && self.question.collapse.is_none();
        let wanted = if is_plain { self.question.limit - self.given } else { AT_ONCE };
        let page =
            self.harvest.catalog.index_page(&self.scope, time, after, wanted.min(AT_ONCE)).await?;
        let Some(position) = page.last().map(IndexedCapture::position) else { return Ok(None) };
        self.looked_at += page.len();
        Ok(Some((self.lines(page), position)))
    }

    fn lines(&mut self, page: Vec<IndexedCapture>) -> String {
        let mut text = String::new();
        for line in page.into_iter().map(Line::of) {
            if self.given >= self.question.limit {
                break;
            }
            if !self.question.admits(&line) || self.is_collapsed(&line) {
                continue;
            }
            self.given += 1;
            text.push_str(&match (self.question.output, self.question.fields.as_slice()) {
                (Output::Json, fields) => line.json(fields),
                (Output::Text, []) => line.cdxj(),
                (Output::Text, fields) => line.text(fields),
            });
        }
        text
    }

    fn is_collapsed(&mut self, line: &Line) -> bool {
        let Some((field, length)) = self.question.collapse else { return false };
        let value: String = line.value(field).chars().take(length).collect();
        let is_same = self.last.as_ref() == Some(&value);
        self.last = Some(value);
        is_same
    }
}

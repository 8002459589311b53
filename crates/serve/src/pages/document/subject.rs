//! The document a page is about, as the catalog knows it; what every side of it starts from.

use super::super::notes::{NoteLink, note_link};
use crate::problem::Problem;
use crate::replay::unreadable;
use crate::site::{Harvest, Site};
use auslese_catalog::{KnownRequest, ListedDescription, ListedDocument, StoredCapture, Topic};
use auslese_harvest::{StoredBody, stored_body};
use auslese_model::{
    Capture, CaptureId, Content, Field, Format, RequestId, RunId, Statement, Storage,
};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use std::sync::Arc;
use url::form_urlencoded;

/// Captures of one document that are looked at, the last ones.
pub(crate) const MAX_CAPTURES: usize = 1_000;

#[derive(Debug, Clone)]
pub(in crate::pages) struct Subject {
    pub(in crate::pages) harvest: Arc<Harvest>,
    pub(in crate::pages) request: KnownRequest,
    /// None if it was not judged yet.
    pub(super) listed: Option<ListedDocument>,
    /// The last [`MAX_CAPTURES`], oldest first.
    pub(super) captures: Vec<StoredCapture>,
    /// All captures there are.
    pub(super) capture_count: u64,
    pub(super) described: Option<ListedDescription>,
    /// What was read out of its body.
    pub(super) content: Option<Content>,
    /// What people say about it.
    pub(super) notes: NoteLink,
    /// The parameters of the address.
    pub(super) parameters: Vec<(String, String)>,
}

impl FromRequestParts<Arc<Site>> for Subject {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Subject, Problem> {
        let path = Path::<(String, String)>::from_request_parts(parts, site).await;
        let Path((harvest, request)) = path.map_err(|_| no_document())?;
        let harvest = site.harvest(&harvest)?;
        let request = request.parse().map_err(|_| no_document())?;
        let query = parts.uri.query().unwrap_or_default();
        let parameters = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        Subject::load(harvest, RequestId(request), parameters).await
    }
}

pub(in crate::pages) fn no_document() -> Problem {
    Problem::not_found(
        "There is no such document in this harvest.",
        "Dieses Dokument gibt es in dieser Ernte nicht.",
    )
}

impl Subject {
    /// With what one run said of it.
    pub(super) async fn of_run(
        harvest: Arc<Harvest>,
        id: RequestId,
        run: RunId,
        parameters: Vec<(String, String)>,
    ) -> Result<Subject, Problem> {
        let described = harvest.catalog.description_of(id, Some(run)).await?;
        Ok(Subject { described, ..Subject::load(harvest, id, parameters).await? })
    }

    pub(in crate::pages) async fn load(
        harvest: Arc<Harvest>,
        id: RequestId,
        parameters: Vec<(String, String)>,
    ) -> Result<Subject, Problem> {
        let catalog = &harvest.catalog;
        let request = catalog.request(id).await?.ok_or_else(no_document)?;
        let listed = catalog.document_of(id).await?;
        let captures = catalog.last_captures_of(id, MAX_CAPTURES).await?;
        let capture_count = match captures.len() < MAX_CAPTURES {
            true => captures.len() as u64,
            false => catalog.count_captures_of(id).await?,
        };
        let described = catalog.description_of(id, None).await?;
        let notes = note_link(&harvest, Topic::Document, &request.url).await?;
        let mut subject = Subject {
            harvest: harvest.clone(),
            request,
            listed,
            captures,
            capture_count,
            described,
            content: None,
            notes,
            parameters,
        };
        if let Some(storing) = subject.content_id() {
            subject.content = catalog.content(storing).await?;
        }
        Ok(subject)
    }

    pub(super) fn id(&self) -> RequestId {
        self.request.id
    }

    /// A parameter of the address.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The page of this document, or one of its sides.
    pub(super) fn address(&self, side: &str) -> String {
        let base = format!("/doc/{}/{}", self.harvest.name, self.id().0);
        if side.is_empty() { base } else { format!("{base}/{side}") }
    }

    /// The capture that stands for the document: the last with a document, else the last.
    pub(super) fn standing(&self) -> Option<&Capture> {
        let captures = || self.captures.iter().rev().map(|stored| &stored.capture);
        captures().find(|it| is_document(it)).or_else(|| captures().next())
    }

    /// The capture that the address asks for, else the one that stands for the document.
    pub(super) fn asked(&self) -> Result<Option<&Capture>, Problem> {
        match self.parameter("capture") {
            Some(number) => self.capture(number).map(Some),
            None => Ok(self.standing()),
        }
    }

    /// One of its captures by the text of its number.
    pub(super) fn capture(&self, number: &str) -> Result<&Capture, Problem> {
        let id = number.parse().ok().map(CaptureId);
        let mut captures = self.captures.iter().map(|stored| &stored.capture);
        captures.find(|it| Some(it.id) == id).ok_or_else(|| {
            Problem::not_found(
                "This document has no such capture.",
                "Diese Aufnahme hat das Dokument nicht.",
            )
        })
    }

    /// The capture that stores the body of the document.
    pub(in crate::pages) fn content_id(&self) -> Option<CaptureId> {
        let judged = self.listed.as_ref().and_then(|listed| listed.document.content);
        judged.or_else(|| self.standing().and_then(storing))
    }

    pub(in crate::pages) fn format(&self) -> Option<Format> {
        self.content.as_ref().map(|content| content.format)
    }

    /// The statements of a field that are said aloud.
    pub(super) fn said(&self, field: Field) -> impl Iterator<Item = &Statement> {
        let description = self.described.as_ref().map(|listed| &listed.described.description);
        description.into_iter().flat_map(move |it| it.chosen(field))
    }

    /// What the document is called: as it says, else its address.
    pub(super) fn title(&self) -> String {
        let said = self.said(Field::Title).map(|it| it.value.as_str()).next();
        let own = || self.content.as_ref().and_then(|content| content.title.as_deref());
        let title = said.or_else(own).map(str::trim).filter(|title| !title.is_empty());
        title.unwrap_or(&self.request.url).to_owned()
    }

    /// The capture with the body of another, or why there is none.
    pub(super) async fn stored(&self, capture: &Capture) -> Result<StoredPlace, Problem> {
        let storing = match &capture.storage {
            Storage::Stored(_) => capture.id,
            Storage::Revisit { original, .. } => *original,
            Storage::HeaderOnly { reason } => return Ok(StoredPlace::Nowhere(reason.clone())),
        };
        if storing == capture.id {
            return Ok(StoredPlace::Here(Box::new(capture.clone())));
        }
        Ok(match self.harvest.catalog.capture(storing).await? {
            Some(stored) => StoredPlace::Here(Box::new(stored.capture)),
            None => StoredPlace::Nowhere("the capture it refers to was removed".to_owned()),
        })
    }

    /// The body of a capture; or why there is none. A record that cannot be read is a problem: it should be there.
    pub(super) async fn body(
        &self,
        site: &Site,
        capture: &Capture,
    ) -> Result<Result<(Capture, StoredBody), String>, Problem> {
        let capture = match self.stored(capture).await? {
            StoredPlace::Here(capture) => *capture,
            StoredPlace::Nowhere(why) => return Ok(Err(why)),
        };
        let archive = self.harvest.archive();
        let read = move || stored_body(&archive, &capture).map(|body| (capture, body));
        // Where the archive lies, and what is wrong with it, is for the log.
        site.work(read).await?.map(Ok).map_err(|why| unreadable(&why))
    }
}

/// Where a body is.
#[derive(Debug)]
pub(super) enum StoredPlace {
    Here(Box<Capture>),
    Nowhere(String),
}

/// The capture that stores the body of another; none if none does.
pub(super) fn storing(capture: &Capture) -> Option<CaptureId> {
    match &capture.storage {
        Storage::Stored(_) => Some(capture.id),
        Storage::Revisit { original, .. } => Some(*original),
        Storage::HeaderOnly { .. } => None,
    }
}

pub(super) fn is_document(capture: &Capture) -> bool {
    (200..300).contains(&capture.status)
}

//! One record of the archive, byte for byte as it lies in its file: a gzip member that is a WARC file of its own.

use super::answer::insert;
use super::body::{capture, not_kept, unreadable};
use super::stream::stretch;
use crate::problem::Problem;
use crate::site::Site;
use auslese_archive::{ArchiveError, Damage, Holdings, Section};
use auslese_model::{CaptureId, Place};
use axum::extract::{Path as PathParts, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use std::sync::Arc;

pub(crate) async fn record(
    State(site): State<Arc<Site>>,
    PathParts((harvest, number)): PathParts<(String, String)>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let number: i64 = number.parse().map_err(|_| {
        Problem::bad_request("A capture has a number.", "Eine Aufnahme hat eine Nummer.")
    })?;
    let capture = capture(&harvest, CaptureId(number)).await?;
    let Some(place) = capture.storage.place().cloned() else {
        return Err(not_kept(&capture.storage));
    };
    let (archive, wanted) = (harvest.archive(), place.clone());
    let opened = site.work(move || opened(&archive, &wanted)).await?;
    let (file, is_packed) = opened.map_err(|error| unreadable(&error))?;
    let mut response = Response::new(stretch(file.part(place.offset, place.length)));
    let headers = response.headers_mut();
    insert(headers, CONTENT_TYPE, "application/warc");
    let ending = if is_packed { "warc.gz" } else { "warc" };
    let name = format!("attachment; filename=\"{}-{number}.{ending}\"", harvest.name);
    insert(headers, CONTENT_DISPOSITION, &name);
    Ok(response)
}

/// The file of a record that is whole and begins as records do; and whether it is compressed.
fn opened(archive: &Holdings, place: &Place) -> Result<(Section, bool), ArchiveError> {
    let (file, path) = archive.open(&place.file)?;
    let failed = |cause| ArchiveError::Io { file: path.clone(), cause };
    let damaged =
        |damage| ArchiveError::Damaged { file: path.clone(), offset: place.offset, damage };
    let there = file.len().saturating_sub(place.offset);
    if there < place.length {
        return Err(damaged(Damage::CutBlock { missing: place.length - there }));
    }
    let mut beginning = [0; 5];
    let count = file.read_at(&mut beginning, place.offset).map_err(failed)?;
    match &beginning[..count] {
        [0x1f, 0x8b, ..] => Ok((file, true)),
        b"WARC/" => Ok((file, false)),
        _ => Err(damaged(Damage::NotARecord)),
    }
}

//! One document from all sides, one module for each: what is said of it, how it looked, its source, its text and
//! languages, its record, its links, its versions, and what is near it.
//!
//! A document is the answer to a request, so the number of the request is its address. What cannot be shown, such as a
//! body that was never stored or a damaged record, is said on the page; the rest of the page stays.

mod calendar;
mod diff;
mod head;
mod layout;
mod links;
mod overview;
mod page_tab;
mod record;
mod related;
mod rule_texts;
mod source;
mod statements;
mod subject;
mod text;
mod versions;
mod words;

use crate::site::Site;
use axum::Router;
use axum::routing::get;
use std::sync::Arc;

/// The pages of a document.
pub(crate) fn document_routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/doc/{harvest}/{request}", get(overview::overview))
        .route("/doc/{harvest}/{request}/page", get(page_tab::page_tab))
        .route("/doc/{harvest}/{request}/source", get(source::source))
        .route("/doc/{harvest}/{request}/text", get(text::text))
        .route("/doc/{harvest}/{request}/record", get(record::record))
        .route("/doc/{harvest}/{request}/links", get(links::links))
        .route("/doc/{harvest}/{request}/versions", get(versions::versions))
        .route("/doc/{harvest}/{request}/versions/diff", get(diff::diff))
        .route("/doc/{harvest}/{request}/related", get(related::related))
}

//! One document from all sides, one module for each: what is said of it, how it looked, its source, its text and
//! languages, its record, its links, its versions, and what is near it.
//!
//! A document is the answer to a request, so the number of the request is its address. What cannot be shown, such as a
//! body that was never stored or a damaged record, is said on the page; the rest of the page stays.

mod bench;
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
pub(super) mod words;

pub(super) use subject::{Subject, no_document};

pub(crate) use bench::on_bench;
pub(super) use words::{field as field_name, mark as mark_name, rule};

use crate::routes::Route;
use axum::routing::get;

/// The pages of a document.
pub(crate) fn document_routes() -> Vec<Route> {
    let page = Route::page;
    vec![
        page(
            "/doc/{harvest}/{request}",
            "A document and what is said about it",
            &[],
            get(overview::overview),
        ),
        page(
            "/doc/{harvest}/{request}/page",
            "The archived page, or the pages of a paper",
            &[
                ("capture", "One of its captures; the newest if not given"),
                ("page", "Pages of a paper, from 1"),
            ],
            get(page_tab::page_tab),
        ),
        page(
            "/doc/{harvest}/{request}/source",
            "The source, with the places of statements",
            &[],
            get(source::source),
        ),
        page(
            "/doc/{harvest}/{request}/text",
            "The text, with the language of each paragraph",
            &[],
            get(text::text),
        ),
        page(
            "/doc/{harvest}/{request}/record",
            "Headers, captures and records",
            &[],
            get(record::record),
        ),
        page(
            "/doc/{harvest}/{request}/links",
            "Links out of it and to it",
            &[("page", "Page of the list, from 1")],
            get(links::links),
        ),
        page(
            "/doc/{harvest}/{request}/versions",
            "Versions and a calendar",
            &[],
            get(versions::versions),
        ),
        page(
            "/doc/{harvest}/{request}/versions/diff",
            "Two versions compared word by word",
            &[
                ("from", "A capture"),
                ("to", "Another"),
                ("whole", "The whole text, not the changes alone"),
            ],
            get(diff::diff),
        ),
        page(
            "/doc/{harvest}/{request}/related",
            "Copies, citations, similar documents",
            &[],
            get(related::related),
        ),
    ]
}

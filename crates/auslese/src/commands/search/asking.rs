//! Asks one question and shows the answer.

use super::answer_text;
use super::opening::{Opened, query_failure, search_failure};
use super::transfer::{ask_transferred, transferring};
use super::{AskingArgs, SimilarArgs};
use crate::args::Place;
use crate::commands::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::commands::stats::{Cell, Table};
use crate::messages::{Color, Exit, Failure, Outcome};
use crate::output;
use auslese_search::{
    DocumentsRequest, FacetFilter, Hit, HitKey, SearchError, SearchRequest, SearchResults,
    SimilarRequest,
};
use serde_json::json;

/// A question with the way it is asked.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) query: &'a str,
    pub(super) args: &'a AskingArgs,
}

pub(super) fn run(question: &Question<'_>, place: &Place, color: Color) -> Outcome {
    let args = question.args;
    let opened = Opened::open(place, &args.also, color)?;
    let transferring = transferring(&opened, args)?;
    let (results, rewritings) = ask_transferred(&transferring, &opened, request(question))?;
    if args.json {
        output::print_json(&json!({
            "query": question.query,
            "harvests": opened.dirs,
            "results": results,
            "transfer": rewritings,
        }))?;
    } else if args.csv {
        output::print(&table(&results.hits, &opened).csv())?;
    } else {
        let shown = answer_text::Shown { question, opened: &opened, rewritings: &rewritings };
        output::print(&shown.text(&results))?;
    }
    Ok(Exit::Done)
}

/// The answer to a question as text, for callers that show it themselves.
pub(crate) fn answer(
    query: &str,
    limit: usize,
    place: &Place,
    color: Color,
) -> Result<String, Failure> {
    let args = AskingArgs::plain(limit);
    let question = Question { query, args: &args };
    let opened = Opened::open(place, &[], color)?;
    let transferring = transferring(&opened, &args)?;
    let (results, rewritings) = ask_transferred(&transferring, &opened, request(&question))?;
    let shown =
        answer_text::Shown { question: &question, opened: &opened, rewritings: &rewritings };
    Ok(shown.text(&results))
}

/// What is asked of the index, but for transferred terms.
pub(super) fn request(question: &Question<'_>) -> SearchRequest {
    let args = question.args;
    let mut filters: Vec<FacetFilter> = Vec::new();
    for (chosen, exclude) in [(&args.only, false), (&args.without, true)] {
        for (facet, value) in chosen {
            // Several values of one facet: any of them.
            let known = filters.iter_mut().find(|it| it.facet == *facet && it.exclude == exclude);
            match known {
                Some(filter) => filter.values.push(value.clone()),
                None => filters.push(FacetFilter {
                    facet: *facet,
                    values: vec![value.clone()],
                    exclude,
                }),
            }
        }
    }
    SearchRequest {
        filters,
        facets: args.facets(),
        offset: args.offset,
        limit: args.limit,
        sort: args.sort.sort(),
        use_weights: !args.ignore_weights,
        // Which transferred term found a document is always told.
        explain: true,
        snippets: !args.csv,
        ..SearchRequest::new(question.query)
    }
}

/// Hits as a table for spreadsheets.
fn table(hits: &[Hit], opened: &Opened) -> Table {
    let head = vec![
        "rank",
        "score",
        "title",
        "address",
        "harvest",
        "institution",
        "host",
        "type",
        "language",
        "date",
        "media type",
        "size",
        "kept",
    ];
    let rows = hits.iter().enumerate().map(|(rank, hit)| {
        let document = &hit.document;
        let text = |text: &str| Cell::Text(text.to_owned());
        vec![
            Cell::Count(rank as u64 + 1),
            Cell::Number(hit.score),
            text(&hit.title),
            text(&hit.id),
            text(&opened.dirs[hit.index].display().to_string()),
            text(&document.institution),
            text(&document.host),
            text(&document.document_type),
            text(document.language.as_deref().unwrap_or_default()),
            text(&answer_text::date(document)),
            text(&document.media_type),
            Cell::Bytes(document.size),
            text(document.kept.as_str()),
        ]
    });
    Table { name: "hits", title: "hits", head, rows: rows.collect() }
}

/// What is wrong with a question or an index.
pub(super) fn failure(error: SearchError, query: &str) -> Failure {
    match error {
        SearchError::Query(error) => query_failure(&error, query),
        other => search_failure(other),
    }
}

/// How far along references neighbours are preferred, and by how much each step.
const NEIGHBOUR_STEPS: usize = 2;
const NEIGHBOUR_BOOST: f64 = 2.0;

/// Documents that are like one.
pub(super) fn similar(args: &SimilarArgs, place: &Place) -> Outcome {
    let opened = Opened::open(place, &[], Color::Never)?;
    let key = key_of(&opened, place, &args.url)?;
    let boosts = neighbours(&opened, place, key)?;
    let request = SimilarRequest { index: 0, key, limit: args.limit, boosts };
    let hits = opened.searcher.similar(&request).map_err(search_failure)?;
    if args.json {
        output::print_json(&hits)?;
    } else {
        output::print(&answer_text::plain_hits(&hits))?;
    }
    Ok(Exit::Done)
}

/// The number of the document with this address, or with this name in a foreign collection.
fn key_of(opened: &Opened, place: &Place, url: &str) -> Result<u64, Failure> {
    let found = match &opened.config {
        Some(config) => block_on(async {
            let catalog = open_catalog(config, place.dir()).await?;
            let requests = catalog.find_requests(url).await;
            catalog.close().await;
            let requests = requests.map_err(catalog_failure)?;
            Ok(requests.first().map(|known| HitKey::Document(known.id).key()))
        })?,
        None => {
            let mut all =
                opened.searcher.documents(&DocumentsRequest::default()).map_err(search_failure)?;
            let found = all.find_map(|stored| match stored {
                Ok(stored) => (stored.document.id == url).then_some(Ok(stored.document.key)),
                Err(error) => Some(Err(error)),
            });
            found.transpose().map_err(search_failure)?
        }
    };
    found.ok_or_else(|| {
        Failure::usage(format!("{url} is not in the index"))
            .hint("`auslese why URL` tells what became of an address")
    })
}

/// Documents near one along references, each with what it is preferred by.
fn neighbours(opened: &Opened, place: &Place, key: u64) -> Result<Vec<(u64, f64)>, Failure> {
    let Some(config) = &opened.config else { return Ok(Vec::new()) };
    // Nobody cites databases and records.
    let HitKey::Document(request) = HitKey::of(key) else { return Ok(Vec::new()) };
    let found = block_on(async {
        let catalog = open_catalog(config, place.dir()).await?;
        let near = match catalog.current_describe_run().await.map_err(catalog_failure)? {
            Some(run) => catalog.citation_neighbours(run, request, NEIGHBOUR_STEPS).await.map(Some),
            None => Ok(None),
        };
        catalog.close().await;
        near.map_err(catalog_failure)
    })?;
    let near = found.map(|found| found.documents).unwrap_or_default();
    let boosts = near.iter().map(|near| {
        (
            HitKey::Document(near.request).key(),
            1.0 + (NEIGHBOUR_BOOST - 1.0) / near.distance.max(1) as f64,
        )
    });
    Ok(boosts.collect())
}

/// All hits of a question, for those who go on working with them.
pub(super) fn ask(opened: &Opened, request: &SearchRequest) -> Result<SearchResults, Failure> {
    opened.searcher.search(request).map_err(|error| failure(error, &request.query))
}

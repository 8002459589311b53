//! Citations: the bibliographies that runs found, entry by entry, and the documents they cite.
//!
//! Entries belong to a run and to the capture that stores the body, in the order of the bibliography.
//! An entry that cites a document of the harvest is an edge from the request that was answered with
//! the body to that document's request. Neighbours are found breadth-first, with a few statements
//! for each step.

use super::run_each;
use crate::batch::Batch;
use crate::discovery::json;
use crate::engine::{Fields, Sql};
use crate::lookup::{AT_ONCE, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Citation, CitationEvidence, RequestId, RunId};
use serde_json::json as json_value;
use std::collections::{BTreeMap, BTreeSet};

/// Neighbours that are listed of one document; well-known papers have hundreds, and theirs are the
/// whole harvest.
pub const MAX_CITATION_NEIGHBOURS: usize = 10_000;

/// An entry of a bibliography that is to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCitation {
    /// The capture that stores the body with the bibliography, and the request it answered.
    pub capture: CaptureId,
    pub citing: RequestId,
    /// Its place in the bibliography, from 1.
    pub entry: u64,
    pub text: String,
    pub parts: Citation,
    pub cited: Option<CitedDocument>,
}

/// The document that an entry cites.
#[derive(Debug, Clone, PartialEq)]
pub struct CitedDocument {
    pub request: RequestId,
    /// How surely, in 0..=1, and on which grounds.
    pub score: f64,
    pub by: Vec<CitationEvidence>,
}

/// An entry of a document's bibliography.
#[derive(Debug, Clone, PartialEq)]
pub struct CitationEntry {
    pub entry: u64,
    pub text: String,
    pub parts: Citation,
    /// The document it cites, with its address.
    pub cited: Option<(CitedDocument, String)>,
}

/// An entry that cites a document of the harvest.
#[derive(Debug, Clone, PartialEq)]
pub struct CitationEdge {
    pub capture: CaptureId,
    pub entry: u64,
    pub citing: RequestId,
    pub citing_url: String,
    pub cited: CitedDocument,
    pub cited_url: String,
}

/// A document within some steps of another, along references in either direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitationNeighbour {
    pub request: RequestId,
    pub url: String,
    pub distance: usize,
}

/// The nearest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CitationNeighbours {
    pub documents: Vec<CitationNeighbour>,
    /// Whether there are more than [`MAX_CITATION_NEIGHBOURS`].
    pub cut: bool,
}

impl Catalog {
    /// Stores the bibliographies of captures in a run; what the run had of these captures is
    /// replaced.
    pub async fn store_citations(
        &self,
        run: RunId,
        captures: &[CaptureId],
        citations: &[NewCitation],
    ) -> Result<(), CatalogError> {
        let captures: BTreeSet<CaptureId> =
            captures.iter().copied().chain(citations.iter().map(|it| it.capture)).collect();
        let citations: BTreeMap<(CaptureId, u64), &NewCitation> =
            citations.iter().map(|it| ((it.capture, it.entry), it)).collect();
        let mut session = self.engine.begin().await?;
        let mut old = Batch::new(
            "WITH v (run_id, id) AS (",
            2,
            ") DELETE FROM citation WHERE (run_id, capture_id) IN (SELECT run_id, id FROM v)",
        );
        for capture in captures {
            old.push([run.into(), capture.into()]);
        }
        old.run(&mut session).await?;
        let mut rows = Batch::new(
            "INSERT INTO citation (run_id, capture_id, entry, citing_id, cited_id, score, evidence, \
             text, parts)",
            9,
            "",
        );
        for citation in citations.values() {
            let cited = citation.cited.as_ref();
            let by = cited.map(|cited| words(&cited.by));
            rows.push([
                run.into(),
                citation.capture.into(),
                citation.entry.into(),
                citation.citing.into(),
                cited.map(|cited| cited.request.0).into(),
                cited.map(|cited| cited.score).into(),
                by.as_deref().into(),
                citation.text.as_str().into(),
                json(json_value!(citation.parts)),
            ]);
        }
        rows.run(&mut session).await?;
        Ok(session.commit().await?)
    }

    /// Notes that the bibliographies of all documents a run described are stored.
    pub async fn note_citations_current(&self, run: RunId) -> Result<(), CatalogError> {
        let sql = "UPDATE describe_run SET cited = \
                   (SELECT COUNT(*) FROM description WHERE run_id = $1) WHERE run_id = $1";
        let mut session = self.engine.begin().await?;
        session.execute(Sql::new(sql).bind(run)).await?;
        Ok(session.commit().await?)
    }

    /// Whether that was noted, and no document was described since.
    pub async fn citations_are_current(&self, run: RunId) -> Result<bool, CatalogError> {
        let sql = "SELECT 1 FROM describe_run WHERE run_id = $1 AND cited = \
                   (SELECT COUNT(*) FROM description WHERE run_id = $1)";
        Ok(self.engine.reader().await?.row(Sql::new(sql).bind(run)).await?.is_some())
    }

    /// The bibliography of a capture, in its order.
    pub async fn citations_of(
        &self,
        run: RunId,
        capture: CaptureId,
    ) -> Result<Vec<CitationEntry>, CatalogError> {
        let sql = Sql::new(CITATIONS_OF).bind(run).bind(capture);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_entry(&mut row, capture)).collect()
    }

    /// The entries that cite a document, by number of the citing capture.
    pub async fn cited_by(
        &self,
        run: RunId,
        request: RequestId,
    ) -> Result<Vec<CitationEdge>, CatalogError> {
        self.edges(Sql::new(cited_by_query()).bind(run).bind(request)).await
    }

    /// The next entries of a run that cite a document of the harvest, after the entry given.
    /// `(CaptureId(0), 0)` begins; an empty page ends.
    pub async fn citation_edges(
        &self,
        run: RunId,
        after: (CaptureId, u64),
        limit: usize,
    ) -> Result<Vec<CitationEdge>, CatalogError> {
        let sql = Sql::new(edges_page()).bind(run).bind(after.0).bind(after.1).bind(limit);
        self.edges(sql).await
    }

    async fn edges(&self, sql: Sql) -> Result<Vec<CitationEdge>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_edge(&mut row)).collect()
    }

    /// The documents within so many steps of one, along references in either direction.
    pub async fn citation_neighbours(
        &self,
        run: RunId,
        request: RequestId,
        distance: usize,
    ) -> Result<CitationNeighbours, CatalogError> {
        let mut distances = BTreeMap::from([(request, 0)]);
        let mut frontier = vec![request];
        let mut cut = false;
        for step in 1..=distance {
            let mut next = BTreeSet::new();
            for (from, to) in self.steps(run, &frontier).await? {
                next.extend([from, to].into_iter().filter(|it| !distances.contains_key(it)));
            }
            let room = MAX_CITATION_NEIGHBOURS + 1 - distances.len();
            cut = next.len() > room;
            frontier = next.into_iter().take(room).collect();
            distances.extend(frontier.iter().map(|request| (*request, step)));
            if cut || frontier.is_empty() {
                break;
            }
        }
        distances.remove(&request);
        let urls = self.urls_of(distances.keys().copied()).await?;
        let mut documents: Vec<CitationNeighbour> = distances
            .into_iter()
            .filter_map(|(request, distance)| {
                Some(CitationNeighbour { request, url: urls.get(&request)?.clone(), distance })
            })
            .collect();
        documents.sort_by_key(|it| (it.distance, it.request));
        Ok(CitationNeighbours { documents, cut })
    }

    /// All edges that touch one of the requests.
    async fn steps(
        &self,
        run: RunId,
        requests: &[RequestId],
    ) -> Result<BTreeSet<(RequestId, RequestId)>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let mut steps = BTreeSet::new();
        for sql in [steps_query("citing_id"), steps_query("cited_id")] {
            for some in requests.chunks(AT_ONCE) {
                let asked = filled(&sql, some.iter().map(|request| (*request).into())).bind(run);
                for mut row in session.rows(asked).await? {
                    steps.insert((RequestId(row.number()?), RequestId(row.number()?)));
                }
            }
        }
        Ok(steps)
    }

    async fn urls_of(
        &self,
        requests: impl Iterator<Item = RequestId>,
    ) -> Result<BTreeMap<RequestId, String>, CatalogError> {
        let sql = format!("SELECT id, url FROM request WHERE id IN ({})", places(1));
        let requests: Vec<RequestId> = requests.collect();
        let mut session = self.engine.reader().await?;
        let mut urls = BTreeMap::new();
        for some in requests.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|request| (*request).into()));
            for mut row in session.rows(asked).await? {
                urls.insert(RequestId(row.number()?), row.text()?);
            }
        }
        Ok(urls)
    }
}

pub(super) const CITATIONS_OF: &str = "SELECT c.entry, c.text, c.parts, c.cited_id, c.score, \
    c.evidence, t.url FROM citation c LEFT JOIN request t ON t.id = c.cited_id \
    WHERE c.run_id = $1 AND c.capture_id = $2 ORDER BY c.entry";

const EDGE: &str = "SELECT c.capture_id, c.entry, c.citing_id, f.url, c.cited_id, c.score, \
    c.evidence, t.url FROM citation c JOIN request f ON f.id = c.citing_id \
    JOIN request t ON t.id = c.cited_id WHERE c.cited_id IS NOT NULL AND";

// The sign before the run keeps SQLite from reading the whole run along the primary key.

pub(super) fn cited_by_query() -> String {
    format!("{EDGE} +c.run_id = $1 AND c.cited_id = $2 ORDER BY c.capture_id, c.entry")
}

pub(super) fn edges_page() -> String {
    format!(
        "{EDGE} c.run_id = $1 AND (c.capture_id, c.entry) > ($2, $3) \
         ORDER BY c.capture_id, c.entry LIMIT $4"
    )
}

pub(super) fn steps_query(column: &str) -> String {
    format!(
        "SELECT DISTINCT c.citing_id, c.cited_id FROM citation c WHERE c.{column} IN ({}) \
         AND +c.run_id = ${} AND c.cited_id IS NOT NULL",
        places(1),
        AT_ONCE + 1
    )
}

fn words(by: &[CitationEvidence]) -> String {
    by.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(" ")
}

/// The columns `cited_id, score, evidence`; what a later program called evidence is left out.
fn read_cited(row: &mut Fields) -> Result<Option<CitedDocument>, CatalogError> {
    let (request, score, by) = (row.maybe_number()?, row.maybe_fraction()?, row.maybe_text()?);
    let by = by.unwrap_or_default();
    Ok(request.map(|request| CitedDocument {
        request: RequestId(request),
        score: score.unwrap_or(0.0),
        by: by.split(' ').filter_map(CitationEvidence::parse).collect(),
    }))
}

fn read_entry(row: &mut Fields, capture: CaptureId) -> Result<CitationEntry, CatalogError> {
    let (entry, text) = (row.count()?, row.text()?);
    let parts = serde_json::from_str(&row.text()?).map_err(|_| {
        CatalogError::damaged(format!(
            "the parts of entry {entry} of capture {} are unreadable",
            capture.0
        ))
    })?;
    let cited = read_cited(row)?;
    Ok(CitationEntry { entry, text, parts, cited: cited.zip(row.maybe_text()?) })
}

fn read_edge(row: &mut Fields) -> Result<CitationEdge, CatalogError> {
    let (capture, entry) = (CaptureId(row.number()?), row.count()?);
    let (citing, citing_url) = (RequestId(row.number()?), row.text()?);
    let cited = read_cited(row)?.ok_or_else(|| CatalogError::damaged("an edge without an end"))?;
    Ok(CitationEdge { capture, entry, citing, citing_url, cited, cited_url: row.text()? })
}

/// Takes the bibliographies of captures out of all runs, and what says that entries of others cite the
/// requests.
pub(super) async fn remove_citations(
    session: &mut crate::engine::Session,
    captures: impl Iterator<Item = CaptureId>,
    requests: &[RequestId],
) -> Result<(), CatalogError> {
    let cited = ") UPDATE citation SET cited_id = NULL, score = NULL, evidence = NULL \
                 WHERE cited_id IN (SELECT id FROM v)";
    run_each(session, cited, requests.iter().map(|request| request.0)).await?;
    let citing = ") DELETE FROM citation WHERE run_id IN (SELECT run_id FROM describe_run) \
                  AND capture_id IN (SELECT id FROM v)";
    run_each(session, citing, captures.map(|capture| capture.0)).await
}

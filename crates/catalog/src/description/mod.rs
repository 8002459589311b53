//! What documents say about themselves: the runs of the describing stage with their statements, what
//! people marked, and what surrounds a document: anchor texts, full texts, home pages.
//!
//! A description belongs to a run and to the capture that stores the body, so exact copies share
//! one, and earlier runs stay beside later ones for comparison. Everything is written in batches and
//! read in pages along the primary key; a run that was interrupted goes on where it stopped, because
//! what is still to be described is what the run has no description of.

mod anchors;
mod around;
mod citation;
mod counts;
mod described;
mod mark;
mod pending;
mod records;
mod run;

pub use around::{AnnouncedFullTexts, FullText, HomePage, HomePageBy};
pub use citation::{
    CitationEdge, CitationEntry, CitationNeighbour, CitationNeighbours, CitedDocument,
    MAX_CITATION_NEIGHBOURS, NewCitation,
};
pub use counts::{FieldCount, HIGH_WEIGHT, RuleDocument, RuleUse};
pub use described::ListedDescription;
pub use mark::{Mark, MarkFilter, StoredMark};
pub(crate) use pending::undescribed;
pub use pending::{Describable, ServerPages};
pub use records::{OutsideRecord, RecordAbout};
pub use run::{DescribeRun, DescribeTexts, NewDescribeRun};

use crate::CatalogError;
use crate::batch::Batch;
use crate::engine::Session;
use auslese_model::{CaptureId, Field, RequestId, RunId};
use std::collections::BTreeMap;

/// Takes everything said about captures out of all runs, and everything that names the requests. Marks
/// that were made at other addresses of the same body go to the capture that stores it from now on;
/// what was described goes, because it may come from the address that is removed.
pub(crate) async fn remove_descriptions(
    session: &mut Session,
    captures: impl Iterator<Item = CaptureId> + Clone,
    requests: &[RequestId],
    heirs: &BTreeMap<CaptureId, CaptureId>,
) -> Result<(), CatalogError> {
    for after in [
        ") DELETE FROM mark WHERE request_id IN (SELECT id FROM v)",
        ") DELETE FROM full_text WHERE page_id IN (SELECT id FROM v)",
        ") DELETE FROM full_text WHERE target_id IN (SELECT id FROM v)",
        ") DELETE FROM home_page WHERE request_id IN (SELECT id FROM v)",
        ") DELETE FROM home_page WHERE home_id IN (SELECT id FROM v)",
        ") DELETE FROM outside_record WHERE about IN (SELECT key FROM request WHERE id IN \
         (SELECT id FROM v))",
    ] {
        run_each(session, after, requests.iter().map(|request| request.0)).await?;
    }
    let mut inherited = Batch::new(
        "WITH v (original, heir) AS (",
        2,
        ") UPDATE mark SET capture_id = v.heir FROM v WHERE mark.capture_id = v.original \
         AND NOT EXISTS (SELECT 1 FROM mark o WHERE o.capture_id = v.heir AND o.key = mark.key)",
    );
    for (original, heir) in heirs {
        inherited.push([(*original).into(), (*heir).into()]);
    }
    inherited.run(session).await?;
    for after in [
        ") DELETE FROM mark WHERE capture_id IN (SELECT id FROM v)",
        // Their primary keys begin with the run; runs are few.
        ") DELETE FROM statement WHERE run_id IN (SELECT run_id FROM describe_run) \
         AND capture_id IN (SELECT id FROM v)",
        ") DELETE FROM description WHERE run_id IN (SELECT run_id FROM describe_run) \
         AND capture_id IN (SELECT id FROM v)",
    ] {
        run_each(session, after, captures.clone().map(|capture| capture.0)).await?;
    }
    citation::remove_citations(session, captures, requests).await
}

async fn run_each(
    session: &mut Session,
    after: &'static str,
    numbers: impl Iterator<Item = i64>,
) -> Result<(), CatalogError> {
    let mut batch = Batch::new("WITH v (id) AS (", 1, after);
    for number in numbers {
        batch.push([number.into()]);
    }
    batch.run(session).await?;
    Ok(())
}

pub(crate) fn read_field(name: &str, run: RunId) -> Result<Field, CatalogError> {
    Field::parse(name).ok_or_else(|| {
        CatalogError::damaged(format!("run {} has a statement about {name:?}", run.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalog, CatalogSettings, Location};

    /// A page begins where the last one ended, and all else is found by number.
    #[tokio::test]
    async fn pages_do_not_scan() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let catalog = Catalog::create(&location, &CatalogSettings::default()).await.unwrap();
        let (all, request) = (MarkFilter::default(), Some(RequestId(1)));
        let of_request = MarkFilter { request, ..MarkFilter::default() };
        #[rustfmt::skip]
        let cases = [
            // query                                    begins with
            (pending::pending_page(Describable::Pages), "SEARCH p USING INDEX http_header_stored (id>?)"),
            (described::DESCRIPTIONS_PAGE.to_owned(),   "SEARCH d USING PRIMARY KEY (run_id=? AND capture_id>?)"),
            (described::STATEMENTS_PAGE.to_owned(),
             "SEARCH statement USING PRIMARY KEY (run_id=? AND capture_id>? AND capture_id<?)"),
            (described::description_query(),            "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)"),
            (citation::CITATIONS_OF.to_owned(),         "SEARCH c USING PRIMARY KEY (run_id=? AND capture_id=?)"),
            (citation::edges_page(),                    "SEARCH c USING PRIMARY KEY (run_id=? AND"),
            (mark::marks_page(&all).0,                  "SEARCH m USING INTEGER PRIMARY KEY (rowid>?)"),
            (mark::marks_page(&of_request).0,           "SEARCH m USING INDEX mark_request (request_id=? AND rowid>?)"),
        ];
        for (sql, beginning) in cases {
            let plan = catalog.engine.reader().await.unwrap().plan(&sql).await.unwrap();
            assert!(plan.contains(beginning), "{sql}\n{plan}");
            // `m` is the page itself.
            let scans = |line: &&str| line.starts_with("SCAN") && *line != "SCAN m";
            assert_eq!(plan.lines().find(scans), None, "{sql}\n{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{sql}\n{plan}");
        }
        // These count and compare, so they sort; but only what they were asked about.
        let cases = [
            (pending::samples_page(), "SEARCH p USING INDEX http_header_server (server_id=?)"),
            (anchors::anchors_query(), "SEARCH l USING INDEX content_link_request (request_id=?)"),
            (citation::cited_by_query(), "SEARCH c USING INDEX citation_cited (cited_id=?)"),
            (
                citation::steps_query("citing_id"),
                "SEARCH c USING INDEX citation_citing (citing_id=?)",
            ),
            (counts::COUNTS.to_owned(), "SEARCH statement USING PRIMARY KEY (run_id=?)"),
        ];
        for (sql, beginning) in cases {
            let plan = catalog.engine.reader().await.unwrap().plan(&sql).await.unwrap();
            assert!(plan.contains(beginning), "{sql}\n{plan}");
        }
    }
}

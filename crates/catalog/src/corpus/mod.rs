//! What the corpus keeps: what was read out of stored bodies, which documents belong to the corpus
//! and why, rounds and versions, what was removed, and the statistics over all of it.
//!
//! A *document* is the newest answer to one request. Everything the corpus does goes over all
//! documents, so everything here comes in pages along the primary key and is written in batches. The
//! verdicts are a view over the archive that people make again whenever they change their rules:
//! storing them writes only the rows that changed.

mod content;
mod content_row;
mod document;
mod facts;
mod link;
mod recrawl;
mod redirect;
mod removal;
mod rewriting;
mod round;
mod showing;
mod statistics;
mod version;

pub use content::DocumentSignature;
pub(crate) use content::unexamined;
pub use document::{DocumentFilter, ListedDocument, RuleCount, RuleCounts};
pub use facts::{Answer, BodyState, ContentSummary, DocumentFacts};
pub use link::{ContentLink, LinkRow};
pub use recrawl::{Recrawl, Validators};
pub use redirect::Redirect;
pub use removal::{Bereft, Removal, RemovalNote, RemovalPlan};
pub use rewriting::{Renamed, Rewriting};
pub use round::{MAX_ROUND_WORDS, Round, RoundId, RoundKind};
pub use showing::{BriefDocument, DocumentLink};
pub use statistics::{
    Amount, CountBy, CountRow, CountTable, DocumentFeatures, DuplicateCounts, ElementRow, ErrorRow,
    FeatureRow, InstitutionRow, OddityRow, ServerRow, SizeBy, SizeRow, TemplateRow,
};
pub(crate) use version::uncompared;
pub use version::{
    ChangeRow, DatedVersion, Version, VersionCapture, VersionChange, VersionFacts, WordCounts,
};

use crate::CatalogError;
use crate::catalog::take_numbers;
use crate::engine::Session;

/// The number of the capture that answers for a request `r` whose newest capture is `h`: that one;
/// or, if the server only said "not modified", the last one with a document; or, if it had trouble
/// (see [`is_trouble`]), the last one that tells of the document. The view `documents` says the same.
pub(crate) const ANSWERING: &str = "CASE WHEN h.status = 304 THEN COALESCE((SELECT MAX(e.id) \
    FROM http_header e WHERE e.request_id = r.id AND e.status BETWEEN 200 AND 299), h.id) \
    WHEN h.status IN (408, 425, 429) OR h.status BETWEEN 500 AND 599 THEN COALESCE((SELECT MAX(e.id) \
    FROM http_header e WHERE e.request_id = r.id AND e.status NOT IN (304, 408, 425, 429) \
    AND e.status NOT BETWEEN 500 AND 599), h.id) ELSE h.id END";

/// Whether a status tells of the server, today, and not of the document. A crawl asks again after
/// these and at last gives up, so they come as answers only from the archives of others.
fn is_trouble(status: i64) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

/// The number of the capture that stores the body of `h`, answered by `a`.
pub(crate) const STORING: &str = "COALESCE(h.original_id, a.original_id, a.id)";

/// Whether robots.txt or a sitemap was asked for, which serve the crawl, or a database.
pub(crate) const IS_MACHINERY: &str =
    "(rtrim(r.hops, 'R') LIKE '%P' OR rtrim(r.hops, 'R') LIKE '%Q')";

async fn take_number(session: &mut Session, kind: &str) -> Result<i64, CatalogError> {
    take_numbers(session, kind, 1).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalog, CatalogSettings, Location};
    use auslese_model::{CorpusRule, Keeping};

    /// A page begins where the last one ended; all else is found by number, nothing is sorted.
    #[tokio::test]
    async fn pages_do_not_scan() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let catalog = Catalog::create(&location, &CatalogSettings::default()).await.unwrap();
        let all = DocumentFilter::default();
        let kept = DocumentFilter { keeping: Some(Keeping::Kept), ..all.clone() };
        let rule = DocumentFilter { rule: Some(CorpusRule::Size), ..kept.clone() };
        #[rustfmt::skip]
        let cases = [
            // query                                begins with
            (facts::facts_page(),                   "SEARCH r USING INTEGER PRIMARY KEY (rowid>?)"),
            (content::signatures_page(),            "SEARCH r USING INTEGER PRIMARY KEY (rowid>?)"),
            (redirect::redirects_page().to_owned(), "SEARCH r USING INTEGER PRIMARY KEY (rowid>?)"),
            (version::facts_page(),                 "SEARCH r USING INTEGER PRIMARY KEY (rowid>?)"),
            (document::documents_page(&all).0,      "SEARCH d USING INTEGER PRIMARY KEY (rowid>?)"),
            (document::documents_page(&rule).0,
             "SEARCH d USING INDEX document_keeping (keeping=? AND rule=? AND request_id>?)"),
            (link::links_in_query(),
             "SEARCH l USING INDEX content_link_request (request_id=?)"),
            (content::missing_page(),               "p USING COVERING INDEX http_header_stored"),
        ];
        for (sql, beginning) in cases {
            let plan = catalog.engine.reader().await.unwrap().plan(&sql).await.unwrap();
            assert!(plan.contains(beginning), "{sql}\n{plan}");
            // Runs are few, and `m` is the page itself.
            let harmless = ["SCAN run", "SCAN m"];
            let scans = |line: &&str| line.starts_with("SCAN") && !harmless.contains(line);
            assert_eq!(plan.lines().find(scans), None, "{sql}\n{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{sql}\n{plan}");
        }
    }
}

//! What a page about one document asks: its last captures, who links to it, what it links to, and a line about each of
//! the documents around it. However well known a document is, no answer is longer than the caller allows.

use crate::engine::{Fields, Sql};
use crate::header::read_capture;
use crate::lookup::{AT_ONCE, capture_query, filled, places};
use crate::{Catalog, CatalogError, StoredCapture};
use auslese_model::{CaptureId, Keeping, RequestId, RunId, State, TargetKind};
use std::collections::{BTreeMap, BTreeSet};

/// A document in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefDocument {
    pub request: RequestId,
    pub url: String,
    pub state: State,
    /// None if it was not judged yet.
    pub keeping: Option<Keeping>,
    /// What a run says it is called, else its `<title>`.
    pub title: Option<String>,
    /// Whether its newest answer was a document.
    pub is_there: bool,
}

/// A link, seen from one of its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentLink {
    /// The document at the other end.
    pub request: RequestId,
    pub url: String,
    pub kind: TargetKind,
    /// The words of the link.
    pub text: Option<String>,
}

impl Catalog {
    /// The last captures of a request, oldest first.
    pub async fn last_captures_of(
        &self,
        request: RequestId,
        limit: usize,
    ) -> Result<Vec<StoredCapture>, CatalogError> {
        let condition = "h.request_id = $1 ORDER BY h.captured_at DESC, h.id DESC LIMIT $2";
        let sql = Sql::new(capture_query(condition)).bind(request).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        let captures = rows.into_iter().map(|mut row| read_capture(&mut row));
        let mut captures: Vec<StoredCapture> = captures.collect::<Result<_, _>>()?;
        captures.reverse();
        Ok(captures)
    }

    pub async fn count_captures_of(&self, request: RequestId) -> Result<u64, CatalogError> {
        let sql = Sql::new("SELECT COUNT(*) FROM http_header WHERE request_id = $1").bind(request);
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }

    /// Other documents whose newest content links to this one or shows it in a frame, in the order of their bodies. The
    /// first `skip` are left out.
    pub async fn links_to(
        &self,
        request: RequestId,
        skip: usize,
        limit: usize,
    ) -> Result<Vec<DocumentLink>, CatalogError> {
        let sql = Sql::new(links_to_query()).bind(request).bind(limit).bind(skip);
        self.links(sql).await
    }

    /// How many there are of these; not counted beyond `at_most`.
    pub async fn count_links_to(
        &self,
        request: RequestId,
        at_most: usize,
    ) -> Result<u64, CatalogError> {
        let sql = format!("SELECT COUNT(*) FROM (SELECT l.capture_id {LINKS_TO} LIMIT $2) counted");
        let sql = Sql::new(sql).bind(request).bind(at_most);
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }

    /// Requests of this harvest that a stored body links to, or needs to be shown; by number.
    pub async fn links_from(
        &self,
        capture: CaptureId,
        limit: usize,
    ) -> Result<Vec<DocumentLink>, CatalogError> {
        let sql = Sql::new(LINKS_FROM).bind(capture).bind(limit);
        self.links(sql).await
    }

    async fn links(&self, sql: Sql) -> Result<Vec<DocumentLink>, CatalogError> {
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_link(&mut row)).collect()
    }

    /// A line about each of the requests, with titles as a run gives them; those that are unknown have no entry.
    pub async fn brief_documents(
        &self,
        requests: &[RequestId],
        run: Option<RunId>,
    ) -> Result<BTreeMap<RequestId, BriefDocument>, CatalogError> {
        let sql = brief_query();
        let requests: BTreeSet<RequestId> = requests.iter().copied().collect();
        let requests: Vec<RequestId> = requests.into_iter().collect();
        let mut session = self.engine.reader().await?;
        let mut found = BTreeMap::new();
        for some in requests.chunks(AT_ONCE) {
            // No run has the number 0.
            let asked = filled(&sql, some.iter().map(|request| (*request).into()));
            for mut row in session.rows(asked.bind(run.unwrap_or(RunId(0)))).await? {
                let brief = read_brief(&mut row)?;
                found.insert(brief.request, brief);
            }
        }
        Ok(found)
    }
}

/// What a page only embeds is a part of it, and error pages are no documents.
const LINKS_TO: &str = "FROM content_link l JOIN document f ON f.content_id = l.capture_id \
    AND f.request_id <> l.request_id AND f.rule <> 'status' \
    WHERE l.request_id = $1 AND l.kind <> 'embedded'";

fn links_to_query() -> String {
    format!(
        "SELECT f.request_id, (SELECT r.url FROM request r WHERE r.id = f.request_id), l.kind, l.text \
         {LINKS_TO} ORDER BY l.capture_id, f.request_id LIMIT $2 OFFSET $3"
    )
}

const LINKS_FROM: &str = "SELECT l.request_id, r.url, l.kind, l.text FROM content_link l \
    JOIN request r ON r.id = l.request_id WHERE l.capture_id = $1 ORDER BY l.request_id LIMIT $2";

fn brief_query() -> String {
    format!(
        "SELECT r.id, r.url, r.state, d.keeping, COALESCE((SELECT t.value FROM statement t \
         WHERE t.run_id = ${} AND t.capture_id = d.content_id AND t.field = 'title' AND t.chosen = 1 \
         ORDER BY t.rank LIMIT 1), c.title), \
         CASE WHEN h.status BETWEEN 200 AND 299 OR h.status = 304 THEN CAST(1 AS BIGINT) ELSE 0 END \
         FROM request r LEFT JOIN document d ON d.request_id = r.id \
         LEFT JOIN content c ON c.capture_id = d.content_id \
         LEFT JOIN http_header h ON h.id = r.capture_id WHERE r.id IN ({})",
        AT_ONCE + 1,
        places(1)
    )
}

fn read_link(row: &mut Fields) -> Result<DocumentLink, CatalogError> {
    let (request, url, kind) = (RequestId(row.number()?), row.text()?, row.text()?);
    let kind = [TargetKind::Page, TargetKind::Frame, TargetKind::Embedded]
        .into_iter()
        .find(|known| known.as_str() == kind)
        .ok_or_else(|| CatalogError::damaged(format!("a link of the kind {kind:?}")))?;
    Ok(DocumentLink { request, url, kind, text: row.maybe_text()? })
}

fn read_brief(row: &mut Fields) -> Result<BriefDocument, CatalogError> {
    let (request, url, state) = (RequestId(row.number()?), row.text()?, row.text()?);
    let state = State::parse(&state).ok_or_else(|| {
        CatalogError::damaged(format!("request {} has an unknown state", request.0))
    })?;
    let keeping = row.maybe_text()?.and_then(|word| Keeping::parse(&word));
    let title = row.maybe_text()?.filter(|title| !title.trim().is_empty());
    Ok(BriefDocument { request, url, state, keeping, title, is_there: row.number()? != 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CatalogSettings, Location};

    /// Pages are made while somebody waits.
    #[tokio::test]
    async fn nothing_is_scanned() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let catalog = Catalog::create(&location, &CatalogSettings::default()).await.unwrap();
        let cases = [
            (links_to_query(), "SEARCH l USING INDEX content_link_request (request_id=?)"),
            (LINKS_FROM.to_owned(), "SEARCH l USING PRIMARY KEY (capture_id=?)"),
            (brief_query(), "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)"),
        ];
        for (sql, beginning) in cases {
            let plan = catalog.engine.reader().await.unwrap().plan(&sql).await.unwrap();
            assert!(plan.contains(beginning), "{sql}\n{plan}");
            assert_eq!(plan.lines().find(|line| line.starts_with("SCAN")), None, "{sql}\n{plan}");
        }
    }
}

//! What the search index asks of the catalog: every document that can be found, with a mark that
//! changes whenever something of it does.
//!
//! The index compares the marks with those it holds, so it needs no memory of its own of what was
//! indexed when: whatever interrupted it, the next comparison finds what is missing. A document that
//! its server has taken away is found as it was last.

use crate::corpus::ANSWERING;
use crate::description::read_field;
use crate::engine::{Fields, Sql};
use crate::header::{BODY_COLUMNS, BodyPlace, read_body_place};
use crate::lookup::{AT_ONCE, filled, places};
use crate::schema::size;
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Field, Format, Keeping, RequestId, RunId, Timestamp};
use std::collections::BTreeMap;

/// A document as the index sees it, without its text and what it says about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchableDocument {
    pub request: RequestId,
    pub url: String,
    pub host: String,
    /// The institution it belongs to.
    pub label: Option<String>,
    pub keeping: Keeping,
    pub media_type: Option<String>,
    /// As stated by its server, else as received.
    pub size: Option<u64>,
    /// When the body was captured first: confirming it later changes nothing.
    pub captured: Timestamp,
    pub last_modified: Option<Timestamp>,
    /// The capture that stores its body; none if only its header is there.
    pub content: Option<CaptureId>,
    /// None if it was not read out yet.
    pub format: Option<Format>,
    pub language: Option<String>,
    pub page_title: Option<String>,
    /// The class of documents it was described as.
    pub class: Option<String>,
    /// How often it was captured with another body.
    pub versions: u64,
    /// The server has taken it away since.
    pub gone: bool,
    /// Changes whenever any of the above does, or its statements, or the links to it.
    pub mark: u64,
}

/// What a document says about itself, as far as it is searched.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchableStatement {
    pub field: Field,
    pub value: String,
    pub weight: f64,
    pub origin: Option<String>,
    pub chosen: bool,
}

impl Catalog {
    /// The next documents after the one given, by number, described by a run. `RequestId(0)`
    /// begins; an empty page ends.
    pub async fn searchable_documents(
        &self,
        run: Option<RunId>,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<SearchableDocument>, CatalogError> {
        // No run has the number 0.
        let run = run.unwrap_or(RunId(0));
        let sql = Sql::new(searchable_page()).bind(run).bind(after).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_searchable(&mut row, run)).collect()
    }

    /// How many documents there are to be found.
    pub async fn count_searchable(&self) -> Result<u64, CatalogError> {
        let sql = format!("SELECT COUNT(*) FROM document d WHERE {IS_DOCUMENT}");
        let row = self.engine.reader().await?.row(Sql::new(sql)).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }

    /// What a run said about some bodies with at least this weight, in the order of its ranks.
    pub async fn searchable_statements(
        &self,
        run: RunId,
        captures: &[CaptureId],
        least: f64,
    ) -> Result<BTreeMap<CaptureId, Vec<SearchableStatement>>, CatalogError> {
        let sql = statements_query();
        let mut session = self.engine.reader().await?;
        let mut said: BTreeMap<CaptureId, Vec<SearchableStatement>> = BTreeMap::new();
        for some in captures.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|capture| (*capture).into()));
            for mut row in session.rows(asked.bind(run).bind(least)).await? {
                let capture = CaptureId(row.number()?);
                let statement = SearchableStatement {
                    field: read_field(&row.text()?, run)?,
                    chosen: row.number()? != 0,
                    weight: row.fraction()?,
                    origin: row.maybe_text()?,
                    value: row.text()?,
                };
                said.entry(capture).or_default().push(statement);
            }
        }
        Ok(said)
    }

    /// Where the bodies of several captures lie; those that do not exist have no entry.
    pub async fn body_places(
        &self,
        captures: &[CaptureId],
    ) -> Result<BTreeMap<CaptureId, BodyPlace>, CatalogError> {
        let sql = format!(
            "SELECT {BODY_COLUMNS} FROM http_header h LEFT JOIN request r ON r.id = h.request_id \
             WHERE h.id IN ({})",
            places(1)
        );
        let mut session = self.engine.reader().await?;
        let mut found = BTreeMap::new();
        for some in captures.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|capture| (*capture).into()));
            for mut row in session.rows(asked).await? {
                let place = read_body_place(&mut row)?;
                found.insert(place.capture, place);
            }
        }
        Ok(found)
    }
}

/// Whether `d` ever was a document: neither an error nor a page that only steers the crawl.
pub(crate) const IS_DOCUMENT: &str =
    "(d.rule NOT IN ('not-fetched', 'status', 'machinery') OR d.gone = 1)";

/// Documents with all that their mark is made of. `a` is the answer that stands for the document:
/// for one that is gone, the last that had it.
pub(crate) fn searchable_page() -> String {
    let answering = format!(
        "CASE WHEN d.gone = 1 THEN (SELECT MAX(e.id) FROM http_header e \
         WHERE e.request_id = r.id AND e.status BETWEEN 200 AND 299) ELSE {ANSWERING} END"
    );
    format!(
        "SELECT d.request_id, r.url, s.name, s.label, d.keeping, a.media_type, {}, \
         (SELECT e.captured_at FROM http_header e WHERE e.id = COALESCE(a.original_id, a.id)), \
         a.last_modified, a.storage, COALESCE(a.original_id, a.id), c.format, c.language, c.title, \
         x.class, \
         (SELECT COUNT(*) FROM http_header e WHERE e.request_id = d.request_id \
          AND e.storage = 'stored' AND e.status BETWEEN 200 AND 299), \
         d.gone, COALESCE(c.reader, 0), \
         (SELECT COUNT(*) || ' ' || COALESCE(SUM(l.capture_id), 0) FROM content_link l \
          WHERE l.request_id = d.request_id AND l.kind = 'page' AND l.text IS NOT NULL), \
         (SELECT CAST(COALESCE(SUM(CAST(t.weight * 1000000 AS BIGINT) + LENGTH(t.value) \
          + t.rank * 31 + t.chosen), 0) AS BIGINT) FROM statement t \
          WHERE t.run_id = $1 AND t.capture_id = COALESCE(a.original_id, a.id)) \
         FROM document d JOIN request r ON r.id = d.request_id \
         JOIN server_info s ON s.id = r.server_id \
         LEFT JOIN http_header h ON h.id = d.capture_id \
         JOIN http_header a ON a.id = {answering} \
         LEFT JOIN content c ON c.capture_id = COALESCE(a.original_id, a.id) \
         LEFT JOIN description x ON x.run_id = $1 \
          AND x.capture_id = COALESCE(a.original_id, a.id) \
         WHERE d.request_id > $2 AND a.status BETWEEN 200 AND 299 AND {IS_DOCUMENT} \
         ORDER BY d.request_id LIMIT $3",
        size("a")
    )
}

pub(crate) fn statements_query() -> String {
    format!(
        "SELECT capture_id, field, chosen, weight, origin, value FROM statement \
         WHERE run_id = ${} AND capture_id IN ({}) AND weight >= ${} \
         ORDER BY capture_id, field, rank",
        AT_ONCE + 1,
        places(1),
        AT_ONCE + 2
    )
}

fn read_searchable(row: &mut Fields, run: RunId) -> Result<SearchableDocument, CatalogError> {
    let request = RequestId(row.number()?);
    let unreadable = |column: &str| {
        CatalogError::damaged(format!("the column {column} of request {} is unreadable", request.0))
    };
    let (url, host, label) = (row.text()?, row.text()?, row.maybe_text()?);
    let keeping = Keeping::parse(&row.text()?).ok_or_else(|| unreadable("keeping"))?;
    let media_type = row.maybe_text()?;
    let size = row.maybe_number()?.and_then(|size| u64::try_from(size).ok());
    let captured = Timestamp(row.maybe_number()?.unwrap_or(0));
    let last_modified = row.maybe_number()?.map(Timestamp);
    let (storage, storing) = (row.text()?, CaptureId(row.number()?));
    let format = row.maybe_text()?;
    let format = format.map(|name| Format::parse(&name).ok_or_else(|| unreadable("format")));
    let mut document = SearchableDocument {
        request,
        url,
        host,
        label,
        keeping,
        media_type,
        size,
        captured,
        last_modified,
        content: (storage != "header-only").then_some(storing),
        format: format.transpose()?,
        language: row.maybe_text()?,
        page_title: row.maybe_text()?,
        class: row.maybe_text()?,
        versions: row.count()?,
        gone: row.number()? != 0,
        mark: 0,
    };
    let reader = row.number()?;
    // Two sums in one column, so that the links are looked through once.
    let links = row.text()?;
    let links = links.split_once(' ').and_then(|(count, captures)| {
        Some([count.parse::<i64>().ok()?, captures.parse::<i64>().ok()?])
    });
    let [count, captures] = links.ok_or_else(|| unreadable("text"))?;
    document.mark = mark(&document, run, &[reader, count, captures, row.number()?]);
    Ok(document)
}

/// A digest (FNV-1a) that is the same on every machine, since it is kept in the index.
fn mark(document: &SearchableDocument, run: RunId, sums: &[i64]) -> u64 {
    let SearchableDocument { url, label, keeping, media_type, language, page_title, class, .. } =
        document;
    let texts = [
        Some(url.as_str()),
        label.as_deref(),
        Some(keeping.as_str()),
        media_type.as_deref(),
        language.as_deref(),
        page_title.as_deref(),
        class.as_deref(),
    ];
    let numbers = [
        document.content.map_or(0, |capture| capture.0),
        document.captured.0,
        document.last_modified.map_or(0, |time| time.0),
        i64::try_from(document.versions).unwrap_or(i64::MAX),
        i64::from(document.gone),
        run.0,
    ];
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    let mut take = |byte: u8| digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for text in texts {
        text.unwrap_or("\u{0}").bytes().for_each(&mut take);
        take(0xff);
    }
    for number in numbers.iter().chain(sums) {
        number.to_le_bytes().into_iter().for_each(&mut take);
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CatalogSettings, Location};

    /// A page begins where the last one ended; all else is found by number.
    #[tokio::test]
    async fn pages_do_not_scan() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let catalog = Catalog::create(&location, &CatalogSettings::default()).await.unwrap();
        let cases = [
            (searchable_page(), "SEARCH d USING INTEGER PRIMARY KEY (rowid>?)"),
            (statements_query(), "SEARCH statement USING PRIMARY KEY (run_id=? AND capture_id=?)"),
        ];
        for (sql, beginning) in cases {
            let plan = catalog.engine.reader().await.unwrap().plan(&sql).await.unwrap();
            assert!(plan.contains(beginning), "{sql}\n{plan}");
            assert_eq!(plan.lines().find(|line| line.starts_with("SCAN")), None, "{sql}\n{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{sql}\n{plan}");
        }
    }
}

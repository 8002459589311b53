//! Anchor texts: what the links that lead to a document say.

use crate::lookup::{AT_ONCE, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, RequestId};
use std::collections::{BTreeMap, BTreeSet};

impl Catalog {
    /// The words of the links to each of the requests, with the number of stored bodies that have
    /// them: the most frequent first, at most `limit` per request. Requests without such words have
    /// no entry.
    pub async fn anchor_texts(
        &self,
        requests: &[RequestId],
        limit: usize,
    ) -> Result<BTreeMap<RequestId, Vec<(String, u64)>>, CatalogError> {
        let sql = anchors_query();
        let mut session = self.engine.reader().await?;
        let mut texts: BTreeMap<RequestId, Vec<(String, u64)>> = BTreeMap::new();
        let requests: BTreeSet<RequestId> = requests.iter().copied().collect();
        let requests: Vec<RequestId> = requests.into_iter().collect();
        for some in requests.chunks(AT_ONCE) {
            let values = some.iter().map(|request| (*request).into());
            let asked = filled(&sql, values).bind(limit);
            for mut row in session.rows(asked).await? {
                let request = RequestId(row.number()?);
                texts.entry(request).or_default().push((row.text()?, row.count()?));
            }
        }
        Ok(texts)
    }

    /// The request that a page's link with one of these words leads to; of several the first by
    /// number. Words are compared without regard to ASCII case.
    pub async fn links_called(
        &self,
        captures: &[CaptureId],
        words: &[&str],
    ) -> Result<BTreeMap<CaptureId, RequestId>, CatalogError> {
        let wanted: Vec<String> =
            (1..=words.len()).map(|number| format!("${}", AT_ONCE + number)).collect();
        let sql = format!(
            "SELECT l.capture_id, MIN(l.request_id) FROM content_link l WHERE l.capture_id IN ({}) \
             AND l.kind = 'page' AND lower(l.text) IN ({}) GROUP BY l.capture_id",
            places(1),
            wanted.join(",")
        );
        let mut session = self.engine.reader().await?;
        let mut links = BTreeMap::new();
        for some in captures.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|capture| (*capture).into()));
            let asked = words.iter().fold(asked, |sql, word| sql.bind(*word));
            for mut row in session.rows(asked).await? {
                links.insert(CaptureId(row.number()?), RequestId(row.number()?));
            }
        }
        Ok(links)
    }

    /// The `<title>` of those documents that have one.
    pub async fn page_titles(
        &self,
        requests: &[RequestId],
    ) -> Result<BTreeMap<RequestId, String>, CatalogError> {
        let sql = format!(
            "SELECT d.request_id, c.title FROM document d JOIN content c \
             ON c.capture_id = d.content_id WHERE d.request_id IN ({}) AND c.title IS NOT NULL",
            places(1)
        );
        let mut session = self.engine.reader().await?;
        let mut titles = BTreeMap::new();
        for some in requests.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|request| (*request).into()));
            for mut row in session.rows(asked).await? {
                titles.insert(RequestId(row.number()?), row.text()?);
            }
        }
        Ok(titles)
    }
}

pub(super) fn anchors_query() -> String {
    format!(
        "SELECT request_id, text, pages FROM (SELECT l.request_id, l.text, COUNT(*) AS pages, \
         ROW_NUMBER() OVER (PARTITION BY l.request_id ORDER BY COUNT(*) DESC, l.text) AS place \
         FROM content_link l WHERE l.request_id IN ({}) AND l.kind = 'page' AND l.text IS NOT NULL \
         GROUP BY l.request_id, l.text) n WHERE place <= ${} ORDER BY request_id, place",
        places(1),
        AT_ONCE + 1
    )
}

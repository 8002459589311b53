//! What is in documents, over all of them: elements, parse errors, features, templates, duplicates,
//! and what was odd about their headers.

use super::{answered, by_code_point, is_document};
use crate::corpus::document::judged;
use crate::engine::{Dialect, Session, Sql};
use crate::schema::size;
use crate::{Catalog, CatalogError};
use auslese_model::RequestId;
use std::collections::BTreeMap;

/// How often an element is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementRow {
    pub element: String,
    pub documents: u64,
    pub occurrences: u64,
    /// The same, in documents of the corpus.
    pub kept_documents: u64,
    pub kept_occurrences: u64,
}

/// How often a parse error is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorRow {
    pub kind: String,
    pub documents: u64,
    pub occurrences: u64,
}

/// The range of a feature over the documents of the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureRow {
    pub name: String,
    pub documents: u64,
    pub mean: f64,
    pub least: f64,
    pub greatest: f64,
}

/// Pages of one server that are made from the same template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateRow {
    pub server: String,
    pub structure: u64,
    pub documents: u64,
    pub kept: u64,
    /// The first of them, and the program that made it.
    pub example: String,
    pub generator: Option<String>,
}

/// What was odd about the answers of a server: all its captures count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddityRow {
    pub server: String,
    pub kind: String,
    pub captures: u64,
}

/// Documents under several addresses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DuplicateCounts {
    /// Documents that have exact copies.
    pub originals: u64,
    /// The copies, and their sizes as far as they are known.
    pub copies: u64,
    pub copied_bytes: u64,
    /// Clusters of nearly equal documents, and the documents in them besides their originals.
    pub near_clusters: u64,
    pub near_copies: u64,
}

/// The features of one document whose names begin alike.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentFeatures {
    pub request: RequestId,
    /// The name of its server.
    pub server: String,
    pub features: BTreeMap<String, f64>,
}

impl Catalog {
    /// The features of the next documents of the corpus after the one given, by number of their
    /// request: those in one language, and features whose names begin with `prefix` (letters and
    /// dots). `RequestId(0)` begins; an empty page ends.
    pub async fn document_features(
        &self,
        language: &str,
        prefix: &str,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<DocumentFeatures>, CatalogError> {
        let sql = "SELECT p.request_id, s.name, f.name, f.value FROM \
             (SELECT d.request_id, d.content_id FROM document d \
              JOIN content c ON c.capture_id = d.content_id \
              WHERE d.keeping = 'kept' AND c.language = $1 AND d.request_id > $2 \
              ORDER BY d.request_id LIMIT $3) p \
             JOIN request r ON r.id = p.request_id JOIN server_info s ON s.id = r.server_id \
             LEFT JOIN content_feature f ON f.capture_id = p.content_id AND f.name LIKE $4 \
             ORDER BY p.request_id";
        let sql = Sql::new(sql).bind(language).bind(after).bind(limit).bind(&*format!("{prefix}%"));
        let mut documents: Vec<DocumentFeatures> = Vec::new();
        for mut row in self.engine.reader().await?.rows(sql).await? {
            let (request, server) = (RequestId(row.number()?), row.text()?);
            if documents.last().is_none_or(|last| last.request != request) {
                let features = BTreeMap::new();
                documents.push(DocumentFeatures { request, server, features });
            }
            if let (Some(name), Some(value), Some(last)) =
                (row.maybe_text()?, row.maybe_fraction()?, documents.last_mut())
            {
                last.features.insert(name, value);
            }
        }
        Ok(documents)
    }

    /// The most frequent elements.
    pub async fn element_table(&self, limit: usize) -> Result<Vec<ElementRow>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let kept = "CASE WHEN d.keeping = 'kept' THEN";
        let sql = format!(
            "SELECT e.element, COUNT(*), CAST(SUM(e.count) AS BIGINT), COUNT({kept} 1 END), \
             CAST(COALESCE(SUM({kept} e.count END), 0) AS BIGINT) FROM {} \
             JOIN content_element e ON e.capture_id = c.capture_id WHERE {} GROUP BY e.element \
             ORDER BY COUNT(*) DESC, e.element{} LIMIT $1",
            answered(),
            is_document(),
            by_code_point(session.dialect())
        );
        let rows = session.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(ElementRow {
                    element: row.text()?,
                    documents: row.count()?,
                    occurrences: row.count()?,
                    kept_documents: row.count()?,
                    kept_occurrences: row.count()?,
                })
            })
            .collect()
    }

    /// The most frequent parse errors.
    pub async fn error_table(&self, limit: usize) -> Result<Vec<ErrorRow>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let (each, order) = (each_error(&session), by_code_point(session.dialect()));
        let sql = format!(
            "SELECT e.key, COUNT(*), CAST(SUM(CAST(e.value AS BIGINT)) AS BIGINT) FROM {} \
             CROSS JOIN {each} e WHERE {} GROUP BY e.key \
             ORDER BY COUNT(*) DESC, e.key{order} LIMIT $1",
            answered(),
            is_document(),
        );
        let rows = session.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                let kind = row.text()?;
                Ok(ErrorRow { kind, documents: row.count()?, occurrences: row.count()? })
            })
            .collect()
    }

    /// All features by name, over the documents of the corpus.
    pub async fn feature_table(&self) -> Result<Vec<FeatureRow>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = format!(
            "SELECT f.name, COUNT(*), AVG(f.value), MIN(f.value), MAX(f.value) FROM document d \
             JOIN content_feature f ON f.capture_id = d.content_id WHERE d.keeping = 'kept' \
             GROUP BY f.name ORDER BY f.name{}",
            by_code_point(session.dialect())
        );
        let rows = session.rows(Sql::new(sql)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(FeatureRow {
                    name: row.text()?,
                    documents: row.count()?,
                    mean: row.fraction()?,
                    least: row.fraction()?,
                    greatest: row.fraction()?,
                })
            })
            .collect()
    }

    /// The templates with most pages; one page alone is no template.
    pub async fn template_table(&self, limit: usize) -> Result<Vec<TemplateRow>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = format!(
            "SELECT t.server, t.structure, t.documents, t.kept, u.url, t.generator FROM \
             (SELECT s.name AS server, c.structure AS structure, COUNT(*) AS documents, \
              COUNT(CASE WHEN d.keeping = 'kept' THEN 1 END) AS kept, MIN(r.id) AS example, \
              MIN(c.generator) AS generator FROM {} WHERE {} AND c.structure IS NOT NULL \
              GROUP BY s.name, c.structure HAVING COUNT(*) > 1) t \
             JOIN request u ON u.id = t.example ORDER BY t.documents DESC, t.example LIMIT $1",
            answered(),
            is_document()
        );
        let rows = session.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(TemplateRow {
                    server: row.text()?,
                    structure: row.number()?.cast_unsigned(),
                    documents: row.count()?,
                    kept: row.count()?,
                    example: row.text()?,
                    generator: row.maybe_text()?,
                })
            })
            .collect()
    }

    /// The most frequent oddities, by server and kind.
    pub async fn oddity_table(&self, limit: usize) -> Result<Vec<OddityRow>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let order = by_code_point(session.dialect());
        let sql = format!(
            "SELECT s.name, o.kind, COUNT(*) FROM oddities o \
             JOIN http_header h ON h.id = o.capture_id JOIN server_info s ON s.id = h.server_id \
             GROUP BY s.name, o.kind ORDER BY COUNT(*) DESC, s.name{order}, o.kind{order} LIMIT $1"
        );
        let rows = session.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(OddityRow {
                    server: row.text()?,
                    kind: row.maybe_text()?.unwrap_or_default(),
                    captures: row.count()?,
                })
            })
            .collect()
    }

    /// Exact and near duplicates, as they were marked when documents were last judged.
    pub async fn duplicate_counts(&self) -> Result<DuplicateCounts, CatalogError> {
        let sql = format!(
            "SELECT COUNT(DISTINCT d.duplicate_of), COUNT(d.duplicate_of), \
             CAST(COALESCE(SUM(CASE WHEN d.duplicate_of IS NOT NULL THEN {} END), 0) AS BIGINT), \
             COUNT(DISTINCT CASE WHEN d.near_original <> d.request_id THEN d.near_original END), \
             COUNT(CASE WHEN d.near_original <> d.request_id THEN 1 END) \
             FROM {} WHERE d.duplicate_of IS NOT NULL OR d.near_original IS NOT NULL",
            size("a"),
            judged()
        );
        let row = self.engine.reader().await?.row(Sql::new(sql)).await?;
        let Some(mut row) = row else { return Ok(DuplicateCounts::default()) };
        Ok(DuplicateCounts {
            originals: row.count()?,
            copies: row.count()?,
            copied_bytes: row.count()?,
            near_clusters: row.count()?,
            near_copies: row.count()?,
        })
    }
}

/// The parse errors of a content as rows with `key` and `value`.
fn each_error(session: &Session) -> &'static str {
    match session.dialect() {
        Dialect::Sqlite => "json_each(c.errors)",
        Dialect::Postgres => "json_each_text(c.errors::json)",
    }
}

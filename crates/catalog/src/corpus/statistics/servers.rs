//! Servers compared: how long their documents are, and what is in them.

use super::amount::{Amount, amount_columns, read_amounts};
use super::{answered, by_code_point, is_document};
use crate::engine::{Dialect, Fields, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::ServerId;
use std::collections::HashMap;

/// One server with the averages over its documents.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerRow {
    /// Scheme, name and port.
    pub origin: String,
    pub label: Option<String>,
    pub software: Option<String>,
    pub http_version: Option<String>,
    pub all: Amount,
    pub kept: Amount,
    /// Documents whose text was read; the averages are over these.
    pub texts: u64,
    pub mean_characters: Option<f64>,
    pub mean_words: Option<f64>,
    pub mean_sentences: Option<f64>,
    /// Words per sentence.
    pub sentence_length: Option<f64>,
    pub mean_links: Option<f64>,
    pub mean_images: Option<f64>,
    /// The sums over its documents.
    pub scripts: u64,
    pub applets: u64,
    pub frames: u64,
    pub forms: u64,
    pub obsolete: u64,
    pub proprietary: u64,
    pub parse_errors: u64,
    /// Pages whose conformance was looked at, and those of them without a parse error.
    pub pages: u64,
    pub conforming: u64,
}

const MEANS: [&str; 3] = ["c.characters", "c.words", "c.sentences"];
const LINK_MEANS: [&str; 2] = ["c.links", "c.images"];
const SUMS: [&str; 7] = [
    "c.scripts",
    "c.applets",
    "c.frames",
    "c.forms",
    "c.obsolete",
    "c.proprietary",
    "c.parse_errors",
];

/// Formats with a text.
const HAS_TEXT: &str = "c.format IN ('html', 'text', 'xml')";

impl Catalog {
    /// The servers with most documents.
    pub async fn server_table(&self, limit: usize) -> Result<Vec<ServerRow>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = table_query(session.dialect());
        let rows = session.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter().map(|mut row| read_server(&mut row)).collect()
    }
}

impl Catalog {
    /// The language of each server: the one that more than half of its documents with a sure
    /// language have. It helps with pages that have too few words.
    pub async fn site_languages(&self) -> Result<HashMap<ServerId, String>, CatalogError> {
        let sql = format!(
            "SELECT server_id, language FROM (SELECT server_id, language, documents, \
             SUM(documents) OVER (PARTITION BY server_id) AS total FROM \
             (SELECT r.server_id AS server_id, c.language AS language, COUNT(*) AS documents \
              FROM {} WHERE {} AND c.confidence = 'sure' GROUP BY r.server_id, c.language) counted \
             ) summed WHERE documents * 2 > total",
            answered(),
            is_document()
        );
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter().map(|mut row| Ok((ServerId(row.number()?), row.text()?))).collect()
    }
}

fn table_query(dialect: Dialect) -> String {
    let of_texts = |column: &str| format!("CASE WHEN {HAS_TEXT} THEN {column} END");
    let mean = |column: &&str| format!("CAST(AVG({}) AS DOUBLE PRECISION)", of_texts(column));
    let sum = |column: &&str| format!("CAST(COALESCE(SUM({column}), 0) AS BIGINT)");
    let columns: Vec<String> = std::iter::once(format!("COUNT({})", of_texts("1")))
        .chain(MEANS.iter().map(mean))
        .chain(std::iter::once(
            "CAST(SUM(c.words) AS DOUBLE PRECISION) / NULLIF(SUM(c.sentences), 0)".to_owned(),
        ))
        .chain(LINK_MEANS.iter().map(mean))
        .chain(SUMS.iter().map(sum))
        .chain(["COUNT(c.conforming)".to_owned(), sum(&"c.conforming")])
        .collect();
    let origin = "s.scheme || '://' || s.name || ':' || s.port";
    format!(
        "SELECT {origin}, s.label, s.server_type, s.http_version, {}, {} FROM {} WHERE {} \
         GROUP BY s.id, s.scheme, s.name, s.port, s.label, s.server_type, s.http_version \
         ORDER BY COUNT(*) DESC, s.name{order}, s.id LIMIT $1",
        amount_columns(),
        columns.join(", "),
        answered(),
        is_document(),
        order = by_code_point(dialect)
    )
}

fn read_server(row: &mut Fields) -> Result<ServerRow, CatalogError> {
    let (origin, label) = (row.text()?, row.maybe_text()?);
    let (software, http_version) = (row.maybe_text()?, row.maybe_text()?);
    let (all, kept) = read_amounts(row)?;
    Ok(ServerRow {
        origin,
        label,
        software,
        http_version,
        all,
        kept,
        texts: row.count()?,
        mean_characters: row.maybe_fraction()?,
        mean_words: row.maybe_fraction()?,
        mean_sentences: row.maybe_fraction()?,
        sentence_length: row.maybe_fraction()?,
        mean_links: row.maybe_fraction()?,
        mean_images: row.maybe_fraction()?,
        scripts: row.count()?,
        applets: row.count()?,
        frames: row.count()?,
        forms: row.count()?,
        obsolete: row.count()?,
        proprietary: row.count()?,
        parse_errors: row.count()?,
        pages: row.count()?,
        conforming: row.count()?,
    })
}

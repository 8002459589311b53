//! How large documents are: median and percentiles by type, server and subnet.
//!
//! A percentile is the smallest size that at least so many of a hundred documents do not exceed
//! (nearest rank): always the size of a real document. The database ranks the sizes with window
//! functions, on disk if need be.

use super::{answered, by_code_point, is_document};
use crate::engine::Sql;
use crate::schema::size;
use crate::{Catalog, CatalogError};

/// What sizes are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SizeBy {
    MediaType,
    Server,
    /// The first 24 bits of an IPv4 address, such as `192.0.2.0/24`; an IPv6 address in full.
    Subnet,
}

/// The sizes of a group of documents, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeRow {
    pub name: Option<String>,
    pub documents: u64,
    /// Documents whose size is not known; they are in none of the other numbers.
    pub unknown_sizes: u64,
    pub bytes: u64,
    /// None if no size is known, as with the others.
    pub mean: Option<f64>,
    pub median: Option<u64>,
    pub p90: Option<u64>,
    pub p99: Option<u64>,
    pub largest: Option<u64>,
}

impl Catalog {
    /// The groups with most documents.
    pub async fn size_table(&self, by: SizeBy, limit: usize) -> Result<Vec<SizeRow>, CatalogError> {
        let name = match by {
            SizeBy::MediaType => "a.media_type",
            SizeBy::Server => "s.name",
            // Trimming the digits leaves the address up to its last dot.
            SizeBy::Subnet => {
                "CASE WHEN a.address LIKE '%:%' THEN a.address \
                 ELSE rtrim(a.address, '0123456789') || '0/24' END"
            }
        };
        let mut session = self.engine.reader().await?;
        // Unknown sizes are a partition of their own, so they do not push the others up.
        let sql = format!(
            "SELECT name, COUNT(*), COUNT(*) - COUNT(size), \
             CAST(COALESCE(SUM(size), 0) AS BIGINT), CAST(AVG(size) AS DOUBLE PRECISION), \
             MIN(CASE WHEN place * 2 >= known THEN size END), \
             MIN(CASE WHEN place * 10 >= known * 9 THEN size END), \
             MIN(CASE WHEN place * 100 >= known * 99 THEN size END), MAX(size) FROM \
             (SELECT name, size, \
              ROW_NUMBER() OVER (PARTITION BY name, size IS NULL ORDER BY size) AS place, \
              COUNT(size) OVER (PARTITION BY name) AS known \
              FROM (SELECT {name} AS name, {size} AS size FROM {from} WHERE {condition}) sized \
             ) placed GROUP BY name ORDER BY COUNT(*) DESC, COALESCE(name, ''){order} LIMIT $1",
            size = size("a"),
            from = answered(),
            condition = is_document(),
            order = by_code_point(session.dialect()),
        );
        let rows = session.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                let (name, documents, unknown_sizes) =
                    (row.maybe_text()?, row.count()?, row.count()?);
                let (bytes, mean) = (row.count()?, row.maybe_fraction()?);
                let mut size = || Ok::<_, sqlx::Error>(row.maybe_number()?.map(i64::unsigned_abs));
                let (median, p90, p99, largest) = (size()?, size()?, size()?, size()?);
                Ok(SizeRow {
                    name,
                    documents,
                    unknown_sizes,
                    bytes,
                    mean,
                    median,
                    p90,
                    p99,
                    largest,
                })
            })
            .collect()
    }
}

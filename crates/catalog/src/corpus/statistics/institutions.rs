//! The paper's table: for each institution its servers, its documents in all and in the corpus, and
//! its most frequent types.

use super::amount::{Amount, amount_columns, read_amounts};
use super::{answered, by_code_point, is_document};
use crate::engine::Sql;
use crate::{Catalog, CatalogError};
use std::collections::BTreeMap;

/// Types listed for each institution, as in the paper.
const TYPES: i64 = 4;

/// One institution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InstitutionRow {
    /// None for servers that belong to none.
    pub label: Option<String>,
    /// Servers that answered at least once.
    pub servers: u64,
    pub all: Amount,
    pub kept: Amount,
    /// The four most frequent types of its documents in all, with their counts.
    pub types: Vec<(String, u64)>,
}

impl Catalog {
    /// All institutions by label, those without documents included.
    pub async fn institution_table(&self) -> Result<Vec<InstitutionRow>, CatalogError> {
        let mut rows: BTreeMap<Option<String>, InstitutionRow> = BTreeMap::new();
        for institution in self.institutions().await? {
            rows.entry(Some(institution.label)).or_default();
        }
        let mut session = self.engine.reader().await?;
        let sql = "SELECT s.label, COUNT(*) FROM server_info s \
                   JOIN server_queue q ON q.server_id = s.id WHERE q.captures > 0 GROUP BY s.label";
        for mut row in session.rows(Sql::new(sql)).await? {
            let entry = rows.entry(row.maybe_text()?).or_default();
            entry.servers = row.count()?;
        }
        let sql = format!(
            "SELECT s.label, {} FROM {} WHERE {} GROUP BY s.label",
            amount_columns(),
            answered(),
            is_document()
        );
        for mut row in session.rows(Sql::new(sql)).await? {
            let entry = rows.entry(row.maybe_text()?).or_default();
            (entry.all, entry.kept) = read_amounts(&mut row)?;
        }
        let order = by_code_point(session.dialect());
        let sql = format!(
            "SELECT label, media_type, documents FROM (SELECT label, media_type, documents, \
             ROW_NUMBER() OVER (PARTITION BY label ORDER BY documents DESC, media_type{order}) \
             AS place FROM (SELECT s.label AS label, a.media_type AS media_type, \
             COUNT(*) AS documents FROM {} WHERE {} AND a.media_type IS NOT NULL \
             GROUP BY s.label, a.media_type) counted) placed WHERE place <= $1 ORDER BY place",
            answered(),
            is_document()
        );
        for mut row in session.rows(Sql::new(sql).bind(TYPES)).await? {
            let entry = rows.entry(row.maybe_text()?).or_default();
            entry.types.push((row.text()?, row.count()?));
        }
        Ok(rows.into_iter().map(|(label, row)| InstitutionRow { label, ..row }).collect())
    }
}

//! The values of a database, in pages and by their words.

use super::StoredValue;
use crate::engine::Sql;
use crate::{Catalog, CatalogError};
use auslese_model::DatabaseId;

/// Values that are shown for one question.
pub const MAX_VALUE_MATCHES: usize = 1_000;

/// An attribute and how many different values it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeCount {
    pub attribute: String,
    pub values: u64,
}

/// A value in which a word occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueMatch {
    pub attribute: String,
    pub value: StoredValue,
}

impl Catalog {
    /// The attributes of a database, by name.
    pub async fn hidden_attributes(
        &self,
        id: DatabaseId,
    ) -> Result<Vec<AttributeCount>, CatalogError> {
        let sql = "SELECT attribute, COUNT(*) FROM hidden_value WHERE database_id = $1 \
                   GROUP BY attribute ORDER BY attribute";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(id.0)).await?;
        rows.into_iter()
            .map(|mut row| Ok(AttributeCount { attribute: row.text()?, values: row.count()? }))
            .collect()
    }

    /// Values of an attribute from a place in their list on.
    pub async fn hidden_values(
        &self,
        id: DatabaseId,
        attribute: &str,
        from: u64,
        limit: usize,
    ) -> Result<Vec<StoredValue>, CatalogError> {
        let sql = "SELECT value, query FROM hidden_value WHERE database_id = $1 \
                   AND attribute = $2 AND rank >= $3 ORDER BY rank LIMIT $4";
        let sql = Sql::new(sql).bind(id.0).bind(attribute).bind(from).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| Ok(StoredValue { value: row.text()?, query: row.maybe_text()? }))
            .collect()
    }

    /// Values in which a text occurs, whatever its case; on SQLite, letters outside ASCII as they are written, or small.
    pub async fn hidden_matches(
        &self,
        id: DatabaseId,
        text: &str,
        limit: usize,
    ) -> Result<Vec<ValueMatch>, CatalogError> {
        let sql = "SELECT attribute, value, query FROM hidden_value WHERE database_id = $1 \
                   AND (lower(value) LIKE $2 ESCAPE '!' OR value LIKE $3 ESCAPE '!') \
                   ORDER BY attribute, rank LIMIT $4";
        let (small, written) = (containing(&text.to_lowercase()), containing(text));
        let limit = limit.min(MAX_VALUE_MATCHES);
        let sql = Sql::new(sql).bind(id.0).bind(small.as_str()).bind(written.as_str()).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| {
                let attribute = row.text()?;
                let value = StoredValue { value: row.text()?, query: row.maybe_text()? };
                Ok(ValueMatch { attribute, value })
            })
            .collect()
    }
}

/// The pattern of texts that contain this one.
fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

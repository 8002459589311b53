//! How many documents a run found something for, by field and by rule.

use super::read_field;
use crate::engine::Sql;
use crate::{Catalog, CatalogError};
use auslese_model::{Field, RuleId, RunId};

/// From here on a weight is called high, as in the figures of the CARMEN paper.
pub const HIGH_WEIGHT: f64 = 0.8;

/// Documents for which a value of a field was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldCount {
    pub field: Field,
    pub documents: u64,
    /// Those whose best value has a weight of [`HIGH_WEIGHT`] or more.
    pub high: u64,
    /// All values chosen.
    pub values: u64,
    /// By the first rule of the best value, the busiest first; they add up to the documents.
    pub rules: Vec<RuleUse>,
}

/// Documents whose best value of a field comes from a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleUse {
    /// None if the statement names no rule.
    pub rule: Option<RuleId>,
    pub documents: u64,
    pub high: u64,
}

impl Catalog {
    /// What a run found, in the order of the fields. Reads all statements of the run.
    pub async fn field_counts(&self, run: RunId) -> Result<Vec<FieldCount>, CatalogError> {
        let sql = Sql::new(COUNTS).bind(run).bind(HIGH_WEIGHT);
        let mut counts: Vec<FieldCount> = Vec::new();
        for mut row in self.engine.reader().await?.rows(sql).await? {
            let field = read_field(&row.text()?, run)?;
            let rule = row.maybe_text()?.map(RuleId::from_text);
            let used = RuleUse { rule, documents: row.count()?, high: row.count()? };
            let values = row.count()?;
            let at = counts.iter().position(|count| count.field == field).unwrap_or_else(|| {
                counts.push(FieldCount { field, documents: 0, high: 0, values: 0, rules: vec![] });
                counts.len() - 1
            });
            let count = &mut counts[at];
            count.documents += used.documents;
            count.high += used.high;
            count.values += values;
            // A rule may only ever come second.
            if used.documents > 0 {
                count.rules.push(used);
            }
        }
        counts.sort_by_key(|count| count.field);
        for count in &mut counts {
            count
                .rules
                .sort_by(|a, b| b.documents.cmp(&a.documents).then_with(|| a.rule.cmp(&b.rule)));
        }
        Ok(counts)
    }
}

/// Statements that were chosen, with their place among those of the same field and document.
pub(super) const COUNTS: &str = "SELECT field, rule, \
    CAST(SUM(CASE WHEN place = 1 THEN 1 ELSE 0 END) AS BIGINT), \
    CAST(SUM(CASE WHEN place = 1 AND weight >= $2 THEN 1 ELSE 0 END) AS BIGINT), COUNT(*) \
    FROM (SELECT field, rule, weight, \
    ROW_NUMBER() OVER (PARTITION BY capture_id, field ORDER BY rank) AS place \
    FROM statement WHERE run_id = $1 AND chosen = 1) n GROUP BY field, rule";

//! How many documents a run found something for, by field and by rule.

use super::read_field;
use crate::engine::Sql;
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, Field, RequestId, RuleId, RunId};

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

/// A document for which a rule's value of a field was chosen first.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleDocument {
    pub capture: CaptureId,
    /// The request whose answer the capture is.
    pub request: RequestId,
    pub url: String,
    pub value: String,
    pub weight: f64,
}

impl Catalog {
    /// The next documents of a run, after the capture given, whose best value of a field comes from a rule; from any if
    /// none is named. `CaptureId(0)` begins; an empty page ends.
    pub async fn rule_documents(
        &self,
        run: RunId,
        field: Field,
        rule: Option<&RuleId>,
        after: CaptureId,
        limit: usize,
    ) -> Result<Vec<RuleDocument>, CatalogError> {
        let of_rule = if rule.is_some() { "AND s.rule = $5" } else { "" };
        let text = RULE_DOCUMENTS.replace("{of_rule}", of_rule);
        let mut sql = Sql::new(text).bind(run).bind(after).bind(field.as_str()).bind(limit);
        if let Some(rule) = rule {
            sql = sql.bind(rule.as_str());
        }
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(RuleDocument {
                    capture: CaptureId(row.number()?),
                    request: RequestId(row.number()?),
                    url: row.text()?,
                    value: row.text()?,
                    weight: row.fraction()?,
                })
            })
            .collect()
    }
}

pub(super) const RULE_DOCUMENTS: &str = "SELECT s.capture_id, h.request_id, r.url, s.value, s.weight \
    FROM statement s JOIN http_header h ON h.id = s.capture_id JOIN request r ON r.id = h.request_id \
    WHERE s.run_id = $1 AND s.capture_id > $2 AND s.field = $3 AND s.chosen = 1 {of_rule} \
    AND NOT EXISTS (SELECT 1 FROM statement b WHERE b.run_id = s.run_id \
    AND b.capture_id = s.capture_id AND b.field = s.field AND b.chosen = 1 AND b.rank < s.rank) \
    ORDER BY s.capture_id LIMIT $4";

/// Statements that were chosen, with their place among those of the same field and document.
pub(super) const COUNTS: &str = "SELECT field, rule, \
    CAST(SUM(CASE WHEN place = 1 THEN 1 ELSE 0 END) AS BIGINT), \
    CAST(SUM(CASE WHEN place = 1 AND weight >= $2 THEN 1 ELSE 0 END) AS BIGINT), COUNT(*) \
    FROM (SELECT field, rule, weight, \
    ROW_NUMBER() OVER (PARTITION BY capture_id, field ORDER BY rank) AS place \
    FROM statement WHERE run_id = $1 AND chosen = 1) n GROUP BY field, rule";

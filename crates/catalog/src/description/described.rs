//! Descriptions: storing what was said about captures in a run, and reading it again.
//!
//! Nothing is lost, with two exceptions that both engines force: U+0000 in text becomes visible, and a
//! weight that is no number becomes 0. Statements come back by field, in the order in which those
//! of a field were stored.

use super::around::{AnnouncedFullTexts, insert_full_texts};
use super::read_field;
use crate::batch::Batch;
use crate::corpus::{ANSWERING, STORING};
use crate::discovery::json;
use crate::engine::{Fields, Session, Sql, Value};
use crate::lookup::{AT_ONCE, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{
    CaptureId, DescribedCapture, Description, Field, FoundAt, RequestId, RuleId, RunId, Statement,
};
use serde_json::json as json_value;
use std::collections::BTreeMap;

/// A description with the address of its document.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedDescription {
    pub run: RunId,
    /// The request whose answer the capture is, or that was asked about.
    pub request: RequestId,
    pub url: String,
    pub described: DescribedCapture,
}

impl Catalog {
    /// Stores descriptions; those of the same captures in this run are replaced.
    pub async fn store_descriptions(
        &self,
        run: RunId,
        described: &[DescribedCapture],
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        insert(&mut session, run, described).await?;
        Ok(session.commit().await?)
    }

    /// Stores the descriptions of pages with the full texts they announce, whole or not at all; what
    /// was known of these pages is replaced. Papers among the full texts are to be described again.
    pub async fn store_described_pages(
        &self,
        run: RunId,
        described: &[DescribedCapture],
        announced: &AnnouncedFullTexts,
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        insert(&mut session, run, described).await?;
        insert_full_texts(&mut session, &announced.pages, &announced.full_texts).await?;
        delete(&mut session, run, announced.papers.iter().copied()).await?;
        Ok(session.commit().await?)
    }

    /// Takes back what a run said about some captures: they are to be described again.
    pub async fn forget_descriptions(
        &self,
        run: RunId,
        captures: &[CaptureId],
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        delete(&mut session, run, captures.iter().copied()).await?;
        Ok(session.commit().await?)
    }

    /// The next descriptions of a run after the capture given, by number. `CaptureId(0)` begins;
    /// an empty page ends.
    pub async fn descriptions(
        &self,
        run: RunId,
        after: CaptureId,
        limit: usize,
    ) -> Result<Vec<ListedDescription>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = Sql::new(DESCRIPTIONS_PAGE).bind(run).bind(after).bind(limit);
        let mut page = Vec::new();
        for mut row in session.rows(sql).await? {
            page.push(read_listed(&mut row, run)?);
        }
        let Some(last) = page.last().map(|listed: &ListedDescription| listed.described.capture)
        else {
            return Ok(page);
        };
        let mut said = statements(&mut session, run, after, last).await?;
        for listed in &mut page {
            let capture = listed.described.capture;
            listed.described.description.statements = said.remove(&capture).unwrap_or_default();
        }
        Ok(page)
    }

    /// What a run said about several captures; those that it did not describe have no entry.
    pub async fn descriptions_of(
        &self,
        run: RunId,
        captures: &[CaptureId],
    ) -> Result<BTreeMap<CaptureId, Description>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let mut described: BTreeMap<CaptureId, Description> = BTreeMap::new();
        for some in captures.chunks(AT_ONCE) {
            let asked = |sql: &str| filled(sql, some.iter().map(|it| (*it).into())).bind(run);
            for mut row in session.rows(asked(&descriptions_query())).await? {
                let DescribedCapture { capture, description } =
                    read_listed(&mut row, run)?.described;
                described.insert(capture, description);
            }
            for mut row in session.rows(asked(&statements_of_captures())).await? {
                let capture = CaptureId(row.number()?);
                let statement = read_statement(&mut row, run, capture)?;
                if let Some(description) = described.get_mut(&capture) {
                    description.statements.push(statement);
                }
            }
        }
        for description in described.values_mut() {
            description.statements.sort_by_key(|statement| statement.field);
        }
        Ok(described)
    }

    /// What a run said about the newest document of a request; without a run, the newest that is
    /// finished.
    pub async fn description_of(
        &self,
        request: RequestId,
        run: Option<RunId>,
    ) -> Result<Option<ListedDescription>, CatalogError> {
        let run = match run {
            Some(run) => Some(run),
            None => self.current_describe_run().await?,
        };
        let Some(run) = run else { return Ok(None) };
        let mut session = self.engine.reader().await?;
        let sql = Sql::new(description_query()).bind(run).bind(request);
        let Some(mut row) = session.row(sql).await? else { return Ok(None) };
        let mut listed = read_listed(&mut row, run)?;
        let capture = listed.described.capture;
        let mut said = statements(&mut session, run, CaptureId(capture.0 - 1), capture).await?;
        listed.described.description.statements = said.remove(&capture).unwrap_or_default();
        Ok(Some(listed))
    }
}

pub(super) const DESCRIPTIONS_PAGE: &str = "SELECT COALESCE(h.request_id, 0), \
    COALESCE(r.url, ''), d.capture_id, d.class, d.trouble, d.field_weights FROM description d \
    LEFT JOIN http_header h ON h.id = d.capture_id LEFT JOIN request r ON r.id = h.request_id \
    WHERE d.run_id = $1 AND d.capture_id > $2 ORDER BY d.capture_id LIMIT $3";

pub(super) fn description_query() -> String {
    format!(
        "SELECT r.id, r.url, d.capture_id, d.class, d.trouble, d.field_weights FROM request r \
         JOIN http_header h ON h.id = r.capture_id JOIN http_header a ON a.id = {ANSWERING} \
         JOIN description d ON d.run_id = $1 AND d.capture_id = {STORING} WHERE r.id = $2"
    )
}

pub(super) fn descriptions_query() -> String {
    format!(
        "SELECT CAST(0 AS BIGINT), '', d.capture_id, d.class, d.trouble, d.field_weights FROM description d \
         WHERE d.capture_id IN ({}) AND d.run_id = ${}",
        places(1),
        AT_ONCE + 1
    )
}

pub(super) fn statements_of_captures() -> String {
    format!(
        "SELECT {STATEMENT_READ} FROM statement WHERE capture_id IN ({}) AND run_id = ${} \
         ORDER BY run_id, capture_id, field, rank",
        places(1),
        AT_ONCE + 1
    )
}

async fn insert(
    session: &mut Session,
    run: RunId,
    described: &[DescribedCapture],
) -> Result<(), CatalogError> {
    let described: BTreeMap<CaptureId, &Description> =
        described.iter().map(|one| (one.capture, &one.description)).collect();
    delete(session, run, described.keys().copied()).await?;
    let mut rows = Batch::new(
        "INSERT INTO description (run_id, capture_id, class, trouble, field_weights)",
        5,
        "",
    );
    let mut statements = Batch::new(INSERT_STATEMENT, STATEMENT_COLUMNS, "");
    for (capture, description) in described {
        rows.push([
            run.into(),
            capture.into(),
            description.class.as_str().into(),
            (&description.trouble).into(),
            field_weights(description),
        ]);
        let mut ranks: BTreeMap<Field, u64> = BTreeMap::new();
        for statement in &description.statements {
            let rank = ranks.entry(statement.field).or_default();
            *rank += 1;
            statements.push(statement_row(run, capture, *rank, statement));
        }
    }
    rows.run(session).await?;
    statements.run(session).await?;
    Ok(())
}

async fn delete(
    session: &mut Session,
    run: RunId,
    captures: impl Iterator<Item = CaptureId> + Clone,
) -> Result<(), CatalogError> {
    for after in [
        ") DELETE FROM statement WHERE (run_id, capture_id) IN (SELECT run_id, id FROM v)",
        ") DELETE FROM description WHERE (run_id, capture_id) IN (SELECT run_id, id FROM v)",
    ] {
        let mut batch = Batch::new("WITH v (run_id, id) AS (", 2, after);
        for capture in captures.clone() {
            batch.push([run.into(), capture.into()]);
        }
        batch.run(session).await?;
    }
    Ok(())
}

const STATEMENT_COLUMNS: usize = 14;
const INSERT_STATEMENT: &str = "INSERT INTO statement (run_id, capture_id, field, rank, chosen, \
    weight, initial, rule, place_kind, origin, value, place, rules, parts)";

fn statement_row(
    run: RunId,
    capture: CaptureId,
    rank: u64,
    statement: &Statement,
) -> [Value; STATEMENT_COLUMNS] {
    let (place_kind, place) = match &statement.place {
        None => (None, None),
        Some(FoundAt::Path(path)) => (Some(PATH), Some(path.as_str())),
        Some(FoundAt::Outside(words)) => (Some(OUTSIDE), Some(words.as_str())),
    };
    let parts = (!statement.parts.is_empty()).then(|| json(json_value!(statement.parts)));
    [
        run.into(),
        capture.into(),
        statement.field.as_str().into(),
        rank.into(),
        statement.chosen.into(),
        number(statement.weight).into(),
        number(statement.initial).into(),
        statement.rules.first().map(RuleId::as_str).into(),
        place_kind.into(),
        (&statement.origin).into(),
        statement.value.as_str().into(),
        place.into(),
        json(json_value!(statement.rules)),
        parts.unwrap_or(Value::Text(None)),
    ]
}

/// The words of `place_kind`.
const PATH: &str = "path";
const OUTSIDE: &str = "outside";

fn number(weight: f64) -> f64 {
    if weight.is_finite() { weight } else { 0.0 }
}

fn field_weights(description: &Description) -> Value {
    let weights: Vec<(&str, f64)> = description
        .field_weights
        .iter()
        .map(|(field, weight)| (field.as_str(), number(*weight)))
        .collect();
    json(json_value!(weights))
}

/// A description without its statements.
fn read_listed(row: &mut Fields, run: RunId) -> Result<ListedDescription, CatalogError> {
    let (request, url) = (RequestId(row.number()?), row.text()?);
    let capture = CaptureId(row.number()?);
    let (class, trouble) = (row.text()?, row.maybe_text()?);
    let field_weights: Vec<(Field, f64)> = read_json(&row.text()?, "field_weights", capture)?;
    let description = Description { statements: Vec::new(), field_weights, class, trouble };
    Ok(ListedDescription {
        run,
        request,
        url,
        described: DescribedCapture { capture, description },
    })
}

/// The number of the capture, and the columns [`read_statement`] expects.
const STATEMENT_READ: &str = "capture_id, field, chosen, weight, initial, place_kind, origin, value, \
    place, rules, parts";

pub(super) const STATEMENTS_PAGE: &str = "SELECT capture_id, field, chosen, weight, initial, \
    place_kind, origin, value, place, rules, parts FROM statement \
    WHERE run_id = $1 AND capture_id > $2 AND capture_id <= $3 \
    ORDER BY run_id, capture_id, field, rank";

/// The statements on all captures between two, the last one included.
async fn statements(
    session: &mut Session,
    run: RunId,
    after: CaptureId,
    last: CaptureId,
) -> Result<BTreeMap<CaptureId, Vec<Statement>>, CatalogError> {
    let sql = Sql::new(STATEMENTS_PAGE).bind(run).bind(after).bind(last);
    let mut said: BTreeMap<CaptureId, Vec<Statement>> = BTreeMap::new();
    for mut row in session.rows(sql).await? {
        let capture = CaptureId(row.number()?);
        said.entry(capture).or_default().push(read_statement(&mut row, run, capture)?);
    }
    for statements in said.values_mut() {
        // By name in the table, in the order of showing here; stable within a field.
        statements.sort_by_key(|statement| statement.field);
    }
    Ok(said)
}

fn read_statement(
    row: &mut Fields,
    run: RunId,
    capture: CaptureId,
) -> Result<Statement, CatalogError> {
    let field = read_field(&row.text()?, run)?;
    let chosen = row.number()? != 0;
    let (weight, initial) = (row.fraction()?, row.fraction()?);
    let (place_kind, origin) = (row.maybe_text()?, row.maybe_text()?);
    let (value, place) = (row.text()?, row.maybe_text()?);
    let rules = read_json(&row.text()?, "rules", capture)?;
    let parts = row.maybe_text()?.map(|parts| read_json(&parts, "parts", capture)).transpose()?;
    let place = place.map(|place| match place_kind.as_deref() {
        Some(PATH) => FoundAt::Path(place),
        _ => FoundAt::Outside(place),
    });
    Ok(Statement {
        field,
        value,
        parts: parts.unwrap_or_default(),
        weight,
        initial,
        rules,
        place,
        origin,
        chosen,
    })
}

fn read_json<T: serde::de::DeserializeOwned>(
    text: &str,
    column: &str,
    capture: CaptureId,
) -> Result<T, CatalogError> {
    serde_json::from_str(text).map_err(|_| {
        CatalogError::damaged(format!(
            "the column {column} of a description of capture {} is unreadable",
            capture.0
        ))
    })
}

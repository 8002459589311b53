//! The rows of [tables for others](super::tables), page by page along their keys.

use super::header_lines::header_lines;
use super::tables::{ExportTable, KeyKind, Reading, tables};
use crate::engine::{Fields, Sql, Value};
use crate::lookup::{AT_ONCE, places};
use crate::{Catalog, CatalogError};
use auslese_model::{Cell, RunId, Timestamp};
use serde::de::DeserializeOwned;

/// Requests or bodies whose rows are asked for in one question.
pub const EXPORT_OWNERS: usize = AT_ONCE;

/// How far a table was read.
#[derive(Debug, Clone)]
pub struct TableCursor(Vec<Value>);

/// A row with the part of the table it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportRow {
    pub partition: Option<String>,
    pub cells: Vec<Cell>,
}

/// Some rows, and how many the catalog has read for them; none were read when the table is at its end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExportPage {
    pub rows: Vec<ExportRow>,
    pub read: u64,
}

impl ExportTable {
    /// Where reading begins.
    pub fn begin(&self) -> TableCursor {
        let first = |(_, kind): &(_, KeyKind)| match kind {
            KeyKind::Number => Value::Number(Some(i64::MIN)),
            KeyKind::Text => Value::Text(Some(String::new())),
        };
        TableCursor(self.source.keys.iter().map(first).collect())
    }

    fn page_query(&self, among: bool, limit: usize) -> String {
        let source = &self.source;
        let mut selected = vec![source.partition.unwrap_or("CAST(NULL AS TEXT)")];
        selected.extend(source.expressions.iter().map(|(_, expression)| expression.as_str()));
        let keys: Vec<&str> = source.keys.iter().map(|(key, _)| *key).collect();
        selected.extend(&keys);
        let places_of_keys: Vec<String> =
            (1..=keys.len()).map(|place| format!("${place}")).collect();
        let mut conditions: Vec<String> = source.condition.iter().cloned().collect();
        // The sign keeps SQLite from going through the table from the key on, where owners lead to their rows.
        let is_led = among && source.owner.is_some();
        let is_number = source.keys.first().is_some_and(|(_, kind)| *kind == KeyKind::Number);
        let sign = if is_led && is_number { "+" } else { "" };
        conditions.push(match &keys[..] {
            [key] => format!("{sign}{key} > $1"),
            _ => format!("({sign}{}) > ({})", keys.join(", "), places_of_keys.join(", ")),
        });
        if let (true, Some(owner)) = (among, source.owner) {
            conditions.push(format!("{owner} IN ({})", places(keys.len() + 1)));
        }
        format!(
            "SELECT {} FROM {} WHERE {} ORDER BY {} LIMIT {limit}",
            selected.join(", "),
            source.from,
            conditions.join(" AND "),
            keys.join(", ")
        )
    }

    fn read_key(&self, row: &mut Fields) -> Result<TableCursor, CatalogError> {
        let mut key = Vec::with_capacity(self.source.keys.len());
        for (_, kind) in &self.source.keys {
            key.push(match kind {
                KeyKind::Number => Value::Number(row.maybe_number()?),
                KeyKind::Text => Value::Text(row.maybe_text()?),
            });
        }
        Ok(TableCursor(key))
    }

    fn unreadable(&self, place: usize) -> CatalogError {
        let column = self.columns.get(place).map_or("", |column| column.name);
        CatalogError::damaged(format!("the column {column} of {} is unreadable", self.name))
    }

    fn read_list<T: DeserializeOwned>(
        &self,
        text: Option<String>,
        place: usize,
    ) -> Result<Vec<T>, CatalogError> {
        match text {
            None => Ok(Vec::new()),
            Some(text) => serde_json::from_str(&text).map_err(|_| self.unreadable(place)),
        }
    }

    /// The rows that a row of the source becomes: one, unless there are lines of a header in it.
    fn read_row(&self, row: &mut Fields, into: &mut Vec<ExportRow>) -> Result<(), CatalogError> {
        let partition = row.maybe_text()?;
        let mut cells = Vec::with_capacity(self.columns.len());
        let mut lines = None;
        for (place, (reading, _)) in self.source.expressions.iter().enumerate() {
            cells.push(match reading {
                Reading::Flag => cell(row.maybe_number()?.map(|it| it != 0), Cell::Flag),
                Reading::Number => cell(row.maybe_number()?, Cell::Number),
                Reading::Fraction => cell(row.maybe_fraction()?, Cell::Fraction),
                Reading::Time => cell(row.maybe_number()?.map(Timestamp), Cell::Time),
                Reading::Text => cell(row.maybe_text()?, Cell::Text),
                Reading::Texts => Cell::Texts(self.read_list(row.maybe_text()?, place)?),
                Reading::Kinds => {
                    let found: Vec<Kind> = self.read_list(row.maybe_text()?, place)?;
                    Cell::Texts(found.into_iter().map(|it| it.kind).collect())
                }
                Reading::FirstOfPairs => {
                    let pairs: Vec<(String, f64)> = self.read_list(row.maybe_text()?, place)?;
                    Cell::Texts(pairs.into_iter().map(|pair| pair.0).collect())
                }
                Reading::SecondOfPairs => {
                    let pairs: Vec<(String, f64)> = self.read_list(row.maybe_text()?, place)?;
                    Cell::Fractions(pairs.into_iter().map(|pair| pair.1).collect())
                }
                Reading::HeaderLines => {
                    lines = Some(header_lines(&row.maybe_bytes()?.unwrap_or_default()));
                    continue;
                }
            });
        }
        let Some(lines) = lines else {
            into.push(ExportRow { partition, cells });
            return Ok(());
        };
        for (position, (name, value)) in (1..).zip(lines) {
            let mut cells = cells.clone();
            cells.extend([Cell::Number(position), cell(name, Cell::Text), Cell::Text(value)]);
            into.push(ExportRow { partition: partition.clone(), cells });
        }
        Ok(())
    }
}

#[derive(serde::Deserialize)]
struct Kind {
    kind: String,
}

fn cell<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
    value.map_or(Cell::Null, cell)
}

impl Catalog {
    /// The tables that can be given away; what documents say of themselves is that of one run.
    pub fn export_tables(run: Option<RunId>) -> Vec<ExportTable> {
        tables(run)
    }

    /// About how many rows a table is made from.
    pub async fn count_exported(&self, table: &ExportTable) -> Result<u64, CatalogError> {
        let sql = format!("SELECT COUNT(*) FROM {}", table.source.counted);
        let row = self.engine.reader().await?.row(Sql::new(sql)).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }

    /// The next rows of a table; if some owners are named (requests or bodies, at most [`EXPORT_OWNERS`]),
    /// only the rows that hang on them.
    pub async fn export_page(
        &self,
        table: &ExportTable,
        among: Option<&[i64]>,
        cursor: &mut TableCursor,
        limit: usize,
    ) -> Result<ExportPage, CatalogError> {
        let mut values = cursor.0.clone();
        if let Some(owners) = among {
            let Some(last) = owners.last() else { return Ok(ExportPage::default()) };
            let filled = owners.iter().chain(std::iter::repeat(last)).take(AT_ONCE);
            values.extend(filled.map(|owner| Value::Number(Some(*owner))));
        }
        let text = table.page_query(among.is_some(), limit).into();
        let found = self.engine.reader().await?.rows(Sql { text, values }).await?;
        let mut page = ExportPage { rows: Vec::with_capacity(found.len()), read: 0 };
        for mut row in found {
            table.read_row(&mut row, &mut page.rows)?;
            *cursor = table.read_key(&mut row)?;
            page.read += 1;
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CatalogSettings, Location};

    #[tokio::test]
    async fn keys_lead_there() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let catalog = Catalog::create(&location, &CatalogSettings::default()).await.unwrap();
        for table in tables(None) {
            for among in [false, true] {
                let sql = table.page_query(among, 100);
                let plan = catalog.engine.reader().await.unwrap().plan(&sql).await.unwrap();
                let fault = |line: &&str| {
                    line.starts_with("SCAN")
                        || !among && line.contains("TEMP B-TREE")
                        || among && table.source.owner.is_some() && line.contains(">(?,")
                };
                assert_eq!(plan.lines().find(fault), None, "{sql}\n{plan}");
            }
        }
    }
}

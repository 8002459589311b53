//! A catalog as a whole, taken from one engine to the other, and back.
//!
//! Tables and columns are the same in both engines, so rows are copied as they are, page by page along the
//! primary key, into an empty database. All of it is one transaction: after a failure there is nothing. Then
//! every table is read back, and counted and summed as its source was; sums do not depend on the order of rows,
//! in which the engines differ.

use crate::batch::Batch;
use crate::catalog::{begin_making, require_room};
use crate::engine::{Dialect, Engine, Fields, Session, Sql, Value};
use crate::schema;
use crate::{Catalog, CatalogError, CatalogSettings, Location};
use serde::Serialize;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Rows read at once.
const PAGE: usize = 500;

/// A table that was copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CopiedTable {
    pub table: String,
    pub rows: u64,
    /// Over all rows, the same on every engine.
    pub sum: String,
}

/// Copies a catalog into a database that is empty, and makes sure that all of it arrived. `tell` hears of every
/// table that was copied.
pub async fn copy_catalog(
    from: &Catalog,
    to: &Location,
    settings: &CatalogSettings,
    mut tell: impl FnMut(&CopiedTable),
) -> Result<Vec<CopiedTable>, CatalogError> {
    require_room(to, settings).await?;
    let engine = Engine::new(to, true, settings)?;
    let mut target = begin_making(&engine, to).await?;
    let mut source = from.engine.reader().await?;
    let mut copied = Vec::new();
    for table in schema::tables(&mut source).await? {
        let shape = Shape::of(&mut source, &table).await?;
        if Shape::of(&mut target, &table).await?.columns != shape.columns {
            return Err(CatalogError::damaged(format!("the columns of {table} are not ours")));
        }
        // Making the tables has filled some of them.
        target.execute(Sql::new(format!("DELETE FROM {table}"))).await?;
        let sent = shape.copy(&mut source, &mut target).await?;
        let mut arrived = Sum::default();
        shape
            .read(&mut target, async |_, rows| {
                rows.iter().for_each(|row| arrived.add(row));
                Ok(())
            })
            .await?;
        if arrived != sent {
            return Err(CatalogError::damaged(format!(
                "{table} did not arrive as it was: {} rows of {}",
                arrived.rows, sent.rows
            )));
        }
        let one = CopiedTable { table, rows: sent.rows, sum: format!("{:016x}", sent.sum) };
        tell(&one);
        copied.push(one);
    }
    target.commit().await?;
    engine.close().await;
    Ok(copied)
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Fraction,
    Text,
    Bytes,
}

impl Kind {
    fn of(declared: &str) -> Option<Kind> {
        Some(match declared.to_ascii_lowercase().as_str() {
            "integer" | "bigint" => Kind::Number,
            "double precision" => Kind::Fraction,
            "text" => Kind::Text,
            "blob" | "bytea" => Kind::Bytes,
            _ => return None,
        })
    }

    fn read(self, row: &mut Fields) -> Result<Value, sqlx::Error> {
        Ok(match self {
            Kind::Number => Value::Number(row.maybe_number()?),
            Kind::Fraction => Value::Fraction(row.maybe_fraction()?),
            Kind::Text => Value::Text(row.maybe_text()?),
            Kind::Bytes => Value::Bytes(row.maybe_bytes()?),
        })
    }
}

/// A table as it is read and written.
#[derive(Debug)]
struct Shape {
    table: String,
    /// By name, so that it does not matter in which order an engine lists them.
    columns: Vec<(String, Kind)>,
    /// Positions of the columns of the primary key.
    key: Vec<usize>,
}

type Rows = Vec<Vec<Value>>;

impl Shape {
    async fn of(session: &mut Session, table: &str) -> Result<Shape, CatalogError> {
        let listed = columns(session, table).await?;
        let mut columns = Vec::new();
        let mut key = Vec::new();
        for (position, Listed { name, declared, in_key }) in listed.into_iter().enumerate() {
            let kind = Kind::of(&declared).ok_or_else(|| {
                CatalogError::damaged(format!("{table}.{name} has the unknown type {declared}"))
            })?;
            columns.push((name, kind));
            key.extend(in_key.map(|place| (place, position)));
        }
        key.sort_unstable();
        if key.is_empty() {
            return Err(CatalogError::damaged(format!("{table} has no primary key")));
        }
        let key = key.into_iter().map(|(_, position)| position).collect();
        Ok(Shape { table: table.to_owned(), columns, key })
    }

    fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    async fn copy(&self, source: &mut Session, target: &mut Session) -> Result<Sum, CatalogError> {
        let mut sum = Sum::default();
        let before = format!("INSERT INTO {} ({})", self.table, self.names());
        self.read(source, async |shape, rows| {
            rows.iter().for_each(|row| sum.add(row));
            let mut batch = Batch::new(before.clone(), shape.columns.len(), "");
            rows.into_iter().for_each(|row| batch.push_row(row));
            batch.run(target).await?;
            Ok(())
        })
        .await?;
        Ok(sum)
    }

    /// Hands out all rows, page by page.
    async fn read(
        &self,
        session: &mut Session,
        mut take: impl AsyncFnMut(&Shape, Rows) -> Result<(), CatalogError>,
    ) -> Result<(), CatalogError> {
        let keys: Vec<&str> = self.key.iter().map(|it| self.columns[*it].0.as_str()).collect();
        let keys = keys.join(", ");
        let mut after: Option<Vec<Value>> = None;
        loop {
            let last = after.take().unwrap_or_default();
            let places: Vec<String> = (1..=last.len()).map(|it| format!("${it}")).collect();
            let beyond = match last.is_empty() {
                true => String::new(),
                false => format!(" WHERE ({keys}) > ({})", places.join(", ")),
            };
            let text = format!(
                "SELECT {} FROM {}{beyond} ORDER BY {keys} LIMIT {PAGE}",
                self.names(),
                self.table
            );
            let mut rows: Rows = Vec::new();
            for mut row in session.rows(Sql { text: text.into(), values: last }).await? {
                let values = self.columns.iter().map(|(_, kind)| kind.read(&mut row));
                rows.push(values.collect::<Result<_, _>>()?);
            }
            let Some(end) = rows.last() else { return Ok(()) };
            after = Some(self.key.iter().map(|it| end[*it].clone()).collect());
            take(self, rows).await?;
        }
    }
}

/// A column as the engine lists it.
struct Listed {
    name: String,
    declared: String,
    /// The place in the primary key.
    in_key: Option<i64>,
}

/// The columns of a table, by name.
async fn columns(session: &mut Session, table: &str) -> Result<Vec<Listed>, CatalogError> {
    let sql = match session.dialect() {
        Dialect::Sqlite => {
            "SELECT name, type, NULLIF(pk, 0) FROM pragma_table_info($1) ORDER BY name"
        }
        Dialect::Postgres => {
            "SELECT c.column_name::text, c.data_type::text, k.ordinal_position::bigint \
             FROM information_schema.columns c \
             LEFT JOIN information_schema.table_constraints t \
             ON t.table_schema = c.table_schema AND t.table_name = c.table_name \
             AND t.constraint_type = 'PRIMARY KEY' \
             LEFT JOIN information_schema.key_column_usage k \
             ON k.constraint_schema = t.constraint_schema AND k.constraint_name = t.constraint_name \
             AND k.table_name = c.table_name AND k.column_name = c.column_name \
             WHERE c.table_schema = current_schema() AND c.table_name = $1 \
             ORDER BY c.column_name COLLATE \"C\""
        }
    };
    let rows = session.rows(Sql::new(sql).bind(table)).await?;
    rows.into_iter()
        .map(|mut row| {
            let (name, declared) = (row.text()?, row.text()?);
            Ok(Listed { name, declared, in_key: row.maybe_number()? })
        })
        .collect()
}

/// Rows that went by, whatever their order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    rows: u64,
    sum: u64,
}

impl Sum {
    fn add(&mut self, row: &[Value]) {
        let mut hasher = DefaultHasher::new();
        for value in row {
            match value {
                Value::Number(number) => number.hash(&mut hasher),
                Value::Fraction(fraction) => fraction.map(f64::to_bits).hash(&mut hasher),
                Value::Text(text) => text.hash(&mut hasher),
                Value::Bytes(bytes) => bytes.hash(&mut hasher),
            }
        }
        self.rows += 1;
        self.sum = self.sum.wrapping_add(hasher.finish());
    }
}

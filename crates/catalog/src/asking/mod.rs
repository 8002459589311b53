//! Questions in SQL by readers: one statement that reads, with limits on time, rows and bytes.
//!
//! Whoever asks is a stranger. On SQLite the statement runs on a connection of its own that is opened for reading only,
//! so nothing can be changed and the crawl writes on; time is limited by a handler that the engine calls while it
//! works. On PostgreSQL it runs only where a login for readers is set, in a transaction that reads. What a statement may
//! begin with is [checked first](statement), since some statements that write nothing reach other files.

mod examples;
mod postgres;
mod sqlite;
mod statement;

pub use examples::{EXAMPLE_QUESTIONS, ExampleQuestion};

use crate::{Catalog, CatalogError, Location};
use serde::{Serialize, Serializer};
use statement::check;
use std::time::{Duration, Instant};

/// What a question may cost.
#[derive(Debug, Clone)]
pub struct AskLimits {
    pub rows: usize,
    pub time: Duration,
    /// Bytes of a value that are shown.
    pub cell_bytes: usize,
    /// Bytes of all values together; beyond it there are no more rows.
    pub total_bytes: usize,
}

impl Default for AskLimits {
    fn default() -> AskLimits {
        AskLimits {
            rows: 1_000,
            time: Duration::from_secs(5),
            cell_bytes: 4 << 10,
            total_bytes: 4 << 20,
        }
    }
}

/// Bytes of a statement.
pub const MAX_STATEMENT: usize = 10_000;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AskedTable {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<AskedCell>>,
    /// There are further rows that were not read.
    pub cut: bool,
    /// Values that were shortened.
    pub shortened: u64,
}

impl AskedTable {
    /// Whether a column holds nothing but numbers.
    pub fn is_numeric(&self, column: usize) -> bool {
        let is_number =
            |cell: &AskedCell| matches!(cell, AskedCell::Number(_) | AskedCell::Fraction(_));
        let mut cells = self.rows.iter().filter_map(|row| row.get(column));
        let mut some = false;
        cells.all(|cell| {
            some |= is_number(cell);
            is_number(cell) || *cell == AskedCell::Null
        }) && some
    }
}

/// A value of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum AskedCell {
    Null,
    Number(i64),
    Fraction(f64),
    Text(String),
    /// How many bytes; they are not shown.
    Bytes(usize),
}

impl Serialize for AskedCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            AskedCell::Null => serializer.serialize_unit(),
            AskedCell::Number(number) => serializer.serialize_i64(*number),
            AskedCell::Fraction(fraction) => serializer.serialize_f64(*fraction),
            AskedCell::Text(text) => serializer.serialize_str(text),
            AskedCell::Bytes(length) => serializer.serialize_str(&format!("{length} bytes")),
        }
    }
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error("there is no statement")]
    Empty,
    #[error("the statement is longer than {MAX_STATEMENT} bytes")]
    Long,
    #[error("one statement at a time")]
    Several,
    #[error("a quotation or comment has no end")]
    Unended,
    #[error("a statement begins with SELECT, WITH, VALUES or EXPLAIN, not with {word}")]
    NotReading { word: String },
    /// Pragmas tell of the machine and change the connection.
    #[error("{word} cannot be used here")]
    Forbidden { word: String },
    /// The words of the engine.
    #[error("{words}")]
    Engine { words: String },
    #[error("it took too long")]
    TooLong,
    /// A database on a server is asked only with a login for readers.
    #[error("no login for readers is set")]
    NotOffered,
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

impl Catalog {
    /// Answers a question in SQL. `reading_url` is the login for readers, needed for PostgreSQL only.
    pub async fn ask(
        &self,
        sql: &str,
        limits: &AskLimits,
        reading_url: Option<&str>,
    ) -> Result<AskedTable, AskError> {
        check(sql)?;
        let deadline = Instant::now() + limits.time;
        match (self.location(), reading_url) {
            (Location::File(path), _) => sqlite::ask(path, sql, limits, deadline).await,
            (Location::Server(_), Some(url)) => postgres::ask(url, sql, limits).await,
            (Location::Server(_), None) => Err(AskError::NotOffered),
        }
    }

    /// Tables and views with their columns, in the order of their names.
    pub async fn columns(&self) -> Result<Vec<(String, Vec<String>)>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = match session.dialect() {
            crate::engine::Dialect::Sqlite => {
                "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                 WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite%' \
                 ORDER BY m.name, c.cid"
            }
            crate::engine::Dialect::Postgres => {
                "SELECT table_name::text, column_name::text FROM information_schema.columns \
                 WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"
            }
        };
        let mut tables: Vec<(String, Vec<String>)> = Vec::new();
        for mut row in session.rows(crate::engine::Sql::new(sql)).await? {
            let (table, column) = (row.text()?, row.text()?);
            match tables.last_mut() {
                Some((name, columns)) if *name == table => columns.push(column),
                _ => tables.push((table, vec![column])),
            }
        }
        Ok(tables)
    }
}

/// An answer that grows until it is large enough.
#[derive(Debug)]
struct Growing<'a> {
    limits: &'a AskLimits,
    table: AskedTable,
    bytes: usize,
}

impl<'a> Growing<'a> {
    fn new(limits: &'a AskLimits, columns: Vec<String>) -> Growing<'a> {
        let table = AskedTable { columns, rows: Vec::new(), cut: false, shortened: 0 };
        Growing { limits, table, bytes: 0 }
    }

    /// Whether there is room for a further row; if not, the answer is cut.
    fn has_room(&mut self) -> bool {
        let full =
            self.table.rows.len() >= self.limits.rows || self.bytes >= self.limits.total_bytes;
        self.table.cut |= full;
        !full
    }

    fn push(&mut self, row: Vec<AskedCell>) {
        const CELL: usize = size_of::<AskedCell>();
        self.bytes += row.len() * CELL;
        self.table.rows.push(row);
    }

    fn text(&mut self, bytes: &[u8]) -> AskedCell {
        let shown = &bytes[..bytes.len().min(self.limits.cell_bytes)];
        self.table.shortened += u64::from(shown.len() < bytes.len());
        self.bytes += shown.len();
        let mut text = String::from_utf8_lossy(shown).into_owned();
        if shown.len() < bytes.len() {
            // A letter that was cut in two.
            text.truncate(text.trim_end_matches('\u{fffd}').len());
            text.push('…');
        }
        AskedCell::Text(text)
    }
}

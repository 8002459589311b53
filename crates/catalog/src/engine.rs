//! The two database engines behind one small face: statements in, rows out.
//!
//! Everything above this module speaks one dialect of SQL with four kinds of values (numbers of 64
//! bits, fractions, text, bytes) and does not know which engine runs it, apart from the few words
//! that [`Dialect`] supplies. sqlx' own `Any` driver offers nearly the same, but reaches SQLite only by
//! URL and copies every text twice.
//!
//! SQLite has one connection that writes and a few that read; PostgreSQL has one pool. A file that was removed or
//! replaced stays readable and writable for those who have it open, and all they write is lost: so nobody gets a
//! connection to it any more.

use crate::file_mark::FileMark;
use crate::growth::cache_kib;
use crate::stage::{BatchFence, check_fence, finish_batch};
use crate::{CatalogError, CatalogSettings, Durability, Location};
use sqlx::pool::{PoolConnection, PoolOptions};
use sqlx::postgres::{PgArguments, PgConnectOptions, PgRow};
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqliteRow, SqliteSynchronous,
};
use sqlx::{
    Arguments as _, AssertSqlSafe, ConnectOptions as _, PgConnection, PgPool, Postgres, Row as _,
    Sqlite, SqliteConnection, SqlitePool, Transaction,
};
use std::borrow::Cow;
use std::pin::Pin;
use std::str::FromStr as _;
use std::sync::Arc;

/// Prepared statements kept per connection: all that are ever made, each in a few lengths.
const STATEMENT_CACHE: usize = 512;

/// Pages of the write-ahead log before SQLite moves them into the database (256 MiB). Far more than
/// its default of 1000, because the keys of new links hit the pages of their index at random: one
/// window may touch thousands, and the longer they gather, the fewer are written twice.
const CHECKPOINT_PAGES: u32 = 64_000;

/// Rows that a reading connection has ready before they are taken. Whoever asks takes all of them anyway, and each time
/// one side waits for the other costs more than a row.
const READER_ROWS: usize = 1024;

/// Memory for pages of each reading connection, in KiB.
const READER_CACHE_KIB: u32 = 8 * 1024;

#[derive(Debug, Clone)]
pub(crate) enum Engine {
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
        file: FileMark,
    },
    Postgres(PgPool),
    /// One of the others, in which everything is written under the lease of a batch.
    Fenced {
        engine: Box<Engine>,
        fence: Arc<BatchFence>,
        /// What is noted with the end of the batch, if it ends with what is written.
        result: Option<Arc<str>>,
    },
}

impl Engine {
    pub(crate) fn new(
        location: &Location,
        create: bool,
        settings: &CatalogSettings,
    ) -> Result<Engine, CatalogError> {
        match location {
            Location::File(path) => {
                let options = SqliteConnectOptions::new()
                    .filename(path)
                    .create_if_missing(create)
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(match settings.durability {
                        Durability::Process => SqliteSynchronous::Normal,
                        Durability::Power => SqliteSynchronous::Full,
                    })
                    .busy_timeout(settings.lock_wait)
                    .statement_cache_capacity(STATEMENT_CACHE)
                    .pragma("wal_autocheckpoint", CHECKPOINT_PAGES.to_string())
                    .disable_statement_logging();
                let length = std::fs::metadata(path).map_or(0, |file| file.len());
                let writing = options
                    .clone()
                    .pragma("cache_size", format!("-{}", cache_kib(length, settings.cache_kib)))
                    .thread_name(|_| "catalog-writer".into());
                let reading = options
                    .create_if_missing(false)
                    .pragma("cache_size", format!("-{READER_CACHE_KIB}"))
                    .pragma("query_only", "1")
                    .row_buffer_size(READER_ROWS)
                    .thread_name(|number| format!("catalog-reader-{number}"));
                let pool = || {
                    PoolOptions::<Sqlite>::new()
                        .acquire_timeout(settings.connect_wait)
                        .idle_timeout(None)
                        .max_lifetime(None)
                        // A file does not go away like a server does.
                        .test_before_acquire(false)
                };
                Ok(Engine::Sqlite {
                    writer: pool().max_connections(1).connect_lazy_with(writing),
                    readers: pool()
                        .max_connections(settings.connections.max(1))
                        .connect_lazy_with(reading),
                    file: FileMark::new(path),
                })
            }
            Location::Server(_) => {
                let pool = PoolOptions::<Postgres>::new()
                    // One for the writer, the rest for readers, who must not wait for each other.
                    .max_connections(settings.connections.max(2))
                    .acquire_timeout(settings.connect_wait);
                Ok(Engine::Postgres(pool.connect_lazy_with(postgres_options(location, settings)?)))
            }
        }
    }

    /// An engine that only looks: it leaves a file as it is, whoever made it.
    pub(crate) fn probe(
        location: &Location,
        settings: &CatalogSettings,
    ) -> Result<Engine, CatalogError> {
        match location {
            Location::File(path) => {
                let options = SqliteConnectOptions::new()
                    .filename(path)
                    .busy_timeout(settings.lock_wait)
                    .disable_statement_logging();
                let pool =
                    PoolOptions::<Sqlite>::new().max_connections(1).connect_lazy_with(options);
                Ok(Engine::Sqlite {
                    writer: pool.clone(),
                    readers: pool,
                    file: FileMark::new(path),
                })
            }
            Location::Server(_) => Engine::new(location, false, settings),
        }
    }

    /// A connection for statements that only read.
    pub(crate) fn reader(&self) -> Answer<'_, Session> {
        Box::pin(async move {
            Ok(match self {
                Engine::Sqlite { readers, file, .. } => {
                    let connection = readers.acquire().await?;
                    file.check()?;
                    Session::Sqlite(connection)
                }
                Engine::Postgres(pool) => Session::Postgres(pool.acquire().await?),
                Engine::Fenced { engine, .. } => engine.reader().await?,
            })
        })
    }

    /// A transaction that may write; it is rolled back unless it is committed.
    pub(crate) fn begin(&self) -> Answer<'_, Session> {
        Box::pin(async move {
            Ok(match self {
                // Immediate: a transaction that reads before it writes could otherwise fail halfway,
                // when another process has written in between.
                Engine::Sqlite { writer, file, .. } => {
                    let work = match writer.begin_with("BEGIN IMMEDIATE").await {
                        // On a full disk SQLite ends a transaction by itself; sqlx then fails to roll
                        // it back and believes it open for ever. Such a connection is of no more use.
                        Err(sqlx::Error::InvalidSavePointStatement) => {
                            writer.acquire().await?.close().await?;
                            writer.begin_with("BEGIN IMMEDIATE").await?
                        }
                        work => work?,
                    };
                    file.check()?;
                    Session::SqliteWork(work)
                }
                Engine::Postgres(pool) => Session::PostgresWork(pool.begin().await?),
                Engine::Fenced { engine, fence, result } => {
                    let mut session = engine.begin().await?;
                    match result {
                        Some(result) => finish_batch(&mut session, fence, result).await?,
                        None => check_fence(&mut session, fence).await?,
                    }
                    session
                }
            })
        })
    }

    pub(crate) async fn close(&self) {
        match self {
            Engine::Sqlite { writer, readers, .. } => {
                // The writer goes last: the last connection empties the write-ahead log.
                readers.close().await;
                writer.close().await;
            }
            Engine::Postgres(pool) => pool.close().await,
            Engine::Fenced { engine, .. } => Box::pin(engine.close()).await,
        }
    }
}

pub(crate) fn postgres_options(
    location: &Location,
    settings: &CatalogSettings,
) -> Result<PgConnectOptions, CatalogError> {
    let Location::Server(url) = location else {
        return Err(CatalogError::Location { why: format!("{location} is a file") });
    };
    let options = PgConnectOptions::from_str(url.as_str())
        .map_err(|error| CatalogError::Location { why: error.to_string() })?;
    let lock_wait = settings.lock_wait.as_millis().to_string();
    let idle_wait = settings.idle_wait.as_millis().to_string();
    Ok(options
        .application_name("auslese")
        .statement_cache_capacity(STATEMENT_CACHE)
        // A worker that vanished in a transaction must not hold its locks for ever.
        .options([
            ("lock_timeout", lock_wait.as_str()),
            ("idle_in_transaction_session_timeout", idle_wait.as_str()),
            ("tcp_keepalives_idle", "30"),
            ("tcp_keepalives_interval", "10"),
            ("tcp_keepalives_count", "3"),
            // Pages of many columns are short work; compiling them takes longer than they do.
            ("jit", "off"),
        ])
        .disable_statement_logging())
}

/// What a database answers. Boxed, so that the drivers are compiled here once and not by everyone who
/// waits for an answer; next to what a statement takes, an allocation is nothing.
pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, sqlx::Error>> + Send + 'a>>;

/// What has to be said differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// A connection, inside a transaction or not.
#[derive(Debug)]
pub(crate) enum Session {
    Sqlite(PoolConnection<Sqlite>),
    SqliteWork(Transaction<'static, Sqlite>),
    Postgres(PoolConnection<Postgres>),
    PostgresWork(Transaction<'static, Postgres>),
}

enum Wire<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

impl Session {
    fn wire(&mut self) -> Wire<'_> {
        match self {
            Session::Sqlite(connection) => Wire::Sqlite(connection),
            Session::SqliteWork(transaction) => Wire::Sqlite(transaction),
            Session::Postgres(connection) => Wire::Postgres(connection),
            Session::PostgresWork(transaction) => Wire::Postgres(transaction),
        }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Session::Sqlite(_) | Session::SqliteWork(_) => Dialect::Sqlite,
            Session::Postgres(_) | Session::PostgresWork(_) => Dialect::Postgres,
        }
    }

    /// Runs a statement and says how many rows it wrote.
    pub(crate) fn execute(&mut self, sql: Sql) -> Answer<'_, u64> {
        Box::pin(async move {
            let text = AssertSqlSafe(sql.text);
            Ok(match self.wire() {
                Wire::Sqlite(connection) => {
                    let arguments = sqlite_arguments(sql.values)?;
                    sqlx::query_with(text, arguments).execute(connection).await?.rows_affected()
                }
                Wire::Postgres(connection) => {
                    let arguments = postgres_arguments(sql.values)?;
                    sqlx::query_with(text, arguments).execute(connection).await?.rows_affected()
                }
            })
        })
    }

    /// All rows of a query; long results are asked for in pages.
    pub(crate) fn rows(&mut self, sql: Sql) -> Answer<'_, Vec<Fields>> {
        Box::pin(async move {
            let text = AssertSqlSafe(sql.text);
            Ok(match self.wire() {
                Wire::Sqlite(connection) => {
                    let arguments = sqlite_arguments(sql.values)?;
                    let rows = sqlx::query_with(text, arguments).fetch_all(connection).await?;
                    rows.into_iter().map(|row| Fields::new(Row::Sqlite(row))).collect()
                }
                Wire::Postgres(connection) => {
                    let arguments = postgres_arguments(sql.values)?;
                    let rows = sqlx::query_with(text, arguments).fetch_all(connection).await?;
                    rows.into_iter().map(|row| Fields::new(Row::Postgres(row))).collect()
                }
            })
        })
    }

    /// Runs a statement over whole columns, which PostgreSQL alone takes.
    pub(crate) fn execute_columns(
        &mut self,
        text: String,
        columns: Vec<Column>,
    ) -> Answer<'_, u64> {
        Box::pin(async move {
            let Wire::Postgres(connection) = self.wire() else { return Err(no_arrays()) };
            let arguments = column_arguments(columns)?;
            let query = sqlx::query_with(AssertSqlSafe(text), arguments);
            Ok(query.execute(connection).await?.rows_affected())
        })
    }

    /// The same for a statement that returns rows.
    pub(crate) fn rows_of_columns(
        &mut self,
        text: String,
        columns: Vec<Column>,
    ) -> Answer<'_, Vec<Fields>> {
        Box::pin(async move {
            let Wire::Postgres(connection) = self.wire() else { return Err(no_arrays()) };
            let arguments = column_arguments(columns)?;
            let rows =
                sqlx::query_with(AssertSqlSafe(text), arguments).fetch_all(connection).await?;
            Ok(rows.into_iter().map(|row| Fields::new(Row::Postgres(row))).collect())
        })
    }

    pub(crate) async fn row(&mut self, sql: Sql) -> Result<Option<Fields>, sqlx::Error> {
        Ok(self.rows(sql).await?.into_iter().next())
    }

    /// Several statements without values, such as those that make the tables.
    pub(crate) fn script(&mut self, text: String) -> Answer<'_, ()> {
        Box::pin(async move {
            match self.wire() {
                Wire::Sqlite(connection) => {
                    sqlx::raw_sql(AssertSqlSafe(text)).execute(connection).await?;
                }
                Wire::Postgres(connection) => {
                    sqlx::raw_sql(AssertSqlSafe(text)).execute(connection).await?;
                }
            }
            Ok(())
        })
    }

    /// How SQLite goes about a query, one line per step.
    #[cfg(test)]
    pub(crate) async fn plan(&mut self, sql: &str) -> Result<String, sqlx::Error> {
        let mut lines = Vec::new();
        for mut row in self.rows(Sql::new(format!("EXPLAIN QUERY PLAN {sql}"))).await? {
            row.skip(3);
            lines.push(row.text()?);
        }
        Ok(lines.join("\n"))
    }

    pub(crate) fn commit(self) -> Answer<'static, ()> {
        Box::pin(async move {
            match self {
                Session::SqliteWork(transaction) => transaction.commit().await,
                Session::PostgresWork(transaction) => transaction.commit().await,
                Session::Sqlite(_) | Session::Postgres(_) => Ok(()),
            }
        })
    }
}

/// A statement with its values. Its text never contains anything from outside.
#[derive(Debug)]
pub(crate) struct Sql {
    pub(crate) text: Cow<'static, str>,
    pub(crate) values: Vec<Value>,
}

impl Sql {
    pub(crate) fn new(text: impl Into<Cow<'static, str>>) -> Sql {
        Sql { text: text.into(), values: Vec::new() }
    }

    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Sql {
        self.values.push(value.into());
        self
    }
}

/// A value for a statement; `None` is NULL, which keeps its type because PostgreSQL asks for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Number(Option<i64>),
    Fraction(Option<f64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

/// The values of one column in many rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Column {
    Numbers(Vec<Option<i64>>),
    Fractions(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Column {
    /// An empty column for values of this kind.
    pub(crate) fn like(value: &Value, rows: usize) -> Column {
        match value {
            Value::Number(_) => Column::Numbers(Vec::with_capacity(rows)),
            Value::Fraction(_) => Column::Fractions(Vec::with_capacity(rows)),
            Value::Text(_) => Column::Texts(Vec::with_capacity(rows)),
            Value::Bytes(_) => Column::Bytes(Vec::with_capacity(rows)),
        }
    }

    pub(crate) fn push(&mut self, value: Value) -> Result<(), sqlx::Error> {
        match (self, value) {
            (Column::Numbers(column), Value::Number(value)) => column.push(value),
            (Column::Fractions(column), Value::Fraction(value)) => column.push(value),
            (Column::Texts(column), Value::Text(value)) => column.push(value),
            (Column::Bytes(column), Value::Bytes(value)) => column.push(value),
            _ => return Err(sqlx::Error::Encode("a column has values of two kinds".into())),
        }
        Ok(())
    }

    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Column::Numbers(_) => "bigint",
            Column::Fractions(_) => "double precision",
            Column::Texts(_) => "text",
            Column::Bytes(_) => "bytea",
        }
    }
}

fn no_arrays() -> sqlx::Error {
    sqlx::Error::Encode("SQLite has no arrays".into())
}

fn column_arguments(columns: Vec<Column>) -> Result<PgArguments, sqlx::Error> {
    let mut arguments = PgArguments::default();
    for column in columns {
        match column {
            Column::Numbers(column) => arguments.add(column),
            Column::Fractions(column) => arguments.add(column),
            Column::Texts(column) => arguments.add(column),
            Column::Bytes(column) => arguments.add(column),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

fn sqlite_arguments(values: Vec<Value>) -> Result<SqliteArguments, sqlx::Error> {
    let mut arguments = SqliteArguments::default();
    arguments.reserve(values.len(), 0);
    for value in values {
        match value {
            Value::Number(number) => arguments.add(number),
            Value::Fraction(fraction) => arguments.add(fraction),
            Value::Text(text) => arguments.add(text),
            Value::Bytes(bytes) => arguments.add(bytes),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

fn postgres_arguments(values: Vec<Value>) -> Result<PgArguments, sqlx::Error> {
    let mut arguments = PgArguments::default();
    arguments.reserve(values.len(), values.len() * 16);
    for value in values {
        match value {
            Value::Number(number) => arguments.add(number),
            Value::Fraction(fraction) => arguments.add(fraction),
            Value::Text(text) => arguments.add(text),
            Value::Bytes(bytes) => arguments.add(bytes),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

#[derive(Debug)]
enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// The columns of a row, read from left to right.
#[derive(Debug)]
pub(crate) struct Fields {
    row: Row,
    next: usize,
}

impl Fields {
    fn new(row: Row) -> Fields {
        Fields { row, next: 0 }
    }

    pub(crate) fn maybe_number(&mut self) -> Result<Option<i64>, sqlx::Error> {
        self.next += 1;
        match &self.row {
            Row::Sqlite(row) => row.try_get(self.next - 1),
            Row::Postgres(row) => row.try_get(self.next - 1),
        }
    }

    pub(crate) fn maybe_text(&mut self) -> Result<Option<String>, sqlx::Error> {
        self.next += 1;
        match &self.row {
            Row::Sqlite(row) => row.try_get(self.next - 1),
            Row::Postgres(row) => row.try_get(self.next - 1),
        }
    }

    pub(crate) fn maybe_bytes(&mut self) -> Result<Option<Vec<u8>>, sqlx::Error> {
        self.next += 1;
        match &self.row {
            Row::Sqlite(row) => row.try_get(self.next - 1),
            Row::Postgres(row) => row.try_get(self.next - 1),
        }
    }

    /// Leaves columns out.
    pub(crate) fn skip(&mut self, columns: usize) {
        self.next += columns;
    }

    pub(crate) fn maybe_fraction(&mut self) -> Result<Option<f64>, sqlx::Error> {
        self.next += 1;
        match &self.row {
            Row::Sqlite(row) => row.try_get(self.next - 1),
            Row::Postgres(row) => row.try_get(self.next - 1),
        }
    }

    pub(crate) fn fraction(&mut self) -> Result<f64, sqlx::Error> {
        self.maybe_fraction()?.ok_or_else(|| self.null())
    }

    pub(crate) fn number(&mut self) -> Result<i64, sqlx::Error> {
        self.maybe_number()?.ok_or_else(|| self.null())
    }

    pub(crate) fn text(&mut self) -> Result<String, sqlx::Error> {
        self.maybe_text()?.ok_or_else(|| self.null())
    }

    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, sqlx::Error> {
        self.maybe_bytes()?.ok_or_else(|| self.null())
    }

    /// A count or a size: never negative in our tables.
    pub(crate) fn count(&mut self) -> Result<u64, sqlx::Error> {
        Ok(u64::try_from(self.number()?).unwrap_or(0))
    }

    fn null(&self) -> sqlx::Error {
        sqlx::Error::ColumnDecode {
            index: (self.next - 1).to_string(),
            source: "a value is missing".into(),
        }
    }
}

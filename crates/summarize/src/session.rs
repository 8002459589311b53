//! A connection to a provider's database on which nothing can be written.
//!
//! Reading only is asked of the engine itself, before the first name is looked up, and its answer is checked:
//! PostgreSQL and MySQL run everything in a transaction that is read-only and cannot become another, SQLite opens
//! the file for reading and refuses to write. Statements end after a time that the engine itself keeps, so that
//! nothing works on when nobody waits any more.
//!
//! PostgreSQL and MySQL are reached through sqlx' driver for any database, which is enough because all values are
//! cast to text. SQLite has a connection of its own, because only there the engine can be told to stop.

use crate::names::{Column, Engine, Name, values_of};
use crate::refusal::Refusal;
use crate::settings::{Database, Limits};
use crate::values::{ValueLimits, Values};
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt};
use sqlx::any::{AnyConnectOptions, AnyRow};
use sqlx::mysql::MySqlDatabaseError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{
    AnyConnection, ConnectOptions, Connection, Executor, Row, SqlSafeStr, SqliteConnection,
};
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// How long a database may take to answer the first time.
pub const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// How much longer than the engine's own limit we wait for a statement to end.
const GRACE: Duration = Duration::from_secs(5);

/// Instructions of SQLite between two looks at the clock: well below a millisecond.
const SQLITE_STEPS: i32 = 10_000;

#[derive(Debug)]
pub(crate) struct Session {
    wire: Wire,
    engine: Engine,
    statement: Duration,
    clock: SqliteClock,
}

#[derive(Debug)]
enum Wire {
    Any(AnyConnection),
    Sqlite(SqliteConnection),
}

/// A parameter of a statement.
#[derive(Debug, Clone, Copy)]
enum Bound<'a> {
    Text(Option<&'a str>),
    Number(i64),
    /// PostgreSQL tells small numbers from large ones.
    Small(i32),
}

/// The columns of a row.
type Texts = Vec<Option<String>>;

impl Session {
    /// Connects, and makes sure that nothing can be written.
    pub(crate) async fn open(database: &Database, limits: &Limits) -> Result<Session, Refusal> {
        let clock = SqliteClock::new();
        let wire = timeout(CONNECT_LIMIT, connect(database, &clock)).await;
        let wire = wire.map_err(|_| Refusal::Connection(no_answer()))?;
        let wire = wire.map_err(Refusal::Connection)?;
        let mut session =
            Session { wire, engine: database.engine, statement: limits.statement, clock };
        let is_sealed = timeout(CONNECT_LIMIT, session.seal()).await;
        let is_sealed = is_sealed.map_err(|_| Refusal::Connection(no_answer()))?;
        match is_sealed.map_err(Refusal::Connection)? {
            true => Ok(session),
            false => Err(Refusal::NotReadOnly),
        }
    }

    /// Asks the engine to let nothing be written, and whether it does.
    async fn seal(&mut self) -> Result<bool, sqlx::Error> {
        self.clock.allow(self.statement);
        let milliseconds = self.statement.as_millis().to_string();
        let answer = match self.engine {
            Engine::Postgres => {
                let limits = "SELECT set_config('default_transaction_read_only', 'on', false), \
                    set_config('statement_timeout', $1, false), set_config('lock_timeout', $1, false)";
                self.row(limits, &[Bound::Text(Some(&milliseconds))]).await?;
                self.command("BEGIN TRANSACTION READ ONLY").await?;
                self.row("SELECT current_setting('transaction_read_only')", &[]).await?
            }
            Engine::Mysql => {
                let version = self.row("SELECT CAST(VERSION() AS CHAR)", &[]).await?;
                let is_mariadb = first(version).is_some_and(|text| text.contains("MariaDB"));
                self.command("SET SESSION TRANSACTION READ ONLY").await?;
                // One counts seconds, the other milliseconds, and the names differ as well.
                let (limit, number, question) = match is_mariadb {
                    true => (
                        "SET SESSION max_statement_time = ?",
                        self.statement.as_secs(),
                        "SELECT IF(@@session.tx_read_only, 'on', 'off')",
                    ),
                    false => (
                        "SET SESSION max_execution_time = ?",
                        self.statement.as_secs() * 1_000,
                        "SELECT IF(@@session.transaction_read_only, 'on', 'off')",
                    ),
                };
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                self.row(limit, &[Bound::Number(number)]).await?;
                self.command("START TRANSACTION READ ONLY").await?;
                self.row(question, &[]).await?
            }
            Engine::Sqlite => {
                let question =
                    "SELECT CASE query_only WHEN 1 THEN 'on' ELSE 'off' END FROM pragma_query_only";
                self.row(question, &[]).await?
            }
        };
        Ok(first(answer).as_deref() == Some("on"))
    }

    /// Looks for a column in the catalogue.
    pub(crate) async fn column(
        &mut self,
        schema: Option<&Name>,
        (table, attribute): (&Name, &Name),
        pair: &str,
    ) -> Result<Column, Refusal> {
        let engine = self.engine;
        let parameters = [
            Bound::Text(schema.map(Name::as_str)),
            Bound::Text(Some(table.as_str())),
            Bound::Text(Some(attribute.as_str())),
        ];
        self.clock.allow(self.statement);
        let limit = self.statement + GRACE;
        let rows = self.rows(engine.look_up(), &parameters).try_collect::<Vec<Texts>>();
        let rows = match timeout(limit, rows).await {
            Ok(rows) => rows.map_err(|cause| self.failure(pair, cause))?,
            Err(_) => return Err(self.too_slow(pair)),
        };
        let mut columns = rows.iter().filter_map(|row| match &row[..] {
            [Some(s), Some(t), Some(a)] => Column::confirmed(engine, (table, attribute), [s, t, a]),
            _ => None,
        });
        columns.next().ok_or_else(|| Refusal::NoColumn(pair.to_owned()))
    }

    /// All different values of a column, up to the limits.
    pub(crate) async fn values(
        &mut self,
        column: &Column,
        limits: ValueLimits,
        pair: &str,
    ) -> Result<Values, Refusal> {
        // One character and one row more than is wanted, to see whether there are more.
        let parameters = [
            Bound::Small(i32::try_from(limits.characters + 1).unwrap_or(i32::MAX)),
            Bound::Number(i64::try_from(limits.rows + 1).unwrap_or(i64::MAX)),
        ];
        self.clock.allow(self.statement);
        let limit = self.statement + GRACE;
        let sql = values_of(self.engine, column);
        let mut rows = self.rows(sql, &parameters);
        let gathering = async {
            let mut values = Values::new(limits);
            while let Some(row) = rows.try_next().await? {
                let value = row.into_iter().next().flatten();
                if value.is_some_and(|value| values.take(&value).is_break()) {
                    break;
                }
            }
            Ok(values)
        };
        let gathered = timeout(limit, gathering).await;
        drop(rows);
        match gathered {
            Ok(values) => values.map_err(|cause| self.failure(pair, cause)),
            Err(_) => Err(self.too_slow(pair)),
        }
    }

    /// Whether the role could write if it were let, which a provider should know.
    pub(crate) async fn role_can_write(&mut self) -> Result<bool, Refusal> {
        let question = match self.engine {
            Engine::Postgres => {
                "SELECT CASE WHEN count(*) > 0 THEN 'on' ELSE 'off' END FROM pg_catalog.pg_class c \
                 JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                 WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') \
                 AND n.nspname NOT LIKE 'pg\\_t%' \
                 AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')"
            }
            Engine::Mysql => {
                "SELECT IF(COUNT(*) > 0, 'on', 'off') FROM ( \
                 SELECT privilege_type FROM information_schema.user_privileges UNION ALL \
                 SELECT privilege_type FROM information_schema.schema_privileges UNION ALL \
                 SELECT privilege_type FROM information_schema.table_privileges) AS p \
                 WHERE privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'DROP', 'ALTER', 'CREATE', 'FILE', 'SUPER')"
            }
            // Whoever may write the file, this program opens it for reading.
            Engine::Sqlite => return Ok(false),
        };
        let row = timeout(self.statement + GRACE, self.row(question, &[])).await;
        let row = row.map_err(|_| Refusal::Connection(no_answer()))?;
        Ok(first(row.map_err(Refusal::Connection)?).as_deref() == Some("on"))
    }

    /// Takes leave; what the database says to that does not matter any more.
    pub(crate) async fn close(self) {
        let leaving = async {
            match self.wire {
                Wire::Any(connection) => connection.close().await,
                Wire::Sqlite(connection) => connection.close().await,
            }
        };
        let _ = timeout(GRACE, leaving).await;
    }

    fn rows<'s>(
        &'s mut self,
        sql: impl SqlSafeStr,
        parameters: &[Bound<'s>],
    ) -> BoxStream<'s, Result<Texts, sqlx::Error>> {
        match &mut self.wire {
            Wire::Any(connection) => {
                let mut query = sqlx::query(sql);
                for parameter in parameters {
                    query = match *parameter {
                        Bound::Text(text) => query.bind(text.map(str::to_owned)),
                        Bound::Number(number) => query.bind(number),
                        Bound::Small(number) => query.bind(number),
                    };
                }
                query.fetch(connection).map(|row| any_texts(&row?)).boxed()
            }
            Wire::Sqlite(connection) => {
                let mut query = sqlx::query(sql);
                for parameter in parameters {
                    query = match *parameter {
                        Bound::Text(text) => query.bind(text.map(str::to_owned)),
                        Bound::Number(number) => query.bind(number),
                        Bound::Small(number) => query.bind(number),
                    };
                }
                query.fetch(connection).map(|row| sqlite_texts(&row?)).boxed()
            }
        }
    }

    async fn row(
        &mut self,
        sql: &'static str,
        parameters: &[Bound<'_>],
    ) -> Result<Option<Texts>, sqlx::Error> {
        Ok(self.rows(sql, parameters).try_collect::<Vec<_>>().await?.into_iter().next())
    }

    /// A statement that cannot be prepared.
    async fn command(&mut self, sql: &'static str) -> Result<(), sqlx::Error> {
        match &mut self.wire {
            Wire::Any(connection) => connection.execute(sqlx::raw_sql(sql)).await.map(drop),
            Wire::Sqlite(connection) => connection.execute(sqlx::raw_sql(sql)).await.map(drop),
        }
    }

    fn failure(&self, pair: &str, cause: sqlx::Error) -> Refusal {
        if is_timeout(&cause) {
            return self.too_slow(pair);
        }
        Refusal::Database { pair: pair.to_owned(), cause }
    }

    fn too_slow(&self, pair: &str) -> Refusal {
        Refusal::Timeout { pair: pair.to_owned(), seconds: self.statement.as_secs() }
    }
}

async fn connect(database: &Database, clock: &SqliteClock) -> Result<Wire, sqlx::Error> {
    let dsn = database.dsn.text();
    if database.engine != Engine::Sqlite {
        sqlx::any::install_default_drivers();
        let options = AnyConnectOptions::from_str(dsn)?.disable_statement_logging();
        return Ok(Wire::Any(options.connect().await?));
    }
    let options = SqliteConnectOptions::from_str(dsn)?
        .read_only(true)
        .create_if_missing(false)
        .pragma("query_only", "1")
        .disable_statement_logging();
    let mut connection = options.connect().await?;
    let clock = clock.clone();
    let mut handle = connection.lock_handle().await?;
    handle.set_progress_handler(SQLITE_STEPS, move || clock.has_time());
    drop(handle);
    Ok(Wire::Sqlite(connection))
}

fn no_answer() -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the database does not answer"))
}

fn first(row: Option<Texts>) -> Option<String> {
    row.and_then(|row| row.into_iter().next().flatten())
}

fn any_texts(row: &AnyRow) -> Result<Texts, sqlx::Error> {
    (0..row.len()).map(|at| row.try_get(at)).collect()
}

/// SQLite does not care whether a text is UTF-8; old files hold Latin-1.
fn sqlite_texts(row: &SqliteRow) -> Result<Texts, sqlx::Error> {
    let text = |at| -> Result<Option<String>, sqlx::Error> {
        let bytes: Option<Vec<u8>> = row.try_get_unchecked(at)?;
        Ok(bytes.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => error.as_bytes().iter().map(|byte| char::from(*byte)).collect(),
        }))
    };
    (0..row.len()).map(text).collect()
}

/// Whether an engine ended a statement because its time was over.
fn is_timeout(error: &sqlx::Error) -> bool {
    const POSTGRES_CANCELED: &str = "57014";
    const SQLITE_INTERRUPT: &str = "9";
    const MARIADB_STATEMENT_TIMEOUT: u16 = 1969;
    const MYSQL_QUERY_TIMEOUT: u16 = 3024;
    let Some(error) = error.as_database_error() else { return false };
    if let Some(error) = error.try_downcast_ref::<MySqlDatabaseError>() {
        return [MARIADB_STATEMENT_TIMEOUT, MYSQL_QUERY_TIMEOUT].contains(&error.number());
    }
    error.code().is_some_and(|code| code == POSTGRES_CANCELED || code == SQLITE_INTERRUPT)
}

/// Until when statements of SQLite may run, as its own thread sees it.
#[derive(Debug, Clone)]
struct SqliteClock {
    began: Instant,
    until: Arc<AtomicU64>,
}

impl SqliteClock {
    fn new() -> SqliteClock {
        SqliteClock { began: Instant::now(), until: Arc::new(AtomicU64::new(u64::MAX)) }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn allow(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.until.store(self.now().saturating_add(time), Ordering::Relaxed);
    }

    fn has_time(&self) -> bool {
        self.now() <= self.until.load(Ordering::Relaxed)
    }
}

//! A question to SQLite, on a connection of its own that cannot write.

use super::{AskError, AskLimits, AskedCell, AskedTable, Growing};
use futures_util::StreamExt;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow, SqliteValueRef};
use sqlx::{
    AssertSqlSafe, Column as _, ConnectOptions as _, Connection as _, Decode, Executor as _,
    Row as _, SqlSafeStr as _, Sqlite, Statement as _, TypeInfo as _, ValueRef as _,
};
use std::path::Path;
use std::time::{Duration, Instant};

/// Steps of the engine between two looks at the clock.
const STEPS: i32 = 1_000;
/// How long the file may be locked, which a reader hardly meets.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// Memory for pages of the file, in KiB.
const CACHE_KIB: u32 = 8 << 10;

pub(super) async fn ask(
    path: &Path,
    sql: &str,
    limits: &AskLimits,
    deadline: Instant,
) -> Result<AskedTable, AskError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(LOCK_WAIT)
        .pragma("query_only", "1")
        .pragma("cache_size", format!("-{CACHE_KIB}"))
        // Rows are large where a stranger says so; few wait to be read.
        .row_buffer_size(1)
        .disable_statement_logging()
        .thread_name(|_| "question".into());
    let in_words = |error| in_words(error, path);
    let mut connection = options.connect().await.map_err(crate::CatalogError::from)?;
    let mut handle = connection.lock_handle().await.map_err(crate::CatalogError::from)?;
    handle.set_progress_handler(STEPS, move || Instant::now() < deadline);
    drop(handle);
    let table = read(&mut connection, sql, limits).await.map_err(in_words)?;
    // Failing to end well changes nothing about the answer.
    let _ = connection.close().await;
    Ok(table)
}

async fn read(
    connection: &mut SqliteConnection,
    sql: &str,
    limits: &AskLimits,
) -> Result<AskedTable, sqlx::Error> {
    let statement = connection.prepare(AssertSqlSafe(sql.to_owned()).into_sql_str()).await?;
    let names = statement.columns().iter().map(|column| column.name().to_owned());
    let mut growing = Growing::new(limits, names.collect());
    let mut rows = statement.query().fetch(&mut *connection);
    while let Some(row) = rows.next().await.transpose()? {
        if !growing.has_room() {
            break;
        }
        let cells = cells(&row, &mut growing)?;
        growing.push(cells);
    }
    Ok(growing.table)
}

fn cells(row: &SqliteRow, growing: &mut Growing<'_>) -> Result<Vec<AskedCell>, sqlx::Error> {
    let cell = |number: usize| {
        let value = row.try_get_raw(number)?;
        if value.is_null() {
            return Ok(AskedCell::Null);
        }
        let kind = value.type_info().name().to_owned();
        Ok(match kind.as_str() {
            "INTEGER" | "BOOLEAN" => AskedCell::Number(decoded(value)?),
            "REAL" => AskedCell::Fraction(decoded(value)?),
            "BLOB" => AskedCell::Bytes(decoded::<&[u8]>(value)?.len()),
            _ => growing.text(decoded(value)?),
        })
    };
    (0..row.len()).map(cell).collect()
}

fn decoded<'r, T: Decode<'r, Sqlite>>(value: SqliteValueRef<'r>) -> Result<T, sqlx::Error> {
    T::decode(value).map_err(sqlx::Error::Decode)
}

/// The words of the engine, without the place of the file.
fn in_words(error: sqlx::Error, path: &Path) -> AskError {
    const INTERRUPTED: &str = "9";
    match error {
        sqlx::Error::Database(error) if error.code().as_deref() == Some(INTERRUPTED) => {
            AskError::TooLong
        }
        sqlx::Error::Database(error) => {
            let words = error.message().replace(&*path.to_string_lossy(), "the catalog");
            AskError::Engine { words }
        }
        other => AskError::Catalog(other.into()),
    }
}

//! A question to PostgreSQL, by a login that can only read.

use super::{AskError, AskLimits, AskedCell, AskedTable, Growing};
use crate::CatalogError;
use futures_util::StreamExt;
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{
    AssertSqlSafe, Column as _, ConnectOptions as _, Connection as _, Executor as _, PgConnection,
    Row as _, SqlSafeStr as _, Statement as _, TypeInfo as _, ValueRef as _,
};
use std::str::FromStr as _;

pub(super) async fn ask(url: &str, sql: &str, limits: &AskLimits) -> Result<AskedTable, AskError> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|_| CatalogError::Location { why: "the login for readers is no URL".into() })?
        .application_name("auslese question")
        .options([
            ("statement_timeout", limits.time.as_millis().to_string().as_str()),
            ("default_transaction_read_only", "on"),
            ("standard_conforming_strings", "on"),
        ])
        .disable_statement_logging();
    let mut connection = options.connect().await.map_err(CatalogError::from)?;
    let answer = read(&mut connection, sql, limits).await.map_err(in_words);
    // Failing to end well changes nothing about the answer.
    let _ = connection.close().await;
    answer
}

async fn read(
    connection: &mut PgConnection,
    sql: &str,
    limits: &AskLimits,
) -> Result<AskedTable, sqlx::Error> {
    connection.execute("BEGIN READ ONLY").await?;
    // The server prepares one statement only, so it is the judge of what one is.
    let statement = connection.prepare(AssertSqlSafe(sql.to_owned()).into_sql_str()).await?;
    let names = statement.columns().iter().map(|column| column.name().to_owned());
    let mut growing = Growing::new(limits, names.collect());
    // In the simple protocol every value comes as text, whatever its type.
    let mut rows = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).fetch(&mut *connection);
    while let Some(row) = rows.next().await.transpose()? {
        if !growing.has_room() {
            break;
        }
        let cells = cells(&row, &mut growing)?;
        growing.push(cells);
    }
    Ok(growing.table)
}

fn cells(row: &PgRow, growing: &mut Growing<'_>) -> Result<Vec<AskedCell>, sqlx::Error> {
    let cell = |number: usize| {
        let value = row.try_get_raw(number)?;
        if value.is_null() {
            return Ok(AskedCell::Null);
        }
        let kind = value.type_info().name().to_owned();
        let bytes = value.as_bytes().map_err(sqlx::Error::Decode)?;
        let text = str::from_utf8(bytes).unwrap_or_default();
        Ok(match kind.as_str() {
            "INT2" | "INT4" | "INT8" if text.parse::<i64>().is_ok() => {
                AskedCell::Number(text.parse().unwrap_or_default())
            }
            "FLOAT4" | "FLOAT8" | "NUMERIC" if text.parse::<f64>().is_ok_and(f64::is_finite) => {
                AskedCell::Fraction(text.parse().unwrap_or_default())
            }
            // As text it is `\x` and two letters for each byte.
            "BYTEA" => AskedCell::Bytes(bytes.len().saturating_sub(2) / 2),
            _ => growing.text(bytes),
        })
    };
    (0..row.len()).map(cell).collect()
}

fn in_words(error: sqlx::Error) -> AskError {
    const CANCELED: &str = "57014";
    match error {
        sqlx::Error::Database(error) if error.code().as_deref() == Some(CANCELED) => {
            AskError::TooLong
        }
        sqlx::Error::Database(error) => AskError::Engine { words: error.message().to_owned() },
        other => AskError::Catalog(other.into()),
    }
}

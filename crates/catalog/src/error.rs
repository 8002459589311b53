//! What can go wrong with a catalog, grouped by what the caller can do about it.
//!
//! Both engines report trouble in codes of their own; here they become one enum. The temporary
//! kinds (see [`CatalogError::is_temporary`]) are those a crawl waits out: it pauses, says why, and
//! commits the same window again.

use crate::stage::FenceLost;
use auslese_model::ServerId;
use sqlx::error::DatabaseError;

#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    #[error("there is no catalog at {location}")]
    Missing { location: String },
    #[error("there is already a catalog at {location}")]
    Exists { location: String },
    #[error("{location} is not a catalog: {why}")]
    NotACatalog { location: String, why: String },
    #[error("not a location for a catalog: {why}")]
    Location { why: String },
    #[error(
        "the catalog has schema version {found}, this program knows versions up to {known}; use a newer program"
    )]
    SchemaTooNew { found: i64, known: i64 },
    #[error("the catalog is damaged: {words}")]
    Damaged { words: String },
    #[error("the catalog is in use by another process: {words}")]
    InUse { words: String },
    #[error("no space left for the catalog: {words}")]
    DiskFull { words: String },
    #[error("the catalog cannot be written: {words}")]
    ReadOnly { words: String },
    #[error("the catalog cannot be reached: {words}")]
    Unavailable { words: String },
    #[error("the database server refused the login: {words}")]
    Login { words: String },
    #[error("the catalog holds other data already: {words}")]
    Conflict { words: String },
    /// Nothing of the commit is stored.
    #[error("the lease of {} was lost", match servers.len() { 1 => "a server".to_owned(), n => format!("{n} servers") })]
    LeaseLost { servers: Vec<ServerId> },
    /// Nothing of the transaction is stored.
    #[error("batch {number} was lost to another worker")]
    BatchLost { number: i64 },
    #[error("another process goes on under the name {worker}")]
    Replaced { worker: String },
    #[error("the name {worker} belongs to a worker in another directory, on {machine}")]
    NameTaken { worker: String, machine: String },
    #[error("the database refused a statement")]
    Sql(#[source] sqlx::Error),
}

impl CatalogError {
    /// Whether the same call may succeed later without anyone changing the program or the data.
    pub fn is_temporary(&self) -> bool {
        matches!(
            self,
            CatalogError::InUse { .. }
                | CatalogError::DiskFull { .. }
                | CatalogError::ReadOnly { .. }
                | CatalogError::Unavailable { .. }
        )
    }

    pub(crate) fn damaged(words: impl Into<String>) -> CatalogError {
        CatalogError::Damaged { words: words.into() }
    }
}

impl From<sqlx::Error> for CatalogError {
    fn from(error: sqlx::Error) -> CatalogError {
        use sqlx::Error::{Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
        match error {
            Database(cause) => of_engine(cause),
            sqlx::Error::Configuration(cause) if cause.is::<FenceLost>() => {
                let number = cause.downcast_ref().map_or(0, |lost: &FenceLost| lost.number);
                CatalogError::BatchLost { number }
            }
            Io(_) | Tls(_) | Protocol(_) | PoolTimedOut | PoolClosed | WorkerCrashed => {
                CatalogError::Unavailable { words: error.to_string() }
            }
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                CatalogError::damaged(error.to_string())
            }
            error => CatalogError::Sql(error),
        }
    }
}

fn of_engine(cause: Box<dyn DatabaseError>) -> CatalogError {
    let words = cause.message().to_owned();
    let code = cause.code().unwrap_or_default().into_owned();
    let class = match cause.try_downcast_ref::<sqlx::postgres::PgDatabaseError>() {
        Some(_) => postgres_class(&code),
        None => sqlite_class(&code),
    };
    match class {
        Class::Damaged => CatalogError::Damaged { words },
        Class::InUse => CatalogError::InUse { words },
        Class::DiskFull => CatalogError::DiskFull { words },
        Class::ReadOnly => CatalogError::ReadOnly { words },
        Class::Unavailable => CatalogError::Unavailable { words },
        Class::Login => CatalogError::Login { words },
        Class::Conflict => CatalogError::Conflict { words },
        Class::Other => CatalogError::Sql(sqlx::Error::Database(cause)),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Class {
    Damaged,
    InUse,
    DiskFull,
    ReadOnly,
    Unavailable,
    Login,
    Conflict,
    Other,
}

/// SQLSTATE codes, see appendix A of the PostgreSQL manual.
fn postgres_class(code: &str) -> Class {
    match (code, code.get(..2).unwrap_or_default()) {
        ("25006", _) => Class::ReadOnly,
        ("53100", _) => Class::DiskFull,
        ("55P03" | "40001" | "40P01", _) => Class::InUse,
        ("57014" | "25P03" | "25P04", _) => Class::Unavailable,
        ("XX001" | "XX002", _) => Class::Damaged,
        ("57P01" | "57P02" | "57P03" | "57P05", _) | (_, "08" | "53" | "58") => Class::Unavailable,
        (_, "28") => Class::Login,
        (_, "23") => Class::Conflict,
        _ => Class::Other,
    }
}

/// Extended result codes; the low byte is the primary code.
fn sqlite_class(code: &str) -> Class {
    // The file of the shared index could not grow: SQLite calls that an I/O error.
    const IOERR_SHMSIZE: i32 = 4874;
    let code: i32 = code.parse().unwrap_or(0);
    match (code, code & 0xff) {
        (IOERR_SHMSIZE, _) | (_, 13) => Class::DiskFull,
        (_, 5 | 6 | 15) => Class::InUse,
        (_, 8) => Class::ReadOnly,
        (_, 10 | 14) => Class::Unavailable,
        (_, 11 | 26) => Class::Damaged,
        (_, 19) => Class::Conflict,
        _ => Class::Other,
    }
}

/// SQLite's primary code for a file that is not a database.
pub(crate) fn is_not_a_database(error: &sqlx::Error) -> bool {
    const NOTADB: &str = "26";
    matches!(error, sqlx::Error::Database(cause) if cause.code().as_deref() == Some(NOTADB))
}

/// PostgreSQL's code for a database that does not exist.
pub(crate) fn is_no_such_database(error: &sqlx::Error) -> bool {
    const INVALID_CATALOG_NAME: &str = "3D000";
    matches!(error, sqlx::Error::Database(cause) if cause.code().as_deref() == Some(INVALID_CATALOG_NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        #[rustfmt::skip]
        let cases = [
            // engine              code     meaning                       class
            (postgres_class as fn(&str) -> Class, "57P01", /* shutdown */ Class::Unavailable),
            (postgres_class,       "08006", /* connection failure */      Class::Unavailable),
            (postgres_class,       "53300", /* too many connections */    Class::Unavailable),
            (postgres_class,       "53100", /* disk full */               Class::DiskFull),
            (postgres_class,       "25006", /* read-only transaction */   Class::ReadOnly),
            (postgres_class,       "40P01", /* deadlock */                Class::InUse),
            (postgres_class,       "28P01", /* wrong password */          Class::Login),
            (postgres_class,       "23505", /* unique violation */        Class::Conflict),
            (postgres_class,       "XX001", /* data corrupted */          Class::Damaged),
            (postgres_class,       "42601", /* syntax error */            Class::Other),
            (postgres_class,       "",      /* none */                    Class::Other),
            (sqlite_class,         "5",     /* busy */                    Class::InUse),
            (sqlite_class,         "517",   /* busy, snapshot */          Class::InUse),
            (sqlite_class,         "13",    /* full */                    Class::DiskFull),
            (sqlite_class,         "4874",  /* shared index cannot grow */ Class::DiskFull),
            (sqlite_class,         "1544",  /* read-only, moved */        Class::ReadOnly),
            (sqlite_class,         "778",   /* write error */             Class::Unavailable),
            (sqlite_class,         "11",    /* corrupt */                 Class::Damaged),
            (sqlite_class,         "1555",  /* primary key */             Class::Conflict),
            (sqlite_class,         "1",     /* error */                   Class::Other),
        ];
        for (class, code, expected) in cases {
            assert_eq!(class(code), expected, "{code}");
        }
    }
}

//! The tables, and how an older catalog becomes a newer one.
//!
//! Versions are steps in an ordered list; a catalog remembers the last step it went through in
//! `meta`. Each step is applied in the transaction that also records it, so a catalog is always of
//! exactly one version. A version this program does not know is refused: an older program must
//! not write into tables it does not understand.

use crate::CatalogError;
use crate::engine::{Dialect, Session, Sql};

/// The steps, first to last; the version of a catalog is the number of steps it has gone through.
const STEPS: &[&str] = &[include_str!("schema/version_1.sql")];

/// The newest version this program knows.
pub const SCHEMA_VERSION: i64 = STEPS.len() as i64;

const VERSION_KEY: &str = "schema version";

/// What a database is, before anything is done to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No table at all.
    Empty,
    /// Tables, but not those of a catalog.
    Foreign(String),
    Catalog {
        version: i64,
    },
}

pub(crate) async fn find(session: &mut Session) -> Result<Found, sqlx::Error> {
    let tables = tables(session).await?;
    let is_ours = ["meta", "request", "http_header"]
        .iter()
        .all(|table| tables.iter().any(|found| found == table));
    if !is_ours {
        return Ok(match tables.first() {
            None => Found::Empty,
            Some(table) => Found::Foreign(format!("it holds other tables, such as {table}")),
        });
    }
    let version = session
        .row(Sql::new("SELECT value FROM meta WHERE key = $1").bind(VERSION_KEY))
        .await?
        .map(|mut fields| fields.text())
        .transpose()?;
    Ok(match version.as_deref().map(str::parse) {
        Some(Ok(version)) => Found::Catalog { version },
        Some(Err(_)) | None => Found::Foreign("its schema version cannot be read".to_owned()),
    })
}

async fn tables(session: &mut Session) -> Result<Vec<String>, sqlx::Error> {
    let sql = match session.dialect() {
        Dialect::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
        Dialect::Postgres => {
            "SELECT table_name::text FROM information_schema.tables \
             WHERE table_schema = current_schema() ORDER BY table_name"
        }
    };
    session.rows(Sql::new(sql)).await?.iter_mut().map(|fields| fields.text()).collect()
}

/// Takes a catalog of `version` (0: none yet) through the steps it lacks.
pub(crate) async fn migrate(session: &mut Session, version: i64) -> Result<(), CatalogError> {
    apply(session, version, STEPS).await
}

async fn apply(session: &mut Session, version: i64, steps: &[&str]) -> Result<(), CatalogError> {
    let known = steps.len() as i64;
    if version > known {
        return Err(CatalogError::SchemaTooNew { found: version, known });
    }
    let done = usize::try_from(version)
        .map_err(|_| CatalogError::damaged(format!("schema version {version}")))?;
    for step in &steps[done..] {
        session.script(render(step, session.dialect())).await?;
    }
    let sql = "INSERT INTO meta (key, value) VALUES ($1, $2) \
               ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    session.execute(Sql::new(sql).bind(VERSION_KEY).bind(known.to_string().as_str())).await?;
    Ok(())
}

/// Replaces the words in braces.
fn render(step: &str, dialect: Dialect) -> String {
    let (id, bytes, row, each_oddity) = match dialect {
        // `INTEGER PRIMARY KEY` is the number of the row itself, and part of every index anyway.
        Dialect::Sqlite => {
            ("INTEGER PRIMARY KEY", "BLOB", "", "http_header h JOIN json_each(h.oddities) o")
        }
        Dialect::Postgres => (
            "BIGINT PRIMARY KEY",
            "BYTEA",
            "id",
            "http_header h CROSS JOIN LATERAL json_array_elements(h.oddities::json) o(value)",
        ),
    };
    let text =
        step.replace("{id}", id).replace("{bytes}", bytes).replace("{each_oddity}", each_oddity);
    let text = match row {
        // An index of nothing but the row's number is an index of a column in SQLite, too.
        "" => text.replace(", {row})", ")").replace("({row})", "(id)"),
        row => text.replace("{row}", row),
    };
    render_times(&text, dialect)
}

/// Writes `{time COLUMN}` as text such as `2026-11-15T21:40:00Z`; years that have no four digits,
/// which broken servers send, are NULL.
fn render_times(text: &str, dialect: Dialect) -> String {
    const START: &str = "{time ";
    let mut rendered = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(START) {
        let (column, after) = after.split_once('}').expect("every {time is closed");
        let readable = match dialect {
            Dialect::Sqlite => {
                format!("strftime('%Y-%m-%dT%H:%M:%SZ', {column} / 1000000, 'unixepoch')")
            }
            Dialect::Postgres => format!(
                "to_char(to_timestamp({column} / 1000000) AT TIME ZONE 'UTC', \
                 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
            ),
        };
        rendered.push_str(before);
        rendered.push_str(&format!(
            "CASE WHEN {column} BETWEEN -62135596800000000 AND 253402300799999999 \
             THEN {readable} END"
        ));
        rest = after;
    }
    rendered.push_str(rest);
    rendered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::{CatalogSettings, Location};

    #[test]
    fn no_word_is_left_in_braces() {
        for step in STEPS {
            for dialect in [Dialect::Sqlite, Dialect::Postgres] {
                assert!(!render(step, dialect).contains(['{', '}']));
            }
        }
    }

    #[tokio::test]
    async fn steps_are_applied_once_and_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let engine = Engine::new(&location, true, &CatalogSettings::default()).unwrap();
        let steps = [STEPS[0], "CREATE TABLE second (a TEXT)", "ALTER TABLE second ADD b TEXT"];

        for (from, to) in [(0, 1), (1, 3), (3, 3)] {
            let mut session = engine.begin().await.unwrap();
            apply(&mut session, from, &steps[..to]).await.unwrap();
            session.commit().await.unwrap();
            let version = to as i64;
            let mut session = engine.reader().await.unwrap();
            assert_eq!(find(&mut session).await.unwrap(), Found::Catalog { version });
        }

        let mut session = engine.begin().await.unwrap();
        let refused = apply(&mut session, 3, &steps[..1]).await;
        assert!(matches!(refused, Err(CatalogError::SchemaTooNew { found: 3, known: 1 })));
    }
}

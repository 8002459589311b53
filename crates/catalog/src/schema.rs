//! The tables, and how an older catalog becomes a newer one.
//!
//! Versions are steps in an ordered list; a catalog remembers the last step it went through in
//! `meta`. Each step is applied in the transaction that also records it, so a catalog is always of
//! exactly one version. A version this program does not know is refused: an older program must
//! not write into tables it does not understand.

mod rekeying;

use crate::CatalogError;
use crate::engine::{Dialect, Session, Sql};

/// The steps, first to last; the version of a catalog is the number of steps it has gone through.
const STEPS: &[&str] = &[
    include_str!("schema/version_1.sql"),
    include_str!("schema/version_2.sql"),
    include_str!("schema/version_3.sql"),
    include_str!("schema/version_4.sql"),
    include_str!("schema/version_5.sql"),
    include_str!("schema/version_6.sql"),
    include_str!("schema/version_7.sql"),
    include_str!("schema/version_8.sql"),
    include_str!("schema/version_9.sql"),
    include_str!("schema/version_10.sql"),
    include_str!("schema/version_11.sql"),
    include_str!("schema/version_12.sql"),
    include_str!("schema/version_13.sql"),
    include_str!("schema/version_14.sql"),
    include_str!("schema/version_15.sql"),
    include_str!("schema/version_16.sql"),
    include_str!("schema/version_17.sql"),
];

/// The version that made the keys of requests anew.
const RENEWED_KEYS: usize = 17;

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

/// The tables of the database, by name.
pub(crate) async fn tables(session: &mut Session) -> Result<Vec<String>, sqlx::Error> {
    let sql = match session.dialect() {
        Dialect::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' \
             AND name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY name"
        }
        Dialect::Postgres => {
            "SELECT table_name::text FROM information_schema.tables \
             WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name"
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
    for (number, step) in (1..).zip(steps).skip(done) {
        session.script(render(step, session.dialect())).await?;
        if number == RENEWED_KEYS {
            rekeying::renew_keys(session).await?;
        }
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
    let (clustered, by_code_point, place) = match dialect {
        Dialect::Sqlite => ("WITHOUT ROWID", "", "url"),
        Dialect::Postgres => ("", "COLLATE \"C\"", "(substr(url, 1, 600)) COLLATE \"C\""),
    };
    let text = text
        .replace("{clustered}", clustered)
        .replace("{by_code_point}", by_code_point)
        .replace("{place}", place);
    let text = render_each(&text, "{time ", |column| time(column, dialect));
    let text = render_each(&text, "{size ", size);
    let text = render_each(&text, "{media_type ", |column| media_type(column, dialect));
    let text = render_each(&text, "{last_part ", |column| last_part(column, dialect));
    let text = render_each(&text, "{elements ", |column| elements(column, dialect));
    let text = render_each(&text, "{first ", first_chosen);
    render_each(&text, "{all ", |words| all_chosen(words, dialect))
}

/// Replaces what stands between `start` and the next closing brace.
fn render_each(text: &str, start: &str, words: impl Fn(&str) -> String) -> String {
    let mut rendered = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(start) {
        let (column, after) = after.split_once('}').expect("every brace is closed");
        rendered.push_str(before);
        rendered.push_str(&words(column));
        rest = after;
    }
    rendered.push_str(rest);
    rendered
}

/// `{time COLUMN}` is text such as `2026-11-15T21:40:00Z`; years that have no four digits, which
/// broken servers send, are NULL.
pub(crate) fn time(column: &str, dialect: Dialect) -> String {
    let readable = match dialect {
        Dialect::Sqlite => {
            format!("strftime('%Y-%m-%dT%H:%M:%SZ', {column} / 1000000, 'unixepoch')")
        }
        Dialect::Postgres => format!(
            "to_char(to_timestamp({column} / 1000000) AT TIME ZONE 'UTC', \
             'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
        ),
    };
    format!(
        "CASE WHEN {column} BETWEEN -62135596800000000 AND 253402300799999999 THEN {readable} END"
    )
}

/// `{size ROW}` is the size of a document: as stated by its server, else as received; NULL if only
/// its header was received.
pub(crate) fn size(row: &str) -> String {
    format!(
        "COALESCE({row}.content_length, \
         CASE WHEN {row}.storage <> 'header-only' THEN {row}.payload_length END)"
    )
}

/// `{media_type COLUMN}` is a media type without its parameters, for rows that were written
/// before there was a column for it; see [`crate::header::media_type`].
fn media_type(column: &str, dialect: Dialect) -> String {
    let essence = match dialect {
        Dialect::Sqlite => format!("substr({column}, 1, instr({column} || ';', ';') - 1)"),
        Dialect::Postgres => format!("split_part({column}, ';', 1)"),
    };
    format!("NULLIF(substr(lower(trim({essence})), 1, 100), '')")
}

/// `{last_part COLUMN}` is what stands behind the last slash of a path. Neither engine searches from
/// the end, but both trim characters there: all that are no slash. Only the tail is looked at,
/// since trimming takes time by the square of the length.
fn last_part(column: &str, dialect: Dialect) -> String {
    let path = match dialect {
        Dialect::Sqlite => {
            format!("substr(substr({column}, 1, instr({column} || '?', '?') - 1), -300)")
        }
        Dialect::Postgres => format!("right(split_part({column}, '?', 1), 300)"),
    };
    format!("substr({path}, length(rtrim({path}, replace({path}, '/', ''))) + 1)")
}

/// `{elements COLUMN}` are the elements of a JSON list as rows; each is in the column `value`.
fn elements(column: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Sqlite => format!("json_each({column})"),
        Dialect::Postgres => format!("json_array_elements({column}::json)"),
    }
}

/// `{first ROW FIELD COLUMN}` is a column of the best statement that was chosen of a field, for a row
/// of `description`.
fn first_chosen(words: &str) -> String {
    let mut words = words.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (row, field, column) = (word(), word(), word());
    format!("(SELECT t.{column} FROM {} ORDER BY t.rank LIMIT 1)", chosen(row, field))
}

/// `{all ROW FIELD}` are the values chosen of a field, best first. The order of the rows is that of an
/// inner query, since older programs for SQLite cannot read an aggregate with an order.
fn all_chosen(words: &str, dialect: Dialect) -> String {
    let (row, field) = words.split_once(' ').unwrap_or_default();
    let aggregate = match dialect {
        Dialect::Sqlite => "group_concat",
        Dialect::Postgres => "string_agg",
    };
    format!(
        "(SELECT {aggregate}(v.value, '; ') FROM (SELECT t.value FROM {} ORDER BY t.rank) v)",
        chosen(row, field)
    )
}

fn chosen(row: &str, field: &str) -> String {
    format!(
        "statement t WHERE t.run_id = {row}.run_id AND t.capture_id = {row}.capture_id \
         AND t.field = '{field}' AND t.chosen = 1"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::{Catalog, CatalogSettings, Location};
    use auslese_model::{CauseKind, HostName, RequestId, State};

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

    /// A catalog as version 1 left it: a page of one server that leads to another, refused there;
    /// the page was answered twice.
    const OF_VERSION_1: &str = "
        INSERT INTO meta (key, value) VALUES ('harvest', '0123456789abcdef0123456789abcdef');
        INSERT INTO next_number (kind, next) VALUES ('request', 4), ('control', 1);
        INSERT INTO server_info (id, scheme, name, port, first_seen)
            VALUES (1, 'http', 'a.example', 80, 0), (2, 'https', 'b.example', 443, 0);
        INSERT INTO server_queue (server_id) VALUES (1), (2);
        INSERT INTO run (id, stage, started, ended, worker, config, config_digest,
                         program_version, last_window)
            VALUES (1, 'crawl', 5, 9, 'w', '', '', '', 2), (2, 'discover', 6, 7, 'w', '', '', '', 0);
        INSERT INTO http_header (id, partial_uri, server_id, status, content_type,
                                 has_www_authenticate, has_cache_control, has_content_md5,
                                 has_pragma, has_set_cookie, request_id, run_id, captured_at,
                                 duration_ms, http_version, payload_length, storage, raw_header)
            VALUES (1, '/', 1, 200, 'Text/HTML; charset=x', 0, 0, 0, 0, 0, 1, 1, 6, 0, 'HTTP/1.1',
                    9, 'header-only', KEY1),
                   (2, '/a.b/c.TAR.gz?x=/y.z', 1, 200, NULL, 0, 0, 0, 0, 0, 1, 1, 7, 0,
                    'HTTP/1.1', 9, 'header-only', KEY1),
                   (3, '/a.b/.profile', 1, 200, ' ; x', 0, 0, 0, 0, 0, 1, 1, 8, 0, 'HTTP/1.1', 9,
                    'header-only', KEY1);
        INSERT INTO request (id, key, server_id, method, url, state, priority, hops, via,
                             cause_kind, cause, found_at)
            VALUES (1, KEY1, 1, 'GET', 'http://a.example/', 'queued', 0, '', NULL, NULL, NULL, 0),
                   (2, KEY2, 1, 'GET', 'http://a.example/2', 'queued', 0, 'L', 1, NULL, NULL, 0),
                   (3, KEY3, 2, 'GET', 'https://b.example/', 'refused', 0, 'L', 1, 'scope', 'x', 0);
    ";

    #[tokio::test]
    async fn a_catalog_of_version_1_is_brought_up_to_date() {
        let dir = tempfile::tempdir().unwrap();
        let server = auslese_testnet::postgres::Cluster::shared().create_database().unwrap();
        let places = [
            (Location::from(dir.path().join("catalog.sqlite").as_path()), "X'", "'"),
            (Location::parse(&server).unwrap(), "'\\x", "'"),
        ];
        for (location, open, close) in places {
            let settings = CatalogSettings::default();
            let engine = Engine::new(&location, true, &settings).unwrap();
            let mut session = engine.begin().await.unwrap();
            apply(&mut session, 0, &STEPS[..1]).await.unwrap();
            let data = (1..=3).fold(OF_VERSION_1.to_owned(), |data, number| {
                let key = format!("{open}{}{close}", format!("0{number}").repeat(16));
                data.replace(&format!("KEY{number}"), &key)
            });
            session.script(data).await.unwrap();
            session.commit().await.unwrap();
            engine.close().await;

            for _ in 0..2 {
                let catalog = Catalog::open(&location, &settings).await.unwrap();
                let mut session = catalog.engine.reader().await.unwrap();
                let version = SCHEMA_VERSION;
                assert_eq!(find(&mut session).await.unwrap(), Found::Catalog { version });
                let sql = "SELECT media_type, suffix FROM http_header ORDER BY id";
                let mut readings = Vec::new();
                for mut row in session.rows(Sql::new(sql)).await.unwrap() {
                    readings.push((row.maybe_text().unwrap(), row.maybe_text().unwrap()));
                }
                let some = |text: &str| Some(text.to_owned());
                assert_eq!(readings, [(some("text/html"), None), (None, some("gz")), (None, None)]);
                drop(session);
                let rounds = catalog.rounds().await.unwrap();
                assert_eq!(rounds.len(), 1);
                assert_eq!((rounds[0].started.0, rounds[0].requests), (5, 3));
                assert_eq!(rounds[0].runs, [auslese_model::RunId(1)]);
                let refused = catalog.request(RequestId(3)).await.unwrap().unwrap();
                assert_eq!(refused.state, State::Refused);
                assert_eq!(refused.cause.unwrap().kind, CauseKind::Scope);
                let host = |name| HostName::parse(name).unwrap();
                let linking = catalog.linking_hosts(&host("b.example"), 9).await.unwrap();
                assert_eq!(linking, [host("a.example")]);
                assert_eq!(catalog.linking_hosts(&host("a.example"), 9).await.unwrap(), []);
                assert_eq!(catalog.candidates(0, 9).await.unwrap(), []);
                assert_eq!(catalog.rule_counts().await.unwrap().unjudged, 3);
                catalog.close().await;
            }
        }
    }

    /// A catalog of version 5 with a finished run of describing.
    #[tokio::test]
    async fn a_catalog_of_version_5_is_brought_up_to_date() {
        let dir = tempfile::tempdir().unwrap();
        let server = auslese_testnet::postgres::Cluster::shared().create_database().unwrap();
        let places = [
            Location::from(dir.path().join("catalog.sqlite").as_path()),
            Location::parse(&server).unwrap(),
        ];
        for location in places {
            let settings = CatalogSettings::default();
            let engine = Engine::new(&location, true, &settings).unwrap();
            let mut session = engine.begin().await.unwrap();
            apply(&mut session, 0, &STEPS[..5]).await.unwrap();
            let data = "INSERT INTO meta (key, value) \
                VALUES ('harvest', '0123456789abcdef0123456789abcdef'); \
                INSERT INTO describe_run (run_id, finished, heuristics, heuristics_digest, \
                weights_digest, heuristics_text) VALUES (3, 1, 'default', 'h', 'w', '')";
            session.script(data.to_owned()).await.unwrap();
            session.commit().await.unwrap();
            engine.close().await;

            let catalog = Catalog::open(&location, &settings).await.unwrap();
            let run = auslese_model::RunId(3);
            assert_eq!(catalog.current_describe_run().await.unwrap(), Some(run));
            assert!(!catalog.citations_are_current(run).await.unwrap());
            let entry = crate::NewCitation {
                capture: auslese_model::CaptureId(1),
                citing: RequestId(1),
                entry: 1,
                text: "E. Meier, Ringe, 1999.".to_owned(),
                parts: auslese_model::Citation::default(),
                cited: None,
            };
            catalog.store_citations(run, &[], std::slice::from_ref(&entry)).await.unwrap();
            let stored = catalog.citations_of(run, entry.capture).await.unwrap();
            assert_eq!((stored.len(), &stored[0].text), (1, &entry.text));
            let mut session = catalog.engine.reader().await.unwrap();
            let version = SCHEMA_VERSION;
            assert_eq!(find(&mut session).await.unwrap(), Found::Catalog { version });
        }
    }

    /// A catalog of version 3 in which a page links to another.
    #[tokio::test]
    async fn a_catalog_of_version_3_is_brought_up_to_date() {
        let dir = tempfile::tempdir().unwrap();
        let server = auslese_testnet::postgres::Cluster::shared().create_database().unwrap();
        let places = [
            Location::from(dir.path().join("catalog.sqlite").as_path()),
            Location::parse(&server).unwrap(),
        ];
        for location in places {
            let settings = CatalogSettings::default();
            let engine = Engine::new(&location, true, &settings).unwrap();
            let mut session = engine.begin().await.unwrap();
            apply(&mut session, 0, &STEPS[..3]).await.unwrap();
            let data = "INSERT INTO meta (key, value) \
                VALUES ('harvest', '0123456789abcdef0123456789abcdef'); \
                INSERT INTO content_link (capture_id, request_id, kind) VALUES (1, 2, 'page')";
            session.script(data.to_owned()).await.unwrap();
            session.commit().await.unwrap();
            engine.close().await;

            let catalog = Catalog::open(&location, &settings).await.unwrap();
            assert!(catalog.anchor_texts(&[RequestId(2)], 9).await.unwrap().is_empty());
            assert_eq!(catalog.current_describe_run().await.unwrap(), None);
            let mark = crate::Mark {
                capture: auslese_model::CaptureId(1),
                request: RequestId(1),
                field: None,
                value: None,
                kind: auslese_model::MarkKind::Relevant,
                run: None,
                by: "w".to_owned(),
                at: auslese_model::Timestamp(0),
                note: None,
            };
            catalog.set_marks(std::slice::from_ref(&mark)).await.unwrap();
            let stored = catalog.marks(&crate::MarkFilter::default(), 0, 9).await.unwrap();
            assert_eq!((stored[0].id, &stored[0].mark), (1, &mark));
            let mut session = catalog.engine.reader().await.unwrap();
            let sql = Sql::new("SELECT kind, text FROM content_link");
            let mut link = session.row(sql).await.unwrap().unwrap();
            assert_eq!((link.text().unwrap().as_str(), link.maybe_text().unwrap()), ("page", None));
        }
    }
}

//! Questions in SQL by strangers: they read, and nothing else.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::time::{Duration, Instant};

on_both_engines! {
    answers_come_with_names_and_types
    nothing_but_reading_is_possible
    endless_questions_end
    large_answers_are_cut
    a_crawl_writes_meanwhile
    columns_are_listed
}

/// A login that may only read; roles belong to the server, so that of another test is in the way of none.
async fn reading_url(harvest: &Harvest) -> Option<String> {
    let Location::Server(url) = &harvest.place.location else { return None };
    let database = url.path().trim_matches('/');
    let role = format!("reader_of_{}", database.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
    let sql = format!(
        "DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$; \
         GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"
    );
    harvest.place.sql(&sql).await;
    let mut reading = url.clone();
    reading.set_username(&role).unwrap();
    Some(reading.to_string())
}

async fn ask(harvest: &Harvest, sql: &str, limits: &AskLimits) -> Result<AskedTable, AskError> {
    let url = reading_url(harvest).await;
    if url.is_some() {
        harvest.catalog.ask(sql, limits, None).await.unwrap_err();
    }
    harvest.catalog.ask(sql, limits, url.as_deref()).await
}

async fn filled(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit {
        servers: servers([1]),
        offers: vec![offer(1, 1), offer(2, 1)],
        ..Default::default()
    };
    harvest.commit(commit).await;
    harvest
}

async fn answers_come_with_names_and_types(place: Database) {
    let harvest = filled(place).await;
    let sql = "SELECT id, url AS address, NULL AS void, 0.5 AS half, key FROM request ORDER BY id;";
    let table = ask(&harvest, sql, &AskLimits::default()).await.unwrap();
    assert_eq!(table.columns, ["id", "address", "void", "half", "key"]);
    let expected = vec![
        AskedCell::Number(1),
        AskedCell::Text("http://h1.example/1".to_owned()),
        AskedCell::Null,
        AskedCell::Fraction(0.5),
        AskedCell::Bytes(16),
    ];
    assert_eq!((table.rows.len(), &table.rows[0]), (2, &expected));
    assert!(!table.cut && table.shortened == 0);
    let empty = "SELECT id, url FROM request WHERE id > 100";
    let table = ask(&harvest, empty, &AskLimits::default()).await.unwrap();
    assert_eq!((table.columns.len(), table.rows.len()), (2, 0));
    let wrong = ask(&harvest, "SELECT nothing_like_it FROM request", &AskLimits::default()).await;
    let Err(AskError::Engine { words }) = wrong else { panic!("{wrong:?}") };
    assert!(words.contains("nothing_like_it"), "{words}");
}

async fn nothing_but_reading_is_possible(place: Database) {
    let harvest = filled(place).await;
    #[rustfmt::skip]
    let refused = [
        "DELETE FROM request",
        "UPDATE request SET url = ''",
        "DROP TABLE request",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA query_only = 0",
        "ATTACH 'other.sqlite' AS other",
        "VACUUM INTO 'copy.sqlite'",
        "SELECT 1; DELETE FROM request",
        "SELECT 1; ATTACH 'other.sqlite' AS other",
        "WITH gone AS (SELECT 1) DELETE FROM request",
        "WITH a AS (DELETE FROM request RETURNING id) SELECT * FROM a",
        "SELECT * FROM pragma_database_list",
        "SELECT load_extension('x')",
        "COMMIT",
        "EXPLAIN ANALYZE DELETE FROM request",
        "SELECT pg_read_file('/etc/passwd')",
    ];
    for sql in refused {
        let answer = ask(&harvest, sql, &AskLimits::default()).await;
        let error = answer.expect_err(sql).to_string();
        assert!(!error.contains("/tmp") && !error.contains("Härvest"), "{sql}: {error}");
    }
    // Explaining a statement does not run it.
    let _ = ask(&harvest, "EXPLAIN DELETE FROM request", &AskLimits::default()).await;
    let left = harvest.place.texts("SELECT url FROM request").await;
    assert_eq!(left.len(), 2);
}

async fn endless_questions_end(place: Database) {
    let harvest = filled(place).await;
    let limits = AskLimits { time: Duration::from_millis(300), ..AskLimits::default() };
    #[rustfmt::skip]
    let endless = [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n WHERE i > 1",
    ];
    for sql in endless {
        let begun = Instant::now();
        let answer = ask(&harvest, sql, &limits).await;
        assert!(matches!(answer, Err(AskError::TooLong)), "{sql}: {answer:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{sql}: {:?}", begun.elapsed());
    }
}

async fn large_answers_are_cut(place: Database) {
    let harvest = filled(place).await;
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)";
    let limits = AskLimits { rows: 10, ..AskLimits::default() };
    let table = ask(&harvest, &format!("{numbers} SELECT i FROM n"), &limits).await.unwrap();
    assert_eq!((table.rows.len(), table.cut), (10, true));
    let exact = format!("{numbers} SELECT i FROM n WHERE i <= 10");
    let table = ask(&harvest, &exact, &limits).await.unwrap();
    assert_eq!((table.rows.len(), table.cut), (10, false));

    let long = format!("{numbers} SELECT replace('{}', 'x', 'äx') FROM n", "x".repeat(300));
    let limits =
        AskLimits { cell_bytes: 100, total_bytes: 10_000, rows: 100_000, ..AskLimits::default() };
    let table = ask(&harvest, &long, &limits).await.unwrap();
    assert!(table.cut && table.rows.len() < 200, "{}", table.rows.len());
    assert_eq!(table.shortened, table.rows.len() as u64);
    let AskedCell::Text(text) = &table.rows[0][0] else { panic!() };
    assert!(text.ends_with("äx…") || text.ends_with("x…"), "{text}");
}

async fn a_crawl_writes_meanwhile(place: Database) {
    let mut harvest = filled(place).await;
    let limits = AskLimits { time: Duration::from_secs(2), ..AskLimits::default() };
    let endless = "WITH RECURSIVE n(i) AS (SELECT MIN(id) FROM request UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n";
    let url = reading_url(&harvest).await;
    let catalog = harvest.catalog.clone();
    let asking =
        tokio::spawn(async move { catalog.ask(endless, &limits, url.as_deref()).await.is_err() });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let begun = Instant::now();
    let commit = Commit { offers: vec![offer(3, 1)], ..Default::default() };
    assert_eq!(harvest.commit(commit).await, 1);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert!(!asking.is_finished());
    assert!(asking.await.unwrap());
}

async fn columns_are_listed(place: Database) {
    let harvest = filled(place).await;
    let tables = harvest.catalog.columns().await.unwrap();
    let of = |name: &str| tables.iter().find(|(table, _)| table == name).map(|(_, it)| it.clone());
    assert_eq!(of("meta").unwrap(), ["key", "value"]);
    assert_eq!(of("hosts").unwrap()[..2], ["host", "membership"]);
}

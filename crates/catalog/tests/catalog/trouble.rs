//! Trouble with the database itself: it is named, and what is temporary can be waited out.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::Commit;
use sqlx::ConnectOptions as _;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

fn some_offers() -> Commit {
    Commit { servers: servers([1]), offers: vec![offer(1, 1)], ..Default::default() }
}

async fn file_harvest() -> (Harvest, PathBuf) {
    let harvest = Harvest::new(Database::file()).await;
    let Location::File(path) = harvest.place.location.clone() else { unreachable!() };
    (harvest, path)
}

#[tokio::test]
async fn a_file_another_process_writes_to_is_in_use() {
    let (mut harvest, path) = file_harvest().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    let mut other = options.connect().await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let error = harvest.try_commit(&some_offers()).await.unwrap_err();
    assert!(matches!(error, CatalogError::InUse { .. }) && error.is_temporary(), "{error:?}");
    harvest.catalog.status().await.unwrap();
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    let applied = harvest.again(&some_offers()).await.unwrap();
    assert_eq!(applied, Committed::Applied { new_requests: 1 });
}

#[tokio::test]
async fn a_damaged_file_is_called_damaged() {
    let (mut harvest, path) = file_harvest().await;
    let offers = (1..5000).map(|id| offer(id, 1)).collect();
    harvest.commit(Commit { servers: servers([1]), offers, ..Default::default() }).await;
    harvest.catalog.close().await;
    let mut file = std::fs::File::options().write(true).open(&path).unwrap();
    let length = file.metadata().unwrap().len();
    // The first pages hold the beginnings of all tables; without them it could not be opened.
    for page in 120..length / 4096 {
        file.seek(SeekFrom::Start(page * 4096)).unwrap();
        file.write_all(&[0xA5; 2000]).unwrap();
    }
    let catalog = Catalog::open(&harvest.place.location, &settings()).await.unwrap();
    assert!(!catalog.check().await.unwrap().is_empty());
    let error = catalog.find_requests("http://nowhere.example/").await.unwrap_err();
    assert!(matches!(error, CatalogError::Damaged { .. }) && !error.is_temporary(), "{error:?}");
}

#[tokio::test]
async fn a_server_that_is_away_is_unavailable() {
    let mut harvest = Harvest::new(Database::server()).await;
    let mut held = harvest.catalog.exclusive().await.unwrap();
    let all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for _ in 0..3 {
        harvest.place.sql(all).await;
        // The pool may notice by itself; if not, the error is temporary, and the same window goes
        // through later.
        let commit = Commit::default();
        if let Err(error) = harvest.try_commit(&commit).await {
            assert!(error.is_temporary(), "{error:?}");
            harvest.again(&commit).await.unwrap();
        }
    }
    assert!(held.check().await.unwrap_err().is_temporary(), "the lock is gone");

    let mut nowhere = harvest.place.location.to_string();
    nowhere.push_str("/nowhere");
    let location = Location::parse(&nowhere).unwrap();
    let error = Catalog::open(&location, &settings()).await.unwrap_err();
    assert!(matches!(error, CatalogError::Unavailable { .. }), "{error:?}");
}

#[tokio::test]
async fn a_database_that_is_not_there_is_missing() {
    let url = auslese_testnet::postgres::Cluster::shared().url("no_such_database");
    let location = Location::parse(&url).unwrap();
    for error in [
        Catalog::open(&location, &settings()).await.unwrap_err(),
        Catalog::create(&location, &settings()).await.unwrap_err(),
    ] {
        assert!(matches!(error, CatalogError::Missing { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_that_only_reads_is_read_only() {
    let harvest = Harvest::new(Database::server()).await;
    let mut url = harvest.place.location.to_string();
    url.push_str("&options[default_transaction_read_only]=on");
    let catalog = Catalog::open(&Location::parse(&url).unwrap(), &settings()).await.unwrap();
    catalog.status().await.unwrap();
    let error = catalog.reserve(Numbers::Requests, 1).await.unwrap_err();
    assert!(matches!(error, CatalogError::ReadOnly { .. }) && error.is_temporary(), "{error:?}");
}

/// Two attempts at one window at the same time, as after a connection that was lost: the second
/// waits for the first and then knows it.
#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_stored_once_even_by_two_at_a_time() {
    for place in [Database::file(), Database::server()] {
        let harvest = Harvest::new(place).await;
        let settings = CatalogSettings::default();
        let mut attempts = Vec::new();
        for _ in 0..4 {
            let catalog = Catalog::open(&harvest.place.location, &settings).await.unwrap();
            let window = Window { run: harvest.run, number: 1, at: NOW };
            attempts.push(tokio::spawn(async move {
                catalog.commit(&some_offers(), window).await.unwrap()
            }));
        }
        let mut applied = 0;
        for attempt in attempts {
            applied += u32::from(attempt.await.unwrap() != Committed::AlreadyApplied);
        }
        assert_eq!(applied, 1);
    }
}

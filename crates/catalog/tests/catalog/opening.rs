//! Making and opening catalogs, and refusing what is none.

use crate::support::*;
use auslese_catalog::*;

on_both_engines! {
    made_once_and_opened_often
    what_is_no_catalog_is_refused
    newer_catalogs_are_refused
    numbers_are_given_out_once
    one_crawl_at_a_time
    runs_and_institutions
}

async fn made_once_and_opened_often(place: Database) {
    let (location, settings) = (&place.location, settings());
    if place.is_file() {
        let missing = Catalog::open(location, &settings).await;
        assert!(matches!(missing, Err(CatalogError::Missing { .. })), "{missing:?}");
    }
    let catalog = Catalog::create(location, &settings).await.unwrap();
    let harvest = catalog.harvest().to_owned();
    assert_eq!(harvest.len(), 32);
    let again = Catalog::create(location, &settings).await;
    assert!(matches!(again, Err(CatalogError::Exists { .. })), "{again:?}");
    catalog.close().await;
    for _ in 0..2 {
        let catalog = Catalog::open(location, &settings).await.unwrap();
        assert_eq!(catalog.harvest(), harvest);
    }
    let version = place.texts("SELECT value FROM meta WHERE key = 'schema version'").await;
    assert_eq!(version, [Some(SCHEMA_VERSION.to_string())]);
}

async fn what_is_no_catalog_is_refused(place: Database) {
    let (location, settings) = (&place.location, settings());
    if let Location::File(path) = location {
        std::fs::write(path, b"").unwrap();
    }
    let empty = Catalog::open(location, &settings).await;
    assert!(matches!(empty, Err(CatalogError::NotACatalog { .. })), "{empty:?}");

    place.sql("CREATE TABLE recipe (name TEXT)").await;
    for refused in
        [Catalog::open(location, &settings).await, Catalog::create(location, &settings).await]
    {
        let Err(CatalogError::NotACatalog { why, .. }) = refused else { panic!("{refused:?}") };
        assert!(why.contains("recipe"), "{why}");
    }
    if let Location::File(path) = location {
        // Looking must not change a file that is not ours: byte 18 is its journal mode.
        assert_eq!(std::fs::read(path).unwrap()[18], 1);
        std::fs::write(path, "Not a database. ".repeat(100)).unwrap();
        let text = Catalog::open(location, &settings).await;
        assert!(matches!(text, Err(CatalogError::NotACatalog { .. })), "{text:?}");
    }
}

async fn newer_catalogs_are_refused(place: Database) {
    Catalog::create(&place.location, &settings()).await.unwrap().close().await;
    for version in [SCHEMA_VERSION + 1, 99] {
        let sql = format!("UPDATE meta SET value = '{version}' WHERE key = 'schema version'");
        place.sql(&sql).await;
        let refused = Catalog::open(&place.location, &settings()).await;
        assert!(
            matches!(refused, Err(CatalogError::SchemaTooNew { found, known: SCHEMA_VERSION })
                if found == version),
            "{refused:?}"
        );
    }
}

async fn numbers_are_given_out_once(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    assert_eq!(catalog.reserve(Numbers::Requests, 100).await.unwrap(), 1);
    assert_eq!(catalog.reserve(Numbers::Requests, 1).await.unwrap(), 101);
    assert_eq!(catalog.reserve(Numbers::Captures, 5).await.unwrap(), 1);
    let reopened = Catalog::open(&harvest.place.location, &settings()).await.unwrap();
    assert_eq!(reopened.reserve(Numbers::Requests, 1).await.unwrap(), 102);
}

async fn one_crawl_at_a_time(place: Database) {
    let harvest = Harvest::new(place).await;
    let mut held = harvest.catalog.exclusive().await.unwrap();
    held.check().await.unwrap();
    let other = Catalog::open(&harvest.place.location, &settings()).await.unwrap();
    assert_eq!(other.is_held().await.unwrap(), !harvest.place.is_file());
    if !harvest.place.is_file() {
        let refused = other.exclusive().await;
        assert!(matches!(refused, Err(CatalogError::InUse { .. })), "{refused:?}");
    }
    held.release().await.unwrap();
    assert!(!other.is_held().await.unwrap());
    for _ in 0..20 {
        // Only dropped: the server is told nothing, and notices by itself.
        other.exclusive().await.unwrap().check().await.unwrap();
    }
}

async fn runs_and_institutions(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    catalog.end_run(harvest.run, "finished", seconds(5)).await.unwrap();
    catalog.end_run(harvest.run, "finished again", seconds(9)).await.unwrap();
    let runs = catalog.runs().await.unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].outcome.as_deref(), Some("finished"));
    assert_eq!(runs[0].ended, Some(seconds(5)));
    assert!(runs[0].config_digest.starts_with("sha256:"));
    assert_eq!(catalog.run_config(harvest.run).await.unwrap().as_deref(), Some("delay = 1"));
    let ended = harvest.place.texts("SELECT ended FROM runs").await;
    assert_eq!(ended, [Some("2026-11-15T21:40:05Z".to_owned())]);

    let institution = |label: &str, root: &str| Institution {
        label: label.to_owned(),
        root_url: root.to_owned(),
    };
    let first = [institution("GI", "http://gi.example/"), institution("MR", "http://mr.example/")];
    catalog.set_institutions(&first).await.unwrap();
    let second =
        [institution("HH", "http://hh.example/"), institution("GI", "https://gi.example/")];
    catalog.set_institutions(&second).await.unwrap();
    let known = catalog.institutions().await.unwrap();
    assert_eq!(known, [second[1].clone(), first[1].clone(), second[0].clone()]);
}

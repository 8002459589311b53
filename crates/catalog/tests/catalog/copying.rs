//! Catalogs taken from one engine to the other and back.

use crate::support::{Database, Harvest, settings};
use auslese_catalog::{Catalog, CatalogError, CopiedTable, copy_catalog};
use auslese_model::{Commit, NewServer, Origin, ServerId};

/// More servers than are copied at once, with text of all kinds.
async fn filled(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let server = |id| NewServer {
        id: ServerId(id),
        origin: Origin::parse(&format!("http://h{id}.example")).unwrap(),
        label: (id % 2 == 0).then(|| format!("Größe {id} '\"\\ \u{1F600}")),
    };
    let servers = (1..1_203).map(server).collect();
    harvest.commit(Commit { servers, ..Commit::default() }).await;
    harvest
}

#[tokio::test]
async fn there_and_back() {
    let harvest = filled(Database::file()).await;
    let (server, file) = (Database::server(), Database::file());
    let mut told = 0;
    let settings = settings();
    let tell = |_: &CopiedTable| told += 1;
    let there = copy_catalog(&harvest.catalog, &server.location, &settings, tell).await.unwrap();
    assert_eq!(told, there.len());
    let of = |name: &str| there.iter().find(|it| it.table == name).unwrap().rows;
    assert_eq!((of("server_info"), of("server_queue"), of("run")), (1_202, 1_202, 1));

    let moved = Catalog::open(&server.location, &settings).await.unwrap();
    assert_eq!(moved.harvest(), harvest.catalog.harvest());
    assert_eq!(moved.servers().await.unwrap(), harvest.catalog.servers().await.unwrap());
    assert_eq!(moved.check().await.unwrap(), [""; 0]);

    let back = copy_catalog(&moved, &file.location, &settings, |_| {}).await.unwrap();
    assert_eq!(back, there);
    let back = Catalog::open(&file.location, &settings).await.unwrap();
    assert_eq!(back.servers().await.unwrap(), harvest.catalog.servers().await.unwrap());
}

#[tokio::test]
async fn only_into_nothing() {
    let harvest = filled(Database::file()).await;
    for place in [Database::server(), Database::file()] {
        Catalog::create(&place.location, &settings()).await.unwrap().close().await;
        let error = copy_catalog(&harvest.catalog, &place.location, &settings(), |_| {}).await;
        assert!(matches!(error, Err(CatalogError::Exists { .. })), "{error:?}");
    }
}

/// What was copied halfway is not there.
#[tokio::test]
async fn all_or_nothing() {
    let harvest = filled(Database::file()).await;
    harvest.place.sql("CREATE TABLE odd (id INTEGER PRIMARY KEY, what REAL)").await;
    let target = Database::server();
    let error = copy_catalog(&harvest.catalog, &target.location, &settings(), |_| {}).await;
    assert!(error.is_err(), "{error:?}");
    let tables = "SELECT table_name::text FROM information_schema.tables \
                  WHERE table_schema = current_schema()";
    assert_eq!(target.texts(tables).await, []);
}

//! Version 17 in what SQL cannot say: keys of requests that were digests from end to end.
//!
//! The canonical form that the digest was made of is not stored. It is not needed: the beginning of a key follows
//! from any spelling of the address, and the rest is the beginning of the digest that was the key.

use crate::CatalogError;
use crate::batch::Batch;
use crate::engine::{Session, Sql, Value};
use auslese_model::RequestKey;

/// Rows read and written at a time.
const PAGE: usize = 1_024;

/// Puts all keys in order, and makes the index that the step dropped.
pub(super) async fn renew_keys(session: &mut Session) -> Result<(), CatalogError> {
    requests(session).await?;
    session.script("CREATE UNIQUE INDEX request_key ON request (key)".to_owned()).await?;
    outside_records(session).await
}

async fn requests(session: &mut Session) -> Result<(), CatalogError> {
    let (mut last, mut told) = (i64::MIN, false);
    loop {
        let sql = "SELECT id, url, key FROM request WHERE id > $1 ORDER BY id LIMIT $2";
        let page = session.rows(Sql::new(sql).bind(last).bind(PAGE)).await?;
        let mut batch = Batch::new(
            "WITH v (id, key) AS (",
            2,
            ") UPDATE request SET key = v.key FROM v WHERE request.id = v.id",
        );
        let is_last = page.len() < PAGE;
        for mut row in page {
            let (id, url, key) = (row.number()?, row.text()?, row.bytes()?);
            batch.push([id.into(), renewed(&url, key)?]);
            last = id;
        }
        batch.run(session).await?;
        if is_last {
            return Ok(());
        }
        if !std::mem::replace(&mut told, true) {
            tracing::info!("the catalog is of an older version; its requests get new keys");
        }
    }
}

/// Records that came with the seeds: few, and their key is part of the key of their table.
async fn outside_records(session: &mut Session) -> Result<(), CatalogError> {
    let sql = Sql::new("SELECT about, source, url FROM outside_record");
    let mut batch = Batch::new(
        "WITH v (about, source, renewed) AS (",
        3,
        ") UPDATE outside_record SET about = v.renewed FROM v \
         WHERE outside_record.about = v.about AND outside_record.source = v.source",
    );
    for mut row in session.rows(sql).await? {
        let (about, source, url) = (row.bytes()?, row.text()?, row.text()?);
        let renewed = renewed(&url, about.clone())?;
        batch.push([Value::Bytes(Some(about)), source.as_str().into(), renewed]);
    }
    batch.run(session).await?;
    Ok(())
}

fn renewed(url: &str, key: Vec<u8>) -> Result<Value, CatalogError> {
    let digest = key.try_into().map_err(|_| CatalogError::damaged("a request key"))?;
    Ok(RequestKey::with_digest(url, digest).0.as_slice().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::schema::{STEPS, apply};
    use crate::{Catalog, CatalogSettings, Location};
    use auslese_model::{Method, RequestId, TextKey};

    /// A catalog of version 16, whose keys were digests from end to end.
    #[tokio::test]
    async fn keys_of_version_16_are_made_anew() {
        let dir = tempfile::tempdir().unwrap();
        let server = auslese_testnet::postgres::Cluster::shared().create_database().unwrap();
        let places = [
            (Location::from(dir.path().join("catalog.sqlite").as_path()), "X'", "'"),
            (Location::parse(&server).unwrap(), "'\\x", "'"),
        ];
        // More than are read at a time; the canonical form lacks the session.
        let canonical = |page: i64| format!("http://h{}.example/a/b~c/{page}.html", page % 7);
        let found =
            |page: i64| format!("http://h{}.example/a;jsessionid=Z/b%7ec/{page}.html", page % 7);
        let pages = 1..=2_500;
        for (location, open, close) in places {
            let settings = CatalogSettings::default();
            let engine = Engine::new(&location, true, &settings).unwrap();
            let mut session = engine.begin().await.unwrap();
            apply(&mut session, 0, &STEPS[..16]).await.unwrap();
            let old_key = |url: &str| {
                let digits: String =
                    TextKey::new(url).0.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{open}{digits}{close}")
            };
            let rows: Vec<String> = pages
                .clone()
                .map(|page| {
                    let (key, url) = (old_key(&canonical(page)), found(page));
                    format!("({page}, {key}, 1, 'GET', '{url}', 'queued', 0, '', 0)")
                })
                .collect();
            let about = old_key("http://r.example/x/1");
            session
                .script(format!(
                    "INSERT INTO meta (key, value) VALUES ('harvest', '{}');
                     INSERT INTO server_info (id, scheme, name, port, first_seen)
                     VALUES (1, 'http', 'a.example', 80, 0);
                     INSERT INTO request (id, key, server_id, method, url, state, priority, hops,
                                          found_at) VALUES {};
                     INSERT INTO outside_record (about, source, url, fields, stored_at)
                     VALUES ({about}, 's', 'http://me@r.example/%78/1', '[]', 0);",
                    "0123456789abcdef".repeat(2),
                    rows.join(",")
                ))
                .await
                .unwrap();
            session.commit().await.unwrap();
            engine.close().await;

            let catalog = Catalog::open(&location, &settings).await.unwrap();
            let key = |url: &str| RequestKey::new(Method::Get, url, &[]);
            let keys: Vec<RequestKey> = pages.clone().map(|page| key(&canonical(page))).collect();
            let known = catalog.find_keys(&keys).await.unwrap();
            assert_eq!(known.len(), keys.len());
            assert!(pages.clone().zip(&keys).all(|(page, key)| known[key].id == RequestId(page)));
            let mut shorts = Vec::new();
            catalog.known_keys(&mut |short| shorts.push(short)).await.unwrap();
            let mut expected: Vec<u64> = keys.iter().map(|key| key.short()).collect();
            shorts.sort_unstable();
            expected.sort_unstable();
            assert_eq!(shorts, expected);
            let mut session = catalog.engine.reader().await.unwrap();
            let sql = Sql::new("SELECT about FROM outside_record");
            let mut record = session.row(sql).await.unwrap().unwrap();
            assert_eq!(record.bytes().unwrap(), key("http://r.example/x/1").0);
            let sql = "INSERT INTO request (id, key, server_id, method, url, state, priority, hops, \
                       found_at) SELECT id + 10000, key, 1, 'GET', url, 'queued', 0, '', 0 \
                       FROM request";
            drop(session);
            let mut session = catalog.engine.begin().await.unwrap();
            assert!(session.execute(Sql::new(sql)).await.is_err(), "keys are unique");
        }
    }
}

//! What a commit costs on both engines: `cargo bench -p auslese-catalog`.

#![allow(clippy::unwrap_used, reason = "a measurement may simply stop")]

#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../tests/catalog/support.rs"]
mod support;

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::time::{Duration, Instant};

const SERVERS: i64 = 50;
const CAPTURES: i64 = 500;
const OFFERS: i64 = 3_000;

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(measure("SQLite", Database::file(), 100));
    runtime.block_on(measure("PostgreSQL", Database::server(), 30));
}

async fn measure(engine: &str, place: Database, windows: i64) {
    let mut harvest = Harvest::new(place).await;
    harvest.catalog.close().await;
    let settings = CatalogSettings::default();
    harvest.catalog = Catalog::open(&harvest.place.location, &settings).await.unwrap();
    harvest.commit(Commit { servers: servers(1..=SERVERS), ..Default::default() }).await;
    let mut times = Vec::new();
    for number in 0..windows {
        let commit = window(number, harvest.run);
        let began = Instant::now();
        harvest.commit(commit).await;
        times.push(began.elapsed());
    }
    let mean = |times: &[Duration]| times.iter().sum::<Duration>() / times.len() as u32;
    let total: Duration = times.iter().sum();
    let tenth = times.len() / 10;
    println!(
        "{engine}: {windows} windows of {CAPTURES} captures, {CAPTURES} changes, {OFFERS} offers: \
         mean {:?}, first tenth {:?}, last tenth {:?}, longest {:?}; {:.0} offers/s",
        mean(&times),
        mean(&times[..tenth]),
        mean(&times[times.len() - tenth..]),
        times.iter().max().unwrap(),
        (windows * OFFERS) as f64 / total.as_secs_f64(),
    );

    let offers: Vec<Commit> = (0..20)
        .map(|number| {
            let mut commit = window(windows + number, harvest.run);
            commit.captures.clear();
            commit.changes.clear();
            commit
        })
        .collect();
    let began = Instant::now();
    for commit in offers {
        harvest.commit(commit).await;
    }
    let rate = (20 * OFFERS) as f64 / began.elapsed().as_secs_f64();
    println!("{engine}: offers alone {rate:.0}/s");

    let began = Instant::now();
    let mut keys = 0u64;
    harvest.catalog.known_keys(&mut |_| keys += 1).await.unwrap();
    println!("{engine}: {keys} keys read in {:?}", began.elapsed());
    let began = Instant::now();
    let mut digests = 0u64;
    harvest.catalog.known_digests(&mut |_| digests += 1).await.unwrap();
    println!("{engine}: {digests} digests read in {:?}", began.elapsed());
    let began = Instant::now();
    let leases = harvest.lease("w", 50).await;
    println!(
        "{engine}: {} servers with 100 requests leased in {:?}",
        leases.len(),
        began.elapsed()
    );
    let began = Instant::now();
    harvest.catalog.status().await.unwrap();
    println!("{engine}: status in {:?}", began.elapsed());
    if let Location::File(path) = &harvest.place.location {
        let bytes = std::fs::metadata(path).unwrap().len();
        println!("{engine}: {} MB", bytes / 1_000_000);
    }
}

fn window(number: i64, run: RunId) -> Commit {
    let first_offer = number * OFFERS + 1;
    let first_capture = number * CAPTURES + 1;
    let captures = first_capture..first_capture + CAPTURES;
    Commit {
        offers: (first_offer..first_offer + OFFERS)
            .map(|id| {
                let url = format!(
                    "http://h{}.example/institut/seminar/{id}/index.html",
                    id % SERVERS + 1
                );
                let request = Request::get(url.parse().unwrap());
                Offer { key: request.key(&url), request, ..offer(id, id % SERVERS + 1) }
            })
            .collect(),
        captures: captures
            .clone()
            .map(|id| Capture {
                head: vec![b'h'; 400],
                payload_digest: Some(Digest {
                    algorithm: Algorithm::Sha256,
                    bytes: RequestKey::new(Method::Get, &id.to_string(), &[]).0.repeat(2),
                }),
                ..capture(id, id, id % SERVERS + 1, run)
            })
            .collect(),
        changes: captures.map(|id| done(id, id)).collect(),
        clocks: (1..=SERVERS)
            .map(|id| Clock {
                server: ServerId(id),
                address: None,
                last_end: NOW,
                next_at: NOW,
                delay: Duration::from_secs(1),
                failures: 0,
            })
            .collect(),
        warcs: vec![warc()],
        ..Default::default()
    }
}

//! A crawl may die at any moment: what it had committed stays, nothing is archived twice, all WARC
//! files are sound, and no host is asked faster than allowed, also across restarts.
//!
//! The real program is killed (SIGKILL) at random moments and at each step of its commit, and
//! started again until it is done; the result is compared with an uninterrupted crawl, on both
//! engines. The delay is judged by the servers' own log.

#![allow(clippy::unwrap_used, reason = "a test may simply stop")]

mod program;

use auslese_archive::{path_of, read_at};
use auslese_catalog::{Catalog, CatalogSettings};
use auslese_model::CaptureId;
use auslese_testnet::{Internet, Running, generated_site, postgres::Cluster, shortest_pause};
use program::{Harvest, Numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const HOSTS: usize = 4;
const DELAY: Duration = Duration::from_millis(10);

/// What the configuration says beside the simulated network: small files, so that renames happen
/// often, and a delay that is short, but long enough to be seen.
fn config() -> String {
    let seeds: Vec<String> = (0..HOSTS).map(|host| format!("\"http://{}/\"", name(host))).collect();
    format!(
        "[crawl]\nseeds = [{}]\nscope = [\"accept host .kill.example\"]\n\
         [crawl.politeness]\ndelay = \"10ms\"\nfactor = 0.0\n\
         [archive]\nrotate_at = \"150 kB\"\n",
        seeds.join(", ")
    )
}

fn name(host: usize) -> String {
    format!("h{host}.kill.example")
}

fn internet() -> Running {
    // Two hosts share an address: they have to keep the delay together.
    let site = |host: usize| {
        let address = format!("198.18.0.{}", 1 + host.min(HOSTS - 2));
        generated_site(&name(host), pages(), host as u64).at(&address)
    };
    let internet = (0..HOSTS).fold(Internet::new(), |internet, host| internet.site(site(host)));
    internet.start().unwrap()
}

fn is_long() -> bool {
    std::env::var_os("AUSLESE_LONG").is_some()
}

/// Rounds of random kills; more when a long test is asked for.
fn kills() -> usize {
    if is_long() { 200 } else { 50 }
}

/// Pages of each host: so many that a crawl which is killed so often is not done before.
fn pages() -> usize {
    if is_long() { 1_500 } else { 500 }
}

#[test]
fn random_kills_on_sqlite() {
    random_kills(None);
}

#[test]
fn random_kills_on_postgresql() {
    random_kills(Some(Cluster::shared().create_database().unwrap()));
}

#[test]
fn kills_at_each_step_on_sqlite() {
    kills_at_each_step(None);
}

#[test]
fn kills_at_each_step_on_postgresql() {
    kills_at_each_step(Some(Cluster::shared().create_database().unwrap()));
}

#[test]
fn recompression_dies_at_each_step_on_sqlite() {
    recompression_dies_at_each_step(None);
}

#[test]
fn recompression_dies_at_each_step_on_postgresql() {
    recompression_dies_at_each_step(Some(Cluster::shared().create_database().unwrap()));
}

/// Whenever it dies, every record can be reached and says what it said; in the end all is stored in less space.
fn recompression_dies_at_each_step(database: Option<String>) {
    let site = generated_site("www.kill.example", 300, 3);
    let web = Internet::new().site(site).start().unwrap();
    let config = "[crawl]\nseeds = [\"http://www.kill.example/\"]\n[crawl.politeness]\ndelay = \"1ms\"\n\
                  factor = 0.0\n[archive]\nrotate_at = \"30 kB\"\n";
    let catalog = database.as_ref().map(|url| format!("[catalog]\nurl = \"{url}\"\n"));
    let config = format!("{config}{}", catalog.unwrap_or_default());
    let harvest = Harvest::new(&web, &config, database);
    harvest.crawl_to_the_end();
    let (expected, before) = (captures(&harvest), archived_bytes(&harvest));
    assert!(harvest.warcs().len() >= 12, "{:?}", harvest.warcs());
    for step in ["after-append", "before-commit", "after-commit", "after-rename"] {
        for round in [1, 2] {
            let mut command = harvest.recompress();
            let status = command.env("AUSLESE_DIE_AT", format!("{step}:{round}")).status().unwrap();
            assert!(!status.success(), "{step}:{round} was not reached");
            check_records(&harvest, &expected);
        }
    }
    let output = harvest.recompress().output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    check_records(&harvest, &expected);
    harvest.verify();
    let after = archived_bytes(&harvest);
    assert!(after * 100 < before * 97, "{before} bytes became {after}");
    // Nothing is left to gain, and nothing is touched.
    let again = harvest.recompress().output().unwrap();
    let words = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(again.status.success() && words.contains("it does not become smaller"), "{words}");
    assert_eq!(archived_bytes(&harvest), after);
    let leftovers = std::fs::read_dir(harvest.path().join("archive")).unwrap();
    assert!(leftovers.flatten().all(|it| it.file_name().to_string_lossy().ends_with(".warc.gz")));
}

fn archived_bytes(harvest: &Harvest) -> u64 {
    harvest.warcs().iter().map(|path| path.metadata().unwrap().len()).sum()
}

/// Reads the record of each capture where the catalog says it is, once the next command has settled what was left.
fn check_records(harvest: &Harvest, expected: &BTreeMap<String, String>) {
    let settled = harvest.recompress().arg("--level").arg("1").output().unwrap();
    assert!(settled.status.success(), "{}", String::from_utf8_lossy(&settled.stderr));
    assert!(&captures(harvest) == expected);
    let archive = harvest.path().join("archive");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let stored = runtime.block_on(async {
        let catalog = Catalog::open(&harvest.catalog(), &CatalogSettings::default()).await.unwrap();
        catalog.captures_page(CaptureId(0), 10_000).await.unwrap()
    });
    for stored in stored {
        let place = stored.capture.storage.place().unwrap();
        let record = read_at(&path_of(&archive, &place.file), place.offset).unwrap();
        assert_eq!(record.record.id(), Some(place.record_id.as_str()));
        let digest = stored.capture.payload_digest.unwrap();
        let found = record.record.fields.get("WARC-Payload-Digest").unwrap();
        assert_eq!(found, digest.to_string());
    }
}

fn random_kills(database: Option<String>) {
    let web = internet();
    let expected = uninterrupted(&web);
    let harvest = Harvest::new(&web, &config(), database);
    let mut random = Numbers::new(7);
    let mut killed = 0;
    for _ in 0..kills() {
        let time = Duration::from_millis(40 + random.below(120));
        killed += usize::from(harvest.crawl_for(time));
    }
    assert!(killed * 10 >= kills() * 9, "only {killed} of {} runs were killed", kills());
    harvest.crawl_to_the_end();
    check(&web, &harvest, &expected);
}

fn kills_at_each_step(database: Option<String>) {
    let web = internet();
    let expected = uninterrupted(&web);
    let harvest = Harvest::new(&web, &config(), database);
    let steps = [
        "before-append",
        "after-append",
        "after-sync",
        "before-commit",
        "after-commit",
        "before-rename",
        "after-rename",
    ];
    for round in [1, 2, 4] {
        for step in steps {
            assert!(harvest.crawl_until(step, round), "{step}:{round} was not reached");
        }
    }
    harvest.crawl_to_the_end();
    check(&web, &harvest, &expected);
}

/// What a crawl without any kill archives: the digest of each URL.
fn uninterrupted(web: &Running) -> BTreeMap<String, String> {
    let harvest = Harvest::new(web, &config(), None);
    harvest.crawl_to_the_end();
    let captures = captures(&harvest);
    let documents: usize = (0..HOSTS)
        .map(|host| generated_site(&name(host), pages(), host as u64).documents().len())
        .sum();
    assert_eq!(captures.len(), documents, "an uninterrupted crawl is complete");
    assert!(captures.len() >= 2_000, "{}", captures.len());
    check_pauses(web);
    web.reset();
    captures
}

fn check(web: &Running, harvest: &Harvest, expected: &BTreeMap<String, String>) {
    let captures = captures(harvest);
    assert_eq!(captures.len(), expected.len());
    assert!(&captures == expected, "the same digests as without kills");
    harvest.verify();
    check_pauses(web);
}

/// The digest of each captured URL; a URL that was captured twice is a failure.
fn captures(harvest: &Harvest) -> BTreeMap<String, String> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let catalog = Catalog::open(&harvest.catalog(), &CatalogSettings::default()).await.unwrap();
        let mut captures = BTreeMap::new();
        let mut places = BTreeSet::new();
        let mut last = CaptureId(0);
        loop {
            let page = catalog.captures_page(last, 1_000).await.unwrap();
            let Some(end) = page.last() else { return captures };
            last = end.capture.id;
            for stored in page {
                let digest = stored.capture.payload_digest.unwrap().to_string();
                let place = stored.capture.storage.place().unwrap();
                assert!(places.insert((place.file.clone(), place.offset)), "{place:?} twice");
                let url = stored.url;
                assert_eq!(captures.insert(url.clone(), digest), None, "{url} twice");
            }
        }
    })
}

fn check_pauses(web: &Running) {
    assert!(web.wait_until_quiet(Duration::from_secs(10)));
    let requests = web.requests();
    let by_host = shortest_pause(&requests, |logged| logged.host.clone()).unwrap();
    assert!(by_host >= DELAY, "a host was asked after {by_host:?}");
    let address = |host: &str| web.addresses(host);
    let by_address = shortest_pause(&requests, |logged| address(&logged.host)).unwrap();
    assert!(by_address >= DELAY, "an address was asked after {by_address:?}");
}

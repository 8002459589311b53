//! Several workers crawl one web into one PostgreSQL catalog: together they archive what one alone
//! archives, nothing twice, and no host or address is asked faster than allowed, whoever asks it.
//!
//! The same holds when workers are killed and started again, when they are stopped for longer than
//! their leases last (what they bring afterwards is refused), and when the database goes away for a
//! while. The delay is judged by the servers' own log.

#![allow(clippy::unwrap_used, reason = "a test may simply stop")]

#[expect(dead_code, reason = "other tests use more of it")]
mod program;

use auslese_catalog::{Catalog, CatalogSettings, Doing, Worker};
use auslese_model::{CaptureId, Timestamp};
use auslese_testnet::postgres::Cluster;
use auslese_testnet::{Internet, Running, Site, generated_site, shortest_pause};
use program::{Harvest, Numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const WORKERS: usize = 3;
const HOSTS: usize = 6;
const LEASE: Duration = Duration::from_millis(1500);
/// A crawl that has not ended by then hangs.
const AT_MOST: Duration = Duration::from_secs(150);

#[test]
fn three_workers_bring_what_one_brings() {
    let trial = Trial::new(80, 20);
    let mut cluster = Cluster::start().unwrap();
    let mut crew = Crew::start(&trial, &mut cluster);
    crew.await_end();
    let shares: Vec<u64> = crew.workers().into_iter().map(|worker| worker.captures).collect();
    assert_eq!(shares.len(), WORKERS);
    assert!(shares.iter().all(|captures| *captures > 0), "each worker had a part: {shares:?}");
    crew.check();
    // Who comes later finds that there is nothing left to do.
    crew.restart(0);
    crew.await_end();
    crew.check();
}

#[test]
fn workers_are_killed_and_started_again() {
    let trial = Trial::new(350, 15);
    let mut cluster = Cluster::start().unwrap();
    let mut crew = Crew::start(&trial, &mut cluster);
    let mut random = Numbers::new(11);
    for round in 0..12 {
        crew.let_work(Duration::from_millis(150 + random.below(250)));
        let worker = random.below(WORKERS as u64) as usize;
        crew.kill(worker);
        if round % 4 == 3 {
            // Long enough for others to take over what it had.
            crew.let_work(LEASE + Duration::from_millis(500));
        }
        crew.restart(worker);
    }
    assert!(crew.is_at_work(), "the crawl was over before the last kill");
    crew.await_end();
    crew.check();
}

#[test]
fn workers_stand_still_for_longer_than_their_leases() {
    let trial = Trial::new(450, 30);
    let mut cluster = Cluster::start().unwrap();
    let mut crew = Crew::start(&trial, &mut cluster);
    let mut random = Numbers::new(5);
    let lost = |crew: &Crew<'_>| crew.words().matches("were lost to other workers").count();
    for round in 0..10 {
        // On a busy machine it may be that nobody takes over in time; then once more.
        if round >= 5 && lost(&crew) > 0 {
            break;
        }
        crew.let_work(Duration::from_millis(300 + random.below(300)));
        let worker = random.below(WORKERS as u64) as usize;
        crew.signal(worker, "STOP");
        crew.let_work(LEASE + Duration::from_millis(700 + random.below(500)));
        crew.signal(worker, "CONT");
    }
    crew.await_end();
    assert!(lost(&crew) > 0, "nobody noticed that it had lost its servers: {}", crew.words());
    crew.check();
}

#[test]
fn the_database_goes_away_for_a_while() {
    let trial = Trial::new(250, 20);
    let mut cluster = Cluster::start().unwrap();
    let mut crew = Crew::start(&trial, &mut cluster);
    for away in [100, 2_500, 600, 50] {
        crew.let_work(Duration::from_millis(400));
        crew.cluster.stop().unwrap();
        crew.let_work(Duration::from_millis(away));
        crew.cluster.start_again().unwrap();
    }
    assert!(crew.is_at_work(), "the crawl was over before the last restart");
    crew.await_end();
    crew.check();
}

/// A web, and what a worker alone makes of it.
struct Trial {
    web: Running,
    delay: Duration,
    expected: BTreeMap<String, String>,
}

impl Trial {
    fn new(pages: usize, delay_ms: u64) -> Trial {
        let delay = Duration::from_millis(delay_ms);
        let web = internet(pages);
        let alone = Harvest::new(&web, &config(Duration::from_millis(1)), None);
        alone.crawl_to_the_end();
        let expected = captures(&alone);
        assert!(expected.len() > HOSTS * pages, "{}", expected.len());
        web.reset();
        Trial { web, delay, expected }
    }
}

fn name(host: usize) -> String {
    format!("h{host}.many.example")
}

/// Hosts that can be reached only by links from a first one, and of which two share an address. The
/// first one leads into the depth of the others, so workers find pages for each other's servers.
fn internet(pages: usize) -> Running {
    let address = |host: usize| format!("198.18.0.{}", 1 + host.min(HOSTS - 2));
    let mut first = Site::new("http://first.many.example").at("198.18.0.99");
    first = first.page(
        "/",
        (0..40).map(|page| format!("<a href=\"/{page}.html\">{page}</a>")).collect::<String>(),
    );
    for page in 0..40 {
        let links: String = (0..HOSTS)
            .map(|host| {
                let deep = pages - 1 - page;
                format!(
                    "<a href=\"http://{0}/\">{0}</a> <a href=\"http://{0}/bereich-{1}/seite-{deep}.html\">x</a>",
                    name(host),
                    deep % 8
                )
            })
            .collect();
        first = first.page(&format!("/{page}.html"), links);
    }
    let site = |host: usize| generated_site(&name(host), pages, host as u64).at(&address(host));
    let internet = Internet::new().site(first);
    (0..HOSTS).fold(internet, |internet, host| internet.site(site(host))).start().unwrap()
}

fn config(delay: Duration) -> String {
    format!(
        "[crawl]\nseeds = [\"http://first.many.example/\"]\n\
         scope = [\"accept host .many.example\"]\n\
         [crawl.politeness]\ndelay = \"{}ms\"\nfactor = 0.0\n\
         [archive]\nrotate_at = \"150 kB\"\n\
         [catalog]\nlease = \"{}ms\"\n",
        delay.as_millis(),
        LEASE.as_millis()
    )
}

/// Workers on one catalog, each in its own directory.
struct Crew<'a> {
    trial: &'a Trial,
    cluster: &'a mut Cluster,
    harvests: Vec<Harvest>,
    running: Vec<Option<Child>>,
}

impl<'a> Crew<'a> {
    fn start(trial: &'a Trial, cluster: &'a mut Cluster) -> Crew<'a> {
        let url = cluster.create_database().unwrap();
        let harvest = |_| Harvest::new(&trial.web, &config(trial.delay), Some(url.clone()));
        let harvests: Vec<Harvest> = (0..WORKERS).map(harvest).collect();
        let running = harvests.iter().map(|_| None).collect();
        let mut crew = Crew { trial, cluster, harvests, running };
        (0..WORKERS).for_each(|worker| crew.restart(worker));
        crew
    }

    fn log(&self, worker: usize) -> PathBuf {
        self.harvests[worker].path().join("words")
    }

    fn restart(&mut self, worker: usize) {
        let words = File::options().create(true).append(true).open(self.log(worker)).unwrap();
        let mut command = self.harvests[worker].crawl();
        command.args(["--worker", &format!("w{worker}")]).stderr(words).stdout(Stdio::null());
        self.running[worker] = Some(command.spawn().unwrap());
    }

    /// Lets everybody work; nobody may fail meanwhile.
    fn let_work(&mut self, time: Duration) {
        std::thread::sleep(time);
        for worker in 0..WORKERS {
            if let Some(status) = self.ended(worker) {
                assert!(status.success(), "worker {worker}: {status}: {}", self.words());
            }
        }
    }

    fn ended(&mut self, worker: usize) -> Option<ExitStatus> {
        self.running[worker].as_mut().and_then(|child| child.try_wait().unwrap())
    }

    fn is_at_work(&mut self) -> bool {
        (0..WORKERS).any(|worker| self.ended(worker).is_none())
    }

    fn kill(&mut self, worker: usize) {
        if let Some(mut child) = self.running[worker].take() {
            // Killing a process that has just ended is no error that matters here.
            let _ = child.kill();
            child.wait().unwrap();
        }
    }

    fn signal(&self, worker: usize, signal: &str) {
        let Some(child) = &self.running[worker] else { return };
        let id = child.id().to_string();
        Command::new("kill").args(["-s", signal, &id]).status().unwrap();
    }

    fn await_end(&mut self) {
        let began = Instant::now();
        while self.is_at_work() {
            assert!(began.elapsed() < AT_MOST, "the crawl does not end: {}", self.state());
            self.let_work(Duration::from_millis(20));
        }
        self.let_work(Duration::ZERO);
    }

    fn words(&self) -> String {
        let words = (0..WORKERS).map(|worker| std::fs::read_to_string(self.log(worker)));
        words.map(|words| words.unwrap_or_default()).collect()
    }

    fn state(&self) -> String {
        let workers: Vec<String> =
            self.workers().iter().map(|worker| format!("{worker:?}")).collect();
        format!("{}\n{}", workers.join("\n"), self.words())
    }

    fn workers(&self) -> Vec<Worker> {
        with_catalog(&self.harvests[0], async |catalog| catalog.workers().await.unwrap())
    }

    /// Together they have what one alone has, in sound files, and kept the delay.
    fn check(&self) {
        let found = captures(&self.harvests[0]);
        let missing: Vec<&String> =
            self.trial.expected.keys().filter(|url| !found.contains_key(*url)).collect();
        assert!(missing.is_empty(), "{} are missing, such as {:?}", missing.len(), missing.first());
        assert!(found == self.trial.expected, "the same digests as one worker alone has");
        let known = with_catalog(&self.harvests[0], async |catalog| {
            assert_eq!(catalog.check().await.unwrap(), Vec::<String>::new());
            catalog.warcs().await.unwrap()
        });
        assert!(known.iter().all(|warc| warc.closed), "{known:?}");
        let mut files = BTreeSet::new();
        for harvest in &self.harvests {
            let warcs = harvest.warcs();
            let names =
                warcs.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
            files.extend(names);
            if !warcs.is_empty() {
                harvest.verify();
            }
        }
        let known: BTreeSet<String> = known.into_iter().map(|warc| warc.file).collect();
        assert_eq!(files, known, "the files of all workers are those the catalog knows");
        let now = Timestamp::now();
        assert!(self.workers().iter().all(|it| it.doing == Doing::Ended && !it.is_alive(now)));
        self.check_pauses();
    }

    fn check_pauses(&self) {
        let (web, delay) = (&self.trial.web, self.trial.delay);
        assert!(web.wait_until_quiet(Duration::from_secs(10)));
        let requests = web.requests();
        let by_host = shortest_pause(&requests, |logged| logged.host.clone()).unwrap();
        assert!(by_host >= delay, "a host was asked after {by_host:?}");
        let by_address = shortest_pause(&requests, |logged| web.addresses(&logged.host)).unwrap();
        assert!(by_address >= delay, "an address was asked after {by_address:?}");
    }
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        (0..WORKERS).for_each(|worker| self.kill(worker));
    }
}

fn with_catalog<T>(harvest: &Harvest, work: impl AsyncFnOnce(&Catalog) -> T) -> T {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let catalog = Catalog::open(&harvest.catalog(), &CatalogSettings::default()).await.unwrap();
        let result = work(&catalog).await;
        catalog.close().await;
        result
    })
}

/// The digest of each captured URL; a URL that was captured twice is a failure.
fn captures(harvest: &Harvest) -> BTreeMap<String, String> {
    with_catalog(harvest, async |catalog| {
        let mut captures = BTreeMap::new();
        let mut last = CaptureId(0);
        loop {
            let page = catalog.captures_page(last, 1_000).await.unwrap();
            let Some(end) = page.last() else { return captures };
            last = end.capture.id;
            for stored in page {
                let digest = stored.capture.payload_digest.unwrap().to_string();
                let url = stored.url;
                assert_eq!(captures.insert(url.clone(), digest), None, "{url} twice");
            }
        }
    })
}

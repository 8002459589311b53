//! Several workers do the stages after the crawl on one PostgreSQL catalog: together they store what one
//! alone stores, and their indexes answer as one index over everything does.
//!
//! The same holds when workers are killed and started again, when they stand still for longer than their
//! leases last, when the database goes away for a while, and when an index is lost.

#![allow(clippy::unwrap_used, reason = "a test may simply stop")]

#[expect(dead_code, reason = "other tests use more of it")]
mod program;

use auslese_testnet::postgres::Cluster;
use auslese_testnet::{Running, demo};
use program::{Harvest, Numbers};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const WORKERS: usize = 3;
const LEASE: Duration = Duration::from_secs(1);
/// A stage that has not ended by then hangs.
const AT_MOST: Duration = Duration::from_secs(100);

/// The stages, in their order.
const STAGES: [&[&str]; 3] = [&["corpus"], &["describe"], &["search", "index"]];

const SEEDS: [&str; 4] = [
    "http://linguistik.uni-hohenwerth.example/",
    "http://soziologie.uni-hohenwerth.example/",
    "https://bibliothek.uni-hohenwerth.example/",
    "http://math.uni-hohenwerth.example/",
];

#[test]
fn three_workers_do_what_one_does() {
    let mut trial = Trial::new();
    let mut crew = Crew::new(&mut trial);
    for stage in STAGES {
        crew.start(stage);
        crew.await_end(stage);
    }
    crew.check();
    let shares: Vec<u64> = (0..WORKERS).map(|worker| crew.documents_in(worker)).collect();
    let with_a_part = shares.iter().filter(|share| **share > 0).count();
    assert!(with_a_part > 1, "the index is divided: {shares:?}");

    // Later there is nothing to do, and every document stays where it is.
    crew.start(STAGES[2]);
    crew.await_end(STAGES[2]);
    assert_eq!((0..WORKERS).map(|worker| crew.documents_in(worker)).collect::<Vec<_>>(), shares);
    let told = crew.last_report(0);
    assert_eq!((&told["indexed"], &told["removed"]), (&Value::from(0), &Value::from(0)), "{told}");

    // A machine is lost with its index: the others index its documents again.
    let (index, aside) = (crew.path(2).join("index"), crew.path(2).join("aside"));
    fs::rename(&index, &aside).unwrap();
    let note = crew.search_words(&[0, 1]);
    assert!(note.contains("parts of the search index are missing"), "{note}");
    let mark = fs::read_to_string(crew.path(2).join("auslese.worker")).unwrap();
    let lost = ["search", "index", "--lost", mark.split(' ').next().unwrap()];
    crew.start_some(&lost, &[0, 1]);
    crew.await_end(&lost);
    crew.check_search(&[0, 1]);
    // It comes back with what it had, which counts no more.
    fs::rename(&aside, &index).unwrap();
    crew.check_search(&[0, 1, 2]);
    assert!(crew.search_words(&[0, 1, 2]).contains("is no part of its harvest any more"));
    crew.start(STAGES[2]);
    crew.await_end(STAGES[2]);
    crew.check_search(&[0, 1, 2]);
    assert_eq!(crew.documents_in(2), 0, "the others have them now");
}

#[test]
fn workers_are_disturbed_in_every_way() {
    let mut trial = Trial::new();
    let mut crew = Crew::new(&mut trial);
    let mut random = Numbers::new(23);
    let mut disturbed = 0;
    for stage in STAGES {
        crew.start(stage);
        loop {
            std::thread::sleep(Duration::from_millis(80 + random.below(250)));
            if !crew.is_at_work() {
                break;
            }
            disturbed += 1;
            let worker = random.below(WORKERS as u64) as usize;
            match random.below(5) {
                0..3 => {
                    crew.kill(worker);
                    crew.restart(stage, worker);
                }
                3 => {
                    crew.signal(worker, "STOP");
                    std::thread::sleep(LEASE + Duration::from_millis(300 + random.below(300)));
                    crew.signal(worker, "CONT");
                }
                _ => {
                    crew.trial.cluster.stop().unwrap();
                    std::thread::sleep(Duration::from_millis(random.below(400)));
                    crew.trial.cluster.start_again().unwrap();
                }
            }
            if disturbed % 8 == 0 {
                // Now and then somebody gets to the end of something.
                std::thread::sleep(LEASE);
            }
        }
        crew.await_end(stage);
    }
    assert!(disturbed >= 6, "only {disturbed} times");
    crew.check();
}

#[test]
fn a_file_cannot_be_shared() {
    let web = demo::internet().start().unwrap();
    let harvest = Harvest::new(&web, &config(None), None);
    fetched(harvest.crawl());
    for stage in STAGES {
        let output = harvest.command(&[stage, &["--worker"]].concat()).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(words.contains("need a PostgreSQL catalog"), "{words}");
        assert!(words.contains("hint:"), "{words}");
    }
}

/// A web that was crawled twice, and what one process makes of it.
struct Trial {
    _web: Running,
    cluster: Cluster,
    crawled: Harvest,
    /// The catalog as the crawls left it, and as one process left it after all stages.
    untouched: String,
    alone: (Harvest, String),
}

fn config(url: Option<&str>) -> String {
    let seeds = SEEDS.map(|seed| format!("\"{seed}\"")).join(", ");
    let url = url.map_or(String::new(), |url| format!("url = \"{url}\"\n"));
    format!(
        "[crawl]\nseeds = [{seeds}]\n[crawl.politeness]\ndelay = \"0\"\n\
         [corpus]\nlanguages = [\"de\", \"en\"]\nmirror = false\n\
         [catalog]\nlease = \"{}ms\"\n{url}",
        LEASE.as_millis()
    )
}

impl Trial {
    fn new() -> Trial {
        let web = demo::internet().start().unwrap();
        let cluster = Cluster::start().unwrap();
        let untouched = cluster.create_database().unwrap();
        let crawled = Harvest::new(&web, &config(Some(&untouched)), Some(untouched.clone()));
        fetched(crawled.crawl());
        web.begin_second_round();
        fetched(crawled.command(&["recrawl", "--quiet", "--no-corpus"]));
        let (alone, url) = copy(&web, &cluster, &crawled, &untouched);
        for stage in STAGES {
            done(alone.command(&[stage, &["--quiet"]].concat()));
        }
        Trial { _web: web, cluster, crawled, untouched, alone: (alone, url) }
    }
}

/// Another directory on a copy of the catalog, with the same archive.
fn copy(web: &Running, cluster: &Cluster, crawled: &Harvest, from: &str) -> (Harvest, String) {
    let url = cluster.copy_database(from).unwrap();
    (beside(web, crawled, &url), url)
}

fn beside(web: &Running, crawled: &Harvest, url: &str) -> Harvest {
    let harvest = Harvest::new(web, &config(Some(url)), Some(url.to_owned()));
    let archive = crawled.path().join("archive");
    std::os::unix::fs::symlink(archive, harvest.path().join("archive")).unwrap();
    harvest
}

/// Crawls; some of the addresses lead nowhere.
fn fetched(mut command: Command) {
    let output = command.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?}: {words}");
}

fn done(mut command: Command) -> Output {
    let output = command.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}: {words}", output.status);
    output
}

/// Workers at one stage after the other, each in its own directory.
struct Crew<'a> {
    trial: &'a mut Trial,
    url: String,
    harvests: Vec<Harvest>,
    running: Vec<Option<Child>>,
}

impl<'a> Crew<'a> {
    fn new(trial: &'a mut Trial) -> Crew<'a> {
        let url = trial.cluster.copy_database(&trial.untouched).unwrap();
        let harvest = |_| beside(&trial._web, &trial.crawled, &url);
        let harvests: Vec<Harvest> = (0..WORKERS).map(harvest).collect();
        let running = harvests.iter().map(|_| None).collect();
        Crew { trial, url, harvests, running }
    }

    fn path(&self, worker: usize) -> PathBuf {
        self.harvests[worker].path()
    }

    fn start(&mut self, stage: &[&str]) {
        self.start_some(stage, &[0, 1, 2]);
    }

    fn start_some(&mut self, stage: &[&str], workers: &[usize]) {
        workers.iter().for_each(|worker| self.restart(stage, *worker));
    }

    fn restart(&mut self, stage: &[&str], worker: usize) {
        let log = |name: &str| self.path(worker).join(name);
        let words = File::options().create(true).append(true).open(log("words")).unwrap();
        let mut command = self.harvests[worker].command(stage);
        command.args(["--json", "--quiet", "--worker"]);
        // The last one goes by the name of its directory.
        command.args((worker + 1 < WORKERS).then(|| format!("w{worker}")));
        command.stderr(words).stdout(File::create(log("report")).unwrap());
        self.running[worker] = Some(command.spawn().unwrap());
    }

    fn is_at_work(&mut self) -> bool {
        let mut running = self.running.iter_mut().flatten();
        running.any(|child| child.try_wait().unwrap().is_none())
    }

    fn await_end(&mut self, stage: &[&str]) {
        let began = Instant::now();
        while self.is_at_work() {
            assert!(began.elapsed() < AT_MOST, "{stage:?} does not end: {}", self.words());
            std::thread::sleep(Duration::from_millis(20));
        }
        for worker in 0..WORKERS {
            if let Some(mut child) = self.running[worker].take() {
                let status = child.wait().unwrap();
                assert!(status.success(), "{stage:?}, worker {worker}: {}", self.words());
            }
        }
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
        Command::new("kill").args(["-s", signal, &id]).stderr(Stdio::null()).status().unwrap();
    }

    fn words(&self) -> String {
        let words = (0..WORKERS).map(|worker| {
            let words = fs::read_to_string(self.path(worker).join("words")).unwrap_or_default();
            format!("worker {worker}:\n{words}\n")
        });
        words.collect()
    }

    fn last_report(&self, worker: usize) -> Value {
        let text = fs::read_to_string(self.path(worker).join("report")).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// How many documents a worker's index has, by its own word.
    fn documents_in(&self, worker: usize) -> u64 {
        self.last_report(worker)["here"].as_u64().unwrap()
    }

    /// Everything is as one process alone has it.
    fn check(&self) {
        let expected = tables(&self.trial.cluster, &self.trial.alone.1);
        let found = tables(&self.trial.cluster, &self.url);
        for (table, expected) in &expected {
            let found = &found[table];
            if found != expected {
                let (found, expected) = differing(found, expected);
                panic!("{table}\nfound    {found}\nexpected {expected}\n{}", self.words());
            }
        }
        assert!(expected["statement"].lines().count() > 1_000);
        self.check_search(&[0, 1, 2]);
    }

    /// The parts of some workers answer as one index does.
    fn check_search(&self, workers: &[usize]) {
        let alone = self.trial.alone.0.path();
        let parts: Vec<PathBuf> = workers.iter().map(|worker| self.path(*worker)).collect();
        #[rustfmt::skip]
        let questions: [&[&str]; 9] = [
            &["Universität"],
            &["Korpus OR corpus"],
            &["title:Bibliothek AND lang:de"],
            &["\"Universität Hohenwerth\""],
            &["Sprach*"],
            &["Bibliotek~"],
            &["*", "--sort", "title"],
            &["*", "--sort", "date", "--only", "kept=kept"],
            &["Institut", "--sort", "host"],
        ];
        for question in questions {
            let (expected, _) = search(std::slice::from_ref(&alone), question);
            let (found, words) = search(&parts, question);
            assert!(expected["total"].as_u64().unwrap() > 0, "{question:?}");
            for part in ["total", "facets", "hits", "suggestions", "notes"] {
                assert_eq!(found[part], expected[part], "{question:?}: {part} {words}");
            }
        }
    }

    fn search_words(&self, workers: &[usize]) -> String {
        let parts: Vec<PathBuf> = workers.iter().map(|worker| self.path(*worker)).collect();
        search(&parts, &["Universität"]).1
    }
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        (0..WORKERS).for_each(|worker| self.kill(worker));
    }
}

/// The results of a question without what depends on the moment or on how documents are spread; and
/// what was said beside.
fn search(dirs: &[PathBuf], question: &[&str]) -> (Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_auslese"));
    command.arg("search").args(question).args(["--json", "--facet", "all", "--limit", "60"]);
    for dir in dirs {
        command.arg("--dir").arg(dir);
    }
    let output = done(command);
    let mut answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    for hit in answer["results"]["hits"].as_array_mut().unwrap() {
        hit.as_object_mut().unwrap().remove("index");
        // It changes with the number of the run that described the document.
        hit["document"].as_object_mut().unwrap().remove("fingerprint");
    }
    (answer["results"].take(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What stages store, table by table, without times and numbers of runs.
fn tables(cluster: &Cluster, url: &str) -> BTreeMap<String, String> {
    const TABLES: [&str; 14] = [
        "content",
        "content_element",
        "content_feature",
        "content_link",
        "document",
        "version",
        "round_word",
        "description",
        "statement",
        "full_text",
        "home_page",
        "citation",
        "describe_run",
        "request",
    ];
    let dump = |table: &str| {
        let sql = format!(
            "SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) \
             FROM information_schema.columns WHERE table_name = '{table}' \
             AND column_name NOT LIKE '%\\_at' AND column_name <> 'run_id'"
        );
        let columns = cluster.query(url, &sql).unwrap();
        let columns = columns.trim();
        assert!(!columns.is_empty(), "{table}");
        let sql = format!("SELECT {columns} FROM {table} t ORDER BY t::text");
        let sql = format!("SELECT d::text FROM ({sql}) d ORDER BY 1");
        (table.to_owned(), cluster.query(url, &sql).unwrap())
    };
    TABLES.into_iter().map(dump).collect()
}

/// The first lines that differ.
fn differing<'t>(found: &'t str, expected: &'t str) -> (&'t str, &'t str) {
    let mut pairs = found.lines().zip(expected.lines());
    let first = pairs.find(|(found, expected)| found != expected);
    first.unwrap_or(("lines are missing", "or too many"))
}

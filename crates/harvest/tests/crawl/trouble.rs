//! Trouble on our own side: a full disk, a database that is gone for a moment.

use crate::field::{Field, until};
use auslese_harvest::CrawlEnd;
use auslese_model::State;
use auslese_testnet::postgres::Cluster;
use auslese_testnet::{Internet, Site, generated_site};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const START: &str = "http://www.uni.example/";

/// A file system of limited size; gone when it is dropped.
struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    fn mount(megabytes: u32) -> Option<SmallDisk> {
        let disk = SmallDisk { folder: tempfile::tempdir().unwrap() };
        let size = format!("size={megabytes}m");
        disk.run("mount", &["-t", "tmpfs", "-o", &size, "tmpfs"]).then_some(disk)
    }

    fn resize(&self, megabytes: u32) {
        assert!(self.run("mount", &["-o", &format!("remount,size={megabytes}m")]));
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, program: &str, arguments: &[&str]) -> bool {
        let output = Command::new(program).args(arguments).arg(self.folder.path()).output();
        output.is_ok_and(|output| output.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.run("umount", &[]);
    }
}

/// Bytes that no compression makes smaller.
fn noise(length: usize, mut seed: u64) -> Vec<u8> {
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// 6 MB in small files, and one that does not fit into memory.
fn bulky_site() -> Site {
    let links: String = (0..120).map(|number| format!("<a href='/{number}.bin'>")).collect();
    let start = links + "<a href='/gross.bin'>";
    let site =
        (0..120).fold(Site::new("http://www.uni.example").page("/", start), |site, number| {
            site.file(
                &format!("/{number}.bin"),
                "application/octet-stream",
                noise(50_000, number + 1),
            )
        });
    site.file("/gross.bin", "application/octet-stream", noise(1_500_000, 999))
}

#[test]
fn a_full_disk_is_waited_out() {
    let Some(disk) = SmallDisk::mount(3) else {
        return skip("disk_full: needs root to mount a tmpfs");
    };
    let usual = Field::new(Internet::new().site(bulky_site()));
    usual.crawl(&[START], |_| {});
    let field = Field::new(Internet::new().site(bulky_site())).at(disk.path().to_owned());
    let crawl = field.start(field.job(&[START]));
    crawl.until("the disk is full", |numbers| {
        numbers
            .paused
            .as_ref()
            .is_some_and(|why| why.to_lowercase().contains("space") || why.contains("full"))
    });
    std::thread::sleep(Duration::from_secs(2));
    assert!(!crawl.is_over());
    disk.resize(64);
    let report = crawl.end().unwrap();
    assert_eq!((report.end, report.status.requests[&State::Queued]), (CrawlEnd::Done, 0));
    assert_eq!(report.status.requests[&State::Failed], 0);
    assert_eq!(contents(&field), contents(&usual));
    field.verify();
}

/// Whoever stops while the disk is full loses nothing that was committed.
#[test]
fn a_crawl_can_be_stopped_while_the_disk_is_full() {
    let Some(disk) = SmallDisk::mount(3) else {
        return skip("disk_full: needs root to mount a tmpfs");
    };
    let field = Field::new(Internet::new().site(bulky_site())).at(disk.path().to_owned());
    let crawl = field.start(field.job(&[START]));
    crawl.until("the disk is full", |numbers| numbers.paused.is_some());
    assert_eq!(crawl.stop().end, CrawlEnd::Stopped);
    disk.resize(64);
    let report = field.crawl(&[START], |_| {});
    assert_eq!((report.end, report.status.requests[&State::Queued]), (CrawlEnd::Done, 0));
    assert_eq!(field.captures().len(), 120 + 3);
    field.verify();
}

/// The limit on the archive pauses like a full disk.
#[test]
fn a_full_archive_is_waited_out() {
    let field = Field::new(Internet::new().site(bulky_site()));
    let mut job = field.job(&[START]);
    job.archive_limit = Some(1_000_000);
    let crawl = field.start(job);
    crawl.until("the archive is full", |numbers| {
        numbers.paused.as_ref().is_some_and(|why| why.contains("archive.max_size"))
    });
    assert_eq!(crawl.stop().end, CrawlEnd::Stopped);
    let report = field.crawl(&[START], |_| {});
    assert_eq!(report.end, CrawlEnd::Done);
    assert_eq!(field.captures().len(), 120 + 3);
    field.verify();
}

#[test]
fn a_database_that_is_gone_for_a_moment_is_waited_for() {
    let cluster = Cluster::shared();
    let site = generated_site("www.uni.example", 150, 5);
    let documents = site.documents().len();
    let database = cluster.create_database().unwrap();
    let field = Field::new(Internet::new().site(site)).with_database(database.clone());
    let mut job = field.job(&[START]);
    job.crawl.politeness.delay = Duration::from_millis(5);
    job.crawl.politeness.factor = 0.0;
    let crawl = field.start(job);
    for count in [20, 60, 100] {
        until("pages are fetched", || field.web.request_count() > count);
        cut_connections(&database);
    }
    let report = crawl.end().unwrap();
    assert_eq!((report.end, report.status.requests[&State::Queued]), (CrawlEnd::Done, 0));
    assert_eq!(field.captures().len(), documents);
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    field.verify();
}

/// Ends all connections of a database but the one that does it, as a restart would.
fn cut_connections(database: &str) {
    let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let output = Command::new("psql").args(["-X", "-q", "-c", sql, database]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What an archive holds: digests by URL.
fn contents(field: &Field) -> BTreeMap<String, String> {
    let captures = field.captures().into_iter();
    captures.map(|(url, capture)| (url, format!("{:?}", capture.payload_digest))).collect()
}

/// Says that a test could not be done, and why.
fn skip(why: &str) {
    eprintln!("skipped: {why}");
    if let Some(path) = std::env::var_os("AUSLESE_SKIPS").map(PathBuf::from) {
        let mut file = std::fs::File::options().append(true).create(true).open(path).unwrap();
        writeln!(file, "{why}").unwrap();
    }
}

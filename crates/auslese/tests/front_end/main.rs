//! The front end in a real browser: a harvest of the demo is served, and scripts use its pages as people do.
//!
//! Chromium is driven by playwright-core, which `./test` fetches with axe-core, the judge of accessibility. Each script
//! `*.mjs` beside this file is a test. With `AUSLESE_RECORD=1` the pictures of the documentation are made anew.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

/// Harvests the demo and serves it; both end with the value.
struct Served {
    process: Child,
    base: String,
    /// The harvest of the demo, for scripts that change a copy of it.
    demo: PathBuf,
    _dir: TempDir,
}

impl Served {
    fn start() -> Served {
        let dir = tempfile::tempdir().unwrap();
        let harvest = dir.path().join("demo");
        let demo = auslese().args(["demo", "--no-serve", "--dir"]).arg(&harvest).output().unwrap();
        assert!(demo.status.success(), "{}", String::from_utf8_lossy(&demo.stderr));
        let hostile = hostile_harvest(dir.path());
        let mut process = auslese()
            .args(["serve", "--listen", "127.0.0.1:0", "--replay-listen", "127.0.0.1:0"])
            .args([Path::new("--dir"), &harvest, Path::new("--dir"), &hostile])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut base = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut base).unwrap();
        Served { process, base: base.trim().to_owned(), demo: harvest, _dir: dir }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself; then its test has failed already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A harvest of pages that mean harm.
fn hostile_harvest(dir: &Path) -> PathBuf {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../serve/tests/hostile");
    let mut warc = Vec::new();
    let files = [
        ("", "page.html", "text/html"),
        ("inner.html", "inner.html", "text/html"),
        ("style.css", "style.css", "text/css"),
        ("drawing.svg", "drawing.svg", "image/svg+xml"),
        ("worker.js", "worker.js", "text/javascript"),
    ];
    for (number, (path, file, media_type)) in files.into_iter().enumerate() {
        let body = fs::read(pages.join(file)).unwrap();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nSet-Cookie: hacked=1\r\n\
             Refresh: 0; url=http://attack.example/refresh\r\nService-Worker-Allowed: /\r\n\r\n"
        );
        let length = head.len() + body.len();
        write!(
            warc,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
             WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://hostile.example/{path}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{head}"
        )
        .unwrap();
        warc.extend(body);
        warc.extend(b"\r\n\r\n");
    }
    let (file, harvest) = (dir.join("hostile.warc"), dir.join("hostile"));
    fs::write(&file, warc).unwrap();
    let import = [Path::new("archive"), Path::new("import"), &file, Path::new("--dir"), &harvest];
    let output = auslese().args(import).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    harvest
}

fn auslese() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_auslese"));
    command.stdin(Stdio::null()).env_remove("AUSLESE_LOG");
    command
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/front_end")
}

/// Scripts that are no tests.
const TOOLS: [&str; 3] = ["harvest", "run", "world"];

/// The scripts that are tests; the others are their tools.
fn scripts() -> Vec<String> {
    let names = fs::read_dir(folder()).unwrap().map(|it| it.unwrap().file_name());
    let names = names.filter_map(|name| Some(name.to_str()?.strip_suffix(".mjs")?.to_owned()));
    let mut names: Vec<String> = names.filter(|name| !TOOLS.contains(&name.as_str())).collect();
    names.sort();
    names
}

fn run(script: &str, served: &OnceLock<Served>) -> Result<(), Failed> {
    let Some(modules) = std::env::var_os("AUSLESE_NODE_MODULES") else {
        return skipped(script, "playwright-core is not installed; `./test browser` fetches it");
    };
    let served = served.get_or_init(Served::start);
    let output = Command::new("node")
        .arg(folder().join("run.mjs"))
        .args([script, &served.base])
        .env("AUSLESE_NODE_MODULES", modules)
        .env("AUSLESE_DEMO", &served.demo)
        .env("AUSLESE_PROGRAM", env!("CARGO_BIN_EXE_auslese"))
        .env_remove("AUSLESE_LOG")
        .env("AUSLESE_PICTURES", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures"))
        .stdin(Stdio::null())
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(String::from_utf8_lossy(&said).into_owned().into())
}

fn skipped(script: &str, why: &str) -> Result<(), Failed> {
    if let Some(file) = std::env::var_os("AUSLESE_SKIPS") {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(file)?;
        writeln!(file, "front end, {script}: {why}")?;
    }
    eprintln!("skipped: {script}: {why}");
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The browser alone takes all there is.
    arguments.test_threads = Some(1);
    let served: Arc<OnceLock<Served>> = Arc::default();
    let trials = scripts().into_iter().map(|script| {
        let served = served.clone();
        Trial::test(script.clone(), move || run(&script, &served))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

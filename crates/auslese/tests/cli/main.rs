//! The commands as a user types them: what they print, where, and with which exit code.
//!
//! What a command prints is compared with `tests/snapshots/NAME.txt`. After a wanted change, run
//! the tests with `AUSLESE_RECORD=1` and read the difference before committing it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod archives;
mod browser;
mod citing;
mod corpus;
mod corpus_rules;
mod demo;
mod describing;
mod discovery;
mod exporting;
mod giants;
mod harvested_papers;
mod harvests;
mod hel;
mod hidden;
mod keyphrases;
mod language;
mod packages;
mod papers;
mod reading;
mod searching;
mod seeding;
mod summarizing;
mod tables;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn auslese(dir: &Path, args: &[&str]) -> Output {
    auslese_command(dir, args).output().expect("the binary was built for this test")
}

/// `auslese ARGS` in a directory, not yet started.
fn auslese_command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_auslese"));
    command
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::null())
        .env_remove("AUSLESE_LOG")
        .env_remove("AUSLESE_CATALOG_PASSWORD")
        .env("COLUMNS", "100");
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Exit code, stdout and stderr as one text, for snapshots.
fn transcript(args: &[&str], output: &Output) -> String {
    let code = output.status.code().map_or("killed".to_owned(), |code| code.to_string());
    format!(
        "$ auslese {}\n--- exit {code}\n--- stdout\n{}--- stderr\n{}",
        args.join(" "),
        stdout(output),
        stderr(output)
    )
}

#[track_caller]
fn check_snapshot(name: &str, dir: &Path, args: &[&str]) {
    let seen = transcript(args, &auslese(dir, args));
    let file: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests", "snapshots", &format!("{name}.txt")].iter().collect();
    if std::env::var_os("AUSLESE_RECORD").is_some() {
        fs::write(&file, &seen).expect("the snapshots can be written");
    }
    let recorded = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(seen, recorded, "{name}: AUSLESE_RECORD=1 records what is printed now");
}

fn empty() -> TempDir {
    tempfile::tempdir().expect("there is room for temporary files")
}

fn harvest_with(config: &str) -> TempDir {
    let dir = empty();
    fs::write(dir.path().join("auslese.toml"), config).expect("the directory is new");
    dir
}

/// Says that a tool is missing, where somebody counts such tests.
fn skipped(name: &str, reason: &str) {
    if let Some(path) = std::env::var_os("AUSLESE_SKIPS") {
        let file = fs::File::options().create(true).append(true).open(path);
        writeln!(file.unwrap(), "{name}: {reason}").unwrap();
    }
}

#[test]
fn help_of_all_commands() {
    let dir = empty();
    let commands: &[(&str, &[&str])] = &[
        ("help", &["--help"]),
        ("help-demo", &["demo", "--help"]),
        ("help-bench", &["bench", "--help"]),
        ("help-control-pause", &["control", "pause", "--help"]),
        ("help-control-resume", &["control", "resume", "--help"]),
        ("help-control-stop", &["control", "stop", "--help"]),
        ("help-control-exclude", &["control", "exclude", "--help"]),
        ("help-traps-list", &["traps", "list", "--help"]),
        ("help-traps-release", &["traps", "release", "--help"]),
        ("help-traps-hold", &["traps", "hold", "--help"]),
        ("help-export", &["export", "--help"]),
        ("help-export-formats", &["export", "formats", "--help"]),
        ("help-init", &["init", "--help"]),
        ("help-hidden", &["hidden", "--help"]),
        ("help-hidden-plan", &["hidden", "plan", "--help"]),
        ("help-hidden-run", &["hidden", "run", "--help"]),
        ("help-hidden-list", &["hidden", "list", "--help"]),
        ("help-hidden-show", &["hidden", "show", "--help"]),
        ("help-bench-hidden", &["bench", "hidden", "--help"]),
        ("help-bench-frontier", &["bench", "frontier", "--help"]),
        ("help-hel", &["hel", "--help"]),
        ("help-hel-suggest", &["hel", "suggest", "--help"]),
        ("help-summarize", &["summarize", "--help"]),
        ("help-summarize-serve", &["summarize", "serve", "--help"]),
        ("help-summarize-check", &["summarize", "check", "--help"]),
        ("help-language", &["language", "--help"]),
        ("help-run", &["run", "--help"]),
        ("help-discover", &["discover", "--help"]),
        ("help-discover-explain", &["discover", "explain", "--help"]),
        ("help-discover-list", &["discover", "list", "--help"]),
        ("help-discover-review", &["discover", "review", "--help"]),
        ("help-discover-scan", &["discover", "scan", "--help"]),
        ("help-discover-vhosts", &["discover", "vhosts", "--help"]),
        ("help-discover-import", &["discover", "import", "--help"]),
        ("help-discover-evaluate", &["discover", "evaluate", "--help"]),
        ("help-discover-export", &["discover", "export", "--help"]),
        ("help-discover-parse-whois", &["discover", "parse-whois", "--help"]),
        ("help-discover-similarity", &["discover", "similarity", "--help"]),
        ("help-crawl", &["crawl", "--help"]),
        ("help-recrawl", &["recrawl", "--help"]),
        ("help-corpus", &["corpus", "--help"]),
        ("help-stats", &["stats", "--help"]),
        ("help-versions", &["versions", "--help"]),
        ("help-rounds", &["rounds", "--help"]),
        ("help-rounds-list", &["rounds", "list", "--help"]),
        ("help-rounds-compare", &["rounds", "compare", "--help"]),
        ("help-describe", &["describe", "--help"]),
        ("help-describe-survey", &["describe", "survey", "--help"]),
        ("help-citations", &["citations", "--help"]),
        ("help-heuristics", &["heuristics", "--help"]),
        ("help-heuristics-check", &["heuristics", "check", "--help"]),
        ("help-heuristics-list", &["heuristics", "list", "--help"]),
        ("help-heuristics-explain", &["heuristics", "explain", "--help"]),
        ("help-heuristics-run", &["heuristics", "run", "--help"]),
        ("help-heuristics-export", &["heuristics", "export", "--help"]),
        ("help-heuristics-calibrate", &["heuristics", "calibrate", "--help"]),
        ("help-heuristics-evaluate", &["heuristics", "evaluate", "--help"]),
        ("help-keyphrases", &["keyphrases", "--help"]),
        ("help-keyphrases-train", &["keyphrases", "train", "--help"]),
        ("help-keyphrases-extract", &["keyphrases", "extract", "--help"]),
        ("help-keyphrases-evaluate", &["keyphrases", "evaluate", "--help"]),
        ("help-keyphrases-list", &["keyphrases", "list", "--help"]),
        ("help-runs", &["runs", "--help"]),
        ("help-runs-list", &["runs", "list", "--help"]),
        ("help-runs-compare", &["runs", "compare", "--help"]),
        ("help-runs-export", &["runs", "export", "--help"]),
        ("help-runs-remove", &["runs", "remove", "--help"]),
        ("help-marks", &["marks", "--help"]),
        ("help-marks-add", &["marks", "add", "--help"]),
        ("help-marks-list", &["marks", "list", "--help"]),
        ("help-marks-remove", &["marks", "remove", "--help"]),
        ("help-marks-table", &["marks", "table", "--help"]),
        ("help-status", &["status", "--help"]),
        ("help-explain", &["explain", "--help"]),
        ("help-archive-verify", &["archive", "verify", "--help"]),
        ("help-archive-index", &["archive", "index", "--help"]),
        ("help-archive-import", &["archive", "import", "--help"]),
        ("help-archive-remove", &["archive", "remove", "--help"]),
        ("help-archive-removals", &["archive", "removals", "--help"]),
        ("help-serve", &["serve", "--help"]),
        ("help-config", &["config", "--help"]),
        ("help-config-check", &["config", "check", "--help"]),
        ("help-config-show", &["config", "show", "--help"]),
        ("help-doctor", &["doctor", "--help"]),
        ("help-completions", &["completions", "--help"]),
        ("help-man", &["man", "--help"]),
    ];
    for (name, args) in commands {
        check_snapshot(name, dir.path(), args);
    }
}

#[test]
fn version() {
    let output = auslese(empty().path(), &["--version"]);
    assert_eq!(stdout(&output), format!("auslese {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn mistakes_on_the_command_line() {
    let dir = empty();
    let cases: &[(&str, &[&str])] = &[
        ("unknown-option", &["init", "--contct", "a@b.example", "uni.example"]),
        ("unknown-command", &["cofig", "show"]),
        ("no-domain", &["init", "giessen"]),
        ("crawl-without-contact", &["crawl", "https://www.uni.example/"]),
        ("crawl-loopback", &["crawl", "http://127.0.0.1:9/"]),
        ("crawl-nothing", &["crawl"]),
        ("crawl-no-scheme", &["crawl", "www.uni.example"]),
        ("crawl-bad-delay", &["crawl", "http://127.0.0.1:9/", "--delay", "2"]),
        ("status-before-crawl", &["status"]),
        ("nothing-to-init", &["init"]),
        ("bad-contact", &["init", "uni.example", "--contact", "nobody"]),
        ("sample-without-list", &["init", "uni.example", "--sample", "3"]),
        ("seed-without-sample", &["init", "--list", "list.txt", "--seed", "3"]),
        ("domain-and-list", &["init", "uni.example", "--list", "list.txt"]),
        ("domain-twice", &["init", "uni.example", "https://uni.example/"]),
    ];
    for (name, args) in cases {
        assert_eq!(auslese(dir.path(), args).status.code(), Some(2), "{name}");
        check_snapshot(name, dir.path(), args);
    }
    assert_eq!(auslese(dir.path(), &[]).status.code(), Some(2));
}

#[test]
fn mistakes_in_the_configuration() {
    let cases = [
        ("unknown-key", "[crawl.politeness]\ndealy = \"2s\"\n"),
        ("broken-toml", "[crawl.politeness]\ndelay = \"2s\nfactor = 3\n"),
        (
            "several-problems",
            "[harvest]\ncontact = \"nobody\"\n\n[crawl.politeness]\nconnections = 0\nfactor = \"much\"\n\n[archiv]\ndigest = \"md5\"\n",
        ),
    ];
    for (name, config) in cases {
        check_snapshot(name, harvest_with(config).path(), &["config", "check"]);
        let shown = auslese(harvest_with(config).path(), &["config", "show"]);
        assert_eq!(shown.status.code(), Some(2), "{name}: every command refuses it");
    }
    check_snapshot("no-config", empty().path(), &["config", "check"]);
    check_snapshot("good-config", harvest_with("[crawl]\n").path(), &["config", "check"]);
}

#[test]
fn problems_as_json() {
    let dir = harvest_with("[crawl.politeness]\ndealy = \"2s\"\n");
    let output = auslese(dir.path(), &["config", "check", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["problems"][0]["line"], 2);
    assert_eq!(json["problems"][0]["hint"], "did you mean `delay`?");
}

#[test]
fn bytes_that_are_no_text() {
    let dir = empty();
    fs::write(dir.path().join("auslese.toml"), b"[harvest]\nname = \"Gie\xdfen\"\n").unwrap();
    check_snapshot("not-utf8", dir.path(), &["config", "check"]);
}

#[test]
fn what_holds_and_why() {
    let dir = harvest_with("[crawl.politeness]\ndelay = \"3s\"\n\n[net]\nallow_private = true\n");
    fs::write(dir.path().join("net.toml"), "[net]\ndns = [\"127.0.0.1:5353\"]\n").unwrap();
    let output = auslese(dir.path(), &["--net", "net.toml", "config", "show", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let crawl = &json["crawl"]["politeness"];
    assert_eq!(crawl["delay"]["value"], "3s");
    assert_eq!(crawl["delay"]["from"]["file"]["line"], 2);
    assert_eq!(crawl["per_server"]["from"], "default");
    assert_eq!(json["net"]["dns"]["value"][0], "127.0.0.1:5353");
    assert_eq!(json["net"]["dns"]["from"]["file"]["path"], "net.toml");
    assert_eq!(json["net"]["allow_private"]["value"], true);
}

#[test]
fn what_is_shown_can_be_read_again() {
    let dir = harvest_with(
        "[crawl]\nseeds = [\"http://a.example/\"]\n\n[crawl.politeness]\ndelay = \"3s\"\n\n[crawl.hosts.\".b.example\"]\nobey_robots = false\n",
    );
    check_snapshot("config-show", dir.path(), &["config", "show"]);
    let text = stdout(&auslese(dir.path(), &["config", "show"]));
    let again = harvest_with(&text);
    let output = auslese(again.path(), &["config", "check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_net_file_is_checked_too() {
    let dir = harvest_with("");
    fs::write(dir.path().join("net.toml"), "[net]\ndsn = []\n").unwrap();
    check_snapshot("bad-net-file", dir.path(), &["config", "show", "--net", "net.toml"]);
    check_snapshot("no-net-file", dir.path(), &["config", "show", "--net", "none.toml"]);
}

#[test]
fn init_for_one_domain() {
    let dir = empty();
    let args = ["init", "uni.example", "--dir", "mine", "--contact", "archive@uni.example"];
    check_snapshot("init", dir.path(), &args);
    let config = fs::read_to_string(dir.path().join("mine/auslese.toml")).unwrap();
    assert!(config.contains("contact = \"archive@uni.example\"\n"), "{config}");
    assert!(config.contains("root = \"https://uni.example/\""), "{config}");
    let check = auslese(dir.path(), &["config", "check", "--dir", "mine"]);
    assert_eq!(check.status.code(), Some(0), "{}", stderr(&check));
    check_snapshot("init-twice", dir.path(), &args);
    let unchanged = fs::read_to_string(dir.path().join("mine/auslese.toml")).unwrap();
    assert_eq!(unchanged, config);
}

#[test]
fn init_leaves_other_directories_alone() {
    let dir = empty();
    fs::write(dir.path().join("thesis.txt"), "do not touch").unwrap();
    check_snapshot("init-not-empty", dir.path(), &["init", "uni.example"]);
    assert_eq!(dir.path().read_dir().unwrap().count(), 1);
}

#[test]
fn init_from_a_list() {
    let dir = empty();
    let lines: String = (0..20).map(|n| format!("U{n}, www.u{n}.example\n")).collect();
    fs::write(dir.path().join("list.txt"), format!("# universities\n{lines}")).unwrap();
    let sample = |name: &str| {
        let args = ["init", "--list", "list.txt", "--sample", "3", "--seed", "7", "--dir", name];
        let output = auslese(dir.path(), &args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        fs::read_to_string(dir.path().join(name).join("auslese.toml")).unwrap()
    };
    let (first, second) = (sample("first"), sample("second"));
    assert_eq!(first, second, "the same seed draws the same sample");
    assert!(first.contains("\nseed = 7\n") && first.contains("\nof = 20\n"), "{first}");
    assert_eq!(first.matches(", root = ").count() - 1, 3, "and one in the explanation");
    let all = auslese(dir.path(), &["init", "--list", "list.txt", "--dir", "all"]);
    assert_eq!(
        stderr(&all).lines().next(),
        Some("note: wrote all/auslese.toml for 20 institutions")
    );
}

#[test]
fn mistakes_in_a_list() {
    let dir = empty();
    fs::write(dir.path().join("list.txt"), "GI, uni.example\nKN\nFR, ftp://uni.example\n").unwrap();
    check_snapshot("bad-list", dir.path(), &["init", "--list", "list.txt", "--dir", "new"]);
    assert!(!dir.path().join("new").exists(), "nothing is made from a bad list");
    check_snapshot("no-list", dir.path(), &["init", "--list", "none.txt", "--dir", "new"]);
    fs::write(dir.path().join("short.txt"), "GI, uni.example\n").unwrap();
    let args = ["init", "--list", "short.txt", "--sample", "2", "--dir", "new"];
    check_snapshot("sample-too-large", dir.path(), &args);
}

#[test]
fn completions_for_every_shell() {
    let dir = empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = auslese(dir.path(), &["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(stdout(&output).contains("doctor"), "{shell}");
    }
}

#[test]
fn manual_pages() {
    let dir = empty();
    let page = stdout(&auslese(dir.path(), &["man"]));
    assert!(page.starts_with(".ie") && page.contains(".TH auslese 1"), "{page}");
    let output = auslese(dir.path(), &["man", "--dir", "pages/man1"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for name in ["auslese.1", "auslese-init.1", "auslese-config-check.1", "auslese-doctor.1"] {
        assert!(dir.path().join("pages/man1").join(name).is_file(), "{name}");
    }
}

#[test]
fn doctor() {
    let dir = harvest_with("[crawl.politeness]\nconnections = 10\n");
    let output = auslese(dir.path(), &["doctor", "--json"]);
    let checks: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let names: Vec<&str> =
        checks.as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    for name in [
        "configuration",
        "directory",
        "disk space",
        "open files",
        "clock",
        "catalog",
        "certificates",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert_eq!(checks[0]["state"], "good");
    let text = auslese(harvest_with("[crawl.politeness]\nconections = 10\n").path(), &["doctor"]);
    assert_eq!(text.status.code(), Some(1));
    assert!(stdout(&text).starts_with("bad   configuration"), "{}", stdout(&text));
    assert!(stdout(&text).contains("→ run `auslese config check`"), "{}", stdout(&text));
}

/// A site of three pages, one of them missing; serves until the test ends.
fn small_site() -> String {
    use std::io::{BufRead, BufReader};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback is there");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut request = String::new();
                let mut lines = BufReader::new(&stream);
                while lines.read_line(&mut request).is_ok_and(|read| read > 2) {}
                let (status, body) = match request.split(' ').nth(1) {
                    Some("/") => ("200 OK", "<a href='/a'>a</a> <a href='/missing'>b</a>"),
                    Some("/a") => ("200 OK", "<a href='/'>home</a>"),
                    _ => ("404 Not Found", "nothing"),
                };
                let length = body.len();
                let _ = write!(
                    &stream,
                    "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\
                     Connection: close\r\n\r\n{body}"
                );
            });
        }
    });
    format!("http://{address}/")
}

#[test]
fn a_crawl_from_the_first_page_to_the_explanation() {
    let (dir, site) = (empty(), small_site());
    let crawl = ["crawl", &site, "--dir", "h", "--delay", "0", "--allow-private", "--json"];
    let output = auslese(dir.path(), &crawl);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let end: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((&end["event"], &end["ended"]), (&"end".into(), &"done".into()));
    assert_eq!(end["downloaded"], 4, "three pages and robots.txt");

    let status = auslese(dir.path(), &["status", "--dir", "h", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&stdout(&status)).unwrap();
    assert_eq!((&status["captures"], &status["requests"]["queued"]), (&4.into(), &0.into()));

    let verify = auslese(dir.path(), &["archive", "verify", "--dir", "h"]);
    assert_eq!(verify.status.code(), Some(0), "{}", stdout(&verify));
    assert!(stdout(&verify).contains(": sound, "), "{}", stdout(&verify));
    let index = stdout(&auslese(dir.path(), &["archive", "index", "--dir", "h"]));
    assert_eq!(index.lines().count(), 4, "{index}");

    let missing = format!("{site}missing");
    let why = stdout(&auslese(dir.path(), &["why", &missing, "--dir", "h"]));
    assert!(why.contains(&format!("  on {site}\n")), "{why}");
    assert!(why.contains("status 404"), "{why}");

    let again = auslese(dir.path(), &crawl);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
}

#[test]
fn color_only_where_it_is_wanted() {
    let dir = empty();
    let plain = auslese(dir.path(), &["config", "check"]);
    assert!(!stderr(&plain).contains('\x1b'));
    let bright = auslese(dir.path(), &["config", "check", "--color", "always"]);
    assert!(stderr(&bright).contains("\x1b[1;31merror:"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_auslese"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

//! Rules of the corpus as people write them, mistakes included, over a small archive made by hand.

use super::{auslese, empty, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const GERMAN: &str = "<p>Die Universität ist eine Einrichtung für Forschung und Lehre, sagte der \
    Präsident gestern Abend in der Stadt, und alle haben es gehört.";
const ENGLISH: &str = "<p>The university is an institution for research and teaching in this town, \
    said the president yesterday, and everybody has heard it.";
/// More than is ever unpacked of a body.
const LONG: usize = (64 << 20) + 1_000;

/// A harvest in `h` with these documents: path, media type, body. Each came a day after the last.
fn harvest(documents: &[(&str, &str, &[u8])]) -> TempDir {
    let mut file = Vec::new();
    for (number, (path, media_type, body)) in documents.iter().enumerate() {
        let day = number + 1;
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n");
        let length = head.len() + body.len();
        let header = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number:08}>\r\n\
             WARC-Date: 2020-01-{day:02}T00:00:00Z\r\nWARC-Target-URI: http://www.uni.example{path}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n"
        );
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(head.as_bytes());
        file.extend_from_slice(body);
        file.extend_from_slice(b"\r\n\r\n");
    }
    let dir = empty();
    fs::write(dir.path().join("a.warc"), file).unwrap();
    let output = auslese(dir.path(), &["archive", "import", "a.warc", "--dir", "h"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("hint: `auslese corpus`"), "{}", stderr(&output));
    dir
}

/// Puts settings of `[corpus]` in force.
fn rules(dir: &Path, settings: &str) {
    fs::write(dir.join("h/auslese.toml"), format!("[corpus]\n{settings}\n")).unwrap();
}

#[track_caller]
fn json(dir: &Path, args: &[&str]) -> Value {
    let output = auslese(dir, &[args, &["--dir", "h", "--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn a_rule_that_fits_nothing_is_a_mistake() {
    let dir = harvest(&[("/a.html", "text/html", GERMAN.as_bytes())]);
    let dir = dir.path();
    let kept = json(dir, &["corpus"])["kept"].clone();
    assert_eq!(kept, 1);
    let mistakes = [
        ("languages = [\"German\"]", "\"German\" is not a language of two or three small letters"),
        ("languages = [\"DE\"]", "\"DE\" is not a language"),
        ("languages = [\"de-AT\"]", "\"de-AT\" is not a language"),
        ("mime_types = [\"html\"]", "\"html\" fits no media type"),
        ("leave = [\"/fb09/\"]", "did you mean \"*/fb09/*\"?"),
        ("keep = [\"\"]", "an empty pattern fits no address"),
    ];
    for (settings, complaint) in mistakes {
        rules(dir, settings);
        let output = auslese(dir, &["corpus", "--dir", "h"]);
        assert_eq!(output.status.code(), Some(2), "{settings}");
        assert!(stderr(&output).contains(complaint), "{settings}: {}", stderr(&output));
    }
    let output = auslese(dir, &["corpus", "--dir", "h", "--language", "German"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    rules(dir, "");
    assert_eq!(json(dir, &["status"])["corpus"]["kept"], kept, "nothing was judged by them");
}

#[test]
fn a_language_without_documents_is_told() {
    let documents =
        [("/a.html", "text/html", GERMAN.as_bytes()), ("/b.html", "text/html", ENGLISH.as_bytes())];
    let dir = harvest(&documents);
    let output = auslese(dir.path(), &["corpus", "--dir", "h", "--language", "deu"]);
    assert_eq!(output.status.code(), Some(0));
    let note = "note: no document is in the language deu; there are de, en";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
    let output = auslese(dir.path(), &["corpus", "--dir", "h", "--language", "de"]);
    assert!(!stderr(&output).contains("no document"), "{}", stderr(&output));
}

#[test]
fn tables_for_programs_are_whole() {
    let bodies: Vec<String> = (0..30).map(|n| format!("<p>{GERMAN}<x-{n}>")).collect();
    let paths: Vec<String> = (0..30).map(|n| format!("/{n}.s{n}")).collect();
    let documents: Vec<(&str, &str, &[u8])> = paths
        .iter()
        .zip(&bodies)
        .map(|(path, body)| (path.as_str(), "text/html", body.as_bytes()))
        .collect();
    let dir = harvest(&documents);
    let lines = |more: &[&str]| {
        let args = [&["stats", "suffixes", "--dir", "h"], more].concat();
        let output = auslese(dir.path(), &args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output).lines().count()
    };
    // 30 suffixes and the sum, below a heading; for people a title, and one row for the others.
    assert_eq!(lines(&["--format", "csv"]), 32);
    assert_eq!(lines(&["--format", "csv", "--limit", "3"]), 6);
    assert_eq!(lines(&[]), 24);
    assert_eq!(lines(&["--limit", "0"]), 33);
    assert_eq!(json(dir.path(), &["stats", "suffixes"])["suffixes"].as_array().unwrap().len(), 31);
    let both = ["stats", "suffixes", "--format", "csv", "--json", "--dir", "h"];
    assert_eq!(auslese(dir.path(), &both).status.code(), Some(2));
}

#[test]
fn a_body_too_long_to_be_unpacked_is_counted_whole_and_not_mirrored_in_part() {
    let dir = harvest(&[("/long.dat", "application/x-data", &vec![0; LONG])]);
    let dir = dir.path();
    let url = "http://www.uni.example/long.dat";
    rules(dir, "mime_types = []");
    json(dir, &["corpus"]);
    let told = json(dir, &["why", url]);
    assert_eq!(told["corpus"][0]["reason"], format!("{LONG} bytes, more than 500000"));
    rules(dir, "mime_types = []\nmax_size = \"1 GB\"");
    let report = json(dir, &["corpus"]);
    assert_eq!((&report["kept"], &report["mirror"]["failed"]), (&1.into(), &1.into()));
    assert!(!dir.join("h/mirror/www.uni.example@http/long.dat").exists());
    let output = auslese(dir, &["corpus", "--dir", "h"]);
    let told = format!("not mirrored: {url}: too long to be unpacked: ");
    assert!(stdout(&output).contains(&told), "{}", stdout(&output));
}

#[test]
fn a_file_that_does_not_say_who_made_it_is_not_damaged() {
    let dir = harvest(&[("/a.html", "text/html", GERMAN.as_bytes())]);
    let output = auslese(dir.path(), &["archive", "verify", "--dir", "h"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let told = "a.warc: whole, 1 records, 0 check sums; the first is not a warcinfo record\n";
    assert!(stdout(&output).ends_with(told), "{}", stdout(&output));
    assert!(!stderr(&output).contains("damaged"), "{}", stderr(&output));
}

#[test]
fn all_captures_of_one_import_are_versions() {
    let changed = GERMAN.replace("gestern", "heute");
    let documents: Vec<(&str, &str, &[u8])> = [GERMAN, GERMAN, &changed]
        .iter()
        .map(|body| ("/a.html", "text/html", body.as_bytes()))
        .collect();
    let dir = harvest(&documents);
    let url = "http://www.uni.example/a.html";
    let seen = || {
        let told = json(dir.path(), &["versions", url]);
        let versions = told["versions"].as_array().unwrap().iter();
        versions.map(|it| (it["at"].clone(), it["change"].clone(), it["diff"].clone())).collect()
    };
    let before: Vec<(Value, Value, Value)> = seen();
    let changes: Vec<&str> = before.iter().filter_map(|(_, change, _)| change.as_str()).collect();
    assert_eq!(changes, ["new", "unchanged", "changed"]);
    assert!(before[2].2.as_str().unwrap().contains("[-gestern-] {+heute+}"), "{before:?}");
    json(dir.path(), &["corpus"]);
    assert_eq!(seen(), before, "the round that was compared says the same");
    let text = stdout(&auslese(dir.path(), &["versions", url, "--dir", "h"]));
    assert!(text.contains("round –  2020-01-01T00:00:00Z  200  new\n"), "{text}");
    assert!(text.contains("round 1  2020-01-03T00:00:00Z  200  changed  +1 -1 words\n"), "{text}");
}

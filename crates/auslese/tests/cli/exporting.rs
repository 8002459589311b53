//! Exports as a user meets them: a harvest given away whole and in part, read by others, and all that can be wrong.

use super::{auslese, auslese_command, empty, skipped, stderr, stdout};
use auslese_testnet::demo;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[track_caller]
pub(super) fn done(dir: &Path, args: &[&str]) -> String {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// The sociologists and the library of the demo, harvested, described and indexed.
pub(super) fn university() -> TempDir {
    let net = demo::internet().start().unwrap();
    let dir = empty();
    let path = dir.path();
    fs::create_dir(path.join("h")).unwrap();
    let config = "[crawl]\nseeds = [\"http://soziologie.uni-hohenwerth.example/\", \
        \"https://bibliothek.uni-hohenwerth.example/\"]\n[crawl.politeness]\ndelay = \"0\"\n";
    fs::write(path.join("h/auslese.toml"), config).unwrap();
    fs::write(path.join("net.toml"), net.net_settings_toml()).unwrap();
    done(path, &["run", "--dir", "h", "--net", "net.toml", "--quiet"]);
    dir
}

fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(super) fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_harvest_given_away() {
    let dir = university();
    let path = dir.path();
    let report =
        done(path, &["export", "--format", "tei", "--out", "c.xml", "--json", "--dir", "h"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["bytes"], fs::metadata(path.join("c.xml")).unwrap().len());
    let tei = fs::read_to_string(path.join("c.xml")).unwrap();
    assert_eq!(tei.matches("<TEI xml:id=").count() as u64, report["documents"], "{report}");
    assert!(tei.contains(" cert=\"0."), "values have their certainty");
    validate(&path.join("c.xml"));

    // Selections are those of the search.
    let lines = ["export", "--format", "jsonl", "--out", "-", "--quiet", "--dir", "h"];
    let all = objects(&done(path, &lines));
    let kept = objects(&done(path, &[&lines[..], &["--kept"]].concat()));
    assert!(kept.len() < all.len(), "{} of {}", kept.len(), all.len());
    assert!(kept.iter().all(|line| line["corpus"]["keeping"] == "kept"));
    // Databases and their records are found, and are no documents.
    let question = "lang:de -source:record -source:database";
    let german = objects(&done(path, &[&lines[..], &["--query", question]].concat()));
    let search = done(path, &["search", question, "--json", "--dir", "h"]);
    let search: Value = serde_json::from_str(&search).unwrap();
    assert_eq!(search["results"]["total"], german.len());
    // Where the corpus could not tell, a paper says so itself.
    let language =
        |line: &Value| line["content"]["language"]["language"].as_str().map(str::to_owned);
    let told: Vec<String> = german.iter().filter_map(language).filter(|it| it != "und").collect();
    assert!(told.len() > 10 && told.iter().all(|it| it == "de"), "{told:?}");
    let host = "host=bibliothek.uni-hohenwerth.example";
    let library = objects(&done(path, &[&lines[..], &["--only", host]].concat()));
    assert!(!library.is_empty() && library.len() < all.len());
    assert!(library.iter().all(|line| line["host"] == host["host=".len()..]));

    // Folders: vertical text with its registry, servers for Heritrix, a file per document.
    done(path, &["export", "--format", "vertical", "--kept", "--out", "v", "--dir", "h"]);
    assert_eq!(names(&path.join("v")), ["corpus.vert", "registry"]);
    done(path, &["export", "--format", "heritrix", "--out", "x", "--dir", "h"]);
    let seeds = fs::read_to_string(path.join("x/seeds.txt")).unwrap();
    assert!(seeds.contains("https://bibliothek.uni-hohenwerth.example/\n"), "{seeds}");
    done(path, &["export", "--format", "text", "--split", "--out", "t", "--dir", "h"]);
    let table = fs::read_to_string(path.join("t/documents.tsv")).unwrap();
    let (file, _) = table.lines().nth(1).unwrap().split_once('\t').unwrap();
    assert!(path.join("t").join(file).is_file(), "{file}");
    let left: Vec<String> = names(path).into_iter().filter(|name| name.starts_with('.')).collect();
    assert!(left.is_empty(), "no drafts are left: {left:?}");
    complaints(path);
}

fn complaints(path: &Path) {
    #[rustfmt::skip]
    let cases: &[(&[&str], i32, &str)] = &[
        (&["--format", "word", "--out", "a"],                          2, "there is no such format; there are tei, "),
        (&["--format", "tei"],                                         2, "--out <PATH>"),
        (&["--format", "tei", "--out", "c.xml"],                       2, "c.xml is there already"),
        (&["--format", "vertical", "--split", "--out", "a"],           2, "vertical cannot be split into documents"),
        (&["--format", "parquet", "--split", "--out", "a"],            2, "parquet cannot be split into documents"),
        (&["--format", "heritrix", "--out", "-"],                      2, "a folder cannot be printed"),
        (&["--format", "tei", "--query", "title:(", "--out", "a"],     2, "error: "),
        (&["--format", "tei", "--query", "xyzzyx", "--out", "a"],      1, "there is no document to export"),
        (&["--format", "tei", "--out", "no/such/folder/a"],            1, "cannot write no/such/folder/a"),
    ];
    for (args, code, message) in cases {
        let output = auslese(path, &[&["export", "--dir", "h"], *args].concat());
        let complaint = stderr(&output);
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {complaint}");
        assert!(complaint.contains(message), "{args:?}: {complaint}");
        assert!(!path.join("a").exists(), "{args:?}");
    }
}

/// By the schema of the project, and by TEI's own where it is there.
fn validate(file: &Path) {
    if Command::new("xmllint").arg("--version").output().is_err() {
        return skipped("exporting::a_harvest_given_away", "xmllint is missing");
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../export/schema/auslese-tei.rng");
    let whole = std::env::var_os("AUSLESE_TEI_ALL").map(PathBuf::from);
    for schema in [own].into_iter().chain(whole) {
        let mut xmllint = Command::new("xmllint");
        xmllint.args(["--noout", "--nonet", "--relaxng"]).arg(&schema).arg(file);
        let output = xmllint.output().unwrap();
        assert!(output.status.success(), "{}: {}", schema.display(), stderr(&output));
    }
}

/// Killed in the midst of it, an export leaves nothing under its name, and the next one is not disturbed by what is left.
#[test]
fn a_killed_export() {
    let dir = university();
    let path = dir.path();
    for format in ["jsonl", "tei", "parquet"] {
        let left = kill_export(path, format);
        assert!(!path.join("out").exists(), "{format}");
        let args = ["export", "--format", format, "--out", "out", "--quiet", "--dir", "h"];
        done(path, &args);
        assert!(path.join("out").exists() && path.join(&left).exists(), "{format}: {left}");
        match path.join("out").is_dir() {
            true => fs::remove_dir_all(path.join("out")).unwrap(),
            false => fs::remove_file(path.join("out")).unwrap(),
        }
    }
}

/// Kills an export as soon as it has begun to write, and says what it left behind.
fn kill_export(path: &Path, format: &str) -> String {
    let args = ["export", "--format", format, "--out", "out", "--replace", "--dir", "h"];
    let known = names(path);
    let end = Instant::now() + Duration::from_secs(60);
    while Instant::now() < end {
        let mut child = auslese_command(path, &args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let draft = loop {
            let new = names(path)
                .into_iter()
                .find(|name| name.starts_with(".out.part-") && !known.contains(name));
            if new.is_some() || child.try_wait().unwrap().is_some() {
                break new;
            }
        };
        // It may have been quicker than that; then it is tried again.
        let _ = child.kill();
        child.wait().unwrap();
        if let (Some(draft), false) = (draft, path.join("out").exists())
            && path.join(&draft).exists()
        {
            return draft;
        }
        let _ = fs::remove_dir_all(path.join("out")).or_else(|_| fs::remove_file(path.join("out")));
    }
    panic!("{format} was never caught while it was written");
}

#[test]
fn formats() {
    let dir = empty();
    let listed = done(dir.path(), &["export", "formats"]);
    let json: Value =
        serde_json::from_str(&done(dir.path(), &["export", "formats", "--json"])).unwrap();
    let json = json.as_array().unwrap();
    assert_eq!(listed.lines().count(), json.len());
    for format in json {
        let name = format["name"].as_str().unwrap();
        assert!(listed.lines().any(|line| line.starts_with(name)), "{name}: {listed}");
    }
}

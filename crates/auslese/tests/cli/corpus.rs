//! The corpus as a user sees it: chosen, counted, explained, harvested again.

use super::{auslese, check_snapshot, empty, stderr, stdout};
use auslese_testnet::{Running, demo};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const CONFIG: &str = "[crawl]\nseeds = [\"http://linguistik.uni-hohenwerth.example/\"]\n\
    [crawl.politeness]\ndelay = \"0\"\n[corpus]\nlanguages = [\"de\"]\n[archive]\nmax_size = \"10 MB\"\n";
const PAGE: &str = "http://linguistik.uni-hohenwerth.example/korpus.html";

/// The institute of linguistics, harvested into `h`, with its corpus.
pub(super) fn institute() -> (Running, TempDir) {
    let net = demo::internet().start().unwrap();
    let dir = empty();
    fs::create_dir(dir.path().join("h")).unwrap();
    fs::write(dir.path().join("h/auslese.toml"), CONFIG).unwrap();
    fs::write(dir.path().join("net.toml"), net.net_settings_toml()).unwrap();
    done(dir.path(), &["crawl", "--dir", "h", "--net", "net.toml", "--quiet"]);
    (net, dir)
}

/// The output of a command that ends well.
#[track_caller]
fn done(dir: &Path, args: &[&str]) -> String {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn json(dir: &Path, args: &[&str]) -> Value {
    let text = done(dir, &[args, &["--dir", "h", "--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

#[track_caller]
fn has_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "{line:?} is missing in:\n{text}");
    }
}

#[test]
fn a_corpus_from_the_first_look_to_the_second_round() {
    let (net, dir) = institute();
    let dir = dir.path();
    before_it_is_chosen(dir);
    chosen(dir);
    of_any_size(dir);
    counted(dir);
    explained(dir);

    net.begin_second_round();
    let text = done(dir, &["recrawl", "--dir", "h", "--net", "net.toml", "--quiet"]);
    assert_eq!(text, "", "quiet is quiet");
    compared(dir);

    let text = done(dir, &["recrawl", "--dir", "h", "--net", "net.toml"]);
    has_lines(&text, &["\nround 3: ", " unchanged", "2 vanished\n"]);
    let lines = done(dir, &["recrawl", "--dir", "h", "--net", "net.toml", "--json"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |event: &str| lines.iter().find(|line| line["event"] == event).unwrap();
    assert_eq!(told("round")["round"], 4);
    assert_eq!(told("round")["documents"]["vanished"], 2);
    assert_eq!(told("corpus")["kept"], json(dir, &["status"])["corpus"]["kept"]);
    let statuses = json(dir, &["stats", "statuses"]);
    let codes = statuses["statuses"].as_array().unwrap().iter().map(|row| &row["status"]);
    assert!(codes.clone().any(|code| code == "200"));
    assert!(codes.clone().all(|code| code != "304"), "a confirmed page is what it was: {statuses}");
}

fn before_it_is_chosen(dir: &Path) {
    has_lines(&done(dir, &["status", "--dir", "h"]), &["corpus                 not chosen yet\n"]);
    let why = done(dir, &["why", PAGE, "--dir", "h"]);
    has_lines(&why, &["\ncorpus: not judged yet; `auslese corpus` does\n"]);
    has_lines(&done(dir, &["versions", PAGE, "--dir", "h"]), &["round –  ", "  200  new\n"]);
    let never = "http://linguistik.uni-hohenwerth.example/never.html";
    let output = auslese(dir, &["versions", never, "--dir", "h"]);
    assert_eq!(output.status.code(), Some(2));
    has_lines(&stderr(&output), &["never.html was never met", "hint: `auslese explain URL`"]);
}

fn chosen(dir: &Path) {
    let text = done(dir, &["corpus", "--dir", "h", "--quiet"]);
    has_lines(
        &text,
        &[
            "  left      1  size       too large\n",
            "  left      2  format     empty, or not what its header says\n",
            " bodies read out in ",
            " addresses judged in ",
            "mirror: ",
        ],
    );
    let again = json(dir, &["corpus", "--quiet"]);
    assert_eq!((&again["examined"], &again["requeued"]), (&Value::from(0), &Value::from(0)));
    let rules = again["rules"].as_array().unwrap();
    let sum: u64 = rules.iter().map(|rule| rule["addresses"].as_u64().unwrap()).sum();
    assert_eq!(again["addresses"], sum);
    assert!(again["judged_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!(again["mirror"]["written"], 0);
    let status = json(dir, &["status"]);
    assert_eq!(status["corpus"]["kept"], again["kept"]);
    assert_eq!(status["corpus"]["not_judged"], 0);
    assert_eq!(status["archive"]["max_bytes"], 10_000_000);
    let kept = again["kept"].as_u64().unwrap();
    let text = done(dir, &["status", "--dir", "h"]);
    has_lines(&text, &[&format!("corpus                 {kept} kept, "), " % of 10 MB\n"]);
}

/// Both limits of size can be taken away.
fn of_any_size(dir: &Path) {
    let config = CONFIG
        .replace("[corpus]\n", "[corpus]\nmax_size = \"none\"\n")
        .replace("\"10 MB\"", "\"none\"");
    fs::write(dir.join("h/auslese.toml"), config).unwrap();
    let shown = done(dir, &["config", "show", "--dir", "h"]);
    assert_eq!(shown.matches("\nmax_size = \"none\"  ").count(), 2, "{shown}");
    let corpus = json(dir, &["corpus", "--quiet"]);
    let rules = corpus["rules"].as_array().unwrap();
    assert!(rules.iter().all(|rule| rule["rule"] != "size"), "{corpus}");
    assert_eq!(json(dir, &["status"])["archive"]["max_bytes"], Value::Null);
    fs::write(dir.join("h/auslese.toml"), CONFIG).unwrap();
    done(dir, &["corpus", "--dir", "h", "--quiet"]);
}

fn counted(dir: &Path) {
    check_snapshot("stats-usual", dir, &["stats", "--dir", "h"]);
    check_snapshot("stats-types-csv", dir, &["stats", "types", "--format", "csv", "--dir", "h"]);
    check_snapshot("stats-rules-json", dir, &["stats", "rules", "--json", "--dir", "h"]);
    let several = ["stats", "types", "rules", "--format", "csv", "--dir", "h"];
    check_snapshot("stats-csv-of-several", dir, &several);
    check_snapshot("stats-no-such-table", dir, &["stats", "colours", "--dir", "h"]);

    let all = json(dir, &["stats", "all"]);
    let tables = all.as_object().unwrap();
    for (name, rows) in tables {
        for row in rows.as_array().unwrap_or_else(|| panic!("{name} is a table")) {
            for key in row.as_object().unwrap().keys() {
                let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                assert!(key.chars().all(is_plain), "{name}: {key}");
            }
        }
    }
    done(dir, &["stats", "all", "--format", "csv", "--out", "tables", "--dir", "h"]);
    let files = fs::read_dir(dir.join("tables")).unwrap().count();
    assert_eq!(files, tables.len(), "a file for each table");
    done(dir, &["stats", "all", "--format", "html", "--out", "s.html", "--dir", "h"]);
    let page = fs::read_to_string(dir.join("s.html")).unwrap();
    assert_eq!(page.matches("<table>").count(), tables.len());
    assert!(!page.contains("<script") && !page.contains("http-equiv"));
}

fn explained(dir: &Path) {
    let why = |page: &str| {
        let url = format!("http://linguistik.uni-hohenwerth.example/{page}");
        done(dir, &["why", &url, "--dir", "h"])
    };
    has_lines(
        &why("korpus.html"),
        &[
            "\ncorpus: kept, by the rule all (since ",
            "\n  title: Das Korpus",
            "\n  language: de (sure); ",
            "\n    de by the rule of the paper: yes; by the default rule: yes\n",
            "\n  exact copy: http://linguistik.uni-hohenwerth.example/archiv/korpus.html\n",
            "\n  file: mirror/linguistik.uni-hohenwerth.example@http/korpus.html\n",
            "\n  round 1: new, ",
        ],
    );
    has_lines(&why("korpus-druck.html"), &[" % the same as http://linguistik"]);
    has_lines(
        &why("handbuch/2.html"),
        &["part of the document that begins with", "handbuch/1.html"],
    );
    has_lines(&why("zweisprachig.html"), &["\n    paragraphs: de ", " %, en "]);
    has_lines(
        &why("skript.html"),
        &["\ncorpus: left, by the rule format", "labelled text/html, is PDF", "none in the mirror"],
    );
    let url = "http://linguistik.uni-hohenwerth.example/english.html";
    let told = json(dir, &["explain", url]);
    let document = &told["corpus"][0];
    assert_eq!((&document["keeping"], &document["rule"]), (&"left".into(), &"language".into()));
    let language = &document["language"];
    assert_eq!((&language["language"], &language["by_paper"]), (&"en".into(), &false.into()));
    assert_eq!(language["by_default"], false);
    assert_eq!(document["versions"][0]["change"], "new");
}

fn compared(dir: &Path) {
    check_snapshot("rounds-compare", dir, &["rounds", "compare", "--words", "8", "--dir", "h"]);
    let rounds = json(dir, &["rounds", "list"]);
    assert_eq!(rounds.as_array().unwrap().len(), 2);
    assert_eq!(rounds[1]["kind"], "recrawl");
    let words = json(dir, &["rounds", "compare"]);
    assert_eq!((&words["before"], &words["after"]), (&1.into(), &2.into()));
    let versions = done(dir, &["versions", PAGE, "--dir", "h"]);
    has_lines(
        &versions,
        &["\nround 2  ", "  200  changed  +5 -1 words\n", "[-viertausend-]", "{+fünftausend+}"],
    );
    let told = json(dir, &["versions", PAGE]);
    assert_eq!(
        (&told["versions"][1]["words_added"], &told["versions"][1]["change"]),
        (&5.into(), &"changed".into())
    );
    let html = done(dir, &["versions", PAGE, "--diff", "html", "--dir", "h"]);
    has_lines(&html, &["<del>viertausend</del>", "<ins>fünftausend</ins>"]);
    let gone = "http://linguistik.uni-hohenwerth.example/dansk.html";
    has_lines(
        &done(dir, &["why", gone, "--dir", "h"]),
        &["left, by the rule status", "gone: there was a document once", "round 2: vanished"],
    );
    let mistakes: [(&[&str], &str); 4] = [
        (&["rounds", "compare", "7"], "error: there is no round 7"),
        (&["rounds", "compare", "1"], "error: there is no round before round 1"),
        (&["rounds", "compare", "2", "1"], "error: round 2 is not earlier than round 1"),
        (&["rounds", "compare", "2", "2"], "error: round 2 is not earlier than round 2"),
    ];
    for (args, error) in mistakes {
        let output = auslese(dir, &[args, &["--dir", "h"]].concat());
        assert_eq!(output.status.code(), Some(2));
        has_lines(&stderr(&output), &[error]);
    }
}

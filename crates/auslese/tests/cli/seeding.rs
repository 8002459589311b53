//! Crawls that begin with records of others: objects of SOIF, and what becomes of what they say.

use super::{auslese, empty, stderr, stdout};
use auslese_testnet::demo;
use serde_json::Value;
use std::fs;
use std::path::Path;

const PAGE: &str = "http://soziologie.uni-hohenwerth.example/projekte/migration.html";
const HOME: &str = "http://soziologie.uni-hohenwerth.example/";

#[track_caller]
fn done(dir: &Path, args: &[&str]) -> String {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn soif(url: &str, attributes: &[(&str, &str)]) -> String {
    let lines: String = attributes
        .iter()
        .map(|(name, value)| format!("{name}{{{}}}:\t{value}\n", value.len()))
        .collect();
    format!("@FILE {{ {url}\n{lines}}}\n")
}

/// What is stated about a page by a rule: field, value, whether it is said aloud.
fn stated(dir: &Path, url: &str, rule: &str) -> Vec<(String, String, bool)> {
    done(dir, &["export", "--format", "jsonl", "--out", "all.jsonl", "--replace", "--dir", "h"]);
    let lines = fs::read_to_string(dir.join("all.jsonl")).unwrap();
    let documents = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let document = documents.into_iter().find(|it| it["url"] == url).unwrap();
    let statements = document["description"]["statements"].as_array().unwrap().iter();
    let of_rule =
        statements.filter(|it| it["rules"].as_array().unwrap().iter().any(|it| it == rule));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    of_rule.map(|it| (text(&it["field"]), text(&it["value"]), it["chosen"] == true)).collect()
}

#[test]
fn objects_of_soif_bring_documents_and_statements() {
    let net = demo::internet().start().unwrap();
    let dir = empty();
    let dir = dir.path();
    fs::write(dir.join("net.toml"), net.net_settings_toml()).unwrap();
    let first = soif(
        PAGE,
        &[
            ("Title", "Wanderung und Arbeit"),
            ("Title-Weight", "0.99"),
            ("Author", "Ina Beyer\nKurt Lang"),
            ("Size", "7"),
        ],
    );
    let other =
        soif("http://soziologie.uni-hohenwerth.example/gibt-es-nicht.html", &[("Title", "Nie")]);
    let strange = soif("gopher://alt.example/1", &[("Title", "Alt")]);
    fs::write(dir.join("alt.soif"), [first, other, strange].concat()).unwrap();
    let crawl = [
        "crawl", "--seeds", "alt.soif", "--delay", "0", "--dir", "h", "--net", "net.toml",
        "--quiet",
    ];
    let output = auslese(dir, &crawl);
    assert!(
        stderr(&output).contains("note: seeds: 1 objects have no web address"),
        "{}",
        stderr(&output)
    );

    // The documents themselves, and not what they link to.
    let status = done(dir, &["explain", PAGE, "--dir", "h", "--net", "net.toml"]);
    assert!(status.contains("200"), "{status}");
    let home = done(dir, &["explain", HOME, "--dir", "h", "--net", "net.toml"]);
    assert!(!home.contains("answered"), "{home}");

    done(dir, &["corpus", "--dir", "h", "--quiet"]);
    done(dir, &["describe", "--dir", "h", "--quiet"]);
    let said = stated(dir, PAGE, "soif");
    let said: Vec<(&str, &str, bool)> = said
        .iter()
        .map(|(field, value, chosen)| (field.as_str(), value.as_str(), *chosen))
        .collect();
    assert!(said.contains(&("title", "Wanderung und Arbeit", true)), "{said:?}");
    assert!(
        said.iter().any(|(field, value, _)| (*field, *value) == ("author", "Ina Beyer")),
        "{said:?}"
    );

    // Somebody knows better now; the run goes on, and only this document is described again.
    let title = ["Title", "Title-Weight"].into_iter().zip(["Pendeln", "0.99"]);
    let title: Vec<(&str, &str)> = title.collect();
    fs::write(dir.join("alt.soif"), soif(PAGE, &title)).unwrap();
    auslese(dir, &crawl);
    let again = done(dir, &["describe", "--dir", "h", "--quiet", "--json"]);
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!((&again["described"], &again["continued"]), (&1.into(), &true.into()), "{again}");
    let said = stated(dir, PAGE, "soif");
    assert_eq!(said, [("title".to_owned(), "Pendeln".to_owned(), true)]);
    let again = done(dir, &["describe", "--dir", "h", "--quiet", "--json"]);
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["described"], 0, "{again}");

    let output = auslese(dir, &["crawl", "--seeds", "missing.soif", "--dir", "other"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("missing.soif"), "{}", stderr(&output));
}

/// What a repository records about a paper stands beside what the paper says.
#[test]
fn records_of_repositories_describe_documents() {
    let dir = empty();
    done(dir.path(), &["demo", "--no-serve"]);
    fs::rename(dir.path().join("auslese-demo"), dir.path().join("h")).unwrap();
    let truth = demo::database_truth();
    let mut seen = 0;
    for record in truth.records_later.iter().filter(|record| !record.deleted) {
        let value = |wanted: &str| {
            record.fields.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str())
        };
        let Some(url) =
            value("identifier").filter(|it| it.ends_with(".pdf") || it.ends_with(".ps"))
        else {
            continue;
        };
        if seen == 3 {
            break;
        }
        let said = stated(dir.path(), url, "oai-dc");
        let title = value("title").unwrap();
        assert!(
            said.iter().any(|(field, value, _)| field == "title" && value == title),
            "{url}: {said:?}"
        );
        seen += 1;
    }
    assert_eq!(seen, 3);
}

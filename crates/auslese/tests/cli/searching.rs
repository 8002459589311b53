//! Searching as a user meets it: a foreign collection, a harvest that is killed while it is indexed, terms of
//! other vocabularies, concordances that equal a count by hand, and everything that can be wrong.

use super::{auslese, auslese_command, empty, stderr, stdout};
use auslese_search::{DocumentsRequest, IndexDir, Searcher};
use auslese_testnet::demo;
use regex::Regex;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;

#[track_caller]
fn done(dir: &Path, args: &[&str]) -> String {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

#[track_caller]
fn json(dir: &Path, args: &[&str]) -> Value {
    let text = done(dir, &[args, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

#[track_caller]
fn complaint(dir: &Path, args: &[&str], code: i32) -> String {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stdout(&output));
    stderr(&output)
}

/// Addresses of the hits of a question.
#[track_caller]
fn found(dir: &Path, args: &[&str]) -> Vec<String> {
    let answer = json(dir, args);
    let hits = answer["results"]["hits"].as_array().unwrap();
    hits.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
}

const COLLECTION: &str = r#"{"id": "d1", "title": "Die Bibliothek", "text": "Bücher und Zeitschriften in der Universitätsbibliothek.", "lang": "de"}
{"id": "d2", "title": "Libraries", "text": "Books and journals in the university library.", "lang": "en", "subjects": [{"term": "Bibliothek", "weight": 0.9}]}
{"id": "d3", "title": "Wetter", "text": "Es regnet, und morgen regnet es wieder.", "lang": "de"}
"#;

#[test]
fn a_foreign_collection() {
    let dir = empty();
    let path = dir.path();
    fs::write(path.join("c.jsonl"), COLLECTION).unwrap();
    let told = done(path, &["search", "index", "--from", "c.jsonl", "--dir", "c"]);
    assert!(told.starts_with("3 documents in "), "{told}");
    // A compound has its parts, and a subject counts as what it says.
    let mut hits = found(path, &["search", "Bibliotheken", "--dir", "c"]);
    hits.sort();
    assert_eq!(hits, ["d1", "d2"]);
    assert_eq!(found(path, &["search", "keyword:Bibliothek", "--dir", "c"]), ["d2"]);
    assert_eq!(found(path, &["search", "regnen", "lang:de", "--dir", "c"]), ["d3"]);

    fs::write(path.join("q.tsv"), "7\tlibrary books AND\n8\tWetter\n").unwrap();
    let run = done(path, &["search", "--dir", "c", "--batch", "q.tsv", "--format", "trec"]);
    let lines: Vec<Vec<&str>> = run.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!(
        (lines[0][0], lines[0][1], lines[0][2], lines[0][3]),
        ("7", "Q0", "d2", "1"),
        "{run}"
    );
    assert!(lines.iter().any(|line| line[0] == "8" && line[2] == "d3"), "{run}");
    assert!(lines.iter().all(|line| line.len() == 6 && line[5] == "auslese"), "{run}");

    fs::write(path.join("bad.jsonl"), format!("{COLLECTION}{{\"id\": 4\n")).unwrap();
    let output = auslese(path, &["search", "index", "--from", "bad.jsonl", "--dir", "c"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("bad.jsonl: line 4: "), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 lines could not be read"), "{}", stdout(&output));
    assert_eq!(found(path, &["search", "Wetter", "--dir", "c"]), ["d3"], "the others are there");

    let lines = done(path, &["kwic", "regnet", "--dir", "c", "--format", "csv"]);
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let similar = done(path, &["search", "similar", "d1", "--dir", "c"]);
    assert!(!similar.contains("d1\n"), "{similar}");
}

#[test]
fn what_can_be_wrong_with_a_question() {
    let dir = empty();
    let path = dir.path();
    fs::write(path.join("c.jsonl"), COLLECTION).unwrap();
    done(path, &["search", "index", "--from", "c.jsonl", "--dir", "c"]);
    let cases: &[(&[&str], &str)] = &[
        (&["search", "title:(Haus", "--dir", "c"], "\n        ^\n"),
        (&["search", "colour:red", "--dir", "c"], "colour"),
        (&["search", "/((a*)*)*{1000}{1000}/", "--dir", "c"], "expected: "),
        (&["search", "--dir", "c"], "hint: `auslese search WORDS`"),
        (&["search", "x", "--dir", "nowhere"], "there is no search index in nowhere/index"),
        (&["search", "x", "--only", "colour=red", "--dir", "c"], "there is no such facet"),
        (&["kwic", "(a", "--dir", "c"], "^"),
        (&["kwic", "--dir", "c"], "there is no query"),
        (&["kwic", "a", "--subcorpus", "none", "--dir", "c"], "there is no selection none"),
        (&["vocabulary", "show", "none", "--dir", "c"], "there is no vocabulary none"),
    ];
    for (args, part) in cases {
        let said = complaint(path, args, 2);
        assert!(said.contains(part), "{args:?}: {part:?} in {said}");
    }
    let anew = path.join("c/index/meta.json");
    fs::write(anew, "{").unwrap();
    let said = complaint(path, &["search", "x", "--dir", "c"], 4);
    assert!(said.contains("hint: `auslese search index --anew`"), "{said}");
}

#[test]
fn vocabularies_and_their_mistakes() {
    let dir = empty();
    let path = dir.path();
    let turtle = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n\
        <http://a.example/1> a skos:Concept ; skos:prefLabel \"Arbeit\"@de ; skos:broader <http://a.example/2> .\n\
        <http://a.example/2> a skos:Concept ; skos:prefLabel \"Leben\"@de ; skos:broader <http://a.example/1> .\n";
    fs::write(path.join("a.ttl"), turtle).unwrap();
    let output = auslese(path, &["vocabulary", "import", "a.ttl", "--dir", "c"]);
    assert_eq!(stdout(&output), "a: 2 concepts\n", "{}", stderr(&output));
    assert!(stderr(&output).contains("a.ttl"), "the circle is told: {}", stderr(&output));
    assert!(done(path, &["vocabulary", "show", "a", "--dir", "c"]).contains("circles"));
    assert!(done(path, &["vocabulary", "show", "a", "leben", "--dir", "c"]).starts_with("Leben\n"));

    fs::write(
        path.join("b.ttl"),
        format!("{turtle}\n<http://a.example/3> a skos:Concept ;;\n  \""),
    )
    .unwrap();
    let said = complaint(path, &["vocabulary", "import", "b.ttl", "--dir", "c"], 2);
    assert!(Regex::new(r"b\.ttl:[67]").unwrap().is_match(&said), "{said}");

    let mapping = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n\
        <http://a.example/1> skos:exactMatch <http://b.example/9> .\n";
    fs::write(path.join("m.ttl"), mapping).unwrap();
    let output = auslese(path, &["vocabulary", "import", "m.ttl", "--dir", "c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 mappings wait"), "{}", stderr(&output));
    assert!(stderr(&output).contains("m.ttl:2"), "{}", stderr(&output));
    assert!(done(path, &["vocabulary", "list", "--dir", "c"]).contains("1 waiting"));
    assert_eq!(done(path, &["vocabulary", "remove", "a", "--dir", "c"]), "a was removed\n");
}

/// Killed at any moment, the index is complete after the next run.
#[test]
fn indexing_survives_kills() {
    let dir = empty();
    let path = dir.path();
    done(path, &["bench", "make-harvest", "--pages", "600", "--dir", "h"]);
    for milliseconds in [20, 60, 120, 200, 320, 500] {
        let mut child = auslese_command(path, &["search", "index", "--anew", "--dir", "h"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        // It may have ended; a harvest must be whole in either case.
        let _ = child.kill();
        child.wait().unwrap();
        let _ = auslese(path, &["search", "*", "--dir", "h"]);
    }
    let report = json(path, &["search", "index", "--dir", "h"]);
    assert_eq!(report["documents"], 600, "{report}");
    let all = json(path, &["search", "*", "--dir", "h"]);
    assert_eq!(all["results"]["total"], 600);
    let before = found(path, &["search", "Forschung Bibliothek", "--limit", "50", "--dir", "h"]);
    done(path, &["search", "index", "--anew", "--dir", "h"]);
    let after = found(path, &["search", "Forschung Bibliothek", "--limit", "50", "--dir", "h"]);
    assert_eq!(before, after);
    let again = json(path, &["search", "index", "--dir", "h"]);
    assert_eq!((&again["indexed"], &again["removed"]), (&0.into(), &0.into()), "{again}");

    // What is taken out of the archive is not found any more.
    let url = &before[0];
    done(path, &["archive", "remove", url, "--reason", "test", "--yes", "--dir", "h"]);
    let left = found(path, &["search", "Forschung Bibliothek", "--limit", "50", "--dir", "h"]);
    assert!(!left.contains(url), "{left:?}");
    assert_eq!(json(path, &["search", "*", "--dir", "h"])["results"]["total"], 599);
}

/// The sociologists and the library of the demo, with their vocabularies.
fn university() -> TempDir {
    let net = demo::internet().start().unwrap();
    let dir = empty();
    let path = dir.path();
    fs::create_dir(path.join("h")).unwrap();
    let config = "[crawl]\nseeds = [\"http://soziologie.uni-hohenwerth.example/\", \
        \"https://bibliothek.uni-hohenwerth.example/\"]\n[crawl.politeness]\ndelay = \"0\"\n";
    let collections: String = [("soziologie", "sozialthesaurus"), ("bibliothek", "schlagwoerter")]
        .map(|(name, vocabulary)| {
            format!(
                "[[search.collections]]\nname = \"{name}\"\n\
                 hosts = [\"{name}.uni-hohenwerth.example\"]\nvocabulary = \"{vocabulary}\"\n"
            )
        })
        .concat();
    fs::write(path.join("h/auslese.toml"), format!("{config}{collections}")).unwrap();
    fs::write(path.join("net.toml"), net.net_settings_toml()).unwrap();
    done(path, &["run", "--dir", "h", "--net", "net.toml", "--quiet"]);
    for (name, text) in demo::VOCABULARIES {
        fs::write(path.join(name), text).unwrap();
        done(path, &["vocabulary", "import", name, "--dir", "h"]);
    }
    dir
}

#[test]
fn a_term_of_one_vocabulary_finds_what_the_other_has() {
    let dir = university();
    let path = dir.path();
    let cases = [
        // Headings of the library, found among the sociologists.
        ("Berufsverkehr", "http://soziologie.uni-hohenwerth.example/projekte/pendler.html"),
        ("Mühlenwesen", "http://soziologie.uni-hohenwerth.example/projekte/betrieb.html"),
    ];
    for (question, url) in cases {
        let ask = |more: &[&str]| {
            found(path, &[&["search", question, "--limit", "100", "--dir", "h"], more].concat())
        };
        let (with, without) = (ask(&[]), ask(&["--transfer", "off"]));
        assert!(with.iter().any(|it| it == url), "{question}: {url} in {with:?}");
        assert!(!without.iter().any(|it| it == url), "{question}: {url} in {without:?}");
    }
    let question = "Berufsverkehr";
    let with = found(path, &["search", question, "--limit", "100", "--dir", "h"]);
    let text = done(path, &["search", question, "--limit", "100", "--dir", "h"]);
    assert!(text.contains("also searched: "), "{text}");
    assert!(text.contains("found by "), "{text}");
    let explained = json(path, &["search", "transfer", "explain", question, "--dir", "h"]);
    let transfers: Vec<&Value> = explained["collections"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it["transfers"].as_array().unwrap())
        .filter(|it| it["active"] == true && it["source"]["kind"] == "concordance")
        .collect();
    assert!(!transfers.is_empty(), "{explained}");
    let id = transfers[0]["id"].as_str().unwrap();
    let switched =
        found(path, &["search", question, "--limit", "100", "--switch-off", id, "--dir", "h"]);
    assert!(switched.len() < with.len(), "{switched:?} {with:?}");
}

#[test]
fn concordances_equal_a_count_by_hand() {
    let dir = university();
    let path = dir.path();
    let index = IndexDir::open(&path.join("h/index")).unwrap();
    let searcher = Searcher::open(&[index]).unwrap();
    let texts: Vec<String> = searcher
        .documents(&DocumentsRequest::default())
        .unwrap()
        .map(|stored| stored.unwrap().document)
        .filter(|document| document.kept != auslese_search::Kept::Left)
        .map(|document| document.text)
        .collect();
    for word in ["und", "Arbeit", "Universität", "die", "nirgendwo"] {
        let pattern =
            format!(r"(?i)(^|[^\p{{L}}\p{{N}}\p{{M}}-]){word}($|[^\p{{L}}\p{{N}}\p{{M}}-])");
        let pattern = Regex::new(&pattern).unwrap();
        // Hits share the blank between them, so each search begins behind the word.
        let by_hand: usize = texts
            .iter()
            .map(|text| {
                let (mut count, mut at) = (0, 0);
                while let Some(hit) = pattern.captures_at(text, at) {
                    count += 1;
                    at = hit.get(2).unwrap().start();
                    if at >= text.len() {
                        break;
                    }
                }
                count
            })
            .sum();
        let page = json(path, &["kwic", word, "--dir", "h", "--across-sentences"]);
        assert_eq!(page["hits"], by_hand, "{word}");
    }
    let sample = |seed| {
        done(
            path,
            &["kwic", "und", "--sample", "5", "--seed", seed, "--dir", "h", "--format", "tsv"],
        )
    };
    assert_eq!(sample("7"), sample("7"));
    assert_ne!(sample("7"), sample("8"));
    let sorted = json(path, &["kwic", "und", "--sort", "R1", "--width", "1w", "--dir", "h"]);
    let right: Vec<String> = sorted["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| auslese_words::fold(line["right"].as_str().unwrap().trim()))
        .collect();
    let mut in_order = right.clone();
    in_order.sort_by_key(|word| word.replace("ae", "a").replace("oe", "o").replace("ue", "u"));
    let first_letters = |words: &[String]| -> Vec<Option<char>> {
        words.iter().map(|word| word.chars().next()).collect()
    };
    assert_eq!(first_letters(&right), first_letters(&in_order));
    done(
        path,
        &[
            "kwic",
            "und",
            "--only",
            "host=soziologie.uni-hohenwerth.example",
            "--save-as",
            "sozio",
            "--dir",
            "h",
        ],
    );
    let listed = done(path, &["kwic", "--list-subcorpora", "--dir", "h"]);
    assert!(listed.contains("sozio") && listed.contains("host=soziologie"), "{listed}");
    let narrow = json(path, &["kwic", "und", "--subcorpus", "sozio", "--dir", "h"]);
    let wide = json(path, &["kwic", "und", "--dir", "h"]);
    assert!(narrow["hits"].as_u64() < wide["hits"].as_u64());
}

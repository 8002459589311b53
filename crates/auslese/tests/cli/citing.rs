//! Citations as a user meets them: found in the bibliographies of a small harvest, listed, followed, and
//! heard as evidence for what documents are called.

use super::{auslese, empty, stderr, stdout};
use auslese_testnet::{Internet, Site};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const RINGS: &str = "http://www.uni.example/ringe.html";
const MODULES: &str = "http://www.uni.example/moduln.html";
const SURVEY: &str = "http://www.uni.example/bericht.html";
const NAMELESS: &str = "http://www.uni.example/x17.html";

fn paper(title: &str, author: &str, year: u16, entries: &[&str]) -> String {
    let entries: String = entries.iter().map(|entry| format!("<li>{entry}</li>")).collect();
    let entries = match entries.as_str() {
        "" => String::new(),
        entries => format!("<h2>Literatur</h2><ol>{entries}</ol>"),
    };
    format!(
        "<html lang='de'><head><title>{title}</title><meta name='citation_title' content='{title}'>\
         <meta name='citation_author' content='{author}'>\
         <meta name='citation_publication_date' content='{year}'></head><body><h1>{title}</h1>\
         <p>Von {author}, 12. März {year}</p>\
         <p>Wir betrachten in dieser Arbeit einige Fragen, die seit langem offen sind, und geben auf \
         zwei davon eine Antwort.</p>{entries}</body></html>"
    )
}

/// A survey cites two papers and a page that does not say what it is; one of the papers cites the other.
fn harvest() -> TempDir {
    let site = Site::new("http://www.uni.example")
        .page(
            "/",
            "<title>Institut</title><a href='/ringe.html'>a</a> <a href='/moduln.html'>b</a> \
             <a href='/bericht.html'>c</a> <a href='/x17.html'>d</a>",
        )
        .page("/ringe.html", paper("Ringe über schmalen Körpern", "Ingrid Sattler", 1998, &[]))
        .page(
            "/moduln.html",
            paper(
                "Moduln und ihre Schatten",
                "Uwe Großmann",
                2003,
                &[
                    "I. Sattler, Ringe über schmalen Körpern, Abhandlungen 35 (1998), 12–29.",
                    "Meier, Eva, 1999: Ein Buch, das niemand hat. Ulm: Verlag.",
                ],
            ),
        )
        .page(
            "/bericht.html",
            paper(
                "Was man über Körper weiß",
                "Paula Hartwig",
                2005,
                &[
                    "U. Meier and E. Schulze. Lattices without end. Math. Notes, 31:9–40, 1978.",
                    "Großmann, Uwe: Moduln und ihre Schatten. In: Notizen 4 (2003), S. 3–22",
                    "Yilmaz, Gül (2001): Tabellen kleiner Körper. http://www.uni.example/x17.html",
                    "Sattler, I. (1998): Ringe über schmalen Körpern. Abhandlungen 35, S. 12–29.",
                ],
            ),
        )
        .page("/x17.html", "<p>17</p>");
    let net = Internet::new().site(site).start().unwrap();
    let dir = empty();
    fs::create_dir(dir.path().join("h")).unwrap();
    let config =
        "[crawl]\nseeds = [\"http://www.uni.example/\"]\n[crawl.politeness]\ndelay = \"0\"\n";
    fs::write(dir.path().join("h/auslese.toml"), config).unwrap();
    fs::write(dir.path().join("net.toml"), net.net_settings_toml()).unwrap();
    done(dir.path(), &["crawl", "--dir", "h", "--net", "net.toml", "--quiet"]);
    done(dir.path(), &["corpus", "--dir", "h", "--quiet"]);
    dir
}

/// The output of a command that ends well.
#[track_caller]
fn done(dir: &Path, args: &[&str]) -> String {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

#[track_caller]
fn json(dir: &Path, args: &[&str]) -> Value {
    let text = done(dir, &[args, &["--json", "--dir", "h"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

fn edges(dir: &Path) -> Vec<(String, String)> {
    let lines = done(dir, &["citations", "--json", "--dir", "h"]);
    let edge = |line: &str| {
        let edge: Value = serde_json::from_str(line).unwrap();
        assert!((0.6..=1.0).contains(&edge["score"].as_f64().unwrap()), "{edge}");
        let end = |name: &str| edge[name].as_str().unwrap().to_owned();
        (end("citing"), end("cited"))
    };
    let mut edges: Vec<(String, String)> = lines.lines().map(edge).collect();
    edges.sort();
    edges
}

#[test]
fn documents_that_cite_each_other() {
    let dir = harvest();
    let dir = dir.path();
    let early = auslese(dir, &["citations", "--dir", "h"]);
    assert_eq!(early.status.code(), Some(2));
    has(&stderr(&early), &["nothing was described yet", "hint: `auslese describe`"]);
    done(dir, &["describe", "--dir", "h", "--quiet"]);

    let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let expected =
        [pair(SURVEY, MODULES), pair(SURVEY, RINGS), pair(SURVEY, NAMELESS), pair(MODULES, RINGS)];
    assert_eq!(edges(dir), expected);
    let text = done(dir, &["citations", "--dir", "h"]);
    has(&text, &[&format!("{MODULES} → {RINGS}  0.97  title, author, year\n")]);
    one_document(dir);
    explained(dir);
    cited_as(dir);

    done(dir, &["describe", "--dir", "h", "--quiet"]);
    assert_eq!(edges(dir), expected, "nothing was new");
    done(dir, &["describe", "--anew", "--dir", "h", "--quiet"]);
    assert_eq!(edges(dir), expected, "another run");

    let why = ["--reason", "withdrawn", "--yes"];
    done(dir, &[&["archive", "remove", SURVEY, "--dir", "h"][..], &why].concat());
    assert_eq!(edges(dir), [pair(MODULES, RINGS)]);
    let why = done(dir, &["explain", NAMELESS, "--dir", "h"]);
    assert!(!why.contains("cited-as"), "the survey said so, and is gone: {why}");
}

fn one_document(dir: &Path) {
    let text = done(dir, &["citations", MODULES, "--distance", "2", "--dir", "h"]);
    has(
        &text,
        &[
            "\n    1  I. Sattler, Ringe über schmalen Körpern, Abhandlungen 35 (1998), 12–29.\n",
            "authors: I. Sattler | title: Ringe über schmalen Körpern | year: 1998 | \
             in: Abhandlungen | pages: 12–29\n",
            &format!("       → {RINGS}  0.97  title, author, year\n"),
            "authors: Eva Meier | title: Ein Buch, das niemand hat | year: 1999",
            &format!("\ncited by\n  {SURVEY}, entry 2  0.97"),
            &format!("\nwithin 2 steps\n  1  {RINGS}\n  1  {SURVEY}\n  2  {NAMELESS}\n"),
        ],
    );
    let story = json(dir, &["citations", SURVEY]);
    let references = story["references"].as_array().unwrap();
    assert_eq!(references.len(), 4, "{story}");
    assert_eq!(references[0]["parts"]["authors"][1]["family"], "Schulze");
    assert!(references[0].get("cites").is_none());
    assert_eq!(references[2]["cites"]["by"][0], "address");
    assert_eq!(story["cited_by"].as_array().unwrap().len(), 0);
    assert_eq!(story["neighbours"].as_array().unwrap().len(), 3);

    let nowhere = auslese(dir, &["citations", "http://www.uni.example/y", "--dir", "h"]);
    assert_eq!(nowhere.status.code(), Some(2));
    has(&stderr(&nowhere), &["has not described http://www.uni.example/y"]);
    let nothing = auslese(dir, &["citations", "--run", "99", "--dir", "h"]);
    assert_eq!(nothing.status.code(), Some(2));
    has(&stderr(&nothing), &["there is no run 99", "runs list"]);
}

fn explained(dir: &Path) {
    let args = ["heuristics", "explain", SURVEY, "--field", "references"];
    let text = done(dir, &[&args[..], &["--dir", "h"]].concat());
    has(
        &text,
        &[
            "\nreferences, taken apart\n",
            "authors: U. Meier, E. Schulze | title: Lattices without end | year: 1978",
            &format!("       → {MODULES}  0.97  title, author, year\n"),
        ],
    );
    let explained = json(dir, &args);
    assert_eq!(explained["references"][3]["cites"]["url"], RINGS);
    // A file is in no harvest.
    fs::write(
        dir.join("a.html"),
        paper(
            "Was man weiß",
            "Eva Meier",
            2001,
            &["I. Sattler, Ringe über schmalen Körpern, Abhandlungen 35 (1998), 12–29."],
        ),
    )
    .unwrap();
    let text = done(dir, &["heuristics", "explain", "a.html", "--field", "references"]);
    has(&text, &["\nreferences, taken apart\n", "authors: I. Sattler | title: Ringe"]);
    assert!(!text.contains("→"), "{text}");
}

/// A page that does not say what it is bears the title and the author it is cited with.
fn cited_as(dir: &Path) {
    let why = done(dir, &["explain", NAMELESS, "--dir", "h"]);
    has(&why, &["Tabellen kleiner Körper", "Gül Yilmaz", "cited-as"]);
    let run = done(dir, &["runs", "export", "--format", "jsonl", "--dir", "h"]);
    // Others are cited, too, and which of them comes first depends on the crawl.
    let its_own = format!("\"id\":\"{NAMELESS}\"");
    let said = run.lines().find(|line| line.contains(&its_own)).unwrap();
    has(said, &["cited-as", SURVEY]);
    let why = done(dir, &["explain", RINGS, "--dir", "h"]);
    assert!(!why.contains("cited-as"), "it speaks for itself: {why}");
}

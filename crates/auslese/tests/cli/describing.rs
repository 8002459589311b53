//! Descriptions as a user meets them: of a harvest and of files, explained, compared, marked, and with
//! heuristics of one's own.

use super::{auslese, auslese_command, empty, stderr, stdout};
use auslese_testnet::demo;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const CONFIG: &str = "[crawl]\nseeds = [\"http://soziologie.uni-hohenwerth.example/\"]\n\
    [crawl.politeness]\ndelay = \"0\"\n";
const PAGE: &str = "http://soziologie.uni-hohenwerth.example/projekte/migration.html";

/// The institute of sociology, harvested into `h` by `auslese run`, and described with the paper's
/// heuristics before.
fn institute() -> TempDir {
    let net = demo::internet().start().unwrap();
    let dir = empty();
    fs::create_dir(dir.path().join("h")).unwrap();
    fs::write(dir.path().join("h/auslese.toml"), CONFIG).unwrap();
    fs::write(dir.path().join("net.toml"), net.net_settings_toml()).unwrap();
    done(dir.path(), &["crawl", "--dir", "h", "--net", "net.toml", "--quiet"]);
    done(dir.path(), &["corpus", "--dir", "h", "--quiet"]);
    done(dir.path(), &["describe", "--heuristics", "carmen", "--dir", "h", "--quiet"]);
    done(dir.path(), &["run", "--dir", "h", "--net", "net.toml", "--quiet"]);
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
    let text = done(dir, &[args, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

/// What a command complains of, with this exit code.
#[track_caller]
fn complaint(dir: &Path, args: &[&str], code: i32) -> String {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_harvest_described_compared_and_marked() {
    let dir = institute();
    let dir = dir.path();
    runs(dir);
    explained(dir);
    marked(dir);
    surveyed(dir);
    exchanged(dir);
}

fn runs(dir: &Path) {
    let listed = json(dir, &["runs", "list", "--dir", "h"]);
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|run| run["heuristics"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2, "{listed}");
    assert!(names.contains(&"carmen") && names.contains(&"default"), "{listed}");

    let again = json(dir, &["describe", "--dir", "h", "--quiet"]);
    assert_eq!((&again["described"], &again["continued"]), (&0.into(), &true.into()));
    let text = done(dir, &["describe", "--dir", "h", "--quiet"]);
    has(&text, &["field ", "of high weight", "title ", "nothing was new\n"]);

    let text = done(dir, &["runs", "compare", "--dir", "h"]);
    has(&text, &["gained", "lost", "changed", "\ntitle ", "carmen-title<4> → title<"]);
    let compared =
        json(dir, &["runs", "compare", "--field", "title", "--limit", "3", "--dir", "h"]);
    assert_eq!(compared["differences"].as_array().unwrap().len(), 3, "{compared}");
    assert!(compared["fields"]["title"]["changed"].as_u64() > Some(10), "{compared}");
    assert!(compared["fields"].get("author").is_none(), "{compared}");
    has(
        &complaint(dir, &["runs", "compare", "998", "999", "--dir", "h"], 2),
        &["998", "runs list"],
    );
}

/// Which rule of the paper fires on the page that was made for it, and why the others do not.
fn explained(dir: &Path) {
    for truth in demo::description_truth() {
        let args =
            ["heuristics", "explain", truth.url, "--heuristics", "carmen", "--field", "title"];
        let text = done(dir, &[&args[..], &["--dir", "h"]].concat());
        assert!(!text.contains("keywords.heur"), "only names that had a part in it: {text}");
        for rule in 1..=8 {
            let at = text.find(&format!("\n  <{rule}> ")).unwrap_or_else(|| panic!("{text}"));
            let verdict = text[at + 1..].lines().nth(1).unwrap().trim_start();
            let fires = truth.paper.is_some_and(|(fires, _)| fires == rule);
            assert_eq!(verdict.starts_with("fired ["), fires, "{} <{rule}>: {text}", truth.url);
            let reason = ["fired [", "no: ", "not reached: "];
            assert!(reason.iter().any(|it| verdict.starts_with(it)), "{verdict}");
        }
    }
    let why = done(dir, &["explain", PAGE, "--dir", "h"]);
    has(
        &why,
        &["\ndescription: by run ", "Migration im Werthtal", "\n  home page http://soziologie."],
    );
    let pdf = "http://soziologie.uni-hohenwerth.example/preprints/12.pdf";
    let why = done(dir, &["explain", pdf, "--dir", "h"]);
    has(&why, &["Greeting Rules in Small Valleys", "landing-page", "\n  announced by http://"]);
    let paper = done(dir, &["heuristics", "run", pdf, "--dir", "h"]);
    has(&paper, &["Greeting Rules in Small Valleys", "title<"]);
    let page = done(dir, &["heuristics", "run", PAGE, "--dir", "h"]);
    has(&page, &["Migration im Werthtal", "title<"]);
}

fn marked(dir: &Path) {
    let add = |more: &[&str]| done(dir, &[&["marks", "add", PAGE, "--dir", "h"], more].concat());
    add(&["--field", "title", "--right", "Migration im Werthtal"]);
    add(&["--field", "author", "--wrong", "Max Muster", "--by", "eva", "--note", "nie gehört"]);
    add(&["--field", "date", "--missing", "1999-01"]);
    add(&["--field", "abstract", "--absent"]);
    add(&["--relevant"]);
    let listed = json(dir, &["marks", "list", "--dir", "h"]);
    let listed = listed.as_array().unwrap();
    let kinds: Vec<&str> = listed.iter().map(|it| it["mark"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["right", "wrong", "missing", "absent", "relevant"]);
    assert_eq!((&listed[1]["by"], &listed[1]["note"]), (&"eva".into(), &"nie gehört".into()));

    let table = json(dir, &["marks", "table", "--dir", "h"]);
    let row = |field: &str| {
        let rows = table.as_array().unwrap();
        rows.iter().find(|row| row["field"] == field).unwrap_or_else(|| panic!("{field}: {table}"))
    };
    assert_eq!((&row("title")["right"], &row("title")["missing"]), (&1.into(), &0.into()));
    assert_eq!(row("date")["missing"], 1);
    let measured = json(dir, &["heuristics", "evaluate", "--dir", "h", "--folds", "2"]);
    let fields = measured["fields"].as_array().unwrap();
    assert!(fields.iter().any(|it| it["field"] == "title" && it["tally"]["right"] == 1));

    let number = listed[1]["number"].to_string();
    done(dir, &["marks", "remove", &number, "--dir", "h"]);
    assert_eq!(json(dir, &["marks", "list", "--dir", "h"]).as_array().unwrap().len(), 4);
    has(&complaint(dir, &["marks", "remove", "999", "--dir", "h"], 2), &["marks list"]);
    let nowhere = ["marks", "add", "http://soziologie.uni-hohenwerth.example/none", "--dir", "h"];
    let nowhere = [&nowhere[..], &["--field", "title", "--absent"]].concat();
    has(&complaint(dir, &nowhere, 2), &["is no document of this harvest", "hint: "]);
}

fn surveyed(dir: &Path) {
    let args = ["describe", "survey", "--per-site", "100", "--dir", "h"];
    let all = json(dir, &args);
    // The PDF is no page.
    assert_eq!(all["pages"], demo::description_truth().len() + 1, "{all}");
    assert!(all["without_author"].as_u64() > Some(5), "{all}");
    assert!(all["title"]["h1"].as_u64() > Some(5) && all["title"]["image"] == 1, "{all}");
    assert!(all["with_dublin_core"].as_u64() >= Some(1), "{all}");
    has(&done(dir, &args), &["mark-up", "none found", "Dublin Core"]);
    let few = |seed: &str| {
        let args = ["describe", "survey", "--per-site", "4", "--seed", seed, "--dir", "h"];
        json(dir, &args)
    };
    assert_eq!(few("7")["pages"], 4);
    assert_eq!(few("7"), few("7"), "the same seed draws the same pages");
}

fn exchanged(dir: &Path) {
    done(dir, &["runs", "export", "--dir", "h", "--out", "run.xml"]);
    let xml = fs::read_to_string(dir.join("run.xml")).unwrap();
    has(&xml, &["<heuristics>default</heuristics>", "<value>Migration im Werthtal</value>"]);
    let run = json(dir, &["describe", "--dir", "h", "--quiet"])["run"].to_string();
    let same = json(dir, &["runs", "compare", "run.xml", &run, "--dir", "h"]);
    assert_eq!(same["differences"].as_array().unwrap().len(), 0, "{same}");
    // Described again with the rules of the paper, their run is the current one; two files need no harvest.
    done(dir, &["describe", "--heuristics", "carmen", "--dir", "h", "--quiet"]);
    let listed = json(dir, &["runs", "list", "--dir", "h"]);
    let current: Vec<_> =
        listed.as_array().unwrap().iter().filter(|it| it["current"] == true).collect();
    assert!(current.len() == 1 && current[0]["heuristics"] == "carmen", "{listed}");
    done(dir, &["runs", "export", "--dir", "h", "--out", "carmen.xml"]);
    let files = done(dir, &["runs", "compare", "carmen.xml", "run.xml"]);
    has(&files, &["run.xml compared with carmen.xml", "carmen-title<4> → title<"]);
    let lines = done(dir, &["runs", "export", &run, "--format", "jsonl", "--dir", "h"]);
    assert!(lines.lines().count() > 20 && lines.lines().all(|line| line.starts_with('{')));
    done(dir, &["runs", "remove", &run, "--dir", "h"]);
    assert_eq!(json(dir, &["runs", "list", "--dir", "h"]).as_array().unwrap().len(), 1);
}

#[test]
fn loose_files() {
    let dir = empty();
    let dir = dir.path();
    let page = "<html lang=de><title>Kants Ethik | Uni Ulm</title><meta name=author content='Eva Meier'>\
        <meta name=keywords content='Kant, Ethik'><h1>Kants Ethik</h1><p>Von Eva Meier, 12. März 2004";
    fs::write(dir.join("a.html"), page).unwrap();
    fs::write(dir.join("b.pdf"), "%PDF-1.4 …").unwrap();
    fs::write(dir.join("empty.html"), "").unwrap();
    let output =
        auslese(dir, &["describe", "--json", "a.html", "b.pdf", "none.html", "empty.html"]);
    assert_eq!(output.status.code(), Some(1), "some could not be described");
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&str> = lines.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a.html", "b.pdf", "none.html", "empty.html"]);
    let described = &lines[0];
    assert_eq!(described["title"], "Kants Ethik");
    assert_eq!(described["author"], serde_json::json!(["Eva Meier"]));
    for key in [
        "institution",
        "date",
        "description",
        "abstract",
        "keywords",
        "msc",
        "references",
        "weights",
    ] {
        assert!(described.get(key).is_some(), "{key} in {described}");
    }
    assert!(described["weights"]["title"].as_f64() > Some(0.5), "{described}");
    let statements = described["statements"].as_array().unwrap();
    let title =
        statements.iter().find(|it| it["field"] == "title" && it["chosen"] == true).unwrap();
    for key in ["value", "weight", "initial_weight", "rule", "place"] {
        assert!(!title[key].is_null(), "{key} in {title}");
    }
    has(lines[1]["error"].as_str().unwrap(), &["cannot describe b.pdf"]);
    has(lines[2]["error"].as_str().unwrap(), &["cannot read none.html"]);
    assert_eq!(lines[3]["statements"], serde_json::json!([]), "nothing is said of nothing");
    assert_eq!(lines[3]["trouble"], "the document is empty");

    let mut child = auslese_command(dir, &["describe", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    let text = stdout(&child.wait_with_output().unwrap());
    has(&text, &["-\n", "Kants Ethik", "/html/body/h1"]);
    let xml = done(dir, &["describe", "--xml", "a.html"]);
    has(&xml, &["<?xml version=\"1.0\"", "<h1>Kants Ethik</h1>"]);
    has(&complaint(dir, &["describe", "--xml", "--json", "a.html"], 2), &["cannot be used with"]);

    // Of some fields the same is said, and nothing of others.
    let some = json(dir, &["describe", "--field", "title", "--field", "keywords", "a.html"]);
    let wanted = |it: &&Value| it["field"] == "title" || it["field"] == "keywords";
    let expected: Vec<&Value> = statements.iter().filter(wanted).collect();
    assert_eq!(some["statements"].as_array().unwrap().iter().collect::<Vec<_>>(), expected);
    assert_eq!(some["weights"]["title"], described["weights"]["title"]);
    assert_eq!((&some["class"], &some["type"]), (&described["class"], &Value::Null));
    has(&complaint(dir, &["describe", "--field", "titel", "a.html"], 2), &["the fields are title"]);
    has(&complaint(dir, &["describe", "--field", "title"], 2), &["<FILE>"]);
}

#[test]
fn heuristics_of_ones_own() {
    let dir = empty();
    let dir = dir.path();
    fs::write(dir.join("a.html"), "<title>T</title><table><tr><td><b>Der Titel</b></table>")
        .unwrap();
    fs::create_dir(dir.join("my-set")).unwrap();
    let file = dir.join("my-set/title.heur");
    let wrong = "let BOLD = `//td//b` | wher words(it) > 1 | first\n\
        heuristic mine for title\ndecide first\n<1> BOLD -> [0.4] BLOD\n";
    fs::write(&file, wrong).unwrap();
    let words = complaint(dir, &["heuristics", "check", "my-set"], 2);
    has(&words, &["title.heur:1:24: ", "did you mean `where`?"]);
    fs::write(&file, wrong.replace("wher ", "where ")).unwrap();
    let words = complaint(dir, &["describe", "--heuristics", "my-set", "a.html"], 2);
    has(&words, &["title.heur:4:", "BLOD", "did you mean `BOLD`?"]);
    fs::write(&file, wrong.replace("wher ", "where ").replace("BLOD", "BOLD")).unwrap();
    assert_eq!(done(dir, &["heuristics", "check", "my-set"]), "my-set: 1 files, 1 rules, sound\n");
    let text = done(dir, &["describe", "--heuristics", "my-set", "a.html"]);
    has(&text, &["Der Titel", "mine<1>", "0.40 [0.4]"]);
    let listed = json(dir, &["heuristics", "list", "--heuristics", "my-set"]);
    assert_eq!(listed[0]["rule"], "mine<1>");

    fs::write(&file, wrong.replace("wher words(it) > 1", "nonsense(3)")).unwrap();
    has(&complaint(dir, &["heuristics", "check", "my-set"], 2), &["title.heur:1:", "`nonsense`"]);
    let words = complaint(dir, &["heuristics", "check", "nowhere"], 2);
    has(&words, &["there are no heuristics called nowhere", "default, carmen, papers"]);

    done(dir, &["heuristics", "export", "carmen", "copy"]);
    let text = done(dir, &["describe", "--heuristics", "copy", "a.html"]);
    has(&text, &["carmen-title<5>"]);
    has(&complaint(dir, &["heuristics", "export", "carmen", "copy"], 2), &["is there already"]);
    for shipped in ["default", "carmen", "papers"] {
        has(&done(dir, &["heuristics", "check", shipped]), &[", sound\n"]);
    }
}

#[test]
fn a_copy_of_a_set_says_the_same() {
    let dir = empty();
    let dir = dir.path();
    let pages = [
        "<title>Kants Ethik | Uni Ulm</title><h1>Kants Ethik</h1><p>Von Eva Meier, 12. März 2004",
        "<title>Start</title><h2>Kant heute</h2><p>Von <b>Eva Meier</b><p><b>Stand: 3.4.2001</b>",
        "<html lang=de><meta name=author content='Ada Ei'><meta name=keywords content='Kant, Ethik'>",
    ];
    let files = ["0.html", "1.html", "2.html"];
    for (file, page) in files.iter().zip(pages) {
        fs::write(dir.join(file), page).unwrap();
    }
    let described = |sets: &[&str]| done(dir, &[&["describe", "--json"], sets, &files].concat());
    for shipped in ["default", "carmen"] {
        let copy = format!("{shipped}-copy");
        done(dir, &["heuristics", "export", shipped, &copy]);
        let says = described(&["--heuristics", &copy]);
        assert_eq!(says, described(&["--heuristics", shipped]), "{shipped}");
        let other = described(&["--heuristics", shipped, "--weights", "none"]);
        assert_ne!(says, other, "{shipped} has weights of its own");
        has(&done(dir, &["heuristics", "check", &copy]), &[", sound\n"]);
    }

    let weights = dir.join("carmen-copy/weights.toml");
    fs::write(&weights, "documents = -1").unwrap();
    let words = complaint(dir, &["heuristics", "check", "carmen-copy"], 2);
    has(&words, &["cannot use the weights in carmen-copy/weights.toml", "line 1, column 13"]);
    let words = complaint(dir, &["describe", "--heuristics", "carmen-copy", "0.html"], 2);
    has(&words, &["cannot use the weights in carmen-copy/weights.toml"]);
    fs::remove_file(weights).unwrap();
    let says = described(&["--heuristics", "carmen-copy"]);
    assert_eq!(says, described(&["--heuristics", "carmen", "--weights", "none"]));
    has(&complaint(dir, &["heuristics", "export", "carmen", "carmen-copy"], 2), &["there already"]);
}

#[test]
fn files_of_heuristics_that_never_end() {
    let dir = empty();
    let dir = dir.path();
    fs::write(dir.join("a.html"), "<title>T</title>").unwrap();
    let set = |name: &str| {
        fs::create_dir(dir.join(name)).unwrap();
        dir.join(name).join("x.heur")
    };
    std::os::unix::fs::symlink("/dev/zero", set("device")).unwrap();
    assert!(Command::new("mkfifo").arg(set("pipe")).status().unwrap().success());
    fs::create_dir(set("folder")).unwrap();
    for name in ["device", "pipe", "folder"] {
        for args in [&["heuristics", "check"][..], &["describe", "a.html", "--heuristics"]] {
            has(&complaint(dir, &[args, &[name]].concat(), 2), &["x.heur: it is no file"]);
        }
    }
}

#[test]
fn faults_as_json() {
    let dir = empty();
    let dir = dir.path();
    fs::create_dir(dir.join("my-set")).unwrap();
    let rules = "heuristic t for title\ndecide first\n<1> BOLD -> [0.4] BOLD\n";
    fs::write(dir.join("my-set/title.heur"), rules).unwrap();
    let checked = |set: &str, code: i32| -> Value {
        let output = auslese(dir, &["heuristics", "check", set, "--json"]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(code), String::new()));
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let told = checked("my-set", 2);
    assert_eq!((&told["heuristics"], &told["sound"]), (&"my-set".into(), &false.into()));
    let faults = told["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 2, "{told}");
    has(faults[0].as_str().unwrap(), &["title.heur:3:5: ", "BOLD"]);
    has(checked("nowhere", 2)["faults"][0].as_str().unwrap(), &["no heuristics called nowhere"]);
    fs::write(dir.join("my-set/title.heur"), format!("let BOLD = `//b`\n{rules}")).unwrap();
    let told = checked("my-set", 0);
    assert_eq!((&told["sound"], &told["rules"]), (&true.into(), &1.into()), "{told}");
}

#[test]
fn explained_with_an_address_and_in_short() {
    let dir = empty();
    let dir = dir.path();
    fs::write(dir.join("a.html"), "<p>eins <p>zwei ".repeat(8)).unwrap();
    fs::create_dir(dir.join("my-set")).unwrap();
    let rules = "heuristic t for title\ndecide first\n<1> always -> [0.4] address\n\
        heuristic p for keywords\ndecide first\n<1> always -> [0.4] `//p`\n";
    fs::write(dir.join("my-set/title.heur"), rules).unwrap();
    let asked = |action: &str, more: &[&str]| {
        done(dir, &[&["heuristics", action, "a.html", "--heuristics", "my-set"], more].concat())
    };
    let at = ["--url", "http://ulm.example/ethik/"];
    has(&asked("run", &at), &["http://ulm.example/ethik/"]);
    let text = asked("explain", &at);
    has(&text, &["fired [0.4]: \"http://ulm.example/ethik/\"\n"]);
    let ten = ["\"eins\", \"zwei\""; 5].join(", ");
    has(&text, &[&format!("fired [0.4]: {ten}, … 6 more\n")]);
    let values = &json(dir, &["heuristics", "explain", "a.html", "--heuristics", "my-set"]);
    let values = &values["fields"][1]["rules"][0]["verdict"]["values"];
    assert_eq!(values.as_array().unwrap().len(), 16);
    let of_harvest = ["heuristics", "explain", "http://ulm.example/", "--url", at[1]];
    has(&complaint(dir, &of_harvest, 2), &["--url is for files"]);
}

#[test]
fn weights_from_labels() {
    let dir = empty();
    let dir = dir.path();
    // Of every three pages, two are called by their heading and one by what <title> says.
    let mut labels = String::new();
    for number in 0..60 {
        let (title, heading) = (format!("Kopf {number}"), format!("Die Seite {number}"));
        let page = format!("<title>{title}</title><h1>{heading}</h1>");
        fs::write(dir.join(format!("{number}.html")), page).unwrap();
        let right = if number % 3 == 0 { &title } else { &heading };
        labels.push_str(&format!(
            "{{\"path\": \"{number}.html\", \"site\": \"s{number}\", \"title\": \"{right}\", \"date\": null}}\n"
        ));
    }
    fs::write(dir.join("labels.jsonl"), labels).unwrap();
    fs::create_dir(dir.join("set")).unwrap();
    let rules = "heuristic t for title\ndecide together\n\
        <title> always -> [0.9] `//title`\n<h1> always -> [0.1] `//h1`\n";
    fs::write(dir.join("set/title.heur"), rules).unwrap();
    let args = ["heuristics", "calibrate", "--labels", "labels.jsonl", "--heuristics", "set"];
    done(dir, &[&args[..], &["--out", "weights.toml"]].concat());
    let described = |weights: &str| {
        let args = ["describe", "--heuristics", "set", "--weights", weights, "1.html"];
        json(dir, &args)
    };
    assert_eq!(described("none")["title"], "Kopf 1");
    let measured = described("weights.toml");
    assert_eq!(measured["title"], "Die Seite 1");
    let weight = measured["weights"]["title"].as_f64().unwrap();
    assert!((weight - 0.667).abs() < 0.05, "{weight}");
    let args = ["heuristics", "evaluate", "--labels", "labels.jsonl", "--heuristics", "set"];
    let fields = json(dir, &args);
    let title = &fields["fields"][0];
    assert_eq!((&title["field"], &title["tally"]["right"]), (&"title".into(), &40.into()));
    assert!(title["calibration"]["error"].as_f64() < Some(0.15), "of 60 only: {title}");

    fs::write(dir.join("bad.toml"), "heuristics = 7").unwrap();
    let words = complaint(dir, &["describe", "--weights", "bad.toml", "1.html"], 2);
    has(&words, &["cannot use the weights in bad.toml", "heuristics calibrate"]);
    fs::write(dir.join("labels.jsonl"), "{\"title\": 3}\n").unwrap();
    has(&complaint(dir, &args, 2), &["labels.jsonl:1", "`path` or `id` must name the page"]);
}

#[test]
fn hostile_pages_and_endless_queries() {
    let dir = empty();
    let dir = dir.path();
    let many = "<p>Wort und <b>Satz</b> von <a href=x>Eva Meier</a></p>\n".repeat(200_000);
    fs::write(dir.join("many.html"), format!("<title>Viele Absätze</title>{many}")).unwrap();
    let deep = "<div>".repeat(300_000);
    fs::write(dir.join("deep.html"), format!("<title>Sehr tief</title>{deep}x")).unwrap();
    let many = json(dir, &["describe", "many.html"]);
    assert_eq!(many["title"], "Viele Absätze");
    has(many["trouble"].as_str().unwrap(), &["only the first 2 MiB were looked at"]);
    assert_eq!(json(dir, &["describe", "deep.html"])["title"], "Sehr tief");

    fs::create_dir(dir.join("endless")).unwrap();
    let rules = "heuristic t for title\ndecide first\n\
        <1> always -> [0.5] `//*[count(//*[count(//*) > 1]) > 1]`\n";
    fs::write(dir.join("endless/title.heur"), rules).unwrap();
    let spent = json(dir, &["describe", "--heuristics", "endless", "many.html"]);
    has(
        spent["trouble"].as_str().unwrap(),
        &["the budget of 20000000 steps is used up, at t<1> (title.heur:3)"],
    );
}

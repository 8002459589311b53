//! `auslese language` as a user types it.

use super::{auslese, auslese_command, empty, stderr, stdout};
use std::fs;
use std::io::Write;
use std::process::Stdio;

const GERMAN: &str = "Wer mitmachen möchte, kommt am besten donnerstags um acht Uhr in den Saal.\n";
const ENGLISH: &str = "Everybody is welcome to join us on Thursdays at eight in the parish hall.\n";

#[test]
fn results_come_in_the_order_of_the_files() {
    let dir = empty();
    let names: Vec<String> = (0..40).map(|number| format!("{number}.txt")).collect();
    for (number, name) in names.iter().enumerate() {
        let text = if number % 3 == 0 { ENGLISH } else { GERMAN };
        fs::write(dir.path().join(name), text).unwrap();
    }
    let mut args = vec!["language", "--json"];
    args.extend(names.iter().map(String::as_str));
    let output = auslese(dir.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for (number, line) in stdout(&output).lines().enumerate() {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        let language = if number % 3 == 0 { "en" } else { "de" };
        assert_eq!(
            (&found["id"], &found["language"]),
            (&names[number].as_str().into(), &language.into())
        );
        assert_eq!(found["paragraphs"].as_array().unwrap().len(), 1);
    }
    assert_eq!(stdout(&output).lines().count(), names.len());
}

#[test]
fn a_bad_file_costs_only_itself() {
    let dir = empty();
    fs::write(dir.path().join("a.html"), format!("<html lang=de><p>{GERMAN}")).unwrap();
    fs::write(dir.path().join("b.pdf"), "%PDF-1.4").unwrap();
    fs::write(dir.path().join("c.txt"), b"\xff\xfe\xfd broken bytes \x80\x81").unwrap();
    let output = auslese(dir.path(), &["language", "a.html", "b.pdf", "missing", "c.txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output).lines().count(), 3, "{}", stdout(&output));
    assert!(stderr(&output).contains("cannot read b.pdf"), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot read missing"), "{}", stderr(&output));
    let output = auslese(dir.path(), &["language", "--json", "a.html", "b.pdf", "missing"]);
    let lines: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&str> = lines.iter().filter_map(|line| line["id"].as_str()).collect();
    assert_eq!(ids, ["a.html", "b.pdf", "missing"], "every file has its line");
    assert_eq!(lines[1]["error"], "cannot read b.pdf: it is PDF, not a text");
    assert!(lines[1]["language"].is_null() && lines[0]["error"].is_null());
}

#[test]
fn a_directory_stands_for_its_files() {
    let dir = empty();
    for (name, text) in
        [("m/b/2.txt", ENGLISH), ("m/a.txt", GERMAN), ("m/b/1.txt", GERMAN), ("m/@auslese/x", "")]
    {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // A circle must not be walked for ever.
    std::os::unix::fs::symlink(dir.path().join("m"), dir.path().join("m/b/again")).unwrap();
    let output = auslese(dir.path(), &["language", "--json", "m", "m/a.txt"]);
    let ids: Vec<String> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|line| line["error"].is_null())
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, ["m/a.txt", "m/b/1.txt", "m/b/2.txt", "m/a.txt"], "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn the_decision_can_be_followed() {
    let dir = empty();
    fs::write(dir.path().join("a.txt"), "Herr Müller zahlt 12 Euro, www.uni.de, thanks.\n")
        .unwrap();
    let text = stdout(&auslese(dir.path(), &["language", "--explain", "a.txt"]));
    for line in [
        "  recognised  zahlt",
        "  name        Müller",
        "  number      12",
        "  url         www.uni.de",
        "  unknown     thanks",
        "words: 3 of 4 in the list of de, 75 %; characters: 13 of 19, 68.4 %",
        "rule of the paper: is 68.4 % at least 40 %, the smaller share? yes",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn words_are_counted() {
    let dir = empty();
    fs::write(dir.path().join("a.txt"), "der Käfer und der Wurm, xyzzy\n").unwrap();
    let text = stdout(&auslese(dir.path(), &["language", "--frequencies", "--json", "a.txt"]));
    let counts: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(counts["recognised"][0], serde_json::json!({ "word": "der", "count": 2 }));
    assert_eq!(counts["unknown"][0], serde_json::json!({ "word": "xyzzy", "count": 1 }));
}

#[test]
fn another_word_list() {
    let dir = empty();
    fs::write(dir.path().join("x.aff"), "SET ISO8859-1\nSFX S Y 1\nSFX S 0 s .\n").unwrap();
    fs::write(dir.path().join("x.dic"), b"2\n\xe9cole/S\nfleur/S\n").unwrap();
    fs::write(dir.path().join("a.txt"), "écoles fleurs école fleur écoles\n").unwrap();
    let args =
        ["language", "--json", "--profile", "paper", "--wordlist", "x.dic", "--language", "fr"];
    let output = auslese(dir.path(), &[&args[..], &["a.txt"]].concat());
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&found["language"], &found["recognised"]), (&"fr".into(), &5.into()));

    let missing =
        auslese(dir.path(), &["language", "--wordlist", "y.dic", "--language", "fr", "a.txt"]);
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
}

#[test]
fn the_standard_input_is_a_file() {
    let dir = empty();
    let mut child = auslese_command(dir.path(), &["language", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GERMAN.as_bytes()).unwrap();
    let text = stdout(&child.wait_with_output().unwrap());
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&found["id"], &found["language"]), (&"-".into(), &"de".into()));
}

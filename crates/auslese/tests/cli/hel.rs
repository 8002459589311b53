//! `auslese hel` as a user types it.

use super::{auslese, auslese_command, empty, stderr, stdout};
use std::fs;
use std::io::Write;
use std::process::Stdio;

const FILMS: &str = "<title>Filme</title><table><tr><th>Titel<th>Jahr<tr><td>Lola rennt<td>1998\
    <tr><td>Sonnenallee<td>1999</table>";

#[test]
fn values_and_errors() {
    let dir = empty();
    fs::write(dir.path().join("films.html"), FILMS).unwrap();
    #[rustfmt::skip]
    let cases: &[(&[&str], i32, &str)] = &[
        (&["html.head.title.txt"],                                   0, "\"Filme\"\n"),
        (&["html.body.table.tr[*].td[0].txt"],                       0, "[null,\"Lola rennt\",\"Sonnenallee\"]\n"),
        (&["html.body.h1.txt"],                                      0, "null\n"),
        (&["->td[1].txt"],                                           0, "\"1998\"\n"),
        (&["tr[1].td[1].txt", "--prefix", "html.body.table."],       0, "\"1998\"\n"),
        (&["html.body.table.tr[1].td[*].txt", "--json"],             0, "[\n  \"Lola rennt\",\n  \"1998\"\n]\n"),
        (&["html.body.p[i].txt"],                                    2, "error: E_NO_CONDITION at 10: the variable i has no condition"),
        (&["html.body.p[0]"],                                        2, "error: E_SYNTAX at 15: "),
        (&["html.body.p.txt, match/(/"],                             2, "error: E_REGEX at 23: unclosed group"),
        (&["tr.txt", "--prefix", "html.txt"],                        2, "error: E_PREFIX at 6: "),
        (&["html->td[*]->td[0-99999999999]->td[*].txt"],             0, "["),
    ];
    for (args, code, expected) in cases {
        let mut all = vec!["hel", args[0], "films.html"];
        all.extend(&args[1..]);
        let output = auslese(dir.path(), &all);
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {}", stderr(&output));
        let (shown, silent) = match code {
            0 => (stdout(&output), String::new()),
            _ => (stderr(&output), stdout(&output)),
        };
        assert!(shown.starts_with(expected), "{args:?}: {shown}");
        assert_eq!(silent, "", "{args:?}");
    }
}

#[test]
fn pages_come_from_the_standard_input_and_not_from_the_network() {
    let dir = empty();
    let mut child = auslese_command(dir.path(), &["hel", "html->td[0].txt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(FILMS.as_bytes()).unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()), "\"Lola rennt\"\n");
    let output = auslese(dir.path(), &["hel", "html.txt", "http://127.0.0.1:9/"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let output = auslese(dir.path(), &["hel", "html.txt", "missing.html"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn rules_are_proposed() {
    let dir = empty();
    fs::write(dir.path().join("films.html"), FILMS).unwrap();
    let args = ["hel", "suggest", "films.html", "--value", "Lola rennt", "Sonnenallee"];
    let output = auslese(dir.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).starts_with("html.body.table.tr[1-].td.txt\n    values: 2; gaps: 0\n"),
        "{}",
        stdout(&output)
    );
    let output = auslese(dir.path(), &["hel", "suggest", "films.html", "--value", "nirgends"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

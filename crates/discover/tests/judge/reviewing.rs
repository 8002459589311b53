//! The list that goes to a person and comes back.

use crate::world::*;
use auslese_discover::JudgeSettings;
use auslese_discover::judge::{Known, Reached, Rules, judge};
use auslese_discover::review::{read_scope, write_scope};

fn decisions(text: &str) -> Vec<(String, bool, String)> {
    let read = read_scope(text.as_bytes());
    assert_eq!(read.problems, [], "{text}");
    read.decisions.into_iter().map(|d| (d.host_pattern, d.accept, d.note)).collect()
}

#[test]
fn out_and_in_again() {
    let settings = JudgeSettings::default();
    let verdict = |seen: Seen| {
        judge(&seen.0, &profile(), &Known::default(), &settings, Some(Reached::Found), NOW)
    };
    let party = auslese_discover::Party {
        email: Some("=cmd|' /C calc'!A0@uni-musterstadt.example".into()),
        ..Default::default()
    };
    let verdicts = [
        verdict(Seen::new("a.example").at(&["198.18.1.1"])),
        verdict(Seen::elsewhere("b.example").held_by(party)),
        verdict(Seen::elsewhere("c.example").held_by(company())),
    ];
    let text = write_scope(&verdicts);
    let lines: Vec<&str> = text.lines().collect();
    #[rustfmt::skip]
    assert_eq!(lines, [
        "host,verdict,score,case,decided_by,evidence,decision,note",
        "a.example,member,1.00,4,net,net 1.00 (198.18.1.1),,",
        "b.example,member,0.90,5,email-domain,email-domain 0.90 (=cmd|' /C calc'!A0@uni-musterstadt.example (registrant)),,",
        "c.example,foreign,0.00,,,\"nothing found speaks for it, less than 0.40\",,",
    ]);
    assert!(decisions(&text).is_empty());
    // Opened in a spreadsheet, marked, and saved as Excel does in Germany.
    let marked = text
        .replace(
            "a.example,member,1.00,4,net,net 1.00 (198.18.1.1),,",
            "a.example;member;1,00;4;net;x;reject;\"Gast; seit 2020\"",
        )
        .replace(
            "host,verdict,score,case,decided_by,evidence,decision,note",
            "host;verdict;score;case;decided_by;evidence;decision;note",
        )
        .lines()
        .take(2)
        .map(|line| format!("{line}\r\n"))
        .collect::<String>();
    let read = decisions(&format!("\u{feff}{marked}"));
    assert_eq!(read, [("a.example".to_owned(), false, "Gast; seit 2020".to_owned())]);
    let rules = Rules::new(&settings, &read_scope(marked.as_bytes()).decisions).unwrap();
    assert_eq!(rules.on(&host("a.example")).unwrap().source, "decided by hand: Gast; seit 2020");
}

/// Host, accepted, note.
type Decided<'a> = (&'a str, bool, &'a str);

#[test]
fn what_people_write() {
    #[rustfmt::skip]
    let cases: &[(&str, &[Decided<'_>])] = &[
        ("host,decision\na.example,accept\n",               &[("a.example", true, "")]),
        ("Host;Decision;Note\na.example;NEIN;weg\n",        &[("a.example", false, "weg")]),
        ("decision\thost\nYes\t.uni.example\n",             &[(".uni.example", true, "")]),
        ("host,decision\na.example,\nb.example, reject \n", &[("b.example", false, "")]),
        ("host,decision\n*.a.example,member",               &[("*.a.example", true, "")]),
        ("host,decision,note\na.example,no,'=not a formula\n", &[("a.example", false, "=not a formula")]),
        ("host,decision\na.example,yes\na.example,accept\n", &[("a.example", true, ""), ("a.example", true, "")]),
        ("host,decision\n\n# nothing\n",                    &[]),
        ("host,decision\nshort\n",                          &[]),
        ("",                                                &[]),
    ];
    for (text, expected) in cases {
        let expected: Vec<_> =
            expected.iter().map(|(h, a, n)| ((*h).to_owned(), *a, (*n).to_owned())).collect();
        assert_eq!(decisions(text), expected, "{text}");
    }
}

#[test]
fn problems_name_their_line() {
    #[rustfmt::skip]
    let cases: &[(&str, usize, &[&str])] = &[
        ("host,verdict\na.example,member\n", 0,
            &["line 1: the first line must name the columns, and 'decision' is not among them"]),
        ("host,decision\na.example,perhaps\nb.example,yes\n", 1,
            &["line 2: 'perhaps' is no decision; write accept or reject"]),
        ("host,decision\n\"a\nb\",yes\nc.example,x\n", 0,
            &["line 2: 'a\nb' is no host; write www.uni.example, or .uni.example for all below as well",
              "line 4: 'x' is no decision; write accept or reject"]),
        ("host,decision\na.example,yes\nA.example,no\n", 1,
            &["line 3: A.example is decided otherwise in line 2"]),
    ];
    for (text, understood, expected) in cases {
        let read = read_scope(text.as_bytes());
        let problems: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, *expected, "{text}");
        assert_eq!(read.decisions.len(), *understood, "{text}");
    }
}

//! What holds for any heuristics on any page: reading them never panics, and describing ends within its
//! budget.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::evaluate::Evaluation;
use super::{Heuristics, described, explain};
use crate::{Around, Subject, Weights};
use auslese_model::Description;
use proptest::prelude::*;

const PAGE: &str = "<html lang=de><title>Kants Ethik | Uni Ulm</title><meta name=author content='Ada Ei'>\
    <h1>Kants Ethik</h1><h1>heute</h1><p>Von <b>Ada Ei</b>, 12. März 2004<br>a<br><br>b</p>\
    <table><tr><td><b>x</b><td><b>y</b></table><ul><li>eins, zwei<li>drei</ul>";

fn steps_left_trouble(html: &str, heuristics: &Heuristics, steps: u64) -> Option<String> {
    let page = auslese_markup::parse(html.as_bytes(), Some("utf-8"));
    let url = url::Url::parse("http://ulm.example/ethik/kant.html").unwrap();
    let around = Around { anchors: vec!["Ethik".to_owned()], ..Around::default() };
    let subject = Subject { page: &page, url: Some(&url), around: &around };
    explain(&subject, heuristics, &Weights::initial(), None).text();
    within(&subject, heuristics, steps).trouble
}

/// With so many steps.
fn within(subject: &Subject<'_>, heuristics: &Heuristics, steps: u64) -> Description {
    let weights = Weights::initial();
    described(&Evaluation::new(&heuristics.program, subject, &weights, steps), |_| true)
}

/// Pieces of the language, of which most sequences are nonsense.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "let",
        "A",
        "B",
        "=",
        "`//h1`",
        "`//*`",
        "|",
        "first",
        "text",
        "where",
        "it",
        "words",
        "\"a\"",
        "(",
        ")",
        ",",
        "heuristic",
        "t",
        "for",
        "title",
        "decide",
        "together",
        "<1>",
        "<2>",
        "->",
        "[0.5]",
        "[",
        "0.5",
        "]",
        "+",
        "as",
        "when",
        "end",
        "and",
        "or",
        "not",
        "equals",
        "like",
        "matches",
        "\"(\"",
        "count",
        "<",
        "<=",
        "support",
        "doubt",
        "use",
        "\"a.heur",
        "\n",
        "#",
        "`",
        "at",
        "most",
        "3",
        "silent",
        "below",
        "is",
        "generic",
        "all",
        "of",
        "otherwise",
        "jsonld",
        "é",
    ])
}

/// A value that can be read, with names up to the given depth.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "`//*`",
        "`//p`",
        "`//h1`",
        "`//text()`",
        "`//@*`",
        "\"Ethik\"",
        "words \"a\", \"Ada Ei\"",
        "blocks",
        "meta(\"author\")",
        "address-words",
        "anchors",
        "site-name",
        "host",
        "nothing",
        "language",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let step = prop::sample::select(vec![
            "first",
            "last",
            "limit(3)",
            "skip(1)",
            "unique",
            "repeated",
            "longest",
            "shortest",
            "text",
            "own-text",
            "runs",
            "alike",
            "at(`..`)",
            "at(`.//*`)",
            "attribute(\"lang\")",
            "lines",
            "cells",
            "next",
            "sentences(1)",
            "split(\"\\s\")",
            "split(\"\")",
            "capture(\"(.)(.)\")",
            "remove(\"a|e\")",
            "replace(\"\", \"$0$0xx\")",
            "without(\"Ethik\")",
            "after(words \"Von\")",
            "parts",
            "without-site",
            "names",
            "nicknames",
            "institutions",
            "dates",
            "list",
            "cited-title",
            "cited-authors",
            "joined(\", \")",
            "lower",
            "trimmed",
            "cut(2)",
            "resolved",
            "where it contains \"a\"",
            "where not it in `//*`",
            "where words(it) > 1 or it is name",
        ]);
        prop_oneof![
            (inner.clone(), step).prop_map(|(value, step)| format!("({value}) | {step}")),
            prop::collection::vec(inner.clone(), 1..3)
                .prop_map(|all| format!("all of {}", grouped(&all))),
            prop::collection::vec(inner, 1..3)
                .prop_map(|all| format!("first of {}", grouped(&all))),
        ]
    })
}

fn grouped(values: &[String]) -> String {
    let grouped: Vec<String> = values.iter().map(|value| format!("({value})")).collect();
    grouped.join(", ")
}

fn condition() -> impl Strategy<Value = String> {
    let relation = prop::sample::select(vec![
        "equals",
        "same as",
        "contains",
        "mentions",
        "starts with",
        "ends with",
        "in",
        "inside",
        "before",
        "after",
        "like",
    ]);
    prop_oneof![
        Just("always".to_owned()),
        value().prop_map(|value| format!("({value})")),
        (value(), relation, value()).prop_map(|(a, relation, b)| format!("({a}) {relation} ({b})")),
        value().prop_map(|value| format!("not words({value}) < 3 or links({value}) > 0.5")),
    ]
}

fn program() -> impl Strategy<Value = String> {
    (value(), condition(), condition(), condition()).prop_map(|(value, one, two, three)| {
        format!(
            "let A = {value}\nheuristic t for keywords decide together\n<1> {one} -> [0.5] A\n\
             when {two} <2> always -> [0.4] A + \"x\" end\nsupport <3> {three} -> [0.6]\n\
             heuristic u for title decide first\n<1> {two} -> [0.1] A\n<2> otherwise -> [0.2] chosen(\"keywords\")"
        )
    })
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        let _ = Heuristics::parse("any", &[("a.heur", &text)]);
    }

    #[test]
    fn any_sequence_of_words_is_read(pieces in prop::collection::vec(piece(), 0..60)) {
        let text = pieces.join(" ");
        if let Ok(heuristics) = Heuristics::parse("any", &[("a.heur", &text)]) {
            steps_left_trouble(PAGE, &heuristics, 100_000);
        }
    }

    #[test]
    fn programs_end_within_their_budget(text in program(), html in "(<(p|b|h1|td|br|div)>|a|\\s|Ä|\\.){0,40}", steps in 0u64..20_000) {
        let heuristics = Heuristics::parse("any", &[("a.heur", &text)]).unwrap();
        steps_left_trouble(&html, &heuristics, steps);
        steps_left_trouble(PAGE, &heuristics, steps);
    }
}

/// The innermost name or rule that did not get through is told, too.
#[test]
fn a_budget_that_is_used_up_is_told() {
    #[rustfmt::skip]
    let cases = [
        ("<1> PAIRS -> [1] PAIRS",                                 "PAIRS (a.heur:2)"),
        ("<1> not ALL or PAIRS -> [1] \"x\"",                      "PAIRS (a.heur:2)"),
        ("<1> always -> [1] ALL\n<2> DEAR -> [1] \"x\"",           "u<2> (a.heur:6)"),
        ("when DEAR\n<1> always -> [1] ALL end",                   "u (a.heur:5)"),
        ("<1> always -> [1] \"x\" doubt <2> it in PAIRS -> [0]",   "PAIRS (a.heur:2)"),
        ("<1> always -> [1] \"x\"\ndoubt <2> DEAR -> [0]",         "u<2> (a.heur:6)"),
    ];
    let page = auslese_markup::parse("<p><b>a</b>".repeat(3000).as_bytes(), None);
    let around = Around::default();
    let subject = Subject { page: &page, url: None, around: &around };
    for (rules, place) in cases {
        let text = format!(
            "let ALL = `//*`\nlet PAIRS = ALL | where it in (ALL | where it)\n\
             heuristic t for title decide first <1> always -> [1] \"x\"\n\
             heuristic u for author decide together\n{}",
            rules.replace("DEAR", "`//p[count(//p) = 0]`")
        );
        let heuristics = Heuristics::parse("any", &[("a.heur", &text)]).unwrap();
        let description = within(&subject, &heuristics, 150_000);
        let expected = format!("the budget of 150000 steps is used up, at {place}");
        assert_eq!(description.trouble, Some(expected), "{rules}");
        assert_eq!(description.statements.len(), 1, "what was decided before stands");
    }
}

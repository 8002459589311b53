//! Weights files: what is written is read, what is wrong is named with its place, what does not fit
//! does no harm, and a weight is a probability whatever the file says.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{Indicator, Indicators, UNTESTED_WEIGHT, Voice, Weights, WeightsWarning};
use auslese_model::{Field, RuleId};
use proptest::prelude::*;

const EXAMPLE: &str = r#"
heuristics = "default"
digest = "0123"
date = "2026-11-16"
documents = 120
sites = 40

[fields.title]
silent_below = 0.3
competing = true
curve = [[0.1, 0.05, 40], [0.9, 0.8, 60]]

[fields.title.rules]
"title<h1>" = { right = 90, n = 100, weight = 0.9 }
"title<tag>" = { right = 30, n = 100, weight = 0.3 }
"title<seldom>" = { right = 1, n = 2, weight = 0.55 }

[fields.title.regression]
intercept = -0.5

[fields.title.regression.coefficients]
"title<h1>" = 2.5
"title<tag>" = -0.5
"strongest rival" = -1.0

[fields.title.class.list.rules]
"title<h1>" = { right = 10, n = 40, weight = 0.26 }

[fields.title.class.list.regression]
intercept = -1.0

[fields.mood]
"#;

fn weights() -> Weights {
    Weights::parse(EXAMPLE).unwrap()
}

fn rule(label: &str, initial: f64) -> Indicator {
    Indicator::rule(RuleId::new("title", label), initial)
}

fn weight_of(indicators: Vec<Indicator>, class: &str) -> f64 {
    weights().weigh(Field::Title, class, &[Indicators::new(indicators)])[0].weight
}

#[test]
fn what_is_written_is_read() {
    let text = weights().to_toml();
    let again = Weights::parse(&text).unwrap();
    assert_eq!(again.fields, weights().fields);
    assert_eq!(again.header, weights().header);
    assert_eq!(again.to_toml(), text);
    assert!(text.contains(r#""title<h1>" = { right = 90, n = 100, weight = 0.9 }"#), "{text}");
}

#[test]
fn mistakes_are_named_with_their_place() {
    #[rustfmt::skip]
    let cases = [
        ("heuristics = ",                           1, 14, "expected"),
        ("sites = -1",                              1, 9,  "expected u64"),
        ("\n\nsitse = 3",                           3, 1,  "unknown field `sitse`"),
        ("[fields.title]\nsilent_below = 1.5",      2, 16, "expected a number from 0 to 1, found 1.5"),
        ("[fields.title]\nsilent_below = nan",      2, 16, "expected a number from 0 to 1"),
        ("[fields.title]\ncurve = [[0.1, 0.9, 3], [0.2, 0.1, 3]]", 2, 9, "expected a curve that rises"),
        ("[fields.title.regression]\nintercept = inf", 2, 13, "expected a number from -1000 to 1000"),
        ("[fields.title.rules]\n'ä' = { right = 1, n = 2 }", 2, 7, "missing field `weight`"),
    ];
    for (text, line, column, message) in cases {
        let error = Weights::parse(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert!(error.to_string().starts_with(&format!("line {line}, column {column}: ")));
    }
}

#[test]
fn shipped_weights_can_be_read() {
    for (name, text) in [
        ("default", include_str!("../weights/default.toml")),
        ("carmen", include_str!("../weights/carmen.toml")),
    ] {
        let weights = Weights::parse(text).unwrap();
        assert_eq!(weights.header.heuristics, name);
        assert_eq!(Weights::shipped_for(name), weights);
    }
    assert_eq!(Weights::shipped(), Weights::shipped_for("default"));
    assert_eq!(Weights::shipped_for("mine"), Weights::initial());
}

#[test]
fn weights_of_another_version_still_work() {
    let (h1, new) = (RuleId::new("title", "h1"), RuleId::new("title", "new"));
    let seldom = RuleId::new("title", "seldom");
    let rules = [(&h1, Field::Title), (&new, Field::Title), (&seldom, Field::Title)];
    assert_eq!(
        weights().warnings("4567", rules),
        [
            WeightsWarning::UnknownField("mood".to_owned()),
            WeightsWarning::OtherHeuristics("0123".to_owned()),
            WeightsWarning::UnknownRule(Field::Title, "title<tag>".to_owned()),
            WeightsWarning::Unmeasured(Field::Title, "title<new>".to_owned()),
        ]
    );
    assert_eq!(Weights::initial().warnings("4567", rules), []);
}

#[test]
fn what_was_not_measured_speaks_softly() {
    let close = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
    let h1 = weight_of(vec![rule("h1", 0.1)], "");
    // Log-odds of 2 are 0.88; the curve has 0.05 at 0.1 and 0.8 at 0.9.
    assert!((h1 - 0.7817).abs() < 0.001, "{h1}");
    let in_list = weight_of(vec![rule("h1", 0.1)], "list");
    assert!(in_list < h1, "the class has an intercept of its own: {in_list}");

    assert_eq!(weight_of(vec![rule("new", 0.9)], ""), UNTESTED_WEIGHT);
    assert_eq!(weight_of(vec![rule("new", 0.2)], ""), 0.2);
    assert_eq!(weight_of(vec![rule("seldom", 0.2)], ""), 0.55);
    assert!(close(weight_of(vec![rule("h1", 0.1), rule("new", 0.9)], ""), h1));
    let doubt = Indicator::doubt(RuleId::new("title", "generic"), 0.1);
    assert_eq!(weight_of(vec![rule("h1", 0.1), doubt], ""), 0.1);

    let single = |rule: &Indicator, class| weights().single_rule_weight(Field::Title, class, rule);
    assert_eq!(single(&rule("h1", 0.1), "list"), 0.26);
    assert_eq!(single(&rule("h1", 0.1), "article"), 0.9);
    assert_eq!(single(&rule("new", 0.8), "list"), UNTESTED_WEIGHT);
    let author = weights().single_rule_weight(Field::Author, "", &rule("new", 0.8));
    assert_eq!(author, 0.8, "nothing was measured for the field");
}

#[test]
fn the_account_leads_to_the_weight() {
    let candidates = [
        Indicators::new(vec![rule("h1", 0.9), rule("new", 0.2)]),
        Indicators::new(vec![rule("tag", 0.6)]),
    ];
    let accounts = weights().account(Field::Title, "list", &candidates);
    // The rival: log-odds of -0.5 - 0.5 - 0.26 - 1, so 2.01 / (1 + 2.01 + 0.10) = 0.646.
    let expected = "\
-0.500 to begin with
+2.500 title<h1>
-0.300 strongest rival (0.30)
-1.000 to begin with in the class list
+0.700 in all, a probability of 0.646 among all candidates
0.646 turned out to be 0.562
title<new>: without data, counts 0.200
weight 0.562";
    assert_eq!(accounts[0].to_string(), expected);
    let initial = Weights::initial().account(Field::Title, "", &candidates);
    assert_eq!(initial[1].to_string(), "title<tag>: written with 0.600\nweight 0.600");
}

fn any_indicator() -> impl Strategy<Value = Indicator> {
    let voice = prop_oneof![Just(Voice::Rule), Just(Voice::Support), Just(Voice::Doubt)];
    let label = prop_oneof![Just("h1"), Just("tag"), Just("seldom"), Just("new"), Just("generic")];
    (label, voice, proptest::option::of(any::<f64>())).prop_map(|(label, voice, initial)| {
        Indicator { id: RuleId::new("title", label), voice, initial }
    })
}

fn any_candidates() -> impl Strategy<Value = Vec<Indicators>> {
    let spoke = proptest::collection::vec(any_indicator(), 0..6).prop_map(Indicators::new);
    proptest::collection::vec(spoke, 0..6)
}

/// Files that can be read, with extreme numbers.
fn any_file() -> impl Strategy<Value = String> {
    let number = prop_oneof![Just(-1000.0), Just(1000.0), -5.0..5.0];
    (number.clone(), number.clone(), number, 0.0..=1.0, any::<bool>(), 0.0..0.5, 0.5..=1.0).prop_map(
        |(a, b, c, weight, competing, low, high): (f64, f64, f64, f64, bool, f64, f64)| {
            format!(
                "[fields.title]\ncompeting = {competing}\ncurve = [[{low:?}, {low:?}, 1], [{high:?}, {high:?}, 1]]
                 list_curve = [[{high:?}, {low:?}, 1]]
                 rules.'title<h1>' = {{ weight = {weight:?} }}
                 regression.intercept = {a:?}
                 regression.coefficients = {{ 'title<h1>' = {b:?}, 'title<tag>' = {c:?} }}
                 class.list.regression = {{ intercept = {c:?}, coefficients = {{ 'title<h1>' = {a:?} }} }}"
            )
        },
    )
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(?s).{0,200}") {
        let _ = Weights::parse(&text);
        let _ = Weights::parse(&format!("[fields.title.rules]\n{text}"));
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(at in 0..EXAMPLE.len(), with in "[\\[\\]{}=\"a-z0-9.\n-]{0,3}") {
        let text = format!("{}{with}{}", &EXAMPLE[..at], &EXAMPLE[at + 1..]);
        if let Ok(weights) = Weights::parse(&text) {
            let again = Weights::parse(&weights.to_toml()).unwrap();
            prop_assert_eq!(again.fields, weights.fields);
        }
    }

    #[test]
    fn a_weight_is_a_probability(
        file in any_file(),
        candidates in any_candidates(),
        items in proptest::collection::vec(any::<f64>(), 0..4),
    ) {
        for weights in [Weights::parse(&file).unwrap(), Weights::initial(), weights()] {
            for class in ["", "list"] {
                let weighed = weights.weigh(Field::Title, class, &candidates);
                let accounts = weights.account(Field::Title, class, &candidates);
                prop_assert_eq!(weighed.len(), candidates.len());
                for (weighed, account) in weighed.iter().zip(accounts) {
                    prop_assert!((0.0..=1.0).contains(&weighed.weight));
                    prop_assert!((0.0..=1.0).contains(&weighed.initial));
                    prop_assert!(weighed.rank.is_finite());
                    prop_assert_eq!(weighed.weight, account.weight);
                }
            }
            for field in [Field::Title, Field::Author] {
                prop_assert!((0.0..=1.0).contains(&weights.list_weight(field, &items)));
            }
        }
    }
}

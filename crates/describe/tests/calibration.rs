//! Calibration on made-up documents whose rules are right with known probabilities: what was put in
//! has to come out, on sites that were not learnt from.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{
    Calibration, Indicator, Indicators, LabelledCandidate, LabelledDocument, LabelledField,
    Measured, Voice, Weights, calibrate, choose, reliability, tallies, weighed_candidates,
};
use auslese_model::{Field, RuleId};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Numbers as if by chance, the same in every run (G. Steele et al., SplitMix).
struct Chance(u64);

impl Chance {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn happens(&mut self, probability: f64) -> bool {
        self.number() < probability
    }

    fn pick(&mut self, n: usize) -> usize {
        (self.number() * n as f64) as usize
    }
}

/// A rule of the made-up heuristic: how often it fires, how often it is then right in articles and
/// in lists, and the weight it is printed with.
struct MadeUp {
    label: &'static str,
    fires: f64,
    right: [f64; 2],
    printed: f64,
}

#[rustfmt::skip]
const RULES: [MadeUp; 6] = [
    MadeUp { label: "h1-is-head", fires: 0.5,   right: [0.97, 0.95], printed: 0.9 },
    MadeUp { label: "single-h1",  fires: 0.6,   right: [0.85, 0.55], printed: 0.9 },
    MadeUp { label: "og",         fires: 0.7,   right: [0.45, 0.45], printed: 0.7 },
    MadeUp { label: "part",       fires: 0.9,   right: [0.30, 0.40], printed: 0.6 },
    MadeUp { label: "whole",      fires: 0.9,   right: [0.17, 0.17], printed: 0.8 },
    MadeUp { label: "rare",       fires: 0.004, right: [0.50, 0.50], printed: 0.4 },
];

const WRONG_TITLES: [&str; 3] = ["Startseite", "Navigation", "Institut für Romanistik"];

/// Documents without a title: whatever is said about them is wrong.
const WITHOUT: f64 = 0.1;

fn id(label: &str) -> RuleId {
    RuleId::new("title", label)
}

/// Documents of many sites. `og` is right on some sites and wrong on others, and `json` mostly
/// repeats it: agreement of the two means little.
fn made_up(sites: usize, seed: u64) -> Vec<LabelledDocument> {
    let mut chance = Chance(seed);
    let mut documents = Vec::new();
    for site in 0..sites {
        let good_site = chance.happens(0.45);
        for _ in 0..4 {
            documents.push(document(&format!("s{site}.example"), good_site, &mut chance));
        }
    }
    documents
}

fn document(site: &str, good_site: bool, chance: &mut Chance) -> LabelledDocument {
    let class = chance.pick(2);
    let truth = (!chance.happens(WITHOUT)).then(|| "Über die Grenzen der Wortbildung".to_owned());
    let mut spoken: BTreeMap<String, Vec<Indicator>> = BTreeMap::new();
    let mut og = None;
    for rule in &RULES {
        if !chance.happens(rule.fires) {
            continue;
        }
        let share = match rule.label {
            "og" if good_site => 0.9,
            "og" => 0.1,
            _ => rule.right[class],
        };
        let right = truth.clone().filter(|_| chance.happens(share));
        let value = right.unwrap_or_else(|| WRONG_TITLES[chance.pick(3)].to_owned());
        if rule.label == "og" {
            og = Some(value.clone());
        }
        spoken.entry(value).or_default().push(Indicator::rule(id(rule.label), rule.printed));
    }
    if let Some(value) = og.filter(|_| chance.happens(0.8)) {
        spoken.entry(value).or_default().push(Indicator::rule(id("json"), 0.8));
    }
    for (value, indicators) in &mut spoken {
        if value == "Startseite" {
            indicators.push(Indicator::doubt(id("generic"), 0.1));
        }
    }
    let candidates = spoken.into_iter().map(|(value, it)| (value, Indicators::new(it))).collect();
    let title = LabelledField::with_truth(Field::Title, truth.into_iter().collect(), candidates);
    let class = ["article", "list"][class].to_owned();
    LabelledDocument { site: site.to_owned(), class, fields: vec![title] }
}

fn learnt(documents: &[LabelledDocument]) -> Weights {
    calibrate(
        documents,
        &Calibration { heuristics: "made-up".to_owned(), ..Calibration::default() },
    )
}

#[test]
fn weights_are_kept_on_unseen_sites() {
    for seed in [1, 2] {
        let weights = learnt(&made_up(400, seed));
        let unseen = made_up(400, seed + 1000);
        let best = weighed_candidates(&unseen, &weights, Field::Title);
        let found = reliability(&best);
        assert!(found.ece <= 0.03, "seed {seed}\n{found}");

        let printed = reliability(&weighed_candidates(&unseen, &Weights::initial(), Field::Title));
        assert!(printed.ece > 0.1, "as printed:\n{printed}");
        assert!(printed.brier > found.brier);
        check_choices(&unseen, &weights);
        check_rules(&weights);
    }
}

/// Measured weights choose better than printed ones, and keep silent more often where they should.
fn check_choices(unseen: &[LabelledDocument], weights: &Weights) {
    let limits = |_| (0.35, 1);
    let measured = tallies(unseen, weights, limits)[&Field::Title];
    let printed = tallies(unseen, &Weights::initial(), limits)[&Field::Title];
    assert!(measured.precision() > printed.precision());
    assert!(measured.f1() > printed.f1());
    assert!(measured.silent_share() > printed.silent_share());
    let threshold = weights.silent_below(Field::Title).unwrap();
    assert!((0.05..0.6).contains(&threshold), "{threshold}");
}

/// Rules come out in the order of what was put in, and with it.
fn check_rules(weights: &Weights) {
    let weight = |label: &str, class: &str| {
        let rule = RULES.iter().find(|it| it.label == label).unwrap();
        weights.single_rule_weight(Field::Title, class, &Indicator::rule(id(label), rule.printed))
    };
    for rule in RULES.iter().filter(|it| it.fires > 0.1) {
        for (class, right) in ["article", "list"].iter().zip(rule.right) {
            let expected = right * (1.0 - WITHOUT);
            let found = weight(rule.label, class);
            assert!((found - expected).abs() < 0.06, "{} in {class}: {found}", rule.label);
        }
    }
    let ordered: Vec<f64> =
        ["h1-is-head", "single-h1", "og", "part", "whole"].map(|it| weight(it, "other")).to_vec();
    assert!(ordered.is_sorted_by(|a, b| a > b), "{ordered:?}");

    // Printed with 0.8, right in 17 of 100 documents with a title.
    assert!((weight("whole", "other") - 0.17 * 0.9).abs() < 0.03, "{}", weight("whole", "other"));
    // Seen a few times only, so what it was written with still counts.
    let rare = weights.fields[&Field::Title].all.rules[id("rare").as_str()];
    assert!(rare.n < 20, "{rare:?}");
    let share = rare.right as f64 / rare.n as f64;
    let (low, high) = (share.min(0.4), share.max(0.4));
    assert!((low..=high).contains(&rare.weight), "{rare:?}");
}

#[test]
fn the_same_labels_give_the_same_file_in_any_order() {
    let mut documents = made_up(40, 7);
    let weights = learnt(&documents);
    documents.reverse();
    assert_eq!(learnt(&documents).to_toml(), weights.to_toml());
    assert_eq!(Weights::parse(&weights.to_toml()).unwrap(), weights);
    assert_eq!((weights.header.documents, weights.header.sites), (160, 40));
}

#[test]
fn a_demanded_precision_is_kept() {
    let documents = made_up(150, 3);
    let demanded = calibrate(
        &documents,
        &Calibration { precision_floors: [(Field::Title, 0.9)].into(), ..Calibration::default() },
    );
    let usual = learnt(&documents);
    assert!(demanded.silent_below(Field::Title) > usual.silent_below(Field::Title));
    let tally = tallies(&made_up(150, 4), &demanded, |_| (0.0, 1))[&Field::Title];
    assert!(tally.precision().unwrap() > 0.85, "{tally:?}");
}

/// How often the rules of a made-up decision list are right; the last class of documents is the odd one.
const LISTED: [(&str, f64); 3] = [("sure", 0.92), ("agreed", 0.75), ("one", 0.58)];
const CLASSES: [&str; 5] = ["article", "home-page", "list", "profile", "odd"];

/// Most documents are articles, the other classes are small. What differs in the odd class is for the
/// caller to say.
fn listed(n: usize, in_odd: f64, odd: f64, seed: u64) -> Vec<LabelledDocument> {
    let mut chance = Chance(seed);
    let mut document = |number: usize| {
        let other = if chance.happens(odd) { 4 } else { chance.pick(4) };
        let class = if chance.happens(0.7) && other != 4 { 0 } else { other };
        let (label, right) = LISTED[chance.pick(3)];
        let right = if class == 4 { right * in_odd } else { right };
        let truth = chance.happens(right).then(|| "Worum es geht".to_owned());
        let rule = Indicator::rule(RuleId::new("description", label), 0.5);
        let said = vec![("Worum es geht".to_owned(), Indicators::new(vec![rule]))];
        let truth = truth.into_iter().collect();
        LabelledDocument {
            site: format!("s{number}.example"),
            class: CLASSES[class].to_owned(),
            fields: vec![LabelledField::with_truth(Field::Description, truth, said)],
        }
    };
    (0..n).map(&mut document).collect()
}

fn learnt_as_list(documents: &[LabelledDocument]) -> Weights {
    let decision_lists = [(Field::Description, 0.3)].into();
    calibrate(documents, &Calibration { decision_lists, ..Calibration::default() })
}

#[test]
fn small_classes_do_not_spoil_a_decision_list() {
    let unseen = listed(3000, 1.0, 0.05, 99);
    let error = |weights: &Weights| {
        reliability(&weighed_candidates(&unseen, weights, Field::Description)).ece
    };
    let seeds = 1..=8;
    let mean = seeds.clone().map(|seed| error(&learnt_as_list(&listed(200, 1.0, 0.05, seed))));
    let mean = mean.sum::<f64>() / 8.0;
    assert!(mean < 0.04, "{mean}");
    // As shares of classes, with next to no pull, the same labels promise worse.
    let as_seen = seeds.map(|seed| {
        let mut weights = learnt_as_list(&listed(200, 1.0, 0.05, seed));
        let measured = weights.fields.get_mut(&Field::Description).unwrap();
        for group in measured.classes.values_mut() {
            for (rule, it) in &mut group.rules {
                *it = Measured::new(it.right, it.n, measured.all.rules[rule].weight);
            }
        }
        error(&weights)
    });
    let as_seen = as_seen.sum::<f64>() / 8.0;
    assert!(as_seen > mean + 0.01, "{as_seen} {mean}");
}

#[test]
fn a_class_that_differs_has_its_own_shares_in_a_decision_list() {
    let weights = learnt_as_list(&listed(1500, 0.4, 0.4, 5));
    let measured = &weights.fields[&Field::Description];
    // One rule speaks alone, and the list itself says when it is silent.
    assert_eq!((measured.silent_below, &measured.all.regression), (None, &None));
    assert!(measured.curve.points().is_empty());
    let weight = |label: &str, class: &str| {
        let rule = Indicator::rule(RuleId::new("description", label), 0.5);
        weights.single_rule_weight(Field::Description, class, &rule)
    };
    for (label, right) in LISTED {
        let (usual, odd) = (weight(label, "article"), weight(label, "odd"));
        assert!((usual - right).abs() < 0.08, "{label}: {usual}");
        assert!((odd - 0.4 * right).abs() < 0.1, "{label}: {odd}");
    }
}

/// Lists: items are right independently, and a list is right if all are and none is missing.
#[test]
fn whole_lists_have_a_weight_of_their_own() {
    let lists = |seed| -> Vec<LabelledDocument> {
        let mut chance = Chance(seed);
        (0..600).map(|i| keyword_list(i, &mut chance)).collect()
    };
    let weights = learnt(&lists(1));
    let pairs: Vec<(f64, bool)> =
        lists(2).iter().filter_map(|it| list_outcome(it, &weights)).collect();
    let found = reliability(&pairs);
    assert!(found.n > 300);
    assert!(found.ece < 0.06, "{found}");
    let items = reliability(&weighed_candidates(&lists(2), &weights, Field::Keywords));
    assert!(items.ece < 0.03, "{items}");
}

fn keyword_list(number: usize, chance: &mut Chance) -> LabelledDocument {
    let mut truth = Vec::new();
    let mut candidates = Vec::new();
    for item in 0..1 + chance.pick(4) {
        let tag = chance.happens(0.5);
        let (label, share) = if tag { ("tag", 0.95) } else { ("meta", 0.7) };
        let value = format!("Wort {item}");
        if chance.happens(share) {
            truth.push(value.clone());
        }
        let rule = Indicator::rule(RuleId::new("keywords", label), 0.5);
        candidates.push((value, Indicators::new(vec![rule])));
    }
    if chance.happens(0.2) {
        truth.push("Unerwähntes".to_owned());
    }
    LabelledDocument {
        site: format!("s{}.example", number / 3),
        class: String::new(),
        fields: vec![LabelledField::with_truth(Field::Keywords, truth, candidates)],
    }
}

fn list_outcome(document: &LabelledDocument, weights: &Weights) -> Option<(f64, bool)> {
    let labelled = &document.fields[0];
    let weighed = weights.weigh(Field::Keywords, &document.class, &labelled.indicators());
    let choice = choose(&weighed, weights.silent_below(Field::Keywords)?, usize::MAX);
    let items: Vec<f64> = choice.chosen().iter().map(|it| weighed[*it].weight).collect();
    let right = choice.chosen().iter().filter(|it| labelled.candidates[**it].right == Some(true));
    let exact = right.count() == items.len() && items.len() == labelled.truth.len();
    (!items.is_empty()).then(|| (weights.list_weight(Field::Keywords, &items), exact))
}

fn any_candidate() -> impl Strategy<Value = LabelledCandidate> {
    let voice =
        prop_oneof![5 => Just(Voice::Rule), 1 => Just(Voice::Support), 1 => Just(Voice::Doubt)];
    let initial = proptest::option::of(prop_oneof![0.0..=1.0, Just(f64::NAN), Just(f64::INFINITY)]);
    let indicator = ("[a-f]", voice, initial).prop_map(|(label, voice, initial)| Indicator {
        id: id(&label),
        voice,
        initial,
    });
    let indicators = proptest::collection::vec(indicator, 0..5).prop_map(Indicators::new);
    ("[a-c]{0,2}", indicators, proptest::option::weighted(0.9, any::<bool>()))
        .prop_map(|(value, indicators, right)| LabelledCandidate { value, indicators, right })
}

fn any_document() -> impl Strategy<Value = LabelledDocument> {
    let field = prop_oneof![Just(Field::Title), Just(Field::Keywords)];
    let truth = proptest::collection::vec("[a-c]{0,2}", 0..3);
    let candidates = proptest::collection::vec(any_candidate(), 0..4);
    let labelled = (field, truth, candidates)
        .prop_map(|(field, truth, candidates)| LabelledField { field, truth, candidates });
    let fields = proptest::collection::vec(labelled, 0..3);
    ("[a-d]", "[xy]?", fields).prop_map(|(site, class, fields)| LabelledDocument {
        site,
        class,
        fields,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_labels_give_weights_that_are_probabilities(
        documents in proptest::collection::vec(any_document(), 0..120),
    ) {
        let weights = learnt(&documents);
        prop_assert_eq!(&Weights::parse(&weights.to_toml()).unwrap(), &weights);
        for document in &documents {
            for labelled in &document.fields {
                let weighed = weights.weigh(labelled.field, &document.class, &labelled.indicators());
                prop_assert!(weighed.iter().all(|it| (0.0..=1.0).contains(&it.weight)));
                let items: Vec<f64> = weighed.iter().map(|it| it.weight).collect();
                prop_assert!((0.0..=1.0).contains(&weights.list_weight(labelled.field, &items)));
            }
        }
        for field in [Field::Title, Field::Keywords] {
            let found = reliability(&weighed_candidates(&documents, &weights, field));
            prop_assert!(found.ece.is_finite());
        }
        tallies(&documents, &weights, |_| (0.3, 2));
    }
}

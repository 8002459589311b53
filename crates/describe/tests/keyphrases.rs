//! Keyphrases through the door of the crate: learning, files, extraction.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{
    KeyphraseMethod, KeyphraseModel, KeyphraseModelError, KeyphraseTraining, SHIPPED_KEYPHRASES,
    TrainingDocument, TrainingError, cross_validate, stem_language_of, train_keyphrases,
};
use auslese_words::StemLanguage;
use proptest::prelude::*;

/// Made-up papers: each has a subject that it names early and often, amid words that all share.
fn papers(count: usize) -> Vec<TrainingDocument> {
    let subjects =
        ["grid", "harvest", "lattice", "tensor", "glacier", "enzyme", "sonnet", "tariff"];
    let matters = ["theory", "index", "model", "survey", "archive", "method"];
    let paper = |number: usize| {
        let subject = subjects[number % subjects.len()];
        let matter = matters[number / subjects.len() % matters.len()];
        let filler = "The results of the next section are shown in a table, and the reader may \
            skip the proof of the statement in the appendix. ";
        let text = format!(
            "On the {subject} {matter}\n\nWe study the {subject} {matter} in practice. {}\
             The {subject} {matter} is well known. {}",
            filler.repeat(6),
            filler.repeat(6)
        );
        TrainingDocument { text, keyphrases: vec![format!("{subject} {matter}s")] }
    };
    (0..count).map(paper).collect()
}

fn training(method: KeyphraseMethod) -> KeyphraseTraining {
    KeyphraseTraining {
        name: "test".to_owned(),
        language: StemLanguage::English,
        methods: vec![method],
        list_from: 1,
        trained_from: "made-up papers".to_owned(),
        date: "2026-11-16".to_owned(),
    }
}

fn trained(method: KeyphraseMethod) -> KeyphraseModel {
    let (_, text) = train_keyphrases(&papers(40), &training(method)).unwrap();
    KeyphraseModel::parse(&text).unwrap()
}

#[test]
fn what_was_learnt_is_found_again() {
    for method in KeyphraseMethod::ALL {
        let model = trained(method);
        let text = "On comet orbits\n\nWe study comet orbits here, as others did. The results of the \
            next section are shown in a table. A comet orbit is long.";
        let found = model.extract(text, 3);
        let place = found.iter().position(|it| it.stems == "comet orbit");
        let place = place.unwrap_or_else(|| panic!("{method:?} {found:?}"));
        assert_eq!((found[place].phrase.as_str(), found[place].first), ("comet orbits", 3));
        // What is contained in a better phrase is dropped.
        assert!(found[place..].iter().all(|it| it.stems != "comet" && it.stems != "orbit"));
        assert!(found.iter().all(|it| (0.0..=1.0).contains(&it.weight)));
        assert!(found.is_sorted_by(|a, b| a.weight >= b.weight));
    }
}

#[test]
fn candidates_keep_to_their_rules() {
    let model = trained(KeyphraseMethod::Kea);
    let stems = |text: &str| -> Vec<String> {
        model.extract(text, 1000).into_iter().map(|it| it.stems).collect()
    };
    let has = |text: &str, phrase: &str| stems(text).iter().any(|it| it == phrase);
    #[rustfmt::skip]
    let cases = [
        // text                              phrase                        expected
        ("quality of service matters",       "qualiti of servic",          true),
        ("the quality of the",               "of the",                     false),
        ("red apples, green pears",          "appl green",                 false),
        ("a web-service here",               "web servic",                 true),
        ("red apples\nare sweet apples",     "sweet appl",                 true),
        ("red apples\n\nsweet pears",        "appl sweet",                 false),
        ("one two2 many Zeuthen rivers",     "zeuthen",                    false),
        ("version 12 fields",                "version 12 field",           false),
    ];
    for (text, phrase, expected) in cases {
        assert_eq!(has(text, phrase), expected, "{text}: {:?}", stems(text));
    }
}

#[test]
fn better_than_chance_on_what_was_held_out() {
    let quality = cross_validate(&papers(40), StemLanguage::English, &[KeyphraseMethod::Kea], 4);
    assert_eq!(quality.documents, 40);
    assert!(quality.at[0].recall > 0.9, "{quality:?}");
    assert!(quality.weights.ece < 0.2, "{quality:?}");
}

#[test]
fn too_little_to_learn_from() {
    let kea = training(KeyphraseMethod::Kea);
    assert_eq!(train_keyphrases(&papers(3), &kea), Err(TrainingError::TooFew(3)));
    let absent: Vec<TrainingDocument> = papers(20)
        .into_iter()
        .map(|it| TrainingDocument { keyphrases: vec!["xylophone".to_owned()], ..it })
        .collect();
    assert_eq!(train_keyphrases(&absent, &kea), Err(TrainingError::NothingRight));
}

#[test]
fn shipped_models_can_be_read_and_say_what_they_are() {
    for name in SHIPPED_KEYPHRASES {
        let model = KeyphraseModel::shipped(name).unwrap();
        assert_eq!(model.header.name, name);
        assert!(model.header.documents >= 50 && !model.header.trained_from.is_empty());
        assert!(model.header.weights_measured_on > 0);
    }
    assert!(KeyphraseModel::shipped("klingon").is_none());
}

#[test]
fn files_that_are_no_models() {
    let (_, text) = train_keyphrases(&papers(20), &training(KeyphraseMethod::Kea)).unwrap();
    let parse = |text: &str| KeyphraseModel::parse(text).unwrap_err();
    assert!(matches!(parse("[fields]"), KeyphraseModelError::Json(_)));
    let other = text.replace("auslese-keyphrases-1", "auslese-keyphrases-9");
    assert!(matches!(parse(&other), KeyphraseModelError::Format(_)));
    let french = text.replace("\"language\": \"en\"", "\"language\": \"fr\"");
    assert!(matches!(parse(&french), KeyphraseModelError::Language(_)));
    let uneven = text.replacen("\"cuts\": [", "\"cuts\": [-1e9, ", 1);
    assert!(KeyphraseModel::parse(&uneven).is_err());
}

#[test]
fn languages_by_stop_words() {
    let language = |text: &str| stem_language_of([text].into_iter());
    assert_eq!(language("Das ist ein Satz über die Sprache."), Some(StemLanguage::German));
    assert_eq!(language("This is a sentence about the language."), Some(StemLanguage::English));
    assert_eq!(language("東京 大阪 京都"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_has_weights_within_bounds(text in "(\\PC|[a-zA-ZäöüÄÖÜß.,\\-\n ]){0,300}") {
        for name in SHIPPED_KEYPHRASES {
            let model = KeyphraseModel::shipped(name).unwrap();
            for found in model.extract(&text, 20) {
                prop_assert!((0.0..=1.0).contains(&found.weight));
                let rest: String = text.chars().skip(found.first).collect();
                prop_assert!(!found.phrase.is_empty() && !rest.is_empty());
            }
        }
    }

    #[test]
    fn any_bytes_are_a_model_or_an_error(text in "\\PC{0,200}", cut in 0_usize..2000) {
        let _ = KeyphraseModel::parse(&text);
        let (_, whole) = train_keyphrases(&papers(12), &training(KeyphraseMethod::Kea)).unwrap();
        let cut = whole.floor_char_boundary(cut.min(whole.len() - 2));
        prop_assert!(KeyphraseModel::parse(&whole[..cut]).is_err());
    }
}

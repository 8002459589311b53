//! The recogniser on texts whose language is known; see `data/README.md`. What it prints with
//! `--nocapture` is the confusion in `docs/EVALUATION.md`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_corpus::language::{
    Fate, FoundName, Hints, LanguageSettings, NameCollector, Profile, Recogniser,
};
use auslese_model::{Confidence, LanguageNote};
use auslese_words::WordList;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static RECOGNISER: LazyLock<Recogniser> =
    LazyLock::new(|| Recogniser::german(LanguageSettings::default()));

/// Germanic neighbours of which single sentences may pass for German.
const NEIGHBOURS: [&str; 3] = ["gsw", "lb", "nds"];

fn note(text: &str) -> LanguageNote {
    let blocks: Vec<&str> = text.split("\\n").collect();
    RECOGNISER.recognise(&blocks, &Hints::default())
}

fn texts() -> Vec<(&'static str, &'static str)> {
    include_str!("data/texts.tsv").lines().map(|line| line.split_once('\t').unwrap()).collect()
}

#[test]
fn articles_in_many_languages() {
    let mut confusion: BTreeMap<(&str, String), u32> = BTreeMap::new();
    let (mut german, mut found, mut mistaken, mut by_paper) = (0, 0, Vec::new(), 0);
    for (language, text) in texts() {
        let note = note(text);
        match (language == "de", note.language == "de") {
            (true, judged) => {
                german += 1;
                found += u32::from(judged);
                by_paper += u32::from(note.by_paper);
            }
            (false, true) if !NEIGHBOURS.contains(&language) => mistaken.push((language, text)),
            (false, _) => {}
        }
        if note.language != language {
            *confusion.entry((language, note.language)).or_default() += 1;
        }
    }
    println!("German: {found} of {german}, by the paper's rule {by_paper}");
    println!("taken for another language: {confusion:#?}");
    assert!(german >= 30);
    assert_eq!((found, by_paper), (german, german));
    assert_eq!(mistaken, []);
}

#[test]
fn hard_cases() {
    let mut faults = Vec::new();
    for line in include_str!("data/hard.tsv").lines() {
        let [expected, kind, text] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let note = note(text);
        println!("{expected:<3} {:<4} {kind}: {}", note.language, note.reason);
        let right = match expected {
            "-" => note.language != "de",
            expected => note.language == expected,
        };
        if !right {
            faults.push(format!("{kind}: {expected} as {}: {}", note.language, note.reason));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// What the model says must not change unnoticed with the crate that reads it.
#[test]
fn labels_of_the_detector() {
    #[rustfmt::skip]
    let cases = [
        ("de",  "Jeder hat das Recht auf Bildung, und sie soll unentgeltlich sein.", 0.9),
        ("en",  "Everyone has the right to education, and it shall be free.",        0.8),
        ("fr",  "Toute personne a droit à l'éducation, et elle doit être gratuite.", 0.9),
        ("nl",  "Een ieder heeft recht op onderwijs; dit moet kosteloos zijn.",      0.9),
        ("ru",  "Каждый человек имеет право на бесплатное образование.",             0.9),
        ("zh",  "我们大学的学生每天都在图书馆里学习中文和英文。",                                0.9),
        ("de",  "JEDER HAT DAS RECHT AUF BILDUNG, UND SIE SOLL UNENTGELTLICH SEIN.", 0.9),
    ];
    for (language, text, least) in cases {
        let (label, probability) = note(text).detector.unwrap();
        assert_eq!(label, language, "{text}");
        assert!((least..=1.0).contains(&probability), "{text}: {probability}");
    }
    assert_eq!(note("12 + 34").detector, None);
}

/// Pages put together from articles of two languages: the shares must be those of the characters.
#[test]
fn shares_of_bilingual_pages() {
    let of = |wanted: &str| -> Vec<&str> {
        texts().iter().filter(|(language, _)| *language == wanted).map(|(_, text)| *text).collect()
    };
    let german = of("de");
    let (mut pages, mut largest) = (0, 0.0_f64);
    for other in ["en", "fr", "nl", "es", "pl", "ru"] {
        let others = of(other);
        for count in 1..=others.len().min(8) {
            let mut blocks: Vec<&str> = Vec::new();
            for (at, text) in german[..8].iter().enumerate() {
                blocks.push(text);
                blocks.extend(others.get(at).filter(|_| at < count));
            }
            let chars =
                |texts: &[&str]| texts.iter().map(|text| text.chars().count()).sum::<usize>();
            let all = chars(&blocks) as f64;
            let expected = chars(&german[..8]) as f64 / all;
            let recognition = RECOGNISER.recognise_paragraphs(&blocks, &Hints::default());
            let shares: BTreeMap<String, f64> = recognition.note.shares.iter().cloned().collect();
            pages += 1;
            largest = largest.max((shares["de"] - expected).abs());
            assert_eq!(recognition.multilingual, 1.0 - expected >= 0.2, "{other} {count}");
        }
    }
    println!("largest error of a share on {pages} pages: {:.2} points", 100.0 * largest);
    assert!(largest < 0.02, "{largest}");
}

#[test]
fn few_words_go_with_their_neighbours() {
    let blocks = [
        "Kontakt",
        "Wer mitmachen möchte, kommt am besten donnerstags um acht Uhr in den Gemeindesaal.",
        "Mo Di Mi Do Fr Sa So",
        "01 02 03",
        "Everybody is welcome to join us on Thursdays at eight in the parish hall.",
        "Contact",
    ];
    let recognition = RECOGNISER.recognise_paragraphs(&blocks, &Hints::default());
    let languages: Vec<(&str, bool)> = recognition
        .paragraphs
        .iter()
        .map(|paragraph| (paragraph.language.as_str(), paragraph.inherited))
        .collect();
    #[rustfmt::skip]
    let expected =
        [("de", true), ("de", false), ("de", true), ("de", true), ("en", false), ("en", true)];
    assert_eq!(languages, expected);
}

#[test]
fn short_texts_ask_around() {
    let hints = Hints { html_lang: Some("de"), ..Hints::default() };
    let judge = |text: &str, hints: &Hints| RECOGNISER.recognise(&[text], hints);
    let unclear = judge("Meyer Open", &hints);
    assert_eq!((unclear.language.as_str(), unclear.confidence), ("de", Confidence::Low));
    let anchors = ["Informationen zur Anmeldung für die Prüfungen im Wintersemester"];
    let by_links = judge("Info", &Hints { anchor_texts: &anchors, ..Hints::default() });
    assert_eq!(by_links.language, "de");
    let reason = "fewer than 10 words; with the words of links to it, ";
    assert!(by_links.reason.starts_with(reason), "{}", by_links.reason);
    assert_eq!(judge("", &Hints::default()).language, "und");
}

#[test]
fn every_token_has_its_fate() {
    let text = "Herr Müller (a@uni.example) zahlt 12 Euro für www.uni-ulm.de, thanks";
    let recognition = RECOGNISER.recognise_paragraphs(&[text], &Hints::default());
    let explanation = RECOGNISER.explain(&[text], &recognition);
    let fates: Vec<(&str, Fate)> = explanation
        .tokens
        .iter()
        .filter(|token| token.fate != Fate::Symbol)
        .map(|token| (token.text.as_str(), token.fate))
        .collect();
    #[rustfmt::skip]
    let expected = [
        ("Herr", Fate::Recognised), ("Müller", Fate::Name), ("a@uni.example", Fate::Mail),
        ("zahlt", Fate::Recognised), ("12", Fate::Number), ("Euro", Fate::Recognised),
        ("für", Fate::Recognised), ("www.uni-ulm.de", Fate::Url), ("thanks", Fate::Unknown),
    ];
    assert_eq!(fates, expected);
    assert!(explanation.steps.iter().any(|step| step.contains("4 of 5 in the list of de, 80 %")));
}

#[test]
fn names_of_a_collection() {
    let mut collector = NameCollector::new(&RECOGNISER);
    for _ in 0..3 {
        collector.watch("Gestern kam Frau Xylanders mit dem Blorbus. Frau Xylanders mag blorbus.");
    }
    // Blorbus is written in lower case, too.
    let names = collector.finish();
    assert_eq!(names, [FoundName { name: "Xylanders".to_owned(), count: 6 }]);
    let names = WordList::from_forms(names.iter().map(|found| found.name.as_str())).unwrap();
    let recogniser = RECOGNISER.clone().with_names(names);
    assert_eq!(recogniser.tokens(&["Xylanders"])[0].fate, Fate::Name);
}

#[test]
fn another_language_with_another_list() {
    let list = WordList::from_plain("toute\npersonne\na\ndroit\net\nelle\nêtre\ndoit\n").unwrap();
    let settings = LanguageSettings {
        language: "fr".to_owned(),
        profile: Profile::Paper,
        ..LanguageSettings::default()
    };
    let recogniser = Recogniser::with_list(list, settings);
    let text = "Toute personne a droit à l'éducation, et elle doit être gratuite pour tous.";
    let note = recogniser.recognise(&[text], &Hints::default());
    assert_eq!((note.language.as_str(), note.by_paper), ("fr", true));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_has_shares_between_nothing_and_all(blocks in proptest::collection::vec("\\PC{0,60}", 0..6)) {
        let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
        let note = RECOGNISER.recognise(&blocks, &Hints::default());
        prop_assert!((0.0..=1.0).contains(&note.share_words));
        prop_assert!((0.0..=1.0).contains(&note.share_chars));
        prop_assert!(note.recognised <= note.words);
        let sum: f64 = note.shares.iter().map(|(_, share)| share).sum();
        prop_assert!(note.shares.is_empty() || (sum - 1.0).abs() < 1e-9);
    }
}

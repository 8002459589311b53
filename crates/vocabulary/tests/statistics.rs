//! Models learnt from generated collections, through the door.

use auslese_vocabulary::{
    AssociationLimits, CollectionProfile, LearnSettings, Learner, Measure, Models, QueryPart,
    ShortName, Target, TransferDocument, TransferModel, TransferRule, TransferSettings,
    TransferTerm, Vocabularies, rewrite,
};
use std::collections::BTreeSet;

const ALL: AssociationLimits = AssociationLimits {
    measure: Measure::Equivalence,
    at_most: 100,
    min_together: 1,
    min_log_likelihood: 0.0,
    min_strength: 0.0,
};

fn german(change: impl FnOnce(&mut LearnSettings)) -> LearnSettings {
    let mut settings =
        LearnSettings { language: Some("de".to_owned()), ..LearnSettings::default() };
    change(&mut settings);
    settings
}

/// A model from rows of words and terms, each so many times.
fn learn(settings: LearnSettings, rows: &[(usize, &str, &str)]) -> TransferModel {
    let mut learner = Learner::new(settings);
    for (times, words, terms) in rows {
        let words: Vec<&str> = words.split(' ').collect();
        let terms: Vec<TransferTerm<'_>> = terms
            .split_terminator(' ')
            .map(|term| TransferTerm { scheme: "v", term, weight: 1.0 })
            .collect();
        for _ in 0..*times {
            learner.add(TransferDocument { terms: &words, controlled: &terms });
        }
    }
    learner.finish("m")
}

fn terms(model: &TransferModel, words: &str) -> Vec<String> {
    let found = model.to_controlled(words, Some("v"), ALL);
    found.iter().map(|it| format!("{} {}", it.term, it.counts.n_tc)).collect()
}

#[test]
fn counts() {
    let rows = [
        (8, "Mühle Müller und 42", "Handwerk"),
        (2, "Mühlen", "Fluss"),
        (5, "Wehr Wehr", "Fluss"),
        (5, "Wald", ""),
        (5, "und", "Fluss"),
    ];
    let model = learn(german(|_| {}), &rows);
    assert_eq!(model.head.documents, 15, "those with words and terms");
    assert_eq!(terms(&model, "muehle"), ["Handwerk 8", "Fluss 2"]);
    assert_eq!(terms(&model, "Wehren"), ["Fluss 5"], "once per document");
    assert_eq!(terms(&model, "und"), [""; 0]);
    assert_eq!(terms(&model, "42"), [""; 0]);
    assert_eq!(terms(&model, "Wald"), [""; 0]);
    let back = model.to_free("v", "HANDWERK", ALL);
    assert_eq!(back.iter().map(|it| it.term.as_str()).collect::<Vec<_>>(), ["Müller", "Mühle"]);
    assert!(model.to_free("w", "Handwerk", ALL).is_empty());
}

#[test]
fn what_is_left_out() {
    let rows = [(50, "immerda Uni", "Alles"), (5, "Distel", "Ziel"), (1, "einmal", "Ziel")];
    let model = learn(german(|it| it.share_from = 10), &rows);
    assert_eq!(terms(&model, "Uni"), [""; 0], "frequency cap");
    assert_eq!(terms(&model, "Distel"), ["Ziel 5"]);
    assert_eq!(terms(&model, "einmal"), [""; 0], "too rare");
    let stopped = german(|it| {
        it.stop_terms.insert("v".to_owned(), vec!["ZIEL".to_owned()]);
    });
    assert_eq!(terms(&learn(stopped, &rows), "Distel"), [""; 0]);
    let mut learner = Learner::new(german(|_| {}));
    for _ in 0..5 {
        let doubtful = [TransferTerm { scheme: "v", term: "Ziel", weight: 0.49 }];
        learner.add(TransferDocument { terms: &["Distel"], controlled: &doubtful });
    }
    assert_eq!(learner.finish("m").head.documents, 0, "terms that are not believed");
}

#[test]
fn strengths_are_within_bounds_and_ordered() {
    let rows = [(10, "a1 b1", "X Y"), (7, "a1", "X"), (3, "b1 c1", "Y Z"), (30, "d1", "W")];
    let model = learn(german(|_| {}), &rows);
    for measure in Measure::ALL {
        let found = model.to_controlled("a1", None, AssociationLimits { measure, ..ALL });
        assert!(found.is_sorted_by(|a, b| a.strength >= b.strength), "{measure}");
        assert!(found.iter().all(|it| (0.0..=1.0).contains(&it.strength)), "{measure}");
        assert_eq!(found[0].term, "X", "{measure}");
    }
    let likely = AssociationLimits { measure: Measure::LogLikelihood, ..ALL };
    assert_eq!(model.to_controlled("a1", None, likely)[0].strength, 1.0, "the highest");
    let strict = AssociationLimits { min_log_likelihood: 10.83, ..ALL };
    let sure = model.to_controlled("a1", None, strict);
    assert!(sure.iter().all(|it| it.term != "Z") && !sure.is_empty());
}

#[test]
fn a_model_reads_back_and_is_the_same_every_time() {
    let rows = [(9, "Mühle Wehr", "Fluss"), (4, "Wehr Tal", "Fluss Tal"), (6, "Tal", "Tal")];
    let write = |model: &TransferModel| {
        let mut bytes = Vec::new();
        model.write(&mut bytes).expect("memory can be written");
        bytes
    };
    let model = learn(german(|_| {}), &rows);
    let bytes = write(&model);
    assert_eq!(bytes, write(&learn(german(|_| {}), &rows)));
    let mut reversed = rows;
    reversed.reverse();
    assert_eq!(bytes, write(&learn(german(|_| {}), &reversed)), "whatever the order of documents");
    let back = TransferModel::read(&mut bytes.as_slice()).unwrap();
    assert_eq!((write(&back), back.size()), (bytes.clone(), model.size()));
    assert_eq!(terms(&back, "Wehre"), terms(&model, "Wehr"));
    // Damage is found wherever it is, or changes numbers only; it never panics.
    for cut in 0..bytes.len() {
        let _ = TransferModel::read(&mut &bytes[..cut]);
        let mut changed = bytes.clone();
        changed[cut] = b'9';
        let _ = TransferModel::read(&mut changed.as_slice());
    }
    let text = String::from_utf8(bytes).unwrap();
    let error = TransferModel::read(&mut text.replace(":9", "9").as_bytes()).unwrap_err();
    assert!(error.to_string().contains("expected pairs of gap:count"), "{error}");
}

/// A small generator of pseudo-random numbers (xorshift), so that the test needs no seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

#[test]
fn learning_is_bounded() {
    let mut random = Random(7);
    let settings = german(|it| {
        it.max_pairs = 2_000;
        it.max_terms = 1_000;
    });
    let mut learner = Learner::new(settings);
    for _ in 0..20_000 {
        let words: Vec<String> = (0..20)
            .map(|_| format!("wort{}x", random.below(100_000)))
            .chain(["kern".to_owned()])
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let controlled = [TransferTerm { scheme: "v", term: "Kern", weight: 1.0 }];
        learner.add(TransferDocument { terms: &words, controlled: &controlled });
    }
    let model = learner.finish("m");
    let (words, _, pairs) = model.size();
    assert!(words <= 1_000 && pairs <= 2_000, "{words} {pairs}");
    assert!(model.head.ignored > 0, "and it says so");
}

/// A collection indexed with controlled terms only is asked in free words: two subjects per
/// document, words drawn by subject, a third of them noise. Questions are single words of a
/// subject; relevant is what is indexed with the subject. Without transfer nothing can be found,
/// as documents have no text; words in titles find a part; transfer has to find more.
#[test]
fn transfer_raises_recall() {
    const SUBJECTS: u64 = 40;
    let mut random = Random(42);
    let word_of = move |subject: u64, random: &mut Random| match random.below(3) {
        0 => format!("rauschen{}", random.below(300)),
        _ => format!("thema{subject}wort{}", random.below(6)),
    };
    let document = |random: &mut Random, words: usize| {
        let subjects = [random.below(SUBJECTS), random.below(SUBJECTS)];
        let words: Vec<String> = (0..words).map(|at| word_of(subjects[at % 2], random)).collect();
        let terms: Vec<String> = subjects.iter().map(|it| format!("Begriff {it}")).collect();
        (words, terms)
    };
    let mut learner = Learner::new(german(|_| {}));
    for _ in 0..3_000 {
        let (words, terms) = document(&mut random, 12);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let terms: Vec<TransferTerm<'_>> =
            terms.iter().map(|term| TransferTerm { scheme: "v", term, weight: 0.9 }).collect();
        learner.add(TransferDocument { terms: &words, controlled: &terms });
    }
    let mut models = Models::default();
    models.insert(ShortName::new("m").unwrap(), learner.finish("m"));

    // The collection that is asked: two words of a title, and the terms.
    let asked: Vec<(Vec<String>, Vec<String>)> =
        (0..1_000).map(|_| document(&mut random, 2)).collect();
    let mut vocabularies = Vocabularies::default();
    vocabularies.insert(vocabulary(SUBJECTS));
    let collection = CollectionProfile {
        name: "c".to_owned(),
        vocabulary: ShortName::new("v"),
        models: vec![ShortName::new("m").unwrap()],
        ..CollectionProfile::default()
    };
    for measure in Measure::ALL {
        let settings = TransferSettings {
            measure,
            automatic: [TransferRule::Statistics].into(),
            statistical_terms: 1,
            ..TransferSettings::default()
        };
        let (mut plain, mut carried, mut wrong, mut relevant) = (0, 0, 0, 0);
        for subject in 0..SUBJECTS {
            let question = format!("thema{subject}wort1");
            let parts = QueryPart::words_of(&question);
            let rewriting = rewrite(&parts, &collection, &vocabularies, &models, &settings);
            let wanted: BTreeSet<String> = rewriting
                .active()
                .flat_map(|it| match &it.target {
                    Target::Concept(concept) => concept.terms.clone(),
                    _ => Vec::new(),
                })
                .collect();
            for (words, terms) in &asked {
                let is_relevant = terms.contains(&format!("Begriff {subject}"));
                let by_word = words.contains(&question);
                let by_term = terms.iter().any(|term| wanted.contains(term));
                relevant += usize::from(is_relevant);
                plain += usize::from(is_relevant && by_word);
                carried += usize::from(is_relevant && (by_word || by_term));
                wrong += usize::from(!is_relevant && by_term);
            }
        }
        let share = |n: usize| n as f64 / relevant as f64;
        assert!(share(plain) < 0.2, "{measure}: {}", share(plain));
        assert!(share(carried) > 0.95, "{measure}: {}", share(carried));
        assert!(wrong * 20 < relevant, "{measure}: {wrong} of {relevant}");
    }
}

fn vocabulary(subjects: u64) -> auslese_vocabulary::Vocabulary {
    use auslese_vocabulary::{Concept, Label, LabelKind, Vocabulary};
    let concepts = (0..subjects).map(|it| Concept {
        uri: format!("http://v/{it}"),
        labels: vec![Label {
            kind: LabelKind::Preferred,
            language: "de".to_owned(),
            text: format!("Begriff {it}"),
        }],
        ..Concept::default()
    });
    Vocabulary::new(ShortName::new("v").expect("a name"), concepts.collect())
}

//! Questions carried from one vocabulary into another, with their weights.

use auslese_vocabulary::{
    CollectionProfile, Import, ImportOptions, LearnSettings, Learner, Measure, Models, QueryPart,
    Relation, Relevance, Rewriting, ShortName, Source, Switch, Target, Transfer, TransferDocument,
    TransferMode, TransferRule, TransferSettings, TransferTerm, Vocabularies, rewrite,
};

const SOCIETY: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix a: <http://a.example/> .
a:1 skos:prefLabel "Wanderungsbewegung"@de ; skos:altLabel "Migration"@de , "Zuwanderung"@de ; skos:notation "10.1" .
a:2 skos:prefLabel "Arbeit"@de .
a:3 skos:prefLabel "Frauenarbeit"@de .
a:4 skos:prefLabel "Bank (Möbel)"@de . a:5 skos:prefLabel "Bank (Geld)"@de .
a:6 skos:prefLabel "Brauch"@de ; skos:hiddenLabel "Brauhc"@de .
"#;

const LIBRARY: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix b: <http://b.example/> .
b:1 skos:prefLabel "Ein- und Auswanderung"@de ; skos:notation "EA" .
b:2 skos:prefLabel "Beruf"@de . b:3 skos:prefLabel "Frau"@de . b:4 skos:prefLabel "Volkskunde"@de .
"#;

const THIRD: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://c.example/1> skos:prefLabel "Mobilität"@de .
"#;

const CONCORDANCE: &str = "#curie_map:\n#  a: http://a.example/\n#  b: http://b.example/\n#  c: http://c.example/\n\
subject_id\tpredicate_id\tobject_id\tconfidence\n\
a:1\tskos:exactMatch\tb:1\t1\n\
a:2\tskos:broadMatch\tb:4\t0.5\n\
a:3\tskos:exactMatch\tb:2 AND b:3\t0.9\n\
a:6\tskos:narrowMatch\tb:4\t1\n\
b:1\tskos:exactMatch\tc:1\t1\n";

fn name(text: &str) -> ShortName {
    ShortName::new(text).expect("a short name")
}

fn add(vocabularies: &mut Vocabularies, file: &str, text: &str) {
    let import =
        Import::read(text.as_bytes(), file, &ImportOptions::default()).expect("it is sound");
    import.vocabulary.map(|it| vocabularies.insert(it));
    import.concordance.map(|it| vocabularies.insert_concordance(it));
}

fn vocabularies(concordance: &str) -> Vocabularies {
    let mut vocabularies = Vocabularies::default();
    add(&mut vocabularies, "society.ttl", SOCIETY);
    add(&mut vocabularies, "library.ttl", LIBRARY);
    add(&mut vocabularies, "third.ttl", THIRD);
    add(&mut vocabularies, "k.sssom.tsv", concordance);
    vocabularies
}

fn collection(vocabulary: Option<&str>, models: &[&str]) -> CollectionProfile {
    CollectionProfile {
        name: "probe".to_owned(),
        vocabulary: vocabulary.map(name),
        languages: vec!["de".to_owned()],
        models: models.iter().map(|it| name(it)).collect(),
    }
}

fn ask(query: &str, vocabulary: Option<&str>, settings: &TransferSettings) -> Rewriting {
    let parts = QueryPart::words_of(query);
    let (collection, vocabularies) = (collection(vocabulary, &[]), vocabularies(CONCORDANCE));
    rewrite(&parts, &collection, &vocabularies, &Models::default(), settings)
}

/// `words > target weight`, with a mark for those that act.
fn shown(rewriting: &Rewriting) -> Vec<String> {
    let line = |it: &Transfer| {
        let mark = if it.active { "" } else { " (proposed)" };
        format!("{} > {} {:.2}{mark}", it.words, it.target.label(), it.weight)
    };
    rewriting.transfers.iter().map(line).collect()
}

#[test]
fn by_the_vocabulary_of_the_collection() {
    #[rustfmt::skip]
    let cases: [(&str, Option<&str>, &[&str]); 14] = [
        // its own vocabulary: the concept
        ("Migration",     Some("society"), &["Migration > Wanderungsbewegung 1.00"]),
        ("migrationen im Werthtal", Some("society"), &["migrationen > Wanderungsbewegung 1.00"]),
        ("10.1",          Some("society"), &["10.1 > Wanderungsbewegung 1.00"]),
        ("Brauhc",        Some("society"), &["Brauhc > Brauch 0.80"]),
        ("Bank",          Some("society"), &["Bank > Bank (Geld) 0.50", "Bank > Bank (Möbel) 0.50"]),
        // another: its mappings
        ("Migration",     Some("library"), &["Migration > Ein- und Auswanderung 1.00"]),
        ("Arbeit",        Some("library"), &["Arbeit > Volkskunde 0.28 (proposed)"]),
        ("Frauenarbeit",  Some("library"), &["Frauenarbeit > Beruf + Frau 1.00"]),
        // exact mappings of SKOS hold both ways, hierarchies do not
        ("Ein- und Auswanderung", Some("society"), &["Ein- und Auswanderung > Wanderungsbewegung 1.00"]),
        ("Volkskunde",    Some("society"), &[]),
        // a combination is not taken apart
        ("Beruf",         Some("society"), &[]),
        // one step: a:1 to b:1 to c:1 are two
        ("Migration",     Some("third"),   &[]),
        // none: words
        ("Zuwanderung",   None,            &["Zuwanderung > Ein- und Auswanderung 0.80", "Zuwanderung > Migration 0.80", "Zuwanderung > Wanderungsbewegung 0.80"]),
        ("Werthtal",      None,            &[]),
    ];
    for (query, vocabulary, expected) in cases {
        let rewriting = ask(query, vocabulary, &TransferSettings::default());
        assert_eq!(shown(&rewriting), expected, "{query} for {vocabulary:?}");
        for it in &rewriting.transfers {
            assert_eq!(query[it.place.clone()], it.words);
        }
    }
}

#[test]
fn every_relation_and_relevance() {
    let weights = [
        (Relation::Exact, 1.0),
        (Relation::Close, 0.8),
        (Relation::Narrow, 0.7),
        (Relation::Broad, 0.4),
        (Relation::Related, 0.3),
    ];
    let relevances = [
        (Relevance::High, "1", 1.0),
        (Relevance::Medium, "0.5", 0.7),
        (Relevance::Low, "0.1", 0.4),
    ];
    for (relation, weight) in weights {
        for (relevance, confidence, factor) in relevances {
            let concordance = format!(
                "#curie_map:\n#  a: http://a.example/\n#  b: http://b.example/\n\
                subject_id\tpredicate_id\tobject_id\tconfidence\na:2\tskos:{relation}Match\tb:2\t{confidence}\n"
            );
            let rewriting = rewrite(
                &QueryPart::words_of("Arbeit"),
                &collection(Some("library"), &[]),
                &vocabularies(&concordance),
                &Models::default(),
                &TransferSettings::default(),
            );
            let [it] = &rewriting.transfers[..] else { panic!("{relation} {relevance}") };
            assert!((it.weight - weight * factor).abs() < 1e-12, "{relation} {relevance}");
            let automatic = matches!(relation, Relation::Exact | Relation::Close);
            assert_eq!((it.active, it.mode), (automatic, TransferMode::Expand), "{relation}");
            let Source::Concordance { relation: r, relevance: v, concordance, .. } = &it.source
            else {
                panic!("{it:?}")
            };
            assert_eq!((*r, *v, concordance.as_str()), (relation, relevance, "k"));
        }
    }
}

#[test]
fn switches() {
    let usual = TransferSettings::default();
    let id = ask("Migration", Some("library"), &usual).transfers[0].id.clone();
    assert!(id.starts_with("migration.exact.ein-und-auswanderung."), "{id}");
    let acts = |settings: TransferSettings, query: &str| {
        ask(query, Some("library"), &settings)
            .transfers
            .iter()
            .map(|it| it.active)
            .collect::<Vec<_>>()
    };
    let with = |change: fn(&mut TransferSettings)| {
        let mut settings = TransferSettings::default();
        change(&mut settings);
        settings
    };
    let mut off = usual.clone();
    off.transfers.insert(id, Switch::Off);
    assert_eq!(acts(off, "Migration"), [false]);
    assert_eq!(acts(with(|it| it.enabled = false), "Migration"), [false; 0]);
    assert_eq!(
        acts(
            with(|it| {
                it.off.insert(TransferRule::Exact);
            }),
            "Migration"
        ),
        [false]
    );
    assert_eq!(
        acts(
            with(|it| {
                it.off.insert(TransferRule::Concordance);
            }),
            "Migration"
        ),
        [false]
    );
    assert_eq!(
        acts(
            with(|it| {
                it.off.insert(TransferRule::Close);
            }),
            "Migration"
        ),
        [true]
    );
    assert_eq!(
        acts(
            with(|it| {
                it.automatic.insert(TransferRule::Broad);
            }),
            "Arbeit"
        ),
        [true]
    );
    let mut on = usual.clone();
    let proposal = ask("Arbeit", Some("library"), &usual).transfers[0].clone();
    assert!(proposal.why.ends_with("a proposal, not used unless asked for"), "{}", proposal.why);
    on.transfers.insert(proposal.id, Switch::On);
    assert_eq!(acts(on, "Arbeit"), [true]);
    let replacing = with(|it| {
        it.replacing.insert(TransferRule::Exact);
    });
    assert_eq!(
        ask("Migration", Some("library"), &replacing).transfers[0].mode,
        TransferMode::Replace
    );
    let one_way = with(|it| it.undirected = false);
    assert_eq!(ask("Ein- und Auswanderung", Some("society"), &one_way).transfers, []);
}

#[test]
fn reasons_and_notes() {
    let settings = TransferSettings::default();
    let rewriting = ask("Zuwanderung im Werthtal", Some("library"), &settings);
    assert_eq!(
        rewriting.transfers[0].why,
        "\"Zuwanderung\" is another name of \"Wanderungsbewegung\" in society; k maps it to \"Ein- und Auswanderung\" (exact, high)"
    );
    assert_eq!(rewriting.notes, ["nothing found for \"im\", \"Werthtal\""]);
    let Target::Concept(concept) = &rewriting.transfers[0].target else { panic!() };
    assert_eq!(concept.terms, ["Ein- und Auswanderung", "EA"]);
    assert_eq!(ask("Bank", Some("society"), &settings).notes, ["\"Bank\" names 2 concepts"]);
    let json = serde_json::to_value(&rewriting).unwrap();
    assert_eq!(json["transfers"][0]["source"]["kind"], "concordance");
    assert_eq!(json["transfers"][0]["place"]["end"], 11);
}

#[test]
fn settings_are_read_by_name() {
    let text = r#"{"broad": 0.5, "measure": "log-likelihood", "off": ["statistics"], "transfers": {"x": "off"}}"#;
    let settings: TransferSettings = serde_json::from_str(text).unwrap();
    assert_eq!((settings.broad, settings.exact), (0.5, 1.0));
    assert_eq!(settings.measure, Measure::LogLikelihood);
    assert!(serde_json::from_str::<TransferSettings>(r#"{"braod": 1}"#).is_err());
    let back: TransferSettings =
        serde_json::from_str(&serde_json::to_string(&settings).unwrap()).unwrap();
    assert_eq!(back, settings);
}

/// Documents with "pendeln" are indexed with "Beruf", others with "Volkskunde".
fn models() -> Models {
    let mut learner =
        Learner::new(LearnSettings { language: Some("de".to_owned()), ..LearnSettings::default() });
    let term = |term| [TransferTerm { scheme: "library", term, weight: 1.0 }];
    for at in 0..40 {
        let (terms, controlled) = match at % 4 {
            0 => (["Pendler", "Bahnhof"], term("Beruf")),
            1 => (["Pendlern", "Stau"], term("Beruf")),
            _ => (["Tracht", "Lied"], term("Volkskunde")),
        };
        learner.add(TransferDocument { terms: &terms, controlled: &controlled });
    }
    let mut models = Models::default();
    models.insert(name("probe"), learner.finish("probe"));
    models
}

#[test]
fn statistics_where_labels_and_mappings_say_nothing() {
    let vocabularies = vocabularies(CONCORDANCE);
    let models = models();
    let ask = |query: &str, vocabulary: Option<&str>, settings: &TransferSettings| {
        let (parts, collection) =
            (QueryPart::words_of(query), collection(vocabulary, &["none", "probe"]));
        rewrite(&parts, &collection, &vocabularies, &models, settings)
    };
    let usual =
        TransferSettings { automatic: TransferRule::ALL.into(), ..TransferSettings::default() };
    // Pendler: n = 40, n_t = n_c = n_tc = 20: strength 1 by every measure, 0.3 after all.
    let found = ask("Pendlern", Some("library"), &usual);
    assert_eq!(shown(&found), ["Pendlern > Beruf 0.30"]);
    let Source::Statistics { counts, strength, .. } = &found.transfers[0].source else { panic!() };
    assert_eq!((counts.n, counts.n_t, counts.n_c, counts.n_tc, *strength), (40, 20, 20, 20, 1.0));
    let Target::Concept(concept) = &found.transfers[0].target else { panic!() };
    assert_eq!(concept.uri.as_deref(), Some("http://b.example/2"));
    // Stau: n_t = n_tc = 10, n_c = 20: equivalence 100 / 200 = 0.5, half of 0.3.
    assert_eq!(shown(&ask("Stau", Some("library"), &usual)), ["Stau > Beruf 0.15"]);
    let conditional = TransferSettings { measure: Measure::Conditional, ..usual.clone() };
    assert_eq!(shown(&ask("Stau", Some("library"), &conditional)), ["Stau > Beruf 0.30"]);
    // Other vocabularies have no terms in this model.
    assert_eq!(shown(&ask("Stau", Some("society"), &usual)), [""; 0]);
    // Not asked where there is an answer, unless wanted.
    let both = TransferSettings { always_statistics: true, ..usual.clone() };
    assert_eq!(
        shown(&ask("Beruf Stau", Some("library"), &usual)),
        ["Beruf > Beruf 1.00", "Stau > Beruf 0.15"]
    );
    assert_eq!(shown(&ask("Beruf", Some("library"), &both)), ["Beruf > Beruf 1.00"]);
    // And back: words that go with a concept, for a collection without vocabulary.
    let back = ask("Beruf", None, &usual);
    assert_eq!(shown(&back), ["Beruf > Pendler 0.30", "Beruf > Bahnhof 0.15", "Beruf > Stau 0.15"]);
    let few = TransferSettings { statistical_terms: 1, ..usual.clone() };
    assert_eq!(shown(&ask("Beruf", None, &few)), ["Beruf > Pendler 0.30"]);
    // By default they are proposals.
    assert!(!ask("Stau", Some("library"), &TransferSettings::default()).transfers[0].active);
}

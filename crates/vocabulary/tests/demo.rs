//! The vocabularies of the demo: they are sound, and questions in the words of one find the pages
//! that carry the terms of the other.

use auslese_vocabulary::{
    CollectionProfile, Import, ImportOptions, Models, QueryPart, Relation, ShortName, Target,
    TransferSettings, Vocabularies, rewrite,
};
use std::collections::BTreeSet;

/// Read here and not through the demo's crate, which would bring a whole internet along.
const FILES: [(&str, &str); 3] = [
    ("sozialthesaurus.ttl", include_str!("../../testnet/vocabularies/sozialthesaurus.ttl")),
    ("schlagwoerter.ttl", include_str!("../../testnet/vocabularies/schlagwoerter.ttl")),
    (
        "sozialthesaurus-schlagwoerter.sssom.tsv",
        include_str!("../../testnet/vocabularies/sozialthesaurus-schlagwoerter.sssom.tsv"),
    ),
];

fn vocabularies() -> Vocabularies {
    let mut vocabularies = Vocabularies::default();
    for (file, text) in FILES {
        let import = Import::read(text.as_bytes(), file, &ImportOptions::default());
        let import = import.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(import.warnings, [], "{file}");
        import.vocabulary.map(|it| vocabularies.insert(it));
        import.concordance.map(|it| vocabularies.insert_concordance(it));
    }
    vocabularies
}

#[test]
fn they_are_sound() {
    let vocabularies = vocabularies();
    let sizes: Vec<(&str, usize)> =
        vocabularies.vocabularies().map(|it| (it.id.as_str(), it.concepts().len())).collect();
    assert_eq!(sizes, [("schlagwoerter", 42), ("sozialthesaurus", 43)]);
    let concordance = vocabularies.concordances().next().unwrap();
    assert_eq!(vocabularies.unresolved(concordance), []);
    let mappings = concordance.mappings();
    let relations: BTreeSet<Relation> = mappings.iter().map(|it| it.relation).collect();
    assert_eq!((mappings.len(), relations.len()), (32, Relation::ALL.len()));
    assert_eq!(mappings.iter().filter(|it| it.is_combination()).count(), 1);
    assert_eq!(vocabularies.pairs(concordance).len(), 2, "in both directions");
}

#[test]
fn questions_in_the_words_of_the_other() {
    let vocabularies = vocabularies();
    let ask = |query: &str, vocabulary: &str| {
        let collection = CollectionProfile {
            name: vocabulary.to_owned(),
            vocabulary: ShortName::new(vocabulary),
            languages: vec!["de".to_owned()],
            models: Vec::new(),
        };
        let (parts, settings) = (QueryPart::words_of(query), TransferSettings::default());
        let rewriting = rewrite(&parts, &collection, &vocabularies, &Models::default(), &settings);
        let active = rewriting.active().map(|it| match &it.target {
            Target::Concept(concept) => format!("{} {:.2}", concept.terms.join(" or "), it.weight),
            target => format!("{} {:.2}", target.label(), it.weight),
        });
        active.collect::<Vec<_>>()
    };
    #[rustfmt::skip]
    let cases: [(&str, &str, &[&str]); 9] = [
        // asked                       collection            terms searched
        ("Steuern",                    "schlagwoerter",      &["Abgabenwesen 1.00"]),
        ("Geschichte der Wissenschaften", "schlagwoerter",   &["Gelehrtengeschichte 1.00"]),
        ("berufstätige Frauen",        "schlagwoerter",      &["Frau + Beruf 1.00"]),
        ("Grüße",                      "schlagwoerter",      &["Höflichkeit 0.56"]),
        ("Berufsverkehr",              "sozialthesaurus",    &["Pendeln or commuting or S15 1.00"]),
        ("Mühlenwesen",                "sozialthesaurus",    &["Mühle (Betrieb) or S27 1.00"]),
        ("Nachbar",                    "sozialthesaurus",    &["Nachbarschaft or neighbourhood or S44 1.00"]),
        ("Verkehr",                    "sozialthesaurus",    &[]),
        ("Ein- und Auswanderung",      "sozialthesaurus",    &["Migration or migration or S11 1.00"]),
    ];
    for (query, vocabulary, expected) in cases {
        assert_eq!(ask(query, vocabulary), expected, "{query}");
    }
}

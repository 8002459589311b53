//! Vocabularies written and read back, and what is shown of them.

use auslese_vocabulary::{
    Concept, Concordance, Direction, Import, ImportFormat, ImportOptions, Label, LabelKind, Listed,
    Mapping, Relation, Relevance, ShortName, StoreError, Vocabulary, VocabularyStore,
};
use proptest::prelude::*;
use std::fs;

fn name(text: &str) -> ShortName {
    ShortName::new(text).expect("a short name")
}

fn read(file: &str, text: &str) -> Import {
    Import::read(text.as_bytes(), file, &ImportOptions::default()).expect("it is sound")
}

const FIRST: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://a/1> skos:prefLabel "Wasser"@de , "Water"@en ; skos:narrower <http://a/2> .
<http://a/2> skos:prefLabel "Fluss"@de ; skos:broader <http://a/1> ; skos:related <http://a/3> ;
  skos:exactMatch <http://b/9> .
<http://a/3> skos:prefLabel "Ufer"@de ; skos:broader <http://a/2> .
"#;

const SECOND: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://b/9> skos:prefLabel "Strom"@de ; skos:broadMatch <http://a/1> .
"#;

#[test]
fn a_folder_of_vocabularies() {
    let folder = tempfile::tempdir().unwrap();
    let store = VocabularyStore::at(folder.path().join("vocabularies"));
    assert_eq!(store.load().unwrap().list(), [], "no folder, no vocabularies");

    let added = store.add(read("a.ttl", FIRST)).unwrap();
    assert_eq!(added.vocabulary.as_ref().map(|it| (it.replaced, it.entries)), Some((false, 3)));
    let waits: Vec<String> = added.unresolved.iter().map(ToString::to_string).collect();
    assert_eq!(
        waits,
        ["a.ttl:4: warning: the mapping waits for <http://b/9>: no vocabulary here has it"]
    );
    let before = files(folder.path());
    assert!(store.add(read("a.ttl", FIRST)).unwrap().vocabulary.unwrap().replaced);
    assert_eq!(files(folder.path()), before, "the same import gives the same bytes");

    let added = store.add(read("b.ttl", SECOND)).unwrap();
    assert!(added.unresolved.is_empty());
    let vocabularies = store.load().unwrap();
    let waiting = vocabularies.concordance(&name("a-mappings")).unwrap();
    assert!(vocabularies.unresolved(waiting).is_empty(), "its vocabulary has come");
    let Listed::Concordance { pairs, unresolved, .. } = &vocabularies.list()[2] else { panic!() };
    assert_eq!(pairs, &[(Some(name("a")), Some(name("b")), 1)]);
    assert_eq!(*unresolved, 0);

    let view = vocabularies.view(&name("a"), "http://a/2", &["de".to_owned()]).unwrap();
    let labels = |links: &[auslese_vocabulary::ConceptLink]| {
        links.iter().map(|it| it.label.clone()).collect::<Vec<_>>()
    };
    assert_eq!(labels(&view.paths[0]), ["Wasser"]);
    assert_eq!(
        (labels(&view.children), labels(&view.related)),
        (vec!["Ufer".to_owned()], vec!["Ufer".to_owned()])
    );
    assert_eq!(view.mappings.len(), 1);
    assert_eq!(
        (view.mappings[0].direction, view.mappings[0].directed),
        (Direction::Outward, false)
    );
    let top = vocabularies.view(&name("a"), "http://a/1", &["en".to_owned()]).unwrap();
    assert_eq!(top.label, "Water");
    let inward = &top.mappings[0];
    assert_eq!((inward.direction, inward.relation), (Direction::Inward, Relation::Broad));
    assert_eq!((inward.from.label.as_str(), inward.directed), ("Strom", true));

    let tree = vocabularies.tree(&name("a"), None, 9, 100, &[]).unwrap();
    let lines: Vec<String> = tree
        .iter()
        .map(|it| format!("{} {} {}", it.depth, it.concept.label, it.children))
        .collect();
    assert_eq!(lines, ["0 Wasser 1", "1 Fluss 1", "2 Ufer 0"]);
    assert_eq!(vocabularies.tree(&name("a"), Some("http://a/2"), 0, 9, &[]).unwrap().len(), 1);
    assert!(vocabularies.tree(&name("x"), None, 9, 9, &[]).is_none());
    assert_eq!(labels(&vocabularies.search("RO", None, &[], 9)), ["Strom"]);
    assert_eq!(labels(&vocabularies.search("u", Some(&name("a")), &[], 9)), ["Ufer", "Fluss"]);
    assert!(serde_json::to_string(&view).unwrap().contains("\"direction\":\"outward\""));

    // A new state without mappings takes the old mappings with it.
    store
        .add(read("a.ttl", &FIRST.replace("skos:exactMatch <http://b/9>", "skos:notation \"2\"")))
        .unwrap();
    assert!(store.load().unwrap().concordance(&name("a-mappings")).is_none());
    assert!(store.remove(&name("b")).unwrap());
    assert!(!store.remove(&name("b")).unwrap());
    assert_eq!(files(folder.path()).len(), 1);
}

fn files(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder.join("vocabularies"))
        .expect("it can be read")
        .map(|entry| entry.expect("it can be read").path())
        .map(|path| (path.display().to_string(), fs::read(path).expect("it can be read")))
        .collect();
    files.sort();
    files
}

#[test]
fn damaged_and_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    let store = VocabularyStore::at(folder.path());
    fs::write(folder.path().join("README.md"), "of yours").unwrap();
    fs::write(folder.path().join("x.vocabulary.new-1"), "left by a crash").unwrap();
    assert_eq!(store.load().unwrap().list(), []);
    fs::write(folder.path().join("x.vocabulary.jsonl"), "{}").unwrap();
    let error = store.load().unwrap_err();
    assert!(
        matches!(error, StoreError::Damaged { .. })
            && error.to_string().ends_with("x.vocabulary.jsonl")
    );
}

fn text() -> impl Strategy<Value = String> {
    "[\\PC&&[^ ]]{1,12}"
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::btree_set(text(), 0..3).prop_map(|it| it.into_iter().collect())
}

prop_compose! {
    fn concept()(
        uri in text(), notations in texts(), broader in texts(), narrower in texts(), related in texts(),
        pref in prop::collection::btree_map("|de|en|de-at", text(), 0..3),
        others in prop::collection::btree_set((any::<bool>(), "|de|en", text()), 0..4),
        notes in prop::collection::btree_set(("de|en", text()), 0..3),
    ) -> Concept {
        let pref = pref.into_iter().map(|(language, text)| Label { kind: LabelKind::Preferred, language, text });
        let others = others.into_iter().map(|(hidden, language, text)| {
            let kind = if hidden { LabelKind::Hidden } else { LabelKind::Alternative };
            Label { kind, language, text }
        });
        let mut labels: Vec<Label> = pref.chain(others).collect();
        labels.sort();
        Concept { uri, notations, labels, broader, narrower, related, scope_notes: notes.into_iter().collect() }
    }
}

prop_compose! {
    fn mapping()(
        from in text(), to in prop::collection::vec(text(), 1..3), relation in 0..5usize, relevance in 0..3usize,
        directed in any::<bool>(), from_label in prop::option::of(text()), line in prop::option::of(0..9u64),
    ) -> Mapping {
        let (relation, relevance) = (Relation::ALL[relation], Relevance::ALL[relevance]);
        Mapping { from, to, relation, relevance, directed, from_label, to_label: None, line }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn what_is_written_reads_back(
        concepts in prop::collection::vec(concept(), 1..8),
        mappings in prop::collection::vec(mapping(), 1..8),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let store = VocabularyStore::at(folder.path());
        let import = Import {
            format: ImportFormat::Turtle,
            vocabulary: Some(Vocabulary::new(name("v"), concepts)),
            concordance: Some(Concordance::new(name("k"), mappings)),
            warnings: Vec::new(),
            untold_warnings: 0,
        };
        let (vocabulary, concordance) = (import.vocabulary.clone().unwrap(), import.concordance.clone().unwrap());
        store.add(import).unwrap();
        let back = store.load().unwrap();
        prop_assert_eq!(back.vocabulary(&name("v")), Some(&vocabulary));
        prop_assert_eq!(back.concordance(&name("k")), Some(&concordance));
    }
}

//! Files made to do harm: they end in an error or in warnings, soon, and with little memory.

use auslese_vocabulary::{Import, ImportError, ImportOptions, MAX_LABELS_OF_CONCEPT};
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn import(file: &str, bytes: &[u8]) -> Result<Import, ImportError> {
    let started = Instant::now();
    let import = Import::read(bytes, file, &ImportOptions::default());
    assert!(started.elapsed() < Duration::from_secs(30), "{file} took {:?}", started.elapsed());
    import
}

const SKOS: &str = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n";

#[test]
fn files_without_measure() {
    let million = 1_000_000;
    let rdf =
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:a=\"http://a/\">";
    let laughs: String = (1..12)
        .map(|at| format!("<!ENTITY l{at} \"{}\">", format!("&l{};", at - 1).repeat(10)))
        .collect();
    #[rustfmt::skip]
    let cases = [
        ("brackets.ttl",  format!("{SKOS}<http://a> skos:exactMatch {}", "(".repeat(million)),                   "brackets within each other"),
        ("lists.ttl",     format!("{SKOS}<http://a> skos:exactMatch {}", "( <http://b> ".repeat(million)),       "brackets within each other"),
        ("nodes.ttl",     format!("{SKOS}<http://a> skos:exactMatch {}", "[ skos:exactMatch ".repeat(million)),  "brackets within each other"),
        ("open.ttl",      format!("{SKOS}<http://a> skos:prefLabel \"\"\"{}", "x\n".repeat(million)),            "does not end within"),
        ("errors.ttl",    format!("{SKOS}{}", "! ? .\n".repeat(million)),                                        "this is no Turtle"),
        ("long.ttl",      format!("{SKOS}<http://{}", "a".repeat(3 * million)),                                  "does not end within"),
        ("deep.rdf",      format!("{rdf}{}", "<a:b>".repeat(million)),                                           "elements within each other"),
        ("text.rdf",      format!("{rdf}<a:b>{}", "x".repeat(3 * million)),                                      "does not end within"),
        ("laughs.rdf",    format!("<!DOCTYPE r [<!ENTITY l0 \"ha\">{laughs}]>{rdf}<a:b>&l11;</a:b></rdf:RDF>"),  "contains other entities"),
        ("deep.json",     format!("{{\"uri\":{}", "[".repeat(million)),                                          "not closed"),
        ("nested.json",   format!("{{\"uri\":{}{}}}", "[".repeat(million), "]".repeat(million)),                 "this is no JSON"),
        ("long.json",     format!("{{\"uri\":\"{}\"}}", "x".repeat(6 * million)),                                "longer than"),
        ("long.tsv",      format!("subject_id\tpredicate_id\tobject_id\n{}", "x".repeat(6 * million)),           "longer than"),
    ];
    for (file, text, message) in cases {
        let error = import(file, text.as_bytes()).expect_err(file).to_string();
        assert!(error.contains(message), "{file}: {error}");
    }
}

#[test]
fn a_million_labels() {
    let mut text = format!("{SKOS}<http://a/1> skos:prefLabel \"Kopf\"@de");
    for at in 0..1_000_000 {
        text.push_str(&format!(" ; skos:altLabel \"Wort {at}\"@de"));
    }
    text.push_str(" .\n");
    let import = import("labels.ttl", text.as_bytes()).unwrap();
    let labels = import.vocabulary.unwrap().concepts()[0].labels.len();
    assert_eq!(labels, MAX_LABELS_OF_CONCEPT);
    assert_eq!(import.warnings.len(), 1);
}

#[test]
fn an_endless_list_and_a_long_label() {
    let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    let text = format!(
        "{SKOS}<http://a/1> skos:exactMatch _:l .\n_:l <{rdf}first> <http://b/1> ; <{rdf}rest> _:l .\n\
        <http://a/1> skos:prefLabel \"{}\"@de , \"Wort\"@de .\n",
        "x".repeat(5_000)
    );
    let import = import("list.ttl", text.as_bytes()).unwrap();
    let told: Vec<Option<u64>> = import.warnings.iter().map(|it| it.line).collect();
    assert_eq!(told, [Some(4), Some(2)], "{:?}", import.warnings);
    assert!(import.concordance.is_none());
    assert_eq!(import.vocabulary.unwrap().concepts()[0].labels.len(), 1);
}

const SEEDS: [(&str, &str); 4] = [
    (
        "a.ttl",
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<http://a/1> a skos:Concept ; skos:prefLabel \"\"\"Fluß\"\"\"@de ; skos:broader [] ; skos:exactMatch ( <http://b> ) .\n",
    ),
    (
        "a.rdf",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:s=\"http://www.w3.org/2004/02/skos/core#\"><s:Concept rdf:about=\"http://a\"><s:prefLabel xml:lang=\"de\">x&amp;y</s:prefLabel><!-- c --></s:Concept></rdf:RDF>",
    ),
    (
        "a.tsv",
        "#curie_map:\n# a: http://a/\nsubject_id\tpredicate_id\tobject_id\tconfidence\na:1\tskos:exactMatch\ta:2\t0.5\n",
    ),
    (
        "a.json",
        "[{\"uri\":\"http://a\",\"prefLabel\":{\"de\":\"x\"},\"broader\":[null]},{\"from\":{\"memberSet\":[{\"uri\":\"a\"}]},\"to\":{\"memberSet\":[{\"uri\":\"b\"}]}}]",
    ),
];

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400), which in 0..4usize) {
        let _ = import(SEEDS[which].0, &bytes);
    }

    #[test]
    fn damaged_files(which in 0..4usize, at in any::<prop::sample::Index>(), bytes in prop::collection::vec(any::<u8>(), 0..4), gone in 0..20usize) {
        let (file, text) = SEEDS[which];
        let mut damaged = text.as_bytes().to_vec();
        let at = at.index(damaged.len());
        let end = (at + gone).min(damaged.len());
        damaged.splice(at..end, bytes);
        let _ = import(file, &damaged);
    }
}

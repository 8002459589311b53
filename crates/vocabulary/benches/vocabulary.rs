//! How long a large vocabulary and a large collection take: 100,000 concepts, 100,000 documents.
//!
//! `cargo bench -p auslese-vocabulary`; times are those of one run.

use auslese_vocabulary::{
    CollectionProfile, Import, ImportOptions, LearnSettings, Learner, Models, QueryPart, ShortName,
    TransferDocument, TransferSettings, TransferTerm, VocabularyStore, rewrite,
};
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

const CONCEPTS: usize = 100_000;
const DOCUMENTS: usize = 100_000;

fn main() {
    let turtle = turtle();
    println!("{CONCEPTS} concepts, {} MB of Turtle", turtle.len() / 1_000_000);
    let options = ImportOptions { id: ShortName::new("large"), ..ImportOptions::default() };
    let import = timed("import", || {
        Import::read(turtle.as_bytes(), "large.ttl", &options).expect("it is sound")
    });
    let folder = tempfile::tempdir().expect("a folder can be made");
    let store = VocabularyStore::at(folder.path());
    timed("write", || store.add(import).expect("it can be written"));
    let vocabularies = timed("load", || store.load().expect("it can be read"));
    let query = QueryPart::words_of("Wirkung der Begriffe 77 auf das Gebiet 4711 im Werthtal");
    timed("index of labels, and the first question", || vocabularies.match_labels(&query, &[]));
    let collection =
        CollectionProfile { vocabulary: ShortName::new("large"), ..CollectionProfile::default() };
    let settings = TransferSettings::default();
    timed("1,000 questions", || {
        for _ in 0..1_000 {
            black_box(rewrite(&query, &collection, &vocabularies, &Models::default(), &settings));
        }
    });

    let words: Vec<String> = (0..50_000).map(|at| format!("wort{at}lich")).collect();
    let terms: Vec<String> = (0..2_000).map(|at| format!("Begriff {at}")).collect();
    let model = timed("learning from 100,000 documents of 100 words and 3 terms", || {
        let mut learner = Learner::new(LearnSettings {
            language: Some("de".to_owned()),
            ..LearnSettings::default()
        });
        let mut random: u64 = 1;
        let mut below = |n: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Rare and frequent words, as in texts.
            let share = ((random >> 33) as f64 / (1u64 << 31) as f64).powi(3);
            (share * n as f64) as usize
        };
        for _ in 0..DOCUMENTS {
            let text: Vec<&str> = (0..100).map(|_| words[below(words.len())].as_str()).collect();
            let terms: Vec<TransferTerm<'_>> = (0..3)
                .map(|_| &terms[below(terms.len())])
                .map(|term| TransferTerm { scheme: "large", term, weight: 1.0 })
                .collect();
            learner.add(TransferDocument { terms: &text, controlled: &terms });
        }
        learner.finish("large")
    });
    let mut bytes = Vec::new();
    timed("writing the model", || model.write(&mut bytes).expect("memory can be written"));
    let (words, terms, pairs) = model.size();
    println!("{words} words, {terms} terms, {pairs} pairs, {} MB", bytes.len() / 1_000_000);
    println!("counts of pairs may be too low by {}", model.head.undercount);
}

fn timed<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = act();
    println!("{:>8.0} ms  {what}", started.elapsed().as_secs_f64() * 1_000.0);
    result
}

fn turtle() -> String {
    let mut text = String::from(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix v: <http://large.example/> .\n",
    );
    for at in 0..CONCEPTS {
        let above = at / 10;
        writeln!(
            text,
            "v:c{at} a skos:Concept ; skos:prefLabel \"Begriff {at}\"@de , \"Concept {at}\"@en ;\n  skos:altLabel \"Gebiet {at}\"@de , \"Wirkung von Gebieten der Art {at}\"@de ;\n  skos:notation \"N{at}\" ; skos:broader v:c{above} ; skos:related v:c{} .",
            (at + 7) % CONCEPTS
        )
        .expect("a string grows");
    }
    text
}

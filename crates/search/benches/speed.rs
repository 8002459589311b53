//! How fast documents are indexed and queries answered, on a generated collection:
//!
//!     cargo bench -p auslese-search                 100,000 documents
//!     cargo bench -p auslese-search -- 20000
//!
//! Words are made of syllables and drawn by Zipf's law, half of the documents as German and half as English, with title,
//! authors, keywords, headings and words of links. Queries have one to five words of all frequencies, ten hits with
//! snippets and five facets.

use auslese_model::{Field, Timestamp};
use auslese_search::{
    DocumentDate, Facet, IndexDir, IndexedDocument, IndexedStatement, SearchRequest, Searcher,
    WriterOptions,
};
use std::time::{Duration, Instant};

const VOCABULARY: usize = 120_000;
const WORDS_PER_TEXT: u64 = 320;
const QUERIES: usize = 1_000;

fn main() {
    let count = std::env::args().filter_map(|it| it.parse().ok()).next().unwrap_or(100_000);
    let mut numbers = Numbers(42);
    let vocabulary = Vocabulary::new(&mut numbers);
    let documents: Vec<IndexedDocument> =
        (0..count).map(|key| document(key, &vocabulary, &mut numbers)).collect();
    let bytes: usize = documents.iter().map(|it| it.text.len()).sum();
    println!("{count} documents, {} bytes of text each", bytes / documents.len());

    let dir = tempfile::tempdir().expect("a temporary directory");
    let index = IndexDir::create(&dir.path().join("index")).expect("an index");
    let (begun, cpu) = (Instant::now(), processor_seconds());
    let mut writer = index.writer(WriterOptions::default()).expect("a writer");
    for document in documents {
        writer.put(document).expect("put");
    }
    writer.commit("").expect("commit");
    let indexing = begun.elapsed();
    let cpu = processor_seconds() - cpu;
    println!(
        "indexing: {:.1} s, {:.0} documents/s, {:.1} MB/s; {cpu:.1} s of processor time, {:.0} documents per second of it",
        indexing.as_secs_f64(),
        count as f64 / indexing.as_secs_f64(),
        bytes as f64 / 1e6 / indexing.as_secs_f64(),
        count as f64 / cpu,
    );
    writer.finish().expect("joined");
    println!("with joining in the background: {:.1} s", begun.elapsed().as_secs_f64());

    let begun = Instant::now();
    let searcher = Searcher::open(&[index]).expect("a searcher");
    println!("opening: {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
    let queries: Vec<String> = (0..QUERIES)
        .map(|_| {
            let words = 1 + numbers.below(5);
            let words: Vec<&str> = (0..words).map(|_| vocabulary.draw(&mut numbers)).collect();
            words.join(" ")
        })
        .collect();
    for (name, facets, snippets) in [("plain", false, false), ("facets, snippets", true, true)] {
        let mut times: Vec<Duration> = Vec::new();
        let mut found = 0;
        let cpu = processor_seconds();
        for query in &queries {
            let mut request = SearchRequest::new(query);
            request.snippets = snippets;
            if facets {
                request.facets =
                    vec![Facet::Host, Facet::Type, Facet::Language, Facet::Year, Facet::Keyword];
            }
            let begun = Instant::now();
            found += searcher.search(&request).expect("results").total;
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        let at =
            |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!(
            "{name}: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, longest {:.2} ms, {} documents per query",
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0),
            found / QUERIES as u64
        );
        println!(
            "  processor time per query: {:.2} ms",
            (processor_seconds() - cpu) * 1e3 / QUERIES as f64
        );
    }
}

/// Of all threads of this process, in user mode: other work on the machine does not lengthen it.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks =
        stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(11)?.parse().ok());
    ticks.unwrap_or(0.0) / 100.0
}

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn share(&mut self) -> f64 {
        self.below(1 << 30) as f64 / f64::from(1u32 << 30)
    }
}

struct Vocabulary {
    words: Vec<String>,
}

impl Vocabulary {
    fn new(numbers: &mut Numbers) -> Vocabulary {
        const SYLLABLES: [&str; 24] = [
            "ba", "schul", "ter", "wis", "sen", "land", "ge", "ver", "ung", "tion", "haus", "lo",
            "mi", "kar", "ten", "tech", "nik", "ra", "form", "zeit", "be", "ung", "er", "ä",
        ];
        let word = |_| {
            let syllables = 1 + numbers.below(4);
            (0..syllables).map(|_| SYLLABLES[numbers.below(24) as usize]).collect()
        };
        Vocabulary { words: (0..VOCABULARY).map(word).collect() }
    }

    /// Zipf's law: the chance of the n-th word is about 1/n.
    fn draw(&self, numbers: &mut Numbers) -> &str {
        let rank = (VOCABULARY as f64).powf(numbers.share());
        &self.words[(rank as usize - 1).min(VOCABULARY - 1)]
    }

    fn text(&self, words: u64, numbers: &mut Numbers) -> String {
        let words: Vec<&str> = (0..words).map(|_| self.draw(numbers)).collect();
        words.join(" ")
    }
}

fn document(key: u64, vocabulary: &Vocabulary, numbers: &mut Numbers) -> IndexedDocument {
    let mut statements = Vec::new();
    let mut say = |field, value, weight| {
        statements.push(IndexedStatement {
            field,
            value,
            weight,
            scheme: None,
            chosen: weight > 0.5,
        });
    };
    say(Field::Title, vocabulary.text(8, numbers), 0.9);
    say(Field::Title, vocabulary.text(6, numbers), 0.3);
    say(Field::Author, vocabulary.text(2, numbers), 0.8);
    say(Field::Institution, vocabulary.text(4, numbers), 0.7);
    say(Field::Description, vocabulary.text(20, numbers), 0.6);
    for _ in 0..5 {
        say(Field::Keywords, vocabulary.text(2, numbers), 0.6);
    }
    let words = WORDS_PER_TEXT / 2 + numbers.below(WORDS_PER_TEXT);
    IndexedDocument {
        key,
        id: format!("http://www{}.example.org/path/{key}.html", key % 300),
        fingerprint: key,
        host: format!("www{}.example.org", key % 300),
        path: format!("/path/{key}.html"),
        collection: "bench".into(),
        media_type: "text/html".into(),
        language: Some(if key.is_multiple_of(2) { "de" } else { "en" }.into()),
        document_type: ["article", "page", "report"][(key % 3) as usize].into(),
        size: 10_000,
        captured: Some(Timestamp::from_seconds(1_700_000_000 + key as i64)),
        date: Some(DocumentDate {
            year: 1995 + (key % 30) as i32,
            month: None,
            day: None,
            weight: 0.8,
        }),
        title: vocabulary.text(8, numbers),
        headings: (0..4).map(|_| vocabulary.text(4, numbers)).collect(),
        anchors: vec![(vocabulary.text(3, numbers), 1 + key % 7)],
        text: vocabulary.text(words, numbers),
        statements,
        ..IndexedDocument::default()
    }
}

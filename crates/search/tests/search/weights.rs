//! Weights help: wrong titles and keywords with low weights do less harm than if they were believed.

use crate::indexed;
use auslese_model::Field;
use auslese_search::{IndexedDocument, IndexedStatement, SearchRequest, Searcher};

const TOPICS: u64 = 40;
const PER_TOPIC: u64 = 12;

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn topic_word(topic: u64, nth: u64) -> String {
    format!(
        "topic{}word{}",
        char::from(b'a' + (topic % 26) as u8).to_string().repeat(1 + topic as usize / 26),
        nth
    )
}

/// Each document has a topic. Its right title has a high weight; a wrong one, of another topic, a low weight, as have
/// wrong keywords. Texts mention the topic now and then, and others too.
fn collection() -> Vec<IndexedDocument> {
    let mut numbers = Numbers(17);
    let mut documents = Vec::new();
    for key in 0..TOPICS * PER_TOPIC {
        let topic = key % TOPICS;
        let wrong = (topic + 1 + numbers.below(TOPICS - 1)) % TOPICS;
        let mut words = Vec::new();
        for _ in 0..60 {
            let of = if numbers.below(10) == 0 { topic } else { numbers.below(TOPICS) };
            words.push(topic_word(of, numbers.below(6)));
        }
        let mut statements = Vec::new();
        let mut say = |field, topic, weight, numbers: &mut Numbers| {
            let value = format!(
                "{} {}",
                topic_word(topic, numbers.below(3)),
                topic_word(topic, 3 + numbers.below(3))
            );
            statements.push(IndexedStatement {
                field,
                value,
                weight,
                scheme: None,
                chosen: weight > 0.5,
            });
        };
        say(Field::Title, topic, 0.9, &mut numbers);
        say(Field::Title, wrong, 0.15, &mut numbers);
        say(Field::Keywords, wrong, 0.1, &mut numbers);
        if numbers.below(2) == 0 {
            say(Field::Keywords, topic, 0.7, &mut numbers);
        }
        documents.push(IndexedDocument {
            key,
            text: words.join(" "),
            statements,
            ..Default::default()
        });
    }
    documents
}

fn ndcg(searcher: &Searcher, use_weights: bool) -> f64 {
    let mut sum = 0.0;
    for topic in 0..TOPICS {
        let words: Vec<String> = (0..4).map(|nth| topic_word(topic, nth)).collect();
        let mut request = SearchRequest::new(&words.join(" "));
        request.use_weights = use_weights;
        let hits = searcher.search(&request).unwrap().hits;
        let gain = |nth: usize| 1.0 / (nth as f64 + 2.0).log2();
        let right = hits.iter().enumerate().filter(|(_, hit)| hit.key % TOPICS == topic);
        let ideal: f64 = (0..10).map(gain).sum();
        sum += right.map(|(nth, _)| gain(nth)).sum::<f64>() / ideal;
    }
    sum / TOPICS as f64
}

#[test]
fn weights_used_beat_weights_ignored() {
    let found = indexed(collection());
    let searcher = found.searcher();
    let (used, ignored) = (ndcg(&searcher, true), ndcg(&searcher, false));
    println!("nDCG@10 with weights {used:.3}, without {ignored:.3}");
    assert!(used > ignored + 0.05, "{used} {ignored}");
}

#[test]
fn weak_statements_are_not_indexed() {
    let weak = |weight| {
        let statement = IndexedStatement {
            field: Field::Title,
            value: "doubtful".into(),
            weight,
            scheme: None,
            chosen: false,
        };
        IndexedDocument {
            key: 1,
            title: "x".into(),
            statements: vec![statement],
            ..Default::default()
        }
    };
    assert_eq!(indexed([weak(0.04)]).keys("doubtful"), [0; 0]);
    assert_eq!(indexed([weak(0.06)]).keys("doubtful"), [1]);
}

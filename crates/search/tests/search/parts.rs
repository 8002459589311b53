//! The parts of one collection in several indexes answer as one index does, whatever else the indexes hold.

use crate::{Indexed, document, indexed, options};
use auslese_search::{
    Facet, IndexPart, IndexedDocument, RankingParameters, SearchRequest, Searcher, SimilarRequest,
    Sort,
};
use serde_json::Value;

/// Documents of different lengths, some of them equal but for their keys.
fn made(key: u64) -> IndexedDocument {
    let words = ["Rechte", "Bücher", "Haus", "Bibliothek", "Theorie", "wings", "flow"];
    let word = |nth: u64| words[((key / 3 + nth * nth) % 7) as usize];
    let text: Vec<&str> = (0..1 + key % 11).map(word).collect();
    let title = format!("{} {}", word(1), word(4));
    let made =
        document(key, if key.is_multiple_of(3) { "en" } else { "de" }, &title, &text.join(" "));
    IndexedDocument { host: format!("h{}.example", key % 4), captured: None, ..made }
}

/// What a search says, without what depends on the moment or on where documents lie.
fn told(searcher: &Searcher, request: &SearchRequest) -> Value {
    let mut told = serde_json::to_value(searcher.search(request).unwrap()).unwrap();
    told["took_micros"].take();
    for hit in told["hits"].as_array_mut().unwrap() {
        hit["index"].take();
    }
    told
}

#[test]
fn parts_answer_as_one() {
    let whole = indexed((1..=120).map(made));
    let stale = |key| document(key, "de", "Bibliothek Haus", "veraltet Bibliothek Haus Haus");
    // The first has lost the middle to the second, which has deleted some of its own besides.
    let first = indexed((1..=60).map(made).chain((61..=80).map(stale)).chain((81..=100).map(made)));
    let second = indexed((41..=80).map(made).chain((200..=230).map(stale)));
    let mut writer = second.index.writer(options()).unwrap();
    (200..=230).for_each(|key| writer.remove(key).unwrap());
    writer.commit("state").unwrap();
    let third = indexed((101..=120).map(made));
    let part = |indexed: &Indexed, holds: &[(u64, u64)]| IndexPart {
        index: indexed.index.clone(),
        group: 0,
        holds: Some(holds.to_vec()),
    };
    let parts = [
        part(&second, &[(41, 80)]),
        part(&first, &[(1, 40), (81, 100)]),
        part(&third, &[(101, 1_000)]),
    ];
    let together = Searcher::open_parts(&parts, RankingParameters::default()).unwrap();
    let alone = whole.searcher();
    assert_eq!(together.documents_in_all(), 120);
    let questions = ["Bibliothek", "haus* Theorie", "\"Rechte Haus\"", "title:wings", "flow~", "*"];
    for query in questions {
        for sort in [Sort::Relevance, Sort::Title, Sort::Host] {
            let request = SearchRequest {
                facets: Facet::ALL.to_vec(),
                limit: 200,
                sort,
                explain: true,
                ..SearchRequest::new(query)
            };
            let (found, expected) = (told(&together, &request), told(&alone, &request));
            assert!(expected["total"].as_u64().unwrap() > 3, "{query}");
            assert_eq!(found, expected, "{query} {sort:?}");
        }
    }
    // The document lies in another part than the one that is named.
    let request = SimilarRequest { index: 0, key: 7, limit: 20, boosts: vec![(110, 0.5)] };
    let keys = |searcher: &Searcher| {
        let hits = searcher.similar(&request).unwrap();
        hits.iter().map(|hit| hit.key).collect::<Vec<u64>>()
    };
    assert!(keys(&together).contains(&110));
    let none = part(&first, &[]);
    let empty = Searcher::open_parts(&[none], RankingParameters::default()).unwrap();
    assert_eq!(told(&empty, &SearchRequest::new("*"))["total"], 0);
}

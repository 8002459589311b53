//! Facets, filters, orders, suggestions, similar documents, stored texts.

use crate::{Indexed, document, indexed, keys, options};
use auslese_model::{Field, Timestamp};
use auslese_search::{
    DocumentDate, DocumentsRequest, Facet, FacetFilter, IndexedDocument, IndexedStatement,
    SearchRequest, SimilarRequest, Sort,
};

fn collection() -> Indexed {
    let make = |key: u64, host: &str, year: i32, title: &str, weight: f64, text: &str| {
        let title_statement = IndexedStatement {
            field: Field::Title,
            value: title.into(),
            weight,
            scheme: None,
            chosen: true,
        };
        let keyword = IndexedStatement {
            field: Field::Keywords,
            value: if key.is_multiple_of(2) { "even" } else { "odd" }.into(),
            weight: 1.0,
            scheme: None,
            chosen: true,
        };
        IndexedDocument {
            host: host.into(),
            date: (year > 0).then_some(DocumentDate {
                year,
                month: Some(6),
                day: None,
                weight: 1.0,
            }),
            captured: Some(Timestamp::from_seconds(1_000_000 * (10 - key as i64))),
            statements: vec![title_statement, keyword],
            collection: "test".into(),
            ..document(key, "en", title, text)
        }
    };
    indexed([
        make(1, "b.example", 2001, "Zebra stripes", 0.9, "zebra runs common savanna"),
        make(2, "a.example", 2003, "Antelope", 0.6, "antelope runs common savanna grass"),
        make(3, "b.example", 0, "Öl und Fett", 0.2, "oil common"),
        make(4, "c.example", 2002, "Mangrove", 0.9, "forest common water"),
    ])
}

#[test]
fn facets_and_filters() {
    let found = collection();
    let mut request = SearchRequest::new("common");
    request.facets = Facet::ALL.to_vec();
    let results = found.search(&request);
    let counts = |facet: Facet| {
        let counts = results.facets.iter().find(|it| it.facet == facet).unwrap();
        counts.values.iter().map(|(value, n)| format!("{value}={n}")).collect::<Vec<_>>().join(" ")
    };
    #[rustfmt::skip]
    let cases = [
        (Facet::Host,        "b.example=2 a.example=1 c.example=1"),
        (Facet::Year,        "2003=1 2002=1 2001=1"),
        (Facet::Keyword,     "even=2 odd=2"),
        (Facet::Language,    "en=4"),
        (Facet::WeightClass, "high=2 middle=1 low=1"),
        (Facet::Collection,  "test=4"),
        (Facet::Source,      "page=4"),
        (Facet::Kept,        "unknown=4"),
        (Facet::Institution, ""),
    ];
    for (facet, expected) in cases {
        assert_eq!(counts(facet), expected, "{facet:?}");
    }
    let filter =
        |facet, value: &str, exclude| FacetFilter { facet, values: vec![value.into()], exclude };
    let mut with = |filters| {
        request.filters = filters;
        let mut keys = keys(&found.search(&request));
        keys.sort_unstable();
        keys
    };
    assert_eq!(with(vec![filter(Facet::Host, "b.example", false)]), [1, 3]);
    assert_eq!(with(vec![filter(Facet::Host, "b.example", true)]), [2, 4]);
    assert_eq!(with(vec![filter(Facet::Year, "2002", false)]), [4]);
    assert_eq!(
        with(vec![filter(Facet::WeightClass, "high", false), filter(Facet::Keyword, "odd", false)]),
        [1]
    );
}

#[test]
fn orders() {
    let found = collection();
    #[rustfmt::skip]
    let cases: [(Sort, [u64; 4]); 4] = [
        (Sort::Date,     [2, 4, 1, 3]),
        (Sort::Captured, [1, 2, 3, 4]),
        (Sort::Title,    [2, 4, 3, 1]),
        (Sort::Host,     [2, 1, 3, 4]),
    ];
    for (sort, expected) in cases {
        let mut request = SearchRequest::new("common");
        request.sort = sort;
        assert_eq!(keys(&found.search(&request)), expected, "{sort:?}");
        request.offset = 1;
        request.limit = 2;
        assert_eq!(keys(&found.search(&request)), expected[1..3], "{sort:?}");
        assert_eq!(found.search(&request).total, 4);
    }
}

#[test]
fn ties_are_in_the_order_of_keys() {
    let found = indexed((0..200).rev().map(|key| document(key, "", "same", "same words")));
    let mut writer = found.index.writer(options()).unwrap();
    for key in (0..200).step_by(3) {
        writer.put(document(key, "", "same", "same words")).unwrap();
    }
    writer.commit("").unwrap();
    let mut request = SearchRequest::new("same");
    request.limit = 50;
    assert_eq!(keys(&found.search(&request)), (0..50).collect::<Vec<_>>());
    request.offset = 150;
    assert_eq!(keys(&found.search(&request)), (150..200).collect::<Vec<_>>());
}

#[test]
fn did_you_mean() {
    let found = collection();
    let results = found.search(&SearchRequest::new("zerba title:antilope xyzzyplugh"));
    let words: Vec<&str> = results.suggestions.iter().map(|it| it.instead[0].0.as_str()).collect();
    assert_eq!(words, ["zebra", "antelope"]);
    assert_eq!(results.corrected.as_deref(), Some("zebra title:antelope xyzzyplugh"));
    assert!(found.search(&SearchRequest::new("zebra")).suggestions.is_empty());
}

#[test]
fn similar_documents() {
    let found = collection();
    let request = SimilarRequest { index: 0, key: 1, limit: 3, boosts: Vec::new() };
    let similar = found.searcher().similar(&request).unwrap();
    assert_eq!(similar[0].key, 2);
    assert!(similar.iter().all(|hit| hit.key != 1));
    let boosted = SimilarRequest { boosts: vec![(4, 5.0), (99, 5.0)], ..request };
    assert_eq!(found.searcher().similar(&boosted).unwrap()[0].key, 4);
    let missing = SimilarRequest { key: 77, ..boosted };
    assert!(found.searcher().similar(&missing).is_err());
}

#[test]
fn stored_texts_for_readers() {
    let found = collection();
    let searcher = found.searcher();
    let read = |request: DocumentsRequest| -> Vec<(u64, String)> {
        let documents = searcher.documents(&request).unwrap();
        documents.map(|it| it.unwrap().document).map(|it| (it.key, it.text)).collect()
    };
    assert_eq!(read(DocumentsRequest::default()).len(), 4);
    let request =
        DocumentsRequest { containing: vec!["Zebra".into(), "oil".into()], ..Default::default() };
    let expected = [(1, "zebra runs common savanna".into()), (3, "oil common".into())];
    assert_eq!(read(request), expected);
    let request = DocumentsRequest { query: Some("savanna".into()), ..Default::default() };
    assert_eq!(read(request).iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2]);
    let counts = searcher.exact_counts(&["COMMON".into(), "run".into()]).unwrap();
    assert_eq!((counts[0].documents, counts[0].occurrences), (4, 4));
    assert_eq!(counts[1].documents, 0);
    let (words, complete) = searcher.words_matching("(zeb|sav).*").unwrap();
    assert_eq!(words.iter().map(|it| it.word.as_str()).collect::<Vec<_>>(), ["savanna", "zebra"]);
    assert!(complete);
    let learning: Vec<_> = searcher.learning_documents().unwrap().map(Result::unwrap).collect();
    assert_eq!(learning.len(), 4);
    assert_eq!(learning[0].subjects, [(None, "odd".into(), 1.0)]);
    assert!(learning[0].words.contains(&("stripe".into(), "stripes".into())));
}

#[test]
fn results_are_json() {
    let found = collection();
    let mut request = SearchRequest::new("common");
    (request.snippets, request.explain) = (true, true);
    request.facets = vec![Facet::Host];
    let json = serde_json::to_value(found.search(&request)).unwrap();
    assert_eq!(json["total"], 4);
    assert_eq!(json["facets"][0]["facet"], "host");
    assert!(json["hits"][0]["why"]["terms"][0]["fields"][0]["share"].is_number());
}

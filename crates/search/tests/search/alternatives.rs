//! Terms of other vocabularies beside the words of the query.

use crate::{Indexed, document, indexed, keys};
use auslese_model::Field;
use auslese_search::{
    Alternative, AlternativeTarget, CollectionAlternatives, IndexedDocument, IndexedStatement,
    SearchRequest,
};

fn collection() -> Indexed {
    let with = |key, collection: &str, text: &str, subjects: &[(&str, f64)]| {
        let statement = |(term, weight): &(&str, f64)| IndexedStatement {
            field: Field::Keywords,
            value: (*term).into(),
            weight: *weight,
            scheme: Some("swd".into()),
            chosen: true,
        };
        IndexedDocument {
            collection: collection.into(),
            statements: subjects.iter().map(statement).collect(),
            ..document(key, "en", "", text)
        }
    };
    indexed([
        with(1, "web", "on the boundary layer of a plate", &[]),
        with(2, "library", "plates", &[("Grenzschicht", 0.9)]),
        with(3, "library", "more plates", &[("Grenzschicht", 0.3)]),
        with(4, "library", "a boundary of layers", &[("Platte", 0.9)]),
        with(5, "other", "wings", &[("Grenzschicht", 0.9)]),
    ])
}

fn subject(place: std::ops::Range<usize>, term: &str, replace: bool) -> Alternative {
    Alternative {
        id: term.to_lowercase(),
        place,
        target: AlternativeTarget::Subject { scheme: Some("SWD".into()), terms: vec![term.into()] },
        weight: 0.8,
        replace,
        note: format!("exact match: {term}"),
    }
}

fn request(query: &str, alternatives: Vec<(Option<&str>, Alternative)>) -> SearchRequest {
    let mut request = SearchRequest::new(query);
    request.explain = true;
    request.alternatives = alternatives
        .into_iter()
        .map(|(collection, alternative)| CollectionAlternatives {
            collection: collection.map(str::to_owned),
            alternatives: vec![alternative],
        })
        .collect();
    request
}

#[test]
fn alternatives_find_what_words_do_not() {
    let found = collection();
    let plain = found.search(&SearchRequest::new("boundary layer"));
    assert_eq!(plain.total, 2);
    let alternative = (Some("library"), subject(0..14, "Grenzschicht", false));
    let results = found.search(&request("boundary layer", vec![alternative]));
    let mut found_keys = keys(&results);
    let rank = |key: u64| keys(&results).iter().position(|it| *it == key).unwrap();
    assert!(rank(2) < rank(3), "the weight of the statement counts");
    found_keys.sort_unstable();
    assert_eq!(found_keys, [1, 2, 3, 4], "document 5 is of another collection");
    assert_eq!(results.alternatives[0].hits, 2);
    let hit = results.hits.iter().find(|hit| hit.key == 2).unwrap();
    let why = hit.why.as_ref().unwrap();
    assert_eq!(
        why.terms[0].alternative,
        Some(("grenzschicht".into(), "exact match: Grenzschicht".into()))
    );
}

#[test]
fn replacing_drops_the_words_for_that_collection() {
    let found = collection();
    let alternative = (Some("library"), subject(0..14, "Grenzschicht", true));
    let mut hits = keys(&found.search(&request("boundary layer", vec![alternative])));
    hits.sort_unstable();
    assert_eq!(hits, [1, 2, 3], "document 4 has the words, but is of the collection");
    let alternative = (None, subject(0..14, "Grenzschicht", true));
    let mut hits = keys(&found.search(&request("boundary layer", vec![alternative])));
    hits.sort_unstable();
    assert_eq!(hits, [2, 3, 5]);
}

#[test]
fn alternatives_are_never_required() {
    let found = collection();
    for query in ["+boundary +layer", "boundary AND layer", "(boundary layer)"] {
        let start = query.find("layer").unwrap();
        let alternative = (None, subject(start..start + 5, "Nowhere", false));
        let hits = keys(&found.search(&request(query, vec![alternative])));
        assert_eq!(hits.len(), 2, "{query}");
    }
}

#[test]
fn the_best_alternative_counts_and_not_their_sum() {
    let found = collection();
    let one = found.search(&request("layer", vec![(None, subject(0..5, "Platte", false))]));
    let same = AlternativeTarget::Words("layer".into());
    let mut again = subject(0..5, "Platte", false);
    again.target = same;
    let two = found
        .search(&request("layer", vec![(None, subject(0..5, "Platte", false)), (None, again)]));
    let score = |results: &auslese_search::SearchResults, key| {
        results.hits.iter().find(|hit| hit.key == key).unwrap().score
    };
    assert!((score(&one, 1) - score(&two, 1)).abs() < 1e-6);
    assert!((score(&one, 4) - score(&two, 4)).abs() < 1e-6);
}

//! Scores are those of the formula, computed by hand.

use crate::{document, indexed};
use auslese_model::Field;
use auslese_search::{IndexedDocument, IndexedStatement, SearchRequest, TextField};

fn statement(field: Field, value: &str, weight: f64) -> IndexedStatement {
    IndexedStatement { field, value: value.into(), weight, scheme: None, chosen: true }
}

fn collection() -> Vec<IndexedDocument> {
    let mut one = document(1, "", "", "wing wing lift drag plate");
    one.statements = vec![
        statement(Field::Title, "wing theory", 0.8),
        statement(Field::Title, "the wing and the wing tip", 0.5),
        statement(Field::Keywords, "wing", 0.6),
    ];
    let mut two = document(2, "", "", "lift of a plate in a slipstream at high speed");
    two.statements = vec![statement(Field::Title, "plates", 1.0)];
    let mut three = document(3, "", "", "wing");
    three.statements = vec![statement(Field::Title, "tip", 1.0)];
    for it in [&mut one, &mut two, &mut three] {
        it.host = String::new();
    }
    vec![one, two, three]
}

/// k1 1.2; text w 1 b .75, title w 2 b .5, keywords w 1.5 b .3.
#[test]
fn the_score_is_that_of_the_formula() {
    let found = indexed(collection());
    let idf = (1.0f64 + (3.0 - 2.0 + 0.5) / (2.0 + 0.5)).ln();
    let norm = |b: f64, length: f64, average: f64| 1.0 - b + b * length / average;
    let text_average = (5.0 + 10.0 + 1.0) / 3.0;
    let title_average = (8.0 + 1.0 + 1.0) / 3.0;
    let evidence = |weighted: bool| {
        let c = |weight: f64| if weighted { weight } else { 1.0 };
        let title = 2.0 * (c(0.8) + 2.0 * c(0.5)) / norm(0.5, 8.0, title_average);
        let keywords = 1.5 * c(0.6) / norm(0.3, 1.0, 1.0);
        2.0 / norm(0.75, 5.0, text_average) + title + keywords
    };
    for weighted in [true, false] {
        let mut request = SearchRequest::new("wing");
        request.use_weights = weighted;
        request.explain = true;
        let results = found.search(&request);
        let expected = [
            (1, idf * evidence(weighted) / (1.2 + evidence(weighted))),
            (3, {
                let evidence = 1.0 / norm(0.75, 1.0, text_average);
                idf * evidence / (1.2 + evidence)
            }),
        ];
        assert_eq!(results.hits.len(), 2);
        for (hit, (key, score)) in results.hits.iter().zip(expected) {
            assert_eq!(hit.key, key);
            assert!((hit.score - score).abs() < 1e-5, "{key}: {} {score}", hit.score);
            let why = hit.why.as_ref().unwrap();
            let explained: f64 = why.terms.iter().map(|term| term.score).sum();
            assert!((explained - hit.score).abs() < 1e-5);
            let shares: f64 = why.terms[0].fields.iter().map(|field| field.share).sum();
            assert!((shares - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn why_names_fields_and_weights() {
    let found = indexed(collection());
    let mut request = SearchRequest::new("wing");
    request.explain = true;
    let results = found.search(&request);
    let fields = &results.hits[0].why.as_ref().unwrap().terms[0].fields;
    let title = fields.iter().find(|it| it.field == TextField::Title).unwrap();
    assert_eq!((title.frequency, title.length), (3, 8));
    assert!((title.weight - 0.6).abs() < 1e-6);
}

#[test]
fn repeated_words_count_more() {
    let found = indexed(collection());
    let once = found.search(&SearchRequest::new("wing")).hits[0].score;
    let twice = found.search(&SearchRequest::new("wing wing")).hits[0].score;
    assert!((twice - 2.0 * once).abs() < 1e-5);
}

#[test]
fn several_indexes_are_ranked_as_one() {
    let all = collection();
    let together = indexed(all.clone());
    let first = indexed(all[..1].to_vec());
    let second = indexed(all[1..].to_vec());
    let apart = [first.index.clone(), second.index.clone()];
    let apart = auslese_search::Searcher::open(&apart).unwrap();
    for query in ["wing", "lift plate", "tip wing", "\"wing theory\""] {
        let request = SearchRequest::new(query);
        let expected = together.search(&request);
        let found = apart.search(&request).unwrap();
        assert_eq!(found.total, expected.total);
        for (one, other) in found.hits.iter().zip(&expected.hits) {
            assert_eq!(one.key, other.key);
            assert_eq!(one.index, usize::from(one.key > 1));
            assert!((one.score - other.score).abs() < 1e-6);
        }
    }
}

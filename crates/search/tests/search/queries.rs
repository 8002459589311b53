//! The query language through its door: what matches, errors that point, and inputs nobody meant.

use crate::{Indexed, document, indexed};
use auslese_model::{Field, Timestamp};
use auslese_search::query::{Node, NodeKind, parse, parse_words};
use auslese_search::{DocumentDate, IndexedDocument, IndexedStatement, Kept, SearchRequest};
use proptest::prelude::*;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

fn collection() -> Indexed {
    let statement = |field, value: &str, weight, scheme: Option<&str>| IndexedStatement {
        field,
        value: value.into(),
        weight,
        scheme: scheme.map(str::to_owned),
        chosen: true,
    };
    let date = |year| Some(DocumentDate { year, month: None, day: None, weight: 1.0 });
    let base = |key| document(key, "de", "", "wort");
    indexed([
        IndexedDocument {
            host: "www.uni-ulm.de".into(),
            path: "/mathe/index.html".into(),
            document_type: "Aufsatz".into(),
            media_type: "application/pdf".into(),
            kept: Kept::Kept,
            size: 20_000,
            date: date(2003),
            captured: Timestamp::from_civil((2020, 5, 17), (12, 0, 0)),
            statements: vec![
                statement(Field::Author, "Meier, Hans", 0.9, None),
                statement(Field::Classification, "65F10", 0.9, Some("MSC")),
                statement(Field::Keywords, "Iterative Verfahren", 0.9, None),
            ],
            ..base(1)
        },
        IndexedDocument {
            host: "uni-ulm.de".into(),
            document_type: "Seite".into(),
            media_type: "text/html".into(),
            kept: Kept::Left,
            size: 500,
            versions: 3,
            date: date(2006),
            language: Some("en".into()),
            statements: vec![
                statement(Field::Author, "Hans Maier", 0.9, None),
                statement(Field::Classification, "65F", 0.5, Some("MSC")),
            ],
            ..base(2)
        },
        IndexedDocument {
            host: "www.muni-ulm.de".into(),
            statements: vec![
                statement(Field::Author, "P. Schulze", 0.8, None),
                statement(Field::Classification, "68P20", 1.0, Some("MSC")),
            ],
            ..base(3)
        },
    ])
}

#[test]
fn what_matches() {
    let found = collection();
    #[rustfmt::skip]
    let cases: &[(&str, &[u64])] = &[
        // query                            keys in order
        ("host:uni-ulm.de",                 &[1, 2]),
        ("rechner:www.*",                   &[1, 3]),
        ("type:aufsatz",                    &[1]),
        ("typ:(aufsatz OR seite)",          &[1, 2]),
        ("mime:pdf",                        &[1]),
        ("kept:yes",                        &[1]),
        ("behalten:nein",                   &[2]),
        ("lang:en",                         &[2]),
        ("sprache:de",                      &[1, 3]),
        ("size:>10k",                       &[1]),
        ("größe:<=500",                     &[2, 3]),
        ("versions:2..5",                   &[2]),
        ("date:2003",                       &[1]),
        ("date:2001..2004",                 &[1]),
        ("date:>2003",                      &[2]),
        ("jahr:2006",                       &[2]),
        ("captured:2020-05",                &[1]),
        ("date:~2003",                      &[1, 2]),
        ("date:~2006",                      &[2, 1]),
        ("date:~1980",                      &[]),
        ("author:meier",                    &[1]),
        ("author:~meier",                   &[1, 2]),
        ("author:~\"Maier, H.\"",           &[2, 1]),
        ("autor:~\"Schulze, Peter\"",       &[3]),
        ("msc:65F10",                       &[1]),
        ("msc:65F",                         &[2]),
        ("class:65F",                       &[1, 2]),
        ("msc:65*",                         &[1, 2]),
        ("class:99",                        &[]),
        ("ddc:65F10",                       &[]),
        ("keyword:\"iterative verfahren\"", &[1]),
        ("keyword:iterative",               &[1]),
        ("url:mathe",                       &[1]),
        ("wort lang:de",                    &[1, 3]),
        ("wort -lang:de",                   &[2]),
        ("wort NOT host:uni-ulm.de",        &[3]),
        ("wort UND NICHT msc:65F10",        &[2, 3]),
        ("-wort",                           &[]),
        ("* -kept:yes",                     &[2, 3]),
        ("*",                               &[1, 2, 3]),
        ("(lang:de AND size:>10k) OR lang:en", &[1, 2]),
        ("wort verfahren",                  &[1, 2, 3]),
        ("+wort +verfahren",                &[1]),
        ("wort AND verfahren",              &[1]),
        ("nichts OR verfahren",             &[1]),
        ("",                                &[]),
        ("? ! …",                           &[]),
        ("http://nichts",                   &[]),
        ("10:30 verfahren",                 &[1]),
    ];
    for (query, expected) in cases {
        let mut keys = found.keys(query);
        // Words of equal score depend on lengths; the order of predicates is the point here.
        if query.contains("wort") {
            keys.sort_unstable();
        }
        assert_eq!(&keys, expected, "{query}");
    }
}

#[test]
fn errors_point_at_their_place() {
    #[rustfmt::skip]
    let cases = [
        // query              place    message begins           hint
        ("title:(haus",       6..7,    "the parenthesis is not closed", true),
        ("haus)",             4..5,    "there is no parenthesis to close", true),
        ("\"haus",            0..5,    "the phrase has no end",  true),
        ("titel1:x tittle:y", 9..16,   "there is no field \"tittle\"", true),
        ("AND haus",          0..3,    "the operator has nothing", true),
        ("haus OR",           5..7,    "the operator has nothing", true),
        ("date:soon",         5..9,    "\"soon\" is no date",    false),
        ("date:2004..2001",   5..15,   "the range ends before",  true),
        ("size:10x",          5..8,    "\"10x\" is no size",     false),
        ("haus~5",            0..6,    "this is too far",        true),
        ("title:~haus",       6..11,   "only names of authors",  true),
        ("a NEAR/999 b",      2..10,   "this distance",          false),
        ("a NEAR (b c)",      7..12,   "this cannot be near",    false),
        ("+",                 0..0,    "",                       false),
        ("größe:1..x",        7..11,   "\"x\" is no size",       false),
    ];
    for (query, place, message, hint) in cases {
        match parse(query) {
            Ok(node) => assert_eq!(message, "", "{query} was read as {node:?}"),
            Err(error) => {
                assert!(
                    !message.is_empty() && error.message.starts_with(message),
                    "{query}: {error:?}"
                );
                assert_eq!(error.hint.is_some(), hint, "{query}: {error:?}");
                let place = if query.starts_with('g') { 8..12 } else { place };
                assert_eq!(error.place, place, "{query}");
                assert!(error.render(query).contains('^'));
            }
        }
    }
    let many = "(".repeat(100);
    assert!(parse(&many).unwrap_err().message.contains("32"));
    assert!(parse(&"x".repeat(10_000)).unwrap_err().message.contains("longer"));
    assert!(parse(&"x ".repeat(1_000)).unwrap_err().message.contains("parts"));
}

#[test]
fn patterns_that_explode_are_refused() {
    let found = collection();
    for pattern in ["/(((a{1,100}){1,100}){1,100})/", "/[/", "/a**{/", "/(?<x/"] {
        let begun = Instant::now();
        let error = found.searcher().search(&SearchRequest::new(pattern)).unwrap_err();
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert!(error.to_string().contains("query"), "{pattern}: {error}");
    }
}

/// Places of all parts lie within those of their parents, and words stand at theirs.
fn check_places(node: &Node, query: &str) {
    let inside = |inner: &Node| {
        assert!(
            node.place.start <= inner.place.start && inner.place.end <= node.place.end,
            "{query}"
        );
        check_places(inner, query);
    };
    assert!(query.get(node.place.clone()).is_some(), "{query}");
    match &node.kind {
        NodeKind::Word { word, .. } => {
            let written = auslese_words::fold(&query[node.place.clone()]);
            assert!(written.starts_with(word.as_str()), "{query}: {word}");
        }
        NodeKind::List(clauses) => clauses.iter().for_each(|(_, inner)| inside(inner)),
        NodeKind::And(parts) | NodeKind::Or(parts) => parts.iter().for_each(inside),
        NodeKind::Not(part) => inside(part),
        _ => {}
    }
}

fn shared() -> &'static Indexed {
    static SHARED: OnceLock<Indexed> = OnceLock::new();
    SHARED.get_or_init(collection)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_answered(
        query in "\\PC{0,60}|[a-c\"()+~*:/. -]{0,40}|(wort|AND|OR|NOT|NEAR/3|title:|date:|\\(|\\)|\"|~|2003|\\.\\.|-| ){0,20}"
    ) {
        let begun = Instant::now();
        let mut request = SearchRequest::new(&query);
        request.snippets = true;
        request.explain = true;
        match shared().searcher().search(&request) {
            Ok(results) => prop_assert!(results.total <= 3),
            Err(auslese_search::SearchError::Query(error)) => {
                prop_assert!(error.place.start <= error.place.end);
                error.render(&query);
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
        prop_assert!(begun.elapsed() < Duration::from_secs(5));
        prop_assert!(parse_words(&query).is_ok());
    }

    #[test]
    fn places_are_kept(
        query in "[a-cäß]{1,5}( (AND |OR |\\+|-)?[a-cäß]{1,5}){0,6}|\\PC{0,40}"
    ) {
        if let Ok(node) = parse(&query) {
            check_places(&node, &query);
        }
    }
}

//! Foreign collections and runs.

use crate::indexed;
use auslese_search::{SearchRequest, read_foreign, write_run};
use proptest::prelude::*;

const LINES: &str = r#"{"id": "a", "title": "On wings", "text": "The flow around a wing in a slipstream was measured.", "subjects": [{"term": "Wings", "weight": 0.5, "scheme": "nasa"}, "Flow"]}
not json

{"id": 7, "text": "Plates in a fluid of small viscosity are considered here."}
{"title": "no id"}
{"id": "c", "title": "Flügel", "text": "Die Strömung um einen Flügel wurde gemessen und verglichen.", "lang": "de"}
{"id": "d", "title": "Wing", "text": "x", "subjects": [{"term": "Wings", "weight": 7}]}
"#;

#[test]
fn bad_lines_cost_one_line() {
    let lines = read_foreign(LINES.as_bytes(), "nasa").unwrap();
    let (documents, bad): (Vec<_>, Vec<_>) = lines.partition(Result::is_ok);
    let documents: Vec<_> = documents.into_iter().map(Result::unwrap).collect();
    let bad: Vec<_> = bad.into_iter().filter_map(Result::err).map(|it| it.line).collect();
    assert_eq!(bad, [2, 5]);
    let ids: Vec<(&str, u64)> = documents.iter().map(|it| (it.id.as_str(), it.key)).collect();
    assert_eq!(ids, [("a", 1), ("7", 4), ("c", 6), ("d", 7)]);
    let languages: Vec<_> = documents.iter().map(|it| it.language.as_deref()).collect();
    assert_eq!(languages, [Some("en"), Some("en"), Some("de"), Some("en")]);
    assert_eq!(documents[0].statements[0].weight, 0.5);
    assert_eq!(documents[0].statements[1].value, "Flow");
    assert_eq!(documents[3].statements[0].weight, 1.0);
}

#[test]
fn runs_keep_their_order() {
    let lines = read_foreign(LINES.as_bytes(), "nasa").unwrap();
    let found = indexed(lines.filter_map(Result::ok));
    let hits = found.search(&SearchRequest::new("wings flow")).hits;
    let mut out = Vec::new();
    let doubled: Vec<_> = hits.iter().flat_map(|hit| [hit.clone(), hit.clone()]).collect();
    write_run(&mut out, "q1", &doubled, "test").unwrap();
    let text = String::from_utf8(out).unwrap();
    let mut last = f64::INFINITY;
    for (nth, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split(' ').collect();
        assert_eq!((fields[0], fields[1], fields[5]), ("q1", "Q0", "test"));
        assert_eq!(fields[3], (nth + 1).to_string());
        let score: f64 = fields[4].parse().unwrap();
        assert!(score < last, "{text}");
        last = score;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let lines = bytes.split(|byte| *byte == b'\n').count();
        let read = read_foreign(&bytes[..], "x").unwrap().count();
        prop_assert!(read <= lines);
    }
}

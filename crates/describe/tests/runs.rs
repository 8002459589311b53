//! Runs through the door: what is written is read back, in both formats; what is no run is refused;
//! and two runs are compared.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{
    DifferenceKind, FieldChanges, MAX_RUN_DOCUMENT, RunError, RunFormat, RunHeader, RunWriter,
    compare_runs, read_run,
};
use auslese_model::{Description, Field, FoundAt, RuleId, Statement};
use proptest::prelude::*;

type Documents = Vec<(String, Description)>;

const FORMATS: [RunFormat; 2] = [RunFormat::Xml, RunFormat::JsonLines];

fn written(format: RunFormat, header: &RunHeader, documents: &Documents) -> Vec<u8> {
    let mut writer = RunWriter::new(Vec::new(), format, header).unwrap();
    for (id, description) in documents {
        writer.document(id, description).unwrap();
    }
    writer.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<(RunHeader, Documents), RunError> {
    let mut documents = Documents::new();
    let header = read_run(bytes, |id, description| documents.push((id, description)))?;
    Ok((header, documents))
}

fn statement(field: Field, value: &str, weight: f64, rule: &str) -> Statement {
    Statement {
        field,
        value: value.to_owned(),
        parts: Vec::new(),
        weight,
        initial: 0.5,
        rules: vec![RuleId::new("default", rule)],
        place: None,
        origin: None,
        chosen: true,
    }
}

fn description(statements: Vec<Statement>) -> Description {
    Description { statements, field_weights: Vec::new(), class: String::new(), trouble: None }
}

/// With everything a description may have, and characters that XML finds difficult.
fn example() -> Documents {
    let mut title =
        statement(Field::Title, "Tom & Jerry <\u{1}\u{b}> \r\n ]]> „Ende“ ", 0.912_345_6, "<4>");
    title.parts = vec!["Tom & Jerry".to_owned(), String::new()];
    title.place = Some(FoundAt::Path("/html/head[1]/title[1]".to_owned()));
    let mut word = statement(Field::Keywords, "\u{0}\u{ffff}", 0.0, "tag");
    word.place = Some(FoundAt::Outside("address".to_owned()));
    word.origin = Some("meta tag".to_owned());
    word.chosen = false;
    let full = Description {
        statements: vec![title, word],
        field_weights: vec![(Field::Title, 1.0), (Field::ReferencedAuthor, 0.25)],
        class: "article".to_owned(),
        trouble: Some("the budget is used up".to_owned()),
    };
    vec![
        ("http://a.example/?a=1&b=\"2\"".to_owned(), full),
        ("http://a.example/leer".to_owned(), description(Vec::new())),
    ]
}

fn header() -> RunHeader {
    RunHeader {
        heuristics: "default".to_owned(),
        digest: "0123".to_owned(),
        weights: "of 2026-11-16".to_owned(),
        date: "2026-11-16T04:17:56Z".to_owned(),
    }
}

#[test]
fn what_is_written_is_read() {
    for format in FORMATS {
        let bytes = written(format, &header(), &example());
        assert_eq!(read(&bytes).unwrap(), (header(), example()), "{format:?}");
        let empty = written(format, &RunHeader::default(), &Documents::new());
        assert_eq!(read(&empty).unwrap(), (RunHeader::default(), Documents::new()));
    }
}

#[test]
fn xml_of_others_is_read() {
    let text = "\u{feff}<?xml version='1.0'?>\r\n<!DOCTYPE run><!-- by hand -->
        <run version='9'><date>heute</date><note><deep><er/></deep></note>
        <document><id><![CDATA[a&b]]></id><mood/><statement field='title' weight='1' initial='.5' chosen='true'>
        <value>&#xe4;&lt;<b>fett</b><char code='7'></char></value><rule>x&lt;1></rule></statement>
        <field name='title' weight='0.5'></field></document></run>";
    let (header, documents) = read(text.as_bytes()).unwrap();
    assert_eq!(header.date, "heute");
    assert_eq!(documents[0].0, "a&b");
    assert_eq!(documents[0].1.statements[0].value, "ä<\u{7}");
    assert_eq!(documents[0].1.field_weights, [(Field::Title, 0.5)]);
}

#[test]
fn what_is_no_run_is_refused() {
    #[rustfmt::skip]
    let cases = [
        ("",                                                            "expected an element run"),
        ("<html></html>",                                               "expected an element run"),
        ("<run><document><id>a</id>",                                   "the file ends too early"),
        ("<run><document></document></run>",                            "expected an element id"),
        ("<run><document><id>&unknown;</id></document></run>",          "is no entity of XML"),
        ("<run><document><statement field='mood'/></document></run>",   "expected an element id"),
        ("<run><document><statement field='mood'></statement></document></run>", "\"mood\" is no field"),
        ("<run><document><statement field='title' weight='2'></statement></document></run>",
            "weight: expected a number from 0 to 1, found \"2\""),
        ("<run></document></run>",                                      "expected"),
        ("{}",                                                          "line 1: "),
        ("{\"run\":{}}\n\n{\"id\":1}",                                  "line 3: "),
    ];
    for (text, expected) in cases {
        let error = read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn endless_documents_are_refused() {
    let elements = format!("<x>{}</x>", "a".repeat(10_000));
    for (start, piece) in [
        ("<run><document><id>", "aaaaaaaa"),
        ("<run><document><id>", &elements),
        ("{\"run\":{}}\n{\"id\": \"", "aaaaaaaa"),
    ] {
        let endless = std::io::repeat(b'a');
        let pieces = piece.repeat(MAX_RUN_DOCUMENT as usize / piece.len() + 1);
        let begun = format!("{start}{pieces}");
        let file = std::io::Read::chain(begun.as_bytes(), endless);
        let found = read_run(std::io::BufReader::new(file), |_, _| ());
        assert!(matches!(found, Err(RunError::Io(_))), "{start}: {found:?}");
    }
}

#[test]
fn runs_are_compared_by_field_and_rule() {
    let title = |value, weight, rule| statement(Field::Title, value, weight, rule);
    let word = |value, weight| statement(Field::Keywords, value, weight, "tag");
    let run = |documents: Vec<(&str, Vec<Statement>)>| -> Documents {
        documents.into_iter().map(|(id, it)| (id.to_owned(), description(it))).collect()
    };
    let mut silent = title("Home", 0.1, "tag");
    silent.chosen = false;
    let before = run(vec![
        ("a", vec![title("A | Uni", 0.8, "tag"), word("x", 0.5), word("y", 0.5)]),
        ("b", vec![title("B", 0.8, "h1")]),
        ("c", vec![silent]),
        ("d", vec![title("Home", 0.5, "tag")]),
        ("old", vec![title("Old", 0.5, "tag")]),
    ]);
    let after = run(vec![
        ("d", vec![]),
        ("c", vec![title("C", 0.7, "h1")]),
        ("b", vec![title("B", 0.9, "h1")]),
        ("a", vec![title("A", 0.9, "h1"), word("y", 0.5), word("z", 0.5)]),
        ("new", vec![]),
    ]);
    let found = compare_runs(&before, &after, 3);
    assert_eq!((found.documents, found.only_before, found.only_after), (4, 1, 1));
    let titles = FieldChanges { gained: 1, lost: 1, changed: 1, reweighted: 1, same: 0 };
    assert_eq!(found.fields[&Field::Title], titles);
    let words = FieldChanges { gained: 1, lost: 1, changed: 0, reweighted: 0, same: 1 };
    assert_eq!(found.fields[&Field::Keywords], words);

    assert_eq!((found.differences.len(), found.left_out), (3, 2));
    let first = &found.differences[0];
    assert_eq!((first.document.as_str(), first.kind), ("a", DifferenceKind::Changed));
    assert_eq!(first.after.as_ref().unwrap().value, "A");
    let expected = "\
4 documents in both runs, 1 only before, 1 only after

field                    gained     lost  changed   weight     same
title                         1        1        1        1        0
keywords                      1        1        0        0        1

field                         n  before → after
title                         1  – → default<h1>
title                         1  default<tag> → –
title                         1  default<tag> → default<h1>
keywords                      1  – → default<tag>
keywords                      1  default<tag> → –
";
    assert_eq!(found.to_string(), expected);
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!(json["fields"]["title"]["gained"], 1);
    assert_eq!(json["differences"][0]["kind"], "changed");

    let same = compare_runs(&before, &before, 10);
    assert_eq!((same.differences.len(), same.rules.len(), same.documents), (0, 0, 5));
}

fn any_statement() -> impl Strategy<Value = Statement> {
    let field = (0..Field::ALL.len()).prop_map(|it| Field::ALL[it]);
    let text = || "(?s).{0,12}";
    let place = prop_oneof![
        Just(None),
        text().prop_map(|it| Some(FoundAt::Path(it))),
        text().prop_map(|it| Some(FoundAt::Outside(it))),
    ];
    let texts = || proptest::collection::vec(text(), 0..3);
    // Of the last of seventeen digits JSON makes no promise.
    let weight = || (0..=10_000).prop_map(|it| f64::from(it) / 10_000.0);
    (
        field,
        text(),
        texts(),
        weight(),
        weight(),
        texts(),
        place,
        proptest::option::of(text()),
        any::<bool>(),
    )
        .prop_map(|(field, value, parts, weight, initial, rules, place, origin, chosen)| {
            Statement {
                field,
                value,
                parts,
                weight,
                initial,
                rules: rules.into_iter().map(RuleId::from_text).collect(),
                place,
                origin,
                chosen,
            }
        })
}

fn any_run() -> impl Strategy<Value = Documents> {
    let statements = proptest::collection::vec(any_statement(), 0..4);
    let description = (statements, "(?s).{0,5}", proptest::option::of("(?s).{0,5}")).prop_map(
        |(statements, class, trouble)| Description { class, trouble, ..description(statements) },
    );
    proptest::collection::vec(("(?s).{0,8}", description), 0..4)
}

proptest! {
    #[test]
    fn any_run_is_read_as_it_was_written(run in any_run(), date in "(?s).{0,8}") {
        let header = RunHeader { date, ..header() };
        for format in FORMATS {
            let found = read(&written(format, &header, &run)).unwrap();
            prop_assert_eq!(&found, &(header.clone(), run.clone()));
        }
    }

    #[test]
    fn any_two_runs_can_be_compared(before in any_run(), after in any_run()) {
        let found = compare_runs(&before, &after, 2);
        prop_assert!(found.differences.len() <= 2);
        let counted: u64 = found.fields.values().map(|it| it.gained + it.lost + it.changed).sum();
        prop_assert_eq!(counted, found.differences.len() as u64 + found.left_out);
        prop_assert_eq!(counted, found.rules.iter().map(|it| it.n).sum::<u64>());
        let _ = found.to_string();
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..100), at in 0..600_usize) {
        let _ = read(&bytes);
        for format in FORMATS {
            let mut run = written(format, &header(), &example());
            let at = at.min(run.len());
            run.splice(at..at, bytes.iter().copied());
            let _ = read(&run);
        }
    }
}

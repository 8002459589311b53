//! Documents for the tests of all formats.

use auslese_export::{CaptureNote, CorpusHead, DocumentFormat, DocumentText, ExportedDocument};
use auslese_model::{
    Confidence, Content, CorpusRule, CorpusVerdict, Counts, Description, Digest, Field, Format,
    FoundAt, Keeping, LanguageNote, RequestId, RuleId, Statement, Timestamp,
};
use std::collections::BTreeMap;

pub(crate) fn head() -> CorpusHead {
    CorpusHead {
        title: "Web der Universität Müritz & Umgebung".to_owned(),
        institutions: vec!["Universität Müritz".to_owned()],
        selection: "all documents; query: <see>".to_owned(),
        version: "0.1.0".to_owned(),
        at: Timestamp::from_seconds(1_794_778_800),
    }
}

/// A web page of which nothing is known but its text.
pub(crate) fn page(html: &[u8]) -> ExportedDocument {
    numbered_page(1, html)
}

pub(crate) fn numbered_page(number: i64, html: &[u8]) -> ExportedDocument {
    let page = auslese_markup::parse(html, Some("utf-8"));
    let reason = "nothing spoke against it".to_owned();
    ExportedDocument {
        request: RequestId(number),
        url: format!("http://www.mueritz.example/seiten/{number}.html"),
        host: "www.mueritz.example".to_owned(),
        institution: Some("Universität Müritz".to_owned()),
        verdict: CorpusVerdict { keeping: Keeping::Kept, rule: CorpusRule::All, reason },
        capture: CaptureNote::at(Timestamp::from_seconds(1_000_000_000)),
        content: None,
        description: None,
        anchors: Vec::new(),
        links: Vec::new(),
        text: DocumentText::Page(Box::new(page)),
        trouble: None,
    }
}

/// A page of which everything is known.
pub(crate) fn described(number: i64, html: &[u8]) -> ExportedDocument {
    let digest = Digest::parse("sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709");
    ExportedDocument {
        capture: CaptureNote {
            status: Some(200),
            last_modified: Some(Timestamp::from_seconds(978_307_200)),
            media_type: Some("text/html".to_owned()),
            charset: Some("utf-8".to_owned()),
            size: Some(1234),
            payload_digest: digest,
            record_id: Some("urn:uuid:8a1e9e06-0a4f-4f5c-8f2e-2b0c1f3c9d11".to_owned()),
            warc_file: Some("a.warc.gz".to_owned()),
            warc_offset: Some(17),
            ..CaptureNote::at(Timestamp::from_seconds(1_000_000_000))
        },
        content: Some(content()),
        description: Some(Description {
            statements: statements(),
            field_weights: vec![(Field::Title, 0.9)],
            class: "article".to_owned(),
            trouble: None,
        }),
        anchors: vec![("zum See".to_owned(), 3)],
        links: vec![("http://www.mueritz.example/see.html".to_owned(), Some("See".to_owned()))],
        ..numbered_page(number, html)
    }
}

#[rustfmt::skip]
fn statements() -> Vec<Statement> {
    let said = |field, value: &str, weight, origin: Option<&str>| Statement {
        field,
        value: value.to_owned(),
        parts: Vec::new(),
        weight,
        initial: 0.8,
        rules: vec![RuleId::new("carmen-title", "4"), RuleId::new("dc", "1")],
        place: Some(FoundAt::Path("/html/head/title".to_owned())),
        origin: origin.map(str::to_owned),
        chosen: true,
    };
    vec![
        said(Field::Title,          "Die Müritz: \"See\" & <Land>\\", 0.875,  None),
        said(Field::Author,         "Anna Weber",                     0.75,   Some("meta tag")),
        said(Field::Author,         "Karl Heuer",                     0.5,    Some("meta tag")),
        said(Field::Institution,    "Institut für Seenkunde",         0.6,    None),
        said(Field::Date,           "2001-05",                        0.7,    None),
        said(Field::Description,    "Über einen See.\nZweite Zeile",  0.9,    None),
        said(Field::Keywords,       "See",                            0.4,    None),
        said(Field::Classification, "68P20",                          0.95,   Some("MSC 1991")),
        said(Field::Type,           "article",                        0.8,    None),
        said(Field::Language,       "de",                             1.0,    None),
        said(Field::Rights,         "frei",                           0.3,    None),
        said(Field::FullText,       "http://www.mueritz.example/a b.pdf", 0.9, None),
        said(Field::References,     "A. Weber: Seen. 1999",           0.85,   None),
        Statement { chosen: false, ..said(Field::Title, "Verworfen",  0.1,    None) },
    ]
}

fn content() -> Content {
    Content {
        capture: auslese_model::CaptureId(3),
        reader: 3,
        format: Format::Html,
        trouble: None,
        bytes: 1234,
        title: Some("Die Müritz".to_owned()),
        language: Some(LanguageNote {
            language: "de".to_owned(),
            confidence: Confidence::Sure,
            reason: "list and detector agree".to_owned(),
            share_words: 0.8,
            share_chars: 0.82,
            words: 120,
            recognised: 96,
            detector: Some(("de".to_owned(), 0.99)),
            by_paper: true,
            shares: vec![("de".to_owned(), 0.72), ("en".to_owned(), 0.28)],
        }),
        counts: Counts { words: 120, sentences: 9, ..Counts::default() },
        elements: BTreeMap::from([("p".to_owned(), 4)]),
        features: BTreeMap::new(),
        conformance: None,
        signature: Vec::new(),
        structure: None,
        generator: None,
        parts: Vec::new(),
        examined_at: Timestamp(0),
    }
}

/// Documents in a format, as one file.
pub(crate) fn exported(format: DocumentFormat, documents: &[ExportedDocument]) -> String {
    let mut out = Vec::new();
    format.write_head(&head(), &mut out).expect("memory takes everything");
    for document in documents {
        format.write_document(document, &head(), &mut out).expect("memory takes everything");
    }
    format.write_tail(&mut out).expect("memory takes everything");
    String::from_utf8(out).expect("only UTF-8 is written")
}

//! Which documents are kept, and why the others are not.

use crate::building::{INSTITUTE, institute};
use crate::field::Field;
use auslese_catalog::Status;
use auslese_harvest::StoringRules;
use auslese_model::Keeping;
use auslese_testnet::{Answer, Internet, Site, demo};

fn at(path: &str) -> String {
    format!("{INSTITUTE}{path}")
}

#[test]
fn every_page_of_the_institute_gets_its_language_and_its_reason() {
    let field = institute();
    let report = field.german_corpus();
    for choice in demo::corpus_truth() {
        let judged = field.judged(choice.url);
        let expected = match choice.left_by {
            Some(rule) => format!("left {rule}"),
            None => "kept all".to_owned(),
        };
        let found = (judged.verdict(), judged.language());
        let context = format!("{} ({}): {judged:?}", choice.url, choice.note);
        assert_eq!(found, (expected, choice.language), "{context}");
        assert!(!judged.reason().is_empty(), "{context}");
    }
    reasons_add_up(&field, report.documents());
    relations(&field);
    encodings(&field);
    let reason = |path: &str| field.judged(&at(path)).reason().to_owned();
    assert_eq!(reason("skript.html"), "labelled text/html, is PDF");
    assert_eq!(reason("leer.html"), "the body is empty");
    assert!(reason("wortliste.html").ends_with("bytes, more than 500000"));
    assert!(reason("english.html").starts_with("en: "));
}

/// Every request has a document row, and the rules count each once.
fn reasons_add_up(field: &Field, reported: u64) {
    let (status, counts) = field.with_catalog(async |catalog| {
        (catalog.status().await.unwrap(), catalog.rule_counts().await.unwrap())
    });
    let requests = requests(&status);
    assert_eq!(reported, requests);
    assert_eq!((counts.unjudged, counts.total()), (0, requests));
    assert_eq!(field.documents().len() as u64, requests);
    let by_rule: u64 = counts.rules.iter().map(|count| count.documents).sum();
    assert_eq!(by_rule, requests);
    let kept = field.documents().into_iter();
    let kept = kept.filter(|listed| listed.document.verdict.keeping == Keeping::Kept);
    assert_eq!(counts.of(Keeping::Kept), kept.count() as u64);
}

fn requests(status: &Status) -> u64 {
    status.requests.values().sum()
}

/// Copies know their originals, parts their first page.
fn relations(field: &Field) {
    let request = |path: &str| field.judged(&at(path)).request();
    let document = |path: &str| field.judged(&at(path)).listed.document;
    let original = request("korpus.html");
    assert_eq!(document("archiv/korpus.html").duplicate_of, Some(original));
    assert_eq!(document("archiv/korpus.html").near, None);
    let (near, similarity) = document("korpus-druck.html").near.unwrap();
    assert_eq!(near, original);
    assert!((0.9..1.0).contains(&similarity), "{similarity}");
    assert_eq!(document("korpus.html").duplicate_of, None);
    assert_eq!(document("korpus.html").near, None);
    let copies: Vec<String> = field
        .documents()
        .into_iter()
        .filter(|listed| listed.document.duplicate_of.is_some())
        .map(|listed| listed.url)
        .collect();
    assert_eq!(copies, [at("archiv/korpus.html")]);

    let first = request("handbuch/1.html");
    for part in ["handbuch/1.html", "handbuch/2.html", "handbuch/3.html"] {
        assert_eq!(document(part).logical, Some(first), "{part}");
    }
    let frames = document("rahmen/inhalt.html").logical;
    assert!(frames.is_some());
    assert_eq!(document("rahmen/").logical, frames, "the frameset and its frame are one document");
    let parts: usize =
        field.documents().iter().filter(|listed| listed.document.logical == Some(first)).count();
    assert_eq!(parts, 3, "nothing else belongs to the handbook");
    assert_eq!(document("").logical, None, "a start page is no part");
}

/// Pages that say nothing of their encoding are read all the same.
fn encodings(field: &Field) {
    #[rustfmt::skip]
    let cases = [
        ("alt.html",           "ü"),
        ("rundschreiben.html", "„"),
    ];
    for (path, sign) in cases {
        let judged = field.judged(&at(path));
        let capture = judged.listed.document.content.unwrap();
        let text = field.with_catalog(async |catalog| {
            auslese_harvest::stored_text(&field.dir(), catalog, capture).await.unwrap().unwrap()
        });
        assert!(text.contains(sign), "{path}: {text}");
        assert!(!text.contains('\u{fffd}'), "{path}: {text}");
        assert!(!text.contains("Ã"), "{path}: {text}");
        let content = judged.content.unwrap();
        assert!(content.title.is_some_and(|title| !title.contains('\u{fffd}')), "{path}");
    }
}

/// Requests without a body of their own: each has its rule.
#[test]
fn what_is_no_document_has_its_reason_too() {
    let site = Site::new("http://www.uni.example")
        .page(
            "/",
            "<p>Guten Tag, hier beginnt alles.</p><a href='/fehlt'><a href='/weg'><a href='/a.zip'>\
             <a href='/bild.png'><a href='/geheim/x'><a href='/tot'>",
        )
        .file("/robots.txt", "text/plain", "User-agent: *\nDisallow: /geheim/\n")
        .answer("/fehlt", Answer::error(404))
        .answer("/weg", Answer::redirect(301, "/"))
        .answer("/a.zip", Answer::file("text/html", "<p>kein Archiv</p>"))
        .answer("/tot", Answer::raw(""))
        .file("/bild.png", "image/png", b"\x89PNG\r\n\x1a\n");
    let field = Field::new(Internet::new().site(site));
    field.crawl(&["http://www.uni.example/"], |job| job.crawl.retry.attempts = 1);
    field.corpus(|_| {});
    #[rustfmt::skip]
    let cases = [
        ("",           "kept all",         "nothing speaks against it"),
        ("robots.txt", "left machinery",   "asked for to steer the crawl"),
        ("fehlt",      "left status",      "status 404"),
        ("weg",        "left status",      "status 301"),
        ("a.zip",      "left suffix",      "suffix .zip"),
        ("bild.png",   "left suffix",      "suffix .png"),
        ("geheim/x",   "left not-fetched", "was not asked for"),
        ("tot",        "left not-fetched", "could not be fetched"),
    ];
    for (path, verdict, reason) in cases {
        let judged = field.judged(&format!("http://www.uni.example/{path}"));
        assert_eq!(judged.verdict(), verdict, "{path}: {judged:?}");
        assert!(judged.reason().starts_with(reason), "{path}: {}", judged.reason());
    }
}

/// What only has a header row because of rules that have changed since is fetched by the next crawl.
#[test]
fn loosened_rules_fetch_what_only_has_a_header() {
    let long = format!("<p>{}</p>", "Das ist ein langer Text über das Wehr. ".repeat(40));
    let site = Site::new("http://www.uni.example")
        .page("/", "<p>Guten Tag.</p><a href='/lang.html'>lang</a>")
        .page("/lang.html", long);
    let field = Field::new(Internet::new().site(site));
    let tight = StoringRules { header_only_above: Some(1_000), ..StoringRules::default() };
    field.crawl(&["http://www.uni.example/"], |job| job.storing = tight.clone());
    let url = "http://www.uni.example/lang.html";

    let report = field.corpus(|job| job.storing = tight.clone());
    assert_eq!(report.requeued, 0, "it would not be stored this time either");
    assert_eq!(field.judged(url).verdict(), "left no-body");

    let report = field.corpus(|job| job.storing = StoringRules::default());
    assert_eq!(report.requeued, 1);
    assert_eq!(field.judged(url).verdict(), "unknown no-body");
    let again = field.corpus(|_| {});
    assert_eq!((again.requeued, field.judged(url).verdict().as_str()), (0, "unknown no-body"));

    field.crawl(&["http://www.uni.example/"], |_| {});
    let report = field.corpus(|_| {});
    assert_eq!((report.examined, report.requeued), (1, 0));
    assert_eq!(field.judged(url).verdict(), "kept all");
}

//! Bodies that want to break the program, through the whole stage.

use crate::building::Judged;
use crate::field::Field;
use auslese_harvest::CorpusReport;
use auslese_testnet::{Answer, Internet, Site};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const START: &str = "http://www.uni.example/";

fn zeros_in_gzip(length: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![b' '; length]).unwrap();
    encoder.finish().unwrap()
}

fn harvested(answers: &[(&str, Answer)]) -> (Field, CorpusReport) {
    let links: String =
        answers.iter().map(|(path, _)| format!("<a href='/{path}'>x</a> ")).collect();
    let site = Site::new("http://www.uni.example")
        .page("/", format!("<p>Guten Tag, das ist die erste Seite.</p>{links}"));
    let site = answers
        .iter()
        .fold(site, |site, (path, answer)| site.answer(&format!("/{path}"), answer.clone()));
    let field = Field::new(Internet::new().site(site));
    field.crawl(&[START], |_| {});
    let report = field.corpus(|job| {
        job.rules.max_size = None;
        job.rules.mime_types = vec!["*".to_owned()];
        job.mirror = true;
    });
    (field, report)
}

fn judged(field: &Field, path: &str) -> Judged {
    field.judged(&format!("{START}{path}"))
}

#[test]
fn every_body_has_a_verdict_and_a_reason() {
    let sentence = "Der Pegel steht heute bei zwei Metern, und das Wasser ist klar. ";
    let page = |text: String| Answer::page(format!("<title>T</title>{text}"));
    let noise: Vec<u8> =
        (0..40_000u32).map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut cut = zeros_in_gzip(100_000);
    cut.truncate(60);
    #[rustfmt::skip]
    let answers = [
        ("bytes.html",  Answer::file("text/html; charset=utf-8", [b"<p>Gr\xfc\xdfe aus \xff\xfe\x80 ".as_slice(), sentence.as_bytes()].concat())),
        ("tief.html",   page(format!("{}{sentence}", "<div>".repeat(200_000)))),
        ("schief.html", page("<b><i>".repeat(50_000) + sentence)),
        ("offen.html",  page(format!("<p>{sentence}<!-- {}", "-".repeat(100_000)))),
        ("leer.html",   Answer::page("")),
        ("blank.html",  Answer::page(" \n\t ".repeat(1_000))),
        ("pdf.html",    Answer::file("text/html", "%PDF-1.4\n%%EOF\n")),
        ("laerm.html",  Answer::file("text/html", noise)),
        ("bombe.html",  Answer::file("text/html", zeros_in_gzip(8 << 20)).header("Content-Encoding", "gzip")),
        ("halb.html",   Answer::file("text/html", cut).header("Content-Encoding", "gzip")),
        ("luege.html",  Answer::file("text/html", sentence).header("Content-Encoding", "gzip")),
        ("typ",         Answer::file("", sentence)),
        ("wirr.html",   Answer::file("text/html; charset=\"klingon\"", sentence)),
        ("nul.html",    Answer::file("text/html", "<p>\0\0\0\0Text\0mit\0Nullen")),
    ];
    let (field, report) = harvested(&answers);
    #[rustfmt::skip]
    let cases = [
        // path         verdict        what is said about it
        ("bytes.html", "kept all", "undecodable: 5 characters"),
        ("tief.html",   "kept all",    "nested"),
        ("schief.html", "kept all", "nested-too-deep"),
        ("offen.html",  "kept all",    ""),
        ("leer.html",   "left format", "the body is empty"),
        ("blank.html",  "left format", "nothing but white space"),
        ("pdf.html",    "left format", "labelled text/html, is PDF"),
        ("laerm.html",  "left format", "labelled text/html, is binary data"),
        ("bombe.html", "left format", "decompression-ratio-limit"),
        ("halb.html", "left format", "cut-compressed-content"),
        ("luege.html", "kept all", "not-compressed"),
        ("typ",         "kept all",    ""),
        ("wirr.html",   "kept all",    ""),
    ];
    for (path, verdict, trouble) in cases {
        let judged = judged(&field, path);
        assert_eq!(judged.verdict(), verdict, "{path}: {judged:?}");
        assert!(!judged.reason().is_empty(), "{path}");
        assert!(judged.trouble().contains(trouble), "{path}: {}", judged.trouble());
    }
    assert_eq!(report.mirror.as_ref().unwrap().failed, 0, "{report:?}");
    let broken = field
        .documents()
        .into_iter()
        .filter(|listed| listed.document.verdict.reason.contains("the program failed"));
    assert_eq!(broken.count(), 0);
}

#[test]
fn a_line_of_thirty_megabytes() {
    let words = "Donaudampfschifffahrt und so weiter ".repeat(900_000);
    let (field, _) = harvested(&[("lang.html", Answer::page(format!("<p>{words}</p>")))]);
    let judged = judged(&field, "lang.html");
    assert_eq!(judged.verdict(), "kept all", "{}", judged.trouble());
    assert_eq!(judged.content.unwrap().counts.words, 3_600_000);
}

/// An archive that is damaged costs the documents in the damaged place.
#[test]
fn a_damaged_archive_is_a_reason() {
    let page = |text: &str| Answer::page(format!("<p>{text}, und das Wasser ist klar.</p>"));
    let site = Site::new("http://www.uni.example")
        .page("/", "<p>Guten Tag, das ist die erste Seite.</p><a href='/a'><a href='/b'>")
        .answer("/a", page("Der Pegel steht hoch"))
        .answer("/b", page("Der Pegel steht tief"));
    let field = Field::new(Internet::new().site(site));
    field.crawl(&[START], |_| {});
    let captures = field.captures();
    let last = captures.values().max_by_key(|capture| capture.storage.place().unwrap().offset);
    let (last, place) = (last.unwrap(), last.unwrap().storage.place().unwrap().clone());
    let url = captures.iter().find(|(_, capture)| capture.id == last.id).unwrap().0.clone();
    let file = field.dir().archive().join(&place.file);
    std::fs::File::options().write(true).open(&file).unwrap().set_len(place.offset + 40).unwrap();
    let report = field.corpus(|job| job.mirror = true);
    let judged = field.judged(&url);
    assert_eq!(judged.verdict(), "left format", "{judged:?}");
    assert!(judged.reason().starts_with("the archive cannot be read"), "{}", judged.reason());
    assert_eq!(report.with(auslese_model::Keeping::Kept), 2);
}

//! Harvests given away: everything arrives once and in order, and nothing half done has the final name.

use crate::field::Field;
use crate::imports::{Foreign, HOST, HTTP};
use auslese_archive::{Reader, Wacz, verify};
use auslese_catalog::CatalogSettings;
use auslese_export::{CorpusHead, DocumentFormat};
use auslese_harvest::{
    ArchiveExport, ExportFormat, ExportJob, ExportProgress, ExportReport, ExportSelection,
    ExportTarget, ExportWatching, HarvestError, export_harvest,
};
use auslese_model::{Keeping, RequestId, Timestamp, read_soif};
use auslese_testnet::{Internet, Site, generated_site};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;

const PAGES: usize = 150;

fn harvested() -> Field {
    let field = Field::new(Internet::new().site(generated_site("www.uni.example", PAGES, 7)));
    field.crawl(&["http://www.uni.example/"], |_| {});
    field.german_corpus();
    field
}

impl Field {
    fn export_job(&self, format: ExportFormat, out: &Path) -> ExportJob {
        ExportJob {
            catalog: self.catalog(),
            catalog_settings: CatalogSettings::default(),
            format,
            split: false,
            target: ExportTarget::Path { path: out.to_owned(), replace: false },
            selection: ExportSelection::default(),
            head: CorpusHead {
                title: "uni".to_owned(),
                institutions: Vec::new(),
                selection: "all".to_owned(),
                version: "0.1.0".to_owned(),
                at: Timestamp(0),
            },
            readers: Arc::new(crate::descriptions::no_readers()),
            archive: ArchiveExport::default(),
        }
    }

    fn export(&self, job: ExportJob) -> Result<ExportReport, HarvestError> {
        let (_go_on, stop) = watch::channel(false);
        let (progress, _) = watch::channel(ExportProgress::default());
        self.export_watched(job, ExportWatching { progress, stop })
    }

    fn export_watched(
        &self,
        job: ExportJob,
        watching: ExportWatching,
    ) -> Result<ExportReport, HarvestError> {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(export_harvest(&self.dir(), job, watching))
    }
}

fn format(name: &str) -> ExportFormat {
    ExportFormat::parse(name).unwrap()
}

fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

#[test]
fn every_document_once_and_in_order() {
    let field = harvested();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.jsonl");
    let report = field.export(field.export_job(format("jsonl"), &file)).unwrap();
    let written = lines(&file);
    let of = field.with_catalog(async |catalog| catalog.count_searchable().await.unwrap());
    assert_eq!((report.documents, written.len() as u64), (of, of), "{report:?}");
    assert!(of >= PAGES as u64);
    assert_eq!(report.bytes, fs::metadata(&file).unwrap().len());
    let numbers: Vec<i64> =
        written.iter().map(|line| line["id"].as_str().unwrap()[1..].parse().unwrap()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    let page = written.iter().find(|line| line["content"]["format"] == "html").unwrap();
    assert!(!page["paragraphs"].as_array().unwrap().is_empty(), "{page}");
    assert!(page["capture"]["record_id"].as_str().unwrap().starts_with("urn:uuid:"), "{page}");
    assert!(page["content"]["elements"]["p"].as_u64().unwrap() > 0, "{page}");

    // The same again is the same, byte for byte.
    let again = folder.path().join("again.jsonl");
    field.export(field.export_job(format("jsonl"), &again)).unwrap();
    assert_eq!(fs::read(&file).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn selections() {
    let field = harvested();
    let folder = tempfile::tempdir().unwrap();
    let all = folder.path().join("all");
    field.export(field.export_job(format("jsonl"), &all)).unwrap();
    let all = lines(&all);
    let kept = all.iter().filter(|line| line["corpus"]["keeping"] == Keeping::Kept.as_str());
    let kept: Vec<&str> = kept.map(|line| line["url"].as_str().unwrap()).collect();
    let file = folder.path().join("kept");
    let mut job = field.export_job(format("jsonl"), &file);
    job.selection.kept_only = true;
    field.export(job).unwrap();
    let found = lines(&file);
    let found: Vec<&str> = found.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(found, kept);

    let number = |line: &Value| line["id"].as_str().unwrap()[1..].parse::<i64>().unwrap();
    let some = [number(&all[70]), number(&all[3]), number(&all[4]), number(&all[3]), i64::MAX];
    let file = folder.path().join("some");
    let mut job = field.export_job(format("jsonl"), &file);
    job.selection.requests = Some(some.map(RequestId).to_vec());
    let report = field.export(job).unwrap();
    assert_eq!(report.documents, 3);
    let found: Vec<i64> = lines(&file).iter().map(number).collect();
    assert_eq!(found, [some[1], some[2], some[0]]);

    let mut job = field.export_job(format("jsonl"), &folder.path().join("none"));
    job.selection.requests = Some(Vec::new());
    assert!(matches!(field.export(job), Err(HarvestError::NothingToExport { left_out: 0 })));
    assert!(!folder.path().join("none").exists());
}

#[test]
fn all_formats() {
    let field = harvested();
    for format in ExportFormat::all() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let report = field.export(field.export_job(format, &out)).unwrap();
        assert!(report.documents > 0, "{format:?}");
        assert_eq!(names(folder.path()), std::slice::from_ref(&out), "{format:?}");
        assert_eq!(out.is_dir(), format.output() == auslese_harvest::OutputKind::Folder);
        if format.can_split() {
            let split = folder.path().join("split");
            let job = ExportJob { split: true, ..field.export_job(format, &split) };
            let report = field.export(job).unwrap();
            let table = fs::read_to_string(split.join("documents.tsv")).unwrap();
            assert_eq!(table.lines().count() as u64, report.documents + 1, "{format:?}");
            let (file, _) = table.lines().nth(1).unwrap().split_once('\t').unwrap();
            assert!(fs::metadata(split.join(file)).unwrap().len() > 0, "{format:?} {file}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let soif = folder.path().join("soif");
    let report = field.export(field.export_job(format("soif"), &soif)).unwrap();
    let objects = read_soif(&fs::read(&soif).unwrap()).unwrap();
    assert_eq!(objects.len() as u64, report.documents);
}

#[test]
fn documents_without_text_are_counted() {
    let site = Site::new("http://www.uni.example")
        .page("/", "<p>Ein Text <a href=/leer.html>leer</a>")
        .page("/leer.html", "");
    let field = Field::new(Internet::new().site(site));
    field.crawl(&["http://www.uni.example/"], |_| {});
    field.corpus(|_| {});
    let folder = tempfile::tempdir().unwrap();
    let report = field.export(field.export_job(format("text"), &folder.path().join("a"))).unwrap();
    assert_eq!((report.documents, report.left_out.values().sum::<u64>()), (1, 1), "{report:?}");
    let text = fs::read_to_string(folder.path().join("a")).unwrap();
    assert_eq!(text, "=== http://www.uni.example/\nEin Text leer\n\n");
}

#[test]
fn a_stopped_export_leaves_nothing() {
    let field = harvested();
    let formats = [
        ExportFormat::Documents(DocumentFormat::Tei),
        format("vertical"),
        format("wacz"),
        format("internet-archive"),
    ];
    for format in formats {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let (_wish, stop) = watch::channel(true);
        let (progress, _) = watch::channel(ExportProgress::default());
        let job = field.export_job(format, &out);
        let report = field.export_watched(job, ExportWatching { progress, stop }).unwrap();
        assert!(report.stopped && report.documents > 0, "{report:?}");
        assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
    }
}

#[test]
fn what_is_there_stays() {
    let field = harvested();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::write(&out, "mine").unwrap();
    let refused = field.export(field.export_job(format("text"), &out));
    assert!(matches!(refused, Err(HarvestError::ExportExists { .. })), "{refused:?}");
    assert_eq!(fs::read(&out).unwrap(), b"mine");
    let target = ExportTarget::Path { path: out.clone(), replace: true };
    field.export(ExportJob { target, ..field.export_job(format("text"), &out) }).unwrap();
    assert!(fs::metadata(&out).unwrap().len() > 1000);
}

/// A document that is only referred to comes with the record that has its body, and with what both need.
#[test]
fn revisits_bring_their_originals() {
    let folder = tempfile::tempdir().unwrap();
    let refers = format!(
        "{HTTP}WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n\
         WARC-Refers-To: <urn:uuid:a>\r\nWARC-Refers-To-Target-URI: {HOST}/a.html\r\n"
    );
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let path = Foreign::new(folder.path(), "r.warc")
        .record(
            "warcinfo",
            "info",
            "",
            "Content-Type: application/warc-fields\r\n",
            "software: x\r\n",
        )
        .page("a", "/a.html", "Das Wehr ist geschlossen.<img src=/a.png>")
        .metadata("a", "/a.html", "fetchTimeMs: 3\r\n")
        .page("c", "/c.html", "Ein anderer Text.")
        .page("png", "/a.png", "eigentlich ein Bild")
        .record("revisit", "b", &format!("{HOST}/b.html"), &refers, head)
        .write();
    let field = Field::new(Internet::new());
    field.import(vec![path], |_| {});
    field.corpus(|_| {});
    let out = folder.path().join("b.wacz");
    let mut job = field.export_job(format("wacz"), &out);
    job.selection.requests = Some(vec![field.request(&format!("{HOST}/b.html")).unwrap().id]);
    let report = field.export(job).unwrap();
    assert_eq!((report.documents, report.archive.unwrap().captures), (1, 3));

    let wacz = Wacz::open(&out).unwrap();
    let warcs = wacz.warcs();
    assert_eq!(
        warcs.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(),
        ["archive/r-part.warc"]
    );
    let unpacked = folder.path().join("r-part.warc");
    wacz.unpack(&warcs[0], &mut fs::File::create(&unpacked).unwrap()).unwrap();
    assert!(verify(&unpacked).unwrap().is_sound());
    let mut reader = Reader::open(&unpacked).unwrap();
    let held: Vec<String> = std::iter::from_fn(|| reader.next_record().unwrap())
        .map(|it| format!("{} {}", it.kind(), it.target().unwrap_or_default().replace(HOST, "")))
        .collect();
    let expected =
        ["warcinfo ", "response /a.html", "metadata /a.html", "response /a.png", "revisit /b.html"];
    assert_eq!(held, expected);
}

/// Without a capture there is nothing to give away, and nothing is left behind.
#[test]
fn an_empty_archive_is_not_given_away() {
    let field = Field::new(Internet::new());
    let folder = tempfile::tempdir().unwrap();
    field.import(vec![Foreign::new(folder.path(), "e.warc").write()], |_| {});
    for name in ["wacz", "cdxj", "internet-archive"] {
        let refused = field.export(field.export_job(format(name), &folder.path().join("out")));
        let is_right = matches!(refused, Err(HarvestError::NothingToExport { .. }));
        assert!(is_right, "{name}: {refused:?}");
        assert_eq!(names(folder.path()), [folder.path().join("e.warc")], "{name}");
    }
}

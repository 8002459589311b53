//! The corpus as files.

use crate::building::{INSTITUTE, institute};
use crate::field::Field;
use auslese_harvest::{CorpusJob, CorpusReport};
use auslese_model::Keeping;
use auslese_testnet::demo;
use auslese_testnet::postgres::Cluster;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn mirrored(field: &Field, change: impl FnOnce(&mut CorpusJob)) -> CorpusReport {
    field.corpus(|job| {
        job.rules.languages = vec!["de".to_owned()];
        job.mirror = true;
        change(job);
    })
}

fn institute_in(database: &str) -> Field {
    let field = Field::new(demo::internet()).with_database(database.to_owned());
    field.crawl(&[INSTITUTE], |_| {});
    field
}

/// The paths of all documents in the mirror, by address.
fn paths(field: &Field) -> BTreeMap<String, PathBuf> {
    let root = field.dir().mirror();
    let documents = field.documents().into_iter();
    documents.filter_map(|it| Some((it.url, root.join(it.document.mirror_path?)))).collect()
}

/// All files below a folder, without the mirror's own.
fn files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.insert(path);
        }
    }
}

fn host_folder(paths: &BTreeMap<String, PathBuf>) -> PathBuf {
    paths[INSTITUTE].parent().unwrap().to_owned()
}

/// The values of all `href` and `src` attributes.
fn links(html: &str) -> Vec<String> {
    let values = ["href=\"", "src=\""].iter().flat_map(|name| html.split(name).skip(1));
    values.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn kept_documents_are_files_that_lead_to_each_other() {
    let field = institute();
    let report = mirrored(&field, |_| {});
    let kept: BTreeSet<String> = field
        .documents()
        .into_iter()
        .filter(|it| it.document.verdict.keeping == Keeping::Kept)
        .map(|it| it.url)
        .collect();
    let paths = paths(&field);
    assert_eq!(paths.keys().cloned().collect::<BTreeSet<_>>(), kept);
    let written = report.mirror.unwrap();
    assert_eq!((written.written, written.failed, written.removed), (kept.len(), 0, 0));
    let mut there = BTreeSet::new();
    files(&host_folder(&paths), &mut there);
    assert_eq!(there, paths.values().cloned().collect(), "nothing else lies there");

    let (mut local, mut remote) = (0, 0);
    for path in paths.values() {
        let html = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        for link in links(&html) {
            if link.contains("://") {
                remote += 1;
                assert!(!kept.contains(&link), "{}: {link} is in the mirror", path.display());
            } else if !link.starts_with("mailto:") {
                local += 1;
                let target = path.parent().unwrap().join(link.split('#').next().unwrap());
                assert!(target.is_file(), "{}: {link} leads nowhere", path.display());
            }
        }
    }
    assert!(local > 40 && remote > 20, "{local} local, {remote} remote");
}

fn the_catalog_knows_the_files(field: &Field, database: &str, paths: &BTreeMap<String, PathBuf>) {
    let root = field.dir().mirror();
    let known: BTreeMap<String, PathBuf> =
        corpus_files(database).into_iter().map(|(url, file)| (url, root.join(file))).collect();
    assert_eq!(known, *paths);
}

/// `http_header.corpus_file`, asked as any SQL client would.
fn corpus_files(database: &str) -> Vec<(String, String)> {
    let sql = "SELECT r.url, h.corpus_file FROM http_header h JOIN request r ON r.id = h.request_id \
               WHERE h.corpus_file IS NOT NULL";
    let output =
        Command::new("psql").args(["-X", "-A", "-t", "-c", sql, database]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text.lines().filter_map(|line| line.split_once('|'));
    rows.map(|(url, file)| (url.to_owned(), file.to_owned())).collect()
}

#[test]
fn the_mirror_follows_the_corpus() {
    let database = Cluster::shared().create_database().unwrap();
    let field = institute_in(&database);
    let first = mirrored(&field, |_| {}).mirror.unwrap();
    let before = paths(&field);
    let again = mirrored(&field, |_| {}).mirror.unwrap();
    assert_eq!((again.written, again.unchanged, again.removed), (0, first.written, 0));

    let satzung = format!("{INSTITUTE}satzung.html");
    let pattern = satzung.clone();
    let report = mirrored(&field, |job| job.rules.leave = vec![pattern]).mirror.unwrap();
    assert_eq!(report.removed, 1);
    assert!(!before[&satzung].exists());
    assert_eq!(field.judged(&satzung).verdict(), "left pattern");
    assert_eq!(field.judged(&satzung).listed.document.mirror_path, None);
    let start = std::fs::read_to_string(&before[INSTITUTE]).unwrap();
    assert!(links(&start).contains(&satzung), "the link leads to the web again");
    the_catalog_knows_the_files(&field, &database, &paths(&field));

    let back = mirrored(&field, |_| {}).mirror.unwrap();
    assert!(back.written >= 2 && before[&satzung].exists(), "{back:?}");
    assert_eq!(paths(&field), before);
}

#[test]
fn a_new_version_takes_the_place_of_the_old() {
    let database = Cluster::shared().create_database().unwrap();
    let field = institute_in(&database);
    mirrored(&field, |_| {});
    let before = paths(&field);
    field.web.begin_second_round();
    field.crawl(&[INSTITUTE], |job| job.recrawl = true);
    mirrored(&field, |_| {});
    let after = paths(&field);
    let text = |url: &str| std::fs::read_to_string(&after[&format!("{INSTITUTE}{url}")]).unwrap();
    assert!(text("korpus.html").contains("fünftausend"));
    assert!(text("neu.html").contains("Holzwurm"));
    let gone = format!("{INSTITUTE}handbuch/3.html");
    assert!(before[&gone].to_string_lossy().contains("handbuch") && !before[&gone].exists());
    the_catalog_knows_the_files(&field, &database, &after);
}

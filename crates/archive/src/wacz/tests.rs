//! Packages of ours are whole; those of strangers are compared with what they say.

use super::zip::{Method, ZipWriter};
use super::*;
use crate::error::{ArchiveError, PackageFault};
use crate::{ArchiveSettings, Reader, Writer, encode_resource};
use auslese_model::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Names and contents.
type Files<'a> = &'a [(&'a str, &'a [u8])];

/// An archive with so many records.
fn warc(dir: &Path, records: usize) -> (String, PathBuf) {
    let settings = ArchiveSettings::default();
    let mut writer = Writer::open(&dir.join("archive"), settings.clone(), &[]).unwrap();
    for number in 0..records {
        let at = Timestamp(number as i64 * 1_000_000);
        let url = format!("http://a.example/{number}");
        let record = encode_resource(&url, "text/plain", b"text", at, &settings).unwrap();
        writer.append(&record).unwrap();
    }
    let file = writer.close().unwrap().remove(0).file;
    let path = dir.join("archive").join(&file);
    (file, path)
}

fn package(dir: &Path, records: usize) -> PathBuf {
    let (name, path) = warc(dir, records);
    let target = dir.join("a.wacz");
    let file = File::options().read(true).write(true).create(true).truncate(true).open(&target);
    let mut writer = WaczWriter::new(file.unwrap(), &target, dir, Timestamp(0));
    let length = fs::metadata(&path).unwrap().len();
    writer.add_warc(&name, File::open(&path).unwrap(), length).unwrap();
    let mut pages = PageList::new(dir).unwrap();
    let page = WaczPage {
        id: "d1".into(),
        url: "http://a.example/0".into(),
        ts: "1970-01-01T00:00:00Z".into(),
        title: "Erste".into(),
        text: "zwei\nZeilen".into(),
    };
    pages.push(&page.to_line()).unwrap();
    let head = WaczHead {
        title: "Sammlung".into(),
        description: "alles".into(),
        software: "test".into(),
        created: Timestamp(0),
        main_page: Some((page.url, page.ts)),
    };
    let written = writer.finish(&head, pages, PageList::new(dir).unwrap()).unwrap();
    assert_eq!((written.warcs, written.indexed.lines), (1, records as u64));
    assert_eq!(written.length, fs::metadata(&target).unwrap().len());
    target
}

#[test]
fn what_is_packed_is_unpacked() {
    let dir = tempfile::tempdir().unwrap();
    let path = package(dir.path(), 1000);
    assert!(Wacz::is_one(&path).unwrap());
    let wacz = Wacz::open(&path).unwrap();
    let warcs = wacz.warcs();
    let [warc] = warcs.as_slice() else { panic!("{warcs:?}") };
    let unpacked = dir.path().join("unpacked.warc.gz");
    let told = wacz.unpack(warc, &mut File::create(&unpacked).unwrap()).unwrap();
    assert_eq!((told.size, told.faults.as_slice()), (warc.size, [].as_slice()));
    let mut reader = Reader::open(&unpacked).unwrap();
    let records = std::iter::from_fn(|| reader.next_record().unwrap()).count();
    assert_eq!(records, 1001);
    assert_eq!(wacz.check_others().unwrap(), PackageFaults::default());
}

fn hash(bytes: &[u8]) -> String {
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)))
}

/// A package by hand.
fn made_of(dir: &Path, entries: &[(&str, &[u8])]) -> PathBuf {
    let path = dir.join("b.wacz");
    let mut zip = ZipWriter::new(File::create(&path).unwrap(), Timestamp(0));
    for (name, bytes) in entries {
        let mut content = *bytes;
        zip.put(name, Method::Deflated, &mut content, bytes.len() as u64).unwrap();
    }
    zip.finish().unwrap();
    path
}

fn described(resources: Value) -> Vec<u8> {
    json!({ "profile": "data-package", "resources": resources }).to_string().into_bytes()
}

#[test]
fn packages_that_are_not_what_they_say() {
    let dir = tempfile::tempdir().unwrap();
    let resource =
        |path: &str, hash: &str, bytes: u64| json!({ "path": path, "hash": hash, "bytes": bytes });
    let warc: &[u8] = b"WARC/1.1";
    let digest = json!({ "path": "datapackage.json", "hash": hash(b"another") }).to_string();
    let good = resource("archive/a.warc", &hash(warc), 8);
    let old = json!({ "path": "archive/a.warc", "stats": { "hash": hash(warc), "bytes": 8 } });
    #[rustfmt::skip]
    let cases: &[(Value, Files<'_>, &[&str])] = &[
        (json!([good]),                                             &[], &[]),
        (json!([old]),                                              &[], &[]),
        (json!([resource("archive/a.warc", &hash(b"other"), 8)]),   &[], &["archive/a.warc: its SHA-256"]),
        (json!([resource("archive/a.warc", &hash(warc), 9)]),       &[], &["archive/a.warc: it has 8 bytes"]),
        (json!([]),                                                 &[], &["archive/a.warc: the description does not name it"]),
        (json!([{ "path": "archive/a.warc" }]),                     &[], &["archive/a.warc: the description has no hash"]),
        (json!([good, resource("pages/pages.jsonl", "sha256:0", 1)]), &[], &["pages/pages.jsonl is missing"]),
        (json!([good, resource("x", &hash(b"y"), 1)]),              &[("x", b"z")], &["x: its SHA-256"]),
        (json!([good]),                                             &[("x", b"z")], &["x: the description does not name it"]),
        (json!([good]),                  &[(DESCRIPTION_DIGEST, digest.as_bytes())], &["datapackage.json is not the one"]),
        (json!([good]),                  &[(DESCRIPTION_DIGEST, b"{")],              &["datapackage.json is not the one"]),
    ];
    for (resources, more, expected) in cases {
        let description = described(resources.clone());
        let mut entries = vec![("archive/a.warc", warc), (DESCRIPTION, description.as_slice())];
        entries.extend(more.iter().copied());
        let wacz = Wacz::open(&made_of(dir.path(), &entries)).unwrap();
        let mut told = Vec::new();
        for warc in wacz.warcs() {
            told.extend(wacz.unpack(&warc, &mut io::sink()).unwrap().faults);
        }
        told.extend(wacz.check_others().unwrap().told);
        assert_eq!(told.len(), expected.len(), "{resources}: {told:?}");
        for (told, expected) in told.iter().zip(*expected) {
            assert!(told.starts_with(expected), "{resources}: {told}");
        }
    }
}

#[test]
fn packages_that_are_none() {
    let dir = tempfile::tempdir().unwrap();
    let collection = json!({ "profile": "multi-wacz-package", "resources": [] }).to_string();
    #[rustfmt::skip]
    let cases: &[(Files<'_>, &str)] = &[
        (&[("a", b"b")],                               "there is no datapackage.json"),
        (&[(DESCRIPTION, b"[]x")],                     "cannot be read"),
        (&[(DESCRIPTION, b"\xff\x00")],                "cannot be read"),
        (&[(DESCRIPTION, collection.as_bytes())],      "collection of other packages"),
    ];
    for (entries, expected) in cases {
        let refused = Wacz::open(&made_of(dir.path(), entries)).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    // Nesting without end is no way to use up the stack.
    let deep = format!("{{\"resources\":{}", "[".repeat(100_000));
    let refused = Wacz::open(&made_of(dir.path(), &[(DESCRIPTION, deep.as_bytes())]));
    assert!(matches!(
        refused,
        Err(ArchiveError::Package { fault: PackageFault::Description(_), .. })
    ));
}

#[test]
fn faults_are_counted_and_the_first_told() {
    let dir = tempfile::tempdir().unwrap();
    let missing: Vec<Value> =
        (0..500).map(|number| json!({ "path": format!("m{number}") })).collect();
    let path = made_of(dir.path(), &[(DESCRIPTION, &described(missing.into()))]);
    let faults = Wacz::open(&path).unwrap().check_others().unwrap();
    assert_eq!((faults.count, faults.told.len()), (500, 20));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_description(text in "[\\[\\]{}:,\"a-z0-9]{0,200}", path in "\\PC{0,30}", size in any::<u64>()) {
        let dir = tempfile::tempdir().unwrap();
        let one = described(json!([{ "path": path, "hash": text, "bytes": size }]));
        for description in [text.as_bytes(), one.as_slice()] {
            if let Ok(wacz) = Wacz::open(&made_of(dir.path(), &[(DESCRIPTION, description), ("archive/x.warc", b"x")])) {
                for warc in wacz.warcs() {
                    wacz.unpack(&warc, &mut io::sink()).unwrap();
                }
                wacz.check_others().unwrap();
            }
        }
    }
}

//! Files of other tools: ARC is converted, shared members are taken apart, records are taken out.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_archive::{
    ArchiveSettings, Fate, FaultKind, Form, Reader, Record, convert_arc, is_arc, read_at, rewrite,
    verify,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write;
use std::path::Path;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A record as a tool of the first standard writes it.
fn record(kind: &str, number: u32, block: &str) -> Vec<u8> {
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
         WARC-Date: 2026-11-15T21:40:00Z\r\nWARC-Target-URI: <http://a.example/{number}>\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n\
         {block}\r\n\r\n"
    )
    .into_bytes()
}

fn answer(number: u32) -> Vec<u8> {
    record("response", number, &format!("HTTP/1.1 200 OK\r\n\r\nbody {number}"))
}

fn ids(path: &Path) -> Vec<String> {
    let mut reader = Reader::open(path).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap())
        .map(|record| record.id().unwrap_or_default().to_owned())
        .collect()
}

/// What is wrong with a file; those made here have no description.
fn faults(path: &Path) -> Vec<FaultKind> {
    verify(path).unwrap().faults.into_iter().map(|fault| fault.kind).collect()
}

const HTTP: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>alt";

/// The records of an ARC file of version 1.
fn arc_records() -> Vec<Vec<u8>> {
    let description =
        "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n";
    [
        ("filedesc://a.arc 0.0.0.0 20010305120000 text/plain", description),
        (
            "dns:a.example 192.0.2.1 20010305120001 text/dns",
            "20010305120001\na.example. 1 IN A 192.0.2.1\n",
        ),
        ("http://a.example/alt 192.0.2.1 20010305120102 text/html", HTTP),
        ("http://a.example/bild 192.0.2.1 20010305120103 image/gif", "GIF89a"),
    ]
    .iter()
    .map(|(header, block)| format!("{header} {}\n{block}\n", block.len()).into_bytes())
    .collect()
}

#[test]
fn arc_becomes_warc() {
    let dir = tempfile::tempdir().unwrap();
    let records = arc_records();
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    for (name, bytes) in [
        ("plain.arc", records.concat()),
        ("members.arc.gz", members),
        ("whole.arc.gz", gzip(&records.concat())),
    ] {
        let (source, target) = (dir.path().join(name), dir.path().join(format!("{name}.warc.gz")));
        std::fs::write(&source, bytes).unwrap();
        assert!(is_arc(&source).unwrap(), "{name}");
        let done = convert_arc(&source, &target, &ArchiveSettings::default()).unwrap();
        assert_eq!((done.records, done.damage_count), (4, 0), "{name}");
        let report = verify(&target).unwrap();
        assert!(report.is_sound(), "{name}: {:?}", report.faults);
        let mut reader = Reader::open(&target).unwrap();
        let mut seen = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            let target = record.target().unwrap_or_default();
            seen.push(format!("{} {target} {}", record.kind(), record.date().unwrap().digits14()));
        }
        let expected = [
            "resource dns:a.example 20010305120001",
            "response http://a.example/alt 20010305120102",
            "resource http://a.example/bild 20010305120103",
        ];
        assert_eq!(seen[1..], expected, "{name}");
    }
}

#[test]
fn damage_in_arc_costs_one_record() {
    let dir = tempfile::tempdir().unwrap();
    let (source, target) = (dir.path().join("a.arc.gz"), dir.path().join("a.warc.gz"));
    let mut members: Vec<Vec<u8>> = arc_records().iter().map(|record| gzip(record)).collect();
    let middle = members[2].len() / 2;
    members[2][middle] ^= 0xff;
    std::fs::write(&source, members.concat()).unwrap();
    let done = convert_arc(&source, &target, &ArchiveSettings::default()).unwrap();
    assert_eq!((done.records, done.damage_count), (3, 1), "{:?}", done.damages);

    let plain = arc_records();
    let broken = [&plain[0][..], b"no header at all\n", &plain[2], &plain[3]].concat();
    std::fs::write(&source, broken).unwrap();
    let done = convert_arc(&source, &target, &ArchiveSettings::default()).unwrap();
    assert_eq!((done.records, done.damage_count), (3, 1), "{:?}", done.damages);
}

#[test]
fn shared_members_are_taken_apart() {
    let dir = tempfile::tempdir().unwrap();
    let (source, target) = (dir.path().join("a.warc.gz"), dir.path().join("b.warc.gz"));
    std::fs::write(&source, gzip(&(1..=3).flat_map(answer).collect::<Vec<u8>>())).unwrap();
    let settings = ArchiveSettings::default();
    let mut keep = |_: &Record| Ok(Fate::Keep);
    let done = rewrite(&source, None, &target, Form::OwnMembers, &settings, &mut keep).unwrap();
    assert_eq!(done.records, 3);
    assert_eq!(ids(&target), ["urn:uuid:1", "urn:uuid:2", "urn:uuid:3"]);
    for (moved, number) in done.moved.iter().zip(1..) {
        let stored = read_at(&target, moved.offset).unwrap();
        let body = format!("body {number}");
        assert_eq!(stored.payload.prefix(100).unwrap(), body.as_bytes());
    }
    assert_eq!(faults(&target), [FaultKind::NoWarcinfo]);
}

#[test]
fn records_are_dropped_and_relabelled() {
    let dir = tempfile::tempdir().unwrap();
    let (source, target) = (dir.path().join("a"), dir.path().join("b"));
    let plain: Vec<u8> = (1..=4).flat_map(answer).collect();
    let members: Vec<u8> = (1..=4).flat_map(|number| gzip(&answer(number))).collect();
    for (form, bytes) in [("plain", plain), ("members", members)] {
        std::fs::write(&source, bytes).unwrap();
        let mut decide = |record: &Record| {
            Ok(match record.id() {
                Some("urn:uuid:2") => Fate::Drop,
                Some("urn:uuid:3") => {
                    let mut fields = record.fields.clone();
                    fields.set("WARC-Target-URI", "http://b.example/");
                    Fate::Relabel(fields)
                }
                _ => Fate::Keep,
            })
        };
        let settings = ArchiveSettings::default();
        let done = rewrite(&source, None, &target, Form::AsStored, &settings, &mut decide).unwrap();
        assert_eq!((done.records, done.dropped), (3, 1), "{form}");
        assert_eq!(done.length, std::fs::metadata(&target).unwrap().len(), "{form}");
        let targets: Vec<String> = done
            .moved
            .iter()
            .map(|moved| {
                read_at(&target, moved.offset).unwrap().record.target().unwrap().to_owned()
            })
            .collect();
        let expected = ["http://a.example/1", "http://b.example/", "http://a.example/4"];
        assert_eq!(targets, expected, "{form}");
        assert_eq!(faults(&target), [FaultKind::NoWarcinfo], "{form}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_converted_or_not(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        begins: bool,
        compressed: bool,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let (source, target) = (dir.path().join("a"), dir.path().join("b"));
        let mut all = if begins { arc_records().concat() } else { Vec::new() };
        all.extend(bytes);
        std::fs::write(&source, if compressed { gzip(&all) } else { all }).unwrap();
        is_arc(&source).unwrap();
        convert_arc(&source, &target, &ArchiveSettings::default()).unwrap();
        prop_assert!(verify(&target).unwrap().is_sound());
    }
}

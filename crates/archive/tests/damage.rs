//! Files of other tools, broken files, and files that are no WARC at all.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod exchanges;

use auslese_archive::{
    ArchiveError, Damage, FaultKind, Notes, Original, Reader, Writer, cdxj, encode, encode_revisit,
    read_at, verify,
};
use auslese_model::{Algorithm, Body, Place};
use exchanges::*;
use proptest::prelude::*;
use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A file with so many exchanges, and the places of their responses.
fn archive(count: usize) -> (TempDir, PathBuf, Vec<Place>) {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), settings(), &[]).unwrap();
    let mut places = Vec::new();
    for number in 0..count {
        let exchange = page(&format!("http://h.example/{number}"), &"text ".repeat(100));
        places.push(
            writer.append(&encode(&exchange, &Notes::default(), &settings()).unwrap()).unwrap(),
        );
    }
    let file = writer.close().unwrap().remove(0).file;
    let path = dir.path().join(file);
    (dir, path, places)
}

/// The targets of the responses that can be read, and the number of damages.
fn readable(path: &Path) -> (Vec<String>, usize) {
    let mut reader = Reader::open(path).unwrap();
    let (mut targets, mut damages) = (Vec::new(), 0);
    loop {
        match reader.next_record() {
            Ok(Some(record)) if record.kind() == "response" && reader.end_record().is_ok() => {
                targets.push(record.target().unwrap().to_owned());
            }
            Ok(Some(_)) => {}
            Ok(None) => return (targets, damages),
            Err(ArchiveError::Damaged { .. }) => damages += 1,
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn damage_in_the_middle_costs_one_record() {
    let (_dir, path, places) = archive(4);
    let sound = fs::read(&path).unwrap();
    let hurt = &places[1];
    for at in [0, 12, hurt.length / 2, hurt.length - 20, hurt.length - 3] {
        let mut bytes = sound.clone();
        bytes[(hurt.offset + at) as usize] ^= 0x55;
        fs::write(&path, &bytes).unwrap();
        let (targets, _) = readable(&path);
        assert_eq!(
            targets,
            ["http://h.example/0", "http://h.example/2", "http://h.example/3"],
            "{at}"
        );
        let report = verify(&path).unwrap();
        assert_eq!(report.sound_until, hurt.offset, "{at}");
        let fault = &report.faults[0];
        assert_eq!((fault.offset, fault.record), (hurt.offset, 5), "{at}: {fault}");
        assert!(matches!(fault.kind, FaultKind::Damaged(_)), "{at}: {fault}");
        assert!(read_at(&path, hurt.offset).is_err());
        assert!(read_at(&path, places[2].offset).is_ok());
        let mut index = Vec::new();
        let indexed = cdxj(std::slice::from_ref(&path), &std::env::temp_dir(), &mut index).unwrap();
        // One broken member may show in more than one way.
        assert!(indexed.lines == 3 && (1..=2).contains(&indexed.damage_count), "{at} {indexed:?}");
    }
}

#[test]
fn a_cut_file_is_sound_up_to_its_last_whole_record() {
    let (_dir, path, places) = archive(3);
    let sound = fs::read(&path).unwrap();
    let last = &places[2];
    for length in [last.offset, last.offset + 1, last.offset + 30, last.offset + last.length - 1] {
        fs::write(&path, &sound[..length as usize]).unwrap();
        let report = verify(&path).unwrap();
        assert_eq!(report.sound_until, last.offset, "{length}");
        assert_eq!(report.is_sound(), length == last.offset, "{length}");
        assert_eq!(readable(&path).0.len(), 2);
    }
}

#[test]
fn zeros_behind_the_end_are_one_fault() {
    let (_dir, path, _) = archive(1);
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes.len() as u64;
    bytes.resize(bytes.len() + 200_000, 0);
    fs::write(&path, &bytes).unwrap();
    let report = verify(&path).unwrap();
    assert_eq!((report.fault_count, report.sound_until), (1, length));
    assert_eq!(report.faults[0].kind, FaultKind::Damaged(Damage::NotARecord));
}

/// One plain record with the given extra header lines.
fn plain(version: &str, kind: &str, extra: &str, block: &str) -> String {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    format!(
        "{version}\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:x:{number}>\r\n\
         WARC-Date: 2020-01-01T00:00:00Z\r\n{extra}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn response(version: &str, target: &str, http: &str) -> String {
    let extra = format!("WARC-Target-URI: {target}\r\nContent-Type: application/http\r\n");
    plain(version, "response", &extra, http)
}

fn read_all(bytes: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let mut reader = Reader::new(Path::new("memory"), Cursor::new(bytes), 0).unwrap();
    let mut found = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        let mut payload = Vec::new();
        if record.kind() == "response" {
            reader.http_head().unwrap();
        }
        reader.payload().read_to_end(&mut payload).unwrap();
        found.push((record.version, payload));
    }
    found
}

#[test]
fn other_ways_to_pack_records() {
    let http = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    let one = plain("WARC/1.0", "warcinfo", "", "software: other");
    let two = response("WARC/0.18", "<http://h.example/>", http);
    let three = two.replace("\r\n", "\n").replace("WARC/0.18", "WARC/1.1");
    let length = format!("Content-Length: {}", http.replace("\r\n", "\n").len());
    let three = three.replace(&format!("Content-Length: {}", http.len()), &length);
    let all = [one.as_str(), &two, &three].concat().into_bytes();
    let by_record = [gzip(one.as_bytes()), gzip(two.as_bytes()), gzip(three.as_bytes())].concat();
    let halves = [gzip(&all[..all.len() / 2]), gzip(&all[all.len() / 2..])].concat();
    let with_empty_member = [gzip(b""), by_record.clone(), gzip(b"")].concat();
    let expected = [
        ("WARC/1.0".to_owned(), b"software: other".to_vec()),
        ("WARC/0.18".to_owned(), b"abc".to_vec()),
        ("WARC/1.1".to_owned(), b"abc".to_vec()),
    ];
    for (name, bytes) in [
        ("plain", all.clone()),
        ("one member per record", by_record),
        ("one member", gzip(&all)),
        ("records across members", halves),
        ("empty members", with_empty_member),
    ] {
        assert_eq!(read_all(bytes), expected, "{name}");
    }
}

fn faults(bytes: &[u8]) -> Vec<FaultKind> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.warc");
    fs::write(&path, bytes).unwrap();
    verify(&path).unwrap().faults.into_iter().map(|fault| fault.kind).collect()
}

#[test]
fn faults_are_told_apart() {
    let info = plain("WARC/1.1", "warcinfo", "", "software: other");
    let http = "HTTP/1.1 200 OK\r\n\r\nabc";
    let good = response("WARC/1.1", "http://h.example/", http);
    let with = |extra: &str| format!("{info}{}", plain("WARC/1.1", "metadata", extra, "x: y"));
    let target = "WARC-Target-URI: http://h.example/\r\nContent-Type: application/http\r\n";
    let digest = |text: &str| {
        auslese_archive::payload_digest(&Body::Memory(text.into()), Algorithm::Sha1).unwrap()
    };
    let framed = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    let of_framing = digest("3\r\nabc\r\n0\r\n\r\n").to_string();
    let of_payload = digest("abc").to_string();
    let chunked = |digest: &str| {
        let extra = format!("{target}WARC-Payload-Digest: {digest}\r\n");
        format!("{info}{}", plain("WARC/1.1", "response", &extra, framed))
    };
    let dangling = FaultKind::Dangling { field: "WARC-Concurrent-To", target: "urn:x:none".into() };
    #[rustfmt::skip]
    let cases = [
        (format!("{info}{good}"),                                    vec![]),
        (good.clone(),                                               vec![FaultKind::NoWarcinfo]),
        (format!("{info}{good}{good}"),                              vec![FaultKind::RepeatedId(2)]),
        (with("WARC-Concurrent-To: <urn:x:none>\r\n"),               vec![dangling]),
        (chunked(&of_payload),                                       vec![]),
        (chunked(&of_framing),                                       vec![FaultKind::DigestOfFraming]),
        (format!("{info}{}", plain("WARC/1.1", "revisit", target, "")), vec![FaultKind::MissingField("WARC-Profile")]),
        (format!("{info}{}", good.replace("WARC-Date: 2020-01-01T00:00:00Z\r\n", "")), vec![FaultKind::MissingField("WARC-Date")]),
        (format!("{info}{}", good.replace("2020-01-01T", "gestern")), vec![FaultKind::BadField { name: "WARC-Date", value: "gestern00:00:00Z".into() }]),
        (format!("{info}{}", good.replace("http://h.example/", "<http://h.example/>")), vec![FaultKind::BadField { name: "WARC-Target-URI", value: "<http://h.example/>".into() }]),
        (format!("{info}junk\r\n{good}"),                            vec![FaultKind::Damaged(Damage::NotARecord)]),
        (format!("{info}{}", good.trim_end()),                       vec![FaultKind::Damaged(Damage::NoSeparator)]),
        (format!("{info}{}", &good[..good.len() - 5]),               vec![FaultKind::Damaged(Damage::CutBlock { missing: 1 })]),
        (format!("{info}{}", good.replace("Content-Length: 22", "Content-Length: viel")), vec![FaultKind::Damaged(Damage::NoLength)]),
    ];
    for (number, (file, expected)) in cases.into_iter().enumerate() {
        assert_eq!(faults(file.as_bytes()), expected, "case {number}");
    }
    let shared = faults(&gzip(format!("{info}{good}").as_bytes()));
    assert_eq!(shared, [FaultKind::SharedMember, FaultKind::SharedMember]);
    let wrong = with(&format!("WARC-Block-Digest: {of_payload}\r\n"));
    assert!(matches!(faults(wrong.as_bytes())[..], [FaultKind::BlockDigest { .. }]));
}

#[test]
fn a_revisit_of_a_revisit_is_a_fault() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), settings(), &[]).unwrap();
    let first = page("http://h.example/", "text");
    let encoded = encode(&first, &Notes::default(), &settings()).unwrap();
    let mut original = Original {
        record_id: writer.append(&encoded).unwrap().record_id,
        uri: first.request.url.to_string(),
        date: first.started,
        payload_digest: encoded.payload_digest().cloned(),
    };
    for _ in 0..2 {
        let encoded = encode_revisit(&first, &Notes::default(), &original, &settings()).unwrap();
        original.record_id = writer.append(&encoded).unwrap().record_id;
    }
    let path = dir.path().join(writer.close().unwrap().remove(0).file);
    let report = verify(&path).unwrap();
    assert_eq!(report.faults.len(), 1);
    assert_eq!(report.faults[0].kind, FaultKind::RevisitOfRevisit(5));
    assert!(report.faults[0].to_string().starts_with("record 8 at byte "), "{}", report.faults[0]);
    assert_eq!(report.sound_until, fs::metadata(&path).unwrap().len());
}

/// Reads whatever the reader finds; it must come to an end.
fn exhaust(bytes: Vec<u8>) -> usize {
    let length = bytes.len();
    let mut reader = Reader::new(Path::new("memory"), Cursor::new(bytes), 0).unwrap();
    for calls in 0..=length {
        match reader.next_record() {
            Ok(Some(record)) => {
                if record.kind() == "response" {
                    let _ = reader.http_head();
                }
                let _ = reader.payload().read_to_end(&mut Vec::new());
            }
            Ok(None) => return calls,
            Err(ArchiveError::Damaged { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("more than one call per byte");
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        exhaust(bytes);
    }

    #[test]
    fn almost_records(text in "(WARC/1.1\r\n|WARC-Type: response\r\n|Content-Length: [0-9]{1,3}\r\n|\r\n|HTTP/1.1 200\r\n|Transfer-Encoding: chunked\r\n|[0-9a-f]{1,2}\r\n|[a-z]){0,60}") {
        exhaust(gzip(text.as_bytes()));
        exhaust(text.into_bytes());
    }

    #[test]
    fn hurt_archives(
        at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let one = plain("WARC/1.1", "warcinfo", "", "software: other");
        let two = response("WARC/1.1", "http://h.example/", "HTTP/1.1 200 OK\r\n\r\nabc");
        let mut bytes = [gzip(one.as_bytes()), gzip(two.as_bytes()), gzip(one.as_bytes())].concat();
        for (index, value) in at {
            let index = index.index(bytes.len());
            bytes[index] = value;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        faults(&bytes);
        exhaust(bytes);
    }
}

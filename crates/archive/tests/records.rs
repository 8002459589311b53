//! The records of WARC 1.1, as written: each demand on them is a test.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod exchanges;

use auslese_archive::{
    ArchiveSettings, Framing, Notes, Original, Reader, Record, StoredRecord, Writer, encode,
    encode_revisit, payload_digest, read_at,
};
use auslese_model::{Algorithm, Body, Exchange, HopPath, Oddity, Place, Truncation};
use exchanges::*;
use flate2::bufread::GzDecoder;
use proptest::prelude::*;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// All records of a file with their blocks.
fn records(path: &Path) -> Vec<(Record, Vec<u8>)> {
    let mut reader = Reader::open(path).unwrap();
    let mut records = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        let mut block = Vec::new();
        reader.block().read_to_end(&mut block).unwrap();
        records.push((record, block));
    }
    records
}

fn written(exchange: &Exchange, notes: &Notes, settings: &ArchiveSettings) -> (TempDir, Place) {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), settings.clone(), &[]).unwrap();
    let place = writer.append(&encode(exchange, notes, settings).unwrap()).unwrap();
    writer.close().unwrap();
    (dir, place)
}

fn stored(exchange: &Exchange, settings: &ArchiveSettings) -> StoredRecord {
    let (dir, place) = written(exchange, &Notes::default(), settings);
    let stored = read_at(&dir.path().join(&place.file), place.offset).unwrap();
    assert_eq!(stored.record.id(), Some(place.record_id.as_str()));
    stored
}

fn text(block: &[u8]) -> String {
    String::from_utf8_lossy(block).into_owned()
}

#[test]
fn an_exchange_is_three_records_behind_a_warcinfo() {
    let mut exchange = page("https://h.example/a", "text");
    exchange.tls = Some(tls(Some("certificate expired")));
    exchange.response.oddities.push(Oddity::new("bad-header-line", "X\r\nvia: forged"));
    let notes = Notes {
        via: Some("https://h.example/".into()),
        hops: HopPath("LE".into()),
        charset: Some("windows-1252".into()),
        rules: vec!["accept host h.example".into(), "pass depth 2".into()],
        payload_digest: None,
    };
    let (dir, place) = written(&exchange, &notes, &settings());
    let records = records(&dir.path().join(&place.file));
    let kinds: Vec<_> = records.iter().map(|(record, _)| record.kind()).collect();
    assert_eq!(kinds, ["warcinfo", "response", "request", "metadata"]);
    let [(warcinfo, info), (response, _), (request, sent), (metadata, lines)] = &records[..] else {
        panic!("four records");
    };

    assert_eq!(warcinfo.fields.get("WARC-Filename"), Some(place.file.as_str()));
    for line in [
        "software: auslese/",
        "format: WARC File Format 1.1",
        "operator: Archive Tests",
        "robots: obey",
    ] {
        assert!(text(info).contains(line), "{line}");
    }
    for (record, _) in &records {
        assert_eq!(record.version, "WARC/1.1");
        assert!(record.fields.get("WARC-Record-ID").unwrap().starts_with("<urn:uuid:"));
        assert!(record.fields.get("WARC-Block-Digest").unwrap().starts_with("sha256:"));
    }
    for (record, _) in &records[1..] {
        assert_eq!(record.fields.get("WARC-Warcinfo-ID"), warcinfo.fields.get("WARC-Record-ID"));
        assert_eq!(record.fields.get("WARC-Target-URI"), Some("https://h.example/a"));
        assert_eq!(record.fields.get("WARC-Date"), Some("2026-11-15T21:40:00.123456Z"));
        assert_eq!(record.fields.get("WARC-IP-Address"), Some("192.0.2.17"));
    }
    for record in [request, metadata] {
        assert_eq!(record.fields.get("WARC-Concurrent-To"), response.fields.get("WARC-Record-ID"));
    }
    assert_eq!(*sent, exchange.sent);
    assert_eq!(
        text(lines),
        "via: https://h.example/\r\nhopsFromSeed: LE\r\nconnectTimeMs: 1.250\r\n\
         firstByteTimeMs: 7.000\r\nfetchTimeMs: 12.345\r\ntlsProtocol: TLSv1.3\r\n\
         tlsCipher: TLS13_AES_128_GCM_SHA256\r\ntlsProblem: certificate expired\r\n\
         charset: windows-1252\r\nrule: accept host h.example\r\nrule: pass depth 2\r\n\
         oddity: bad-header-line X  via: forged\r\n"
    );
}

#[test]
fn each_record_is_a_gzip_member_and_places_lead_to_them() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), settings(), &[]).unwrap();
    let mut places = Vec::new();
    for number in 0..5 {
        let exchange = page(&format!("http://h.example/{number}"), "text");
        places.push(
            writer.append(&encode(&exchange, &Notes::default(), &settings()).unwrap()).unwrap(),
        );
    }
    let progress = writer.close().unwrap();
    assert_eq!(progress[0].records, 16);
    let file = fs::read(dir.path().join(&progress[0].file)).unwrap();
    let mut members = Vec::new();
    let mut rest = &file[..];
    while !rest.is_empty() {
        let offset = file.len() - rest.len();
        let mut decoder = GzDecoder::new(rest);
        let mut plain = String::new();
        decoder.read_to_string(&mut plain).unwrap();
        assert!(plain.starts_with("WARC/1.1\r\n") && plain.ends_with("\r\n\r\n"));
        assert_eq!(plain.matches("WARC/1.1\r\n").count(), 1);
        rest = decoder.into_inner();
        members.push((offset as u64, (file.len() - rest.len() - offset) as u64, plain));
    }
    assert_eq!(members.len(), 16);
    for place in places {
        let (_, length, plain) =
            members.iter().find(|(offset, ..)| *offset == place.offset).unwrap();
        assert_eq!(place.length, *length);
        assert!(plain.contains(&place.record_id));
    }
}

#[test]
fn files_are_rotated_and_renamed_when_committed() {
    let dir = tempfile::tempdir().unwrap();
    let settings = ArchiveSettings { rotate_at: 4_000, ..settings() };
    let mut writer = Writer::open(dir.path(), settings.clone(), &[]).unwrap();
    for number in 0..10 {
        let exchange = page(&format!("http://h.example/{number}"), "text");
        writer.append(&encode(&exchange, &Notes::default(), &settings).unwrap()).unwrap();
    }
    let names = || -> Vec<String> {
        let names = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect()
    };
    assert!(names().iter().all(|name| name.ends_with(".warc.gz.open")), "{:?}", names());
    let progress = writer.progress();
    assert!(progress.len() > 2 && progress.iter().all(|warc| warc.length <= 4_000), "{progress:?}");
    assert_eq!(progress.iter().filter(|warc| !warc.closed).count(), 1);
    writer.committed().unwrap();
    assert_eq!(names().iter().filter(|name| name.ends_with(".open")).count(), 1);
    assert_eq!(writer.progress().len(), 1, "closed files are named once");
    writer.close().unwrap();
    for name in names() {
        assert!(name.starts_with("test-") && name.ends_with("-main.warc.gz"), "{name}");
        assert_eq!(records(&dir.path().join(name))[0].0.kind(), "warcinfo");
    }
}

#[test]
fn digests_cover_block_and_payload() {
    let body = b"Hallo Welt, ein wenig Text";
    let coded = gzip(body);
    for algorithm in [Algorithm::Sha256, Algorithm::Sha1] {
        let settings = ArchiveSettings { algorithm, ..settings() };
        let digest = |bytes: &[u8]| {
            payload_digest(&Body::Memory(bytes.to_vec()), algorithm).unwrap().to_string()
        };
        let wire = in_chunks(body, 4);
        for (exchange, payload) in [
            (page("http://h.example/", "Hallo"), &b"Hallo"[..]),
            (
                exchange("http://h.example/", "HTTP/1.1 200 OK\nContent-Encoding: gzip", &coded),
                &coded,
            ),
            (chunked("http://h.example/", "X: y", &wire, body), body),
            (exchange("http://h.example/", "HTTP/1.1 204 No Content", b""), b""),
        ] {
            let (dir, place) = written(&exchange, &Notes::default(), &settings);
            let (record, block) = &records(&dir.path().join(&place.file))[1];
            assert_eq!(record.fields.get("WARC-Payload-Digest"), Some(digest(payload).as_str()));
            assert_eq!(record.fields.get("WARC-Block-Digest"), Some(digest(block).as_str()));
        }
    }
}

#[test]
fn chunked_bodies_in_both_framings() {
    let body = b"Hallo Welt, ein wenig Text";
    let mut wire = b"5;x=1\r\nHallo\r\n".to_vec();
    wire.extend_from_slice(&in_chunks(&body[5..], 10));
    wire.truncate(wire.len() - 2);
    wire.extend_from_slice(b"X-Sum: 1\r\n\r\n");
    let exchange = chunked("http://h.example/", "Content-Type: text/plain", &wire, body);

    let (dir, place) = written(&exchange, &Notes::default(), &settings());
    let file = dir.path().join(&place.file);
    let decoded = read_at(&file, place.offset).unwrap();
    let head = decoded.http.unwrap();
    assert_eq!(head.headers.get("Transfer-Encoding"), None);
    assert_eq!(head.headers.get("X-Archive-Orig-Transfer-Encoding").as_deref(), Some("chunked"));
    assert_eq!(decoded.payload.prefix(100).unwrap(), body);
    let (_, metadata) = &records(&file)[3];
    assert_eq!(rebuilt(&text(metadata), body), wire);

    let wire_settings = ArchiveSettings { framing: Framing::Wire, ..settings() };
    let (dir, place) = written(&exchange, &Notes::default(), &wire_settings);
    let (_, block) = &records(&dir.path().join(&place.file))[1];
    assert_eq!(*block, [&exchange.response.head[..], &wire].concat());
    assert_eq!(stored(&exchange, &wire_settings).payload.prefix(100).unwrap(), body);
}

/// The bytes on the wire, from the notes in the metadata record.
fn rebuilt(metadata: &str, mut body: &[u8]) -> Vec<u8> {
    let value = |name| metadata.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    let mut wire = Vec::new();
    for line in value("chunkSizes: ").split(' ') {
        let size = usize::from_str_radix(line.split(';').next().unwrap(), 16).unwrap();
        wire.extend_from_slice(format!("{line}\r\n").as_bytes());
        if size > 0 {
            wire.extend_from_slice(&body[..size]);
            wire.extend_from_slice(b"\r\n");
            body = &body[size..];
        }
    }
    wire.extend_from_slice(format!("{}\r\n\r\n", value("trailer: ")).as_bytes());
    wire
}

#[test]
fn revisits_keep_the_header_and_refer_to_a_response() {
    let original = Original {
        record_id: "urn:uuid:11111111-1111-4111-8111-111111111111".into(),
        uri: "http://h.example/first".into(),
        date: START,
        payload_digest: Some(
            payload_digest(&Body::Memory(b"text".into()), Algorithm::Sha256).unwrap(),
        ),
    };
    let same = page("http://h.example/again", "text");
    let unmodified = exchange("http://h.example/again", "HTTP/1.1 304 Not Modified\nETag: x", b"");
    for (exchange, profile) in [
        (same, "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"),
        (unmodified, "http://netpreserve.org/warc/1.1/revisit/server-not-modified"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = Writer::open(dir.path(), settings(), &[]).unwrap();
        let encoded = encode_revisit(&exchange, &Notes::default(), &original, &settings()).unwrap();
        let place = writer.append(&encoded).unwrap();
        writer.close().unwrap();
        let records = records(&dir.path().join(&place.file));
        let (record, block) = &records[1];
        let digest = original.payload_digest.as_ref().unwrap().to_string();
        #[rustfmt::skip]
        let expected = [
            ("WARC-Type", "revisit"),
            ("WARC-Profile", profile),
            ("WARC-Payload-Digest", digest.as_str()),
            ("WARC-Refers-To", "<urn:uuid:11111111-1111-4111-8111-111111111111>"),
            ("WARC-Refers-To-Target-URI", "http://h.example/first"),
            ("WARC-Refers-To-Date", "2026-11-15T21:40:00.123456Z"),
            ("WARC-Target-URI", "http://h.example/again"),
        ];
        for (name, value) in expected {
            assert_eq!(record.fields.get(name), Some(value), "{name}");
        }
        assert_eq!(*block, exchange.response.head);
        assert_eq!(
            records[2].0.fields.get("WARC-Concurrent-To"),
            record.fields.get("WARC-Record-ID")
        );
    }
}

#[test]
fn truncation_is_always_declared() {
    let truncated = |reason: Option<Truncation>, stopped: Option<&str>| {
        let mut exchange = page("http://h.example/", "text");
        exchange.response.truncated = reason;
        exchange.response.stopped = stopped.map(str::to_owned);
        let stored = stored(&exchange, &settings());
        stored.record.fields.get("WARC-Truncated").map(str::to_owned)
    };
    #[rustfmt::skip]
    let cases = [
        (None,                        None,           None),
        (Some(Truncation::Length),    None,           Some("length")),
        (Some(Truncation::Time),      None,           Some("time")),
        (Some(Truncation::Disconnect), Some("suffix"), Some("disconnect")),
        (None,                        Some("suffix"), Some("unspecified")),
    ];
    for (reason, stopped, expected) in cases {
        assert_eq!(truncated(reason, stopped).as_deref(), expected, "{reason:?} {stopped:?}");
    }
}

#[test]
fn large_bodies_come_back_byte_for_byte() {
    let bytes = noise(2_300_000);
    let mut exchange =
        exchange("http://h.example/", "HTTP/1.1 200 OK\nContent-Type: image/png", b"");
    exchange.response.body = spilled(&bytes);
    let stored = stored(&exchange, &settings());
    assert!(matches!(stored.payload, Body::Spilled { .. }));
    assert_eq!(stored.payload.len(), bytes.len() as u64);
    assert!(stored.payload.prefix(usize::MAX).unwrap() == bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_written_reads_back(
        head in "HTTP/1.1 [0-9]{3} [ -~]{0,20}(\n[A-Za-z-]{1,12}: [ -~]{0,30}){0,5}",
        body in prop::collection::vec(any::<u8>(), 0..4000),
        level in 0u8..13,
    ) {
        let exchange = exchange("http://h.example/x", &head, &body);
        let settings = ArchiveSettings { level, framing: Framing::Wire, ..settings() };
        let (dir, place) = written(&exchange, &Notes::default(), &settings);
        let path: PathBuf = dir.path().join(&place.file);
        let (_, block) = &records(&path)[1];
        prop_assert_eq!(block, &[&exchange.response.head[..], &body].concat());
    }
}

//! What a crawl leaves in the archive and in the table `http_header`.

use crate::field::Field;
use auslese_archive::Record;
use auslese_catalog::StoredCapture;
use auslese_harvest::{CrawlEnd, Revisits, StoringRules};
use auslese_model::{Algorithm, Capture, Storage, Timestamp, Truncation};
use auslese_testnet::{Answer, Internet, Site, generated_site};
use std::collections::{BTreeMap, BTreeSet};

const START: &str = "http://www.uni.example/";

fn text(block: &[u8]) -> String {
    String::from_utf8_lossy(block).into_owned()
}

#[test]
fn records_of_an_exchange() {
    let site = Site::new("http://www.uni.example")
        .at("198.18.0.1")
        .answer("/", Answer::page("<p>Grüße<a href='/zwei'>").chunked(4))
        .page("/zwei", "zwei");
    let field = Field::new(Internet::new().site(site));
    field
        .crawl(&[START], |job| job.archive.description.operator = "A. Person <a@b.example>".into());
    let records = field.records();
    let of = |kind: &str, target: &str| -> (Record, String) {
        let mut fits = records
            .iter()
            .filter(|(record, _)| record.kind() == kind && record.target() == Some(target));
        let (record, block) = fits.next().unwrap_or_else(|| panic!("no {kind} of {target}"));
        assert!(fits.next().is_none(), "one {kind} of {target}");
        (record.clone(), text(block))
    };
    let warcinfo = &records[0];
    assert_eq!(warcinfo.0.kind(), "warcinfo");
    assert!(text(&warcinfo.1).contains("operator: A. Person <a@b.example>"));

    let (request, sent) = of("request", START);
    let (response, received) = of("response", START);
    let (metadata, notes) = of("metadata", START);
    let id = |record: &Record| format!("<{}>", record.id().unwrap());
    for (companion, name) in [(&request, "request"), (&metadata, "metadata")] {
        let of =
            companion.fields.get("WARC-Concurrent-To").or(companion.fields.get("WARC-Refers-To"));
        assert_eq!(of, Some(id(&response).as_str()), "{name}");
    }
    assert!(sent.starts_with("GET / HTTP/1.1\r\nHost: www.uni.example\r\n"), "{sent}");
    assert!(received.starts_with("HTTP/1.1 200 OK\r\n"));
    assert!(received.ends_with("\r\n\r\n<p>Grüße<a href='/zwei'>"), "{received}");
    assert!(!received.to_lowercase().contains("\r\ntransfer-encoding:"), "{received}");
    assert_eq!(response.fields.get("WARC-IP-Address"), Some("198.18.0.1"));
    for field in ["WARC-Block-Digest", "WARC-Payload-Digest"] {
        assert!(response.fields.get(field).unwrap().starts_with("sha256:"), "{field}");
    }
    for line in ["charset: UTF-8", "fetchTimeMs: ", "rule: seed", "chunkSizes: "] {
        assert!(notes.contains(line), "{line} in {notes}");
    }
    let second = of("metadata", "http://www.uni.example/zwei").1;
    for line in ["via: http://www.uni.example/", "hopsFromSeed: L", "rule: seeds"] {
        assert!(second.contains(line), "{line} in {second}");
    }
    let (dns, answer) = of("resource", "dns:www.uni.example");
    assert_eq!(dns.fields.get("Content-Type"), Some("text/dns"));
    assert!(answer.contains("www.uni.example.\t60\tIN\tA\t198.18.0.1"), "{answer}");
    for (record, _) in &records {
        let target = record.fields.get("WARC-Target-URI").unwrap_or_default();
        assert!(!target.contains('<'), "{target}");
        assert_eq!(record.version, "WARC/1.1");
    }
    field.verify();
}

#[test]
fn files_are_rotated() {
    let site = generated_site("www.uni.example", 60, 2);
    let documents = site.documents();
    let field = Field::new(Internet::new().site(site));
    let report = field.crawl(&[START], |job| {
        job.archive.rotate_at = 20_000;
        job.archive.algorithm = Algorithm::Sha1;
        job.archive.prefix = "probe".to_owned();
    });
    assert_eq!(report.end, CrawlEnd::Done);
    let files = field.warc_files();
    assert!(files.len() > 3, "{files:?}");
    assert_eq!(report.status.warc_files, files.len() as u64);
    let sizes: u64 = files.iter().map(|file| file.metadata().unwrap().len()).sum();
    assert_eq!(report.status.warc_bytes, sizes);
    let mut first = BTreeSet::new();
    for (record, _) in field.records() {
        if record.kind() == "warcinfo" {
            assert_eq!(record.offset, 0);
            first.insert(record.fields.get("WARC-Filename").unwrap().to_owned());
        } else if let Some(digest) = record.fields.get("WARC-Block-Digest") {
            assert!(digest.starts_with("sha1:"));
        }
    }
    let name = |file: &std::path::PathBuf| file.file_name().unwrap().to_string_lossy().into_owned();
    let names: BTreeSet<String> = files.iter().map(name).collect();
    assert!(names.iter().all(|name| name.starts_with("probe") && name.ends_with(".warc.gz")));
    assert_eq!(first, names, "each file begins with its warcinfo");
    let captures = field.captures();
    for document in &documents {
        let capture = &captures[&format!("http://www.uni.example{}", document.path)];
        assert_eq!(field.body(capture), document.body.to_vec(), "{}", document.path);
    }
    field.verify();
}

/// Identical payloads at different URLs, and what is no payload to refer to.
#[test]
fn revisits() {
    let body = "<p>immer dasselbe</p>";
    let site = Site::new("http://www.uni.example")
        .page("/", "<a href='/a'><a href='/b'><a href='/c'><a href='/f1'><a href='/f2'>")
        .page("/a", body)
        .page("/b", body)
        .answer("/c", Answer::page(body).header("X-Anders", "ja").chunked(5))
        .answer("/f1", Answer::error(404))
        .answer("/f2", Answer::error(404));
    for (revisits, expected) in [(Revisits::Digest, 2), (Revisits::Url, 0), (Revisits::Off, 0)] {
        let field = Field::new(Internet::new().site(site.clone()));
        field.crawl(&[START], |job| job.revisits = revisits);
        let captures = field.captures();
        let by_id: BTreeMap<_, &Capture> = captures.values().map(|one| (one.id, one)).collect();
        let mut count = 0;
        for (url, capture) in &captures {
            let Storage::Revisit { original, .. } = &capture.storage else { continue };
            count += 1;
            let original = by_id[original];
            assert!(matches!(original.storage, Storage::Stored(_)), "{url} refers to a revisit");
            assert_eq!(original.payload_digest, capture.payload_digest);
            check_revisit(&field, capture, original);
            assert_eq!(text(&field.body(original)), body);
        }
        assert_eq!(count, expected, "{revisits:?}");
        assert!(matches!(captures["http://www.uni.example/f2"].storage, Storage::Stored(_)));
        field.verify();
    }
}

fn check_revisit(field: &Field, capture: &Capture, original: &Capture) {
    let stored = field.record(capture);
    let record = &stored.record;
    let original_record = field.record(original).record;
    assert_eq!(record.kind(), "revisit");
    let expected = [
        (
            "WARC-Profile",
            "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest".to_owned(),
        ),
        ("WARC-Refers-To", format!("<{}>", original_record.id().unwrap())),
        ("WARC-Refers-To-Target-URI", original_record.target().unwrap().to_owned()),
        ("WARC-Refers-To-Date", original_record.fields.get("WARC-Date").unwrap().to_owned()),
        (
            "WARC-Payload-Digest",
            original_record.fields.get("WARC-Payload-Digest").unwrap().to_owned(),
        ),
    ];
    for (name, value) in expected {
        assert_eq!(record.fields.get(name), Some(value.as_str()), "{name}");
    }
    let head = stored.http.as_ref().unwrap();
    assert_eq!(head.status, 200, "the header block is kept");
    assert!(stored.payload.is_empty());
}

/// Which bodies are not stored: their header row is.
#[test]
fn header_rows_only() {
    let noarchive = "<meta name=robots content=noarchive><a href='/hinter'>";
    let site = Site::new("http://www.uni.example")
        .page(
            "/",
            "<a href='/film'><a href='/a.ISO'><a href='/gross'><a href='/nicht'><a href='/gut'>",
        )
        .file("/film", "video/mp4; x=1", "Bilder")
        .file("/a.ISO", "application/octet-stream", "Abbild")
        .file("/gross", "text/plain", "x".repeat(5000))
        .page("/nicht", noarchive)
        .answer("/gut", Answer::page("gut").header("X-Robots-Tag", "nofollow"));
    let field = Field::new(Internet::new().site(site.clone()));
    field.crawl(&[START], |job| {
        job.crawl.finds.honour_noarchive = true;
        job.storing = StoringRules {
            header_only_types: vec!["video/*".to_owned()],
            header_only_suffixes: vec![".iso".to_owned()],
            header_only_above: Some(4000),
        };
    });
    let captures = field.captures();
    #[rustfmt::skip]
    let cases = [
        ("/film",   Some("media type video/mp4 (video/*)")),
        ("/a.ISO",  Some("suffix .iso")),
        ("/gross",  Some("5000 bytes, more than 4000")),
        ("/nicht",  Some("the page asks not to be archived")),
        ("/gut",    None),
        ("/hinter", None),
    ];
    for (path, expected) in cases {
        let capture = &captures[&format!("http://www.uni.example{path}")];
        let reason = match &capture.storage {
            Storage::HeaderOnly { reason } => Some(reason.as_str()),
            _ => None,
        };
        assert_eq!(reason, expected, "{path}");
        assert!(capture.head.starts_with(b"HTTP/1.1 "), "{path} keeps its header");
    }
    let archived = |path: &str| {
        let url = format!("http://www.uni.example{path}");
        field.records().iter().any(|(record, _)| record.target() == Some(url.as_str()))
    };
    assert!(!archived("/film") && !archived("/nicht") && archived("/gut"));
    field.verify();

    let field = Field::new(Internet::new().site(site));
    field.crawl(&[START], |_| {});
    let all = field.captures();
    assert!(all.values().all(|capture| matches!(capture.storage, Storage::Stored(_))));
}

#[test]
fn large_bodies_are_spilled_or_cut() {
    let large: Vec<u8> = (0..3_000_000u32).map(|number| (number % 251) as u8).collect();
    let site = Site::new("http://www.uni.example").page("/", "<a href='/gross.bin'>").file(
        "/gross.bin",
        "application/octet-stream",
        large.clone(),
    );
    for (limit, length, truncated) in
        [(10 << 20, large.len(), None), (2 << 20, 2 << 20, Some(Truncation::Length))]
    {
        let field = Field::new(Internet::new().site(site.clone()));
        field.crawl(&[START], |job| job.net.limits.body_bytes = limit);
        let capture = &field.captures()["http://www.uni.example/gross.bin"];
        assert_eq!(capture.truncated, truncated);
        assert_eq!(capture.payload_length, length as u64);
        assert!(field.body(capture) == large[..length], "{limit}");
        field.verify();
    }
}

/// The columns the corpus paper asks for.
#[test]
fn the_row_of_a_response() {
    let page = Answer::page("<p>Hallo")
        .header("Server", "Apache/1.3.9 (Unix)")
        .header("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        .header("Last-Modified", "Sunday, 06-Nov-94 08:49:37 GMT")
        .header("Expires", "0")
        .header("Content-Language", "de")
        .header("Content-Location", "index.html.de")
        .header("Cache-Control", "no-cache")
        .header("Pragma", "no-cache")
        .header("Set-Cookie", "a=b")
        .header("Content-MD5", "Q2hlY2sgSW50ZWdyaXR5IQ==")
        .header("WWW-Authenticate", "Basic");
    let site = Site::new("http://www.uni.example").at("198.18.0.1").answer("/", page);
    let field = Field::new(Internet::new().site(site));
    let report = field.crawl(&[START], |_| {});
    let capture = &field.captures()[START];
    let fields = &capture.fields;
    let date = Timestamp::from_civil((1994, 11, 6), (8, 49, 37));
    assert_eq!((fields.date, fields.last_modified, fields.expires), (date, date, None));
    assert_eq!(fields.content_length, Some(8));
    assert_eq!(fields.content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(fields.content_language.as_deref(), Some("de"));
    assert_eq!(fields.content_location.as_deref(), Some("index.html.de"));
    let flags = [
        fields.has_cache_control,
        fields.has_content_md5,
        fields.has_pragma,
        fields.has_set_cookie,
        fields.has_www_authenticate,
    ];
    assert_eq!(flags, [true; 5]);
    assert_eq!((capture.status, capture.http_version.as_str()), (200, "HTTP/1.1"));
    assert_eq!(capture.address.unwrap().to_string(), "198.18.0.1");
    assert_eq!((capture.run, capture.charset.as_deref()), (report.run, Some("UTF-8")));
    assert_eq!(capture.target, "/");
    let server =
        field.with_catalog(async |catalog| catalog.server_queues(1).await.unwrap().remove(0));
    assert_eq!(server.software.as_deref(), Some("Apache/1.3.9 (Unix)"));
    assert_eq!((server.captures, server.bytes), (2, report.status.bytes));
    let StoredCapture { url, .. } =
        field.with_catalog(async |catalog| catalog.captures_of(START).await.unwrap().remove(0));
    assert_eq!(url, START);
}

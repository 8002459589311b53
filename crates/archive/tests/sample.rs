//! Writes a sample archive with one record of each kind into cargo's directory for test output
//! (`target/tmp/warc-sample`), checks it with our own verifier, and leaves it there for other
//! tools: `warcio check`, `fastwarc check`, `cdxj-indexer`, pywb.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod exchanges;

use auslese_archive::{
    ArchiveSettings, Framing, Notes, Original, Writer, cdxj, encode, encode_conversion,
    encode_resource, encode_revisit, verify,
};
use auslese_model::{Algorithm, Exchange, HopPath, Oddity, Timestamp, Truncation};
use exchanges::*;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str =
    "<html><head><title>Seite</title></head><body>Grüße aus dem Archiv</body></html>";

struct Sample {
    writer: Writer,
    settings: ArchiveSettings,
    clock: Timestamp,
}

impl Sample {
    fn tick(&mut self) -> Timestamp {
        self.clock = Timestamp(self.clock.0 + 1_000_001);
        self.clock
    }

    fn add(&mut self, mut exchange: Exchange, notes: &Notes) -> Original {
        exchange.started = self.tick();
        let encoded = encode(&exchange, notes, &self.settings).unwrap();
        let place = self.writer.append(&encoded).unwrap();
        Original {
            record_id: place.record_id,
            uri: exchange.request.url.to_string(),
            date: exchange.started,
            payload_digest: encoded.payload_digest().cloned(),
        }
    }

    fn revisit(&mut self, mut exchange: Exchange, original: &Original) {
        exchange.started = self.tick();
        let encoded =
            encode_revisit(&exchange, &Notes::default(), original, &self.settings).unwrap();
        self.writer.append(&encoded).unwrap();
    }
}

fn write_sample(dir: &Path, settings: ArchiveSettings) -> Vec<PathBuf> {
    let _ = fs::remove_dir_all(dir);
    let writer = Writer::open(dir, settings.clone(), &[]).unwrap();
    let mut sample = Sample { writer, settings, clock: START };
    let notes = Notes {
        via: Some("http://www.sample.example/".into()),
        hops: HopPath("LR".into()),
        charset: Some("utf-8".into()),
        rules: vec!["seed accept host www.sample.example".into()],
        payload_digest: None,
    };
    let none = Notes::default();

    let lookup = b"20261115214000\nwww.sample.example. 300 IN A 192.0.2.17\n";
    let at = sample.tick();
    let dns = encode_resource("dns:www.sample.example", "text/dns", lookup, at, &sample.settings);
    sample.writer.append(&dns.unwrap()).unwrap();

    let plain = sample.add(page("http://www.sample.example/plain", PAGE), &notes);
    let body = PAGE.as_bytes();
    let html = "Content-Type: text/html; charset=utf-8";
    sample.add(
        chunked("http://www.sample.example/chunked", html, &in_chunks(body, 10), body),
        &notes,
    );
    let mut with_trailer = in_chunks(body, 33);
    with_trailer.truncate(with_trailer.len() - 2);
    with_trailer.extend_from_slice(b"X-Checksum: 1\r\n\r\n");
    sample.add(chunked("http://www.sample.example/trailer", html, &with_trailer, body), &none);
    let coded = gzip(body);
    let head =
        format!("HTTP/1.1 200 OK\n{html}\nContent-Encoding: gzip\nContent-Length: {}", coded.len());
    sample.add(exchange("http://www.sample.example/gzip", &head, &coded), &notes);
    let both = format!("{html}\nContent-Encoding: gzip");
    let wire = in_chunks(&coded, 20);
    sample.add(chunked("http://www.sample.example/chunked-gzip", &both, &wire, &coded), &notes);

    let mut cut = page("http://www.sample.example/truncated", PAGE);
    cut.response.body = auslese_model::Body::Memory(body[..40].to_vec());
    cut.response.truncated = Some(Truncation::Length);
    cut.response.oddities.push(Oddity::new("bad-header-line", "X-Odd\r\nWARC-Type: response"));
    sample.add(cut, &notes);

    let moved = "HTTP/1.1 302 Found\nLocation: http://www.sample.example/plain\nContent-Length: 0";
    sample.add(exchange("http://www.sample.example/redirect", moved, b""), &notes);
    let mut secure = page("https://secure.sample.example/", PAGE);
    secure.tls = Some(tls(Some("certificate expired")));
    sample.add(secure, &notes);
    sample.add(page("http://www.sample.example:8080/b?z=1&A=%7e", PAGE), &none);
    let missing = "HTTP/1.1 404 Not Found\nContent-Type: text/html\nContent-Length: 4";
    sample.add(exchange("http://www.sample.example/missing", missing, b"gone"), &none);
    sample.add(post("http://www.sample.example/form", "q=1", PAGE), &none);
    let picture = noise(100_000);
    let head = "HTTP/1.1 200 OK\nContent-Type: image/png\nContent-Length: 100000";
    sample.add(exchange("http://www.sample.example/picture.png", head, &picture), &none);
    let mut large = exchange("http://www.sample.example/large.bin", "HTTP/1.1 200 OK", b"");
    large.response.body = spilled(&noise(2_200_000));
    sample.add(large, &none);
    let odd = "HTTP/1.1 200 OK\nno colon here\nContent-Type : text/plain\nX-Caf\u{e9}: 1";
    sample.add(exchange("http://www.sample.example/odd", odd, b"odd head"), &none);

    sample.revisit(page("http://www.sample.example/plain", PAGE), &plain);
    sample.revisit(page("http://mirror.sample.example/plain", PAGE), &plain);
    let again = chunked("http://mirror.sample.example/chunked", html, &in_chunks(body, 10), body);
    sample.revisit(again, &plain);
    let unmodified = "HTTP/1.1 304 Not Modified\nETag: \"1\"";
    sample.revisit(exchange("http://www.sample.example/plain", unmodified, b""), &plain);

    let at = sample.tick();
    let text =
        encode_conversion(&plain, "text/plain", b"Gr\xc3\xbc\xc3\x9fe", at, &sample.settings);
    sample.writer.append(&text.unwrap()).unwrap();
    let closed = sample.writer.close().unwrap();
    closed.into_iter().map(|progress| dir.join(progress.file)).collect()
}

fn check(name: &str, settings: ArchiveSettings) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("warc-sample").join(name);
    let files = write_sample(&dir, settings);
    assert_eq!(files.len(), 1);
    let report = verify(&files[0]).unwrap();
    let faults: Vec<_> = report.faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(report.sound_until, fs::metadata(&files[0]).unwrap().len());
    let mut index = fs::File::create(dir.join("index.cdxj")).unwrap();
    let indexed = cdxj(&files, &dir, &mut index).unwrap();
    assert_eq!((indexed.lines, indexed.damage_count), (19, 0));
}

#[test]
fn with_default_settings() {
    check("decoded", settings());
}

#[test]
fn with_sha1() {
    check("sha1", ArchiveSettings { algorithm: Algorithm::Sha1, level: 6, ..settings() });
}

#[test]
fn with_bytes_as_on_the_wire() {
    check("wire", ArchiveSettings { framing: Framing::Wire, ..settings() });
}

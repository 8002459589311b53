//! Exchanges for the tests of this crate.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(dead_code, reason = "each test file uses a part of it")]

use auslese_archive::ArchiveSettings;
use auslese_model::{
    Body, Exchange, Headers, Method, Request, Response, Timestamp, Timings, TlsNote,
};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const START: Timestamp = Timestamp(1_794_778_800_123_456);

/// An exchange as `net` would make it, from a response head (`\n` for line ends) and a body.
pub(crate) fn exchange(url: &str, head: &str, body: &[u8]) -> Exchange {
    let head = head.trim_start().replace('\n', "\r\n") + "\r\n\r\n";
    let mut lines = head.split("\r\n");
    let status_line = lines.next().unwrap_or("");
    let headers: Headers = lines.filter_map(|line| line.split_once(": ")).collect();
    let request = Request::get(url.parse().unwrap());
    let sent = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", request.target(), request.host());
    Exchange {
        sent: sent.into_bytes(),
        request,
        started: START,
        timings: Timings {
            connect: Duration::from_micros(1_250),
            first_byte: Duration::from_millis(7),
            total: Duration::from_micros(12_345),
            ..Timings::default()
        },
        address: Some("192.0.2.17".parse().unwrap()),
        tls: None,
        response: Response {
            version: "HTTP/1.1".into(),
            status: status_line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0),
            head: head.into_bytes(),
            headers,
            body: Body::Memory(body.to_vec()),
            decoded: None,
            truncated: None,
            stopped: None,
            oddities: Vec::new(),
        },
    }
}

pub(crate) fn page(url: &str, text: &str) -> Exchange {
    let head = format!("HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: {}", text.len());
    exchange(url, &head, text.as_bytes())
}

/// A chunked answer: the wire bytes, and the body inside.
pub(crate) fn chunked(url: &str, headers: &str, wire: &[u8], payload: &[u8]) -> Exchange {
    let head = format!("HTTP/1.1 200 OK\n{headers}\nTransfer-Encoding: chunked");
    let mut exchange = exchange(url, &head, wire);
    exchange.response.decoded = Some(Body::Memory(payload.to_vec()));
    exchange
}

/// Chunks of so many bytes.
pub(crate) fn in_chunks(payload: &[u8], size: usize) -> Vec<u8> {
    let mut wire = Vec::new();
    for chunk in payload.chunks(size) {
        wire.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        wire.extend_from_slice(chunk);
        wire.extend_from_slice(b"\r\n");
    }
    wire.extend_from_slice(b"0\r\n\r\n");
    wire
}

pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn post(url: &str, form: &str, answer: &str) -> Exchange {
    let mut exchange = page(url, answer);
    let media_type = "application/x-www-form-urlencoded";
    let body = Some((media_type.to_owned(), form.as_bytes().to_vec()));
    exchange.request = Request::new(Method::Post, url.parse().unwrap(), body).unwrap();
    exchange.sent = format!(
        "POST {} HTTP/1.1\r\nHost: h\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\r\n{form}",
        exchange.request.target(),
        form.len()
    )
    .into_bytes();
    exchange
}

pub(crate) fn tls(problem: Option<&str>) -> TlsNote {
    TlsNote {
        protocol: "TLSv1.3".into(),
        cipher: "TLS13_AES_128_GCM_SHA256".into(),
        problem: problem.map(str::to_owned),
    }
}

/// A body that lies in a file, as large ones do.
pub(crate) fn spilled(bytes: &[u8]) -> Body {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    Body::Spilled { file: Arc::new(file), len: bytes.len() as u64 }
}

/// Bytes that do not compress, the same in every run.
pub(crate) fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    });
    next.take(length).collect()
}

pub(crate) fn settings() -> ArchiveSettings {
    let mut settings = ArchiveSettings { prefix: "test".into(), ..ArchiveSettings::default() };
    settings.description.operator = "Archive Tests <archive@example.org>".into();
    settings.description.robots = "obey".into();
    settings
}

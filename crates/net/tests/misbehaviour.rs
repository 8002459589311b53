//! Every misbehaviour of the simulated internet, and what becomes of it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod world;

use auslese_model::CauseKind::{self, Closed, HeaderTooLarge, Protocol, Timeout};
use auslese_model::Truncation::{self, Disconnect, Length, Time, Unspecified};
use auslese_model::{Fetched, Response};
use auslese_net::{DecodeLimits, decode_content, oddity};
use auslese_testnet::misbehaviour::{self, PAGE};
use auslese_testnet::{Internet, Site};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use world::{fetch, kinds, net_with, payload, run};

/// How a fetch should end.
enum Expected {
    /// Status, payload, truncation, oddities.
    Answer(u16, Content, Option<Truncation>, &'static [&'static str]),
    Failure(CauseKind),
}

enum Content {
    Page,
    Half,
    Text(&'static str),
    /// Whatever it is; the content codings have their own test.
    Any,
}

use Content::{Any, Half, Page, Text};
use Expected::{Answer, Failure};

#[rustfmt::skip]
const EXPECTED: &[(&str, Expected)] = &[
    ("slow header",             Answer(200, Page, None, &[])),
    ("slow body",               Answer(200, Page, None, &[])),
    ("stalled header",          Failure(Timeout)),
    ("stalled body",            Answer(200, Half, Some(Time), &[])),
    ("silent",                  Failure(Timeout)),
    ("endless header",          Failure(HeaderTooLarge)),
    ("endless header line",     Failure(HeaderTooLarge)),
    ("endless interim answers", Failure(HeaderTooLarge)),
    ("endless body",            Answer(200, Any,  Some(Time), &[])),
    ("endless chunks",          Answer(200, Any,  Some(Time), &[])),
    ("flood",                   Answer(200, Any,  Some(Length), &[])),
    ("header of 1 MiB",         Failure(HeaderTooLarge)),
    ("10,000 header lines",     Answer(200, Page, None, &[])),
    ("no header end",           Failure(Closed)),
    ("bare line feeds",         Answer(200, Page, None, &[oddity::BARE_LF])),
    ("line without colon",      Answer(200, Page, None, &[oddity::HEADER_LINE])),
    ("folded line",             Answer(200, Page, None, &[oddity::FOLDED_LINE])),
    ("space before colon",      Answer(200, Page, None, &[oddity::SPACE_BEFORE_COLON])),
    ("empty header name",       Answer(200, Page, None, &[oddity::HEADER_LINE])),
    ("non-ASCII header",        Answer(200, Page, None, &[oddity::NON_ASCII, oddity::HEADER_NAME])),
    ("NUL in header",           Answer(200, Page, None, &[oddity::NUL_IN_HEADER])),
    ("empty lines first",       Answer(200, Page, None, &[oddity::LEADING_LINES])),
    ("length too long",         Answer(200, Page, Some(Disconnect), &[])),
    ("length too short",        Answer(200, Half, None, &[oddity::TRAILING_BYTES])),
    ("negative length",         Answer(200, Page, None, &[oddity::BAD_LENGTH])),
    ("two different lengths",   Answer(200, Page, None, &[oddity::CONFLICTING_LENGTHS])),
    ("two equal lengths",       Answer(200, Page, None, &[oddity::REPEATED_LENGTH])),
    ("nonsense length",         Answer(200, Page, None, &[oddity::BAD_LENGTH])),
    ("huge length",             Answer(200, Page, None, &[oddity::BAD_LENGTH])),
    ("length and chunks",       Answer(200, Page, None, &[oddity::LENGTH_AND_CHUNKED])),
    ("no length",               Answer(200, Page, None, &[])),
    ("garbage after answer",    Answer(200, Page, None, &[oddity::TRAILING_BYTES])),
    ("second answer unasked",   Answer(200, Page, None, &[oddity::TRAILING_BYTES])),
    ("bad chunk size",          Answer(200, Text("Hallo"), Some(Unspecified), &[oddity::BAD_CHUNK])),
    ("negative chunk size",     Answer(200, Text("-5\r\nHallo\r\n0\r\n\r\n"), None, &[oddity::NOT_CHUNKED])),
    ("huge chunk size",         Answer(200, Any,  None, &[oddity::NOT_CHUNKED])),
    ("chunk longer than said",  Answer(200, Text("Hallo"), Some(Unspecified), &[oddity::BAD_CHUNK])),
    ("missing last chunk",      Answer(200, Page, Some(Disconnect), &[])),
    ("chunk extension",         Answer(200, Page, None, &[])),
    ("endless chunk extension", Answer(200, Any,  Some(Length), &[oddity::NOT_CHUNKED])),
    ("chunk trailers",          Answer(200, Page, None, &[])),
    ("chunks with line feeds",  Answer(200, Page, None, &[])),
    ("unknown transfer coding", Answer(200, Page, None, &[oddity::TRANSFER_CODING])),
    ("one byte chunks",         Answer(200, Any,  None, &[])),
    ("HTTP/0.9",                Failure(Protocol)),
    ("HTTP/1.0 without length", Answer(200, Page, None, &[])),
    ("status without words",    Answer(200, Page, None, &[oddity::STATUS_LINE])),
    ("ICY",                     Answer(200, Page, None, &[oddity::STATUS_LINE])),
    ("status 999",              Answer(999, Page, None, &[])),
    ("status 099",              Failure(Protocol)),
    ("status with letters",     Failure(Protocol)),
    ("HTTP/9.9",                Answer(200, Page, None, &[oddity::STATUS_LINE])),
    ("lower case http",         Answer(200, Page, None, &[oddity::STATUS_LINE])),
    ("interim answers",         Answer(200, Page, None, &[])),
    ("switching protocols",     Answer(101, Text(""), None, &[oddity::SWITCHING, oddity::TRAILING_BYTES])),
    ("204 with body",           Answer(204, Text(""), None, &[oddity::TRAILING_BYTES])),
    ("304 with body",           Answer(304, Text(""), None, &[oddity::TRAILING_BYTES])),
    ("empty 200",               Answer(200, Text(""), None, &[])),
    ("gzip bomb",               Answer(200, Any,  Some(Length), &[])),
    ("reset before header",     Failure(Closed)),
    ("reset inside header",     Failure(Closed)),
    ("reset inside body",       Answer(200, Half, Some(Disconnect), &[])),
    ("close without answer",    Failure(Closed)),
    ("close inside header",     Failure(Closed)),
    ("close inside body",       Answer(200, Half, Some(Disconnect), &[])),
    ("close unannounced",       Answer(200, Page, None, &[])),
];

#[test]
fn all() {
    let table: HashMap<&str, &Expected> =
        EXPECTED.iter().map(|(name, expected)| (*name, expected)).collect();
    let all = misbehaviour::all();
    let site = all.iter().enumerate().fold(Site::new("http://h.example"), |site, (number, one)| {
        site.answer(&format!("/{number}"), one.answer.clone())
    });
    let internet = Internet::new().site(site).start().unwrap();
    let net = net_with(&internet, |settings| {
        // Small, so that servers that send little at a time reach it soon.
        settings.limits.body_bytes = 128 << 10;
        settings.limits.connections_per_origin = 200;
    });
    let begun = Instant::now();
    let results = run(async {
        let fetches: Vec<_> = (0..all.len())
            .map(|number| {
                let net = net.clone();
                let url = format!("http://h.example/{number}");
                tokio::spawn(async move { fetch(&net, &url).await })
            })
            .collect();
        let mut results = Vec::new();
        for one in fetches {
            results.push(one.await.expect("a fetch does not panic"));
        }
        results
    });
    assert!(begun.elapsed() < Duration::from_secs(60), "limits end everything");
    let mut seen = 0;
    for (one, result) in all.iter().zip(&results) {
        if let Some(expected) = table.get(one.name) {
            seen += 1;
            check(one.name, expected, result);
        } else {
            assert!(result.is_ok(), "{}: {result:?}", one.name);
        }
    }
    assert_eq!(seen, EXPECTED.len(), "every line of the table was met");
}

fn check(name: &str, expected: &Expected, result: &Fetched) {
    match (expected, result) {
        (Failure(kind), Err(cause)) => assert_eq!(cause.kind, *kind, "{name}: {cause}"),
        (Answer(status, content, truncated, odd), Ok(exchange)) => {
            let response = &exchange.response;
            assert_eq!(response.status, *status, "{name}");
            assert_eq!(response.truncated, *truncated, "{name}");
            assert_eq!(kinds(&response.oddities), *odd, "{name}");
            check_content(name, content, response);
        }
        (Failure(kind), Ok(exchange)) => panic!("{name}: {kind:?} expected, not {exchange:?}"),
        (Answer(..), Err(cause)) => panic!("{name}: an answer expected, not {cause}"),
    }
}

fn check_content(name: &str, content: &Content, response: &Response) {
    let found = String::from_utf8_lossy(&payload(response)).into_owned();
    match content {
        Page => assert_eq!(found, PAGE, "{name}"),
        Half => assert_eq!(found, PAGE[..PAGE.len() / 2], "{name}"),
        Text(text) => assert_eq!(found, *text, "{name}"),
        Any => assert!(!found.is_empty(), "{name}"),
    }
}

#[test]
fn content_codings() {
    use misbehaviour::*;
    let part = |count: usize| PAGE.repeat(100).into_bytes()[..count].to_vec();
    let page = || PAGE.as_bytes().to_vec();
    let cases = [
        ("plain", Answer200(page()), no_content_type(), &[][..]),
        ("gzip", Answer200(page()), gzip_unasked(), &[]),
        ("cut", Beginning(part(20)), cut_gzip(), &[oddity::CUT_CONTENT]),
        ("broken", Beginning(part(20)), broken_gzip(), &[oddity::BROKEN_CONTENT]),
        ("not gzip", Answer200(page()), gzip_that_is_none(), &[oddity::NOT_COMPRESSED]),
        ("unknown", Answer200(page()), unknown_content_coding(), &[oddity::CONTENT_CODING]),
        ("garbage", Answer200(page()), garbage_after_gzip(), &[oddity::TRAILING_CONTENT]),
        ("twice", Beginning(vec![0x1f, 0x8b]), gzip_twice(), &[]),
        ("bomb", Beginning(vec![0; 1 << 20]), gzip_bomb(1 << 30), &[oddity::DECODED_RATIO]),
    ];
    let site = cases.iter().fold(Site::new("http://h.example"), |site, (name, _, answer, _)| {
        site.answer(&format!("/{}", name.replace(' ', "-")), answer.clone())
    });
    let internet = Internet::new().site(site).start().unwrap();
    let net = net_with(&internet, |_| ());
    run(async {
        for (name, expected, _, odd) in &cases {
            let url = format!("http://h.example/{}", name.replace(' ', "-"));
            let exchange = fetch(&net, &url).await.unwrap();
            let decoded = decode_content(&exchange.response, DecodeLimits::default());
            match expected {
                Answer200(bytes) => assert_eq!(decoded.bytes, *bytes, "{name}"),
                Beginning(bytes) => assert!(decoded.bytes.starts_with(bytes), "{name}"),
            }
            assert_eq!(kinds(&decoded.oddities), *odd, "{name}");
            assert!(decoded.bytes.len() <= 64 << 20);
        }
    });
}

enum Decoded {
    Answer200(Vec<u8>),
    Beginning(Vec<u8>),
}
use Decoded::{Answer200, Beginning};

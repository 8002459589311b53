//! Every misbehaviour does what its name says, as far as a client of bytes can tell.

use crate::client::{ask_raw, connect, get};
use auslese_testnet::misbehaviour::{self, Ends, PAGE};
use auslese_testnet::{Answer, Internet, Outcome, Site};
use std::collections::HashSet;
use std::io::{ErrorKind, Read, Write};

/// Serves all misbehaviours at `/0`, `/1`, …
fn site() -> Site {
    let all = misbehaviour::all();
    let numbered = all.into_iter().enumerate();
    numbered.fold(Site::new("http://h.example"), |site, (number, case)| {
        site.answer(&format!("/{number}"), case.answer)
    })
}

fn request(number: usize) -> String {
    format!("GET /{number} HTTP/1.1\r\nHost: h.example\r\nConnection: close\r\n\r\n")
}

#[test]
fn names_are_unique() {
    let all = misbehaviour::all();
    let names: HashSet<&str> = all.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), all.len());
}

#[test]
fn all_end_as_they_say() {
    let net = Internet::new().site(site()).start().unwrap();
    for (number, case) in misbehaviour::all().into_iter().enumerate() {
        let kept = ["garbage after answer", "second answer unasked"].contains(&case.name);
        match case.ends {
            Ends::Soon if !kept => {
                let (bytes, end) = ask_raw(net.http(), &request(number));
                let reset = end.is_err_and(|cause| cause.kind() == ErrorKind::ConnectionReset);
                assert_eq!(reset, case.name.starts_with("reset"), "{}", case.name);
                let empty = ["reset before header", "close without answer"].contains(&case.name);
                assert_eq!(bytes.is_empty(), empty, "{}", case.name);
            }
            _ => {
                let mut stream = connect(net.http());
                stream.write_all(request(number).as_bytes()).unwrap();
                if case.name != "silent" {
                    stream.read_exact(&mut [0; 20]).unwrap();
                }
            }
        }
    }
    let logged = net.requests();
    assert!(logged.iter().filter(|logged| logged.outcome == Outcome::Complete).count() > 60);
}

#[test]
fn what_is_sent() {
    #[rustfmt::skip]
    let cases: Vec<(Answer, &str)> = vec![
        (misbehaviour::slow_body(std::time::Duration::ZERO), PAGE),
        (misbehaviour::no_header_end(),         "Content-Length: 3\r\n"),
        (misbehaviour::bare_line_feeds(),       "HTTP/1.1 200 OK\nContent-Type"),
        (misbehaviour::nul_in_header(),         "vor\0nach"),
        (misbehaviour::negative_length(),       "Content-Length: -1\r\n"),
        (misbehaviour::chunk_trailers(),        "0\r\nX-Pruefsumme: 17\r\n"),
        (misbehaviour::icy(),                   "ICY 200 OK\r\n"),
        (misbehaviour::not_modified_with_body(), PAGE),
        (misbehaviour::dated(misbehaviour::GERMAN_MONTH), "Last-Modified: So, 06 Okt 2002"),
        (misbehaviour::busy(503, misbehaviour::RetryAfter::Text("bald")), "Retry-After: bald\r\n"),
        (misbehaviour::close_inside_body(),     "<!DOCTYPE html>"),
    ];
    for (answer, expected) in cases {
        let net = Internet::new()
            .site(Site::new("http://h.example").answer("/", answer.clone()))
            .start()
            .unwrap();
        let text = get(net.http(), "h.example", "/");
        assert!(text.contains(expected), "{answer:?} {text}");
    }
}

#[test]
fn redirects_go_on() {
    let site = misbehaviour::redirect_loops(Site::new("http://h.example"));
    let net = Internet::new().site(site).start().unwrap();
    #[rustfmt::skip]
    let cases = [
        ("/selbst",    "Location: /selbst\r\n"),
        ("/a",         "Location: /b\r\n"),
        ("/b",         "Location: /a\r\n"),
        ("/weiter/41", "Location: /weiter/42\r\n"),
        ("/kette/3",   "Location: /kette/2\r\n"),
        ("/kette/0",   PAGE),
        ("/sonst",     "404 Not Found"),
    ];
    for (path, expected) in cases {
        let answer = get(net.http(), "h.example", path);
        assert!(answer.contains(expected), "{path} {answer}");
    }
}

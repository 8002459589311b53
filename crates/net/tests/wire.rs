//! What was on the wire is what is kept, and connections are used again only when that is safe.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod world;

use auslese_model::{Body, CauseKind, Headers, Method, Request, Timestamp, Truncation};
use auslese_net::{Wanted, oddity};
use auslese_testnet::misbehaviour::{self, PAGE};
use auslese_testnet::{Answer, Internet, Site, Step};
use std::time::Duration;
use world::{fetch, get, kinds, net, net_with, payload, run};

#[test]
fn wire_bytes() {
    let head = "HTTP/1.1 200 OK\r\nsErVeR:  old \r\nbad line\r\nTransfer-Encoding: chunked\r\n\r\n";
    let body = "4;x=y\r\nWiki\r\n5\r\npedia\r\n0\r\nTrailer: 1\r\n\r\n";
    let site = Site::new("http://h.example")
        .answer("/a", Answer::script([Step::send(head), Step::send(body), Step::KeepAlive]));
    let internet = Internet::new().site(site).start().unwrap();
    let net = net(&internet);
    let before = Timestamp::now();
    let extra: Headers = [("If-None-Match", "\"7\"")].into_iter().collect();
    let exchange =
        run(net.fetch(&get("http://h.example/a?b=%zz"), &extra, &|_| Wanted::Body)).unwrap();
    let response = &exchange.response;
    assert_eq!(response.head, head.as_bytes());
    assert_eq!(response.body.prefix(usize::MAX).unwrap(), body.as_bytes());
    assert_eq!(payload(response), b"Wikipedia");
    assert_eq!(response.headers.get("Server").as_deref(), Some("old"));
    assert_eq!(response.headers.iter().next(), Some(("sErVeR", &b"old"[..])));
    assert_eq!(kinds(&response.oddities), [oddity::HEADER_LINE]);
    let logged = &internet.requests()[0];
    assert_eq!(exchange.sent, logged.head, "the request is kept as the server saw it");
    assert!(exchange.sent.starts_with(b"GET /a?b=%zz HTTP/1.1\r\nHost: h.example\r\n"));
    assert!(exchange.sent.ends_with(b"If-None-Match: \"7\"\r\n\r\n"));
    assert_eq!(exchange.address, Some(internet.addresses("h.example")[0]));
    assert!(exchange.started >= before && exchange.started <= logged.arrived.at);
    assert!(exchange.timings.total >= exchange.timings.first_byte);
    assert!(exchange.timings.first_byte > Duration::ZERO);
}

/// Paths in the order they are asked for, and how many connections that takes.
fn connections(answers: &[(&str, Answer)], order: &[&str]) -> usize {
    let site = answers.iter().fold(Site::new("http://h.example"), |site, (path, answer)| {
        site.answer(path, answer.clone())
    });
    let internet = Internet::new().site(site).start().unwrap();
    let net = net(&internet);
    run(async {
        for path in order {
            fetch(&net, &format!("http://h.example{path}")).await.unwrap();
        }
    });
    assert_eq!(internet.request_count(), order.len(), "nothing is asked twice");
    internet.connections().len()
}

#[test]
fn reuse() {
    let page = || Answer::page(PAGE);
    #[rustfmt::skip]
    let cases = [
        ("length",      page(),                                    1),
        ("chunked",     page().chunked(7),                         1),
        ("close",       page().header("Connection", "close"),      3),
        ("until close", page().until_close(),                      3),
        ("204",         Answer::body("").status(204),              1),
        ("garbage",     misbehaviour::garbage_after_answer(),      3),
        ("second",      misbehaviour::second_answer_unasked(),     3),
        ("both",        misbehaviour::length_and_chunks(),         3),
        ("closed",      misbehaviour::close_unannounced(),         3),
    ];
    for (name, answer, expected) in cases {
        let found = connections(&[("/", answer)], &["/", "/", "/"]);
        assert_eq!(found, expected, "{name}");
    }
}

/// The server closes a kept connection when the next request arrives: as an idle time-out does.
#[test]
fn a_stale_connection_is_replaced_silently() {
    let stale = Answer::sequence([Answer::script([Step::Close]), Answer::page(PAGE)]);
    let reset = Answer::sequence([Answer::script([Step::Reset]), Answer::page(PAGE)]);
    let nonsense = Answer::sequence([
        Answer::script([Step::send("late rest of something"), Step::KeepAlive]),
        Answer::page(PAGE),
    ]);
    for (name, second) in [("close", stale), ("reset", reset), ("nonsense", nonsense)] {
        let site =
            Site::new("http://h.example").page("/first", PAGE).answer("/second", second.clone());
        let internet = Internet::new().site(site).start().unwrap();
        let net = net(&internet);
        run(async {
            fetch(&net, "http://h.example/first").await.unwrap();
            let exchange = fetch(&net, "http://h.example/second").await.unwrap();
            assert_eq!(payload(&exchange.response), PAGE.as_bytes(), "{name}");
        });
        assert_eq!(internet.connections().len(), 2, "{name}");
    }
}

#[test]
fn a_form_is_never_sent_twice() {
    let site = Site::new("http://h.example")
        .page("/", PAGE)
        .answer("/form", Answer::sequence([Answer::script([Step::Close]), Answer::page(PAGE)]));
    let internet = Internet::new().site(site).start().unwrap();
    let net = net(&internet);
    let url = "http://h.example/form".parse().unwrap();
    let body = Some(("application/x-www-form-urlencoded".to_owned(), b"a=1&b=2".to_vec()));
    let request = Request::new(Method::Post, url, body).unwrap();
    run(async {
        fetch(&net, "http://h.example/").await.unwrap();
        net.fetch(&request, &Headers::default(), &|_| Wanted::Body).await.unwrap_err();
        let exchange = net.fetch(&request, &Headers::default(), &|_| Wanted::Body).await.unwrap();
        assert!(exchange.sent.ends_with(b"Content-Length: 7\r\n\r\na=1&b=2"));
    });
    let requests = internet.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[2].body, b"a=1&b=2");
}

#[test]
fn head_has_no_body() {
    let site = Site::new("http://h.example").page("/", PAGE);
    let internet = Internet::new().site(site).start().unwrap();
    let net = net(&internet);
    let request = Request::new(Method::Head, "http://h.example/".parse().unwrap(), None).unwrap();
    run(async {
        for _ in 0..2 {
            let exchange =
                net.fetch(&request, &Headers::default(), &|_| Wanted::Body).await.unwrap();
            let length = PAGE.len().to_string();
            assert_eq!(exchange.response.headers.get("content-length"), Some(length));
            assert!(exchange.response.body.is_empty());
        }
    });
    assert_eq!(internet.connections().len(), 1);
}

#[test]
fn large_bodies() {
    let size = 3 << 20;
    let bytes: Vec<u8> = (0..251u8).cycle().take(size).collect();
    let chunked = Answer::file("text/plain", bytes.clone()).chunked(100_000);
    let site = Site::new("http://h.example")
        .file("/length", "text/plain", bytes.clone())
        .answer("/chunked", chunked)
        .answer("/close", Answer::file("text/plain", bytes.clone()).until_close());
    let internet = Internet::new().site(site).start().unwrap();
    let spilling = net(&internet);
    let cutting = net_with(&internet, |settings| settings.limits.body_bytes = 2_000_000);
    run(async {
        for path in ["/length", "/chunked", "/close"] {
            let url = format!("http://h.example{path}");
            let exchange = fetch(&spilling, &url).await.unwrap();
            let body = exchange.response.payload();
            assert!(matches!(body, Body::Spilled { .. }), "{path}");
            assert!(payload(&exchange.response) == bytes, "{path}");
            assert_eq!(exchange.response.truncated, None, "{path}");

            let exchange = fetch(&cutting, &url).await.unwrap();
            assert_eq!(exchange.response.truncated, Some(Truncation::Length), "{path}");
            assert_eq!(exchange.response.body.len(), 2_000_000, "{path}");
            let cut = payload(&exchange.response);
            assert!(cut == bytes[..cut.len()] && cut.len() > 1_900_000, "{path}");
        }
    });
}

/// A body that just fits is whole.
#[test]
fn a_body_as_long_as_the_limit() {
    let site = Site::new("http://h.example")
        .page("/length", PAGE)
        .answer("/close", Answer::page(PAGE).until_close());
    let internet = Internet::new().site(site).start().unwrap();
    for (limit, cut) in [(PAGE.len(), None), (PAGE.len() - 1, Some(Truncation::Length))] {
        let net = net_with(&internet, |settings| settings.limits.body_bytes = limit as u64);
        for path in ["/length", "/close"] {
            let exchange = run(fetch(&net, &format!("http://h.example{path}"))).unwrap();
            assert_eq!(exchange.response.truncated, cut, "{path} {limit}");
            assert_eq!(exchange.response.body.len(), limit as u64, "{path} {limit}");
        }
    }
}

#[test]
fn a_hook_stops_the_body() {
    let flood = Answer::file("image/gif", vec![0; 5 << 20]);
    let site = Site::new("http://h.example").answer("/a.gif", flood).page("/", PAGE);
    let internet = Internet::new().site(site).start().unwrap();
    let net = net(&internet);
    run(async {
        let hook = |head: &auslese_net::ResponseHead<'_>| {
            let media_type = head.headers.get("content-type").unwrap_or_default();
            match media_type.starts_with("image/") {
                true => Wanted::HeaderOnly(format!("{media_type}, {:?} bytes", head.length)),
                false => Wanted::Body,
            }
        };
        let none = Headers::default();
        let exchange = net.fetch(&get("http://h.example/a.gif"), &none, &hook).await.unwrap();
        let stopped = exchange.response.stopped.as_deref();
        assert_eq!(stopped, Some("image/gif, Some(5242880) bytes"));
        assert!(exchange.response.body.is_empty() && exchange.response.truncated.is_none());
        assert!(exchange.response.oddities.is_empty());
        let exchange = net.fetch(&get("http://h.example/"), &none, &hook).await.unwrap();
        assert_eq!(payload(&exchange.response), PAGE.as_bytes());
        assert_eq!(exchange.response.stopped, None);
    });
    assert_eq!(internet.connections().len(), 2, "the stopped connection is not used again");
}

#[test]
fn too_slow() {
    let pause = Duration::from_millis(50);
    let site = Site::new("http://h.example").answer("/", misbehaviour::endless_body(pause));
    let internet = Internet::new().site(site).start().unwrap();
    let net = net_with(&internet, |settings| {
        settings.limits.min_rate = 100_000;
        settings.limits.grace = Duration::from_millis(300);
        settings.limits.total = Duration::from_secs(60);
    });
    let exchange = run(fetch(&net, "http://h.example/")).unwrap();
    assert_eq!(exchange.response.truncated, Some(Truncation::Time));
    assert_eq!(kinds(&exchange.response.oddities), [oddity::TOO_SLOW]);
    assert!(!exchange.response.body.is_empty());
}

/// A header without its body says nothing about the page: better to come back later.
#[test]
fn a_body_that_never_begins() {
    let stalled = Answer::script([
        Step::send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        Step::Wait(Duration::from_secs(3600)),
    ]);
    let internet =
        Internet::new().site(Site::new("http://h.example").answer("/", stalled)).start().unwrap();
    let net = net_with(&internet, |settings| settings.limits.idle = Duration::from_millis(200));
    assert_eq!(run(fetch(&net, "http://h.example/")).unwrap_err().kind, CauseKind::Timeout);
}

#[test]
fn the_disk_fails() {
    let site = Site::new("http://h.example").file("/", "text/plain", vec![0; 2 << 20]);
    let internet = Internet::new().site(site).start().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let net = net_with(&internet, |settings| settings.spill_dir = directory.path().to_owned());
    directory.close().unwrap();
    let cause = run(fetch(&net, "http://h.example/")).unwrap_err();
    assert_eq!(cause.kind, CauseKind::Local, "{cause}");
    assert!(cause.kind.is_temporary());
}

#[test]
fn connections_per_origin_are_bounded() {
    let slow = Answer::script([
        Step::Wait(Duration::from_millis(50)),
        Step::send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        Step::KeepAlive,
    ]);
    let internet =
        Internet::new().site(Site::new("http://h.example").answer("/", slow)).start().unwrap();
    let net = net_with(&internet, |settings| settings.limits.connections_per_origin = 2);
    run(async {
        let fetches: Vec<_> = (0..10)
            .map(|_| {
                let net = net.clone();
                tokio::spawn(async move { fetch(&net, "http://h.example/").await })
            })
            .collect();
        for one in fetches {
            one.await.unwrap().unwrap();
        }
    });
    assert_eq!(internet.connections().len(), 2);
}

#[test]
fn idle_connections_are_closed() {
    let site = Site::new("http://h.example").page("/", PAGE);
    let internet = Internet::new().site(site).start().unwrap();
    let net = net_with(&internet, |settings| {
        settings.limits.keep_alive = Duration::from_millis(200);
    });
    run(async {
        for _ in 0..2 {
            fetch(&net, "http://h.example/").await.unwrap();
            tokio::time::sleep(Duration::from_millis(600)).await;
        }
    });
    assert_eq!(internet.connections().len(), 2);
}

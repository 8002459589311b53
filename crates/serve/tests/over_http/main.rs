//! The front end through both ports: archived pages as they are sent, what other tools are answered, and who may change
//! something.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod access;
mod bench;
mod damaged;
mod databases;
mod hostile;
mod notes;
mod steering;
mod support;
mod tools;
mod trying;

use support::{Answer, Front, Port, Warc};

const HTML: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html";

fn archive() -> Warc {
    Warc::default()
        .page(
            2,
            "http://a.example/",
            "<title>Eins</title><a href=b.html?x=1&amp;y>ö</a><img src=/i.gif>",
        )
        .page(9, "http://a.example/", "<title>Zwei</title>")
        .answer(
            2,
            "http://a.example/latin",
            HTML,
            b"<a href=\xe4>\xfc</a><p>K\xf6ln, Stra\xdfe, gr\xfcn, \xe4hnlich",
        )
        .answer(2, "http://a.example/old", "HTTP/1.1 301 Moved\r\nLocation: ../new?a=b#c", b"")
        .answer(2, "http://a.example/self", "HTTP/1.1 302 Found\r\nLocation: /self", b"")
        .answer(
            2,
            "http://a.example/s.css",
            "HTTP/1.1 200 OK\r\nContent-Type: text/css",
            b"@import 'x.css';b{c:url(d)}",
        )
        .answer(
            2,
            "http://a.example/feed",
            "HTTP/1.1 200 OK\r\nContent-Type: text/xml",
            b"<html xmlns='http://www.w3.org/1999/xhtml'><a href='http://b.example/'/></html>",
        )
        .answer(
            2,
            "http://a.example/p.pdf",
            "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nSet-Cookie: a=b",
            b"%PDF-1.4",
        )
        .answer(
            2,
            "http://a.example/gone",
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/html",
            b"<p>weg",
        )
        .answer(
            2,
            "http://a.example/locked",
            "HTTP/1.1 401 No\r\nContent-Type: text/html\r\nWWW-Authenticate: Basic",
            b"<p>zu",
        )
        .answer(
            2,
            "http://a.example/f.woff2",
            "HTTP/1.1 200 OK\r\nContent-Type: font/woff2",
            b"wOF2xxxx",
        )
        .answer(
            2,
            "http://a.example/br",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br",
            b"\x0b\x02\x80",
        )
        .answer(2, "http://a.example/big", HTML, &vec![b' '; 17 << 20])
}

/// What every answer of the replay origin must say, and must not.
fn check_headers(answer: &Answer, front: &Front) {
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("sandbox"), "{answer:?}");
    assert!(
        policy.contains("default-src 'none'") && policy.contains("form-action 'none'"),
        "{policy}"
    );
    assert!(!policy.contains("allow-scripts") && !policy.contains("allow-same-origin"), "{policy}");
    assert!(
        policy.ends_with(&format!("frame-ancestors 'self' {}", front.origin(Port::Pages))),
        "{policy}"
    );
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin");
    assert!(answer.header("cache-control").starts_with("private"));
    for name in ["set-cookie", "service-worker-allowed", "www-authenticate", "refresh"] {
        assert!(!answer.headers.contains_key(name), "{name} of {answer:?}");
    }
}

#[tokio::test]
async fn pages_are_shown_with_their_links_led_back() {
    let front = Front::of(archive()).await;
    let page = front.replay("/h/20260103mp_/http://a.example/").await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=UTF-8"));
    assert_eq!(
        page.text(),
        "<title>Eins</title><a href=\"/h/20260102030405mp_/http://a.example/b.html?x=1&amp;y\">ö</a>\
         <img src=\"/h/20260102030405mp_/http://a.example/i.gif\">"
    );
    assert_eq!(page.header("memento-datetime"), "Fri, 02 Jan 2026 03:04:05 GMT");
    assert_eq!(page.header("content-location"), "/h/20260102030405mp_/http://a.example/");
    assert!(page.header("link").contains("<http://a.example/>; rel=\"original\""));
    for (asked, title) in [("2025", "Eins"), ("20260109", "Zwei"), ("", "Zwei"), ("2030", "Zwei")] {
        let page = front.replay(&format!("/h/{asked}/http://a.example/")).await;
        assert!(page.text().contains(title), "{asked}");
    }
    let latin = front.replay("/h/2026mp_/http://a.example/latin").await;
    assert_eq!(latin.header("content-type"), "text/html; charset=windows-1252");
    assert!(latin.body.ends_with(b"K\xf6ln, Stra\xdfe, gr\xfcn, \xe4hnlich"), "{}", latin.text());
    assert!(latin.text().starts_with("<a href=\"/h/20260102030405mp_/http://a.example/%C3%A4\">"));
    let twin = front.replay("/h/2026mp_/https://a.example/").await;
    assert_eq!(twin.status, 200, "the other scheme is tried");
    let tracked = front.replay("/h/2026mp_/http://a.example/?utm_source=x").await;
    assert_eq!(tracked.status, 200, "what the crawl took for the same is the same");
}

/// Address and headers; status, type and a part of the text expected.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], u16, &'a str, &'a str);

#[tokio::test]
async fn every_kind_of_answer() {
    let front = Front::of(archive()).await;
    #[rustfmt::skip]
    let cases: &[Case<'_>] = &[
        // address                                 headers                        status  type                        contains
        ("/h/2026mp_/http://a.example/s.css",      &[],                           200, "text/css; charset=UTF-8",      "@import \"/h/20260102030405mp_/http://a.example/x.css\""),
        ("/h/2026cs_/http://a.example/s.css",      &[],                           200, "text/css; charset=UTF-8",      "http://a.example/d"),
        ("/h/2026mp_/http://a.example/feed",       &[],                           200, "text/plain; charset=UTF-8",    "xmlns"),
        ("/h/2026mp_/http://a.example/p.pdf",      &[],                           200, "application/pdf",              "%PDF"),
        ("/h/2026mp_/http://a.example/p.pdf",      &[("Sec-Fetch-Dest", "iframe")], 200, "text/html; charset=utf-8",   "application/pdf"),
        ("/h/2026mp_/http://a.example/gone",       &[],                           404, "text/html; charset=UTF-8",     "weg"),
        ("/h/2026mp_/http://a.example/locked",     &[],                           404, "text/html; charset=UTF-8",     "zu"),
        ("/h/2026id_/http://a.example/",           &[],                           200, "text/html",                    "<a href=b.html?x=1&amp;y>"),
        ("/h/2026id_/http://a.example/br",         &[],                           200, "text/html",                    "\u{b}"),
        ("/h/2026mp_/http://a.example/br",         &[],                           501, "text/html; charset=utf-8",     "id_"),
        ("/h/2026mp_/http://a.example/big",        &[],                           413, "text/html; charset=utf-8",     "id_"),
        ("/h/2026mp_/http://a.example/none?a=b",   &[],                           404, "text/html; charset=utf-8",     "http://a.example/none?a=b"),
        ("/h/2026mp_/http://a.example/<script>",   &[],                           400, "",                             ""),
        ("/h/2026mp_/http://a.example/%3Cscript%3E", &[("Accept-Language", "de")], 404, "text/html; charset=utf-8",    "nicht im Archiv"),
        ("/h/2026mp_/http://a.example/self",       &[],                           404, "text/html; charset=utf-8",     "/self"),
        ("/nope/2026mp_/http://a.example/",        &[],                           404, "text/html; charset=utf-8",     "harvest"),
        ("/h/2026zz_/http://a.example/",           &[],                           400, "text/html; charset=utf-8",     "mp_"),
        ("/h/2026mp_/http://a.example/../../etc/passwd", &[],                     404, "text/html; charset=utf-8",     "http://a.example/etc/passwd"),
        ("/h/2026mp_/http://a.example/%2e%2e/%00", &[],                           404, "text/html; charset=utf-8",     "http://a.example/%00"),
        ("/../../../etc/passwd",                   &[],                           400, "text/html; charset=utf-8",     ""),
        ("/%2e%2e/%2e%2e/x",                       &[],                           400, "text/html; charset=utf-8",     ""),
        ("/h/2026/%ff%fe",                         &[],                           400, "text/html; charset=utf-8",     ""),
        ("/",                                      &[],                           400, "text/html; charset=utf-8",     ""),
        ("/robots.txt",                            &[],                           200, "text/plain; charset=utf-8",    "Disallow: /"),
        ("/h/2026js_/http://a.example/s.css",      &[("Sec-Fetch-Dest", "script")], 403, "text/html; charset=utf-8",   ""),
        ("/h/2026mp_/http://a.example/",           &[("Service-Worker", "script")], 403, "text/html; charset=utf-8",   ""),
        ("/h/2026mp_/http://a.example/",           &[("Sec-Fetch-Dest", "serviceworker")], 403, "text/html; charset=utf-8", ""),
    ];
    for (address, headers, status, content_type, part) in cases {
        let answer = front.get(Port::Replay, address, headers).await;
        assert_eq!(answer.status, *status, "{address}: {}", answer.text());
        if content_type.is_empty() {
            continue;
        }
        assert_eq!(answer.header("content-type"), *content_type, "{address}");
        assert!(answer.text().contains(part), "{address}: {}", answer.text());
        assert!(!answer.text().contains("<script>"), "{address}");
        check_headers(&answer, &front);
    }
    let long = format!("/h/2026mp_/http://a.example/{}", "x".repeat(20_000));
    let answer = front.replay(&long).await;
    assert_eq!(answer.status, 414);
    check_headers(&answer, &front);
    let posted = front.send(Port::Replay, "POST", "/h/2026mp_/http://a.example/", &[]).await;
    assert_eq!(posted.status, 405);
    check_headers(&posted, &front);
}

#[tokio::test]
async fn bytes_can_be_taken_away_but_not_opened() {
    let front = Front::of(archive()).await;
    for path in ["", "p.pdf", "br"] {
        let answer = front.replay(&format!("/h/2026id_/http://a.example/{path}")).await;
        assert_eq!(answer.header("content-disposition"), "attachment", "{path}");
        check_headers(&answer, &front);
    }
    let coded = front.replay("/h/2026id_/http://a.example/br").await;
    assert_eq!(
        (coded.header("content-encoding"), coded.body.as_slice()),
        ("br", &b"\x0b\x02\x80"[..])
    );
    let big = front.replay("/h/2026id_/http://a.example/big").await;
    assert_eq!((big.body.len(), big.header("content-length")), (17 << 20, "17825792"));
}

#[tokio::test]
async fn redirects_stay_in_the_archive() {
    let front = Front::of(archive()).await;
    let moved = front.replay("/h/2026mp_/http://a.example/old").await;
    assert_eq!(
        (moved.status, moved.header("location")),
        (302, "/h/20260102030405mp_/http://a.example/new?a=b")
    );
    check_headers(&moved, &front);
    let opened = [("Sec-Fetch-Dest", "document")];
    let alone = front.get(Port::Replay, "/h/20260103mp_/http://a.example/?x=1", &opened).await;
    assert_eq!(alone.status, 404, "another page");
    let alone = front.get(Port::Replay, "/h/20260103mp_/http://a.example/", &opened).await;
    let page =
        format!("{}/view/h/20260102030405/http%3A%2F%2Fa.example%2F", front.origin(Port::Pages));
    assert_eq!((alone.status, alone.header("location")), (302, page.as_str()));
    check_headers(&alone, &front);
}

#[tokio::test]
async fn pages_in_frames_stay_in_them() {
    let warc = archive()
        .page(2, "http://f.example/", "<frameset><frame src=n></frameset><a href=x>")
        .page(2, "http://f.example/n", "<a href=x target=other><img src=i>");
    let front = Front::of(warc).await;
    let outer = front.replay("/h/2026mp_/http://f.example/").await;
    check_headers(&outer, &front);
    assert!(outer.text().contains("src=\"/h/20260102030405fr_/http://f.example/n\""));
    assert!(outer.text().contains("href=\"/h/20260102030405mp_/http://f.example/x\""));
    let inner = front.replay("/h/2026fr_/http://f.example/n").await;
    assert!(inner.text().contains("href=\"/h/20260102030405fr_/http://f.example/x\""));
    // The page around is of no origin, which no policy can name.
    for address in ["http://f.example/n", "http://f.example/none", "http://a.example/p.pdf"] {
        let headers = [("Sec-Fetch-Dest", "frame")];
        let inner = front.get(Port::Replay, &format!("/h/2026fr_/{address}"), &headers).await;
        let policy = inner.header("content-security-policy");
        assert!(
            policy.starts_with("sandbox") && policy.ends_with("form-action 'none'"),
            "{policy}"
        );
    }
    let opened = [("Sec-Fetch-Dest", "document")];
    let alone = front.get(Port::Replay, "/h/2026fr_/http://f.example/n", &opened).await;
    assert_eq!(alone.status, 302);
}

#[tokio::test]
async fn fonts_may_be_used_by_sandboxed_pages() {
    let front = Front::of(archive()).await;
    let allowed = async |path: &str, destination: &str| {
        let address = format!("/h/2026mp_/http://a.example/{path}");
        let headers = [("Sec-Fetch-Dest", destination), ("Origin", "null")];
        front
            .get(Port::Replay, &address, &headers)
            .await
            .header("access-control-allow-origin")
            .to_owned()
    };
    assert_eq!(allowed("f.woff2", "font").await, "null");
    assert_eq!(allowed("f.woff2", "empty").await, "", "no script may read it");
    assert_eq!(allowed("", "font").await, "", "a page is no font");
}

#[tokio::test]
async fn damage_is_said_and_costs_one_page() {
    let front = Front::of(archive()).await;
    let archive = front.dir.join("archive");
    let file = std::fs::read_dir(&archive)
        .unwrap()
        .map(|it| it.unwrap().path())
        .find(|it| it.is_file())
        .unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let intact = bytes.clone();
    bytes[..40].fill(b'x');
    std::fs::write(&file, &bytes).unwrap();
    let first = front.replay("/h/20260102mp_/http://a.example/").await;
    assert_eq!(first.status, 500, "{}", first.text());
    assert!(!first.text().contains("warc"), "nothing of the inside is told: {}", first.text());
    check_headers(&first, &front);
    assert_eq!(front.replay("/h/20260109mp_/http://a.example/").await.status, 200);
    let record = front.get(Port::Pages, "/warc/h/1", &[]).await;
    assert_eq!(record.status, 500);
    std::fs::write(&file, &intact[..intact.len() - 10]).unwrap();
    assert_eq!(
        front.replay("/h/2026mp_/http://a.example/big").await.status,
        500,
        "a file that is cut"
    );
    std::fs::remove_file(&file).unwrap();
    for target in ["/h/20260109mp_/http://a.example/", "/h/20260109id_/http://a.example/"] {
        assert_eq!(front.replay(target).await.status, 500);
    }
    assert_eq!(front.get(Port::Pages, "/view/h/2026/http://a.example/", &[]).await.status, 200);
    assert_eq!(front.get(Port::Pages, "/warc/h/1", &[]).await.status, 500);
}

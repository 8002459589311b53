//! Single pages: redirects, robots.txt, limits.

use crate::world::{lookups, quick, run, web_log};
use auslese_discover::lookup::Lookups;
use auslese_model::CauseKind;
use auslese_testnet::{Answer, Internet, Running, Site, Step};
use std::time::Duration;
use url::Url;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn internet() -> Running {
    let robots = "User-agent: *\nDisallow: /private\nUser-agent: other\nDisallow: /\n";
    let large = "Universität ".repeat(50_000);
    Internet::new()
        .site(
            Site::new("http://www.uni.example")
                .file("/robots.txt", "text/plain", robots)
                .page("/imprint", "<p>Universität</p>")
                .answer("/zipped", Answer::page("<p>gz</p>").gzip())
                .answer("/to-imprint", Answer::redirect(301, "imprint#part"))
                .answer("/to-private", Answer::redirect(302, "/private/page"))
                .answer("/away", Answer::redirect(307, "http://closed.example/page"))
                .answer("/mailto", Answer::redirect(302, "mailto:rz@uni.example"))
                .answer("/inside", Answer::redirect(302, "http://127.0.0.1/"))
                .answer("/large", Answer::page(large.clone()))
                .answer("/bomb", Answer::page(large).gzip())
                .answer("/busy", Answer::error(503).header("Retry-After", "30"))
                .answer("/broken", Answer::error(500)),
        )
        .site(Site::new("http://loop.example").otherwise(Answer::from_fn(
            |asked| match asked.path() {
                "/robots.txt" => Answer::error(404),
                path => Answer::redirect(302, &format!("{path}x")),
            },
        )))
        .site(Site::new("http://closed.example").file(
            "/robots.txt",
            "text/plain",
            "User-agent: auslese\nDisallow: /",
        ))
        .site(
            Site::new("http://moved.example")
                .answer("/robots.txt", Answer::redirect(301, "http://www.uni.example/robots.txt"))
                .page("/private/x", "secret")
                .page("/open", "open"),
        )
        .site(
            Site::new("http://sick.example")
                .answer("/robots.txt", Answer::error(500))
                .page("/", "hello"),
        )
        .site(
            Site::new("http://silent.example")
                .otherwise(Answer::script([Step::Wait(Duration::from_secs(60))])),
        )
        .start()
        .unwrap()
}

#[test]
fn pages_and_refusals() {
    let internet = internet();
    let settings =
        auslese_discover::lookup::LookupSettings { question: Duration::from_secs(5), ..quick() };
    let lookups = lookups(&internet, settings);
    #[rustfmt::skip]
    let cases = [
        ("http://www.uni.example/imprint",     Ok((200, 0))),
        ("http://me:pw@www.uni.example/imprint#x", Ok((200, 0))),
        ("http://www.uni.example/zipped",      Ok((200, 0))),
        ("http://www.uni.example/to-imprint",  Ok((200, 1))),
        ("http://www.uni.example/nothing",     Ok((404, 0))),
        ("http://www.uni.example/broken",      Ok((500, 0))),
        ("http://www.uni.example/private/a",   Err(CauseKind::Robots)),
        ("http://www.uni.example/to-private",  Err(CauseKind::Robots)),
        ("http://www.uni.example/away",        Err(CauseKind::Robots)),
        ("http://www.uni.example/mailto",      Err(CauseKind::Url)),
        ("http://www.uni.example/inside",      Err(CauseKind::Guarded)),
        ("http://loop.example/a",              Err(CauseKind::Redirects)),
        ("http://moved.example/private/x",     Err(CauseKind::Robots)),
        ("http://moved.example/open",          Ok((200, 0))),
        ("http://sick.example/",               Err(CauseKind::RobotsUnknown)),
        ("http://silent.example/",             Err(CauseKind::RobotsUnknown)),
        ("http://nowhere.example/",            Err(CauseKind::NoSuchName)),
        ("http://www.uni.example/busy",        Err(CauseKind::ServerBusy)),
    ];
    for (address, expected) in cases {
        let page = run(lookups.page(&url(address)));
        let page = page.map(|page| (page.status, page.hops.len())).map_err(|cause| cause.kind);
        assert_eq!(page, expected, "{address}");
    }
    let log = web_log(&internet);
    let asked = |address: &str| log.iter().filter(|logged| *logged == address).count();
    assert_eq!(asked("http://www.uni.example/robots.txt"), 1);
    assert_eq!(asked("http://www.uni.example/imprint"), 1);
    assert_eq!(asked("http://www.uni.example/private/page"), 0);
    assert_eq!(asked("http://closed.example/page"), 0);
    assert!(!log.iter().any(|logged| logged.contains("me:pw")));
}

#[test]
fn what_a_page_tells() {
    let internet = internet();
    let page = |lookups: &Lookups, address: &str| run(lookups.page(&url(address))).unwrap();
    let lookups = lookups(&internet, quick());
    let moved = page(&lookups, "http://www.uni.example/to-imprint");
    assert_eq!(moved.url.as_str(), "http://www.uni.example/imprint");
    assert_eq!(moved.body, "<p>Universität</p>".as_bytes());
    assert_eq!(moved.content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(moved.hops[0].from.as_str(), "http://www.uni.example/to-imprint");
    assert_eq!((moved.hops[0].status, &moved.hops[0].to), (301, &moved.url));
    assert!(!moved.cut);
    assert_eq!(page(&lookups, "http://www.uni.example/zipped").body, b"<p>gz</p>");
    for path in ["large", "bomb"] {
        let large = page(&lookups, &format!("http://www.uni.example/{path}"));
        assert!(large.cut && large.body.len() <= 512 << 10, "{path}: {}", large.body.len());
        assert!(large.body.len() > 100_000, "{path}: {}", large.body.len());
    }
}

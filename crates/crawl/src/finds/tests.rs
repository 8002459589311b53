//! Whole answers, from header and body to addresses.

use super::*;
use auslese_model::{Body, Headers};
use proptest::prelude::*;

fn response(status: u16, headers: &[(&str, &str)]) -> Response {
    Response {
        version: "HTTP/1.1".to_owned(),
        status,
        head: Vec::new(),
        headers: headers.iter().map(|(n, v)| (*n, *v)).collect::<Headers>(),
        body: Body::empty(),
        decoded: None,
        truncated: None,
        stopped: None,
        oddities: Vec::new(),
    }
}

fn look(
    status: u16,
    headers: &[(&str, &str)],
    body: &[u8],
    expected: Expected,
    settings: &FindSettings,
) -> Finds {
    let url = Url::parse("http://h.example/dir/page").unwrap();
    let response = response(status, headers);
    Finds::of(&Answer { url: &url, response: &response, body, expected }, settings)
}

fn check(status: u16, headers: &[(&str, &str)], body: &str, expected: Expected) -> Vec<String> {
    look(status, headers, body.as_bytes(), expected, &FindSettings::default())
        .urls
        .iter()
        .map(|find| {
            let path = find.url.as_str().trim_start_matches("http://h.example");
            format!("{} {path}", find.kind.letter())
        })
        .collect()
}

/// Status, header lines, body, what was expected, and what is found.
type Case<'a> = (u16, &'a [(&'a str, &'a str)], &'a str, Expected, &'a [&'a str]);

#[test]
fn answers() {
    const HTML: (&str, &str) = ("Content-Type", "text/html");
    #[rustfmt::skip]
    let cases: &[Case] = &[
        (200, &[HTML], "<a href='a#x'>1</a><img src=/i.png><a href=mailto:x@y>", Expected::Page, &["L /dir/a", "E /i.png"]),
        (200, &[HTML], "<iframe src=f></iframe><form action=q></form>", Expected::Page, &["E /dir/f"]),
        (200, &[HTML], "<link rel=oai-pmh href=/oai><link rel=next href=n>", Expected::Page, &["L /dir/n"]),
        (302, &[HTML, ("Location", "../new")], "<a href=a>", Expected::Page, &["R /new"]),
        (404, &[HTML], "<a href=a>", Expected::Page, &[]),
        (200, &[("Location", "/x")], "", Expected::Page, &[]),
        (200, &[("Link", "</s.css>; rel=stylesheet, </n>; title=\"a, b\"; rel=\"next\""), ("link", "<//c.example>; rel=preconnect")],
            "", Expected::Page, &["E /s.css", "L /n"]),
        (200, &[("Refresh", "5; URL='/next'")], "", Expected::Page, &["L /next"]),
        (200, &[("Content-Type", "text/css")], "@import 'a.css'; b{background:url(/b.png)}", Expected::Page, &["E /dir/a.css", "E /b.png"]),
        (200, &[("Content-Type", "text/plain")], "<b><a href=a>", Expected::Page, &[]),
        (200, &[("Content-Type", "text/plain")], "<html><a href=a>", Expected::Page, &["L /dir/a"]),
        (200, &[("Content-Type", "text/plain")], "http://h.example/a", Expected::Page, &[]),
        (200, &[("Content-Type", "text/plain")], "http://h.example/a", Expected::Sitemap, &["S /a"]),
        (200, &[("Content-Type", "text/plain")], "User-agent: *\nSitemap: /s.xml", Expected::Robots, &["P /s.xml"]),
        (200, &[("Content-Type", "application/xml")], "<sitemapindex><sitemap><loc>/s</loc></sitemap></sitemapindex>", Expected::Page, &["P /s"]),
        (200, &[HTML], "<rss><item><link>/1</link></item></rss>", Expected::Page, &["L /1"]),
        (200, &[("Content-Type", "image/svg+xml")], "<svg xmlns:xlink='x'><image xlink:href='/i.png'/><a href='/p'/></svg>", Expected::Page, &["E /i.png", "L /p"]),
        (200, &[("Content-Type", "application/pdf")], "%PDF <a href=a>", Expected::Page, &[]),
    ];
    for (status, headers, body, expected, urls) in cases {
        assert_eq!(check(*status, headers, body, *expected), *urls, "{status} {headers:?} {body}");
    }
}

#[test]
fn a_bad_spelling_leads_to_a_better_one() {
    #[rustfmt::skip]
    let cases = [
        (400, "http://h.example/a%.html",   Some("http://h.example/a%25.html")),
        (400, "http://h.example/a%25.html", None),
        (404, "http://h.example/a%.html",   None),
        (200, "http://h.example/a%.html",   None),
    ];
    for (status, url, expected) in cases {
        let (url, response) = (Url::parse(url).unwrap(), response(status, &[]));
        let answer = Answer { url: &url, response: &response, body: b"", expected: Expected::Page };
        let finds = Finds::of(&answer, &FindSettings::default()).urls;
        let found: Vec<(&str, FindKind)> =
            finds.iter().map(|find| (find.url.as_str(), find.kind)).collect();
        let expected: Vec<(&str, FindKind)> =
            expected.into_iter().map(|url| (url, FindKind::Redirect)).collect();
        assert_eq!(found, expected, "{status} {url}");
    }
}

#[test]
fn wishes_are_honoured_if_asked() {
    let body = "<meta name=robots content='noarchive'><a href=a>1</a><a rel=nofollow href=b>2</a><img src=i>";
    let tagged = [("Content-Type", "text/html"), ("X-Robots-Tag", "noindex, nofollow")];
    let other = [("Content-Type", "text/html"), ("X-Robots-Tag", "otherbot: nofollow")];
    #[rustfmt::skip]
    let cases = [
        (NofollowPolicy::Ignore, &tagged, (3, 0)),
        (NofollowPolicy::Pages,  &tagged, (1, 2)),
        (NofollowPolicy::Pages,  &other,  (3, 0)),
        (NofollowPolicy::Links,  &other,  (2, 1)),
    ];
    for (nofollow, headers, expected) in cases {
        let settings = FindSettings { nofollow, honour_noarchive: true, ..FindSettings::default() };
        let finds = look(200, headers, body.as_bytes(), Expected::Page, &settings);
        assert_eq!((finds.urls.len(), finds.not_followed), expected, "{nofollow:?} {headers:?}");
        assert!(finds.forbids_archiving(&settings));
        assert!(!finds.forbids_archiving(&FindSettings::default()));
    }
}

#[test]
fn limits_are_noted() {
    let settings = FindSettings { max_urls: 2, max_url_bytes: 40, ..FindSettings::default() };
    let body = format!("<a href=1><a href=2><a href=2><a href=3><a href={}>", "x".repeat(50));
    let headers = [("Content-Type", "text/html")];
    let finds = look(200, &headers, body.as_bytes(), Expected::Page, &settings);
    let kinds: Vec<&str> = finds.oddities.iter().map(|oddity| oddity.kind.as_str()).collect();
    assert_eq!((finds.urls.len(), kinds), (2, vec!["long-url", "many-urls"]));
}

#[test]
fn the_charset_is_told() {
    let headers = [("Content-Type", "text/html; Charset=\"iso-8859-1\"")];
    let finds = look(200, &headers, b"<a href='/\xe4'>", Expected::Page, &FindSettings::default());
    assert_eq!(finds.charset, Some("windows-1252"));
    assert_eq!(finds.urls[0].url.as_str(), "http://h.example/%C3%A4");
}

proptest! {
    #[test]
    fn any_header_is_read(value in ".{0,60}", body in prop::collection::vec(any::<u8>(), 0..100)) {
        let headers: Vec<(&str, &str)> = ["location", "link", "refresh", "content-type", "x-robots-tag"]
            .into_iter()
            .map(|name| (name, value.as_str()))
            .collect();
        for expected in [Expected::Page, Expected::Sitemap, Expected::Robots] {
            let _ = look(301, &headers, &body, expected, &FindSettings::default());
            let _ = look(200, &headers, &body, expected, &FindSettings::default());
        }
    }
}

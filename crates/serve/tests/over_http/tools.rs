//! The page around an archived one, Memento, the index and single records.

use crate::archive;
use crate::support::{Front, Port};
use serde_json::Value;

#[tokio::test]
async fn the_page_around_an_archived_one() {
    let front = Front::of(archive()).await;
    let page = front
        .get(Port::Pages, "/view/h/20260103/http://a.example/", &[("Accept-Language", "de")])
        .await;
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    let frame = format!(
        "<iframe src=\"{}/h/20260102030405mp_/http://a.example/\"",
        front.origin(Port::Replay)
    );
    assert!(text.contains(&frame), "{text}");
    assert!(text.contains("/view/h/20260109030405/http%3A%2F%2Fa.example%2F"), "the later version");
    assert!(text.contains("/doc/h/") && text.contains("Fassung 1 von 2"), "{text}");
    assert!(text.contains("/view/h/20260102030405/http%3A%2F%2Fa.example%2F?lang=en"), "{text}");
    let policy = page.header("content-security-policy");
    assert!(policy.contains(&format!("frame-src {}", front.origin(Port::Replay))), "{policy}");

    let escaped = "/view/h/20260109030405/http%3A%2F%2Fa.example%2F?lang=de&format=json";
    let twin = front.get(Port::Pages, escaped, &[]).await;
    let value: Value = serde_json::from_slice(&twin.body).unwrap();
    assert_eq!((&value["url"], &value["version"]), (&"http://a.example/".into(), &2.into()));

    let own =
        front.get(Port::Pages, "/view/h/2026/http://a.example/none?format=json&lang=de", &[]).await;
    assert_eq!((own.status, own.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(own.text().contains("http://a.example/none?format=json&amp;lang=de"), "{}", own.text());
    assert!(!own.headers.contains_key("set-cookie"), "the query is not ours");

    let paper = front.get(Port::Pages, "/view/h/2026/http://a.example/p.pdf", &[]).await;
    assert!(
        !paper.text().contains("<iframe") && paper.text().contains("id_/http://a.example/p.pdf")
    );
    for (target, status) in [
        ("/view/nope/2026/http://a.example/", 404),
        ("/view/h/x/http://a.example/", 400),
        ("/view/h/2026/javascript:alert(1)", 400),
        ("/view/h/2026/%ff", 400),
        ("/view/h/2026/http%3A%2F%2F%FF", 400),
    ] {
        assert_eq!(front.get(Port::Pages, target, &[]).await.status, status, "{target}");
    }
}

#[tokio::test]
async fn memento() {
    let front = Front::of(archive()).await;
    let replay = front.origin(Port::Replay);
    #[rustfmt::skip]
    let cases = [
        ("Thu, 01 Jan 2026 00:00:00 GMT", "20260102030405"),
        ("Wed, 07 Jan 2026 00:00:00 GMT", "20260109030405"),
        ("Sat, 01 Jan 2000 00:00:00 GMT", "20260102030405"),
    ];
    for (wished, expected) in cases {
        let gate = front
            .get(Port::Pages, "/timegate/h/http://a.example/", &[("Accept-Datetime", wished)])
            .await;
        assert_eq!(gate.status, 302);
        assert_eq!(
            gate.header("location"),
            format!("{replay}/h/{expected}mp_/http://a.example/"),
            "{wished}"
        );
        assert!(gate.header("vary").contains("accept-datetime"));
        for relation in ["original", "timemap", "first memento", "last memento"] {
            assert!(gate.header("link").contains(&format!("rel=\"{relation}\"")), "{relation}");
        }
        assert!(!gate.headers.contains_key("memento-datetime"), "a gate is no memento");
    }
    let newest = front.get(Port::Pages, "/timegate/h/http://a.example/", &[]).await;
    assert!(newest.header("location").contains("20260109030405"));
    let odd =
        front.get(Port::Pages, "/timegate/h/http://a.example/", &[("Accept-Datetime", "x")]).await;
    assert_eq!(odd.status, 400);
    assert_eq!(front.get(Port::Pages, "/timegate/h/http://b.example/", &[]).await.status, 404);

    let map = front.get(Port::Pages, "/timemap/h/link/http://a.example/", &[]).await;
    assert_eq!(map.header("content-type"), "application/link-format");
    assert_eq!(map.text().matches("memento\"").count(), 2, "{}", map.text());
    let json = front.get(Port::Pages, "/timemap/h/json/http://a.example/", &[]).await;
    let value: Value = serde_json::from_slice(&json.body).unwrap();
    assert_eq!(value["mementos"]["list"].as_array().unwrap().len(), 2);
    assert_eq!(value["original_uri"], "http://a.example/");
    assert_eq!(front.get(Port::Pages, "/timemap/h/xml/http://a.example/", &[]).await.status, 404);
}

#[tokio::test]
async fn the_index() {
    let front = Front::of(archive()).await;
    #[rustfmt::skip]
    let cases: &[(&str, usize, &str)] = &[
        ("url=http://a.example/",                               2, "example,a)/ 20260102030405 {"),
        ("url=http://a.example/&fl=timestamp,statuscode",       2, "20260102030405 200\n20260109030405 200\n"),
        ("url=http://a.example/&limit=1&fl=url",                1, "http://a.example/\n"),
        ("url=http://a.example/&from=20260105&fl=timestamp",    1, "20260109030405\n"),
        ("url=http://a.example/&to=20260105&fl=timestamp",      1, "20260102030405\n"),
        ("url=http://a.example/&collapse=timestamp:6&fl=url",   1, "http://a.example/\n"),
        ("url=a.example/s*&fl=url",                             2, "http://a.example/s.css\nhttp://a.example/self\n"),
        ("url=a.example&matchType=host&fl=url",                13, "http://a.example/\nhttp://a.example/\nhttp://a.example/big\n"),
        ("url=example&matchType=domain&filter==status:404&fl=url", 1, "http://a.example/gone\n"),
        ("url=*.example&filter=!~mime:text/.*&fl=url",          4, ""),
        ("url=a.example&matchType=host&output=json&limit=3",    3, "{\""),
        ("url=b.example&matchType=host",                        0, ""),
        ("url=http://a.example/none",                           0, ""),
    ];
    for (query, lines, beginning) in cases {
        let index = front.get(Port::Pages, &format!("/cdx/h?{query}"), &[]).await;
        assert_eq!(index.status, 200, "{query}");
        assert_eq!(index.text().lines().count(), *lines, "{query}\n{}", index.text());
        assert!(index.text().starts_with(beginning), "{query}\n{}", index.text());
    }
    for query in ["", "url=a&limit=x", "url=javascript:x"] {
        let index = front.get(Port::Pages, &format!("/cdx/h?{query}"), &[]).await;
        assert_eq!(index.status, 400, "{query}");
    }
    assert_eq!(front.get(Port::Pages, "/cdx/nope?url=a", &[]).await.status, 404);
}

#[tokio::test]
async fn records_come_as_they_lie_in_their_file() {
    let front = Front::of(archive()).await;
    let index = front
        .get(Port::Pages, "/cdx/h?url=http://a.example/s.css&fl=offset,length,filename", &[])
        .await;
    let line = index.text();
    let parts: Vec<&str> = line.trim().split(' ').collect();
    let (offset, length): (usize, usize) = (parts[0].parse().unwrap(), parts[1].parse().unwrap());
    let file = std::fs::read(front.dir.join("archive").join(parts[2])).unwrap();
    let expected = &file[offset..offset + length];
    let mut found = 0;
    for capture in 1..=13 {
        let record = front.get(Port::Pages, &format!("/warc/h/{capture}"), &[]).await;
        assert_eq!(record.status, 200, "{}", record.text());
        assert_eq!(record.header("content-type"), "application/warc");
        assert!(record.header("content-disposition").starts_with("attachment; filename=\"h-"));
        found += usize::from(record.body == expected);
    }
    assert_eq!(found, 1);
    for (target, status) in [("/warc/h/9999", 404), ("/warc/h/x", 400), ("/warc/nope/1", 404)] {
        assert_eq!(front.get(Port::Pages, target, &[]).await.status, status, "{target}");
    }
}

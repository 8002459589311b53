//! What replay asks: moments of a request, and captures by host and address in pages.

use crate::support::*;
use auslese_catalog::{CaptureScope, IndexedCapture};
use auslese_model::*;

on_both_engines! {
    moments_are_in_order
    captures_are_found_by_address
}

async fn moments_are_in_order(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let at = |id: i64, second: i64| Capture { at: seconds(second), ..capture(id, 1, 1, run) };
    let bare = Storage::HeaderOnly { reason: "suffix".to_owned() };
    let captures = vec![at(1, 30), at(2, 10), Capture { storage: bare, ..at(3, 20) }];
    let commit =
        Commit { servers: servers([1]), offers: vec![offer(1, 1)], captures, ..Default::default() };
    harvest.commit(commit).await;
    let told = async |limit| {
        let moments = harvest.catalog.moments(RequestId(1), limit).await.unwrap();
        moments.iter().map(|it| (it.capture.0, it.has_body)).collect::<Vec<_>>()
    };
    assert_eq!(told(10).await, [(2, true), (3, false), (1, true)]);
    assert_eq!(told(2).await, [(3, false), (1, true)], "the newest count");
    assert!(harvest.catalog.moments(RequestId(7), 10).await.unwrap().is_empty());
}

/// A server, and a request with one capture for each address.
fn addresses(run: RunId) -> Commit {
    #[rustfmt::skip]
    let urls = [
        (1, "http://a.example/x/1"), (1, "http://a.example/X/2"), (1, "http://a.example/x_3"),
        (2, "http://b.a.example/x/1"), (3, "http://ba.example/"), (4, "http://a.example:81/x/9"),
    ];
    let origins = ["a.example", "b.a.example", "ba.example", "a.example:81"];
    let server = |(number, name): (usize, &str)| NewServer {
        id: ServerId(number as i64 + 1),
        origin: Origin::parse(&format!("http://{name}")).unwrap(),
        label: None,
    };
    let mut commit = Commit {
        servers: origins.into_iter().enumerate().map(server).collect(),
        ..Default::default()
    };
    for (number, (server, url)) in urls.into_iter().enumerate() {
        let id = number as i64 + 1;
        let request = Request::get(url.parse().unwrap());
        commit.offers.push(Offer { key: request.key(url), request, ..offer(id, server) });
        commit.captures.push(capture(id, id, server, run));
    }
    commit.captures.push(Capture { at: seconds(100), ..capture(7, 1, 1, run) });
    commit
}

async fn captures_are_found_by_address(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = addresses(harvest.run);
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let always = (Timestamp(i64::MIN), Timestamp(i64::MAX));
    let beginning = |beginning: &str| CaptureScope::Beginning {
        host: "a.example".to_owned(),
        beginning: beginning.to_owned(),
    };
    let host = |name: &str| CaptureScope::Host(name.to_owned());
    let domain = |name: &str| CaptureScope::Domain(name.to_owned());
    let requests =
        |ids: &[i64]| CaptureScope::Requests(ids.iter().map(|id| RequestId(*id)).collect());
    #[rustfmt::skip]
    let cases: [(CaptureScope, &[i64]); 10] = [
        (beginning("http://a.example/x/"), &[1, 7]),
        (beginning("http://a.example/x_"), &[3]),
        (beginning("http://a.example/"),   &[2, 1, 7, 3]),
        (host("a.example"),                &[2, 1, 7, 3, 6]),
        (host("b"),                        &[]),
        (domain("a.example"),              &[2, 1, 7, 3, 6, 4]),
        (domain("%"),                      &[]),
        (domain("_a.example"),             &[]),
        (requests(&[5, 1]),                &[1, 7, 5]),
        (requests(&[]),                    &[]),
    ];
    for (scope, expected) in cases {
        let mut found: Vec<IndexedCapture> = Vec::new();
        loop {
            let after = found.last().map(IndexedCapture::position);
            let page = catalog.index_page(&scope, always, after.as_ref(), 2).await.unwrap();
            if page.is_empty() {
                break;
            }
            found.extend(page);
        }
        let ids: Vec<i64> = found.iter().map(|it| it.capture.0).collect();
        assert_eq!(ids, expected, "{scope:?}");
    }
    let late = (seconds(50), seconds(100));
    let page = catalog.index_page(&host("a.example"), late, None, 10).await.unwrap();
    assert_eq!(page.len(), 1);
    let line = &page[0];
    assert_eq!(
        (line.url.as_str(), line.at, line.status),
        ("http://a.example/x/1", seconds(100), 200)
    );
    assert_eq!(line.media_type.as_deref(), Some("text/html"));
    assert_eq!(line.record, Some(("a.warc.gz".to_owned(), 700, 100)));
    assert!(!line.is_revisit && line.digest.is_some());
}

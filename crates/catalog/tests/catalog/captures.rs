//! Captures: rows that come back as they went in, originals, and the views.

use crate::support::*;
use auslese_model::*;
use std::time::Duration;

on_both_engines! {
    captures_come_back
    originals_are_never_revisits
    captures_come_in_pages
    views_show_times_and_oddities
    checking_finds_contradictions
}

async fn captures_come_back(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let full = Capture {
        fields: HeaderFields {
            content_length: Some(12),
            content_type: Some("text/html; charset=\"ä\"".to_owned()),
            content_encoding: Some("gzip".to_owned()),
            content_language: Some("de".to_owned()),
            content_location: Some("/index.html".to_owned()),
            location: Some("http://elsewhere.example/".to_owned()),
            date: Some(NOW),
            expires: Some(Timestamp(-1)),
            last_modified: Some(seconds(-1000)),
            server: None,
            has_www_authenticate: true,
            has_cache_control: false,
            has_content_md5: true,
            has_pragma: false,
            has_set_cookie: true,
        },
        status: 401,
        payload_length: 5_000_000_000,
        truncated: Some(Truncation::Disconnect),
        tls_problem: Some("expired".to_owned()),
        oddities: vec![Oddity::new("bad-header-line", "x\u{1}"), Oddity::new("empty", "")],
        head: (0..=255).collect(),
        ..capture(1, 1, 1, run)
    };
    let revisit = Capture {
        storage: Storage::Revisit { place: record(2), original: CaptureId(1) },
        address: None,
        ..capture(2, 1, 1, run)
    };
    let bare = Capture {
        storage: Storage::HeaderOnly { reason: "suffix .zip".to_owned() },
        payload_digest: None,
        charset: None,
        duration: Duration::from_micros(1_500),
        ..capture(3, 2, 1, run)
    };
    let commit = Commit {
        servers: servers([1]),
        offers: vec![offer(1, 1), offer(2, 1)],
        captures: vec![full.clone(), revisit.clone(), bare.clone()],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;

    let catalog = &harvest.catalog;
    let bare = Capture { duration: Duration::from_millis(1), ..bare };
    for expected in [&full, &revisit, &bare] {
        let stored = catalog.capture(expected.id).await.unwrap().unwrap();
        assert_eq!(&stored.capture, expected);
        assert_eq!(stored.url, format!("http://h1.example/{}", expected.request.0));
    }
    assert_eq!(catalog.capture(CaptureId(9)).await.unwrap(), None);
    let versions = catalog.captures_of("http://h1.example/1").await.unwrap();
    assert_eq!(versions.iter().map(|stored| stored.capture.id.0).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(catalog.captures_of("http://h1.example/none").await.unwrap(), []);
}

async fn originals_are_never_revisits(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let with = |id: i64, number: u8, storage: Storage| Capture {
        payload_digest: Some(digest(number)),
        storage,
        ..capture(id, id, 1, run)
    };
    let mut neighbour = digest(7);
    neighbour.bytes[31] = 0;
    let reason = "suffix".to_owned();
    let captures = vec![
        with(1, 5, Storage::HeaderOnly { reason }),
        with(2, 5, Storage::Stored(record(2))),
        with(3, 5, Storage::Stored(record(3))),
        with(4, 6, Storage::Revisit { place: record(4), original: CaptureId(2) }),
        with(5, 255, Storage::Stored(record(5))),
        Capture { payload_digest: Some(neighbour.clone()), ..capture(6, 6, 1, run) },
    ];
    let offers = (1..=6).map(|id| offer(id, 1)).collect();
    harvest.commit(Commit { servers: servers([1]), offers, captures, ..Default::default() }).await;

    let asked = [digest(5), digest(6), digest(7), digest(255), neighbour.clone(), digest(5)];
    let originals = harvest.catalog.originals(&asked).await.unwrap();
    let found: Vec<Option<i64>> =
        originals.iter().map(|original| Some(original.as_ref()?.capture.0)).collect();
    assert_eq!(found, [Some(2), None, None, Some(5), Some(6), Some(2)]);
    let first = originals[0].as_ref().unwrap();
    assert_eq!((first.record_id.as_str(), first.at), ("urn:uuid:2", seconds(2)));
    assert_eq!(first.uri, "http://h1.example/2");
    assert_eq!(harvest.catalog.originals(&[]).await.unwrap(), []);

    let mut known = Vec::new();
    harvest.catalog.known_digests(&mut |prefix| known.push(prefix)).await.unwrap();
    known.sort_unstable();
    assert_eq!(known, [digest(5).prefix(), neighbour.prefix(), u64::MAX]);
}

async fn captures_come_in_pages(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=25).map(|id| offer(id, 1)).collect(),
        captures: (1..=25).map(|id| capture(id * 10, id, 1, run)).collect(),
        ..Default::default()
    };
    harvest.commit(commit).await;
    let (mut read, mut last) = (Vec::new(), CaptureId(0));
    loop {
        let page = harvest.catalog.captures_page(last, 10).await.unwrap();
        let Some(end) = page.last() else { break };
        last = end.capture.id;
        read.extend(page.into_iter().map(|stored| stored.capture.id.0));
    }
    assert_eq!(read, (1..=25).map(|id| id * 10).collect::<Vec<_>>());
}

async fn views_show_times_and_oddities(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let odd = Capture {
        fields: HeaderFields {
            date: Some(Timestamp(i64::MIN)),
            expires: Some(Timestamp(i64::MAX)),
            last_modified: Timestamp::from_civil((1999, 12, 31), (23, 59, 59)),
            content_type: Some("text/\0html".to_owned()),
            ..Default::default()
        },
        oddities: vec![Oddity::new("nul", "a\0b"), Oddity::new("quote", "\"'\u{10ffff}")],
        ..capture(1, 1, 1, run)
    };
    let offers = vec![offer(1, 1), Offer { via: Some(RequestId(1)), ..offer(2, 1) }];
    let captures = vec![odd, capture(2, 2, 1, run)];
    harvest.commit(Commit { servers: servers([1]), offers, captures, ..Default::default() }).await;

    let place = &harvest.place;
    #[rustfmt::skip]
    let cases: [(&str, &[Option<&str>]); 9] = [
        ("SELECT captured FROM captures ORDER BY id",      &[Some("2026-11-15T21:40:01Z"), Some("2026-11-15T21:40:02Z")]),
        ("SELECT last_modified FROM captures WHERE id = 1", &[Some("1999-12-31T23:59:59Z")]),
        ("SELECT date FROM captures WHERE id = 1",         &[None]),
        ("SELECT expires FROM captures WHERE id = 1",      &[None]),
        ("SELECT content_type FROM captures WHERE id = 1", &[Some("text/\u{2400}html")]),
        ("SELECT kind FROM oddities ORDER BY kind",        &[Some("nul"), Some("quote")]),
        ("SELECT detail FROM oddities ORDER BY kind",      &[Some("a\u{2400}b"), Some("\"'\u{10ffff}")]),
        ("SELECT via_url FROM requests ORDER BY id",       &[None, Some("http://h1.example/1")]),
        ("SELECT origin FROM servers",                     &[Some("http://h1.example:80")]),
    ];
    for (sql, expected) in cases {
        let expected: Vec<Option<String>> =
            expected.iter().map(|text| text.map(str::to_owned)).collect();
        assert_eq!(place.texts(sql).await, expected, "{sql}");
    }
}

async fn checking_finds_contradictions(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let commit = Commit {
        servers: servers([1]),
        offers: vec![offer(1, 1), offer(2, 1), offer(3, 9)],
        captures: vec![
            capture(1, 1, 1, run),
            Capture {
                storage: Storage::Revisit { place: record(3), original: CaptureId(8) },
                ..capture(3, 1, 1, run)
            },
            capture(20_000, 1, 1, run),
        ],
        changes: vec![done(1, 1), done(2, 77)],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let expected = [
        "request 2 is done but has no capture",
        "request 3 belongs to no server",
        "capture 20000 lies outside the committed part of its WARC file",
        "capture 3 refers to a capture that does not store its payload",
    ];
    assert_eq!(harvest.catalog.check().await.unwrap(), expected);
}

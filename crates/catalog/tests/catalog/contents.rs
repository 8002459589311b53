//! Contents: what was read out of bodies comes back, and what is missing is found.

use crate::support::*;
use auslese_model::*;
use std::collections::BTreeMap;

on_both_engines! {
    contents_come_back
    what_databases_refuse_is_tamed
    missing_contents_are_found_in_pages
    signatures_are_those_of_the_newest_documents
}

async fn contents_come_back(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let full = full_content(1);
    let bare = Content { capture: CaptureId(2), ..content(2, 0) };
    let bare = Content {
        language: None,
        conformance: None,
        structure: None,
        title: None,
        format: Format::Binary,
        signature: Vec::new(),
        elements: BTreeMap::new(),
        ..bare
    };
    catalog.store_contents(&[full.clone(), bare.clone(), full.clone()], &[]).await.unwrap();
    assert_eq!(catalog.content(CaptureId(1)).await.unwrap(), Some(full.clone()));
    assert_eq!(catalog.content(CaptureId(2)).await.unwrap(), Some(bare));
    assert_eq!(catalog.content(CaptureId(3)).await.unwrap(), None);

    let again = Content { reader: 4, elements: BTreeMap::from([("p".to_owned(), 1)]), ..full };
    catalog.store_contents(std::slice::from_ref(&again), &[]).await.unwrap();
    assert_eq!(catalog.content(CaptureId(1)).await.unwrap(), Some(again));
    let shares = "SELECT language FROM content_languages WHERE capture_id = 1 ORDER BY share DESC";
    let shares = harvest.place.texts(shares).await;
    assert_eq!(shares, [Some("de".to_owned()), Some("en".to_owned())]);
}

/// Every field filled, with what databases do not like.
fn full_content(capture: i64) -> Content {
    Content {
        reader: 3,
        trouble: Some("cut after 10 MB".to_owned()),
        bytes: 12_345,
        title: Some("Ein \u{2400} \"Titel\" 'mit' \u{10ffff}".to_owned()),
        language: Some(LanguageNote {
            language: "de".to_owned(),
            confidence: Confidence::Review,
            reason: "share 0.31, detector en".to_owned(),
            share_words: 0.1 + 0.2,
            share_chars: 1.0 / 3.0,
            words: u32::MAX,
            recognised: 7,
            detector: Some(("en".to_owned(), 0.999_999_9)),
            by_paper: true,
            shares: vec![("de".to_owned(), 0.7), ("en".to_owned(), 0.3)],
        }),
        counts: Counts { characters: 1, words: 2, proprietary: u32::MAX, ..Counts::default() },
        elements: BTreeMap::from([("a".to_owned(), 3), ("x-ä".to_owned(), u32::MAX)]),
        features: BTreeMap::from([
            ("word-length".to_owned(), 5.25),
            ("least".to_owned(), f64::MIN),
        ]),
        conformance: Some(Conformance {
            doctype: Some("HTML 4.01".to_owned()),
            errors: BTreeMap::from([("unclosed \"p\"".to_owned(), 9)]),
        }),
        signature: vec![0, u64::MAX, 1 << 63, 42],
        structure: Some(u64::MAX - 1),
        generator: Some("FrontPage 3.0".to_owned()),
        parts: vec![Part { relation: Relation::Frame, url: "http://a.example/ä".to_owned() }],
        ..content(capture, 1)
    }
}

async fn what_databases_refuse_is_tamed(place: Database) {
    let harvest = Harvest::new(place).await;
    let long = |end: &str| format!("{}{end}", "ä".repeat(3_000));
    let mut hostile = full_content(1);
    hostile.title = Some("a\0b".to_owned());
    hostile.elements = [(long("1"), 3), (long("2"), 4), ("x\0y".to_owned(), 1)].into();
    hostile.features = [("nan".to_owned(), f64::NAN), ("endless".to_owned(), f64::INFINITY)].into();
    hostile.parts[0].url = "http://a.example/\0".to_owned();
    hostile.conformance = Some(Conformance {
        doctype: Some("\0".to_owned()),
        errors: [("bad\0byte".to_owned(), 1)].into(),
    });
    let note = hostile.language.as_mut().unwrap();
    note.share_words = f64::NAN;
    note.shares.push(("\0".to_owned(), f64::NEG_INFINITY));
    note.detector = Some(("de".to_owned(), f64::NAN));
    harvest.catalog.store_contents(&[hostile], &[]).await.unwrap();

    let read = harvest.catalog.content(CaptureId(1)).await.unwrap().unwrap();
    assert_eq!(read.title.as_deref(), Some("a\u{2400}b"));
    assert_eq!(read.elements.values().copied().collect::<Vec<_>>(), [1, 7]);
    assert!(read.features.is_empty());
    assert_eq!(read.parts[0].url, "http://a.example/\u{2400}");
    assert_eq!(read.conformance.unwrap().errors, [("bad\u{2400}byte".to_owned(), 1)].into());
    let note = read.language.unwrap();
    assert_eq!((note.share_words, note.shares.len()), (0.0, 2));
    assert_eq!(note.detector, Some(("de".to_owned(), 0.0)));
    // The views read the JSON.
    harvest.place.sql("SELECT * FROM content_languages").await;
    harvest.catalog.error_table(9).await.unwrap();
}

async fn missing_contents_are_found_in_pages(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let bodiless = |id| Capture {
        storage: Storage::HeaderOnly { reason: "image".to_owned() },
        ..capture(id, id, 1, run)
    };
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=12).map(|id| offer(id, 1)).collect(),
        captures: (1..=12)
            .map(|id| if id % 4 == 0 { bodiless(id) } else { capture(id, id, 1, run) })
            .collect(),
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let old = Content { reader: 1, ..content(5, 5) };
    catalog.store_contents(&[content(2, 2), content(3, 3), old], &[]).await.unwrap();

    let (mut missing, mut last) = (Vec::new(), CaptureId(0));
    loop {
        let page = catalog.contents_missing(last, 3, 2).await.unwrap();
        let Some(end) = page.last() else { break };
        last = end.capture.id;
        assert_eq!(end.url, format!("http://h1.example/{}", last.0));
        assert_eq!(end.capture.storage, Storage::Stored(record(last.0)));
        missing.extend(page.into_iter().map(|stored| stored.capture.id.0));
    }
    assert_eq!(missing, [1, 5, 6, 7, 9, 10, 11]);
    assert_eq!(catalog.count_missing_contents(2).await.unwrap(), 7);
    assert_eq!(catalog.count_missing_contents(1).await.unwrap(), 6);
    assert_eq!(catalog.count_missing_contents(3).await.unwrap(), 9);
    catalog.raise_reader(1, 3).await.unwrap();
    assert_eq!(catalog.count_missing_contents(3).await.unwrap(), 8);
    assert_eq!(catalog.content(CaptureId(2)).await.unwrap().unwrap().reader, 2);
}

async fn signatures_are_those_of_the_newest_documents(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let revisit = |id, request, original: i64, status| Capture {
        storage: Storage::Revisit { place: record(id), original: CaptureId(original) },
        payload_digest: (status == 200).then(|| digest(original.to_le_bytes()[0])),
        status,
        ..capture(id, request, 1, run)
    };
    // 1: a page; 2: the same bytes; 3: has a new version; 4: not modified; 5: vanished; 6: never.
    let captures = vec![
        capture(1, 1, 1, run),
        revisit(2, 2, 1, 200),
        capture(3, 3, 1, run),
        capture(4, 4, 1, run),
        capture(5, 5, 1, run),
        capture(13, 3, 1, run),
        revisit(14, 4, 4, 304),
        Capture { status: 404, ..capture(15, 5, 1, run) },
    ];
    let newest = [(1, 1), (2, 2), (3, 13), (4, 14), (5, 15)];
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=6).map(|id| offer(id, 1)).collect(),
        captures,
        changes: newest.iter().map(|(request, capture)| done(*request, *capture)).collect(),
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let contents: Vec<Content> = [1, 3, 4, 5, 13, 15].map(|id| content(id, id)).to_vec();
    catalog.store_contents(&contents, &[]).await.unwrap();
    let mut found = catalog.signatures(RequestId(0), 2).await.unwrap();
    found.extend(catalog.signatures(RequestId(2), 10).await.unwrap());
    let found: Vec<_> = found
        .into_iter()
        .map(|row| (row.request.0, row.content.0, row.signature, row.payload_digest))
        .collect();
    let row = |request, content: i64| {
        let number = content.to_le_bytes()[0];
        (request, content, vec![content.unsigned_abs()], Some(digest(number)))
    };
    assert_eq!(found, [row(1, 1), row(2, 1), row(3, 13), row(4, 4)]);
}

//! Rounds: asking again with validators, versions, sums of changes, words.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::collections::BTreeMap;

on_both_engines! {
    a_recrawl_asks_for_everything_again
    validators_come_from_the_last_document
    versions_are_told_by_their_captures
    changes_are_summed_up
    words_are_counted_per_round
}

async fn a_recrawl_asks_for_everything_again(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let robots = Offer { hops: HopPath("P".to_owned()), ..offer(6, 1) };
    let sitemap = Offer { via: Some(RequestId(6)), ..robots.clone() };
    let sitemap = Offer { id: RequestId(7), key: RequestKey([7; 16]), ..sitemap };
    let failed = Change::Failed { cause: cause(CauseKind::Timeout, "x") };
    let refused = Change::Refused { cause: cause(CauseKind::Robots, "/x") };
    let mut offers: Vec<Offer> = (1..=4).map(|id| offer(id, 1)).collect();
    offers.extend([parked(5, 1), robots, sitemap]);
    let commit = Commit {
        servers: servers([1]),
        offers,
        captures: vec![
            capture(1, 1, 1, run),
            Capture { status: 404, ..capture(2, 2, 1, run) },
            capture(6, 6, 1, run),
            capture(7, 7, 1, run),
        ],
        changes: vec![
            done(1, 1),
            done(2, 2),
            change(3, failed),
            change(4, refused),
            done(6, 6),
            done(7, 7),
        ],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    assert_eq!(harvest.lease("w", 9).await, []);
    let first = catalog.begin_round(RoundKind::Crawl, NOW).await.unwrap();
    catalog.add_to_round(first, run).await.unwrap();
    assert_eq!(catalog.open_round().await.unwrap(), Some(first));
    let refused = catalog.begin_recrawl(seconds(5)).await;
    assert!(matches!(refused, Err(CatalogError::Conflict { .. })), "{refused:?}");
    assert_eq!(harvest.state(1).await, Some(State::Done));
    catalog.end_round(first, seconds(9)).await.unwrap();

    let recrawl = catalog.begin_recrawl(seconds(10)).await.unwrap();
    assert_eq!(recrawl.requests, 4);
    let leases = harvest.lease("w", 9).await;
    let ids: Vec<i64> = leases[0].pending.iter().map(|pending| pending.id.0).collect();
    assert_eq!(ids, [1, 2, 3, 7]);
    assert!(leases[0].pending.iter().all(|pending| pending.attempts == 0));
    let rounds = catalog.rounds().await.unwrap();
    assert_eq!((rounds[0].ended, rounds[0].runs.as_slice()), (Some(seconds(9)), &[run][..]));
    assert_eq!((rounds[1].kind, rounds[1].requests), (RoundKind::Recrawl, 4));
    assert_eq!((rounds[1].id, rounds[1].ended), (recrawl.round, None));
}

async fn validators_come_from_the_last_document(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let with = |id: i64, request, head: &str, storage| Capture {
        head: format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").into_bytes(),
        storage,
        ..capture(id, request, 1, run)
    };
    let stored = |id| Storage::Stored(record(id));
    let revisit =
        |id, original| Storage::Revisit { place: record(id), original: CaptureId(original) };
    let bare = || Storage::HeaderOnly { reason: "image".to_owned() };
    let captures = vec![
        with(1, 1, "ETag: \"old\"", stored(1)),
        with(2, 1, "ETag: \"new\"\r\nLast-Modified: Mon, 01-Jan-99", stored(2)),
        Capture { status: 304, ..with(3, 1, "ETag: \"none\"", revisit(3, 2)) },
        Capture { status: 500, ..with(4, 1, "ETag: \"error\"", stored(4)) },
        with(5, 2, "Last-Modified: then", revisit(5, 2)),
        with(6, 3, "ETag: \"x\"", bare()),
        Capture { truncated: Some(Truncation::Length), ..with(7, 4, "ETag: \"x\"", stored(7)) },
        with(8, 5, "", stored(8)),
    ];
    let offers = (1..=6).map(|id| offer(id, 1)).collect();
    harvest.commit(Commit { servers: servers([1]), offers, captures, ..Default::default() }).await;
    let asked: Vec<RequestId> = (1..=100).map(RequestId).collect();
    let found = harvest.catalog.validators(&asked).await.unwrap();
    let shown: BTreeMap<i64, _> = found
        .iter()
        .map(|(request, known)| {
            let (etag, modified) = (known.etag.as_deref(), known.last_modified.as_deref());
            (request.0, (known.capture.0, etag, modified, known.original.capture.0))
        })
        .collect();
    #[rustfmt::skip]
    let expected = BTreeMap::from([
        (1, (2, Some("\"new\""), Some("Mon, 01-Jan-99"), 2)),
        (2, (5, None,            Some("then"),           2)),
        (5, (8, None,            None,                   8)),
    ]);
    assert_eq!(shown, expected);
    let original = &found[&RequestId(2)].original;
    assert_eq!((original.record_id.as_str(), original.at), ("urn:uuid:2", seconds(2)));
    assert_eq!(original.uri, "http://h1.example/1");
    assert!(harvest.catalog.validators(&[]).await.unwrap().is_empty());
}

/// Two rounds: 1 unchanged, 2 changed, 3 vanished, 4 new, 5 fails, 6 not modified.
async fn two_rounds(place: Database) -> (Harvest, RoundId, RoundId) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let first = harvest.catalog.begin_round(RoundKind::Crawl, NOW).await.unwrap();
    harvest.catalog.add_to_round(first, run).await.unwrap();
    let pages = [1, 2, 3, 5, 6];
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=7).map(|id| offer(id, 1)).collect(),
        captures: pages.map(|id| capture(id, id, 1, run)).to_vec(),
        changes: pages.map(|id| done(id, id)).to_vec(),
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    harvest.catalog.end_round(first, seconds(20)).await.unwrap();

    let second = harvest.catalog.begin_recrawl(seconds(30)).await.unwrap().round;
    harvest.crash().await;
    let run = harvest.run;
    harvest.catalog.add_to_round(second, run).await.unwrap();
    let revisit = |id: i64, request: i64, status| Capture {
        storage: Storage::Revisit { place: record(id), original: CaptureId(request) },
        payload_digest: Some(digest(request.to_le_bytes()[0])),
        fields: HeaderFields::default(),
        status,
        ..capture(id, request, 1, run)
    };
    let failed = Change::Failed { cause: cause(CauseKind::Timeout, "x") };
    let commit = Commit {
        captures: vec![
            revisit(11, 1, 200),
            capture(12, 2, 1, run),
            Capture { status: 404, ..capture(13, 3, 1, run) },
            capture(14, 4, 1, run),
            revisit(16, 6, 304),
        ],
        changes: vec![
            done(1, 11),
            done(2, 12),
            done(3, 13),
            done(4, 14),
            change(5, failed),
            done(6, 16),
        ],
        ..Default::default()
    };
    harvest.commit(commit).await;
    (harvest, first, second)
}

async fn versions_are_told_by_their_captures(place: Database) {
    let (harvest, first, second) = two_rounds(place).await;
    let catalog = &harvest.catalog;
    let mut facts = catalog.version_facts(second, RequestId(0), 2).await.unwrap();
    facts.extend(catalog.version_facts(second, RequestId(2), 9).await.unwrap());
    let short = |capture: &Option<VersionCapture>| {
        capture.as_ref().map(|known| (known.capture.0, known.status, known.content.map(|id| id.0)))
    };
    let shown: Vec<_> =
        facts.iter().map(|f| (f.request.0, short(&f.now), short(&f.before))).collect();
    #[rustfmt::skip]
    assert_eq!(shown, [
        (1, Some((11, 200, Some(1))),  Some((1, 200, Some(1)))),
        (2, Some((12, 200, Some(12))), Some((2, 200, Some(2)))),
        (3, Some((13, 404, Some(13))), Some((3, 200, Some(3)))),
        (4, Some((14, 200, Some(14))), None),
        (5, None,                      Some((5, 200, Some(5)))),
        (6, Some((16, 304, Some(6))),  Some((6, 200, Some(6)))),
    ]);
    assert_eq!(facts[0].now.as_ref().unwrap().payload_digest, Some(digest(1)));
    assert_eq!((facts[4].state, facts[4].url.as_str()), (State::Failed, "http://h1.example/5"));
    // What the first round brought and the second did not replace.
    assert_eq!(catalog.version_facts(first, RequestId(0), 9).await.unwrap().len(), 1);
}

async fn changes_are_summed_up(place: Database) {
    use VersionChange::{Changed, Error, New, Unchanged, Vanished};
    let (harvest, first, second) = two_rounds(place).await;
    let catalog = &harvest.catalog;
    let version =
        |round, request: i64, change, capture: Option<i64>, previous: Option<i64>| Version {
            request: RequestId(request),
            round,
            change,
            capture: capture.map(CaptureId),
            previous: previous.map(CaptureId),
            words: None,
        };
    let words = WordCounts { added: 5, removed: 2, kept: 100 };
    let mut versions: Vec<Version> =
        [1, 2, 3, 5, 6].map(|id| version(first, id, New, Some(id), None)).to_vec();
    versions.extend([
        version(second, 1, Unchanged, Some(11), Some(1)),
        Version { words: Some(words), ..version(second, 2, Changed, Some(12), Some(2)) },
        version(second, 3, Vanished, Some(13), Some(3)),
        version(second, 4, New, Some(14), None),
        version(second, 5, Error, None, Some(5)),
        version(second, 6, Unchanged, Some(16), Some(6)),
    ]);
    catalog.store_versions(&versions).await.unwrap();
    catalog.store_versions(&versions[6..8]).await.unwrap();

    let rounds = catalog.rounds().await.unwrap();
    assert_eq!(rounds[0].changes, BTreeMap::from([(New, 5)]));
    let sums = BTreeMap::from([(New, 1), (Unchanged, 2), (Changed, 1), (Vanished, 1), (Error, 1)]);
    assert_eq!(rounds[1].changes, sums);
    let table = catalog.change_table(second).await.unwrap();
    assert_eq!(
        table,
        [ChangeRow {
            server: "h1.example".to_owned(),
            media_type: Some("text/html".to_owned()),
            documents: sums,
            words,
        }]
    );
    assert_eq!(catalog.change_frequencies().await.unwrap(), BTreeMap::from([(0, 5), (1, 1)]));
    let history = catalog.versions_of(RequestId(2)).await.unwrap();
    let shown: Vec<_> =
        history.iter().map(|dated| (dated.version, dated.at, dated.status)).collect();
    let expected =
        [(versions[1], Some(seconds(2)), Some(200)), (versions[6], Some(seconds(12)), Some(200))];
    assert_eq!(shown, expected);
    assert_eq!(history[1].round_started, seconds(30));
}

async fn words_are_counted_per_round(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let round = catalog.begin_round(RoundKind::Crawl, NOW).await.unwrap();
    let mut words: Vec<(String, u64)> =
        (0..5_000u64).map(|number| (format!("wort{number:04}"), number + 1)).collect();
    words.extend([("Über".to_owned(), 2), ("a".repeat(600), 1), ("zebra".to_owned(), 3)]);
    let stored = catalog.store_round_words(round, &words).await.unwrap();
    assert_eq!(stored, words.len() - 1);
    assert_eq!(catalog.store_round_words(round, &words).await.unwrap(), stored);
    let (mut read, mut last) = (Vec::new(), String::new());
    loop {
        let page = catalog.round_words(round, &last, 999).await.unwrap();
        let Some(end) = page.last() else { break };
        last = end.0.clone();
        read.extend(page);
    }
    words.retain(|(word, _)| word.len() < 500);
    words.sort();
    assert_eq!(read, words);
    let known = &catalog.rounds().await.unwrap()[0];
    assert_eq!(known.distinct_words, Some(5_003));
    assert_eq!(known.words, Some(5_000 * 5_001 / 2 + 6));
}

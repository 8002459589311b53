//! Documents: the facts rules need, verdicts, mirror paths, and reasons that add up.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    facts_tell_how_each_request_ended
    trouble_of_a_server_is_not_the_end_of_a_document
    only_changed_verdicts_are_written
    the_newest_capture_carries_the_path
    reasons_add_up_to_all_requests
    documents_are_listed_in_pages
    what_only_has_a_header_is_asked_for_again
    ten_thousand_documents_come_in_pages
}

async fn facts_tell_how_each_request_ended(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let revisit = |id, request, original| Capture {
        storage: Storage::Revisit { place: record(id), original: CaptureId(original) },
        ..capture(id, request, 1, run)
    };
    let html = |id| Capture {
        fields: HeaderFields {
            content_type: Some("Text/HTML; charset=x".to_owned()),
            content_length: Some(77),
            ..Default::default()
        },
        ..capture(id, id, 1, run)
    };
    let bare = Capture {
        storage: Storage::HeaderOnly { reason: "suffix .zip".to_owned() },
        payload_digest: None,
        ..capture(3, 3, 1, run)
    };
    let not_modified = Capture {
        status: 304,
        payload_digest: None,
        payload_length: 0,
        fields: HeaderFields::default(),
        ..revisit(14, 4, 4)
    };
    let gone = Capture { status: 410, ..capture(15, 5, 1, run) };
    let failed = Change::Failed { cause: cause(CauseKind::Timeout, "header") };
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=7).map(|id| offer(id, 1)).collect(),
        captures: vec![html(1), revisit(2, 2, 1), bare, html(4), html(5), not_modified, gone],
        changes: vec![
            done(1, 1),
            done(2, 2),
            done(3, 3),
            done(4, 14),
            done(5, 15),
            change(6, failed),
        ],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    catalog.store_contents(&[content(1, 1), content(4, 4)], &[]).await.unwrap();

    let mut facts = catalog.document_facts(RequestId(0), 4).await.unwrap();
    facts.extend(catalog.document_facts(RequestId(4), 9).await.unwrap());
    let stored =
        |capture, revisit| Some(BodyState::Stored { capture: CaptureId(capture), revisit });
    let nowhere = Some(BodyState::HeaderOnly { reason: "suffix .zip".to_owned() });
    #[rustfmt::skip]
    let expected = [
        // request state          status     body              content  gone
        (1, State::Done,   Some(200), stored(1, false),  Some(1), false),
        (2, State::Done,   Some(200), stored(1, true),   Some(1), false),
        (3, State::Done,   Some(200), nowhere,           None,    false),
        (4, State::Done,   Some(200), stored(4, true),   Some(4), false),
        (5, State::Done,   Some(410), stored(15, false), None,    true),
        (6, State::Failed, None,      None,              None,    false),
        (7, State::Queued, None,      None,              None,    false),
    ];
    let found: Vec<_> = facts
        .iter()
        .map(|facts| {
            let answer = facts.answer.as_ref();
            let content = facts.content.as_ref().map(|content| content.capture.0);
            let status = answer.map(|answer| answer.status);
            let body = answer.map(|answer| answer.body.clone());
            (facts.request.0, facts.state, status, body, content, facts.gone)
        })
        .collect();
    assert_eq!(found, expected);

    let confirmed = facts[3].answer.as_ref().unwrap();
    assert!(confirmed.not_modified && confirmed.capture == CaptureId(14));
    assert_eq!(confirmed.media_type.as_deref(), Some("text/html"));
    assert_eq!((confirmed.content_length, confirmed.payload_length), (Some(77), 1000));
    let first = &facts[0];
    assert_eq!((first.scheme, first.port, first.label.as_deref()), (Scheme::Http, 80, Some("GI")));
    let summary = first.content.as_ref().unwrap();
    let read = catalog.content(CaptureId(1)).await.unwrap().unwrap();
    assert_eq!((&summary.language, summary.counts), (&read.language, read.counts));
    assert_eq!(facts[5].cause, Some(cause(CauseKind::Timeout, "header")));
    assert_eq!(catalog.facts_of(RequestId(4)).await.unwrap().as_ref(), Some(&facts[3]));
    assert_eq!(catalog.facts_of(RequestId(9)).await.unwrap(), None);
}

/// The last answer that tells of the document counts, with its status in `documents` as well.
async fn trouble_of_a_server_is_not_the_end_of_a_document(place: Database) {
    #[rustfmt::skip]
    let cases: [(&[u16], u16, Option<u16>, bool); 11] = [
        // answers             counts  trouble    gone
        (&[200, 500],            200, Some(500), false),
        (&[200, 429],            200, Some(429), false),
        (&[200, 503, 599],       200, Some(599), false),
        (&[200, 304, 502],       200, Some(502), false),
        (&[200, 404, 503],       404, Some(503), true),
        (&[200, 301, 500],       301, Some(500), false),
        (&[200, 500, 410],       410, None,      true),
        (&[404, 500],            404, Some(500), false),
        (&[500, 503],            503, None,      false),
        (&[200, 403],            403, None,      false),
        (&[200, 408, 425],       200, Some(425), false),
    ];
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let mut commit = Commit { servers: servers([1]), warcs: vec![warc()], ..Default::default() };
    for (request, (statuses, ..)) in (1..).zip(cases) {
        commit.offers.push(offer(request, 1));
        let mut last = 0;
        for (turn, status) in (1..).zip(statuses) {
            last = request * 10 + turn;
            commit.captures.push(Capture { status: *status, ..capture(last, request, 1, run) });
        }
        commit.changes.push(done(request, last));
    }
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let facts = catalog.document_facts(RequestId(0), 100).await.unwrap();
    let verdict = CorpusVerdict {
        keeping: Keeping::Left,
        rule: CorpusRule::Status,
        reason: "a test".to_owned(),
    };
    let documents: Vec<Document> =
        facts.iter().map(|facts| facts.document(verdict.clone())).collect();
    catalog.store_documents(&documents, Timestamp(1)).await.unwrap();
    for (facts, (statuses, counts, trouble, gone)) in facts.iter().zip(cases) {
        let answer = facts.answer.as_ref().unwrap();
        let found = (answer.status, answer.trouble, facts.gone);
        assert_eq!(found, (counts, trouble, gone), "{statuses:?}");
        let newest = facts.request.0 * 10 + statuses.len() as i64;
        assert_eq!(answer.capture, CaptureId(newest), "{statuses:?}");
    }
    let shown =
        harvest.place.texts("SELECT CAST(status AS TEXT) FROM documents ORDER BY request_id");
    let shown = shown.await;
    let shown: Vec<String> = shown.into_iter().flatten().collect();
    assert_eq!(shown, cases.map(|(_, counts, ..)| counts.to_string()));
}

/// A harvest of `count` answered pages, numbered alike.
async fn harvest_of(place: Database, count: i64) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=count).map(|id| offer(id, 1)).collect(),
        captures: (1..=count).map(|id| capture(id, id, 1, run)).collect(),
        changes: (1..=count).map(|id| done(id, id)).collect(),
        warcs: vec![WarcProgress { length: 100_000_000, ..warc() }],
        ..Default::default()
    };
    harvest.commit(commit).await;
    harvest
}

async fn only_changed_verdicts_are_written(place: Database) {
    let harvest = harvest_of(place, 3).await;
    let catalog = &harvest.catalog;
    let kept = document(1, Keeping::Kept, CorpusRule::All);
    let copy = Document {
        duplicate_of: Some(RequestId(1)),
        near: Some((RequestId(1), 0.875)),
        logical: Some(RequestId(1)),
        gone: true,
        ..document(2, Keeping::Left, CorpusRule::Duplicate)
    };
    let bare = Document {
        capture: None,
        content: None,
        ..document(3, Keeping::Left, CorpusRule::NotFetched)
    };
    let documents = [kept.clone(), copy.clone(), bare.clone()];
    assert_eq!(catalog.store_documents(&documents, NOW).await.unwrap(), 3);
    assert_eq!(catalog.store_documents(&documents, seconds(1)).await.unwrap(), 0);
    let verdict = CorpusVerdict { reason: "other words".to_owned(), ..bare.verdict.clone() };
    let other = Document { verdict, ..bare };
    let second = [kept.clone(), Document { near: None, ..copy.clone() }, other.clone()];
    assert_eq!(catalog.store_documents(&second, seconds(2)).await.unwrap(), 2);

    let listed = catalog.documents(&DocumentFilter::default(), RequestId(0), 9).await.unwrap();
    let documents: Vec<&Document> = listed.iter().map(|listed| &listed.document).collect();
    assert_eq!(documents, second.iter().collect::<Vec<_>>());
    assert_eq!(listed[0].judged_at, NOW);
    assert_eq!(listed[1].judged_at, seconds(2));
    let first = Some(RequestId(1));
    let copies = DocumentFilter { duplicate_of: first, logical: first, ..Default::default() };
    assert_eq!(catalog.count_documents(&copies).await.unwrap(), 1);
    let cluster = DocumentFilter { near_original: first, ..Default::default() };
    assert_eq!(catalog.count_documents(&cluster).await.unwrap(), 0);
    let one = catalog.document("http://h1.example/2").await.unwrap();
    assert_eq!(one[0].document.duplicate_of, Some(RequestId(1)));
    assert_eq!(catalog.document("http://h1.example/none").await.unwrap(), []);
    let duplicate = "SELECT duplicate_of FROM documents WHERE request_id = 2";
    let duplicate = harvest.place.texts(duplicate).await;
    assert_eq!(duplicate, [Some("http://h1.example/1".to_owned())]);
}

async fn the_newest_capture_carries_the_path(place: Database) {
    let mut harvest = harvest_of(place, 2).await;
    let files = "SELECT id || ' ' || corpus_file FROM http_header \
                 WHERE corpus_file IS NOT NULL ORDER BY id";
    let some = |text: &str| Some(text.to_owned());
    let kept = document(1, Keeping::Kept, CorpusRule::All);
    harvest.catalog.store_documents(std::slice::from_ref(&kept), NOW).await.unwrap();
    let path = Some("h1.example/1".to_owned());
    let paths = [(RequestId(1), path.clone()), (RequestId(2), Some("never judged".to_owned()))];
    harvest.catalog.set_mirror_paths(&paths).await.unwrap();
    assert_eq!(harvest.place.texts(files).await, [some("1 h1.example/1")]);

    // A new version: the verdict follows, the file keeps its name.
    let run = harvest.run;
    let captures = vec![capture(11, 1, 1, run)];
    let changes = vec![done(1, 11)];
    harvest.commit(Commit { captures, changes, ..Default::default() }).await;
    let newer = Document { capture: Some(CaptureId(11)), ..kept };
    harvest.catalog.store_documents(std::slice::from_ref(&newer), NOW).await.unwrap();
    assert_eq!(harvest.place.texts(files).await, [some("11 h1.example/1")]);
    let listed = harvest.catalog.document_of(RequestId(1)).await.unwrap().unwrap();
    assert_eq!(listed.document, Document { mirror_path: path, ..newer.clone() });

    // Left: the path stays until the mirror has taken the file away.
    let verdict = CorpusVerdict { keeping: Keeping::Left, ..newer.verdict.clone() };
    let left = Document { verdict, ..newer };
    harvest.catalog.store_documents(&[left], NOW).await.unwrap();
    let filter = DocumentFilter {
        keeping: Some(Keeping::Left),
        mirrored: Some(true),
        ..DocumentFilter::default()
    };
    let stale = harvest.catalog.documents(&filter, RequestId(0), 9).await.unwrap();
    assert_eq!(stale.len(), 1);
    harvest.catalog.set_mirror_paths(&[(RequestId(1), None)]).await.unwrap();
    assert_eq!(harvest.catalog.count_documents(&filter).await.unwrap(), 0);
    assert_eq!(harvest.place.texts(files).await, []);
}

async fn reasons_add_up_to_all_requests(place: Database) {
    let harvest = harvest_of(place, 10).await;
    let catalog = &harvest.catalog;
    let verdict = |id| match id {
        1..=4 => document(id, Keeping::Kept, CorpusRule::All),
        5..=6 => document(id, Keeping::Left, CorpusRule::Language),
        7 => document(id, Keeping::Kept, CorpusRule::Language),
        _ => document(id, Keeping::Unknown, CorpusRule::NoBody),
    };
    let documents: Vec<Document> = (1..=8).map(verdict).collect();
    catalog.store_documents(&documents, NOW).await.unwrap();
    let counts = catalog.rule_counts().await.unwrap();
    let count =
        |keeping, rule, documents| RuleCount { keeping, rule, documents, bytes: documents * 1000 };
    assert_eq!(
        counts.rules,
        [
            count(Keeping::Unknown, CorpusRule::NoBody, 1),
            count(Keeping::Kept, CorpusRule::Language, 1),
            count(Keeping::Left, CorpusRule::Language, 2),
            count(Keeping::Kept, CorpusRule::All, 4),
        ]
    );
    assert_eq!((counts.unjudged, counts.total(), counts.of(Keeping::Kept)), (2, 10, 5));
}

async fn documents_are_listed_in_pages(place: Database) {
    let harvest = harvest_of(place, 20).await;
    let catalog = &harvest.catalog;
    let verdict = |id: i64| match id % 2 {
        0 => document(id, Keeping::Kept, CorpusRule::All),
        _ => document(id, Keeping::Left, CorpusRule::Size),
    };
    let documents: Vec<Document> = (1..=20).map(verdict).collect();
    catalog.store_documents(&documents, NOW).await.unwrap();
    let contents: Vec<Content> = (1..=5).map(|id| content(id, id)).collect();
    catalog.store_contents(&contents, &[]).await.unwrap();
    let all = DocumentFilter::default;
    #[rustfmt::skip]
    let cases = [
        (all(),                                                             20),
        (DocumentFilter { keeping: Some(Keeping::Kept), ..all() },          10),
        (DocumentFilter { rule: Some(CorpusRule::Size), ..all() },          10),
        (DocumentFilter { language: Some("de".to_owned()), ..all() },       5),
        (DocumentFilter { label: Some("GI".to_owned()), keeping: Some(Keeping::Left), ..all() }, 10),
        (DocumentFilter { host: Some("h2.example".to_owned()), ..all() },   0),
        (DocumentFilter { gone: Some(false), mirrored: Some(false), ..all() }, 20),
        (DocumentFilter { gone: Some(true), ..all() },                      0),
    ];
    for (filter, expected) in cases {
        let (mut listed, mut last) = (0, RequestId(0));
        loop {
            let page = catalog.documents(&filter, last, 3).await.unwrap();
            let Some(end) = page.last() else { break };
            last = end.document.request;
            listed += page.len() as u64;
        }
        assert_eq!(listed, expected, "{filter:?}");
        assert_eq!(catalog.count_documents(&filter).await.unwrap(), expected, "{filter:?}");
    }
}

async fn what_only_has_a_header_is_asked_for_again(place: Database) {
    let harvest = harvest_of(place, 4).await;
    let catalog = &harvest.catalog;
    assert_eq!(harvest.lease("w", 9).await, []);
    let unknown = |id| document(id, Keeping::Unknown, CorpusRule::NoBody);
    let kept = document(1, Keeping::Kept, CorpusRule::All);
    catalog.store_documents(&[kept, unknown(2), unknown(3)], NOW).await.unwrap();
    assert_eq!(catalog.requeue_unknown().await.unwrap(), 2);
    assert_eq!(catalog.requeue_unknown().await.unwrap(), 0);
    let leases = harvest.lease("w", 9).await;
    let ids: Vec<i64> = leases[0].pending.iter().map(|pending| pending.id.0).collect();
    assert_eq!(ids, [2, 3]);
}

async fn ten_thousand_documents_come_in_pages(place: Database) {
    let harvest = harvest_of(place, 10_000).await;
    let catalog = &harvest.catalog;
    let contents: Vec<Content> = (1..=10_000).map(|id| content(id, id)).collect();
    for some in contents.chunks(2_000) {
        catalog.store_contents(some, &[]).await.unwrap();
    }
    let documents: Vec<Document> =
        (1..=10_000).map(|id| document(id, Keeping::Kept, CorpusRule::All)).collect();
    assert_eq!(catalog.store_documents(&documents, NOW).await.unwrap(), 10_000);

    let (mut facts, mut last) = (0, RequestId(0));
    loop {
        let page = catalog.document_facts(last, 1_000).await.unwrap();
        let Some(end) = page.last() else { break };
        last = end.request;
        facts += page.len();
    }
    assert_eq!(facts, 10_000);
    let signatures = catalog.signatures(RequestId(5_000), 10_000).await.unwrap();
    assert_eq!(signatures.len(), 5_000);
    assert_eq!(catalog.contents_missing(CaptureId(0), 10, 2).await.unwrap(), []);
}

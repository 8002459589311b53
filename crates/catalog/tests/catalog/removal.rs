//! Removal: nothing of a document is left, others keep what is theirs, and the protocol says so.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::collections::BTreeSet;

on_both_engines! {
    a_removed_document_leaves_nothing
    revisits_inherit_the_body
    revisits_without_an_heir_say_so
    a_removed_address_is_not_taken_up_again
    nothing_is_said_of_a_removed_document
}

const NOTE: RemovalNote<'static> =
    RemovalNote { reason: "asked for by the author", by: "archivist", at: NOW };

/// 1: a page with two versions; 2 and 3: the bytes of its first version; 4: another page.
async fn harvest_of_four(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let round = harvest.catalog.begin_round(RoundKind::Crawl, NOW).await.unwrap();
    harvest.catalog.add_to_round(round, run).await.unwrap();
    let revisit = |id, request| Capture {
        storage: Storage::Revisit { place: record(id), original: CaptureId(1) },
        payload_digest: Some(digest(1)),
        ..capture(id, request, 1, run)
    };
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=4).map(|id| offer(id, 1)).collect(),
        captures: vec![
            capture(1, 1, 1, run),
            revisit(2, 2),
            revisit(3, 3),
            capture(4, 4, 1, run),
            capture(5, 1, 1, run),
        ],
        changes: vec![done(1, 5), done(2, 2), done(3, 3), done(4, 4)],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    catalog.store_contents(&[content(1, 1), content(4, 4), content(5, 5)], &[]).await.unwrap();
    let at = |id, capture, content| Document {
        capture: Some(CaptureId(capture)),
        content: Some(CaptureId(content)),
        ..document(id, Keeping::Kept, CorpusRule::All)
    };
    let near = Document {
        near: Some((RequestId(1), 0.9)),
        duplicate_of: Some(RequestId(1)),
        logical: Some(RequestId(1)),
        ..at(4, 4, 4)
    };
    let documents = [at(1, 5, 5), at(2, 2, 1), at(3, 3, 1), near];
    catalog.store_documents(&documents, NOW).await.unwrap();
    let version = |request| Version {
        request: RequestId(request),
        round,
        change: VersionChange::New,
        capture: None,
        previous: None,
        words: None,
    };
    catalog.store_versions(&[version(1), version(4)]).await.unwrap();
    harvest
}

fn rewriting() -> Rewriting {
    let file = WarcProgress { length: 900_000, records: 7, closed: true, ..warc() };
    Rewriting { files: vec![file], ..Rewriting::default() }
}

async fn a_removed_document_leaves_nothing(place: Database) {
    let harvest = harvest_of_four(place).await;
    let catalog = &harvest.catalog;
    let before = catalog.status().await.unwrap();
    let plan = catalog.plan_removal(&[RequestId(1)]).await.unwrap();
    let captures: Vec<i64> = plan.captures.iter().map(|stored| stored.capture.id.0).collect();
    assert_eq!(captures, [1, 5]);
    assert_eq!(plan.files, BTreeSet::from(["a.warc.gz".to_owned()]));
    assert_eq!(plan.bereft.len(), 1);
    let heirs: Vec<i64> =
        plan.bereft[0].revisits.iter().map(|stored| stored.capture.id.0).collect();
    assert_eq!((plan.bereft[0].original, heirs), (CaptureId(1), vec![2, 3]));

    let moved = auslese_model::Place { offset: 40, length: 20, ..record(4) };
    let rewriting = Rewriting {
        moved: vec![(CaptureId(4), moved.clone())],
        promoted: vec![CaptureId(2)],
        ..rewriting()
    };
    let gone = [RequestId(1), RequestId(1), RequestId(77)];
    let removed = catalog.remove(&gone, &rewriting, NOTE).await.unwrap();
    let expected = Removal {
        id: 1,
        at: NOW,
        request: RequestId(1),
        url: "http://h1.example/1".to_owned(),
        reason: "asked for by the author".to_owned(),
        by: "archivist".to_owned(),
        captures: 2,
        bytes: 2000,
        promoted: 1,
        bereft: 0,
        files: vec!["a.warc.gz".to_owned()],
    };
    assert_eq!(removed, [expected]);
    assert_eq!(catalog.removals().await.unwrap(), removed);

    assert_eq!(catalog.captures_of_request(RequestId(1)).await.unwrap(), []);
    assert_eq!(catalog.content(CaptureId(5)).await.unwrap(), None);
    assert_eq!(catalog.content(CaptureId(1)).await.unwrap(), None);
    assert_eq!(catalog.document_of(RequestId(1)).await.unwrap(), None);
    assert_eq!(catalog.versions_of(RequestId(1)).await.unwrap(), []);
    let leftovers = "SELECT CAST(COUNT(*) AS TEXT) FROM content_element WHERE capture_id IN (1, 5)";
    assert_eq!(harvest.place.texts(leftovers).await, [Some("0".to_owned())]);
    let request = catalog.request(RequestId(1)).await.unwrap().unwrap();
    assert_eq!((request.state, request.capture), (State::Refused, None));
    assert_eq!(request.cause, Some(cause(CauseKind::Removed, "asked for by the author")));

    let other = catalog.document_of(RequestId(4)).await.unwrap().unwrap().document;
    assert_eq!((other.near, other.duplicate_of, other.logical), (None, None, None));
    assert_eq!(catalog.versions_of(RequestId(4)).await.unwrap().len(), 1);
    let stays = catalog.capture(CaptureId(4)).await.unwrap().unwrap();
    assert_eq!(stays.capture.storage, Storage::Stored(moved));

    let after = catalog.status().await.unwrap();
    assert_eq!((after.captures, after.bytes), (before.captures - 2, before.bytes - 2000));
    assert_eq!(after.storage["stored"], before.storage["stored"] - 1);
    assert_eq!(after.storage["revisit"], before.storage["revisit"] - 1);
    assert_eq!(after.warc_bytes, 900_000);
    let queue = &catalog.server_queues(1).await.unwrap()[0];
    assert_eq!((queue.captures, queue.bytes), (3, 3000));
    assert_eq!(catalog.check().await.unwrap(), Vec::<String>::new());
}

async fn revisits_inherit_the_body(place: Database) {
    let harvest = harvest_of_four(place).await;
    let catalog = &harvest.catalog;
    let rewriting = Rewriting {
        moved: vec![(CaptureId(3), record(33))],
        promoted: vec![CaptureId(3)],
        ..rewriting()
    };
    catalog.remove(&[RequestId(1)], &rewriting, NOTE).await.unwrap();
    let storage = async |id| catalog.capture(CaptureId(id)).await.unwrap().unwrap().capture.storage;
    assert_eq!(storage(3).await, Storage::Stored(record(33)));
    assert_eq!(storage(2).await, Storage::Revisit { place: record(2), original: CaptureId(3) });
    let inherited = catalog.content(CaptureId(3)).await.unwrap().unwrap();
    assert_eq!(inherited, Content { capture: CaptureId(3), ..content(1, 1) });
    for request in [2, 3] {
        let document = catalog.document_of(RequestId(request)).await.unwrap().unwrap().document;
        assert_eq!(document.content, Some(CaptureId(3)));
        let facts = catalog.facts_of(RequestId(request)).await.unwrap().unwrap();
        assert_eq!(facts.content.unwrap().capture, CaptureId(3));
    }
    assert_eq!(catalog.contents_missing(CaptureId(0), 9, 2).await.unwrap(), []);
    assert_eq!(catalog.check().await.unwrap(), Vec::<String>::new());
}

async fn revisits_without_an_heir_say_so(place: Database) {
    let harvest = harvest_of_four(place).await;
    let catalog = &harvest.catalog;
    let removed = catalog.remove(&[RequestId(1), RequestId(2)], &rewriting(), NOTE).await.unwrap();
    assert_eq!(removed.iter().map(|removal| removal.bereft).collect::<Vec<_>>(), [1, 0]);
    let bereft = catalog.capture(CaptureId(3)).await.unwrap().unwrap();
    let Storage::HeaderOnly { reason } = bereft.capture.storage else { panic!("{bereft:?}") };
    assert_eq!(reason, "its body was removed with another document");
    let document = catalog.document_of(RequestId(3)).await.unwrap().unwrap().document;
    assert_eq!(document.content, None);
    let status = catalog.status().await.unwrap();
    assert_eq!(status.captures, 2);
    assert_eq!((status.storage["stored"], status.storage["revisit"]), (1, 0));
    assert_eq!(status.storage["header-only"], 1);
    assert_eq!(catalog.check().await.unwrap(), Vec::<String>::new());
}

async fn a_removed_address_is_not_taken_up_again(place: Database) {
    let mut harvest = harvest_of_four(place).await;
    harvest.catalog.remove(&[RequestId(4)], &rewriting(), NOTE).await.unwrap();
    assert_eq!(harvest.commit(Commit { offers: vec![offer(9, 1)], ..Default::default() }).await, 1);
    let known = Offer { id: RequestId(10), ..offer(4, 1) };
    assert_eq!(harvest.commit(Commit { offers: vec![known], ..Default::default() }).await, 0);
    let host = HostPattern::Domain(HostName::parse("example").unwrap());
    assert_eq!(harvest.catalog.reopen_requests(&host).await.unwrap(), 0);
    let round = harvest.catalog.open_round().await.unwrap().unwrap();
    harvest.catalog.end_round(round, NOW).await.unwrap();
    harvest.catalog.begin_recrawl(NOW).await.unwrap();
    assert_eq!(harvest.state(4).await, Some(State::Refused));
}

async fn nothing_is_said_of_a_removed_document(place: Database) {
    let harvest = harvest_of_four(place).await;
    let (catalog, run) = (&harvest.catalog, harvest.run);
    let new = NewDescribeRun {
        heuristics: "default",
        heuristics_digest: "h",
        heuristics_text: "",
        weights_digest: "w",
        weights_text: None,
    };
    catalog.begin_describe_run(run, new).await.unwrap();
    let statement = Statement {
        field: Field::Title,
        value: "Lebenslauf".to_owned(),
        parts: Vec::new(),
        weight: 0.5,
        initial: 0.5,
        rules: Vec::new(),
        place: Some(FoundAt::Outside("the address".to_owned())),
        origin: None,
        chosen: true,
    };
    let description = Description {
        statements: vec![statement],
        field_weights: Vec::new(),
        class: "other".to_owned(),
        trouble: None,
    };
    let described =
        |id| DescribedCapture { capture: CaptureId(id), description: description.clone() };
    catalog.store_descriptions(run, &[1, 4, 5].map(described)).await.unwrap();
    // Both on the body of capture 1, once looked at as document 1 and once as its copy.
    let mark = |capture, request, value: &str| Mark {
        capture: CaptureId(capture),
        request: RequestId(request),
        field: Some(Field::Title),
        value: Some(value.to_owned()),
        kind: MarkKind::Wrong,
        run: Some(run),
        by: "Anna".to_owned(),
        at: NOW,
        note: None,
    };
    let marks = [
        mark(1, 1, "a"),
        mark(1, 2, "b"),
        mark(1, 3, "c"),
        // The same as the last one, on a capture that stores nothing yet.
        mark(2, 2, "c"),
        mark(4, 4, "d"),
        mark(5, 1, "e"),
    ];
    catalog.set_marks(&marks).await.unwrap();
    let pair = |page, target| FullText {
        page: RequestId(page),
        target: RequestId(target),
        rule: "link".to_owned(),
        evidence: "Volltext".to_owned(),
    };
    catalog.store_full_texts(&[], &[pair(1, 2), pair(3, 1), pair(3, 4)]).await.unwrap();
    let home = |request, home| HomePage {
        request: RequestId(request),
        home: RequestId(home),
        by: HomePageBy::Root,
    };
    catalog.store_home_pages(&[], &[home(1, 2), home(3, 1), home(4, 2)]).await.unwrap();

    let citation = |capture, citing, cited| NewCitation {
        capture: CaptureId(capture),
        citing: RequestId(citing),
        entry: 1,
        text: "E. Meier, Ringe, 1999.".to_owned(),
        parts: Citation::default(),
        cited: Some(CitedDocument {
            request: RequestId(cited),
            score: 0.9,
            by: vec![CitationEvidence::Title],
        }),
    };
    let citations = [citation(1, 1, 4), citation(4, 4, 1)];
    catalog.store_citations(run, &[], &citations).await.unwrap();

    let rewriting = Rewriting { promoted: vec![CaptureId(2)], ..rewriting() };
    catalog.remove(&[RequestId(1)], &rewriting, NOTE).await.unwrap();
    assert_eq!(catalog.citations_of(run, CaptureId(1)).await.unwrap(), []);
    let left = catalog.citations_of(run, CaptureId(4)).await.unwrap();
    assert_eq!((left.len(), &left[0].cited), (1, &None));
    let left = catalog.descriptions(run, CaptureId(0), 9).await.unwrap();
    let left: Vec<i64> = left.iter().map(|listed| listed.described.capture.0).collect();
    assert_eq!(left, [4]);
    let statements = "SELECT CAST(capture_id AS TEXT) FROM statement";
    assert_eq!(harvest.place.texts(statements).await, [Some("4".to_owned())]);
    let mut left: Vec<(i64, Option<String>)> = catalog
        .marks(&MarkFilter::default(), 0, 9)
        .await
        .unwrap()
        .into_iter()
        .map(|stored| (stored.mark.capture.0, stored.mark.value))
        .collect();
    left.sort();
    let value = |text: &str| Some(text.to_owned());
    assert_eq!(left, [(2, value("b")), (2, value("c")), (4, value("d"))]);
    let texts = "SELECT CAST(target_id AS TEXT) FROM full_text";
    assert_eq!(harvest.place.texts(texts).await, [Some("4".to_owned())]);
    let homes = "SELECT CAST(request_id AS TEXT) FROM home_page";
    assert_eq!(harvest.place.texts(homes).await, [Some("4".to_owned())]);
    // The copy that stores the body now is to be described by itself.
    let again = catalog.to_describe(run, Describable::Pages, CaptureId(0), 9).await.unwrap();
    assert_eq!(again.iter().map(|stored| stored.capture.id.0).collect::<Vec<_>>(), [2]);
}

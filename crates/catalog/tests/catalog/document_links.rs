//! Links between documents: found by their keys, replaced with their content, counted at the target;
//! and redirects.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    links_lead_to_known_requests
    newer_contents_replace_links
    links_are_counted_at_their_target
    links_are_listed_at_both_ends
    documents_in_a_line
    the_last_captures_come_oldest_first
    removed_documents_take_their_links_along
    redirects_come_in_pages
}

fn link(capture: i64, request: i64, kind: TargetKind) -> ContentLink {
    ContentLink { capture: CaptureId(capture), target: offer(request, 1).key, kind, text: None }
}

fn page_link(capture: i64, request: i64) -> ContentLink {
    link(capture, request, TargetKind::Page)
}

/// Five pages of one server; 5 is a copy of 4, 3 is an error page.
async fn harvest_of_five(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let copy = Capture {
        storage: Storage::Revisit { place: record(5), original: CaptureId(4) },
        ..capture(5, 5, 1, run)
    };
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=6).map(|id| offer(id, 1)).collect(),
        captures: vec![
            capture(1, 1, 1, run),
            capture(2, 2, 1, run),
            Capture { status: 404, ..capture(3, 3, 1, run) },
            capture(4, 4, 1, run),
            copy,
        ],
        changes: (1..=5).map(|id| done(id, id)).collect(),
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let mut documents = [1, 2, 3, 4, 5].map(|id| document(id, Keeping::Kept, CorpusRule::All));
    documents[2] = document(3, Keeping::Left, CorpusRule::Status);
    documents[4].content = Some(CaptureId(4));
    harvest.catalog.store_documents(&documents, NOW).await.unwrap();
    harvest
}

async fn rows(harvest: &Harvest) -> Vec<String> {
    let sql = "SELECT CAST(capture_id AS TEXT) || ' ' || request_id || ' ' || kind \
               FROM content_link ORDER BY capture_id, request_id";
    harvest.place.texts(sql).await.into_iter().flatten().collect()
}

async fn links_lead_to_known_requests(place: Database) {
    let harvest = harvest_of_five(place).await;
    let links = [
        link(1, 2, TargetKind::Embedded),
        page_link(1, 2),
        link(1, 2, TargetKind::Frame),
        link(1, 6, TargetKind::Embedded),
        page_link(1, 99),
        link(2, 1, TargetKind::Frame),
    ];
    harvest.catalog.store_contents(&[content(1, 1), content(2, 2)], &links).await.unwrap();
    assert_eq!(rows(&harvest).await, ["1 2 page", "1 6 embedded", "2 1 frame"]);
    let view = "SELECT url || ' ' || kind || ' ' || links_to FROM document_links \
                WHERE request_id = 2 AND linked_id = 1";
    let line = "http://h1.example/2 frame http://h1.example/1";
    assert_eq!(harvest.place.texts(view).await, [Some(line.to_owned())]);
}

async fn newer_contents_replace_links(place: Database) {
    let harvest = harvest_of_five(place).await;
    let catalog = &harvest.catalog;
    let both = [content(1, 1), content(2, 2)];
    catalog.store_contents(&both, &[page_link(1, 2), page_link(2, 1)]).await.unwrap();
    catalog.store_contents(&both[..1], &[page_link(1, 4)]).await.unwrap();
    assert_eq!(rows(&harvest).await, ["1 4 page", "2 1 page"]);
    catalog.store_contents(&both[1..], &[]).await.unwrap();
    assert_eq!(rows(&harvest).await, ["1 4 page"]);
}

async fn links_are_counted_at_their_target(place: Database) {
    let mut harvest = harvest_of_five(place).await;
    let links = [
        page_link(1, 2),
        page_link(4, 2),
        page_link(2, 2),
        page_link(3, 2),
        link(1, 4, TargetKind::Frame),
        link(2, 1, TargetKind::Embedded),
        page_link(1, 3),
        page_link(1, 6),
    ];
    let contents = [1, 2, 3, 4].map(|id| content(id, id));
    harvest.catalog.store_contents(&contents, &links).await.unwrap();
    // 2: by 1 and by 4 with its copy; not by itself, nor by the error page.
    let expected = [(1, 0), (2, 2), (3, 1), (4, 1), (6, 1), (99, 0)];
    for (request, count) in expected {
        let links_in = harvest.catalog.links_in(RequestId(request)).await.unwrap();
        assert_eq!(links_in, count, "{request}");
    }
    let row = |id: i64, links_in| LinkRow {
        url: format!("http://h1.example/{id}"),
        links_in,
        links_out: 4,
    };
    // Error pages and what was never fetched are no documents.
    assert_eq!(harvest.catalog.link_table(9).await.unwrap(), [row(2, 2), row(4, 1)]);
    assert_eq!(harvest.catalog.link_table(1).await.unwrap(), [row(2, 2)]);

    // A new version of 1 without links: what the old one linked to does not count any more.
    let newer = Commit {
        captures: vec![capture(11, 1, 1, harvest.run)],
        changes: vec![done(1, 11)],
        ..Default::default()
    };
    harvest.commit(newer).await;
    let newer = Document {
        capture: Some(CaptureId(11)),
        content: Some(CaptureId(11)),
        ..document(1, Keeping::Kept, CorpusRule::All)
    };
    let catalog = &harvest.catalog;
    catalog.store_contents(&[content(11, 11)], &[]).await.unwrap();
    catalog.store_documents(&[newer], NOW).await.unwrap();
    assert_eq!(catalog.link_table(9).await.unwrap(), [row(2, 1)]);
}

async fn links_are_listed_at_both_ends(place: Database) {
    let harvest = harvest_of_five(place).await;
    let called = ContentLink { text: Some("Zur Zwei".to_owned()), ..page_link(4, 2) };
    let links = [
        page_link(1, 2),
        called,
        page_link(2, 2),
        page_link(3, 2),
        link(1, 4, TargetKind::Frame),
        link(1, 6, TargetKind::Embedded),
    ];
    let contents = [1, 2, 3, 4].map(|id| content(id, id));
    harvest.catalog.store_contents(&contents, &links).await.unwrap();
    let catalog = &harvest.catalog;
    let short = |links: Vec<DocumentLink>| -> Vec<String> {
        let line = |it: DocumentLink| {
            format!("{} {} {}", it.request.0, it.kind.as_str(), it.text.unwrap_or_default())
        };
        links.into_iter().map(line).collect()
    };
    // Not by itself, nor by the error page; by 4 and by its copy.
    let to_two = ["1 page ", "4 page Zur Zwei", "5 page Zur Zwei"];
    assert_eq!(short(catalog.links_to(RequestId(2), 0, 9).await.unwrap()), to_two);
    assert_eq!(short(catalog.links_to(RequestId(2), 1, 1).await.unwrap()), to_two[1..2]);
    assert_eq!(catalog.count_links_to(RequestId(2), 9).await.unwrap(), 3);
    assert_eq!(catalog.count_links_to(RequestId(2), 2).await.unwrap(), 2);
    assert_eq!(catalog.count_links_to(RequestId(6), 9).await.unwrap(), 0, "embedded only");
    let from_one = ["2 page ", "4 frame ", "6 embedded "];
    assert_eq!(short(catalog.links_from(CaptureId(1), 9).await.unwrap()), from_one);
    assert_eq!(short(catalog.links_from(CaptureId(1), 2).await.unwrap()), from_one[..2]);
}

async fn documents_in_a_line(place: Database) {
    let harvest = harvest_of_five(place).await;
    let titled = Content { title: Some("Eins".to_owned()), ..content(1, 1) };
    harvest.catalog.store_contents(&[titled], &[]).await.unwrap();
    let asked = [1, 3, 6, 77, 1].map(RequestId);
    let brief = harvest.catalog.brief_documents(&asked, None).await.unwrap();
    let line = |id: i64| {
        let it = &brief[&RequestId(id)];
        (it.title.as_deref(), it.keeping, it.is_there, it.state)
    };
    assert_eq!(brief.len(), 3);
    assert_eq!(line(1), (Some("Eins"), Some(Keeping::Kept), true, State::Done));
    assert_eq!(line(3), (None, Some(Keeping::Left), false, State::Done));
    assert_eq!(line(6), (None, None, false, State::Queued));
}

async fn the_last_captures_come_oldest_first(place: Database) {
    let mut harvest = harvest_of_five(place).await;
    let run = harvest.run;
    // The order is that of time, whatever the numbers say.
    let at = |id: i64, when: i64| Capture { at: seconds(when), ..capture(id, 1, 1, run) };
    let commit = Commit {
        captures: vec![at(11, 30), at(12, 20)],
        changes: vec![done(1, 11)],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let numbers = |captures: Vec<StoredCapture>| -> Vec<i64> {
        captures.into_iter().map(|stored| stored.capture.id.0).collect()
    };
    let catalog = &harvest.catalog;
    assert_eq!(numbers(catalog.last_captures_of(RequestId(1), 2).await.unwrap()), [12, 11]);
    assert_eq!(numbers(catalog.last_captures_of(RequestId(6), 2).await.unwrap()), [0; 0]);
    assert_eq!(catalog.count_captures_of(RequestId(1)).await.unwrap(), 3);
}

async fn removed_documents_take_their_links_along(place: Database) {
    let harvest = harvest_of_five(place).await;
    let catalog = &harvest.catalog;
    let contents = [1, 2, 4].map(|id| content(id, id));
    let links = [page_link(1, 2), page_link(2, 1), page_link(2, 4), page_link(4, 2)];
    catalog.store_contents(&contents, &links).await.unwrap();
    let note = RemovalNote { reason: "asked for", by: "archivist", at: NOW };
    catalog.remove(&[RequestId(1)], &Rewriting::default(), note).await.unwrap();
    assert_eq!(rows(&harvest).await, ["2 4 page", "4 2 page"]);
    let promoted = vec![CaptureId(5)];
    let rewriting = Rewriting { promoted, ..Rewriting::default() };
    catalog.remove(&[RequestId(4)], &rewriting, note).await.unwrap();
    assert_eq!(rows(&harvest).await, ["5 2 page"]);
}

async fn redirects_come_in_pages(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let answer = |id, status, location: Option<&str>| Capture {
        status,
        fields: HeaderFields { location: location.map(str::to_owned), ..Default::default() },
        ..capture(id, id, 1, run)
    };
    let head =
        Offer { request: Request { method: Method::Head, ..offer(6, 1).request }, ..offer(6, 1) };
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=5).map(|id| offer(id, 1)).chain([head, offer(7, 1)]).collect(),
        captures: vec![
            answer(1, 301, Some("/2")),
            answer(2, 200, Some("/3")),
            answer(3, 302, None),
            answer(4, 308, Some("http://x.example/ä")),
            answer(5, 301, Some("/1")),
            answer(15, 200, None),
            answer(6, 301, Some("/1")),
            answer(7, 303, Some("")),
        ],
        changes: [(1, 1), (2, 2), (3, 3), (4, 4), (5, 15), (6, 6), (7, 7)]
            .map(|(request, capture)| done(request, capture))
            .to_vec(),
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let mut found = harvest.catalog.redirects(RequestId(0), 2).await.unwrap();
    found.extend(harvest.catalog.redirects(RequestId(4), 2).await.unwrap());
    let redirect = |id: i64, location: &str| Redirect {
        request: RequestId(id),
        url: format!("http://h1.example/{id}"),
        location: location.to_owned(),
    };
    assert_eq!(found, [redirect(1, "/2"), redirect(4, "http://x.example/ä"), redirect(7, "")]);
}

//! What surrounds descriptions: marks of people, full texts, home pages and the words of links.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    marks_come_back
    the_newest_mark_holds
    marks_outlive_runs
    full_texts_and_home_pages
    words_of_links_are_counted
}

fn mark(capture: i64, field: Option<Field>, value: Option<&str>, kind: MarkKind) -> Mark {
    Mark {
        capture: CaptureId(capture),
        request: RequestId(capture),
        field,
        value: value.map(str::to_owned),
        kind,
        run: None,
        by: "Anna".to_owned(),
        at: NOW,
        note: None,
    }
}

async fn all(catalog: &Catalog) -> Vec<Mark> {
    let marks = catalog.marks(&MarkFilter::default(), 0, 99).await.unwrap();
    marks.into_iter().map(|stored| stored.mark).collect()
}

async fn marks_come_back(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit { servers: servers([1]), offers: vec![offer(1, 1)], ..Commit::default() };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let title = Some(Field::Title);
    let long = "ä".repeat(10_000);
    let full = Mark {
        run: Some(harvest.run),
        note: Some("steht unten".to_owned()),
        ..mark(1, title, Some(&long), MarkKind::Missing)
    };
    let marks = [
        full.clone(),
        mark(1, title, None, MarkKind::Absent),
        mark(1, title, Some(""), MarkKind::Wrong),
        mark(1, None, None, MarkKind::Relevant),
        mark(1, Some(Field::Author), Some("Zoe"), MarkKind::Right),
        Mark {
            by: "Bert".to_owned(),
            ..mark(2, Some(Field::Author), Some("Zoe"), MarkKind::Wrong)
        },
    ];
    catalog.set_marks(&marks).await.unwrap();
    let mut found = all(catalog).await;
    assert_eq!(found.len(), marks.len());
    found.retain(|mark| !marks.contains(mark));
    assert_eq!(found, []);

    let filter = MarkFilter::default();
    let run = Some(harvest.run);
    let cases = [
        (MarkFilter { capture: Some(CaptureId(2)), ..filter.clone() }, 1),
        (MarkFilter { request: Some(RequestId(1)), ..filter.clone() }, 5),
        (MarkFilter { field: Some(Field::Author), ..filter.clone() }, 2),
        (MarkFilter { kind: Some(MarkKind::Wrong), ..filter.clone() }, 2),
        (MarkFilter { by: Some("Bert".to_owned()), ..filter.clone() }, 1),
        (MarkFilter { run, ..filter.clone() }, 1),
        (MarkFilter { run, field: Some(Field::Author), ..filter.clone() }, 0),
    ];
    for (filter, count) in cases {
        assert_eq!(catalog.marks(&filter, 0, 99).await.unwrap().len(), count, "{filter:?}");
    }
    let first = catalog.marks(&filter, 0, 4).await.unwrap();
    assert_eq!(first[0].url, "http://h1.example/1");
    let rest = catalog.marks(&filter, first[3].id, 4).await.unwrap();
    assert_eq!((first.len(), rest.len()), (4, 2));
    let shown = "SELECT url FROM marks WHERE marked = '2026-11-15T21:40:00Z' AND note IS NOT NULL";
    assert_eq!(harvest.place.texts(shown).await, [Some("http://h1.example/1".to_owned())]);

    let ids: Vec<i64> = rest.iter().map(|stored| stored.id).collect();
    assert_eq!(catalog.remove_marks(&ids).await.unwrap(), 2);
    assert_eq!(catalog.remove_marks(&ids).await.unwrap(), 0);
    assert_eq!(all(catalog).await.len(), 4);
}

async fn the_newest_mark_holds(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let said = |kind, after| Mark {
        at: seconds(after),
        ..mark(1, Some(Field::Title), Some("a\0b"), kind)
    };
    let stored = Mark { value: Some("a\u{2400}b".to_owned()), ..said(MarkKind::Wrong, 5) };
    catalog.set_marks(&[said(MarkKind::Right, 1)]).await.unwrap();
    let id = catalog.marks(&MarkFilter::default(), 0, 9).await.unwrap()[0].id;
    catalog.set_marks(&[said(MarkKind::Wrong, 5), said(MarkKind::Missing, 3)]).await.unwrap();
    catalog.set_marks(&[said(MarkKind::Right, 4)]).await.unwrap();
    // As it came back.
    catalog.set_marks(std::slice::from_ref(&stored)).await.unwrap();
    assert_eq!(all(catalog).await, [stored]);
    assert_eq!(catalog.marks(&MarkFilter::default(), 0, 9).await.unwrap()[0].id, id);
    catalog.set_marks(&[]).await.unwrap();
}

async fn marks_outlive_runs(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let new = NewDescribeRun {
        heuristics: "carmen",
        heuristics_digest: "h",
        heuristics_text: "",
        weights_digest: "w",
        weights_text: None,
    };
    catalog.begin_describe_run(harvest.run, new).await.unwrap();
    let of_run = mark(1, Some(Field::Title), Some("a"), MarkKind::Right);
    catalog.set_marks(&[Mark { run: Some(harvest.run), ..of_run.clone() }]).await.unwrap();
    assert!(catalog.remove_describe_run(harvest.run).await.unwrap());
    assert_eq!(all(catalog).await, [of_run]);
}

async fn full_texts_and_home_pages(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let offers = (1..=4).map(|id| offer(id, 1)).collect();
    harvest.commit(Commit { servers: servers([1]), offers, ..Commit::default() }).await;
    let catalog = &harvest.catalog;
    let pair = |page, target, rule: &str| FullText {
        page: RequestId(page),
        target: RequestId(target),
        rule: rule.to_owned(),
        evidence: "citation_pdf_url".to_owned(),
    };
    let pairs = [pair(1, 3, "meta"), pair(1, 2, "meta"), pair(4, 3, "link"), pair(4, 3, "oai")];
    catalog.store_full_texts(&[], &pairs).await.unwrap();
    let of = async |page| catalog.full_texts_of(RequestId(page)).await.unwrap();
    assert_eq!(of(1).await, [pair(1, 2, "meta"), pair(1, 3, "meta")]);
    let pages = catalog.landing_pages_of(RequestId(3)).await.unwrap();
    assert_eq!(pages, [pair(1, 3, "meta"), pair(4, 3, "oai")]);
    catalog.store_full_texts(&[RequestId(4)], &[pair(1, 2, "link")]).await.unwrap();
    assert_eq!((of(1).await, of(4).await), (vec![pair(1, 2, "link")], vec![]));
    let shown = "SELECT full_text FROM full_texts WHERE url = 'http://h1.example/1'";
    assert_eq!(harvest.place.texts(shown).await, [Some("http://h1.example/2".to_owned())]);

    let home =
        |request, home, by| HomePage { request: RequestId(request), home: RequestId(home), by };
    let homes = [
        home(1, 3, HomePageBy::Root),
        home(2, 3, HomePageBy::HomeLink),
        home(4, 3, HomePageBy::Ancestor),
    ];
    catalog.store_home_pages(&[], &homes).await.unwrap();
    let moved = home(1, 4, HomePageBy::Ancestor);
    catalog.store_home_pages(&[RequestId(2)], &[moved]).await.unwrap();
    let asked: Vec<RequestId> = (1..=200).map(RequestId).collect();
    let found = catalog.home_pages_of(&asked).await.unwrap();
    assert_eq!(found, [(RequestId(1), moved), (RequestId(4), homes[2])].into());
    assert_eq!(catalog.home_page_of(RequestId(1)).await.unwrap(), Some(moved));
    assert_eq!(catalog.home_page_of(RequestId(2)).await.unwrap(), None);
    let shown = "SELECT home_page FROM home_pages WHERE how = 'ancestor' ORDER BY url";
    let expected = ["http://h1.example/4", "http://h1.example/3"].map(|url| Some(url.to_owned()));
    assert_eq!(harvest.place.texts(shown).await, expected);
}

async fn words_of_links_are_counted(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=99).map(|id| offer(id, 1)).collect(),
        captures: (1..=6).map(|id| capture(id, id, 1, run)).collect(),
        warcs: vec![warc()],
        ..Commit::default()
    };
    harvest.commit(commit).await;
    let link = |capture, request, kind, text: &str| ContentLink {
        capture: CaptureId(capture),
        target: offer(request, 1).key,
        kind,
        text: (!text.is_empty()).then(|| text.to_owned()),
    };
    let page = TargetKind::Page;
    let links = [
        link(1, 7, page, "Über uns"),
        link(2, 7, page, "Zuletzt"),
        link(3, 7, page, "Über uns"),
        link(4, 7, page, "Institut"),
        link(5, 7, page, ""),
        // Two spellings of one address: the first words count.
        link(5, 7, TargetKind::Embedded, "an"),
        link(5, 7, page, "institut"),
        link(6, 7, TargetKind::Frame, "Rahmen"),
        link(1, 99, page, "Ende"),
        link(2, 8, page, ""),
    ];
    let contents: Vec<Content> = (1..=6).map(|id| content(id, id)).collect();
    harvest.catalog.store_contents(&contents, &links).await.unwrap();
    let asked: Vec<RequestId> = (1..=99).chain([7]).map(RequestId).collect();
    let told = |texts: &[(&str, u64)]| -> Vec<(String, u64)> {
        texts.iter().map(|(text, pages)| ((*text).to_owned(), *pages)).collect()
    };
    let texts = harvest.catalog.anchor_texts(&asked, 9).await.unwrap();
    assert_eq!(texts.keys().copied().collect::<Vec<_>>(), [RequestId(7), RequestId(99)]);
    let expected = [("Über uns", 2), ("Institut", 1), ("Zuletzt", 1), ("an", 1)];
    assert_eq!(texts[&RequestId(7)], told(&expected));
    assert_eq!(texts[&RequestId(99)], told(&[("Ende", 1)]));
    let texts = harvest.catalog.anchor_texts(&asked, 2).await.unwrap();
    assert_eq!(texts[&RequestId(7)], told(&expected[..2]));
    assert!(harvest.catalog.anchor_texts(&[], 2).await.unwrap().is_empty());
}

//! What people ask: how far is it, what failed, how was this found, please stop.

use crate::support::*;
use auslese_catalog::FailureGroup;
use auslese_model::*;
use serde_json::json;
use std::collections::BTreeMap;

on_both_engines! {
    status_counts_everything
    failures_are_grouped
    traps_are_told_by_template
    a_url_has_a_history
    notes_reach_the_crawl_once
    the_manual_tells_the_truth
}

async fn status_counts_everything(place: Database) {
    let mut harvest = Harvest::new(place).await;
    assert_eq!(harvest.catalog.status().await.unwrap().requests.len(), State::ALL.len());
    let run = harvest.run;
    let status = |id, status| Capture { status, ..capture(id, id, 1, run) };
    let bare = Storage::HeaderOnly { reason: "size".to_owned() };
    for (window, statuses) in [[200, 200, 404], [206, 500, 0]].into_iter().enumerate() {
        let first = window as i64 * 10 + 1;
        let numbers = first..first + 3;
        let commit = Commit {
            servers: if window == 0 { servers([1, 2]) } else { Vec::new() },
            offers: numbers.clone().map(|id| offer(id, 1)).chain([parked(first + 5, 2)]).collect(),
            captures: numbers
                .clone()
                .zip(statuses)
                .map(|(id, code)| Capture { storage: bare.clone(), ..status(id, code) })
                .collect(),
            changes: vec![done(first, first)],
            warcs: vec![warc()],
            ..Default::default()
        };
        harvest.commit(commit).await;
    }
    harvest.lease("w", 1).await;
    let status = harvest.catalog.status().await.unwrap();
    #[rustfmt::skip]
    let expected = [
        (State::Queued, 4), (State::Parked, 2), (State::Done, 2), (State::Failed, 0), (State::Refused, 0),
    ];
    assert_eq!(status.requests, BTreeMap::from(expected));
    assert_eq!((status.captures, status.bytes), (6, 6000));
    assert_eq!(status.status_classes(), BTreeMap::from([(0, 1), (2, 3), (4, 1), (5, 1)]));
    assert_eq!(status.storage, BTreeMap::from([("header-only".to_owned(), 6)]));
    assert_eq!((status.servers, status.waiting_servers, status.leased_servers), (2, 1, 1));
    assert_eq!((status.warc_files, status.warc_bytes), (1, 1_000_000));
}

async fn failures_are_grouped(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let failed = |id, kind, detail: &str| change(id, Change::Failed { cause: cause(kind, detail) });
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=6).map(|id| offer(id, 1)).collect(),
        changes: vec![
            failed(1, CauseKind::Timeout, "connect"),
            failed(2, CauseKind::Timeout, "header"),
            failed(3, CauseKind::Tls, "handshake"),
            change(4, Change::Refused { cause: cause(CauseKind::Robots, "/cgi-bin") }),
        ],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let groups = harvest.catalog.failures().await.unwrap();
    let shown: Vec<_> = groups
        .iter()
        .map(|group| (group.state, group.kind, group.requests, group.detail.as_str()))
        .collect();
    #[rustfmt::skip]
    assert_eq!(shown, [
        (State::Failed,  CauseKind::Timeout, 2, "header"),
        (State::Failed,  CauseKind::Tls,     1, "handshake"),
        (State::Refused, CauseKind::Robots,  1, "/cgi-bin"),
    ]);
    assert_eq!(groups[0].example, "http://h1.example/2");
    assert_eq!(harvest.catalog.status().await.unwrap().failures, groups);
}

async fn traps_are_told_by_template(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let trap = |id, template: &str| {
        change(id, Change::Refused { cause: cause(CauseKind::Trap, template) })
    };
    let mut templates = vec![
        trap(1, "/kalender/{date}"),
        trap(2, "/kalender/{date}"),
        trap(3, "/kalender/{date}"),
        trap(4, "/liste?*"),
        change(5, Change::Refused { cause: cause(CauseKind::Robots, "/cgi-bin") }),
        trap(6, "/kalender/{date}"),
        trap(7, "/kalender/{date}"),
    ];
    templates.extend((8..=40).map(|id| trap(id, &format!("/{id}/#.html"))));
    let commit = Commit {
        servers: servers([1, 2]),
        offers: (1..=40).map(|id| offer(id, if id == 6 || id == 7 { 2 } else { 1 })).collect(),
        changes: templates,
        ..Default::default()
    };
    harvest.commit(commit).await;
    let groups = harvest.catalog.failures().await.unwrap();
    let shown = |at: usize| {
        let FailureGroup { requests, detail, example, .. } = &groups[at];
        (*requests, detail.as_str(), example.as_str())
    };
    assert_eq!(shown(0), (3, "/kalender/{date}", "http://h1.example/3"));
    assert_eq!(shown(1), (2, "/kalender/{date}", "http://h2.example/7"));
    assert_eq!(shown(2), (1, "/liste?*", "http://h1.example/4"));
    assert_eq!(shown(20), (16, "16 further templates", "http://h1.example/25"));
    assert_eq!((shown(21), groups.len()), ((1, "/cgi-bin", "http://h1.example/5"), 22));
    assert_eq!(groups.iter().map(|group| group.requests).sum::<u64>(), 40);
}

async fn a_url_has_a_history(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let via = |id: i64, via: i64| Offer { via: Some(RequestId(via)), ..offer(id, 1) };
    // Found under a spelling that differs from its canonical form; and a circle, as archives of
    // others may have.
    let odd = Offer { key: RequestKey([9; 16]), ..via(4, 3) };
    let offers = vec![offer(1, 1), via(2, 1), via(3, 2), odd, via(5, 6), via(6, 5)];
    harvest.commit(Commit { servers: servers([1]), offers, ..Default::default() }).await;

    let catalog = &harvest.catalog;
    for id in [3, 4] {
        let found = catalog.find_requests(&format!("http://h1.example/{id}")).await.unwrap();
        assert_eq!(found.iter().map(|known| known.id.0).collect::<Vec<_>>(), [id]);
        assert_eq!((found[0].found_at, found[0].hops.0.as_str()), (NOW, "L"));
    }
    assert_eq!(catalog.find_requests("http://h1.example/nothing").await.unwrap(), []);
    #[rustfmt::skip]
    let below = [
        ("h1.example", "http://h1.example/",  6),
        ("h1.example", "http://h1.example/4", 1),
        ("h1.example", "http://h1.example/_", 0),
        ("h1.example", "http://h1.example/%", 0),
        ("h2.example", "http://h1.example/",  0),
    ];
    for (host, beginning, count) in below {
        let found = catalog.addresses_below(host, beginning).await.unwrap();
        assert_eq!(found.len(), count, "{beginning} of {host}: {found:?}");
        assert!(found.is_sorted() && found.iter().all(|url| url.starts_with(beginning)));
    }
    let urls = [1, 4, 99].map(|id| format!("http://h1.example/{id}"));
    let mut ids: Vec<i64> =
        catalog.requests_for_any(&urls).await.unwrap().iter().map(|known| known.id.0).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 4]);
    let chain = catalog.via_chain(RequestId(4)).await.unwrap();
    assert_eq!(chain.iter().map(|known| known.id.0).collect::<Vec<_>>(), [4, 3, 2, 1]);
    let circle = catalog.via_chain(RequestId(5)).await.unwrap();
    assert_eq!(circle.iter().map(|known| known.id.0).collect::<Vec<_>>(), [5, 6]);
    assert_eq!(catalog.via_chain(RequestId(99)).await.unwrap(), []);
}

async fn notes_reach_the_crawl_once(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    assert_eq!(catalog.read_control().await.unwrap(), []);
    let other = auslese_catalog::Catalog::open(&harvest.place.location, &settings()).await.unwrap();
    let body = json!({"prefix": "http://h1.example/calendar/"});
    let first = other.write_control("exclude", &body, NOW).await.unwrap();
    other.write_control("pause", &json!(null), NOW).await.unwrap();
    harvest
        .place
        .sql("INSERT INTO control (id, written_at, kind, body) VALUES (99, 0, 'note', 'by hand')")
        .await;
    let notes = catalog.read_control().await.unwrap();
    assert_eq!((notes[0].id, notes[0].kind.as_str(), &notes[0].body), (first, "exclude", &body));
    assert_eq!(notes[2].body, json!("by hand"));
    catalog.apply_control(first, seconds(1)).await.unwrap();
    let left = catalog.read_control().await.unwrap();
    assert_eq!(left.iter().map(|note| note.kind.as_str()).collect::<Vec<_>>(), ["pause", "note"]);
}

/// Every query of the manual runs, and every table, column and view is in it.
async fn the_manual_tells_the_truth(place: Database) {
    let manual = include_str!("../../../../docs/catalog.md");
    let corpus = include_str!("../../../../docs/corpus.md");
    let monitor = include_str!("../../../../docs/monitor.md");
    let harvest = Harvest::new(place).await;
    for page in [manual, corpus, monitor] {
        let mut queries = 0;
        for query in page.split("\n    SELECT ").skip(1) {
            let (query, _) = query.split_once(';').unwrap();
            harvest.place.sql(&format!("SELECT {query}")).await;
            queries += 1;
        }
        assert!(queries > 3, "{queries}");
    }
    let columns = if harvest.place.is_file() {
        "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
         WHERE m.type = 'table'"
    } else {
        "SELECT table_name || '.' || column_name FROM information_schema.columns \
         JOIN information_schema.tables USING (table_schema, table_name) \
         WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
    };
    for name in harvest.place.texts(columns).await.into_iter().flatten() {
        let (table, column) = name.split_once('.').unwrap();
        assert!(manual.contains(&format!("`{column}`")), "{name}");
        assert!(manual.contains(table), "{name}");
    }
    let views = if harvest.place.is_file() {
        "SELECT name FROM sqlite_master WHERE type = 'view'"
    } else {
        "SELECT table_name::text FROM information_schema.views WHERE table_schema = 'public'"
    };
    let views: Vec<String> = harvest.place.texts(views).await.into_iter().flatten().collect();
    assert!(views.len() > 10, "{views:?}");
    for view in views {
        assert!(manual.contains(&format!("| `{view}` |")), "{view}");
        harvest.place.sql(&format!("SELECT * FROM {view}")).await;
    }
}

//! Databases: noted once, asked again, with their values and records.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use serde_json::json;

on_both_engines! {
    a_database_is_noted_once
    what_asking_brought_replaces_what_was_there
    records_are_known_by_their_identifier
    questions_are_not_put_again_by_a_recrawl
}

fn form(url: &str) -> NewDatabase {
    NewDatabase {
        kind: DatabaseKind::Form,
        cooperation: Cooperation::Restricted,
        url: url.to_owned(),
        host: "a.example".to_owned(),
        capture: Some(CaptureId(1)),
        title: Some("Hotels".to_owned()),
        about: vec![("Description".to_owned(), "Hotelführer".to_owned())],
        plan: json!({ "method": "GET" }),
        planned: Some(12),
        refusal: None,
        problems: json!([]),
    }
}

fn asked(run: RunId, values: &[&str]) -> Asked {
    let stored = |value: &&str| StoredValue {
        value: (*value).to_owned(),
        query: Some(format!("http://a.example/s?q={value}")),
    };
    Asked {
        run,
        at: NOW,
        complete: true,
        title: None,
        queries: 12,
        pages: 13,
        failed: 1,
        requests: 14,
        bytes: 1_000,
        truncated: Some(100),
        stopped: None,
        coverage: Some(0.5),
        next_from: None,
        problems: json!([{ "code": "W_TRUNCATED" }]),
        attributes: Some(vec![("ort".to_owned(), values.iter().map(stored).collect())]),
    }
}

async fn a_database_is_noted_once(place: Database) {
    let catalog = &Harvest::new(place).await.catalog;
    let long = format!("http://a.example/{}", "ä".repeat(5_000));
    let first = [form("http://a.example/"), form(&long)];
    let ids = catalog.note_databases(&first, NOW).await.unwrap();
    let again = NewDatabase { planned: None, refusal: Some("why".to_owned()), ..form(&long) };
    let other = NewDatabase { kind: DatabaseKind::OaiPmh, ..form("http://a.example/") };
    let more = catalog.note_databases(&[again.clone(), other.clone()], seconds(9)).await.unwrap();
    assert_eq!(more[0], ids[1]);
    let all = catalog.hidden_databases(DatabaseId(0), 9).await.unwrap();
    assert_eq!(all.iter().map(|it| it.id).collect::<Vec<_>>(), [ids[0], ids[1], more[1]]);
    assert_eq!((&all[1].new, all[1].found_at), (&again, NOW));
    let here = catalog.hidden_databases_at("http://a.example/").await.unwrap();
    assert_eq!(here.iter().map(|it| &it.new).collect::<Vec<_>>(), [&first[0], &other]);
    let chosen = async |filter: DatabaseFilter| {
        let (total, found) = catalog.chosen_databases(&filter, ids[0], 9).await.unwrap();
        (total, found.iter().map(|it| it.id).collect::<Vec<_>>())
    };
    let kind = Some(DatabaseKind::OaiPmh);
    let cooperation = Some(Cooperation::Full);
    let host = |name: &str| Some(name.to_owned());
    assert_eq!(chosen(DatabaseFilter::default()).await, (3, vec![ids[1], more[1]]));
    let records = DatabaseFilter { kind, host: host("a.example"), ..DatabaseFilter::default() };
    assert_eq!(chosen(records).await, (1, vec![more[1]]));
    assert_eq!(chosen(DatabaseFilter { cooperation, ..DatabaseFilter::default() }).await.0, 0);
    let elsewhere = DatabaseFilter { host: host("b.example"), ..DatabaseFilter::default() };
    assert_eq!(chosen(elsewhere).await.0, 0);
    assert_eq!(catalog.spotted_until().await.unwrap(), CaptureId(0));
    catalog.set_spotted_until(CaptureId(7)).await.unwrap();
    assert_eq!(catalog.spotted_until().await.unwrap(), CaptureId(7));
}

async fn what_asking_brought_replaces_what_was_there(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let id = catalog.note_databases(&[form("http://a.example/")], NOW).await.unwrap()[0];
    assert_eq!(catalog.begin_asking(id, NOW).await.unwrap(), NOW);
    assert_eq!(catalog.begin_asking(id, seconds(5)).await.unwrap(), NOW, "an interruption");
    catalog.store_asked(id, &asked(harvest.run, &["Waren", "50%_!", "Köln"])).await.unwrap();
    let known = catalog.hidden_database(id).await.unwrap().unwrap();
    assert_eq!((known.asking_since, known.asked_at, known.queries), (None, Some(NOW), 12));
    assert_eq!((known.truncated, known.coverage, known.complete), (Some(100), Some(0.5), true));
    assert_eq!(catalog.begin_asking(id, seconds(5)).await.unwrap(), seconds(5));
    catalog.store_asked(id, &asked(harvest.run, &["Öhringen", "Ulm"])).await.unwrap();
    for text in ["Öhr", "ULM", "hRiNg"] {
        assert_eq!(catalog.hidden_matches(id, text, 9).await.unwrap().len(), 1, "{text}");
    }
    catalog.store_asked(id, &asked(harvest.run, &["50%_!", "5000"])).await.unwrap();
    let counts = catalog.hidden_attributes(id).await.unwrap();
    assert_eq!(counts, [AttributeCount { attribute: "ort".to_owned(), values: 2 }]);
    let values = catalog.hidden_values(id, "ort", 1, 9).await.unwrap();
    assert_eq!(values[0].value, "5000");
    let found = catalog.hidden_matches(id, "50%_!", 9).await.unwrap();
    assert_eq!(found.len(), 1, "signs of LIKE are letters here: {found:?}");
    let early = Asked { complete: false, ..asked(harvest.run, &["50%_!"]) };
    catalog.store_asked(id, &early).await.unwrap();
    assert_eq!(catalog.hidden_values(id, "ort", 0, 9).await.unwrap().len(), 2, "fewer, and early");
    let unchanged = Asked { attributes: None, ..asked(harvest.run, &[]) };
    catalog.store_asked(id, &unchanged).await.unwrap();
    assert_eq!(catalog.hidden_values(id, "ort", 0, 9).await.unwrap().len(), 2);
    catalog.refuse_asking(id, "closed").await.unwrap();
    let known = catalog.hidden_database(id).await.unwrap().unwrap();
    assert_eq!(known.new.refusal.as_deref(), Some("closed"));
}

async fn records_are_known_by_their_identifier(place: Database) {
    let catalog = &Harvest::new(place).await.catalog;
    let id = catalog.note_databases(&[form("http://a.example/oai")], NOW).await.unwrap()[0];
    let record = |number: u32, title: &str| NewRecord {
        identifier: format!("oai:a:{number}"),
        datestamp: "2001-01-01".to_owned(),
        deleted: false,
        url: None,
        fields: vec![("title".to_owned(), title.to_owned())],
    };
    let first = [record(1, "Eins"), record(2, "Zwei")];
    assert_eq!(catalog.store_records(id, &first, NOW).await.unwrap(), 2);
    let gone = NewRecord { deleted: true, ..record(2, "Zwei") };
    let second = [record(1, "Eins"), gone.clone(), record(3, "Drei")];
    assert_eq!(catalog.store_records(id, &second, seconds(1)).await.unwrap(), 2);
    assert_eq!(catalog.count_records(id).await.unwrap(), (3, 1));
    let stored = catalog.records_of(id, 0, 9).await.unwrap();
    let kept: Vec<&NewRecord> = stored.iter().map(|it| &it.record).collect();
    assert_eq!(kept, [&second[0], &gone, &second[2]]);
    assert_eq!((stored[0].stored_at, stored[1].stored_at), (NOW, seconds(1)));
    assert_eq!(catalog.hidden_records(stored[0].id, 1).await.unwrap(), [stored[1].clone()]);
    assert_eq!(catalog.hidden_record(stored[2].id).await.unwrap().as_ref(), Some(&stored[2]));
}

async fn questions_are_not_put_again_by_a_recrawl(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let mut question = offer(2, 1);
    question.hops = HopPath("LQ".to_owned());
    let commit = Commit {
        servers: servers([1]),
        offers: vec![offer(1, 1), question],
        captures: vec![capture(1, 1, 1, harvest.run), capture(2, 2, 1, harvest.run)],
        changes: vec![done(1, 1), done(2, 2)],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    assert_eq!(harvest.catalog.begin_recrawl(seconds(9)).await.unwrap().requests, 1);
}

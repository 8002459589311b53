//! What people say to each other, and the log of what they changed.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::Timestamp;
use serde_json::json;

on_both_engines! {
    two_people_are_both_heard
    who_is_late_is_told
    answers_stay_in_their_thread
    changes_are_logged
}

fn about(topic: Topic, subject: &str) -> RemarkKey {
    RemarkKey { topic, subject: subject.to_owned() }
}

fn said(key: &RemarkKey, by: &str, body: &str) -> NewRemark {
    let (key, by, body) = (key.clone(), by.to_owned(), body.to_owned());
    NewRemark { key, answer_to: None, at: NOW, by, body }
}

async fn two_people_are_both_heard(place: Database) {
    let catalog = &Harvest::new(place).await.catalog;
    let page = about(Topic::Document, &format!("http://a.example/{}", "ä".repeat(5_000)));
    let host = about(Topic::Host, "a.example");
    let (first, second) =
        (said(&page, "Anna", "a title\nin two lines \0"), said(&page, "Ben", "no"));
    let (anna, ben) = tokio::join!(catalog.add_remark(&first), catalog.add_remark(&second));
    assert_ne!(anna.unwrap(), ben.unwrap());
    catalog.add_remark(&said(&host, "Anna", "another thread")).await.unwrap();
    let thread = catalog.thread(&page, 9).await.unwrap();
    let mut names: Vec<&str> = thread.iter().map(|remark| remark.by.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Anna", "Ben"]);
    assert_eq!(catalog.remark_count(&page).await.unwrap(), 2);
    assert_eq!(catalog.remarks(0, 9).await.unwrap().len(), 3);
    let newest = catalog.newest_remarks(i64::MAX, 1).await.unwrap();
    assert_eq!(newest[0].key, host);
}

async fn who_is_late_is_told(place: Database) {
    let catalog = &Harvest::new(place).await.catalog;
    let rule = about(Topic::Rule, "title.heading");
    let id = catalog.add_remark(&said(&rule, "Anna", "one")).await.unwrap().unwrap();
    let later = Timestamp(NOW.0 + 1);
    let change = |edition, body| catalog.change_remark(id, edition, body, later);
    assert_eq!(change(1, Some("two")).await.unwrap(), RemarkChange::Done);
    assert_eq!(change(1, Some("mine")).await.unwrap(), RemarkChange::Overtaken);
    assert_eq!(change(1, None).await.unwrap(), RemarkChange::Overtaken);
    let remark = catalog.remark(id).await.unwrap().unwrap();
    assert_eq!((remark.body.as_str(), remark.edition, remark.edited), ("two", 2, Some(later)));
    assert_eq!(change(2, None).await.unwrap(), RemarkChange::Done);
    assert_eq!(change(3, Some("again")).await.unwrap(), RemarkChange::Missing);
    let thread = catalog.thread(&rule, 9).await.unwrap();
    assert_eq!((thread.len(), thread[0].body.as_str()), (1, ""));
    assert_eq!(catalog.remark_count(&rule).await.unwrap(), 0);
    assert_eq!(catalog.remarks(0, 9).await.unwrap(), []);
}

async fn answers_stay_in_their_thread(place: Database) {
    let catalog = &Harvest::new(place).await.catalog;
    let (one, other) = (about(Topic::Host, "one.example"), about(Topic::Host, "other.example"));
    let id = catalog.add_remark(&said(&one, "Anna", "?")).await.unwrap();
    let answer = |key| NewRemark { answer_to: id, ..said(key, "Ben", "!") };
    assert_eq!(catalog.add_remark(&answer(&other)).await.unwrap(), None);
    assert!(catalog.add_remark(&answer(&one)).await.unwrap().is_some());
    let answers: Vec<_> =
        catalog.thread(&one, 9).await.unwrap().into_iter().map(|it| it.answer_to).collect();
    assert_eq!(answers, [None, id]);
}

async fn changes_are_logged(place: Database) {
    let catalog = &Harvest::new(place).await.catalog;
    let change = |deed: &str| NewChange {
        at: NOW,
        by: "Anna".to_owned(),
        role: "editor".to_owned(),
        deed: deed.to_owned(),
        subject: "a.example".to_owned(),
        detail: json!({ "note": "ö" }),
    };
    for deed in ["pause", "resume", "exclude"] {
        catalog.log_change(&change(deed)).await.unwrap();
    }
    let logged = catalog.changes(i64::MAX, 2).await.unwrap();
    assert_eq!(logged[0].change, change("exclude"));
    let earlier = catalog.changes(logged[1].id, 9).await.unwrap();
    assert_eq!(earlier.len(), 1);
    assert_eq!(earlier[0].change, change("pause"));
}

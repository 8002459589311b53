//! Notes of several people on the same thing.

use crate::access::{Person, act, archive, log_in, write_accounts};
use crate::support::{Front, Port};
use auslese_serve::Role;
use serde_json::Value;

const ADD: &str = "/notes/h/about/document/add";
const CHANGE: &str = "/notes/h/change";
const SUBJECT: &str = "subject=http%3A%2F%2Fa.example%2F";
const THREAD: &str = "/notes/h/about/document?subject=http%3A%2F%2Fa.example%2F";

async fn people() -> (Front, [Person; 3]) {
    let front = Front::of(archive()).await;
    write_accounts(
        &front.accounts,
        &[("anna", Role::Reader), ("ben", Role::Reader), ("chief", Role::Admin)],
    );
    let people =
        [log_in(&front, "anna").await, log_in(&front, "ben").await, log_in(&front, "chief").await];
    (front, people)
}

async fn thread(front: &Front) -> Vec<(String, String)> {
    let answer = front.get(Port::Pages, &format!("{THREAD}&format=json"), &[]).await;
    let thread: Value = serde_json::from_slice(&answer.body).unwrap();
    let text = |note: &Value, name: &str| note[name].as_str().unwrap().to_owned();
    let notes = thread["notes"].as_array().unwrap().iter();
    notes.map(|note| (text(note, "by"), text(note, "text"))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_do_not_overwrite_each_other() {
    let (front, [anna, ben, chief]) = people().await;
    let (one, two) = (format!("{SUBJECT}&body=one"), format!("{SUBJECT}&body=two"));
    let (first, second) = tokio::join!(act(&front, &anna, ADD, &one), act(&front, &ben, ADD, &two));
    assert_eq!((first.status, second.status), (303, 303));
    let mut notes = thread(&front).await;
    notes.sort();
    let said = |by: &str, text: &str| (by.to_owned(), text.to_owned());
    assert_eq!(notes, [said("anna", "one"), said("ben", "two")]);

    // Anna changes her note in two windows; the later one is told, and keeps its text.
    let number = front.catalog.remarks(0, 9).await.unwrap();
    let number = number.iter().find(|remark| remark.by == "anna").unwrap().id;
    let change = |body: &str| format!("number={number}&edition=1&body={body}");
    assert_eq!(act(&front, &anna, CHANGE, &change("window+1")).await.status, 303);
    let late = act(&front, &anna, CHANGE, &change("window+2")).await;
    assert_eq!(late.status, 409);
    assert!(late.text().contains("window 2"), "{}", late.text());

    // Others' words are theirs.
    let other = format!("number={number}&edition=2&body=changed");
    assert_eq!(act(&front, &ben, CHANGE, &other).await.status, 403);
    assert_eq!(act(&front, &chief, CHANGE, &other).await.status, 403);
    let withdraw = format!("number={number}&edition=2&withdraw=yes");
    assert_eq!(act(&front, &ben, CHANGE, &withdraw).await.status, 403);
    assert_eq!(act(&front, &chief, CHANGE, &withdraw).await.status, 303);
    let texts: Vec<_> = thread(&front).await.into_iter().map(|(_, text)| text).collect();
    assert!(texts.contains(&String::new()) && texts.contains(&"two".to_owned()), "{texts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_are_never_markup() {
    let (front, [anna, ..]) = people().await;
    let hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'";
    let body: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("subject", "http://a.example/")
        .append_pair("body", hostile)
        .finish();
    assert_eq!(act(&front, &anna, ADD, &body).await.status, 303);
    for page in [THREAD, "/notes/h", "/changes/h", "/doc/h/1"] {
        let text = front.get(Port::Pages, page, &[("Cookie", &anna.cookie)]).await.text();
        assert!(!text.contains("<script>alert") && !text.contains("<img src=x"), "{page}: {text}");
    }
    let text = front.get(Port::Pages, THREAD, &[]).await.text();
    assert!(text.contains("&lt;script&gt;alert(1)"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_are_exported_whole() {
    let (front, [anna, ben, _]) = people().await;
    act(&front, &anna, ADD, &format!("{SUBJECT}&body=one%2C+%22two%22%0Athree")).await;
    let first = front.catalog.remarks(0, 1).await.unwrap()[0].id;
    act(&front, &ben, ADD, &format!("{SUBJECT}&body=answer&answer-to={first}")).await;
    let lines = front.get(Port::Pages, "/notes/h/export?form=jsonl", &[]).await.text();
    let notes: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(notes.len(), 2);
    assert_eq!(notes[0]["text"], "one, \"two\"\nthree");
    assert_eq!(notes[1]["answer_to"], first);
    let table = front.get(Port::Pages, "/notes/h/export?form=csv", &[]).await.text();
    assert!(table.starts_with("number,about,subject,"), "{table}");
    assert!(table.contains("\"one, \"\"two\"\"\nthree\""), "{table}");

    let unknown = "subject=http%3A%2F%2Fnowhere.example%2F&body=x";
    assert_eq!(act(&front, &anna, ADD, unknown).await.status, 404);
    let elsewhere = format!("subject=a.example&body=x&answer-to={first}");
    assert_eq!(act(&front, &anna, "/notes/h/about/host/add", &elsewhere).await.status, 404);
    for bad in ["body=", "body=+++", ""] {
        let answer = act(&front, &anna, ADD, &format!("{SUBJECT}&{bad}")).await;
        assert_eq!(answer.status, 400, "{bad}");
    }
}

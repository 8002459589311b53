//! Who may steer, how many may watch live, and what happens without a catalog.

use crate::access::{act, archive, log_in, write_accounts};
use crate::support::{Front, Port};
use auslese_serve::Role;
use serde_json::Value;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn monitor(front: &Front) -> Value {
    let answer = front.get(Port::Pages, "/monitor/h?format=json", &[]).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

#[tokio::test]
async fn each_role_has_its_deeds() {
    let front = Front::of(archive()).await;
    let people = [("leser", Role::Reader), ("red", Role::Editor), ("chef", Role::Admin)];
    write_accounts(&front.accounts, &people);
    let (reader, editor, admin) =
        (log_in(&front, "leser").await, log_in(&front, "red").await, log_in(&front, "chef").await);
    #[rustfmt::skip]
    let cases = [
        // who      what                      fields                          status
        (&reader,   "/monitor/h/pause",       "",                             403),
        (&reader,   "/review/h/decide",       "host=b.example&decision=accept", 403),
        (&editor,   "/monitor/h/stop",        "",                             403),
        (&editor,   "/rules/h/apply",         "languages=de",                 403),
        // Nothing was crawled here, so there is nothing to stop; the configuration tells nothing of a corpus.
        (&admin,    "/monitor/h/stop",        "",                             409),
        (&admin,    "/rules/h/apply",         "languages=de",                 503),
        (&editor,   "/monitor/h/pause",       "run=7",                        409),
        (&editor,   "/monitor/h/exclude",     "test=hoost+x",                 400),
        (&editor,   "/monitor/h/exclude",     "test=",                        400),
        (&editor,   "/review/h/decide",       "host=a+b&decision=accept",     400),
        (&editor,   "/review/h/decide",       "host=b.example&decision=maybe", 400),
        (&editor,   "/review/h/withdraw",     "pattern=b.example",            409),
        (&editor,   "/monitor/x/pause",       "",                             404),
    ];
    for (who, target, fields, status) in cases {
        let answer = act(&front, who, target, fields).await;
        assert_eq!(answer.status, status, "{target} {fields}: {}", answer.text());
    }
    assert_eq!(front.catalog.read_control().await.unwrap(), [], "nothing was done");
    assert_eq!(front.catalog.hand_decisions().await.unwrap(), []);

    for (target, fields) in [
        ("/monitor/h/pause", ""),
        ("/monitor/h/exclude", "test=regex+%2Fcalendar%2F"),
        ("/review/h/decide", "host=b.example&decision=reject&below=yes&note=a+shop"),
    ] {
        let answer = act(&front, &editor, target, fields).await;
        assert_eq!(answer.status, 303, "{target}: {}", answer.text());
    }
    let shown = monitor(&front).await;
    assert_eq!(shown["state"], "never");
    assert_eq!(shown["pause_waits"], true, "the next crawl begins paused");
    assert_eq!(shown["exclusions"][0]["test"], "regex /calendar/");
    let decisions = front.catalog.hand_decisions().await.unwrap();
    assert_eq!(
        (decisions[0].pattern.to_string(), decisions[0].by.as_str()),
        (".b.example".into(), "red")
    );
}

/// Opens a stream and reads its beginning.
async fn watch(front: &Front) -> (TcpStream, String) {
    let address = front.origin(Port::Pages).replace("http://", "");
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let request = format!("GET /monitor/h/live HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    let mut piece = [0; 4096];
    while !text.contains("event: moment") && !text.contains("</html>") {
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut piece)).await;
        match read.unwrap().unwrap() {
            0 => break,
            length => text.push_str(&String::from_utf8_lossy(&piece[..length])),
        }
    }
    (stream, text)
}

#[tokio::test]
async fn only_so_many_watch_live() {
    let front = Front::with(archive(), |settings| settings.live_streams = 1).await;
    let (first, text) = watch(&front).await;
    assert!(text.starts_with("HTTP/1.1 200") && text.contains("text/event-stream"), "{text}");
    let (_, refused) = watch(&front).await;
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    drop(first);
    // Who has left is noticed with the next look.
    for _ in 0..100 {
        if watch(&front).await.1.starts_with("HTTP/1.1 200") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the place stays taken");
}

#[tokio::test]
async fn without_a_catalog_nothing_is_claimed_and_nothing_is_written() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("red", Role::Editor)]);
    let editor = log_in(&front, "red").await;
    let before = monitor(&front).await;
    let (path, aside) = (front.dir.join("catalog.sqlite"), front.dir.join("aside"));
    std::fs::rename(&path, &aside).unwrap();
    let gone = monitor(&front).await;
    assert_eq!((&gone["state"], &gone["counts"]), (&Value::Null, &before["counts"]));
    let page = front.get(Port::Pages, "/monitor/h", &[]).await.text();
    assert!(page.contains("The catalog does not answer"), "{page}");
    assert_eq!(act(&front, &editor, "/monitor/h/pause", "").await.status, 503);
    std::fs::rename(&aside, &path).unwrap();
    assert_eq!(monitor(&front).await["state"], before["state"]);
    assert_eq!(front.catalog.read_control().await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inside_is_for_those_who_look_after_it() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("ed", Role::Editor)]);
    let editor = log_in(&front, "ed").await;
    let words = "there is no corpus here";
    let reader = front.get(Port::Pages, "/rules/h", &[]).await;
    assert_eq!(reader.status, 503);
    assert!(!reader.text().contains(words), "{}", reader.text());
    let told = front.get(Port::Pages, "/rules/h", &[("Cookie", &editor.cookie)]).await;
    assert!(told.text().contains(words), "{}", told.text());
}

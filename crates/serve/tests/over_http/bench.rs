//! The test bench: labels change precision and recall, and after calibration the weights.

use crate::access::{Person, act, log_in, write_accounts};
use crate::support::{Answer, Front, Port, Warc};
use auslese_serve::Role;
use serde_json::Value;
use std::time::Duration;

/// Pages of several sites: what stands in their titles is right on most.
fn archive() -> Warc {
    (0..26).fold(Warc::default(), |warc, number| {
        let page = format!(
            "<title>Thema {number} im Sommer</title><h1>Thema {number} im Sommer</h1><p>Text von {number}</p>"
        );
        warc.page(2, &format!("http://site{}.example/{number}.html", number % 5), &page)
    })
}

async fn json(front: &Front, target: &str) -> Value {
    let separator = if target.contains('?') { '&' } else { '?' };
    let answer = front.get(Port::Pages, &format!("{target}{separator}format=json"), &[]).await;
    assert!(answer.status == 200 || answer.status == 202, "{target}: {}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

/// Waits until something is counted or done.
async fn until(front: &Front, target: &str, is_done: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..600 {
        let value = json(front, target).await;
        if is_done(&value) {
            return value;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{target} is never done");
}

async fn describe(front: &Front, person: &Person) -> i64 {
    let begun = act(front, person, "/bench/h/describe", "").await;
    assert_eq!(begun.status, 303, "{}", begun.text());
    let page = until(front, "/bench/h", |page| page["begun"]["running"].is_null()).await;
    page["begun"]["done"].as_i64().unwrap_or_else(|| panic!("{}", page["begun"]))
}

async fn mark(front: &Front, person: &Person, request: i64, kind: &str, value: &str) -> Answer {
    let fields = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("request", &request.to_string())
        .append_pair("kind", kind)
        .append_pair("field", "title")
        .append_pair("value", value)
        .append_pair("back", "//evil.example/")
        .finish();
    act(front, person, "/bench/h/mark", &fields).await
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_change_quality_and_weights() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("ed", Role::Editor), ("chief", Role::Admin)]);
    let (editor, chief) = (log_in(&front, "ed").await, log_in(&front, "chief").await);
    assert_eq!(act(&front, &editor, "/bench/h/describe", "").await.status, 403);
    let run = describe(&front, &chief).await;

    let tree =
        until(&front, &format!("/bench/h/run/{run}?field=title"), |tree| !tree["fields"].is_null())
            .await;
    let documents = tree["found"].as_array().unwrap().clone();
    assert_eq!(documents.len(), 26);
    let rule = tree["fields"].as_array().unwrap().iter().find(|it| it["field"] == "title").unwrap()
        ["rules"][0]["rule"]
        .as_str()
        .unwrap()
        .to_owned();
    let query: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("field", "title")
        .append_pair("rule", &rule)
        .finish();
    let of_rule = json(&front, &format!("/bench/h/run/{run}?{query}")).await;
    assert!(!of_rule["found"].as_array().unwrap().is_empty(), "{rule}");

    // Nothing is labelled: nothing is measured.
    let page = json(&front, "/bench/h").await;
    assert_eq!(page["quality"], serde_json::json!([]));
    let early = act(&front, &chief, "/bench/h/weights/adopt", "set=pages").await;
    assert_eq!(early.status, 400, "{}", early.text());

    for (at, document) in documents.iter().enumerate() {
        let kind = if at < 5 { "wrong" } else { "right" };
        let (request, value) =
            (document["request"].as_i64().unwrap(), document["value"].as_str().unwrap());
        let marked = mark(&front, &editor, request, kind, value).await;
        assert_eq!((marked.status, marked.header("location")), (303, "/"), "{}", marked.text());
    }
    let quality = json(&front, "/bench/h").await["quality"][0].clone();
    assert_eq!((quality["right"].as_u64(), quality["wrong"].as_u64()), (Some(21), Some(5)));
    let precision = quality["precision"].as_f64().unwrap();
    assert!((precision - 21.0 / 26.0).abs() < 1e-9, "{precision}");
    let first = documents[0]["request"].as_i64().unwrap();
    assert_eq!(mark(&front, &editor, first, "missing", "Der wahre Titel").await.status, 303);
    let quality = json(&front, "/bench/h").await["quality"][0].clone();
    assert_eq!(quality["missing"], 1);
    let recall = quality["recall"].as_f64().unwrap();
    assert!((recall - 21.0 / 22.0).abs() < 1e-9, "{recall}");

    // Measuring shows, adopting writes.
    let measured = act(&front, &editor, "/bench/h/weights/measure", "set=pages").await;
    assert_eq!(measured.status, 200, "{}", measured.text());
    assert!(!front.dir.join("weights.toml").exists());
    assert_eq!(act(&front, &editor, "/bench/h/weights/adopt", "set=pages").await.status, 403);
    let before = json(&front, "/bench/h/weights").await;
    assert_eq!(act(&front, &chief, "/bench/h/weights/adopt", "set=pages").await.status, 303);
    let after = json(&front, "/bench/h/weights").await;
    let weight = |page: &Value| {
        let rules = page["rules"].as_array().unwrap().clone();
        rules.into_iter().find(|it| it["rule"] == rule.as_str()).unwrap()["in_force"].clone()
    };
    assert_ne!(weight(&before), weight(&after));
    let author = |page: &Value| -> Vec<Value> {
        let rules = page["rules"].as_array().unwrap().clone();
        rules
            .into_iter()
            .filter(|it| it["field"] == "author")
            .map(|it| it["in_force"].clone())
            .collect()
    };
    assert_eq!(author(&before), author(&after), "fields without labels keep their weights");

    // Another run with the new weights can be compared.
    let second = describe(&front, &chief).await;
    assert_ne!(second, run);
    let target = format!("/bench/h/compare?before={run}&after={second}");
    let compared = until(&front, &target, |page| !page["compared"].is_null()).await;
    assert_eq!(compared["compared"]["documents"], 26);
    let title = &compared["compared"]["fields"]["title"];
    let moved =
        ["reweighted", "lost", "gained", "changed"].iter().map(|it| title[*it].as_u64().unwrap());
    assert!(moved.sum::<u64>() > 0, "{title}");

    let log = front.catalog.changes(i64::MAX, 99).await.unwrap();
    let count = |deed: &str| log.iter().filter(|it| it.change.deed == deed).count();
    assert_eq!((count("mark"), count("weights"), count("describe")), (27, 1, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_vanished_is_said_and_nothing_is_lost() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("chief", Role::Admin)]);
    let chief = log_in(&front, "chief").await;
    let run = describe(&front, &chief).await;
    assert_eq!(mark(&front, &chief, 1, "right", "Thema 0 im Sommer").await.status, 303);
    let gone = mark(&front, &chief, 999, "right", "x").await;
    assert_eq!(gone.status, 410);
    assert!(gone.text().contains("no longer in the harvest"), "{}", gone.text());
    for bad in ["kind=right&request=1", "kind=x&request=1&field=title&value=a", "request=1"] {
        assert_eq!(act(&front, &chief, "/bench/h/mark", bad).await.status, 400, "{bad}");
    }
    for missing in ["/bench/h/run/77", "/bench/h/run/x", "/bench/h/compare?before=1&after=99"] {
        assert_eq!(front.get(Port::Pages, missing, &[]).await.status, 404, "{missing}");
    }
    let missing = format!("/bench/h/run/{run}/doc/999");
    assert_eq!(front.get(Port::Pages, &missing, &[]).await.status, 404);
    // The labelled body is lost: the others are measured, and it is said which is not.
    let archive = front.dir.join("archive");
    for file in std::fs::read_dir(&archive).unwrap() {
        std::fs::write(file.unwrap().path(), b"nothing").unwrap();
    }
    let measured = act(&front, &chief, "/bench/h/weights/measure", "set=pages").await;
    assert_eq!(measured.status, 200, "{}", measured.text());
    assert!(measured.text().contains("http://site0.example/0.html"), "{}", measured.text());
    assert_eq!(json(&front, "/bench/h/marks").await["marks"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_are_never_markup() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("chief", Role::Admin)]);
    let chief = log_in(&front, "chief").await;
    let run = describe(&front, &chief).await;
    let hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
    assert_eq!(mark(&front, &chief, 1, "missing", hostile).await.status, 303);
    let bench = format!("/bench/h/run/{run}/doc/1");
    for page in ["/bench/h/marks", "/doc/h/1", "/changes/h", &bench] {
        let text = front.get(Port::Pages, page, &[("Cookie", &chief.cookie)]).await.text();
        assert!(text.contains("&lt;script&gt;"), "{page}");
        assert!(!text.contains("<script>alert") && !text.contains("<img src=x"), "{page}");
    }
}

//! Who may change something: nobody without a login, nobody by a form from elsewhere, nobody by guessing.

use crate::support::{Answer, Front, Port, Warc};
use auslese_catalog::MarkFilter;
use auslese_serve::{Account, Accounts, Role, hash_password};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
const PASSWORD: &str = "four words in a row";

pub(crate) fn archive() -> Warc {
    Warc::default().page(2, "http://a.example/", "<title>Eins</title><p>Text")
}

/// Accounts of this name and role, all with the same password.
pub(crate) fn write_accounts(file: &Path, people: &[(&str, Role)]) {
    let password = hash_password(PASSWORD).unwrap();
    let mut accounts = Accounts::default();
    for (name, role) in people {
        accounts.set(name, Account { role: *role, password: password.clone() });
    }
    accounts.save(file).unwrap();
}

/// Somebody who is logged in.
pub(crate) struct Person {
    pub(crate) cookie: String,
    pub(crate) token: String,
}

pub(crate) async fn log_in(front: &Front, name: &str) -> Person {
    let answer = attempt(front, name, PASSWORD, &[("Accept", "application/json")]).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let token: Value = serde_json::from_slice(&answer.body).unwrap();
    Person { cookie: cookie(&answer), token: token["token"].as_str().unwrap().to_owned() }
}

async fn attempt(front: &Front, name: &str, password: &str, headers: &[(&str, &str)]) -> Answer {
    let body = format!("name={name}&password={}", password.replace(' ', "+"));
    let headers = [&[FORM], headers].concat();
    front.send_body(Port::Pages, "POST", "/login", &headers, &body).await
}

fn cookie(answer: &Answer) -> String {
    let set = answer.header("set-cookie");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
    set.split(';').next().unwrap().to_owned()
}

/// Sends a form as somebody, with their token.
pub(crate) async fn act(front: &Front, person: &Person, target: &str, fields: &str) -> Answer {
    let headers = [FORM, ("Cookie", person.cookie.as_str())];
    let body = format!("token={}&{fields}", person.token);
    front.send_body(Port::Pages, "POST", target, &headers, &body).await
}

/// All that people can change: rows, and files of the harvest besides its catalog.
async fn everything(front: &Front) -> Vec<String> {
    let catalog = &front.catalog;
    let mut all = vec![
        format!("{:?}", catalog.changes(i64::MAX, 99).await.unwrap()),
        format!("{:?}", catalog.read_control().await.unwrap()),
        format!("{:?}", catalog.hand_decisions().await.unwrap()),
        format!("{:?}", catalog.marks(&MarkFilter::default(), 0, 99).await.unwrap()),
        format!("{:?}", catalog.remarks(0, 99).await.unwrap()),
        format!("{:?}", catalog.runs().await.unwrap()),
    ];
    let mut folders = vec![front.dir.clone()];
    let mut files = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.file_name().unwrap().to_string_lossy().starts_with("catalog") {
                files.insert(path.clone(), std::fs::read(&path).unwrap());
            }
        }
    }
    all.push(format!("{files:?}"));
    all.push(format!("{:?}", std::fs::read(&front.accounts).ok()));
    all
}

/// Every address of the description, with what its braces may stand for.
async fn addresses(front: &Front) -> Vec<(String, Value)> {
    let answer = front.get(Port::Pages, "/openapi.json", &[]).await;
    let description: Value = serde_json::from_slice(&answer.body).unwrap();
    let paths = description["paths"].as_object().unwrap();
    let filled = |path: &str| {
        let parts = path.split('/').map(|part| match part {
            "{harvest}" => "h",
            "{topic}" => "document",
            "{timestamp}" => "2026",
            "{*url}" => "http://a.example/",
            part if part.starts_with('{') => "1",
            part => part,
        });
        parts.collect::<Vec<_>>().join("/")
    };
    paths.iter().map(|(path, item)| (filled(path), item.clone())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_login_no_request_changes_anything() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("anna", Role::Admin)]);
    let before = everything(&front).await;
    let mut forms = 0;
    let fields = "subject=http%3A%2F%2Fa.example%2F&body=x&host=a.example&test=host+a.example&\
                  note=n&number=1&edition=1&value=v&field=title&kind=right&decision=accept&token=";
    for (address, item) in addresses(&front).await {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] {
            let content = &item["get"]["responses"]["200"]["content"];
            if method == "GET" && !content["text/event-stream"].is_null() {
                // It has no end to be waited for.
                continue;
            }
            let answer = front.send_body(Port::Pages, method, &address, &[FORM], fields).await;
            let role = item["post"]["x-role"].as_str();
            match (method, role) {
                ("GET" | "HEAD", _) => assert_ne!(answer.status, 500, "{method} {address}"),
                ("POST", Some("none")) => assert_ne!(answer.status, 500, "{address}"),
                ("POST", Some(_)) => {
                    forms += 1;
                    assert_eq!(answer.status, 401, "{address}: {}", answer.text());
                }
                _ => assert_eq!(answer.status, 405, "{method} {address}"),
            }
        }
    }
    assert!(forms > 2, "{forms}");
    assert_eq!(everything(&front).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_not_exceeded() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("rita", Role::Reader)]);
    let rita = log_in(&front, "rita").await;
    let before = everything(&front).await;
    for (address, item) in addresses(&front).await {
        if let Some("editor" | "admin") = item["post"]["x-role"].as_str() {
            let answer = act(&front, &rita, &address, "x=y").await;
            assert_eq!(answer.status, 403, "{address}");
        }
    }
    assert_eq!(everything(&front).await, before);
}

const ADD: &str = "/notes/h/about/document/add";
const NOTE: &str = "subject=http%3A%2F%2Fa.example%2F&body=hello";

#[tokio::test(flavor = "multi_thread")]
async fn forms_from_elsewhere_are_refused() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("anna", Role::Admin)]);
    let anna = log_in(&front, "anna").await;
    let own = front.origin(Port::Pages);
    let replay = front.origin(Port::Replay);
    let token = format!("token={}&{NOTE}", anna.token);
    let before = everything(&front).await;
    #[rustfmt::skip]
    let refused = [
        (NOTE.to_owned(),                             None),
        (format!("token=&{NOTE}"),                    None),
        (format!("token={}&{NOTE}", "0".repeat(64)),  None),
        (NOTE.to_owned(),                             Some(own.as_str())),
        (token.clone(),                               Some("http://evil.example")),
        (token.clone(),                               Some("null")),
        (token.clone(),                               Some(replay.as_str())),
    ];
    for (body, origin) in refused {
        let mut headers = vec![FORM, ("Cookie", anna.cookie.as_str())];
        headers.extend(origin.map(|origin| ("Origin", origin)));
        let answer = front.send_body(Port::Pages, "POST", ADD, &headers, &body).await;
        assert_eq!(answer.status, 403, "{body} {origin:?}");
    }
    let plain = [("Content-Type", "text/plain"), ("Cookie", anna.cookie.as_str())];
    let answer = front.send_body(Port::Pages, "POST", ADD, &plain, &token).await;
    assert_eq!(answer.status, 415);
    assert_eq!(everything(&front).await, before);

    let headers = [FORM, ("Cookie", anna.cookie.as_str()), ("Origin", own.as_str())];
    let answer = front.send_body(Port::Pages, "POST", ADD, &headers, &token).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let logged = front.catalog.changes(i64::MAX, 9).await.unwrap();
    assert_eq!((logged[0].change.by.as_str(), logged[0].change.deed.as_str()), ("anna", "note"));
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_cannot_be_fixed_and_do_not_outlive_their_account() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("anna", Role::Admin)]);
    let made_up = format!("auslese_session={}", "a".repeat(64));
    let answer = attempt(&front, "anna", PASSWORD, &[("Cookie", &made_up)]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/"));
    let first = cookie(&answer);
    assert_ne!(first, made_up);
    let name_of = async |cookie: &str| {
        let answer = front.get(Port::Pages, "/login?format=json", &[("Cookie", cookie)]).await;
        serde_json::from_slice::<Value>(&answer.body).unwrap()["name"].clone()
    };
    assert_eq!(name_of(&made_up).await, Value::Null);
    assert_eq!(name_of(&first).await, "anna");
    let second = cookie(&attempt(&front, "anna", PASSWORD, &[("Cookie", &first)]).await);
    assert_eq!((name_of(&first).await, name_of(&second).await), (Value::Null, "anna".into()));

    let person = log_in(&front, "anna").await;
    assert_eq!(act(&front, &person, "/logout", "").await.status, 303);
    assert_eq!(name_of(&person.cookie).await, Value::Null);

    let mut accounts = Accounts::load(&front.accounts).unwrap();
    let password = hash_password("another password").unwrap();
    accounts.set("anna", Account { role: Role::Admin, password });
    accounts.save(&front.accounts).unwrap();
    assert_eq!(name_of(&second).await, Value::Null, "the password was changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_is_slowed_down() {
    let front = Front::of(archive()).await;
    write_accounts(&front.accounts, &[("anna", Role::Admin)]);
    let mut statuses = Vec::new();
    for number in 0..7 {
        let name = if number % 2 == 0 { "anna" } else { "nobody" };
        statuses.push(attempt(&front, name, &format!("wrong number {number}"), &[]).await.status);
    }
    assert_eq!(statuses[..5], [401; 5]);
    assert_eq!(statuses[5], 429);
    let answer = attempt(&front, "anna", PASSWORD, &[]).await;
    assert_eq!(answer.status, 429, "even the right one has to wait");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert!(!answer.headers.contains_key("set-cookie"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_admin_of_this_machine_is_on_this_machine() {
    let front = Front::with(archive(), |settings| settings.admin = true).await;
    let name_by = async |headers: &[(&str, &str)]| {
        let answer = front.get(Port::Pages, "/login?format=json", headers).await;
        serde_json::from_slice::<Value>(&answer.body).unwrap()["role"].clone()
    };
    assert_eq!(name_by(&[]).await, "admin");
    assert_eq!(name_by(&[("Host", "evil.example")]).await, Value::Null, "by a name of a stranger");
    assert_eq!(name_by(&[("X-Forwarded-For", "192.0.2.1")]).await, Value::Null, "through a proxy");
    // Their forms need a token all the same: any page in their browser can send one here.
    let answer = front.send_body(Port::Pages, "POST", ADD, &[FORM], NOTE).await;
    assert_eq!(answer.status, 403);
    assert_eq!(front.catalog.remarks(0, 9).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn large_and_broken_forms_are_refused() {
    let front = Front::with(archive(), |settings| settings.form_bytes = 2_000).await;
    write_accounts(&front.accounts, &[("anna", Role::Admin)]);
    let anna = log_in(&front, "anna").await;
    let answer = act(&front, &anna, ADD, &format!("body={}", "x".repeat(3_000))).await;
    assert_eq!(answer.status, 413);
    let json = [
        ("Content-Type", "application/json"),
        ("Cookie", anna.cookie.as_str()),
        ("x-auslese-token", anna.token.as_str()),
    ];
    for body in ["{", "[]", "{\"a\": {}}"] {
        let answer = front.send_body(Port::Pages, "POST", ADD, &json, body).await;
        assert_eq!(answer.status, 400, "{body}");
    }
    let body = r#"{"subject": "http://a.example/", "body": "by a program"}"#;
    let answer = front.send_body(Port::Pages, "POST", ADD, &json, body).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
}

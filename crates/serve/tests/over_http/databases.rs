//! Databases and records: their pages and twins, with titles, values and addresses that mean harm.

use crate::archive;
use crate::support::{Answer, Front, Port};
use auslese_catalog::{Asked, NewDatabase, NewRecord, NewRun, StoredValue};
use auslese_model::{
    Cooperation, DatabaseId, DatabaseKind, RequestId, SOIF_MEDIA_TYPE, Timestamp, read_soif,
};
use auslese_search::{HitKey, IndexDir, IndexedDocument, Source, WriterOptions};
use serde_json::{Value, json};

const AT: Timestamp = Timestamp(1_700_000_000_000_000);
const SCRIPT: &str = "<script>alert(1)</script>";

fn database(kind: DatabaseKind, cooperation: Cooperation, url: &str) -> NewDatabase {
    NewDatabase {
        kind,
        cooperation,
        url: url.to_owned(),
        host: "a.example".to_owned(),
        capture: None,
        title: None,
        about: Vec::new(),
        plan: Value::Null,
        planned: None,
        refusal: None,
        problems: json!([]),
    }
}

fn value(value: &str, query: Option<&str>) -> StoredValue {
    StoredValue { value: value.to_owned(), query: query.map(str::to_owned) }
}

fn record(number: u32, title: &str, url: Option<&str>) -> NewRecord {
    NewRecord {
        identifier: format!("oai:b:{number}"),
        datestamp: "2026-01-01".to_owned(),
        deleted: number == 2,
        url: url.map(str::to_owned),
        fields: vec![
            ("title".to_owned(), title.to_owned()),
            ("creator".to_owned(), "Weber, G.".to_owned()),
            ("creator".to_owned(), SCRIPT.to_owned()),
            ("date".to_owned(), "2001".to_owned()),
            ("relation".to_owned(), "javascript:alert(3)".to_owned()),
        ],
    }
}

/// A described form that was asked, a repository that was left alone, and a form that is not asked.
async fn fill(front: &Front) -> [DatabaseId; 3] {
    let catalog = &front.catalog;
    let captured = catalog.captures_of("http://a.example/").await.unwrap();
    let form = NewDatabase {
        capture: Some(captured[0].capture.id),
        title: Some(format!("Hotels {SCRIPT}")),
        about: vec![("Description".to_owned(), format!("Hotelführer {SCRIPT}"))],
        plan: json!({
            "method": "GET", "action": "javascript:alert(4)", "size": 12, "odd": { "deep": SCRIPT },
            "elements": [{ "name": "region", "label": SCRIPT, "values": 12, "origin": "form", "sample": ["Ost", "West"] }],
            "attributes": [{ "name": "ort", "rule": "html.body->table[1].txt" }],
        }),
        planned: Some(12),
        problems: json!([{ "code": "W_TRUNCATED", "subject": "ort", "message": SCRIPT }]),
        ..database(DatabaseKind::Form, Cooperation::Restricted, "http://a.example/")
    };
    let repository = NewDatabase {
        host: "b.example".to_owned(),
        title: Some("Repositorium".to_owned()),
        ..database(DatabaseKind::OaiPmh, Cooperation::Declared, "http://b.example/oai")
    };
    let refused = NewDatabase {
        refusal: Some(format!("robots.txt forbids it {SCRIPT}")),
        ..database(DatabaseKind::Form, Cooperation::None, "javascript:alert(2)")
    };
    let ids = catalog.note_databases(&[form, repository, refused], AT).await.unwrap();
    let run = NewRun { stage: "hidden", worker: "test", config: "", at: AT };
    let run = catalog.begin_run(run).await.unwrap();
    let towns = (0..150).map(|number| {
        value(&format!("Ort {number}"), Some(&format!("http://a.example/s?ort={number}&x=\"")))
    });
    let names = vec![
        value(&format!("Köln {SCRIPT}"), Some("javascript:alert(5)")),
        value("Bonn & Umgebung", None),
    ];
    let asked = Asked {
        run,
        at: AT,
        complete: true,
        title: None,
        queries: 12,
        pages: 13,
        failed: 1,
        requests: 14,
        bytes: 5_000,
        truncated: Some(100),
        stopped: None,
        coverage: Some(0.5),
        next_from: None,
        problems: json!([{ "code": "W_TRUNCATED", "subject": "ort", "message": SCRIPT }]),
        attributes: Some(vec![("ort".to_owned(), towns.collect()), ("name".to_owned(), names)]),
    };
    catalog.store_asked(ids[0], &asked).await.unwrap();
    let left = Asked {
        complete: false,
        truncated: None,
        coverage: None,
        stopped: Some("five failures in a row".to_owned()),
        attributes: None,
        problems: json!([]),
        ..asked
    };
    catalog.store_asked(ids[1], &left).await.unwrap();
    let mut records = vec![
        record(1, &format!("Eins {SCRIPT}"), Some("javascript:alert(6)")),
        record(2, "Zwei", None),
        record(3, "Drei", Some("http://a.example/p.pdf")),
    ];
    records.extend((4..=60).map(|number| record(number, &format!("Nummer {number}"), None)));
    catalog.store_records(ids[1], &records, AT).await.unwrap();
    [ids[0], ids[1], ids[2]]
}

async fn get(front: &Front, target: &str) -> Answer {
    let answer = front.get(Port::Pages, target, &[]).await;
    if answer.header("content-type").starts_with("text/html") {
        check_harmless(target, &answer.text());
    }
    answer
}

/// Strangers' words are never markup, and only addresses of the web become links.
fn check_harmless(target: &str, text: &str) {
    assert!(!text.contains("<script>"), "{target}: {text}");
    assert!(
        !text.contains("href=\"javascript") && !text.contains("action=\"javascript"),
        "{target}: {text}"
    );
}

async fn twin(front: &Front, target: &str) -> Value {
    let answer = get(front, target).await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "application/json"),
        "{target}"
    );
    serde_json::from_slice(&answer.body).unwrap()
}

fn contains(answer: &Answer, parts: &[&str]) {
    let text = answer.text();
    assert_eq!(answer.status, 200, "{text}");
    for part in parts {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[tokio::test]
async fn without_databases_the_page_says_how_to_find_some() {
    let front = Front::of(archive()).await;
    let leading = get(&front, "/databases?kind=form").await;
    assert_eq!((leading.status, leading.header("location")), (307, "/databases/h?kind=form"));
    contains(&get(&front, "/databases/h").await, &["auslese hidden run", "aria-current=\"page\""]);
    let german = front.get(Port::Pages, "/databases/h", &[("Accept-Language", "de")]).await;
    contains(&german, &["Es sind keine Datenbanken bekannt", "Datenbanken"]);
}

#[tokio::test]
async fn the_list() {
    let front = Front::of(archive()).await;
    let [form, repository, refused] = fill(&front).await;
    let page = get(&front, "/databases/h").await;
    contains(
        &page,
        &[
            &format!("<a href=\"/databases/h/{}\">Hotels &lt;script&gt;", form.0),
            "a described form",
            "an interface for programs",
            "nothing is said about the form",
            "five failures in a row",
            "robots.txt forbids it",
            "answers cut at 100 rows",
            "50\u{a0}%",
            "152 values",
            "60 records",
            "href=\"http://b.example/oai\" rel=\"external noopener noreferrer\"",
            "/databases/h?host=b.example",
        ],
    );
    let list = twin(&front, "/databases/h?format=json").await;
    assert_eq!(list["total"], 3);
    let rows = list["databases"].as_array().unwrap();
    assert_eq!(rows[0]["title"], format!("Hotels {SCRIPT}"), "the twin has it as it is stored");
    assert_eq!((&rows[0]["asked"]["state"], &rows[0]["values"]), (&json!("complete"), &json!(152)));
    assert_eq!((&rows[1]["asked"]["state"], &rows[1]["records"]), (&json!("stopped"), &json!(60)));
    assert_eq!(rows[1]["asked"]["reason"], "five failures in a row");
    assert_eq!(rows[2]["asked"]["state"], "refused");

    #[rustfmt::skip]
    let cases: [(&str, &[DatabaseId]); 9] = [
        ("cooperation=declared",               &[repository]),
        ("cooperation=full",                   &[]),
        ("kind=form",                          &[form, refused]),
        ("kind=form&cooperation=none",         &[refused]),
        ("host=b.example",                     &[repository]),
        ("host=%27%20OR%201%3D1",              &[]),
        ("cooperation=&kind=",                 &[form, repository, refused]),
        ("after=1",                            &[repository, refused]),
        ("kind=form&after=1",                  &[refused]),
    ];
    for (query, expected) in cases {
        let list = twin(&front, &format!("/databases/h?{query}&format=json")).await;
        let numbers = list["databases"].as_array().unwrap().iter().map(|it| it["number"].as_i64());
        let expected: Vec<_> = expected.iter().map(|id| Some(id.0)).collect();
        assert_eq!(numbers.collect::<Vec<_>>(), expected, "{query}");
        assert_eq!(get(&front, &format!("/databases/h?{query}")).await.status, 200, "{query}");
    }
    for query in ["kind=castle", "cooperation=%3Cscript%3E"] {
        assert_eq!(get(&front, &format!("/databases/h?{query}")).await.status, 400, "{query}");
    }
    let csv = get(&front, "/databases/h?format=csv").await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let lines: Vec<String> = csv.text().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("number,kind,cooperation,title,address"), "{}", lines[0]);
    assert!(lines[2].starts_with("2,oai-pmh,declared,Repositorium,"), "{}", lines[2]);
}

#[tokio::test]
async fn long_lists_have_pages() {
    let front = Front::of(archive()).await;
    let address = |number: usize| format!("http://a.example/{number}");
    let form = |number| database(DatabaseKind::Form, Cooperation::None, &address(number));
    let many: Vec<NewDatabase> = (0..51).map(form).collect();
    let ids = front.catalog.note_databases(&many, AT).await.unwrap();
    let first = twin(&front, "/databases/h?kind=form&format=json").await;
    assert_eq!((&first["total"], first["databases"].as_array().unwrap().len()), (&json!(51), 50));
    let next = first["next"].as_str().unwrap();
    assert_eq!(next, format!("/databases/h?kind=form&after={}", ids[49].0));
    let page = get(&front, next).await;
    contains(&page, &["http://a.example/50", "href=\"/databases/h?kind=form\""]);
    assert!(!page.text().contains("rel=\"next\""));
}

#[tokio::test]
async fn one_database() {
    let front = Front::of(archive()).await;
    let [form, repository, refused] = fill(&front).await;
    let here = format!("/databases/h/{}", form.0);
    let page = get(&front, &here).await;
    contains(
        &page,
        &[
            "<h1 class=\"breaks\">Hotels &lt;script&gt;",
            "Hotelführer &lt;script&gt;",
            "href=\"http://a.example/\" rel=\"external noopener noreferrer\"",
            "/view/h/20260102030405/http%3A%2F%2Fa.example%2F",
            "/doc/h/",
            "/organisation/h/a.example",
            "html.body-&gt;table[1].txt",
            "Ost, West",
            "javascript:alert(4)",
            "W_TRUNCATED",
            "answers seem to be cut",
            "14 requests",
            // The first attribute by name.
            "Köln &lt;script&gt;",
            "Bonn &amp; Umgebung",
        ],
    );
    let german = front.get(Port::Pages, &here, &[("Accept-Language", "de")]).await;
    check_harmless(&here, &german.text());
    contains(&german, &["Antworten scheinen gekürzt zu sein", "ein beschriebenes Formular"]);

    let second = get(&front, &format!("{here}?attribute=ort&page=2")).await;
    contains(
        &second,
        &["Ort 100", "Ort 149", "href=\"http://a.example/s?ort=149&amp;x=%22\"", "rel=\"prev\""],
    );
    assert!(!second.text().contains("Ort 99<"), "{}", second.text());
    let found = twin(&front, &format!("{here}?q=ORT%2014&format=json")).await;
    let shown = found["found"]["shown"].as_array().unwrap();
    assert_eq!(shown.len(), 11, "14 and 140 to 149");
    assert_eq!((&shown[0]["attribute"], &shown[0]["value"]), (&json!("ort"), &json!("Ort 14")));
    contains(
        &get(&front, &format!("{here}?q=%3Cscript%3E")).await,
        &["1 value contains", "&lt;script&gt;"],
    );
    contains(&get(&front, &format!("{here}?q=%25")).await, &["No value contains this."]);
    let csv = get(&front, &format!("{here}?attribute=ort&format=csv")).await;
    assert!(csv.text().starts_with("attribute,value,query\r\nort,Ort 0,"), "{}", csv.text());
    assert_eq!(csv.text().lines().count(), 101);

    contains(
        &get(&front, &format!("/databases/h/{}", refused.0)).await,
        &["javascript:alert(2)", "auslese hidden run"],
    );
    let records = get(&front, &format!("/databases/h/{}", repository.0)).await;
    contains(
        &records,
        &[
            "Eins &lt;script&gt;",
            "Weber, G.; &lt;script&gt;",
            "deleted there",
            "Nummer 50",
            "after=50#records",
        ],
    );
    let rest = twin(&front, &format!("/databases/h/{}?after=50&format=json", repository.0)).await;
    let rest = rest["listed_records"]["shown"].as_array().unwrap();
    assert_eq!((rest.len(), &rest[0]["title"]), (10, &json!("Nummer 51")));
    let csv = get(&front, &format!("/databases/h/{}?format=csv", repository.0)).await;
    assert!(
        csv.text().starts_with("number,title,creators,date,address,state\r\n1,"),
        "{}",
        csv.text()
    );

    contains(
        &get(&front, "/organisation/h/a.example").await,
        &["/databases/h?host=a.example", "Databases on it"],
    );
}

#[tokio::test]
async fn a_fragment_in_soif() {
    let front = Front::of(archive()).await;
    let [form, ..] = fill(&front).await;
    let answer = get(&front, &format!("/databases/h/{}?format=soif", form.0)).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, SOIF_MEDIA_TYPE));
    assert!(answer.header("content-disposition").starts_with("attachment"));
    let objects = read_soif(&answer.body).unwrap();
    let [object] = objects.as_slice() else { panic!("{objects:?}") };
    assert_eq!((object.kind.as_str(), object.url.as_deref()), ("FILE", Some("http://a.example/")));
    assert_eq!(object.values("ort").len(), 150);
    assert_eq!(object.values("name")[1], "Bonn & Umgebung");
    #[rustfmt::skip]
    let cases = [
        ("Type", "DBForm"), ("Query-Count", "12"), ("Page-Count", "13"), ("Truncated", "100"),
        ("Update-Time", "2023-11-14T22:13:20Z"),
    ];
    for (name, expected) in cases {
        assert_eq!(object.text(name).as_deref(), Some(expected), "{name}");
    }
}

#[tokio::test]
async fn one_record() {
    let front = Front::of(archive()).await;
    let [_, repository, _] = fill(&front).await;
    let stored = front.catalog.records_of(repository, 0, 3).await.unwrap();
    let page = |number: usize| format!("/records/h/{}", stored[number].id);
    contains(
        &get(&front, &page(0)).await,
        &["Eins &lt;script&gt;", "javascript:alert(6)", "javascript:alert(3)"],
    );
    contains(&get(&front, &page(1)).await, &["deleted there", "oai:b:2"]);
    contains(
        &get(&front, &page(2)).await,
        &[
            "href=\"http://a.example/p.pdf\"",
            "/view/h/20260102030405/http%3A%2F%2Fa.example%2Fp.pdf",
            &format!("href=\"/databases/h/{}\"", repository.0),
        ],
    );
    let value = twin(&front, &format!("{}?format=json", page(2))).await;
    assert_eq!(
        (&value["title"], &value["repository"]["title"]),
        (&json!("Drei"), &json!("Repositorium"))
    );
    assert_eq!(value["fields"][0], json!(["title", "Drei"]));
    let csv = get(&front, &format!("{}?format=csv", page(0))).await;
    assert!(csv.text().starts_with("field,value\r\ntitle,Eins"), "{}", csv.text());
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let front = Front::of(archive()).await;
    let [form, ..] = fill(&front).await;
    let attribute = format!("/databases/h/{}?attribute=farbe", form.0);
    for target in [
        "/databases/nope",
        "/databases/nope/1",
        "/databases/h/99",
        "/databases/h/x",
        "/databases/h/-1",
        "/databases/h/99?format=soif",
        "/databases/h/9999999999999999999999",
        &attribute,
        "/records/h/999",
        "/records/h/x",
        "/records/nope/1",
        "/doc/h/4611686018427387905",
    ] {
        assert_eq!(get(&front, target).await.status, 404, "{target}");
    }
}

#[tokio::test]
async fn databases_and_records_among_hits() {
    let front = Front::of(archive()).await;
    let [form, repository, _] = fill(&front).await;
    let stored = front.catalog.records_of(repository, 0, 3).await.unwrap();
    let index = IndexDir::open_or_create(&front.dir.join("index")).unwrap();
    let mut writer = index.writer(WriterOptions { threads: 1, ..Default::default() }).unwrap();
    let document = |key: HitKey, source: Source, title: &str, text: &str| IndexedDocument {
        key: key.key(),
        id: "http://a.example/".to_owned(),
        source,
        title: title.to_owned(),
        text: text.to_owned(),
        language: Some("de".to_owned()),
        ..IndexedDocument::default()
    };
    let values = "ort: Ort 0\nname: Köln <script>alert(1)</script>\nname: Bonn & Umgebung";
    let hits = [
        document(HitKey::Database(form), Source::Database, "Hotels", values),
        document(HitKey::Record(stored[2].id), Source::Record, "Drei in Bonn", "Weber"),
        document(HitKey::Document(RequestId(1)), Source::Page, "Seite", "Köln und Bonn"),
    ];
    for hit in hits {
        writer.put(hit).unwrap();
    }
    writer.commit("{}").unwrap();

    let found = twin(&front, "/search?q=K%C3%B6ln&format=json").await;
    let hits = found["hits"].as_array().unwrap();
    let of_source = |name: &str| hits.iter().find(|hit| hit["document"]["source"] == name).unwrap();
    let hit = of_source("database");
    assert_eq!(hit["page"], format!("/databases/h/{}", form.0));
    assert_eq!(
        (&hit["beyond"]["kind"], &hit["beyond"]["interface"]),
        (&json!("database"), &json!("form"))
    );
    let expected = json!([{ "attribute": "name", "value": format!("Köln {SCRIPT}"), "query": "javascript:alert(5)" }]);
    assert_eq!(hit["beyond"]["matches"], expected);
    assert_eq!(
        (&of_source("page")["page"], of_source("page").get("beyond")),
        (&json!("/doc/h/1"), None)
    );

    let page = get(&front, "/search?q=K%C3%B6ln").await;
    contains(
        &page,
        &["<span class=\"tag \">Database</span>", "Köln &lt;script&gt;", "What is in the database"],
    );
    let page = get(&front, "/search?q=Ort+0").await;
    contains(&page, &["href=\"http://a.example/s?ort=0&amp;x=%22\"", "ask for it there"]);
    let page = get(&front, "/search?q=Drei").await;
    contains(
        &page,
        &[
            "<span class=\"tag \">Record</span>",
            &format!("href=\"/records/h/{}\"", stored[2].id),
            "href=\"http://a.example/p.pdf\"",
            ">Repositorium</a>",
        ],
    );
    let only = twin(&front, "/search?q=Bonn&only=source:record&format=json").await;
    assert_eq!(only["total"], 1);
    let lines = get(&front, "/kwic?q=Bonn&all=1").await;
    contains(&lines, &[&format!("href=\"/databases/h/{}\"", form.0), "href=\"/doc/h/1\""]);
}

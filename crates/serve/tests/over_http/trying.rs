//! Trying out: what is pasted or named comes back with language, metadata and keyphrases; rules can be changed; and
//! whatever is pasted, the answer is bounded, escaped, and says what was too much.

use crate::access::FORM;
use crate::support::{Answer, Front, Port, Warc};
use serde_json::Value;

const GERMAN: &str = "Die Bibliothek ist über die Feiertage geschlossen, danach gelten wieder die gewohnten Zeiten. \
                      Wir bitten alle Leserinnen und Leser um Verständnis und wünschen erholsame Tage.";
const ENGLISH: &str = "The library is closed over the holidays; afterwards the usual opening hours apply again. We ask \
                       all our readers for their patience and wish them a quiet and pleasant time.";
const PAGE: &str = "<!DOCTYPE html><html lang=de><head><title>Institut für Physik: Kants Ethik</title></head>\
                    <body><h1>Kants Ethik</h1><p>Vorlesung im Sommer über die Grundlegung zur Metaphysik der Sitten.</p>";
const OWN: &str = "heuristic own for title\ndecide first\n<h> always -> [0.8] `//h1`\n";

fn archive() -> Warc {
    Warc::default()
        .page(2, "http://a.example/", PAGE)
        .answer(
            2,
            "http://a.example/t.txt",
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8",
            GERMAN.as_bytes(),
        )
        .answer(
            2,
            "http://a.example/i.gif",
            "HTTP/1.1 200 OK\r\nContent-Type: image/gif",
            b"GIF89a\x01\x00\x01\x00\x00\xff\x00,",
        )
}

fn form(fields: &[(&str, &str)]) -> String {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields).finish()
}

async fn send(front: &Front, fields: &[(&str, &str)]) -> Answer {
    front.send_body(Port::Pages, "POST", "/try", &[FORM], &form(fields)).await
}

/// The twin for programs.
async fn tried(front: &Front, fields: &[(&str, &str)]) -> Value {
    let headers = [FORM, ("Accept", "application/json")];
    let answer = front.send_body(Port::Pages, "POST", "/try", &headers, &form(fields)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

/// What is said aloud of a field.
fn chosen(tried: &Value, field: &str) -> Vec<String> {
    let fields = tried["trials"]["metadata"]["fields"].as_array().unwrap();
    let of_field = fields.iter().filter(|it| it["field"] == field);
    let statements =
        of_field.flat_map(|it| it["candidates"].as_array().unwrap()).map(|it| &it["statement"]);
    let said = statements.filter(|it| it["chosen"] == true);
    said.map(|it| it["value"].as_str().unwrap().to_owned()).collect()
}

fn fate<'v>(tried: &'v Value, word: &str) -> &'v str {
    let tokens = tried["trials"]["language"]["tokens"].as_array().unwrap();
    tokens.iter().find(|it| it["text"] == word).unwrap()["fate"].as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_language_of_a_text_is_told_with_every_token() {
    let front = Front::of(archive()).await;
    let german = tried(&front, &[("text", GERMAN)]).await;
    let language = &german["trials"]["language"];
    assert_eq!((&language["language"], &language["confidence"]), (&"de".into(), &"sure".into()));
    assert_eq!(german["kind"], "text");
    assert_eq!((fate(&german, "Feiertage"), fate(&german, ".")), ("recognised", "symbol"));
    let steps = language["steps"].as_array().unwrap();
    assert!(steps.last().unwrap().as_str().unwrap().starts_with("result: de, sure"), "{steps:?}");
    let english = tried(&front, &[("text", ENGLISH)]).await;
    assert_eq!(english["trials"]["language"]["language"], "en");
    assert_eq!(fate(&english, "holidays"), "unknown");
    assert_eq!(english["trials"]["keyphrases"]["model"], "english");

    let page = send(&front, &[("text", GERMAN)]).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("is-recognised\" title"), "{}", page.text());
    assert!(page.text().contains("rule of the paper: is "), "{}", page.text());
    let german_page = front
        .send_body(
            Port::Pages,
            "POST",
            "/try",
            &[FORM, ("Accept-Language", "de")],
            &form(&[("text", GERMAN)]),
        )
        .await;
    assert!(german_page.text().contains("Was aus jedem Token wurde"), "{}", german_page.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_is_changed_changes_the_result() {
    let front = Front::of(archive()).await;
    let shipped = tried(&front, &[("text", PAGE)]).await;
    assert_eq!(shipped["kind"], "html");
    assert_eq!(chosen(&shipped, "title"), ["Kants Ethik"]);
    assert_eq!(shipped["trials"]["metadata"]["edited"], false);

    let own = [("text", PAGE), ("set", "own"), ("rules", OWN)];
    assert_eq!(chosen(&tried(&front, &own).await, "title"), ["Kants Ethik"]);
    let changed = OWN.replace("//h1", "//title");
    let changed = tried(&front, &[("text", PAGE), ("set", "own"), ("rules", &changed)]).await;
    assert_eq!(chosen(&changed, "title"), ["Institut für Physik: Kants Ethik"]);

    // One file of a shipped set changed: the others stay, and each rule says why.
    let carmen = "let TITLE = `//title` | first\nheuristic carmen-title for title\ndecide first\n\
                  <1> TITLE contains \"Chemie\" -> [1.0] \"Chemie\"\n<2> TITLE -> [0.5] TITLE\n";
    let fields = [("text", PAGE), ("set", "carmen"), ("file", "title.heur"), ("rules", carmen)];
    let tried = tried(&front, &fields).await;
    let metadata = &tried["trials"]["metadata"];
    assert_eq!((&metadata["edited"], &metadata["file"]), (&true.into(), &"title.heur".into()));
    let rules = &metadata["fields"][0]["rules"];
    assert_eq!(rules[0]["verdict"]["is"], "failed");
    let because = rules[0]["verdict"]["because"].as_str().unwrap();
    assert!(because.contains("does not contain \"Chemie\""), "{because}");
    assert_eq!(rules[1]["verdict"]["is"], "fired");
    assert_eq!(chosen(&tried, "title"), ["Institut für Physik: Kants Ethik"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_can_be_loaded_again() {
    let front = Front::of(archive()).await;
    let fields = [("text", PAGE), ("set", "papers"), ("rules", "nonsense"), ("load", "yes")];
    let page = send(&front, &fields).await.text();
    assert!(page.contains("<option value=\"papers\" selected>"), "{page}");
    assert!(page.contains("heuristic title for title") && !page.contains("nonsense"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_rule_is_shown_with_line_and_column() {
    let front = Front::of(archive()).await;
    // Browsers end the lines of forms with two characters.
    let broken = "let B = `//b`\r\nlet T = `//title` | frist\r\nheuristic own for title\r\n<t> T -> [0.5] T\r\n";
    let fields = [("text", PAGE), ("set", "own"), ("rules", broken)];
    let told = tried(&front, &fields).await;
    let fault = &told["trials"]["metadata"]["faults"][0];
    assert_eq!((&fault["file"], &fault["line"]), (&"own.heur".into(), &2.into()), "{fault}");
    assert_eq!(fault["column"], 21, "{fault}");
    assert!(fault["message"].as_str().unwrap().contains("`first`"), "{fault}");
    assert_eq!(told["trials"]["metadata"]["fields"], Value::Null);
    assert_eq!(told["trials"]["language"]["language"], "de", "the other trials go on");
    let page = send(&front, &fields).await;
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("own.heur, line 2, column 21"), "{text}");
    assert!(
        text.contains("<span class=\"line is-fault\"><span class=\"line-number\">2</span>let T")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_of_a_harvest_can_be_named() {
    let front = Front::of(archive()).await;
    for named in ["http://a.example/", "1"] {
        let address = format!("/try?format=json&harvest=h&{}", form(&[("document", named)]));
        let answer = front.get(Port::Pages, &address, &[]).await;
        assert_eq!(answer.status, 200, "{named}: {}", answer.text());
        let told: Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(told["matter"]["url"], "http://a.example/");
        assert_eq!(chosen(&told, "title"), ["Kants Ethik"]);
    }
    let text = tried(&front, &[("document", "http://a.example/t.txt")]).await;
    assert_eq!(text["trials"]["language"]["language"], "de", "{text}");
    let picture = tried(&front, &[("document", "http://a.example/i.gif")]).await;
    assert!(picture["why_not"].is_string(), "{picture}");
    assert_eq!(picture["trials"], serde_json::json!({}));
    let leads_here = front.get(Port::Pages, "/doc/h/1", &[]).await.text();
    assert!(leads_here.contains("/try?harvest=h&amp;document=1"), "{leads_here}");

    for fields in [
        &[("document", "http://a.example/none")][..],
        &[("document", "99999")],
        &[("document", "-1")],
        &[("document", "' OR 1=1")],
        &[("document", "1"), ("harvest", "elsewhere")],
    ] {
        assert_eq!(send(&front, fields).await.status, 404, "{fields:?}");
        let address = format!("/try?{}", form(fields));
        assert_eq!(front.get(Port::Pages, &address, &[]).await.status, 404, "{address}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wanted_is_tried_and_nothing_else() {
    let front = Front::of(archive()).await;
    let names = |told: &Value| -> Vec<String> {
        told["trials"].as_object().unwrap().keys().cloned().collect()
    };
    let all = tried(&front, &[("text", GERMAN)]).await;
    assert_eq!(names(&all).len(), 4);
    let rule = |rule: &'static str| {
        let page = "<h1>Eins</h1><ul><li>a<li>b<li>a</ul>";
        [("text", page), ("try", "hel"), ("hel", rule)]
    };
    let found = tried(&front, &rule("html.body.ul.li[*].txt")).await;
    assert_eq!(found["trials"]["hel"]["value"], serde_json::json!(["a", "b", "a"]));
    let broken = tried(&front, &rule("html.body.ul.li[")).await;
    assert_eq!(broken["trials"]["hel"]["error"]["code"], "E_SYNTAX");
    let one = tried(&front, &[("text", GERMAN), ("try", "keyphrases"), ("model", "german")]).await;
    assert_eq!(names(&one), ["keyphrases"]);
    let phrases = one["trials"]["keyphrases"]["phrases"].as_array().unwrap();
    assert!(!phrases.is_empty() && phrases[0]["weight"].as_f64().unwrap() <= 1.0, "{phrases:?}");
    let nothing = tried(&front, &[("text", " \n ")]).await;
    assert_eq!((names(&nothing).len(), &nothing["matter"]), (0, &Value::Null));
    let example = front.get(Port::Pages, "/try?example=yes&format=json", &[]).await;
    let example: Value = serde_json::from_slice(&example.body).unwrap();
    assert_eq!(example["trials"]["language"]["language"], "de");
    assert!(chosen(&example, "title")[0].starts_with("Wörter im Netz"), "{example}");
    let part = send(&front, &[("text", GERMAN), ("part", "results")]).await.text();
    assert!(part.contains("of-language") && !part.contains("<form"), "{part}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_pasted_is_never_markup() {
    let front = Front::of(archive()).await;
    let hostile = "<title><script>alert(1)</script></title></textarea><script>alert(2)</script>\
                   <h1><img src=x onerror=alert(3)>\"' Größe</h1><svg onload=alert(4)>";
    let rules = "heuristic own for title\ndecide first\n<h> always -> [0.8] \"<script>alert(5)</script>\"\n";
    for (kind, set, rules) in [("html", "own", rules), ("text", "default", "</textarea><script>")] {
        let fields = [("text", hostile), ("as", kind), ("set", set), ("rules", rules)];
        let answer = send(&front, &fields).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let text = answer.text();
        for sign in ["<script>alert", "<img src=x", "<svg onload", "</textarea><script"] {
            assert!(!text.contains(sign), "{sign}: {text}");
        }
        assert!(text.contains("&lt;script&gt;alert(2)"), "{text}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    }
    let elsewhere = [FORM, ("Origin", "http://evil.example")];
    let form = form(&[("text", hostile)]);
    let answer = front.send_body(Port::Pages, "POST", "/try", &elsewhere, &form).await;
    assert_eq!(answer.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn too_much_is_refused_or_cut() {
    let front = Front::of(archive()).await;
    let flood = form(&[("text", &"a".repeat(10_000_000))]);
    let answer = front.send_body(Port::Pages, "POST", "/try", &[FORM], &flood).await;
    assert_eq!(answer.status, 413);

    let many = "Haus und Garten. ".repeat(50_000);
    let told = tried(&front, &[("text", &many), ("try", "language")]).await;
    let language = &told["trials"]["language"];
    assert_eq!(language["tokens"].as_array().unwrap().len(), 5_000);
    assert!(language["tokens_left_out"].as_u64().unwrap() > 100_000, "{}", language["words"]);
    let page = send(&front, &[("text", &many), ("part", "results")]).await;
    assert!(page.body.len() < 1_500_000, "{}", page.body.len());

    let word = "x".repeat(500_000);
    let page = send(&front, &[("text", &word), ("part", "results")]).await;
    assert!((page.status, page.body.len() < 100_000) == (200, true), "{}", page.body.len());

    let nested =
        format!("<!DOCTYPE html>{}Tiefe{}", "<div>".repeat(60_000), "</div>".repeat(60_000));
    assert_eq!(send(&front, &[("text", &nested)]).await.status, 200);

    let long = format!("# {}\n{OWN}", "x".repeat(50_000));
    let told = tried(&front, &[("text", PAGE), ("set", "own"), ("rules", &long)]).await;
    let fault = &told["trials"]["metadata"]["faults"][0];
    assert!(fault["message"].as_str().unwrap().contains("24576 bytes"), "{fault}");
    let deep = format!(
        "heuristic own for title\ndecide first\n<h> {}`//h1` -> [0.5] `//h1`",
        "not ".repeat(5_000)
    );
    let told = tried(&front, &[("text", PAGE), ("set", "own"), ("rules", &deep)]).await;
    assert!(told["trials"]["metadata"]["faults"][0]["line"].is_number(), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_rules_end() {
    let front = Front::of(archive()).await;
    let paragraphs: String = (0..3_000).map(|at| format!("<p><b>Wort {at}</b></p>")).collect();
    let page = format!("<!DOCTYPE html><h1>Lang</h1>{paragraphs}");
    let rules = "let ALL = `//*[count(//*[contains(string(//*), 'x')]) > 0]`\n\
                 heuristic own for title\ndecide first\n<h> ALL -> [0.8] ALL\n";
    let fields = [("text", &*page), ("set", "own"), ("rules", rules), ("try", "metadata")];
    let told = tried(&front, &fields).await;
    let trouble = told["trials"]["metadata"]["trouble"].as_str().unwrap();
    assert!(trouble.contains("steps is used up"), "{trouble}");
    assert!(send(&front, &fields).await.text().contains("steps is used up"));
}

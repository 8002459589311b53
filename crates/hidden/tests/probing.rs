//! Forms that nobody described, probed; the server is a function over a list of rows.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_hidden::{FormProbing, PROBED_ATTRIBUTE, ProbingSettings};
use auslese_markup::parse;
use auslese_model::Request;
use url::Url;

const MENU: &str = "<ul><li>Startseite des Museums</li><li>Öffnungszeiten und Anfahrt</li></ul>";

fn rows() -> Vec<String> {
    let things = ["Becher", "Krug", "Teller", "Vase", "Schale", "Kanne"];
    let makers = ["Meissen", "Delft", "Limoges", "Worcester", "Berlin"];
    (0..600usize)
        .map(|number| {
            let (thing, maker) = (things[number % 6], makers[number % 5]);
            format!("{thing} aus {maker}, Inventar {number:04}")
        })
        .collect()
}

fn answer(hits: &[&String]) -> (u16, String) {
    let rows: String =
        hits.iter().map(|row| format!("<tr><td>{row}</td><td>1</td></tr>")).collect();
    (200, format!("{MENU}<p>{} Treffer</p><table>{rows}</table>", hits.len()))
}

fn field(request: &Request, name: &str) -> String {
    let found = request.url.query_pairs().find(|(known, _)| known == name);
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

fn probe(
    form: &str,
    settings: ProbingSettings,
    server: &dyn Fn(&Request) -> (u16, String),
) -> (FormProbing, usize) {
    let page = parse(form.as_bytes(), Some("utf-8"));
    let url: Url = "http://museum.example/katalog".parse().unwrap();
    let mut probing = FormProbing::new(&page, &url, settings).unwrap();
    let mut sent = 0;
    while let Some(request) = probing.next() {
        sent += 1;
        assert!(sent < 5_000, "no end");
        let (status, html) = server(&request);
        probing.answered(&request.url, status, Some(&parse(html.as_bytes(), Some("utf-8"))));
    }
    (probing, sent)
}

const WORDS: &str =
    "<title>Museum: Vase und Krug</title><form action=s><input name=q><input type=submit></form>";

fn contains(row: &str, word: &str) -> bool {
    row.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|it| it == word)
}

#[test]
fn words_bring_all_rows_and_no_menu() {
    let all = rows();
    let server = |request: &Request| {
        let word = field(request, "q");
        answer(&all.iter().filter(|row| contains(row, &word)).collect::<Vec<_>>())
    };
    let (probing, sent) = probe(WORDS, ProbingSettings::default(), &server);
    let (queries, _, seen) = probing.progress();
    assert_eq!((seen, queries as usize), (600, sent));
    assert!(queries < 60 && probing.coverage().unwrap() > 0.9, "{queries}");
    let address = probing.query_address(1).unwrap();
    let summary = probing.finish();
    assert!(address.as_str().starts_with("http://museum.example/s?q="), "{address}");
    assert_eq!(summary.attributes[0].name, PROBED_ATTRIBUTE);
    assert!(summary.attributes[0].values.iter().all(|row| row.contains("Inventar")));
}

#[test]
fn beginnings_follow_where_answers_are_cut() {
    let all = rows();
    let server = |request: &Request| {
        let question = field(request, "q").to_lowercase();
        let fits = |row: &&String| match question.strip_suffix('%') {
            Some(beginning) => row.to_lowercase().starts_with(beginning),
            None => contains(row, &question),
        };
        answer(&all.iter().filter(fits).take(40).collect::<Vec<_>>())
    };
    let (plain, _) = probe(WORDS, ProbingSettings { queries: 60, any_ending: None }, &server);
    let settings = ProbingSettings { queries: 3_000, any_ending: Some("%".to_owned()) };
    let (drilled, _) = probe(WORDS, settings, &server);
    let (before, after) = (plain.progress().2, drilled.progress().2);
    assert!(before < after && after >= 594, "{before} {after}");
    assert_eq!(plain.finish().truncated, Some(40));
}

#[test]
fn a_list_that_only_sorts_is_not_asked_through() {
    let all = rows();
    let form = "<form action=s><select name=sort><option>auf<option>ab</select>\
        <select name=ding><option value=''>alle<option>Becher<option>Krug<option>Teller<option>Vase\
        <option>Schale<option>Kanne</select></form>";
    let server = |request: &Request| {
        let thing = field(request, "ding");
        answer(&all.iter().filter(|row| row.starts_with(&thing)).collect::<Vec<_>>())
    };
    let (probing, sent) = probe(form, ProbingSettings::default(), &server);
    assert_eq!((sent, probing.progress().2), (8, 600));
    let codes: Vec<&str> = probing.finish().problems.iter().map(|it| it.code).collect();
    assert_eq!(codes, ["W_UNINFORMATIVE"]);
}

#[test]
fn what_is_not_probed() {
    let url: Url = "http://museum.example/".parse().unwrap();
    for form in [
        "<form method=post><input name=q></form>",
        "<form><input name=q><input type=password name=p></form>",
        "<form><input type=submit></form>",
        "<p>nichts",
    ] {
        let page = parse(form.as_bytes(), None);
        let refused = FormProbing::new(&page, &url, ProbingSettings::default());
        assert_eq!(refused.unwrap_err().code, "E_NO_FORM", "{form}");
    }
    let (probing, sent) = probe(WORDS, ProbingSettings::default(), &|_| (500, String::new()));
    assert_eq!(sent, 5);
    assert!(probing.finish().stopped.is_some());
}

//! A database asked from its form to its summary; the server is a function.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_hidden::{
    Ask, DatabaseAnswer, DatabaseSummary, DbMetadata, Gathering, PlanSettings, config_entries,
    page_entries, plan,
};
use auslese_markup::parse;
use auslese_model::{Request, SoifLists, Timestamp};
use url::Url;

const FORM: &str = r##"<html><head><title>CityWorld - Hotels</title><META NAME="Description" CONTENT="Hotelführer M-V">
<META NAME="DB.QueryElement" CONTENT="region">
<META NAME="DB.Result.region" CONTENT="html.body->A[i]->pdata[1].txt
  where html.body->A[i].getAttr(name) = 'Seitenanfang'">
<META NAME="DB.Result" CONTENT="html.body->table[1].">
<META NAME="DB.Result.ort" CONTENT="tr[j:*].td[1].txt
  where tr[j].td[1].font.getAttr(color) = '#FF8000'">
<META NAME="DB.Result.name" CONTENT="tr[k:*].td[1].b.txt
  where tr[k].td[0].input.getAttr(name) = 'hotel_id'">
<META NAME="DB.Navigation" CONTENT="NO"></head><body><form action=suche.pl method=post>
<input type=radio name=region value=1> Schweiz <input type=radio name=region value=2> Ostsee <input name=ort></form>"##;

/// A town and its hotels.
type Town = (&'static str, &'static [&'static str]);

/// Regions by what is sent and what is shown.
const HOTELS: [(&str, &str, &[Town]); 2] = [
    (
        "1",
        "Mecklenburgische Schweiz",
        &[("Waren", &["Hotel am See", "Anker"]), ("Malchow", &["Insel"])],
    ),
    ("2", "Ostsee", &[("Wismar", &["Anker"]), ("Rostock", &["Sonne", "Neptun"])]),
];

/// A page of results as in the paper's figure.
fn result_page(region: &str) -> String {
    let (_, name, towns) = HOTELS.iter().find(|(id, _, _)| *id == region).unwrap();
    let mut rows = String::new();
    for (town, hotels) in *towns {
        rows.push_str(&format!(
            "<tr><td></td><td><font color=#FF8000><b>{town}</b></font></td></tr>"
        ));
        for hotel in *hotels {
            rows.push_str(&format!("<tr><td><input type=checkbox name=hotel_id value=1></td><td><b>{hotel}</b><br>Weg 1</td></tr>"));
        }
    }
    format!(
        "<table><tr><td>Navigation</td></tr></table><a name=Seitenanfang></a>Suchergebnis <b>{name}</b><table>{rows}</table>"
    )
}

type Asked = Vec<String>;

/// Drives a gathering to its end; the server answers a request by status and page.
fn gather(
    form: &str,
    config: &str,
    server: &dyn Fn(&Request) -> (u16, String),
) -> (DatabaseSummary, Asked) {
    let page = parse(form.as_bytes(), Some("utf-8"));
    let url: Url = "http://www.cityworld.example/auswahl.pl".parse().unwrap();
    let metadata = DbMetadata::of_entries(&page_entries(&page), &config_entries(config.as_bytes()));
    let plan = plan(&page, &url, &metadata, PlanSettings::default()).unwrap();
    let mut gathering = Gathering::new(plan, metadata);
    let mut asked = Vec::new();
    while let Some(ask) = gathering.next() {
        assert!(asked.len() < 1000, "no end");
        let Ask { request, .. } = &ask;
        asked.push(match &request.body {
            Some((_, body)) => format!("{} {}", request.url, String::from_utf8_lossy(body)),
            None => request.url.to_string(),
        });
        let (status, html) = server(request);
        let page = parse(html.as_bytes(), Some("utf-8"));
        gathering.answered(&ask, DatabaseAnswer { url: &request.url, status, page: Some(&page) });
    }
    (gathering.finish(), asked)
}

fn values<'a>(summary: &'a DatabaseSummary, name: &str) -> Vec<&'a str> {
    let attribute = summary.attributes.iter().find(|it| it.name == name);
    attribute.map_or(Vec::new(), |it| it.values.iter().map(String::as_str).collect())
}

fn codes(summary: &DatabaseSummary) -> Vec<&str> {
    summary.problems.iter().map(|it| it.code).collect()
}

#[test]
fn the_papers_hotel_guide() {
    let server = |request: &Request| {
        let (_, body) = request.body.as_ref().unwrap();
        let region = String::from_utf8_lossy(body)[7..8].to_owned();
        (200, result_page(&region))
    };
    let (summary, asked) = gather(FORM, "", &server);
    assert_eq!(asked.len(), HOTELS.len(), "one request for each region");
    assert_eq!(values(&summary, "region"), ["Mecklenburgische Schweiz", "Ostsee"]);
    assert_eq!(values(&summary, "ort"), ["Waren", "Malchow", "Wismar", "Rostock"]);
    assert_eq!(values(&summary, "name"), ["Hotel am See", "Anker", "Insel", "Sonne", "Neptun"]);
    assert!(summary.problems.is_empty(), "{:?}", summary.problems);
    let soif = summary.soif(Timestamp::from_seconds(0), SoifLists::Joined);
    assert_eq!(soif.text("type").as_deref(), Some("DBForm"));
    assert_eq!(soif.text("title").as_deref(), Some("CityWorld - Hotels"));
    assert_eq!(soif.text("description").as_deref(), Some("Hotelführer M-V"));
    assert_eq!(soif.values("ort"), ["Waren", "Malchow", "Wismar", "Rostock"]);
    assert_eq!(soif.text("query-count").as_deref(), Some("2"));
    assert_eq!(soif.text("truncated").as_deref(), Some("false"));
}

const SEARCH: &str = "<form action=s><input name=q></form>";
const LETTERS: &str =
    "DB.QueryElement: q\nDB.QueryElement.q: /[A-E]%/\nDB.Result.name: html.body.ul.li[*].txt\n";

fn item_list(from: u32, to: u32, after: &str) -> String {
    let items: String = (from..to).map(|number| format!("<li>Wert {number}</li>")).collect();
    format!("<ul>{items}</ul>{after}")
}

#[test]
fn pages_are_followed_and_counted() {
    let server = |request: &Request| {
        let page: u32 = match request.url.query_pairs().find(|(name, _)| name == "p") {
            Some((_, page)) => page.parse().unwrap(),
            None => 0,
        };
        let next =
            if page < 3 { format!("<a href='?p={}'>weiter</a>", page + 1) } else { String::new() };
        (200, item_list(page * 10, page * 10 + 10, &next))
    };
    let config = "DB.QueryElement: q\nDB.QueryElement.q: x\nDB.Result.name: html.body.ul.li[*].txt";
    let (summary, asked) = gather(SEARCH, config, &server);
    assert_eq!((asked.len(), summary.queries, summary.pages), (4, 1, 4));
    assert_eq!(values(&summary, "name").len(), 40);
    assert_eq!(codes(&summary), [""; 0]);
}

#[test]
fn cut_answers_are_noticed() {
    let server = |request: &Request| match request.url.as_str().contains("q=B") {
        true => (200, item_list(0, 3, "")),
        false => (200, item_list(0, 20, "")),
    };
    let (summary, _) = gather(SEARCH, LETTERS, &server);
    assert_eq!((summary.truncated, &summary.truncated_queries[..]), (Some(20), &[0, 2, 3, 4][..]));
    assert_eq!(codes(&summary), ["W_TRUNCATED"]);
}

#[test]
fn failures_questions_and_dead_rules() {
    let (summary, asked) = gather(SEARCH, LETTERS, &|_| (500, String::new()));
    assert_eq!((asked.len(), summary.failed, summary.queries), (5, 5, 0));
    assert!(summary.stopped.unwrap().starts_with("5 requests in a row failed"));
    let (summary, asked) =
        gather(SEARCH, LETTERS, &|_| (200, "<form><input name=pin></form>".to_owned()));
    assert_eq!(asked.len(), 3);
    assert_eq!(codes(&summary), ["W_INTERACTION", "W_RULE_DEAD"]);
    let (summary, asked) = gather(SEARCH, LETTERS, &|_| (200, "<p>nichts gefunden".to_owned()));
    assert_eq!((asked.len(), summary.stopped.as_deref()), (5, None));
    assert_eq!(codes(&summary), ["W_RULE_DEAD"]);
}

/// A page in between is passed by the link that `DB.Step` finds, once for each query.
#[test]
fn one_page_in_between_can_be_described() {
    let server = |request: &Request| match request.url.path() {
        "/r" => (200, item_list(0, 2, "")),
        _ => (200, "<p>Gefunden: <a class=go href=/r?s=1>anzeigen</a>".to_owned()),
    };
    let config = format!(
        "{LETTERS}DB.Step: html->a[i].getAttr(href) where html->a[i].getAttr(class) = 'go'\n"
    );
    let (summary, asked) = gather(SEARCH, &config, &server);
    assert_eq!((asked.len(), summary.queries), (10, 5), "{asked:?}");
    assert_eq!(asked[1], "http://www.cityworld.example/r?s=1");
    assert_eq!(values(&summary, "name"), ["Wert 0", "Wert 1"]);
    let endless = |_: &Request| (200, "<a class=go href=/again>x</a>".to_owned());
    let (summary, asked) = gather(SEARCH, &config, &endless);
    assert_eq!((asked.len(), codes(&summary)), (10, vec!["W_RULE_DEAD"]));
}

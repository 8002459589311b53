//! Databases behind forms, asked as a program would ask them.

use crate::client::{ask_raw, body, get};
use auslese_model::{Method, read_soif};
use auslese_testnet::databases::{
    Between, Catalogue, CatalogueForm, CatalogueOptions, Charset, DatasetPage, DbContentOffer,
    Described, Essential, GuideOptions, HotelGuide, Matching, RegionControl,
};
use auslese_testnet::{Internet, Running, Site};
use std::collections::BTreeSet;

const HOST: &str = "h.example";

fn served(add: impl FnOnce(Site) -> Site) -> Running {
    Internet::new().site(add(Site::new("http://h.example"))).start().unwrap()
}

fn guide(options: GuideOptions) -> (HotelGuide, Running) {
    let guide = HotelGuide::new(400, 7).with(options);
    let net = served(|site| guide.clone().add_to(site, "/hotels/"));
    (guide, net)
}

fn post(net: &Running, target: &str, fields: &str) -> String {
    let request = format!(
        "POST {target} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\nContent-Type: \
         application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{fields}",
        fields.len()
    );
    let (bytes, end) = ask_raw(net.http(), &request);
    end.unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What stands between two texts, each time.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    text.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

fn hotels(answer: &str) -> Vec<&str> {
    let rows = answer.split("name=\"hotel_id\"").skip(1);
    rows.filter_map(|row| between(row, "<b>", "</b>").first().copied()).collect()
}

/// The pages of an answer, by their link "weiter".
fn pages(net: &Running, directory: &str, first: &str) -> Vec<String> {
    let mut pages = vec![get(net.http(), HOST, &format!("{directory}{first}"))];
    while let Some((before, _)) = pages[pages.len() - 1].split_once("\">weiter</a>") {
        let target = before.rsplit("href=\"").next().unwrap().replace("&amp;", "&");
        pages.push(get(net.http(), HOST, &format!("{directory}{target}")));
    }
    pages
}

#[test]
fn one_query_per_region_brings_everything() {
    let (guide, net) = guide(GuideOptions::default());
    let form = get(net.http(), HOST, "/hotels/");
    let described = r#"<META NAME="DB.QueryElement" CONTENT="region">
<META NAME="DB.Result.region" CONTENT="html.body->A[i]->pdata[1].txt
  where html.body->A[i].getAttr(name) = 'Seitenanfang'">
<META NAME="DB.Result" CONTENT="html.body->table[1].">
<META NAME="DB.Result.ort" CONTENT="tr[j:*].td[1].txt
  where tr[j].td[1].font.getAttr(color) = '#FF8000'">
<META NAME="DB.Result.name" CONTENT="tr[k:*].td[1].b.txt
  where tr[k].td[0].input.getAttr(name) = 'hotel_id'">
<META NAME="DB.Navigation" CONTENT="NO">
"#;
    assert!(form.contains(described), "{form}");
    assert_eq!(form.matches("type=\"radio\" name=\"region\"").count(), 12);

    let (mut names, mut towns) = (BTreeSet::new(), BTreeSet::new());
    for (number, region) in (1..).zip(guide.database.regions()) {
        let target = format!("/hotels/ergebnis?region={number}&ort=&preis=&art=");
        let answer = get(net.http(), HOST, &target);
        let heading = format!("<a name=\"Seitenanfang\"></a>Suchergebnis <b>{region}</b>\n<table>");
        assert!(answer.contains(&heading), "{answer}");
        names.extend(hotels(&answer).into_iter().map(str::to_owned));
        let orange = between(&answer, "<font color=\"#FF8000\"><b>", "</b>");
        towns.extend(orange.into_iter().map(str::to_owned));
    }
    let database = &guide.database;
    assert_eq!(names, database.hotels().iter().map(|it| it.name.clone()).collect());
    assert_eq!(towns, database.towns().iter().map(|it| it.name.clone()).collect());
    let asked = net.requests();
    assert_eq!(asked.len(), 13);
    assert_eq!(asked[12].target, "/hotels/ergebnis?region=12&ort=&preis=&art=");
}

#[test]
fn forms_and_their_descriptions() {
    let usual = GuideOptions::default;
    let file = |token: Option<&str>| Described::InFile { token: token.map(str::to_owned) };
    #[rustfmt::skip]
    let cases = [
        // options                                                                 path                 contains
        (GuideOptions { essential: Essential::RegionAndPrice, ..usual() },         "/hotels/",          "NAME=\"DB.QueryElements\" CONTENT=\"region, preis\""),
        (GuideOptions { essential: Essential::RegionAndPrice, ..usual() },         "/hotels/ergebnis?region=1", "Es fehlt eine Angabe: region, preis."),
        (GuideOptions { essential: Essential::RegionPriceAndKind, ..usual() },     "/hotels/",          "CONTENT=\"region, preis, art\""),
        (GuideOptions { essential: Essential::Town, ..usual() },                   "/hotels/",          "NAME=\"DB.QueryElement.ort\" CONTENT=\"/[A-Z]%/\""),
        (GuideOptions { essential: Essential::Town, ..usual() },                   "/hotels/ergebnis?ort=s%25", "<font color=\"#FF8000\"><b>S"),
        (GuideOptions { regions: RegionControl::Select, ..usual() },               "/hotels/",          "<option value=\"12\">Unteres Werthtal</option>"),
        (GuideOptions { described: Described::Nowhere, ..usual() },                "/hotels/",          "<form action=\"ergebnis\" method=\"get\">"),
        (GuideOptions { described: file(None), ..usual() },                        "/hotels/",          "NAME=\"DB.ConfigFile\" CONTENT=\"guide.conf\""),
        (GuideOptions { described: file(None), ..usual() },                        "/hotels/guide.conf", "\nDB.Result.ort: tr[j:*].td[1].txt  where tr[j]"),
        (GuideOptions { described: file(Some("x")), ..usual() },                   "/hotels/guide.conf", "HTTP/1.1 401 Unauthorized"),
        (GuideOptions { page_size: Some(10), ..usual() },                          "/hotels/",          "NAME=\"DB.NavigationURL\" CONTENT=\"ergebnis?*seite=*\""),
        (GuideOptions { decoys: true, ..usual() },                                 "/hotels/ergebnis?region=1", "<a href=\"karte?blatt=2\">2</a>"),
        (GuideOptions { decoys: true, ..usual() },                                 "/hotels/karte?blatt=2", "<a href=\"karte?blatt=3\">weiter</a>"),
        (GuideOptions { between: Between::Question, ..usual() },                   "/hotels/ergebnis?region=3", "name=\"region\" value=\"3\">\n<p>Für wie viele Personen? <select name=\"personen\">"),
        (GuideOptions { between: Between::Question, ..usual() },                   "/hotels/ergebnis?region=3&personen=2", "name=\"hotel_id\""),
        (GuideOptions { between: Between::Notice, ..usual() },                     "/hotels/",          "NAME=\"DB.Step\" CONTENT=\"html->a[i].getAttr(href) where"),
        (GuideOptions { between: Between::Notice, ..usual() },                     "/hotels/ergebnis?region=3", "<a class=\"weiter\" href=\"ergebnis?region=3&amp;gelesen=ja\">"),
        (GuideOptions { cap: Some(5), ..usual() },                                 "/hotels/ergebnis?region=1", "Es werden 5 von "),
        (usual(),                                                                  "/hotels/ergebnis?region=99", "Keine Häuser gefunden."),
        (usual(),                                                                  "/hotels/ergebnis",  "Es fehlt eine Angabe: region."),
    ];
    for (options, path, expected) in cases {
        let (_, net) = guide(options.clone());
        let answer = get(net.http(), HOST, path);
        assert!(answer.contains(expected), "{options:?} {path}\n{answer}");
    }
}

#[test]
fn posts_are_needed_where_the_form_posts_and_are_logged() {
    let latin1 = GuideOptions {
        method: Method::Post,
        charset: Charset::Latin1,
        page_size: Some(4),
        essential: Essential::Town,
        ..GuideOptions::default()
    };
    let (guide, net) = guide(latin1);
    let refused = get(net.http(), HOST, "/hotels/ergebnis?ort=R%F6b%25");
    assert!(refused.starts_with("HTTP/1.1 405"), "{refused}");
    let answer = post(&net, "/hotels/ergebnis", "ort=R%F6b%25");
    assert!(answer.contains("charset=iso-8859-1\r\n"), "{answer}");
    let there = guide.database.hotels().iter().filter(|it| it.town.starts_with("Röb")).count();
    assert!(answer.contains(&format!("<p>{there} Treffer</p>")), "{there} {answer}");
    assert!(there > 4 && answer.contains("ergebnis?ort=R%F6b%25&amp;seite=2\">weiter"), "{answer}");
    let second = get(net.http(), HOST, "/hotels/ergebnis?ort=R%F6b%25&seite=2");
    assert!(second.starts_with("HTTP/1.1 200") && !hotels(&second).is_empty(), "{second}");
    let logged = &net.requests()[1];
    assert_eq!((&*logged.method, &*logged.body), ("POST", &b"ort=R%F6b%25"[..]));
}

#[test]
fn answers_on_several_pages_are_whole_or_cut() {
    for (cap, expected) in [(None, None), (Some(12), Some(12))] {
        let page_size = Some(5);
        let (guide, net) = guide(GuideOptions { cap, page_size, ..GuideOptions::default() });
        let region = guide.database.regions()[0];
        let all = guide.database.hotels().iter().filter(|it| it.region == region).count();
        let pages = pages(&net, "/hotels/", "ergebnis?region=1");
        let names: BTreeSet<&str> = pages.iter().flat_map(|page| hotels(page)).collect();
        assert_eq!(names.len(), expected.unwrap_or(all));
        assert_eq!(pages.len(), expected.unwrap_or(all).div_ceil(5));
    }
}

#[test]
fn sessions_go_on_and_servers_are_busy_at_times() {
    let (_, net) = guide(GuideOptions {
        sessions: true,
        busy_percent: 20,
        page_size: Some(5),
        ..GuideOptions::default()
    });
    let session = |form: &str| between(form, "name=\"sitzung\" value=\"", "\"")[0].to_owned();
    let forms = [0; 2].map(|_| session(&get(net.http(), HOST, "/hotels/")));
    assert_ne!(forms[0], forms[1]);
    let target = format!("/hotels/ergebnis?sitzung={}&region=2", forms[0]);
    let statuses = |_| get(net.http(), HOST, &target)[9..12].to_owned();
    let first: Vec<String> = (0..100).map(statuses).collect();
    let busy = first.iter().filter(|status| *status == "503").count();
    assert!((8..35).contains(&busy), "{busy}");
    net.reset();
    assert_eq!((0..100).map(statuses).collect::<Vec<_>>(), first, "the same each time");
    let found = (0..10).map(|_| get(net.http(), HOST, &target));
    let found = found.into_iter().find(|it| it.starts_with("HTTP/1.1 200")).unwrap();
    assert!(found.contains(&format!("ergebnis?sitzung={}&amp;region=2&amp;seite=2", forms[0])));
}

#[test]
fn summarizers_answer_those_who_may_ask() {
    let database = HotelGuide::new(50, 3).database;
    let interface = "http://h.example/hotels/".to_owned();
    let offer = DbContentOffer { database, interface, token: Some("geheim".to_owned()) };
    let net = served(|site| offer.add_to(site));
    let document = get(net.http(), HOST, DbContentOffer::DOCUMENT);
    assert!(document.contains("Content-Type: application/x-dbcontent"), "{document}");
    assert!(document.contains("Summarizer:  http://h.example/cgi-bin/summarizer\n"), "{document}");
    let ask = |config: &str, token: &str| {
        let head = format!(
            "GET /cgi-bin/summarizer?config={config} HTTP/1.1\r\nHost: {HOST}\r\n{token}Connection: \
             close\r\n\r\n"
        );
        String::from_utf8(ask_raw(net.http(), &head).0).unwrap()
    };
    let token = "Authorization: Bearer geheim\r\n";
    let path = "..%2Fdb%2Fhotels.DBContent";
    #[rustfmt::skip]
    let cases = [
        (path,                 "",                                  "401"),
        (path,                 "Authorization: Bearer falsch\r\n",  "401"),
        ("..%2F..%2Fetc",      token,                               "403"),
        ("",                   token,                               "400"),
        (path,                 token,                               "200"),
    ];
    for (config, token, status) in cases {
        assert_eq!(&ask(config, token)[9..12], status, "{config} {token}");
    }
    let objects = read_soif(body(&ask(path, token)).as_bytes()).unwrap();
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0].kind, "DBFRAGMENT");
    assert_eq!(objects[0].values("hotel.name").len(), 50);
    assert_eq!(objects[0].values("region.region"), offer.database.regions());
}

#[test]
fn catalogues_are_searched_by_words_beginnings_and_groups() {
    let catalogue = Catalogue::new(5_000, 1);
    let row = &catalogue.rows()[41];
    let usual = CatalogueOptions::default;
    let begins = CatalogueOptions { matching: Matching::Beginning, ..usual() };
    let select = CatalogueOptions { form: CatalogueForm::SelectOnly, ..usual() };
    let in_title = |word: &str| {
        let has = |it: &&str| it.to_lowercase().split(' ').any(|known| known == word);
        catalogue.rows().iter().map(|it| &*it.title).filter(has).count()
    };
    let of_group = |rows: usize| {
        let history = catalogue.rows().iter().filter(|it| it.group == "Geschichte");
        history.count().min(rows)
    };
    let start: String = row.title.chars().take(2).collect();
    let started = catalogue
        .rows()
        .iter()
        .filter(|it| it.title.to_lowercase().starts_with(&start.to_lowercase()));
    let capped = CatalogueOptions { cap: Some(1_000), ..usual() };
    let one_page = CatalogueOptions { page_size: None, ..usual() };
    #[rustfmt::skip]
    let cases = [
        (usual(),  "suche?q=und".to_owned(),              in_title("und"), in_title("und").div_ceil(100)),
        (one_page, "suche?q=Und".to_owned(),              in_title("und"), 1),
        (usual(),  "suche?gruppe=Geschichte".to_owned(),  of_group(5_000), of_group(5_000).div_ceil(100)),
        (capped,   "suche?gruppe=Geschichte".to_owned(),  of_group(1_000), 10),
        (select,   "suche?q=und&gruppe=Geschichte".to_owned(), of_group(5_000), of_group(5_000).div_ceil(100)),
        (begins,   format!("suche?q={start}%25"),         started.count(), 1),
        (usual(),  "suche?q=xyzzy".to_owned(),            0,               1),
        (usual(),  "suche?q=&gruppe=".to_owned(),         0,               1),
    ];
    for (options, query, rows, page_count) in cases {
        let net = served(|site| catalogue.clone().with(options).add_to(site, "/katalog/"));
        let pages = pages(&net, "/katalog/", &query);
        let numbers: BTreeSet<&str> =
            pages.iter().flat_map(|page| between(page, "<tr><td>", "</td>")).collect();
        assert_eq!((numbers.len(), pages.len()), (rows, page_count), "{query}");
    }
    assert!(in_title("und") > 500 && of_group(5_000) > 1_000, "there is something to cut");
}

#[test]
fn interfaces_are_declared() {
    let options = CatalogueOptions { opensearch: true, ..CatalogueOptions::default() };
    let dataset = DatasetPage {
        name: "Pegel </script>".to_owned(),
        description: "Wasserstände".to_owned(),
        keywords: vec!["Wasser".to_owned()],
        files: vec![("text/csv".to_owned(), "http://h.example/pegel.csv".to_owned())],
    };
    let net = served(|site| {
        let site = Catalogue::new(10, 1).with(options).add_to(site, "/katalog/");
        site.answer("/pegel.html", dataset.answer())
    });
    let form = get(net.http(), HOST, "/katalog/");
    assert!(form.contains("<link rel=\"search\" type=\"application/opensearchdescription+xml\""));
    let description = get(net.http(), HOST, "/katalog/opensearch.xml");
    let template = "http://h.example/katalog/suche?q={searchTerms}&amp;seite={startPage?}";
    assert!(description.contains(template), "{description}");
    let page = get(net.http(), HOST, "/pegel.html");
    let said = between(&page, "<script type=\"application/ld+json\">", "</script>")[0];
    let said: serde_json::Value = serde_json::from_str(said).unwrap();
    assert_eq!(said["name"], "Pegel </script>");
    assert_eq!(said["distribution"][0]["contentUrl"], "http://h.example/pegel.csv");
}

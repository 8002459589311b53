//! The demo fixture: what a browser would find in it.

use crate::client::{body, get, get_secure};
use auslese_testnet::{Internet, demo, generated_site};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use url::Url;

#[test]
fn it_has_a_believable_size() {
    let internet = demo::internet();
    let documents: Vec<_> = internet
        .sites()
        .iter()
        .flat_map(|site| site.documents().into_iter().map(|d| (site.origin_text(), d)))
        .collect();
    let pages = documents.iter().filter(|(_, d)| d.body.starts_with(b"<!DOCTYPE"));
    let distinct: HashSet<_> = pages.map(|(_, d)| &d.body).collect();
    assert!((60..=250).contains(&distinct.len()), "{} distinct pages", distinct.len());
}

#[test]
fn pages_and_their_oddities() {
    let net = demo::internet().start().unwrap();
    #[rustfmt::skip]
    let cases = [
        // port  host                           path                          answer contains
        (80,   "www.uni-hohenwerth.example",   "/",                          "srcset=\"/bilder/schloss-800.png 800w"),
        (80,   "www.uni-hohenwerth.example",   "/index.html",                "<title>Willkommen"),
        (80,   "www.uni-hohenwerth.example",   "/studium/?druck=1",          "<h1>Studium</h1>"),
        (80,   "www.uni-hohenwerth.example",   "/robots.txt",                "Disallow: /intern/"),
        (80,   "www.uni-hohenwerth.example",   "/intern/telefonliste.html",  "Dienstgebrauch"),
        (80,   "www.uni-hohenwerth.example",   "/sitemap.xml",               "/aktuelles/lesesaal.html</loc>"),
        (80,   "www.uni-hohenwerth.example",   "/kreis/a",                   "Location: /kreis/b"),
        (80,   "www.uni-hohenwerth.example",   "/stil/haupt.css",            "@import url(\"schrift.css\")"),
        (80,   "www.uni-hohenwerth.example",   "/aktuelles/artikel.php?id=lesesaal", "60 Steckdosen"),
        (80,   "www.uni-hohenwerth.example",   "/vorlesungsverzeichnis-1997.html", "HTTP/1.1 404"),
        (80,   "uni-hohenwerth.example",       "/studium/",                  "Location: http://www.uni-hohenwerth.example/studium/"),
        (80,   "bibliothek.uni-hohenwerth.example", "/",                     "Location: https://bibliothek"),
        (80,   "math.uni-hohenwerth.example",  "/",                          "<base href="),
        (80,   "math.uni-hohenwerth.example",  "/personen/sattler.html",     "Ein Gegenbeispiel, das keines war"),
        (80,   "math.uni-hohenwerth.example",  "/lehre/",                    "1402 Random walks"),
        (80,   "math.uni-hohenwerth.example",  "/publikationen/1998.html",   "Karl-Heinz Müller"),
        (80,   "math.uni-hohenwerth.example",  "/preprints/09-04.html",      "<meta name=\"citation_pdf_url\""),
        (80,   "physik.uni-hohenwerth.example", "/",                         "http-equiv=\"refresh\""),
        (8080, "physik.uni-hohenwerth.example", "/versuch2.html",            "Transfer-Encoding: chunked"),
        (80,   "alt.uni-hohenwerth.example",   "/",                          "<FRAMESET"),
        (80,   "alt.uni-hohenwerth.example",   "/skripte.zip",               "Content-type: text/plain"),
        (80,   "alt.uni-hohenwerth.example",   "/rz/druckauftr%C3%A4ge.htm", "Endlospapier"),
        (80,   "www.fh-niederau.example",      "/labore.html",               "Maßstab 1:40"),
        (80,   "www.stadt-hohenwerth.example", "/parken",                    "gehört nicht zur Universität"),
    ];
    for (port, host, path, expected) in cases {
        let answer = get(net.socket(port).unwrap(), host, path);
        assert!(answer.contains(expected), "http://{host}:{port}{path}\n{answer}");
        assert!(!answer.contains("{title}"), "http://{host}:{port}{path}");
    }
}

#[test]
fn papers_are_there_and_called_what_servers_call_them() {
    let net = demo::internet().start().unwrap();
    let papers = demo::paper_truth().into_iter().chain(demo::office_truth());
    let unreadable = demo::unreadable_papers().into_iter();
    let all: Vec<String> =
        papers.map(|paper| paper.url).chain(unreadable.map(|(url, _)| url)).collect();
    assert_eq!(all.len(), all.iter().collect::<HashSet<_>>().len(), "each has a place of its own");
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for url in all.iter().map(|url| Url::parse(url).unwrap()) {
        let answer = get(net.http(), url.host_str().unwrap(), url.path());
        assert!(answer.starts_with("HTTP/1.1 200"), "{url}");
        let head = answer.split("\r\n\r\n").next().unwrap();
        let value = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
        let coding = value("Content-Encoding: ").map(|coding| format!(" in {coding}"));
        let kind = value("Content-Type: ").unwrap().to_owned() + &coding.unwrap_or_default();
        *kinds.entry(kind).or_default() += 1;
    }
    let kinds: Vec<(&str, usize)> = kinds.iter().map(|(kind, count)| (&**kind, *count)).collect();
    #[rustfmt::skip]
    assert_eq!(kinds, [
        ("application/gzip", 5),
        ("application/msword", 1),
        ("application/octet-stream", 2),
        ("application/pdf", 8),
        ("application/postscript in gzip", 1),
        ("application/vnd.oasis.opendocument.text", 1),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", 1),
        ("application/x-gzip", 1),
        ("text/rtf", 1),
    ]);
}

#[test]
fn databases_hold_what_is_said_of_them() {
    let net = demo::internet().start().unwrap();
    let truth = demo::database_truth();
    let ask = |url: &str, more: &str| {
        let url = Url::parse(&format!("{url}{more}")).unwrap();
        let target = &url[url::Position::BeforePath..];
        match url.scheme() {
            "https" => get_secure(&net, "bibliothek.uni-hohenwerth.example", target),
            _ => get(net.http(), url.host_str().unwrap(), target),
        }
    };
    let region = truth.hotels.regions()[3];
    let of_region = truth.hotels.hotels().iter().filter(|hotel| hotel.region == region).count();
    let of_group = truth.museum_rows.iter().filter(|row| row.group == "Musik").count();
    #[rustfmt::skip]
    let cases = [
        (truth.hotel_form,      "",                                               "NAME=\"DB.QueryElement\" CONTENT=\"region\"".to_owned()),
        (truth.hotel_form,      "ergebnis?region=4&ort=&preis=&art=",             format!("<p>{of_region} Treffer</p>")),
        (&truth.hotel_document, "",                                               format!("URL:         {}\n", truth.hotel_form)),
        ("http://geographie.uni-hohenwerth.example", "/cgi-bin/summarizer?config=..%2Fdb%2Fhotels.DBContent", "@DBFRAGMENT { http://geographie".to_owned()),
        (truth.repository,      "?verb=Identify",                                 "Hohenwerther Dokumente".to_owned()),
        (truth.repository,      "?verb=ListRecords&metadataPrefix=oai_dc",        "completeListSize=\"230\"".to_owned()),
        (truth.museum_form,     "",                                               "<h1>Museumskatalog</h1>".to_owned()),
        (truth.museum_form,     "suche?gruppe=Musik",                             format!("von {of_group}</p>")),
    ];
    for (url, more, expected) in cases {
        let answer = ask(url, more);
        assert!(answer.contains(&expected), "{url}{more}\n{answer}");
    }
    net.begin_second_round();
    let news = ask(truth.repository, "?verb=ListIdentifiers&metadataPrefix=oai_dc&from=2026-11-02");
    assert_eq!(news.matches("<header").count(), 10, "{news}");
}

#[test]
fn the_old_server_speaks_latin1_without_saying_so() {
    let net = demo::internet().start().unwrap();
    let request = "GET /inhalt.htm HTTP/1.0\r\nHost: alt.uni-hohenwerth.example\r\n\r\n";
    let (bytes, _) = crate::client::ask_raw(net.http(), request);
    let position = |part: &[u8]| bytes.windows(part.len()).position(|window| window == part);
    assert!(position(b"\xd6ffnungszeiten").is_some());
    assert!(position(b"charset").is_none());
}

#[test]
fn in_the_second_round_pages_have_changed() {
    let net = demo::internet().start().unwrap();
    let ask = |url: &Url| get(net.http(), url.host_str().unwrap(), url.path());
    let pages: Vec<(Url, demo::Change)> = demo::changes()
        .into_iter()
        .map(|(url, change)| (Url::parse(url).unwrap(), change))
        .collect();
    let before: Vec<String> = pages.iter().map(|(url, _)| ask(url)).collect();
    net.begin_second_round();
    for ((url, change), before) in pages.iter().zip(before) {
        let now = ask(url);
        let found = |answer: &str| answer.starts_with("HTTP/1.1 200");
        match change {
            demo::Change::New => assert!(!found(&before) && found(&now), "{url}"),
            demo::Change::Vanished => assert!(found(&before) && !found(&now), "{url}"),
            demo::Change::Text | demo::Change::Markup => {
                assert!(found(&before) && found(&now), "{url}");
                assert_ne!(body(&before), body(&now), "{url}");
            }
        }
    }
}

#[test]
fn seeds_resolve_and_strangers_do_not_share_their_addresses() {
    let net = demo::internet().start().unwrap();
    for (host, address) in [
        ("www.uni-hohenwerth.example", "198.18.1.10"),
        ("home.uni-hohenwerth.example", "198.18.1.10"),
        ("www.fh-niederau.example", "203.0.113.10"),
        ("www.stadt-hohenwerth.example", "192.0.2.10"),
        ("irgendwas.domainhandel.example", "198.51.100.99"),
    ] {
        assert!(net.addresses(host).contains(&address.parse().unwrap()), "{host}");
    }
    assert!(net.addresses("phil.uni-hohenwerth.example").is_empty());
    assert_eq!(demo::seeds().len(), demo::domains().len());
}

#[test]
fn the_calendar_never_ends() {
    let net = demo::internet().site(demo::calendar()).start().unwrap();
    for (month, next) in [("2026-12", "2027-01"), ("9999-12", "10000-01"), ("0001-01", "0001-02")] {
        let path = format!("/?monat={month}");
        let answer = get(net.http(), "kalender.uni-hohenwerth.example", &path);
        assert!(answer.contains(&format!("/?monat={next}\"")), "{month} {answer}");
    }
    let nonsense = get(net.http(), "kalender.uni-hohenwerth.example", "/?monat=13-13");
    assert!(nonsense.starts_with("HTTP/1.1 404"));
}

#[test]
fn generated_sites_serve_what_they_list() {
    let site = generated_site("gross.example", 50, 3);
    let documents = site.documents();
    let net = Internet::new().site(site).start().unwrap();
    for document in documents.iter().filter(|d| d.path.ends_with(".html")) {
        let answer = get(net.http(), "gross.example", &document.path);
        assert_eq!(body(&answer).as_bytes(), &*document.body, "{}", document.path);
    }
}

#[test]
fn every_page_can_be_reached_and_broken_links_are_meant() {
    let internet = demo::internet();
    let documents: BTreeMap<Url, String> = internet
        .sites()
        .iter()
        .flat_map(|site| {
            let base = Url::parse(site.origin_text()).unwrap();
            site.documents().into_iter().map(move |document| {
                let text = String::from_utf8_lossy(&document.body).into_owned();
                (base.join(&document.path).unwrap(), text)
            })
        })
        .collect();
    let mut seen: BTreeSet<Url> =
        demo::seeds().into_iter().map(|seed| Url::parse(seed).unwrap()).collect();
    let mut open: Vec<Url> = seen.iter().cloned().collect();
    let mut broken = BTreeSet::new();
    while let Some(url) = open.pop() {
        let Some(text) = documents.get(&url).or_else(|| documents.get(&without_query(&url))) else {
            broken.insert(url.to_string());
            continue;
        };
        for link in links(&url, text) {
            if seen.insert(link.clone()) {
                open.push(link);
            }
        }
    }
    // These have no page of their own, but an answer.
    #[rustfmt::skip]
    let answered = ["/suche", "/hotels/ergebnis", "/oai", "/anmeldung", "/alt/studium.htm", "alt.uni", "http://bibliothek",
                    "stadt", "anzeiger", "journal.", "katalog."];
    broken.retain(|url| !answered.iter().any(|part| url.contains(part)));
    let exercises = broken.iter().filter(|url| url.ends_with("-uebungen.html")).count();
    assert_eq!(exercises, 10);
    broken.retain(|url| !url.ends_with("-uebungen.html"));
    #[rustfmt::skip]
    let meant = [
        "http://phil.uni-hohenwerth.example/",
        // In a comment of a style sheet, where only this test's reader sees a link.
        "http://www.uni-hohenwerth.example/bilder/alt.png",
        "http://www.uni-hohenwerth.example/kontakt/senden",
        "http://www.uni-hohenwerth.example/stil/werth.woff2",
        "http://www.uni-hohenwerth.example/studium/bafoeg.html",
        "http://www.uni-hohenwerth.example/universitaet/protokolle/senat-2025-11.html",
        "http://www.uni-hohenwerth.example/vorlesungsverzeichnis-1997.html",
        "https://bibliothek.uni-hohenwerth.example/sammlungen/blatt-03.png",
    ];
    assert_eq!(broken.iter().map(String::as_str).collect::<Vec<_>>(), meant);
    // Second names of pages, what crawlers ask for without a link, and the files of registries.
    let unlinked = ["/index.html", "/robots.txt", "/sitemap.xml", ".json"];
    let hidden: BTreeSet<&str> = demo::truth()
        .iter()
        .filter(|truth| truth.found_by != demo::FoundBy::Link)
        .map(|truth| truth.host)
        .chain(demo::devices().iter().map(|(address, _)| *address))
        .collect();
    let unreached: Vec<&str> = documents
        .keys()
        .filter(|url| !seen.contains(url) && !unlinked.iter().any(|end| url.path().ends_with(end)))
        .filter(|url| !hidden.contains(url.host_str().unwrap()))
        .map(Url::as_str)
        .collect();
    assert_eq!(unreached, Vec::<&str>::new());
}

/// Whatever looks like a link in HTML or CSS; enough for pages whose quirks we know.
fn links(page: &Url, text: &str) -> Vec<Url> {
    let starts =
        ["href=\"", "src=\"", "srcset=\"", "data=\"", "action=\"", "url=", "url(", "@import '"];
    let found = starts.iter().flat_map(|start| text.split(start).skip(1));
    found
        .filter_map(|rest| rest.trim_start_matches([' ', '"', '\'']).split(['"', '\'', ')']).next())
        .flat_map(|value| value.split(", "))
        .filter_map(|value| page.join(value.split(' ').next()?).ok())
        .filter(|url| url.scheme().starts_with("http"))
        .map(|mut url| {
            url.set_fragment(None);
            url
        })
        .collect()
}

fn without_query(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_query(None);
    url
}

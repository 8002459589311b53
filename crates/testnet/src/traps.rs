//! A site with a few hundred pages worth having, and with addresses without end beside them.
//!
//! The traps are those that crawlers fall into: a calendar that goes on for ever, session ids in paths,
//! a list with every combination of filters, and a folder that contains itself. All of them are made
//! when they are asked for, so there is no last one.

use crate::answer::Answer;
use crate::generated::Numbers;
use crate::request::Asked;
use crate::site::Site;
use std::fmt::Write as _;

/// Pages of the site that are no trap: the start page, lists of papers, and the papers.
pub fn real_pages(papers: usize) -> Vec<String> {
    let lists = (0..papers.div_ceil(PER_LIST)).map(|list| format!("/papers/list-{list}.html"));
    let papers = (0..papers).map(|paper| format!("/papers/{paper}.html"));
    std::iter::once("/".to_owned()).chain(lists).chain(papers).collect()
}

/// A site with so many papers and all traps.
pub fn site(host: &str, papers: usize) -> Site {
    let site = Site::new(format!("http://{host}")).page("/", start_page(papers));
    let site = with_papers(site, papers);
    site.file("/robots.txt", "text/plain", "User-agent: *\nDisallow:\n")
        .otherwise(Answer::from_fn(endless))
}

/// A site with nothing but papers: many pages of one make, each with a text of its own.
pub fn paper_archive(host: &str, papers: usize) -> Site {
    let lists: String = list_links(papers);
    let start = format!("<title>Archiv</title><h1>Archiv</h1>{NAVIGATION}{lists}");
    with_papers(Site::new(format!("http://{host}")).page("/", start), papers).file(
        "/robots.txt",
        "text/plain",
        "User-agent: *\nDisallow:\n",
    )
}

/// A site whose pages are all `/index.php` with parameters: articles, each named by the one before it, and a
/// catalogue of things with filters without end. Both of them are of one family.
pub fn content_manager(host: &str, articles: usize) -> Site {
    let start = "<title>Amt</title><h1>Amt</h1><a href='/index.php?seite=artikel&amp;nr=0'>Artikel</a> \
                 <a href='/index.php?seite=katalog&amp;farbe=rot'>Katalog</a>";
    let answer = move |asked: &Asked| {
        let number = asked.parameter("nr").and_then(|number| number.parse::<usize>().ok());
        match (asked.parameter("seite"), number) {
            (Some("artikel"), Some(number)) if number < articles => article(number),
            (Some("katalog"), None) => filters(asked.path_and_query()),
            _ => Answer::error(404),
        }
    };
    Site::new(format!("http://{host}"))
        .page("/", start)
        .file("/robots.txt", "text/plain", "User-agent: *\nDisallow:\n")
        .otherwise(Answer::from_fn(answer))
}

fn article(number: usize) -> Answer {
    let mut numbers = Numbers::apart(23, number);
    let words: Vec<String> = (0..30).map(|_| word(&mut numbers)).collect();
    let next = number + 1;
    Answer::page(format!(
        "<title>Artikel</title><p>{}<p><a href='/index.php?seite=artikel&amp;nr={next}'>weiter</a>",
        words.join(" ")
    ))
}

/// The same few words whatever the filters are; each page names others, so that there is a template for
/// nearly every page.
fn filters(asked: &str) -> Answer {
    let hash = asked
        .bytes()
        .fold(7usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)));
    let mut numbers = Numbers::apart(31, hash);
    let links: String = (0..6)
        .map(|_| {
            let (one, other) = (word(&mut numbers), word(&mut numbers));
            format!("<a href='/index.php?seite=katalog&amp;{one}=an&amp;{other}=aus'>filtern</a> ")
        })
        .collect();
    Answer::page(format!("<title>Katalog</title><p>Derzeit sind alle Dinge verliehen.<p>{links}"))
}

/// What makes the pages of a trap look as if each brought something new, or as if each were of its own make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disguise {
    /// Each embeds the picture of a counter, at an address of its own.
    Counter,
    /// They have no words, only a picture to go on by.
    Wordless,
    /// They have frames, which hold what they say.
    Frames,
    /// Each lies in a folder of its own.
    Folders,
    /// Each lies below a session id of eight hexadecimal digits, and leads to three others.
    Sessions,
    /// The same with UUIDs.
    Uuids,
}

/// A site with so many papers, and pages without end in disguise, below `/falle/`.
pub fn in_disguise(host: &str, papers: usize, disguise: Disguise) -> Site {
    let lists = list_links(papers);
    let start =
        format!("<title>Archiv</title>{NAVIGATION}{lists}{}", next_link(disguise, 0, "los"));
    let answer = move |asked: &Asked| {
        let number = asked.parameter("nr").and_then(|number| number.parse::<usize>().ok());
        match (asked.path(), number) {
            ("/falle/zaehler.gif" | "/falle/pfeil.gif", _) => Answer::file("image/gif", "GIF89a"),
            ("/falle/rahmen", Some(number)) => says_nothing(disguise, number),
            (path, Some(number)) if path.starts_with("/falle/") => disguised(disguise, number),
            _ => Answer::error(404),
        }
    };
    with_papers(Site::new(format!("http://{host}")).page("/", start), papers)
        .file("/robots.txt", "text/plain", "User-agent: *\nDisallow:\n")
        .otherwise(Answer::from_fn(answer))
}

fn disguised(disguise: Disguise, number: usize) -> Answer {
    match disguise {
        Disguise::Counter => Answer::page(format!(
            "<title>Gast</title><p>Sie sind unser Gast.<img src='/falle/zaehler.gif?nr={number}'>{}",
            next_link(disguise, number + 1, "weiter")
        )),
        Disguise::Wordless => {
            Answer::page(next_link(disguise, number + 1, "<img src='/falle/pfeil.gif'>"))
        }
        Disguise::Frames => Answer::page(format!(
            "<html><frameset><frame src='/falle/rahmen?nr={number}'></frameset></html>"
        )),
        Disguise::Folders => says_nothing(disguise, number),
        Disguise::Sessions | Disguise::Uuids => {
            let first = number.wrapping_mul(3);
            let links = (1..=3).map(|step| next_link(disguise, first.wrapping_add(step), "weiter"));
            let links: String = links.collect();
            Answer::page(format!("<title>Konto</title><p>Bitte melden Sie sich an. {links}"))
        }
    }
}

fn says_nothing(disguise: Disguise, number: usize) -> Answer {
    let next = next_link(disguise, number + 1, "weiter");
    Answer::page(format!("<title>Nichts</title><p>Hier gibt es nichts zu sehen. {next}"))
}

fn next_link(disguise: Disguise, number: usize, words: &str) -> String {
    let folder = match disguise {
        Disguise::Folders => {
            let mut numbers = Numbers::apart(41, number);
            format!("{}{}/", word(&mut numbers), word(&mut numbers))
        }
        Disguise::Sessions => format!("{:08x}/", Numbers::apart(43, number).next() as u32),
        Disguise::Uuids => {
            let mut numbers = Numbers::apart(47, number);
            let (front, back) = (numbers.next(), numbers.next());
            let (first, second, third) = (front >> 32, front >> 16 & 0xffff, front & 0xffff);
            format!(
                "{first:08x}-{second:04x}-{third:04x}-{:04x}-{:012x}/",
                back >> 48,
                back & 0xffff_ffff_ffff
            )
        }
        _ => String::new(),
    };
    let query = if disguise == Disguise::Folders { "index" } else { "seite" };
    format!("<a href='/falle/{folder}{query}?nr={number}'>{words}</a>")
}

/// Papers named by each list.
const PER_LIST: usize = 100;

const NAVIGATION: &str = "<ul><li><a href='/'>Startseite der Fakultät</a><li><a href='/papers/list-0.html'>\
    Alle Arbeiten im Überblick</a></ul>";

fn list_links(papers: usize) -> String {
    let lists = 0..papers.div_ceil(PER_LIST);
    lists.map(|list| format!("<a href='/papers/list-{list}.html'>Liste {list}</a>\n")).collect()
}

fn start_page(papers: usize) -> String {
    format!(
        "<title>Fakultät</title><h1>Fakultät</h1>{NAVIGATION}{}\
         <a href='/kalender/2026/11'>Kalender</a> <a href='/s/{:016x}/start.html'>Anmelden</a>\
         <a href='/liste?farbe=rot'>Liste</a> <a href='/spiegel/a/'>Spiegel</a>",
        list_links(papers),
        token(1)
    )
}

fn with_papers(mut site: Site, papers: usize) -> Site {
    for list in 0..papers.div_ceil(PER_LIST) {
        let mut text = format!("<title>Liste {list}</title>{NAVIGATION}<ul>");
        for paper in list * PER_LIST..((list + 1) * PER_LIST).min(papers) {
            // Writing to a String cannot fail.
            let _ = write!(text, "<li><a href='/papers/{paper}.html'>{}</a>", title(paper));
        }
        site = site.page(&format!("/papers/list-{list}.html"), text);
    }
    (0..papers).fold(site, |site, paper| {
        let title = title(paper);
        let mut numbers = Numbers::apart(11, paper);
        let words: Vec<String> = (0..40).map(|_| word(&mut numbers)).collect();
        let abstract_text = words.join(" ");
        let page =
            format!("<title>{title}</title>{NAVIGATION}<h1>{title}</h1><p>{abstract_text}</p>");
        site.page(&format!("/papers/{paper}.html"), page)
    })
}

fn title(paper: usize) -> String {
    let mut numbers = Numbers::apart(5, paper);
    format!("{} {} {}", word(&mut numbers), word(&mut numbers), word(&mut numbers))
}

/// A word that is no word.
fn word(numbers: &mut Numbers) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu",
        "za",
    ];
    (0..numbers.within(2..=4)).map(|_| SYLLABLES[(numbers.next() % 16) as usize]).collect()
}

fn token(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 0xa000_0000_0000_0001
}

/// Whatever has no page of its own.
fn endless(asked: &Asked) -> Answer {
    let parts: Vec<&str> = asked.path().split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        ["kalender", year, month] => calendar(year, month, None),
        ["kalender", year, month, day] => calendar(year, month, Some(day)),
        ["s", session, page] => session_page(session, page),
        ["liste"] => list(asked),
        ["spiegel", names @ ..] => mirrored(names),
        _ => Answer::error(404),
    }
}

#[rustfmt::skip]
const MONTHS: [&str; 12] = ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August",
    "September", "Oktober", "November", "Dezember"];

/// Every month leads to the months around it and to its days; nothing ever happens.
fn calendar(year: &str, month: &str, day: Option<&str>) -> Answer {
    let (Ok(year), Ok(month @ 1..=12)) = (year.parse::<i64>(), month.parse::<i64>()) else {
        return Answer::error(404);
    };
    let name = MONTHS[(month - 1) as usize];
    let link = |months: i64, words: &str| {
        let number = year * 12 + month - 1 + months;
        let (year, month) = (number.div_euclid(12), number.rem_euclid(12) + 1);
        format!("<a href='/kalender/{year}/{month:02}'>{words}</a>")
    };
    let days: String = match day {
        None => (1..=28)
            .map(|day| format!("<td><a href='/kalender/{year}/{month:02}/{day:02}'>{day}</a>"))
            .collect(),
        Some(day) => format!("<p>Am {day}. {name} {year} gibt es keine Veranstaltungen."),
    };
    Answer::page(format!(
        "<title>{name} {year}</title>{NAVIGATION}<h1>Veranstaltungen im {name} {year}</h1>\
         <p>Keine Veranstaltungen in diesem Monat.{}{}<table>{days}</table>",
        link(-1, "voriger Monat"),
        link(1, "nächster Monat")
    ))
}

/// A few pages about nothing much; each visit to each of them begins another session.
fn session_page(session: &str, page: &str) -> Answer {
    const PAGES: [(&str, &str); 3] = [
        ("start.html", "Willkommen im Anmeldebereich der Fakultät, bitte melden Sie sich an."),
        ("hilfe.html", "Hilfe zur Anmeldung erhalten Sie im Sekretariat während der Sprechzeiten."),
        ("konto.html", "Ihr Konto ist leer, weil Sie nicht angemeldet sind."),
    ];
    let Some((_, text)) = PAGES.iter().find(|(name, _)| *name == page) else {
        return Answer::error(404);
    };
    let old = u64::from_str_radix(session, 16).unwrap_or(0);
    let links: String = PAGES
        .iter()
        .zip(1..)
        .map(|((name, _), step)| {
            let new = token(old.rotate_left(7) ^ step);
            format!("<li><a href='/s/{new:016x}/{name}'>{name}</a>")
        })
        .collect();
    Answer::page(format!("<title>Anmeldung</title>{NAVIGATION}<p>{text}<ul>{links}</ul>"))
}

const FILTERS: [(&str, [&str; 3]); 5] = [
    ("farbe", ["rot", "blau", "grün"]),
    ("form", ["rund", "eckig", "flach"]),
    ("groesse", ["klein", "mittel", "gross"]),
    ("stoff", ["holz", "glas", "eisen"]),
    ("ordnung", ["name", "preis", "datum"]),
];

/// Twelve things, some of which are shown; every filter can be added in front or behind, and there is
/// always a next page.
fn list(asked: &Asked) -> Answer {
    const THINGS: [&str; 12] = [
        "Roter Apfel aus dem Garten der Fakultät",
        "Blaue Tasse mit dem Wappen der Stadt",
        "Grüner Stuhl aus der alten Bibliothek",
        "Runder Tisch aus dem Senatssaal",
        "Eckige Lampe aus dem Lesesaal",
        "Flache Schale aus dem Museum",
        "Kleine Büste des Gründers",
        "Mittlere Truhe mit Eisenbeschlag",
        "Grosse Glocke aus dem Turm",
        "Hölzerner Löffel aus der Mensa",
        "Gläserne Kugel aus dem Labor",
        "Eiserner Schlüssel zum Archiv",
    ];
    let query = asked.path_and_query().split_once('?').map_or("", |(_, query)| query);
    let hash = query.bytes().fold(7u64, |hash, byte| hash.wrapping_mul(31) ^ u64::from(byte));
    let mut shown = String::new();
    for (number, thing) in THINGS.iter().enumerate() {
        if hash >> number & 1 == 1 {
            let _ = write!(shown, "<li>{thing}");
        }
    }
    let mut links = String::new();
    for (name, values) in FILTERS.iter().filter(|(name, _)| asked.parameter(name).is_none()) {
        for value in values {
            let _ = write!(links, "<a href='/liste?{query}&amp;{name}={value}'>{value}</a> ");
            let _ = write!(links, "<a href='/liste?{name}={value}&amp;{query}'>{value}</a> ");
        }
    }
    let page: u64 = asked.parameter("seite").and_then(|page| page.parse().ok()).unwrap_or(1);
    let rest: Vec<&str> = query.split('&').filter(|part| !part.starts_with("seite=")).collect();
    let rest = rest.join("&amp;");
    let next = format!("<a href='/liste?{rest}&amp;seite={}'>weiter</a>", page.saturating_add(1));
    Answer::page(format!("<title>Liste</title>{NAVIGATION}<ul>{shown}</ul>{links}{next}"))
}

/// A folder that contains itself, by three names.
fn mirrored(names: &[&str]) -> Answer {
    if names.iter().any(|name| !matches!(*name, "a" | "b" | "c")) {
        return Answer::error(404);
    }
    Answer::page(format!(
        "<title>Ordner</title>{NAVIGATION}<p>Inhalt dieses Ordners:\
         <a href='a/'>a</a> <a href='b/'>b</a> <a href='c/'>c</a>"
    ))
}

//! The central sites of Universität Hohenwerth: home, library, and the bare domain.

use super::files::{self, HOHENWERTH, LIBRARY};
use super::{databases, news, zone_with_servers};
use crate::answer::Answer;
use crate::picture::png;
use crate::site::Site;
use crate::zone::Zone;

const HOME: &str = "www.uni-hohenwerth.example";
const LIBRARY_HOST: &str = "bibliothek.uni-hohenwerth.example";

pub(super) fn zone() -> Zone {
    let address = |text: &str| text.parse().expect("an address in a table");
    zone_with_servers("uni-hohenwerth.example", ["198.18.1.2", "198.18.1.3"], "198.18.1.4")
        .address("@", "198.18.1.10")
        .address("www", "198.18.1.10")
        .address("www", "2001:db8:1::10")
        .cname("home", "www")
        .address("bibliothek", "198.18.1.20")
        .address("math", "198.18.1.30")
        .address("physik", "198.18.1.31")
        .address("linguistik", "198.18.1.32")
        .address("soziologie", "198.18.1.33")
        .address("geographie", "198.18.1.33")
        .ns("dns.forschungsnetz-werth.example.")
        .cname("medien", "uni-hohenwerth.kunden.cdn-werth.example.")
        .address("pruefungsamt", "198.18.1.80")
        .address("seminar-algebra", "198.18.1.30")
        // The old server shares its address with mathematics.
        .address("alt", "198.18.1.30")
        .ptr(address("198.18.1.10"), "www")
        .ptr(address("198.18.1.20"), "bibliothek")
        .ptr(address("198.18.1.30"), "math")
        .ptr(address("198.18.1.80"), "pruefungsamt")
        // Forged: the first name does not lead back, the second address is not ours.
        .ptr(address("198.18.1.84"), "www.bank.example.")
        .ptr(address("192.0.2.77"), "www")
}

pub(super) fn sites() -> Vec<Site> {
    vec![
        Site::new("http://uni-hohenwerth.example").otherwise(redirect_to("http", HOME)),
        Site::new("https://uni-hohenwerth.example").otherwise(redirect_to("http", HOME)),
        home(),
        Site::new(format!("http://{LIBRARY_HOST}")).otherwise(redirect_to("https", LIBRARY_HOST)),
        library(),
    ]
}

/// The same path on another site.
pub(super) fn redirect_to(scheme: &'static str, host: &'static str) -> Answer {
    Answer::from_fn(move |asked| {
        Answer::redirect(301, &format!("{scheme}://{host}{}", asked.path_and_query()))
    })
}

fn home() -> Site {
    let site = files::site(&format!("http://{HOME}"), HOME, HOHENWERTH);
    let site = pictures(news::add_to(site))
        .answer("/alt/studium.htm", Answer::redirect(301, "/studium/"))
        .answer("/kreis/a", Answer::redirect(302, "/kreis/b"))
        .answer("/kreis/b", Answer::redirect(302, "/kreis/a"))
        .answer("/anmeldung", Answer::redirect(302, "/kreis/a"))
        .answer("/suche", Answer::from_fn(|asked| search_result(asked.parameter("wort"))));
    let sitemap = sitemap(&site);
    site.file("/sitemap.xml", "application/xml", sitemap)
}

fn search_result(word: Option<&str>) -> Answer {
    let found = match word {
        Some(word) if !word.is_empty() => "<p>Leider nichts gefunden.</p>\n",
        _ => "<p>Bitte geben Sie ein Wort ein.</p>\n",
    };
    Answer::page(HOHENWERTH.page("/suche", "de", "Suche", found))
}

fn pictures(site: Site) -> Site {
    let widths = [("schloss", 40), ("schloss-800", 80), ("schloss-1600", 160)];
    let site = widths.into_iter().fold(site, |site, (name, width)| {
        site.file(&format!("/bilder/{name}.png"), "image/png", landscape(width, width * 3 / 8))
    });
    ["plan", "rand", "punkt"].into_iter().zip(1u8..).fold(site, |site, (name, tint)| {
        let bytes = png(8, 8, |x, y| [tint * 60, (x * 30) as u8, (y * 30) as u8]);
        site.file(&format!("/bilder/{name}.png"), "image/png", bytes)
    })
}

/// Sky above hills above a river.
fn landscape(width: u32, height: u32) -> Vec<u8> {
    png(width, height, |x, y| {
        let hill = height / 3 + (x * 5 % width.max(1)) * height / (width.max(1) * 6);
        match y {
            y if y < hill => [150, 190, 230 - (y * 60 / height.max(1)) as u8],
            y if y < height * 5 / 6 => [70, 120 + (x % 20) as u8, 60],
            _ => [60, 90, 150],
        }
    })
}

/// Most pages; the press office forgets some.
fn sitemap(site: &Site) -> String {
    let pages = site.documents().into_iter().map(|document| document.path);
    let listed = pages.filter(|path| {
        path.ends_with(".html") && !path.ends_with("index.html") && !path.starts_with("/intern/")
    });
    let entries: String =
        listed.map(|path| format!("<url><loc>http://{HOME}{path}</loc></url>\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
    )
}

fn library() -> Site {
    let site = files::site(&format!("https://{LIBRARY_HOST}"), LIBRARY_HOST, LIBRARY);
    let site = databases::add_to_library(site);
    let widths = [("lesesaal-300", 30), ("lesesaal-600", 60), ("lesesaal-1200", 120)];
    let site = widths.into_iter().fold(site, |site, (name, width)| {
        let bytes =
            png(width, width / 2, |x, y| [120 + (x % 8) as u8 * 10, 80, 40 + (y % 40) as u8]);
        site.file(&format!("/bilder/{name}.png"), "image/png", bytes)
    });
    ["regal", "holz"].into_iter().zip(1u8..).fold(site, |site, (name, tint)| {
        let bytes = png(6, 6, |x, _| [130, 90 + tint * 20, (x * 12) as u8]);
        site.file(&format!("/bilder/{name}.png"), "image/png", bytes)
    })
}

pub(super) fn calendar() -> Site {
    let months = Answer::from_fn(|asked| {
        let text = asked.parameter("monat").unwrap_or("2026-11");
        let month = text.split_once('-').and_then(|(year, month)| {
            Some((year.parse::<i64>().ok()?, month.parse::<i64>().ok()?))
        });
        match month {
            Some((year, month @ 1..=12)) => Answer::page(calendar_page(year, month)),
            _ => Answer::error(404),
        }
    });
    Site::new("http://kalender.uni-hohenwerth.example").answer("/", months)
}

fn calendar_page(year: i64, month: i64) -> String {
    let link = |months: i64, words: &str| {
        let number = year.saturating_mul(12).saturating_add(month - 1 + months);
        let (year, month) = (number.div_euclid(12), number.rem_euclid(12) + 1);
        format!("<a href=\"/?monat={year:04}-{month:02}\">{words}</a>")
    };
    let title = format!("Veranstaltungen {month:02}/{year}");
    let links = format!("<p>{} {}</p>\n", link(-1, "voriger Monat"), link(1, "nächster Monat"));
    HOHENWERTH.page("/", "de", &title, &format!("<p>Keine Veranstaltungen.</p>\n{links}"))
}

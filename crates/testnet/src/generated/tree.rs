//! A site whose pages form a tree, so that all can be reached from `/`, with cross links, pictures and a
//! style sheet. Some leaves are copies of others, because a harvest has to recognise those.

use super::Numbers;
use crate::picture::png;
use crate::site::Site;
use std::fmt::Write as _;

/// Pages below each page.
const BRANCHES: usize = 8;
/// Links from each page to any other.
pub(super) const CROSS_LINKS: usize = 3;
/// One leaf in so many repeats the leaf before it.
const COPIES: usize = 23;
/// Pages for each picture.
const PAGES_PER_PICTURE: usize = 10;
/// Paragraphs of a page; at 70 words and some 500 bytes each, pages have 1 to 6 KB.
const PARAGRAPHS: std::ops::RangeInclusive<u64> = 1..=9;
const WORDS_PER_PARAGRAPH: usize = 70;

/// A site of so many pages, besides pictures and a style sheet. What a complete crawl must find is
/// [`Site::documents`].
pub fn generated_site(host: &str, pages: usize, seed: u64) -> Site {
    let mut site = Site::new(format!("http://{host}"))
        .file("/stil.css", "text/css", "body { background: url(/bilder/0.png); color: #222 }\n")
        .file("/robots.txt", "text/plain", "User-agent: *\nDisallow:\n");
    for picture in 0..pages.div_ceil(PAGES_PER_PICTURE) {
        let tint = Numbers::new(seed, picture).next();
        let bytes = png(16, 16, |x, y| {
            let [red, green, blue, ..] = tint.to_le_bytes();
            [red ^ (x * 16) as u8, green ^ (y * 16) as u8, blue]
        });
        site = site.file(&format!("/bilder/{picture}.png"), "image/png", bytes);
    }
    for page in 0..pages {
        site = site.page(&path(page), html(original(page, pages), pages, seed));
    }
    site
}

pub(super) fn path(page: usize) -> String {
    match page {
        0 => "/".to_owned(),
        page => format!("/bereich-{}/seite-{page}.html", page % BRANCHES),
    }
}

pub(super) fn children(page: usize, pages: usize) -> std::ops::Range<usize> {
    let first = (page * BRANCHES + 1).min(pages);
    first..(first + BRANCHES).min(pages)
}

/// The page whose text this page has: itself, or for copies the page before it.
fn original(page: usize, pages: usize) -> usize {
    let is_leaf = |page| children(page, pages).is_empty();
    let copies = page > 0 && page.is_multiple_of(COPIES) && is_leaf(page) && is_leaf(page - 1);
    if copies { page - 1 } else { page }
}

fn html(page: usize, pages: usize, seed: u64) -> String {
    let mut numbers = Numbers::new(seed, pages + page);
    let title = format!("Seite {page}: {}", sentence(&mut numbers, 4));
    let picture = page / PAGES_PER_PICTURE;
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"de\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"/stil.css\"></head>\n<body><h1>{title}</h1>\n\
         <img src=\"/bilder/{picture}.png\" alt=\"\">\n"
    );
    for _ in 0..numbers.within(PARAGRAPHS) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "<p>{}</p>", sentence(&mut numbers, WORDS_PER_PARAGRAPH));
    }
    let cross = (0..CROSS_LINKS).map(|_| (numbers.next() % pages as u64) as usize);
    let links: Vec<usize> = children(page, pages).chain(cross).collect();
    text.push_str("<ul>\n");
    for link in links {
        let _ = writeln!(text, "<li><a href=\"{}\">Seite {link}</a></li>", path(link));
    }
    text + "</ul></body></html>\n"
}

fn sentence(numbers: &mut Numbers, words: usize) -> String {
    let word = |_| WORDS[(numbers.next() % WORDS.len() as u64) as usize];
    let words: Vec<&str> = (0..words).map(word).collect();
    words.join(" ") + "."
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "die", "der", "und", "in", "den", "von", "zu", "das", "mit", "sich", "des", "auf", "für", "ist",
    "im", "dem", "nicht", "ein", "eine", "als", "auch", "es", "an", "werden", "aus", "er", "hat", "dass",
    "Universität", "Studium", "Forschung", "Lehre", "Seminar", "Vorlesung", "Bibliothek", "Prüfung",
    "Gleichung", "Gewässer", "Handschrift", "Messung", "Verfahren", "Ergebnis", "Grundlage", "Beispiel",
    "untersucht", "zeigt", "gehört", "beschreibt", "folgt", "beginnt", "bleibt", "neue", "große", "frühe",
    "öffentlich", "während", "zwischen", "über", "später", "Straße", "Maß", "Übung", "Jahr", "Zeit",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn the_same_seed_makes_the_same_site() {
        let documents = |seed| generated_site("g.example", 100, seed).documents();
        assert_eq!(documents(1), documents(1));
        assert_ne!(documents(1), documents(2));
    }

    #[test]
    fn every_file_can_be_reached() {
        for pages in [0, 1, 2, 9, 500] {
            let site = generated_site("g.example", pages, 7);
            let documents = site.documents();
            let bodies: HashMap<&str, String> = documents
                .iter()
                .map(|d| (d.path.as_str(), String::from_utf8_lossy(&d.body).into_owned()))
                .collect();
            let mut reached = HashSet::from(["/robots.txt", "/"]);
            let mut open = vec!["/"];
            while let Some(path) = open.pop() {
                let body = bodies.get(path).map_or("", String::as_str);
                let ends = ["href=\"", "src=\"", "url("];
                let found = ends.iter().flat_map(|start| body.split(start).skip(1));
                for link in found.filter_map(|rest| rest.split(['"', ')']).next()) {
                    if reached.insert(link) {
                        open.push(link);
                    }
                }
            }
            if pages == 0 {
                continue;
            }
            let all: HashSet<&str> = bodies.keys().copied().collect();
            assert_eq!(reached, all, "{pages} pages");
        }
    }

    #[test]
    fn sizes_and_copies() {
        let documents = generated_site("g.example", 1000, 7).documents();
        let pages: Vec<_> = documents.iter().filter(|d| d.path.ends_with(".html")).collect();
        assert_eq!(pages.len(), 999);
        let sizes: Vec<usize> = pages.iter().map(|page| page.body.len()).collect();
        let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
        assert!(*least > 800 && *most < 7_000, "{least} {most}");
        let distinct: HashSet<_> = pages.iter().map(|page| &page.body).collect();
        assert!((20..60).contains(&(pages.len() - distinct.len())));
    }
}

//! Measures how fast bodies are read, in MB/s over given files or directories:
//! `cargo bench -p auslese-corpus --bench reading -- DIRECTORY…`; without any, over a made-up page
//! and over hostile input.

#[path = "../../markup/benches/pages/mod.rs"]
mod pages;

use auslese_corpus::Reading;
use std::hint::black_box;
use std::time::Instant;
use url::Url;

fn main() {
    let given = pages::given();
    if given.is_empty() {
        let page = made_up_page();
        measure("made-up pages", &vec![page; 500]);
        for (name, page) in hostile_bodies() {
            measure(name, &[page]);
        }
    } else {
        measure("given files", &given);
    }
}

fn measure(name: &str, pages: &[Vec<u8>]) {
    let size: usize = pages.iter().map(Vec::len).sum();
    let url = Url::parse("http://bench.example/a/b.html").expect("a valid URL");
    let start = Instant::now();
    let mut trouble = None;
    for page in pages {
        trouble = black_box(Reading::of(page, Some("text/html"), None, &url)).trouble;
    }
    let seconds = start.elapsed().as_secs_f64();
    let speed = size as f64 / 1e6 / seconds;
    let trouble = trouble.unwrap_or_default();
    println!(
        "{name:24} {:6} pages {:8.1} MB {speed:8.1} MB/s {seconds:8.3} s  {trouble}",
        pages.len(),
        size as f64 / 1e6
    );
}

/// Navigation, prose and a table, in the proportions of a page of its kind.
fn made_up_page() -> Vec<u8> {
    let link = "<li class=\"item\"><a href=\"/seite.html?x=1&amp;y=2\" title=\"Titel\">Ein Verweis</a></li>\n";
    let prose = "<p>Das Institut für Sprache wurde 1972 von Prof. Dr. Maier gegründet, der es bis zu seinem \
                 Tod leitete. Es hat z. B. <em>drei</em> Abteilungen &amp; eine Bibliothek, die man am 3. Oktober \
                 besuchen kann. Ich habe das nicht gewusst!</p>\n";
    let row = "<tr><td class=\"a\">Montag</td><td>10 Uhr</td><td><a href=\"raum.html\">Raum 5</a></td></tr>\n";
    format!(
        "<!DOCTYPE html><html lang=\"de\"><head><title>Institut</title><meta charset=\"utf-8\"></head><body>\
         <div id=\"page\"><nav><ul>{}</ul></nav><div id=\"content\"><h1>Institut</h1>{}<table>{}</table></div></div>\
         </body></html>",
        link.repeat(40),
        prose.repeat(30),
        row.repeat(30)
    )
    .into_bytes()
}

fn hostile_bodies() -> Vec<(&'static str, Vec<u8>)> {
    let fill = |piece: &str, size: usize| piece.repeat(size / piece.len()).into_bytes();
    vec![
        ("100 MB in one line", fill("<p>Ein Satz ohne Ende und <b>Ziel</b>. ", 100_000_000)),
        ("100 MB of one word", fill("a", 100_000_000)),
        ("a million nested tags", fill("<div>", 5_000_000)),
        ("dots", fill("<p>a. b. C. 1. usw. ", 20_000_000)),
        ("empty lines", fill("<pre>a\n\nb\n\n", 20_000_000)),
        (
            "distinct elements",
            (0..500_000).map(|i| format!("<x{i} class=c{i}>")).collect::<String>().into_bytes(),
        ),
        ("references", fill("&auml;&amp;&#228;", 20_000_000)),
    ]
}

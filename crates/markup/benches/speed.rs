//! Measures reading speed in MB/s over given files or directories:
//! `cargo bench -p auslese-markup --bench speed -- DIRECTORY…`; without any, over a made-up page
//! and over hostile input.

mod pages;

use auslese_markup::{parse, rewrite_html, scan_links};
use std::hint::black_box;
use std::time::Instant;
use url::Url;

fn main() {
    let given = pages::given();
    if given.is_empty() {
        measure("made-up page", &[made_up_page()]);
        for (name, page) in hostile_pages() {
            measure(name, &[page]);
        }
    } else {
        measure("given files", &given);
    }
}

fn measure(name: &str, pages: &[Vec<u8>]) {
    let size: usize = pages.iter().map(Vec::len).sum();
    let document = Url::parse("http://bench.example/a/b.html").expect("a valid URL");
    println!("{name}: {} pages, {:.1} MB", pages.len(), size as f64 / 1e6);
    let run = |what: &str, work: &dyn Fn(&[u8])| {
        let start = Instant::now();
        pages.iter().for_each(|page| work(page));
        let seconds = start.elapsed().as_secs_f64();
        println!("  {what:24} {:8.1} MB/s {seconds:8.3} s", size as f64 / 1e6 / seconds);
    };
    run("scan_links", &|page| drop(black_box(scan_links(page, None))));
    run("scan_links and resolve", &|page| {
        drop(black_box(scan_links(page, None).resolve(&document)));
    });
    run("parse", &|page| drop(black_box(parse(page, None))));
    run("parse and text", &|page| drop(black_box(parse(page, None).text())));
    run("rewrite_html", &|page| {
        let mut map = |url: &Url, _| Some(format!("/mirror{}", url.path()));
        drop(black_box(rewrite_html(page, None, &document, &mut map)));
    });
}

fn made_up_page() -> Vec<u8> {
    let row = "<tr><td class=\"a\"><a href=\"page.html?x=1&amp;y=2\" title='t'>A link</a> and some \
               words of text that nobody reads, with <em>emphasis</em> &amp; entities.</td></tr>\n";
    format!("<!DOCTYPE html><title>t</title><table>{}</table>", row.repeat(20_000)).into_bytes()
}

fn hostile_pages() -> Vec<(&'static str, Vec<u8>)> {
    let fill = |piece: &str| piece.repeat(1_000_000 / piece.len()).into_bytes();
    let numbered =
        |piece: &dyn Fn(usize) -> String| (0..50_000).map(piece).collect::<String>().into_bytes();
    vec![
        ("<b>", fill("<b>")),
        ("<a>", fill("<a>")),
        ("<div>", fill("<div>")),
        ("<table>", fill("<table>")),
        ("<table><tr><td>", fill("<table><tr><td>")),
        ("<svg>", fill("<svg>")),
        ("distinct <font>", numbered(&|i| format!("<font size={i}>"))),
        ("distinct <font> in <p>", numbered(&|i| format!("<p><font size={i}>x"))),
        ("<b><p></b>", fill("<b><p></b>")),
        ("<a><table>", fill("<a><table>x")),
        (
            "attributes",
            format!("<p {}>", (0..150_000).map(|i| format!("a{i} ")).collect::<String>())
                .into_bytes(),
        ),
        ("<html x>", numbered(&|i| format!("<html a{i}=b>"))),
        ("&", fill("&")),
        ("<", fill("<")),
        ("<!--", fill("<!--")),
        ("</p>", fill("</p>")),
        ("<a href='", fill("<a href='")),
    ]
}

//! Measures XPath in pages per second: forty expressions as heuristics ask them, over given files
//! or directories: `cargo bench -p auslese-markup --bench xpath -- DIRECTORY…`; without any, over a
//! made-up page.

use auslese_markup::{Page, StepBudget, XPath, XPathNode, parse};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[rustfmt::skip]
const EXPRESSIONS: [&str; 40] = [
    "//title", "(//title)[1]", "string(//title)", "//h1", "//h2", "//h3", "//h1 | //h2 | //h3", "(//h1)[1]",
    "//h1[1]", "//h1[last()]", "//meta[@name='author']/@content", "//meta[@name='DC.Title']/@content",
    "//meta[@property='og:title']/@content", "//meta[starts-with(@name,'citation_')]", "//link[@rel='canonical']/@href",
    "//script[@type='application/ld+json']", "//time/@datetime", "//*[@itemprop='author']", "//*[@class]",
    "//*[contains(@class,'author')]", "//*[contains(concat(' ',@class,' '),' byline ')]", "//a/@href",
    "//a[starts-with(@href,'mailto:')]", "//a[contains(@href,'.pdf')]", "//a[@rel='author']", "//p[1]",
    "//body//text()[normalize-space()]", "//p[string-length(.) > 80]", "count(//p)", "//table//td[1]", "//address",
    "//font[@size > 4]", "//b | //strong", "//h1/following-sibling::p[1]", "//h1/following::p[1]",
    "//h1/ancestor::*[1]", "//text()[contains(.,'Stand:')]", "//*[matches(.,'^Letzte Änderung')]",
    "//div[not(.//div)]", "normalize-space(//h1)",
];

fn main() {
    let arguments: Vec<PathBuf> =
        std::env::args_os().skip(1).map(PathBuf::from).filter(|path| path.exists()).collect();
    let mut pages = Vec::new();
    arguments.iter().for_each(|path| collect(path, &mut pages));
    if pages.is_empty() {
        pages.push(made_up_page());
    }
    let size: usize = pages.iter().map(Vec::len).sum();
    let rounds = (20_000_000 / size).clamp(1, 500);

    let start = Instant::now();
    let trees: Vec<Page> = pages.iter().map(|page| parse(page, None)).collect();
    let parsing = start.elapsed().as_secs_f64();
    let nodes: usize = trees.iter().map(|page| page.tree().len()).sum();
    println!("{} pages, {:.1} MB, {nodes} nodes", pages.len(), size as f64 / 1e6);
    println!("{:10.1} pages/s parsed", pages.len() as f64 / parsing);

    let mut total = 0.0;
    for source in EXPRESSIONS {
        let xpath = XPath::parse(source).expect("a valid expression");
        let start = Instant::now();
        for page in trees.iter().cycle().take(trees.len() * rounds) {
            evaluate(&xpath, page);
        }
        let seconds = start.elapsed().as_secs_f64() / rounds as f64;
        total += seconds;
        println!("{:10.1} µs/page  {source}", seconds * 1e6 / pages.len() as f64);
    }
    println!("{:10.1} pages/s with all {}", pages.len() as f64 / total, EXPRESSIONS.len());

    let start = Instant::now();
    trees.iter().for_each(|page| drop(black_box(page.xml())));
    println!("{:10.1} pages/s as XML", pages.len() as f64 / start.elapsed().as_secs_f64());
}

fn evaluate(xpath: &XPath, page: &Page) {
    let mut budget = StepBudget::default();
    let value = xpath.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget);
    drop(black_box(value));
}

fn collect(path: &Path, pages: &mut Vec<Vec<u8>>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), pages));
    } else if path.extension().is_some_and(|suffix| suffix == "html" || suffix == "htm") {
        pages.extend(std::fs::read(path));
    }
}

/// As large as an ordinary page of a university: some 2000 nodes.
fn made_up_page() -> Vec<u8> {
    let link = "<li class=item><a href=\"page.html?x=1&amp;y=2\" title='t'>A link</a></li>\n";
    let paragraph = "<p class='text'>Some words of text that nobody reads, with <em>emphasis</em> \
                     &amp; entities, and a <a href='paper.pdf'>paper</a>. Stand: 12. März 2004</p>\n";
    let row = "<tr><td class=\"a\">1</td><td><b>2</b></td><td>3</td></tr>\n";
    format!(
        "<!DOCTYPE html><title>A page</title><meta name=author content='A. B.'><meta charset=utf-8>\
         <div class=nav><ul>{}</ul></div><h1>A page</h1><p class=byline>Von A. B.</p><h2>One</h2>{}\
         <h2>Two</h2><table>{}</table><address>x@y.example</address>",
        link.repeat(120),
        paragraph.repeat(80),
        row.repeat(60)
    )
    .into_bytes()
}

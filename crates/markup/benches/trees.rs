//! Builds the trees of given pages, once each and nothing else, so that a profiler counts only this:
//! `cargo bench -p auslese-markup --bench trees -- text DIRECTORY…` without what is no text
//! (as descriptions do), `… -- whole DIRECTORY…` with everything.

mod pages;

use auslese_markup::{parse, parse_text};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let whole = std::env::args().nth(1).is_some_and(|word| word == "whole");
    let read = if whole { parse } else { parse_text };
    let given = pages::given();
    let size: usize = given.iter().map(Vec::len).sum();
    let start = Instant::now();
    for page in &given {
        drop(black_box(read(page, None)));
    }
    let seconds = start.elapsed().as_secs_f64();
    let speed = size as f64 / 1e6 / seconds;
    println!("{} pages, {:.1} MB, {speed:.1} MB/s", given.len(), size as f64 / 1e6);
}

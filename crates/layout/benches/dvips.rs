//! Measures how fast TeX-made PostScript is read, in documents per second of processor time over
//! given files or directories: `cargo bench -p auslese-layout --bench dvips -- DIRECTORY…`; without
//! any, over the papers of the tests and over hostile ones.

use auslese_layout::{read_dvips, read_dvips_pages, tree};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let given: Vec<PathBuf> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .map(Into::into)
        .collect();
    let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/papers");
    let paths = if given.is_empty() { &[papers][..] } else { &given[..] };
    let files = files(paths);
    measure("read in full", &files, |bytes| read_dvips(bytes).map_or(0, |text| text.pages.len()));
    measure("first three pages", &files, |bytes| {
        read_dvips_pages(bytes, 3).map_or(0, |text| text.pages.len())
    });
    measure("read, then tree", &files, |bytes| {
        read_dvips(bytes).map_or(0, |text| {
            black_box(tree(&text));
            text.pages.len()
        })
    });
    if given.is_empty() {
        for (name, bytes) in hostile_files() {
            measure(name, &[bytes], |bytes| read_dvips(bytes).map_or(0, |text| text.pages.len()));
        }
    }
}

/// The files named, and those in directories named, that end with `.ps`.
fn files(paths: &[PathBuf]) -> Vec<Vec<u8>> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in paths {
        match std::fs::read_dir(path) {
            Ok(entries) => found.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => found.push(path.clone()),
        }
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "ps"));
    found.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

/// Reads the files again and again, for half a second of processor time at least.
fn measure(name: &str, files: &[Vec<u8>], read: impl Fn(&[u8]) -> usize) {
    let size: usize = files.iter().map(Vec::len).sum();
    let clock = Clock::start();
    let (mut rounds, mut pages) = (0, 0);
    while rounds == 0 || clock.seconds() < 0.5 {
        for bytes in files {
            pages += black_box(read(bytes));
        }
        rounds += 1;
    }
    let seconds = clock.seconds();
    println!(
        "{name:24} {:3} files {:7.1} MB {:8.1} documents/s {:9.1} pages/s {:7.1} MB/s",
        files.len(),
        size as f64 / 1e6,
        (files.len() * rounds) as f64 / seconds,
        pages as f64 / seconds,
        (size * rounds) as f64 / 1e6 / seconds
    );
}

/// Time on a processor, where the system tells it; elsewhere the time that passed.
struct Clock {
    instant: Instant,
    nanoseconds: Option<u64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { instant: Instant::now(), nanoseconds: Clock::on_processor() }
    }

    fn on_processor() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok()
    }

    fn seconds(&self) -> f64 {
        match (self.nanoseconds, Clock::on_processor()) {
            (Some(before), Some(now)) if now > before => (now - before) as f64 / 1e9,
            _ => self.instant.elapsed().as_secs_f64(),
        }
    }
}

fn hostile_files() -> Vec<(&'static str, Vec<u8>)> {
    let with = |pages: &str| {
        let start =
            "%!PS\n/TeXDict 300 dict def\nTeXDict begin 1000 600 600 (a.dvi)\n@start 1 0 bop Fa ";
        [start, &pages.repeat(2_000_000 / pages.len())].concat().into_bytes()
    };
    vec![
        ("all at one spot", with("3 4 a(a)p ")),
        ("far away", with("9999999 w 99 x(a)p ")),
        ("stairs", with("(a)p -40 w 1 x ")),
        ("figures without end", with("%%BeginDocument: a\n")),
        ("braces", with("{")),
    ]
}

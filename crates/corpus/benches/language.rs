//! How fast the language of texts is told, on one core.
//!
//!     cargo bench -p auslese-corpus --bench language [-- FILE…]
//!
//! Without files, texts of the evaluation set are used, again and again. Three figures: the word list
//! alone, the language of a document without its paragraphs, and everything. Time is time on the
//! processor where the system tells it (Linux), so that a busy machine does not spoil the figures.

use auslese_corpus::language::{Hints, LanguageSettings, Recogniser};
use auslese_words::{Detector, WordList};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A page has so much text.
const PAGE: usize = 10_000;
/// Each figure is measured for so long at least.
const LONG_ENOUGH: Duration = Duration::from_secs(1);

fn main() {
    let epoch = Instant::now();
    let milliseconds = |since: Duration| (time_spent(epoch) - since).as_secs_f64() * 1000.0;
    let started = time_spent(epoch);
    black_box(WordList::from_fst(auslese_language_data::GERMAN_FORMS).ok());
    println!("reading the word list: {:.1} ms", milliseconds(started));
    let started = time_spent(epoch);
    black_box(Detector::new(auslese_language_data::LANGUAGE_MODEL).ok());
    println!("reading the model: {:.1} ms", milliseconds(started));
    let recogniser = Recogniser::german(LanguageSettings::default());
    let files: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let texts: Vec<(String, String)> = if files.is_empty() {
        let sample = |language: &str| (language.to_owned(), shipped_text(language));
        vec![sample("de"), sample("en")]
    } else {
        files
            .into_iter()
            .filter_map(|file| Some((file.clone(), std::fs::read_to_string(file).ok()?)))
            .collect()
    };
    for (name, text) in texts {
        let pages = pages(&text);
        let bytes: usize = pages.iter().flatten().map(|block| block.len()).sum();
        measure(&name, "word list", bytes, pages.len(), || {
            for page in &pages {
                black_box(recogniser.count_words(page));
            }
        });
        measure(&name, "document", bytes, pages.len(), || {
            for page in &pages {
                black_box(recogniser.recognise_document(page, &Hints::default()));
            }
        });
        measure(&name, "paragraphs", bytes, pages.len(), || {
            for page in &pages {
                black_box(recogniser.recognise(page, &Hints::default()));
            }
        });
    }
}

fn measure(name: &str, what: &str, bytes: usize, pages: usize, work: impl Fn()) {
    let epoch = Instant::now();
    let started = time_spent(epoch);
    let mut rounds = 0;
    while time_spent(epoch) - started < LONG_ENOUGH {
        work();
        rounds += 1;
    }
    let seconds = (time_spent(epoch) - started).as_secs_f64() / f64::from(rounds);
    let megabytes = bytes as f64 / 1e6 / seconds;
    println!("{name}, {what}: {megabytes:.1} MB/s, {:.0} pages/s", pages as f64 / seconds);
}

/// Of this thread on the processor; by the clock where that is not told.
fn time_spent(epoch: Instant) -> Duration {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .map_or_else(|| epoch.elapsed(), Duration::from_nanos)
}

/// Blocks of the text, as pages of the usual size.
fn pages(text: &str) -> Vec<Vec<&str>> {
    let mut pages = vec![Vec::new()];
    let mut length = 0;
    for line in text.lines().filter(|line| !line.is_empty()) {
        if length > PAGE {
            pages.push(Vec::new());
            length = 0;
        }
        length += line.len();
        if let Some(page) = pages.last_mut() {
            page.push(line);
        }
    }
    pages
}

/// The texts of one language in the evaluation set, again and again.
fn shipped_text(language: &str) -> String {
    let set = include_str!("../tests/data/texts.tsv");
    let lines = set.lines().filter_map(|line| line.strip_prefix(&format!("{language}\t")));
    let text: String = lines.map(|line| line.replace("\\n", "\n") + "\n").collect();
    text.repeat(1_000_000 / text.len().max(1) + 1)
}

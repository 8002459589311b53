//! Measures keyphrases in papers per second, on one core, over the texts of JSON lines:
//! `cargo bench -p auslese-describe --bench keyphrases -- FILE.jsonl…`; without any, over made-up papers.

use auslese_describe::{KeyphraseModel, Keyphrases};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let mut texts: Vec<String> = Vec::new();
    for path in std::env::args().skip(1).filter(|path| path.ends_with(".jsonl")) {
        let file = std::fs::read_to_string(&path).expect("the file can be read");
        let lines = file.lines().filter_map(|line| serde_json::from_str(line).ok());
        texts.extend(
            lines.filter_map(|line: serde_json::Value| Some(line["text"].as_str()?.to_owned())),
        );
    }
    if texts.is_empty() {
        texts = (0..100).map(made_up_paper).collect();
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    println!(
        "{} papers, {:.1} KB on average",
        texts.len(),
        bytes as f64 / 1e3 / texts.len() as f64
    );
    let start = Instant::now();
    let model = KeyphraseModel::shipped("english").expect("it comes with the program");
    println!("{:10.1} ms to load the model", start.elapsed().as_secs_f64() * 1e3);
    let (start, on_processor) = (Instant::now(), time_on_processor());
    let mut keyphrases = Keyphrases::with(&model);
    texts.iter().for_each(|text| drop(black_box(keyphrases.extract(text, 10))));
    let spent = time_on_processor().zip(on_processor).map(|(now, start)| now - start);
    let spent = spent.unwrap_or_else(|| start.elapsed());
    println!("{:10.1} papers/s", texts.len() as f64 / spent.as_secs_f64());
}

/// Where the system tells it; a busy machine then does not matter.
fn time_on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// About 8,000 words, a third of them different.
fn made_up_paper(number: usize) -> String {
    let word = |at: usize| format!("w{}ing", (at * 7919 + number * 31) % 2700);
    let sentence = |at: usize| {
        let words: Vec<String> = (0..12).map(|it| word(at * 12 + it)).collect();
        format!("The {} of {}. ", words[..6].join(" "), words[6..].join(" "))
    };
    (0..570).map(sentence).collect()
}

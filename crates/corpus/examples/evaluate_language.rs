//! Measures the language recogniser on texts whose language is known.
//!
//!     cargo run --release -p auslese-corpus --example evaluate_language -- texts.tsv
//!
//! Each line has a language, a tab, and a text in which `\n` parts paragraphs. Printed are, for both
//! rules, how well German is told from the rest, and every language that was taken for German or
//! German that was not; `--misses` prints the texts too.

use auslese_corpus::language::{Hints, LanguageSettings, Recogniser};
use auslese_model::Confidence;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

#[derive(Debug, Default)]
struct Score {
    right: u32,
    false_german: u32,
    missed: u32,
    others: u32,
}

impl Score {
    fn count(&mut self, is_german: bool, judged: bool) {
        match (is_german, judged) {
            (true, true) => self.right += 1,
            (true, false) => self.missed += 1,
            (false, true) => self.false_german += 1,
            (false, false) => self.others += 1,
        }
    }

    fn line(&self, name: &str) -> String {
        let share = |part: u32, rest: u32| f64::from(part) / f64::from((part + rest).max(1));
        let (precision, recall) =
            (share(self.right, self.false_german), share(self.right, self.missed));
        let f1 = 2.0 * precision * recall / (precision + recall);
        format!(
            "{name:<8} precision {:6.2}  recall {:6.2}  F1 {:6.2}   (right {}, false {}, missed {}, others {})",
            100.0 * precision,
            100.0 * recall,
            100.0 * f1,
            self.right,
            self.false_german,
            self.missed,
            self.others
        )
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let misses = arguments.iter().any(|argument| argument == "--misses");
    let recogniser = Recogniser::german(LanguageSettings::default());
    for file in arguments.iter().filter(|argument| !argument.starts_with("--")) {
        let text = fs::read_to_string(file)?;
        let (mut default, mut paper) = (Score::default(), Score::default());
        let mut judged: BTreeMap<(String, String), u32> = BTreeMap::new();
        let mut review: BTreeMap<String, u32> = BTreeMap::new();
        for line in text.lines() {
            let Some((language, text)) = line.split_once('\t') else { continue };
            let blocks: Vec<&str> = text.split("\\n").collect();
            let note = recogniser.recognise(&blocks, &Hints::default());
            let (is_german, says_german) = (language == "de", note.language == "de");
            default.count(is_german, says_german);
            paper.count(is_german, note.by_paper);
            if is_german != says_german {
                *judged.entry((language.to_owned(), note.language.clone())).or_default() += 1;
                if misses {
                    let start: String = text.chars().take(300).collect();
                    println!("{language} as {}: {} | {start}", note.language, note.reason);
                }
            }
            if note.confidence == Confidence::Review {
                *review.entry(language.to_owned()).or_default() += 1;
            }
        }
        println!("{file}\n{}\n{}", default.line("default"), paper.line("paper"));
        println!("for review: {review:?}");
        for ((language, taken), count) in judged {
            println!("  {language:<4} as {taken:<4} {count}");
        }
    }
    Ok(())
}

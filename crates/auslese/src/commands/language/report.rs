//! What is said about a file: a row, a JSON line, or an explanation to follow by hand.

use super::input::Input;
use crate::messages::{Failure, Harmless};
use crate::output;
use auslese_corpus::language::{Explanation, Fate, Hints, LanguageReport, Recogniser, Recognition};
use auslese_model::Confidence;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

pub(super) fn row(recogniser: &Recogniser, input: &Input) -> String {
    let note = recognition(recogniser, input, &input.blocks()).note;
    let detector = note.detector.map_or("-".to_owned(), |(language, probability)| {
        format!("{language} {:.0}%", probability * 100.0)
    });
    let file = Harmless(input.id.clone()).to_string().replace(['\n', '\t'], " ");
    line(&[
        &note.language,
        confidence(note.confidence),
        &percent(note.share_words),
        &percent(note.share_chars),
        &note.words.to_string(),
        &detector,
        &file,
    ])
}

/// Rows below one heading, printed as they come: with thousands of files nobody waits for the last.
#[derive(Debug, Default)]
pub(super) struct Rows {
    has_heading: bool,
}

impl Rows {
    pub(super) fn print(&mut self, row: &str) -> Result<(), Failure> {
        if !self.has_heading {
            self.has_heading = true;
            let names = ["language", "confidence", "words", "chars", "count", "detector", "file"];
            output::print(&line(&names))?;
        }
        output::print(row)
    }
}

fn line(cells: &[&str; 7]) -> String {
    let [language, confidence, words, chars, count, detector, file] = cells;
    format!(
        "{language:<8}  {confidence:<10}  {words:>6}  {chars:>6}  {count:>7}  {detector:<9}  {file}\n"
    )
}

pub(super) fn json_line(
    recogniser: &Recogniser,
    input: &Input,
    explain: bool,
) -> Result<String, Failure> {
    let blocks = input.blocks();
    let recognition = recognition(recogniser, input, &blocks);
    let explanation = explain.then(|| recogniser.explain(&blocks, &recognition));
    let report = LanguageReport::of(&blocks, &recognition, explanation);
    let mut value = serde_json::to_value(report)?;
    value["id"] = json!(input.id);
    Ok(format!("{value}\n"))
}

/// A file that cannot be judged has its line too, so that none is missing among the results.
pub(super) fn failure_line(file: &Path, failure: &Failure) -> String {
    let id = file.to_string_lossy();
    format!("{}\n", json!({ "id": id, "language": null, "error": failure.in_short() }))
}

/// Tokens as they stand in the text, each with a mark that tells its fate, then the steps.
pub(super) fn explanation(recogniser: &Recogniser, input: &Input) -> String {
    let blocks = input.blocks();
    let recognition = recognition(recogniser, input, &blocks);
    let Explanation { tokens, steps } = recogniser.explain(&blocks, &recognition);
    let mut text = format!("{}\n", Harmless(input.id.clone()));
    for token in &tokens {
        let word = Harmless(token.text.clone()).to_string();
        writeln!(text, "  {:<12}{word}", fate(token.fate)).unwrap_or_default();
    }
    for step in &steps {
        writeln!(text, "{step}").unwrap_or_default();
    }
    if recognition.multilingual {
        let shares: Vec<String> = recognition
            .note
            .shares
            .iter()
            .map(|(language, share)| format!("{language} {}", percent(*share)))
            .collect();
        writeln!(text, "multilingual: {}", shares.join(", ")).unwrap_or_default();
    }
    text.push('\n');
    text
}

fn recognition(recogniser: &Recogniser, input: &Input, blocks: &[&str]) -> Recognition {
    let hints = Hints { html_lang: input.html_lang.as_deref(), ..Hints::default() };
    recogniser.recognise_paragraphs(blocks, &hints)
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Recognised => "recognised",
        Fate::Unknown => "unknown",
        Fate::Url => "url",
        Fate::Mail => "mail",
        Fate::Number => "number",
        Fate::Symbol => "symbol",
        Fate::Name => "name",
    }
}

fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Sure => "sure",
        Confidence::Review => "review",
        Confidence::Low => "low",
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

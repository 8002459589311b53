//! All that is said about the language of one text, as programs read it.

use super::{Explanation, Recognition, Token};
use auslese_model::Confidence;
use serde::Serialize;

/// How much of a paragraph is shown, in characters.
const TEXT_START: usize = 60;

/// What was found out about a text, in the fields that `docs/language.md` names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LanguageReport {
    pub language: String,
    pub confidence: Confidence,
    pub reason: String,
    pub share_words: f64,
    pub share_chars: f64,
    pub words: u32,
    pub recognised: u32,
    pub detector: Option<DetectorReport>,
    pub by_paper: bool,
    pub languages: Vec<LanguageShare>,
    pub multilingual: bool,
    pub paragraphs: Vec<ParagraphReport>,
    /// What became of each token, where that is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Vec<Token>>,
    /// How the decision follows, where that is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<String>>,
}

/// What the general detector says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DetectorReport {
    pub label: String,
    pub probability: f64,
}

/// A language with its share of the characters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LanguageShare {
    pub language: String,
    pub share: f64,
}

/// One paragraph.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParagraphReport {
    pub language: String,
    /// Its characters of all those in paragraphs with words.
    pub share: f64,
    pub characters: u32,
    pub words: u32,
    pub share_words: f64,
    pub share_chars: f64,
    pub inherited: bool,
    /// How it begins.
    pub text: String,
}

impl LanguageReport {
    /// The report about a text; with an explanation, how it came about.
    pub fn of(
        blocks: &[&str],
        recognition: &Recognition,
        explanation: Option<Explanation>,
    ) -> LanguageReport {
        let note = &recognition.note;
        let (tokens, steps) = explanation.map(|it| (it.tokens, it.steps)).unzip();
        let shares = note.shares.iter();
        LanguageReport {
            language: note.language.clone(),
            confidence: note.confidence,
            reason: note.reason.clone(),
            share_words: note.share_words,
            share_chars: note.share_chars,
            words: note.words,
            recognised: note.recognised,
            detector: note.detector.as_ref().map(|(label, probability)| DetectorReport {
                label: label.clone(),
                probability: *probability,
            }),
            by_paper: note.by_paper,
            languages: shares
                .map(|(language, share)| LanguageShare {
                    language: language.clone(),
                    share: *share,
                })
                .collect(),
            multilingual: recognition.multilingual,
            paragraphs: paragraphs(blocks, recognition),
            tokens,
            steps,
        }
    }
}

fn paragraphs(blocks: &[&str], recognition: &Recognition) -> Vec<ParagraphReport> {
    let counted = recognition.paragraphs.iter().filter(|paragraph| paragraph.words > 0);
    let all: u64 = counted.map(|paragraph| u64::from(paragraph.characters)).sum();
    let share = |words: u32, characters: u32| match words {
        0 => 0.0,
        _ => f64::from(characters) / all as f64,
    };
    let told = recognition.paragraphs.iter().zip(blocks);
    told.map(|(paragraph, block)| ParagraphReport {
        language: paragraph.language.clone(),
        share: share(paragraph.words, paragraph.characters),
        characters: paragraph.characters,
        words: paragraph.words,
        share_words: paragraph.share_words,
        share_chars: paragraph.share_chars,
        inherited: paragraph.inherited,
        text: block.chars().take(TEXT_START).collect(),
    })
    .collect()
}

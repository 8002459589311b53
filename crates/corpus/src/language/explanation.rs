//! What happened to each token, and both rules in words, so that a person can follow by hand.

use super::rules;
use super::tally::{Fate, Tally};
use super::{Recogniser, Recognition};
use auslese_words::pieces;
use serde::Serialize;
use std::fmt::Write;

/// A text with the fate of each of its tokens.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    pub tokens: Vec<Token>,
    /// One line per step, from the counts to the decisions.
    pub steps: Vec<String>,
}

/// A token and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Token {
    pub text: String,
    pub fate: Fate,
}

pub(crate) fn explain(
    recogniser: &Recogniser,
    blocks: &[&str],
    recognition: &Recognition,
) -> Explanation {
    let tokens = tokens(recogniser, blocks);
    let steps = steps(recogniser, &tokens, recognition);
    Explanation { tokens, steps }
}

pub(crate) fn tokens(recogniser: &Recogniser, blocks: &[&str]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for block in blocks {
        tokens.extend(pieces(block).map(|piece| {
            let fate = recogniser.lists().fate(block, &piece);
            Token { text: block[piece.span].to_owned(), fate }
        }));
    }
    tokens.retain(|token| !token.text.trim().is_empty());
    tokens
}

fn steps(recogniser: &Recogniser, tokens: &[Token], recognition: &Recognition) -> Vec<String> {
    let (settings, note) = (recogniser.settings(), &recognition.note);
    let mut tally = Tally::default();
    for token in tokens.iter().filter(|token| token.fate.counts()) {
        tally.count(&token.text, token.fate);
    }
    let verdict = |holds: bool| if holds { "yes" } else { "no" };
    let paper = settings.paper_share;
    vec![
        left_out(tokens),
        format!(
            "words: {} of {} in the list of {}, {}; characters: {} of {}, {}",
            tally.recognised,
            tally.words,
            settings.language,
            rules::percent(tally.share_words()),
            tally.recognised_chars,
            tally.chars,
            rules::percent(tally.share_chars()),
        ),
        match &note.detector {
            Some((language, probability)) => {
                format!("detector: {language}, {}", rules::percent(*probability))
            }
            None => "detector: nothing".to_owned(),
        },
        format!(
            "rule of the paper: is {} at least {}, the smaller share? {}",
            rules::percent(tally.share()),
            rules::percent(paper),
            verdict(note.by_paper),
        ),
        format!(
            "default rule: is {} at least {}, or at least {} while the detector says {}? {}",
            rules::percent(tally.share()),
            rules::percent(settings.share_alone),
            rules::percent(settings.share_with_detector),
            settings.language,
            verdict(recognition.by_default),
        ),
        format!("result: {}, {}: {}", note.language, confidence_text(recognition), note.reason),
    ]
}

fn left_out(tokens: &[Token]) -> String {
    let kinds = [
        (Fate::Url, "addresses"),
        (Fate::Mail, "mail addresses"),
        (Fate::Number, "numbers"),
        (Fate::Symbol, "signs"),
        (Fate::Name, "names"),
    ];
    let mut text = "left out:".to_owned();
    for (at, (fate, name)) in kinds.into_iter().enumerate() {
        let count = tokens.iter().filter(|token| token.fate == fate).count();
        let comma = if at == 0 { "" } else { "," };
        write!(text, "{comma} {count} {name}").unwrap_or_default();
    }
    text
}

fn confidence_text(recognition: &Recognition) -> &'static str {
    use auslese_model::Confidence::{Low, Review, Sure};
    match recognition.note.confidence {
        Sure => "sure",
        Review => "for review",
        Low => "low confidence",
    }
}

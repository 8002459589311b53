//! Which of some 170 languages a text is in, by the statistics of its letters.
//!
//! The model is a fastText classifier (P. Bojanowski, E. Grave, A. Joulin, T. Mikolov, 2016–17); it
//! comes as bytes, since where it lies is not decided here. Labels are language tags, except that
//! `als`, by which the model means Alemannic, is given as `gsw`.

use fasttext_pure_rs::FastText;
use std::borrow::Cow;
use std::io::Cursor;
use thiserror::Error;

/// How much of a text is looked at, in bytes; of longer ones, several stretches, evenly spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// Enough for a text in one language: more does not make the answer better, only later.
    Quick,
    /// For a text that may be mixed, where it matters which language is the larger part.
    Thorough,
}

/// What [`Care::Thorough`] looks at.
pub const MAX_DETECTED: usize = 64 << 10;

/// What [`Care::Quick`] looks at.
pub const MAX_DETECTED_QUICKLY: usize = 3 << 10;

const STRETCHES: usize = 6;

/// The model cannot be read.
#[derive(Debug, Error)]
#[error("the language model is damaged")]
pub struct DetectorError(#[source] fasttext_pure_rs::Error);

/// A language that a text may be in.
#[derive(Debug, Clone, PartialEq)]
pub struct Detected {
    /// A tag such as `de`.
    pub language: String,
    /// From 0 to 1.
    pub probability: f64,
}

/// Tells languages apart. Large: make one and share it.
#[derive(Debug)]
pub struct Detector {
    model: FastText,
}

impl Detector {
    pub fn new(model: &[u8]) -> Result<Detector, DetectorError> {
        let model = FastText::load_from_reader(Cursor::new(model)).map_err(DetectorError)?;
        Ok(Detector { model })
    }

    /// The likeliest languages, best first, at most so many; none for a text without letters.
    pub fn detect(&self, text: &str, most: usize, care: Care) -> Vec<Detected> {
        if !text.contains(char::is_alphabetic) {
            return Vec::new();
        }
        let limit = match care {
            Care::Quick => MAX_DETECTED_QUICKLY,
            Care::Thorough => MAX_DETECTED,
        };
        let text = as_trained(sample(text, limit));
        let Ok(predictions) = self.model.predict(&text, most, 0.0) else { return Vec::new() };
        predictions
            .into_iter()
            .map(|prediction| Detected {
                language: tag(&prediction.label),
                probability: f64::from(prediction.probability).clamp(0.0, 1.0),
            })
            .collect()
    }
}

fn tag(label: &str) -> String {
    match label.trim_start_matches("__label__") {
        "als" => "gsw".to_owned(),
        tag => tag.to_owned(),
    }
}

/// Stretches of a long text.
fn sample(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let length = limit / STRETCHES;
    let mut sampled = String::with_capacity(limit + STRETCHES);
    for nth in 0..STRETCHES {
        let start = text.ceil_char_boundary((text.len() - length) / (STRETCHES - 1) * nth);
        let end = text.floor_char_boundary((start + length).min(text.len()));
        sampled.push_str(&text[start..end.max(start)]);
        sampled.push(' ');
    }
    Cow::Owned(sampled)
}

/// The model has seen little text in capitals, and takes it for anything.
fn as_trained(text: Cow<'_, str>) -> Cow<'_, str> {
    let letters = |test: fn(char) -> bool| text.chars().filter(|letter| test(*letter)).count();
    let upper = letters(char::is_uppercase);
    if upper * 2 > letters(char::is_lowercase) + upper { text.to_lowercase().into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn capitals_are_read_as_small_letters() {
        assert_eq!(as_trained("DAS RECHT auf".into()), "das recht auf");
        assert_eq!(as_trained("Das Recht".into()), "Das Recht");
    }

    proptest! {
        #[test]
        fn samples_are_short(text in "\\PC{0,200}", limit in 12usize..100) {
            let sampled = sample(&text, limit);
            prop_assert!(sampled.len() <= limit + STRETCHES);
        }
    }
}

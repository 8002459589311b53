//! A model as a file: JSON that people can read, compare and exchange.
//!
//! First what the model is and where it comes from, then what the ranges of its features are worth,
//! last the stems of phrases by the number of documents they occur in.

use super::discretise::Cuts;
use super::features::Feature;
use super::frequencies::{Frequencies, PhraseKey};
use super::model::{KeyphraseHeader, KeyphraseModel};
use super::points::{Points, Scale};
use super::ranking::Learnt;
use super::training::KeyphraseMethod;
use crate::weighing::{Curve, CurvePoint};
use auslese_words::StemLanguage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A model file of more bytes is not read; millions of phrases have room in it.
pub const MAX_KEYPHRASE_MODEL: usize = 64 << 20;

/// The version of the format.
const FORMAT: &str = "auslese-keyphrases-1";

/// Why a file is no model.
#[derive(Debug, thiserror::Error)]
pub enum KeyphraseModelError {
    #[error("the file is longer than {MAX_KEYPHRASE_MODEL} bytes")]
    TooLong,
    #[error("it is no model file")]
    Json(#[source] serde_json::Error),
    #[error("its format is {0:?}, this program reads {FORMAT:?}")]
    Format(String),
    #[error("its language {0:?} has no stems here")]
    Language(String),
    #[error("{0}")]
    Unsound(&'static str),
}

/// The file as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    name: String,
    language: String,
    method: KeyphraseMethod,
    trained_from: String,
    date: String,
    documents: u64,
    weights_measured_on: u64,
    prior: f64,
    scales: Vec<FileScale>,
    /// What was promised, what was kept, and of how many phrases.
    curve: Vec<(f64, f64, u64)>,
    counted_documents: u32,
    phrases: BTreeMap<u32, Vec<String>>,
    keyphrases: BTreeMap<u32, Vec<String>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileScale {
    feature: Feature,
    cuts: Vec<f64>,
    points: Vec<f64>,
}

/// Stems of phrases, by how many documents have them.
pub(super) type Listed = BTreeMap<u32, Vec<String>>;

impl KeyphraseModel {
    /// Reads a model file.
    pub fn parse(text: &str) -> Result<KeyphraseModel, KeyphraseModelError> {
        if text.len() > MAX_KEYPHRASE_MODEL {
            return Err(KeyphraseModelError::TooLong);
        }
        let file: File = serde_json::from_str(text).map_err(KeyphraseModelError::Json)?;
        if file.format != FORMAT {
            return Err(KeyphraseModelError::Format(file.format));
        }
        let language = StemLanguage::from_tag(&file.language)
            .ok_or_else(|| KeyphraseModelError::Language(file.language.clone()))?;
        let scales = file.scales.into_iter().map(scale).collect::<Result<Vec<_>, _>>()?;
        let points = file
            .curve
            .iter()
            .map(|&(promised, kept, n)| CurvePoint { promised, kept, n })
            .collect();
        let curve = Curve::through(points)
            .ok_or(KeyphraseModelError::Unsound("its curve does not rise within 0 and 1"))?;
        if !file.prior.is_finite() {
            return Err(KeyphraseModelError::Unsound("its prior is no number"));
        }
        let header = KeyphraseHeader {
            name: file.name,
            language,
            method: file.method,
            trained_from: file.trained_from,
            date: file.date,
            documents: file.documents,
            weights_measured_on: file.weights_measured_on,
        };
        let learnt = Learnt {
            frequencies: frequencies(file.counted_documents, &file.phrases),
            given: frequencies(file.counted_documents, &file.keyphrases),
            points: Points { prior: file.prior, scales },
            curve,
        };
        Ok(KeyphraseModel { header, learnt })
    }
}

fn scale(scale: FileScale) -> Result<Scale, KeyphraseModelError> {
    let rising = scale.cuts.is_sorted_by(|a, b| a < b);
    let finite = scale.cuts.iter().chain(&scale.points).all(|it| it.is_finite());
    if !rising || !finite || scale.points.len() != scale.cuts.len() + 1 {
        return Err(KeyphraseModelError::Unsound(
            "a scale needs rising cuts, and one number of points more than cuts",
        ));
    }
    Ok(Scale { feature: scale.feature, cuts: Cuts(scale.cuts), points: scale.points })
}

fn frequencies(documents: u32, listed: &Listed) -> Frequencies {
    let mut frequencies = Frequencies { documents, ..Frequencies::default() };
    frequencies.counts.reserve(listed.values().map(Vec::len).sum());
    for (count, phrases) in listed {
        let keys = phrases.iter().map(|phrase| (PhraseKey::of_phrase(phrase), *count));
        frequencies.counts.extend(keys);
    }
    frequencies
}

/// The file of a model with these phrases.
pub(super) fn write(
    header: &KeyphraseHeader,
    learnt: &Learnt,
    phrases: Listed,
    keyphrases: Listed,
) -> String {
    let rounded = |value: &f64| (value * 1e6).round() / 1e6;
    let file = File {
        format: FORMAT.to_owned(),
        name: header.name.clone(),
        language: header.language.tag().to_owned(),
        method: header.method,
        trained_from: header.trained_from.clone(),
        date: header.date.clone(),
        documents: header.documents,
        weights_measured_on: header.weights_measured_on,
        prior: rounded(&learnt.points.prior),
        scales: learnt
            .points
            .scales
            .iter()
            .map(|scale| FileScale {
                feature: scale.feature,
                cuts: scale.cuts.0.clone(),
                points: scale.points.iter().map(rounded).collect(),
            })
            .collect(),
        curve: learnt.curve.points().iter().map(|it| (it.promised, it.kept, it.n)).collect(),
        counted_documents: learnt.frequencies.documents,
        phrases,
        keyphrases,
    };
    let text = serde_json::to_string_pretty(&file).expect("numbers and strings can be written");
    one_line_lists(&text)
}

/// Lists of numbers and strings in one line, so that a model has dozens of lines and not thousands.
fn one_line_lists(pretty: &str) -> String {
    let mut text = String::with_capacity(pretty.len());
    let mut lines = pretty.lines().peekable();
    let mut within = false;
    while let Some(line) = lines.next() {
        let content = if within { line.trim_start() } else { line };
        text.push_str(content);
        let opens = line.ends_with('[') && lines.peek().is_some_and(|next| is_item(next));
        within = opens || (within && is_item(line));
        let ends = lines.peek().is_some_and(|next| !is_item(next));
        match within {
            true if ends || opens => {}
            true => text.push(' '),
            false => text.push('\n'),
        }
    }
    text
}

/// Whether a line of pretty JSON is an item of a list, and no structure.
fn is_item(line: &str) -> bool {
    let line = line.trim();
    !line.contains(": ") && !line.starts_with(['[', ']', '{', '}'])
}

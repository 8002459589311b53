//! What the rewriting returns: transfers that can be shown, weighed and switched.

use super::settings::TransferRule;
use crate::short_name::hyphenated;
use crate::{Counts, Measure, Relation, Relevance, ShortName};
use serde::Serialize;
use std::ops::Range;

/// How a question is carried into the language of one collection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rewriting {
    pub collection: String,
    /// By place, the heaviest first.
    pub transfers: Vec<Transfer>,
    /// What to know about it as a whole: homonyms, words without any transfer.
    pub notes: Vec<String>,
}

impl Rewriting {
    /// The transfers that act.
    pub fn active(&self) -> impl Iterator<Item = &Transfer> {
        self.transfers.iter().filter(|transfer| transfer.active)
    }
}

/// One rule applied to some words of the question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transfer {
    /// The same for the same words, rule and target in every collection, to switch it by.
    pub id: String,
    /// Where the words stand in the question, in bytes.
    pub place: Range<usize>,
    /// The words as written.
    pub words: String,
    pub target: Target,
    /// In 0..=1, what the search multiplies the target's score with.
    pub weight: f64,
    pub source: Source,
    pub mode: TransferMode,
    /// Whether it acts, or is a proposal.
    pub active: bool,
    /// The same in words.
    pub why: String,
}

/// What is searched beside the words, or in their place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    Concept(TargetConcept),
    /// Concepts that only together mean the words.
    AllOf(Vec<TargetConcept>),
    /// Words of the text.
    Words(String),
}

/// A concept of the collection's vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TargetConcept {
    pub vocabulary: ShortName,
    /// `None` for a term that statistics know and the vocabulary does not.
    pub uri: Option<String>,
    /// The name to show.
    pub label: String,
    /// All strings under which documents may be indexed with it.
    pub terms: Vec<String>,
}

/// What a transfer rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Source {
    Label {
        vocabulary: ShortName,
        /// The label that the words are.
        label: String,
    },
    Concordance {
        concordance: ShortName,
        relation: Relation,
        relevance: Relevance,
        /// The vocabulary and the name of the concept that the words name.
        from_vocabulary: ShortName,
        from_label: String,
        /// Whether the mapping was made the other way round and holds both ways.
        backwards: bool,
    },
    Statistics {
        model: ShortName,
        measure: Measure,
        strength: f64,
        #[serde(flatten)]
        counts: Counts,
    },
}

impl Source {
    pub fn rule(&self) -> TransferRule {
        match self {
            Source::Label { .. } => TransferRule::Label,
            Source::Concordance { relation, .. } => TransferRule::of_relation(*relation),
            Source::Statistics { .. } => TransferRule::Statistics,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransferMode {
    /// The words are searched as well.
    Expand,
    /// The words are dropped for this collection.
    Replace,
}

impl Target {
    /// The name to show.
    pub fn label(&self) -> String {
        match self {
            Target::Concept(concept) => concept.label.clone(),
            Target::AllOf(concepts) => {
                let labels: Vec<&str> = concepts.iter().map(|it| it.label.as_str()).collect();
                labels.join(" + ")
            }
            Target::Words(words) => words.clone(),
        }
    }

    /// What makes it this one: addresses, or words.
    fn identity(&self) -> String {
        let of = |it: &TargetConcept| it.uri.clone().unwrap_or_else(|| it.label.clone());
        match self {
            Target::Concept(concept) => format!("{} {}", concept.vocabulary, of(concept)),
            Target::AllOf(concepts) => concepts.iter().map(of).collect::<Vec<_>>().join(" "),
            Target::Words(words) => words.clone(),
        }
    }
}

/// A name for a transfer that people can read and type: words, rule, target, and a few digits that
/// tell it from others that read the same.
pub(super) fn transfer_id(words: &str, source: &Source, target: &Target) -> String {
    let rule = source.rule().as_str();
    let origin = match source {
        Source::Label { vocabulary, .. } => vocabulary.as_str(),
        Source::Concordance { concordance, .. } => concordance.as_str(),
        Source::Statistics { model, .. } => model.as_str(),
    };
    let identity = [&auslese_words::fold(words), rule, origin, &target.identity()].join("\0");
    let digits = fnv(identity.as_bytes()) >> 44;
    let [words, label] = [words, &target.label()].map(|text| hyphenated(text, ID_PART));
    format!("{words}.{rule}.{label}.{digits:05x}")
}

/// FNV-1a, 64 bits: ids are typed by people and have to stay the same in later versions.
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Bytes of words and target in an id.
const ID_PART: usize = 24;

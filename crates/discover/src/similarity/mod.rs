//! Whether two holders of a registration are the same body, by what is written there.
//!
//! A holder is compared with the root's holder in two ways, after folding, with abbreviations
//! written out, translations set equal and legal forms dropped: by spelling (normalised
//! Levenshtein), and by how much of the root's name is covered, each word weighed by how few bodies
//! share it. The better one is the score. Spelling forgives a lost letter, coverage forgives
//! `, Rechenzentrum`.
//!
//! Both forgive too much: `Medizinische Hochschule Hannover` covers `Hochschule Hannover`. So a word
//! of one name that the other lacks *separates* the two, if it belongs to the name itself rather
//! than to a unit named beside it ([`reading`] tells the two apart), and so does another kind of
//! body. What separated them is in the reasons, with every word's class, weight and match.
//!
//! The threshold is the caller's. Names that tell nothing (redacted, or mere institution words)
//! resemble nothing.

mod address;
mod comparison;
mod mail;
mod reading;
mod table;

pub use address::address_similarity;
pub(crate) use mail::{MailDomainKind, mail_domain_kind};
pub use reading::{HolderName, MAX_NAME};

use serde::Serialize;

/// How much two names resemble each other, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Similarity {
    /// From 0 to 1: the better of the two below, less if the names are separated.
    pub score: f64,
    /// By spelling, from 0 to 1.
    pub levenshtein: f64,
    /// The share of the root's words that the other name has, by weight, from 0 to 1. It counts
    /// from [`MIN_COVERAGE`] on.
    pub coverage: f64,
    pub ground: Ground,
    /// A name was longer than [`MAX_NAME`]; only its beginning was compared.
    pub cut: bool,
    /// The words of the root's name, then those of the other name that the root's has not.
    pub reasons: Vec<TokenReason>,
}

/// A smaller share of the root's words says nothing: one missing word may be the one that matters.
pub const MIN_COVERAGE: f64 = 0.97;

/// What is left of the score if a word separates the names: below any sensible threshold, but
/// still more for names that look alike.
pub const SEPARATED_SHARE: f64 = 0.7;

/// What the score rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// The names are spelled alike.
    Spelling,
    /// The other name contains the root's.
    Coverage,
    /// At least one word separates them.
    Separated,
    /// One of the names says nothing about who is meant.
    NothingTold,
}

/// What one word contributed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TokenReason {
    /// As compared: folded, written out, translated.
    pub token: String,
    pub class: TokenClass,
    pub side: Side,
    /// How much it counts among the root's words.
    pub weight: f64,
    /// The word of the other name that it was found as.
    pub matched: Option<String>,
    /// It makes two bodies of the two names.
    pub separates: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Root,
    Other,
}

/// What a word tells about which body is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenClass {
    /// A place, a person, a brand: whatever is in no table.
    Name,
    /// Tells bodies of one kind in one town apart: medizinische, freie, private.
    Distinguishing,
    /// A field of study or work.
    Subject,
    /// Another body that carries the name: a clinic, a friends' association.
    Related,
    /// The kind of body: universität, hochschule, museum.
    Institution,
    /// A part of a body: fachbereich, rechenzentrum.
    Unit,
    /// Tells namesakes of a place apart: am Main, (Oder).
    Qualifier,
    /// The initials of the name.
    Initials,
    /// Who speaks for the body: präsidentin.
    Office,
    Legal,
    /// Said of many, and not always: staatlich anerkannt.
    Filler,
    Function,
}

impl TokenClass {
    /// By how few bodies share a word of the class.
    fn weight(self) -> f64 {
        match self {
            TokenClass::Name | TokenClass::Distinguishing | TokenClass::Related => 1.0,
            TokenClass::Subject => 0.7,
            TokenClass::Unit => 0.3,
            TokenClass::Institution | TokenClass::Qualifier => 0.01,
            TokenClass::Initials
            | TokenClass::Office
            | TokenClass::Legal
            | TokenClass::Filler
            | TokenClass::Function => 0.0,
        }
    }
}

/// How much the name of another holder resembles that of the root's.
///
/// ```
/// use auslese_discover::similarity;
///
/// let score = |other| similarity("Universität Konstanz", other).score;
/// assert!(score("UNIVERSITAET KONSTANZ, Rechenzentrum") >= 0.9);
/// assert!(score("University of Konstanz") >= 0.9);
/// assert!(score("Hochschule Konstanz") < 0.9);
/// ```
pub fn similarity(root: &str, other: &str) -> Similarity {
    HolderName::read(root).compare(&HolderName::read(other))
}

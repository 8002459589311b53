//! A document as the corpus knows it: what was read out of one stored body ([`Content`]), and
//! whether the document belongs to the corpus, and why ([`CorpusVerdict`]).
//!
//! What is read out depends on the bytes alone and is kept; the verdict depends on rules that people
//! change, and is made again whenever they do.

use crate::{CaptureId, RequestId, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was read out of one stored body. A revisit has none of its own: it shares the original's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// The capture that stores the body.
    pub capture: CaptureId,
    /// The version of the reader: what an older one read out is read again.
    pub reader: u32,
    pub format: Format,
    /// Why nothing could be read, or only a part.
    pub trouble: Option<String>,
    /// Length of the body without any coding.
    pub bytes: u64,
    pub title: Option<String>,
    /// None where there is no text.
    pub language: Option<LanguageNote>,
    pub counts: Counts,
    /// How often each element occurs, by name.
    pub elements: BTreeMap<String, u32>,
    /// Further numbers by name, such as the features of the orality index.
    pub features: BTreeMap<String, f64>,
    pub conformance: Option<Conformance>,
    /// For finding texts that are nearly the same; empty for texts too short to compare.
    pub signature: Vec<u64>,
    /// Equal for pages made from the same template.
    pub structure: Option<u64>,
    /// The program that made the page, as far as it says so.
    pub generator: Option<String>,
    /// Pages that continue this one: frames, `rel=next` and the like; absolute addresses.
    pub parts: Vec<Part>,
    pub examined_at: Timestamp,
}

/// What a body is, whatever its header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Html,
    /// Plain text.
    Text,
    /// XML that is no HTML.
    Xml,
    /// A document made of pages, such as PDF, PostScript or Word: described, but its text is no
    /// part of the corpus.
    Paper,
    /// Anything else that is no text.
    Binary,
    Empty,
}

impl Format {
    pub const ALL: [Format; 6] =
        [Format::Html, Format::Text, Format::Xml, Format::Paper, Format::Binary, Format::Empty];

    pub fn as_str(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Text => "text",
            Format::Xml => "xml",
            Format::Paper => "paper",
            Format::Binary => "binary",
            Format::Empty => "empty",
        }
    }

    pub fn parse(text: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == text)
    }
}

/// The plain counts of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub characters: u32,
    pub words: u32,
    pub sentences: u32,
    /// Words of the longest sentence.
    pub longest_sentence: u32,
    pub paragraphs: u32,
    /// Paragraphs that look like navigation and other furniture.
    pub boilerplate: u32,
    pub links: u32,
    pub images: u32,
    pub scripts: u32,
    pub applets: u32,
    pub frames: u32,
    pub forms: u32,
    /// Elements that a standard has withdrawn.
    pub obsolete: u32,
    /// Elements that no standard ever had.
    pub proprietary: u32,
}

/// How a page keeps to the standards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conformance {
    /// The document type as declared, in short: `HTML 4.01 Transitional`; none if there is none.
    pub doctype: Option<String>,
    /// Parse errors by kind.
    pub errors: BTreeMap<String, u32>,
}

/// A page that belongs to the same logical document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub relation: Relation,
    pub url: String,
}

/// How a page names another part of its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    Frame,
    Next,
    Previous,
    Up,
    Contents,
}

/// What a link of a page leads to. The order is that of strength: where one address is linked in
/// several ways, the first counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetKind {
    /// Another document.
    Page,
    /// A document shown inside the page.
    Frame,
    /// An image, a script, a style sheet: needed to show the page.
    Embedded,
}

impl TargetKind {
    pub fn as_str(self) -> &'static str {
        match self {
            TargetKind::Page => "page",
            TargetKind::Frame => "frame",
            TargetKind::Embedded => "embedded",
        }
    }
}

/// The language of a document, with all that led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LanguageNote {
    /// A tag such as `de`; `und` if nothing can be said.
    pub language: String,
    pub confidence: Confidence,
    /// The rule that decided, in words, with the numbers it compared.
    pub reason: String,
    /// Recognised words of all words, after names, numbers and addresses were left out.
    pub share_words: f64,
    /// The same in characters.
    pub share_chars: f64,
    pub words: u32,
    pub recognised: u32,
    /// What the general detector says, with its probability.
    pub detector: Option<(String, f64)>,
    /// What the rule of the corpus paper says: the list's language, at 40 %.
    pub by_paper: bool,
    /// Languages by their share of the characters, largest first, paragraph by paragraph.
    pub shares: Vec<(String, f64)>,
}

/// How sure a language is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    Sure,
    /// The two signals disagree: worth a look.
    Review,
    /// Too few words.
    Low,
}

impl Confidence {
    pub const ALL: [Confidence; 3] = [Confidence::Sure, Confidence::Review, Confidence::Low];

    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Sure => "sure",
            Confidence::Review => "review",
            Confidence::Low => "low",
        }
    }

    pub fn parse(text: &str) -> Option<Confidence> {
        Confidence::ALL.into_iter().find(|confidence| confidence.as_str() == text)
    }
}

/// Whether a document belongs to the corpus, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusVerdict {
    pub keeping: Keeping,
    /// The rule that decided; for a kept document the last one that was asked.
    pub rule: CorpusRule,
    /// In words, with the value measured and the limit it met.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keeping {
    Kept,
    Left,
    /// Would perhaps be kept, but only its header row exists.
    Unknown,
}

/// The rules, in the order in which they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CorpusRule {
    /// No answer came, or it was not asked for.
    NotFetched,
    /// The answer is not a document: an error, a redirect.
    Status,
    /// robots.txt and sitemaps: fetched for the crawl, not for the corpus.
    Machinery,
    /// A pattern that keeps or leaves, whatever the other rules say.
    Pattern,
    Port,
    Suffix,
    MimeType,
    Size,
    /// The body is not archived.
    NoBody,
    /// The body is not what its header says.
    Format,
    Language,
    /// A format without text of its own here.
    NotClassified,
    Duplicate,
    NearDuplicate,
    Template,
    /// Nothing spoke against it.
    All,
}

impl CorpusRule {
    pub const ALL: [CorpusRule; 16] = [
        CorpusRule::NotFetched,
        CorpusRule::Status,
        CorpusRule::Machinery,
        CorpusRule::Pattern,
        CorpusRule::Port,
        CorpusRule::Suffix,
        CorpusRule::MimeType,
        CorpusRule::Size,
        CorpusRule::NoBody,
        CorpusRule::Format,
        CorpusRule::Language,
        CorpusRule::NotClassified,
        CorpusRule::Duplicate,
        CorpusRule::NearDuplicate,
        CorpusRule::Template,
        CorpusRule::All,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            CorpusRule::NotFetched => "not-fetched",
            CorpusRule::Status => "status",
            CorpusRule::Machinery => "machinery",
            CorpusRule::Pattern => "pattern",
            CorpusRule::Port => "port",
            CorpusRule::Suffix => "suffix",
            CorpusRule::MimeType => "mime-type",
            CorpusRule::Size => "size",
            CorpusRule::NoBody => "no-body",
            CorpusRule::Format => "format",
            CorpusRule::Language => "language",
            CorpusRule::NotClassified => "not-classified",
            CorpusRule::Duplicate => "duplicate",
            CorpusRule::NearDuplicate => "near-duplicate",
            CorpusRule::Template => "template",
            CorpusRule::All => "all",
        }
    }

    pub fn parse(text: &str) -> Option<CorpusRule> {
        CorpusRule::ALL.into_iter().find(|rule| rule.as_str() == text)
    }
}

impl Keeping {
    pub fn as_str(self) -> &'static str {
        match self {
            Keeping::Kept => "kept",
            Keeping::Left => "left",
            Keeping::Unknown => "unknown",
        }
    }

    pub fn parse(text: &str) -> Option<Keeping> {
        [Keeping::Kept, Keeping::Left, Keeping::Unknown]
            .into_iter()
            .find(|keeping| keeping.as_str() == text)
    }
}

/// One document: the newest answer to one request, and its place in the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub request: RequestId,
    /// None if no answer ever came.
    pub capture: Option<CaptureId>,
    /// The capture whose [`Content`] is this document's; another one for a revisit.
    pub content: Option<CaptureId>,
    pub verdict: CorpusVerdict,
    /// The document of which this one is an exact copy.
    pub duplicate_of: Option<RequestId>,
    /// The cluster of nearly equal documents, named by its original; and how alike they are.
    pub near: Option<(RequestId, f64)>,
    /// The first page of the logical document it is a part of, where there are several.
    pub logical: Option<RequestId>,
    /// There was a document once, and its server says that it is there no more.
    pub gone: bool,
    /// Where it lies in the mirror, with slashes; none if it is not there.
    pub mirror_path: Option<String>,
}

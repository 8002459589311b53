//! The rules of a corpus: what a person sets, and the verdict on one document with its reason.
//!
//! Rules are asked in the fixed order of [`CorpusRule`], and the first that objects decides; so the
//! reasons of all documents add up to the number of documents. Own patterns come before the limits:
//! whoever names an address means it.

use crate::glob::glob_matches;
use auslese_model::{
    Cause, Confidence, CorpusRule, CorpusVerdict, Format, Keeping, LanguageNote, State,
};
use serde::{Deserialize, Serialize};

/// What belongs to the corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CorpusRules {
    /// Media types, such as `text/html`, or with a star, such as `text/*`; empty for all.
    pub mime_types: Vec<String>,
    /// Endings of paths that are left whatever the media type: servers label them wrongly.
    pub unwanted_suffixes: Vec<String>,
    /// Larger bodies are left.
    pub max_size: Option<u64>,
    /// Ports whose documents are taken; empty for all.
    pub ports: Vec<u16>,
    /// The languages wanted; empty for all.
    pub languages: Vec<String>,
    /// What becomes of documents whose language is unclear, where languages are wanted.
    pub unclear_language: Choice,
    /// What becomes of formats whose text is not read, where languages are wanted.
    pub not_classified: Choice,
    /// What becomes of exact copies of a document that is kept.
    pub duplicates: Choice,
    /// What becomes of documents that are nearly the same as one that is kept.
    pub near_duplicates: Choice,
    /// How alike two documents are, of 1, to count as nearly the same.
    pub near_threshold: f64,
    /// What becomes of pages made from a template that many pages of the server share.
    pub template_pages: Choice,
    /// From how many pages on a template counts.
    pub template_size: u32,
    /// Addresses that are kept whatever the rules below say; `*` stands for any characters.
    pub keep: Vec<String>,
    /// Addresses that are left; asked before `keep`.
    pub leave: Vec<String>,
}

/// What becomes of a document a rule has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    Keep,
    Leave,
}

impl Default for CorpusRules {
    fn default() -> CorpusRules {
        let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
        CorpusRules {
            mime_types: owned(&["text/html", "application/xhtml+xml"]),
            unwanted_suffixes: owned(UNWANTED_SUFFIXES),
            max_size: Some(500_000),
            ports: vec![80, 443],
            languages: Vec::new(),
            unclear_language: Choice::Leave,
            not_classified: Choice::Keep,
            duplicates: Choice::Keep,
            near_duplicates: Choice::Keep,
            near_threshold: 0.9,
            template_pages: Choice::Keep,
            template_size: 100,
            keep: Vec::new(),
            leave: Vec::new(),
        }
    }
}

/// Files that are no text whatever their header says.
#[rustfmt::skip]
pub const UNWANTED_SUFFIXES: &[&str] = &[
    ".7z", ".aif", ".arj", ".avi", ".bin", ".bmp", ".bz2", ".cab", ".class", ".deb", ".dll", ".dmg",
    ".exe", ".gif", ".gz", ".hqx", ".ico", ".iso", ".jar", ".jpeg", ".jpg",
    ".lha", ".lzh", ".mid", ".mov", ".mp3", ".mp4", ".mpeg", ".mpg", ".msi", ".o", ".ogg",
    ".png", ".ra", ".ram", ".rar", ".rm", ".rpm", ".sea", ".sit", ".so", ".swf",
    ".tar", ".tgz", ".tif", ".tiff", ".wav", ".webm", ".webp", ".wmv", ".woff", ".woff2",
    ".xz", ".z", ".zip", ".zst",
];

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct DocumentFacts<'a> {
    pub url: &'a str,
    pub state: State,
    /// Why it was not fetched.
    pub cause: Option<&'a Cause>,
    /// Asked for the sake of the crawl: robots.txt, a sitemap.
    pub is_machinery: bool,
    pub answer: Option<AnswerFacts<'a>>,
    pub content: Option<ContentFacts<'a>>,
    pub others: Others<'a>,
}

/// What the header row says.
#[derive(Debug, Clone, Copy)]
pub struct AnswerFacts<'a> {
    pub status: u16,
    pub port: u16,
    /// In lower case, without parameters.
    pub media_type: Option<&'a str>,
    /// Declared or received.
    pub size: u64,
    /// Why the body is not archived; none if it is.
    pub not_stored: Option<&'a str>,
}

/// What was read out of the body.
#[derive(Debug, Clone, Copy)]
pub struct ContentFacts<'a> {
    pub format: Format,
    pub trouble: Option<&'a str>,
    pub language: Option<&'a LanguageNote>,
}

/// What is known of documents like this one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Others<'a> {
    /// The address of the document it is an exact copy of.
    pub duplicate_of: Option<&'a str>,
    /// The address of the document it is nearly the same as, and how much.
    pub near: Option<(&'a str, f64)>,
    /// How many pages of its server share its structure.
    pub same_structure: u32,
}

impl CorpusRules {
    /// Whether a document belongs to the corpus, and why.
    pub fn judge(&self, facts: &DocumentFacts<'_>) -> CorpusVerdict {
        // What is only waiting to be asked again is still what it was.
        let Some(answer) = facts.answer else {
            return left(CorpusRule::NotFetched, not_fetched(facts));
        };
        if !(200..300).contains(&answer.status) {
            return left(CorpusRule::Status, format!("status {}", answer.status));
        }
        if facts.is_machinery {
            return left(CorpusRule::Machinery, "asked for to steer the crawl".to_owned());
        }
        if let Some(pattern) = self.leave.iter().find(|glob| glob_matches(glob, facts.url)) {
            return left(CorpusRule::Pattern, format!("left by the pattern {pattern}"));
        }
        if let Some(pattern) = self.keep.iter().find(|glob| glob_matches(glob, facts.url)) {
            return match answer.not_stored {
                Some(why) => unknown(format!("kept by the pattern {pattern}, but {}", body(why))),
                None => kept(CorpusRule::Pattern, format!("kept by the pattern {pattern}")),
            };
        }
        let objection = self
            .by_header(facts.url, &answer)
            .or_else(|| answer.not_stored.map(|why| unknown(body(why))))
            .or_else(|| self.by_content(facts.content.as_ref(), &answer))
            .or_else(|| self.by_others(&facts.others));
        objection.unwrap_or_else(|| kept(CorpusRule::All, self.praise(facts)))
    }

    fn by_header(&self, url: &str, answer: &AnswerFacts<'_>) -> Option<CorpusVerdict> {
        if !self.ports.is_empty() && !self.ports.contains(&answer.port) {
            return Some(left(CorpusRule::Port, format!("port {}", answer.port)));
        }
        let path = path_of(url).to_ascii_lowercase();
        let mut suffixes = self.unwanted_suffixes.iter();
        if let Some(suffix) = suffixes.find(|end| path.ends_with(&end.to_ascii_lowercase())) {
            return Some(left(CorpusRule::Suffix, format!("suffix {suffix}")));
        }
        let media_type = answer.media_type.unwrap_or("");
        let mut wanted = self.mime_types.iter();
        if !self.mime_types.is_empty() && !wanted.any(|pattern| type_matches(pattern, media_type)) {
            let shown = if media_type.is_empty() { "no media type" } else { media_type };
            return Some(left(CorpusRule::MimeType, shown.to_owned()));
        }
        let limit = self.max_size.filter(|limit| answer.size > *limit)?;
        let reason = format!("{} bytes, more than {limit}", answer.size);
        Some(left(CorpusRule::Size, reason))
    }

    fn by_content(
        &self,
        content: Option<&ContentFacts<'_>>,
        answer: &AnswerFacts<'_>,
    ) -> Option<CorpusVerdict> {
        let Some(content) = content else {
            return Some(left(CorpusRule::NoBody, "not examined yet".to_owned()));
        };
        let says_text = answer.media_type.is_some_and(promises_text);
        match content.format {
            Format::Empty => {
                let reason = content.trouble.unwrap_or("empty");
                Some(left(CorpusRule::Format, reason.to_owned()))
            }
            Format::Paper | Format::Binary if says_text => {
                let reason = content.trouble.unwrap_or("not the text its header promises");
                Some(left(CorpusRule::Format, reason.to_owned()))
            }
            Format::Html | Format::Text | Format::Xml | Format::Paper | Format::Binary => {
                self.by_language(content.language)
            }
        }
    }

    fn by_language(&self, language: Option<&LanguageNote>) -> Option<CorpusVerdict> {
        if self.languages.is_empty() {
            return None;
        }
        let Some(note) = language else {
            let reason = "its format has no text that is read".to_owned();
            return (self.not_classified == Choice::Leave)
                .then(|| left(CorpusRule::NotClassified, reason));
        };
        let wanted = self.languages.contains(&note.language);
        let unclear = note.confidence == Confidence::Review;
        if unclear && self.unclear_language == Choice::Leave {
            return Some(left(CorpusRule::Language, format!("language unclear: {}", note.reason)));
        }
        // What is worth a look is kept for it, whichever of the signals is right.
        let fits = wanted || unclear;
        (!fits).then(|| left(CorpusRule::Language, format!("{}: {}", note.language, note.reason)))
    }

    fn by_others(&self, others: &Others<'_>) -> Option<CorpusVerdict> {
        if self.duplicates == Choice::Leave
            && let Some(original) = others.duplicate_of
        {
            return Some(left(CorpusRule::Duplicate, format!("the same as {original}")));
        }
        if self.near_duplicates == Choice::Leave
            && let Some((original, similarity)) = others.near
            && similarity >= self.near_threshold
        {
            let percent = (similarity * 100.0).floor();
            let reason = format!("{percent} % the same as {original}");
            return Some(left(CorpusRule::NearDuplicate, reason));
        }
        let pages = others.same_structure;
        (self.template_pages == Choice::Leave && pages >= self.template_size).then(|| {
            let reason = format!("{pages} pages of the server have this structure");
            left(CorpusRule::Template, reason)
        })
    }

    fn praise(&self, facts: &DocumentFacts<'_>) -> String {
        let note = facts.content.and_then(|content| content.language);
        match note.filter(|_| !self.languages.is_empty()) {
            Some(note) => format!("nothing speaks against it; {}: {}", note.language, note.reason),
            None => "nothing speaks against it".to_owned(),
        }
    }
}

fn not_fetched(facts: &DocumentFacts<'_>) -> String {
    let state = match facts.state {
        State::Queued => "still in the queue",
        State::Parked => "waits for the verdict on its host",
        State::Failed => "could not be fetched",
        State::Refused => "was not asked for",
        State::Done => "no answer is recorded",
    };
    match facts.cause {
        Some(cause) => format!("{state}: {cause}"),
        None => state.to_owned(),
    }
}

fn body(why: &str) -> String {
    format!("only its header was archived: {why}")
}

fn kept(rule: CorpusRule, reason: String) -> CorpusVerdict {
    CorpusVerdict { keeping: Keeping::Kept, rule, reason }
}

fn left(rule: CorpusRule, reason: String) -> CorpusVerdict {
    CorpusVerdict { keeping: Keeping::Left, rule, reason }
}

/// What the header promises the rules want, and the body is missing.
fn unknown(reason: String) -> CorpusVerdict {
    CorpusVerdict { keeping: Keeping::Unknown, rule: CorpusRule::NoBody, reason }
}

/// Whether a header with this media type announces something to read.
fn promises_text(media_type: &str) -> bool {
    media_type.starts_with("text/") || media_type.ends_with("+xml") || media_type.ends_with("/xml")
}

fn type_matches(pattern: &str, media_type: &str) -> bool {
    glob_matches(&pattern.to_ascii_lowercase(), &media_type.to_ascii_lowercase())
}

/// The path of an address, without query and fragment.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("", |slash| &rest[slash..]);
    path.split(['?', '#']).next().unwrap_or("")
}

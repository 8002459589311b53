//! Keep or leave, and why: what a document is, in which language, whether there is another like it,
//! and whether it belongs to the corpus.
//!
//! Two steps, kept apart on purpose. What is read out of a body depends on its bytes alone, costs
//! time, and is stored. The verdict is a cheap function of that and of rules people change.
//!
//! ```
//! use auslese_corpus::Reading;
//! use auslese_model::Format;
//!
//! let url = "http://uni.example/".parse().unwrap();
//! let html = b"<title>Ulm</title><h1>Willkommen</h1><p>Prof. Dr. Maier liest. Kommen Sie?";
//! let reading = Reading::of(html, Some("text/html"), None, &url);
//! assert_eq!(reading.format, Format::Html);
//! assert_eq!((reading.counts.words, reading.counts.sentences), (7, 3));
//!
//! let reading = Reading::of(b"%PDF-1.2 ...", Some("text/html"), None, &url);
//! assert_eq!(reading.trouble.as_deref(), Some("labelled text/html, is PDF"));
//! ```

mod conformance;
mod duplicates;
mod features;
mod frequencies;
mod glob;
pub mod language;
mod logical;
mod mirror;
mod orality;
mod reading;
mod rules;
mod structure;
mod versions;

pub use conformance::Conformity;
pub use duplicates::{
    Claim, Cluster, DEFAULT_NEAR_THRESHOLD, ExactGroup, MAX_CANDIDATES, MIN_SIGNATURE_WORDS,
    NearInput, SHINGLE_WORDS, SIGNATURE_VALUES, exact_groups, near_clusters, signature, similarity,
};
pub use features::{MAX_ELEMENT_NAME, MAX_ELEMENT_NAMES, MAX_NEIGHBOURS, Standing, standing};
pub use frequencies::{
    Folding, FrequencyChange, FrequencyList, MAX_COUNTED_CHARACTERS, MAX_FORMS, Trend,
};
pub use logical::{Grouping, LogicalDocument, LogicalPage, MAX_LOGICAL_PAGES, logical_documents};
pub use mirror::{
    CharsetNote, MAX_FAILURES, MAX_MIRROR_NAME, MAX_MIRROR_PATH, MirrorDocument, MirrorError,
    MirrorPath, MirrorReport, MirrorWriter, PathOrigin, RequestMark, mirror_path, url_of,
};
pub use orality::{MIN_ORALITY_WORDS, ORALITY_WEIGHTS, OralityPart, OralityScore, orality_index};
pub use reading::{
    Block, Boilerplate, MAX_ANCHOR_TEXT, MAX_TARGETS, MAX_TITLE, READER, Reading, Target, examine,
    looks_like_html,
};
pub use rules::{
    AnswerFacts, Choice, ContentFacts, CorpusRules, DocumentFacts, Others, UNWANTED_SUFFIXES,
};
pub use structure::{MAX_BLOCK_HASHES, MAX_PARTS, block_hashes};
pub use versions::{
    ChangeKind, MAX_COMPARED_AT_ONCE, MAX_WORDS_AT_ONCE, Piece, PieceKind, Seen, WordDiff, change,
    text_mark, word_diff,
};

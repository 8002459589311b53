//! Documents in the forms that others read: TEI, Dublin Core, SOIF, JSON lines, vertical text, CoNLL-U,
//! plain text, frequency lists, scopes for Heritrix, and tables as Parquet.
//!
//! Pure formatters: a value in, bytes out to whatever takes them. Which documents there are, where their
//! bodies lie and what the files are called is the business of others. A document is written by itself
//! ([`DocumentFormat::write_document`]), so that many can be made at the same time and memory stays
//! bounded by the largest one.
//!
//! ```
//! use auslese_export::{CaptureNote, CorpusHead, DocumentFormat, DocumentText, ExportedDocument};
//! use auslese_model::{CorpusRule, CorpusVerdict, Keeping, RequestId, Timestamp};
//!
//! let page = auslese_markup::parse("<h1>Müritz</h1><p>Ein <em>See</em>.".as_bytes(), Some("utf-8"));
//! let verdict = CorpusVerdict { keeping: Keeping::Kept, rule: CorpusRule::All, reason: "fits".to_owned() };
//! let document = ExportedDocument {
//!     request: RequestId(7),
//!     url: "http://www.mv.example/mueritz.html".to_owned(),
//!     host: "www.mv.example".to_owned(),
//!     institution: None,
//!     verdict,
//!     capture: CaptureNote::at(Timestamp(0)),
//!     content: None,
//!     description: None,
//!     anchors: Vec::new(),
//!     links: Vec::new(),
//!     text: DocumentText::Page(Box::new(page)),
//!     trouble: None,
//! };
//! let head = CorpusHead {
//!     title: "Seen".to_owned(),
//!     institutions: Vec::new(),
//!     selection: "all documents".to_owned(),
//!     version: "0.1.0".to_owned(),
//!     at: Timestamp(0),
//! };
//! let mut tei = Vec::new();
//! DocumentFormat::Tei.write_document(&document, &head, &mut tei).unwrap();
//! let tei = String::from_utf8(tei).unwrap();
//! assert!(tei.contains("<div><head>Müritz</head><p>Ein <emph>See</emph>.</p></div>"));
//! ```

mod conllu;
mod dates;
mod document;
mod dublin_core;
mod format;
mod frequencies;
mod heritrix;
mod json_lines;
mod language;
mod parquet;
mod passages;
mod plain_text;
mod soif;
mod tei;
mod tokens;
mod vertical;
mod xml;

pub use document::{CaptureNote, CorpusHead, DocumentText, ExportedDocument, Paragraph};
pub use dublin_core::WEIGHT_NAMESPACE;
pub use format::{DocumentFormat, TextNeed, vertical_registry};
pub use frequencies::{DocumentForms, Frequencies, MAX_FREQUENCY_FORMS};
pub use heritrix::{write_scope, write_seeds, write_surts};
pub use parquet::{MAX_GROUP_BYTES, MAX_GROUP_ROWS, TableFile};
pub use soif::MAX_SOIF_TEXT;
pub use tei::MAX_TEI_DEPTH;
pub use vertical::MAX_STRUCTURAL_VALUE;

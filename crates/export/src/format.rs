//! The formats by name: what each is for, what it needs of a document, and how it is written.

use crate::document::{CorpusHead, ExportedDocument};
use crate::{conllu, dublin_core, json_lines, plain_text, soif, tei, vertical};
use auslese_model::SoifLists;
use std::io::{self, Write};

/// A format that is written document by document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DocumentFormat {
    Tei,
    DublinCoreRdf,
    DublinCoreTurtle,
    DublinCoreHtml,
    Soif,
    SoifNumbered,
    JsonLines,
    Vertical,
    Conllu,
    Text,
}

/// How much of a document's body a format needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextNeed {
    None,
    Paragraphs,
    /// Web pages with their mark-up.
    Pages,
}

impl DocumentFormat {
    pub const ALL: [DocumentFormat; 10] = [
        DocumentFormat::Tei,
        DocumentFormat::DublinCoreRdf,
        DocumentFormat::DublinCoreTurtle,
        DocumentFormat::DublinCoreHtml,
        DocumentFormat::Soif,
        DocumentFormat::SoifNumbered,
        DocumentFormat::JsonLines,
        DocumentFormat::Vertical,
        DocumentFormat::Conllu,
        DocumentFormat::Text,
    ];

    pub fn name(self) -> &'static str {
        match self {
            DocumentFormat::Tei => "tei",
            DocumentFormat::DublinCoreRdf => "dc-rdf",
            DocumentFormat::DublinCoreTurtle => "dc-turtle",
            DocumentFormat::DublinCoreHtml => "dc-html",
            DocumentFormat::Soif => "soif",
            DocumentFormat::SoifNumbered => "soif-numbered",
            DocumentFormat::JsonLines => "jsonl",
            DocumentFormat::Vertical => "vertical",
            DocumentFormat::Conllu => "conllu",
            DocumentFormat::Text => "text",
        }
    }

    /// The usual ending of its files.
    pub fn suffix(self) -> &'static str {
        match self {
            DocumentFormat::Tei => "xml",
            DocumentFormat::DublinCoreRdf => "rdf",
            DocumentFormat::DublinCoreTurtle => "ttl",
            DocumentFormat::DublinCoreHtml => "html",
            DocumentFormat::Soif | DocumentFormat::SoifNumbered => "soif",
            DocumentFormat::JsonLines => "jsonl",
            DocumentFormat::Vertical => "vert",
            DocumentFormat::Conllu => "conllu",
            DocumentFormat::Text => "txt",
        }
    }

    pub fn need(self) -> TextNeed {
        match self {
            DocumentFormat::Tei => TextNeed::Pages,
            DocumentFormat::DublinCoreRdf
            | DocumentFormat::DublinCoreTurtle
            | DocumentFormat::DublinCoreHtml => TextNeed::None,
            _ => TextNeed::Paragraphs,
        }
    }

    /// Whether a document without text has no place in it.
    pub fn wants_text(self) -> bool {
        matches!(
            self,
            DocumentFormat::Tei
                | DocumentFormat::Vertical
                | DocumentFormat::Conllu
                | DocumentFormat::Text
        )
    }

    /// Whether it says where the links of a document lead.
    pub fn wants_links(self) -> bool {
        matches!(
            self,
            DocumentFormat::Soif | DocumentFormat::SoifNumbered | DocumentFormat::JsonLines
        )
    }

    /// What stands before the first document.
    pub fn write_head(self, head: &CorpusHead, out: &mut dyn Write) -> io::Result<()> {
        match self {
            DocumentFormat::Tei => tei::write_head(head, out),
            DocumentFormat::DublinCoreRdf => dublin_core::write_rdf_xml_head(out),
            DocumentFormat::DublinCoreTurtle => dublin_core::write_turtle_head(out),
            _ => Ok(()),
        }
    }

    /// A document among others.
    pub fn write_document(
        self,
        document: &ExportedDocument,
        head: &CorpusHead,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match self {
            DocumentFormat::Tei => tei::write_document(document, head, out),
            DocumentFormat::DublinCoreRdf => dublin_core::write_rdf_xml(document, out),
            DocumentFormat::DublinCoreTurtle => dublin_core::write_turtle(document, out),
            DocumentFormat::DublinCoreHtml => dublin_core::write_meta(document, out),
            DocumentFormat::Soif => {
                soif::write_document(document, SoifLists::Joined, &head.version, out)
            }
            DocumentFormat::SoifNumbered => {
                soif::write_document(document, SoifLists::Numbered, &head.version, out)
            }
            DocumentFormat::JsonLines => json_lines::write_document(document, out),
            DocumentFormat::Vertical => vertical::write_document(document, out),
            DocumentFormat::Conllu => conllu::write_document(document, out),
            DocumentFormat::Text => plain_text::write_document(document, out),
        }
    }

    /// What stands after the last document.
    pub fn write_tail(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            DocumentFormat::Tei => tei::write_tail(out),
            DocumentFormat::DublinCoreRdf => dublin_core::write_rdf_xml_tail(out),
            _ => Ok(()),
        }
    }

    /// A document as a file of its own.
    pub fn write_file(
        self,
        document: &ExportedDocument,
        head: &CorpusHead,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match self {
            DocumentFormat::Tei => tei::write_file(document, head, out),
            DocumentFormat::Text => plain_text::write_file(document, out),
            _ => {
                self.write_head(head, out)?;
                self.write_document(document, head, out)?;
                self.write_tail(out)
            }
        }
    }
}

/// The registry file for vertical text, which lies at the path `vertical`.
pub fn vertical_registry(head: &CorpusHead, vertical: &str) -> String {
    vertical::registry(head, vertical)
}

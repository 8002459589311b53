//! TEI P5: one `<teiCorpus>` with a header, and in it a `<TEI>` for each document, with its own header
//! and its text up-converted from what was archived.
//!
//! The schema of what is written here lies in `schema/auslese-tei.rng`; it is a subset of TEI's own.

mod flow;
mod frames;
mod header;
mod inline;
mod page;

pub use flow::MAX_TEI_DEPTH;
pub(crate) use inline::strict_uri;

use crate::document::{CorpusHead, DocumentText, ExportedDocument, Paragraph};
use crate::language::{UNKNOWN, language_tag};
use crate::passages::Passages;
use crate::xml::Xml;
use auslese_markup::BlockKind;
use auslese_model::Field;
use flow::{Flow, Phrase};
use header::{corpus_header, document_header, probability};
use std::io::{self, Write};
use std::rc::Rc;

/// The namespace of all elements.
const NAMESPACE: &str = "http://www.tei-c.org/ns/1.0";

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

pub(crate) fn write_head(head: &CorpusHead, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{DECLARATION}<teiCorpus xmlns=\"{NAMESPACE}\">")?;
    writeln!(out, "{}", corpus_header(head))
}

pub(crate) fn write_tail(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"</teiCorpus>\n")
}

/// A document within the corpus.
pub(crate) fn write_document(
    document: &ExportedDocument,
    head: &CorpusHead,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", tei(document, head, &[("xml:id", &document.id())]))
}

/// A document as a file of its own.
pub(crate) fn write_file(
    document: &ExportedDocument,
    head: &CorpusHead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let attributes = [("xmlns", NAMESPACE), ("xml:id", &document.id())];
    writeln!(out, "{DECLARATION}{}", tei(document, head, &attributes))
}

fn tei(document: &ExportedDocument, head: &CorpusHead, attributes: &[(&str, &str)]) -> String {
    let lang = document.language().and_then(language_tag).unwrap_or_else(|| UNKNOWN.to_owned());
    let mut xml = Xml::default();
    xml.start("TEI", attributes);
    xml.line();
    xml.written(&document_header(document, head));
    xml.line();
    xml.start("text", &[("xml:lang", &lang)]);
    xml.written(&body(document, &lang));
    xml.end("text");
    references(document, &mut xml);
    xml.line();
    xml.end("TEI");
    xml.into_text()
}

fn body(document: &ExportedDocument, lang: &str) -> String {
    match &document.text {
        DocumentText::Page(page) => {
            page::body_of_page(page, &document.url, lang, Passages::of(document))
        }
        DocumentText::Paragraphs(paragraphs) => {
            body_of_paragraphs(paragraphs, lang, &Passages::of(document))
        }
        DocumentText::None => body_without_text(document.trouble.as_deref()),
    }
}

fn body_of_paragraphs(paragraphs: &[Paragraph], lang: &str, passages: &Passages<'_>) -> String {
    let mut flow = Flow::new(Rc::from(lang));
    let whole: Rc<str> = flow.lang.clone();
    for paragraph in paragraphs {
        let declared = paragraph.lang.as_deref().and_then(language_tag);
        let lang = declared.or_else(|| passages.language(&paragraph.text));
        flow.lang = lang.map_or_else(|| whole.clone(), |tag| Rc::from(tag.as_str()));
        let heading = match paragraph.kind {
            BlockKind::Heading(level) => flow.open_phrase(Phrase::Heading(level)),
            _ => false,
        };
        if !heading {
            flow.paragraph();
        }
        for (number, line) in paragraph.text.lines().enumerate() {
            if number > 0 {
                flow.line_break();
            }
            flow.text(line);
        }
        if heading {
            flow.close_phrase();
        }
    }
    flow.boundary();
    flow.finish()
}

fn body_without_text(why: Option<&str>) -> String {
    let mut xml = Xml::default();
    xml.start("body", &[]);
    xml.start("p", &[]);
    xml.start("gap", &[("reason", "no-text")]);
    xml.element("desc", &[], why.unwrap_or("there is no text in this document"));
    xml.end("gap");
    xml.end("p");
    xml.end("body");
    xml.into_text()
}

/// The bibliography as far as it was found, beside the text, where it stands in the author's form.
fn references(document: &ExportedDocument, xml: &mut Xml) {
    let mut entries = document.chosen(Field::References).enumerate().peekable();
    if entries.peek().is_none() {
        return;
    }
    xml.line();
    xml.start("standOff", &[("type", "references")]);
    xml.start("listBibl", &[]);
    for (number, entry) in entries {
        let id = format!("{}-{}-{}", document.id(), entry.field.as_str(), number + 1);
        let cert = probability(entry.weight);
        xml.element("bibl", &[("xml:id", &id), ("cert", &cert)], &entry.value);
    }
    xml.end("listBibl");
    xml.end("standOff");
}

/// A word as part of an XML identifier.
fn identifier(word: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    word.chars().map(fits).take(MAX_IDENTIFIER).collect()
}

/// Characters of a name that become part of an identifier.
const MAX_IDENTIFIER: usize = 60;

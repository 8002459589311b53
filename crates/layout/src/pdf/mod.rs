//! Reads PDF.
//!
//! The parser of the file format is foreign; what the pages say is found out here: streams are
//! decoded within a budget ([`filters`]), operators are obeyed as far as text is concerned
//! ([`content`]), codes become characters ([`font`]). Files that the parser gives up are tried once
//! more as a heap of objects without an index. What could not be read is told by the oddities.
//!
//! No file is trusted: bytes, pages, operators, glyphs and nesting have limits, and what reaches
//! one is read up to there.

mod big_endian;
mod cff;
mod character_map;
mod content;
mod embedded;
mod encodings;
mod filters;
mod font;
mod lexer;
mod matrix;
mod packed_objects;
mod properties;
mod seen_page;
mod standard_widths;
mod true_type;

use std::sync::Arc;

use auslese_model::Oddity;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use crate::{LayoutText, PageOfPieces};
use content::Resources;

pub use content::{
    MAX_FORM_DEPTH, MAX_GLYPHS_PER_PAGE, MAX_OPERATORS, MAX_OPERATORS_PER_PAGE, MAX_SAVED_STATES,
};
pub use filters::{MAX_DECODED_BYTES, MAX_STREAM_BYTES};
pub(crate) use font::{bold_by_name, italic_by_name};
pub use packed_objects::MAX_PACKED_BYTES;

/// Pages of a document that are read at most; books and theses have fewer.
pub const MAX_PDF_PAGES: usize = 2_000;

/// Bytes from the beginning within which a file must say that it is a PDF; readers allow for what
/// servers put before it.
const MAX_BEFORE_HEADER: usize = 1_024;

/// How many pages are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageLimit {
    /// The first few: title, authors and abstract stand there.
    First(usize),
    /// As many as there are, within [`MAX_PDF_PAGES`].
    All,
}

impl PageLimit {
    fn count(self) -> usize {
        match self {
            PageLimit::First(count) => count.min(MAX_PDF_PAGES),
            PageLimit::All => MAX_PDF_PAGES,
        }
    }
}

/// Reads a PDF: its pages arranged, its properties, and what was odd about it.
pub fn read_pdf(bytes: &[u8], pages: PageLimit) -> LayoutText {
    let (mut text, pieces) = read_pdf_pieces(bytes, pages);
    text.pages = pieces.iter().map(crate::arrange).collect();
    crate::join_pages(&mut text.pages);
    text
}

/// The same before arrangement: the text has no pages yet.
pub fn read_pdf_pieces(bytes: &[u8], limit: PageLimit) -> (LayoutText, Vec<PageOfPieces>) {
    let mut text = LayoutText::default();
    let mut oddities = Vec::new();
    let mut pieces = Vec::new();
    if let Some(pdf) = open(bytes, &mut oddities) {
        let mut resources = Resources::default();
        let all = pdf.pages();
        text.page_count = u32::try_from(all.len()).ok();
        text.properties = properties::read(&pdf, &mut resources.budget);
        pieces.extend(
            all.iter().take(limit.count()).map(|page| content::pieces_of(page, &mut resources)),
        );
        if limit.count() == MAX_PDF_PAGES && all.len() > MAX_PDF_PAGES {
            oddities.push(Oddity::new(
                "too-many-pages",
                format!("{} pages, {MAX_PDF_PAGES} read", all.len()),
            ));
        }
        report(&resources, &mut oddities);
    }
    text.oddities = oddities;
    (text, pieces)
}

fn report(resources: &Resources, oddities: &mut Vec<Oddity>) {
    let found = resources.left_out;
    let mut note = |kind: &str, detail: String| oddities.push(Oddity::new(kind, detail));
    if resources.budget.exceeded {
        note("large-stream", "a stream was decoded only in part".to_owned());
    }
    if found.limited {
        note("crowded-page", "a page was read only in part".to_owned());
    }
    if found.unknown > 0 {
        note("unknown-characters", format!("{} glyphs without a character", found.unknown));
    }
    if found.turned > 0 {
        note("turned-text", format!("{} characters across the reading direction", found.turned));
    }
    if found.vertical > 0 {
        note("vertical-text", format!("{} glyphs set from top to bottom", found.vertical));
    }
}

fn open(bytes: &[u8], oddities: &mut Vec<Oddity>) -> Option<Pdf> {
    let mut note = |kind: &str, detail: &str| oddities.push(Oddity::new(kind, detail));
    let head = &bytes[..bytes.len().min(MAX_BEFORE_HEADER)];
    if memchr::memmem::find(head, b"%PDF-").is_none() {
        note("not-a-pdf", "the file does not begin like one");
        return None;
    }
    if !packed_objects::are_within_limits(bytes) {
        note("packed-objects", "its packed objects are too large to be read");
        return None;
    }
    match Pdf::new(Arc::new(bytes.to_vec())) {
        Ok(pdf) if !pdf.pages().is_empty() => {
            if memchr::memmem::rfind(bytes, b"startxref").is_none() {
                note("damaged", "the index of objects is missing");
            }
            Some(pdf)
        }
        Ok(_) | Err(LoadPdfError::Invalid) => {
            let rescued = rescue(bytes);
            note(
                "damaged",
                match &rescued {
                    Some(_) => "pages were found without the catalogue",
                    None => "no pages were found",
                },
            );
            rescued
        }
        Err(LoadPdfError::Decryption(error)) => {
            let reason = match error {
                DecryptionError::PasswordProtected => "a password is needed",
                DecryptionError::UnsupportedAlgorithm => "in a way that is not known",
                DecryptionError::MissingIDEntry | DecryptionError::InvalidEncryption => {
                    "but not as the format demands"
                }
            };
            note("encrypted", reason);
            None
        }
    }
}

/// A file that was cut has lost its catalogue, which stands at the end. With one that leads
/// nowhere the parser looks for pages among all objects that are there.
fn rescue(bytes: &[u8]) -> Option<Pdf> {
    const CATALOGUE: &[u8] =
        b"\nendstream endobj\n8388606 0 obj <</Type /Catalog /Pages 8388607 0 R>> endobj\n\
        trailer <</Root 8388606 0 R /Size 8388608>>\n";
    Pdf::new(Arc::new([bytes, CATALOGUE].concat())).ok().filter(|pdf| !pdf.pages().is_empty())
}

//! One way in for all formats.

use crate::office::{read_doc, read_docx, read_odt, read_rtf};
use crate::{Format, LayoutText, MAX_PAGES, PageLimit, ReadLimits, read_dvips_pages, read_pdf};
use auslese_model::Oddity;

/// Reads a document that is not packed (see [`crate::unpack`]).
///
/// It never fails: where nothing could be read, there are no pages and an oddity says why:
/// `encrypted` (locked by a password), `truncated` (cut off or broken before any text),
/// `too-large-unpacked` (larger than the limits allow), or `not-readable` (anything else).
/// The same words, and `broken-xml`, `too-many-words` and `fast-saved`, say what is missing from a
/// text that was read in part.
pub fn read(bytes: &[u8], format: Format, limits: &ReadLimits) -> LayoutText {
    let mut text = match format {
        Format::Doc => read_doc(bytes, limits),
        Format::Rtf => read_rtf(bytes, limits),
        Format::Docx => read_docx(bytes, limits),
        Format::Odt => read_odt(bytes, limits),
        Format::Pdf => read_pdf(bytes, limits.pages),
        Format::PostScript => {
            let pages = match limits.pages {
                PageLimit::First(count) => count,
                PageLimit::All => MAX_PAGES,
            };
            read_dvips_pages(bytes, pages).unwrap_or_else(|| LayoutText {
                oddities: vec![Oddity::new("not-readable", "PostScript that TeX did not make")],
                ..LayoutText::default()
            })
        }
    };
    let is_explained = text.oddities.iter().any(|oddity| REASONS.contains(&oddity.kind.as_str()));
    if text.pages.is_empty() && !is_explained {
        text.oddities.push(Oddity::new("not-readable", "there is no text"));
    }
    text
}

/// Why nothing could be read.
const REASONS: [&str; 4] = ["encrypted", "truncated", "too-large-unpacked", "not-readable"];

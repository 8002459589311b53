//! Word's binary documents: Word 97 to 2003 (MS-DOC), and Word 6 and 95 before them.
//!
//! The header tells where everything lies: the pieces of which the text is made, pages of a fixed
//! size that say how stretches of it are set, and the style sheet. The text is one sequence in
//! which footnotes, headers, comments and text boxes follow the body; headers and comments are left
//! out. Both generations are built alike and differ in widths and places.

mod fib;
mod fonts;
mod formatting;
mod pieces;
mod sprm;
mod styles;
mod text;

use super::code_pages::language_tag;
use super::flow::Flow;
use super::ole::CompoundFile;
use super::ole_properties::read_summary;
use crate::{LayoutBlock, LayoutPage, LayoutText, ReadLimits};
use auslese_model::Oddity;
use fib::{Fib, Version};
use fonts::SymbolFonts;
use formatting::Formatting;
use pieces::Pieces;
use styles::read_styles;
use text::TextReader;

pub(crate) fn read_doc(bytes: &[u8], limits: &ReadLimits) -> LayoutText {
    let mut text = LayoutText::default();
    let Some(file) = CompoundFile::open(bytes) else {
        text.oddities.push(Oddity::new("not-readable", "no compound file"));
        return text;
    };
    if let Some(summary) = file.stream("\u{5}SummaryInformation") {
        (text.properties, text.page_count) = read_summary(&summary);
    }
    match read_text(&file, limits, &mut text) {
        Ok(blocks) if !blocks.is_empty() => {
            text.pages.push(LayoutPage { blocks, ..LayoutPage::default() });
        }
        Ok(_) => {}
        Err(oddity) => text.oddities.push(oddity),
    }
    text
}

fn read_text(
    file: &CompoundFile<'_>,
    limits: &ReadLimits,
    read: &mut LayoutText,
) -> Result<Vec<LayoutBlock>, Oddity> {
    let document = file
        .stream("WordDocument")
        .ok_or_else(|| Oddity::new("not-readable", "no stream WordDocument"))?;
    let fib = Fib::read(&document).ok_or_else(|| Oddity::new("not-readable", "no Word header"))?;
    if fib.is_encrypted {
        return Err(Oddity::new("encrypted", "locked by a password"));
    }
    let table = match fib.version {
        Version::Word97 => file.stream(fib.table_stream).unwrap_or_default(),
        Version::Word6 => Vec::new(),
    };
    let table = if table.is_empty() { &document } else { &table };
    if fib.is_fast_saved {
        read.oddities.push(Oddity::new("fast-saved", "settings of changed pieces are left out"));
    }
    let (pieces, is_whole) = Pieces::read(&fib, &document, table);
    if !is_whole {
        read.oddities.push(Oddity::new("truncated", "text is missing"));
    }
    read.properties.language = language_tag(fib.language).map(str::to_owned);
    let sheet = read_styles(&fib, table);
    let formatting = Formatting::new(&fib, &document, table);
    let fonts = SymbolFonts::read(&fib, table);
    let mut reader = TextReader::new(&sheet, &formatting, &fonts, Flow::new(limits.words));
    for story in fib.body() {
        reader.read(pieces.characters(story));
    }
    reader.restart_notes();
    for story in fib.notes() {
        reader.read(pieces.characters(story));
    }
    let flow = reader.into_flow();
    if flow.full {
        read.oddities.push(Oddity::new("too-many-words", "the rest is left out"));
    }
    Ok(flow.finish())
}

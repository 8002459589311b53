//! PostScript that dvips made from TeX, read without executing it.
//!
//! The files of dvips are regular: after a prologue that is always the same come fonts, then pages
//! between `bop` and `eop` in a handful of operators, so that their text can be taken from them
//! directly. That keeps what an interpreter's text output loses: the codes of bitmap fonts have no
//! names there, accents are apart from their letters, and sizes are unknown. Files of other programs,
//! and what other programs put into these ones (figures, drawings), are not read here.

mod accents;
mod encodings;
mod fonts;
mod glyph_names;
mod header;
mod reader;
mod setting;
mod tokens;
mod unnamed;
mod vectors;

use crate::{LayoutText, PageOfPieces, arrange, join_pages};

/// Pages that are read. A handbook has as many; what is longer is a collection.
pub const MAX_PAGES: usize = 2_000;

/// The size of type assumed where nothing tells it, in points.
const UNKNOWN_SIZE: f32 = 10.0;

/// Reads a file that dvips made. `None` if it is another one, or nothing in it could be read.
pub fn read_dvips(bytes: &[u8]) -> Option<LayoutText> {
    read_dvips_pages(bytes, MAX_PAGES)
}

/// Reads the first pages only: those of the title are enough for many questions.
pub fn read_dvips_pages(bytes: &[u8], pages: usize) -> Option<LayoutText> {
    let header = header::read(bytes)?;
    let found = reader::read(bytes, &header, pages.min(MAX_PAGES));
    let (width, height) = header.page_size();
    let mut oddities = found.oddities;
    let pages = found.pages.into_iter().map(|pieces| {
        if pieces.len() > crate::MAX_PIECES {
            oddities
                .push(auslese_model::Oddity::new("layout", "a page has too many pieces of type"));
        }
        arrange(&PageOfPieces { width, height, pieces })
    });
    let mut pages: Vec<_> = pages.collect();
    if pages.iter().all(|page| page.blocks.is_empty()) {
        return None;
    }
    join_pages(&mut pages);
    Some(LayoutText {
        page_count: u32::try_from(found.page_count).ok(),
        pages,
        properties: header.properties,
        oddities,
    })
}

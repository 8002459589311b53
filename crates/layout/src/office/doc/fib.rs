//! The header of a Word document, the "file information block".

use crate::office::ole::{u16_at, u32_at};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// Word 97 to 2003.
    Word97,
    /// Word 6 and 95.
    Word6,
}

#[derive(Debug)]
pub(super) struct Fib {
    pub(super) version: Version,
    /// Windows' number of the language.
    pub(super) language: u16,
    pub(super) is_encrypted: bool,
    pub(super) is_fast_saved: bool,
    /// Whether the bytes of the text are in the code page of the Macintosh.
    pub(super) is_macintosh: bool,
    /// The stream beside the text that holds the tables.
    pub(super) table_stream: &'static str,
    /// Where the text lies if it is in one piece.
    pub(super) text: Range<usize>,
    pub(super) pieces: Range<usize>,
    pub(super) styles: Range<usize>,
    pub(super) fonts: Range<usize>,
    pub(super) character_pages: Range<usize>,
    pub(super) paragraph_pages: Range<usize>,
    /// Characters of the body, the footnotes, headers, macros, comments, endnotes, text boxes.
    lengths: [usize; 7],
}

/// The first version whose header has the places of Word 97; those between 6 and 97 were tests.
const WORD_97: u16 = 0xC1;

/// The versions that are read: Word 6 begins with 101.
const WORD_6: u16 = 0x65;

impl Fib {
    pub(super) fn read(document: &[u8]) -> Option<Fib> {
        let magic = u16_at(document, 0)?;
        let number = u16_at(document, 2)?;
        if !matches!(magic, 0xA5EC | 0xA5DC) || number < WORD_6 {
            return None;
        }
        let version = if number < WORD_97 { Version::Word6 } else { Version::Word97 };
        let flags = u16_at(document, 0x0A)?;
        // Where the lengths, and the pairs of place and length of each table, begin.
        let (lengths, tables) = match version {
            Version::Word97 => (0x4C, 0x9A),
            Version::Word6 => (0x34, 0x58),
        };
        let place = |number: usize| {
            let start = u32_at(document, tables + number * 8).unwrap_or(0) as usize;
            let length = u32_at(document, tables + number * 8 + 4).unwrap_or(0) as usize;
            start..start.saturating_add(length)
        };
        let [pieces, styles, fonts] = [33, 1, 15].map(place);
        let [character_pages, paragraph_pages] = [12, 13].map(place);
        let length = |number: usize| u32_at(document, lengths + number * 4).unwrap_or(0) as usize;
        Some(Fib {
            version,
            language: u16_at(document, 6)?,
            is_encrypted: flags & 0x0100 != 0,
            is_fast_saved: flags & 0x0004 != 0,
            is_macintosh: version == Version::Word6 && u16_at(document, 0x14)? == 0x100,
            table_stream: if flags & 0x0200 != 0 { "1Table" } else { "0Table" },
            text: u32_at(document, 0x18)? as usize..u32_at(document, 0x1C)? as usize,
            pieces,
            styles,
            fonts,
            character_pages,
            paragraph_pages,
            lengths: [0, 1, 2, 3, 4, 5, 6].map(length),
        })
    }

    /// Where the body and the text boxes begin and end, counted in characters.
    pub(super) fn body(&self) -> [Range<usize>; 2] {
        [self.story(0), self.story(6)]
    }

    /// Where the footnotes and endnotes begin and end.
    pub(super) fn notes(&self) -> [Range<usize>; 2] {
        [self.story(1), self.story(5)]
    }

    fn story(&self, number: usize) -> Range<usize> {
        let start = |number: usize| {
            self.lengths[..number].iter().fold(0_usize, |sum, length| sum.saturating_add(*length))
        };
        start(number)..start(number + 1)
    }
}

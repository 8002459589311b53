//! The pieces of which a Word document's text is made.
//!
//! Each piece is a stretch of the file, in Windows' Western code page or in UTF-16; before Word 97
//! in the code page of the document's language. No byte of the file belongs to two pieces, so a
//! text that is longer than the file is a hostile one and ends there.

use super::fib::{Fib, Version};
use crate::office::code_pages::{WESTERN, decode_page};
use crate::office::ole::{u16_at, u32_at};
use std::ops::Range;

#[derive(Debug)]
pub(super) struct Pieces<'a> {
    document: &'a [u8],
    pieces: Vec<Piece>,
    /// The characters of the 256 bytes.
    bytes: Vec<char>,
}

#[derive(Debug)]
struct Piece {
    /// Counted in characters of the text.
    characters: Range<usize>,
    /// Where it begins in the file.
    start: usize,
    is_wide: bool,
}

/// A character and where in the file it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) unit: u16,
    pub(super) character: char,
    pub(super) at: usize,
}

impl<'a> Pieces<'a> {
    /// The pieces, and whether all of them lie within the file.
    pub(super) fn read(fib: &Fib, document: &'a [u8], table: &[u8]) -> (Pieces<'a>, bool) {
        let page = match fib.version {
            Version::Word97 => WESTERN,
            Version::Word6 if fib.is_macintosh => 10_000,
            Version::Word6 => page_of_language(fib.language),
        };
        let single = |byte: u8| decode_page(page, &[byte]).chars().next().unwrap_or('\u{FFFD}');
        let (pieces, is_whole) = match piece_table(table, &fib.pieces) {
            Some(list) => listed(list, fib.version, document.len()),
            None => single_piece(fib, document.len()),
        };
        (Pieces { document, pieces, bytes: (0..=255).map(single).collect() }, is_whole)
    }

    /// The characters of a part of the text.
    pub(super) fn characters(&self, part: Range<usize>) -> impl Iterator<Item = Placed> {
        let first = self.pieces.partition_point(|piece| piece.characters.end <= part.start);
        let pieces = self.pieces[first..].iter();
        let end = part.end;
        pieces.take_while(move |piece| piece.characters.start < end).flat_map(move |piece| {
            let from = part.start.max(piece.characters.start);
            let to = part.end.min(piece.characters.end);
            (from..to).filter_map(|number| self.character(piece, number - piece.characters.start))
        })
    }

    fn character(&self, piece: &Piece, number: usize) -> Option<Placed> {
        if piece.is_wide {
            let at = piece.start + number * 2;
            let unit = u16_at(self.document, at)?;
            let character = match unit {
                // Both halves of a character beyond the first plane; the second is skipped.
                0xD800..0xDC00 => {
                    let second = u16_at(self.document, at + 2)?;
                    char::decode_utf16([unit, second]).next()?.unwrap_or('\u{FFFD}')
                }
                0xDC00..0xE000 => return None,
                _ => char::from_u32(u32::from(unit))?,
            };
            Some(Placed { unit, character, at })
        } else {
            let at = piece.start + number;
            let byte = *self.document.get(at)?;
            Some(Placed { unit: u16::from(byte), character: self.bytes[usize::from(byte)], at })
        }
    }
}

/// The list of pieces, behind settings that belong to some of them.
fn piece_table<'t>(table: &'t [u8], place: &Range<usize>) -> Option<&'t [u8]> {
    let mut rest = table.get(place.start..place.end.min(table.len()))?;
    while rest.first() == Some(&1) {
        rest = rest.get(3 + usize::from(u16_at(rest, 1)?)..)?;
    }
    if rest.first() != Some(&2) {
        return None;
    }
    let length = u32_at(rest, 1)? as usize;
    let list = rest.get(5..)?;
    let list = &list[..list.len().min(length)];
    (list.len() >= 16).then_some(list)
}

fn listed(list: &[u8], version: Version, size: usize) -> (Vec<Piece>, bool) {
    let count = (list.len() - 4) / 12;
    let mut pieces = Vec::with_capacity(count);
    let mut total = 0;
    let mut is_whole = true;
    for number in 0..count {
        let bounds = u32_at(list, number * 4).zip(u32_at(list, number * 4 + 4));
        let place = u32_at(list, (count + 1) * 4 + number * 8 + 2);
        let (Some((first, end)), Some(place)) = (bounds, place) else { break };
        let (is_wide, start) = match version {
            Version::Word97 if place & 0x4000_0000 != 0 => (false, (place & 0x3FFF_FFFF) / 2),
            Version::Word97 => (true, place),
            Version::Word6 => (false, place),
        };
        let (first, end, start) = (first as usize, end as usize, start as usize);
        let before = pieces.last().map_or(0, |piece: &Piece| piece.characters.end);
        let width = if is_wide { 2 } else { 1 };
        let room = size.saturating_sub(start) / width;
        let length = end.saturating_sub(first).min(room).min(size - total);
        is_whole &= length == end.saturating_sub(first) && first == before;
        if first < before {
            break;
        }
        total += length;
        pieces.push(Piece { characters: first..first + length, start, is_wide });
    }
    (pieces, is_whole)
}

/// The text in one piece, as Word 6 kept it unless it had saved changes only.
fn single_piece(fib: &Fib, size: usize) -> (Vec<Piece>, bool) {
    let end = fib.text.end.min(size);
    let length = end.saturating_sub(fib.text.start);
    let piece = Piece { characters: 0..length, start: fib.text.start, is_wide: false };
    (vec![piece], fib.version == Version::Word6 && end == fib.text.end)
}

/// The code page in which Windows wrote a language.
fn page_of_language(number: u16) -> u16 {
    match number & 0x3FF {
        0x01 => 1256,
        0x02 | 0x19 | 0x22 | 0x23 | 0x2F => 1251,
        0x05 | 0x0E | 0x15 | 0x18 | 0x1A | 0x1B | 0x1C | 0x24 => 1250,
        0x08 => 1253,
        0x0D => 1255,
        0x1E => 874,
        0x1F => 1254,
        0x25..=0x27 => 1257,
        _ => WESTERN,
    }
}

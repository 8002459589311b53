//! Pieces of type become words, lines, blocks and columns.
//!
//! Nothing but places and sizes is asked, so that PostScript and PDF are read the same way. Pieces
//! on one baseline make [`strips`] that no wide gap interrupts, with the marks that stand above or
//! below them; numbers of lines at the margin are left out ([`line_numbers`]); strips tell where the page has [`gutters`] between [`columns`], and so in which order they are read;
//! strips side by side in one column are a line, and [`blocks`] are lines between which nothing
//! changes: no gap, no indentation, no other type. Last, words divided at the end of a line are
//! joined ([`hyphens`]).
//!
//! Pieces that lie nowhere are left out. All steps need time O(n log n) in the number of pieces.

mod blocks;
mod columns;
mod flows;
mod gutters;
mod hyphens;
mod line_numbers;
mod strips;

use crate::{LayoutPage, PageOfPieces, Piece};

pub use hyphens::join_pages;
pub(crate) use strips::{STRIP_GAP, WORD_GAP, main_style};

/// Pieces of a page that are looked at. A crowded page has some 5,000 words; a drawing made of
/// letters is no text.
pub const MAX_PIECES: usize = 200_000;

/// The farthest place on a page that is believed, in points: a sheet of 14 m.
const FARTHEST: f32 = 40_000.0;

/// The size assumed where a reader does not know it, in points.
const USUAL_SIZE: f32 = 10.0;

/// Turns the pieces of a page into words, lines, blocks and columns in reading order.
pub fn arrange(page: &PageOfPieces) -> LayoutPage {
    let strips = strips::strips(believable(&page.pieces));
    let strips = line_numbers::without_line_numbers(strips);
    let regions = columns::regions(strips, plain_length(page.width));
    let mut blocks: Vec<_> = regions.into_iter().flat_map(blocks::blocks).collect();
    hyphens::join(&mut blocks);
    LayoutPage { width: plain_length(page.width), height: plain_length(page.height), blocks }
}

/// The pieces that have text and a place, within [`MAX_PIECES`], with sizes that can be compared.
fn believable(pieces: &[Piece]) -> Vec<Placed<'_>> {
    let usual = usual_size(pieces);
    let found = pieces.iter().take(MAX_PIECES).filter_map(|piece| {
        let text = piece.text.trim();
        let places = [piece.left, piece.right, piece.baseline];
        let there = places.iter().all(|place| place.is_finite() && place.abs() <= FARTHEST);
        (there && !text.is_empty()).then(|| Placed {
            text,
            left: piece.left.min(piece.right),
            right: piece.right.max(piece.left),
            baseline: piece.baseline,
            size: known_size(piece.style.size).unwrap_or(usual),
            piece,
        })
    });
    found.collect()
}

/// A piece with a place that is one.
#[derive(Debug, Clone, Copy)]
struct Placed<'a> {
    text: &'a str,
    left: f32,
    right: f32,
    baseline: f32,
    /// Never 0, unlike the size the reader gave.
    size: f32,
    piece: &'a Piece,
}

fn known_size(size: f32) -> Option<f32> {
    (size.is_finite() && size > 0.5 && size < FARTHEST).then_some(size)
}

fn usual_size(pieces: &[Piece]) -> f32 {
    let mut sizes: Vec<f32> =
        pieces.iter().take(MAX_PIECES).filter_map(|piece| known_size(piece.style.size)).collect();
    median(&mut sizes).unwrap_or(USUAL_SIZE)
}

/// The middle of finite numbers.
fn median(numbers: &mut [f32]) -> Option<f32> {
    let middle = numbers.len() / 2;
    (!numbers.is_empty()).then(|| *numbers.select_nth_unstable_by(middle, f32::total_cmp).1)
}

fn plain_length(length: f32) -> f32 {
    if length.is_finite() { length.clamp(0.0, FARTHEST) } else { 0.0 }
}

#[cfg(test)]
mod tests;

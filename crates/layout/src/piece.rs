//! What a reader of placed type (PostScript, PDF) finds on a page: pieces of type, in any order.

use crate::Style;

/// A page as its reader found it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageOfPieces {
    /// In points (1/72 inch), like all lengths.
    pub width: f32,
    pub height: f32,
    pub pieces: Vec<Piece>,
}

/// Some characters in one font on one baseline, without white space. A word may be several pieces
/// (another font, a kern); they are joined where they touch. Pieces come in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Unicode, ligatures resolved.
    pub text: String,
    /// From the left edge of the page.
    pub left: f32,
    pub right: f32,
    /// Of the baseline, from the top edge of the page downwards.
    pub baseline: f32,
    pub style: Style,
}

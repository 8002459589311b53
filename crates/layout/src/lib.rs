//! Documents made of pages, as text that knows where it stands.
//!
//! PostScript, PDF, Word, RTF, DOCX and ODT all become one [`LayoutText`]: pages of blocks of lines
//! of words, each word with its place, size and weight as far as the format tells. Each format has
//! its reader; what a reader of placed type finds, [`Piece`] by piece, one arrangement turns into
//! lines, blocks and columns for all of them.
//!
//! Nothing here fails and nothing here is trusted: a reader returns what it understood together
//! with what puzzled it, within the limits named here.
//!
//! [`read_dvips`] reads PostScript that TeX users made, [`arrange`] serves all readers of placed
//! type, and [`tree`] makes of any layout text a page that XPath can be asked about.
//!
//! ```
//! use auslese_layout::{LayoutText, PageOfPieces, Piece, Style, arrange, tree};
//! use auslese_markup::{StepBudget, XPath, XPathNode};
//!
//! let piece = |text: &str, left: f32, right: f32, baseline: f32, size: f32| {
//!     let style = Style { size, ..Style::default() };
//!     Piece { text: text.to_owned(), left, right, baseline, style }
//! };
//! let pieces = vec![
//!     piece("Zahlen", 250.0, 310.0, 90.0, 17.0),
//!     piece("Die", 100.0, 118.0, 130.0, 10.0),
//!     piece("Ver-", 121.0, 145.0, 130.0, 10.0),
//!     piece("öffentlichung.", 100.0, 180.0, 142.0, 10.0),
//! ];
//! let page = arrange(&PageOfPieces { width: 595.0, height: 842.0, pieces });
//! let text = LayoutText { pages: vec![page], ..LayoutText::default() };
//! assert_eq!(text.text(), "Zahlen\n\nDie Veröffentlichung.\n\n");
//!
//! let page = tree(&text);
//! let title = XPath::parse("//page[1]/block[@rank = 1]").unwrap();
//! let mut budget = StepBudget::default();
//! let answer = title.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget);
//! assert_eq!(answer.unwrap().string(page.tree()), "Zahlen");
//! ```

mod accents;
mod arrange;
mod bbox_layout;
mod door;
mod dvips;
mod format;
mod ghostscript;
mod glyph_names;
mod limits;
mod office;
mod pdf;
mod piece;
mod plausibility;
mod reading;
mod setting;
mod text;
mod tree;
mod unpack;

pub use arrange::{MAX_PIECES, arrange, join_pages};
pub use bbox_layout::read_bbox_layout;
pub use door::read;
pub use dvips::{MAX_PAGES, read_dvips, read_dvips_pages};
pub use format::{Format, PDF_START, POSTSCRIPT_START};
pub use ghostscript::read_ghostscript_text;
pub use limits::{MAX_UNPACKED, MAX_WORDS, ReadLimits};
pub use office::{
    MAX_ENTRIES, MAX_GROUPS, MAX_PART, MAX_PART_DEPTH, MAX_PROPERTY, MAX_RATIO, MAX_STYLE_CHAIN,
};
pub use pdf::{
    MAX_DECODED_BYTES, MAX_FORM_DEPTH, MAX_GLYPHS_PER_PAGE, MAX_OPERATORS, MAX_OPERATORS_PER_PAGE,
    MAX_PACKED_BYTES, MAX_PDF_PAGES, MAX_SAVED_STATES, MAX_STREAM_BYTES, PageLimit, read_pdf,
    read_pdf_pieces,
};
pub use piece::{PageOfPieces, Piece};
pub use plausibility::{PLAUSIBLE, plausibility};
pub use text::{
    Alignment, LayoutBlock, LayoutLine, LayoutPage, LayoutText, LayoutWord, Properties, Style,
};
pub use tree::{labelled_tree, tree};
pub use unpack::{MAX_LAYERS, unpack, unwrap_gzip};

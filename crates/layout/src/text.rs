//! The layout text: what all formats become.

use auslese_model::Oddity;
use serde::{Deserialize, Serialize};

/// A document made of pages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LayoutText {
    /// The pages that were read. A format without pages (DOCX, RTF …) has one, of no width.
    pub pages: Vec<LayoutPage>,
    /// How many pages the document has, read or not, where that is known.
    pub page_count: Option<u32>,
    pub properties: Properties,
    pub oddities: Vec<Oddity>,
}

/// What the file says about itself, apart from its text. Mostly junk, so the rules distrust it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Properties {
    pub title: Option<String>,
    pub author: Option<String>,
    pub subject: Option<String>,
    pub keywords: Option<String>,
    /// As written, not read as a date.
    pub created: Option<String>,
    /// The program that made it.
    pub producer: Option<String>,
    /// A language tag.
    pub language: Option<String>,
}

/// A page; lengths are in points (1/72 inch) from its top left corner.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LayoutPage {
    pub width: f32,
    pub height: f32,
    /// In reading order: column by column.
    pub blocks: Vec<LayoutBlock>,
}

/// A paragraph, a heading, a line set apart.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LayoutBlock {
    pub lines: Vec<LayoutLine>,
    pub alignment: Option<Alignment>,
    /// What the format calls it, such as `Heading 1` or `Title` in an office document.
    pub style_name: Option<String>,
    /// The column of the page, from 0; `None` where the block spans all or the page has one.
    pub column: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Alignment {
    Left,
    Centred,
    Right,
    Justified,
}

/// A line; a paragraph of a format without lines is one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LayoutLine {
    pub words: Vec<LayoutWord>,
}

/// A word without white space, with what the format tells of its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutWord {
    /// Where a word is divided at the end of a line, the hyphen is not in it and
    /// [`LayoutWord::continues`] is set.
    pub text: String,
    /// 0 in formats without places, and so for the other lengths.
    pub left: f32,
    pub right: f32,
    pub baseline: f32,
    pub style: Style,
    /// Stands above (a mark of a footnote or affiliation) or below the line, by this many points.
    pub raised: f32,
    /// The next word belongs to this one: it was divided at the end of the line.
    pub continues: bool,
}

/// How a piece of text is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Style {
    /// In points; 0 where the format does not say.
    pub size: f32,
    pub bold: bool,
    pub italic: bool,
    pub small_caps: bool,
}

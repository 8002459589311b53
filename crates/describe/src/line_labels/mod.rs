//! Decides for each line of a paper's head what it is: title, author, institution, abstract …
//!
//! A linear model looks at the signs of a line and of its neighbours, and the most likely row of
//! labels is found at once, because labels follow each other in an order: authors below a title,
//! institutes below authors. It was learnt from headers that people had labelled (see
//! `models/README.md`), mostly English, so the signs are those that other languages share: shapes
//! of names, words of institutions, marks, size of type, place. It knows nothing of single words.
//!
//! What it says is no verdict but one more source for the rules: the label stands as the attribute
//! `label` of the lines of the first pages, and how far it is to be trusted is measured there.

mod model;
mod signs;
mod training;

use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

pub use model::{LineModel, LineModelError};
pub use training::train_line_labels;

/// Lines of a head that are looked at. Abstracts end before; a longer page is text.
pub const MAX_HEAD_LINES: usize = 100;

/// A line of the head of a paper.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeadLine {
    pub text: String,
    /// Its first word compared with the last one before it.
    pub size: SizeChange,
    /// Whether it begins in other type than the line before ends: in size, weight or slope.
    pub other_type: bool,
    /// Whether a block begins with it.
    pub begins_block: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SizeChange {
    #[default]
    Same,
    Larger,
    Smaller,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineLabel {
    Title,
    Author,
    Institution,
    Address,
    Mail,
    Date,
    Abstract,
    Keywords,
    /// Journals, notes, copyright, numbers of pages.
    Note,
}

impl LineLabel {
    pub const ALL: [LineLabel; 9] = [
        LineLabel::Title,
        LineLabel::Author,
        LineLabel::Institution,
        LineLabel::Address,
        LineLabel::Mail,
        LineLabel::Date,
        LineLabel::Abstract,
        LineLabel::Keywords,
        LineLabel::Note,
    ];

    /// As it stands in the tree and in the model's file.
    pub fn as_str(self) -> &'static str {
        match self {
            LineLabel::Title => "title",
            LineLabel::Author => "author",
            LineLabel::Institution => "institution",
            LineLabel::Address => "address",
            LineLabel::Mail => "mail",
            LineLabel::Date => "date",
            LineLabel::Abstract => "abstract",
            LineLabel::Keywords => "keywords",
            LineLabel::Note => "note",
        }
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// The labels of the first lines of a page, by the model that comes with the program; to the heading
/// of the introduction, where the head of a paper ends.
pub fn line_labels(lines: &[HeadLine]) -> Vec<LineLabel> {
    let end = lines.iter().position(|line| signs::is_introduction(&line.text));
    let end = end.unwrap_or(lines.len()).min(MAX_HEAD_LINES);
    SHIPPED.labels(&lines[..end])
}

static SHIPPED: LazyLock<LineModel> = LazyLock::new(|| {
    LineModel::parse(include_str!("../../models/line-labels.txt")).unwrap_or_default()
});

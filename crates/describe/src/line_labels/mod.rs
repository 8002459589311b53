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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines of which the first is large and the others are small; each is a block.
    fn labels(texts: &[&str]) -> Vec<&'static str> {
        let line = |(at, text): (usize, &&str)| HeadLine {
            text: (*text).to_owned(),
            size: match at {
                0 => SizeChange::Larger,
                1 => SizeChange::Smaller,
                _ => SizeChange::Same,
            },
            other_type: at < 2,
            begins_block: true,
        };
        let lines: Vec<HeadLine> = texts.iter().enumerate().map(line).collect();
        line_labels(&lines).into_iter().map(LineLabel::as_str).collect()
    }

    #[test]
    fn heads_of_papers() {
        let english = [
            "Restriction of operators to narrow strips",
            "Maria Fenwick and John P. Alder",
            "Department of Mathematics, University of Eastmere",
            "fenwick@maths.eastmere.example",
            "Abstract",
            "We prove that an operator which is bounded on the plane is bounded on narrow strips,",
            "provided that the width of the strip does not vary too much.",
            "1 Introduction",
            "The question is old.",
        ];
        let expected = ["title", "author", "institution", "mail", "note", "abstract", "abstract"];
        assert_eq!(labels(&english), expected);
        let german = [
            "Wer mit wem den Feierabend verbringt",
            "Ilse Brandner, Uwe Kattwinkel",
            "Institut für Soziologie, Universität Hohenwerth",
            "Zusammenfassung",
            "Mit wem der Feierabend verbracht wird, hängt weniger vom Betrieb ab als vom Heimweg, und",
            "das zeigt eine Befragung in vier Mühlen, deren Beschäftigte nach ihren Treffen gefragt",
        ];
        let expected = ["title", "author", "institution", "note", "abstract", "abstract"];
        assert_eq!(labels(&german), expected);
        assert_eq!(labels(&[]), [""; 0]);
    }

    #[test]
    fn models_are_read_as_they_were_written() {
        let text = SHIPPED.to_text();
        assert!(text.lines().count() > 100, "there is no model");
        assert_eq!(LineModel::parse(&text).unwrap(), *SHIPPED);
        let faults = [
            ("line", "no tab"),
            ("line\t1 2", "a number for each label"),
            ("labels\ta", "other labels"),
        ];
        for (text, expected) in faults {
            let fault = LineModel::parse(text).unwrap_err().to_string();
            assert!(fault.starts_with("line 1: ") && fault.contains(expected), "{fault}");
        }
    }

    #[test]
    fn what_is_learnt_is_said() {
        let head = |title: &str, author: &str| {
            let line = |text: &str| HeadLine { text: text.to_owned(), ..HeadLine::default() };
            vec![(line(title), LineLabel::Title), (line(author), LineLabel::Author)]
        };
        let heads: Vec<_> = (0..8).map(|_| head("On the growth of trees", "Eva Meier")).collect();
        let model = train_line_labels(&heads);
        let lines: Vec<HeadLine> = heads[0].iter().map(|(line, _)| line.clone()).collect();
        assert_eq!(model.labels(&lines), [LineLabel::Title, LineLabel::Author]);
        assert_eq!(train_line_labels(&heads), model, "the same every time");
    }

    proptest! {
        #[test]
        fn every_line_has_a_label(texts in proptest::collection::vec(".{0,80}", 0..30)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            prop_assert!(labels(&texts).len() <= texts.len());
        }
    }
}

//! The lines of a paper's head, labelled: the layout text as the model of lines wants to see it.
//!
//! A head stands on the first page; where that has few lines it is a cover, and the second page
//! has one of its own.

use auslese_describe::{HeadLine, SizeChange, line_labels};
use auslese_layout::{LayoutPage, LayoutText, LayoutWord};

/// A page with fewer lines may be a cover.
const COVER_LINES: usize = 40;

/// Sizes that differ by less are the same: formats round them.
const SAME_SIZE: f32 = 0.3;

/// What the lines of the first pages are, by page.
pub(crate) fn head_labels(text: &LayoutText) -> Vec<Vec<&'static str>> {
    let mut labels = Vec::new();
    for page in text.pages.iter().take(2) {
        let lines = head_lines(page);
        labels.push(line_labels(&lines).into_iter().map(|label| label.as_str()).collect());
        if lines.len() >= COVER_LINES {
            break;
        }
    }
    labels
}

fn head_lines(page: &LayoutPage) -> Vec<HeadLine> {
    let mut lines = Vec::new();
    let mut before: Option<&LayoutWord> = None;
    for block in &page.blocks {
        for (number, line) in block.lines.iter().enumerate() {
            let words: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
            let change = before.zip(line.words.first());
            lines.push(HeadLine {
                text: words.join(" "),
                size: change
                    .map_or(SizeChange::Larger, |(before, first)| size_change(before, first)),
                other_type: change.is_none_or(|(before, first)| is_other_type(before, first)),
                begins_block: number == 0,
            });
            before = line.words.last().or(before);
        }
    }
    lines
}

fn size_change(before: &LayoutWord, now: &LayoutWord) -> SizeChange {
    match now.style.size - before.style.size {
        more if more > SAME_SIZE => SizeChange::Larger,
        less if less < -SAME_SIZE => SizeChange::Smaller,
        _ => SizeChange::Same,
    }
}

fn is_other_type(before: &LayoutWord, now: &LayoutWord) -> bool {
    size_change(before, now) != SizeChange::Same
        || (before.style.bold, before.style.italic) != (now.style.bold, now.style.italic)
}

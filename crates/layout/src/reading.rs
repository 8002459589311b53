//! The layout text read aloud: plain text of a block and of the whole document.
//!
//! Words are parted by one space, save where one continues the other: divided at the end of a
//! line, or a mark that touches its word. Blocks are parted by a blank line, pages by a form feed.

use crate::arrange::WORD_GAP;
use crate::{LayoutBlock, LayoutText, LayoutWord};

impl LayoutText {
    /// The text alone: blocks parted by blank lines, pages by form feeds.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Whether the last word goes on in the next block, even behind the end of a page.
        let mut divided = false;
        for (number, page) in self.pages.iter().enumerate() {
            if number > 0 && !divided {
                text.push('\x0C');
            }
            for block in &page.blocks {
                divided = block.push_text(&mut text);
                if !divided {
                    text.push_str("\n\n");
                }
            }
        }
        text
    }
}

impl LayoutBlock {
    /// The text of the block on one line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.push_text(&mut text);
        text
    }

    /// Whether the next block continues the last word.
    fn push_text(&self, text: &mut String) -> bool {
        let mut before: Option<&LayoutWord> = None;
        for word in self.lines.iter().flat_map(|line| &line.words) {
            if before.is_some_and(|before| before.is_apart_from(word)) {
                text.push(' ');
            }
            text.push_str(&word.text);
            before = Some(word);
        }
        before.is_some_and(|before| before.continues)
    }
}

impl LayoutWord {
    /// Whether a space stands between this word and the next one of the block.
    pub fn is_apart_from(&self, next: &LayoutWord) -> bool {
        !self.continues && !self.touches(next)
    }

    /// Marks touch the word they belong to; a format without places says so by giving none.
    fn touches(&self, next: &LayoutWord) -> bool {
        let size = self.style.size.max(next.style.size);
        let gap = next.left - self.right;
        self.raised != next.raised && gap <= WORD_GAP * size && gap >= -2.0 * size
    }
}

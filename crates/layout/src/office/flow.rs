//! Running text of a format without pages, as it becomes blocks, lines and words.
//!
//! A paragraph is a block, a forced line break begins a line, white space ends a word. A change of
//! type within a word does not end it (the word is set as it begins), but raised type does: it is
//! the mark of a footnote or an affiliation and no part of the word it stands at.
//!
//! Paragraphs may stand within a paragraph (a text box, a footnote): they are read to their end
//! first, while the outer one waits.

use crate::{Alignment, LayoutBlock, LayoutLine, LayoutWord, Style};

/// Text boxes within text boxes that are told apart; what is deeper joins the paragraph around it.
const MAX_WAITING: usize = 16;

/// How a run of text is set.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Look {
    pub(crate) style: Style,
    /// As in [`LayoutWord::raised`].
    pub(crate) raised: f32,
}

/// By how much of its size a superscript is raised where the format gives no measure.
pub(crate) const SUPERSCRIPT: f32 = 0.33;

/// What is known of a paragraph when it ends.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Shape {
    pub(crate) alignment: Option<Alignment>,
    pub(crate) style_name: Option<String>,
}

/// The text so far.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    blocks: Vec<LayoutBlock>,
    paragraph: Paragraph,
    waiting: Vec<Paragraph>,
    /// Text boxes too deep to be kept apart.
    unkept: usize,
    words: usize,
    max_words: usize,
    /// Whether words were left out.
    pub(crate) full: bool,
}

#[derive(Debug, Default)]
struct Paragraph {
    lines: Vec<LayoutLine>,
    words: Vec<LayoutWord>,
    /// Whether the last word may go on.
    open: bool,
}

impl Flow {
    pub(crate) fn new(max_words: usize) -> Flow {
        Flow { max_words, ..Flow::default() }
    }

    /// Text as it stands in the document, white space and all.
    pub(crate) fn text(&mut self, text: &str, look: &Look) {
        for piece in text.split_inclusive(is_gap) {
            let word = piece.trim_end_matches(is_gap);
            self.letters(word, look);
            if word.len() < piece.len() {
                self.gap();
            }
        }
    }

    /// Letters without white space.
    fn letters(&mut self, letters: &str, look: &Look) {
        let shown = letters.chars().filter_map(shown);
        let paragraph = &mut self.paragraph;
        let joins = |word: &LayoutWord| (word.raised > 0.0) == (look.raised > 0.0);
        if paragraph.open && paragraph.words.last().is_some_and(joins) {
            let word = paragraph.words.last_mut().expect("it was just looked at");
            word.text.extend(shown);
            return;
        }
        let text: String = shown.collect();
        if text.is_empty() {
            return;
        }
        if self.words == self.max_words {
            self.full = true;
            return;
        }
        self.words += 1;
        paragraph.open = true;
        paragraph.words.push(LayoutWord {
            text,
            left: 0.0,
            right: 0.0,
            baseline: 0.0,
            style: look.style,
            raised: look.raised,
            continues: false,
        });
    }

    /// White space.
    pub(crate) fn gap(&mut self) {
        self.paragraph.open = false;
    }

    pub(crate) fn end_line(&mut self) {
        let words = std::mem::take(&mut self.paragraph.words);
        self.paragraph.open = false;
        if !words.is_empty() {
            self.paragraph.lines.push(LayoutLine { words });
        }
    }

    /// Ends the paragraph; one without words leaves no trace.
    pub(crate) fn end_paragraph(&mut self, shape: &Shape) {
        self.end_line();
        let lines = std::mem::take(&mut self.paragraph.lines);
        if !lines.is_empty() {
            self.blocks.push(LayoutBlock {
                lines,
                alignment: shape.alignment,
                style_name: shape.style_name.clone(),
                column: None,
            });
        }
    }

    /// Begins paragraphs within the paragraph.
    pub(crate) fn enter(&mut self) {
        if self.waiting.len() == MAX_WAITING {
            self.unkept += 1;
            self.gap();
        } else {
            self.waiting.push(std::mem::take(&mut self.paragraph));
        }
    }

    /// Ends them; the outer paragraph goes on.
    pub(crate) fn leave(&mut self, shape: &Shape) {
        if self.unkept > 0 {
            self.unkept -= 1;
            self.gap();
        } else if let Some(outer) = self.waiting.pop() {
            self.end_paragraph(shape);
            self.paragraph = outer;
        }
    }

    /// The blocks; what was begun is ended.
    pub(crate) fn finish(mut self) -> Vec<LayoutBlock> {
        loop {
            self.end_paragraph(&Shape::default());
            match self.waiting.pop() {
                Some(outer) => self.paragraph = outer,
                None => return self.blocks,
            }
        }
    }

    /// Takes the blocks so far, as the text of a note, and goes on without them.
    pub(crate) fn take_blocks(&mut self) -> Vec<LayoutBlock> {
        std::mem::take(&mut self.blocks)
    }

    /// Puts them back, before what was read since.
    pub(crate) fn put_back(&mut self, mut blocks: Vec<LayoutBlock>) {
        blocks.append(&mut self.blocks);
        self.blocks = blocks;
    }
}

fn is_gap(character: char) -> bool {
    character.is_whitespace() || character == '\u{0}'
}

/// What a reader sees of a character: nothing of marks for the typesetter and of the private
/// characters of picture fonts, a hyphen for one that must not end a line.
fn shown(character: char) -> Option<char> {
    match character {
        '\u{2011}' => Some('-'),
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}' | '\u{FEFF}' => {
            None
        }
        '\u{FFFC}' | '\u{E000}'..='\u{F8FF}' => None,
        character if character.is_control() => None,
        character => Some(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(block: &LayoutBlock) -> Vec<Vec<&str>> {
        let line = |line: &'_ LayoutLine| line.words.len();
        assert!(block.lines.iter().all(|each| line(each) > 0));
        let texts = |line| -> Vec<&str> {
            let line: &LayoutLine = line;
            line.words.iter().map(|word| word.text.as_str()).collect()
        };
        block.lines.iter().map(texts).collect()
    }

    #[test]
    fn words_lines_and_blocks() {
        let plain = Look::default();
        let raised = Look { raised: 4.0, ..plain };
        let mut flow = Flow::new(100);
        flow.text(" Grö", &plain);
        flow.text("ße\u{a0}von ", &plain);
        flow.text("Mül\u{ad}ler", &plain);
        flow.text("1,2", &raised);
        flow.end_line();
        flow.text("Ende\t\u{f0b7}", &plain);
        flow.end_paragraph(&Shape::default());
        flow.end_paragraph(&Shape::default());
        let blocks = flow.finish();
        assert_eq!(blocks.len(), 1);
        assert_eq!(words(&blocks[0]), [vec!["Größe", "von", "Müller", "1,2"], vec!["Ende"]]);
    }

    #[test]
    fn boxes_come_before_the_paragraph_they_stand_in() {
        let plain = Look::default();
        let mut flow = Flow::new(100);
        flow.text("außen ", &plain);
        flow.enter();
        flow.text("innen", &plain);
        flow.leave(&Shape::default());
        flow.text("weiter", &plain);
        let blocks = flow.finish();
        assert_eq!(words(&blocks[0]), [vec!["innen"]]);
        assert_eq!(words(&blocks[1]), [vec!["außen", "weiter"]]);
    }

    #[test]
    fn words_beyond_the_limit_are_left_out_and_noted() {
        let mut flow = Flow::new(2);
        flow.text("eins zwei drei", &Look::default());
        assert!(flow.full);
        assert_eq!(words(&flow.finish()[0]), [vec!["eins", "zwei"]]);
    }
}

//! A Word document's text, character by character.
//!
//! Characters below the space have meanings of their own: ends of paragraphs and cells, notes,
//! pictures, and fields, of which the instruction is left out and the result read.

use super::fonts::SymbolFonts;
use super::formatting::{Formatting, ParagraphSaid, Stretch};
use super::pieces::Placed;
use super::sprm::{Sprm, apply, sprms};
use super::styles::key;
use crate::office::flow::{Flow, Look, SUPERSCRIPT, Shape};
use crate::office::sheet::{Setting, Sheet};
use crate::office::symbol::symbol;

/// Fields within fields whose parts are told apart; what is deeper is read as the field around it.
const MAX_FIELDS: usize = 100;

#[derive(Debug)]
pub(super) struct TextReader<'a> {
    sheet: &'a Sheet,
    formatting: &'a Formatting<'a>,
    fonts: &'a SymbolFonts,
    flow: Flow,
    /// Text not yet written, all set alike.
    pending: String,
    paragraph: Stretch<ParagraphSaid>,
    shape: Shape,
    /// How the paragraph's style sets text.
    style: Setting,
    run: Stretch<Run>,
    /// For each open field, whether its instruction is being read.
    fields: Vec<bool>,
    notes: usize,
}

/// How the text is set that is being read.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    look: Look,
    is_left_out: bool,
    /// What a character stands for that is one of a picture font.
    symbol: Option<Option<char>>,
}

impl<'a> TextReader<'a> {
    pub(super) fn new(
        sheet: &'a Sheet,
        formatting: &'a Formatting<'a>,
        fonts: &'a SymbolFonts,
        flow: Flow,
    ) -> TextReader<'a> {
        TextReader {
            sheet,
            formatting,
            fonts,
            flow,
            pending: String::new(),
            paragraph: Stretch { bytes: 0..0, said: ParagraphSaid::default() },
            shape: Shape::default(),
            style: Setting::default(),
            run: Stretch { bytes: 0..0, said: Run::default() },
            fields: Vec::new(),
            notes: 0,
        }
    }

    pub(super) fn into_flow(self) -> Flow {
        self.flow
    }

    /// Counts notes from the first again, for their own texts after the marks in the body. Word
    /// keeps endnotes behind footnotes, so where there are both, numbers may not fit the marks.
    pub(super) fn restart_notes(&mut self) {
        self.notes = 0;
    }

    /// Reads one of the document's parts.
    pub(super) fn read(&mut self, characters: impl Iterator<Item = Placed>) {
        self.fields.clear();
        for placed in characters {
            self.look_up(placed.at);
            self.character(placed);
        }
        self.end_paragraph();
    }

    /// Takes notice of how the text is set from here on.
    fn look_up(&mut self, at: usize) {
        let is_known = self.paragraph.bytes.contains(&at);
        if is_known && self.run.bytes.contains(&at) {
            return;
        }
        self.write_pending();
        if !is_known {
            self.paragraph = self.formatting.paragraph(at);
            let said = self.paragraph.said;
            let (shape, style) = self.sheet.paragraph(Some(&key(said.style)));
            self.shape = Shape { alignment: said.alignment.or(shape.alignment), ..shape };
            self.style = style;
        }
        let stretch = self.formatting.text(at);
        self.run = Stretch { bytes: stretch.bytes, said: self.run_of(stretch.said) };
    }

    fn run_of(&self, list: &[u8]) -> Run {
        let all = || sprms(self.formatting.version, list);
        let mut style = self.style;
        for sprm in all() {
            if let Sprm::RunStyle(number) = sprm {
                style = self.sheet.run(&key(number)).over(self.style);
            }
        }
        let mut run = Run::default();
        let mut setting = style;
        for sprm in all() {
            match sprm {
                Sprm::Deleted(is_deleted) => run.is_left_out = is_deleted,
                Sprm::Symbol { font, number } => {
                    let is_symbol = self.fonts.contains(font);
                    run.symbol = Some(symbol(u32::from(number)).filter(|_| is_symbol));
                }
                sprm => apply(&mut setting, &style, sprm),
            }
        }
        run.is_left_out |= setting.is_hidden();
        run.look = setting.look();
        run
    }

    fn character(&mut self, placed: Placed) {
        match placed.unit {
            0x0D | 0x07 | 0x0C => self.end_paragraph(),
            0x13 if self.fields.len() < MAX_FIELDS => self.fields.push(true),
            0x14 => {
                if let Some(is_instruction) = self.fields.last_mut() {
                    *is_instruction = false;
                }
            }
            0x15 => drop(self.fields.pop()),
            _ if self.fields.contains(&true) || self.run.said.is_left_out => {}
            0x0B | 0x0E => {
                self.write_pending();
                self.flow.end_line();
            }
            0x02 => self.write_note_mark(),
            0x09 => self.pending.push(' '),
            0x1E => self.pending.push('-'),
            // Pictures, marks of comments, hyphens that are not seen.
            0x00..=0x1F => {}
            _ => match self.run.said.symbol {
                Some(symbol) => self.pending.extend(symbol),
                None => self.pending.push(placed.character),
            },
        }
    }

    fn write_note_mark(&mut self) {
        self.write_pending();
        self.notes += 1;
        let size = self.run.said.look.style.size;
        let look = Look { raised: size * SUPERSCRIPT, ..self.run.said.look };
        self.flow.text(&self.notes.to_string(), &look);
    }

    fn write_pending(&mut self) {
        if !self.pending.is_empty() {
            self.flow.text(&self.pending, &self.run.said.look);
            self.pending.clear();
        }
    }

    fn end_paragraph(&mut self) {
        self.write_pending();
        // An instruction does not go over the end of a paragraph unless its end was lost.
        self.fields.clear();
        self.flow.end_paragraph(&self.shape);
    }
}

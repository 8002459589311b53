//! The text of a DOCX: body and notes.
//!
//! What was deleted in a tracked change and what is hidden is left out, of fields the result is
//! read and not the instruction, of alternatives the first.

use super::styles::{alignment, set};
use crate::Alignment;
use crate::office::flow::{Flow, SUPERSCRIPT};
use crate::office::sheet::{Setting, Sheet};
use crate::office::xml::{Descent, Element, Visitor};
use std::collections::HashMap;

/// Numbers of the notes, given in the order in which the text refers to them.
#[derive(Debug, Default)]
pub(super) struct Notes {
    numbers: HashMap<String, usize>,
}

impl Notes {
    fn number(&mut self, key: String) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry(key).or_insert(next)
    }
}

#[derive(Debug)]
pub(super) struct Body<'a> {
    sheet: &'a Sheet,
    flow: Flow,
    notes: Notes,
    /// The paragraph being read and those around it.
    paragraphs: Vec<OpenParagraph>,
    /// What the paragraph sets, without the run.
    setting: Setting,
    /// What the run's own properties set.
    run: Setting,
    /// The mark of the note being read.
    note: Option<String>,
    in_text: bool,
    in_run_properties: bool,
}

#[derive(Debug, Default)]
struct OpenParagraph {
    style: Option<String>,
    alignment: Option<Alignment>,
    /// Of the paragraph and the run around it, to go on with.
    outer: (Setting, Setting),
}

impl<'a> Body<'a> {
    pub(super) fn new(sheet: &'a Sheet, flow: Flow, notes: Notes) -> Body<'a> {
        Body {
            sheet,
            flow,
            notes,
            paragraphs: Vec::new(),
            setting: Setting::default(),
            run: Setting::default(),
            note: None,
            in_text: false,
            in_run_properties: false,
        }
    }

    pub(super) fn into_flow(self) -> Flow {
        self.flow
    }

    fn write(&mut self, text: &str) {
        let setting = self.run.over(self.setting);
        if !setting.is_hidden() {
            self.flow.text(text, &setting.look());
        }
    }

    fn write_mark(&mut self, mark: &str) {
        let raised = Setting { raised: Some(SUPERSCRIPT), ..self.run };
        let setting = raised.over(self.setting);
        self.flow.text(mark, &setting.look());
    }

    fn open_paragraph(&mut self) {
        if !self.paragraphs.is_empty() {
            self.flow.enter();
        }
        let outer = (self.setting, self.run);
        self.setting = self.sheet.paragraph(None).1;
        self.paragraphs.push(OpenParagraph { outer, ..OpenParagraph::default() });
    }

    fn close_paragraph(&mut self) {
        let Some(paragraph) = self.paragraphs.pop() else { return };
        let (mut shape, _) = self.sheet.paragraph(paragraph.style.as_deref());
        shape.alignment = paragraph.alignment.or(shape.alignment);
        if self.paragraphs.is_empty() {
            self.flow.end_paragraph(&shape);
        } else {
            self.flow.leave(&shape);
        }
        (self.setting, self.run) = paragraph.outer;
    }

    fn open_note(&mut self, element: &Element<'_>) -> Descent {
        // The lines between text and notes are kept as notes of their own type.
        let is_text = element.attribute("type").is_none_or(|kind| kind == "normal");
        let id = element.attribute("id").unwrap_or_default();
        if !is_text || self.note.is_some() {
            return Descent::Past;
        }
        let key = format!("{} {id}", element.name());
        self.note = Some(self.notes.number(key).to_string());
        Descent::Into
    }

    /// A character of a picture font, given by its number there.
    fn write_symbol(&mut self, element: &Element<'_>) {
        let number = element.attribute("char").and_then(|hex| u32::from_str_radix(&hex, 16).ok());
        let is_symbol = element.attribute("font").is_some_and(|font| font == "Symbol");
        if let Some(number) = number.filter(|_| is_symbol)
            && let Some(character) = crate::office::symbol::symbol(number)
        {
            self.write(character.encode_utf8(&mut [0; 4]));
        }
    }
}

impl Visitor for Body<'_> {
    fn open(&mut self, element: &Element<'_>) -> Descent {
        if self.in_run_properties {
            let value = element.attribute("val");
            match (element.name(), value) {
                ("rStyle", Some(style)) => self.run = self.run.over(self.sheet.run(&style)),
                ("rPrChange", _) => return Descent::Past,
                (name, value) => set(&mut self.run, name, value.as_deref()),
            }
            return Descent::Into;
        }
        match element.name() {
            "p" => self.open_paragraph(),
            "pStyle" => {
                let style = element.attribute("val");
                self.setting = self.sheet.paragraph(style.as_deref()).1;
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.style = style;
                }
            }
            "jc" => {
                let value = element.attribute("val").unwrap_or_default();
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.alignment = alignment(&value);
                }
            }
            "r" => self.run = Setting::default(),
            "t" => self.in_text = true,
            "tab" | "ptab" => self.flow.gap(),
            "br" | "cr" => self.flow.end_line(),
            "noBreakHyphen" => self.write("-"),
            "sym" => self.write_symbol(element),
            "footnoteReference" | "endnoteReference" => {
                let kind = element.name().trim_end_matches("Reference");
                let key = format!("{kind} {}", element.attribute("id").unwrap_or_default());
                let mark = self.notes.number(key).to_string();
                self.write_mark(&mark);
            }
            "footnoteRef" | "endnoteRef" => {
                if let Some(mark) = self.note.clone() {
                    self.write_mark(&mark);
                }
            }
            "footnote" | "endnote" => return self.open_note(element),
            "rPr" => self.in_run_properties = true,
            name if is_passed(name) => return Descent::Past,
            _ => {}
        }
        Descent::Into
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.write(text);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" => self.close_paragraph(),
            "t" => self.in_text = false,
            "rPr" => self.in_run_properties = false,
            // What the paragraph's mark sets does not set its text.
            "pPr" | "r" => self.run = Setting::default(),
            "footnote" | "endnote" => self.note = None,
            _ => {}
        }
    }
}

/// What holds no text of the document.
fn is_passed(name: &str) -> bool {
    matches!(
        name,
        // Deleted or moved away in a tracked change, and what was so before it.
        "del" | "moveFrom" | "delText" | "rPrChange" | "pPrChange" | "sectPrChange"
        // The second of two alternatives.
        | "Fallback"
        // Instructions of fields, settings, small print above ideographs.
        | "instrText" | "delInstrText" | "sdtPr" | "sectPr" | "tabs" | "numPr" | "rt"
        | "tblPr" | "tblPrEx" | "tblGrid" | "trPr" | "tcPr" | "ctrlPr"
    )
}

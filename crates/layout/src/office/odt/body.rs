//! The text of an ODT.
//!
//! What was deleted in a tracked change stands apart in the file and is left out, like comments
//! and hidden text. A note's text stands where it is referred to; it is kept for the end.

use super::styles::key;
use crate::LayoutBlock;
use crate::office::flow::{Flow, SUPERSCRIPT, Shape};
use crate::office::sheet::{Setting, Sheet};
use crate::office::xml::{Descent, Element, Visitor};
use auslese_model::Oddity;

#[derive(Debug)]
pub(super) struct Body<'a> {
    sheet: &'a Sheet,
    flow: Flow,
    /// What was read before the note, and the notes so far.
    notes: Vec<LayoutBlock>,
    before_note: Option<Vec<LayoutBlock>>,
    paragraphs: Vec<OpenParagraph>,
    /// The setting in force and those it goes back to.
    settings: Vec<Setting>,
    in_body: bool,
    in_mark: bool,
    /// The mark of the note being read, not yet written at its text.
    mark: String,
}

#[derive(Debug)]
struct OpenParagraph {
    shape: Shape,
    /// How many settings there were before it.
    settings: usize,
}

impl<'a> Body<'a> {
    pub(super) fn new(sheet: &'a Sheet, flow: Flow) -> Body<'a> {
        Body {
            sheet,
            flow,
            notes: Vec::new(),
            before_note: None,
            paragraphs: Vec::new(),
            settings: Vec::new(),
            in_body: false,
            in_mark: false,
            mark: String::new(),
        }
    }

    /// The blocks, notes last, and a note if words had to be left out.
    pub(super) fn into_blocks(mut self) -> (Vec<LayoutBlock>, Option<Oddity>) {
        if let Some(before) = self.before_note.take() {
            self.notes.extend(self.flow.take_blocks());
            self.flow.put_back(before);
        }
        let full = self.flow.full;
        let mut blocks = self.flow.finish();
        blocks.append(&mut self.notes);
        (blocks, full.then(|| Oddity::new("too-many-words", "the rest is left out")))
    }

    fn setting(&self) -> Setting {
        self.settings.last().copied().unwrap_or_default()
    }

    fn open_paragraph(&mut self, element: &Element<'_>) {
        if !self.paragraphs.is_empty() {
            self.flow.enter();
        }
        let style = element.attribute("style-name").map(|name| key("paragraph", &name));
        let (mut shape, setting) = self.sheet.paragraph(style.as_deref());
        let is_named = shape.style_name.as_deref().is_some_and(|name| name.starts_with("Heading"));
        if element.name() == "h" && !is_named {
            let level = element.attribute("outline-level").or_else(|| element.attribute("level"));
            shape.style_name = Some(format!("Heading {}", level.as_deref().unwrap_or("1")));
        }
        self.paragraphs.push(OpenParagraph { shape, settings: self.settings.len() });
        self.settings.push(setting);
        if !self.mark.is_empty() {
            let mark = std::mem::take(&mut self.mark);
            self.write_mark(&mark);
            self.flow.gap();
        }
    }

    fn close_paragraph(&mut self) {
        let Some(paragraph) = self.paragraphs.pop() else { return };
        self.settings.truncate(paragraph.settings);
        if self.paragraphs.is_empty() {
            self.flow.end_paragraph(&paragraph.shape);
        } else {
            self.flow.leave(&paragraph.shape);
        }
    }

    fn open_span(&mut self, element: &Element<'_>) {
        let style = element.attribute("style-name").map(|name| self.sheet.run(&key("text", &name)));
        self.settings.push(style.unwrap_or_default().over(self.setting()));
    }

    fn write(&mut self, text: &str) {
        let setting = self.setting();
        if !setting.is_hidden() {
            self.flow.text(text, &setting.look());
        }
    }

    fn write_mark(&mut self, mark: &str) {
        let raised = Setting { raised: Some(SUPERSCRIPT), ..Setting::default() };
        self.flow.text(mark, &raised.over(self.setting()).look());
    }
}

impl Visitor for Body<'_> {
    fn open(&mut self, element: &Element<'_>) -> Descent {
        let name = element.name();
        match name {
            "body" => self.in_body = true,
            _ if !self.in_body => {}
            "p" | "h" => self.open_paragraph(element),
            "span" | "a" => self.open_span(element),
            "s" | "tab" | "tab-stop" => self.flow.gap(),
            "line-break" => self.flow.end_line(),
            "note-citation" | "footnote-citation" | "endnote-citation" => self.in_mark = true,
            "note-body" | "footnote-body" | "endnote-body" if self.before_note.is_none() => {
                self.before_note = Some(self.flow.take_blocks());
            }
            "hidden-text" if element.attribute("is-hidden").as_deref() == Some("true") => {
                return Descent::Past;
            }
            // The field that shows the document's title has the same name without its prefix.
            "title" if element.full_name() != "text:title" => return Descent::Past,
            name if is_passed(name) => return Descent::Past,
            _ => {}
        }
        Descent::Into
    }

    fn text(&mut self, text: &str) {
        if self.in_mark {
            self.mark.push_str(text);
        } else if !self.paragraphs.is_empty() {
            self.write(text);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" | "h" if self.in_body => self.close_paragraph(),
            "span" | "a" => {
                let least = self.paragraphs.last().map_or(0, |paragraph| paragraph.settings + 1);
                if self.settings.len() > least {
                    self.settings.pop();
                }
            }
            "note-citation" | "footnote-citation" | "endnote-citation" => {
                self.in_mark = false;
                let mark = self.mark.clone();
                self.write_mark(&mark);
            }
            "note-body" | "footnote-body" | "endnote-body" => {
                self.mark.clear();
                if let Some(before) = self.before_note.take() {
                    self.notes.extend(self.flow.take_blocks());
                    self.flow.put_back(before);
                }
            }
            _ => {}
        }
    }
}

/// What holds no text of the document.
fn is_passed(name: &str) -> bool {
    matches!(
        name,
        // Deleted in tracked changes, comments, forms, lists of variables.
        "tracked-changes" | "annotation" | "annotation-end" | "forms" | "scripts"
        | "sequence-decls" | "variable-decls" | "user-field-decls" | "dde-connection-decls"
        // Embedded objects and their captions for the blind, small print above ideographs.
        | "object" | "object-ole" | "binary-data" | "desc" | "ruby-text"
        | "table-of-content-source" | "bibliography-source" | "alphabetical-index-source"
        | "illustration-index-source" | "table-index-source" | "user-index-source"
        | "object-index-source" | "event-listeners" | "math"
    )
}

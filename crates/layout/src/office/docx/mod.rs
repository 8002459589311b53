//! DOCX: Word since 2007 (ECMA-376).
//!
//! The parts are found by their relations, since their names are a habit only. Headers, footers
//! and comments are left out, footnotes and endnotes come at the end.

mod body;
mod styles;

use super::core_properties::{read_core_properties, read_page_count};
use super::flow::Flow;
use super::parts::Parts;
use super::xml::{Descent, Element, Visitor};
use crate::{LayoutPage, LayoutText, ReadLimits};
use body::{Body, Notes};
use styles::read_styles;

pub(crate) fn read_docx(bytes: &[u8], limits: &ReadLimits) -> LayoutText {
    let mut parts = Parts::open(bytes, limits);
    let document =
        parts.related("", "officeDocument").unwrap_or_else(|| "word/document.xml".to_owned());
    let mut text = LayoutText::default();
    let sheet = read_styles(&mut parts, &document);
    let notes = Notes::default();
    let mut body = Body::new(&sheet, Flow::new(limits.words), notes);
    if !parts.walk(&document, &mut body) {
        parts.missing(&document);
    }
    for kind in ["footnotes", "endnotes"] {
        if let Some(name) = parts.related(&document, kind) {
            parts.walk(&name, &mut body);
        }
    }
    let blocks = parts.blocks(body.into_flow());
    if !blocks.is_empty() {
        text.pages.push(LayoutPage { blocks, ..LayoutPage::default() });
    }
    let core = parts.related("", "core-properties");
    text.properties =
        read_core_properties(&mut parts, core.as_deref().unwrap_or("docProps/core.xml"));
    if text.properties.language.is_none() {
        text.properties.language = sheet.language;
    }
    let extended = parts.related("", "extended-properties");
    let extended = extended.as_deref().unwrap_or("docProps/app.xml");
    let (producer, page_count) = read_page_count(&mut parts, extended);
    text.properties.producer = producer;
    text.page_count = page_count;
    text.oddities = parts.oddities;
    text
}

/// The target of the relation of a kind, among those of one part.
#[derive(Debug)]
pub(crate) struct Relations<'a> {
    pub(crate) kind: &'a str,
    pub(crate) target: Option<String>,
}

impl Visitor for Relations<'_> {
    fn open(&mut self, element: &Element<'_>) -> Descent {
        if element.name() == "Relationship" && self.target.is_none() {
            let kind = element.attribute("Type").unwrap_or_default();
            if kind.rsplit('/').next() == Some(self.kind) {
                self.target = element.attribute("Target");
            }
        }
        Descent::Into
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, _: &str) {}
}

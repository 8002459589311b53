//! ODT: OpenDocument text, also as one flat XML file, and its forerunner SXW.
//!
//! Both are read alike: the forerunner differs in where it keeps properties of styles and in the
//! names of footnotes. Headers and footers belong to page styles and are left out; footnotes and
//! endnotes come at the end.

mod body;
mod styles;

use super::core_properties::Fields;
use super::flow::Flow;
use super::parts::{Part, Parts};
use super::xml::{Descent, Element, Visitor};
use crate::{LayoutPage, LayoutText, ReadLimits};
use body::Body;
use styles::StylesReader;

pub(crate) fn read_odt(bytes: &[u8], limits: &ReadLimits) -> LayoutText {
    let mut parts = Parts::open(bytes, limits);
    let mut fields = Fields::default();
    let mut styles = StylesReader::default();
    let content = if bytes.starts_with(b"PK") {
        content_of_archive(&mut parts, &mut fields, &mut styles)
    } else {
        let flat = Part::flat(&bytes[..bytes.len().min(limits.unpacked)]);
        // The faults of a flat document are noted when its text is read, so here and below.
        let _ = flat.walk(&mut fields);
        Some(flat)
    };
    let mut blocks = Vec::new();
    if let Some(content) = content {
        // The styles made by hand stand in the same part as the text, before it.
        let _ = content.walk(&mut styles);
        styles.sheet.flatten();
        let mut reader = Body::new(&styles.sheet, Flow::new(limits.words));
        parts.walk_through(&content, &mut reader);
        let (read, left_out) = reader.into_blocks();
        parts.oddities.extend(left_out);
        blocks = read;
    }
    let page_count = fields.page_count();
    let mut properties = fields.into_properties();
    properties.language = properties.language.or(styles.sheet.language);
    let page = LayoutPage { blocks, ..LayoutPage::default() };
    let pages = if page.blocks.is_empty() { Vec::new() } else { vec![page] };
    LayoutText { pages, page_count, properties, oddities: parts.oddities }
}

/// The part with the text, after those about it; `None` if it cannot be had, which is noted.
fn content_of_archive(
    parts: &mut Parts<'_>,
    fields: &mut Fields,
    styles: &mut StylesReader,
) -> Option<Part> {
    parts.walk("meta.xml", fields);
    let mut encryption = Encryption::default();
    parts.walk("META-INF/manifest.xml", &mut encryption);
    if encryption.found {
        parts.locked();
        return None;
    }
    parts.walk("styles.xml", styles);
    let content = parts.part("content.xml");
    if content.is_none() {
        parts.missing("content.xml");
    }
    content
}

/// Whether the manifest says how parts were encrypted.
#[derive(Debug, Default)]
struct Encryption {
    found: bool,
}

impl Visitor for Encryption {
    fn open(&mut self, element: &Element<'_>) -> Descent {
        self.found |= element.name() == "encryption-data";
        Descent::Into
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, _: &str) {}
}

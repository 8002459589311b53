//! The XML parts of DOCX and ODT, walked from tag to tag.
//!
//! Namespaces are ignored: each part has one vocabulary whose local names tell enough. Nothing is
//! expanded (no entities of a DTD), so a small file stays small. Broken XML gives what stood before
//! the fault.

use auslese_markup::decode;
use auslese_model::Oddity;
use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::borrow::Cow;

/// Elements within elements. Tables in tables in text boxes stay below 100.
pub const MAX_PART_DEPTH: usize = 500;

/// Who walks: told of each tag and text in turn.
pub(crate) trait Visitor {
    fn open(&mut self, element: &Element<'_>) -> Descent;
    fn text(&mut self, text: &str);
    /// Not called for elements that were passed by.
    fn close(&mut self, name: &str);
}

/// Whether an element's content is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Descent {
    Into,
    Past,
}

/// An opening tag.
#[derive(Debug)]
pub(crate) struct Element<'a>(&'a BytesStart<'a>);

impl<'a> Element<'a> {
    /// Without its prefix.
    pub(crate) fn name(&self) -> &'a str {
        self.0.local_name().into_inner()
    }

    pub(crate) fn full_name(&self) -> &'a str {
        self.0.name().into_inner()
    }

    /// By its name without prefix; the first if there are several.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut all = self.0.attributes();
        let found = all.with_checks(false).flatten().find(|attribute| {
            let key: &str = attribute.key.as_ref();
            attribute.key.local_name().as_ref() == name && !key.starts_with("xmlns:")
        })?;
        Some(match unescape(&found.value) {
            Ok(value) => value.into_owned(),
            Err(_) => found.value.into_owned(),
        })
    }
}

/// Walks through a part.
pub(crate) fn walk(part: &[u8], visitor: &mut impl Visitor) -> Result<(), Oddity> {
    let (xml, _) = decode(part, Some("utf-8"));
    let mut reader = Reader::from_str(&xml);
    reader.config_mut().allow_dangling_amp = true;
    let mut depth = 0_usize;
    // The depth of the element that is passed by.
    let mut past: Option<usize> = None;
    loop {
        let event =
            reader.read_event().map_err(|error| Oddity::new("broken-xml", error.to_string()))?;
        match event {
            Event::Start(start) => {
                depth += 1;
                if depth > MAX_PART_DEPTH {
                    return Err(Oddity::new("broken-xml", format!("over {MAX_PART_DEPTH} deep")));
                }
                if past.is_none() && visitor.open(&Element(&start)) == Descent::Past {
                    past = Some(depth);
                }
            }
            Event::Empty(_) if past.is_some() => {}
            Event::Empty(start) => {
                let descent = visitor.open(&Element(&start));
                if descent == Descent::Into {
                    visitor.close(start.local_name().into_inner());
                }
            }
            Event::End(end) => {
                match past {
                    Some(passed) if passed == depth => past = None,
                    Some(_) => {}
                    None => visitor.close(end.local_name().into_inner()),
                }
                depth = depth.saturating_sub(1);
            }
            Event::Text(text) if past.is_none() => visitor.text(&text.xml10_content()),
            Event::CData(text) if past.is_none() => visitor.text(&text.xml10_content()),
            Event::GeneralRef(reference) if past.is_none() => visitor.text(&referred(&reference)),
            Event::Eof if depth > 0 => return Err(Oddity::new("truncated", "XML ends early")),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

fn referred(reference: &BytesRef<'_>) -> Cow<'static, str> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string().into();
    }
    let name: &str = reference;
    resolve_xml_entity(name).map_or_else(|| format!("&{name};").into(), Cow::Borrowed)
}

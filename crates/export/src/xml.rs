//! Writes XML that every parser accepts, whatever the texts hold.
//!
//! Characters that XML cannot hold become U+FFFD, and one text or attribute value is cut where parsers
//! that defend themselves would stop reading ([`MAX_XML_TEXT`] of `markup`). Names are ours and fixed.

use auslese_markup::MAX_XML_TEXT;
use std::fmt::Write as _;

/// XML that is being written: the caller opens and closes elements in pairs.
#[derive(Debug, Default)]
pub(crate) struct Xml {
    text: String,
    /// Bytes of the text since the last tag.
    run: usize,
}

/// Attributes of one element, in their order.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Xml {
    pub(crate) fn start(&mut self, name: &str, attributes: Attributes<'_>) {
        self.tag(name, attributes);
        self.text.push('>');
    }

    pub(crate) fn end(&mut self, name: &str) {
        self.run = 0;
        let _ = write!(self.text, "</{name}>");
    }

    pub(crate) fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.tag(name, attributes);
        self.text.push_str("/>");
    }

    /// An element with nothing but text in it.
    pub(crate) fn element(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        self.start(name, attributes);
        self.text(text);
        self.end(name);
    }

    pub(crate) fn text(&mut self, text: &str) {
        let room = MAX_XML_TEXT.saturating_sub(self.run);
        self.run += escape_onto(text, Place::Text, room, &mut self.text);
    }

    /// Appends what was written elsewhere.
    pub(crate) fn written(&mut self, xml: &str) {
        self.run = 0;
        self.text.push_str(xml);
    }

    /// Begins a new line between elements, where white space means nothing.
    pub(crate) fn line(&mut self) {
        self.text.push('\n');
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn tag(&mut self, name: &str, attributes: Attributes<'_>) {
        self.run = 0;
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            escape_onto(value, Place::Attribute, MAX_XML_TEXT, &mut self.text);
            self.text.push('"');
        }
    }
}

/// Text as it stands in XML or HTML between tags or in an attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_onto(text, Place::Attribute, usize::MAX, &mut out);
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Text,
    Attribute,
}

/// Appends no more than `room` bytes, and says how many.
fn escape_onto(text: &str, place: Place, room: usize, out: &mut String) -> usize {
    let before = out.len();
    for letter in text.chars() {
        if out.len() - before + LONGEST_REPLACEMENT > room {
            break;
        }
        match replacement(letter, place) {
            Some(instead) => out.push_str(instead),
            None => out.push(letter),
        }
    }
    out.len() - before
}

/// Bytes that one character may become.
const LONGEST_REPLACEMENT: usize = 6;

fn replacement(letter: char, place: Place) -> Option<&'static str> {
    Some(match letter {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' if place == Place::Attribute => "&quot;",
        '\t' | '\n' | '\r' | '\u{c}' if place == Place::Attribute => " ",
        // A form feed is white space in HTML; a carriage return would be read as a line feed.
        '\u{c}' => " ",
        '\r' => "\n",
        '\0'..='\u{8}' | '\u{b}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => "\u{fffd}",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold() {
        let mut xml = Xml::default();
        xml.start("a", &[("b", "\"<\t>&\u{1}'")]);
        xml.text("x < y & z > \u{0}\u{c}\u{ffff}\"");
        xml.empty("c", &[]);
        xml.end("a");
        assert_eq!(
            xml.into_text(),
            "<a b=\"&quot;&lt; &gt;&amp;\u{fffd}'\">x &lt; y &amp; z &gt; \u{fffd} \u{fffd}\"<c/></a>"
        );
    }

    #[test]
    fn long_texts_are_cut() {
        let mut xml = Xml::default();
        for _ in 0..3 {
            xml.text(&"&".repeat(MAX_XML_TEXT / 5));
        }
        assert!(xml.into_text().len() <= MAX_XML_TEXT);
    }
}

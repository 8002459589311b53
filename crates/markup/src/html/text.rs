//! The tokenizer, text: §13.2.5.1 to §13.2.5.5, and the content of elements that is no markup.

use super::arena::{Content, NONE, Span, Spot};
use super::parser::{Extent, Parser, Reading};
use super::tokens::{Text, TextKind, Token};
use crate::char_refs::Place;
use crate::lexer::{next_end_tag, script_end};
use crate::names::Known;
use crate::parse_errors::ParseError;
use memchr::{memchr, memchr2};

impl Parser<'_> {
    /// Reads the whole document.
    pub(super) fn run(&mut self) {
        while self.full().is_none() {
            match self.reading {
                Reading::Markup => match self.bytes.get(self.at) {
                    Some(b'<') => self.read_markup(),
                    Some(_) => self.read_text(0),
                    None => {
                        self.handle(Token::EndOfFile);
                        return;
                    }
                },
                Reading::Raw(element) => self.read_raw(element),
                Reading::Plaintext => self.read_plaintext(),
            }
        }
    }

    /// Reads what begins with an angle bracket.
    fn read_markup(&mut self) {
        match self.bytes.get(self.at + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => self.read_start_tag(),
            Some(b'/') => match self.bytes.get(self.at + 2) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    if let Some(tag) = self.read_end_tag() {
                        self.end_tag(tag);
                    }
                }
                Some(b'>') => {
                    self.errors.count(ParseError::BadTag);
                    self.at += 3;
                }
                Some(_) => {
                    self.errors.count(ParseError::BadTag);
                    self.read_bogus_comment(self.at + 2);
                }
                None => {
                    self.errors.count(ParseError::OpenAtEnd);
                    self.read_text(2);
                }
            },
            Some(b'!') => self.read_declaration(),
            Some(b'?') => {
                self.errors.count(ParseError::BadTag);
                self.read_bogus_comment(self.at + 1);
            }
            Some(_) => {
                self.errors.count(ParseError::BadTag);
                self.read_text(1);
            }
            None => {
                self.errors.count(ParseError::OpenAtEnd);
                self.read_text(1);
            }
        }
    }

    /// Reads text up to the next angle bracket after the first `taken` bytes.
    fn read_text(&mut self, taken: usize) {
        let (start, from) = (self.at, self.at + taken);
        let rest = &self.bytes[from..];
        let (end, has_references) = match memchr2(b'<', b'&', rest) {
            Some(length) if rest[length] == b'<' => (from + length, false),
            Some(length) => {
                let end = memchr(b'<', &rest[length..]).map(|more| from + length + more);
                (end.unwrap_or(self.bytes.len()), true)
            }
            None => (self.bytes.len(), false),
        };
        self.at = end;
        if self.has_null {
            return self.text_between_nulls(start, end);
        }
        let span = if has_references {
            self.resolved(start, end, Place::Text, ParseError::BadCharacter)
        } else {
            Span::new(start, end)
        };
        self.handle(Token::Text(Text {
            span,
            written: Span::new(start, end),
            kind: TextKind::Markup,
        }));
    }

    /// NUL is no text; what it is depends on where it stands.
    fn text_between_nulls(&mut self, start: usize, end: usize) {
        let mut start = start;
        while start < end {
            let next = memchr(b'\0', &self.bytes[start..end]).map_or(end, |length| start + length);
            if start < next {
                let span = self.resolved(start, next, Place::Text, ParseError::BadCharacter);
                self.handle(Token::Text(Text {
                    span,
                    written: Span::new(start, next),
                    kind: TextKind::Markup,
                }));
            }
            if next < end {
                self.errors.count(ParseError::BadCharacter);
                self.handle(Token::Null);
            }
            start = next + 1;
        }
    }

    fn read_plaintext(&mut self) {
        let (start, end) = (self.at, self.bytes.len());
        self.at = end;
        self.reading = Reading::Markup;
        if start < end {
            let span = self.without_nulls(start, end, ParseError::BadCharacter);
            self.handle(Token::Text(Text {
                span,
                written: Span::new(start, end),
                kind: TextKind::Plaintext,
            }));
        }
    }

    /// Reads the content of an element that is no markup, and its end tag.
    fn read_raw(&mut self, element: Known) {
        self.reading = Reading::Markup;
        let start = self.at;
        let found = match element {
            Known::Script => script_end(self.bytes, start),
            _ => next_end_tag(self.bytes, start, element.as_str()).ok_or(false),
        };
        if found == Err(true) {
            self.errors.count(ParseError::OpenAtEnd);
        }
        let end = found.unwrap_or(self.bytes.len());
        self.at = end;
        if !self.is_bulk(element) {
            let has_references = matches!(element, Known::Title | Known::Textarea);
            let mut span = if has_references {
                self.resolved(start, end, Place::Text, ParseError::BadCharacter)
            } else {
                self.without_nulls(start, end, ParseError::BadCharacter)
            };
            if self.ignore_line_feed && self.arena.text(span).starts_with('\n') {
                span.start += 1;
            }
            let parent = self.open.current().id;
            self.arena.attach_text(Spot { parent, next: NONE }, span);
        }
        self.ignore_line_feed = false;
        if end == self.bytes.len() {
            self.errors.count(ParseError::OpenAtEnd);
            self.open.pop();
        } else if self.read_end_tag().is_some() {
            self.open.pop();
        } else {
            // The source ends within the end tag.
            self.errors.count(ParseError::OpenAtEnd);
            self.open.pop();
        }
    }

    /// Whether the content of the current element is left out: programs and style sheets in a lean
    /// tree. Scripts that hold data, such as JSON-LD, stay.
    fn is_bulk(&self, element: Known) -> bool {
        self.extent == Extent::Lean
            && match element {
                Known::Style => true,
                Known::Script => !self.current_holds_data(),
                _ => false,
            }
    }

    /// `application/ld+json` and its like.
    fn current_holds_data(&self) -> bool {
        let id = self.open.current().id;
        let Content::Element { attributes, .. } = self.arena.nodes[id as usize].content else {
            return false;
        };
        let mut attributes = self.arena.attributes[attributes.range()].iter();
        let media_type = attributes.find(|attribute| attribute.name.known == Known::Type);
        media_type.is_some_and(|attribute| {
            let written = self.arena.text(attribute.value).trim_ascii_end();
            written.to_ascii_lowercase().ends_with("json")
        })
    }
}

//! The insertion modes before the body: §13.2.6.4.1 to §13.2.6.4.6.

use super::arena::{DOCUMENT, NONE, Span, Spot};
use super::categories::THOROUGH_END;
use super::formatting::Entry;
use super::interner::Name;
use super::open_elements::Open;
use super::parser::{Mode, Next, Parser};
use super::tokens::{Tag, Text, Token, leading_white};
use crate::names::Known;
use crate::parse_errors::ParseError;
use crate::tree::Namespace;

impl Parser<'_> {
    /// The white space that a text begins with, and the rest if there is one.
    pub(super) fn split_white(&self, text: Text) -> (Span, Option<Text>) {
        let Span { start, end } = text.span;
        let middle = start + leading_white(self.arena.text(text.span)) as u32;
        let rest = Text { span: Span { start: middle, end }, ..text };
        (Span { start, end: middle }, (middle < end).then_some(rest))
    }

    pub(super) fn initial(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => match self.split_white(text).1 {
                None => return Next::Done,
                Some(rest) => return self.without_doctype(Token::Text(rest)),
            },
            Token::Comment(text) => return self.comment_in(DOCUMENT, text),
            _ => {}
        }
        self.without_doctype(token)
    }

    fn without_doctype(&mut self, token: Token) -> Next {
        self.errors.count(ParseError::MissingDoctype);
        self.quirks = true;
        self.mode = Mode::BeforeHtml;
        self.before_html(token)
    }

    pub(super) fn before_html(&mut self, token: Token) -> Next {
        match token {
            Token::Comment(text) => return self.comment_in(DOCUMENT, text),
            Token::Text(text) if self.split_white(text).1.is_none() => return Next::Done,
            Token::Text(text) => {
                self.open_root(Span::default());
                return self.before_head(Token::Text(text));
            }
            Token::Start(tag) if tag.name.known == Known::Html => {
                self.open_root(tag.attributes);
                return Next::Done;
            }
            Token::End(tag) if !ends_anything(tag) => return self.unexpected(token),
            _ => {}
        }
        self.open_root(Span::default());
        Next::Again
    }

    fn open_root(&mut self, attributes: Span) {
        let name = Name::from(Known::Html);
        let id = self.arena.element(name, Namespace::Html, attributes);
        self.arena.attach(Spot { parent: DOCUMENT, next: NONE }, id);
        self.open.push(Open::new(id, name, Namespace::Html));
        self.mode = Mode::BeforeHead;
    }

    pub(super) fn before_head(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) if self.split_white(text).1.is_none() => return Next::Done,
            Token::Text(text) => {
                let rest = self.split_white(text).1.unwrap_or(text);
                self.open_head(Span::default());
                return self.in_head(Token::Text(rest));
            }
            Token::Comment(text) => return self.insert_comment(text),
            Token::Start(tag) => match tag.name.known {
                Known::Html => return self.in_body(token),
                Known::Head => {
                    self.open_head(tag.attributes);
                    return Next::Done;
                }
                _ => {}
            },
            Token::End(tag) if !ends_anything(tag) => return self.unexpected(token),
            _ => {}
        }
        self.open_head(Span::default());
        Next::Again
    }

    fn open_head(&mut self, attributes: Span) {
        self.head = self.insert(Name::from(Known::Head), Namespace::Html, attributes);
        self.mode = Mode::InHead;
    }

    pub(super) fn in_head(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => {
                let (white, rest) = self.split_white(text);
                self.insert_text(white);
                let Some(rest) = rest else { return Next::Done };
                self.open.pop();
                self.mode = Mode::AfterHead;
                return self.after_head(Token::Text(rest));
            }
            Token::Comment(text) => return self.insert_comment(text),
            Token::Start(tag) => match tag.name.known {
                Known::Html => return self.in_body(token),
                Known::Base | Known::Basefont | Known::Bgsound | Known::Link | Known::Meta => {
                    self.insert_void(tag);
                    self.note_base(tag);
                    return Next::Done;
                }
                Known::Title | Known::Noframes | Known::Style | Known::Script => {
                    return self.insert_raw(tag);
                }
                Known::Noscript => {
                    self.insert_html(tag);
                    self.mode = Mode::InHeadNoscript;
                    return Next::Done;
                }
                Known::Template => {
                    self.insert_html(tag);
                    self.formatting.push(Entry::Marker);
                    self.frameset_ok = false;
                    self.mode = Mode::InTemplate;
                    self.template_modes.push(Mode::InTemplate);
                    return Next::Done;
                }
                Known::Head => return self.unexpected(token),
                _ => {}
            },
            Token::End(tag) => match tag.name.known {
                Known::Head => {
                    self.open.pop();
                    self.mode = Mode::AfterHead;
                    return Next::Done;
                }
                Known::Body | Known::Html | Known::Br => {}
                Known::Template => return self.end_template(token),
                _ => return self.unexpected(token),
            },
            Token::Null | Token::EndOfFile => {}
        }
        self.open.pop();
        self.again_in(Mode::AfterHead)
    }

    /// Keeps what the first `<base>` says.
    fn note_base(&mut self, tag: Tag) {
        if tag.name.known == Known::Base && self.base.is_none() {
            let attributes = &self.arena.attributes[tag.attributes.range()];
            let href = attributes.iter().find(|attribute| attribute.name.known == Known::Href);
            self.base = href.map(|attribute| attribute.value);
        }
    }

    fn end_template(&mut self, token: Token) -> Next {
        if !self.open.has(Known::Template) {
            return self.unexpected(token);
        }
        self.open.close_all_in(THOROUGH_END);
        self.close_to(Known::Template);
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        self.reset_mode();
        Next::Done
    }

    pub(super) fn in_head_noscript(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => {
                let (white, rest) = self.split_white(text);
                self.insert_text(white);
                let Some(rest) = rest else { return Next::Done };
                self.unexpected(token);
                self.open.pop();
                self.mode = Mode::InHead;
                return self.in_head(Token::Text(rest));
            }
            Token::Comment(_) => return self.in_head(token),
            Token::Start(tag) => match tag.name.known {
                Known::Html => return self.in_body(token),
                Known::Basefont
                | Known::Bgsound
                | Known::Link
                | Known::Meta
                | Known::Noframes
                | Known::Style => return self.in_head(token),
                Known::Head | Known::Noscript => return self.unexpected(token),
                _ => {}
            },
            Token::End(tag) => match tag.name.known {
                Known::Noscript => {
                    self.open.pop();
                    self.mode = Mode::InHead;
                    return Next::Done;
                }
                Known::Br => {}
                _ => return self.unexpected(token),
            },
            Token::Null | Token::EndOfFile => {}
        }
        self.unexpected(token);
        self.open.pop();
        self.again_in(Mode::InHead)
    }

    pub(super) fn after_head(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => {
                let (white, rest) = self.split_white(text);
                self.insert_text(white);
                let Some(rest) = rest else { return Next::Done };
                self.open_body(Span::default());
                return self.in_body(Token::Text(rest));
            }
            Token::Comment(text) => return self.insert_comment(text),
            Token::Start(tag) => match tag.name.known {
                Known::Html => return self.in_body(token),
                Known::Body => {
                    self.open_body(tag.attributes);
                    self.frameset_ok = false;
                    return Next::Done;
                }
                Known::Frameset => {
                    self.insert_html(tag);
                    self.mode = Mode::InFrameset;
                    return Next::Done;
                }
                Known::Base
                | Known::Basefont
                | Known::Bgsound
                | Known::Link
                | Known::Meta
                | Known::Noframes
                | Known::Script
                | Known::Style
                | Known::Template
                | Known::Title => return self.late_for_head(token),
                Known::Head => return self.unexpected(token),
                _ => {}
            },
            Token::End(tag) => match tag.name.known {
                Known::Template => return self.in_head(token),
                Known::Body | Known::Html | Known::Br => {}
                _ => return self.unexpected(token),
            },
            Token::Null | Token::EndOfFile => {}
        }
        self.open_body(Span::default());
        Next::Again
    }

    fn open_body(&mut self, attributes: Span) {
        self.insert(Name::from(Known::Body), Namespace::Html, attributes);
        self.mode = Mode::InBody;
    }

    /// Puts an element into the head though that is closed already.
    fn late_for_head(&mut self, token: Token) -> Next {
        self.unexpected(token);
        let head = self.head;
        self.open.push(Open::new(head, Name::from(Known::Head), Namespace::Html));
        let next = self.in_head(token);
        if let Some(at) = self.open.position_of(head) {
            self.open.remove(at);
        }
        next
    }
}

/// Whether the end tag is one that implies elements even before the body.
fn ends_anything(tag: Tag) -> bool {
    matches!(tag.name.known, Known::Head | Known::Body | Known::Html | Known::Br)
}

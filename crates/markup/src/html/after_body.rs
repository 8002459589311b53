//! The insertion modes for templates, framesets and what follows the body: §13.2.6.4.16 and on.

use super::arena::{DOCUMENT, Span};
use super::parser::{Mode, Next, Parser};
use super::tokens::{Text, Token, leading_white};
use crate::names::Known;

impl Parser<'_> {
    pub(super) fn in_template(&mut self, token: Token) -> Next {
        use Known::{
            Base, Basefont, Bgsound, Caption, Col, Colgroup, Link, Meta, Noframes, Script, Style,
            Tbody, Td, Template, Tfoot, Th, Thead, Title, Tr,
        };
        match token {
            Token::Text(_) | Token::Comment(_) => self.in_body(token),
            Token::Start(tag) => {
                let mode = match tag.name.known {
                    Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style
                    | Template | Title => return self.in_head(token),
                    Caption | Colgroup | Tbody | Tfoot | Thead => Mode::InTable,
                    Col => Mode::InColumnGroup,
                    Tr => Mode::InTableBody,
                    Td | Th => Mode::InRow,
                    _ => Mode::InBody,
                };
                self.template_modes.pop();
                self.template_modes.push(mode);
                self.again_in(mode)
            }
            Token::End(tag) if tag.name.known == Template => self.in_head(token),
            Token::EndOfFile => {
                if !self.open.has(Template) {
                    return Next::Done;
                }
                self.unexpected(token);
                self.open.pop_until(|open| open.is(Template));
                self.clear_formatting_to_marker();
                self.template_modes.pop();
                self.reset_mode();
                Next::Again
            }
            Token::End(_) | Token::Null => self.unexpected(token),
        }
    }

    pub(super) fn after_body(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => return self.text_after_body(text),
            Token::Comment(text) => return self.comment_in(self.open.all()[0].id, text),
            Token::Start(tag) if tag.name.known == Known::Html => return self.in_body(token),
            Token::End(tag) if tag.name.known == Known::Html => {
                self.mode = Mode::AfterAfterBody;
                return Next::Done;
            }
            Token::EndOfFile => return Next::Done,
            _ => {}
        }
        self.unexpected(token);
        self.again_in(Mode::InBody)
    }

    /// White space stays in the body; other text opens it again.
    fn text_after_body(&mut self, text: Text) -> Next {
        let (white, rest) = self.split_white(text);
        if !white.is_empty() {
            self.in_body(Token::Text(Text { span: white, ..text }));
        }
        let Some(rest) = rest else { return Next::Done };
        self.unexpected(Token::Text(rest));
        self.mode = Mode::InBody;
        self.handle(Token::Text(rest));
        Next::Done
    }

    pub(super) fn after_after_body(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => return self.text_after_body(text),
            Token::Comment(text) => return self.comment_in(DOCUMENT, text),
            Token::Start(tag) if tag.name.known == Known::Html => return self.in_body(token),
            Token::EndOfFile => return Next::Done,
            _ => {}
        }
        self.unexpected(token);
        self.again_in(Mode::InBody)
    }

    pub(super) fn in_frameset(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => return self.only_white(text),
            Token::Comment(text) => return self.insert_comment(text),
            Token::Start(tag) => match tag.name.known {
                Known::Html => return self.in_body(token),
                Known::Frameset => {
                    self.insert_html(tag);
                    return Next::Done;
                }
                Known::Frame => {
                    self.insert_void(tag);
                    return Next::Done;
                }
                Known::Noframes => return self.in_head(token),
                _ => {}
            },
            Token::End(tag) if tag.name.known == Known::Frameset => {
                if self.open.len() == 1 {
                    return self.unexpected(token);
                }
                self.open.pop();
                if !self.open.current_is(Known::Frameset) {
                    self.mode = Mode::AfterFrameset;
                }
                return Next::Done;
            }
            Token::EndOfFile if self.open.len() == 1 => return Next::Done,
            _ => {}
        }
        self.unexpected(token)
    }

    pub(super) fn after_frameset(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => return self.only_white(text),
            Token::Comment(text) => return self.insert_comment(text),
            Token::Start(tag) => match tag.name.known {
                Known::Html => return self.in_body(token),
                Known::Noframes => return self.in_head(token),
                _ => {}
            },
            Token::End(tag) if tag.name.known == Known::Html => {
                self.mode = Mode::AfterAfterFrameset;
                return Next::Done;
            }
            Token::EndOfFile => return Next::Done,
            _ => {}
        }
        self.unexpected(token)
    }

    pub(super) fn after_after_frameset(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => {
                let is_white = |byte: u8| byte.is_ascii_whitespace();
                if self.arena.text(text.span).bytes().any(is_white) {
                    self.reconstruct_formatting();
                }
                return self.only_white(text);
            }
            Token::Comment(text) => return self.comment_in(DOCUMENT, text),
            Token::Start(tag) => match tag.name.known {
                Known::Html => return self.in_body(token),
                Known::Noframes => return self.in_head(token),
                _ => {}
            },
            Token::EndOfFile => return Next::Done,
            _ => {}
        }
        self.unexpected(token)
    }

    /// Keeps the white space of a text and leaves the rest out.
    fn only_white(&mut self, text: Text) -> Next {
        let (white, rest) = self.split_white(text);
        self.insert_text(white);
        if let Some(rest) = rest {
            self.unexpected_text(text);
            self.insert_white_of(rest);
        }
        Next::Done
    }

    /// Inserts the white space within a text.
    pub(super) fn insert_white_of(&mut self, text: Text) {
        let Span { mut start, end } = text.span;
        while start < end {
            let rest = self.arena.text(Span { start, end });
            let word = rest.bytes().position(|byte| byte.is_ascii_whitespace());
            let Some(word) = word else { return };
            let white = leading_white(&rest[word..]);
            let (from, to) = (start + word as u32, start + (word + white) as u32);
            self.insert_text(Span { start: from, end: to });
            start = to;
        }
    }
}

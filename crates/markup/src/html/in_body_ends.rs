//! The insertion mode "in body": §13.2.6.4.7, end tags and the end of the body.

use super::arena::{NONE, Span};
use super::categories::{HEADING, LIST, OPEN_AT_END, SCOPE};
use super::parser::{Mode, Next, Parser};
use super::tokens::{Tag, Token};
use crate::names::Known;
use crate::parse_errors::ParseError;
use crate::tree::Namespace;

impl Parser<'_> {
    #[rustfmt::skip]
    pub(super) fn body_end_tag(&mut self, tag: Tag, token: Token) -> Next {
        use Known::*;
        match tag.name.known {
            Address | Article | Aside | Blockquote | Button | Center | Details | Dialog | Dir | Div | Dl
            | Fieldset | Figcaption | Figure | Footer | Header | Hgroup | Listing | Main | Menu | Nav | Ol
            | Pre | Search | Section | Select | Summary | Ul => {
                if !self.open.has_in_scope(tag.name.known, SCOPE) {
                    return self.unexpected(token);
                }
                self.open.close_implied();
                self.close_to(tag.name);
            }
            A | B | Big | Code | Em | Font | I | Nobr | S | Small | Strike | Strong | Tt | U => {
                self.adopt(tag.name, token);
            }
            P => {
                if !self.open.has_in_scope(P, SCOPE | super::categories::BUTTON) {
                    self.errors.count(ParseError::UnmatchedEndTag);
                    self.insert_implied(P);
                }
                self.close_paragraph_now();
            }
            Li | Dd | Dt => {
                let scope = if tag.name.known == Li { SCOPE | LIST } else { SCOPE };
                if !self.open.has_in_scope(tag.name.known, scope) {
                    self.errors.count(ParseError::UnmatchedEndTag);
                    return Next::Done;
                }
                self.open.close_implied_except(tag.name);
                self.close_to(tag.name);
            }
            H1 | H2 | H3 | H4 | H5 | H6 => self.end_heading(tag),
            Form => self.end_form(),
            Body => {
                if self.end_body() {
                    self.mode = Mode::AfterBody;
                }
            }
            Html => {
                if self.end_body() {
                    return self.again_in(Mode::AfterBody);
                }
            }
            Applet | Marquee | Object => {
                if !self.open.has_in_scope(tag.name.known, SCOPE) {
                    return self.unexpected(token);
                }
                self.open.close_implied();
                self.close_to(tag.name);
                self.clear_formatting_to_marker();
            }
            Br => {
                self.unexpected(token);
                self.start_break(tag);
            }
            Template => return self.in_head(token),
            _ => return self.end_any_other(tag.name, token),
        }
        Next::Done
    }

    /// `</br>` is read as `<br>`, without its attributes.
    fn start_break(&mut self, tag: Tag) {
        self.start_replaced(Tag { attributes: Span::default(), ..tag });
    }

    /// Whether a body is open that can end here.
    fn end_body(&mut self) -> bool {
        let can_end = self.open.has_in_scope(Known::Body, SCOPE);
        if can_end {
            self.check_end_of_body();
        } else {
            self.errors.count(ParseError::UnmatchedEndTag);
        }
        can_end
    }

    pub(super) fn check_end_of_body(&mut self) {
        if self.open.all().iter().any(|open| !open.is_in(OPEN_AT_END)) {
            self.errors.count(ParseError::OpenAtEnd);
        }
    }

    fn end_heading(&mut self, tag: Tag) {
        if !self.open.any_in_scope(SCOPE, |open| open.is_in(HEADING)) {
            self.errors.count(ParseError::UnmatchedEndTag);
            return;
        }
        self.open.close_implied();
        if !self.open.current().is(tag.name) {
            self.errors.count(ParseError::Misnested);
        }
        self.open.pop_until(|open| open.is_in(HEADING));
    }

    fn end_form(&mut self) {
        if self.open.has(Known::Template) {
            if !self.open.has_in_scope(Known::Form, SCOPE) {
                self.errors.count(ParseError::UnmatchedEndTag);
                return;
            }
            self.open.close_implied();
            if !self.open.current_is(Known::Form) {
                self.errors.count(ParseError::Misnested);
            }
            self.open.pop_until(|open| open.is(Known::Form));
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form == NONE || !self.open.any_in_scope(SCOPE, |open| open.id == form) {
            self.errors.count(ParseError::UnmatchedEndTag);
            return;
        }
        self.open.close_implied();
        let is_current = self.open.current().id == form;
        if let Some(at) = self.open.position_of(form) {
            self.open.remove(at);
        }
        if !is_current {
            self.errors.count(ParseError::Misnested);
        }
    }

    /// Whether an element of HTML is current; before the root is open, none is.
    pub(super) fn is_html_current(&self) -> bool {
        self.open.is_empty() || self.open.current().namespace == Namespace::Html
    }
}

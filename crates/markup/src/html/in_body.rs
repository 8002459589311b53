//! The insertion mode "in body": §13.2.6.4.7, text and start tags.

use super::arena::NONE;
use super::categories::{BUTTON, HEADING, SCOPE, SPECIAL};
use super::formatting::Entry;
use super::interner::Name;
use super::parser::{Mode, Next, Parser, Reading};
use super::tokens::{Tag, Token, is_white};
use crate::names::Known;
use crate::parse_errors::ParseError;
use crate::tree::Namespace;

impl Parser<'_> {
    pub(super) fn in_body(&mut self, token: Token) -> Next {
        match token {
            Token::Start(tag) => self.body_start_tag(tag, token),
            Token::End(tag) => self.body_end_tag(tag, token),
            Token::Text(text) => {
                self.reconstruct_formatting();
                if self.frameset_ok && !is_white(self.arena.text(text.span)) {
                    self.frameset_ok = false;
                }
                self.insert_text(text.span)
            }
            Token::Comment(text) => self.insert_comment(text),
            Token::Null => Next::Done,
            Token::EndOfFile => {
                if self.template_modes.is_empty() {
                    self.check_end_of_body();
                    Next::Done
                } else {
                    self.in_template(token)
                }
            }
        }
    }

    #[rustfmt::skip]
    fn body_start_tag(&mut self, tag: Tag, token: Token) -> Next {
        use Known::*;
        match tag.name.known {
            Address | Article | Aside | Blockquote | Center | Details | Dialog | Dir | Div | Dl | Fieldset
            | Figcaption | Figure | Footer | Header | Hgroup | Main | Menu | Nav | Ol | P | Search | Section
            | Summary | Ul => {
                self.close_paragraph();
                self.insert_html(tag);
            }
            A => {
                self.close_open_link(token);
                self.reconstruct_formatting();
                self.insert_formatting(tag);
            }
            B | Big | Code | Em | Font | I | S | Small | Strike | Strong | Tt | U => {
                self.reconstruct_formatting();
                self.insert_formatting(tag);
            }
            Li | Dd | Dt => self.start_list_item(tag),
            Area | Br | Embed | Img | Keygen | Wbr => self.start_replaced(tag),
            Input => self.start_input(tag, token),
            Html => self.start_second_html(tag, token),
            Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                return self.in_head(token);
            }
            Body => self.start_second_body(tag, token),
            Frameset => self.start_frameset(tag, token),
            H1 | H2 | H3 | H4 | H5 | H6 => self.start_heading(tag),
            Pre | Listing => {
                self.close_paragraph();
                self.insert_html(tag);
                self.ignore_line_feed = true;
                self.frameset_ok = false;
            }
            Form => self.start_form(tag),
            Plaintext => {
                self.close_paragraph();
                self.insert_html(tag);
                self.reading = Reading::Plaintext;
            }
            Button => {
                if self.open.has_in_scope(Button, SCOPE) {
                    self.errors.count(ParseError::Misnested);
                    self.open.close_implied();
                    self.open.pop_until(|open| open.is(Button));
                }
                self.reconstruct_formatting();
                self.insert_html(tag);
                self.frameset_ok = false;
            }
            Nobr => {
                self.reconstruct_formatting();
                if self.open.has_in_scope(Nobr, SCOPE) {
                    self.errors.count(ParseError::Misnested);
                    self.adopt(tag.name, token);
                    self.reconstruct_formatting();
                }
                self.insert_formatting(tag);
            }
            Applet | Marquee | Object => {
                self.reconstruct_formatting();
                self.insert_html(tag);
                self.formatting.push(Entry::Marker);
                self.frameset_ok = false;
            }
            Table => {
                if !self.quirks {
                    self.close_paragraph();
                }
                self.insert_html(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            Param | Source | Track => {
                self.insert_void(tag);
            }
            Hr => self.start_rule(tag),
            Image => {
                self.unexpected(token);
                self.start_replaced(Tag { name: Img.into(), ..tag });
            }
            Textarea => {
                self.ignore_line_feed = true;
                self.frameset_ok = false;
                return self.insert_raw(tag);
            }
            Xmp => {
                self.close_paragraph();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                return self.insert_raw(tag);
            }
            Iframe => {
                self.frameset_ok = false;
                return self.insert_raw(tag);
            }
            Noembed => return self.insert_raw(tag),
            Select => self.start_select(tag, token),
            Option => self.start_option(tag),
            Optgroup => self.start_option_group(tag),
            Rb | Rtc => self.start_ruby_part(tag, token, None),
            Rp | Rt => self.start_ruby_part(tag, token, Some(Rtc)),
            Math | Svg => {
                self.reconstruct_formatting();
                let is_math = tag.name.known == Math;
                self.start_foreign(tag, if is_math { Namespace::MathMl } else { Namespace::Svg });
            }
            Caption | Col | Colgroup | Frame | Head | Tbody | Td | Tfoot | Th | Thead | Tr => {
                self.unexpected(token);
            }
            _ => {
                self.reconstruct_formatting();
                self.insert_html(tag);
            }
        }
        Next::Done
    }

    /// Closes a paragraph that is open, as blocks do.
    #[inline]
    pub(super) fn close_paragraph(&mut self) {
        if self.open.has_in_scope(Known::P, SCOPE | BUTTON) {
            self.close_paragraph_now();
        }
    }

    pub(super) fn close_paragraph_now(&mut self) {
        self.open.close_implied_except(Name::from(Known::P));
        self.close_to(Known::P);
    }

    pub(super) fn start_replaced(&mut self, tag: Tag) {
        self.reconstruct_formatting();
        self.insert_void(tag);
        self.frameset_ok = false;
    }

    fn start_second_html(&mut self, tag: Tag, token: Token) {
        self.unexpected(token);
        if !self.open.has(Known::Template) {
            self.arena.add_attributes(self.open.all()[0].id, tag.attributes);
        }
    }

    fn start_second_body(&mut self, tag: Tag, token: Token) {
        self.unexpected(token);
        if let Some(body) = self.body()
            && !self.open.has(Known::Template)
        {
            self.frameset_ok = false;
            self.arena.add_attributes(body, tag.attributes);
        }
    }

    fn start_frameset(&mut self, tag: Tag, token: Token) {
        self.unexpected(token);
        if self.frameset_ok
            && let Some(body) = self.body()
        {
            self.arena.detach(body);
            self.open.truncate(1);
            self.insert_html(tag);
            self.mode = Mode::InFrameset;
        }
    }

    /// The second open element, if it is the body.
    fn body(&self) -> Option<super::arena::Id> {
        self.open.all().get(1).filter(|open| open.is(Known::Body)).map(|open| open.id)
    }

    fn start_heading(&mut self, tag: Tag) {
        self.close_paragraph();
        if self.open.current().is_in(HEADING) {
            self.errors.count(ParseError::Misnested);
            self.open.pop();
        }
        self.insert_html(tag);
    }

    fn start_form(&mut self, tag: Tag) {
        let in_template = self.open.has(Known::Template);
        if self.form != NONE && !in_template {
            self.errors.count(ParseError::Misnested);
            return;
        }
        self.close_paragraph();
        let form = self.insert_html(tag);
        if !in_template {
            self.form = form;
        }
    }

    /// An item ends the item before it.
    fn start_list_item(&mut self, tag: Tag) {
        self.frameset_ok = false;
        let is_item = |name: Known| match tag.name.known {
            Known::Li => name == Known::Li,
            _ => matches!(name, Known::Dd | Known::Dt),
        };
        let mut before = None;
        for open in self.open.all().iter().rev() {
            if open.namespace == Namespace::Html && is_item(open.name.known) {
                before = Some(open.name);
                break;
            }
            let is_passed = matches!(open.name.known, Known::Address | Known::Div | Known::P);
            if open.is_in(SPECIAL) && !is_passed {
                break;
            }
        }
        if let Some(name) = before {
            self.open.close_implied_except(name);
            self.close_to(name);
        }
        self.close_paragraph();
        self.insert_html(tag);
    }

    fn start_input(&mut self, tag: Tag, token: Token) {
        if self.open.has_in_scope(Known::Select, SCOPE) {
            self.unexpected(token);
            self.open.pop_until(|open| open.is(Known::Select));
        }
        self.reconstruct_formatting();
        self.insert_void(tag);
        if !self.is_hidden_input(tag) {
            self.frameset_ok = false;
        }
    }

    pub(super) fn is_hidden_input(&self, tag: Tag) -> bool {
        self.value(tag, Known::Type).is_some_and(|value| value.eq_ignore_ascii_case("hidden"))
    }

    /// The value of an attribute of a tag.
    pub(super) fn value(&self, tag: Tag, name: Known) -> Option<&str> {
        let attributes = &self.arena.attributes[tag.attributes.range()];
        let found = attributes.iter().find(|attribute| attribute.name.known == name)?;
        Some(self.arena.text(found.value))
    }

    fn start_rule(&mut self, tag: Tag) {
        self.close_paragraph();
        if self.open.has_in_scope(Known::Select, SCOPE) {
            self.open.close_implied();
            if self.is_in_option() {
                self.errors.count(ParseError::Misnested);
            }
        }
        self.insert_void(tag);
        self.frameset_ok = false;
    }

    fn start_select(&mut self, tag: Tag, token: Token) {
        if self.open.has_in_scope(Known::Select, SCOPE) {
            self.unexpected(token);
            self.open.pop_until(|open| open.is(Known::Select));
            return;
        }
        self.reconstruct_formatting();
        self.insert_html(tag);
        self.frameset_ok = false;
    }

    fn start_option(&mut self, tag: Tag) {
        if self.open.has_in_scope(Known::Select, SCOPE) {
            self.open.close_implied_except(Name::from(Known::Optgroup));
            if self.open.has_in_scope(Known::Option, SCOPE) {
                self.errors.count(ParseError::Misnested);
            }
        } else if self.open.current_is(Known::Option) {
            self.open.pop();
        }
        self.reconstruct_formatting();
        self.insert_html(tag);
    }

    fn start_option_group(&mut self, tag: Tag) {
        if self.open.has_in_scope(Known::Select, SCOPE) {
            self.open.close_implied();
            if self.is_in_option() {
                self.errors.count(ParseError::Misnested);
            }
        } else if self.open.current_is(Known::Option) {
            self.open.pop();
        }
        self.reconstruct_formatting();
        self.insert_html(tag);
    }

    fn is_in_option(&self) -> bool {
        self.open.has_in_scope(Known::Option, SCOPE)
            || self.open.has_in_scope(Known::Optgroup, SCOPE)
    }

    /// Parts of a ruby end each other, but for the one named.
    fn start_ruby_part(&mut self, tag: Tag, token: Token, except: Option<Known>) {
        if self.open.has_in_scope(Known::Ruby, SCOPE) {
            match except {
                Some(name) => self.open.close_implied_except(Name::from(name)),
                None => self.open.close_implied(),
            }
        }
        let fits = |name: Known| self.open.current_is(name);
        if !fits(Known::Ruby) && !except.is_some_and(fits) {
            self.unexpected(token);
        }
        self.insert_html(tag);
    }
}

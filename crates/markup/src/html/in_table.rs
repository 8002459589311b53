//! The insertion modes within tables: §13.2.6.4.9 to §13.2.6.4.15.

use super::arena::NONE;
use super::categories::{CELL, ROW_CONTEXT, TABLE_BODY_CONTEXT, TABLE_PART, TABLE_SCOPE};
use super::formatting::Entry;
use super::parser::{Mode, Next, Parser};
use super::tokens::{Text, Token, is_white, pieces};
use crate::names::Known;
use crate::parse_errors::ParseError;
use crate::tree::Namespace;

impl Parser<'_> {
    pub(super) fn in_table(&mut self, token: Token) -> Next {
        use Known::{
            Body, Caption, Col, Colgroup, Form, Html, Input, Script, Style, Table, Tbody, Td,
            Template, Tfoot, Th, Thead, Tr,
        };
        match token {
            Token::Text(text) => return self.text_in_table(token, Some(text)),
            Token::Null => return self.text_in_table(token, None),
            Token::Comment(text) => return self.insert_comment(text),
            Token::Start(tag) => match tag.name.known {
                Caption => {
                    self.open.clear_to(TABLE_SCOPE);
                    self.formatting.push(Entry::Marker);
                    self.insert_html(tag);
                    self.mode = Mode::InCaption;
                    return Next::Done;
                }
                Colgroup => {
                    self.open.clear_to(TABLE_SCOPE);
                    self.insert_html(tag);
                    self.mode = Mode::InColumnGroup;
                    return Next::Done;
                }
                Col => {
                    self.open.clear_to(TABLE_SCOPE);
                    self.insert_implied(Colgroup);
                    return self.again_in(Mode::InColumnGroup);
                }
                Tbody | Tfoot | Thead => {
                    self.open.clear_to(TABLE_SCOPE);
                    self.insert_html(tag);
                    self.mode = Mode::InTableBody;
                    return Next::Done;
                }
                Td | Th | Tr => {
                    self.open.clear_to(TABLE_SCOPE);
                    self.insert_implied(Tbody);
                    return self.again_in(Mode::InTableBody);
                }
                Table => {
                    self.unexpected(token);
                    if !self.open.has_in_scope(Table, TABLE_SCOPE) {
                        return Next::Done;
                    }
                    self.open.pop_until(|open| open.is(Table));
                    self.reset_mode();
                    return Next::Again;
                }
                Style | Script | Template => return self.in_head(token),
                Input if self.is_hidden_input(tag) => {
                    self.unexpected(token);
                    self.insert_void(tag);
                    return Next::Done;
                }
                Form => {
                    self.unexpected(token);
                    if !self.open.has(Template) && self.form == NONE {
                        let name = tag.name;
                        self.form = self.insert_empty(name, Namespace::Html, tag.attributes);
                    }
                    return Next::Done;
                }
                _ => {}
            },
            Token::End(tag) => match tag.name.known {
                Table => {
                    if !self.open.has_in_scope(Table, TABLE_SCOPE) {
                        return self.unexpected(token);
                    }
                    self.open.pop_until(|open| open.is(Table));
                    self.reset_mode();
                    return Next::Done;
                }
                Body | Caption | Col | Colgroup | Html | Tbody | Td | Tfoot | Th | Thead | Tr => {
                    return self.unexpected(token);
                }
                Template => return self.in_head(token),
                _ => {}
            },
            Token::EndOfFile => return self.in_body(token),
        }
        self.unexpected(token);
        self.foster_in_body(token)
    }

    /// Handles what may not stand in a table as if it stood before it.
    fn foster_in_body(&mut self, token: Token) -> Next {
        self.foster_parenting = true;
        let next = self.in_body(token);
        self.foster_parenting = false;
        next
    }

    fn text_in_table(&mut self, token: Token, text: Option<Text>) -> Next {
        if self.open.current().is_in(TABLE_PART) {
            self.original_mode = self.mode;
            return self.again_in(Mode::InTableText);
        }
        let count = text.map_or(1, |text| pieces(&self.source[text.written.range()], text.kind).0);
        self.errors.count_many(ParseError::MisplacedText, count);
        self.foster_in_body(token)
    }

    pub(super) fn in_table_text(&mut self, token: Token) -> Next {
        match token {
            Token::Null => return Next::Done,
            Token::Text(text) => {
                self.pending_table_text.push(text);
                return Next::Done;
            }
            _ => {}
        }
        let pending = std::mem::take(&mut self.pending_table_text);
        if pending.iter().all(|text| is_white(self.arena.text(text.span))) {
            for text in &pending {
                self.insert_text(text.span);
            }
        } else {
            self.errors.count(ParseError::MisplacedText);
            for text in &pending {
                self.foster_in_body(Token::Text(*text));
            }
        }
        self.pending_table_text = pending;
        self.pending_table_text.clear();
        self.again_in(self.original_mode)
    }

    pub(super) fn in_caption(&mut self, token: Token) -> Next {
        use Known::{Body, Caption, Col, Colgroup, Html, Table, Tbody, Td, Tfoot, Th, Thead, Tr};
        let closes = match token {
            Token::Start(tag) => matches!(
                tag.name.known,
                Caption | Col | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr
            ),
            Token::End(tag) => match tag.name.known {
                Table | Caption => true,
                Body | Col | Colgroup | Html | Tbody | Td | Tfoot | Th | Thead | Tr => {
                    return self.unexpected(token);
                }
                _ => false,
            },
            _ => false,
        };
        if !closes {
            return self.in_body(token);
        }
        if !self.open.has_in_scope(Caption, TABLE_SCOPE) {
            return self.unexpected(token);
        }
        self.open.close_implied();
        self.close_to(Caption);
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        match token {
            Token::End(tag) if tag.name.known == Caption => Next::Done,
            _ => Next::Again,
        }
    }

    pub(super) fn in_column_group(&mut self, token: Token) -> Next {
        match token {
            Token::Text(text) => return self.text_in_column_group(text),
            Token::Comment(text) => return self.insert_comment(text),
            Token::Start(tag) => match tag.name.known {
                Known::Html => return self.in_body(token),
                Known::Col => {
                    self.insert_void(tag);
                    return Next::Done;
                }
                Known::Template => return self.in_head(token),
                _ => {}
            },
            Token::End(tag) => match tag.name.known {
                Known::Colgroup => {
                    if !self.open.current_is(Known::Colgroup) {
                        return self.unexpected(token);
                    }
                    self.open.pop();
                    self.mode = Mode::InTable;
                    return Next::Done;
                }
                Known::Col => return self.unexpected(token),
                Known::Template => return self.in_head(token),
                _ => {}
            },
            Token::EndOfFile => return self.in_body(token),
            Token::Null => {}
        }
        if !self.open.current_is(Known::Colgroup) {
            return self.unexpected(token);
        }
        self.open.pop();
        self.again_in(Mode::InTable)
    }

    fn text_in_column_group(&mut self, text: Text) -> Next {
        let (white, rest) = self.split_white(text);
        self.insert_text(white);
        let Some(rest) = rest else { return Next::Done };
        if self.open.current_is(Known::Colgroup) {
            self.open.pop();
            self.mode = Mode::InTable;
            self.handle(Token::Text(rest));
        } else {
            self.unexpected_text(text);
            self.insert_white_of(rest);
        }
        Next::Done
    }

    pub(super) fn in_table_body(&mut self, token: Token) -> Next {
        use Known::{Body, Caption, Col, Colgroup, Html, Table, Tbody, Td, Tfoot, Th, Thead, Tr};
        match token {
            Token::Start(tag) => match tag.name.known {
                Tr => {
                    self.open.clear_to(TABLE_BODY_CONTEXT);
                    self.insert_html(tag);
                    self.mode = Mode::InRow;
                    return Next::Done;
                }
                Th | Td => {
                    self.unexpected(token);
                    self.open.clear_to(TABLE_BODY_CONTEXT);
                    self.insert_implied(Tr);
                    return self.again_in(Mode::InRow);
                }
                Caption | Col | Colgroup | Tbody | Tfoot | Thead => {
                    return self.leave_table_body(token);
                }
                _ => {}
            },
            Token::End(tag) => match tag.name.known {
                Tbody | Tfoot | Thead => {
                    if !self.open.has_in_scope(tag.name.known, TABLE_SCOPE) {
                        return self.unexpected(token);
                    }
                    self.open.clear_to(TABLE_BODY_CONTEXT);
                    self.open.pop();
                    self.mode = Mode::InTable;
                    return Next::Done;
                }
                Table => return self.leave_table_body(token),
                Body | Caption | Col | Colgroup | Html | Td | Th | Tr => {
                    return self.unexpected(token);
                }
                _ => {}
            },
            _ => {}
        }
        self.in_table(token)
    }

    fn leave_table_body(&mut self, token: Token) -> Next {
        let is_part = |name: Known| matches!(name, Known::Table | Known::Tbody | Known::Tfoot);
        let found = self
            .open
            .any_in_scope(TABLE_SCOPE, |open| open.is_in(TABLE_PART) && is_part(open.name.known));
        if !found {
            return self.unexpected(token);
        }
        self.open.clear_to(TABLE_BODY_CONTEXT);
        self.open.pop();
        self.again_in(Mode::InTable)
    }

    pub(super) fn in_row(&mut self, token: Token) -> Next {
        use Known::{Body, Caption, Col, Colgroup, Html, Table, Tbody, Td, Tfoot, Th, Thead, Tr};
        match token {
            Token::Start(tag) => match tag.name.known {
                Th | Td => {
                    self.open.clear_to(ROW_CONTEXT);
                    self.insert_html(tag);
                    self.mode = Mode::InCell;
                    self.formatting.push(Entry::Marker);
                    return Next::Done;
                }
                Caption | Col | Colgroup | Tbody | Tfoot | Thead | Tr => {
                    return self.leave_row(token);
                }
                _ => {}
            },
            Token::End(tag) => match tag.name.known {
                Tr => {
                    self.leave_row(token);
                    return Next::Done;
                }
                Table => return self.leave_row(token),
                Tbody | Tfoot | Thead => {
                    if !self.open.has_in_scope(tag.name.known, TABLE_SCOPE) {
                        return self.unexpected(token);
                    }
                    if !self.open.has_in_scope(Tr, TABLE_SCOPE) {
                        return Next::Done;
                    }
                    return self.leave_row(token);
                }
                Body | Caption | Col | Colgroup | Html | Td | Th => {
                    return self.unexpected(token);
                }
                _ => {}
            },
            _ => {}
        }
        self.in_table(token)
    }

    fn leave_row(&mut self, token: Token) -> Next {
        if !self.open.has_in_scope(Known::Tr, TABLE_SCOPE) {
            return self.unexpected(token);
        }
        self.open.clear_to(ROW_CONTEXT);
        self.open.pop();
        self.again_in(Mode::InTableBody)
    }

    pub(super) fn in_cell(&mut self, token: Token) -> Next {
        use Known::{Body, Caption, Col, Colgroup, Html, Table, Tbody, Td, Tfoot, Th, Thead, Tr};
        match token {
            Token::Start(tag) => match tag.name.known {
                Caption | Col | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr => {
                    if !self.open.any_in_scope(TABLE_SCOPE, |open| open.is_in(CELL)) {
                        return self.unexpected(token);
                    }
                    self.close_cell();
                    return Next::Again;
                }
                _ => {}
            },
            Token::End(tag) => match tag.name.known {
                Td | Th => {
                    if !self.open.has_in_scope(tag.name.known, TABLE_SCOPE) {
                        return self.unexpected(token);
                    }
                    self.open.close_implied();
                    self.close_to(tag.name);
                    self.clear_formatting_to_marker();
                    self.mode = Mode::InRow;
                    return Next::Done;
                }
                Body | Caption | Col | Colgroup | Html => return self.unexpected(token),
                Table | Tbody | Tfoot | Thead | Tr => {
                    if !self.open.has_in_scope(tag.name.known, TABLE_SCOPE) {
                        return self.unexpected(token);
                    }
                    self.close_cell();
                    return Next::Again;
                }
                _ => {}
            },
            _ => {}
        }
        self.in_body(token)
    }

    fn close_cell(&mut self) {
        self.open.close_implied();
        if self.open.pop_until(|open| open.is_in(CELL)) != 1 {
            self.errors.count(ParseError::Misnested);
        }
        self.clear_formatting_to_marker();
        self.mode = Mode::InRow;
    }
}

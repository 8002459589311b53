//! The tokenizer, what begins with `<!` or is no tag: comments (§13.2.5.41 to §13.2.5.52), doctypes
//! and CDATA sections.

use super::arena::{DOCUMENT, NONE, Span, Spot};
use super::doctype_reader::DoctypeReader;
use super::parser::{Extent, Mode, Parser};
use super::quirks::{is_bad_doctype, makes_quirks};
use super::tokens::{Text, TextKind, Token};
use crate::parse_errors::ParseError;
use memchr::{memchr, memchr_iter, memmem};

impl Parser<'_> {
    /// Reads what begins with `<!`.
    pub(super) fn read_declaration(&mut self) {
        let start = self.at + 2;
        let rest = &self.bytes[start..];
        if rest.starts_with(b"--") {
            self.read_comment(start + 2);
        } else if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            self.read_doctype(start + 7);
        } else if rest.starts_with(b"[CDATA[") && !self.is_html_current() {
            self.read_cdata(start + 7);
        } else {
            self.errors.count(ParseError::BadComment);
            self.read_bogus_comment(start);
        }
    }

    /// Reads what is a comment only because it is nothing else.
    pub(super) fn read_bogus_comment(&mut self, start: usize) {
        let end = memchr(b'>', &self.bytes[start..]).map(|length| start + length);
        self.at = end.map_or(self.bytes.len(), |end| end + 1);
        let text = self.without_nulls(start, end.unwrap_or(self.at), ParseError::BadComment);
        self.handle(Token::Comment(text));
    }

    /// A comment ends at `-->`, at `--!>`, or at once with `<!-->` and `<!--->`.
    fn read_comment(&mut self, start: usize) {
        let content = &self.bytes[start..];
        let end_before = |angle: usize| match &content[..angle] {
            b"" => Some((0, ParseError::BadComment)),
            b"-" => Some((0, ParseError::BadComment)),
            before if before.ends_with(b"--") => Some((angle - 2, ParseError::Other)),
            before if before.ends_with(b"--!") => Some((angle - 3, ParseError::BadComment)),
            _ => None,
        };
        let found = memchr_iter(b'>', content).find_map(|at| Some((at, end_before(at)?)));
        let is_closed = found.is_some();
        let length = match found {
            Some((angle, (length, error))) => {
                self.at = start + angle + 1;
                if error == ParseError::BadComment {
                    self.errors.count(error);
                }
                length
            }
            None => {
                self.at = self.bytes.len();
                self.errors.count(ParseError::OpenAtEnd);
                unfinished_comment(content).len()
            }
        };
        self.count_nested_comments(start, self.at);
        let text = if self.extent == Extent::Lean && is_closed {
            Span::new(start, start)
        } else {
            self.without_nulls(start, start + length, ParseError::BadComment)
        };
        self.handle(Token::Comment(text));
    }

    /// Within a comment, `<!--` is an error where a new comment seems to begin.
    fn count_nested_comments(&mut self, start: usize, end: usize) {
        let content = &self.bytes[start..end];
        for at in memmem::find_iter(content, b"<!--") {
            let before = &content[..at];
            let follows_hyphen = before.ends_with(b"-") && !before.ends_with(b"--");
            let is_text = at == 0 || follows_hyphen || before.ends_with(b"--!");
            let ends = matches!(content.get(at + 4), None | Some(b'>'));
            if !is_text && !ends {
                self.errors.count(ParseError::BadComment);
            }
        }
    }

    fn read_cdata(&mut self, start: usize) {
        let found = memmem::find(&self.bytes[start..], b"]]>").map(|length| start + length);
        let end = found.unwrap_or(self.bytes.len());
        self.at = found.map_or(end, |end| end + 3);
        let mut start = start;
        while start < end {
            let next = memchr(b'\0', &self.bytes[start..end]).map_or(end, |length| start + length);
            if start < next {
                let span = Span::new(start, next);
                self.handle(Token::Text(Text { span, written: span, kind: TextKind::Cdata }));
            }
            if next < end {
                self.handle(Token::Null);
            }
            start = next + 1;
        }
        if found.is_none() {
            self.errors.count(ParseError::OpenAtEnd);
        }
    }

    fn read_doctype(&mut self, start: usize) {
        let doctype = DoctypeReader::read(self.source, start);
        self.at = doctype.end;
        self.ignore_line_feed = false;
        self.errors.count_many(ParseError::BadDoctype, doctype.errors);
        if doctype.is_open_at_end {
            self.errors.count(ParseError::OpenAtEnd);
        }
        if self.mode != Mode::Initial {
            self.errors.count(ParseError::MisplacedDoctype);
            return;
        }
        let DoctypeReader { name, public_id, system_id, force_quirks, .. } = doctype;
        let [name_text, public, system] = [&name, &public_id, &system_id].map(Option::as_deref);
        if is_bad_doctype(name_text, public, system) {
            self.errors.count(ParseError::BadDoctype);
        }
        self.quirks = force_quirks || makes_quirks(name_text, public, system);
        let words = [name, public_id, system_id].map(Option::unwrap_or_default);
        let id = self.arena.doctype(words);
        self.arena.attach(Spot { parent: DOCUMENT, next: NONE }, id);
        self.mode = Mode::BeforeHtml;
    }
}

/// What is kept of a comment that does not end: not the beginning of its end.
fn unfinished_comment(content: &[u8]) -> &[u8] {
    if let Some(content) = content.strip_suffix(b"--!") {
        return content;
    }
    let content = content.strip_suffix(b"-").unwrap_or(content);
    content.strip_suffix(b"-").unwrap_or(content)
}

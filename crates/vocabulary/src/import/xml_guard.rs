//! Stands between a file and the XML parser: counts lines, and stops what would need memory without
//! bounds.
//!
//! The parser keeps a stack of open elements, holds a text until the next tag, and writes out
//! entities that a DOCTYPE declares. A hostile file can make the stack and the text as long as
//! itself, and entities within entities much longer than itself. So depth, texts, tags and entities
//! have limits here; entities in entities are refused.

use super::limits::{MAX_ENTITY, MAX_NESTING, MAX_STATEMENT};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// Which line a byte is in, shared by the guard, who sees the bytes, and the reader of the parser,
/// who knows how far it is.
#[derive(Debug, Clone, Default)]
pub(super) struct LineEnds(Rc<RefCell<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    /// Places of line ends behind the last question; the parser is never far behind the guard.
    ahead: VecDeque<u64>,
    passed: u64,
    refusal: Option<(u64, String)>,
}

impl LineEnds {
    /// The line of a place in bytes; places must not go back.
    pub(super) fn line_at(&self, place: u64) -> u64 {
        let mut seen = self.0.borrow_mut();
        while seen.ahead.front().is_some_and(|end| *end < place) {
            seen.ahead.pop_front();
            seen.passed += 1;
        }
        seen.passed + 1
    }

    /// Why the guard stopped, and in which line.
    pub(super) fn refusal(&self) -> Option<(u64, String)> {
        self.0.borrow().refusal.clone()
    }
}

pub(super) struct Guarded<R> {
    from: R,
    line_ends: LineEnds,
    at: u64,
    lines: u64,
    state: State,
    depth: usize,
    /// Bytes of the current text or tag.
    length: usize,
    /// A DOCTYPE as far as it was read; the last bytes of other mark-up.
    markup: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Text,
    /// Just after `<`.
    Opened,
    /// In a tag; within quotes.
    Tag {
        closes: bool,
        quote: Option<u8>,
    },
    Instruction,
    /// After `<!`: a comment, CDATA or DOCTYPE, as its first letters will say.
    Declared,
    Comment,
    CData,
    Doctype {
        brackets: usize,
        quote: Option<u8>,
    },
}

impl<R: BufRead> Guarded<R> {
    pub(super) fn new(from: R, line_ends: LineEnds) -> Guarded<R> {
        Guarded {
            from,
            line_ends,
            at: 0,
            lines: 0,
            state: State::Text,
            depth: 0,
            length: 0,
            markup: Vec::new(),
        }
    }

    fn step(&mut self, byte: u8) -> Result<(), String> {
        if byte == b'\n' {
            self.lines += 1;
            self.line_ends.0.borrow_mut().ahead.push_back(self.at);
        }
        self.at += 1;
        self.length += 1;
        if self.length > MAX_STATEMENT {
            return Err(format!("a text or a tag that does not end within {MAX_STATEMENT} bytes"));
        }
        let next = self.next_state(byte)?;
        if next != self.state {
            let within = matches!((self.state, next), (State::Tag { .. }, State::Tag { .. }));
            if !within && !matches!(next, State::Declared | State::Doctype { .. }) {
                self.markup.clear();
            }
            if next == State::Opened || next == State::Text {
                self.length = 0;
            }
            self.state = next;
        }
        Ok(())
    }

    fn next_state(&mut self, byte: u8) -> Result<State, String> {
        Ok(match (self.state, byte) {
            (State::Text, b'<') => State::Opened,
            (State::Text, _) => State::Text,
            (State::Opened, b'?') => State::Instruction,
            (State::Opened, b'!') => State::Declared,
            (State::Opened, b'/') => {
                self.depth = self.depth.saturating_sub(1);
                State::Tag { closes: true, quote: None }
            }
            (State::Opened, _) => {
                self.depth += 1;
                if self.depth > MAX_NESTING {
                    return Err(format!("more than {MAX_NESTING} elements within each other"));
                }
                State::Tag { closes: false, quote: None }
            }
            (State::Tag { closes, quote: Some(quote) }, it) => {
                State::Tag { closes, quote: Some(quote).filter(|quote| *quote != it) }
            }
            (State::Tag { closes, .. }, b'"' | b'\'') => State::Tag { closes, quote: Some(byte) },
            (State::Tag { closes, .. }, b'>') => {
                if !closes && self.ends_with(b"/") {
                    self.depth = self.depth.saturating_sub(1);
                }
                State::Text
            }
            (State::Tag { .. }, _) => self.keep(byte),
            (State::Instruction, b'>') if self.ends_with(b"?") => State::Text,
            (State::Comment, b'>') if self.ends_with(b"--") => State::Text,
            (State::CData, b'>') if self.ends_with(b"]]") => State::Text,
            (State::Instruction | State::Comment | State::CData, _) => self.keep(byte),
            (State::Declared, _) => self.declared(byte),
            (State::Doctype { brackets, quote }, _) => self.doctype(byte, brackets, quote)?,
        })
    }

    /// What begins with `<!`.
    fn declared(&mut self, byte: u8) -> State {
        self.markup.push(byte);
        match self.markup.as_slice() {
            b"--" => State::Comment,
            b"[CDATA[" => State::CData,
            start if b"--".starts_with(start) || b"[CDATA[".starts_with(start) => State::Declared,
            _ => State::Doctype { brackets: 0, quote: None },
        }
    }

    fn doctype(&mut self, byte: u8, brackets: usize, quote: Option<u8>) -> Result<State, String> {
        self.markup.push(byte);
        Ok(match (byte, quote) {
            (it, Some(open)) => {
                State::Doctype { brackets, quote: Some(open).filter(|open| *open != it) }
            }
            (b'"' | b'\'', None) => State::Doctype { brackets, quote: Some(byte) },
            (b'[' | b'<', None) => State::Doctype { brackets: brackets + 1, quote },
            (b'>', None) if brackets == 0 => {
                check_entities(&self.markup)?;
                State::Text
            }
            (b']' | b'>', None) => State::Doctype { brackets: brackets.saturating_sub(1), quote },
            _ => State::Doctype { brackets, quote },
        })
    }

    /// Remembers the last bytes of mark-up, by which its end is known.
    fn keep(&mut self, byte: u8) -> State {
        if self.markup.len() >= 8 {
            self.markup.drain(..6);
        }
        self.markup.push(byte);
        self.state
    }

    fn ends_with(&self, end: &[u8]) -> bool {
        self.markup.ends_with(end)
    }
}

/// Entities have to be short, and written without other entities.
fn check_entities(doctype: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(doctype);
    for declaration in text.split("<!ENTITY").skip(1) {
        let Some(open) = declaration.find(['"', '\'']) else { continue };
        let quote = char::from(declaration.as_bytes()[open]);
        let value = declaration[open + 1..].split(quote).next().unwrap_or("");
        if value.len() > MAX_ENTITY {
            return Err(format!("an entity of more than {MAX_ENTITY} bytes"));
        }
        if value.contains('&') {
            return Err("an entity that contains other entities".to_owned());
        }
    }
    Ok(())
}

impl<R: BufRead> Read for Guarded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(into)?;
        for byte in &into[..n] {
            if let Err(why) = self.step(*byte) {
                self.line_ends.0.borrow_mut().refusal = Some((self.lines + 1, why.clone()));
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(xml: &str) -> Result<(), String> {
        let mut guarded = Guarded::new(xml.as_bytes(), LineEnds::default());
        match io::copy(&mut guarded, &mut io::sink()) {
            Ok(_) if guarded.depth == 0 => Ok(()),
            Ok(_) => Err(format!("{} elements open", guarded.depth)),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn depth_and_entities() {
        #[rustfmt::skip]
        let fine = [
            "<?xml version='1.0'?><a><b x='>/'/><c y=\"/>\">t</c><!-- <d> -> --> --><![CDATA[<e>]]></a>",
            "<!DOCTYPE r [<!ENTITY skos \"http://x#\"> <!-- > --> ]><r/>",
            "<!DOCTYPE r SYSTEM 'x>y'><r></r>",
            "<a/><b />",
        ];
        for xml in fine {
            assert_eq!(check(xml), Ok(()), "{xml}");
        }
        #[rustfmt::skip]
        let refused = [
            ("<a>".repeat(MAX_NESTING + 1),                                     "elements within each other"),
            (format!("<a>{}</a>", "x".repeat(MAX_STATEMENT + 1)),               "does not end within"),
            ("<!DOCTYPE r [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><r/>".to_owned(), "contains other entities"),
            (format!("<!DOCTYPE r [<!ENTITY a \"{}\">]><r/>", "x".repeat(300)),  "an entity of more than"),
        ];
        for (xml, why) in refused {
            let message = check(&xml).unwrap_err();
            assert!(message.contains(why), "{message}");
        }
    }

    #[test]
    fn lines() {
        let line_ends = LineEnds::default();
        let mut guarded = Guarded::new(&b"<a>\n<b/>\n</a>\n"[..], line_ends.clone());
        io::copy(&mut guarded, &mut io::sink()).unwrap();
        let lines = [0, 3, 4, 8, 9, 14].map(|place| line_ends.line_at(place));
        assert_eq!(lines, [1, 1, 2, 2, 3, 4]);
    }
}

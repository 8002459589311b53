//! Words of a Caddyfile.
//!
//! Words are separated by blanks; whether one begins a line matters. A brace that stands alone
//! opens or closes a block. Quotes and backticks hold text together; `<<END` begins a text that
//! ends at a line `END`. `{$NAME:value}` is put in before anything else is read; of the environment
//! nothing is known, so only the default counts.

use std::borrow::Cow;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) file: Rc<str>,
    pub(crate) line: u32,
    pub(crate) begins_line: bool,
    quoted: bool,
}

impl Token {
    pub(crate) fn opens(&self) -> bool {
        !self.quoted && self.text == "{"
    }

    /// The same word with another text, which still opens and closes no block.
    pub(crate) fn with_text(&self, text: String) -> Token {
        Token { text, quoted: true, ..self.clone() }
    }

    pub(crate) fn closes(&self) -> bool {
        !self.quoted && self.text == "}"
    }
}

pub(crate) fn tokens(text: &str, file: &str) -> Vec<Token> {
    let text = put_in_defaults(text);
    let mut lexer = Lexer { rest: &text, line: 1, begins_line: true, heredocs: true };
    let file: Rc<str> = file.into();
    let mut tokens = Vec::new();
    while lexer.skip_blanks() {
        let (line, begins_line) = (lexer.line, lexer.begins_line);
        let quoted = lexer.rest.starts_with(['"', '`']);
        let text = lexer.word();
        lexer.begins_line = false;
        tokens.push(Token { text, file: file.clone(), line, begins_line, quoted });
    }
    tokens
}

fn put_in_defaults(text: &str) -> Cow<'_, str> {
    if !text.contains("{$") {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{$") {
        let (before, reference) = rest.split_at(at);
        result.push_str(before);
        let end = reference[2..].find(['}', '{', '\n']).map(|end| end + 2);
        let end = end.filter(|end| reference[*end..].starts_with('}'));
        let length = end.map_or(2, |end| end + 1);
        match reference[..length].trim_end_matches('}').split_once(':') {
            Some((_, default)) => result.push_str(default),
            None => result.push_str(&reference[..length]),
        }
        rest = &reference[length..];
    }
    Cow::Owned(result + rest)
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    begins_line: bool,
    /// Until one is never ended: looking for the end of each would take the square of the time.
    heredocs: bool,
}

impl<'a> Lexer<'a> {
    /// Goes to the next word; false at the end.
    fn skip_blanks(&mut self) -> bool {
        loop {
            let Some(first) = self.rest.chars().next() else { return false };
            if first == '\n' {
                self.begins_line = true;
                self.take(1);
            } else if first.is_whitespace() {
                self.take(first.len_utf8());
            } else if let Some(joined) = joined_line(self.rest) {
                self.take(joined);
            } else if first == '#' {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else {
                return true;
            }
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.bytes().filter(|b| *b == b'\n').count() as u32;
        self.rest = rest;
        taken
    }

    fn word(&mut self) -> String {
        if let Some(marker) = heredoc_marker(self.rest).filter(|_| self.heredocs) {
            match heredoc(self.rest, marker) {
                Some((length, body)) => {
                    self.take(length);
                    return body.to_owned();
                }
                None => self.heredocs = false,
            }
        }
        match self.rest.chars().next() {
            Some(quote @ ('"' | '`')) => self.quoted(quote),
            _ => {
                let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
                self.take(end).to_owned()
            }
        }
    }

    fn quoted(&mut self, quote: char) -> String {
        self.take(1);
        let mut escaped = false;
        let end = self.rest.find(|c| {
            let ends = c == quote && !escaped;
            escaped = quote == '"' && c == '\\' && !escaped;
            ends
        });
        let text = self.take(end.unwrap_or(self.rest.len()));
        if end.is_some() {
            self.take(1);
        }
        if quote == '"' { text.replace("\\\"", "\"") } else { text.to_owned() }
    }
}

/// The length of a backslash with the end of its line.
fn joined_line(text: &str) -> Option<usize> {
    ["\\\n", "\\\r\n"].iter().find(|joint| text.starts_with(**joint)).map(|joint| joint.len())
}

/// The word behind `<<`, if the line ends with it.
fn heredoc_marker(text: &str) -> Option<&str> {
    let text = text.strip_prefix("<<")?;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let (marker, rest) = text.split_at(text.find(|c| !word(c)).unwrap_or(text.len()));
    let ends = rest.starts_with('\n') || rest.starts_with("\r\n");
    (ends && !marker.is_empty()).then_some(marker)
}

/// The length of a heredoc, and its text up to the line that is the marker.
fn heredoc<'t>(text: &'t str, marker: &str) -> Option<(usize, &'t str)> {
    let begin = text.find('\n')? + 1;
    let mut end = begin;
    for line in text[begin..].split_inclusive('\n') {
        if line.trim() == marker {
            return Some((end + line.trim_end().len(), &text[begin..end]));
        }
        end += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        let show = |token: &Token| {
            let sign = if token.begins_line { "|" } else { " " };
            let word = if token.opens() || token.closes() {
                token.text.clone()
            } else {
                format!("<{}>", token.text)
            };
            format!("{sign}{word}")
        };
        tokens(text, "f").iter().map(show).collect()
    }

    #[test]
    fn words() {
        #[rustfmt::skip]
        let cases = [
            ("a.example {\n  b c # d\n}\n",        "|<a.example> {|<b> <c>|}"),
            ("a \"b {\\\" c\" `d\\`",              "|<a> <b {\" c> <d\\>"),
            ("a \\\n b",                           "|<a> <b>"),
            ("a \"{\" b",                          "|<a> <{> <b>"),
            ("{$A} {$B:x y} {$C:}z",               "|<{$A}> <x> <y> <z>"),
            ("respond <<END\n } \nEND\nb",         "|<respond> < } \n>|<b>"),
            ("a <<END\nb\nc <<END d",               "|<a> <<<END>|<b>|<c> <<<END> <d>"),
            ("a{$",                                "|<a{$>"),
            ("",                                   ""),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "[<{}$:\"`\\\\#\n\r a-cü]{0,60}") {
            shown(&text);
        }
    }
}

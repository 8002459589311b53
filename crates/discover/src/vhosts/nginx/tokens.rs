//! Words and signs of nginx's configuration language.
//!
//! A word ends at a blank, a semicolon or an opening brace, unless the brace follows a dollar sign.
//! Quotes count at the beginning of a word only. A backslash keeps the next character from meaning
//! anything. All this as nginx 1.22 does it; where nginx refuses a file, this goes on.

/// One word or sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    Semicolon,
    Open,
    Close,
}

/// Reads a text from front to back.
#[derive(Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text, line: 1 }
    }

    /// The line that is being read.
    pub(crate) fn line(&self) -> u32 {
        self.line
    }

    pub(crate) fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let first = self.rest.chars().next()?;
        let sign = match first {
            ';' => Token::Semicolon,
            '{' => Token::Open,
            '}' => Token::Close,
            '"' | '\'' => return Some(Token::Word(self.quoted(first))),
            _ => return Some(Token::Word(self.plain())),
        };
        self.take(1);
        Some(sign)
    }

    /// Passes over Lua code up to the brace that closes its block.
    pub(crate) fn skip_lua(&mut self) {
        let length = lua_block(self.rest);
        self.take(length);
    }

    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if !self.rest.starts_with('#') {
                return;
            }
            let comment = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(comment);
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.bytes().filter(|b| *b == b'\n').count() as u32;
        self.rest = rest;
        taken
    }

    fn quoted(&mut self, quote: char) -> String {
        self.take(1);
        let mut escaped = false;
        let end = self.rest.find(|c| {
            let ends = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let word = self.take(end.unwrap_or(self.rest.len()));
        if end.is_some() {
            self.take(1);
        }
        unescape(word)
    }

    fn plain(&mut self) -> String {
        let (mut escaped, mut variable) = (false, false);
        let end = self.rest.find(|c: char| {
            let ends = !escaped && (c.is_whitespace() || c == ';' || c == '{' && !variable);
            escaped = c == '\\' && !escaped;
            variable = c == '$' && !escaped;
            ends
        });
        unescape(self.take(end.unwrap_or(self.rest.len())))
    }
}

fn unescape(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('"' | '\'' | '\\')) => text.extend(chars.next()),
            ('\\', Some('t' | 'r' | 'n')) => {
                chars.next();
                text.push(' ');
            }
            _ => text.push(c),
        }
    }
    text
}

/// The length of Lua code before the closing brace. Braces in strings and comments do not count.
fn lua_block(code: &str) -> usize {
    let bytes = code.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return at,
            b'}' => depth -= 1,
            b'"' | b'\'' => at += lua_string(&bytes[at..]),
            b'-' if bytes[at..].starts_with(b"--") => at += lua_comment(&bytes[at..]),
            b'[' => at += long_bracket(&bytes[at..]).map_or(0, |length| length - 1),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// How far the last byte of a string is from its first.
fn lua_string(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len() - 1)
}

/// How far the last byte of a comment is from its first.
fn lua_comment(bytes: &[u8]) -> usize {
    match long_bracket(&bytes[2..]) {
        Some(length) => length + 1,
        None => memchr::memchr(b'\n', bytes).unwrap_or(bytes.len()) - 1,
    }
}

/// The length of `[[…]]` or `[==[…]==]`, if that is what stands here.
fn long_bracket(bytes: &[u8]) -> Option<usize> {
    let level = bytes.strip_prefix(b"[")?.iter().take_while(|b| **b == b'=').count();
    if bytes.get(level + 1) != Some(&b'[') {
        return None;
    }
    let close = [&b"]"[..], &b"=".repeat(level), b"]"].concat();
    let end = memchr::memmem::find(&bytes[level + 2..], &close);
    Some(end.map_or(bytes.len(), |end| level + 2 + end + close.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        let mut tokens = Tokens::new(text);
        let mut shown = Vec::new();
        while let Some(token) = tokens.next() {
            shown.push(match token {
                Token::Word(word) => format!("<{word}>"),
                Token::Semicolon => ";".to_owned(),
                Token::Open => "{".to_owned(),
                Token::Close => "}".to_owned(),
            });
        }
        shown.concat()
    }

    #[test]
    fn words_and_signs() {
        #[rustfmt::skip]
        let cases = [
            ("a b;c{d;}",              "<a><b>;<c>{<d>;}"),
            ("a \"b c\" 'd;';",        "<a><b c><d;>;"),
            ("a b\"c d\";",            "<a><b\"c><d\">;"),
            (r#"a "b\"c" d\;e;"#,      r#"<a><b"c><d\;e>;"#),
            ("a # b;\nc;",             "<a><c>;"),
            ("a b#c;",                 "<a><b#c>;"),
            ("set $x ${y}z;",          "<set><$x><${y}z>;"),
            ("a \"not ended;",         "<a><not ended;>"),
            (r"~^w(\d+)\.x\.de$;",     r"<~^w(\d+)\.x\.de$>;"),
            ("~^a{2}$",                "<~^a>{<2}$>"),
            ("\"~^a{2}$\"",            "<~^a{2}$>"),
            ("",                       ""),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn lua_code() {
        #[rustfmt::skip]
        let cases = [
            ("x = {} } rest",                  "x = {} "),
            ("x = \"}\" y = '}\\'}' } rest",   "x = \"}\" y = '}\\'}' "),
            ("-- }\n } rest",                  "-- }\n "),
            ("--[[ } ]] x } rest",             "--[[ } ]] x "),
            ("x = [==[ } ]] ]==] } rest",      "x = [==[ } ]] ]==] "),
            ("a[1] = b[c[2]] } rest",          "a[1] = b[c[2]] "),
            ("never ended {",                  "never ended {"),
            ("\"",                             "\""),
            ("--",                             "--"),
        ];
        for (text, expected) in cases {
            assert_eq!(&text[..lua_block(text)], expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "[-\\[\\]={}\"'\\\\;#$ \na-cü]{0,60}") {
            shown(&text);
            prop_assert!(lua_block(&text) <= text.len());
            Tokens::new(&text).skip_lua();
        }
    }
}

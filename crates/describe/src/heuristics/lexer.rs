//! Cuts a file of heuristics into words, names, texts, XPath expressions, numbers and signs.
//!
//! Two habits of the language are decided here. Names that an author gives begin with a capital
//! letter, words of the language with a small one, so neither can be taken for the other. And in a
//! text only `\"` is special: every other backslash stays, because most texts with one are regular
//! expressions.

use super::faults::{HeuristicsError, SourceFile, Span};

/// What stands at one place of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    /// A word of the language, or one that nobody knows.
    Word(String),
    /// A name an author gave: begins with a capital letter.
    Name(String),
    Text(String),
    XPath(String),
    Number(f64),
    /// `<label>`
    Label(String),
    Sign(&'static str),
    End,
}

impl Token {
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(found) if found == word)
    }

    /// As a message names it.
    pub(crate) fn described(&self) -> String {
        match self {
            Token::Word(word) | Token::Name(word) => format!("`{word}`"),
            Token::Text(text) => format!("the text \"{}\"", shortened(text)),
            Token::XPath(path) => format!("the XPath `{}`", shortened(path)),
            Token::Number(number) => format!("the number {number}"),
            Token::Label(label) => format!("the label <{label}>"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// A token with its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) span: Span,
    /// Whether it is the first of its line; after a fault, reading goes on at such a place.
    pub(crate) begins_line: bool,
}

/// All tokens, the last of which is [`Token::End`].
pub(crate) fn tokens(source: &SourceFile, file: u32) -> (Vec<Placed>, Vec<HeuristicsError>) {
    let mut lexer = Lexer {
        source,
        file,
        at: if source.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
        begins_line: true,
        tokens: Vec::new(),
        faults: Vec::new(),
    };
    while lexer.step() {}
    (lexer.tokens, lexer.faults)
}

/// Signs, longer ones before their beginnings.
const SIGNS: [&str; 14] =
    ["->", "<=", ">=", "!=", "=", "|", ",", "(", ")", "[", "]", "+", "<", ">"];

/// Faults of one file after which reading it ends: they no longer tell anything new.
const MAX_FAULTS: usize = 20;

struct Lexer<'a> {
    source: &'a SourceFile,
    file: u32,
    at: usize,
    begins_line: bool,
    tokens: Vec<Placed>,
    faults: Vec<HeuristicsError>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.source.text[self.at..]
    }

    /// Reads one token; false after the last.
    fn step(&mut self) -> bool {
        self.skip_space();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            self.push(Token::End, start);
            return false;
        };
        if self.faults.len() >= MAX_FAULTS {
            self.push(Token::End, start);
            return false;
        }
        match first {
            '"' => self.text(),
            '`' => self.xpath(),
            '0'..='9' => self.number(),
            letter if letter.is_alphabetic() => self.word(letter),
            _ => self.sign_or_label(first),
        }
        true
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let space = rest.len() - rest.trim_start().len();
            self.begins_line |= rest[..space].contains('\n');
            self.at += space;
            if !self.rest().starts_with('#') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn push(&mut self, token: Token, start: usize) {
        let span = Span { file: self.file, start: start as u32, end: self.at as u32 };
        self.tokens.push(Placed { token, span, begins_line: self.begins_line });
        self.begins_line = false;
    }

    fn fault(&mut self, at: usize, message: impl Into<String>) {
        self.faults.push(self.source.fault(at as u32, message));
    }

    fn text(&mut self) {
        let start = self.at;
        let mut text = String::new();
        let mut letters = self.rest()[1..].char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at = start + 1 + at + 1;
                    return self.push(Token::Text(text), start);
                }
                '\n' => break,
                '\\' if letters.peek().is_some_and(|(_, next)| *next == '"') => {
                    letters.next();
                    text.push('"');
                }
                // Two of them are one to a regular expression, so the second begins nothing.
                '\\' if letters.peek().is_some_and(|(_, next)| *next == '\\') => {
                    letters.next();
                    text.push_str(r"\\");
                }
                letter => text.push(letter),
            }
        }
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        self.fault(start, "expected `\"` at the end of the text, found the end of the line");
        self.push(Token::Text(text), start);
    }

    fn xpath(&mut self) {
        let start = self.at;
        match self.rest()[1..].find('`') {
            Some(length) => {
                let path = self.rest()[1..=length].to_owned();
                self.at += length + 2;
                self.push(Token::XPath(path), start);
            }
            None => {
                self.fault(start, "expected a second ` at the end of the XPath, found none");
                self.at = self.source.text.len();
            }
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let whole = digits(rest);
        let fraction = match rest[whole..].strip_prefix('.') {
            Some(after) if digits(after) > 0 => 1 + digits(after),
            _ => 0,
        };
        let written = &rest[..whole + fraction];
        let number = written.parse().expect("digits with at most one point are a number");
        self.at += whole + fraction;
        self.push(Token::Number(number), start);
    }

    fn word(&mut self, first: char) {
        let start = self.at;
        let rest = self.rest();
        let length = rest.find(|letter| !is_word_part(letter)).unwrap_or(rest.len());
        // `A->` is a name and an arrow.
        let length = rest[..length].trim_end_matches('-').len();
        let word = rest[..length].to_owned();
        self.at += length;
        let token = if first.is_uppercase() { Token::Name(word) } else { Token::Word(word) };
        self.push(token, start);
    }

    fn sign_or_label(&mut self, first: char) {
        let start = self.at;
        if let Some(label) = label(self.rest()) {
            let label = label.to_owned();
            self.at += label.len() + 2;
            return self.push(Token::Label(label), start);
        }
        match SIGNS.into_iter().find(|sign| self.rest().starts_with(sign)) {
            Some(sign) => {
                self.at += sign.len();
                self.push(Token::Sign(sign), start);
            }
            None => {
                self.at += first.len_utf8();
                self.fault(start, format!("{first:?} means nothing here"));
            }
        }
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn is_word_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_')
}

/// The label a text begins with: letters, digits, `-`, `_` and `.` in angle brackets.
fn label(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('<')?;
    let (label, _) = inside.split_once('>')?;
    let is_label = !label.is_empty() && label.chars().all(|c| is_word_part(c) || c == '.');
    is_label.then_some(label)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> String {
        let path = "a.heur".to_owned();
        let source = SourceFile { name: "a".to_owned(), path, text: text.to_owned() };
        let (tokens, faults) = tokens(&source, 0);
        let told = tokens.iter().map(|it| match &it.token {
            Token::Word(word) => word.clone(),
            Token::Name(name) => format!("NAME:{name}"),
            Token::Text(text) => format!("{text:?}"),
            Token::XPath(path) => format!("`{path}`"),
            Token::Number(number) => number.to_string(),
            Token::Label(label) => format!("<{label}>"),
            Token::Sign(sign) => (*sign).to_owned(),
            Token::End => ".".to_owned(),
        });
        let faults = faults.iter().map(ToString::to_string);
        told.chain(faults).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces() {
        #[rustfmt::skip]
        let cases = [
            ("",                              "."),
            ("let A = `//h1` | first # no",   "let NAME:A = `//h1` | first ."),
            ("<1> A-B -> [0.5] A + B",        "<1> NAME:A-B -> [ 0.5 ] NAME:A + NAME:B ."),
            ("A->B",                          "NAME:A -> NAME:B ."),
            ("words(A) <= 30 < 4>",           "words ( NAME:A ) <= 30 < 4 > ."),
            (r#""a \"b\" \d+\\""#,            r#""a \"b\" \\d+\\\\" ."#),
            ("\"a",                           "\"a\" . a.heur:1:1: expected `\"` at the end of the text, found the end of the line"),
            ("\n ; A",                        "NAME:A . a.heur:2:2: ';' means nothing here"),
            ("Überschrift 3.x",               "NAME:Überschrift 3 x . a.heur:1:14: '.' means nothing here"),
            ("`//a\n[b]` `c",                 "`//a\n[b]` . a.heur:2:6: expected a second ` at the end of the XPath, found none"),
        ];
        for (text, expected) in cases {
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_begin() {
        let path = "a.heur".to_owned();
        let text = "a b # c\n # d\n e".to_owned();
        let (tokens, _) = tokens(&SourceFile { name: "a".to_owned(), path, text }, 0);
        let begins: Vec<bool> = tokens.iter().map(|it| it.begins_line).collect();
        assert_eq!(begins, [true, false, true, false]);
    }
}

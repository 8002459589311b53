//! Cuts a query into what the parser looks at: parentheses, signs before a word, phrases, patterns, names of fields,
//! runs of other characters. Nothing is refused here but a phrase or pattern without an end.

use super::error::QueryError;
use super::names::field_named;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lexeme {
    pub(super) place: Range<usize>,
    pub(super) kind: LexemeKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum LexemeKind {
    Open,
    Close,
    Plus,
    Minus,
    And,
    Or,
    Not,
    /// With its distance.
    Near(u32),
    /// What stands between the quotes.
    Quoted(String),
    /// What stands between the slashes.
    Pattern(String),
    /// A name before a colon, with a value right behind it.
    Field(String),
    /// A run of other characters.
    Run(String),
    /// A tilde right before a phrase.
    Tilde,
}

pub(super) fn lexemes(query: &str) -> Result<Vec<Lexeme>, QueryError> {
    let mut lexer = Lexer { query, at: 0, found: Vec::new() };
    while lexer.at < query.len() {
        lexer.step()?;
    }
    Ok(lexer.found)
}

struct Lexer<'q> {
    query: &'q str,
    at: usize,
    found: Vec<Lexeme>,
}

impl Lexer<'_> {
    fn step(&mut self) -> Result<(), QueryError> {
        let rest = &self.query[self.at..];
        let Some(first) = rest.chars().next() else { return Ok(()) };
        let begins = self.at == 0 || self.query[..self.at].ends_with(is_border);
        let next_is_solid = rest[first.len_utf8()..].starts_with(|c: char| !c.is_whitespace());
        match first {
            first if first.is_whitespace() => self.at += first.len_utf8(),
            '(' => self.push(1, LexemeKind::Open),
            ')' => self.push(1, LexemeKind::Close),
            '"' | '„' | '“' | '”' => self.quoted(first)?,
            '/' if begins || self.follows_field() => self.pattern_or_run(),
            '+' if begins && next_is_solid => self.push(1, LexemeKind::Plus),
            '-' if begins && next_is_solid => self.push(1, LexemeKind::Minus),
            '~' if rest[1..].starts_with(['"', '„', '“', '”']) => {
                self.push(1, LexemeKind::Tilde)
            }
            _ => self.run(),
        }
        Ok(())
    }

    fn push(&mut self, bytes: usize, kind: LexemeKind) {
        self.found.push(Lexeme { place: self.at..self.at + bytes, kind });
        self.at += bytes;
    }

    fn follows_field(&self) -> bool {
        let last = self.found.last();
        last.is_some_and(|last| {
            matches!(last.kind, LexemeKind::Field(_)) && last.place.end == self.at
        })
    }

    fn quoted(&mut self, opening: char) -> Result<(), QueryError> {
        let inside = self.at + opening.len_utf8();
        let closing = self.query[inside..].char_indices().find(|(_, c)| is_quote(*c));
        let Some((length, closing)) = closing else {
            let place = self.at..self.query.len();
            return Err(QueryError::new("the phrase has no end", place, "a closing quote `\"`")
                .with_hint("close the phrase, or leave the quote out"));
        };
        let text = self.query[inside..inside + length].to_owned();
        let bytes = inside + length + closing.len_utf8() - self.at;
        self.push(bytes, LexemeKind::Quoted(text));
        Ok(())
    }

    /// A slash begins a pattern if another ends it before the next border; otherwise it is a character.
    fn pattern_or_run(&mut self) {
        let inside = &self.query[self.at + 1..];
        let mut escaped = false;
        for (length, letter) in inside.char_indices() {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '/' if length > 0 => {
                    let after = &inside[length + 1..];
                    if after.is_empty()
                        || after.starts_with(|c: char| c.is_whitespace() || c == ')')
                    {
                        let text = inside[..length].replace("\\/", "/");
                        return self.push(length + 2, LexemeKind::Pattern(text));
                    }
                }
                letter if letter.is_whitespace() => break,
                _ => {}
            }
        }
        self.run();
    }

    fn run(&mut self) {
        let rest = &self.query[self.at..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest[first..].find(|c: char| is_end(c)).map_or(rest.len(), |at| first + at);
        let run = &rest[..length];
        if let Some(colon) = self.field_colon(run) {
            let name = run[..colon].to_owned();
            return self.push(colon + 1, LexemeKind::Field(name));
        }
        let kind = match run {
            "AND" | "UND" | "&&" => LexemeKind::And,
            "OR" | "ODER" | "||" => LexemeKind::Or,
            "NOT" | "NICHT" => LexemeKind::Not,
            "NEAR" | "NAHE" => LexemeKind::Near(DEFAULT_NEAR),
            run => match near_distance(run) {
                Some(distance) => LexemeKind::Near(distance),
                None => LexemeKind::Run(run.to_owned()),
            },
        };
        self.push(length, kind);
    }

    /// Where the colon of a field stands: behind letters, with a value right behind it. Times (`10:30`) and addresses
    /// (`http://`) are words.
    fn field_colon(&self, run: &str) -> Option<usize> {
        let colon = run.find(':')?;
        let (name, value) = (&run[..colon], &run[colon + 1..]);
        let is_name = !name.is_empty() && name.chars().all(char::is_alphabetic);
        let after = &self.query[self.at + colon + 1..];
        let has_value = after.starts_with(|c: char| !c.is_whitespace() && c != ')');
        let is_address = value.starts_with("//");
        (is_name && has_value && (!is_address || field_named(name).is_some())).then_some(colon)
    }
}

/// The distance of `NEAR` without a number.
const DEFAULT_NEAR: u32 = 5;

fn near_distance(run: &str) -> Option<u32> {
    let digits = run.strip_prefix("NEAR/").or_else(|| run.strip_prefix("NAHE/"))?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| digits.parse().unwrap_or(u32::MAX))
}

/// What a word, sign or pattern may stand behind.
fn is_border(letter: char) -> bool {
    letter.is_whitespace() || letter == '('
}

fn is_end(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '(' | ')') || is_quote(letter)
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '„' | '“' | '”')
}

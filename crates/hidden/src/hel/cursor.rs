//! A place in the text of a rule, and the smallest parts that can stand there.

use super::error::{HelCode, HelError};

#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

/// A regular expression as written, without its slashes.
#[derive(Debug)]
pub(super) struct WrittenRegex {
    pub(super) pattern: String,
    pub(super) ignores_case: bool,
    pub(super) dot_is_any: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// An error at the next part.
    pub(super) fn error(&self, message: impl Into<String>) -> HelError {
        let space = self.left().len() - self.left().trim_start().len();
        HelError::new(HelCode::Syntax, self.at + space, message)
    }

    fn left(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Where the next part begins.
    pub(super) fn skip_space(&mut self) -> usize {
        self.at = self.text.len() - self.left().trim_start().len();
        self.at
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_space() == self.text.len()
    }

    pub(super) fn is_before(&mut self, sign: &str) -> bool {
        self.skip_space();
        self.left().starts_with(sign)
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_before(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), HelError> {
        if self.eat(sign) { Ok(()) } else { Err(self.error(format!("expected {sign}"))) }
    }

    /// A letter, then letters, digits and underscores.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        self.skip_space();
        let word = self.left();
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        Some(self.take(|c| c.is_ascii_alphanumeric() || c == '_'))
    }

    /// The word, if it is this one in any case.
    pub(super) fn keyword(&mut self, keyword: &str) -> bool {
        let mut ahead = self.clone();
        let found = ahead.word().is_some_and(|word| word.eq_ignore_ascii_case(keyword));
        if found {
            *self = ahead;
        }
        found
    }

    /// Attributes may have other signs in their names than tags, such as `data-id` and `xml:lang`.
    pub(super) fn attribute_name(&mut self) -> Option<&'a str> {
        self.skip_space();
        let name = self.take(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.'));
        (!name.is_empty()).then_some(name)
    }

    /// A number of an index; one that is too large stands for the largest.
    pub(super) fn integer(&mut self) -> Option<u64> {
        self.skip_space();
        let digits = self.take(|c| c.is_ascii_digit());
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    }

    /// A number to compare with, as written and as a value.
    pub(super) fn number(&mut self) -> Option<(&'a str, f64)> {
        self.skip_space();
        let start = self.clone();
        let _ = self.eat_here('-') || self.eat_here('+');
        let whole = self.take(|c| c.is_ascii_digit());
        let before_fraction = self.clone();
        let mut has_fraction = false;
        if self.eat_here('.') || self.eat_here(',') {
            has_fraction = !self.take(|c| c.is_ascii_digit()).is_empty();
        }
        if !has_fraction {
            *self = before_fraction;
        }
        let written = &start.text[start.at..self.at];
        match super::compare::number(written) {
            Some(value) if !whole.is_empty() || has_fraction => Some((written, value)),
            _ => {
                *self = start;
                None
            }
        }
    }

    /// A text in quotes of either kind; a backslash stands before quotes and itself.
    pub(super) fn string(&mut self) -> Result<Option<String>, HelError> {
        let start = self.skip_space();
        let mut signs = self.left().char_indices();
        let Some((_, quote @ ('\'' | '"'))) = signs.next() else { return Ok(None) };
        let mut text = String::new();
        while let Some((at, sign)) = signs.next() {
            match sign {
                _ if sign == quote => {
                    self.at += at + quote.len_utf8();
                    return Ok(Some(text));
                }
                '\\' => match signs.next() {
                    Some((_, escaped @ ('\\' | '\'' | '"'))) => text.push(escaped),
                    Some((_, other)) => text.extend(['\\', other]),
                    None => break,
                },
                _ => text.push(sign),
            }
        }
        Err(HelError::new(HelCode::Syntax, start, "the text in quotes does not end"))
    }

    /// A regular expression between slashes; `\/` is a slash.
    pub(super) fn regex(&mut self) -> Result<WrittenRegex, HelError> {
        let start = self.skip_space();
        self.expect("/")?;
        let mut pattern = String::new();
        let mut signs = self.left().char_indices();
        while let Some((at, sign)) = signs.next() {
            match sign {
                '/' => {
                    self.at += at + 1;
                    let mut written =
                        WrittenRegex { pattern, ignores_case: false, dot_is_any: false };
                    loop {
                        if !written.ignores_case && self.eat_here('i') {
                            written.ignores_case = true;
                        } else if !written.dot_is_any && self.eat_here('s') {
                            written.dot_is_any = true;
                        } else {
                            return Ok(written);
                        }
                    }
                }
                '\\' => match signs.next() {
                    Some((_, '/')) => pattern.push('/'),
                    Some((_, other)) => pattern.extend(['\\', other]),
                    None => break,
                },
                _ => pattern.push(sign),
            }
        }
        Err(HelError::new(HelCode::Syntax, start, "the regular expression does not end"))
    }

    /// A sign that follows at once, without white space.
    fn eat_here(&mut self, sign: char) -> bool {
        let found = self.left().starts_with(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let left = self.left();
        let end = left.find(|c| !belongs(c)).unwrap_or(left.len());
        self.at += end;
        &left[..end]
    }
}

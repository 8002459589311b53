//! Text to expression. Signs that mean something in other regular expressions and cannot mean it here are
//! refused, not taken literally.

use super::{
    FiniteCode, FiniteError, MAX_FINITE_DEPTH, MAX_FINITE_LENGTH, MAX_FINITE_REPEAT, Part,
};

pub(super) fn parse(text: &str) -> Result<Part, FiniteError> {
    let start = text.len() - text.trim_start().len();
    let inside = text.trim().strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    let Some(inside) = inside.filter(|inside| !ends_in_escape(inside)) else {
        return Err(error(FiniteCode::Syntax, start, "expected an expression between slashes"));
    };
    if inside.len() > MAX_FINITE_LENGTH {
        let message = format!("an expression has at most {MAX_FINITE_LENGTH} bytes");
        return Err(error(FiniteCode::Syntax, start, message));
    }
    let offset = start + 1;
    let (at, end) = (usize::from(inside.starts_with('^')), unanchored_end(inside));
    let mut parser = Parser { text: &inside[..end.max(at)], at, offset, depth: 0 };
    let root = parser.alternatives()?;
    match parser.peek() {
        None => Ok(root),
        Some(_) => Err(parser.error(FiniteCode::Syntax, "the group was never opened")),
    }
}

fn error(code: FiniteCode, offset: usize, message: impl Into<String>) -> FiniteError {
    FiniteError { code, offset, message: message.into() }
}

/// Whether the last sign is taken literally because of a backslash.
fn ends_in_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// The end without a `$` that stands there.
fn unanchored_end(text: &str) -> usize {
    match text.strip_suffix('$') {
        Some(rest) if !ends_in_escape(rest) => rest.len(),
        _ => text.len(),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Where the text begins in what was given.
    offset: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let sign = self.peek()?;
        self.at += sign.len_utf8();
        Some(sign)
    }

    fn eat(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    /// An error at the next sign.
    fn error(&self, code: FiniteCode, message: impl Into<String>) -> FiniteError {
        error(code, self.offset + self.at, message)
    }

    fn alternatives(&mut self) -> Result<Part, FiniteError> {
        let mut parts = vec![self.sequence()?];
        while self.eat('|') {
            parts.push(self.sequence()?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Part::Alternatives(parts),
        })
    }

    fn sequence(&mut self) -> Result<Part, FiniteError> {
        let mut parts = Vec::new();
        while self.peek().is_some_and(|sign| !matches!(sign, '|' | ')')) {
            let part = self.one()?;
            parts.push(self.repeated(part)?);
        }
        Ok(Part::Sequence(parts))
    }

    fn one(&mut self) -> Result<Part, FiniteError> {
        let unsupported =
            |parser: &Self, message: &str| Err(parser.error(FiniteCode::Unsupported, message));
        match self.peek() {
            Some('.') => unsupported(self, "a dot stands for too many signs; \\. is a dot"),
            Some('^' | '$') => unsupported(self, "only the whole expression may have ^ and $"),
            Some('?' | '*' | '+' | '{') => {
                Err(self.error(FiniteCode::Syntax, "there is nothing to repeat"))
            }
            Some('(') => self.group(),
            Some('[') => self.class(),
            Some('\\') => Ok(Part::Class(self.escape()?)),
            Some(sign) => {
                self.next();
                Ok(Part::Class(vec![sign]))
            }
            None => Err(self.error(FiniteCode::Syntax, "expected a sign")),
        }
    }

    fn group(&mut self) -> Result<Part, FiniteError> {
        let start = self.at;
        self.next();
        if self.peek() == Some('?') {
            let message = "groups have no options, and there is no look-around";
            return Err(self.error(FiniteCode::Unsupported, message));
        }
        self.depth += 1;
        if self.depth > MAX_FINITE_DEPTH {
            let message = format!("groups may be nested {MAX_FINITE_DEPTH} deep");
            return Err(self.error(FiniteCode::Syntax, message));
        }
        let part = self.alternatives()?;
        self.depth -= 1;
        if !self.eat(')') {
            let offset = self.offset + start;
            return Err(error(FiniteCode::Syntax, offset, "the group does not end"));
        }
        Ok(part)
    }

    /// The signs that an escape stands for.
    fn escape(&mut self) -> Result<Vec<char>, FiniteError> {
        let start = self.at;
        self.next();
        let refused = |code, message: &str| Err(error(code, self.offset + start, message));
        match self.peek() {
            Some('d') => {
                self.next();
                Ok(('0'..='9').collect())
            }
            Some(sign) if sign.is_ascii_digit() => {
                refused(FiniteCode::Unsupported, "there are no back-references")
            }
            Some(sign) if sign.is_ascii_alphabetic() => {
                refused(FiniteCode::Unsupported, "of the classes only \\d is known")
            }
            Some(sign) => {
                self.next();
                Ok(vec![sign])
            }
            None => refused(FiniteCode::Syntax, "expected a sign after the backslash"),
        }
    }

    fn class(&mut self) -> Result<Part, FiniteError> {
        let start = self.at;
        self.next();
        if self.peek() == Some('^') {
            let message = "the signs that are not in a class are too many";
            return Err(error(FiniteCode::Unsupported, self.offset + start, message));
        }
        let mut signs: Vec<char> = Vec::new();
        loop {
            let place = self.at;
            let from = match self.peek() {
                None => {
                    let offset = self.offset + start;
                    return Err(error(FiniteCode::Syntax, offset, "the class does not end"));
                }
                Some(']') => {
                    self.next();
                    break;
                }
                Some('\\') => self.escape()?,
                Some(sign) => {
                    self.next();
                    vec![sign]
                }
            };
            // A hyphen at the end of a class is a hyphen.
            let is_range = self.peek() == Some('-') && !self.text[self.at + 1..].starts_with(']');
            let ([first], true) = (&from[..], is_range) else {
                signs.extend(from);
                continue;
            };
            self.next();
            let to = match self.peek() {
                Some('\\') => self.escape()?,
                Some(sign) => {
                    self.next();
                    vec![sign]
                }
                None => continue,
            };
            match to[..] {
                [last] if *first <= last => signs.extend(*first..=last),
                _ => {
                    let message = "the range goes backwards";
                    return Err(error(FiniteCode::Syntax, self.offset + place, message));
                }
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        signs.retain(|sign| seen.insert(*sign));
        match signs.is_empty() {
            true => Err(error(FiniteCode::Syntax, self.offset + start, "the class is empty")),
            false => Ok(Part::Class(signs)),
        }
    }

    fn repeated(&mut self, part: Part) -> Result<Part, FiniteError> {
        let start = self.at;
        let infinite =
            |message: &str| Err(error(FiniteCode::Infinite, self.offset + start, message));
        let (least, most) = match self.peek() {
            Some('*' | '+') => return infinite("there is no end to its values"),
            Some('?') => {
                self.next();
                (0, 1)
            }
            Some('{') => {
                self.next();
                let least = self.number()?;
                let most = match self.eat(',') {
                    true if self.peek() == Some('}') => {
                        return Err(error(
                            FiniteCode::Infinite,
                            self.offset + start,
                            "there is no end to its values",
                        ));
                    }
                    true => self.number()?,
                    false => least,
                };
                if !self.eat('}') {
                    return Err(self.error(FiniteCode::Syntax, "expected }"));
                }
                if least > most {
                    let message = "the numbers go backwards";
                    return Err(error(FiniteCode::Syntax, self.offset + start, message));
                }
                (least, most)
            }
            _ => return Ok(part),
        };
        if matches!(self.peek(), Some('?' | '*' | '+' | '{')) {
            return Err(self.error(FiniteCode::Syntax, "there is nothing to repeat"));
        }
        Ok(Part::Repeat { part: Box::new(part), least, most })
    }

    fn number(&mut self) -> Result<u64, FiniteError> {
        let left = &self.text[self.at..];
        let digits = &left[..left.find(|c: char| !c.is_ascii_digit()).unwrap_or(left.len())];
        let Some(number) = digits.parse().ok().filter(|it| *it <= MAX_FINITE_REPEAT) else {
            let message = format!("expected a number up to {MAX_FINITE_REPEAT}");
            return Err(self.error(FiniteCode::Syntax, message));
        };
        self.at += digits.len();
        Ok(number)
    }
}

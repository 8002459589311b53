//! The words of a PostScript file, one after the other, without their meaning.
//!
//! Only as much as dvips writes is told apart. A procedure in braces is one token, since nothing
//! here is ever executed.

use memchr::{memchr, memchr2, memchr3};

/// Braces within braces that are followed; a procedure nested deeper ends early.
const MAX_BRACES: usize = 1_000;

/// A token; what it holds is raw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    Number(f32),
    /// A name to be executed.
    Name(&'a [u8]),
    /// A name with a slash before it, which is not part of it here.
    Literal(&'a [u8]),
    /// Between round brackets, escapes not resolved.
    Text(&'a [u8]),
    /// Between angle brackets.
    Hex(&'a [u8]),
    /// Between braces.
    Procedure(&'a [u8]),
    Open,
    Close,
    /// To the end of the line, without the per cent sign.
    Comment(&'a [u8]),
}

#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Tokens<'a> {
        Tokens { bytes, at: 0 }
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Takes `length` bytes, and `closing` more that are not part of the token.
    fn take(&mut self, length: usize, closing: usize) -> &'a [u8] {
        let rest = self.rest();
        let length = length.min(rest.len());
        self.at = (self.at + length + closing).min(self.bytes.len());
        &rest[..length]
    }

    fn text(&mut self) -> Token<'a> {
        let rest = self.rest();
        let (mut at, mut depth) = (0, 1);
        while let Some(found) = memchr3(b'(', b')', b'\\', rest.get(at..).unwrap_or_default()) {
            at += found;
            match rest[at] {
                b'\\' => at += 1,
                b'(' => depth += 1,
                _ => depth -= 1,
            }
            if depth == 0 {
                return Token::Text(self.take(at, 1));
            }
            at += 1;
        }
        Token::Text(self.take(rest.len(), 0))
    }

    fn procedure(&mut self) -> Token<'a> {
        let rest = self.rest();
        let mut inner = Tokens::new(rest);
        let mut depth = 1;
        while let Some(byte) = inner.rest().first() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'(' => {
                    inner.at += 1;
                    inner.text();
                    continue;
                }
                b'%' => {
                    inner.line();
                    continue;
                }
                _ => {}
            }
            if depth == 0 || depth > MAX_BRACES {
                return Token::Procedure(self.take(inner.at, 1));
            }
            inner.at += 1;
        }
        Token::Procedure(self.take(rest.len(), 0))
    }

    /// The rest of the line.
    pub(super) fn line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        self.take(length, 1)
    }

    fn word(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|byte| !is_regular(*byte)).unwrap_or(rest.len());
        self.take(length, 0)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !is_space(*byte))?;
        let first = self.bytes[self.at];
        if is_regular(first) {
            let word = self.word();
            return Some(number(word).map_or(Token::Name(word), Token::Number));
        }
        self.at += 1;
        Some(match first {
            b'/' => Token::Literal(self.word()),
            b'(' => self.text(),
            b'<' => {
                let rest = self.rest();
                let length = memchr(b'>', rest).unwrap_or(rest.len());
                Token::Hex(self.take(length, 1))
            }
            b'{' => self.procedure(),
            b'%' => Token::Comment(self.line()),
            b'[' => Token::Open,
            // Brackets that close nothing mean nothing.
            _ => Token::Close,
        })
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\x0C' | 0)
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte)
        && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

/// A decimal number; infinities and exponents are names.
fn number(word: &[u8]) -> Option<f32> {
    let plain = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+');
    if word.len() > 20 || !word.iter().all(plain) {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The bytes of a text in round brackets.
pub(super) fn text_bytes(raw: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        let byte = raw[at];
        at += 1;
        match byte {
            b'\\' => at += escape(&raw[at..], &mut bytes),
            // Files that went through DOS have both.
            b'\r' | b'\n' => {}
            _ => bytes.push(byte),
        }
    }
    bytes
}

/// What follows a backslash; returns its length.
fn escape(raw: &[u8], bytes: &mut Vec<u8>) -> usize {
    let Some(first) = raw.first() else { return 0 };
    let digits = raw.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if digits > 0 {
        let code =
            raw[..digits].iter().fold(0u32, |code, digit| code * 8 + u32::from(digit - b'0'));
        bytes.push(code as u8);
        return digits;
    }
    match first {
        b'\r' if raw.get(1) == Some(&b'\n') => return 2,
        b'\r' | b'\n' => {}
        b'n' => bytes.push(b'\n'),
        b'r' => bytes.push(b'\r'),
        b't' => bytes.push(b'\t'),
        b'b' => bytes.push(8),
        b'f' => bytes.push(12),
        other => bytes.push(*other),
    }
    1
}

/// The bytes of a text in angle brackets.
pub(super) fn hex_bytes(raw: &[u8]) -> Vec<u8> {
    let mut digits = raw.iter().filter_map(|byte| (*byte as char).to_digit(16));
    let mut bytes = Vec::with_capacity(raw.len() / 2);
    while let Some(high) = digits.next() {
        bytes.push((high * 16 + digits.next().unwrap_or(0)) as u8);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_as_dvips_writes_them() {
        let source = b"Fa(v\\051)-9 b(n\\\r\nm)l<1eF>46 D/Fb 3[2 % rest\r\n{a{(})}b}rf";
        let found: Vec<Token<'_>> = Tokens::new(source).collect();
        let expected = [
            Token::Name(b"Fa"),
            Token::Text(b"v\\051"),
            Token::Number(-9.0),
            Token::Name(b"b"),
            Token::Text(b"n\\\r\nm"),
            Token::Name(b"l"),
            Token::Hex(b"1eF"),
            Token::Number(46.0),
            Token::Name(b"D"),
            Token::Literal(b"Fb"),
            Token::Number(3.0),
            Token::Open,
            Token::Number(2.0),
            Token::Comment(b" rest"),
            Token::Procedure(b"a{(})}b"),
            Token::Name(b"rf"),
        ];
        assert_eq!(found, expected);
        assert_eq!(text_bytes(b"v\\051n\\\r\nm\\\\\\7"), b"v)nm\\\x07");
        assert_eq!(hex_bytes(b"1e F"), [0x1E, 0xF0]);
    }
}

//! RTF, token by token.

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word with its number: `\fs24`.
    Word(&'a [u8], Option<i32>),
    /// A control symbol: `\~`.
    Symbol(u8),
    /// A byte of text by its number: `\'fc`.
    Hex(u8),
    /// Bytes of text as they are.
    Text(&'a [u8]),
}

/// Reads on from the given bytes.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Letters of a control word; Word allows 32.
const MAX_WORD: usize = 40;

/// Digits of its number.
const MAX_DIGITS: usize = 10;

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Tokens<'a> {
        Tokens { bytes, at: 0 }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// What follows a backslash.
    fn control(&mut self) -> Option<Token<'a>> {
        let first = self.peek(0)?;
        if first == b'\'' {
            let digits = self.peek(1).and_then(hex).zip(self.peek(2).and_then(hex));
            self.at += if digits.is_some() { 3 } else { 1 };
            return Some(
                digits.map_or(Token::Symbol(b'\''), |(high, low)| Token::Hex(high * 16 + low)),
            );
        }
        if !first.is_ascii_alphabetic() {
            self.at += 1;
            return Some(Token::Symbol(first));
        }
        let word = self.take_while(MAX_WORD, |byte| byte.is_ascii_alphabetic());
        let minus =
            self.peek(0) == Some(b'-') && self.peek(1).is_some_and(|byte| byte.is_ascii_digit());
        self.at += usize::from(minus);
        let digits = self.take_while(MAX_DIGITS, |byte| byte.is_ascii_digit());
        let number =
            digits.iter().fold(0_i64, |number, digit| number * 10 + i64::from(digit - b'0'));
        let number = i32::try_from(if minus { -number } else { number }).unwrap_or(i32::MAX);
        if self.peek(0) == Some(b' ') {
            self.at += 1;
        }
        if word == b"bin" {
            // Raw bytes of a picture or an object, backslashes and braces among them.
            let length = usize::try_from(number).unwrap_or(0);
            self.at = self.at.saturating_add(length).min(self.bytes.len());
        }
        Some(Token::Word(word, (!digits.is_empty()).then_some(number)))
    }

    fn take_while(&mut self, most: usize, wanted: impl Fn(&u8) -> bool) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take(most).take_while(|byte| wanted(byte)).count();
        self.at += length;
        &rest[..length]
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = self.peek(0)?;
            self.at += 1;
            match byte {
                b'{' => return Some(Token::Open),
                b'}' => return Some(Token::Close),
                b'\\' => return self.control(),
                b'\r' | b'\n' | 0 => {}
                _ => {
                    let start = self.at - 1;
                    let is_text =
                        |byte: &u8| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
                    self.take_while(usize::MAX, is_text);
                    return Some(Token::Text(&self.bytes[start..self.at]));
                }
            }
        }
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let word = |word: &'static str, number| Token::Word(word.as_bytes(), number);
        #[rustfmt::skip]
        let cases: [(&[u8], Vec<Token<'_>>); 8] = [
            (br"{\rtf1 a}",     vec![Token::Open, word("rtf", Some(1)), Token::Text(b"a"), Token::Close]),
            (br"\fs24\b x",     vec![word("fs", Some(24)), word("b", None), Token::Text(b"x")]),
            (br"\u-10179?",     vec![word("u", Some(-10179)), Token::Text(b"?")]),
            (br"M\'fcller",     vec![Token::Text(b"M"), Token::Hex(0xFC), Token::Text(b"ller")]),
            (br"\~\'zz",        vec![Token::Symbol(b'~'), Token::Symbol(b'\''), Token::Text(b"zz")]),
            (b"a\r\nb",         vec![Token::Text(b"a"), Token::Text(b"b")]),
            (b"\\bin3 }}}c",    vec![word("bin", Some(3)), Token::Text(b"c")]),
            (b"\\",             vec![]),
        ];
        for (bytes, expected) in cases {
            assert_eq!(Tokens::new(bytes).collect::<Vec<_>>(), expected, "{bytes:?}");
        }
    }
}

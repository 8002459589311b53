//! The words of a content stream, a character map or the readable part of a Type 1 font.
//!
//! The three share one syntax, that of PostScript, so they share one reader. It takes any bytes:
//! what it does not understand it steps over, one byte at a time at worst, so it always comes to
//! an end in time linear in its input. Binary data of inline images are stepped over by the
//! interpreter of pages, which knows where they begin.

/// Arrays and dictionaries within each other; what lies deeper is dropped. Content streams need 2.
pub(super) const MAX_NESTING: usize = 16;

/// Operands before an operator; if there are more, those so far are forgotten. Operators of pages
/// have 6 at most, those of character maps 300, but some writers put thousands of entries there.
pub(super) const MAX_OPERANDS: usize = 65_536;

/// Members of one array, with those of the arrays in it; the rest is dropped. A `TJ` has two per
/// letter of its line.
pub(super) const MAX_ARRAY: usize = 65_536;

/// A value before an operator.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Number(f64),
    Name(Vec<u8>),
    Text(Vec<u8>),
    Array(Vec<Operand>),
    /// Key and value in turn, as written.
    Dictionary(Vec<Operand>),
}

impl Operand {
    pub(super) fn number(&self) -> Option<f64> {
        if let Operand::Number(number) = self { Some(*number) } else { None }
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        if let Operand::Name(name) = self { Some(name) } else { None }
    }

    pub(super) fn text(&self) -> Option<&[u8]> {
        if let Operand::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn array(&self) -> Option<&[Operand]> {
        if let Operand::Array(members) = self { Some(members) } else { None }
    }

    /// The value of a key of a dictionary.
    pub(super) fn entry(&self, key: &[u8]) -> Option<&Operand> {
        let Operand::Dictionary(members) = self else { return None };
        members.chunks_exact(2).find(|pair| pair[0].name() == Some(key)).map(|pair| &pair[1])
    }
}

/// Reads operators with their operands.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

enum Word<'a> {
    Value(Operand),
    Operator(&'a [u8]),
    OpenArray,
    CloseArray,
    OpenDictionary,
    CloseDictionary,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Lexer<'a> {
        Lexer { bytes, at: 0 }
    }

    /// The next operator; its operands replace what was in `operands`. At the end there may be
    /// operands without an operator: they are left there.
    pub(super) fn operator(&mut self, operands: &mut Vec<Operand>) -> Option<&'a [u8]> {
        operands.clear();
        loop {
            let value = match self.word()? {
                Word::Operator(operator) => return Some(operator),
                Word::Value(value) => value,
                Word::OpenArray => Operand::Array(self.members(Closing::Array)),
                Word::OpenDictionary => Operand::Dictionary(self.members(Closing::Dictionary)),
                Word::CloseArray | Word::CloseDictionary => continue,
            };
            if operands.len() == MAX_OPERANDS {
                operands.clear();
            }
            operands.push(value);
        }
    }

    /// Steps over the data of an inline image: from behind `ID` to behind the `EI` that stands
    /// alone and is followed by what looks like content.
    pub(super) fn skip_inline_image(&mut self) {
        let data = &self.bytes[self.at..];
        let end = memchr::memmem::find_iter(data, b"EI").find(|&at| {
            let alone = at.checked_sub(1).is_none_or(|before| is_white(data[before]));
            let behind = &data[at + 2..data.len().min(at + 2 + 12)];
            alone
                && behind.first().is_none_or(|&byte| is_white(byte))
                && behind.iter().all(|&byte| byte.is_ascii_graphic() || is_white(byte) && byte != 0)
        });
        self.at += end.map_or(data.len(), |at| at + 2);
    }

    /// What stands before the closing bracket; brackets within are kept on a stack, not by recursion.
    fn members(&mut self, closing: Closing) -> Vec<Operand> {
        let mut open = vec![(closing, Vec::new())];
        let mut too_deep = 0_usize;
        let mut left = MAX_ARRAY;
        loop {
            let word = self.word();
            let value = match word {
                Some(Word::Value(value)) => Some(value),
                // `true`, `null` and `R` within a dictionary; none of them is of use here.
                Some(Word::Operator(b"true" | b"false" | b"null")) => Some(Operand::Number(0.0)),
                Some(Word::Operator(_)) => None,
                Some(Word::OpenArray | Word::OpenDictionary) if open.len() >= MAX_NESTING => {
                    too_deep += 1;
                    None
                }
                Some(Word::OpenArray) => {
                    open.push((Closing::Array, Vec::new()));
                    None
                }
                Some(Word::OpenDictionary) => {
                    open.push((Closing::Dictionary, Vec::new()));
                    None
                }
                Some(Word::CloseArray | Word::CloseDictionary) if too_deep > 0 => {
                    too_deep -= 1;
                    None
                }
                Some(Word::CloseArray | Word::CloseDictionary) | None => {
                    let (closing, members) = open.pop().unwrap_or((closing, Vec::new()));
                    if open.is_empty() {
                        return members;
                    }
                    Some(match closing {
                        Closing::Array => Operand::Array(members),
                        Closing::Dictionary => Operand::Dictionary(members),
                    })
                }
            };
            if let (Some(value), Some((_, members))) = (value, open.last_mut())
                && left > 0
            {
                left -= 1;
                members.push(value);
            }
        }
    }

    fn word(&mut self) -> Option<Word<'a>> {
        self.skip_white();
        let first = *self.bytes.get(self.at)?;
        Some(match first {
            b'(' => Word::Value(Operand::Text(self.text())),
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => {
                self.at += 2;
                Word::OpenDictionary
            }
            b'<' => Word::Value(Operand::Text(self.hexadecimal())),
            b'>' => {
                self.at += if self.bytes.get(self.at + 1) == Some(&b'>') { 2 } else { 1 };
                Word::CloseDictionary
            }
            b'[' | b'{' => {
                self.at += 1;
                Word::OpenArray
            }
            b']' | b'}' => {
                self.at += 1;
                Word::CloseArray
            }
            b'/' => {
                self.at += 1;
                let name = self.regular();
                Word::Value(Operand::Name(unescape_name(name)))
            }
            _ => {
                let word = self.regular();
                match number(word) {
                    Some(number) => Word::Value(Operand::Number(number)),
                    None => Word::Operator(word),
                }
            }
        })
    }

    fn skip_white(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'%' {
                let rest = &self.bytes[self.at..];
                self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            } else if is_white(byte) || byte == b')' {
                // A closing parenthesis that nothing opened says nothing.
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn regular(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| is_white(byte) || is_delimiter(byte));
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn text(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut text = Vec::new();
        let mut depth = 0_usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' if depth == 0 => return text,
                b')' => depth -= 1,
                b'\\' => {
                    text.extend(self.escape());
                    continue;
                }
                _ => {}
            }
            text.push(byte);
        }
        text
    }

    fn escape(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        match byte {
            b'n' => Some(b'\n'),
            b'r' => Some(b'\r'),
            b't' => Some(b'\t'),
            b'b' => Some(8),
            b'f' => Some(12),
            b'\r' => {
                if self.bytes.get(self.at) == Some(&b'\n') {
                    self.at += 1;
                }
                None
            }
            b'\n' => None,
            b'0'..=b'7' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    match self.bytes.get(self.at) {
                        Some(digit @ b'0'..=b'7') => value = value * 8 + u32::from(digit - b'0'),
                        _ => break,
                    }
                    self.at += 1;
                }
                Some((value & 0xff) as u8)
            }
            other => Some(other),
        }
    }

    fn hexadecimal(&mut self) -> Vec<u8> {
        let rest = &self.bytes[self.at + 1..];
        let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        self.at += (end + 2).min(rest.len() + 1);
        hexadecimal(&rest[..end])
    }
}

#[derive(Clone, Copy)]
enum Closing {
    Array,
    Dictionary,
}

/// Bytes written as hexadecimal digits; anything else between them is skipped, a last digit alone
/// counts as the upper half.
pub(super) fn hexadecimal(digits: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    let mut upper = None;
    for digit in digits.iter().filter_map(|&byte| hex_digit(byte)) {
        match upper.take() {
            None => upper = Some(digit),
            Some(upper) => bytes.push(upper << 4 | digit),
        }
    }
    bytes.extend(upper.map(|upper| upper << 4));
    bytes
}

pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn unescape_name(name: &[u8]) -> Vec<u8> {
    if !name.contains(&b'#') {
        return name.to_vec();
    }
    let mut plain = Vec::with_capacity(name.len());
    let mut at = 0;
    while let Some(&byte) = name.get(at) {
        let digits = name.get(at + 1).zip(name.get(at + 2));
        let digits = digits.and_then(|(&a, &b)| hex_digit(a).zip(hex_digit(b)));
        match digits {
            Some((upper, lower)) if byte == b'#' => {
                plain.push(upper << 4 | lower);
                at += 3;
            }
            _ => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    plain
}

/// A number as writers write them, the broken ones included: `--5`, `1.-2` and `5-3` occur, and
/// readers take what stands before the second sign.
fn number(word: &[u8]) -> Option<f64> {
    let digits = word.iter().take_while(|&&byte| matches!(byte, b'+' | b'-')).count();
    let negative = word[..digits].contains(&b'-');
    let mut value = 0.0_f64;
    let mut unit = None;
    let mut any = false;
    for &byte in &word[digits..] {
        match (byte, unit) {
            (b'0'..=b'9', None) => value = value * 10.0 + f64::from(byte - b'0'),
            (b'0'..=b'9', Some(place)) => {
                value += f64::from(byte - b'0') * place;
                unit = Some(place / 10.0);
            }
            (b'.', None) => unit = Some(0.1),
            (b'-', _) if any => break,
            _ => return None,
        }
        any = true;
    }
    (any && value.is_finite()).then_some(if negative { -value } else { value })
}

pub(super) fn is_white(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &[u8]) -> Vec<(Vec<Operand>, String)> {
        let mut lexer = Lexer::new(content);
        let mut operands = Vec::new();
        let mut found = Vec::new();
        while let Some(operator) = lexer.operator(&mut operands) {
            if operator == b"ID" {
                lexer.skip_inline_image();
            }
            found.push((operands.clone(), String::from_utf8_lossy(operator).into_owned()));
        }
        found
    }

    #[test]
    fn operators_and_operands() {
        let found = check(b"/F#31 12 Tf [(a\\(b\\051)-3.5<4142>]TJ % note\n(x\\\ny)'");
        assert_eq!(
            found,
            [
                (vec![Operand::Name(b"F1".to_vec()), Operand::Number(12.0)], "Tf".into()),
                (
                    vec![Operand::Array(vec![
                        Operand::Text(b"a(b)".to_vec()),
                        Operand::Number(-3.5),
                        Operand::Text(b"AB".to_vec()),
                    ])],
                    "TJ".into()
                ),
                (vec![Operand::Text(b"xy".to_vec())], "'".into()),
            ]
        );
    }

    #[test]
    fn numbers() {
        #[rustfmt::skip]
        let cases = [
            ("12", Some(12.0)), ("-.5", Some(-0.5)), ("+7.", Some(7.0)), ("--5", Some(-5.0)),
            ("5-3", Some(5.0)), ("Tj", None), ("-", None), ("1e5", None),
        ];
        for (word, expected) in cases {
            assert_eq!(number(word.as_bytes()), expected, "{word}");
        }
    }

    #[test]
    fn dictionaries() {
        let found = check(b"/Span <</ActualText <FEFF00AD> /Lang (de) /K [1 2]>> BDC");
        let dictionary = &found[0].0[1];
        assert_eq!(
            dictionary.entry(b"ActualText").and_then(Operand::text),
            Some(&b"\xfe\xff\0\xad"[..])
        );
        assert_eq!(dictionary.entry(b"K").and_then(Operand::array).map(<[_]>::len), Some(2));
    }

    #[test]
    fn inline_images_are_skipped() {
        let found = check(b"BI /W 1 ID \x00\xffEI\x80 EI \xff\xfe EI\n(a) Tj");
        let operators: Vec<&str> = found.iter().map(|(_, operator)| operator.as_str()).collect();
        assert_eq!(operators, ["BI", "ID", "Tj"]);
    }

    #[test]
    fn arrays_are_bounded() {
        let wide = [b"[".to_vec(), b"[0 0 0 0]".repeat(100_000), b"] TJ".to_vec()].concat();
        let found = check(&wide);
        let members = found[0].0[0].array().unwrap_or_default();
        assert!(members.len() <= MAX_ARRAY / 5 + 1, "{}", members.len());
        assert_eq!(found[0].1, "TJ");
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = [b"[".repeat(100_000), b"]".repeat(100_000), b"(a) Tj".to_vec()].concat();
        let found = check(&deep);
        assert_eq!(found.last().map(|(_, operator)| operator.as_str()), Some("Tj"));
    }
}

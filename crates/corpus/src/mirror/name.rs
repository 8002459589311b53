//! Writes one part of an address as a name that is safe on every file system, and reads it back.
//!
//! Letters, digits and `. _ - ~ + , =` stand for themselves; everything else is written with `@`.
//! Two hexadecimal digits after it are a byte that was percent-encoded in the address; any other
//! letter begins a mark. An `@` of the address is itself written with a mark, so all is unambiguous.
//!
//! Names must differ even where the file system does not tell `A` from `a`. So a name with capital
//! letters keeps them, and the mark `@u` says once more which letters are capital; a name is read
//! in lower case with the help of its mark.

/// Marks: each is `@` and one letter that is no hexadecimal digit.
pub(super) mod mark {
    /// A character that stands in the address as it is, but not in a name; two hexadecimal digits.
    pub(crate) const RAW: char = 'z';
    /// The question mark before a query.
    pub(crate) const QUERY: char = 'q';
    /// Which letters are capital: four to a hexadecimal digit, the first letter is bit 1.
    pub(crate) const UPPER: char = 'u';
    /// Which request this is, if it is more than a GET; 32 hexadecimal digits.
    pub(crate) const REQUEST: char = 'p';
    /// Nothing: makes a name differ from one that has another meaning.
    pub(crate) const PLAIN: char = 'x';
    /// A directory whose name could be a file's.
    pub(crate) const DIRECTORY: char = 's';
    /// A file whose name could be a directory's.
    pub(crate) const FILE: char = 'o';
    /// What was too long, as 32 hexadecimal digits of its digest.
    pub(crate) const LONG: char = 'l';
    /// The document at the address of a directory.
    pub(crate) const INDEX: &str = "@index";
    /// A suffix that the address does not have.
    pub(crate) const SUFFIX: char = '.';
}

/// Collects one name.
#[derive(Debug, Default)]
pub(super) struct NameWriter {
    pub(super) text: String,
    /// For each literal letter whether it is a capital.
    letters: Vec<bool>,
}

impl NameWriter {
    /// A path segment. A dot or hyphen at its beginning is escaped: `.git` and `-rf` mean
    /// something to the tools that people use on a mirror.
    pub(super) fn segment(&mut self, raw: &str) {
        let (first, rest) = match raw.as_bytes().first() {
            Some(b'.' | b'-') => raw.split_at(1),
            _ => ("", raw),
        };
        first.bytes().for_each(|byte| self.escape(byte));
        self.query(rest);
    }

    /// What follows the question mark.
    pub(super) fn query(&mut self, raw: &str) {
        let bytes = raw.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let is_last = at + 1 == bytes.len();
            match (byte, bytes.get(at + 1..at + 3)) {
                (b'%', Some(digits)) if digits.iter().all(is_capital_digit) => {
                    self.text.push('@');
                    self.text.extend(digits.iter().map(|d| char::from(d.to_ascii_lowercase())));
                    at += 2;
                }
                (b'.', _) if is_last => self.escape(b'.'),
                // On Windows `abcdef~1.htm` may be another name of `abcdefghij.html`.
                (b'~', _) if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                    self.escape(b'~');
                }
                (byte, _) if stands_for_itself(*byte) => {
                    self.text.push(char::from(*byte));
                    if byte.is_ascii_alphabetic() {
                        self.letters.push(byte.is_ascii_uppercase());
                    }
                }
                (byte, _) => self.escape(*byte),
            }
            at += 1;
        }
    }

    fn escape(&mut self, byte: u8) {
        self.text.push_str(&format!("@{}{byte:02x}", mark::RAW));
    }

    /// The mark for capital letters; empty if there are none.
    pub(super) fn capitals(&self) -> String {
        let digits: Vec<u8> = self
            .letters
            .chunks(4)
            .map(|four| (0u8..).zip(four).map(|(bit, capital)| u8::from(*capital) << bit).sum())
            .collect();
        let Some(last) = digits.iter().rposition(|digit| *digit > 0) else { return String::new() };
        let digits: String = digits[..=last].iter().map(|digit| format!("{digit:x}")).collect();
        format!("@{}{digits}", mark::UPPER)
    }
}

fn is_capital_digit(byte: &u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'F')
}

fn stands_for_itself(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'~' | b'+' | b',' | b'=')
}

/// Whether a file may have this name: what is written here and nothing else.
pub(super) fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| stands_for_itself(byte) || byte == b'@';
    !name.is_empty() && name.bytes().all(allowed) && !name.starts_with('.') && !name.ends_with('.')
}

/// Names that Windows keeps for devices, with whatever suffix.
pub(super) fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let numbered = |prefix| {
        stem.strip_prefix(prefix)
            .is_some_and(|rest: &str| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// What a name says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct NameReading {
    /// Segment, and query with its question mark, as they stand in the address.
    pub(super) raw: String,
    pub(super) request: Option<String>,
    /// The suffix that was added.
    pub(super) suffix: Option<String>,
}

/// Why a name cannot be read back.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Only the digest of it is there.
    Shortened,
    /// It was not written here.
    Foreign,
}

pub(super) fn read_name(name: &str) -> Result<NameReading, Unreadable> {
    let name = name.to_ascii_lowercase();
    let mut rest = name.strip_prefix(mark::INDEX).unwrap_or(&name);
    let mut reading = NameReading::default();
    let mut letters = Vec::new();
    let mut capitals = "";
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        if first != '@' {
            if first.is_ascii_alphabetic() {
                letters.push(reading.raw.len());
            }
            reading.raw.push(first);
            continue;
        }
        if let Some(digits) = rest.get(..2).filter(|digits| is_hexadecimal(digits)) {
            reading.raw.push('%');
            reading.raw.push_str(&digits.to_ascii_uppercase());
            rest = &rest[2..];
            continue;
        }
        let kind = rest.chars().next().ok_or(Unreadable::Foreign)?;
        rest = &rest[kind.len_utf8()..];
        match kind {
            mark::RAW => {
                reading.raw.push(raw_character(rest).ok_or(Unreadable::Foreign)?);
                rest = &rest[2..];
            }
            mark::QUERY => reading.raw.push('?'),
            mark::UPPER => capitals = take_digits(&mut rest),
            mark::REQUEST => reading.request = Some(take_digits(&mut rest).to_owned()),
            mark::SUFFIX => reading.suffix = Some(std::mem::take(&mut rest).to_owned()),
            mark::PLAIN | mark::DIRECTORY | mark::FILE => {}
            mark::LONG => return Err(Unreadable::Shortened),
            _ => return Err(Unreadable::Foreign),
        }
    }
    reading.raw = with_capitals(reading.raw, &letters, capitals);
    Ok(reading)
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The ASCII character of two hexadecimal digits.
pub(super) fn raw_character(text: &str) -> Option<char> {
    let digits = text.get(..2).filter(|digits| is_hexadecimal(digits))?;
    u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii).map(char::from)
}

fn take_digits<'t>(rest: &mut &'t str) -> &'t str {
    let end = rest.bytes().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(rest.len());
    let (digits, behind) = rest.split_at(end);
    *rest = behind;
    digits
}

fn with_capitals(raw: String, letters: &[usize], capitals: &str) -> String {
    let mut bytes = raw.into_bytes();
    for (four, digit) in letters.chunks(4).zip(capitals.chars()) {
        let bits = digit.to_digit(16).unwrap_or(0);
        for (bit, place) in four.iter().enumerate() {
            if bits >> bit & 1 == 1 {
                bytes[*place].make_ascii_uppercase();
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

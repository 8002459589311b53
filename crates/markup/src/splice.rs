//! Puts changed pieces of text back into the bytes they were decoded from.
//!
//! Only the pieces are encoded again; all bytes between them are copied, readable or not.

use crate::decode::Decoded;
use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;
use std::ops::Range;

/// New text for a range of the decoded text.
#[derive(Debug)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

/// The bytes with all edits made. Edits may come in any order; one that overlaps an earlier one
/// is left out.
pub(crate) fn splice(bytes: &[u8], decoded: &Decoded<'_>, mut edits: Vec<Edit>) -> Vec<u8> {
    edits.sort_by_key(|edit| edit.range.start);
    let body = &bytes[decoded.mark..];
    let mut positions = Positions::new(body, decoded);
    let mut result = Vec::with_capacity(bytes.len() + edits.len() * 32);
    result.extend_from_slice(&bytes[..decoded.mark]);
    let (mut done, mut done_text) = (0, 0);
    for edit in &edits {
        if edit.range.start < done_text {
            continue;
        }
        let start = positions.byte_at(edit.range.start);
        result.extend_from_slice(&body[done..start]);
        result.extend_from_slice(&encode(&edit.text, decoded.encoding));
        done = positions.byte_at(edit.range.end);
        done_text = edit.range.end;
    }
    result.extend_from_slice(&body[done..]);
    result
}

fn encode<'a>(text: &'a str, encoding: &'static Encoding) -> Cow<'a, [u8]> {
    if encoding == UTF_16LE {
        Cow::Owned(text.encode_utf16().flat_map(u16::to_le_bytes).collect())
    } else if encoding == UTF_16BE {
        Cow::Owned(text.encode_utf16().flat_map(u16::to_be_bytes).collect())
    } else {
        // What the encoding lacks becomes a numeric character reference.
        encoding.encode(text).0
    }
}

/// Finds the byte for a position in the decoded text; positions must be asked in rising order.
struct Positions<'a> {
    bytes: &'a [u8],
    /// How many bytes were read, and how much text they gave.
    read: usize,
    text: usize,
    step: Step<'a>,
}

enum Step<'a> {
    /// The text is the bytes.
    Same,
    /// One byte, one character.
    Single(&'a str),
    Multiple(Decoder),
}

impl<'a> Positions<'a> {
    fn new(bytes: &'a [u8], decoded: &'a Decoded<'_>) -> Positions<'a> {
        let step = if decoded.encoding == UTF_8 && matches!(decoded.text, Cow::Borrowed(_)) {
            Step::Same
        } else if decoded.encoding.is_single_byte() {
            Step::Single(&decoded.text)
        } else {
            Step::Multiple(decoded.encoding.new_decoder_without_bom_handling())
        };
        Positions { bytes, read: 0, text: 0, step }
    }

    fn byte_at(&mut self, position: usize) -> usize {
        if matches!(self.step, Step::Same) {
            return position;
        }
        while self.text < position && self.read < self.bytes.len() {
            self.advance();
        }
        // A broken character and the one after it may appear together, with the latter's byte:
        // then a position between the two lies before that byte.
        if self.text > position { self.read - 1 } else { self.read }
    }

    fn advance(&mut self) {
        match &mut self.step {
            Step::Same => self.text += 1,
            Step::Single(text) => {
                self.text += text[self.text..].chars().next().map_or(0, char::len_utf8);
            }
            Step::Multiple(decoder) => {
                // One byte completes two characters at most, of three bytes each in UTF-8.
                let mut output = [0; 32];
                let input = &self.bytes[self.read..=self.read];
                let (_, _, written, _) = decoder.decode_to_utf8(input, &mut output, false);
                self.text += written;
            }
        }
        self.read += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(bytes: &[u8], charset: &str, from: &str, to: &str) -> Vec<u8> {
        let decoded = Decoded::html(bytes, Some(charset));
        let start = decoded.text.find(from).unwrap();
        let edit = Edit { range: start..start + from.len(), text: to.to_owned() };
        splice(bytes, &decoded, vec![edit])
    }

    /// Charset and bytes; what is replaced by what; bytes expected.
    type Case<'a> = (&'a str, &'a [u8], &'a str, &'a str, &'a [u8]);

    #[test]
    fn encodings() {
        #[rustfmt::skip]
        let cases: &[Case<'_>] = &[
            ("utf-8",        b"\xC3\xA4 x \xC3\xA4",      "x", "\u{e9}", b"\xC3\xA4 \xC3\xA9 \xC3\xA4"),
            ("utf-8",        b"\xFF\xC3 x \xFF",          "x", "yz",     b"\xFF\xC3 yz \xFF"),
            ("utf-8",        b"\xEF\xBB\xBFx",            "x", "y",      b"\xEF\xBB\xBFy"),
            ("latin1",       b"\xE4 x \x81\xE4",          "x", "\u{e9}", b"\xE4 \xE9 \x81\xE4"),
            ("latin1",       b"x",                        "x", "\u{3a9}", b"&#937;"),
            ("shift_jis",    b"\x83\x5C x \x83\x5C",      "x", "y",      b"\x83\x5C y \x83\x5C"),
            ("shift_jis",    b"\x83\x22x\x22",            "x", "y",      b"\x83\x22y\x22"),
            ("iso-2022-jp",  b"\x1B$B$\"\x1B(Bx\x1B$B$\"", "x", "y",     b"\x1B$B$\"y\x1B$B$\""),
            ("utf-16le",     b"a\0x\0\xE4\0",             "x", "\u{e9}", b"a\0\xE9\0\xE4\0"),
            ("utf-16be",     b"\0a\0x\0\xE4",             "x", "\u{e9}", b"\0a\0\xE9\0\xE4"),
        ];
        for (charset, bytes, from, to, expected) in cases {
            // An escape sequence before the piece may stay on either side of it.
            let found = check(bytes, charset, from, to);
            if *charset == "iso-2022-jp" {
                let text = Decoded::html(&found, Some(charset)).text.into_owned();
                assert_eq!(text, Decoded::html(expected, Some("iso-2022-jp")).text, "{charset}");
            } else {
                assert_eq!(found, *expected, "{charset}");
            }
        }
    }

    proptest! {
        #[test]
        fn empty_edits_change_nothing(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
            charset in "(utf-8|latin1|shift_jis|gb18030|big5|euc-kr|euc-jp|utf-16le|utf-16be|koi8-r)",
            places in proptest::collection::vec(any::<proptest::sample::Index>(), 0..5),
        ) {
            let decoded = Decoded::html(&bytes, Some(&charset));
            let edits = places.iter().map(|place| {
                let at = decoded.text.floor_char_boundary(place.index(decoded.text.len() + 1));
                Edit { range: at..at, text: String::new() }
            });
            let edits = edits.collect();
            prop_assert_eq!(splice(&bytes, &decoded, edits), bytes.clone());
        }
    }
}

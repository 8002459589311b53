//! Matches paths against robots patterns, in time linear in the path for each pattern.
//!
//! Path and pattern are brought to one spelling first (RFC 9309 §2.2.2): bytes outside ASCII are
//! escaped, escapes are in upper case, escapes of unreserved characters are undone. In the query,
//! escapes of `:` and `/` are undone too, as in the RFC's example. A `*` or `$` in a path is
//! escaped, so that only `%2A` and `%24` in a pattern mean them.

use crate::percent::{escaped_byte, is_unreserved};
use url::{Position, Url};

/// A path pattern: literal pieces with anything between them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pattern {
    pieces: Vec<Vec<u8>>,
    /// Whether it ends with `$`.
    anchored: bool,
    octets: usize,
}

impl Pattern {
    /// `None` for an empty pattern.
    pub(super) fn new(text: &[u8]) -> Option<Pattern> {
        let (text, anchored) = match text.strip_suffix(b"$") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let rooted = match text.first() {
            None if !anchored => return None,
            Some(b'/' | b'*') => text.to_vec(),
            _ => [b"/", text].concat(),
        };
        let normal = normalised(&rooted, Stars::AreWild);
        let octets = normal.len() + usize::from(anchored);
        let pieces = normal.split(|byte| *byte == b'*').map(<[u8]>::to_vec).collect();
        Some(Pattern { pieces, anchored, octets })
    }

    /// How specific the pattern is: its length.
    pub(super) fn octets(&self) -> usize {
        self.octets
    }

    /// `target` is what [`target_of`] makes of a URL. Each piece is taken at its first place behind
    /// the one before; if the pattern matches at all, it matches so.
    pub(super) fn matches(&self, target: &[u8]) -> bool {
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            return false;
        };
        let Some(mut rest) = target.strip_prefix(first.as_slice()) else {
            return false;
        };
        if self.pieces.len() == 1 {
            return !self.anchored || rest.is_empty();
        }
        for piece in &self.pieces[1..self.pieces.len() - 1] {
            match memchr::memmem::find(rest, piece) {
                Some(at) => rest = &rest[at + piece.len()..],
                None => return false,
            }
        }
        match self.anchored {
            true => rest.ends_with(last),
            false => memchr::memmem::find(rest, last).is_some(),
        }
    }
}

/// Path and query of a URL in the spelling that patterns are compared with.
pub(super) fn target_of(url: &Url) -> Vec<u8> {
    normalised(url[Position::BeforePath..Position::AfterQuery].as_bytes(), Stars::AreLiteral)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stars {
    AreWild,
    AreLiteral,
}

fn normalised(text: &[u8], stars: Stars) -> Vec<u8> {
    let mut normal = Vec::with_capacity(text.len());
    let mut in_query = false;
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        let escape = if *byte == b'%' { escaped_byte(rest) } else { None };
        rest = after;
        match (*byte, escape) {
            (_, Some(value)) => {
                rest = &after[2..];
                let plain = is_unreserved(value) || (in_query && matches!(value, b':' | b'/'));
                if plain {
                    normal.push(value);
                } else {
                    push_escaped(&mut normal, value);
                }
            }
            (b'*', _) if stars == Stars::AreWild => normal.push(b'*'),
            (byte @ (b'*' | b'$' | 0..=b' ' | 0x7F..), _) => push_escaped(&mut normal, byte),
            (byte, _) => {
                in_query |= byte == b'?';
                normal.push(byte);
            }
        }
    }
    normal
}

fn push_escaped(text: &mut Vec<u8>, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    text.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
}

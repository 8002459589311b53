//! The tokenizer, tags: §13.2.5.6 to §13.2.5.8 and §13.2.5.32 to §13.2.5.40.
//!
//! Names are looked up while they are read; values stay where they stand in the source, unless
//! they hold references. An attribute beyond [`crate::MAX_TAG_ATTRIBUTES`] is passed over.

use super::arena::{RawAttribute, Span};
use super::interner::Name;
use super::parser::{Extent, Parser};
use super::tokens::Tag;
use crate::char_refs::{Place, append_reference};
use crate::lexer::attribute_at;
use crate::names::{HASH_START, hash_on};
use crate::parse_errors::ParseError;
use crate::tree::Namespace;

/// Bytes that are left of a picture written into an attribute: they say what it is.
const DATA_URL_BEGINNING: usize = 32;

/// What a byte is within the name of a tag or attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InName {
    Plain,
    /// Ends the name of a tag.
    End,
    /// Ends the name of an attribute only.
    Equals,
    /// Part of the name, but not as it is written.
    Capital,
    Null,
    /// Part of the name of an attribute, though it should not be.
    Quote,
}

static IN_NAME: [InName; 256] = {
    let mut table = [InName::Plain; 256];
    let mut byte = b'A';
    while byte <= b'Z' {
        table[byte as usize] = InName::Capital;
        byte += 1;
    }
    let ends = [b'\t', b'\n', 0x0C, b' ', b'/', b'>'];
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = InName::End;
        at += 1;
    }
    table[b'=' as usize] = InName::Equals;
    table[0] = InName::Null;
    table[b'"' as usize] = InName::Quote;
    table[b'\'' as usize] = InName::Quote;
    table[b'<' as usize] = InName::Quote;
    table
};

/// What a name belongs to, because their rules differ a little.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameOf {
    Tag,
    Attribute,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b' ')
}

/// The source ends within a tag, and so there is none.
struct Unfinished;

impl Parser<'_> {
    /// Reads a start tag, whose angle bracket is next.
    pub(super) fn read_start_tag(&mut self) {
        match self.read_tag(self.at + 1) {
            Ok(tag) => self.start_tag(tag),
            Err(Unfinished) => self.drop_unfinished(),
        }
    }

    /// Reads an end tag, whose angle bracket is next; tells its tag if there is one.
    pub(super) fn read_end_tag(&mut self) -> Option<Tag> {
        let Ok(tag) = self.read_tag(self.at + 2) else {
            self.drop_unfinished();
            return None;
        };
        if !tag.attributes.is_empty() {
            self.errors.count(ParseError::BadTag);
        }
        if tag.self_closing {
            self.errors.count(ParseError::BadTag);
        }
        self.arena.attributes.truncate(tag.attributes.start as usize);
        Some(Tag { attributes: Span::default(), ..tag })
    }

    fn drop_unfinished(&mut self) {
        self.errors.count(ParseError::OpenAtEnd);
        self.at = self.bytes.len();
    }

    fn read_tag(&mut self, start: usize) -> Result<Tag, Unfinished> {
        let (name, mut at) = self.read_name(start, NameOf::Tag);
        let first = self.arena.attributes.len();
        let (mut seen, mut self_closing) = (0, false);
        let mut is_duplicate = false;
        loop {
            match *self.bytes.get(at).ok_or(Unfinished)? {
                b'>' => break,
                b'/' => {
                    at += 1;
                    match *self.bytes.get(at).ok_or(Unfinished)? {
                        b'>' => {
                            self_closing = true;
                            break;
                        }
                        _ => self.errors.count(ParseError::BadTag),
                    }
                }
                byte if is_space(byte) => at += 1,
                _ => {
                    if std::mem::take(&mut is_duplicate) {
                        self.errors.count(ParseError::DuplicateAttribute);
                    }
                    seen += 1;
                    if seen > crate::MAX_TAG_ATTRIBUTES {
                        at = attribute_at(self.bytes, at).ok_or(Unfinished)?.1;
                        continue;
                    }
                    let attribute;
                    (attribute, at) = self.read_attribute(at)?;
                    let known = &self.arena.attributes[first..];
                    if known.iter().any(|known| known.name == attribute.name) {
                        is_duplicate = true;
                    } else {
                        self.arena.attributes.push(attribute);
                    }
                }
            }
        }
        if is_duplicate {
            self.errors.count(ParseError::DuplicateAttribute);
        }
        self.overfull_tags += usize::from(seen > crate::MAX_TAG_ATTRIBUTES);
        self.at = at + 1;
        let attributes = Span::new(first, self.arena.attributes.len());
        Ok(Tag { name, attributes, self_closing })
    }

    /// The name that begins here, and where it ends.
    #[inline]
    fn read_name(&mut self, start: usize, of: NameOf) -> (Name, usize) {
        let mut hash = HASH_START;
        let mut end = start;
        while let Some(&byte) = self.bytes.get(end) {
            match IN_NAME[byte as usize] {
                InName::Plain => {}
                InName::End => break,
                InName::Equals if of == NameOf::Tag => {}
                InName::Quote if of == NameOf::Tag => {}
                InName::Equals if end > start => break,
                InName::Equals | InName::Quote | InName::Capital | InName::Null => {
                    return self.read_odd_name(start, of);
                }
            }
            hash = hash_on(hash, byte);
            end += 1;
        }
        (self.interner.name(&self.source[start..end], hash), end)
    }

    /// A name that is not written as it should be.
    #[cold]
    fn read_odd_name(&mut self, start: usize, of: NameOf) -> (Name, usize) {
        let error = match of {
            NameOf::Tag => ParseError::BadTag,
            NameOf::Attribute => ParseError::BadAttribute,
        };
        let mut end = start;
        while let Some(&byte) = self.bytes.get(end) {
            match IN_NAME[byte as usize] {
                InName::End => break,
                InName::Equals if of == NameOf::Attribute && end > start => break,
                InName::Equals | InName::Quote if of == NameOf::Attribute => {
                    self.errors.count(error);
                }
                InName::Null => self.errors.count(error),
                _ => {}
            }
            end += 1;
        }
        let name = self.source[start..end].to_ascii_lowercase().replace('\0', "\u{FFFD}");
        (self.interner.name(&name, crate::names::hash(name.as_bytes())), end)
    }

    /// The attribute that begins at `at`, and where it ends.
    #[inline]
    fn read_attribute(&mut self, at: usize) -> Result<(RawAttribute, usize), Unfinished> {
        let (name, end) = self.read_name(at, NameOf::Attribute);
        let none = RawAttribute { name, namespace: Namespace::None, value: Span::default() };
        let sign = self.after_space(end)?;
        if self.bytes[sign] != b'=' {
            return Ok((none, sign));
        }
        let start = self.after_space(sign + 1)?;
        let quote = self.bytes[start];
        let (value, end) = match quote {
            b'"' | b'\'' => {
                let start = start + 1;
                let rest = &self.bytes[start..];
                match memchr::memchr2(quote, b'&', rest) {
                    Some(length) if rest[length] == quote => {
                        (self.plain_value(start, start + length), start + length + 1)
                    }
                    Some(_) => {
                        let end = memchr::memchr(quote, rest).map(|length| start + length);
                        let value = self.value_with_references(start, end)?;
                        (value, end.unwrap_or(self.bytes.len()) + 1)
                    }
                    None => {
                        self.plain_value(start, self.bytes.len());
                        return Err(Unfinished);
                    }
                }
            }
            b'>' => {
                self.errors.count(ParseError::BadAttribute);
                return Ok((none, start));
            }
            _ => {
                let is_end = |byte: &u8| is_space(*byte) || *byte == b'>';
                let end = self.bytes[start..].iter().position(is_end).map(|it| start + it);
                let value = self.value_with_references(start, end)?;
                return Ok((RawAttribute { value, ..none }, end.unwrap_or(self.bytes.len())));
            }
        };
        match self.bytes.get(end) {
            None => return Err(Unfinished),
            Some(&byte) if is_space(byte) || matches!(byte, b'/' | b'>') => {}
            Some(_) => self.errors.count(ParseError::BadAttribute),
        }
        Ok((RawAttribute { value, ..none }, end))
    }

    #[inline]
    fn after_space(&self, mut at: usize) -> Result<usize, Unfinished> {
        loop {
            match *self.bytes.get(at).ok_or(Unfinished)? {
                byte if is_space(byte) => at += 1,
                _ => return Ok(at),
            }
        }
    }

    /// A value without references.
    #[inline]
    fn plain_value(&mut self, start: usize, end: usize) -> Span {
        let end = self.kept_of_value(start, end);
        if self.has_null {
            return self.without_nulls(start, end, ParseError::BadAttribute);
        }
        Span::new(start, end)
    }

    /// A value that may hold references; it has no end if the source ends before.
    fn value_with_references(
        &mut self,
        start: usize,
        end: Option<usize>,
    ) -> Result<Span, Unfinished> {
        let stop = end.unwrap_or(self.bytes.len());
        let kept = self.kept_of_value(start, stop);
        let value = self.resolved(start, kept, Place::Attribute, ParseError::BadAttribute);
        end.map(|_| value).ok_or(Unfinished)
    }

    /// Where the value ends that is kept: a lean tree has only the beginning of pictures.
    #[inline]
    fn kept_of_value(&self, start: usize, end: usize) -> usize {
        let is_bulk = self.extent == Extent::Lean
            && end - start > 2 * DATA_URL_BEGINNING
            && self.bytes[start..].starts_with(b"data:");
        if is_bulk { self.source.floor_char_boundary(start + DATA_URL_BEGINNING) } else { end }
    }

    /// A piece of the source with its references resolved; NUL is an error and is replaced.
    pub(super) fn resolved(
        &mut self,
        start: usize,
        end: usize,
        place: Place,
        null: ParseError,
    ) -> Span {
        let special = |bytes: &[u8]| memchr::memchr2(b'&', b'\0', bytes);
        let Some(first) = special(&self.bytes[start..end]) else { return Span::new(start, end) };
        let begin = self.arena.extra.len();
        let (mut done, mut at, mut errors) = (start, start + first, 0);
        loop {
            let extra = &mut self.arena.extra;
            extra.push_str(&self.source[done..at]);
            if self.bytes[at] == b'&' {
                done = at + append_reference(extra, &self.source[at..end], place, &mut errors);
            } else {
                extra.push(char::REPLACEMENT_CHARACTER);
                self.errors.count(null);
                done = at + 1;
            }
            match special(&self.bytes[done..end]) {
                Some(skipped) => at = done + skipped,
                None => break,
            }
        }
        self.arena.extra.push_str(&self.source[done..end]);
        self.errors.count_many(ParseError::BadCharacterReference, errors);
        self.arena.extra_from(begin)
    }

    /// A piece of the source without references, in which NUL is an error and is replaced.
    pub(super) fn without_nulls(&mut self, start: usize, end: usize, null: ParseError) -> Span {
        let count = memchr::memchr_iter(b'\0', &self.bytes[start..end]).count();
        if count == 0 {
            return Span::new(start, end);
        }
        self.errors.count_many(null, count as u32);
        let begin = self.arena.extra.len();
        let replaced = self.source[start..end].replace('\0', "\u{FFFD}");
        self.arena.extra.push_str(&replaced);
        self.arena.extra_from(begin)
    }
}

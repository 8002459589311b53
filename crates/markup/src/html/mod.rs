//! Reads HTML into a tree: the tokenizer and the tree construction of the WHATWG standard (§13.2).
//!
//! One [`parser::Parser`] does both, because the tokenizer depends on the tree (raw text, CDATA) and
//! each token goes to the tree at once. It is fast because nothing is copied that can be pointed at,
//! and names are numbers: see [`arena`], [`interner`] and [`categories`]. The parts are the tokenizer
//! ([`text`], [`tags`], [`declarations`]), the insertion modes ([`before_body`], [`in_body`],
//! [`in_table`], [`after_body`]), [`formatting`] and [`foreign_content`]. That it builds the same
//! trees and counts the same errors as html5ever is tested against html5ever itself.

mod after_body;
mod arena;
mod before_body;
mod categories;
mod declarations;
#[cfg(test)]
mod differential;
mod doctype_reader;
mod dropped;
mod finish;
mod foreign_content;
mod formatting;
mod in_body;
mod in_body_ends;
mod in_table;
mod interner;
mod open_elements;
#[cfg(test)]
pub(crate) mod oracle;
mod parser;
mod quirks;
mod tags;
mod text;
mod tokens;

pub(crate) use parser::Extent;

use crate::doctype;
use crate::parse_errors::ParseError;
use crate::tree::Tree;
use arena::Full;
use auslese_model::Oddity;
use parser::Parser;
use std::borrow::Cow;

/// Deepest nesting of a tree. Real pages stay below 100.
pub const MAX_DEPTH: usize = 512;

/// Nodes of a tree. A page of 1 MB has some 50 000.
pub const MAX_NODES: usize = 1_000_000;

/// Attributes in a tree.
pub const MAX_ATTRIBUTES: usize = 2_000_000;

/// Bytes of text, comments and attribute values in a tree.
pub const MAX_TREE_TEXT: usize = 128 * 1024 * 1024;

/// Longest decoded document that becomes a tree; what follows is left out.
pub const MAX_DOCUMENT: usize = 64 * 1024 * 1024;

/// A tree, and what was noticed while it was built.
pub(crate) struct Built {
    pub(crate) tree: Tree,
    pub(crate) errors: Vec<(ParseError, u32)>,
    pub(crate) oddities: Vec<Oddity>,
    /// What the first `<base>` says.
    pub(crate) base: Option<String>,
}

/// Builds the tree of a decoded document.
pub(crate) fn build(text: Cow<'_, str>, extent: Extent) -> Built {
    let mut oddities = Vec::new();
    let mut note = |kind: &str, detail: String| oddities.push(Oddity::new(kind, detail));
    let end = text.floor_char_boundary(MAX_DOCUMENT);
    if end < text.len() {
        note("document-too-long", format!("{} bytes left out", text.len() - end));
    }
    let is_xml = text.starts_with("<?xml");
    let source = normalised(text, end);
    let mut parser = Parser::new(&source, extent);
    parser.run();
    let full = parser.full();
    let Parser { arena, interner, mut errors, overfull_tags, base, dropped, .. } = parser;
    let base = base.map(|span| arena.text(span).to_owned());
    let parts = finish::Parts::of(arena);
    let (tree, flattened) = finish::finish(source, parts, &interner, MAX_DEPTH);
    if overfull_tags > 0 {
        note("too-many-attributes", format!("in {overfull_tags} tags"));
    }
    if dropped.total > 0 || flattened {
        let dropped = dropped.total;
        note("nested-too-deep", format!("flattened at {MAX_DEPTH} levels, {dropped} tags"));
    }
    match full {
        Some(Full::Nodes) => note("too-many-nodes", format!("cut at {MAX_NODES}")),
        Some(Full::Attributes) => note("too-many-attributes", format!("cut at {MAX_ATTRIBUTES}")),
        Some(Full::Text) => note("too-much-text", format!("cut at {MAX_TREE_TEXT} bytes")),
        None => {}
    }
    let doctype = doctype::doctype(&tree);
    let doctype_known = doctype.as_ref().is_some_and(|doctype| doctype.known);
    if is_xml && doctype.is_some_and(|it| it.name.starts_with("XHTML")) {
        errors.forgive_xml_declaration();
    }
    Built { errors: errors.counted(doctype_known), tree, oddities, base }
}

/// Bytes in which line feeds are the only ends of lines, as [`normalised`] makes them; too many stay as they are, for
/// they are cut first.
pub(crate) fn with_line_feeds(mut bytes: Vec<u8>) -> Vec<u8> {
    let Some(first) = memchr::memchr(b'\r', &bytes) else { return bytes };
    if bytes.len() > MAX_DOCUMENT {
        return bytes;
    }
    // What is kept moves forward, piece by piece.
    let (mut kept, mut at) = (first, first);
    while at < bytes.len() {
        bytes[kept] = b'\n';
        kept += 1;
        at += if bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 };
        let end = memchr::memchr(b'\r', &bytes[at..]).map_or(bytes.len(), |skipped| at + skipped);
        bytes.copy_within(at..end, kept);
        kept += end - at;
        at = end;
    }
    bytes.truncate(kept);
    bytes
}

/// The text up to `end` without byte order mark, and with line feeds only (§13.2.3.5).
fn normalised(text: Cow<'_, str>, end: usize) -> Cow<'_, str> {
    let start = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let bytes = text.as_bytes();
    let Some(first) = memchr::memchr(b'\r', &bytes[start..end]) else {
        return match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[start..end]),
            Cow::Owned(mut text) => {
                text.truncate(end);
                text.drain(..start);
                Cow::Owned(text)
            }
        };
    };
    let mut lines = String::with_capacity(end - start);
    let (mut done, mut at) = (start, start + first);
    loop {
        lines.push_str(&text[done..at]);
        lines.push('\n');
        done = at + 1;
        if bytes.get(done) == Some(&b'\n') && done < end {
            done += 1;
        }
        match memchr::memchr(b'\r', &bytes[done..end]) {
            Some(skipped) => at = done + skipped,
            None => break,
        }
    }
    lines.push_str(&text[done..end]);
    Cow::Owned(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn line_feeds_in_place(text in "(\r|\n|\r\n|a|ä|<p>){0,12}") {
            let expected = normalised(Cow::Borrowed(&text), text.len());
            prop_assert_eq!(with_line_feeds(text.clone().into_bytes()), expected.as_bytes());
        }
    }
}

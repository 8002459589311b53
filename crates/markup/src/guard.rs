//! Builds the tree of a document with html5ever, behind a guard.
//!
//! html5ever is a faithful tree builder, and so it inherits the costs of the standard: each start
//! tag may search the whole stack of open elements, and lost formatting elements are opened again
//! in every block. The [`Guard`] sits between its tokenizer and its tree builder and keeps both
//! lists short: start tags beyond [`MAX_DEPTH`] are left out together with their end tags (their
//! content stays), and once a limit of the tree is reached, nothing more is passed on. So the time
//! is linear in the input for any input.

use crate::doctype;
use crate::growing::{Full, Growing, Limits};
use crate::parse_errors::ParseError;
use crate::tree::Tree;
use auslese_model::Oddity;
use html5ever::interface::Tracer;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, TokenizerResult, local_name};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

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
}

/// Builds the tree. `left_out` are ranges of the text that the tokenizer must not see, above all
/// attributes beyond the limit, which it would compare each with all others: in `overfull_tags`.
pub(crate) fn build(text: &str, left_out: &[Range<usize>], overfull_tags: usize) -> Built {
    let mut oddities = Vec::new();
    let mut note = |kind: &str, detail: String| oddities.push(Oddity::new(kind, detail));
    let end = text.floor_char_boundary(MAX_DOCUMENT);
    if end < text.len() {
        note("document-too-long", format!("{} bytes left out", text.len() - end));
    }
    if overfull_tags > 0 {
        note("too-many-attributes", format!("in {overfull_tags} tags"));
    }
    let limits = Limits {
        nodes: MAX_NODES,
        attributes: MAX_ATTRIBUTES,
        text_bytes: MAX_TREE_TEXT,
        depth: MAX_DEPTH,
    };
    let guard = run(&text[..end], left_out, limits);
    let dropped = guard.dropped_total.get();
    let full = guard.builder.sink.full();
    let (tree, errors, flattened) = guard.builder.sink.into_tree();
    if dropped > 0 || flattened {
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
    if text.starts_with("<?xml") && doctype.is_some_and(|it| it.name.starts_with("XHTML")) {
        errors.forgive_xml_declaration();
    }
    Built { errors: errors.counted(doctype_known), tree, oddities }
}

fn run(text: &str, left_out: &[Range<usize>], limits: Limits) -> Guard {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let guard = Guard {
        builder: TreeBuilder::new(Growing::new(limits), options),
        size_bound: Cell::new(0),
        dropped: RefCell::default(),
        dropped_total: Cell::new(0),
    };
    let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
    let input = BufferQueue::default();
    let mut start = 0;
    for range in left_out.iter().filter(|range| range.end <= text.len()) {
        input.push_back(StrTendril::from_slice(&text[start..range.start]));
        start = range.end;
    }
    input.push_back(StrTendril::from_slice(&text[start..]));
    // Scripts and encodings are none of our business here: go on at once.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink
}

struct Guard {
    builder: TreeBuilder<u32, Growing>,
    /// No smaller than the builder's lists of open and of formatting elements together.
    size_bound: Cell<usize>,
    dropped: RefCell<DroppedTags>,
    dropped_total: Cell<usize>,
}

/// How much one start tag can add to the builder's lists: `<html>`, `<body>`, `<tbody>` and `<tr>`
/// that it implies, itself, and itself as a formatting element. Formatting elements that it opens
/// again are in the count already.
const GROWTH_PER_TAG: usize = 6;

impl Guard {
    /// Whether there is no room for another open element.
    fn is_too_deep(&self) -> bool {
        let bound = self.size_bound.get() + GROWTH_PER_TAG;
        if bound < MAX_DEPTH {
            self.size_bound.set(bound);
            return false;
        }
        let count = HandleCount(Cell::new(0));
        self.builder.trace_handles(&count);
        let bound = count.0.get() + GROWTH_PER_TAG;
        self.size_bound.set(bound);
        bound >= MAX_DEPTH
    }

    fn lets_pass(&self, tag: &Tag) -> bool {
        match tag.kind {
            TagKind::EndTag => !self.dropped.borrow_mut().end(&tag.name),
            TagKind::StartTag => {
                // Leaves cannot nest, and the tokenizer must hear of raw text.
                if !self.is_too_deep() || is_leaf(&tag.name) {
                    return true;
                }
                self.dropped_total.set(self.dropped_total.get() + 1);
                self.dropped.borrow_mut().start(&tag.name);
                false
            }
        }
    }
}

impl TokenSink for Guard {
    type Handle = u32;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<u32> {
        let passes = match &token {
            Token::TagToken(tag) => self.lets_pass(tag),
            _ => true,
        };
        if !passes || self.builder.sink.full().is_some() {
            return TokenSinkResult::Continue;
        }
        self.builder.sink.errors.expect(&token);
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// The start tags that were left out and are still open, so that their end tags do not close
/// elements outside.
#[derive(Default)]
struct DroppedTags {
    open: Vec<LocalName>,
    counts: HashMap<LocalName, usize>,
}

impl DroppedTags {
    fn start(&mut self, name: &LocalName) {
        self.open.push(name.clone());
        *self.counts.entry(name.clone()).or_default() += 1;
    }

    /// Whether the end tag belongs to one of them.
    fn end(&mut self, name: &LocalName) -> bool {
        if self.counts.get(name).copied().unwrap_or(0) == 0 {
            return false;
        }
        while let Some(open) = self.open.pop() {
            if let Some(count) = self.counts.get_mut(&open) {
                *count -= 1;
            }
            if open == *name {
                break;
            }
        }
        true
    }
}

fn is_leaf(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("script")
            | local_name!("style")
            | local_name!("title")
            | local_name!("textarea")
            | local_name!("iframe")
            | local_name!("noframes")
            | local_name!("noembed")
            | local_name!("xmp")
            | local_name!("plaintext")
            | local_name!("img")
            | local_name!("br")
            | local_name!("hr")
            | local_name!("input")
            | local_name!("meta")
            | local_name!("link")
            | local_name!("base")
            | local_name!("area")
            | local_name!("col")
            | local_name!("param")
            | local_name!("frame")
            | local_name!("embed")
            | local_name!("wbr")
    )
}

struct HandleCount(Cell<usize>);

impl Tracer for HandleCount {
    type Handle = u32;

    fn trace_handle(&self, _node: &u32) {
        self.0.set(self.0.get() + 1);
    }
}

//! The text of a whole page, read once.
//!
//! White space counts as one space, and so does whatever the browser puts on a new line or in another
//! cell, as in [`super::reading`]. The text of an element is a part of it, and so is each block, so
//! that neither is ever copied.

use super::item::{MAX_VALUE, Text, may_be_odd_space};
use super::reading::{Role, role};
use crate::western::is_western;
use auslese_markup::{Node, NodeId, Tree};
use std::ops::Range;
use std::rc::Rc;

#[derive(Debug)]
pub(super) struct PageText {
    line: Rc<str>,
    is_western: bool,
    /// Where the texts of nodes begin and end, by the place of the node.
    spans: Vec<(u32, u32)>,
    /// The blocks below the body in their order, each with the element it stands in.
    blocks: Vec<(NodeId, Range<u32>)>,
}

/// The span of a node that was not read: it stands in a script or template.
const UNREAD: (u32, u32) = (u32::MAX, u32::MAX);

impl PageText {
    pub(super) fn of(tree: &Tree) -> PageText {
        let mut reader = Reader::new(tree);
        reader.read(tree);
        let is_western = is_western(&reader.line);
        let (spans, blocks) = (reader.spans, reader.blocks);
        PageText { line: reader.line.into(), is_western, spans, blocks }
    }

    /// Whether all its letters are western, and so are those of each part.
    pub(super) fn is_western(&self) -> bool {
        self.is_western
    }

    pub(super) fn line(&self) -> &str {
        &self.line
    }

    /// The text of a node; none if it is not part of the page's text.
    pub(super) fn text_of(&self, node: NodeId) -> Option<Text> {
        self.part(node).map(|place| self.text_at(place))
    }

    /// The beginning of the text of a node: so many bytes, if it has them.
    pub(super) fn beginning_of(&self, node: NodeId, bytes: usize) -> &str {
        let place = self.part(node).unwrap_or(0..0);
        let part = &self.line[place.start as usize..place.end as usize];
        &part[..part.floor_char_boundary(bytes)]
    }

    /// The blocks, each with the element it stands in.
    pub(super) fn blocks(&self) -> impl ExactSizeIterator<Item = (NodeId, Text)> {
        self.blocks.iter().map(|(node, place)| (*node, self.text_at(place.clone())))
    }

    /// Where the text of a node stands, not cut.
    fn part(&self, node: NodeId) -> Option<Range<u32>> {
        let (start, end) = self.spans[node.index()];
        if start == UNREAD.0 {
            return None;
        }
        // A node may begin with the space that was due before it.
        let has_space = start < end && self.line.as_bytes()[start as usize] == b' ';
        Some(start + u32::from(has_space)..end)
    }

    fn text_at(&self, place: Range<u32>) -> Text {
        let Range { start, mut end } = place;
        if (end - start) as usize >= MAX_VALUE {
            let part = &self.line[start as usize..end as usize];
            let cut = &part[..part.floor_char_boundary(MAX_VALUE - 1)];
            end = start + cut.rfind(' ').unwrap_or(0) as u32;
        }
        Text::OfPage { line: self.line.clone(), start, end }
    }
}

struct Reader {
    line: String,
    /// Whether a space is due before the next word.
    space: bool,
    /// `<br>` elements since the last word.
    breaks: u32,
    spans: Vec<(u32, u32)>,
    /// The elements that are open, with their depths, the innermost last.
    open: Vec<(NodeId, Role, usize)>,
    /// The node whose blocks are gathered.
    root: NodeId,
    /// Whether that is open.
    is_inside: bool,
    /// The blocks of the root that are open, the innermost last.
    open_blocks: Vec<NodeId>,
    blocks: Vec<(NodeId, Range<u32>)>,
    /// Where the last block ended.
    parted: usize,
}

impl Reader {
    fn new(tree: &Tree) -> Reader {
        let body = tree.elements_named("body").next();
        Reader {
            line: String::new(),
            space: false,
            breaks: 0,
            spans: vec![UNREAD; tree.len()],
            open: Vec::new(),
            root: body.map_or(NodeId::DOCUMENT, |(body, _)| body),
            is_inside: false,
            open_blocks: Vec::new(),
            blocks: Vec::new(),
            parted: 0,
        }
    }

    /// In document order; a node of no greater depth ends those before it.
    fn read(&mut self, tree: &Tree) {
        let mut hidden = None;
        for at in tree.ids() {
            let depth = tree.depth(at);
            if hidden.is_some_and(|hidden| depth > hidden) {
                continue;
            }
            hidden = None;
            while self.open.last().is_some_and(|(_, _, open)| *open >= depth) {
                self.leave();
            }
            // A page is no longer than what is looked at of it, so offsets fit.
            let start = self.line.len() as u32;
            match tree.node(at) {
                Node::Text(text) => self.add(text),
                Node::Element(element) => match role(element) {
                    Role::Hidden => hidden = Some(depth),
                    role => self.enter(at, role, depth),
                },
                Node::Document => self.enter(at, Role::Inline, depth),
                _ => continue,
            }
            self.spans[at.index()] = (start, self.line.len() as u32);
        }
        while !self.open.is_empty() {
            self.leave();
        }
    }

    fn enter(&mut self, at: NodeId, role: Role, depth: usize) {
        self.is_inside |= at == self.root;
        match role {
            Role::Break => {
                self.space = true;
                self.breaks += 1;
                if self.breaks > 1 {
                    self.part();
                }
            }
            Role::Block => {
                self.boundary();
                if self.is_inside {
                    self.open_blocks.push(at);
                }
            }
            Role::Cell => self.space = true,
            Role::Inline | Role::Hidden => {}
        }
        self.open.push((at, role, depth));
    }

    fn leave(&mut self) {
        let Some((at, role, _)) = self.open.pop() else { return };
        match role {
            Role::Block => {
                self.boundary();
                self.open_blocks.pop();
            }
            Role::Cell => self.space = true,
            Role::Break | Role::Inline | Role::Hidden => {}
        }
        if at == self.root {
            self.part();
            self.is_inside = false;
        }
        self.spans[at.index()].1 = self.line.len() as u32;
    }

    fn boundary(&mut self) {
        self.space = true;
        self.part();
    }

    /// Ends a block, which stands in the innermost element that is one.
    fn part(&mut self) {
        self.breaks = 0;
        let has_space = self.line.as_bytes().get(self.parted) == Some(&b' ');
        let start = self.parted + usize::from(has_space);
        self.parted = self.line.len();
        if self.is_inside && start < self.line.len() {
            let node = self.open_blocks.last().copied().unwrap_or(self.root);
            self.blocks.push((node, start as u32..self.line.len() as u32));
        }
    }

    /// Adds words; those with one space between them at once.
    fn add(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            // Between elements there is mostly nothing but the indentation of the source.
            let spaces = bytes[at..].iter().take_while(|byte| is_ascii_space(**byte)).count();
            if spaces > 0 {
                self.space = true;
                at += spaces;
                continue;
            }
            if let Some(length) = space_at(text, at) {
                self.space = true;
                at += length;
                continue;
            }
            let start = at;
            // Where many bytes are to be looked at at once again, when that has ended.
            let mut again = start;
            loop {
                if at >= again {
                    at += plain_length(&bytes[at..]);
                    again = at + STRETCH;
                }
                at += bytes[at..].iter().take_while(|byte| is_letter(**byte)).count();
                match bytes.get(at) {
                    Some(b' ') if is_inside_word(text, at + 1) => at += 2,
                    Some(_) if space_at(text, at).is_none() => at += 1,
                    _ => break,
                }
            }
            if self.space && !self.line.is_empty() {
                self.line.push(' ');
            }
            self.line.push_str(&text[start..at]);
            self.space = false;
            self.breaks = 0;
        }
    }
}

/// How many bytes are nothing but words with single spaces between them, as far as that is seen by
/// looking at many at once.
#[inline]
fn plain_length(bytes: &[u8]) -> usize {
    // One pass over two rows of the same length, so that it is done with few instructions.
    let is_plain = |stretch: &[u8; STRETCH], moved: &[u8; STRETCH]| {
        let pairs = stretch.iter().zip(moved);
        let is_odd = pairs.fold(false, |is_odd, (byte, next)| {
            is_odd | may_be_odd_space(*byte) | ((*byte == b' ') & (*next == b' '))
        });
        !is_odd && stretch[STRETCH - 1] != b' '
    };
    let mut length = 0;
    while let Some(stretch) = bytes[length..].first_chunk()
        && let Some(moved) = bytes[length + 1..].first_chunk()
        && is_plain(stretch, moved)
    {
        length += STRETCH;
    }
    length
}

/// Bytes that are looked at at once.
const STRETCH: usize = 32;

/// Whether a byte is white space of ASCII.
#[inline]
fn is_ascii_space(byte: u8) -> bool {
    byte == b' ' || (byte.is_ascii() && may_be_odd_space(byte))
}

/// Whether a byte begins no white space, whatever follows it.
#[inline]
fn is_letter(byte: u8) -> bool {
    byte != b' ' && !may_be_odd_space(byte)
}

/// The bytes of the white space that begins there, if any does. Bytes within a letter begin none.
#[inline]
fn space_at(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes()[at] {
        b' ' => Some(1),
        byte if !may_be_odd_space(byte) => None,
        byte if byte.is_ascii() => Some(1),
        _ => text.get(at..)?.chars().next().filter(|it| it.is_whitespace()).map(char::len_utf8),
    }
}

#[inline]
fn is_inside_word(text: &str, at: usize) -> bool {
    at < text.len() && space_at(text, at).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::reading::text_of;
    use super::*;
    use auslese_markup::{Page, parse};
    use proptest::prelude::*;

    fn read(html: &str) -> (Page, PageText, NodeId) {
        let page = parse(html.as_bytes(), Some("utf-8"));
        let (body, _) = page.tree().elements_named("body").next().expect("every page has one");
        let text = PageText::of(page.tree());
        (page, text, body)
    }

    #[test]
    fn blocks() {
        #[rustfmt::skip]
        let cases = [
            ("<title>t</title>a<br>b<br><br>c",        "a b|c",       "body|body"),
            ("a<br> <br>c",                            "a|c",         "body|body"),
            ("<p>a<br></p><br>b",                      "a|b",         "p|body"),
            ("<p>a<p>b<div>c<p>d</p>e</div>f",         "a|b|c|d|e|f", "p|p|div|p|div|body"),
            ("<table><tr><td>a<td>b<tr><td>c</table>", "a b|c",       "tr|tr"),
            ("<ul><li>a<li>b<br>c</ul>",               "a|b c",       "li|li"),
        ];
        for (html, expected, elements) in cases {
            let (page, text, _) = read(html);
            let blocks: Vec<(NodeId, Text)> = text.blocks().collect();
            let texts: Vec<&str> = blocks.iter().map(|(_, text)| &**text).collect();
            assert_eq!(texts.join("|"), expected, "{html}");
            let names = blocks.iter().filter_map(|(node, _)| page.tree().element(*node));
            let names: Vec<&str> = names.map(|element| element.name()).collect();
            assert_eq!(names.join("|"), elements, "{html}");
        }
    }

    #[test]
    fn long_texts_are_cut() {
        let (_, text, body) = read(&"wort ".repeat(MAX_VALUE));
        let text = text.text_of(body).expect("it is read");
        assert!(text.len() <= MAX_VALUE && text.ends_with("wort"), "{}", text.len());
    }

    proptest! {
        #[test]
        fn nodes_and_blocks_are_parts_of_the_page(
            html in "(<p>|</p>|<div>|</div>|<b>|</b>|<br>|<table><tr><td>|<td>|</table>|<li>|<title>t|<script>x</script>|<template>|</template>|<svg>|</svg>|a|bc| |  |\\n|ä|–|\u{a0}|\u{2003}|„x“ ){0,24}"
        ) {
            let (page, whole, body) = read(&html);
            for node in page.tree().ids() {
                if let Some(text) = whole.text_of(node) {
                    prop_assert_eq!(&*text, text_of(page.tree(), node).0);
                }
            }
            let blocks: Vec<String> = whole.blocks().map(|(_, text)| text.to_string()).collect();
            prop_assert_eq!(blocks.join(" "), text_of(page.tree(), body).0);
        }
    }
}

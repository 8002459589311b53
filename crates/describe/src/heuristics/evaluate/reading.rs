//! Reads the text of a node as a reader sees it: on one line, in lines, or in blocks.
//!
//! White space counts as one space, and so does whatever the browser puts on a new line or in another
//! cell, so that words do not run together. Scripts, styles and templates are no text.

use super::item::MAX_VALUE;
use auslese_markup::{Element, Node, NodeId, Tree};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The text of a node on one line, and how many nodes were looked at.
fn text_of(tree: &Tree, node: NodeId) -> (String, u64) {
    let mut reader = Reader::default();
    reader.read(tree, node, Parting::Nothing);
    (reader.line, reader.steps)
}

/// The whole text of a page on one line, read once; the text of an element is a part of it.
#[derive(Debug)]
pub(super) struct PageText {
    line: String,
    /// Where the texts of nodes begin and end, by the place of the node.
    spans: Vec<(u32, u32)>,
}

/// The span of a node that was not read: it stands in a script or template.
const UNREAD: (u32, u32) = (u32::MAX, u32::MAX);

impl PageText {
    pub(super) fn of(tree: &Tree) -> PageText {
        let spans = vec![UNREAD; tree.len()];
        // A page is no longer than what is looked at of it, so the offsets fit.
        let mut reader = Reader { most: u32::MAX as usize, spans, ..Reader::default() };
        reader.read(tree, NodeId::DOCUMENT, Parting::Nothing);
        PageText { line: reader.line, spans: reader.spans }
    }

    /// The text of a node, not cut; none if it is not part of the page's text.
    fn part(&self, node: NodeId) -> Option<&str> {
        let (start, end) = self.spans[node.index()];
        (start != UNREAD.0).then(|| self.line[start as usize..end as usize].trim_start())
    }

    /// The text of a node, and how many nodes were looked at.
    pub(super) fn text_of<'t>(&'t self, tree: &Tree, node: NodeId) -> (Cow<'t, str>, u64) {
        match self.part(node) {
            Some(part) if part.len() < MAX_VALUE => (Cow::Borrowed(part), 1),
            Some(part) => {
                let cut = &part[..part.floor_char_boundary(MAX_VALUE - 1)];
                (Cow::Borrowed(cut.rsplit_once(' ').map_or("", |(whole, _)| whole)), 1)
            }
            None => {
                let (text, steps) = text_of(tree, node);
                (Cow::Owned(text), steps)
            }
        }
    }

    /// The beginning of the text of a node: so many bytes, if it has them.
    pub(super) fn beginning_of(&self, node: NodeId, bytes: usize) -> &str {
        let part = self.part(node).unwrap_or_default();
        &part[..part.floor_char_boundary(bytes)]
    }
}

/// The text that stands directly in a node, not in elements below it.
pub(super) fn own_text(tree: &Tree, node: NodeId) -> String {
    let mut reader = Reader::default();
    for child in tree.children(node) {
        match tree.node(child) {
            Node::Text(text) => reader.add(text),
            Node::Element(_) => reader.space = true,
            _ => {}
        }
    }
    reader.line
}

/// Where a text is parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parting {
    Nothing,
    /// At whatever begins a new line, `<br>` included.
    Lines,
    /// At block elements, and at two `<br>` in a row.
    Blocks,
}

/// A line or block with the element it stands in.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) node: NodeId,
    pub(super) text: String,
}

/// The lines or blocks below a node.
pub(super) fn pieces(tree: &Tree, node: NodeId, parting: Parting) -> (Vec<Piece>, u64) {
    let mut reader = Reader::default();
    reader.read(tree, node, parting);
    reader.part(node);
    (reader.pieces, reader.steps)
}

struct Reader {
    line: String,
    /// Bytes of a line; what follows is left out.
    most: usize,
    /// Whether a space is due before the next word.
    space: bool,
    /// `<br>` elements since the last word.
    breaks: u32,
    /// Whether the line has its full length; what follows is left out.
    is_full: bool,
    /// The blocks that are open, the innermost last.
    blocks: Vec<NodeId>,
    pieces: Vec<Piece>,
    steps: u64,
    /// Where in the line the nodes begin and end, if anybody wants to know.
    spans: Vec<(u32, u32)>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader {
            line: String::new(),
            most: MAX_VALUE,
            space: false,
            breaks: 0,
            is_full: false,
            blocks: Vec::new(),
            pieces: Vec::new(),
            steps: 0,
            spans: Vec::new(),
        }
    }
}

impl Reader {
    /// Walks forwards in document order, and upwards at ends, without recursion.
    fn read(&mut self, tree: &Tree, root: NodeId, parting: Parting) {
        let mut at = root;
        loop {
            self.steps += 1;
            if let Some(span) = self.spans.get_mut(at.index()) {
                span.0 = self.line.len() as u32;
            }
            let descends = self.enter(tree, root, at, parting);
            if parting == Parting::Nothing && self.is_full {
                return;
            }
            if descends && let Some(child) = tree.first_child(at) {
                at = child;
                continue;
            }
            loop {
                self.leave(tree, root, at, parting);
                if let Some(span) = self.spans.get_mut(at.index()) {
                    span.1 = self.line.len() as u32;
                }
                if at == root {
                    return;
                }
                if let Some(next) = tree.next_sibling(at) {
                    at = next;
                    break;
                }
                let Some(parent) = tree.parent(at) else { return };
                at = parent;
            }
        }
    }

    /// Says whether what is below is to be read.
    fn enter(&mut self, tree: &Tree, root: NodeId, at: NodeId, parting: Parting) -> bool {
        match tree.node(at) {
            Node::Text(text) => {
                self.add(text);
                false
            }
            Node::Element(element) => {
                match role(element) {
                    Role::Hidden => return false,
                    Role::Break => self.line_break(parting, root),
                    Role::Block => {
                        self.boundary(parting, root);
                        self.blocks.push(at);
                    }
                    Role::Cell => self.space = true,
                    Role::Inline => {}
                }
                true
            }
            Node::Document => true,
            _ => false,
        }
    }

    fn leave(&mut self, tree: &Tree, root: NodeId, at: NodeId, parting: Parting) {
        if self.blocks.last() == Some(&at) {
            self.boundary(parting, root);
            self.blocks.pop();
        } else if tree.element(at).is_some_and(|element| element.is("td") || element.is("th")) {
            self.space = true;
        }
    }

    fn line_break(&mut self, parting: Parting, root: NodeId) {
        self.space = true;
        self.breaks += 1;
        match parting {
            Parting::Lines => self.part(root),
            Parting::Blocks if self.breaks > 1 => self.part(root),
            Parting::Blocks | Parting::Nothing => {}
        }
    }

    fn boundary(&mut self, parting: Parting, root: NodeId) {
        self.space = true;
        if parting != Parting::Nothing {
            self.part(root);
        }
    }

    /// Ends a piece, which stands in the innermost block.
    fn part(&mut self, root: NodeId) {
        self.space = false;
        self.breaks = 0;
        self.is_full = false;
        if !self.line.is_empty() {
            let node = self.blocks.last().copied().unwrap_or(root);
            let text = std::mem::take(&mut self.line);
            self.pieces.push(Piece { node, text });
        }
    }

    fn add(&mut self, text: &str) {
        match text.is_ascii() {
            true => self.add_words(text.split(|letter: char| is_ascii_space(letter))),
            false => self.add_words(text.split(char::is_whitespace)),
        }
    }

    /// Adds what stands between white space, empty where there is nothing in between.
    fn add_words<'t>(&mut self, parts: impl Iterator<Item = &'t str>) {
        for (at, word) in parts.enumerate() {
            self.space |= at > 0;
            if word.is_empty() {
                continue;
            }
            self.is_full |= self.line.len() + word.len() >= self.most;
            if self.is_full {
                return;
            }
            if self.space && !self.line.is_empty() {
                self.line.push(' ');
            }
            self.line.push_str(word);
            self.space = false;
            self.breaks = 0;
        }
    }
}

/// As Unicode has it, vertical tab included.
fn is_ascii_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t'..='\r')
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Hidden,
    Break,
    Block,
    Cell,
    Inline,
}

fn role(element: &Element) -> Role {
    let name = element.name();
    match ROLES.get(name) {
        // Drawings have scripts and styles, too, but none of the other elements.
        Some(role) if element.is(name) || name == "script" || name == "style" => *role,
        _ => Role::Inline,
    }
}

/// By name, since every element of a page is looked up here several times.
static ROLES: LazyLock<FxHashMap<&'static str, Role>> = LazyLock::new(|| {
    let hidden = ["script", "style", "template", "noframes", "noembed", "iframe"];
    #[rustfmt::skip]
    let blocks = [
        "address", "article", "aside", "block", "blockquote", "body", "caption", "center", "dd", "details",
        "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
        "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "legend", "li",
        "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "page", "plaintext", "pre",
        "search", "section", "summary", "table", "tbody", "tfoot", "thead", "title", "tr", "ul", "xmp",
    ];
    let hidden = hidden.map(|name| (name, Role::Hidden));
    let blocks = blocks.map(|name| (name, Role::Block));
    let others = [("br", Role::Break), ("td", Role::Cell), ("th", Role::Cell)];
    hidden.into_iter().chain(blocks).chain(others).collect()
});

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    fn body(html: &str) -> (auslese_markup::Page, NodeId) {
        let page = parse(html.as_bytes(), Some("utf-8"));
        let (body, _) = page.tree().elements_named("body").next().expect("every page has one");
        (page, body)
    }

    #[test]
    fn texts() {
        #[rustfmt::skip]
        let cases = [
            ("",                                                   ""),
            (" a  b\n",                                            "a b"),
            ("a<b>b</b>c <i> d</i>",                               "abc d"),
            ("a<br>b",                                             "a b"),
            ("<p>a</p><p>b</p>c",                                  "a b c"),
            ("<div><span><p>a</p>b</span></div>c",                 "a b c"),
            ("<table><tr><td>a</td><td>b</td></tr></table>",       "a b"),
            ("a<script>b</script><style>c</style>d",               "ad"),
            ("a<template>b</template><!-- c -->d",                 "ad"),
            ("wort<wbr>teil&shy;e",                                "wortteil\u{ad}e"),
            ("<h1>a<small>b</small></h1>",                         "ab"),
        ];
        for (html, expected) in cases {
            let (page, body) = body(html);
            assert_eq!(text_of(page.tree(), body).0, expected, "{html}");
            let whole = PageText::of(page.tree());
            for node in page.tree().subtree(body) {
                let alone = text_of(page.tree(), node).0;
                assert_eq!(whole.text_of(page.tree(), node).0, alone, "{html}");
            }
        }
    }

    #[test]
    fn lines_and_blocks() {
        #[rustfmt::skip]
        let cases = [
            // html, lines, blocks
            ("a<br>b<br><br>c",                       "a|b|c",     "a b|c"),
            ("a<br> <br>c",                           "a|c",       "a|c"),
            ("<p>a<p>b<div>c<p>d</p>e</div>f",        "a|b|c|d|e|f", "a|b|c|d|e|f"),
            ("<table><tr><td>a<td>b<tr><td>c</table>", "a b|c",    "a b|c"),
            ("<ul><li>a<li>b<br>c</ul>",              "a|b|c",     "a|b c"),
        ];
        for (html, lines, blocks) in cases {
            let (page, body) = body(html);
            for (parting, expected) in [(Parting::Lines, lines), (Parting::Blocks, blocks)] {
                let (pieces, _) = pieces(page.tree(), body, parting);
                let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
                assert_eq!(texts.join("|"), expected, "{html} {parting:?}");
            }
        }
    }

    #[test]
    fn pieces_know_their_block() {
        let (page, body) = body("a<div>b<p>c</p>d</div>");
        let (pieces, _) = pieces(page.tree(), body, Parting::Blocks);
        let names: Vec<&str> = pieces
            .iter()
            .filter_map(|piece| page.tree().element(piece.node))
            .map(|element| element.name())
            .collect();
        assert_eq!(names, ["body", "div", "p", "div"]);
    }

    #[test]
    fn long_texts_are_cut() {
        let (page, body) = body(&"wort ".repeat(MAX_VALUE));
        let (text, _) = text_of(page.tree(), body);
        assert!(text.len() <= MAX_VALUE && text.ends_with("wort"), "{}", text.len());
        let whole = PageText::of(page.tree());
        let part = whole.text_of(page.tree(), body).0;
        assert!(part.len() <= MAX_VALUE && part.ends_with("wort"), "{}", part.len());
    }
}

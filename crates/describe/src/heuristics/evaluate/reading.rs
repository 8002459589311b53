//! Reads the text of a node as a reader sees it: on one line, or in lines.
//!
//! White space counts as one space, and so does whatever the browser puts on a new line or in another
//! cell, so that words do not run together. Scripts, styles and templates are no text.

use super::item::MAX_VALUE;
use auslese_markup::{Element, Namespace, Node, NodeId, Tree, name_numbers};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The text of a node on one line, and how many nodes were looked at.
pub(super) fn text_of(tree: &Tree, node: NodeId) -> (String, u64) {
    let mut reader = Reader::default();
    reader.read(tree, node);
    (reader.line, reader.steps)
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

/// A line with the element it stands in.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) node: NodeId,
    pub(super) text: String,
}

/// The lines below a node, and how many nodes were looked at.
pub(super) fn lines(tree: &Tree, node: NodeId) -> (Vec<Line>, u64) {
    let mut reader = Reader { is_parting: true, ..Reader::default() };
    reader.read(tree, node);
    reader.part(node);
    (reader.lines, reader.steps)
}

#[derive(Default)]
struct Reader {
    line: String,
    /// Whether the text is parted at whatever begins a new line, `<br>` included.
    is_parting: bool,
    /// Whether a space is due before the next word.
    space: bool,
    /// Whether the line has its full length; what follows is left out.
    is_full: bool,
    /// The blocks that are open, the innermost last.
    blocks: Vec<NodeId>,
    lines: Vec<Line>,
    steps: u64,
}

impl Reader {
    /// Walks forwards in document order, and upwards at ends, without recursion.
    fn read(&mut self, tree: &Tree, root: NodeId) {
        let mut at = root;
        loop {
            self.steps += 1;
            let descends = self.enter(tree, root, at);
            if !self.is_parting && self.is_full {
                return;
            }
            if descends && let Some(child) = tree.first_child(at) {
                at = child;
                continue;
            }
            loop {
                self.leave(tree, root, at);
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
    fn enter(&mut self, tree: &Tree, root: NodeId, at: NodeId) -> bool {
        match tree.node(at) {
            Node::Text(text) => {
                self.add(text);
                false
            }
            Node::Element(element) => {
                match role(element) {
                    Role::Hidden => return false,
                    Role::Break => self.boundary(root),
                    Role::Block => {
                        self.boundary(root);
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

    fn leave(&mut self, tree: &Tree, root: NodeId, at: NodeId) {
        if self.blocks.last() == Some(&at) {
            self.boundary(root);
            self.blocks.pop();
        } else if tree.element(at).is_some_and(|element| element.is("td") || element.is("th")) {
            self.space = true;
        }
    }

    fn boundary(&mut self, root: NodeId) {
        self.space = true;
        if self.is_parting {
            self.part(root);
        }
    }

    /// Ends a piece, which stands in the innermost block.
    fn part(&mut self, root: NodeId) {
        self.space = false;
        self.is_full = false;
        if !self.line.is_empty() {
            let node = self.blocks.last().copied().unwrap_or(root);
            let text = std::mem::take(&mut self.line);
            self.lines.push(Line { node, text });
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
            self.is_full |= self.line.len() + word.len() >= MAX_VALUE;
            if self.is_full {
                return;
            }
            if self.space && !self.line.is_empty() {
                self.line.push(' ');
            }
            self.line.push_str(word);
            self.space = false;
        }
    }
}

/// As Unicode has it, vertical tab included.
fn is_ascii_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t'..='\r')
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Hidden,
    Break,
    Block,
    Cell,
    Inline,
}

/// What an element does to the text in it.
#[inline]
pub(super) fn role(element: &Element) -> Role {
    let role = match element.name_number() {
        Some(number) => ROLES.numbered[number],
        None => ROLES.named.get(element.name()).copied().unwrap_or(Role::Inline),
    };
    // Drawings have scripts and styles, too, but none of the other elements.
    match element.namespace() {
        Namespace::Html => role,
        _ if matches!(element.name(), "script" | "style") => role,
        _ => Role::Inline,
    }
}

/// By name, since every element of a page is looked up here several times.
struct Roles {
    /// By the number of the name.
    numbered: Vec<Role>,
    /// Names without a number are found here; those with one as well.
    named: FxHashMap<&'static str, Role>,
}

static ROLES: LazyLock<Roles> = LazyLock::new(|| {
    let named: FxHashMap<&str, Role> = named_roles().collect();
    let role = |name: &str| named.get(name).copied().unwrap_or(Role::Inline);
    Roles { numbered: name_numbers().map(|(_, name)| role(name)).collect(), named }
});

fn named_roles() -> impl Iterator<Item = (&'static str, Role)> {
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
    hidden.into_iter().chain(blocks).chain(others)
}

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
        }
    }

    #[test]
    fn parted_lines() {
        #[rustfmt::skip]
        let cases = [
            ("a<br>b<br><br>c",                        "a|b|c"),
            ("a<br> <br>c",                            "a|c"),
            ("<p>a<p>b<div>c<p>d</p>e</div>f",         "a|b|c|d|e|f"),
            ("<table><tr><td>a<td>b<tr><td>c</table>", "a b|c"),
            ("<ul><li>a<li>b<br>c</ul>",               "a|b|c"),
        ];
        for (html, expected) in cases {
            let (page, body) = body(html);
            let (lines, _) = lines(page.tree(), body);
            let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(texts.join("|"), expected, "{html}");
        }
    }

    #[test]
    fn lines_know_their_block() {
        let (page, body) = body("a<div>b<p>c</p>d</div>");
        let (lines, _) = lines(page.tree(), body);
        let elements = lines.iter().filter_map(|line| page.tree().element(line.node));
        let names: Vec<&str> = elements.map(|element| element.name()).collect();
        assert_eq!(names, ["body", "div", "p", "div"]);
    }

    #[test]
    fn long_texts_are_cut() {
        let (page, body) = body(&"wort ".repeat(MAX_VALUE));
        let (text, _) = text_of(page.tree(), body);
        assert!(text.len() <= MAX_VALUE && text.ends_with("wort"), "{}", text.len());
    }
}

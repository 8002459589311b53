//! Up-conversion of a web page: its tree becomes the body of a TEI text.
//!
//! Headings make divisions, by their level. Tables that only arrange the page are told from tables of
//! data, because old pages stand in tables as a whole and would be one cell otherwise. Navigation, header,
//! footer and asides become divisions with their role. Scripts, styles and what browsers hide are left out.

use super::flow::{Flow, Phrase};
use super::frames::Kind;
use super::inline::{Inline, address, inline};
use crate::language::language_tag;
use crate::passages::Passages;
use auslese_markup::{Element, Namespace, Node, NodeId, Page, Tree};
use std::rc::Rc;
use url::Url;

/// The `<body>` of a page. `lang` is the language of the text as a whole.
pub(super) fn body_of_page(page: &Page, url: &str, lang: &str, passages: Passages<'_>) -> String {
    let here = Url::parse(url).unwrap_or_else(|_| Url::parse("about:blank").expect("an address"));
    let flow = Flow::new(Rc::from(lang));
    let mut walk = Walk { page, tree: page.tree(), here, flow, passages };
    walk.children(NodeId::DOCUMENT);
    walk.flow.finish()
}

struct Walk<'p> {
    page: &'p Page,
    tree: &'p Tree,
    here: Url,
    flow: Flow,
    passages: Passages<'p>,
}

impl Walk<'_> {
    /// Trees are never deeper than `MAX_DEPTH`, so that recursion is bounded.
    fn children(&mut self, id: NodeId) {
        let mut child = self.tree.first_child(id);
        while let Some(at) = child {
            match self.tree.node(at) {
                Node::Text(text) => self.flow.text(text),
                Node::Element(element) => self.element(at, element),
                _ => {}
            }
            child = self.tree.next_sibling(at);
        }
    }

    fn element(&mut self, id: NodeId, element: &Element) {
        if is_hidden(element) {
            return;
        }
        let outside = self.flow.lang.clone();
        let language =
            self.declared_language(element).or_else(|| self.recognised_language(id, element));
        let foreign = language.filter(|tag| **tag != *outside);
        match (&foreign, element.sets_text_apart() || !element.is(element.name())) {
            (Some(tag), true) => self.flow.lang = Rc::from(tag.as_str()),
            (Some(tag), false) => {
                let opened = self.flow.open_inline(Inline::foreign(tag));
                self.content(id, element);
                if opened {
                    self.flow.close_inline();
                }
                return;
            }
            (None, _) => {}
        }
        self.content(id, element);
        self.flow.lang = outside;
    }

    /// The root says what the whole page is in, which was found out better than by its word.
    fn declared_language(&self, element: &Element) -> Option<String> {
        if element.is("html") || element.is("body") {
            return None;
        }
        let written = element.attribute("lang").or_else(|| element.attribute("xml:lang"))?;
        language_tag(written)
    }

    /// Of what a reader takes as one piece: an element that stands apart, and nothing in it does.
    fn recognised_language(&self, id: NodeId, element: &Element) -> Option<String> {
        if !self.passages.are_possible() || !element.sets_text_apart() {
            return None;
        }
        let mut inside = self.tree.subtree(id).skip(1).filter_map(|id| self.tree.element(id));
        let is_one_piece = !inside.any(|it| it.sets_text_apart() && !it.is("br"));
        is_one_piece.then(|| self.passages.language(&self.tree.string_value(id)))?
    }

    fn content(&mut self, id: NodeId, element: &Element) {
        if element.namespace() != Namespace::Html {
            return self.children(id);
        }
        match element.name() {
            "p" => {
                self.flow.paragraph();
                self.children(id);
                self.flow.boundary();
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.phrase(id, Phrase::Heading(level(element)))
            }
            "figcaption" => self.phrase(id, Phrase::Caption),
            "br" => self.flow.line_break(),
            "hr" => self.flow.rule(),
            "img" => self.picture(element),
            "ul" | "dir" | "menu" => self.container(id, Kind::List { ordered: false }),
            "ol" => self.container(id, Kind::List { ordered: true }),
            "select" => self.container(id, Kind::List { ordered: false }),
            "dl" => self.container(id, Kind::Glossary),
            "li" | "option" | "dd" => self.container(id, Kind::Item),
            "dt" => self.label(id),
            "blockquote" => {
                let source = element.attribute("cite").filter(|it| !it.is_empty());
                let source = source.and_then(|it| address(self.page, &self.here, it));
                self.container(id, Kind::Quote { source });
            }
            "figure" => self.container(id, Kind::Figure),
            "table" => self.table(id),
            "caption" => {}
            "tr" => self.container(id, Kind::Row { is_head: self.is_in_head(id) }),
            "td" | "th" => self.cell(id, element),
            "pre" | "listing" | "xmp" | "plaintext" | "textarea" => self.verbatim(id),
            "nav" => self.container(id, Kind::Part("navigation")),
            "header" => self.container(id, Kind::Part("header")),
            "footer" => self.container(id, Kind::Part("footer")),
            "aside" => self.container(id, Kind::Part("aside")),
            _ if element.sets_text_apart() => {
                self.flow.boundary();
                self.children(id);
                self.flow.boundary();
            }
            _ => self.inline(id, element),
        }
    }

    fn container(&mut self, id: NodeId, kind: Kind) {
        let opened = self.flow.open(kind);
        self.children(id);
        match opened {
            Some(opened) => self.flow.close(opened),
            None => self.flow.boundary(),
        }
    }

    fn phrase(&mut self, id: NodeId, phrase: Phrase) {
        let opens = self.flow.open_phrase(phrase);
        self.children(id);
        match opens {
            true => self.flow.close_phrase(),
            false => self.flow.boundary(),
        }
    }

    fn label(&mut self, id: NodeId) {
        let opens = self.flow.open_label();
        self.children(id);
        match opens {
            true => self.flow.close_phrase(),
            false => self.flow.boundary(),
        }
    }

    fn verbatim(&mut self, id: NodeId) {
        let opens = self.flow.open_verbatim();
        self.children(id);
        match opens {
            true => self.flow.close_verbatim(),
            false => self.flow.boundary(),
        }
    }

    fn inline(&mut self, id: NodeId, element: &Element) {
        let is_plain = self.tree.children(id).all(|child| self.tree.element(child).is_none());
        let inline = inline(element, is_plain, self.page, &self.here);
        let opened = inline.is_some_and(|inline| self.flow.open_inline(inline));
        self.children(id);
        if opened {
            self.flow.close_inline();
        }
    }

    fn picture(&mut self, element: &Element) {
        let is_dot = |name| matches!(element.attribute(name).map(str::trim), Some("0" | "1"));
        if is_dot("width") || is_dot("height") {
            return;
        }
        let source = element.attribute("src").map(str::trim).filter(|source| !source.is_empty());
        let source = source.and_then(|source| address(self.page, &self.here, source));
        let described: Vec<&str> =
            element.attribute("alt").unwrap_or_default().split_whitespace().collect();
        self.flow.picture(source.as_deref(), &described.join(" "));
    }

    fn table(&mut self, id: NodeId) {
        if !is_data(self.tree, id) {
            self.flow.boundary();
            self.children(id);
            return self.flow.boundary();
        }
        let opened = self.flow.open(Kind::Table);
        let mut captions = self
            .tree
            .children(id)
            .filter(|it| self.tree.element(*it).is_some_and(|it| it.is("caption")));
        if let Some(caption) = captions.next() {
            self.phrase(caption, Phrase::Caption);
        }
        self.children(id);
        match opened {
            Some(opened) => self.flow.close(opened),
            None => self.flow.boundary(),
        }
    }

    fn cell(&mut self, id: NodeId, element: &Element) {
        let span = |name| {
            let written = element.attribute(name).and_then(|it| it.trim().parse::<u32>().ok());
            written.unwrap_or(1).clamp(1, MAX_SPAN)
        };
        let (rows, columns) = (span("rowspan"), span("colspan"));
        self.container(id, Kind::Cell { is_head: element.is("th"), rows, columns });
    }

    fn is_in_head(&self, row: NodeId) -> bool {
        let parent = self.tree.parent(row).and_then(|id| self.tree.element(id));
        parent.is_some_and(|element| element.is("thead"))
    }
}

/// Most rows or columns that a cell is believed to span, as in browsers.
const MAX_SPAN: u32 = 1000;

fn level(element: &Element) -> u8 {
    element.name().bytes().last().map_or(1, |digit| digit.saturating_sub(b'0'))
}

/// What browsers do not show as text.
fn is_hidden(element: &Element) -> bool {
    match element.name() {
        "script" | "style" => true,
        "head" | "template" | "noframes" | "noembed" | "iframe" | "datalist" => {
            element.is(element.name())
        }
        _ => false,
    }
}

/// Whether a table holds data: more than one cell in some row, some text, and nothing that structures a
/// page, neither headings nor other tables.
fn is_data(tree: &Tree, table: NodeId) -> bool {
    let role = tree.element(table).and_then(|element| element.attribute("role"));
    if matches!(role, Some("presentation" | "none")) {
        return false;
    }
    let (mut has_text, mut cells, mut widest) = (false, 0_u32, 0_u32);
    for id in tree.subtree(table).skip(1) {
        match tree.node(id) {
            Node::Text(text) => has_text = has_text || !text.trim().is_empty(),
            Node::Element(element) => match element.name() {
                "table" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => return false,
                "tr" => cells = 0,
                "td" | "th" => {
                    cells += 1;
                    widest = widest.max(cells);
                }
                _ => {}
            },
            _ => {}
        }
    }
    has_text && widest > 1
}

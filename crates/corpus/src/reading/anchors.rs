//! The words of the links of a page: what other pages call a document.
//!
//! One pass over the tree, whatever is nested in what: text belongs to the innermost link that is
//! open. A link without words is called by the first image in it that has a text, and an area of a
//! map by its own.

use auslese_markup::{Element, Node, NodeId, Tree};

/// Longest text of a link that is kept, in characters.
pub const MAX_ANCHOR_TEXT: usize = 200;

/// Where a link leads, as written, and its words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Anchor<'a> {
    pub(super) href: &'a str,
    pub(super) text: String,
}

/// The links that have words, in the order in which they end.
pub(super) fn anchors(tree: &Tree) -> Vec<Anchor<'_>> {
    let mut pass = Pass { tree, open: Vec::new(), closed: Vec::new() };
    for id in tree.ids() {
        pass.close(tree.depth(id));
        pass.visit(id);
    }
    pass.close(0);
    pass.closed
}

struct Pass<'a> {
    tree: &'a Tree,
    open: Vec<OpenLink<'a>>,
    closed: Vec<Anchor<'a>>,
}

struct OpenLink<'a> {
    href: &'a str,
    depth: usize,
    words: Words,
    image: Words,
    /// The depth of the last block that was entered; to leave it ends a word.
    block: usize,
}

impl<'a> Pass<'a> {
    /// Ends the links that a node of this depth does not lie in.
    fn close(&mut self, depth: usize) {
        while let Some(link) = self.open.pop_if(|link| depth <= link.depth) {
            let text = if link.words.text.is_empty() { link.image.text } else { link.words.text };
            if !text.is_empty() {
                self.closed.push(Anchor { href: link.href, text });
            }
        }
    }

    fn visit(&mut self, id: NodeId) {
        let depth = self.tree.depth(id);
        if let Some(link) = self.open.last_mut()
            && depth <= link.block
        {
            link.words.gap = true;
            link.block = depth - 1;
        }
        match self.tree.node(id) {
            Node::Text(text) => {
                if let Some(link) = self.open.last_mut()
                    && !is_code(self.tree, id)
                {
                    link.words.add(text);
                }
            }
            Node::Element(element) => self.enter(element, depth),
            _ => {}
        }
    }

    fn enter(&mut self, element: &'a Element, depth: usize) {
        if let Some(link) = self.open.last_mut() {
            if element.is("img") && link.image.text.is_empty() {
                link.image.add(element.attribute("alt").unwrap_or_default());
            }
            if BREAKING.contains(&element.name()) {
                link.words.gap = true;
                link.block = depth;
            }
        }
        let (is_link, is_area) = (element.is("a"), element.is("area"));
        if let Some(href) = element.attribute("href").filter(|_| is_link || is_area) {
            let mut words = Words::default();
            if is_area {
                words.add(element.attribute("alt").unwrap_or_default());
            }
            self.open.push(OpenLink { href, depth, words, image: Words::default(), block: 0 });
        }
    }
}

/// Elements that end a word even without white space.
const BREAKING: &[&str] = &[
    "article",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "td",
    "th",
    "tr",
    "ul",
];

fn is_code(tree: &Tree, text: NodeId) -> bool {
    let parent = tree.parent(text).and_then(|parent| tree.element(parent));
    parent.is_some_and(|parent| matches!(parent.name(), "script" | "style"))
}

/// Text with its white space normalised, up to the length that is kept.
#[derive(Default)]
struct Words {
    text: String,
    characters: usize,
    gap: bool,
}

impl Words {
    fn add(&mut self, text: &str) {
        for c in text.chars() {
            if self.characters >= MAX_ANCHOR_TEXT {
                return;
            }
            if c.is_whitespace() {
                self.gap = true;
                continue;
            }
            if std::mem::take(&mut self.gap) && !self.text.is_empty() {
                if self.characters + 1 == MAX_ANCHOR_TEXT {
                    self.characters += 1;
                    return;
                }
                self.text.push(' ');
                self.characters += 1;
            }
            self.text.push(c);
            self.characters += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;
    use proptest::prelude::*;

    #[test]
    fn words_of_links() {
        let long = format!("<a href=x>{}</a>", "ä".repeat(MAX_ANCHOR_TEXT + 1));
        let cut = "ä".repeat(MAX_ANCHOR_TEXT);
        let last = format!("<a href=x>{} b</a>", "a".repeat(MAX_ANCHOR_TEXT - 1));
        let before = "a".repeat(MAX_ANCHOR_TEXT - 1);
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("<a href=x> Ein \n <b>Bild</b>er\u{a0}buch </a>",           &["Ein Bilder buch"]),
            ("<a href=x></a><a href=x> </a><a name=x>nein</a><p>nein",   &[]),
            ("<a href=x><img src=a><img alt=' Das  Logo'><img alt=b></a>", &["Das Logo"]),
            ("<a href=x><img alt=Logo>Start</a>",                        &["Start"]),
            ("<a href=x>Am<img>See</a>",                                 &["Am See"]),
            ("<a href=x><h3>Titel</h3><p>Text<br>mehr</p>da</a>",        &["Titel Text mehr da"]),
            ("<map><area href=x alt='Das Dach'><area href=y></map>",     &["Das Dach"]),
            ("<a href=x>a<a href=y>b",                                   &["a", "b"]),
            ("<a href=x>a<table><tr><td><a href=y>b</a></td></tr></table>c</a>", &["b", "a c"]),
            ("<a href=x>a<script>nein</script><style>nein</style></a>",  &["a"]),
            (&long,                                                      &[&cut]),
            (&last,                                                      &[&before]),
        ];
        for (html, expected) in cases {
            let page = parse(html.as_bytes(), Some("utf-8"));
            let texts: Vec<String> =
                anchors(page.tree()).into_iter().map(|anchor| anchor.text).collect();
            assert_eq!(texts, *expected, "{html}");
        }
    }

    proptest! {
        #[test]
        fn any_page(html in "(<(a href=x|area href=y alt=z|img alt=b|table|td|p|br|svg)>|</(a|table|p)>|[ a-zä]|\\PC){0,60}") {
            let page = parse(html.as_bytes(), Some("utf-8"));
            for anchor in anchors(page.tree()) {
                prop_assert!((1..=MAX_ANCHOR_TEXT).contains(&anchor.text.chars().count()));
                let words: Vec<&str> = anchor.text.split_whitespace().collect();
                prop_assert_eq!(words.join(" "), anchor.text);
            }
        }
    }
}

//! The text a reader sees, without a layout engine.
//!
//! Blocks begin a new line, table cells are set apart by a tab, runs of white space count as one
//! space except in `<pre>`, where lines are kept. Scripts, styles, templates and the content of
//! elements that browsers replace (`<noframes>`, `<iframe>` …) are no text.
//!
//! One walk makes both the text and its blocks, so that the blocks joined by line feeds are the
//! text.

use crate::blocks::{Context, Heads, TextBlock};
use crate::tree::{Element, Node, NodeId, Tree};

/// The visible text of the whole document.
pub(crate) fn visible_text(tree: &Tree) -> String {
    let mut writer = TextWriter::default();
    walk(tree, &mut writer);
    writer.text
}

/// The same text, block by block.
pub(crate) fn blocks(tree: &Tree) -> Vec<TextBlock> {
    let mut writer = TextWriter::default();
    walk(tree, &mut writer);
    writer.heads.cut(&writer.text)
}

/// The first title of the document.
pub(crate) fn title(tree: &Tree) -> Option<String> {
    let (id, _) = tree.elements_named("title").next()?;
    let text = tree.string_value(id);
    let words: Vec<_> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Visits all nodes without recursion: forwards in document order, and upwards at ends.
fn walk(tree: &Tree, writer: &mut TextWriter) {
    let mut at = tree.first_child(NodeId::DOCUMENT);
    while let Some(node) = at {
        let descend = enter(tree.node(node), writer);
        if descend && let Some(child) = tree.first_child(node) {
            at = Some(child);
            continue;
        }
        let mut done = Some(node);
        at = loop {
            let Some(id) = done else { break None };
            leave(tree.node(id), writer);
            if let Some(next) = tree.next_sibling(id) {
                break Some(next);
            }
            done = tree.parent(id);
        };
    }
}

/// Says whether the children are visible.
fn enter(node: &Node, writer: &mut TextWriter) -> bool {
    match node {
        Node::Text(text) => writer.text(text),
        Node::Element(element) => {
            let role = role(element);
            writer.open(element);
            match role {
                Role::Hidden => return false,
                Role::Break => writer.line_end(),
                Role::Block => writer.block_end(),
                Role::Cell => writer.cell(),
                Role::Preformatted => {
                    writer.block_end();
                    writer.preformatted += 1;
                }
                Role::Inline => {}
            }
        }
        _ => {}
    }
    true
}

fn leave(node: &Node, writer: &mut TextWriter) {
    let Node::Element(element) = node else { return };
    writer.contexts.pop();
    match role(element) {
        Role::Block => writer.block_end(),
        Role::Preformatted => {
            writer.preformatted = writer.preformatted.saturating_sub(1);
            writer.block_end();
        }
        Role::Cell | Role::Break | Role::Inline | Role::Hidden => {}
    }
}

impl Element {
    /// Whether words before and after its tags are set apart, because it is a block, a cell of a table
    /// or a line break.
    pub fn sets_text_apart(&self) -> bool {
        self.is(self.name())
            && matches!(role(self), Role::Break | Role::Block | Role::Cell | Role::Preformatted)
    }
}

enum Role {
    Hidden,
    Break,
    Block,
    Cell,
    Preformatted,
    Inline,
}

#[rustfmt::skip]
fn role(element: &Element) -> Role {
    match element.name() {
        "script" | "style" => Role::Hidden,
        _ if !element.is(element.name()) => Role::Inline,
        "head" | "template" | "noframes" | "noembed" | "iframe" | "datalist" => Role::Hidden,
        "br" => Role::Break,
        "td" | "th" => Role::Cell,
        "pre" | "listing" | "xmp" | "plaintext" | "textarea" => Role::Preformatted,
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center" | "dd"
        | "details" | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption"
        | "figure" | "footer" | "form" | "frameset" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
        | "header" | "hgroup" | "hr" | "html" | "legend" | "li" | "main" | "menu" | "nav" | "ol"
        | "optgroup" | "option" | "p" | "search" | "section" | "select" | "summary" | "table"
        | "tbody" | "tfoot" | "thead" | "title" | "tr" | "ul" => Role::Block,
        _ => Role::Inline,
    }
}

/// Collects lines; spaces and line ends are written only when text follows.
#[derive(Default)]
struct TextWriter {
    text: String,
    heads: Heads,
    /// What each open element hands down, the innermost last.
    contexts: Vec<Context>,
    preformatted: usize,
    pending: Pending,
}

#[derive(Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pending {
    #[default]
    Nothing,
    Space,
    Tab,
    Line,
    Block,
}

impl TextWriter {
    fn open(&mut self, element: &Element) {
        let inside = self.heads.inside(element, self.context());
        self.contexts.push(inside);
    }

    fn context(&self) -> Context {
        self.contexts.last().copied().unwrap_or_default()
    }

    fn text(&mut self, text: &str) {
        if self.preformatted > 0 {
            for (index, line) in text.split('\n').enumerate() {
                if index > 0 {
                    self.line_end();
                }
                self.words(line);
            }
        } else {
            self.words(text);
        }
    }

    fn words(&mut self, text: &str) {
        if text.starts_with(is_white) {
            self.pend(Pending::Space);
        }
        let context = self.context();
        let mut start = behind_white(text, 0);
        while start < text.len() {
            let (end, spaces) = end_of_words(text, start);
            self.flush(context);
            self.text.push_str(&text[start..end]);
            self.heads.words(&text[start..end], spaces, context);
            self.pending = Pending::Space;
            start = behind_white(text, end);
        }
        if !text.is_empty() && !text.ends_with(is_white) && self.pending == Pending::Space {
            self.pending = Pending::Nothing;
        }
    }

    /// Two line ends without text between them end the block.
    fn line_end(&mut self) {
        let twice = self.pending >= Pending::Line;
        self.pend(if twice { Pending::Block } else { Pending::Line });
    }

    fn block_end(&mut self) {
        self.pend(Pending::Block);
    }

    fn cell(&mut self) {
        self.pend(Pending::Tab);
    }

    fn pend(&mut self, pending: Pending) {
        self.pending = self.pending.max(pending);
    }

    fn flush(&mut self, context: Context) {
        let pending = std::mem::take(&mut self.pending);
        if self.text.is_empty() {
            self.heads.begin(0, context);
            return;
        }
        match pending {
            Pending::Nothing => {}
            Pending::Space => self.text.push(' '),
            Pending::Tab => self.text.push('\t'),
            Pending::Line => self.text.push('\n'),
            Pending::Block => {
                self.text.push('\n');
                if self.heads.has_room() {
                    self.heads.begin(self.text.len(), context);
                }
            }
        }
    }
}

/// Where words end that begin at `start` and have one space each between them, and how many spaces these are. Most text
/// is written that way and can be taken as it is.
fn end_of_words(text: &str, start: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let (mut at, mut spaces) = (start, 0);
    while at < bytes.len() {
        match white_at(text, at) {
            None => at += 1,
            Some(_) => {
                let is_single = bytes[at] == b' ' && at + 1 < bytes.len();
                if !is_single || white_at(text, at + 1).is_some() {
                    break;
                }
                spaces += 1;
                at += 2;
            }
        }
    }
    (at, spaces)
}

/// Where the white space ends that may begin at `at`.
fn behind_white(text: &str, mut at: usize) -> usize {
    while at < text.len()
        && let Some(length) = white_at(text, at)
    {
        at += length;
    }
    at
}

/// The bytes of the white space that begins there, if any does. Bytes within a letter begin none.
#[inline]
fn white_at(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes()[at] {
        b' ' | b'\t'..=b'\r' => Some(1),
        // All white space beyond ASCII begins with one of these.
        0xC2 | 0xE1..=0xE3 => {
            text[at..].chars().next().filter(|it| is_white(*it)).map(char::len_utf8)
        }
        _ => None,
    }
}

/// A no-break space is a space to everyone who reads text by words.
fn is_white(c: char) -> bool {
    c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use crate::parse;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn white_space_is_one_space(text in "[abäß„ \t\n\r\u{a0}\u{85}\u{2003}\u{200b}\u{3000}]{0,24}") {
            let page = parse(format!("<p>{text}").as_bytes(), Some("utf-8"));
            let words: Vec<&str> = text.split_whitespace().collect();
            prop_assert_eq!(page.text(), words.join(" "));
            let characters: usize = page.blocks().iter().map(|it| it.characters as usize).sum();
            prop_assert_eq!(characters, words.concat().chars().count());
        }
    }

    #[test]
    fn visible_text() {
        #[rustfmt::skip]
        let cases = [
            ("",                                             ""),
            ("a  b\n c",                                     "a b c"),
            ("<p>a</p> <p>b</p>",                            "a\nb"),
            ("<p>a<p>b<ul><li>c<li>d</ul>e",                 "a\nb\nc\nd\ne"),
            ("a<b>b</b> c <i> d</i>",                        "ab c d"),
            ("a<br><br>b",                                   "a\nb"),
            ("<table><tr><td>a<td>b<tr><td><td>c</table>",   "a\tb\nc"),
            ("a<script>b</script><style>c</style><template>d</template>e", "ae"),
            ("<title>t</title><body>a&nbsp;&amp;&#228;&eacute;", "a &äé"),
            ("<pre>a\n  b\n\nc</pre>d",                      "a\nb\nc\nd"),
            ("<noscript>a</noscript><iframe>b</iframe>c",    "ac"),
            ("<!-- a -->b<!-- c -->d",                       "bd"),
            ("<select><option>a<option>b</select>",          "a\nb"),
            ("<svg><style>x</style><text>a</text></svg>",    "a"),
            ("wort<wbr>teil",                                "wortteil"),
        ];
        for (html, expected) in cases {
            assert_eq!(parse(html.as_bytes(), None).text(), expected, "{html}");
        }
    }

    #[test]
    fn titles() {
        #[rustfmt::skip]
        let cases = [
            ("<title> a\n b </title><title>c</title>", Some("a b")),
            ("<body><title>late &uuml;</title>",       Some("late ü")),
            ("<svg><title>no</title></svg>",           None),
            ("<title></title>",                        None),
            ("",                                       None),
        ];
        for (html, expected) in cases {
            assert_eq!(parse(html.as_bytes(), None).title().as_deref(), expected, "{html}");
        }
    }
}

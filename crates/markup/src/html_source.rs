//! Writes a part of a tree as HTML, by the standard's rules for serialising (§13.3).
//!
//! What comes out need not be what was read: the tree has the missing tags, and no trace of how quotes
//! and character references were written.

use crate::tree::{Element, Namespace, Node, NodeId, Tree};

/// The node and all below it as HTML.
///
/// ```
/// let page = auslese_markup::parse(b"<P CLASS=a>1 &lt; 2<br>x", None);
/// let (p, _) = page.tree().elements_named("p").next().unwrap();
/// assert_eq!(auslese_markup::html_source(page.tree(), p), "<p class=\"a\">1 &lt; 2<br>x</p>");
/// ```
pub fn html_source(tree: &Tree, node: NodeId) -> String {
    let mut out = String::new();
    let mut at = node;
    loop {
        open(tree, at, &mut out);
        if let Some(child) = tree.first_child(at) {
            at = child;
            continue;
        }
        loop {
            close(tree, at, &mut out);
            if at == node {
                return out;
            }
            if let Some(next) = tree.next_sibling(at) {
                at = next;
                break;
            }
            let Some(parent) = tree.parent(at) else { return out };
            at = parent;
        }
    }
}

fn open(tree: &Tree, id: NodeId, out: &mut String) {
    match tree.node(id) {
        Node::Document => {}
        Node::Doctype { name, .. } => {
            out.push_str("<!DOCTYPE ");
            out.push_str(name);
            out.push('>');
        }
        Node::Comment(text) => {
            out.push_str("<!--");
            out.push_str(text);
            out.push_str("-->");
        }
        Node::Text(text) => {
            let parent = tree.parent(id).and_then(|parent| tree.element(parent));
            if parent.is_some_and(is_raw) {
                out.push_str(text);
            } else {
                escape(text, Where::Text, out);
            }
        }
        Node::Element(element) => {
            out.push('<');
            out.push_str(element.name());
            for attribute in element.attributes() {
                out.push(' ');
                if let Some(prefix) = attribute.prefix().filter(|prefix| !prefix.is_empty()) {
                    out.push_str(prefix);
                    out.push(':');
                }
                out.push_str(attribute.name());
                out.push_str("=\"");
                escape(&attribute.value, Where::Attribute, out);
                out.push('"');
            }
            out.push('>');
        }
    }
}

fn close(tree: &Tree, id: NodeId, out: &mut String) {
    let Some(element) = tree.element(id) else { return };
    if !is_void(element) {
        out.push_str("</");
        out.push_str(element.name());
        out.push('>');
    }
}

/// Elements without content and end tag; the last four are obsolete.
fn is_void(element: &Element) -> bool {
    #[rustfmt::skip]
    const VOID: [&str; 17] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
        "basefont", "bgsound", "frame", "keygen",
    ];
    element.namespace() == Namespace::Html && VOID.contains(&element.name())
}

/// Elements whose text is no markup and stands there as it is.
fn is_raw(element: &Element) -> bool {
    const RAW: [&str; 7] = ["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"];
    element.namespace() == Namespace::Html && RAW.contains(&element.name())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Text,
    Attribute,
}

fn escape(text: &str, place: Where, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if place == Where::Attribute => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn parts_as_html() {
        #[rustfmt::skip]
        let cases = [
            ("<b>heute</b>",                           "<body><b>heute</b></body>"),
            ("<table><tr><td>a",                       "<body><table><tbody><tr><td>a</td></tr></tbody></table></body>"),
            ("a&amp;b&lt;c&nbsp;d\"",                  "<body>a&amp;b&lt;c&nbsp;d\"</body>"),
            ("<p title='\"&amp;<x'>",                  "<body><p title=\"&quot;&amp;&lt;x\"></p></body>"),
            ("<script>a<b&&c</script>x",               "<body><script>a<b&&c</script>x</body>"),
            ("x<!--c--><hr>",                          "<body>x<!--c--><hr></body>"),
            ("<svg xlink:href=#a><title>t</svg>",      "<body><svg xlink:href=\"#a\"><title>t</title></svg></body>"),
        ];
        for (html, expected) in cases {
            let page = parse(format!("<body>{html}").as_bytes(), Some("utf-8"));
            let (body, _) = page.tree().elements_named("body").next().unwrap();
            let written = html_source(page.tree(), body);
            assert_eq!(written, expected, "{html}");
            let again = parse(written.as_bytes(), Some("utf-8"));
            let (body, _) = again.tree().elements_named("body").next().unwrap();
            assert_eq!(html_source(again.tree(), body), expected, "read and written again");
        }
    }
}

//! Writes a tree as XML that any XML parser accepts, whatever the page was.
//!
//! The same names as in XPath are used: elements of HTML have no namespace, those of SVG and
//! MathML the prefixes `svg` and `math`, so that an expression finds the same nodes in the tree and
//! in the XML. What XML cannot hold is repaired by the rules in [`crate::xml_names`] and below;
//! the doctype and declarations of namespaces are left out. The same tree always gives the same
//! bytes.

use crate::tree::Namespace;
use crate::tree::{Attribute, Element, Node, NodeId, Tree};
use crate::xml_names::xml_name;
use crate::xpath::{attribute_name, declares_namespace, usual_prefix};
use std::io::{self, Write};

/// Levels of elements in XML; of deeper ones only the content is written. Parsers that defend
/// themselves stop at 256.
pub const MAX_XML_DEPTH: usize = 250;

/// Bytes of one text, comment or attribute value as written in XML; the rest is left out. Parsers that defend
/// themselves stop at 10 million.
pub const MAX_XML_TEXT: usize = 9_000_000;

/// Writes the tree as XML 1.0 in UTF-8.
///
/// ```
/// let page = auslese_markup::parse(b"<p 1=a>x &lt; y<br><!-- a -- b -->", None);
/// let mut xml = Vec::new();
/// auslese_markup::write_xml(page.tree(), &mut xml).unwrap();
/// assert_eq!(
///     String::from_utf8(xml).unwrap(),
///     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html><head/><body>\
///      <p _x0031_=\"a\">x &lt; y<br/><!-- a - - b --></p></body></html>\n"
/// );
/// ```
pub fn write_xml(tree: &Tree, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    let root = tree.children(NodeId::DOCUMENT).find(|id| tree.element(*id).is_some());
    for child in tree.children(NodeId::DOCUMENT) {
        match tree.node(child) {
            Node::Comment(text) => write_comment(text, out)?,
            Node::Element(_) if Some(child) == root => write_subtree(tree, child, out)?,
            // XML has one root and no text beside it.
            _ => continue,
        }
        out.write_all(b"\n")?;
    }
    match root {
        Some(_) => Ok(()),
        None => out.write_all(b"<html/>\n"),
    }
}

/// Visits all nodes without recursion: forwards in document order, and upwards at ends.
fn write_subtree(tree: &Tree, root: NodeId, out: &mut dyn Write) -> io::Result<()> {
    let mut at = root;
    loop {
        enter(tree, root, at, out)?;
        if let Some(child) = tree.first_child(at) {
            at = child;
            continue;
        }
        loop {
            leave(tree, at, out)?;
            if at == root {
                return Ok(());
            }
            if let Some(next) = tree.next_sibling(at) {
                at = next;
                break;
            }
            let Some(parent) = tree.parent(at) else { return Ok(()) };
            at = parent;
        }
    }
}

fn enter(tree: &Tree, root: NodeId, id: NodeId, out: &mut dyn Write) -> io::Result<()> {
    match tree.node(id) {
        Node::Element(element) if tree.depth(id) <= MAX_XML_DEPTH => {
            write_start(element, out)?;
            if id == root {
                write_declarations(tree, out)?;
            }
            let end: &[u8] = if is_empty_in_xml(tree, id) { b"/>" } else { b">" };
            out.write_all(end)
        }
        Node::Text(text) => write_escaped(text, Where::Text, out),
        Node::Comment(text) => write_comment(text, out),
        _ => Ok(()),
    }
}

fn leave(tree: &Tree, id: NodeId, out: &mut dyn Write) -> io::Result<()> {
    match tree.element(id) {
        Some(element) if tree.depth(id) <= MAX_XML_DEPTH && !is_empty_in_xml(tree, id) => {
            out.write_all(b"</")?;
            write_element_name(element, out)?;
            out.write_all(b">")
        }
        _ => Ok(()),
    }
}

fn is_empty_in_xml(tree: &Tree, id: NodeId) -> bool {
    tree.first_child(id).is_none()
}

fn write_start(element: &Element, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<")?;
    write_element_name(element, out)?;
    for (index, attribute) in element.attributes().iter().enumerate() {
        if !declares_namespace(attribute) {
            write_attribute(index, attribute, out)?;
        }
    }
    Ok(())
}

fn write_element_name(element: &Element, out: &mut dyn Write) -> io::Result<()> {
    write_name(&element.name.ns, &element.name.local, 0, out)
}

fn write_attribute(index: usize, attribute: &Attribute, out: &mut dyn Write) -> io::Result<()> {
    let (namespace, local) = attribute_name(attribute);
    out.write_all(b" ")?;
    write_name(&namespace, local, index, out)?;
    out.write_all(b"=\"")?;
    write_escaped(&attribute.value, Where::Attribute, out)?;
    out.write_all(b"\"")
}

fn write_name(
    namespace: &Namespace,
    local: &str,
    index: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(prefix) = usual_prefix(namespace) {
        write!(out, "{prefix}:")?;
    }
    out.write_all(xml_name(local, index).as_bytes())
}

/// Declares the prefixes that occur, at the root.
fn write_declarations(tree: &Tree, out: &mut dyn Write) -> io::Result<()> {
    let elements = || tree.ids().filter_map(|id| tree.element(id));
    for namespace in [Namespace::Svg, Namespace::MathMl, Namespace::XLink] {
        let used = elements().any(|element| {
            let mut attributes = element.attributes().iter();
            element.name.ns == namespace || attributes.any(|it| it.name.ns == namespace)
        });
        if let (true, Some(prefix)) = (used, usual_prefix(&namespace)) {
            write!(out, " xmlns:{prefix}=\"{}\"", namespace.uri())?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Text,
    Attribute,
    Comment,
}

/// Two hyphens would end a comment, so they are set apart.
fn write_comment(text: &str, out: &mut dyn Write) -> io::Result<()> {
    // Each character may get a space.
    let text = &text[..text.floor_char_boundary(MAX_XML_TEXT / 2)];
    out.write_all(b"<!--")?;
    if text.contains("--") || text.ends_with('-') {
        let mut apart = String::with_capacity(text.len() + 16);
        for c in text.chars() {
            if c == '-' && apart.ends_with('-') {
                apart.push(' ');
            }
            apart.push(c);
        }
        if apart.ends_with('-') {
            apart.push(' ');
        }
        write_escaped(&apart, Where::Comment, out)?;
    } else {
        write_escaped(text, Where::Comment, out)?;
    }
    out.write_all(b"-->")
}

/// Writes runs of harmless characters in one piece, and no more than [`MAX_XML_TEXT`].
fn write_escaped(text: &str, place: Where, out: &mut dyn Write) -> io::Result<()> {
    let mut written = 0;
    let mut longer = 0;
    for (at, c) in text.char_indices() {
        if at + longer > MAX_XML_TEXT {
            return out.write_all(&text.as_bytes()[written..at]);
        }
        if let Some(replacement) = replacement(c, place) {
            out.write_all(&text.as_bytes()[written..at])?;
            out.write_all(replacement.as_bytes())?;
            written = at + c.len_utf8();
            longer += replacement.len();
        }
    }
    out.write_all(&text.as_bytes()[written..])
}

/// What stands for a character that XML cannot hold, or not there.
fn replacement(c: char, place: Where) -> Option<&'static str> {
    Some(match (c, place) {
        // A form feed is white space in HTML.
        ('\u{c}', _) => " ",
        ('\0'..='\u{8}' | '\u{b}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}', _) => "\u{fffd}",
        (_, Where::Comment) => return None,
        ('&', _) => "&amp;",
        ('<', _) => "&lt;",
        ('>', _) => "&gt;",
        ('\r', _) => "&#13;",
        ('"', Where::Attribute) => "&quot;",
        ('\t', Where::Attribute) => "&#9;",
        ('\n', Where::Attribute) => "&#10;",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::LocalName;
    use crate::parse;
    use crate::tree::QualName;

    fn check(html: &str, expected: &str) {
        let xml = parse(html.as_bytes(), Some("utf-8")).xml();
        let body = xml.split_once("<body").map_or(xml.as_str(), |(_, body)| body);
        let body = body.strip_suffix("</html>\n").unwrap_or(body);
        assert_eq!(body, expected, "{html}");
    }

    #[test]
    fn repairs() {
        #[rustfmt::skip]
        let cases = [
            ("a&amp;b&lt;c>d\u{1}\u{c}e",    ">a&amp;b&lt;c&gt;d\u{fffd} e</body>"),
            ("<p title='\"&amp;\n\t<'>",     "><p title=\"&quot;&amp;&#10;&#9;&lt;\"/></body>"),
            ("a&#13;b",                      ">a&#13;b</body>"),
            ("x<!--a--b----c--->",           ">x<!--a- -b- - - -c- --></body>"),
            ("x<!---a-->",                   ">x<!---a--></body>"),
            ("<o:p>x</o:p>",                 "><o_x003A_p>x</o_x003A_p></body>"),
            ("<p xml:lang=de lang=en>",      "><p xml:lang=\"de\" lang=\"en\"/></body>"),
            ("<p xmlns=a xmlns:b=c d=e>",    "><p d=\"e\"/></body>"),
            ("<p =a \"=b 1=c _x=d>",         "><p _x003D_a=\"\" _x0022_=\"b\" _x0031_=\"c\" _x005F_x=\"d\"/></body>"),
            ("<template><b>x</template>",    "/>"),
        ];
        for (html, expected) in cases {
            check(html, expected);
        }
    }

    #[test]
    fn namespaces() {
        let xml =
            parse(b"<svg viewBox=1 xlink:href=#a xmlns=x><title>t</title></svg><math><mi>x", None)
                .xml();
        assert!(xml.contains(
            "<html xmlns:svg=\"http://www.w3.org/2000/svg\" \
             xmlns:math=\"http://www.w3.org/1998/Math/MathML\" \
             xmlns:xlink=\"http://www.w3.org/1999/xlink\">"
        ));
        assert!(xml.contains(
            "<svg:svg viewBox=\"1\" xlink:href=\"#a\"><svg:title>t</svg:title></svg:svg>\
             <math:math><math:mi>x</math:mi></math:math>"
        ));
    }

    #[test]
    fn comments_beside_the_root_stay_and_the_doctype_goes() {
        let xml = parse(b"<!doctype html><!--a--><p>x</html><!--b-->", None).xml();
        let (_, rest) = xml.split_once("?>\n").unwrap();
        assert_eq!(rest, "<!--a-->\n<html><head/><body><p>x</p></body></html>\n<!--b-->\n");
    }

    #[test]
    fn long_texts_are_cut_as_written() {
        let (long, hyphens) = ("&".repeat(MAX_XML_TEXT / 4), "a-".repeat(MAX_XML_TEXT / 2));
        for (node, end) in [
            (Node::Text(long.clone().into()), "&amp;</html>\n"),
            (Node::Comment(hyphens.into()), "a- --></html>\n"),
            (Node::Comment(long.into()), "&--></html>\n"),
        ] {
            let mut tree = Tree::new();
            let name = QualName { ns: Namespace::Html, local: LocalName::from("html") };
            let html = Node::Element(Element::new(name, Vec::new().into()));
            let html = tree.push(NodeId::DOCUMENT, html);
            tree.push(html, node);
            let mut xml = Vec::new();
            write_xml(&tree, &mut xml).unwrap();
            assert!(xml.len() < MAX_XML_TEXT + 200, "{}", xml.len());
            assert!(xml.ends_with(end.as_bytes()), "{end}");
        }
    }

    #[test]
    fn deep_elements_leave_their_content() {
        let xml = parse("<div>".repeat(400).as_bytes(), None).xml();
        assert_eq!(xml.matches("<div").count(), MAX_XML_DEPTH - 2);
        let deep = parse(format!("{}deep", "<div>".repeat(400)).as_bytes(), None).xml();
        assert!(deep.contains("<div>deep</div>"), "{deep}");
    }
}

//! Where nodes of a tree stand in the source they were read from.
//!
//! Trees do not remember their source, since nearly nobody asks. Who does is answered by counting: the third `<h2>` of
//! the tree is the third `<h2>` of the source. Where a reader of HTML made elements that nobody wrote, or dropped some
//! that somebody did, the counts differ; then the text of the element must be there as well, and what is found nowhere
//! has no place.

use crate::lexer::{Lexer, Token};
use crate::page::Page;
use crate::tree::{Node, NodeId, Tree};
use crate::xpath::{StepBudget, XPath, XPathNode, XPathValue};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Elements that have no content, so they end with their tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Elements whose end tags are mostly left out: the next of them ends them.
const OFTEN_OPEN: [&str; 5] = ["p", "dt", "dd", "option", "td"];

/// Letters of an element's text that tell it from others.
const TELLING: usize = 24;

/// The places of nodes in the decoded source of a page, as bytes: from the start tag of an element to its end, or the
/// value of an attribute; `None` for what the source does not have.
///
/// ```
/// use auslese_markup::{parse, source_places};
/// let html = "<title>A</title><p>one<p class=x>two</p>";
/// let page = parse(html.as_bytes(), None);
/// let places = source_places(&page, html, &["/html/body/p[2]", "/html/body/p[2]/@class", "/html"]);
/// let found: Vec<Option<&str>> = places.into_iter().map(|place| Some(&html[place?])).collect();
/// assert_eq!(found, [Some("<p class=x>two</p>"), Some("x"), None]);
/// ```
pub fn source_places(page: &Page, source: &str, paths: &[&str]) -> Vec<Option<Range<usize>>> {
    let tree = page.tree();
    let nodes: Vec<Option<XPathNode>> = paths.iter().map(|path| node_at(tree, path)).collect();
    let mut wanted: FxHashMap<String, Found> = FxHashMap::default();
    for node in nodes.iter().flatten() {
        if let Some((_, name)) = element_of(tree, *node) {
            wanted.entry(name.to_owned()).or_default();
        }
    }
    for (name, found) in &mut wanted {
        found.nodes = tree.elements_named(name).map(|(id, _)| id).collect();
    }
    scan(source, &mut wanted);
    nodes.iter().map(|node| place(tree, source, &wanted, (*node)?)).collect()
}

/// What there is of one name, in the tree and in the source.
#[derive(Debug, Default)]
struct Found {
    nodes: Vec<NodeId>,
    starts: Vec<StartTag>,
    /// Where end tags begin and end.
    ends: Vec<Range<usize>>,
}

#[derive(Debug)]
struct StartTag {
    tag: Range<usize>,
    /// Where the next tag of any name begins.
    next: usize,
    /// Names and values.
    attributes: Vec<(Range<usize>, Range<usize>)>,
}

fn node_at(tree: &Tree, path: &str) -> Option<XPathNode> {
    let path = XPath::parse(path).ok()?;
    let value = path.evaluate(tree, XPathNode::DOCUMENT, &|_| None, &mut StepBudget::default());
    match value {
        Ok(XPathValue::Nodes(nodes)) => nodes.first().copied(),
        _ => None,
    }
}

/// The element a node is, or is in.
fn element_of(tree: &Tree, node: XPathNode) -> Option<(NodeId, &str)> {
    let anchor = node.anchor();
    let id = std::iter::once(anchor)
        .chain(tree.ancestors(anchor))
        .find(|id| tree.element(*id).is_some())?;
    tree.element(id).map(|element| (id, element.name()))
}

fn scan(source: &str, wanted: &mut FxHashMap<String, Found>) {
    let mut lexer = Lexer::new(source);
    let mut name_of_last: Option<String> = None;
    while let Some(token) = lexer.next() {
        let (is_start, name, attributes) = match token {
            Token::Start(tag) if !tag.foreign => {
                let ranges = tag.attributes.iter().map(|it| (it.name.clone(), it.value.clone()));
                (true, tag.name, ranges.collect())
            }
            Token::End(tag) => (false, tag.name, Vec::new()),
            _ => continue,
        };
        // The name is a part of the source, so its address tells its place.
        let name_at = name.as_ptr() as usize - source.as_ptr() as usize;
        let tag = name_at - if is_start { 1 } else { 2 }..lexer.position();
        let last = name_of_last.take().and_then(|name| wanted.get_mut(&name));
        if let Some(last) = last.and_then(|found| found.starts.last_mut()) {
            last.next = tag.start;
        }
        let name = name.to_ascii_lowercase();
        let Some(found) = wanted.get_mut(&name) else { continue };
        if is_start {
            found.starts.push(StartTag { tag, next: source.len(), attributes });
            name_of_last = Some(name);
        } else {
            found.ends.push(tag);
        }
    }
}

fn place(
    tree: &Tree,
    source: &str,
    wanted: &FxHashMap<String, Found>,
    node: XPathNode,
) -> Option<Range<usize>> {
    let (id, name) = element_of(tree, node)?;
    let found = wanted.get(name)?;
    let number = found.nodes.iter().position(|known| *known == id)?;
    let number = match found.nodes.len() == found.starts.len() {
        true => number,
        false => by_text(tree, source, found, id, number)?,
    };
    let start = found.starts.get(number)?;
    if let XPathNode::Attribute { index, .. } = node {
        let name = tree.attributes(id).get(index as usize)?.name();
        let is_it = |(key, _): &&(Range<usize>, Range<usize>)| {
            source[key.clone()].eq_ignore_ascii_case(name)
        };
        return start.attributes.iter().find(is_it).map(|(_, value)| value.clone());
    }
    Some(start.tag.start..end_of(found, number, name))
}

/// The start tag behind which the text of the element stands; of several the nearest in order.
fn by_text(tree: &Tree, source: &str, found: &Found, id: NodeId, number: usize) -> Option<usize> {
    let mut texts = tree.subtree(id).filter_map(|id| match tree.node(id) {
        Node::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
        _ => None,
    });
    let telling: String = texts.next()?.lines().next()?.chars().take(TELLING).collect();
    let has_it = |at: &usize| {
        let from = found.starts[*at].tag.end;
        let to = found.starts.get(at + 1).map_or(source.len(), |next| next.tag.start);
        source.get(from..to).is_some_and(|text| text.contains(&telling))
    };
    (0..found.starts.len()).filter(has_it).min_by_key(|at| at.abs_diff(number))
}

fn end_of(found: &Found, number: usize, name: &str) -> usize {
    let start = &found.starts[number];
    if VOID.contains(&name) {
        return start.tag.end;
    }
    let later = found.ends.partition_point(|end| end.start < start.tag.end);
    if OFTEN_OPEN.contains(&name) {
        let next = found.starts.get(number + 1).map(|next| next.tag.start);
        let end = found.ends.get(later);
        return match (next, end) {
            (Some(next), Some(end)) if next < end.start => next,
            (_, Some(end)) => end.end,
            (Some(next), None) => next,
            (None, None) => start.next,
        };
    }
    let mut inner = found.starts[number + 1..].iter().peekable();
    let mut depth = 1_usize;
    for end in &found.ends[later..] {
        while inner.next_if(|inner| inner.tag.start < end.start).is_some() {
            depth += 1;
        }
        depth -= 1;
        if depth == 0 {
            return end.end;
        }
    }
    start.next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use proptest::prelude::*;

    #[test]
    fn nodes_are_found_where_they_were_written() {
        #[rustfmt::skip]
        let cases = [
            // source                                          path                         place
            ("<title>A &amp; B</title><h1>x</h1>",             "/html/head/title",          Some("<title>A &amp; B</title>")),
            ("<meta name=a><META name=b content='c d'>",       "/html/head/meta[2]/@content", Some("c d")),
            ("<meta name=a><META name=b content='c d'>",       "/html/head/meta[2]",        Some("<META name=b content='c d'>")),
            ("<div><div>a</div>b</div>c",                      "/html/body/div",            Some("<div><div>a</div>b</div>")),
            ("<div><div>a</div>b</div>c",                      "/html/body/div/div",        Some("<div>a</div>")),
            ("<!-- <p>no</p> --><script>'<p>'</script><p>yes", "/html/body/p",              Some("<p>yes")),
            ("<p>one<p>two",                                   "/html/body/p[1]",           Some("<p>one")),
            ("<h2>x",                                          "/html/body/h2/text()",      Some("<h2>x")),
            ("<table><tr><td>1</table>",                       "/html/body/table/tbody",    None),
            ("<b>one<p>two</b></p>",                           "/html/body/p/b",            Some("<b>one<p>two</b>")),
            ("<p>a</p>",                                       "/html/body/p[7]",           None),
            ("<p>a</p>",                                       "][",                        None),
        ];
        for (source, path, expected) in cases {
            let page = parse(source.as_bytes(), None);
            let place = source_places(&page, source, &[path]).pop().flatten();
            assert_eq!(place.map(|place| &source[place]), expected, "{source} {path}");
        }
    }

    #[test]
    fn elements_that_were_dropped_do_not_shift_the_rest() {
        // The second form inside the first is no element.
        let source = "<form><p>a</p><form><p>b</p></form></form><form>c</form>";
        let page = parse(source.as_bytes(), None);
        let places = source_places(&page, source, &["/html/body/form[2]"]);
        assert_eq!(places, [Some(42..56)]);
    }

    proptest! {
        #[test]
        fn any_source_has_places_within(source in "(<[a-z/]{1,3}( a=\"?b)?>|<p>|</p>|<b>|</b>|[a-zä<>]){0,40}") {
            let page = parse(source.as_bytes(), None);
            let paths = ["/html/body/p[1]", "/html/body//b[1]", "/html/body/*[2]", "//@a"];
            for place in source_places(&page, &source, &paths).into_iter().flatten() {
                prop_assert!(source.get(place).is_some());
            }
        }
    }
}

//! Counts the elements of a page, and says which of them the standards know.
//!
//! The tables follow HTML 2.0 (RFC 1866), 3.2, 4.01 and the present standard. Elements that the
//! parser supplies (`html`, `head`, `body`, `tbody`) count like written ones.

use super::count;
use auslese_markup::{Element, Namespace, Node, Tree};
use auslese_model::Counts;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Names of elements counted in one document. The occurrences of others are left out.
pub const MAX_ELEMENT_NAMES: usize = 500;

/// Longest name of an element that is counted, in bytes.
pub const MAX_ELEMENT_NAME: usize = 64;

/// How an element stands with the standards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// In the present standard, or a custom element as it allows them.
    Standard,
    /// Once in a standard, withdrawn since.
    Obsolete,
    /// Never in any.
    Proprietary,
}

/// How an HTML element stands with the standards, by its name.
pub fn standing(name: &str) -> Standing {
    if STANDARD.contains(&name) {
        Standing::Standard
    } else if OBSOLETE.contains(&name) {
        Standing::Obsolete
    } else if name.contains('-') && name.starts_with(|c: char| c.is_ascii_lowercase()) {
        Standing::Standard
    } else {
        Standing::Proprietary
    }
}

/// Counts by name, and the counts of [`Counts`] that elements make up.
pub(crate) fn count_elements(tree: &Tree, counts: &mut Counts) -> BTreeMap<String, u32> {
    let mut by_name: FxHashMap<(&'static str, &str), u32> = FxHashMap::default();
    for id in tree.ids() {
        let Node::Element(element) = tree.node(id) else { continue };
        let key = (prefix(element.namespace()), element.name());
        if let Some(known) = by_name.get_mut(&key) {
            *known += 1;
        } else if by_name.len() < MAX_ELEMENT_NAMES && element.name().len() <= MAX_ELEMENT_NAME {
            by_name.insert(key, 1);
        }
        count_special(element, counts);
    }
    for ((prefix, name), number) in &by_name {
        match standing(name) {
            Standing::Obsolete if prefix.is_empty() => counts.obsolete += number,
            Standing::Proprietary if prefix.is_empty() => counts.proprietary += number,
            _ => {}
        }
    }
    by_name
        .into_iter()
        .map(|((prefix, name), number)| (format!("{prefix}{name}"), number))
        .collect()
}

fn prefix(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::Svg => "svg:",
        Namespace::MathMl => "math:",
        _ => "",
    }
}

fn count_special(element: &Element, counts: &mut Counts) {
    if element.namespace() != Namespace::Html {
        return;
    }
    let has = |name: &str| element.attribute(name).is_some();
    let add = |number: &mut u32, one: bool| *number = number.saturating_add(count(one.into()));
    match element.name() {
        "a" | "area" => add(&mut counts.links, has("href")),
        "img" => add(&mut counts.images, true),
        "script" => add(&mut counts.scripts, true),
        "applet" => add(&mut counts.applets, true),
        "object" | "embed" => add(&mut counts.applets, is_java(element)),
        "frame" | "iframe" => add(&mut counts.frames, true),
        "form" => add(&mut counts.forms, true),
        _ => {}
    }
}

/// Applets also came as objects.
fn is_java(element: &Element) -> bool {
    let says = |name: &str| {
        let value = element.attribute(name).unwrap_or("");
        value.get(..LONGEST_TYPE.min(value.len())).is_some_and(|start| {
            let start = start.to_ascii_lowercase();
            start.contains("java") && !start.contains("javascript")
                || start.contains("8ad9c840-044e-11d1-b3e9-00805f499d93")
        })
    };
    says("type") || says("codetype") || says("classid")
}

/// Longest beginning of a type or class identifier that is looked at.
const LONGEST_TYPE: usize = 100;

#[rustfmt::skip]
const STANDARD: &[&str] = &[
    "a", "abbr", "address", "area", "article", "aside", "audio", "b", "base", "bdi", "bdo", "blockquote", "body", "br", "button", "canvas",
    "caption", "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "div", "dl", "dt", "em", "embed",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i",
    "iframe", "img", "input", "ins", "kbd", "label", "legend", "li", "link", "main", "map", "mark", "math", "menu", "meta", "meter", "nav",
    "noscript", "object", "ol", "optgroup", "option", "output", "p", "picture", "pre", "progress", "q", "rp", "rt", "ruby", "s", "samp",
    "script", "search", "section", "select", "selectedcontent", "slot", "small", "source", "span", "strong", "style", "sub", "summary", "sup",
    "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "u", "ul", "var", "video",
    "wbr",
];

#[rustfmt::skip]
const OBSOLETE: &[&str] = &[
    "acronym", "applet", "basefont", "big", "center", "dir", "font", "frame", "frameset", "isindex", "keygen", "listing", "menuitem", "nextid",
    "noframes", "param", "plaintext", "rb", "rtc", "strike", "tt", "xmp",
];

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    #[test]
    fn standings() {
        #[rustfmt::skip]
        let cases = [
            ("p",        Standing::Standard),
            ("font",     Standing::Obsolete),
            ("blink",    Standing::Proprietary),
            ("marquee",  Standing::Proprietary),
            ("layer",    Standing::Proprietary),
            ("o:p",      Standing::Proprietary),
            ("my-tag",   Standing::Standard),
            ("-tag",     Standing::Proprietary),
        ];
        for (name, expected) in cases {
            assert_eq!(standing(name), expected, "{name}");
        }
    }

    #[test]
    fn counts_of_a_page() {
        let html = "<body><center><font>a</font><blink>b</blink></center><a href=x>c</a><a name=y></a>\
                    <img src=i><script></script><applet code=A></applet><iframe src=f></iframe><form></form>\
                    <object type='application/x-java-applet'></object><svg><font></font></svg>";
        let page = parse(html.as_bytes(), None);
        let mut counts = Counts::default();
        let elements = count_elements(page.tree(), &mut counts);
        let told = [
            counts.obsolete,
            counts.proprietary,
            counts.links,
            counts.images,
            counts.scripts,
            counts.applets,
            counts.frames,
            counts.forms,
        ];
        assert_eq!(told, [3, 1, 1, 1, 1, 2, 1, 1]);
        assert_eq!((elements["a"], elements["svg:font"], elements["svg:svg"]), (2, 1, 1));
    }

    #[test]
    fn names_are_bounded() {
        let html: String =
            (0..2_000).map(|i| format!("<x{i}></x{i}><{}>", "y".repeat(100))).collect();
        let elements = count_elements(parse(html.as_bytes(), None).tree(), &mut Counts::default());
        assert_eq!(elements.len(), MAX_ELEMENT_NAMES);
    }
}

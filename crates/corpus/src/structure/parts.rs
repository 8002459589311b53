//! Pages that form one document with this one: frames of a set, and what `rel` names as the next,
//! previous or superior page, or as the contents.

use auslese_markup::{Element, Node, Page};
use auslese_model::{Part, Relation};
use url::Url;

/// Parts noted of one page.
pub const MAX_PARTS: usize = 100;

/// Longest address of a part, in bytes.
const LONGEST_ADDRESS: usize = 2_000;

/// Each relation and address once, in the order of the page. The page is no part of itself.
pub(crate) fn parts(page: &Page, document: &Url) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let tree = page.tree();
    for id in tree.ids() {
        let Node::Element(element) = tree.node(id) else { continue };
        let Some(href) = address(element).filter(|href| href.len() <= LONGEST_ADDRESS) else {
            continue;
        };
        for relation in relations(element) {
            let Some(url) = page.resolve(document, href) else { continue };
            let part = Part { relation, url: url.into() };
            let known = part.url == document.as_str() || parts.contains(&part);
            if !known && part.url.len() <= LONGEST_ADDRESS {
                parts.push(part);
            }
            if parts.len() == MAX_PARTS {
                return parts;
            }
        }
    }
    parts
}

fn address(element: &Element) -> Option<&str> {
    if element.is("frame") {
        element.attribute("src")
    } else if element.is("link") || element.is("a") {
        element.attribute("rel").and(element.attribute("href"))
    } else {
        None
    }
}

fn relations(element: &Element) -> Vec<Relation> {
    if element.is("frame") {
        return vec![Relation::Frame];
    }
    let words = element.attribute("rel").unwrap_or("").split_ascii_whitespace();
    words.take(WORDS_SEEN).filter_map(relation).collect()
}

/// Words of a `rel` attribute that are looked at.
const WORDS_SEEN: usize = 10;

fn relation(word: &str) -> Option<Relation> {
    #[rustfmt::skip]
    const WORDS: &[(&str, Relation)] = &[
        ("next",      Relation::Next),
        ("prev",      Relation::Previous),
        ("previous",  Relation::Previous),
        ("up",        Relation::Up),
        ("parent",    Relation::Up),
        ("contents",  Relation::Contents),
        ("toc",       Relation::Contents),
    ];
    WORDS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map(|(_, relation)| *relation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    fn check(html: &str) -> Vec<(Relation, String)> {
        let document = Url::parse("http://h.example/d/p.html").unwrap();
        let parts = parts(&parse(html.as_bytes(), None), &document);
        parts.into_iter().map(|part| (part.relation, part.url)).collect()
    }

    #[test]
    fn relations_of_a_page() {
        let html = "<base href=/b/><link rel=next href=q.html#x><link rel='PREV nofollow' href='../o.html'>\
                    <a rel=up href=.>u</a><a rel=contents href=javascript:x>c</a><link rel=next href=q.html>\
                    <link rel=up href=/d/p.html><link rel=stylesheet href=s.css><a href=z>z</a>";
        let told = check(html);
        let expected = [
            (Relation::Next, "http://h.example/b/q.html"),
            (Relation::Previous, "http://h.example/o.html"),
            (Relation::Up, "http://h.example/b/"),
        ];
        assert_eq!(told, expected.map(|(relation, url)| (relation, url.to_owned())));
    }

    #[test]
    fn frames() {
        let told =
            check("<frameset><frame src=a.html><frame src=b.html><frame src=a.html></frameset>");
        assert_eq!(told.len(), 2);
        let many: String = (0..1_000).map(|i| format!("<frame src={i}>")).collect();
        assert_eq!(check(&format!("<frameset>{many}</frameset>")).len(), MAX_PARTS);
    }
}

//! Which links of an answer lead to its further pages.
//!
//! If the metadata give a pattern, it decides. Otherwise a link that says `rel=next` does, and links with the
//! path of the answer whose text is a number or a word such as "weiter". An address is followed once, and a page that was
//! seen before leads nowhere, so that no cycle goes on for ever.

use crate::metadata::Navigation;
use auslese_markup::{NodeId, Page, Tree};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use url::Url;

/// Pages of the answer to one query.
pub const MAX_PAGES_PER_QUERY: u32 = 50;

#[derive(Debug)]
pub(crate) struct Navigator {
    navigation: Navigation,
    visited: FxHashSet<String>,
    contents: FxHashSet<u64>,
    known: u32,
}

impl Navigator {
    pub(crate) fn new(navigation: &Navigation, page: &Url) -> Navigator {
        let navigation = match navigation {
            Navigation::Pattern(pattern) => {
                let absolute = page.join(pattern).map_or_else(|_| pattern.clone(), String::from);
                Navigation::Pattern(absolute)
            }
            other => other.clone(),
        };
        let (visited, contents) = (FxHashSet::default(), FxHashSet::default());
        Navigator { navigation, visited, contents, known: 0 }
    }

    /// Begins another query.
    pub(crate) fn begin(&mut self, url: &Url) {
        self.visited.clear();
        self.contents.clear();
        self.visited.insert(without_fragment(url).into());
        self.known = 0;
    }

    /// Pages of this query that are known beside the first.
    pub(crate) fn pages_known(&self) -> u32 {
        self.known
    }

    /// The links of a page that lead to pages not seen yet.
    pub(crate) fn onward(&mut self, page: &Page, url: &Url) -> Vec<Url> {
        self.visited.insert(without_fragment(url).into());
        let mut hasher = FxHasher::default();
        hasher.write(page.text().as_bytes());
        if !self.contents.insert(hasher.finish()) {
            return Vec::new();
        }
        let mut links = Vec::new();
        for link in self.candidates(page, url) {
            if self.known + 1 >= MAX_PAGES_PER_QUERY {
                break;
            }
            if self.visited.insert(link.as_str().to_owned()) {
                self.known += 1;
                links.push(link);
            }
        }
        links
    }

    fn candidates(&self, page: &Page, url: &Url) -> Vec<Url> {
        let links = links_of(page, url);
        match &self.navigation {
            Navigation::SinglePage => Vec::new(),
            Navigation::Pattern(pattern) => {
                let fits = links.into_iter().filter(|link| fits(pattern, link.url.as_str()));
                fits.map(|link| link.url).collect()
            }
            Navigation::Guessed => {
                let here = without_fragment(url);
                let is_next = |link: &PageLink| link.is_next && link.url.origin() == here.origin();
                if let Some(next) = links.iter().find(|link| is_next(link)) {
                    return vec![next.url.clone()];
                }
                let beside = |link: &PageLink| {
                    link.url.origin() == here.origin()
                        && link.url.path() == here.path()
                        && leads_on(&link.text)
                };
                links.into_iter().filter(beside).map(|link| link.url).collect()
            }
        }
    }
}

struct PageLink {
    url: Url,
    text: String,
    is_next: bool,
}

/// Characters of a link's text that are looked at.
const LINK_TEXT: usize = 100;

fn links_of(page: &Page, url: &Url) -> Vec<PageLink> {
    let tree = page.tree();
    let mut links = Vec::new();
    for id in tree.ids() {
        let Some(element) = tree.element(id) else { continue };
        if !(element.is("a") || element.is("link") || element.is("area")) {
            continue;
        }
        let Some(target) = element.attribute("href").and_then(|href| page.resolve(url, href))
        else {
            continue;
        };
        if !matches!(target.scheme(), "http" | "https") {
            continue;
        }
        let rel = element.attribute("rel").unwrap_or_default();
        let is_next = rel.split_whitespace().any(|word| word.eq_ignore_ascii_case("next"));
        if element.is("link") && !is_next {
            continue;
        }
        links.push(PageLink { url: without_fragment(&target), text: link_text(tree, id), is_next });
    }
    links
}

/// The words of a link, or what a picture in it says.
fn link_text(tree: &Tree, link: NodeId) -> String {
    let text: String = tree.string_value(link).chars().take(LINK_TEXT).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.is_empty() {
        return text;
    }
    let mut inside = tree.subtree(link).filter_map(|id| tree.element(id)?.attribute("alt"));
    inside.next().unwrap_or_default().trim().to_owned()
}

fn leads_on(text: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: [&str; 12] = [
        "next", "weiter", "vor", "vorwärts", "nächste", "nächste seite", "next page", "more", "»", ">", ">>", "→",
    ];
    let text = text.trim_matches(['[', ']', '(', ')', ' ']).to_lowercase();
    let bare = text.trim_end_matches(['»', '>', '→', ' ', '.', '…']);
    let is_number = !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
    is_number || WORDS.contains(&text.as_str()) || WORDS.contains(&bare)
}

fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

/// Whether a text fits a pattern in which `*` stands for any signs.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut left) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return left.is_empty() };
    for part in parts {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    fn onward(navigation: &Navigation, html: &str) -> String {
        let url: Url = "http://a.example/s.cgi?q=x".parse().unwrap();
        let page = parse(html.as_bytes(), Some("utf-8"));
        let mut navigator = Navigator::new(navigation, &url);
        navigator.begin(&url);
        let links = navigator.onward(&page, &url);
        links.iter().map(|it| it.as_str()[16..].to_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn links_that_lead_on() {
        let guessed = Navigation::Guessed;
        let pattern = Navigation::Pattern("/s.cgi?*page=*".to_owned());
        #[rustfmt::skip]
        let cases = [
            (&guessed, "<a href='?q=x&p=2'>2</a> <a href='?q=x&p=3#u'>3</a> <a href='?q=x'>1</a>",   "/s.cgi?q=x&p=2 /s.cgi?q=x&p=3"),
            (&guessed, "<a href='?q=x&p=2'>Weiter &raquo;</a><a href=/hilfe>Hilfe</a>",             "/s.cgi?q=x&p=2"),
            (&guessed, "<a href='?p=9'>9</a><a rel=next href='/p2'>mehr</a>",                       "/p2"),
            (&guessed, "<link rel=next href='?p=2'>",                                               "/s.cgi?p=2"),
            (&guessed, "<a href='/andere.cgi?p=2'>2</a><a href='http://b.example/s.cgi?p=2'>2</a>", ""),
            (&guessed, "<a href='?p=2'><img alt='weiter'></a>",                                     "/s.cgi?p=2"),
            (&guessed, "<a href='?hotel=1'>Hotel am See</a><a href='javascript:x()'>2</a>",         ""),
            (&pattern, "<a href='?q=x&page=2'>zwei</a><a href='?q=x'>2</a>",                        "/s.cgi?q=x&page=2"),
            (&Navigation::SinglePage, "<a href='?p=2'>2</a>",                                       ""),
        ];
        for (navigation, html, expected) in cases {
            assert_eq!(onward(navigation, html), expected, "{html}");
        }
    }

    #[test]
    fn cycles_and_endless_pages_end() {
        let url: Url = "http://a.example/s?p=0".parse().unwrap();
        let mut navigator = Navigator::new(&Navigation::Guessed, &url);
        navigator.begin(&url);
        let mut at = url.clone();
        let mut steps = 0;
        for number in 1..1000 {
            let html = format!("Seite {number} <a href='?p={number}'>weiter</a>");
            let links = navigator.onward(&parse(html.as_bytes(), None), &at);
            let Some(next) = links.first() else { break };
            at = next.clone();
            steps += 1;
        }
        assert_eq!(steps, MAX_PAGES_PER_QUERY - 1);
        navigator.begin(&url);
        let same = parse(b"<a href='?p=1'>weiter</a>", None);
        assert_eq!(navigator.onward(&same, &url).len(), 1);
        assert!(navigator.onward(&parse(b"<a href='?p=2'>weiter</a>", None), &url).is_empty());
    }

    #[test]
    fn patterns() {
        #[rustfmt::skip]
        let cases = [
            ("a*c", "abc", true), ("a*c", "ac", true), ("a*c", "ab", false), ("*", "", true), ("a", "ab", false),
            ("a*b*c", "a1b2c", true), ("a*b*c", "a1c2b", false), ("a*a", "a", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }
}

//! What other pages call a document: the words of the links that lead to it.
//!
//! A page that names thousands of short documents is read once for all of them, not once for each. So
//! the links of the last few pages are kept: documents come in the order in which they were found,
//! hence those of one page come together.

use super::bodies::stored_body;
use auslese_archive::Holdings;
use auslese_catalog::StoredCapture;
use auslese_markup::parse;
use auslese_model::{CaptureId, Method, RequestKey};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use url::Url;

/// Texts of links to one document that are asked.
const ANCHORS: usize = 8;
/// Pages whose links are kept. Two would do for one thread; with many, some still look at the page before.
const PAGES: usize = 4;

/// The words of the links of a page, by the address they lead to, which takes no more room than a hash.
type LinkWords = HashMap<RequestKey, Vec<String>>;

/// The links of the pages asked last, the newest at the end.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    pages: Mutex<VecDeque<(CaptureId, Arc<OnceLock<LinkWords>>)>>,
}

impl Anchors {
    /// The words of the links of a page that lead to an address.
    pub(super) fn texts(&self, archive: &Holdings, page: &StoredCapture, url: &str) -> Vec<String> {
        let Ok(target) = Url::parse(url) else { return Vec::new() };
        let known = self.of_page(page.capture.id);
        // Whoever comes second waits for the first.
        let words = known.get_or_init(|| words_of_page(archive, page).unwrap_or_default());
        words.get(&key(&target)).cloned().unwrap_or_default()
    }

    fn of_page(&self, id: CaptureId) -> Arc<OnceLock<LinkWords>> {
        // What is in there is right at any time, also after a panic.
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let at = pages.iter().position(|(page, _)| *page == id);
        let page = at.and_then(|at| pages.remove(at)).unwrap_or_else(|| (id, Arc::default()));
        let words = page.1.clone();
        pages.push_back(page);
        if pages.len() > PAGES {
            pages.pop_front();
        }
        words
    }
}

fn words_of_page(archive: &Holdings, page: &StoredCapture) -> Option<LinkWords> {
    let base = Url::parse(&page.url).ok()?;
    let body = stored_body(archive, &page.capture).ok()?;
    Some(link_words(&body.bytes, page.capture.fields.charset().as_deref(), &base))
}

fn link_words(body: &[u8], charset: Option<&str>, base: &Url) -> LinkWords {
    let page = parse(body, charset);
    let tree = page.tree();
    let mut words = LinkWords::new();
    for (id, element) in tree.elements_named("a") {
        let target = element.attribute("href").and_then(|href| page.resolve(base, href));
        let Some(target) = target else { continue };
        let text = tree.string_value(id);
        if text.trim().is_empty() {
            continue;
        }
        let texts = words.entry(key(&target)).or_default();
        if texts.len() < ANCHORS {
            texts.push(text);
        }
    }
    words
}

/// Without the fragment, which names a place in the document.
fn key(url: &Url) -> RequestKey {
    let text = &url[..url::Position::AfterQuery];
    RequestKey::new(Method::Get, text, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn words_of_links() {
        let html = b"<base href='/x/'><a href=b.html#c>Ein <b>Bild</b></a><a href='/y'>nein</a>\
                     <a href='http://a.example/x/b.html'>noch eins</a><a href=b.html> </a>";
        let words = link_words(html, None, &url("http://a.example/"));
        assert_eq!(words[&key(&url("http://a.example/x/b.html"))], ["Ein Bild", "noch eins"]);
        assert_eq!(words.len(), 2);
    }

    #[test]
    fn no_more_words_than_are_asked() {
        let html = "<a href=b>noch eins</a>".repeat(ANCHORS + 1);
        let words = link_words(html.as_bytes(), None, &url("http://a.example/"));
        assert_eq!(words[&key(&url("http://a.example/b"))].len(), ANCHORS);
    }

    /// How often pages are read if they are asked in this order.
    fn reads(order: &[i64]) -> usize {
        let anchors = Anchors::default();
        let mut reads = 0;
        for id in order {
            anchors.of_page(CaptureId(*id)).get_or_init(|| {
                reads += 1;
                LinkWords::new()
            });
        }
        reads
    }

    #[test]
    fn a_page_is_read_once_for_all_its_links() {
        let many = vec![7; 8_000];
        #[rustfmt::skip]
        let cases: [(&[i64], usize); 4] = [
            (&many,                  1),
            (&[1, 1, 2, 1, 2, 2],    2),
            (&[1, 2, 3, 4, 1, 2],    4),
            (&[1, 2, 3, 4, 5, 1],    6),
        ];
        for (order, expected) in cases {
            assert_eq!(reads(order), expected, "{order:?}");
        }
    }
}

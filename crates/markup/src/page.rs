//! A document read in full: its tree, its links, and what was odd about it.

use crate::decode::{Charset, Decoded};
use crate::links::Links;
use crate::tree::Tree;
use crate::{guard, scan, text};
use auslese_model::Oddity;

/// Reads an HTML document. Any bytes are a document; what puzzles is kept in
/// [`Page::oddities`].
pub fn parse(bytes: &[u8], http_charset: Option<&str>) -> Page {
    let decoded = Decoded::html(bytes, http_charset);
    let (links, excess_attributes) = scan::scan(&decoded.text, Links::new(decoded.charset()));
    let (tree, mut oddities) = guard::build(&decoded.text, &excess_attributes);
    oddities.extend(links.oddities.iter().cloned());
    Page { tree, links, oddities }
}

/// An HTML document.
#[derive(Debug, Clone)]
pub struct Page {
    tree: Tree,
    links: Links,
    oddities: Vec<Oddity>,
}

impl Page {
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn charset(&self) -> Charset {
        self.links.charset
    }

    pub fn oddities(&self) -> &[Oddity] {
        &self.oddities
    }

    /// The same links as [`crate::scan_links`] finds.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// The visible text: one line per block, white space normalised.
    pub fn text(&self) -> String {
        text::visible_text(&self.tree)
    }

    /// The text of the first `<title>`, white space normalised; `None` if there is none or it is
    /// empty.
    pub fn title(&self) -> Option<String> {
        text::title(&self.tree)
    }
}

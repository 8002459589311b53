//! A document read in full: its tree, its links, and what was odd about it.

use crate::blocks::{self, TextBlock};
use crate::decode::{Charset, CharsetSource, Decoded, undecodable};
use crate::doctype::{self, Doctype};
use crate::html::{self, Built, Extent};
use crate::links::{LinkKind, Links, Resolver};
use crate::parse_errors::ParseError;
use crate::tree::Tree;
use crate::{scan, text, xml};
use auslese_model::Oddity;
use url::Url;

/// Reads an HTML document. Any bytes are a document; what puzzles is kept in
/// [`Page::oddities`].
pub fn parse(bytes: &[u8], http_charset: Option<&str>) -> Page {
    let decoded = Decoded::html(bytes, http_charset);
    let links = scan::scan(&decoded.text, Links::new(decoded.charset()));
    let odd_characters = undecodable(&decoded.text);
    let Built { tree, errors, mut oddities, .. } = html::build(decoded.text, Extent::Whole);
    oddities.extend(links.oddities.iter().cloned());
    oddities.extend(odd_characters);
    Page { tree, links, errors, oddities }
}

/// Reads an HTML document without what is no text: programs, style sheets, comments, drawings, and
/// pictures written into it. Its elements, their text and attributes are those of [`parse`]; its
/// links are not looked for. Only the content goes of what is left out: the elements stay where
/// they are, empty. Scripts that hold data, such as JSON-LD, stay.
pub fn parse_text(bytes: &[u8], http_charset: Option<&str>) -> Page {
    text_page(Decoded::html(bytes, http_charset))
}

/// The same for bytes that nobody else needs: where they are UTF-8, the tree keeps them as they are.
pub fn parse_text_owned(bytes: Vec<u8>, http_charset: Option<&str>) -> Page {
    text_page(Decoded::owned_html(bytes, http_charset, html::with_line_feeds))
}

fn text_page(decoded: Decoded<'_>) -> Page {
    let links = Links::new(decoded.charset());
    let odd_characters = undecodable(&decoded.text);
    let Built { tree, errors, mut oddities, base } = html::build(decoded.text, Extent::Lean);
    oddities.extend(odd_characters);
    Page { tree, links: Links { base, ..links }, errors, oddities }
}

/// An HTML document.
#[derive(Debug, Clone)]
pub struct Page {
    tree: Tree,
    links: Links,
    errors: Vec<(ParseError, u32)>,
    oddities: Vec<Oddity>,
}

impl Page {
    /// A page for a tree made by other means than reading HTML; it has no links.
    pub fn of_tree(tree: Tree) -> Page {
        let charset = Charset { name: "UTF-8", source: CharsetSource::Utf8 };
        Page { tree, links: Links::new(charset), errors: Vec::new(), oddities: Vec::new() }
    }

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

    /// The same text block by block: joined by line feeds, the blocks are [`Page::text`].
    pub fn blocks(&self) -> Vec<TextBlock> {
        text::blocks(&self.tree)
    }

    /// The language that the `<html>` element declares, as written.
    pub fn lang(&self) -> Option<&str> {
        let (_, html) = self.tree.elements_named("html").next()?;
        blocks::language(html).filter(|tag| !tag.is_empty())
    }

    pub fn doctype(&self) -> Option<Doctype> {
        doctype::doctype(&self.tree)
    }

    /// What is wrong with the page, by kind, with how often.
    pub fn parse_errors(&self) -> &[(ParseError, u32)] {
        &self.errors
    }

    /// The address an attribute of this page refers to; `document` is the page's own.
    pub fn resolve(&self, document: &Url, href: &str) -> Option<Url> {
        let resolver = Resolver::new(document, self.links.base.as_deref(), self.charset());
        resolver.resolve(href, LinkKind::Page, None)
    }

    /// The tree as XML; see [`crate::write_xml`].
    pub fn xml(&self) -> String {
        let mut xml = Vec::new();
        xml::write_xml(&self.tree, &mut xml).expect("memory takes everything");
        String::from_utf8(xml).expect("only UTF-8 is written")
    }

    /// The text of the first `<title>`, white space normalised; `None` if there is none or it is
    /// empty.
    pub fn title(&self) -> Option<String> {
        text::title(&self.tree)
    }
}

//! Bytes to tree, text and links, once and for everyone.
//!
//! HTML as it is found on the web: in any encoding, of any age, in any state of repair. Nothing
//! here fails; what was understood comes back together with what puzzled ([`Page::oddities`]), in
//! time and memory that are bounded by the length of the input and by the limits named below.
//!
//! [`parse`] reads a document in full, [`parse_text`] without what is no text; [`scan_links`] reads its links only, many times faster, and
//! finds the same ones; [`rewrite_html`] and [`rewrite_css`] change links and leave every other
//! byte as it was; [`enclose_html`] and [`enclose_css`] also see to it that nothing leads elsewhere. [`XPath`] asks questions about a tree, and [`write_xml`] hands it to others.
//!
//! ```
//! use auslese_markup::{LinkKind, StepBudget, XPath, XPathNode, parse, rewrite_html};
//! let html = b"<title>K\xF6ln</title><p>Zum <a href=dom.html#turm>Dom</a><img src=/rhein.gif>";
//! let page = parse(html, Some("iso-8859-1"));
//! assert_eq!(page.title().as_deref(), Some("Köln"));
//! assert_eq!(page.text(), "Zum Dom");
//!
//! let here = "http://koeln.example/stadt/".parse().unwrap();
//! let links = page.links().resolve(&here);
//! assert_eq!(links[0].url.as_str(), "http://koeln.example/stadt/dom.html");
//! assert_eq!(links[1].kind, LinkKind::Embedded);
//!
//! let question = XPath::parse("//a[starts-with(@href, 'dom')]").unwrap();
//! let mut budget = StepBudget::default();
//! let answer = question.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget);
//! assert_eq!(answer.unwrap().string(page.tree()), "Dom");
//!
//! let moved = rewrite_html(html, Some("iso-8859-1"), &here, &mut |url, _| {
//!     (url.path() == "/rhein.gif").then(|| "../rhein.gif".to_owned())
//! });
//! assert!(moved.ends_with(b"<a href=dom.html#turm>Dom</a><img src=\"../rhein.gif\">"));
//! ```

mod blocks;
mod builder;
mod char_refs;
mod css;
mod decode;
mod doctype;
mod enclose;
mod foreign;
mod html;
mod html_source;
mod lexer;
#[cfg(test)]
mod lexer_oracle;
mod links;
mod names;
mod page;
mod parse_errors;
mod phrases;
mod prescan;
mod references;
mod refresh;
mod rewrite;
mod scan;
mod source_place;
mod splice;
mod srcset;
mod text;
mod tree;
mod tree_index;
mod tree_text;
mod xml;
mod xml_names;
mod xml_pieces;
mod xpath;

pub use blocks::{BlockKind, MAX_BLOCKS, MAX_LANGUAGE_TAG, Place, TextBlock};
pub use builder::TreeBuilder;
pub use css::css_links;
pub use decode::{Charset, CharsetSource, GUESS_BYTES, decode, decode_plain, undecodable};
pub use doctype::Doctype;
pub use enclose::{Enclosed, enclose_css, enclose_html};
pub use html::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_DOCUMENT, MAX_NODES, MAX_TREE_TEXT};
pub use html_source::html_source;
pub use lexer::MAX_TAG_ATTRIBUTES;
pub use links::{
    FoundUrl, Link, LinkKind, Links, MAX_LINK_BYTES, MAX_LINK_TEXT, MAX_LINKS, MAX_RESOLVED_TEXT,
    MetaRobots,
};
pub use page::{Page, parse, parse_text, parse_text_owned};
pub use parse_errors::ParseError;
pub use phrases::{MAX_PHRASES, text_phrases};
pub use prescan::PRESCAN_BYTES;
pub use rewrite::{MAX_REWRITTEN_TEXT, rewrite_css, rewrite_html};
pub use scan::{scan_css, scan_links};
pub use source_place::source_places;
pub use tree::{Attribute, Element, Namespace, Node, NodeId, Tree, name_numbers};
pub use tree_text::TreeText;
pub use xml::{MAX_XML_DEPTH, MAX_XML_TEXT, write_xml};
pub use xml_names::MAX_XML_NAME;
pub use xml_pieces::{XmlPiece, XmlTag, XmlTagKind, xml_pieces, xml_tags};
pub use xpath::{
    MAX_XPATH_DEPTH, MAX_XPATH_LENGTH, MAX_XPATH_PATTERN, MAX_XPATH_STEPS, Places, StepBudget,
    XPath, XPathError, XPathFailure, XPathNode, XPathValue, path_of,
};

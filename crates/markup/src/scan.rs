//! The link pass over a document: one walk over its tags, no tree.
//!
//! [`scan_links`] is what a crawl calls for every page. [`crate::parse`] uses the same pass, so a
//! document has the same links whichever way it was read.

use crate::char_refs::{Place, resolve_references};
use crate::css;
use crate::decode::Decoded;
use crate::lexer::{Lexer, RawElement, Tag, Token};
use crate::links::{Link, LinkKind, Links, MAX_LINK_BYTES, MAX_LINK_TEXT, MAX_LINKS};
use crate::phrases::Sketch;
use crate::references::{Reference, Shape, base, each_reference, meta_robots};
use crate::{refresh, srcset};
use auslese_model::Oddity;
use std::ops::Range;

/// Finds the links of an HTML document.
pub fn scan_links(bytes: &[u8], http_charset: Option<&str>) -> Links {
    let decoded = Decoded::html(bytes, http_charset);
    scan(&decoded.text, Links::new(decoded.charset()))
}

/// Finds the links of a style sheet; `@charset` is honoured.
pub fn scan_css(bytes: &[u8], http_charset: Option<&str>) -> Links {
    let decoded = Decoded::css(bytes, http_charset);
    let mut scan = Scan::new(Links::new(decoded.charset()));
    scan.style(&decoded.text);
    scan.finish()
}

/// The links of decoded HTML.
pub(crate) fn scan(text: &str, links: Links) -> Links {
    let mut scan = Scan::new(links);
    scan.markup(text, Noframes::Read);
    scan.finish()
}

/// The content of `<noframes>` is markup for browsers of its time. It is read once; what it holds
/// of further `<noframes>` is not, so that no input is read again and again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noframes {
    Read,
    PassOver,
}

struct Scan {
    links: Links,
    /// Open elements in which a `<base>` does not count.
    inert: usize,
    too_many: usize,
    too_long: usize,
    /// Bytes of all links so far.
    text: usize,
    sketch: Sketch,
}

impl Scan {
    fn new(links: Links) -> Scan {
        Scan { links, inert: 0, too_many: 0, too_long: 0, text: 0, sketch: Sketch::default() }
    }

    fn finish(mut self) -> Links {
        let mut note = |kind: &str, count: usize| {
            if count > 0 {
                self.links.oddities.push(Oddity::new(kind, format!("{count} left out")));
            }
        };
        note("too-many-links", self.too_many);
        note("link-too-long", self.too_long);
        self.links.phrases = self.sketch.finish();
        self.links
    }

    fn markup(&mut self, text: &str, noframes: Noframes) {
        let mut lexer = Lexer::new(text);
        let mut in_foreign_style = false;
        while let Some(token) = lexer.next() {
            match token {
                Token::Start(tag) => {
                    in_foreign_style = tag.foreign && tag.is("style");
                    self.start_tag(&tag);
                }
                Token::End(tag) => {
                    in_foreign_style = false;
                    if tag.is("template") {
                        self.inert = self.inert.saturating_sub(1);
                    }
                }
                Token::Raw(RawElement::Style, range) => self.style(&text[range]),
                Token::Raw(RawElement::Noframes, range) if noframes == Noframes::Read => {
                    self.inert += 1;
                    self.markup(&text[range], Noframes::PassOver);
                    self.inert = self.inert.saturating_sub(1);
                }
                Token::Text(range) if in_foreign_style => {
                    self.style(&resolve_references(&text[range], Place::Text));
                }
                Token::Cdata(range) if in_foreign_style => self.style(&text[range]),
                Token::Text(range) | Token::Raw(RawElement::Title, range) => {
                    self.sketch.add(&text.as_bytes()[range]);
                }
                Token::Cdata(_) | Token::Raw(..) => {}
            }
        }
    }

    fn start_tag(&mut self, tag: &Tag<'_, '_>) {
        if tag.is("template") {
            self.inert += usize::from(!tag.foreign);
        } else if tag.is("meta") {
            meta_robots(tag, &mut self.links.robots);
        } else if self.links.base.is_none() && self.inert == 0 {
            self.links.base = base(tag).map(|href| tag.value_of(href).into_owned());
        }
        each_reference(tag, |reference| self.reference(tag, &reference));
    }

    fn reference(&mut self, tag: &Tag<'_, '_>, reference: &Reference<'_>) {
        let value = tag.value_of(reference.attribute);
        match reference.shape {
            Shape::Style => self.style(&value),
            shape => {
                let codebase = reference.codebase.map(|attribute| tag.value_of(attribute));
                each_url(&value, shape, |range| {
                    self.push(
                        &value[range],
                        reference.kind,
                        reference.nofollow,
                        codebase.as_deref(),
                    );
                });
            }
        }
    }

    fn style(&mut self, css: &str) {
        for reference in css::references(css) {
            self.push(&reference.url, LinkKind::Embedded, false, None);
        }
    }

    fn push(&mut self, href: &str, kind: LinkKind, nofollow: bool, codebase: Option<&str>) {
        // The bytes of a data URL are in the document already.
        if href.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
            return;
        }
        let codebase_len = codebase.map_or(0, str::len);
        if href.len().max(codebase_len) > MAX_LINK_BYTES {
            self.too_long += 1;
        } else if self.links.found.len() >= MAX_LINKS || self.text >= MAX_LINK_TEXT {
            self.too_many += 1;
        } else {
            self.text += href.len() + codebase_len;
            let (href, codebase) = (href.to_owned(), codebase.map(str::to_owned));
            self.links.found.push(Link { href, kind, nofollow, codebase });
        }
    }
}

/// Calls `found` with the range of each URL in an attribute value. Not for [`Shape::Style`].
pub(crate) fn each_url(value: &str, shape: Shape, mut found: impl FnMut(Range<usize>)) {
    match shape {
        Shape::Url | Shape::Style => found(0..value.len()),
        Shape::Candidates => srcset::candidates(value).for_each(found),
        Shape::Refresh => refresh::target(value).into_iter().for_each(found),
        Shape::Commas => items(value, |c| c == ',').for_each(found),
        Shape::Spaces => items(value, |c| c.is_ascii_whitespace()).for_each(found),
    }
}

/// The non-empty parts of a list with separators of one byte, without the white space around them.
fn items(value: &str, separates: impl Fn(char) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut offset = 0;
    value.split(separates).filter_map(move |part| {
        let start = offset + part.len() - part.trim_ascii_start().len();
        offset += part.len() + 1;
        let item = part.trim_ascii();
        (!item.is_empty()).then(|| start..start + item.len())
    })
}

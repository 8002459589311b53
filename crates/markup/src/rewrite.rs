//! Changes links in a document and nothing else: the one rewriter for replay and mirror.
//!
//! The document is walked as for [`crate::scan_links`], each link is resolved and shown to the
//! caller's `map`; where that answers with new text, the attribute value (or the URL token of a
//! style sheet) is replaced in the source. All other bytes stay, and the output has the encoding
//! of the input. If `map` answers nothing, the output is the input.
//!
//! New links are meant relative to the document, so a `<base href>` is emptied once a link was
//! replaced, and what the map left alone is then written as an absolute URL to keep its meaning.
//! The same holds for `codebase`, within its element. A fragment stays with its link.
//!
//! That is what a mirror needs. For replay, [`crate::enclose_html`] goes further: there nothing may
//! lead out of the document but where the map says.

use crate::char_refs::{Place, resolve_references};
use crate::css;
use crate::decode::{Charset, Decoded};
use crate::enclose::{Enclosure, dead_end, instead_of, may_mistake};
use crate::lexer::{Attribute, Lexer, Quote, RawElement, Tag, Token};
use crate::links::{LinkKind, Links, Resolver};
use crate::references::{Reference, Shape, base, each_reference};
use crate::scan::{Noframes, each_url, scan};
use crate::splice::{Edit, splice};
use std::ops::Range;
use url::Url;

/// Text of new links in one document: a long base would otherwise make gigabytes of short links.
/// Those beyond it are not rewritten.
pub const MAX_REWRITTEN_TEXT: usize = 32 << 20;

/// Rewrites the links of an HTML document that lies at `document`.
pub fn rewrite_html(
    bytes: &[u8],
    http_charset: Option<&str>,
    document: &Url,
    map: &mut dyn FnMut(&Url, LinkKind) -> Option<String>,
) -> Vec<u8> {
    let decoded = Decoded::html(bytes, http_charset);
    let mut rewrite = Rewrite::of_markup(&decoded.text, document, decoded.charset(), map, None);
    rewrite.markup(&decoded.text, 0, Noframes::Read);
    rewrite.finish(bytes, &decoded)
}

/// Rewrites the links of a style sheet that lies at `document`.
pub fn rewrite_css(
    bytes: &[u8],
    http_charset: Option<&str>,
    document: &Url,
    map: &mut dyn FnMut(&Url, LinkKind) -> Option<String>,
) -> Vec<u8> {
    let decoded = Decoded::css(bytes, http_charset);
    let mut rewrite = Rewrite::of_style(document, decoded.charset(), map, None);
    rewrite.style_sheet(&decoded.text, 0);
    rewrite.finish(bytes, &decoded)
}

/// What a link becomes; `None` leaves it as it is.
pub(crate) type LinkMap<'m> = dyn FnMut(&Url, LinkKind) -> Option<String> + 'm;

pub(crate) struct Rewrite<'m, 'f> {
    pub(crate) resolver: Resolver,
    pub(crate) map: &'m mut LinkMap<'f>,
    /// There is a `<base>` in force, usable or not.
    has_base: bool,
    /// The map has answered at least once.
    replaced: bool,
    pub(crate) edits: Vec<Edit>,
    /// Bytes of links, joined and written.
    pub(crate) text: usize,
    /// Set if nothing may lead out.
    pub(crate) enclosure: Option<Enclosure>,
    /// Set if a browser may see markup where none was seen here.
    pub(crate) may_mistake: bool,
}

/// A piece of a value that gets new text.
pub(crate) struct Piece {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

/// Whether links keep their meaning when they keep their text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unmapped {
    Keep,
    MakeAbsolute,
}

impl<'m, 'f> Rewrite<'m, 'f> {
    /// Looks for the base of a document first.
    pub(crate) fn of_markup(
        text: &str,
        document: &Url,
        charset: Charset,
        map: &'m mut LinkMap<'f>,
        enclosure: Option<Enclosure>,
    ) -> Rewrite<'m, 'f> {
        let links = scan(text, Links::new(charset));
        let mut rewrite = Rewrite::of_style(document, charset, map, enclosure);
        rewrite.resolver = Resolver::new(document, links.base.as_deref(), charset);
        rewrite.has_base = links.base.is_some();
        rewrite.may_mistake = enclosure.is_some() && may_mistake(text);
        rewrite
    }

    pub(crate) fn of_style(
        document: &Url,
        charset: Charset,
        map: &'m mut LinkMap<'f>,
        enclosure: Option<Enclosure>,
    ) -> Rewrite<'m, 'f> {
        let resolver = Resolver::new(document, None, charset);
        Rewrite {
            resolver,
            map,
            has_base: false,
            replaced: false,
            edits: Vec::new(),
            text: 0,
            enclosure,
            may_mistake: false,
        }
    }

    pub(crate) fn finish(self, bytes: &[u8], decoded: &Decoded<'_>) -> Vec<u8> {
        // Without a single new link the base holds, and with it every link as written.
        if self.replaced || self.enclosure.is_some() {
            splice(bytes, decoded, self.edits)
        } else {
            bytes.to_vec()
        }
    }

    /// `offset` is where this markup begins in the whole text.
    pub(crate) fn markup(&mut self, text: &str, offset: usize, noframes: Noframes) {
        let mut lexer = Lexer::new(text);
        let mut in_foreign_style = false;
        while let Some(token) = lexer.next() {
            match token {
                Token::Start(tag) => {
                    // Whether the style sheet ends here is not certain, so it must not.
                    let goes_on = in_foreign_style && self.enclosure.is_some();
                    in_foreign_style = goes_on || tag.foreign && tag.is("style");
                    match self.enclosure {
                        Some(enclosure) => self.enclose_tag(&tag, offset, enclosure),
                        None => self.start_tag(&tag, offset),
                    }
                }
                Token::End(_) => in_foreign_style = false,
                Token::Raw(RawElement::Style, range) => {
                    self.style_sheet(&text[range.clone()], offset + range.start);
                    self.enclose_raw(&text[range.clone()], offset + range.start);
                }
                Token::Raw(RawElement::Noframes, range) if noframes == Noframes::Read => {
                    let start = offset + range.start;
                    self.markup(&text[range], start, Noframes::PassOver);
                }
                Token::Cdata(range) if in_foreign_style => {
                    self.style_sheet(&text[range.clone()], offset + range.start);
                    self.enclose_raw(&text[range.clone()], offset + range.start);
                }
                Token::Text(range) if in_foreign_style => {
                    let css = resolve_references(&text[range.clone()], Place::Text);
                    let pieces = self.style_pieces(&css);
                    if !pieces.is_empty() {
                        let css = with_pieces(&css, pieces);
                        let text = css.replace('&', "&amp;").replace('<', "&lt;");
                        self.edit(range, offset, text);
                    }
                }
                Token::Cdata(range) | Token::Raw(_, range) => {
                    self.enclose_raw(&text[range.clone()], offset + range.start);
                }
                Token::Text(_) => {}
            }
        }
    }

    pub(crate) fn start_tag(&mut self, tag: &Tag<'_, '_>, offset: usize) {
        if self.has_base
            && let Some(href) = base(tag).filter(|href| !href.value.is_empty())
        {
            self.replace_value(href, offset, "");
        }
        let mut replaced_with_codebase = false;
        each_reference(tag, |reference| {
            if self.reference(tag, &reference, offset) {
                replaced_with_codebase |= reference.codebase.is_some();
            }
        });
        if replaced_with_codebase && let Some(codebase) = tag.attribute("codebase") {
            self.replace_value(codebase, offset, "");
        }
    }

    /// Says whether the attribute was changed.
    pub(crate) fn reference(
        &mut self,
        tag: &Tag<'_, '_>,
        reference: &Reference<'_>,
        offset: usize,
    ) -> bool {
        let value = tag.value_of(reference.attribute);
        let pieces = match reference.shape {
            Shape::Style => self.style_pieces(&value),
            shape => {
                let codebase = reference.codebase.map(|attribute| tag.value_of(attribute));
                let mut pieces = Vec::new();
                each_url(&value, shape, |range| {
                    let href = &value[range.clone()];
                    if let Some(link) = self.new_link(href, reference.kind, codebase.as_deref()) {
                        pieces.push(Piece { range, text: fit(link, shape) });
                    }
                });
                pieces
            }
        };
        if pieces.is_empty() {
            return false;
        }
        let value = with_pieces(&value, pieces);
        self.replace_value(reference.attribute, offset, &value);
        true
    }

    pub(crate) fn style_sheet(&mut self, css: &str, offset: usize) {
        for piece in self.style_pieces(css) {
            self.edit(piece.range, offset, piece.text);
        }
    }

    fn style_pieces(&mut self, css: &str) -> Vec<Piece> {
        let pieces = css::references(css).filter_map(|reference| {
            let link = self.new_link(&reference.url, LinkKind::Embedded, None)?;
            Some(Piece { range: reference.range, text: css::quoted(&link) })
        });
        pieces.collect()
    }

    /// What a link shall become, if it shall change.
    fn new_link(&mut self, href: &str, kind: LinkKind, codebase: Option<&str>) -> Option<String> {
        if href.trim_ascii().is_empty() {
            return None;
        }
        let joined = match self.text {
            ..=MAX_REWRITTEN_TEXT => self.resolver.join(href, kind, codebase),
            _ => None,
        };
        let Some(mut url) = joined else {
            return self.enclosure.and_then(|_| instead_of(href, kind));
        };
        self.text += url.as_str().len();
        let fragment = url.fragment().map(str::to_owned);
        url.set_fragment(None);
        if let Some(mut link) = (self.map)(&url, kind) {
            self.replaced = true;
            if let Some(fragment) = fragment.filter(|_| !link.contains('#')) {
                link.push('#');
                link.push_str(&fragment);
            }
            return Some(link);
        }
        if self.enclosure.is_some() {
            return Some(dead_end(kind).to_owned());
        }
        if self.unmapped(codebase) == Unmapped::Keep {
            return None;
        }
        url.set_fragment(fragment.as_deref());
        Some(url.into())
    }

    fn unmapped(&self, codebase: Option<&str>) -> Unmapped {
        if self.has_base || codebase.is_some() { Unmapped::MakeAbsolute } else { Unmapped::Keep }
    }

    pub(crate) fn replace_value(&mut self, attribute: &Attribute, offset: usize, value: &str) {
        let value = value.replace('&', "&amp;");
        let text = match attribute.quote {
            Quote::Double => value.replace('"', "&quot;"),
            Quote::Single => value.replace('\'', "&#39;"),
            Quote::None => format!("\"{}\"", value.replace('"', "&quot;")),
        };
        self.edit(attribute.value.clone(), offset, text);
    }

    pub(crate) fn edit(&mut self, range: Range<usize>, offset: usize, text: String) {
        self.text += text.len();
        self.edits.push(Edit { range: range.start + offset..range.end + offset, text });
    }
}

/// The value with its pieces, which are in order, replaced.
pub(crate) fn with_pieces(value: &str, pieces: Vec<Piece>) -> String {
    let mut result = String::with_capacity(value.len() + pieces.len() * 32);
    let mut done = 0;
    for piece in pieces {
        result.push_str(&value[done..piece.range.start]);
        result.push_str(&piece.text);
        done = piece.range.end;
    }
    result.push_str(&value[done..]);
    result
}

/// A link in the spelling that its place needs, where some characters separate.
fn fit(link: String, shape: Shape) -> String {
    match shape {
        Shape::Url | Shape::Style => link,
        Shape::Refresh => link.replace('"', "%22").replace('\'', "%27"),
        Shape::Candidates | Shape::Commas | Shape::Spaces => {
            link.replace(|c: char| c.is_ascii_whitespace(), "%20").replace(',', "%2C")
        }
    }
}

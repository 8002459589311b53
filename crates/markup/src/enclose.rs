//! Rewrites a document so that nothing in it leads anywhere but where the caller's map says: for
//! showing archived pages.
//!
//! It is the rewriter of [`crate::rewrite_html`] with a wider net. The link scan knows the attributes
//! that were ever used for links; here every attribute that a browser may follow counts, on
//! any element. What cannot be rewritten is made inert: an attribute gets another name (taken out, it
//! could make its neighbours mean something else), a link that is no web address leads nowhere.
//! Scripts stay in the source; whoever shows the page must not run them.
//!
//! The lexer follows SVG, MathML and framesets with fewer rules than a browser, and a page can be
//! written so that it takes markup for the content of a `<style>`. So in pages that have them, such
//! content is looked through for tags as well. A tag that begins within and ends behind it is still
//! missed: whoever shows the page needs a policy that the browser keeps, too.

use crate::decode::{Charset, Decoded};
use crate::lexer::{Attribute, Lexer, Tag, Token};
use crate::links::LinkKind;
use crate::references::{Reference, Shape, base, each_reference};
use crate::rewrite::{LinkMap, Piece, Rewrite, with_pieces};
use crate::scan::Noframes;
use url::Url;

/// A document that leads nowhere but where it was told to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosed {
    pub bytes: Vec<u8>,
    /// In which the bytes are written, as before.
    pub charset: Charset,
}

/// Encloses an HTML document, or an SVG drawing, that lies at `document`. `map` says where a link
/// leads; if it says nothing, the link leads nowhere.
pub fn enclose_html(
    bytes: &[u8],
    http_charset: Option<&str>,
    document: &Url,
    map: &mut LinkMap<'_>,
) -> Enclosed {
    let decoded = Decoded::html(bytes, http_charset);
    let charset = decoded.charset();
    let enclosure = Some(Enclosure::Document);
    let mut rewrite = Rewrite::of_markup(&decoded.text, document, charset, map, enclosure);
    rewrite.markup(&decoded.text, 0, Noframes::Read);
    Enclosed { bytes: rewrite.finish(bytes, &decoded), charset }
}

/// Encloses a style sheet that lies at `document`.
pub fn enclose_css(
    bytes: &[u8],
    http_charset: Option<&str>,
    document: &Url,
    map: &mut LinkMap<'_>,
) -> Enclosed {
    let decoded = Decoded::css(bytes, http_charset);
    let charset = decoded.charset();
    let mut rewrite = Rewrite::of_style(document, charset, map, Some(Enclosure::Document));
    rewrite.style_sheet(&decoded.text, 0);
    Enclosed { bytes: rewrite.finish(bytes, &decoded), charset }
}

/// What is enclosed: a document, or one within an attribute of it. Documents within those are made
/// inert, so that no input is read again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enclosure {
    Document,
    WithinAttribute,
}

/// Where a link leads that may not lead where it did.
pub(crate) fn dead_end(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Page | LinkKind::Form => "#",
        LinkKind::Frame | LinkKind::Embedded => "about:invalid",
    }
}

/// What a link becomes that is no web address, or cannot be read as one.
pub(crate) fn instead_of(href: &str, kind: LinkKind) -> Option<String> {
    let written = href.trim_matches(|c: char| c <= ' ');
    if written.is_empty() || written.starts_with('#') {
        return None;
    }
    let has_scheme = |scheme: &str| {
        let found = written.split_once(':').map(|(found, _)| found);
        found.is_some_and(|found| found.eq_ignore_ascii_case(scheme))
    };
    let is_harmless = match kind {
        LinkKind::Embedded => has_scheme("data"),
        LinkKind::Page => has_scheme("mailto") || has_scheme("tel"),
        LinkKind::Frame | LinkKind::Form => false,
    };
    (!is_harmless).then(|| dead_end(kind).to_owned())
}

/// What is done with an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Treatment {
    Link(Shape, LinkKind),
    /// `<iframe srcdoc>`.
    Markup,
    Inert,
}

impl Rewrite<'_, '_> {
    pub(crate) fn enclose_tag(&mut self, tag: &Tag<'_, '_>, offset: usize, enclosure: Enclosure) {
        // Nobody needs so many; but browsers read them all.
        if let Some(unread) = &tag.unread {
            self.edit(unread.clone(), offset, String::new());
        }
        if tag.attributes.is_empty() {
            return;
        }
        if tag.is("meta") && has_unwanted_effect(tag) {
            return tag.attributes.iter().for_each(|it| self.make_inert(it, offset));
        }
        if let Some(rel) = tag.attribute("rel").filter(|_| tag.is("link")) {
            self.link_relation(tag, rel, offset);
        }
        let mut known: Vec<&Attribute> = Vec::new();
        if let Some(href) = base(tag) {
            known.push(href);
            self.replace_value(href, offset, "");
        }
        let mut is_based = false;
        each_reference(tag, |reference| {
            known.push(reference.attribute);
            is_based |= reference.codebase.is_some();
            self.reference(tag, &reference, offset);
        });
        if is_based && let Some(codebase) = tag.attribute("codebase") {
            known.push(codebase);
            self.replace_value(codebase, offset, "");
        }
        for attribute in tag.attributes {
            if known.iter().any(|known| std::ptr::eq(*known, attribute)) {
                continue;
            }
            let name = tag.name_of(attribute);
            let Some(treatment) = treatment(tag, name) else { continue };
            // Of two attributes with one name browsers take the first, and the next if that is gone.
            let is_first =
                || tag.attribute(name).is_some_and(|first| std::ptr::eq(first, attribute));
            match treatment {
                Treatment::Link(..) if !is_first() => {}
                Treatment::Link(shape, kind) => {
                    let nofollow = false;
                    let reference = Reference { attribute, shape, kind, nofollow, codebase: None };
                    self.reference(tag, &reference, offset);
                }
                Treatment::Markup if enclosure == Enclosure::Document && is_first() => {
                    self.inner_document(tag, attribute, offset);
                }
                Treatment::Markup | Treatment::Inert => self.make_inert(attribute, offset),
            }
        }
    }

    /// Tags in what was taken for no markup, if that may be wrong.
    pub(crate) fn enclose_raw(&mut self, text: &str, offset: usize) {
        let Some(enclosure) = self.enclosure.filter(|_| self.may_mistake) else { return };
        let mut lexer = Lexer::of_tags_only(text);
        while let Some(token) = lexer.next() {
            if let Token::Start(tag) = token {
                self.enclose_tag(&tag, offset, enclosure);
            }
        }
    }

    fn make_inert(&mut self, attribute: &Attribute, offset: usize) {
        let start = attribute.name.start;
        self.edit(start..start, offset, "archived-".to_owned());
    }

    /// Relations by which a browser connects, fetches ahead or installs are taken out.
    fn link_relation(&mut self, tag: &Tag<'_, '_>, rel: &Attribute, offset: usize) {
        let words = tag.value_of(rel);
        let is_wanted = |word: &&str| !AHEAD.iter().any(|name| word.eq_ignore_ascii_case(name));
        let kept: Vec<&str> = words.split_ascii_whitespace().filter(is_wanted).collect();
        if kept.len() < words.split_ascii_whitespace().count() {
            self.replace_value(rel, offset, &kept.join(" "));
        }
    }

    fn inner_document(&mut self, tag: &Tag<'_, '_>, attribute: &Attribute, offset: usize) {
        let text = tag.value_of(attribute);
        // The text is decoded already, and its own words about encodings do not count.
        let (_, charset) = crate::decode(b"", None);
        let (document, within) = (self.resolver.base().clone(), Some(Enclosure::WithinAttribute));
        let mut inner = Rewrite::of_markup(&text, &document, charset, &mut *self.map, within);
        inner.text = self.text;
        inner.markup(&text, 0, Noframes::Read);
        let (written, mut edits) = (inner.text, inner.edits);
        self.text = written;
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut end = 0;
        edits.retain(|edit| {
            let is_apart = edit.range.start >= end;
            end = if is_apart { edit.range.end } else { end };
            is_apart
        });
        let pieces = edits.into_iter().map(|edit| Piece { range: edit.range, text: edit.text });
        let text = with_pieces(&text, pieces.collect());
        self.replace_value(attribute, offset, &text);
    }
}

/// Relations by which a browser does something before it is asked to.
const AHEAD: &[&str] = &[
    "preconnect",
    "dns-prefetch",
    "prefetch",
    "preload",
    "modulepreload",
    "prerender",
    "manifest",
    "pingback",
    "expect",
    "compression-dictionary",
];

/// Statements that would act like a header of ours, or of the server that the page came from.
fn has_unwanted_effect(tag: &Tag<'_, '_>) -> bool {
    const HARMLESS: &[&str] =
        &["refresh", "content-type", "content-language", "default-style", "x-ua-compatible", ""];
    let is = |value: &str, name: &str| value.trim_ascii().eq_ignore_ascii_case(name);
    let equivalent = tag.value("http-equiv").unwrap_or_default();
    let named = tag.value("name").unwrap_or_default();
    !HARMLESS.iter().any(|name| is(&equivalent, name)) || is(&named, "referrer")
}

fn treatment(tag: &Tag<'_, '_>, name: &str) -> Option<Treatment> {
    use LinkKind::{Embedded, Form, Page};
    use Shape::{Candidates, Style, Url};
    #[rustfmt::skip]
    const TREATED: &[(&str, Treatment)] = &[
        ("href",          Treatment::Link(Url, Page)),
        ("xlink:href",    Treatment::Link(Url, Embedded)),
        ("src",           Treatment::Link(Url, Embedded)),
        ("srcset",        Treatment::Link(Candidates, Embedded)),
        ("imagesrcset",   Treatment::Link(Candidates, Embedded)),
        ("poster",        Treatment::Link(Url, Embedded)),
        ("background",    Treatment::Link(Url, Embedded)),
        ("data",          Treatment::Link(Url, Embedded)),
        ("lowsrc",        Treatment::Link(Url, Embedded)),
        ("dynsrc",        Treatment::Link(Url, Embedded)),
        ("icon",          Treatment::Link(Url, Embedded)),
        ("code",          Treatment::Link(Url, Embedded)),
        ("object",        Treatment::Link(Url, Embedded)),
        ("action",        Treatment::Link(Url, Form)),
        ("formaction",    Treatment::Link(Url, Form)),
        ("cite",          Treatment::Link(Url, Page)),
        ("longdesc",      Treatment::Link(Url, Page)),
        ("profile",       Treatment::Link(Url, Page)),
        ("srcdoc",        Treatment::Markup),
        ("ping",          Treatment::Inert),
        ("integrity",     Treatment::Inert),
        ("crossorigin",   Treatment::Inert),
        ("nonce",         Treatment::Inert),
        ("manifest",      Treatment::Inert),
        ("archive",       Treatment::Inert),
        ("classid",       Treatment::Inert),
        ("codebase",      Treatment::Inert),
        ("xml:base",      Treatment::Inert),
        ("attributionsrc", Treatment::Inert),
    ];
    let known = TREATED.iter().find(|(treated, _)| name.eq_ignore_ascii_case(treated));
    if let Some((_, treatment)) = known {
        return Some(*treatment);
    }
    let is = |wanted: &[&str]| wanted.iter().any(|it| name.eq_ignore_ascii_case(it));
    if is(&["to", "from", "by", "values"]) {
        // Drawings may animate where a link leads.
        let animated = tag.value("attributeName")?;
        let animated = animated.trim_ascii();
        let ending = animated.len().checked_sub(4).and_then(|at| animated.get(at..))?;
        return ending.eq_ignore_ascii_case("href").then_some(Treatment::Inert);
    }
    const PAINTED: &[&str] = &[
        "fill",
        "stroke",
        "filter",
        "mask",
        "clip-path",
        "cursor",
        "marker",
        "marker-start",
        "marker-mid",
        "marker-end",
    ];
    is(PAINTED).then_some(Treatment::Link(Style, Embedded))
}

/// Whether a page has elements in which the lexer may see other tags than a browser.
pub(crate) fn may_mistake(text: &str) -> bool {
    const INTRICATE: &[&str] = &["svg", "math", "frameset", "template"];
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'<', bytes).any(|at| {
        INTRICATE.iter().any(|name| {
            let found = bytes.get(at + 1..at + 1 + name.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        })
    })
}

//! Knows whether the lexer stands in SVG or MathML, where `<title>`, `<style>` and `<script>` are
//! ordinary tags and CDATA sections exist.
//!
//! The tree builder knows this from its stack of open elements; the lexer builds no tree, so it
//! keeps only the part of that stack from the outermost `<svg>` or `<math>` inwards. Foreign
//! content and the tags that break out of it are followed exactly. HTML inside integration points
//! is followed with fewer rules than a tree builder has: enough for balanced markup and for
//! paragraphs without end. An HTML end tag that matches nothing on this stack is taken to close an
//! element outside, as in `<div><svg></div>`.

use crate::lexer::Tag;

/// Deepest nesting that is followed. Beyond it tags are not counted, as the tree is flat there.
const MAX_FOREIGN_DEPTH: usize = 512;

#[derive(Debug, Default)]
pub(crate) struct ForeignStack<'a> {
    open: Vec<Open<'a>>,
}

#[derive(Debug)]
struct Open<'a> {
    name: &'a str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Svg,
    Math,
    /// `annotation-xml` that holds no HTML: MathML, but an `<svg>` in it is read by HTML's rules.
    Annotation,
    /// An SVG or MathML element whose content is HTML.
    HtmlPoint,
    /// A MathML element whose content is HTML but for two tags.
    TextPoint,
    /// An HTML element within an integration point.
    Html,
}

impl Kind {
    fn is_plain(self) -> bool {
        matches!(self, Kind::Svg | Kind::Math | Kind::Annotation)
    }
}

impl<'a> ForeignStack<'a> {
    /// Whether `<![CDATA[` opens a section here.
    pub(crate) fn allows_cdata(&self) -> bool {
        self.open.last().is_some_and(|open| open.kind != Kind::Html)
    }

    /// Takes a start tag in; says whether it made a foreign element.
    pub(crate) fn start(&mut self, tag: &Tag<'a, '_>) -> bool {
        let name = tag.name;
        if self.open.is_empty() {
            // The hot path: nearly all tags of nearly all pages.
            return self.start_html(tag);
        }
        if self.reads_as_html(name) {
            return self.start_html(tag);
        }
        if breaks_out(tag) {
            while self.open.last().is_some_and(|open| open.kind.is_plain()) {
                self.open.pop();
            }
            return self.start_html(tag);
        }
        let namespace = self.open.last().map_or(Kind::Svg, |open| open.kind);
        let kind = match namespace {
            Kind::Svg => svg_kind(name),
            _ => math_kind(tag),
        };
        if !tag.self_closing {
            self.push(name, kind);
        }
        true
    }

    pub(crate) fn end(&mut self, name: &str) {
        let Some(top) = self.open.last() else { return };
        if top.kind == Kind::Html {
            return self.end_html(name);
        }
        if top.kind.is_plain() && (is(name, "p") || is(name, "br")) {
            while self.open.last().is_some_and(|open| open.kind.is_plain()) {
                self.open.pop();
            }
            return;
        }
        for at in (0..self.open.len()).rev() {
            if self.open[at].kind == Kind::Html {
                break;
            }
            if is(self.open[at].name, name) {
                self.open.truncate(at);
                return;
            }
        }
        self.end_html(name);
    }

    fn start_html(&mut self, tag: &Tag<'a, '_>) -> bool {
        let name = tag.name;
        let kind = match name.len() {
            3 if is(name, "svg") => Kind::Svg,
            4 if is(name, "math") => Kind::Math,
            _ if self.open.is_empty() => return false,
            _ => Kind::Html,
        };
        if kind == Kind::Html && is_block(name) {
            self.close_paragraph();
        }
        let stays_open = if kind == Kind::Html { !is_void(name) } else { !tag.self_closing };
        if stays_open {
            self.push(name, kind);
        }
        kind != Kind::Html
    }

    fn end_html(&mut self, name: &str) {
        for at in (0..self.open.len()).rev() {
            let Open { name: open, kind } = self.open[at];
            match kind {
                Kind::Html if is(open, name) => return self.open.truncate(at),
                // Only end tags of blocks reach beyond a block that is open.
                Kind::Html if is_block(open) && !is_block(name) => return,
                Kind::Annotation | Kind::HtmlPoint | Kind::TextPoint => return,
                _ => {}
            }
        }
        let leaves_stack = ["body", "html", "head"].iter().any(|kept| is(name, kept));
        if !leaves_stack {
            self.open.clear();
        }
    }

    /// Ends the `<p>` that is open within the innermost integration point, if one is.
    fn close_paragraph(&mut self) {
        let inner =
            self.open.iter().rposition(|open| open.kind != Kind::Html).map_or(0, |at| at + 1);
        if let Some(at) = self.open[inner..].iter().rposition(|open| is(open.name, "p")) {
            self.open.truncate(inner + at);
        }
    }

    fn reads_as_html(&self, name: &str) -> bool {
        match self.open.last().map(|open| open.kind) {
            None | Some(Kind::Html | Kind::HtmlPoint) => true,
            Some(Kind::TextPoint) => !is(name, "mglyph") && !is(name, "malignmark"),
            Some(Kind::Annotation) => is(name, "svg"),
            Some(Kind::Svg | Kind::Math) => false,
        }
    }

    fn push(&mut self, name: &'a str, kind: Kind) {
        if self.open.len() < MAX_FOREIGN_DEPTH {
            self.open.push(Open { name, kind });
        }
    }
}

fn svg_kind(name: &str) -> Kind {
    let point = ["foreignobject", "desc", "title"].iter().any(|point| is(name, point));
    if point { Kind::HtmlPoint } else { Kind::Svg }
}

fn math_kind(tag: &Tag<'_, '_>) -> Kind {
    if ["mi", "mo", "mn", "ms", "mtext"].iter().any(|point| is(tag.name, point)) {
        return Kind::TextPoint;
    }
    if !is(tag.name, "annotation-xml") {
        return Kind::Math;
    }
    let holds_html = tag
        .value("encoding")
        .is_some_and(|value| is(&value, "text/html") || is(&value, "application/xhtml+xml"));
    if holds_html { Kind::HtmlPoint } else { Kind::Annotation }
}

/// Tags that end all foreign content around them (WHATWG §13.2.6.5).
fn breaks_out(tag: &Tag<'_, '_>) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
        "embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing",
        "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike",
        "sub", "sup", "table", "tt", "u", "ul", "var",
    ];
    NAMES.iter().any(|name| is(tag.name, name))
        || is(tag.name, "font")
            && ["color", "face", "size"].iter().any(|attribute| tag.attribute(attribute).is_some())
}

/// Elements whose start tag ends an open paragraph (WHATWG §13.2.6.4.7).
fn is_block(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div",
        "dl", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
        "h6", "header", "hgroup", "hr", "li", "dd", "dt", "listing", "main", "menu", "nav", "ol",
        "p", "plaintext", "pre", "search", "section", "summary", "table", "ul", "xmp",
    ];
    NAMES.iter().any(|block| is(name, block))
}

fn is_void(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "image",
        "input", "keygen", "link", "meta", "param", "source", "track", "wbr",
    ];
    NAMES.iter().any(|void| is(name, void))
}

fn is(name: &str, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}

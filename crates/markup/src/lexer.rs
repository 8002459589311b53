//! Cuts HTML source into tags, text and the content of raw-text elements, with source positions.
//!
//! This is the tokenizer of the WHATWG standard (§13.2.5) reduced to what links need: names and
//! attributes as ranges of the source, nothing copied, nothing decoded. It serves the link scan,
//! which must be fast, and the rewriter, which needs the positions that html5ever does not give.
//! That both see the same tags as html5ever is tested against html5ever itself.
//!
//! One deviation is deliberate: raw-text elements stay raw also where a tree builder ignores their
//! tag (in framesets, and after `<col>` in a template) and would read scripts as markup.

use crate::char_refs::{Place, resolve_references};
use crate::foreign::ForeignStack;
use memchr::{memchr, memchr2};
use std::borrow::Cow;
use std::ops::Range;

/// Attributes of one tag that are read; the rest is skipped. Real tags have a few dozen at most.
pub const MAX_TAG_ATTRIBUTES: usize = 256;

#[derive(Debug)]
pub(crate) enum Token<'a, 't> {
    Start(Tag<'a, 't>),
    End(Tag<'a, 't>),
    /// Text in which character references count.
    Text(Range<usize>),
    /// The content of a CDATA section.
    Cdata(Range<usize>),
    /// The content of a raw-text element, which is never markup.
    Raw(RawElement, Range<usize>),
}

/// The elements whose content is not markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RawElement {
    Script,
    Style,
    Noframes,
    Title,
    Textarea,
    Xmp,
    Iframe,
    Noembed,
    Plaintext,
}

impl RawElement {
    fn of(name: &str) -> Option<RawElement> {
        #[rustfmt::skip]
        const ALL: [RawElement; 9] = {
            use RawElement::{Iframe, Noembed, Noframes, Plaintext, Script, Style, Textarea, Title, Xmp};
            [Script, Style, Title, Textarea, Iframe, Noframes, Xmp, Noembed, Plaintext]
        };
        // No raw-text element begins with another letter; most tags stop here.
        let first = name.as_bytes().first()?.to_ascii_lowercase();
        if !matches!(first, b's' | b't' | b'i' | b'n' | b'x' | b'p') {
            return None;
        }
        ALL.into_iter().find(|raw| name.eq_ignore_ascii_case(raw.name()))
    }

    fn name(self) -> &'static str {
        match self {
            RawElement::Script => "script",
            RawElement::Style => "style",
            RawElement::Noframes => "noframes",
            RawElement::Title => "title",
            RawElement::Textarea => "textarea",
            RawElement::Xmp => "xmp",
            RawElement::Iframe => "iframe",
            RawElement::Noembed => "noembed",
            RawElement::Plaintext => "plaintext",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Tag<'a, 't> {
    /// As written; compare without case.
    pub(crate) name: &'a str,
    pub(crate) attributes: &'t [Attribute],
    pub(crate) self_closing: bool,
    /// The tag makes an SVG or MathML element.
    pub(crate) foreign: bool,
    /// Where attributes beyond [`MAX_TAG_ATTRIBUTES`] stand, if there are any.
    pub(crate) unread: Option<Range<usize>>,
    source: &'a str,
}

#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Range<usize>,
    /// Without quotes.
    pub(crate) value: Range<usize>,
    pub(crate) quote: Quote,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    None,
    Single,
    Double,
}

impl<'a, 't> Tag<'a, 't> {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The first attribute of that name; later ones do not count.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'t Attribute> {
        self.attributes.iter().find(|attribute| {
            attribute.name.len() == name.len()
                && self.source[attribute.name.clone()].eq_ignore_ascii_case(name)
        })
    }

    pub(crate) fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        self.attribute(name).map(|attribute| self.value_of(attribute))
    }

    pub(crate) fn name_of(&self, attribute: &Attribute) -> &'a str {
        &self.source[attribute.name.clone()]
    }

    pub(crate) fn value_of(&self, attribute: &Attribute) -> Cow<'a, str> {
        resolve_references(&self.source[attribute.value.clone()], Place::Attribute)
    }
}

#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Set after the start tag of a raw-text element.
    raw: Option<RawElement>,
    /// Whether raw-text elements and foreign content are known.
    knows_elements: bool,
    foreign: ForeignStack<'a>,
    attributes: Vec<Attribute>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a str) -> Lexer<'a> {
        Lexer {
            source,
            bytes: source.as_bytes(),
            at: 0,
            raw: None,
            knows_elements: true,
            foreign: ForeignStack::default(),
            attributes: Vec::new(),
        }
    }

    /// Cuts out whatever looks like a tag, also where it is none: for those who must not miss one.
    pub(crate) fn of_tags_only(source: &'a str) -> Lexer<'a> {
        Lexer { knows_elements: false, ..Lexer::new(source) }
    }

    /// Where the next token begins.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn next(&mut self) -> Option<Token<'a, '_>> {
        if let Some(element) = self.raw.take() {
            let start = self.at;
            self.at = self.raw_end(element);
            if self.at > start {
                return Some(Token::Raw(element, start..self.at));
            }
        }
        loop {
            let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
            if rest[0] != b'<' {
                return Some(Token::Text(self.text(0)));
            }
            match (rest.get(1), rest.get(2)) {
                (Some(letter), _) if letter.is_ascii_alphabetic() => return self.start_tag(),
                (Some(b'/'), Some(letter)) if letter.is_ascii_alphabetic() => {
                    return self.end_tag();
                }
                (Some(b'/'), None) => return Some(Token::Text(self.text(2))),
                (Some(b'!'), _)
                    if rest.starts_with(b"<![CDATA[") && self.foreign.allows_cdata() =>
                {
                    return Some(Token::Cdata(self.cdata()));
                }
                (Some(b'!'), _) if rest.starts_with(b"<!--") => {
                    self.skip_comment();
                }
                (Some(b'/' | b'!' | b'?'), _) => self.skip_past_angle(2),
                _ => return Some(Token::Text(self.text(1))),
            }
        }
    }

    /// Text from here to the next angle bracket after the first `taken` bytes.
    fn text(&mut self, taken: usize) -> Range<usize> {
        let (start, from) = (self.at, self.at + taken);
        self.at = memchr(b'<', &self.bytes[from..]).map_or(self.bytes.len(), |skip| from + skip);
        start..self.at
    }

    fn cdata(&mut self) -> Range<usize> {
        let start = self.at + b"<![CDATA[".len();
        let end = memchr::memmem::find(&self.bytes[start..], b"]]>");
        self.at = end.map_or(self.bytes.len(), |end| start + end + 3);
        start..end.map_or(self.bytes.len(), |end| start + end)
    }

    fn skip_past_angle(&mut self, taken: usize) {
        let from = self.at + taken;
        self.at =
            memchr(b'>', &self.bytes[from..]).map_or(self.bytes.len(), |skip| from + skip + 1);
    }

    /// A comment ends at `-->`, at `--!>`, or at once with `<!-->` and `<!--->`.
    fn skip_comment(&mut self) {
        let start = self.at + 4;
        let content = &self.bytes[start..];
        let ends_at = |angle: usize| {
            let before = &content[..angle];
            before.is_empty()
                || before == b"-"
                || before.ends_with(b"--")
                || before.ends_with(b"--!")
        };
        let end = memchr::memchr_iter(b'>', content).find(|&angle| ends_at(angle));
        self.at = end.map_or(self.bytes.len(), |angle| start + angle + 1);
    }

    fn start_tag(&mut self) -> Option<Token<'a, '_>> {
        let (name, self_closing, unread) = self.tag(1)?;
        let (attributes, source) = (self.attributes.as_slice(), self.source);
        let mut tag = Tag { name, attributes, self_closing, foreign: false, unread, source };
        if !self.knows_elements {
            return Some(Token::Start(tag));
        }
        tag.foreign = self.foreign.start(&tag);
        if !tag.foreign {
            self.raw = RawElement::of(name);
        }
        Some(Token::Start(tag))
    }

    fn end_tag(&mut self) -> Option<Token<'a, '_>> {
        let (name, self_closing, unread) = self.tag(2)?;
        self.foreign.end(name);
        let (attributes, source) = (self.attributes.as_slice(), self.source);
        Some(Token::End(Tag { name, attributes, self_closing, foreign: false, unread, source }))
    }

    /// Reads a tag whose name begins `lead` bytes from here. A tag that the source does not finish
    /// is no tag, and there is nothing after it.
    fn tag(&mut self, lead: usize) -> Option<(&'a str, bool, Option<Range<usize>>)> {
        let bytes = self.bytes;
        let start = self.at + lead;
        self.at = bytes.len();
        self.attributes.clear();
        let mut at = find(bytes, start, |b| is_space(b) || b == b'/' || b == b'>');
        let name = &self.source[start..at];
        let mut self_closing = false;
        let mut unread: Option<Range<usize>> = None;
        loop {
            at = find(bytes, at, |b| !is_space(b));
            match *bytes.get(at)? {
                b'>' => break,
                b'/' if bytes.get(at + 1) == Some(&b'>') => {
                    self_closing = true;
                    at += 1;
                    break;
                }
                b'/' => {
                    at += 1;
                    continue;
                }
                _ => {}
            }
            let (attribute, end) = attribute_at(bytes, at)?;
            if self.attributes.len() < MAX_TAG_ATTRIBUTES {
                self.attributes.push(attribute);
            } else {
                unread = Some(unread.map_or(at, |unread| unread.start)..end);
            }
            at = end;
        }
        self.at = at + 1;
        Some((name, self_closing, unread))
    }

    /// Where the raw text that begins here ends: at its end tag or with the source.
    fn raw_end(&self, element: RawElement) -> usize {
        let end = match element {
            RawElement::Plaintext => None,
            RawElement::Script => script_end(self.bytes, self.at).ok(),
            _ => next_end_tag(self.bytes, self.at, element.name()),
        };
        end.unwrap_or(self.bytes.len())
    }
}

/// The attribute that begins at `at`, and where it ends; `None` if the source ends within.
pub(crate) fn attribute_at(bytes: &[u8], at: usize) -> Option<(Attribute, usize)> {
    // An equals sign that comes first belongs to the name.
    let end = find(bytes, at + 1, |b| is_space(b) || matches!(b, b'/' | b'>' | b'='));
    let name = at..end;
    let sign = find(bytes, end, |b| !is_space(b));
    if *bytes.get(sign)? != b'=' {
        return Some((Attribute { name, value: end..end, quote: Quote::None }, end));
    }
    let start = find(bytes, sign + 1, |b| !is_space(b));
    let quote = match *bytes.get(start)? {
        b'"' => Quote::Double,
        b'\'' => Quote::Single,
        b'>' => Quote::None,
        _ => {
            let end = find(bytes, start, |b| is_space(b) || b == b'>');
            bytes.get(end)?;
            return Some((Attribute { name, value: start..end, quote: Quote::None }, end));
        }
    };
    if quote == Quote::None {
        return Some((Attribute { name, value: start..start, quote }, start));
    }
    let value = start + 1..start + 1 + memchr(bytes[start], &bytes[start + 1..])?;
    let end = value.end + 1;
    Some((Attribute { name, value, quote }, end))
}

/// Where `</name` stands next, followed by what ends a tag name.
pub(crate) fn next_end_tag(bytes: &[u8], from: usize, name: &str) -> Option<usize> {
    memchr::memmem::find_iter(&bytes[from..], b"</")
        .map(|skip| from + skip)
        .find(|&at| named_at(bytes, at + 2, name))
}

fn named_at(bytes: &[u8], at: usize, name: &str) -> bool {
    let end = at + name.len();
    bytes.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        && bytes.get(end).is_some_and(|&b| is_space(b) || b == b'/' || b == b'>')
}

/// Where the script that begins at `from` ends; if it does not, whether the source ends within a
/// comment in it. Scripts may hold `<!--`, and within it `<script>` … `</script>` (WHATWG
/// §13.2.5.15 and on).
pub(crate) fn script_end(bytes: &[u8], from: usize) -> Result<usize, bool> {
    #[derive(PartialEq)]
    enum Escape {
        No,
        Comment,
        CommentedScript,
    }
    let mut escape = Escape::No;
    let mut at = from;
    loop {
        let Some(skipped) = memchr2(b'<', b'>', &bytes[at..]) else {
            return Err(escape != Escape::No || bytes[from..].ends_with(b"<!"));
        };
        at += skipped;
        if bytes[at] == b'>' {
            if bytes[from..at].ends_with(b"--") {
                escape = Escape::No;
            }
        } else if bytes[at..].starts_with(b"<!--") {
            if escape == Escape::No {
                escape = Escape::Comment;
            }
        } else if named_at(bytes, at + 1, "script") {
            if escape == Escape::Comment {
                escape = Escape::CommentedScript;
            }
        } else if bytes.get(at + 1) == Some(&b'/') && named_at(bytes, at + 2, "script") {
            match escape {
                Escape::CommentedScript => escape = Escape::Comment,
                Escape::No | Escape::Comment => return Ok(at),
            }
        }
        at += 1;
    }
}

fn find(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter().position(|&b| wanted(b)).map_or(bytes.len(), |skip| from + skip)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

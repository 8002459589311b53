//! The links of a document, and how they become URLs.
//!
//! Links are kept as written, in source order; [`Links::resolve`] joins them with the document's
//! address as browsers do (WHATWG URL), with the query in the document's encoding. Every start tag
//! counts, wherever a tree builder would put it or whether it would drop it: links in `<noscript>`,
//! `<noframes>` and `<template>` are found, and so are a stray `<frame>` or `<td background>`. To
//! fetch one address too many is cheaper than to miss one in an archive.

use crate::decode::Charset;
use auslese_model::Oddity;
use encoding_rs::{EncoderResult, Encoding, UTF_8};
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::BuildHasher;
use url::Url;

/// Links kept of one document. Beyond it they are counted in an oddity only.
pub const MAX_LINKS: usize = 100_000;

/// Longest link that is kept. No server takes longer addresses; `data:` URLs are often longer.
pub const MAX_LINK_BYTES: usize = 16 * 1024;

/// Bytes of all links of one document together, as written. Beyond it they are counted only.
pub const MAX_LINK_TEXT: usize = 8 << 20;

/// Bytes of all addresses of one document together, once resolved: a long base would otherwise
/// make gigabytes of short links. Those beyond it are left out.
pub const MAX_RESOLVED_TEXT: usize = 16 << 20;

/// What a document links to.
#[derive(Debug, Clone, PartialEq)]
pub struct Links {
    /// The first `<base href>`, as written.
    pub base: Option<String>,
    pub found: Vec<Link>,
    pub charset: Charset,
    pub robots: MetaRobots,
    /// What the document says, as numbers by which pages are compared; see
    /// [`crate::text_phrases`].
    pub phrases: Vec<u64>,
    /// Limits that were reached.
    pub oddities: Vec<Oddity>,
}

/// One link, as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Link {
    /// Character references resolved, otherwise unchanged.
    pub href: String,
    pub kind: LinkKind,
    /// Marked `rel="nofollow"`.
    pub nofollow: bool,
    /// The `codebase` of an object or applet, which the link is relative to.
    pub codebase: Option<String>,
}

/// What a link is for, which decides how a crawl treats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// Leads to another document: `<a>`, `<area>`, a refresh, `<link rel=next>`.
    Page,
    /// A document shown inside this one.
    Frame,
    /// Needed to show this document: images, scripts, styles, media, objects.
    Embedded,
    /// The target of a GET form: information, nothing to fetch.
    Form,
}

/// What `<meta name="robots">` asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MetaRobots {
    pub nofollow: bool,
    pub noarchive: bool,
    pub noindex: bool,
}

/// A link as a URL: `http` or `https`, without fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundUrl {
    pub url: Url,
    pub kind: LinkKind,
    /// Every link of this kind to the URL is marked `nofollow`, by itself or by the document.
    pub nofollow: bool,
}

impl Links {
    pub(crate) fn new(charset: Charset) -> Links {
        Links {
            base: None,
            found: Vec::new(),
            charset,
            robots: MetaRobots::default(),
            phrases: Vec::new(),
            oddities: Vec::new(),
        }
    }

    /// The URLs in order of first appearance, each once per kind.
    pub fn resolve(&self, document: &Url) -> Vec<FoundUrl> {
        let resolver = Resolver::new(document, self.base.as_deref(), self.charset);
        let mut urls = UniqueUrls::default();
        // The same spelling needs no second join; navigation bars repeat themselves a lot.
        let mut spellings: HashMap<(&str, LinkKind), Option<usize>> = HashMap::new();
        for link in &self.found {
            if urls.text > MAX_RESOLVED_TEXT {
                break;
            }
            let nofollow = link.nofollow || self.robots.nofollow && link.kind == LinkKind::Page;
            let mut resolve = || {
                let url = resolver.resolve(&link.href, link.kind, link.codebase.as_deref())?;
                Some(urls.place(url, link.kind))
            };
            let at = if link.codebase.is_some() {
                resolve()
            } else {
                *spellings.entry((&link.href, link.kind)).or_insert_with(resolve)
            };
            if let Some(at) = at {
                urls.found[at].nofollow &= nofollow;
            }
        }
        urls.found
    }
}

/// URLs in order, found again by a hash of their text.
#[derive(Default)]
struct UniqueUrls {
    found: Vec<FoundUrl>,
    by_hash: HashMap<(u64, LinkKind), usize>,
    hasher: RandomState,
    /// Bytes of all of them.
    text: usize,
}

impl UniqueUrls {
    fn place(&mut self, url: Url, kind: LinkKind) -> usize {
        let next = self.found.len();
        match self.by_hash.entry((self.hasher.hash_one(url.as_str()), kind)) {
            Entry::Occupied(known) if self.found[*known.get()].url == url => return *known.get(),
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => drop(free.insert(next)),
        }
        self.text += url.as_str().len();
        self.found.push(FoundUrl { url, kind, nofollow: true });
        next
    }
}

/// Joins links with the address of their document.
pub(crate) struct Resolver {
    base: Url,
    has_base: bool,
    query_encoding: Option<&'static Encoding>,
}

impl Resolver {
    /// A base that cannot be used (`file:`, `data:`, nonsense) counts as none.
    pub(crate) fn new(document: &Url, base: Option<&str>, charset: Charset) -> Resolver {
        let usable = base.and_then(|base| document.join(base).ok()).filter(is_http);
        let encoding = Encoding::for_label(charset.name.as_bytes()).map(Encoding::output_encoding);
        Resolver {
            has_base: usable.is_some(),
            base: usable.unwrap_or_else(|| document.clone()),
            query_encoding: encoding.filter(|encoding| *encoding != UTF_8),
        }
    }

    /// The URL of a link without its fragment, if it can be fetched and is not the document itself.
    pub(crate) fn resolve(
        &self,
        href: &str,
        kind: LinkKind,
        codebase: Option<&str>,
    ) -> Option<Url> {
        let mut url = self.join(href, kind, codebase)?;
        url.set_fragment(None);
        Some(url)
    }

    /// As [`Resolver::resolve`], with the fragment.
    pub(crate) fn join(&self, href: &str, kind: LinkKind, codebase: Option<&str>) -> Option<Url> {
        let written = href.trim_matches(|c: char| c <= ' ');
        if written.starts_with('#') && !self.has_base
            || written.is_empty() && kind != LinkKind::Page
        {
            return None;
        }
        let codebase = codebase.and_then(|codebase| self.join_with(&self.base, codebase));
        let base = codebase.as_ref().unwrap_or(&self.base);
        self.join_with(base, written).filter(is_http)
    }

    /// What links are joined with.
    pub(crate) fn base(&self) -> &Url {
        &self.base
    }

    fn join_with(&self, base: &Url, href: &str) -> Option<Url> {
        let parser = Url::options().base_url(Some(base));
        match self.query_encoding {
            None => parser.parse(href).ok(),
            Some(encoding) => {
                let encode = query_encoder(encoding);
                parser.encoding_override(Some(&encode)).parse(href).ok()
            }
        }
    }
}

fn query_encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |query| Cow::Owned(query_bytes(query, encoding))
}

fn is_http(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// A query in a legacy encoding; what that cannot express becomes a percent-encoded numeric
/// character reference (WHATWG URL, "percent-encode after encoding").
fn query_bytes(query: &str, encoding: &'static Encoding) -> Vec<u8> {
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::with_capacity(query.len() * 2 + 16);
    let mut rest = query;
    loop {
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return bytes,
            EncoderResult::OutputFull => bytes.reserve(rest.len() * 2 + 16),
            EncoderResult::Unmappable(c) => {
                bytes.extend(format!("%26%23{}%3B", u32::from(c)).bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::CharsetSource;

    fn check(charset: &'static str, base: Option<&str>, href: &str) -> Option<String> {
        let document = Url::parse("http://h.example/d/p.html?q").unwrap();
        let charset = Charset { name: charset, source: CharsetSource::Meta };
        let links = Links {
            base: base.map(str::to_owned),
            found: vec![Link {
                href: href.to_owned(),
                kind: LinkKind::Page,
                nofollow: false,
                codebase: None,
            }],
            ..Links::new(charset)
        };
        links.resolve(&document).into_iter().map(|found| found.url.to_string()).next()
    }

    #[test]
    fn resolution() {
        #[rustfmt::skip]
        let cases = [
            // charset       base            href                  expected
            ("UTF-8",        None,           "a.html#b",           Some("http://h.example/d/a.html")),
            ("UTF-8",        None,           " \n../a\tb.html ",   Some("http://h.example/ab.html")),
            ("UTF-8",        None,           "//i.example:80",     Some("http://i.example/")),
            ("UTF-8",        None,           "HTTPS:\\\\i.example\\a", Some("https://i.example/a")),
            ("UTF-8",        None,           "?ä",                 Some("http://h.example/d/p.html?%C3%A4")),
            ("windows-1252", None,           "ä?ä",                Some("http://h.example/d/%C3%A4?%E4")),
            ("windows-1252", None,           "?a=Ω&b",             Some("http://h.example/d/p.html?a=%26%23937%3B&b")),
            ("UTF-16LE",     None,           "?ä",                 Some("http://h.example/d/p.html?%C3%A4")),
            ("UTF-8",        Some("/x/"),    "a",                  Some("http://h.example/x/a")),
            ("UTF-8",        Some("../y"),   "a",                  Some("http://h.example/a")),
            ("UTF-8",        Some("/x/"),    "#a",                 Some("http://h.example/x/")),
            ("UTF-8",        Some("file:///C:/"), "a",             Some("http://h.example/d/a")),
            ("UTF-8",        Some("http://"), "a",                 Some("http://h.example/d/a")),
            ("UTF-8",        None,           "#a",                 None),
            ("UTF-8",        None,           "mailto:a@b.example", None),
            ("UTF-8",        None,           "javascript:void(0)", None),
            ("UTF-8",        None,           "ftp://h.example/",   None),
            ("UTF-8",        None,           "http://",            None),
        ];
        for (charset, base, href, expected) in cases {
            assert_eq!(check(charset, base, href).as_deref(), expected, "{base:?} {href}");
        }
    }

    #[test]
    fn repeats_and_nofollow() {
        let link = |href: &str, kind, nofollow| Link {
            href: href.to_owned(),
            kind,
            nofollow,
            codebase: None,
        };
        let charset = Charset { name: "UTF-8", source: CharsetSource::Utf8 };
        let mut links = Links::new(charset);
        links.found = vec![
            link("a", LinkKind::Page, true),
            link("b.png", LinkKind::Embedded, false),
            link("./a#x", LinkKind::Page, false),
            link("a", LinkKind::Embedded, false),
            link("c", LinkKind::Page, true),
            link("c", LinkKind::Page, true),
        ];
        let document = Url::parse("http://h.example/").unwrap();
        let told = |links: &Links| {
            let urls = links.resolve(&document).into_iter();
            urls.map(|found| (found.url.path().to_owned(), found.kind, found.nofollow))
                .collect::<Vec<_>>()
        };
        let expected = |page_nofollow| {
            vec![
                ("/a".to_owned(), LinkKind::Page, page_nofollow),
                ("/b.png".to_owned(), LinkKind::Embedded, false),
                ("/a".to_owned(), LinkKind::Embedded, false),
                ("/c".to_owned(), LinkKind::Page, true),
            ]
        };
        assert_eq!(told(&links), expected(false));
        links.robots.nofollow = true;
        assert_eq!(told(&links), expected(true));
    }
}

//! Says which attributes of a tag hold URLs, in which form, and what they are for.
//!
//! One table for the link scan and the rewriter, so that whatever is archived is also rewritten.

use crate::lexer::{Attribute, Tag};
use crate::links::{LinkKind, MetaRobots};
use LinkKind::{Embedded, Form, Frame, Page};

/// An attribute that refers to something.
#[derive(Debug)]
pub(crate) struct Reference<'t> {
    pub(crate) attribute: &'t Attribute,
    pub(crate) shape: Shape,
    pub(crate) kind: LinkKind,
    pub(crate) nofollow: bool,
    /// The attribute that holds the address this one is relative to.
    pub(crate) codebase: Option<&'t Attribute>,
}

/// How URLs are written in an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Url,
    /// `srcset`.
    Candidates,
    /// A `style` attribute.
    Style,
    /// The content of a refresh.
    Refresh,
    /// A list with commas.
    Commas,
    /// A list with spaces.
    Spaces,
}

/// Calls `found` for each reference of a start tag, in the order of the table.
pub(crate) fn each_reference<'t>(tag: &Tag<'_, 't>, mut found: impl FnMut(Reference<'t>)) {
    if tag.attributes.is_empty() {
        return;
    }
    let mut buffer = [0; LONGEST_NAME];
    let name = lower_case(tag.name, &mut buffer);
    match name {
        b"a" | b"area" => {
            let nofollow = has_word(tag, "rel", "nofollow");
            plain(tag, &["href", "xlink:href"], Page, nofollow, &mut found);
        }
        b"link" => link(tag, &mut found),
        b"meta" => meta(tag, &mut found),
        b"form" => form(tag, &mut found),
        b"object" => {
            with_codebase(tag, &[("data", Shape::Url), ("archive", Shape::Spaces)], &mut found)
        }
        b"applet" => with_codebase(
            tag,
            &[("code", Shape::Url), ("object", Shape::Url), ("archive", Shape::Commas)],
            &mut found,
        ),
        b"input" if is_word(tag, "type", "image") => {
            plain(tag, &["src"], Embedded, false, &mut found)
        }
        b"param" if is_word(tag, "name", "movie") || is_word(tag, "name", "src") => {
            plain(tag, &["value"], Embedded, false, &mut found);
        }
        _ => {
            for &(attribute, shape, kind) in table(name) {
                if let Some(attribute) = tag.attribute(attribute) {
                    found(Reference { attribute, shape, kind, nofollow: false, codebase: None });
                }
            }
        }
    }
    if let Some(attribute) = tag.attribute("style") {
        let (shape, kind) = (Shape::Style, Embedded);
        found(Reference { attribute, shape, kind, nofollow: false, codebase: None });
    }
}

/// Whether this start tag can be the `<base>` of the document.
pub(crate) fn base<'t>(tag: &Tag<'_, 't>) -> Option<&'t Attribute> {
    if tag.is("base") && !tag.foreign { tag.attribute("href") } else { None }
}

/// What a tag asks of robots.
pub(crate) fn meta_robots(tag: &Tag<'_, '_>, robots: &mut MetaRobots) {
    if !tag.is("meta") || !is_word(tag, "name", "robots") {
        return;
    }
    let content = tag.value("content").unwrap_or_default();
    for word in content.split(|c: char| c == ',' || c.is_ascii_whitespace()) {
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        robots.nofollow |= is("nofollow") || is("none");
        robots.noindex |= is("noindex") || is("none");
        robots.noarchive |= is("noarchive");
    }
}

type Rule = (&'static str, Shape, LinkKind);

/// Elements whose references need no second look at the tag.
fn table(name: &[u8]) -> &'static [Rule] {
    use Shape::{Candidates, Url};
    const BACKGROUND: &[Rule] = &[("background", Url, Embedded)];
    const SOURCE: &[Rule] = &[("src", Url, Embedded)];
    const REFERRED: &[Rule] = &[("href", Url, Embedded), ("xlink:href", Url, Embedded)];
    #[rustfmt::skip]
    const IMAGE: &[Rule] = &[
        ("src",            Url,        Embedded),
        ("srcset",         Candidates, Embedded),
        ("lowsrc",         Url,        Embedded),
        ("dynsrc",         Url,        Embedded),
        ("data-src",       Url,        Embedded),
        ("data-srcset",    Candidates, Embedded),
        ("data-original",  Url,        Embedded),
        ("data-lazy-src",  Url,        Embedded),
        ("longdesc",       Url,        Page),
    ];
    #[rustfmt::skip]
    const SVG_IMAGE: &[Rule] = &[
        ("src",            Url,        Embedded),
        ("srcset",         Candidates, Embedded),
        ("href",           Url,        Embedded),
        ("xlink:href",     Url,        Embedded),
    ];
    #[rustfmt::skip]
    const MEDIA_SOURCE: &[Rule] = &[
        ("src",            Url,        Embedded),
        ("srcset",         Candidates, Embedded),
        ("data-src",       Url,        Embedded),
        ("data-srcset",    Candidates, Embedded),
    ];
    #[rustfmt::skip]
    const SCRIPT: &[Rule] = &[
        ("src",            Url,        Embedded),
        ("href",           Url,        Embedded),
        ("xlink:href",     Url,        Embedded),
    ];
    const FRAME: &[Rule] = &[("src", Url, Frame), ("longdesc", Url, Page)];
    const IFRAME: &[Rule] =
        &[("src", Url, Frame), ("data-src", Url, Frame), ("longdesc", Url, Page)];
    const LAYER: &[Rule] = &[("src", Url, Frame), ("background", Url, Embedded)];
    const VIDEO: &[Rule] =
        &[("src", Url, Embedded), ("poster", Url, Embedded), ("data-src", Url, Embedded)];
    match name {
        b"img" => IMAGE,
        b"image" => SVG_IMAGE,
        b"source" => MEDIA_SOURCE,
        b"script" => SCRIPT,
        b"frame" => FRAME,
        b"iframe" => IFRAME,
        b"layer" | b"ilayer" => LAYER,
        b"video" => VIDEO,
        b"audio" | b"track" | b"embed" | b"bgsound" | b"xml" => SOURCE,
        b"use" | b"feimage" => REFERRED,
        b"body" | b"table" | b"thead" | b"tbody" | b"tfoot" | b"tr" | b"td" | b"th" => BACKGROUND,
        b"html" => &[("manifest", Url, Embedded)],
        _ => &[],
    }
}

fn plain<'t>(
    tag: &Tag<'_, 't>,
    attributes: &[&str],
    kind: LinkKind,
    nofollow: bool,
    found: &mut impl FnMut(Reference<'t>),
) {
    for attribute in attributes.iter().filter_map(|name| tag.attribute(name)) {
        found(Reference { attribute, shape: Shape::Url, kind, nofollow, codebase: None });
    }
}

fn with_codebase<'t>(
    tag: &Tag<'_, 't>,
    attributes: &[(&str, Shape)],
    found: &mut impl FnMut(Reference<'t>),
) {
    let codebase = tag.attribute("codebase");
    for &(name, shape) in attributes {
        if let Some(attribute) = tag.attribute(name) {
            found(Reference { attribute, shape, kind: Embedded, nofollow: false, codebase });
        }
    }
}

fn link<'t>(tag: &Tag<'_, 't>, found: &mut impl FnMut(Reference<'t>)) {
    let rel = tag.value("rel").unwrap_or_default();
    let Some(kind) = relation(&rel) else { return };
    let nofollow = words(&rel).any(|word| word.eq_ignore_ascii_case("nofollow"));
    plain(tag, &["href"], kind, nofollow, found);
    if let Some(attribute) = tag.attribute("imagesrcset") {
        let (shape, kind) = (Shape::Candidates, Embedded);
        found(Reference { attribute, shape, kind, nofollow: false, codebase: None });
    }
}

/// What a `<link>` of this relation is for; `None` if it names a server or a vocabulary only.
fn relation(rel: &str) -> Option<LinkKind> {
    #[rustfmt::skip]
    const EMBEDDED: &[&str] = &[
        "stylesheet", "icon", "shortcut", "apple-touch-icon", "apple-touch-icon-precomposed",
        "apple-touch-startup-image", "mask-icon", "fluid-icon", "image_src", "preload",
        "modulepreload", "prefetch", "manifest",
    ];
    // The address of a repository (OAI-PMH) answers nobody who does not ask by its protocol.
    #[rustfmt::skip]
    const NAMES_ONLY: &[&str] = &[
        "preconnect", "dns-prefetch", "pingback", "profile", "edituri", "wlwmanifest", "oai", "oai-pmh",
    ];
    let any = |list: &[&str]| {
        words(rel).any(|word| list.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    let is_schema = words(rel)
        .any(|word| word.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("schema.")));
    if any(EMBEDDED) {
        Some(Embedded)
    } else if any(NAMES_ONLY) || is_schema {
        None
    } else {
        Some(Page)
    }
}

fn meta<'t>(tag: &Tag<'_, 't>, found: &mut impl FnMut(Reference<'t>)) {
    const IMAGES: &[&str] = &[
        "og:image",
        "og:image:url",
        "og:image:secure_url",
        "twitter:image",
        "twitter:image:src",
        "msapplication-tileimage",
    ];
    let Some(attribute) = tag.attribute("content") else { return };
    let shows_image = |name: &str| IMAGES.iter().any(|image| is_word(tag, name, image));
    let (shape, kind) = if is_word(tag, "http-equiv", "refresh") {
        (Shape::Refresh, Page)
    } else if shows_image("property") || shows_image("name") {
        (Shape::Url, Embedded)
    } else {
        return;
    };
    found(Reference { attribute, shape, kind, nofollow: false, codebase: None });
}

fn form<'t>(tag: &Tag<'_, 't>, found: &mut impl FnMut(Reference<'t>)) {
    let sends = |method| is_word(tag, "method", method);
    if !sends("post") && !sends("dialog") {
        plain(tag, &["action"], Form, false, found);
    }
}

fn is_word(tag: &Tag<'_, '_>, attribute: &str, expected: &str) -> bool {
    tag.value(attribute).is_some_and(|value| value.trim_ascii().eq_ignore_ascii_case(expected))
}

fn has_word(tag: &Tag<'_, '_>, attribute: &str, expected: &str) -> bool {
    tag.value(attribute)
        .is_some_and(|value| words(&value).any(|word| word.eq_ignore_ascii_case(expected)))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_ascii_whitespace() || c == ',').filter(|word| !word.is_empty())
}

/// The longest element name in the tables.
const LONGEST_NAME: usize = 8;

/// The name in lower case; a name too long to be known comes back empty.
fn lower_case<'b>(name: &str, buffer: &'b mut [u8; LONGEST_NAME]) -> &'b [u8] {
    match buffer.get_mut(..name.len()) {
        Some(lower) => {
            lower.copy_from_slice(name.as_bytes());
            lower.make_ascii_lowercase();
            lower
        }
        None => &[],
    }
}

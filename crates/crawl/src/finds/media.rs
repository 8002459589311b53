//! Decides how a body is to be read.
//!
//! The declared type counts, unless the first bytes plainly say otherwise: feeds are often sent as
//! `text/html`, pages as `application/octet-stream` or without a type. `text/plain` is read as HTML
//! only if it starts like a page, because servers send all sorts of files as `text/plain`.

use auslese_model::Oddity;

/// What a body is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// HTML or XHTML.
    Html,
    Css,
    Svg,
    /// A sitemap or feed.
    List,
    Text,
    Other,
}

/// How much of a body is looked at to tell what it is, in bytes.
const SNIFF_BYTES: usize = 4_096;

/// How to read a body, and what is odd about its declared type.
pub(super) fn media(declared: Option<&str>, path: &str, body: &[u8]) -> (Media, Option<Oddity>) {
    let looks = Looks::of(&body[..body.len().min(SNIFF_BYTES)]);
    let declared_as = Declared::of(declared);
    let media = match (declared_as, looks) {
        (Declared::Html, Looks::List) => Media::List,
        (Declared::Html, Looks::Binary) => Media::Other,
        (Declared::Html, _) => Media::Html,
        (Declared::Css, _) => Media::Css,
        (Declared::Svg, Looks::Html) => Media::Html,
        (Declared::Svg, _) => Media::Svg,
        (Declared::Xml | Declared::Text | Declared::Nothing, Looks::Html) => Media::Html,
        (Declared::Xml | Declared::Text | Declared::Nothing, Looks::List) => Media::List,
        (Declared::Xml | Declared::Nothing, Looks::Svg) => Media::Svg,
        (Declared::Feed, Looks::Html) => Media::Html,
        (Declared::Feed, _) => Media::List,
        (Declared::Gzip, _) if is_packed_sitemap(path) => Media::List,
        (Declared::Nothing, Looks::Other) if has_ending(path, ".css") => Media::Css,
        (Declared::Text, _) => Media::Text,
        (Declared::Xml | Declared::Gzip | Declared::Nothing | Declared::Other, _) => Media::Other,
    };
    (media, oddity(declared, declared_as, media))
}

fn oddity(declared: Option<&str>, declared_as: Declared, media: Media) -> Option<Oddity> {
    let fits = match declared_as {
        Declared::Html => media == Media::Html,
        Declared::Svg => media == Media::Svg,
        Declared::Feed => media == Media::List,
        Declared::Text | Declared::Nothing => !matches!(media, Media::Html | Media::List),
        Declared::Css | Declared::Xml | Declared::Gzip | Declared::Other => true,
    };
    let declared = declared.unwrap_or("no type");
    (!fits).then(|| Oddity::new("wrong-media-type", format!("{declared}, read as {media:?}")))
}

/// Families of declared types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    Html,
    Css,
    Svg,
    Feed,
    Xml,
    Text,
    Gzip,
    /// None, or one that says nothing.
    Nothing,
    Other,
}

impl Declared {
    fn of(media_type: Option<&str>) -> Declared {
        match media_type.unwrap_or("") {
            "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" => {
                Declared::Html
            }
            "text/css" => Declared::Css,
            "image/svg+xml" => Declared::Svg,
            "application/rss+xml" | "application/atom+xml" => Declared::Feed,
            "text/xml" | "application/xml" | "application/rdf+xml" => Declared::Xml,
            "text/plain" => Declared::Text,
            "application/gzip" | "application/x-gzip" => Declared::Gzip,
            ""
            | "application/octet-stream"
            | "unknown/unknown"
            | "application/unknown"
            | "content/unknown"
            | "*/*" => Declared::Nothing,
            _ => Declared::Other,
        }
    }
}

/// What the first bytes look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looks {
    Html,
    Svg,
    List,
    Binary,
    Other,
}

/// Elements that nothing but a page begins with.
const PAGE_ELEMENTS: &[&str] =
    &["html", "head", "body", "title", "frameset", "meta", "h1", "script", "table", "div"];

impl Looks {
    fn of(start: &[u8]) -> Looks {
        match first_element(start).as_deref() {
            Some("svg") => Looks::Svg,
            Some("urlset" | "sitemapindex" | "rss" | "feed" | "rdf") => Looks::List,
            Some(name) if PAGE_ELEMENTS.contains(&name) => Looks::Html,
            _ if is_binary(start) => Looks::Binary,
            _ => Looks::Other,
        }
    }
}

/// Beginnings of files that are sent as HTML by mistake.
fn is_binary(start: &[u8]) -> bool {
    const BEGINNINGS: &[&[u8]] =
        &[b"%PDF-", b"%!PS", b"\x89PNG", b"GIF8", b"\xFF\xD8\xFF", b"PK\x03\x04", b"\x1F\x8B"];
    BEGINNINGS.iter().any(|beginning| start.starts_with(beginning))
}

/// The local name of the first element in lower case; `html` if a doctype says so.
fn first_element(start: &[u8]) -> Option<String> {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    if !may_begin_with_element(start) {
        return None;
    }
    let text = String::from_utf8_lossy(start);
    let mut rest = text.trim_start();
    loop {
        rest = rest.strip_prefix('<')?;
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->")?.1.trim_start();
        } else if rest.starts_with('?') {
            rest = rest.split_once('>')?.1.trim_start();
        } else if rest.get(..8).is_some_and(|word| word.eq_ignore_ascii_case("!doctype")) {
            let name = name_of(rest[8..].trim_start());
            if name == "html" {
                return Some(name);
            }
            rest = rest.split_once('>')?.1.trim_start();
        } else {
            return Some(name_of(rest)).filter(|name| !name.is_empty());
        }
    }
}

/// Pictures and the like do not, and are not read as text to learn that.
fn may_begin_with_element(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    match start.first() {
        Some(first) if first.is_ascii() => matches!(first, b'<' | 0x0B),
        // White space beyond ASCII may stand before it.
        Some(_) => start.utf8_chunks().next().is_some_and(|chunk| !chunk.valid().is_empty()),
        None => false,
    }
}

fn name_of(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_');
    let name = &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())];
    name.rsplit(':').next().unwrap_or(name).to_ascii_lowercase()
}

fn is_packed_sitemap(path: &str) -> bool {
    has_ending(path, ".xml.gz") || has_ending(path, ".txt.gz")
}

fn has_ending(path: &str, ending: &str) -> bool {
    let start = path.len().checked_sub(ending.len());
    start.is_some_and(|at| path.as_bytes()[at..].eq_ignore_ascii_case(ending.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn types() {
        #[rustfmt::skip]
        let cases = [
            // declared                         path       body                               read as       odd
            (Some("text/html"),                 "/",       "<p>hello",                        Media::Html,  false),
            (Some("application/xhtml+xml"),     "/",       "<?xml version='1.0'?><html/>",    Media::Html,  false),
            (Some("text/html"),                 "/feed",   "<?xml?>\n<!-- x --><rss>",        Media::List,  true),
            (Some("text/html"),                 "/a",      "%PDF-1.4",                        Media::Other, true),
            (Some("text/plain"),                "/a.txt",  "see <a href=x>",                  Media::Text,  false),
            (Some("text/plain"),                "/a",      " <!DOCTYPE HTML PUBLIC 'x'>",     Media::Html,  true),
            (Some("text/plain"),                "/a",      "<!-- old --><HTML>",              Media::Html,  true),
            (Some("text/plain"),                "/s",      "<urlset>",                        Media::List,  true),
            (None,                              "/a",      "<html>",                          Media::Html,  true),
            (None,                              "/a.CSS",  "body{}",                          Media::Css,   false),
            (None,                              "/a",      "hello",                           Media::Other, false),
            (Some("application/octet-stream"),  "/a",      "<html>",                          Media::Html,  true),
            (Some("application/xml"),           "/s.xml",  "<s:urlset>",                      Media::List,  false),
            (Some("text/xml"),                  "/a.xml",  "<data>",                          Media::Other, false),
            (Some("text/xml"),                  "/a.svg",  "<!DOCTYPE svg><svg>",             Media::Svg,   false),
            (Some("application/x-gzip"),        "/s.xml.gz", "\u{1f}",                        Media::List,  false),
            (Some("application/x-gzip"),        "/a.tar.gz", "\u{1f}",                        Media::Other, false),
            (Some("image/svg+xml"),             "/a",      "<svg>",                           Media::Svg,   false),
            (Some("text/css"),                  "/a",      "<html>",                          Media::Css,   false),
            (Some("image/png"),                 "/a",      "<html>",                          Media::Other, false),
            (Some("application/rdf+xml"),       "/",       "<rdf:RDF>",                       Media::List,  false),
        ];
        for (declared, path, body, expected, odd) in cases {
            let (media, oddity) = media(declared, path, body.as_bytes());
            assert_eq!((media, oddity.is_some()), (expected, odd), "{declared:?} {path} {body}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_something(body in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = media(None, "/", &body);
        }

        #[test]
        fn any_beginning_is_something(text in "(<|!--|-->|\\?|!doctype|[ äa-z:>]){0,12}") {
            let _ = media(Some("text/plain"), "/", text.as_bytes());
        }
    }
}

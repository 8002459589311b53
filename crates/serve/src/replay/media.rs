//! As what an archived answer is shown.
//!
//! The archived `Content-Type` is a stranger's word. Web pages, style sheets and drawings are rewritten; pictures, sound
//! and fonts are sent as what they are; whatever else is text is sent as plain text, XML included, so that it cannot
//! become a page; and the rest can be taken away only.

use super::address::Modifier;

/// As what an answer is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Media {
    /// Without parameters.
    pub(super) media_type: String,
    pub(super) treatment: Treatment,
}

/// What is done with the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    Html,
    Css,
    Svg,
    /// Sent as text, with its encoding.
    Text,
    /// Sent as it is, and shown in a frame.
    Shown,
    /// Sent as it is; a frame cannot show it.
    Taken,
}

/// How much of a body is looked at to tell what it is.
pub(super) const LOOKED_AT: usize = 4_096;

impl Media {
    /// `destination` is what the browser wants it for (`Sec-Fetch-Dest`), if it says so.
    pub(super) fn of(
        declared: Option<&str>,
        modifier: Modifier,
        destination: Option<&str>,
        beginning: &[u8],
    ) -> Media {
        let declared = declared.and_then(essence);
        let as_declared =
            || declared.clone().unwrap_or_else(|| "application/octet-stream".to_owned());
        let wants_style = modifier == Modifier::Style || destination == Some("style");
        let wants_image = modifier == Modifier::Image || destination == Some("image");
        let (media_type, treatment) = match declared.as_deref().unwrap_or_default() {
            "text/html" | "application/xhtml+xml" => ("text/html".to_owned(), Treatment::Html),
            "text/css" => ("text/css".to_owned(), Treatment::Css),
            "image/svg+xml" => ("image/svg+xml".to_owned(), Treatment::Svg),
            // Browsers take no style sheet of another type from us; the servers of old often named none.
            _ if wants_style => ("text/css".to_owned(), Treatment::Css),
            media if is_media(media) => (as_declared(), Treatment::Shown),
            _ if wants_image && picture(beginning).is_some() => {
                (picture(beginning).unwrap_or_default().to_owned(), Treatment::Shown)
            }
            "" if looks_like_html(beginning) => ("text/html".to_owned(), Treatment::Html),
            text if is_text(text) => ("text/plain".to_owned(), Treatment::Text),
            font if is_font(font) => (as_declared(), Treatment::Taken),
            composite
                if composite.starts_with("multipart/") || composite.starts_with("message/") =>
            {
                ("application/octet-stream".to_owned(), Treatment::Taken)
            }
            _ => (as_declared(), Treatment::Taken),
        };
        Media { media_type, treatment }
    }

    /// Whether a frame can show it.
    pub(super) fn is_shown(&self) -> bool {
        self.treatment != Treatment::Taken
    }
}

/// Type and subtype in lower case, if they are made as types are.
pub(super) fn essence(content_type: &str) -> Option<String> {
    const LONGEST: usize = 100;
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b))
    };
    let (first, second) = essence.split_once('/')?;
    (is_name(first) && is_name(second) && essence.len() <= LONGEST).then_some(essence)
}

pub(super) fn is_font(media_type: &str) -> bool {
    media_type.starts_with("font/")
        || media_type.starts_with("application/font-")
        || media_type.starts_with("application/x-font-")
        || media_type == "application/vnd.ms-fontobject"
}

/// Whether bytes begin as fonts do.
pub(super) fn looks_like_font(beginning: &[u8]) -> bool {
    [&b"wOFF"[..], b"wOF2", b"OTTO", b"true", b"ttcf", b"\0\x01\0\0"]
        .iter()
        .any(|mark| beginning.starts_with(mark))
}

fn is_media(media_type: &str) -> bool {
    ["image/", "audio/", "video/"].iter().any(|kind| media_type.starts_with(kind))
}

fn is_text(media_type: &str) -> bool {
    const OTHERS: [&str; 8] = [
        "application/xml",
        "application/json",
        "application/ld+json",
        "application/javascript",
        "application/x-javascript",
        "application/ecmascript",
        "application/x-sh",
        "application/x-tex",
    ];
    media_type.starts_with("text/") || media_type.ends_with("+xml") || OTHERS.contains(&media_type)
}

/// The type of a picture by its first bytes.
fn picture(beginning: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 7] = [
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"BM", "image/bmp"),
        (b"\0\0\x01\0", "image/x-icon"),
        (b"RIFF", "image/webp"),
    ];
    MARKS.iter().find(|(mark, _)| beginning.starts_with(mark)).map(|(_, name)| *name)
}

fn looks_like_html(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&beginning[..beginning.len().min(LOOKED_AT)]);
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let text = text.to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<body", "<title", "<frameset"]
        .iter()
        .any(|start| text.starts_with(start) || text.contains(start) && text.starts_with('<'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Declared type, modifier, destination, first bytes; type and treatment expected.
    type Case<'a> = (Option<&'a str>, Modifier, Option<&'a str>, &'a [u8], &'a str, Treatment);

    #[test]
    fn types() {
        use Treatment::{Css, Html, Shown, Svg, Taken, Text};
        #[rustfmt::skip]
        let cases: &[Case<'_>] = &[
            (Some("text/html; charset=x"),  Modifier::Page, None,           b"",        "text/html",   Html),
            (Some("Application/XHTML+xml"), Modifier::Page, None,           b"",        "text/html",   Html),
            (Some("text/html"),             Modifier::Style, Some("style"), b"",        "text/html",   Html),
            (Some("text/plain"),            Modifier::Page, Some("style"),  b"a{}",     "text/css",    Css),
            (Some("text/plain"),            Modifier::Page, None,           b"<html>",  "text/plain",  Text),
            (Some("text/xml"),              Modifier::Page, None,           b"<html>",  "text/plain",  Text),
            (Some("application/rss+xml"),   Modifier::Page, None,           b"",        "text/plain",  Text),
            (Some("image/svg+xml"),         Modifier::Page, Some("image"),  b"",        "image/svg+xml", Svg),
            (Some("image/gif"),             Modifier::Page, None,           b"",        "image/gif",   Shown),
            (Some("text/plain"),            Modifier::Page, Some("image"),  b"GIF89a",  "image/gif",   Shown),
            (None,                          Modifier::Image, None,          b"\xff\xd8\xff", "image/jpeg", Shown),
            (None,                          Modifier::Page, None,           b"\n<!DOCTYPE html>", "text/html", Html),
            (None,                          Modifier::Page, None,           b"x",       "application/octet-stream", Taken),
            (Some("multipart/x-mixed-replace; boundary=x"), Modifier::Page, None, b"",  "application/octet-stream", Taken),
            (Some("text/html\r\nset-cookie: a=b"), Modifier::Page, None,    b"",        "application/octet-stream", Taken),
            (Some("application/pdf"),       Modifier::Page, Some("iframe"), b"%PDF",    "application/pdf", Taken),
            (Some("nonsense"),              Modifier::Page, None,           b"",        "application/octet-stream", Taken),
        ];
        for (declared, modifier, destination, beginning, media_type, treatment) in cases {
            let media = Media::of(*declared, *modifier, *destination, beginning);
            assert_eq!(
                (media.media_type.as_str(), media.treatment),
                (*media_type, *treatment),
                "{declared:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn types_are_always_headers(declared in "\\PC{0,20}", bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let media = Media::of(Some(&declared), Modifier::Page, None, &bytes);
            prop_assert!(axum::http::HeaderValue::from_str(&media.media_type).is_ok());
        }
    }
}

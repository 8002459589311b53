//! Decides in which character encoding bytes are written, and turns them into text.
//!
//! The signs are asked in this order, and the first that speaks wins: a byte order mark, the
//! charset of the HTTP header, what the document says of itself ([`crate::prescan`]), whether the
//! bytes are UTF-8, and last a statistical guess. The guess is dear (some 18 MB/s), so it reads a
//! bounded prefix only. Decoding never fails: what cannot be read becomes U+FFFD.

use crate::prescan::{css_charset, html_charset};
use auslese_model::Oddity;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// How many bytes the statistical guess reads.
pub const GUESS_BYTES: usize = 64 * 1024;

/// The encoding of a document, and how it became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset {
    /// The name in the WHATWG encoding standard, such as `windows-1252`.
    pub name: &'static str,
    pub source: CharsetSource,
}

/// The sign that decided on a [`Charset`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The charset parameter of the HTTP header.
    Http,
    /// A statement in the document: `<meta>`, an XML declaration, `@charset`.
    Meta,
    /// No statement, but the bytes are UTF-8 (or plain ASCII).
    Utf8,
    /// A statistical guess over the first [`GUESS_BYTES`].
    Detected,
}

impl CharsetSource {
    pub fn as_str(self) -> &'static str {
        match self {
            CharsetSource::Bom => "bom",
            CharsetSource::Http => "http",
            CharsetSource::Meta => "meta",
            CharsetSource::Utf8 => "utf8",
            CharsetSource::Detected => "detected",
        }
    }
}

/// Decodes an HTML document. `http_charset` is the charset parameter of `Content-Type`, if any; an
/// unknown name counts as none. UTF-8 without errors is borrowed, not copied.
pub fn decode<'a>(bytes: &'a [u8], http_charset: Option<&str>) -> (Cow<'a, str>, Charset) {
    Decoded::html(bytes, http_charset).into_parts()
}

/// Decodes plain text: as [`decode`], but what the text says of itself does not count.
pub fn decode_plain<'a>(bytes: &'a [u8], http_charset: Option<&str>) -> (Cow<'a, str>, Charset) {
    Decoded::with(bytes, http_charset, |_| None, guess).into_parts()
}

/// Notes characters that could not be decoded, here or by whoever wrote the text before.
pub fn undecodable(text: &str) -> Option<Oddity> {
    // Its first byte is rare in most texts, and a single byte is found soonest.
    let bytes = text.as_bytes();
    let is_one = |at: &usize| bytes[*at..].starts_with("\u{FFFD}".as_bytes());
    let count = memchr::memchr_iter(0xEF, bytes).filter(is_one).count();
    (count > 0).then(|| Oddity::new("undecodable", format!("{count} characters")))
}

/// Decoded text that still knows its encoding and how many bytes of mark came before it.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) encoding: &'static Encoding,
    pub(crate) source: CharsetSource,
    /// Length of the byte order mark, which is not part of the text.
    pub(crate) mark: usize,
}

impl<'a> Decoded<'a> {
    pub(crate) fn html(bytes: &'a [u8], http_charset: Option<&str>) -> Decoded<'a> {
        Decoded::with(bytes, http_charset, html_charset, guess)
    }

    /// The same for bytes that nobody else needs. Those that are UTF-8 go through `normalise`, which may change
    /// white space only, and become the text without being copied.
    pub(crate) fn owned_html(
        mut bytes: Vec<u8>,
        http_charset: Option<&str>,
        normalise: fn(Vec<u8>) -> Vec<u8>,
    ) -> Decoded<'static> {
        let told = told(&bytes, http_charset, html_charset);
        let (encoding, source, mark) = told.unwrap_or((UTF_8, CharsetSource::Utf8, 0));
        if encoding == UTF_8 && mark == 0 {
            match String::from_utf8(normalise(bytes)) {
                Ok(text) => return Decoded { text: text.into(), encoding, source, mark },
                Err(error) => bytes = error.into_bytes(),
            }
        }
        let Decoded { text, encoding, source, mark } = Decoded::html(&bytes, http_charset);
        Decoded { text: text.into_owned().into(), encoding, source, mark }
    }

    /// Style sheets are too short and too ASCII for a guess: browsers fall back to one encoding.
    pub(crate) fn css(bytes: &'a [u8], http_charset: Option<&str>) -> Decoded<'a> {
        Decoded::with(bytes, http_charset, css_charset, |_| WINDOWS_1252)
    }

    pub(crate) fn charset(&self) -> Charset {
        Charset { name: self.encoding.name(), source: self.source }
    }

    fn with(
        bytes: &'a [u8],
        http_charset: Option<&str>,
        own_statement: fn(&[u8]) -> Option<&'static Encoding>,
        last_resort: fn(&[u8]) -> &'static Encoding,
    ) -> Decoded<'a> {
        if let Some((encoding, source, mark)) = told(bytes, http_charset, own_statement) {
            return Decoded::read(bytes, encoding, source, mark);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Decoded {
                text: Cow::Borrowed(text),
                encoding: UTF_8,
                source: CharsetSource::Utf8,
                mark: 0,
            },
            // A body that was cut within its last character is UTF-8 all the same.
            Err(error) if error.error_len().is_none() => {
                Decoded::read(bytes, UTF_8, CharsetSource::Utf8, 0)
            }
            Err(_) => Decoded::read(bytes, last_resort(bytes), CharsetSource::Detected, 0),
        }
    }

    fn read(
        bytes: &'a [u8],
        encoding: &'static Encoding,
        source: CharsetSource,
        mark: usize,
    ) -> Decoded<'a> {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[mark..]);
        Decoded { text, encoding, source, mark }
    }

    fn into_parts(self) -> (Cow<'a, str>, Charset) {
        let charset = self.charset();
        (self.text, charset)
    }
}

/// The encoding that a mark, the header or the document itself tells, and the length of the mark.
fn told(
    bytes: &[u8],
    http_charset: Option<&str>,
    own_statement: fn(&[u8]) -> Option<&'static Encoding>,
) -> Option<(&'static Encoding, CharsetSource, usize)> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return Some((encoding, CharsetSource::Bom, mark));
    }
    let http = http_charset.and_then(|name| Encoding::for_label(name.trim().as_bytes()));
    let http = http.map(|encoding| (encoding, CharsetSource::Http, 0));
    http.or_else(|| own_statement(bytes).map(|encoding| (encoding, CharsetSource::Meta, 0)))
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let head = &bytes[..bytes.len().min(GUESS_BYTES)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(head, head.len() == bytes.len());
    // UTF-8 was tried before; allowing it here would accept a document with one broken byte, and
    // that is what it most probably is.
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes, HTTP charset; name, source and text expected.
    type Case<'a> = (&'a [u8], Option<&'a str>, &'static str, CharsetSource, &'a str);

    #[test]
    fn order_of_signs() {
        use CharsetSource::{Bom, Detected, Http, Meta, Utf8};
        #[rustfmt::skip]
        let cases: &[Case<'_>] = &[
            (b"\xEF\xBB\xBFa<meta charset=koi8-r>", Some("latin1"), "UTF-8", Bom, "a<meta charset=koi8-r>"),
            (b"\xFF\xFEa\0b\0",          None,            "UTF-16LE",     Bom,      "ab"),
            (b"\xE4<meta charset=utf-8>", Some(" ISO-8859-1 "), "windows-1252", Http, "ä<meta charset=utf-8>"),
            (b"<meta charset=latin2>\xB1", Some("nonsense"), "ISO-8859-2", Meta,    "<meta charset=latin2>ą"),
            (b"\xC3\xA4",                None,            "UTF-8",        Utf8,     "ä"),
            (b"abc",                     None,            "UTF-8",        Utf8,     "abc"),
            (b"",                        None,            "UTF-8",        Utf8,     ""),
            (b"ab\xE2\x82",              None,            "UTF-8",        Utf8,     "ab\u{FFFD}"),
            (b"F\xFCr M\xE4nner und gro\xDFe K\xF6che", None, "windows-1252", Detected, "Für Männer und große Köche"),
        ];
        for (bytes, http, name, source, text) in cases {
            let (decoded, charset) = decode(bytes, *http);
            let expected = Charset { name, source: *source };
            assert_eq!((decoded.as_ref(), charset), (*text, expected));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_decode(bytes in proptest::collection::vec(any::<u8>(), 0..300), http in ".{0,12}") {
            decode(&bytes, None);
            decode(&bytes, Some(&http));
            Decoded::css(&bytes, None);
        }

        #[test]
        fn owned_bytes_decode_as_all_do(
            bytes in "(<meta charset=(utf-8|latin1)>|\u{feff}|ä|€|a|<){0,8}",
            cut in 0..4_usize,
            http in "(utf-8|koi8-r)?",
        ) {
            let bytes = &bytes.as_bytes()[..bytes.len().saturating_sub(cut)];
            for http in [None, Some(http.as_str())] {
                let owned = Decoded::owned_html(bytes.to_vec(), http, |bytes| bytes);
                let mark = owned.mark;
                prop_assert_eq!(mark, Decoded::html(bytes, http).mark);
                prop_assert_eq!(owned.into_parts(), decode(bytes, http));
            }
        }
    }
}

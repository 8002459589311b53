//! Which inline elements of HTML become which of TEI, and where TEI takes them.

use crate::xml::Xml;
use auslese_markup::{Element, Page};
use url::Url;

/// An inline element of TEI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inline {
    pub(super) name: &'static str,
    attributes: Vec<(&'static str, String)>,
}

impl Inline {
    fn new(name: &'static str) -> Inline {
        Inline { name, attributes: Vec::new() }
    }

    fn rendered(as_what: &'static str) -> Inline {
        Inline { name: "hi", attributes: vec![("rend", as_what.to_owned())] }
    }

    /// A passage in another language.
    pub(super) fn foreign(lang: &str) -> Inline {
        Inline { name: "foreign", attributes: vec![("xml:lang", lang.to_owned())] }
    }

    fn link(target: String) -> Inline {
        Inline { name: "ref", attributes: vec![("target", target)] }
    }

    pub(super) fn write_start(&self, name: &str, xml: &mut Xml) {
        let mut attributes: Vec<(&str, &str)> =
            self.attributes.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if name != self.name {
            attributes = vec![("rend", "quoted")];
        }
        xml.start(name, &attributes);
    }
}

/// What an inline element becomes; none if its words say the same without it. `is_plain` means that there
/// is nothing but text in it.
#[rustfmt::skip]
pub(super) fn inline(element: &Element, is_plain: bool, page: &Page, here: &Url) -> Option<Inline> {
    Some(match element.name() {
        "a"                      => Inline::link(address(page, here, element.attribute("href")?)?),
        "em"                     => Inline::new("emph"),
        "strong"                 => Inline::rendered("strong"),
        "b"                      => Inline::rendered("bold"),
        "i"                      => Inline::rendered("italic"),
        "u"                      => Inline::rendered("underline"),
        "big"                    => Inline::rendered("big"),
        "small"                  => Inline::rendered("small"),
        "sub"                    => Inline::rendered("subscript"),
        "sup"                    => Inline::rendered("superscript"),
        "mark"                   => Inline::rendered("mark"),
        "cite"                   => Inline::rendered("cite"),
        "tt"                     => Inline::rendered("monospace"),
        "q"                      => Inline::new(QUOTED),
        "dfn"                    => Inline::new("term"),
        "abbr" | "acronym"       => Inline::new("abbr"),
        "ins"                    => Inline::new("add"),
        "del" | "s" | "strike"   => Inline::new("del"),
        "code" | "kbd" | "samp" | "var" if is_plain => Inline::new("code"),
        "code" | "kbd" | "samp" | "var" => Inline::rendered("code"),
        _ => return None,
    })
}

const QUOTED: &str = "q";

/// Elements of TEI that take phrases, but no quotations.
const PHRASES_ONLY: [&str; 5] = ["label", "eg", "foreign", "term", "abbr"];

/// The name under which an inline element is written, within a block and others that were written.
pub(super) fn written_name(
    name: &'static str,
    wrapper: Option<&'static str>,
    around: &[&'static str],
) -> &'static str {
    let mut outside = around.iter().copied().chain(wrapper);
    match name {
        QUOTED if outside.any(|it| PHRASES_ONLY.contains(&it)) => "hi",
        _ => name,
    }
}

/// Longest address that is written; longer ones hold data rather than a place.
const MAX_ADDRESS: usize = 8_000;

/// The address an attribute refers to, as every reader of URIs takes it; none if it leads nowhere.
pub(super) fn address(page: &Page, here: &Url, written: &str) -> Option<String> {
    let url = page.resolve(here, written)?;
    let leads_somewhere =
        matches!(url.scheme(), "http" | "https" | "ftp" | "mailto" | "gopher" | "news" | "tel");
    let strict = strict_uri(url.as_str());
    (leads_somewhere && strict.len() <= MAX_ADDRESS).then_some(strict)
}

/// An address with everything encoded that RFC 3986 does not know. Browsers let more pass.
pub(crate) fn strict_uri(url: &str) -> String {
    let authority_end = url.find("://").map_or(0, |at| {
        let start = at + 3;
        url[start..].find(['/', '?', '#']).map_or(url.len(), |length| start + length)
    });
    let fragment = url.find('#').unwrap_or(url.len());
    let bytes = url.as_bytes();
    let mut strict = String::with_capacity(url.len());
    for (at, byte) in bytes.iter().enumerate() {
        let stays = match byte {
            b'%' => {
                bytes.get(at + 1..at + 3).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit))
            }
            // Only around an IPv6 address.
            b'[' | b']' => at < authority_end,
            b'#' => at == fragment,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => true,
            byte => b"-._~:/?@!$&'()*+,;=".contains(byte),
        };
        match stays {
            true => strict.push(char::from(*byte)),
            false => strict.push_str(&format!("%{byte:02X}")),
        }
    }
    strict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_readers_take_them() {
        #[rustfmt::skip]
        let cases = [
            ("http://a.example/b?c=d#e",       "http://a.example/b?c=d#e"),
            ("http://[::1]:80/a[1]|b",         "http://[::1]:80/a%5B1%5D%7Cb"),
            ("http://a.example/100%",          "http://a.example/100%25"),
            ("http://a.example/%C3%A4%zz",     "http://a.example/%C3%A4%25zz"),
            ("http://a.example/#x#y",          "http://a.example/#x%23y"),
            ("http://a.example/ä{}",           "http://a.example/%C3%A4%7B%7D"),
            ("mailto:a@b.example",             "mailto:a@b.example"),
        ];
        for (url, expected) in cases {
            assert_eq!(strict_uri(url), expected, "{url}");
        }
    }
}

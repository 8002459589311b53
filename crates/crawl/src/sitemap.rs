//! Reads lists of addresses: sitemaps, sitemap indexes, text sitemaps, RSS and Atom feeds.
//!
//! Read as servers send them: namespaces are ignored, end tags need not match, a bare `&` is taken
//! for itself, gzip is undone, and broken XML gives what stood before the fault. Nothing is
//! expanded (no entities of a DTD), so a small file stays small.

use crate::FindKind;
use auslese_markup::decode;
use auslese_model::Oddity;
use flate2::read::MultiGzDecoder;
use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::borrow::Cow;
use std::io::Read;

/// Entries taken from one list, the protocol's own limit. The rest is ignored and noted.
pub const SITEMAP_URLS: usize = 50_000;

/// Bytes read of one list after unpacking, the protocol's own limit. The rest is ignored and noted.
pub const SITEMAP_BYTES: usize = 50 << 20;

/// What a list says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sitemap {
    pub entries: Vec<SitemapEntry>,
    pub oddities: Vec<Oddity>,
}

/// One address, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapEntry {
    pub href: String,
    pub kind: FindKind,
}

/// Reads any of the formats, packed or not; never fails.
pub fn read_sitemap(bytes: &[u8], http_charset: Option<&str>) -> Sitemap {
    read_within(SITEMAP_BYTES, bytes, http_charset)
}

fn read_within(limit: usize, bytes: &[u8], http_charset: Option<&str>) -> Sitemap {
    let mut sitemap = Sitemap::default();
    let unpacked = sitemap.unpack(bytes, limit);
    let limited = &unpacked[..unpacked.len().min(limit)];
    if unpacked.len() > limit {
        sitemap.note("long-sitemap", format!("only {limit} bytes are read"));
    }
    let (text, _) = decode(limited, http_charset);
    if text.trim_start().starts_with('<') {
        sitemap.read_xml(&text);
    } else {
        sitemap.read_lines(&text);
    }
    sitemap
}

impl Sitemap {
    fn note(&mut self, kind: &str, detail: impl Into<String>) {
        self.oddities.push(Oddity::new(kind, detail));
    }

    fn unpack<'a>(&mut self, bytes: &'a [u8], limit: usize) -> Cow<'a, [u8]> {
        if !bytes.starts_with(b"\x1f\x8b") {
            return Cow::Borrowed(bytes);
        }
        let mut unpacked = Vec::new();
        let mut reader = MultiGzDecoder::new(bytes).take(limit as u64 + 1);
        // What was unpacked before an error is kept.
        if let Err(error) = reader.read_to_end(&mut unpacked) {
            self.note("broken-gzip", error.to_string());
        }
        Cow::Owned(unpacked)
    }

    fn read_lines(&mut self, text: &str) {
        let addresses = text.lines().map(str::trim).filter(|line| {
            line.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"))
                && line.contains("://")
        });
        for address in addresses {
            if !self.add(address, FindKind::Listed) {
                return;
            }
        }
    }

    /// Whether there is room for more.
    fn add(&mut self, href: &str, kind: FindKind) -> bool {
        let href = href.trim();
        if href.is_empty() {
            return true;
        }
        if self.entries.len() == SITEMAP_URLS {
            self.note("long-sitemap", format!("only {SITEMAP_URLS} entries are read"));
            return false;
        }
        self.entries.push(SitemapEntry { href: href.to_owned(), kind });
        true
    }

    fn read_xml(&mut self, text: &str) {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let mut place = Place::default();
        loop {
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => return self.note("broken-xml", error.to_string()),
            };
            let room = match event {
                Event::Start(element) => {
                    let room = self.add_attributes(&element);
                    place.open(element.local_name().as_ref());
                    room
                }
                Event::Empty(element) => self.add_attributes(&element),
                Event::Text(part) => place.append(&part.xml10_content()),
                Event::CData(part) => place.append(&part.xml10_content()),
                Event::GeneralRef(reference) => place.append(&referred(&reference)),
                Event::End(element) => self.close(&mut place, element.local_name().as_ref()),
                Event::Eof => return,
                _ => true,
            };
            if !room {
                return;
            }
        }
    }

    /// Atom's and XHTML's `<link href>`, RSS's `<enclosure url>`.
    fn add_attributes(&mut self, element: &BytesStart<'_>) -> bool {
        match element.local_name().as_ref() {
            "link" => {
                let Some(href) = attribute(element, "href") else {
                    return true;
                };
                let rel = attribute(element, "rel").unwrap_or_default().to_ascii_lowercase();
                match rel.as_str() {
                    "" | "alternate" | "next" | "prev" | "previous" | "first" | "last" => {
                        self.add(&href, FindKind::Link)
                    }
                    "enclosure" => self.add(&href, FindKind::Embedded),
                    _ => true,
                }
            }
            "enclosure" => match attribute(element, "url") {
                Some(url) => self.add(&url, FindKind::Embedded),
                None => true,
            },
            _ => true,
        }
    }

    fn close(&mut self, place: &mut Place, name: &str) -> bool {
        let text = std::mem::take(&mut place.text);
        place.close(name);
        let kind = match (name, place.parent()) {
            ("loc", "sitemap") => FindKind::Sitemap,
            ("loc", "image") => FindKind::Embedded,
            ("loc", _) => FindKind::Listed,
            ("content_loc" | "player_loc" | "thumbnail_loc", _) => FindKind::Embedded,
            ("link", _) => FindKind::Link,
            _ => return true,
        };
        self.add(&text, kind)
    }
}

/// Text kept of one element. No address is longer.
const TEXT_BYTES: usize = 64 << 10;

/// Open elements that are remembered; deeper ones are not needed to tell what a text is.
const DEPTH: usize = 64;

/// Where in the document the reader stands.
#[derive(Debug, Default)]
struct Place {
    open: Vec<String>,
    /// The text since the last tag.
    text: String,
}

impl Place {
    fn open(&mut self, name: &str) {
        self.text.clear();
        if self.open.len() < DEPTH {
            self.open.push(name.to_owned());
        }
    }

    fn close(&mut self, name: &str) {
        if let Some(at) = self.open.iter().rposition(|open| open == name) {
            self.open.truncate(at);
        }
    }

    fn parent(&self) -> &str {
        self.open.last().map_or("", String::as_str)
    }

    /// Always true: text never fills the list.
    fn append(&mut self, part: &str) -> bool {
        if self.text.len() + part.len() <= TEXT_BYTES {
            self.text.push_str(part);
        }
        true
    }
}

fn referred(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let name: &str = reference;
    resolve_xml_entity(name).map_or_else(|| format!("&{name};"), str::to_owned)
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element
        .attributes()
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(match unescape(&found.value) {
        Ok(value) => value.into_owned(),
        Err(_) => found.value.replace("&amp;", "&"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    fn check(text: &str) -> Vec<(String, FindKind)> {
        let entries = read_sitemap(text.as_bytes(), None).entries;
        entries.into_iter().map(|entry| (entry.href, entry.kind)).collect()
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn formats() {
        use FindKind::{Embedded, Link, Listed, Sitemap};
        #[rustfmt::skip]
        let cases: &[(&str, &[(&str, FindKind)])] = &[
            ("<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
              <url><loc> http://h.example/a?x=1&amp;y=2 </loc><lastmod>2020-01-01</lastmod></url>
              <url><loc><![CDATA[http://h.example/b&c]]></loc></url></urlset>",
             &[("http://h.example/a?x=1&y=2", Listed), ("http://h.example/b&c", Listed)]),
            ("<s:sitemapindex xmlns:s='x'><s:sitemap><s:loc>/s1.xml</s:loc></s:sitemap></s:sitemapindex>",
             &[("/s1.xml", Sitemap)]),
            ("<urlset><url><loc>/a</loc><image:image><image:loc>/i.png</image:loc></image:image>
              <xhtml:link rel='alternate' hreflang='de' href='/de?a&amp;b'/></url></urlset>",
             &[("/a", Listed), ("/i.png", Embedded), ("/de?a&b", Link)]),
            ("<urlset><url><loc>/a?x=1&y=2</loc></url><url><loc>/b</url><url><loc>/c</loc>",
             &[("/a?x=1&y=2", Listed), ("/c", Listed)]),
            ("<rss><channel><link>http://h.example/</link><atom:link rel='self' href='/feed'/>
              <item><link>/1</link><enclosure url='/1.mp3'/></item></channel></rss>",
             &[("http://h.example/", Link), ("/1", Link), ("/1.mp3", Embedded)]),
            ("<feed><link rel='self' href='/f'/><link rel='next' href='/f?2'/>
              <entry><link href='/e1'/></entry></feed>",
             &[("/f?2", Link), ("/e1", Link)]),
            ("http://h.example/a\r\n\r\n  HTTPS://h.example/b \nnot an address\n",
             &[("http://h.example/a", Listed), ("HTTPS://h.example/b", Listed)]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let expected: Vec<_> = expected.iter().map(|(h, k)| ((*h).to_owned(), *k)).collect();
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn broken_lists_give_what_was_read() {
        let text = "<urlset><url><loc>/a</loc></url><url <<";
        let sitemap = read_sitemap(text.as_bytes(), None);
        assert_eq!(sitemap.entries.len(), 1);
        assert_eq!(sitemap.oddities[0].kind, "broken-xml");
        let long: String = (0..5_000).map(|n| format!("http://h.example/{n}\n")).collect();
        let packed = gzip(&long);
        assert_eq!(read_sitemap(&packed, None).entries.len(), 5_000);
        let cut = read_sitemap(&packed[..packed.len() / 2], None);
        assert!(!cut.entries.is_empty() && cut.entries.len() < 5_000);
        assert_eq!(cut.oddities[0].kind, "broken-gzip");
    }

    #[test]
    fn limits_hold() {
        let many = "http://h.example/\n".repeat(SITEMAP_URLS + 5);
        let sitemap = read_sitemap(many.as_bytes(), None);
        assert_eq!((sitemap.entries.len(), sitemap.oddities.len()), (SITEMAP_URLS, 1));
        let bomb = gzip(&" ".repeat(100_000));
        assert_eq!(read_within(99_999, &bomb, None).oddities[0].kind, "long-sitemap");
    }

    #[test]
    fn declared_entities_are_not_expanded() {
        let text = "<!DOCTYPE urlset [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>
                    <urlset><url><loc>/x&b;</loc></url></urlset>";
        assert_eq!(check(text), [("/x&b;".to_owned(), FindKind::Listed)]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read_sitemap(&bytes, None);
        }

        #[test]
        fn any_tags_are_read(text in "(<url>|<loc>|</loc>|<link href='|'/>|<|>|&|;|&#x|<!\\[CDATA\\[|\\]\\]>|<!--|[a-z]){0,30}") {
            let _ = read_sitemap(text.as_bytes(), None);
        }
    }
}

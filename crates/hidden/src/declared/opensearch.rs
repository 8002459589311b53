//! OpenSearch descriptions: how a site wants to be searched by programs.

use auslese_markup::{Page, XmlPiece, XmlTagKind, decode, xml_pieces};
use auslese_model::Method;
use url::Url;

/// A description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenSearch {
    pub name: String,
    pub description: String,
    pub templates: Vec<SearchTemplate>,
}

/// An address with places for what is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchTemplate {
    /// As written, with `{searchTerms}` and others.
    pub template: String,
    pub media_type: String,
    pub method: Method,
    /// The number of the first hit and of the first page.
    pub index_offset: u64,
    pub page_offset: u64,
}

/// The descriptions that a page names, as addresses.
pub fn opensearch_links(page: &Page, url: &Url) -> Vec<Url> {
    let links = page.tree().elements_named("link").filter(|(_, link)| {
        let is = |name: &str, wanted: &str| {
            link.attribute(name).is_some_and(|it| it.trim().eq_ignore_ascii_case(wanted))
        };
        is("rel", "search") && is("type", "application/opensearchdescription+xml")
    });
    links.filter_map(|(_, link)| page.resolve(url, link.attribute("href")?)).collect()
}

/// Reads a description; none if it is something else.
pub fn read_opensearch(bytes: &[u8], http_charset: Option<&str>) -> Option<OpenSearch> {
    let (text, _) = decode(bytes, http_charset.or(Some("utf-8")));
    let mut found = OpenSearch::default();
    let (mut is_description, mut content) = (false, String::new());
    for piece in xml_pieces(&text) {
        let tag = match piece {
            XmlPiece::Text(text) => {
                content.push_str(&text);
                continue;
            }
            XmlPiece::Tag(tag) => tag,
        };
        let name = tag.name.rsplit(':').next().unwrap_or(tag.name);
        let words = || content.split_whitespace().collect::<Vec<_>>().join(" ");
        match (name, tag.kind) {
            ("OpenSearchDescription", _) => is_description = true,
            ("ShortName", XmlTagKind::End) => found.name = words(),
            ("Description", XmlTagKind::End) => found.description = words(),
            ("Url", XmlTagKind::Start | XmlTagKind::Empty) => {
                let number = |name: &str| tag.attribute(name).and_then(|it| it.parse().ok());
                let method = tag.attribute("method").unwrap_or_default();
                found.templates.extend(tag.attribute("template").map(|template| SearchTemplate {
                    template,
                    media_type: tag.attribute("type").unwrap_or_default(),
                    method: Method::parse(&method.to_ascii_uppercase()).unwrap_or_default(),
                    index_offset: number("indexOffset").unwrap_or(1),
                    page_offset: number("pageOffset").unwrap_or(1),
                }));
            }
            _ => {}
        }
        content.clear();
    }
    is_description.then_some(found)
}

impl SearchTemplate {
    /// The address that asks for a word, and for a page of the answer (from 0) of so many hits. None if
    /// something is required that is not known here.
    pub fn address(&self, base: &Url, word: &str, page: u64, count: u64) -> Option<Url> {
        let mut address = String::new();
        let mut rest = self.template.as_str();
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) = behind.split_once('}')?;
            address.push_str(before);
            let optional = name.ends_with('?');
            let value = match name.trim_end_matches('?') {
                "searchTerms" => Some(word.to_owned()),
                "count" => Some(count.to_string()),
                "startIndex" => Some((self.index_offset + page * count).to_string()),
                "startPage" => Some((self.page_offset + page).to_string()),
                "language" => Some("*".to_owned()),
                "inputEncoding" | "outputEncoding" => Some("UTF-8".to_owned()),
                _ => None,
            };
            match value {
                Some(value) => {
                    address.extend(url::form_urlencoded::byte_serialize(value.as_bytes()));
                }
                None if optional => {}
                None => return None,
            }
            rest = after;
        }
        address.push_str(rest);
        base.join(&address).ok().filter(|it| matches!(it.scheme(), "http" | "https"))
    }

    /// Whether several pages can be asked for.
    pub fn has_pages(&self) -> bool {
        self.template.contains("{startIndex") || self.template.contains("{startPage")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DESCRIPTION: &str = r#"<?xml version="1.0"?><os:OpenSearchDescription xmlns:os="http://a9.com/-/spec/opensearch/1.1/">
        <os:ShortName>Katalog &amp; mehr</os:ShortName><os:Description>Suche</os:Description>
        <os:Url type="text/html" template="/s?q={searchTerms}&amp;ab={startIndex?}&amp;x={foo:bar?}" indexOffset="0"/>
        <os:Url type="application/rss+xml" template="/rss?q={searchTerms}&amp;geo={geo:box}"/></os:OpenSearchDescription>"#;

    #[test]
    fn descriptions_and_addresses() {
        let found = read_opensearch(DESCRIPTION.as_bytes(), None).unwrap();
        assert_eq!((found.name.as_str(), found.templates.len()), ("Katalog & mehr", 2));
        let base: Url = "http://a.example/os.xml".parse().unwrap();
        let address = found.templates[0].address(&base, "Röbel & Waren", 2, 10).unwrap();
        assert_eq!(address.as_str(), "http://a.example/s?q=R%C3%B6bel+%26+Waren&ab=20&x=");
        assert_eq!(found.templates[1].address(&base, "x", 0, 10), None);
        assert!(found.templates[0].has_pages() && !found.templates[1].has_pages());
        assert_eq!(read_opensearch(b"<rss/>", None), None);
    }

    #[test]
    fn pages_name_descriptions() {
        let html = "<link rel=search type=application/opensearchdescription+xml href=os.xml><link rel=search href=x>";
        let page = auslese_markup::parse(html.as_bytes(), None);
        let links = opensearch_links(&page, &"http://a.example/b/".parse().unwrap());
        assert_eq!(
            links.iter().map(Url::as_str).collect::<Vec<_>>(),
            ["http://a.example/b/os.xml"]
        );
    }
}

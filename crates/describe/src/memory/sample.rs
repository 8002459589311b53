//! What is kept of a page to learn about its site.

use auslese_markup::{Element, Page};
use auslese_model::Field;
use serde::{Deserialize, Serialize};
use url::Url;

/// Headings kept of one page.
pub const MAX_SAMPLE_HEADINGS: usize = 100;

/// Characters kept of one text of a sample.
pub const MAX_SAMPLE_TEXT: usize = 500;

/// Values of `meta` elements kept of one page.
const MAX_VALUES: usize = 100;

/// One page as [`super::SiteMemory::learn`] sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SiteSample {
    pub url: String,
    pub title: Option<String>,
    /// The level, 1 to 6, and the text.
    pub headings: Vec<(u8, String)>,
    /// What the head calls the site.
    pub site_names: Vec<String>,
    /// Authors, keywords and descriptions of the head.
    pub values: Vec<(Field, String)>,
}

impl SiteSample {
    pub fn of(page: &Page, url: &Url) -> SiteSample {
        let mut sample = SiteSample {
            url: url.as_str().to_owned(),
            title: page.title().map(|it| normalised(&it)).filter(|it| !it.is_empty()),
            ..SiteSample::default()
        };
        let tree = page.tree();
        let mut heading_end = None;
        for id in tree.ids() {
            let Some(element) = tree.element(id) else { continue };
            if element.is("meta") {
                sample.add_meta(element);
            } else if let Some(level) = heading_level(element)
                // The text of a heading within another is read with the outer one.
                && heading_end.is_none_or(|end| end < id)
                && sample.headings.len() < MAX_SAMPLE_HEADINGS
            {
                heading_end = tree.subtree(id).next_back();
                sample.headings.push((level, normalised(&tree.string_value(id))));
            }
        }
        sample
    }

    fn add_meta(&mut self, meta: &Element) {
        let name = meta.attribute("name").or_else(|| meta.attribute("property"));
        let (Some(name), Some(content)) = (name, meta.attribute("content")) else { return };
        if self.values.len() + self.site_names.len() >= MAX_VALUES {
            return;
        }
        let field = match name.trim().to_ascii_lowercase().as_str() {
            "og:site_name" | "application-name" | "apple-mobile-web-app-title" => {
                return self.site_names.push(normalised(content));
            }
            "author" | "article:author" | "dc.creator" | "dcterms.creator" => Field::Author,
            "description" | "og:description" | "dc.description" | "dcterms.description" => {
                Field::Description
            }
            "keywords" | "news_keywords" | "article:tag" | "dc.subject" | "dcterms.subject" => {
                let keywords = content.split([',', ';', '|']).take(MAX_VALUES);
                return self.values.extend(keywords.map(|it| (Field::Keywords, normalised(it))));
            }
            _ => return,
        };
        self.values.push((field, normalised(content)));
    }
}

fn heading_level(element: &Element) -> Option<u8> {
    (1..=6).zip(["h1", "h2", "h3", "h4", "h5", "h6"]).find(|(_, it)| element.is(it)).map(|it| it.0)
}

/// With single spaces, and not too long.
fn normalised(text: &str) -> String {
    let mut normal = String::new();
    for word in text.split_whitespace() {
        if normal.len() > 4 * MAX_SAMPLE_TEXT {
            break;
        }
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.push_str(word);
    }
    match normal.char_indices().nth(MAX_SAMPLE_TEXT) {
        Some((end, _)) => normal[..end].to_owned(),
        None => normal,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use auslese_markup::parse;

    #[test]
    fn what_is_kept_of_a_page() {
        let html = "<title> Über \n uns </title><meta property='OG:Site_Name' content=' Uni '>
            <meta name=author content='Erika Muster'><meta name=keywords content='a, b;c'>
            <meta name=description content=Kurz><meta name=generator content=Hand><meta name=author>
            <h2>Eins <div><h3>Zwei</h3></div></h2><h1>Drei</h1>";
        let url = "http://uni.example/".parse().unwrap();
        let sample = SiteSample::of(&parse(html.as_bytes(), Some("utf-8")), &url);
        assert_eq!(sample.title.as_deref(), Some("Über uns"));
        assert_eq!(sample.headings, [(2, "Eins Zwei".to_owned()), (1, "Drei".to_owned())]);
        assert_eq!(sample.site_names, ["Uni"]);
        let values: Vec<(Field, &str)> =
            sample.values.iter().map(|it| (it.0, it.1.as_str())).collect();
        let keyword = |text| (Field::Keywords, text);
        #[rustfmt::skip]
        assert_eq!(values, [
            (Field::Author, "Erika Muster"), keyword("a"), keyword("b"), keyword("c"),
            (Field::Description, "Kurz"),
        ]);
    }

    #[test]
    fn a_sample_is_small() {
        let html = format!("<title>{}</title>{}", "ä ".repeat(10_000), "<h1>x</h1>".repeat(500));
        let url = "http://uni.example/".parse().unwrap();
        let sample = SiteSample::of(&parse(html.as_bytes(), Some("utf-8")), &url);
        assert_eq!(sample.title.unwrap().chars().count(), MAX_SAMPLE_TEXT);
        assert_eq!(sample.headings.len(), MAX_SAMPLE_HEADINGS);
    }
}

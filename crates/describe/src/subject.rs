//! What is to be described, and what is known around it.

use crate::SiteMemory;
use auslese_markup::{Page, parse_text, parse_text_owned};
use auslese_model::Timestamp;
use std::sync::Arc;
use url::Url;

/// Bytes of a page that are looked at. What a page says about itself, it says at its beginning.
pub const MAX_DESCRIBED_PAGE: usize = 2 << 20;

/// A page as far as it is looked at; and why that is not all of it, or nothing, if so.
pub fn page_to_describe(body: &[u8], charset: Option<&str>) -> (Page, Option<String>) {
    let beginning = &body[..body.len().min(MAX_DESCRIBED_PAGE)];
    (parse_text(beginning, charset), trouble_with(body))
}

/// The same for bytes that nobody else needs, which are not copied then.
pub fn owned_page_to_describe(mut body: Vec<u8>, charset: Option<&str>) -> (Page, Option<String>) {
    let trouble = trouble_with(&body);
    body.truncate(MAX_DESCRIBED_PAGE);
    (parse_text_owned(body, charset), trouble)
}

/// What to say of a body that is too long, or of which nothing can be said.
fn trouble_with(body: &[u8]) -> Option<String> {
    if body.len() > MAX_DESCRIBED_PAGE {
        return Some(format!("only the first {} MiB were looked at", MAX_DESCRIBED_PAGE >> 20));
    }
    body.trim_ascii().is_empty().then(|| "the document is empty".to_owned())
}

/// A document to be described.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub page: &'a Page,
    /// Its address, where it has one.
    pub url: Option<&'a Url>,
    pub around: &'a Around,
}

/// What is known of a document beside its bytes.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// The texts of links that lead to it.
    pub anchors: Vec<String>,
    /// What its site's pages have in common.
    pub site: Option<Arc<SiteMemory>>,
    /// The body its site belongs to, by discovery.
    pub institution: Option<String>,
    /// What its institute's home page calls itself.
    pub home: Option<String>,
    pub last_modified: Option<Timestamp>,
    /// When it was fetched: no date it tells of itself is later.
    pub fetched: Option<Timestamp>,
}

/// The address a page gives itself, as far as it is a whole one: `<link rel=canonical>`, or `og:url`.
pub fn own_address(page: &Page) -> Option<Url> {
    let tree = page.tree();
    let canonical = tree.elements_named("link").find_map(|(_, link)| {
        let rel = link.attribute("rel")?;
        let is_canonical =
            rel.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case("canonical"));
        is_canonical.then(|| link.attribute("href"))?
    });
    let og = || {
        tree.elements_named("meta").find_map(|(_, meta)| {
            let is_url = meta.attribute("property")?.eq_ignore_ascii_case("og:url");
            is_url.then(|| meta.attribute("content"))?
        })
    };
    let whole = |address: &str| {
        Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
    };
    canonical.and_then(whole).or_else(|| og().and_then(whole))
}

/// The year up to which dates are believed of a document that nobody knows the age of.
const LAST_YEAR: u16 = 2100;

impl Around {
    /// The year after which no date of the document can be.
    pub(crate) fn last_year(&self) -> u16 {
        let year = self.fetched.and_then(|time| u16::try_from(time.date().0).ok());
        year.unwrap_or(LAST_YEAR)
    }
}

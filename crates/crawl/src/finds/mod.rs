//! What follows from an exchange: the addresses it names, and how each was found.
//!
//! Addresses come from the header (`Location`, `Link`, `Refresh`) and, for successful answers, from
//! the body: HTML, XHTML, SVG, CSS, sitemaps, feeds, robots.txt. Bodies of error pages are not
//! read: they repeat the site's navigation at best; but an address that the server calls badly spelt
//! leads to its better spelling. Whether an address is fetched is decided
//! elsewhere ([`crate::Scope`]); forms are information only and are left out here.

mod header;
mod media;
mod spelling;

pub use media::Media;

use crate::{RobotsRules, read_sitemap};
use auslese_markup::{LinkKind, Links, MetaRobots, scan_css, scan_links, text_phrases};
use auslese_model::{Oddity, Response};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use url::Url;

/// An answer to look through.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The address that was asked.
    pub url: &'a Url,
    pub response: &'a Response,
    /// The body without transfer and content coding.
    pub body: &'a [u8],
    pub expected: Expected,
}

/// What the request was made for, where the answer does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Expected {
    #[default]
    Page,
    /// A sitemap: a plain list of addresses is read too.
    Sitemap,
    Robots,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finds {
    /// In the order in which they were found, each once per kind.
    pub urls: Vec<Find>,
    pub media: Media,
    /// The encoding of the text, in the name of the WHATWG standard.
    pub charset: Option<&'static str>,
    /// What the page and `X-Robots-Tag` ask for.
    pub robots: MetaRobots,
    /// What the body says, as numbers by which pages are compared; empty for anything but text.
    pub phrases: Vec<u64>,
    /// Links left out because the page asks not to follow them.
    pub not_followed: usize,
    pub oddities: Vec<Oddity>,
}

/// One address: http or https, without fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find {
    pub url: Url,
    pub kind: FindKind,
}

/// How an address was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindKind {
    Link,
    Frame,
    Embedded,
    Redirect,
    /// A sitemap, named by robots.txt or by another sitemap.
    Sitemap,
    /// A page named by a sitemap.
    Listed,
}

impl FindKind {
    /// The letter in a [`auslese_model::HopPath`].
    pub fn letter(self) -> char {
        match self {
            FindKind::Link => 'L',
            FindKind::Frame | FindKind::Embedded => 'E',
            FindKind::Redirect => 'R',
            FindKind::Sitemap => 'P',
            FindKind::Listed => 'S',
        }
    }
}

/// What is taken from an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FindSettings {
    /// Which requests not to follow links are honoured. Default: `ignore`, as archives do.
    pub nofollow: NofollowPolicy,
    /// Whether pages that ask for it are kept out of the archive. Default: false.
    pub honour_noarchive: bool,
    /// Addresses taken from one answer; the rest is ignored and noted. Default: 50,000.
    pub max_urls: usize,
    /// Bytes of the longest address taken; longer ones are dropped and noted. Default: 8,192.
    pub max_url_bytes: usize,
}

impl Default for FindSettings {
    fn default() -> FindSettings {
        FindSettings {
            nofollow: NofollowPolicy::default(),
            honour_noarchive: false,
            max_urls: 50_000,
            max_url_bytes: 8_192,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NofollowPolicy {
    /// Follow all links.
    #[default]
    Ignore,
    /// Follow no links of pages whose `<meta name=robots>` or `X-Robots-Tag` asks so.
    Pages,
    /// The same, and no links marked `rel=nofollow`.
    Links,
}

impl Finds {
    /// Looks through an answer; never fails.
    pub fn of(answer: &Answer<'_>, settings: &FindSettings) -> Finds {
        let mut search = Search::new(answer, settings);
        search.read_header();
        if (200..300).contains(&answer.response.status) {
            search.read_body();
        }
        search.finish()
    }

    /// Whether the body is to be left out of the archive.
    pub fn forbids_archiving(&self, settings: &FindSettings) -> bool {
        settings.honour_noarchive && self.robots.noarchive
    }
}

/// What a server answers that does not understand an address.
const BAD_REQUEST: u16 = 400;

/// One look through an answer.
struct Search<'a> {
    answer: &'a Answer<'a>,
    settings: &'a FindSettings,
    found: Finds,
    known: FxHashSet<(String, FindKind)>,
    too_long: usize,
    too_many: usize,
}

impl<'a> Search<'a> {
    fn new(answer: &'a Answer<'a>, settings: &'a FindSettings) -> Search<'a> {
        let declared = answer.response.media_type();
        let (media, oddity) = media::media(declared.as_deref(), answer.url.path(), answer.body);
        let found = Finds {
            urls: Vec::new(),
            media,
            charset: None,
            robots: header::robots_tag(&answer.response.headers),
            phrases: Vec::new(),
            not_followed: 0,
            oddities: oddity.into_iter().collect(),
        };
        let known = FxHashSet::default();
        Search { answer, settings, found, known, too_long: 0, too_many: 0 }
    }

    fn read_header(&mut self) {
        let response = self.answer.response;
        if (300..400).contains(&response.status)
            && let Some(location) = response.headers.get("location")
        {
            self.add_text(&location, FindKind::Redirect);
        }
        if response.status == BAD_REQUEST
            && let Some(url) = spelling::percent_signs_escaped(self.answer.url)
        {
            self.add(url, FindKind::Redirect);
        }
        for (href, kind) in header::links(&response.headers) {
            self.add_text(&href, kind);
        }
        if let Some(href) = header::refresh(&response.headers) {
            self.add_text(&href, FindKind::Link);
        }
    }

    fn read_body(&mut self) {
        let (answer, charset) = (self.answer, header::charset(&self.answer.response.headers));
        let charset = charset.as_deref();
        match (answer.expected, self.found.media) {
            (Expected::Robots, _) => self.read_robots(),
            (_, Media::Html | Media::Svg) => self.add_links(scan_links(answer.body, charset)),
            (_, Media::Css) => self.add_links(scan_css(answer.body, charset)),
            (_, Media::List) | (Expected::Sitemap, _) => self.read_list(charset),
            (Expected::Page, Media::Text) => self.found.phrases = text_phrases(answer.body),
            (Expected::Page, Media::Other) => {}
        }
    }

    fn read_robots(&mut self) {
        let rules = RobotsRules::parse(self.answer.body, "");
        for address in rules.sitemaps() {
            self.add_text(address, FindKind::Sitemap);
        }
        self.found.oddities.extend_from_slice(rules.oddities());
    }

    fn read_list(&mut self, charset: Option<&str>) {
        let list = read_sitemap(self.answer.body, charset);
        for entry in list.entries {
            self.add_text(&entry.href, entry.kind);
        }
        self.found.oddities.extend(list.oddities);
    }

    fn add_links(&mut self, links: Links) {
        let robots = &mut self.found.robots;
        robots.nofollow |= links.robots.nofollow;
        robots.noarchive |= links.robots.noarchive;
        robots.noindex |= links.robots.noindex;
        let page_says_no = robots.nofollow;
        self.found.charset = Some(links.charset.name);
        self.found.phrases.clone_from(&links.phrases);
        // The links of a page are unique already; only what the header named can repeat.
        let header_named_none = self.known.is_empty();
        for link in links.resolve(self.answer.url) {
            let kind = match link.kind {
                LinkKind::Page => FindKind::Link,
                LinkKind::Frame => FindKind::Frame,
                LinkKind::Embedded => FindKind::Embedded,
                LinkKind::Form => continue,
            };
            let honoured = match self.settings.nofollow {
                NofollowPolicy::Ignore => false,
                NofollowPolicy::Pages => page_says_no,
                NofollowPolicy::Links => page_says_no || link.nofollow,
            };
            if honoured && kind == FindKind::Link {
                self.found.not_followed += 1;
            } else if header_named_none || self.is_new(&link.url, kind) {
                self.add(link.url, kind);
            }
        }
        self.found.oddities.extend(links.oddities);
    }

    fn add_text(&mut self, href: &str, kind: FindKind) {
        if href.len() > self.settings.max_url_bytes {
            self.too_long += 1;
        } else if let Ok(mut url) = self.answer.url.join(href.trim())
            && matches!(url.scheme(), "http" | "https")
        {
            url.set_fragment(None);
            if self.is_new(&url, kind) {
                self.add(url, kind);
            }
        }
    }

    fn is_new(&mut self, url: &Url, kind: FindKind) -> bool {
        self.known.insert((url.as_str().to_owned(), kind))
    }

    fn add(&mut self, url: Url, kind: FindKind) {
        if url.as_str().len() > self.settings.max_url_bytes {
            self.too_long += 1;
        } else if self.found.urls.len() >= self.settings.max_urls {
            self.too_many += 1;
        } else {
            self.found.urls.push(Find { url, kind });
        }
    }

    fn finish(mut self) -> Finds {
        if self.too_long > 0 {
            let detail = format!("{} addresses are not taken", self.too_long);
            self.found.oddities.push(Oddity::new("long-url", detail));
        }
        if self.too_many > 0 {
            let detail = format!("{} addresses are not taken", self.too_many);
            self.found.oddities.push(Oddity::new("many-urls", detail));
        }
        self.found
    }
}

#[cfg(test)]
mod tests;

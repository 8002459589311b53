//! What is known of a site after some of its pages.
//!
//! Pages of one site are made alike. So what is the same on many of them says nothing about any one:
//! the site's name before or behind every title, headings such as "Navigation", one author or one
//! description for all pages. It is learnt from samples and taken off, or doubted, afterwards.
//!
//! Texts are compared folded, without regard to white space and punctuation at their ends.

mod sample;
mod title_pieces;

pub use sample::{MAX_SAMPLE_HEADINGS, MAX_SAMPLE_TEXT, SiteSample};

use auslese_model::Field;
use auslese_words::fold;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use title_pieces::{beginnings, endings};

/// With fewer pages nothing is learnt: what is the same on four pages may be so by chance.
pub const MIN_SITE_SAMPLES: usize = 5;

/// More samples are not looked at; a few dozen say it all.
pub const MAX_SITE_SAMPLES: usize = 1000;

/// Share of pages with the same beginning or ending of the title from which it belongs to the site.
const COMMON_IN_TITLES: f64 = 0.6;

/// Share of pages with the same heading from which it belongs to the site. Lower than for titles,
/// because sections of a site have their own.
const COMMON_IN_HEADINGS: f64 = 0.3;

/// Share of pages with the same author, keyword or description from which it belongs to the site.
const COMMON_IN_VALUES: f64 = 0.6;

/// Share of pages that name the site in their head from which the name is believed.
const COMMON_IN_NAMES: f64 = 0.5;

/// What the pages of a site have in common.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SiteMemory {
    pages: usize,
    name: Option<String>,
    /// Folded.
    title_beginnings: BTreeSet<String>,
    title_endings: BTreeSet<String>,
    headings: BTreeSet<String>,
    values: BTreeMap<Field, BTreeSet<String>>,
}

impl SiteMemory {
    /// Learns from pages of one site; two samples of one address count once.
    pub fn learn(samples: &[SiteSample]) -> SiteMemory {
        let by_url: BTreeMap<&str, &SiteSample> =
            samples.iter().take(MAX_SITE_SAMPLES).map(|it| (it.url.as_str(), it)).collect();
        let pages: Vec<&SiteSample> = by_url.into_values().collect();
        if pages.len() < MIN_SITE_SAMPLES {
            return SiteMemory { pages: pages.len(), ..SiteMemory::default() };
        }
        let titles: Vec<&str> = pages.iter().filter_map(|it| it.title.as_deref()).collect();
        let before = common_in_titles(&titles, beginnings);
        let behind = common_in_titles(&titles, endings);
        SiteMemory {
            pages: pages.len(),
            name: named_in_heads(&pages).or_else(|| best_title_part(&before, &behind)),
            title_beginnings: before.into_iter().map(|it| it.folded).collect(),
            title_endings: behind.into_iter().map(|it| it.folded).collect(),
            headings: common_headings(&pages),
            values: common_values(&pages),
        }
    }

    /// The pages it was learnt from.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// What the site calls itself: in the head of most pages, or in most titles.
    pub fn site_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// A title without what all titles of the site have; unchanged if nothing would be left.
    pub fn strip_title<'a>(&self, title: &'a str) -> &'a str {
        let behind = endings(title).filter(|it| self.title_endings.contains(&key(it.part)));
        let title = longest_taken_off(behind).unwrap_or(title);
        let before = beginnings(title).filter(|it| self.title_beginnings.contains(&key(it.part)));
        longest_taken_off(before).unwrap_or(title)
    }

    /// Whether many pages of the site have this heading.
    pub fn is_boilerplate_heading(&self, text: &str) -> bool {
        self.headings.contains(&key(text))
    }

    /// Whether most pages of the site have this value, so that it says nothing about one of them.
    pub fn is_site_wide(&self, field: Field, value: &str) -> bool {
        self.values.get(&field).is_some_and(|values| values.contains(&key(value)))
    }
}

fn longest_taken_off<'a>(cuts: impl Iterator<Item = title_pieces::Cut<'a>>) -> Option<&'a str> {
    cuts.filter(|it| !key(it.rest).is_empty()).max_by_key(|it| it.part.len()).map(|it| it.rest)
}

/// One spelling of a text for comparison.
fn key(text: &str) -> String {
    let folded = fold(text);
    let words: Vec<&str> = folded.split_whitespace().collect();
    words.join(" ").trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned()
}

/// A part of titles that many pages share.
struct CommonPart {
    folded: String,
    spelling: String,
    pages: usize,
}

/// Parts of enough titles whose rests differ: if they did not, the part would not be the site's but
/// of a page that is there several times.
fn common_in_titles<'a, C>(titles: &[&'a str], cuts: impl Fn(&'a str) -> C) -> Vec<CommonPart>
where
    C: Iterator<Item = title_pieces::Cut<'a>>,
{
    let mut found: BTreeMap<String, (BTreeSet<String>, Spellings<'a>)> = BTreeMap::new();
    let mut pages: BTreeMap<String, usize> = BTreeMap::new();
    for title in titles {
        let parts: BTreeMap<String, title_pieces::Cut<'a>> =
            cuts(title).map(|it| (key(it.part), it)).filter(|(part, _)| !part.is_empty()).collect();
        for (part, cut) in parts {
            let (rests, spellings) = found.entry(part.clone()).or_default();
            rests.insert(key(cut.rest));
            spellings.add(cut.part);
            *pages.entry(part).or_default() += 1;
        }
    }
    let enough = (COMMON_IN_TITLES * titles.len() as f64).max(3.0);
    let part = |(folded, (rests, spellings)): (String, (BTreeSet<String>, Spellings<'_>))| {
        let pages = pages[&folded];
        let differ = 2 * rests.len() > pages;
        (pages as f64 >= enough && differ).then(|| CommonPart {
            folded,
            spelling: spellings.usual().unwrap_or_default().to_owned(),
            pages,
        })
    };
    found.into_iter().filter_map(part).collect()
}

/// The most common part of titles; of equally common ones the longer says more.
fn best_title_part(before: &[CommonPart], behind: &[CommonPart]) -> Option<String> {
    let parts = before.iter().chain(behind);
    let best = parts.max_by_key(|it| (it.pages, it.folded.len()))?;
    Some(best.spelling.clone())
}

fn named_in_heads(pages: &[&SiteSample]) -> Option<String> {
    let mut names: BTreeMap<String, Spellings<'_>> = BTreeMap::new();
    for page in pages {
        let once: BTreeMap<String, &str> =
            page.site_names.iter().map(|name| (key(name), name.as_str())).collect();
        for (folded, name) in once.into_iter().filter(|(folded, _)| !folded.is_empty()) {
            names.entry(folded).or_default().add(name);
        }
    }
    let (_, best) = names.iter().max_by_key(|(folded, it)| (it.total(), folded.len()))?;
    let enough = best.total() as f64 >= COMMON_IN_NAMES * pages.len() as f64;
    best.usual().filter(|_| enough).map(str::to_owned)
}

fn common_headings(pages: &[&SiteSample]) -> BTreeSet<String> {
    let texts = |page: &SiteSample| page.headings.iter().map(|it| key(&it.1)).collect();
    on_many(pages, COMMON_IN_HEADINGS, texts)
}

fn common_values(pages: &[&SiteSample]) -> BTreeMap<Field, BTreeSet<String>> {
    let of = |field: Field| {
        let values = |page: &SiteSample| {
            page.values.iter().filter(|it| it.0 == field).map(|it| key(&it.1)).collect()
        };
        (field, on_many(pages, COMMON_IN_VALUES, values))
    };
    [Field::Author, Field::Keywords, Field::Description].into_iter().map(of).collect()
}

/// Texts that at least this share of pages have, and three pages in any case.
fn on_many(
    pages: &[&SiteSample],
    share: f64,
    texts: impl Fn(&SiteSample) -> BTreeSet<String>,
) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for text in pages.iter().flat_map(|page| texts(page)).filter(|text| !text.is_empty()) {
        *counts.entry(text).or_default() += 1;
    }
    let enough = (share * pages.len() as f64).max(3.0);
    counts.into_iter().filter(|(_, n)| *n as f64 >= enough).map(|(text, _)| text).collect()
}

/// Spellings of one folded text, counted.
#[derive(Default)]
struct Spellings<'a>(BTreeMap<&'a str, usize>);

impl<'a> Spellings<'a> {
    fn add(&mut self, spelling: &'a str) {
        *self.0.entry(spelling).or_default() += 1;
    }

    fn total(&self) -> usize {
        self.0.values().sum()
    }

    /// The most frequent one.
    fn usual(&self) -> Option<&'a str> {
        self.0.iter().max_by_key(|(_, n)| **n).map(|(spelling, _)| *spelling)
    }
}

#[cfg(test)]
mod tests;

//! A catalogue behind a search form that nobody has described.
//!
//! Titles are made of words that are as frequent as in natural language, because that is what probing
//! with words lives on. Rows are found by words of their title or by its beginning, and by their
//! subject group; what an answer shows can be cut off and spread over pages.

use super::catalogue_pages::CataloguePages;
use super::fields::{Charset, Fields};
use crate::answer::Answer;
use crate::generated::{Language, Numbers};
use crate::request::Asked;
use crate::site::Site;
use std::collections::HashMap;
use std::sync::Arc;

/// A catalogue with its form.
#[derive(Debug, Clone)]
pub struct Catalogue {
    rows: Arc<Rows>,
    pub options: CatalogueOptions,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueRow {
    /// Counted from 1; stands in the answer.
    pub number: usize,
    pub title: String,
    pub author: String,
    pub year: u64,
    /// As visible in the form.
    pub group: &'static str,
}

/// How the catalogue is searched, and how it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueOptions {
    pub title: String,
    pub form: CatalogueForm,
    pub matching: Matching,
    /// Rows of an answer; it says how many there would be.
    pub cap: Option<usize>,
    /// Rows of a page; without it an answer is one page.
    pub page_size: Option<usize>,
    /// Whether the page with the form names an OpenSearch description.
    pub opensearch: bool,
}

impl Default for CatalogueOptions {
    fn default() -> CatalogueOptions {
        CatalogueOptions {
            title: "Katalog".to_owned(),
            form: CatalogueForm::TextAndSelect,
            matching: Matching::Words,
            cap: None,
            page_size: Some(100),
            opensearch: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogueForm {
    /// A field for words and a choice of groups.
    TextAndSelect,
    SelectOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// All words must be in the title; case does not count.
    Words,
    /// The title must begin so; a `%` at the end is left out.
    Beginning,
}

/// Subject groups, the first much larger than the last, as it is in libraries.
pub(super) const GROUPS: [&str; 12] = [
    "Geschichte",
    "Literatur",
    "Naturkunde",
    "Geographie",
    "Recht",
    "Religion",
    "Medizin",
    "Musik",
    "Kunst",
    "Technik",
    "Sport",
    "Verschiedenes",
];

#[derive(Debug)]
struct Rows {
    rows: Vec<CatalogueRow>,
    /// Titles in lower case.
    titles: Vec<String>,
    /// For every word the rows whose title has it, in order.
    words: HashMap<String, Vec<usize>>,
}

impl Catalogue {
    /// A catalogue of so many rows. The same seed makes the same catalogue.
    pub fn new(rows: usize, seed: u64) -> Catalogue {
        let language = Language::german();
        let rows: Vec<CatalogueRow> =
            (0..rows).map(|at| row(at, language, &mut Numbers::apart(seed, at))).collect();
        let titles: Vec<String> = rows.iter().map(|row| row.title.to_lowercase()).collect();
        let mut words: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, title) in titles.iter().enumerate() {
            for word in title.split(' ') {
                let known = words.entry(word.to_owned()).or_default();
                if known.last() != Some(&at) {
                    known.push(at);
                }
            }
        }
        let rows = Arc::new(Rows { rows, titles, words });
        Catalogue { rows, options: CatalogueOptions::default() }
    }

    pub fn with(mut self, options: CatalogueOptions) -> Catalogue {
        self.options = options;
        self
    }

    pub fn rows(&self) -> &[CatalogueRow] {
        &self.rows.rows
    }

    /// Puts the form into a directory of a site, such as `/katalog/`, and beside it `suche` and, if there is
    /// to be one, `opensearch.xml`.
    pub fn add_to(self, site: Site, directory: &str) -> Site {
        let pages = CataloguePages { options: &self.options };
        let mut site = site.answer(directory, pages.form());
        if self.options.opensearch {
            let description = pages.opensearch(site.origin_text(), directory);
            site = site.answer(&format!("{directory}opensearch.xml"), description);
        }
        let answer = Answer::from_fn(move |asked| self.answer(asked));
        site.answer(&format!("{directory}suche"), answer)
    }

    fn answer(&self, asked: &Asked) -> Answer {
        let fields = Fields::of(asked, Charset::Utf8);
        let pages = CataloguePages { options: &self.options };
        match self.found(fields.get("q"), fields.get("gruppe")) {
            Some(found) => pages.result(&fields, &found),
            None => pages.nothing_asked(),
        }
    }

    /// The rows that fit; none at all if nothing was asked.
    fn found(&self, text: &str, group: &str) -> Option<Vec<&CatalogueRow>> {
        let text = match self.options.form {
            CatalogueForm::TextAndSelect => text.to_lowercase(),
            CatalogueForm::SelectOnly => String::new(),
        };
        if text.is_empty() && group.is_empty() {
            return None;
        }
        let Rows { rows, titles, words } = &*self.rows;
        let all = || (0..rows.len()).collect::<Vec<usize>>();
        let hits = match self.options.matching {
            Matching::Words => {
                let of_word = |word: &str| words.get(word).map_or(&[][..], Vec::as_slice);
                let mut wanted = text.split_whitespace().map(of_word);
                let first = wanted.next().map_or_else(all, <[usize]>::to_vec);
                wanted.fold(first, |hits, others| {
                    hits.into_iter().filter(|hit| others.binary_search(hit).is_ok()).collect()
                })
            }
            Matching::Beginning => {
                let start = text.trim_end_matches('%');
                all().into_iter().filter(|at| titles[*at].starts_with(start)).collect()
            }
        };
        let rows = hits.into_iter().map(|at| &rows[at]);
        Some(rows.filter(|row| group.is_empty() || group == row.group).collect())
    }
}

fn row(at: usize, language: &Language, numbers: &mut Numbers) -> CatalogueRow {
    let words = numbers.within(3..=9);
    let mut title: Vec<String> = (0..words).map(|_| language.word(numbers).to_owned()).collect();
    // Titles begin with any word, not mostly with an article.
    title[0] = language.rare_word(numbers).to_owned();
    let mut letters = title[0].chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    title[0] = first.chain(letters).collect();
    // Each group is about two thirds as large as the one before.
    let mut group = 0;
    while group + 1 < GROUPS.len() && !numbers.next().is_multiple_of(3) {
        group += 1;
    }
    CatalogueRow {
        number: at + 1,
        title: title.join(" "),
        author: crate::generated::person(numbers.next() % AUTHORS),
        year: numbers.within(1850..=2024),
        group: GROUPS[group],
    }
}

/// Different people who wrote something.
const AUTHORS: u64 = 2_000;

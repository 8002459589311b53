//! Which of the known works an entry cites, how surely, and on which grounds.
//!
//! An identifier that both have decides. Otherwise the title must stand in the entry, or something
//! much like it, and an author or the year must confirm it; a short title needs an author, since many
//! works are called "Lineare Algebra". Where the authors of both are known and none is common, only
//! a long title of the same year is believed: then one of them was read wrongly.
//!
//! Several documents may be the same work: copies, a PDF and a PostScript file, a page about the paper.
//! They have the same title and the same first author; entries then cite the one that has a
//! bibliography itself, so that steps can go on from there, and among those the first by number.

use super::entry::Parsed;
use super::titles::{EntryText, Folded, TitleFit, main_title};
use auslese_model::{CitationEvidence, RequestId, WorkIdentifier};
use auslese_words::fold;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Works that are compared with one entry. Few have a rare word in common with it; the limit is for
/// harvests in which thousands of pages have the same title.
pub const MAX_CITED_CANDIDATES: usize = 500;

/// Works whose titles are compared letter by letter with one entry, if none stands in it exactly.
const MAX_ALIKE: usize = 20;

/// Authors of a work by whom it is recognised.
const MAX_FAMILIES: usize = 30;

/// Words of a title by which it is found: its rarest.
const WORDS_INDEXED: usize = 4;

/// Works to one word or identifier; what so many titles have in common does not tell them apart.
const MAX_PER_WORD: usize = 2_000;

/// A title of so many words and letters needs no author.
const LONG_TITLE: (usize, usize) = (4, 22);

/// A title of so many words and letters is believed against the authors.
const VERY_LONG_TITLE: (usize, usize) = (6, 36);

/// What is known of a document that entries may cite.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    pub document: RequestId,
    pub title: Option<String>,
    /// Each as it is written: "Eva Meier" or "Meier, Eva".
    pub authors: Vec<String>,
    pub year: Option<u16>,
    pub identifiers: Vec<WorkIdentifier>,
    /// Whether it has a bibliography itself.
    pub cites: bool,
}

/// The document that an entry cites.
#[derive(Debug, Clone, PartialEq)]
pub struct CitedWork {
    pub document: RequestId,
    /// In 0..=1.
    pub score: f64,
    pub by: Vec<CitationEvidence>,
}

/// Known works, to be found by entries that cite them.
///
/// ```
/// use auslese_describe::{Work, Works};
/// use auslese_model::RequestId;
///
/// let work = Work {
///     document: RequestId(1),
///     title: Some("Über schmale Ideale".to_owned()),
///     authors: vec!["Ingrid Sattler".to_owned()],
///     year: Some(1998),
///     identifiers: Vec::new(),
///     cites: false,
/// };
/// let works = Works::new(vec![work]);
/// let entry = "Sattler, I.: UEBER SCHMALE IDEALE. In: Abhandlungen 35 (1998), S. 12-29";
/// assert_eq!(works.cited(RequestId(2), entry).unwrap().document, RequestId(1));
/// assert_eq!(works.cited(RequestId(1), entry), None, "no work cites itself");
/// ```
#[derive(Debug, Default)]
pub struct Works {
    known: Vec<Known>,
    by_document: FxHashMap<RequestId, usize>,
    by_identifier: FxHashMap<WorkIdentifier, Vec<usize>>,
    by_word: FxHashMap<String, Vec<usize>>,
}

#[derive(Debug)]
struct Known {
    document: RequestId,
    title: Folded,
    /// The title without its subtitle, if it has one; many entries leave it out.
    main: Option<Folded>,
    families: Vec<String>,
    year: Option<u16>,
    /// The document that stands for all that are the same work.
    stands_for: RequestId,
}

impl Works {
    pub fn new(mut works: Vec<Work>) -> Works {
        // The one that stands for all others of its kind comes first.
        works.sort_by_key(|work| (!work.cites, work.document));
        let mut index = Works::default();
        let mut same: FxHashMap<(String, Option<String>), RequestId> = FxHashMap::default();
        for work in works {
            let title = Folded::of(work.title.as_deref().unwrap_or_default());
            let families: Vec<String> =
                work.authors.iter().filter_map(|it| family(it)).take(MAX_FAMILIES).collect();
            let first = (title.letters().to_owned(), families.first().cloned());
            let stands_for = match title.letters() {
                "" => work.document,
                _ => *same.entry(first).or_insert(work.document),
            };
            let number = index.known.len();
            index.by_document.insert(work.document, number);
            for identifier in work.identifiers {
                push(index.by_identifier.entry(identifier).or_default(), number);
            }
            let (document, year) = (work.document, work.year);
            let main = work.title.as_deref().and_then(main_title).map(Folded::of);
            index.known.push(Known { document, title, main, families, year, stands_for });
        }
        index.note_words();
        index
    }

    pub fn knows(&self, document: RequestId) -> bool {
        self.by_document.contains_key(&document)
    }

    fn note_words(&mut self) {
        let mut frequencies: FxHashMap<&str, usize> = FxHashMap::default();
        for known in &self.known {
            known.title.words().for_each(|word| *frequencies.entry(word).or_default() += 1);
        }
        let mut by_word: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (number, known) in self.known.iter().enumerate() {
            let rarest = |title: &Folded| {
                let mut words: Vec<String> = title.words().map(str::to_owned).collect();
                words.sort_by_key(|it| {
                    (frequencies[it.as_str()], std::cmp::Reverse(it.len()), it.clone())
                });
                words.dedup();
                words.truncate(WORDS_INDEXED);
                words
            };
            let titles = [Some(&known.title), known.main.as_ref()];
            let words: BTreeSet<String> = titles.into_iter().flatten().flat_map(rarest).collect();
            for word in words {
                push(by_word.entry(word).or_default(), number);
            }
        }
        self.by_word = by_word;
    }

    /// The work that an entry of a document's bibliography cites; never that document itself.
    pub fn cited(&self, citing: RequestId, entry: &str) -> Option<CitedWork> {
        let parsed = Parsed::of(entry);
        let citing = self.by_document.get(&citing).map(|number| &self.known[*number]);
        if let Some(cited) = self.by_identifiers(citing, &parsed) {
            return Some(cited);
        }
        let folded = Folded::of(&parsed.text);
        let text = EntryText { text: &parsed.text, folded: &folded, title: parsed.title.clone() };
        let candidates = self.candidates(&folded).into_iter().map(|number| &self.known[number]);
        let others = candidates.filter(|known| !citing.is_some_and(|it| it.is_same(known)));
        let others: Vec<&Known> = others.collect();
        let exact = others.iter().filter_map(|known| {
            let fit = text.exact(&known.title)?;
            judge(&text, &parsed, known, &fit)
        });
        let main = || {
            best(others.iter().filter_map(|known| {
                let fit = text.without_subtitle(known.main.as_ref()?)?;
                judge(&text, &parsed, known, &fit)
            }))
        };
        best(exact).or_else(main).or_else(|| {
            let alike = others.iter().filter(|known| known.may_be_meant(&folded));
            best(alike.take(MAX_ALIKE).filter_map(|known| {
                let fit = text.alike(&known.title)?;
                judge(&text, &parsed, known, &fit)
            }))
        })
    }

    fn by_identifiers(&self, citing: Option<&Known>, parsed: &Parsed) -> Option<CitedWork> {
        parsed.citation.identifiers.iter().find_map(|identifier| {
            let (score, by) = certainty(identifier)?;
            let known = self.by_identifier.get(identifier)?.iter().map(|it| &self.known[*it]);
            let mut others = known.filter(|known| !citing.is_some_and(|it| it.is_same(known)));
            Some(CitedWork { document: others.next()?.stands_for, score, by: vec![by] })
        })
    }

    /// Works that have one of their rare words in common with an entry.
    fn candidates(&self, entry: &Folded) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let lists = entry.words().chain(entry.pairs()).filter_map(|word| self.by_word.get(word));
        let mut lists: Vec<&Vec<usize>> = lists.collect();
        lists.sort_by_key(|list| list.len());
        let numbers = lists.into_iter().flatten().copied().filter(|number| seen.insert(*number));
        numbers.take(MAX_CITED_CANDIDATES).collect()
    }
}

/// The surest; of equals the first by number.
fn best(cited: impl Iterator<Item = CitedWork>) -> Option<CitedWork> {
    cited.max_by(|a, b| a.score.total_cmp(&b.score).then_with(|| b.document.cmp(&a.document)))
}

fn push(list: &mut Vec<usize>, number: usize) {
    if list.len() < MAX_PER_WORD {
        list.push(number);
    }
}

impl Known {
    /// Whether two documents are the same, or the same work by their titles and authors.
    fn is_same(&self, other: &Known) -> bool {
        let authors = || {
            self.families.is_empty()
                || other.families.is_empty()
                || self.families.iter().any(|family| other.families.contains(family))
        };
        let titles =
            !self.title.letters().is_empty() && self.title.letters() == other.title.letters();
        self.document == other.document || (titles && authors())
    }

    /// Whether an entry has most words of the title and an author, so that it is worth a closer look.
    fn may_be_meant(&self, entry: &Folded) -> bool {
        let words: FxHashSet<&str> = entry.words().collect();
        let common = self.title.words().filter(|word| words.contains(word)).count();
        2 * common >= self.title.words().len() && entry.has_any(&self.families)
    }

    fn is_long(&self, (words, letters): (usize, usize)) -> bool {
        self.title.words().len() >= words && self.title.letters().len() >= letters
    }
}

/// How sure an identifier makes. A chapter has the ISBN of its book.
fn certainty(identifier: &WorkIdentifier) -> Option<(f64, CitationEvidence)> {
    Some(match identifier {
        WorkIdentifier::Doi(_) => (0.99, CitationEvidence::Doi),
        WorkIdentifier::Arxiv(_) => (0.99, CitationEvidence::Arxiv),
        WorkIdentifier::Isbn(_) => (0.9, CitationEvidence::Isbn),
        // The first page of a site is named for the site.
        WorkIdentifier::Url(url) if url.contains('/') => (0.97, CitationEvidence::Address),
        WorkIdentifier::Url(_) => return None,
    })
}

/// What the authors of an entry say about a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Authors {
    Common,
    /// One of both has none.
    Unknown,
    Other,
}

/// What the year of an entry says about a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Years {
    Same,
    /// Preprints and papers are often dated a year apart.
    Next,
    Unknown,
    /// As far apart as a preprint and its paper may be.
    Near,
    Far,
}

/// How surely an entry cites a work, by its title, authors and year.
fn judge(
    text: &EntryText<'_>,
    parsed: &Parsed,
    known: &Known,
    fit: &TitleFit,
) -> Option<CitedWork> {
    let (authors, years) = (compare_authors(text, fit, known), compare_years(parsed, known));
    let (long, very_long) = (known.is_long(LONG_TITLE), known.is_long(VERY_LONG_TITLE));
    let exact = fit.likeness == 1.0;
    let score = match (exact, authors, years) {
        (true, Authors::Common, Years::Same) => 0.97,
        (true, Authors::Common, Years::Next) => 0.94,
        (true, Authors::Common, Years::Unknown) => 0.9,
        (true, Authors::Common, Years::Near) => 0.85,
        (true, Authors::Common, Years::Far) => 0.7,
        (true, Authors::Unknown, Years::Same) if long => 0.85,
        (true, Authors::Unknown, Years::Next) if long => 0.75,
        (true, Authors::Other, Years::Same) if very_long => 0.7,
        (false, Authors::Common, Years::Same | Years::Next) => 0.9 * fit.likeness,
        (false, Authors::Common, Years::Unknown) if long => 0.8 * fit.likeness,
        _ => return None,
    };
    let title = if exact { CitationEvidence::Title } else { CitationEvidence::SimilarTitle };
    let author = (authors == Authors::Common).then_some(CitationEvidence::Author);
    let year = (years == Years::Same).then_some(CitationEvidence::Year);
    let by = [Some(title), author, year].into_iter().flatten().collect();
    Some(CitedWork { document: known.stands_for, score, by })
}

/// Authors stand before the title; where nothing does, behind it.
fn compare_authors(text: &EntryText<'_>, fit: &TitleFit, known: &Known) -> Authors {
    let before = 0..fit.place.start;
    let is_named = text.text[before.clone()].chars().filter(|it| it.is_alphabetic()).count() > 2;
    let within = if is_named { before } else { fit.place.end..text.text.len() };
    if known.families.iter().any(|family| text.folded.has_words(family, within.clone())) {
        return Authors::Common;
    }
    if known.families.is_empty() || !is_named { Authors::Unknown } else { Authors::Other }
}

fn compare_years(parsed: &Parsed, known: &Known) -> Years {
    match (parsed.citation.year, known.year) {
        (Some(entry), Some(work)) => match entry.abs_diff(work) {
            0 => Years::Same,
            1 => Years::Next,
            2 | 3 => Years::Near,
            _ => Years::Far,
        },
        _ => Years::Unknown,
    }
}

/// The letters of a family name: the last word, or what stands before a comma.
fn family(author: &str) -> Option<String> {
    let before = author.split_once(',').map(|(family, _)| family);
    let family = before.unwrap_or_else(|| {
        let mut words = author.split_whitespace().rev();
        words
            .find(|word| !matches!(*word, "Jr." | "Jr" | "Sr." | "jun." | "II" | "III"))
            .unwrap_or_default()
    });
    let last = family.split_whitespace().next_back().unwrap_or_default();
    let letters: String = fold(last).chars().filter(|letter| letter.is_alphanumeric()).collect();
    (letters.chars().count() > 1).then_some(letters)
}

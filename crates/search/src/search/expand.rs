//! Words of the index that begin with, resemble or match something.
//!
//! The dictionaries of all segments are read in the range or by the automaton that the question allows, and the words
//! found are limited in number; which are kept does not depend on how the index is cut into segments.

use super::word_forms::Unmarked;
use crate::SearchError;
use crate::analysis::word_of_bytes;
use crate::fields::TextField;
use crate::query::QueryError;
use crate::ranking::Segment;
use auslese_words::fold;
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};
use regex::{Regex, RegexBuilder};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;
use tantivy::InvertedIndexReader;
use tantivy_fst::Automaton;

/// Words that `word*`, `word~` or `/…/` stand for; the most frequent are taken.
pub const MAX_EXPANDED_WORDS: usize = 1_000;

/// Bytes of a pattern.
pub const MAX_PATTERN_BYTES: usize = 1_000;

/// Memory of a compiled pattern, in bytes.
pub const MAX_PATTERN_SIZE: usize = 1 << 20;

/// Words of all dictionaries that are compared with a pattern or a name.
pub const MAX_SCANNED_WORDS: usize = 5_000_000;

/// A word of the index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expanded {
    pub(crate) word: String,
    /// In how many documents of the list with the most; deleted ones may be among them.
    pub(crate) documents: u64,
    /// What it is worth, from 0 to 1.
    pub(crate) degree: f32,
}

/// What was found, and whether that is all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expansion {
    pub(crate) words: Vec<Expanded>,
    pub(crate) is_cut: bool,
}

/// Words that begin so.
pub(crate) fn with_prefix(
    segments: &[Segment],
    fields: &[TextField],
    prefix: &str,
) -> Result<Expansion, std::io::Error> {
    let mut found = Collected::default();
    for list in word_lists(segments, fields) {
        let mut range = list.terms().range().ge(prefix.as_bytes());
        if let Some(end) = after_prefix(prefix) {
            range = range.lt(end);
        }
        let mut stream = range.into_stream()?;
        while let Some((term, info)) = stream.next() {
            if !found.add(term, info.doc_freq, 1.0) {
                break;
            }
        }
    }
    Ok(found.finish())
}

/// Words with at most so many letters changed, added, dropped or exchanged with their neighbour.
pub(crate) fn similar_words(
    segments: &[Segment],
    fields: &[TextField],
    word: &str,
    distance: u8,
) -> Result<Expansion, std::io::Error> {
    let mut found = Collected::default();
    let spelling = SimilarSpelling(automaton_builder(distance).build_dfa(word));
    let automaton = Unmarked(&spelling);
    for list in word_lists(segments, fields) {
        let mut stream = list.terms().search(&automaton).into_stream()?;
        while let Some((term, info)) = stream.next() {
            let Some((word, _)) = word_of_bytes(term) else { continue };
            let degree = match spelling.0.eval(word) {
                Distance::Exact(0) => 1.0,
                Distance::Exact(1) => 0.7,
                _ => 0.4,
            };
            if !found.add(term, info.doc_freq, degree) {
                break;
            }
        }
    }
    Ok(found.finish())
}

/// Words that a pattern matches as a whole.
pub(crate) fn matching(
    segments: &[Segment],
    fields: &[TextField],
    pattern: &Regex,
) -> Result<Expansion, std::io::Error> {
    let mut found = Collected::default();
    for list in word_lists(segments, fields) {
        let mut stream = list.terms().stream()?;
        while let Some((term, info)) = stream.next() {
            let Some((word, _)) = word_of_bytes(term) else { continue };
            let goes_on = match pattern.is_match(word) {
                true => found.add(term, info.doc_freq, 1.0),
                false => found.pass(),
            };
            if !goes_on {
                break;
            }
        }
    }
    Ok(found.finish())
}

/// Terms of the list of whole names or subjects that a test gives a degree.
pub(crate) fn graded_terms<'s>(
    lists: impl Iterator<Item = &'s InvertedIndexReader>,
    from: &str,
    degree: impl Fn(&str) -> Option<f64>,
) -> Result<Expansion, std::io::Error> {
    let mut found = Collected::default();
    for list in lists {
        let mut stream = list.terms().range().ge(from.as_bytes()).into_stream()?;
        while let Some((term, info)) = stream.next() {
            let Ok(text) = std::str::from_utf8(term) else { continue };
            let goes_on = match degree(text) {
                Some(degree) if degree > 0.0 => found.add(term, info.doc_freq, degree as f32),
                Some(_) => found.pass(),
                None => break,
            };
            if !goes_on {
                break;
            }
        }
    }
    Ok(found.finish())
}

/// A pattern over folded words. Letters beyond ASCII are folded as words are; the case does not matter.
pub(crate) fn compiled(pattern: &str, place: &Range<usize>) -> Result<Regex, SearchError> {
    let bad = |message: String, hint: &str| {
        let expected = "a regular expression for one word, such as /haus(es|er)?/";
        SearchError::from(QueryError::new(message, place.clone(), expected).with_hint(hint))
    };
    if pattern.len() > MAX_PATTERN_BYTES {
        let message = format!("the pattern is longer than {MAX_PATTERN_BYTES} bytes");
        return Err(bad(message, "shorten it, or ask for several words with OR"));
    }
    let folded: String = pattern
        .chars()
        .map(
            |letter| if letter.is_ascii() { letter.to_string() } else { fold(&letter.to_string()) },
        )
        .collect();
    let built = RegexBuilder::new(&format!("^(?:{folded})$"))
        .case_insensitive(true)
        .size_limit(MAX_PATTERN_SIZE)
        .dfa_size_limit(MAX_PATTERN_SIZE)
        .nest_limit(50)
        .build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => bad(
            "the pattern stands for too much".to_owned(),
            "use smaller numbers of repetitions, or fewer alternatives",
        ),
        error => {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            let reason = last.strip_prefix("error: ").unwrap_or(last);
            bad(
                format!("the pattern is no regular expression: {reason}"),
                "put \\ before signs that mean themselves",
            )
        }
    })
}

fn word_lists<'s>(
    segments: &'s [Segment],
    fields: &'s [TextField],
) -> impl Iterator<Item = &'s InvertedIndexReader> {
    segments.iter().flat_map(|it| fields.iter().map(|field| &*it.field(*field).words))
}

/// The first text behind all that begin with a prefix.
fn after_prefix(prefix: &str) -> Option<Vec<u8>> {
    let mut end = prefix.as_bytes().to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            return Some(end);
        }
    }
    None
}

fn automaton_builder(distance: u8) -> &'static LevenshteinAutomatonBuilder {
    static BUILDERS: [OnceLock<LevenshteinAutomatonBuilder>; 2] =
        [OnceLock::new(), OnceLock::new()];
    let nth = usize::from(distance.clamp(1, 2) - 1);
    BUILDERS[nth].get_or_init(|| LevenshteinAutomatonBuilder::new(nth as u8 + 1, true))
}

struct SimilarSpelling(DFA);

impl Automaton for &SimilarSpelling {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        matches!(self.0.distance(*state), Distance::Exact(_))
    }

    fn can_match(&self, state: &u32) -> bool {
        *state != SINK_STATE
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}

#[derive(Default)]
struct Collected {
    words: BTreeMap<String, (u64, f32)>,
    scanned: usize,
    is_cut: bool,
}

impl Collected {
    /// Whether to go on.
    fn add(&mut self, term: &[u8], documents: u32, degree: f32) -> bool {
        if let Some((word, _)) = word_of_bytes(term) {
            let entry = self.words.entry(word.to_owned()).or_insert((0, degree));
            entry.0 += u64::from(documents);
        }
        self.pass()
    }

    fn pass(&mut self) -> bool {
        self.scanned += 1;
        self.is_cut |= self.scanned > MAX_SCANNED_WORDS;
        !self.is_cut
    }

    fn finish(self) -> Expansion {
        let mut words: Vec<Expanded> = self
            .words
            .into_iter()
            .map(|(word, (documents, degree))| Expanded { word, documents, degree })
            .collect();
        let is_cut = self.is_cut || words.len() > MAX_EXPANDED_WORDS;
        words.sort_by(|a, b| {
            let by_degree = b.degree.total_cmp(&a.degree);
            by_degree.then(b.documents.cmp(&a.documents)).then_with(|| a.word.cmp(&b.word))
        });
        words.truncate(MAX_EXPANDED_WORDS);
        Expansion { words, is_cut }
    }
}

//! Reads the texts of a selection once, on all cores, and hands them to what counts.

use auslese_kwic::{
    Borders, By, Collocations, Concordance, ConcordanceOptions, Curve, FormCounts, GroupCounts,
    Hit, Matcher, NodeQuery, Reading, Sensitivity, Step, Text, TokenRule,
};
use auslese_search::{Documents, HitKey, SearchError, StoredDocument};
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// Texts that a thread takes at a time, and if somebody waits for the end.
const AT_ONCE: usize = 64;
const AT_ONCE_IN_HASTE: usize = 8;

/// What is to be counted.
#[derive(Debug, Clone)]
pub enum Wanted {
    Lines(ConcordanceOptions),
    Groups { by: Vec<By> },
    Forms { n: usize, max_forms: usize },
    Collocations { left: usize, right: usize, max_forms: usize },
    Curve { step: Step, names: Vec<String> },
}

/// How texts are cut into words.
#[derive(Debug, Clone, Copy)]
pub struct ReadingRule {
    pub rule: TokenRule,
    pub borders: Borders,
    pub sensitivity: Sensitivity,
}

/// What was counted.
#[derive(Debug)]
pub enum Counted {
    Lines(Concordance),
    Groups(GroupCounts),
    Forms(FormCounts),
    Collocations(Collocations),
    Curve(Curve),
}

impl Counted {
    fn new(wanted: &Wanted, sensitivity: Sensitivity) -> Counted {
        match wanted {
            Wanted::Lines(options) => Counted::Lines(Concordance::new(options.clone())),
            Wanted::Groups { by } => Counted::Groups(GroupCounts::new(by, sensitivity)),
            Wanted::Forms { n, max_forms } => {
                Counted::Forms(FormCounts::new(*n, sensitivity, *max_forms))
            }
            Wanted::Collocations { left, right, max_forms } => {
                Counted::Collocations(Collocations::new(*left, *right, sensitivity, *max_forms))
            }
            Wanted::Curve { step, names } => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                Counted::Curve(Curve::new(*step, &names))
            }
        }
    }

    fn push(&mut self, reading: &Reading<'_>, hits: &[Vec<Hit>]) {
        let first = hits.first().map(Vec::as_slice);
        let of_first = first.unwrap_or_default();
        match self {
            Counted::Lines(lines) => lines.push(reading, of_first),
            Counted::Groups(groups) => groups.push(reading, of_first),
            Counted::Forms(forms) => match first {
                Some(hits) => forms.push_around(reading, hits),
                None => forms.push(reading),
            },
            Counted::Collocations(collocations) => collocations.push(reading, of_first),
            Counted::Curve(curve) => {
                let hits: Vec<&[Hit]> = hits.iter().map(Vec::as_slice).collect();
                curve.push(reading, &hits);
            }
        }
    }

    fn merge(&mut self, other: Counted) {
        match (self, other) {
            (Counted::Lines(one), Counted::Lines(other)) => one.merge(other),
            (Counted::Groups(one), Counted::Groups(other)) => one.merge(other),
            (Counted::Forms(one), Counted::Forms(other)) => one.merge(other),
            (Counted::Collocations(one), Counted::Collocations(other)) => one.merge(other),
            (Counted::Curve(one), Counted::Curve(other)) => one.merge(other),
            _ => unreachable!("all threads count the same"),
        }
    }
}

/// Counts over all documents.
pub fn count(
    documents: Documents<'_>,
    queries: &[NodeQuery],
    wanted: &Wanted,
    reading: ReadingRule,
) -> Result<Counted, SearchError> {
    count_until(documents, queries, wanted, reading, None).map(|(counted, _)| counted)
}

/// Counts until there are no more documents or the time is over, and says whether that was all.
pub fn count_until(
    documents: Documents<'_>,
    queries: &[NodeQuery],
    wanted: &Wanted,
    reading: ReadingRule,
    deadline: Option<Instant>,
) -> Result<(Counted, bool), SearchError> {
    let documents = Mutex::new(documents);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Result<(Counted, bool), SearchError>> = thread::scope(|scope| {
        let work = || one_thread(&documents, queries, wanted, reading, deadline);
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = started.into_iter().map(|thread| thread.join());
        // What was counted by a thread that died is lost, and a count with a gap is none.
        joined.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    let mut all: Option<Counted> = None;
    let mut is_complete = true;
    for part in parts {
        let (counted, is_whole) = part?;
        match &mut all {
            Some(all) => all.merge(counted),
            None => all = Some(counted),
        }
        is_complete &= is_whole;
    }
    Ok((all.unwrap_or_else(|| Counted::new(wanted, reading.sensitivity)), is_complete))
}

fn one_thread(
    documents: &Mutex<Documents<'_>>,
    queries: &[NodeQuery],
    wanted: &Wanted,
    rule: ReadingRule,
    deadline: Option<Instant>,
) -> Result<(Counted, bool), SearchError> {
    let mut counted = Counted::new(wanted, rule.sensitivity);
    let mut matchers: Vec<Matcher> = queries.iter().map(Matcher::new).collect();
    let at_once = if deadline.is_some() { AT_ONCE_IN_HASTE } else { AT_ONCE };
    loop {
        let some: Vec<_> = {
            let mut documents = documents.lock().unwrap_or_else(PoisonError::into_inner);
            documents.by_ref().take(at_once).collect()
        };
        if some.is_empty() {
            return Ok((counted, true));
        }
        for stored in some {
            let stored = stored?;
            let key = key(&stored);
            let reading = Reading::new(&text(&stored, &key), rule.rule, rule.borders);
            let hits: Vec<Vec<Hit>> =
                matchers.iter_mut().map(|matcher| matcher.find(&reading)).collect();
            counted.push(&reading, &hits);
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Ok((counted, false));
        }
    }
}

/// Documents come in the order of harvests and numbers.
fn key(stored: &StoredDocument) -> String {
    format!("{:04}-{:012}", stored.index, stored.document.key)
}

/// The index and the document that a line of a concordance names.
pub fn document_of_key(key: &str) -> Option<(usize, HitKey)> {
    let (index, number) = key.split_once('-')?;
    Some((index.parse().ok()?, HitKey::of(number.parse().ok()?)))
}

fn text<'t>(stored: &'t StoredDocument, key: &'t str) -> Text<'t> {
    let document = &stored.document;
    let named = |text: &'t str| (!text.is_empty()).then_some(text);
    Text {
        key,
        url: Some(&document.id),
        host: named(&document.host),
        kind: named(&document.document_type),
        year: document.date.map(|date| date.year),
        month: document.date.and_then(|date| date.month),
        language: document.language.as_deref(),
        collection: named(&document.collection),
        text: &document.text,
    }
}

//! Counts of words and terms, and the associations that follow from them.

use super::measures::{Counts, Measure, log_likelihood};
use crate::ShortName;
use crate::word_key::WordKey;
use auslese_words::{StemLanguage, fold};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was learnt from a collection or a discipline.
#[derive(Debug)]
pub struct TransferModel {
    pub head: TransferModelHead,
    /// By key.
    pub(super) terms: Vec<FreeTerm>,
    /// By vocabulary and key.
    pub(super) controlled: Vec<Controlled>,
    /// Pairs by word, then term: places and the number of documents with both.
    pub(super) by_term: Vec<(u32, u32, u32)>,
    /// The same pairs by term, then word.
    by_controlled: Vec<(u32, u32, u32)>,
    word_key: WordKey,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferModelHead {
    pub name: String,
    /// The language of the free words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Documents that were counted.
    pub documents: u32,
    /// By how much counts of pairs may be too low; 0 where all could be kept.
    pub undercount: u32,
    /// Words and terms that came when there was no room for new ones.
    pub ignored: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FreeTerm {
    pub(super) key: String,
    pub(super) shown: String,
    pub(super) n: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Controlled {
    pub(super) scheme: String,
    pub(super) key: String,
    pub(super) shown: String,
    pub(super) n: u32,
}

/// A term that goes with a word, or a word that goes with a term.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Association {
    /// The vocabulary of a controlled term; empty for a free word.
    pub scheme: String,
    pub term: String,
    pub counts: Counts,
    pub measure: Measure,
    /// As the measure says.
    pub value: f64,
    /// In 0..=1: the value itself, or its share of the highest one for G², which has no bound.
    pub strength: f64,
}

/// Which associations count.
#[derive(Debug, Clone, Copy)]
pub struct AssociationLimits {
    pub measure: Measure,
    /// At most so many, the strongest first.
    pub at_most: usize,
    /// Documents with both.
    pub min_together: u32,
    /// G² below this is chance, whichever the measure.
    pub min_log_likelihood: f64,
    pub min_strength: f64,
}

impl TransferModel {
    pub(super) fn new(
        head: TransferModelHead,
        terms: Vec<FreeTerm>,
        controlled: Vec<Controlled>,
        pairs: Vec<(u32, u32, u32)>,
    ) -> TransferModel {
        let (terms, term_places) =
            sorted(terms, |a, b| a.key.cmp(&b.key), pairs.iter().map(|&(term, _, _)| term));
        let (controlled, controlled_places) = sorted(
            controlled,
            |a, b| (&a.scheme, &a.key).cmp(&(&b.scheme, &b.key)),
            pairs.iter().map(|&(_, it, _)| it),
        );
        let pairs = pairs
            .into_iter()
            .map(|(term, it, n)| (term_places[term as usize], controlled_places[it as usize], n));
        TransferModel::from_sorted(head, terms, controlled, pairs.collect())
    }

    /// Words and terms are in order, and places of pairs are theirs.
    pub(super) fn from_sorted(
        head: TransferModelHead,
        terms: Vec<FreeTerm>,
        controlled: Vec<Controlled>,
        pairs: Vec<(u32, u32, u32)>,
    ) -> TransferModel {
        let mut by_term = pairs;
        by_term.sort_unstable();
        let mut by_controlled = by_term.clone();
        by_controlled.sort_unstable_by_key(|&(term, it, _)| (it, term));
        let word_key = WordKey::of(head.language.as_deref().and_then(StemLanguage::from_tag));
        TransferModel { head, terms, controlled, by_term, by_controlled, word_key }
    }

    pub(super) fn pairs_by_controlled(&self) -> &[(u32, u32, u32)] {
        &self.by_controlled
    }

    /// How many words, terms and pairs it has.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.terms.len(), self.controlled.len(), self.by_term.len())
    }

    /// The controlled terms that go with a free word or phrase, strongest first; of one vocabulary,
    /// or of all.
    pub fn to_controlled(
        &self,
        words: &str,
        scheme: Option<&str>,
        limits: AssociationLimits,
    ) -> Vec<Association> {
        let key = self.word_key.key(words);
        let Ok(at) = self.terms.binary_search_by(|it| it.key.as_str().cmp(&key)) else {
            return Vec::new();
        };
        let (at, n_t) = (at as u32, self.terms[at].n);
        let start = self.by_term.partition_point(|it| it.0 < at);
        let pairs = self.by_term[start..].iter().take_while(|it| it.0 == at);
        let associations = pairs
            .map(|&(_, it, n_tc)| (&self.controlled[it as usize], n_tc))
            .filter(|(it, _)| scheme.is_none_or(|scheme| it.scheme == scheme))
            .map(|(it, n_tc)| {
                let counts = Counts { n: self.head.documents, n_t, n_c: it.n, n_tc };
                (it.scheme.as_str(), it.shown.as_str(), counts)
            });
        strongest(associations, n_t, limits)
    }

    /// The free words that go with a controlled term, strongest first.
    pub fn to_free(&self, scheme: &str, term: &str, limits: AssociationLimits) -> Vec<Association> {
        let key = fold(&term.split_whitespace().collect::<Vec<_>>().join(" "));
        let order = |it: &Controlled| (it.scheme.as_str(), it.key.as_str()).cmp(&(scheme, &key));
        let Ok(at) = self.controlled.binary_search_by(order) else { return Vec::new() };
        let (at, n_c) = (at as u32, self.controlled[at].n);
        let start = self.by_controlled.partition_point(|it| it.1 < at);
        let pairs = self.by_controlled[start..].iter().take_while(|it| it.1 == at);
        let associations = pairs.map(|&(term, _, n_tc)| {
            let term = &self.terms[term as usize];
            let counts = Counts { n: self.head.documents, n_t: term.n, n_c, n_tc };
            ("", term.shown.as_str(), counts)
        });
        strongest(associations, n_c, limits)
    }
}

fn strongest<'m>(
    associations: impl Iterator<Item = (&'m str, &'m str, Counts)>,
    n_source: u32,
    limits: AssociationLimits,
) -> Vec<Association> {
    let measure = limits.measure;
    let mut found: Vec<(f64, &str, &str, Counts)> = associations
        .filter(|(_, _, counts)| {
            counts.n_tc >= limits.min_together
                && log_likelihood(*counts) >= limits.min_log_likelihood
        })
        .map(|(scheme, term, counts)| (measure.value(counts, n_source), scheme, term, counts))
        .collect();
    // Values are finite; equal ones in the order of terms.
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let highest = match measure {
        Measure::LogLikelihood => found.first().map_or(1.0, |it| it.0),
        _ => 1.0,
    };
    let associations = found.into_iter().map(|(value, scheme, term, counts)| Association {
        scheme: scheme.to_owned(),
        term: term.to_owned(),
        counts,
        measure,
        value,
        strength: if highest > 0.0 { (value / highest).clamp(0.0, 1.0) } else { 0.0 },
    });
    associations.filter(|it| it.strength >= limits.min_strength).take(limits.at_most).collect()
}

/// Those that are used, in order, and where each went.
fn sorted<T>(
    items: Vec<T>,
    order: impl Fn(&T, &T) -> std::cmp::Ordering,
    used: impl Iterator<Item = u32>,
) -> (Vec<T>, Vec<u32>) {
    let mut is_used = vec![false; items.len()];
    used.for_each(|at| is_used[at as usize] = true);
    let mut kept: Vec<(usize, T)> =
        items.into_iter().enumerate().filter(|(at, _)| is_used[*at]).collect();
    kept.sort_by(|a, b| order(&a.1, &b.1));
    let mut places = vec![0; is_used.len()];
    for (place, (at, _)) in (0u32..).zip(&kept) {
        places[*at] = place;
    }
    (kept.into_iter().map(|(_, item)| item).collect(), places)
}

/// The models of a harvest by name.
#[derive(Debug, Default)]
pub struct Models {
    by_name: BTreeMap<ShortName, TransferModel>,
}

impl Models {
    pub fn insert(&mut self, name: ShortName, model: TransferModel) -> Option<TransferModel> {
        self.by_name.insert(name, model)
    }

    pub fn get(&self, name: &ShortName) -> Option<&TransferModel> {
        self.by_name.get(name)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&ShortName, &TransferModel)> {
        self.by_name.iter()
    }
}

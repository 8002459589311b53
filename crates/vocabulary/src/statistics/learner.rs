//! Counts words and terms over documents, in bounded memory.
//!
//! Words are counted by their key, so that inflections count together; the shortest form seen is
//! the one to show. Pairs are by far the most: where they become too many, the rarest are dropped,
//! and the model says by how much counts may be too low (as in lossy counting, G. S. Manku and
//! R. Motwani, 2002). What occurs nearly everywhere or hardly ever is left out at the end, and so
//! are terms of the stop list: both would be proposed for anything.

use super::model::{Controlled, FreeTerm, TransferModel, TransferModelHead};
use crate::word_key::WordKey;
use auslese_words::{StemLanguage, fold};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Bytes of a word or term that is learnt.
pub const MAX_LEARNT_TERM: usize = 200;

/// Different words, and different terms, that are counted; further ones are not.
pub const MAX_LEARNT_TERMS: usize = 1_000_000;

/// Pairs that are counted at a time; a table of so many fits into 72 MiB.
pub const MAX_LEARNT_PAIRS: usize = 3_600_000;

/// A document that has both.
#[derive(Debug, Clone, Copy)]
pub struct TransferDocument<'d> {
    /// Free words or phrases, as written; repetitions do not count.
    pub terms: &'d [&'d str],
    pub controlled: &'d [TransferTerm<'d>],
}

/// A controlled term of a document.
#[derive(Debug, Clone, Copy)]
pub struct TransferTerm<'d> {
    /// The vocabulary it is from.
    pub scheme: &'d str,
    pub term: &'d str,
    /// How far it is to be trusted, in 0..=1.
    pub weight: f64,
}

/// What is learnt and what is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnSettings {
    /// The language of the free words (`de`, `en`), for their endings; others are only folded.
    pub language: Option<String>,
    /// Terms of documents with less weight are not believed.
    pub min_weight: f64,
    /// Documents a word has to occur in.
    pub min_term: u32,
    /// Documents a term has to occur in.
    pub min_controlled: u32,
    /// Documents a pair has to occur in.
    pub min_together: u32,
    /// Words in more than this share of the documents are left out.
    pub max_term_share: f64,
    /// The same for terms.
    pub max_controlled_share: f64,
    /// In as many documents words and terms may occur whatever their share.
    pub share_from: u32,
    /// Different words of one document that count, its first ones.
    pub terms_per_document: usize,
    pub controlled_per_document: usize,
    /// Terms that are never proposed, by vocabulary.
    pub stop_terms: BTreeMap<String, Vec<String>>,
    pub max_terms: usize,
    pub max_pairs: usize,
}

impl Default for LearnSettings {
    fn default() -> LearnSettings {
        LearnSettings {
            language: None,
            min_weight: 0.5,
            min_term: 2,
            min_controlled: 2,
            min_together: 2,
            max_term_share: 0.2,
            max_controlled_share: 0.3,
            share_from: 20,
            terms_per_document: 500,
            controlled_per_document: 50,
            stop_terms: BTreeMap::new(),
            max_terms: MAX_LEARNT_TERMS,
            max_pairs: MAX_LEARNT_PAIRS,
        }
    }
}

/// Learns from one document after another.
#[derive(Debug)]
pub struct Learner {
    settings: LearnSettings,
    word_key: WordKey,
    stop_terms: FxHashSet<(String, String)>,
    documents: u32,
    /// Places of words by how they are written; [`NOTHING`] for those that do not count.
    surfaces: FxHashMap<Box<str>, u32>,
    term_places: FxHashMap<Box<str>, u32>,
    terms: Vec<FreeTerm>,
    controlled_places: FxHashMap<(Box<str>, Box<str>), u32>,
    controlled: Vec<Controlled>,
    pairs: FxHashMap<u64, u32>,
    undercount: u32,
    ignored: u64,
}

/// The place of a word that is not counted.
const NOTHING: u32 = u32::MAX;

/// Spellings that are remembered, for each word that may be counted.
const SURFACES_PER_TERM: usize = 3;

impl Learner {
    pub fn new(settings: LearnSettings) -> Learner {
        let language = settings.language.as_deref().and_then(StemLanguage::from_tag);
        let stop_terms = settings.stop_terms.iter();
        let stop_terms = stop_terms
            .flat_map(|(scheme, terms)| terms.iter().map(|term| (scheme.clone(), fold(term))))
            .collect();
        Learner {
            word_key: WordKey::of(language),
            stop_terms,
            settings,
            documents: 0,
            surfaces: FxHashMap::default(),
            term_places: FxHashMap::default(),
            terms: Vec::new(),
            controlled_places: FxHashMap::default(),
            controlled: Vec::new(),
            pairs: FxHashMap::default(),
            undercount: 0,
            ignored: 0,
        }
    }

    /// Counts a document, if it has words and believed terms.
    pub fn add(&mut self, document: TransferDocument<'_>) {
        let mut controlled = Vec::new();
        for it in document.controlled.iter().take(self.settings.controlled_per_document) {
            controlled.extend(self.controlled_place(it));
        }
        distinct(&mut controlled);
        if controlled.is_empty() || self.documents == u32::MAX {
            return;
        }
        let mut terms = Vec::new();
        for term in document.terms {
            if terms.len() >= self.settings.terms_per_document {
                distinct(&mut terms);
                if terms.len() >= self.settings.terms_per_document {
                    break;
                }
            }
            terms.extend(self.term_place(term));
        }
        distinct(&mut terms);
        if terms.is_empty() {
            return;
        }
        self.documents += 1;
        controlled.iter().for_each(|at| self.controlled[*at as usize].n += 1);
        for term in terms {
            self.terms[term as usize].n += 1;
            for it in &controlled {
                *self.pairs.entry(u64::from(term) << 32 | u64::from(*it)).or_default() += 1;
            }
        }
        while self.pairs.len() > self.settings.max_pairs {
            self.drop_rare_pairs();
        }
    }

    /// The model of what was counted.
    pub fn finish(self, name: &str) -> TransferModel {
        let head = TransferModelHead {
            name: name.to_owned(),
            language: self.word_key.language().map(|it| it.tag().to_owned()),
            documents: self.documents,
            undercount: self.undercount,
            ignored: self.ignored,
        };
        let settings = &self.settings;
        let cap = |share: f64| {
            let share = (share * f64::from(self.documents)).floor();
            f64::max(share, f64::from(settings.share_from))
        };
        let [term_cap, controlled_cap] =
            [settings.max_term_share, settings.max_controlled_share].map(cap);
        let keeps_term = |it: &FreeTerm| it.n >= settings.min_term && f64::from(it.n) <= term_cap;
        let keeps_controlled =
            |it: &Controlled| it.n >= settings.min_controlled && f64::from(it.n) <= controlled_cap;
        let term_kept: Vec<bool> = self.terms.iter().map(keeps_term).collect();
        let controlled_kept: Vec<bool> = self.controlled.iter().map(keeps_controlled).collect();
        let pairs = self.pairs.into_iter().map(|(pair, n)| ((pair >> 32) as u32, pair as u32, n));
        let pairs = pairs
            .filter(|&(term, it, n)| {
                n >= settings.min_together
                    && term_kept[term as usize]
                    && controlled_kept[it as usize]
            })
            .collect();
        TransferModel::new(head, self.terms, self.controlled, pairs)
    }

    fn term_place(&mut self, surface: &str) -> Option<u32> {
        if let Some(&at) = self.surfaces.get(surface) {
            return (at != NOTHING).then_some(at);
        }
        let at = self.new_surface(surface);
        // A file of ever new spellings must not fill the memory; their key is made every time.
        if self.surfaces.len() < self.settings.max_terms.saturating_mul(SURFACES_PER_TERM) {
            self.surfaces.insert(surface.into(), at);
        }
        (at != NOTHING).then_some(at)
    }

    fn new_surface(&mut self, surface: &str) -> u32 {
        let surface = surface.trim();
        if surface.len() > MAX_LEARNT_TERM || self.says_nothing(surface) {
            return NOTHING;
        }
        let key = self.word_key.key(surface);
        if key.is_empty() {
            return NOTHING;
        }
        let shown = surface.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(&at) = self.term_places.get(key.as_str()) {
            let known = &mut self.terms[at as usize].shown;
            if (shown.len(), shown.as_str()) < (known.len(), known.as_str()) {
                *known = shown;
            }
            return at;
        }
        if self.terms.len() >= self.settings.max_terms {
            self.ignored += 1;
            return NOTHING;
        }
        let at = self.terms.len() as u32;
        self.term_places.insert(key.as_str().into(), at);
        self.terms.push(FreeTerm { key, shown, n: 0 });
        at
    }

    /// Stop words, single letters, mere numbers.
    fn says_nothing(&self, surface: &str) -> bool {
        let folded = fold(surface);
        folded.chars().count() < 2
            || !folded.contains(char::is_alphabetic)
            || self.word_key.is_stop_word(&folded)
    }

    fn controlled_place(&mut self, it: &TransferTerm<'_>) -> Option<u32> {
        let believed = it.weight >= self.settings.min_weight;
        let too_long = it.term.len() > MAX_LEARNT_TERM || it.scheme.len() > MAX_LEARNT_TERM;
        if !believed || too_long || it.scheme.contains(char::is_control) {
            return None;
        }
        let shown = it.term.split_whitespace().collect::<Vec<_>>().join(" ");
        let key = (Box::from(it.scheme), fold(&shown).into_boxed_str());
        if let Some(&at) = self.controlled_places.get(&key) {
            return Some(at);
        }
        if shown.is_empty() || self.stop_terms.contains(&(key.0.to_string(), key.1.to_string())) {
            return None;
        }
        if self.controlled.len() >= self.settings.max_terms {
            self.ignored += 1;
            return None;
        }
        let at = self.controlled.len() as u32;
        let (scheme, key_text) = (it.scheme.to_owned(), key.1.to_string());
        self.controlled.push(Controlled { scheme, key: key_text, shown, n: 0 });
        self.controlled_places.insert(key, at);
        Some(at)
    }

    fn drop_rare_pairs(&mut self) {
        self.undercount += 1;
        let least = self.undercount;
        self.pairs.retain(|_, n| *n > least);
    }
}

fn distinct(places: &mut Vec<u32>) {
    places.sort_unstable();
    places.dedup();
}

//! Collects transfers: gives them their id, mode and state, and keeps one of each target.

use super::settings::{Switch, TransferRule, TransferSettings};
use super::transfer::{Rewriting, Source, Target, Transfer, TransferMode, transfer_id};
use crate::{LabelMatch, QueryPart};
use std::collections::BTreeMap;
use std::ops::Range;

pub(super) struct Builder<'s> {
    settings: &'s TransferSettings,
    /// The heaviest transfer of each place and target.
    best: BTreeMap<(usize, usize, Target), Transfer>,
    notes: Vec<String>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(settings: &'s TransferSettings) -> Builder<'s> {
        Builder { settings, best: BTreeMap::new(), notes: Vec::new() }
    }

    pub(super) fn note(&mut self, note: Option<String>) {
        self.notes.extend(note.filter(|note| !self.notes.contains(note)));
    }

    pub(super) fn add(
        &mut self,
        found: &LabelMatch,
        target: Target,
        weight: f64,
        source: Source,
        why: String,
    ) {
        self.add_at(&found.words, &found.place, target, weight, source, why);
    }

    pub(super) fn add_at(
        &mut self,
        words: &str,
        place: &Range<usize>,
        target: Target,
        weight: f64,
        source: Source,
        why: String,
    ) {
        let rule = source.rule();
        let id = transfer_id(words, &source, &target);
        let mode = match self.replaces(rule) {
            true => TransferMode::Replace,
            false => TransferMode::Expand,
        };
        let (active, state) = self.state(rule, &id);
        let weight = if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 };
        let why = match state {
            Some(state) => format!("{why}; {state}"),
            None => why,
        };
        let key = (place.start, place.end, target.clone());
        let (words, place) = (words.to_owned(), place.clone());
        let transfer = Transfer { id, place, words, target, weight, source, mode, active, why };
        let better =
            |known: &Transfer| (transfer.active, transfer.weight) > (known.active, known.weight);
        if self.best.get(&key).is_none_or(better) {
            self.best.insert(key, transfer);
        }
    }

    /// Whether something was found for all of a place that is not switched off as a kind.
    pub(super) fn covers(&self, place: &Range<usize>) -> bool {
        let on = self.best.values().filter(|it| !self.settings.is_off(it.source.rule()));
        on.map(|it| &it.place).any(|it| it.start <= place.start && place.end <= it.end)
    }

    /// Whether a transfer of more words than those of a place acts.
    pub(super) fn acts_around(&self, place: &Range<usize>) -> bool {
        let active = self.best.values().filter(|it| it.active).map(|it| &it.place);
        active
            .filter(|it| it.start <= place.start && place.end <= it.end)
            .any(|it| it.len() > place.len())
    }

    pub(super) fn finish(mut self, collection: &str, query: &[QueryPart]) -> Rewriting {
        let bare = query.iter().filter(|part| !self.covers(&part.place));
        let bare: Vec<String> = bare.map(|part| format!("{:?}", part.text)).take(NOTED).collect();
        if !bare.is_empty() {
            self.notes.push(format!("nothing found for {}", bare.join(", ")));
        }
        let mut transfers: Vec<Transfer> = self.best.into_values().collect();
        transfers.sort_by(|a, b| {
            let place = (a.place.start, a.place.end).cmp(&(b.place.start, b.place.end));
            place.then(b.weight.total_cmp(&a.weight)).then_with(|| a.id.cmp(&b.id))
        });
        let mut of_place = (None, 0);
        transfers.retain(|transfer| {
            if of_place.0.as_ref() != Some(&transfer.place) {
                of_place = (Some(transfer.place.clone()), 0);
            }
            of_place.1 += 1;
            of_place.1 <= self.settings.transfers_per_place
        });
        Rewriting { collection: collection.to_owned(), transfers, notes: self.notes }
    }

    fn replaces(&self, rule: TransferRule) -> bool {
        let with_all =
            rule.is_mapping() && self.settings.replacing.contains(&TransferRule::Concordance);
        self.settings.replacing.contains(&rule) || with_all
    }

    /// Whether a transfer acts, and what is to be said about it. What a person says about a single
    /// transfer counts most.
    fn state(&self, rule: TransferRule, id: &str) -> (bool, Option<&'static str>) {
        let settings = self.settings;
        let with_all = rule.is_mapping() && settings.automatic.contains(&TransferRule::Concordance);
        match settings.transfers.get(id) {
            Some(Switch::Off) => (false, Some("switched off")),
            Some(Switch::On) => (true, Some("switched on")),
            None if settings.is_off(rule) => (false, Some("this kind is switched off")),
            None if settings.automatic.contains(&rule) || with_all => (true, None),
            None => (false, Some("a proposal, not used unless asked for")),
        }
    }
}

/// Words without transfer that a note lists.
const NOTED: usize = 10;

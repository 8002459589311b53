//! Counts of many forms in bounded memory.
//!
//! The table is exact until it is full. Then the rarer half of its forms is dropped, and the table
//! remembers how often any of these occurred at most (`lost`). A form that comes in later may have
//! been dropped before, so it carries that number along (`missed`): its true count lies between
//! `count` and `count + missed`. Forms that were never dropped, which are the frequent ones, stay
//! exact. This is lossy counting (Manku and Motwani 2002) with a limit of entries in place of a
//! limit of error. Every form that occurs more often than `lost` is in the table.

use rustc_hash::FxHashMap;

#[derive(Debug, Clone)]
pub(crate) struct CountTable {
    /// Where the counts of a form stand.
    places: FxHashMap<Box<str>, u32>,
    tallies: Vec<Tally>,
    limit: usize,
    lost: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    /// Those among `count` that are of special interest.
    pub(crate) marked: u64,
    pub(crate) documents: u32,
    pub(crate) missed: u64,
    last_document: u32,
}

impl Tally {
    /// Counts a document once; documents are numbered from 1.
    pub(crate) fn see_in(&mut self, document: u32) {
        if self.last_document != document {
            self.last_document = document;
            self.documents += 1;
        }
    }

    fn add(&mut self, other: &Tally) {
        self.count += other.count;
        self.marked += other.marked;
        self.documents += other.documents;
        self.missed += other.missed;
    }

    /// How often the form may have occurred.
    fn most(&self) -> u64 {
        self.count + self.missed
    }
}

impl CountTable {
    /// A table for so many forms, at least two.
    pub(crate) fn new(limit: usize) -> CountTable {
        let limit = limit.clamp(2, u32::MAX as usize);
        CountTable { places: FxHashMap::default(), tallies: Vec::new(), limit, lost: 0 }
    }

    /// What is counted for a form.
    pub(crate) fn entry(&mut self, form: &str) -> &mut Tally {
        let place = match self.places.get(form) {
            Some(place) => *place as usize,
            None => {
                self.make_room();
                self.insert(form.into(), Tally { missed: self.lost, ..Tally::default() })
            }
        };
        &mut self.tallies[place]
    }

    fn insert(&mut self, form: Box<str>, tally: Tally) -> usize {
        let place = self.tallies.len();
        self.places.insert(form, u32::try_from(place).expect("the limit is lower"));
        self.tallies.push(tally);
        place
    }

    pub(crate) fn get(&self, form: &str) -> Option<&Tally> {
        self.places.get(form).map(|place| &self.tallies[*place as usize])
    }

    pub(crate) fn len(&self) -> usize {
        self.tallies.len()
    }

    /// How often a form that is not in the table occurred at most; 0 if all counts are exact.
    pub(crate) fn lost(&self) -> u64 {
        self.lost
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Tally)> {
        self.places.iter().map(|(form, place)| (&**form, &self.tallies[*place as usize]))
    }

    /// Adds what was counted in other documents.
    pub(crate) fn merge(&mut self, other: CountTable) {
        for (form, place) in &self.places {
            if !other.places.contains_key(form) {
                self.tallies[*place as usize].missed += other.lost;
            }
        }
        // Documents are numbered by each counter for itself.
        self.tallies.iter_mut().for_each(|tally| tally.last_document = 0);
        let lost_here = self.lost;
        self.lost += other.lost;
        for (form, place) in other.places {
            let theirs = Tally { last_document: 0, ..other.tallies[place as usize] };
            match self.places.get(&form) {
                Some(place) => self.tallies[*place as usize].add(&theirs),
                None => {
                    let missed = theirs.missed + lost_here;
                    self.insert(form, Tally { missed, ..theirs });
                }
            }
        }
        while self.len() > self.limit {
            self.drop_half();
        }
    }

    fn make_room(&mut self) {
        if self.len() >= self.limit {
            self.drop_half();
        }
    }

    fn drop_half(&mut self) {
        let mut most: Vec<u64> = self.tallies.iter().map(Tally::most).collect();
        let middle = (most.len() - 1) / 2;
        let (_, threshold, _) = most.select_nth_unstable(middle);
        let threshold = *threshold;
        let old = std::mem::take(&mut self.tallies);
        self.places.retain(|_, place| {
            let tally = old[*place as usize];
            let stays = tally.most() > threshold;
            if stays {
                *place = u32::try_from(self.tallies.len()).expect("the limit is lower");
                self.tallies.push(tally);
            }
            stays
        });
        self.lost = self.lost.max(threshold);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn documents_are_counted_once() {
        let mut table = CountTable::new(10);
        for document in [1, 1, 2, 2, 2, 5] {
            let tally = table.entry("a");
            tally.count += 1;
            tally.see_in(document);
        }
        assert_eq!(table.get("a").map(|tally| (tally.count, tally.documents)), Some((6, 3)));
    }

    proptest! {
        /// What the table promises, compared with an exact count, for one table and for two merged.
        #[test]
        fn true_counts_lie_within(
            words in proptest::collection::vec(0u8..60, 0..600), limit in 2usize..40, cut in 0usize..600,
        ) {
            let cut = cut.min(words.len());
            let mut exact: FxHashMap<String, u64> = FxHashMap::default();
            let mut tables = [CountTable::new(limit), CountTable::new(limit)];
            for (at, word) in words.iter().enumerate() {
                // Some words are much more frequent than others.
                let word = (word * word / 60).to_string();
                tables[usize::from(at >= cut)].entry(&word).count += 1;
                *exact.entry(word).or_default() += 1;
            }
            let [mut table, other] = tables;
            table.merge(other);
            prop_assert!(table.len() <= limit);
            for (word, count) in &exact {
                match table.get(word) {
                    Some(tally) => {
                        prop_assert!(tally.count <= *count && *count <= tally.count + tally.missed);
                    }
                    None => prop_assert!(*count <= table.lost()),
                }
            }
        }
    }
}

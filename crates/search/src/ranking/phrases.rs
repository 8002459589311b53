//! Words in a row, and words near each other, with the evidence they give.
//!
//! A phrase counts like a word of its own: its frequency in a field is how often it stands there. Positions of different
//! statements are a stride apart, so no phrase goes from one statement into the next.

use super::gather::statement_weight;
use super::{Gathered, Segment, Statistics};
use crate::fields::TextField;
use crate::schema::STRIDE;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

/// Evidence of a phrase, in these fields; each of its words may be written in several ways.
pub(crate) fn gather_phrase(
    segment: &Segment,
    fields: &[TextField],
    groups: &[Vec<String>],
    statistics: &Statistics,
    use_weights: bool,
) -> tantivy::Result<Gathered> {
    Gathering { segment, fields, groups, statistics, use_weights }.run(in_a_row)
}

/// Evidence of words (each in its forms) near each other.
pub(crate) fn gather_near(
    segment: &Segment,
    fields: &[TextField],
    groups: &[Vec<String>],
    distance: u32,
    statistics: &Statistics,
    use_weights: bool,
) -> tantivy::Result<Gathered> {
    let gathering = Gathering { segment, fields, groups, statistics, use_weights };
    gathering.run(|positions, found| near(positions, distance, found))
}

struct Gathering<'a> {
    segment: &'a Segment,
    fields: &'a [TextField],
    groups: &'a [Vec<String>],
    statistics: &'a Statistics,
    use_weights: bool,
}

impl Gathering<'_> {
    fn run(&self, occurrences: impl Fn(&[Vec<u32>], &mut Vec<u32>)) -> tantivy::Result<Gathered> {
        let mut found: Vec<(DocId, f32)> = Vec::new();
        for field in self.fields {
            self.in_field(*field, &occurrences, &mut found)?;
        }
        found.sort_by_key(|(doc, _)| *doc);
        let mut gathered = Gathered::default();
        for (doc, evidence) in found {
            match gathered.evidence.last_mut() {
                Some(last) if gathered.docs.last() == Some(&doc) => *last += evidence,
                _ => {
                    gathered.docs.push(doc);
                    gathered.evidence.push(evidence);
                }
            }
        }
        Ok(gathered)
    }

    fn in_field(
        &self,
        field: TextField,
        occurrences: &impl Fn(&[Vec<u32>], &mut Vec<u32>),
        found: &mut Vec<(DocId, f32)>,
    ) -> tantivy::Result<()> {
        let columns = self.segment.field(field);
        let mut groups = Vec::new();
        for terms in self.groups {
            let group = Group::open(&columns.words, terms)?;
            if group.doc() == TERMINATED {
                return Ok(());
            }
            groups.push(group);
        }
        let mut positions = vec![Vec::new(); groups.len()];
        let mut places = Vec::new();
        let mut doc = 0;
        while let Some(next) = next_common(&mut groups, doc) {
            doc = next + 1;
            if !self.segment.is_alive(next) {
                continue;
            }
            for (group, positions) in groups.iter_mut().zip(&mut positions) {
                group.positions(positions);
            }
            places.clear();
            occurrences(&positions, &mut places);
            if places.is_empty() {
                continue;
            }
            let trusted = match columns.weights.as_ref().filter(|_| self.use_weights) {
                None => places.len() as f64,
                Some(weights) => {
                    let rows = weights.index.value_row_ids(next);
                    let weight = |place: &u32| statement_weight(weights, &rows, place / STRIDE);
                    places.iter().map(weight).sum()
                }
            };
            let worth = self.statistics.worth(field, columns.lengths.fieldnorm_id(next));
            found.push((next, worth * trusted as f32));
        }
        Ok(())
    }
}

/// Alternatives of one word.
struct Group {
    postings: Vec<SegmentPostings>,
}

impl Group {
    fn open(list: &InvertedIndexReader, terms: &[String]) -> tantivy::Result<Group> {
        let mut postings = Vec::new();
        for term in terms {
            if let Some(info) = list.terms().get(term.as_bytes())? {
                let option = IndexRecordOption::WithFreqsAndPositions;
                postings.push(list.read_postings_from_terminfo(&info, option)?);
            }
        }
        Ok(Group { postings })
    }

    fn doc(&self) -> DocId {
        self.postings.iter().map(|postings| postings.doc()).min().unwrap_or(TERMINATED)
    }

    fn seek(&mut self, doc: DocId) -> DocId {
        for postings in &mut self.postings {
            if postings.doc() < doc {
                postings.seek(doc);
            }
        }
        self.doc()
    }

    fn positions(&mut self, found: &mut Vec<u32>) {
        found.clear();
        let doc = self.doc();
        for postings in self.postings.iter_mut().filter(|postings| postings.doc() == doc) {
            postings.append_positions_with_offset(0, found);
        }
        found.sort_unstable();
        found.dedup();
    }
}

/// The next document from `doc` on that all groups have.
fn next_common(groups: &mut [Group], doc: DocId) -> Option<DocId> {
    let mut candidate = doc;
    loop {
        let mut all = true;
        for group in groups.iter_mut() {
            let at = group.seek(candidate);
            if at == TERMINATED {
                return None;
            }
            all &= at == candidate;
            candidate = candidate.max(at);
        }
        if all {
            return Some(candidate);
        }
    }
}

/// Where words stand in a row.
fn in_a_row(positions: &[Vec<u32>], found: &mut Vec<u32>) {
    let Some((first, others)) = positions.split_first() else { return };
    for start in first {
        let follows = |(nth, words): (usize, &Vec<u32>)| {
            words.binary_search(&(start + 1 + nth as u32)).is_ok()
        };
        if others.iter().enumerate().all(follows) {
            found.push(*start);
        }
    }
}

/// Where all words stand with at most `distance` others between neighbours; stretches do not overlap.
fn near(positions: &[Vec<u32>], distance: u32, found: &mut Vec<u32>) {
    let mut all: Vec<(u32, usize)> = Vec::new();
    for (word, places) in positions.iter().enumerate() {
        all.extend(places.iter().map(|place| (*place, word)));
    }
    all.sort_unstable();
    let mut last_seen: Vec<Option<u32>> = vec![None; positions.len()];
    let mut previous: Option<u32> = None;
    for (place, word) in all {
        if previous.is_some_and(|before| place - before > distance + 1) {
            last_seen.fill(None);
        }
        previous = Some(place);
        last_seen[word] = Some(place);
        if last_seen.iter().all(Option::is_some) {
            found.extend(last_seen.iter().flatten().min());
            last_seen.fill(None);
            previous = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_neighbours() {
        let find = |positions: &[&[u32]], distance: Option<u32>| {
            let positions: Vec<Vec<u32>> = positions.iter().map(|it| it.to_vec()).collect();
            let mut found = Vec::new();
            match distance {
                None => in_a_row(&positions, &mut found),
                Some(distance) => near(&positions, distance, &mut found),
            }
            found
        };
        assert_eq!(find(&[&[1, 5, 9], &[2, 6]], None), [1, 5]);
        assert_eq!(find(&[&[1], &[3]], None), [0; 0]);
        assert_eq!(find(&[&[1, 20], &[4, 30]], Some(2)), [1]);
        assert_eq!(find(&[&[4], &[1]], Some(2)), [1]);
        assert_eq!(find(&[&[1], &[5]], Some(2)), [0; 0]);
        assert_eq!(find(&[&[1], &[3], &[5]], Some(1)), [1]);
        assert_eq!(find(&[&[1, 2], &[3, 4]], Some(0)), [2]);
    }
}

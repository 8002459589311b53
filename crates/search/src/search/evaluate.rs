//! Combines what was gathered to the documents of a segment that answer the query, each with its score and degree.
//!
//! Words give scores, which are added. Predicates give degrees from 0 to 1, which are multiplied, and scale the score of
//! what they are required with. Where alternatives are meant (OR), a degree scales its own part; a predicate among
//! words adds documents, but nothing to their score.

use super::facet::Facet;
use super::plan::{Candidate, Plan, Planned};
use super::searcher::Searcher;
use crate::ranking::{Gathered, saturate};
use tantivy::DocId;

/// Documents, ascending.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub(crate) docs: Vec<DocId>,
    pub(crate) scores: Vec<f32>,
    /// None if all are 1.
    pub(crate) degrees: Option<Vec<f32>>,
}

/// What is needed to evaluate a plan in one segment.
pub(crate) struct Evaluation<'e> {
    pub(crate) searcher: &'e Searcher,
    pub(crate) planned: &'e Planned,
    /// The number of the segment.
    pub(crate) segment: usize,
    pub(crate) gathered: &'e [Gathered],
    /// How rare each leaf is.
    pub(crate) idf: &'e [f64],
    pub(crate) use_weights: bool,
    /// How many documents each alternative found.
    pub(crate) alternative_hits: Vec<u64>,
}

impl Evaluation<'_> {
    pub(crate) fn run(&mut self) -> tantivy::Result<Found> {
        let planned = self.planned;
        let mut found = self.evaluate(&planned.plan)?;
        let has_scores = !planned.leaves.is_empty();
        if let Some(degrees) = found.degrees.take() {
            for (score, degree) in found.scores.iter_mut().zip(degrees) {
                *score = if has_scores { *score * degree } else { degree };
            }
        } else if !has_scores {
            found.scores.fill(1.0);
        }
        Ok(found)
    }

    fn evaluate(&mut self, plan: &Plan) -> tantivy::Result<Found> {
        match plan {
            Plan::Leaf(number) => Ok(self.leaf(*number)),
            Plan::Restriction(number) => {
                let restriction = &self.planned.restrictions[*number];
                restriction.find(self.searcher, self.segment, self.use_weights)
            }
            Plan::All => Ok(self.all()),
            Plan::And(parts) => {
                let (not, must): (Vec<&Plan>, Vec<&Plan>) =
                    parts.iter().partition(|part| matches!(part, Plan::Not(_)));
                let must = if must.is_empty() { vec![self.all()] } else { self.each(&must)? };
                let mut found = intersect_all(must);
                for part in not {
                    if let Plan::Not(inner) = part {
                        found = subtract(found, &self.evaluate(inner)?);
                    }
                }
                Ok(found)
            }
            Plan::Or(parts) => {
                let parts = self.each(&parts.iter().collect::<Vec<_>>())?;
                Ok(self.union(parts, |sum, score| sum + score))
            }
            Plan::Not(part) => {
                let excluded = self.evaluate(part)?;
                Ok(subtract(self.all(), &excluded))
            }
            Plan::List { must, should, not, should_is_optional } => {
                self.list(must, should, not, *should_is_optional)
            }
            Plan::BestOf(candidates) => self.best_of(candidates),
        }
    }

    fn each(&mut self, plans: &[&Plan]) -> tantivy::Result<Vec<Found>> {
        plans.iter().map(|plan| self.evaluate(plan)).collect()
    }

    fn list(
        &mut self,
        must: &[Plan],
        should: &[Plan],
        not: &[Plan],
        should_is_optional: bool,
    ) -> tantivy::Result<Found> {
        let wanted = self.each(&should.iter().collect::<Vec<_>>())?;
        let wanted = self.union(wanted, |sum, score| sum + score);
        let mut found = match must.is_empty() {
            true => wanted,
            false => {
                let required = intersect_all(self.each(&must.iter().collect::<Vec<_>>())?);
                match (should.is_empty(), should_is_optional) {
                    (true, _) => required,
                    (false, true) => with_scores_of(required, &wanted),
                    (false, false) => intersect(required, wanted),
                }
            }
        };
        for part in not {
            found = subtract(found, &self.evaluate(part)?);
        }
        Ok(found)
    }

    fn best_of(&mut self, candidates: &[Candidate]) -> tantivy::Result<Found> {
        let mut parts = Vec::new();
        for candidate in candidates {
            let mut found = self.evaluate(&candidate.plan)?;
            self.keep_collections(candidate, &mut found)?;
            if let Some(number) = candidate.alternative {
                self.alternative_hits[number] += found.docs.len() as u64;
            }
            for score in &mut found.scores {
                *score *= candidate.weight;
            }
            parts.push(found);
        }
        Ok(self.union(parts, f32::max))
    }

    fn keep_collections(&self, candidate: &Candidate, found: &mut Found) -> tantivy::Result<()> {
        if candidate.only.is_none() && candidate.except.is_empty() {
            return Ok(());
        }
        if candidate.except.contains(&None) {
            *found = Found::default();
            return Ok(());
        }
        let table = self.searcher.facet_table(Facet::Collection)?;
        let is_named = |value: &str, named: &Option<String>| named.as_deref() == Some(value);
        let wanted = table.matching(|value| match &candidate.only {
            Some(only) => only == value,
            None => candidate.except.iter().any(|named| is_named(value, named)),
        });
        let keeps_named = candidate.only.is_some();
        found.retain(|doc| table.has_any(self.segment, doc, &wanted) == keeps_named);
        Ok(())
    }

    fn leaf(&self, number: usize) -> Found {
        let gathered = &self.gathered[number];
        let factor = self.planned.leaves[number].frequency * self.idf[number];
        let k1 = self.searcher.parameters().k1;
        let score = |evidence: &f32| (factor * saturate(f64::from(*evidence), k1)) as f32;
        Found {
            docs: gathered.docs.clone(),
            scores: gathered.evidence.iter().map(score).collect(),
            degrees: None,
        }
    }

    fn all(&self) -> Found {
        let segment = &self.searcher.segments()[self.segment];
        let docs: Vec<DocId> = segment.alive().collect();
        Found { scores: vec![0.0; docs.len()], docs, degrees: None }
    }

    fn union(&self, mut parts: Vec<Found>, join: impl Fn(f32, f32) -> f32) -> Found {
        if parts.len() == 1 {
            return parts.swap_remove(0);
        }
        let only_degrees = parts.iter().all(|part| part.degrees.is_some() && part.has_no_scores());
        let documents = self.searcher.segments()[self.segment].documents() as usize;
        let mut values = vec![f32::NAN; documents];
        for part in &parts {
            for (at, doc) in part.docs.iter().enumerate() {
                let degree = part.degrees.as_ref().map_or(1.0, |degrees| degrees[at]);
                let value = &mut values[*doc as usize];
                let added = if only_degrees { degree } else { part.scores[at] * degree };
                *value = match (value.is_nan(), only_degrees) {
                    (true, _) => added,
                    (false, true) => value.max(added),
                    (false, false) => join(*value, added),
                };
            }
        }
        let mut found = Found::default();
        for (doc, value) in values.into_iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            found.docs.push(doc as DocId);
            found.scores.push(value);
        }
        if only_degrees {
            found.degrees = Some(std::mem::take(&mut found.scores));
            found.scores = vec![0.0; found.docs.len()];
        }
        found
    }
}

impl Found {
    fn has_no_scores(&self) -> bool {
        self.scores.iter().all(|score| *score == 0.0)
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(DocId) -> bool) {
        let mut kept =
            Found { degrees: self.degrees.as_ref().map(|_| Vec::new()), ..Found::default() };
        for (at, doc) in self.docs.iter().enumerate().filter(|(_, doc)| keep(**doc)) {
            kept.docs.push(*doc);
            kept.scores.push(self.scores[at]);
            if let (Some(kept), Some(degrees)) = (&mut kept.degrees, &self.degrees) {
                kept.push(degrees[at]);
            }
        }
        *self = kept;
    }

    fn degree(&self, at: usize) -> f32 {
        self.degrees.as_ref().map_or(1.0, |degrees| degrees[at])
    }
}

fn intersect_all(parts: Vec<Found>) -> Found {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return Found::default() };
    parts.fold(first, intersect)
}

fn intersect(a: Found, b: Found) -> Found {
    let has_degrees = a.degrees.is_some() || b.degrees.is_some();
    let mut found = Found { degrees: has_degrees.then(Vec::new), ..Found::default() };
    let (mut i, mut j) = (0, 0);
    while i < a.docs.len() && j < b.docs.len() {
        match a.docs[i].cmp(&b.docs[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                found.docs.push(a.docs[i]);
                found.scores.push(a.scores[i] + b.scores[j]);
                if let Some(degrees) = &mut found.degrees {
                    degrees.push(a.degree(i) * b.degree(j));
                }
                i += 1;
                j += 1;
            }
        }
    }
    found
}

/// What is required, with the scores of what is wanted besides.
fn with_scores_of(mut required: Found, wanted: &Found) -> Found {
    let mut at = 0;
    for (doc, score) in required.docs.iter().zip(&mut required.scores) {
        while wanted.docs.get(at).is_some_and(|other| other < doc) {
            at += 1;
        }
        if wanted.docs.get(at) == Some(doc) {
            *score += wanted.scores[at] * wanted.degree(at);
        }
    }
    required
}

fn subtract(mut found: Found, excluded: &Found) -> Found {
    found.retain(|doc| excluded.docs.binary_search(&doc).is_err());
    found
}

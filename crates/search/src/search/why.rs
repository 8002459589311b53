//! Why this hit: which word of the query was found in which field, how often, how far the statement is trusted, and
//! what share of the score that made.

use super::order::Ranked;
use super::plan::{Leaf, LeafKind, Planned};
use super::searcher::Searcher;
use crate::SearchError;
use crate::analysis::word_of;
use crate::fields::TextField;
use crate::index::SCHEME;
use crate::ranking::{PostingList, evidence_in, saturate};
use serde::Serialize;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    pub terms: Vec<TermWhy>,
    /// Predicates that hold to a degree below 1.
    pub degrees: Vec<DegreeWhy>,
}

/// What one part of the query contributed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TermWhy {
    pub term: String,
    /// In bytes of the query.
    pub place: Range<usize>,
    /// How often the query has it.
    pub in_query: f64,
    pub idf: f64,
    /// tf′: the evidence of all fields together.
    pub evidence: f64,
    /// What it adds to the score; of alternatives for the same words only the best counts.
    pub score: f64,
    /// The alternative it is a part of, and its note.
    pub alternative: Option<(String, String)>,
    pub fields: Vec<FieldWhy>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldWhy {
    pub field: TextField,
    /// `words`, `stems`, `pieces` (of compounds) or `subjects`.
    pub list: &'static str,
    /// As it is in the index.
    pub form: String,
    pub frequency: u32,
    /// Average weight of the statements it was found in.
    pub weight: f64,
    pub length: u32,
    pub average_length: f64,
    pub evidence: f64,
    /// Of the score of its term.
    pub share: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DegreeWhy {
    pub predicate: String,
    pub degree: f64,
}

/// A question as it was planned, with what its leaves are worth.
pub(super) struct Asked<'a> {
    pub(super) planned: &'a Planned,
    pub(super) idf: &'a [f64],
}

impl Asked<'_> {
    /// Why a document of a collection was found.
    pub(super) fn explain(
        &self,
        searcher: &Searcher,
        hit: &Ranked,
        collection: &str,
        use_weights: bool,
    ) -> Result<Why, SearchError> {
        explain(searcher, self, hit, collection, use_weights)
    }

    /// Whether what a leaf stands for is searched in a collection at all.
    fn concerns(&self, leaf: &Leaf, collection: &str) -> bool {
        let alternative = leaf.alternative.map(|number| &self.planned.alternatives[number]);
        alternative.is_none_or(|(only, _)| only.as_ref().is_none_or(|only| only == collection))
    }
}

fn explain(
    searcher: &Searcher,
    asked: &Asked<'_>,
    hit: &Ranked,
    collection: &str,
    use_weights: bool,
) -> Result<Why, SearchError> {
    let planned = asked.planned;
    let mut terms = Vec::new();
    let leaves = planned.leaves.iter().zip(asked.idf);
    for (leaf, idf) in leaves.filter(|(leaf, _)| asked.concerns(leaf, collection)) {
        let fields = leaf_fields(searcher, &leaf.kind, hit, use_weights)?;
        let evidence: f64 = fields.iter().map(|field| field.evidence).sum();
        if evidence <= 0.0 {
            continue;
        }
        let alternative = leaf.alternative.map(|number| &planned.alternatives[number].1);
        let weight = alternative.map_or(1.0, |it| it.weight.clamp(0.0, 1.0));
        let saturated = saturate(evidence, searcher.parameters().k1);
        terms.push(TermWhy {
            term: leaf.shown.clone(),
            place: leaf.place.clone(),
            in_query: leaf.frequency,
            idf: *idf,
            evidence,
            score: leaf.frequency * idf * saturated * weight,
            alternative: alternative.map(|it| (it.id.clone(), it.note.clone())),
            fields: with_shares(fields, evidence),
        });
    }
    terms.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut degrees = Vec::new();
    for restriction in &planned.restrictions {
        let found = restriction.find(searcher, hit.segment as usize, use_weights);
        let found = found.map_err(|cause| searcher.broken(cause))?;
        let Ok(at) = found.docs.binary_search(&hit.doc) else { continue };
        let degree = found.degrees.map_or(1.0, |degrees| f64::from(degrees[at]));
        if degree < 1.0 {
            degrees.push(DegreeWhy { predicate: restriction.to_string(), degree });
        }
    }
    Ok(Why { terms, degrees })
}

fn with_shares(mut fields: Vec<FieldWhy>, evidence: f64) -> Vec<FieldWhy> {
    for field in &mut fields {
        field.share = field.evidence / evidence;
    }
    fields.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
    fields
}

fn leaf_fields(
    searcher: &Searcher,
    kind: &LeafKind,
    hit: &Ranked,
    use_weights: bool,
) -> Result<Vec<FieldWhy>, SearchError> {
    let segment = &searcher.segments()[hit.segment as usize];
    let statistics = searcher.statistics();
    let mut fields = Vec::new();
    match kind {
        LeafKind::Words(postings) => {
            for posting in postings {
                let found = evidence_in(segment, hit.doc, posting, statistics, use_weights);
                let Some(found) = found.map_err(|cause| searcher.broken(cause))? else { continue };
                let field = posting.list.field();
                let list = match posting.list {
                    PostingList::Words(_) => "words",
                    PostingList::Pieces(_) => "pieces",
                    PostingList::Subjects => "subjects",
                };
                fields.push(FieldWhy {
                    field,
                    list,
                    form: word_of(posting.term.trim_start_matches(SCHEME)).0.to_owned(),
                    frequency: found.frequency,
                    weight: found.weight,
                    length: found.length,
                    average_length: statistics.average(field),
                    evidence: found.evidence,
                    share: 0.0,
                });
            }
        }
        LeafKind::Phrase { fields: asked, .. } | LeafKind::Near { fields: asked, .. } => {
            for field in asked {
                let one = [*field];
                let found = searcher.gather_in(segment, kind, &one, use_weights)?;
                let Ok(at) = found.docs.binary_search(&hit.doc) else { continue };
                let length = segment.field(*field).lengths.fieldnorm(hit.doc);
                let evidence = f64::from(found.evidence[at]);
                let code = segment.field(*field).lengths.fieldnorm_id(hit.doc);
                let trusted = evidence / f64::from(statistics.worth(*field, code));
                fields.push(FieldWhy {
                    field: *field,
                    list: "words",
                    form: String::new(),
                    frequency: trusted.ceil() as u32,
                    weight: trusted / trusted.ceil().max(1.0),
                    length,
                    average_length: statistics.average(*field),
                    evidence,
                    share: 0.0,
                });
            }
        }
    }
    Ok(fields)
}

//! Which documents are meant, and to what degree.
//!
//! Predicates on columns look at every document of a segment, which is quicker than it sounds and needs no lists.
//! Degrees are scaled by the weight of the statement they rest on.

use super::evaluate::Found;
use super::expand::Expanded;
use super::facet::Facet;
use super::searcher::Searcher;
use crate::query::RangeColumn;
use crate::ranking::Segment;
use crate::schema::{STRIDE, WEIGHT_UNIT, column};
use auslese_words::fold;
use std::collections::BTreeMap;
use tantivy::columnar::Column;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

#[derive(Debug)]
pub(crate) enum Restriction {
    Facet {
        facet: Facet,
        value: String,
        prefix: bool,
    },
    Range {
        column: RangeColumn,
        from: Option<i64>,
        to: Option<i64>,
    },
    NearDate {
        first: i64,
        last: i64,
        scale: i64,
    },
    /// Names with their degrees.
    Persons(Vec<Expanded>),
    /// Subject terms with their degrees.
    Subjects(Vec<Expanded>),
}

/// Degrees below this do not count as holding.
const MIN_DEGREE: f64 = 0.05;

const DAY_MICROS: i64 = 86_400_000_000;

impl Restriction {
    /// The documents of a segment for which it holds.
    pub(crate) fn find(
        &self,
        searcher: &Searcher,
        number: usize,
        use_weights: bool,
    ) -> tantivy::Result<Found> {
        let segment = &searcher.segments()[number];
        match self {
            Restriction::Facet { facet, value, prefix } => {
                let table = searcher.facet_table(*facet)?;
                let wanted = table.matching(|it| has_value(*facet, it, value, *prefix));
                let holds = |doc| table.has_any(number, doc, &wanted).then_some(1.0);
                Ok(scan(segment, holds))
            }
            Restriction::Range { column, from, to } => range(segment, *column, *from, *to),
            Restriction::NearDate { first, last, scale } => {
                near_date(segment, *first, *last, *scale, use_weights)
            }
            Restriction::Persons(names) => {
                let weights = segment.field(crate::fields::TextField::Author).weights.as_ref();
                graded(segment, &segment.person, names, weights.filter(|_| use_weights))
            }
            Restriction::Subjects(terms) => {
                let weights = segment.subject_weights.as_ref().filter(|_| use_weights);
                graded(segment, &segment.subject, terms, weights)
            }
        }
    }
}

impl std::fmt::Display for Restriction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Restriction::Facet { facet, value, .. } => write!(f, "{}:{value}", facet.name()),
            Restriction::Range { column, .. } => write!(f, "{column:?} in range"),
            Restriction::NearDate { .. } => f.write_str("date near"),
            Restriction::Persons(_) => f.write_str("author similar"),
            Restriction::Subjects(_) => f.write_str("class equal or below"),
        }
    }
}

/// Whether a value of a facet is what was asked for; hosts stand for those below them, languages for their variants.
fn has_value(facet: Facet, value: &str, asked: &str, prefix: bool) -> bool {
    let value = fold(value);
    if prefix {
        return value.starts_with(asked);
    }
    value == asked
        || match facet {
            Facet::Host => value.strip_suffix(asked).is_some_and(|rest| rest.ends_with('.')),
            Facet::Language => value.strip_prefix(asked).is_some_and(|rest| rest.starts_with('-')),
            Facet::MediaType => value.strip_suffix(asked).is_some_and(|rest| rest.ends_with('/')),
            _ => false,
        }
}

fn scan(segment: &Segment, degree: impl Fn(DocId) -> Option<f64>) -> Found {
    let mut found = Found::default();
    let mut degrees = Vec::new();
    for doc in (0..segment.documents()).filter(|doc| segment.is_alive(*doc)) {
        if let Some(degree) = degree(doc) {
            found.docs.push(doc);
            found.scores.push(0.0);
            degrees.push(degree as f32);
        }
    }
    found.degrees = Some(degrees);
    found
}

fn range(
    segment: &Segment,
    column: RangeColumn,
    from: Option<i64>,
    to: Option<i64>,
) -> tantivy::Result<Found> {
    let (from, to) = (from.unwrap_or(i64::MIN), to.unwrap_or(i64::MAX));
    let within = |value: i64| (from..=to).contains(&value).then_some(1.0);
    let columns = segment.reader.fast_fields();
    let unsigned = |name: &str| -> tantivy::Result<Found> {
        let Some(values) = columns.column_opt::<u64>(name)? else { return Ok(Found::default()) };
        let value = |doc| values.first(doc).map(|it| i64::try_from(it).unwrap_or(i64::MAX));
        Ok(scan(segment, |doc| value(doc).and_then(within)))
    };
    let signed = |name: &str, unit: i64| -> tantivy::Result<Found> {
        let Some(values) = columns.column_opt::<i64>(name)? else { return Ok(Found::default()) };
        let value = |doc| values.first(doc).map(|it: i64| it.div_euclid(unit));
        Ok(scan(segment, |doc| value(doc).and_then(within)))
    };
    match column {
        RangeColumn::Date => signed(column::DAY, 1),
        RangeColumn::Captured => signed(column::CAPTURED, DAY_MICROS),
        RangeColumn::Size => unsigned(column::SIZE),
        RangeColumn::Versions => unsigned(column::VERSIONS),
    }
}

fn near_date(
    segment: &Segment,
    first: i64,
    last: i64,
    scale: i64,
    use_weights: bool,
) -> tantivy::Result<Found> {
    let columns = segment.reader.fast_fields();
    let Some(days) = columns.column_opt::<i64>(column::DAY)? else { return Ok(Found::default()) };
    let weights = columns.column_opt::<u64>(column::DAY_WEIGHT)?.filter(|_| use_weights);
    Ok(scan(segment, |doc| {
        let day = days.first(doc)?;
        let distance = (first - day).max(day - last).max(0);
        let near = (-(distance as f64) / scale as f64).exp();
        let weight = weights.as_ref().and_then(|it| it.first(doc));
        let degree = near * weight.map_or(1.0, |weight| weight as f64 / WEIGHT_UNIT);
        (degree >= MIN_DEGREE).then_some(degree)
    }))
}

/// The best degree of the terms that a document has.
fn graded(
    segment: &Segment,
    list: &InvertedIndexReader,
    terms: &[Expanded],
    weights: Option<&Column<u64>>,
) -> tantivy::Result<Found> {
    let mut best: BTreeMap<DocId, f64> = BTreeMap::new();
    let mut positions = Vec::new();
    for term in terms {
        let Some(info) = list.terms().get(term.word.as_bytes())? else { continue };
        let option = IndexRecordOption::WithFreqsAndPositions;
        let mut postings = list.read_postings_from_terminfo(&info, option)?;
        while postings.doc() != TERMINATED {
            let doc = postings.doc();
            if segment.is_alive(doc) {
                postings.positions(&mut positions);
                let weight = weights.map_or(1.0, |weights| {
                    let rows: Vec<u64> = weights.values_for_doc(doc).collect();
                    let of = |position: &u32| rows.get((position / STRIDE) as usize).copied();
                    let weights = positions.iter().filter_map(of);
                    weights.max().map_or(1.0, |weight| weight as f64 / WEIGHT_UNIT)
                });
                let degree = f64::from(term.degree) * weight;
                let entry = best.entry(doc).or_insert(0.0);
                *entry = entry.max(degree);
            }
            postings.advance();
        }
    }
    best.retain(|_, degree| *degree >= MIN_DEGREE);
    let mut found = Found::default();
    let mut degrees = Vec::new();
    for (doc, degree) in best {
        found.docs.push(doc);
        found.scores.push(0.0);
        degrees.push(degree as f32);
    }
    found.degrees = Some(degrees);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        #[rustfmt::skip]
        let cases = [
            (Facet::Host,      "www.Uni-Ulm.de",  "uni-ulm.de", false, true),
            (Facet::Host,      "www.muni-ulm.de", "uni-ulm.de", false, false),
            (Facet::Language,  "de-AT",           "de",         false, true),
            (Facet::Language,  "den",             "de",         false, false),
            (Facet::MediaType, "application/pdf", "pdf",        false, true),
            (Facet::MediaType, "text/html",       "text/",      true,  true),
            (Facet::Type,      "Aufsatz",         "aufsatz",    false, true),
            (Facet::Type,      "Aufsatz",         "auf",        false, false),
        ];
        for (facet, value, asked, prefix, expected) in cases {
            assert_eq!(has_value(facet, value, asked, prefix), expected, "{value} {asked}");
        }
    }
}

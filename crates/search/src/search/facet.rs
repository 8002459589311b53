//! Properties by which hits are counted and filtered.
//!
//! The values of a facet in all segments are joined into one table when they are first needed, so counting is adding to
//! a list of numbers.

use crate::document::year_of;
use crate::index::optional_strings;
use crate::ranking::Segment;
use crate::schema::{WEIGHT_UNIT, column};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tantivy::DocId;
use tantivy::columnar::Column;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Facet {
    Host,
    Institution,
    Type,
    Language,
    MediaType,
    Format,
    Source,
    Kept,
    Collection,
    Keyword,
    Year,
    /// How sure the title is: high from 0.8, middle from 0.5, low below.
    WeightClass,
}

impl Facet {
    pub const ALL: [Facet; 12] = [
        Facet::Host,
        Facet::Institution,
        Facet::Type,
        Facet::Language,
        Facet::MediaType,
        Facet::Format,
        Facet::Source,
        Facet::Kept,
        Facet::Collection,
        Facet::Keyword,
        Facet::Year,
        Facet::WeightClass,
    ];

    /// Those with a column of their own; the others are computed.
    pub(crate) const STORED: [Facet; 10] = [
        Facet::Host,
        Facet::Institution,
        Facet::Type,
        Facet::Language,
        Facet::MediaType,
        Facet::Format,
        Facet::Source,
        Facet::Kept,
        Facet::Collection,
        Facet::Keyword,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Facet::Host => "host",
            Facet::Institution => "institution",
            Facet::Type => "type",
            Facet::Language => "language",
            Facet::MediaType => "media-type",
            Facet::Format => "format",
            Facet::Source => "source",
            Facet::Kept => "kept",
            Facet::Collection => "collection",
            Facet::Keyword => "keyword",
            Facet::Year => "year",
            Facet::WeightClass => "weight-class",
        }
    }

    pub fn parse(name: &str) -> Option<Facet> {
        Facet::ALL.into_iter().find(|facet| facet.name() == name)
    }

    pub(crate) fn column(self) -> String {
        format!("facet_{}", self.name())
    }
}

/// Only documents with one of these values, or only those with none of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FacetFilter {
    pub facet: Facet,
    pub values: Vec<String>,
    pub exclude: bool,
}

/// How many hits have each value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FacetCounts {
    pub facet: Facet,
    /// Most frequent first, years newest first.
    pub values: Vec<(String, u64)>,
    /// Values that are not shown.
    pub further_values: u64,
}

/// The values of a facet over all segments.
#[derive(Debug)]
pub(crate) struct FacetTable {
    pub(crate) values: Vec<String>,
    columns: Vec<FacetColumn>,
}

#[derive(Debug)]
enum FacetColumn {
    Missing,
    /// With the number in the table for each number in the segment.
    Strings(Column<u64>, Vec<u32>),
    /// With the number of the table's first year.
    Years(Column<i64>, i64),
    Weights(Column<u64>),
}

impl FacetTable {
    pub(crate) fn build(facet: Facet, segments: &[Segment]) -> tantivy::Result<FacetTable> {
        match facet {
            Facet::Year => years(segments),
            Facet::WeightClass => weight_classes(segments),
            facet => strings(facet, segments),
        }
    }

    /// Hands the number of each value of a document to `take`.
    pub(crate) fn values_of(&self, segment: usize, doc: DocId, mut take: impl FnMut(usize)) {
        match &self.columns[segment] {
            FacetColumn::Missing => {}
            FacetColumn::Strings(column, numbers) => {
                for number in column.values_for_doc(doc) {
                    take(numbers[number as usize] as usize);
                }
            }
            FacetColumn::Years(column, first) => {
                if let Some(day) = column.first(doc) {
                    take((year_of(day) - first) as usize);
                }
            }
            FacetColumn::Weights(column) => {
                if let Some(weight) = column.first(doc) {
                    take(weight_class(weight as f64 / WEIGHT_UNIT));
                }
            }
        }
    }

    /// Which values a test holds for, by number.
    pub(crate) fn matching(&self, test: impl Fn(&str) -> bool) -> Vec<bool> {
        self.values.iter().map(|value| test(value)).collect()
    }

    pub(crate) fn has_any(&self, segment: usize, doc: DocId, wanted: &[bool]) -> bool {
        let mut found = false;
        self.values_of(segment, doc, |value| found |= wanted[value]);
        found
    }

    pub(crate) fn counts(&self, facet: Facet, counts: &[u64], shown: usize) -> FacetCounts {
        let counted = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let mut numbers: Vec<usize> = counted.map(|(number, _)| number).collect();
        let further_values = numbers.len().saturating_sub(shown) as u64;
        // Values are sorted, so the smaller number is the earlier value.
        let by_count = |number: &usize| (std::cmp::Reverse(counts[*number]), *number);
        match facet {
            Facet::Year => numbers.reverse(),
            // High, middle, low.
            Facet::WeightClass => {}
            _ => {
                if shown > 0 && numbers.len() > shown {
                    numbers.select_nth_unstable_by_key(shown - 1, by_count);
                    numbers.truncate(shown);
                }
                numbers.sort_unstable_by_key(by_count);
            }
        }
        numbers.truncate(shown);
        let value = |number: usize| (self.values[number].clone(), counts[number]);
        FacetCounts { facet, values: numbers.into_iter().map(value).collect(), further_values }
    }
}

const WEIGHT_CLASSES: [&str; 3] = ["high", "middle", "low"];

fn weight_class(weight: f64) -> usize {
    match weight {
        weight if weight >= 0.8 => 0,
        weight if weight >= 0.5 => 1,
        _ => 2,
    }
}

fn strings(facet: Facet, segments: &[Segment]) -> tantivy::Result<FacetTable> {
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut opened = Vec::new();
    for segment in segments {
        let column = optional_strings(&segment.reader, &facet.column())?;
        let mut own = Vec::new();
        if let Some(column) = &column {
            let mut stream = column.dictionary().stream()?;
            while stream.advance() {
                own.push(String::from_utf8_lossy(stream.key()).into_owned());
            }
        }
        numbers.extend(own.iter().map(|value| (value.clone(), 0)));
        opened.push((column, own));
    }
    for (number, slot) in numbers.values_mut().enumerate() {
        *slot = number as u32;
    }
    let by_value: FxHashMap<&str, u32> =
        numbers.iter().map(|(value, number)| (value.as_str(), *number)).collect();
    let columns = opened.into_iter().map(|(column, own)| match column {
        None => FacetColumn::Missing,
        Some(column) => {
            let own = own.iter().map(|value| by_value[value.as_str()]).collect();
            FacetColumn::Strings(column.ords().clone(), own)
        }
    });
    let columns = columns.collect();
    Ok(FacetTable { values: numbers.into_keys().collect(), columns })
}

fn years(segments: &[Segment]) -> tantivy::Result<FacetTable> {
    let mut opened = Vec::new();
    let mut range: Option<(i64, i64)> = None;
    for segment in segments {
        let column = segment.reader.fast_fields().column_opt::<i64>(column::DAY)?;
        if let Some(column) = &column {
            let (first, last) = (year_of(column.min_value()), year_of(column.max_value()));
            range = Some(range.map_or((first, last), |(a, b)| (a.min(first), b.max(last))));
        }
        opened.push(column);
    }
    let (first, last) = range.unwrap_or((0, -1));
    let columns = opened
        .into_iter()
        .map(|column| column.map_or(FacetColumn::Missing, |it| FacetColumn::Years(it, first)));
    let columns = columns.collect();
    Ok(FacetTable { values: (first..=last).map(|year| year.to_string()).collect(), columns })
}

fn weight_classes(segments: &[Segment]) -> tantivy::Result<FacetTable> {
    let columns = segments.iter().map(|segment| {
        let column = segment.reader.fast_fields().column_opt::<u64>(column::TITLE_WEIGHT)?;
        Ok(column.map_or(FacetColumn::Missing, FacetColumn::Weights))
    });
    let columns = columns.collect::<tantivy::Result<_>>()?;
    Ok(FacetTable { values: WEIGHT_CLASSES.map(str::to_owned).into(), columns })
}

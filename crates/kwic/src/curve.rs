//! How frequent nodes are over time.
//!
//! Texts are grouped by year or month; a text whose date is not known finely enough is counted
//! apart. Only periods with texts are listed: where there is no text, nothing was written that could
//! be counted, which is not the same as zero.

use crate::measures::per_million;
use crate::query::Hit;
use crate::sheet::{Field, Sheet};
use crate::text::{Period, Step};
use crate::tokens::Reading;
use crate::{Text, Totals};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Nodes of one curve.
pub const MAX_CURVE_NODES: usize = 20;
/// Years that are believed; texts of others count as undated.
pub const CURVE_YEARS: RangeInclusive<i32> = 1..=9_999;

/// Counts hits of several nodes by time.
#[derive(Debug, Clone)]
pub struct Curve {
    step: Step,
    names: Vec<String>,
    periods: BTreeMap<Period, PeriodCounts>,
    undated: PeriodCounts,
}

#[derive(Debug, Clone, Default)]
struct PeriodCounts {
    tokens: u64,
    texts: u64,
    texts_cut: u64,
    /// Hits and texts with hits of each node.
    nodes: Vec<(u64, u64)>,
}

impl Curve {
    /// A curve for nodes with these names; those beyond [`MAX_CURVE_NODES`] are left out.
    pub fn new(step: Step, names: &[&str]) -> Curve {
        let names = names.iter().take(MAX_CURVE_NODES).map(|name| (*name).to_owned()).collect();
        Curve { step, names, periods: BTreeMap::new(), undated: PeriodCounts::default() }
    }

    /// Adds a text with the hits of each node, in the order of their names.
    pub fn push(&mut self, reading: &Reading<'_>, hits: &[&[Hit]]) {
        let nodes = self.names.len();
        let counts = self.counts_of(&reading.text);
        counts.tokens += reading.len() as u64;
        counts.texts += 1;
        counts.texts_cut += u64::from(reading.is_cut());
        counts.nodes.resize(nodes, (0, 0));
        for (node, hits) in counts.nodes.iter_mut().zip(hits) {
            node.0 += hits.len() as u64;
            node.1 += u64::from(!hits.is_empty());
        }
    }

    /// Counts a text that is known to have no hit, of which only date and size are known.
    pub fn push_absent(&mut self, text: &Text<'_>, tokens: u64) {
        let counts = self.counts_of(text);
        counts.tokens += tokens;
        counts.texts += 1;
    }

    fn counts_of(&mut self, text: &Text<'_>) -> &mut PeriodCounts {
        match text.period(self.step).filter(|period| CURVE_YEARS.contains(&period.year)) {
            Some(period) => self.periods.entry(period).or_default(),
            None => &mut self.undated,
        }
    }

    /// Adds what was counted in other texts for the same nodes.
    pub fn merge(&mut self, other: Curve) {
        for (period, counts) in other.periods {
            self.periods.entry(period).or_default().merge(&counts);
        }
        self.undated.merge(&other.undated);
    }

    /// The curve, smoothed over so many periods before and behind each; 0 leaves it as it is.
    pub fn finish(self, smoothing: u32) -> CurveTable {
        let mut all = PeriodCounts::default();
        self.periods.values().chain([&self.undated]).for_each(|counts| all.merge(counts));
        let nodes = self.names.iter().enumerate().map(|(number, name)| {
            let points = self.periods.iter().map(|(period, counts)| {
                let (hits, documents) = counts.node(number);
                CurvePoint {
                    period: *period,
                    hits,
                    documents,
                    per_million: per_million(hits, counts.tokens),
                    smoothed: (smoothing > 0).then(|| self.smoothed(*period, number, smoothing)),
                    tokens: counts.tokens,
                    texts: counts.texts,
                }
            });
            let (hits, documents) = all.node(number);
            CurveNode {
                node: name.clone(),
                totals: Totals {
                    hits,
                    documents,
                    texts: all.texts,
                    tokens: all.tokens,
                    texts_cut: all.texts_cut,
                },
                undated_hits: self.undated.node(number).0,
                points: points.collect(),
            }
        });
        CurveTable {
            step: self.step,
            smoothing,
            undated_texts: self.undated.texts,
            undated_tokens: self.undated.tokens,
            nodes: nodes.collect(),
        }
    }

    /// Hits by tokens of all neighbours together: large years weigh more than small ones.
    fn smoothed(&self, at: Period, node: usize, smoothing: u32) -> f64 {
        let near = |period: &Period| period.number().abs_diff(at.number()) <= u64::from(smoothing);
        let before = self.periods.range(..at).rev().take_while(|(period, _)| near(period));
        let behind = self.periods.range(at..).take_while(|(period, _)| near(period));
        let (hits, tokens) = before.chain(behind).fold((0, 0), |(hits, tokens), (_, counts)| {
            (hits + counts.node(node).0, tokens + counts.tokens)
        });
        per_million(hits, tokens)
    }
}

impl PeriodCounts {
    fn node(&self, number: usize) -> (u64, u64) {
        self.nodes.get(number).copied().unwrap_or((0, 0))
    }

    fn merge(&mut self, other: &PeriodCounts) {
        self.tokens += other.tokens;
        self.texts += other.texts;
        self.texts_cut += other.texts_cut;
        self.nodes.resize(self.nodes.len().max(other.nodes.len()), (0, 0));
        for (mine, theirs) in self.nodes.iter_mut().zip(&other.nodes) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }
}

/// Frequencies over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurveTable {
    pub step: Step,
    pub smoothing: u32,
    pub undated_texts: u64,
    pub undated_tokens: u64,
    pub nodes: Vec<CurveNode>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurveNode {
    pub node: String,
    /// Undated texts included.
    #[serde(flatten)]
    pub totals: Totals,
    pub undated_hits: u64,
    pub points: Vec<CurvePoint>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurvePoint {
    pub period: Period,
    pub hits: u64,
    /// Texts with hits.
    pub documents: u64,
    /// Per million tokens of the period.
    pub per_million: f64,
    pub smoothed: Option<f64>,
    pub tokens: u64,
    pub texts: u64,
}

impl CurveTable {
    pub fn sheet(&self) -> Sheet {
        let rows = self.nodes.iter().flat_map(|node| {
            node.points.iter().map(|point| {
                vec![
                    Field::text(&node.node),
                    Field::Text(point.period.to_string()),
                    Field::Count(point.hits),
                    Field::Count(point.documents),
                    Field::Number(point.per_million),
                    Field::number(point.smoothed),
                    Field::Count(point.tokens),
                    Field::Count(point.texts),
                ]
            })
        });
        let head = vec![
            "node",
            "period",
            "count",
            "documents",
            "per million",
            "smoothed",
            "tokens",
            "texts",
        ];
        Sheet { head, rows: rows.collect() }
    }
}

//! The order of hits: by score, date, time of capture, title or host; ties in the order of collections and keys.

use super::evaluate::Found;
use super::facet::Facet;
use super::request::Sort;
use super::searcher::Searcher;
use crate::schema::column;
use tantivy::DocId;

/// A document in the order of hits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranked {
    /// Smaller is earlier.
    order: (u64, u64),
    pub(crate) score: f32,
    pub(crate) segment: u32,
    pub(crate) doc: DocId,
}

impl Searcher {
    pub(super) fn ranked(
        &self,
        number: usize,
        sort: Sort,
        found: Found,
    ) -> tantivy::Result<Vec<Ranked>> {
        let segment = &self.segments()[number];
        let columns = segment.reader.fast_fields();
        let latest_first = |value: Option<i64>| (value.map_or(u64::MAX, |it| !shifted(it)), 0);
        let order: Box<dyn Fn(DocId, f32) -> (u64, u64)> = match sort {
            // Scores are not negative, so their bits are in their order.
            Sort::Relevance => Box::new(|_, score| (u64::from(!score.to_bits()), 0)),
            Sort::Date => {
                let days = columns.column_opt::<i64>(column::DAY)?;
                Box::new(move |doc, _| latest_first(days.as_ref().and_then(|it| it.first(doc))))
            }
            Sort::Captured => {
                let times = columns.column_opt::<i64>(column::CAPTURED)?;
                Box::new(move |doc, _| latest_first(times.as_ref().and_then(|it| it.first(doc))))
            }
            Sort::Title => {
                let [first, second] = column::TITLE_LETTERS;
                let (first, second) = (columns.u64(first)?, columns.u64(second)?);
                Box::new(move |doc, _| {
                    (first.first(doc).unwrap_or(0), second.first(doc).unwrap_or(0))
                })
            }
            Sort::Host => {
                let table = self.facet_table(Facet::Host)?;
                Box::new(move |doc, _| {
                    let mut host = u64::MAX;
                    table.values_of(number, doc, |value| host = host.min(value as u64));
                    (host, 0)
                })
            }
        };
        let ranked = found.docs.iter().zip(&found.scores).map(|(doc, score)| Ranked {
            order: order(*doc, *score),
            score: *score,
            segment: number as u32,
            doc: *doc,
        });
        Ok(ranked.collect())
    }

    /// The first so many, in order; ties in the order of collections and keys.
    pub(super) fn in_order(
        &self,
        ranked: impl IntoIterator<Item = Ranked>,
        window: usize,
    ) -> Vec<Ranked> {
        let mut ranked: Vec<Ranked> = ranked.into_iter().collect();
        if window == 0 {
            return Vec::new();
        }
        if ranked.len() > window {
            // Keys are looked up for those only that may be shown.
            let (_, last, _) = ranked.select_nth_unstable_by_key(window - 1, |it| it.order);
            let last = last.order;
            ranked.retain(|it| it.order <= last);
        }
        let tie = |it: &Ranked| {
            let segment = &self.segments()[it.segment as usize];
            (segment.group, segment.key(it.doc))
        };
        ranked.sort_by_cached_key(|it| (it.order, tie(it)));
        ranked.truncate(window);
        ranked
    }

    /// Ranks documents that were scored elsewhere.
    pub(crate) fn best_of(
        &self,
        scored: impl IntoIterator<Item = (usize, DocId, f32)>,
        window: usize,
    ) -> Vec<Ranked> {
        let ranked = scored.into_iter().map(|(segment, doc, score)| Ranked {
            order: (u64::from(!score.to_bits()), 0),
            score,
            segment: segment as u32,
            doc,
        });
        self.in_order(ranked, window)
    }
}

/// Signed numbers as unsigned ones in the same order.
fn shifted(value: i64) -> u64 {
    (value as u64) ^ (1 << 63)
}

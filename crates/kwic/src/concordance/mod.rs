//! Concordances: every hit as a line, the node in the middle.
//!
//! Counts are exact always; lines are kept as far as memory allows. Which lines stay is decided by
//! a number drawn from seed, document and place alone: the lowest stay. So what is kept is a fair
//! sample, the same for the same seed, in whatever order or in how many threads texts arrive. A
//! sample asked for is drawn in the same way.

mod aligned;
mod context;
mod kept;
mod sort;
#[cfg(test)]
mod tests;

pub use aligned::{Beside, aligned_text};
pub use context::{Context, MAX_CONTEXT};
pub use kept::MAX_KEPT_BYTES;
pub use sort::{MAX_SORT_LEVELS, SortLevel, SortOrder};

use crate::Text;
use crate::query::Hit;
use crate::sheet::{Field, Sheet};
use crate::tokens::Reading;
use crate::totals::Totals;
use kept::{Kept, KeptLine, Place};
use serde::Serialize;
use std::sync::Arc;

/// Lines that are kept at most, if nobody asks for fewer.
pub const MAX_LINES: usize = 100_000;

/// What a concordance shows, and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConcordanceOptions {
    pub context: Context,
    /// Without levels, lines stand in the order of documents and places.
    pub sort: SortOrder,
    /// Draw so many lines.
    pub sample: Option<usize>,
    pub seed: u64,
    /// Lines to skip, after sorting.
    pub offset: usize,
    /// Lines to show, after sorting.
    pub limit: Option<usize>,
    /// Lines held in memory; at most [`MAX_LINES`].
    pub max_lines: usize,
}

impl Default for ConcordanceOptions {
    fn default() -> ConcordanceOptions {
        ConcordanceOptions {
            context: Context::default(),
            sort: SortOrder::default(),
            sample: None,
            seed: 0,
            offset: 0,
            limit: None,
            max_lines: MAX_LINES,
        }
    }
}

/// Gathers lines from texts.
#[derive(Debug, Clone)]
pub struct Concordance {
    options: ConcordanceOptions,
    kept: Kept,
    totals: Totals,
}

impl Concordance {
    pub fn new(options: ConcordanceOptions) -> Concordance {
        let limit = options.max_lines.min(MAX_LINES).min(options.sample.unwrap_or(usize::MAX));
        Concordance { kept: Kept::new(limit), options, totals: Totals::default() }
    }

    /// Adds the hits of a text, as [`crate::Matcher::find`] gives them.
    pub fn push(&mut self, reading: &Reading<'_>, hits: &[Hit]) {
        self.totals.count(reading, hits.len());
        let mut source = None;
        for hit in hits {
            let place = Place::new(self.options.seed, reading.text.key, hit.start);
            if !self.kept.wants(&place, reading.text.key) {
                continue;
            }
            let source = source.get_or_insert_with(|| Arc::new(Source::of(&reading.text)));
            self.kept.add(self.line(reading, *hit, place, Arc::clone(source)));
        }
    }

    /// Counts a text that is known to have no hit, of which only the size is known.
    pub fn push_absent(&mut self, tokens: u64) {
        self.totals.count_absent(tokens);
    }

    /// Adds what was gathered from other texts with the same options.
    pub fn merge(&mut self, other: Concordance) {
        self.totals.merge(other.totals);
        self.kept.merge(other.kept);
    }

    fn line(&self, reading: &Reading<'_>, hit: Hit, place: Place, source: Arc<Source>) -> KeptLine {
        let shown = context::around(reading, hit, self.options.context);
        let span = reading.span(hit.tokens().start);
        let end = reading.span(hit.tokens().end - 1).end;
        KeptLine {
            place,
            source,
            span: (span.start, end),
            sort_key: self.options.sort.key(reading, hit),
            left: shown.left.into(),
            node: shown.node.into(),
            right: shown.right.into(),
        }
    }

    /// The page that was asked for.
    pub fn finish(self) -> ConcordancePage {
        let limit = self.options.limit.unwrap_or(usize::MAX);
        let lines_kept = self.kept.len();
        let mut lines = self.kept.into_lines();
        lines.sort_unstable_by(|a, b| {
            let documents =
                || (&a.source.key, a.place.position).cmp(&(&b.source.key, b.place.position));
            a.sort_key.cmp(&b.sort_key).then_with(documents)
        });
        let page = lines.into_iter().skip(self.options.offset).take(limit);
        let wanted =
            self.options.sample.map_or(self.totals.hits, |n| self.totals.hits.min(n as u64));
        ConcordancePage {
            totals: self.totals,
            per_million: self.totals.per_million(),
            lines_kept: lines_kept as u64,
            is_sample: (lines_kept as u64) < self.totals.hits,
            lines_cut: wanted - (lines_kept as u64).min(wanted),
            seed: self.options.seed,
            offset: self.options.offset,
            lines: page.map(Line::from).collect(),
        }
    }
}

/// A part of a concordance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConcordancePage {
    #[serde(flatten)]
    pub totals: Totals,
    pub per_million: f64,
    /// Lines from which the page was taken.
    pub lines_kept: u64,
    /// Whether these are fewer than there are hits.
    pub is_sample: bool,
    /// Lines that were wanted and not kept, since the limit was reached; the kept ones are a fair
    /// sample.
    pub lines_cut: u64,
    pub seed: u64,
    pub offset: usize,
    pub lines: Vec<Line>,
}

/// A hit with what stands around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    #[serde(flatten)]
    pub source: Source,
    /// The number of the first token of the node within its text, from 0.
    pub position: u32,
    /// Where the node stands in the text, in bytes.
    pub start: usize,
    pub end: usize,
    pub left: String,
    pub node: String,
    pub right: String,
}

/// The text a line was taken from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    pub key: String,
    pub url: Option<String>,
    pub host: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub year: Option<i32>,
    pub language: Option<String>,
    pub collection: Option<String>,
}

impl Source {
    fn of(text: &Text<'_>) -> Source {
        let owned = |tag: Option<&str>| tag.map(str::to_owned);
        Source {
            key: text.key.to_owned(),
            url: owned(text.url),
            host: owned(text.host),
            kind: owned(text.kind),
            year: text.year,
            language: owned(text.language),
            collection: owned(text.collection),
        }
    }

    fn bytes(&self) -> usize {
        let tags = [&self.url, &self.host, &self.kind, &self.language, &self.collection];
        let tags = tags.iter().filter_map(|tag| tag.as_ref()).map(String::len);
        self.key.len() + tags.sum::<usize>() + size_of::<Source>()
    }
}

impl From<KeptLine> for Line {
    fn from(line: KeptLine) -> Line {
        Line {
            position: line.place.position,
            start: line.span.0,
            end: line.span.1,
            left: line.left.into(),
            node: line.node.into(),
            right: line.right.into(),
            source: Arc::unwrap_or_clone(line.source),
        }
    }
}

impl ConcordancePage {
    pub fn sheet(&self) -> Sheet {
        let head = vec![
            "left",
            "node",
            "right",
            "document",
            "url",
            "host",
            "type",
            "year",
            "language",
            "collection",
            "position",
        ];
        let row = |line: &Line| {
            let source = &line.source;
            vec![
                Field::text(&line.left),
                Field::text(&line.node),
                Field::text(&line.right),
                Field::text(&source.key),
                Field::maybe(source.url.as_ref()),
                Field::maybe(source.host.as_ref()),
                Field::maybe(source.kind.as_ref()),
                source.year.map_or(Field::Missing, |year| Field::Text(year.to_string())),
                Field::maybe(source.language.as_ref()),
                Field::maybe(source.collection.as_ref()),
                Field::Count(line.position.into()),
            ]
        };
        Sheet { head, rows: self.lines.iter().map(row).collect() }
    }
}

//! Reads postings of the alternatives of one query word and adds up the evidence per document.

use super::{Segment, Statistics};
use crate::fields::TextField;
use crate::schema::{STRIDE, WEIGHT_UNIT};
use serde::Serialize;
use tantivy::columnar::Column;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

/// A list of postings of a field of words, or that of subject terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PostingList {
    Words(TextField),
    Pieces(TextField),
    Subjects,
}

impl PostingList {
    /// The field that a hit is counted to.
    pub(crate) fn field(self) -> TextField {
        match self {
            PostingList::Words(field) | PostingList::Pieces(field) => field,
            PostingList::Subjects => TextField::Keywords,
        }
    }

    fn reader(self, segment: &Segment) -> Option<&InvertedIndexReader> {
        match self {
            PostingList::Words(field) => Some(&segment.field(field).words),
            PostingList::Pieces(field) => segment.field(field).pieces.as_deref(),
            PostingList::Subjects => Some(&segment.subject),
        }
    }

    fn weights(self, segment: &Segment) -> Option<&Column<u64>> {
        match self {
            PostingList::Subjects => segment.subject_weights.as_ref(),
            list => segment.field(list.field()).weights.as_ref(),
        }
    }
}

/// One alternative: a term of a list, and what it is worth among the alternatives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Posting {
    pub(crate) list: PostingList,
    pub(crate) term: String,
    pub(crate) factor: f32,
}

/// Documents of a segment, ascending, each with its evidence.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gathered {
    pub(crate) docs: Vec<DocId>,
    pub(crate) evidence: Vec<f32>,
}

/// How one alternative contributes to one document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Evidence {
    pub(crate) frequency: u32,
    /// Average weight of the statements that the occurrences stand in.
    pub(crate) weight: f64,
    pub(crate) length: u32,
    pub(crate) evidence: f64,
}

/// Adds up what all alternatives say.
pub(crate) fn gather(
    segment: &Segment,
    postings: &[Posting],
    statistics: &Statistics,
    use_weights: bool,
) -> tantivy::Result<Gathered> {
    let mut open = Vec::new();
    let mut total = 0;
    for posting in postings {
        if let Some(reader) = Reader::open(segment, posting, statistics, use_weights)? {
            total += reader.postings.doc_freq() as usize;
            open.push(reader);
        }
    }
    let is_alive = |doc: &DocId| segment.is_alive(*doc);
    if let [reader] = &mut open[..] {
        let mut gathered = Gathered::default();
        reader.for_each(is_alive, |doc, evidence| {
            gathered.docs.push(doc);
            gathered.evidence.push(evidence);
        });
        return Ok(gathered);
    }
    if total * SPARSE < segment.documents() as usize {
        return Ok(gather_sparse(open, is_alive));
    }
    Ok(gather_dense(open, is_alive, segment.documents()))
}

/// Below one of so many documents, sorting is quicker than a table of all.
const SPARSE: usize = 64;

fn gather_sparse(open: Vec<Reader<'_>>, is_alive: impl Fn(&DocId) -> bool) -> Gathered {
    let mut found: Vec<(DocId, f32)> = Vec::new();
    for mut reader in open {
        reader.for_each(&is_alive, |doc, evidence| found.push((doc, evidence)));
    }
    // Stable, so that sums do not depend on anything but the order of the alternatives.
    found.sort_by_key(|(doc, _)| *doc);
    let mut gathered = Gathered::default();
    for (doc, evidence) in found {
        if gathered.docs.last() == Some(&doc) {
            if let Some(last) = gathered.evidence.last_mut() {
                *last += evidence;
            }
        } else {
            gathered.docs.push(doc);
            gathered.evidence.push(evidence);
        }
    }
    gathered
}

fn gather_dense(
    open: Vec<Reader<'_>>,
    is_alive: impl Fn(&DocId) -> bool,
    documents: u32,
) -> Gathered {
    let mut sums = vec![f32::NAN; documents as usize];
    for mut reader in open {
        reader.for_each(&is_alive, |doc, evidence| {
            let sum = &mut sums[doc as usize];
            *sum = if sum.is_nan() { evidence } else { *sum + evidence };
        });
    }
    let mut gathered = Gathered::default();
    for (doc, evidence) in sums.into_iter().enumerate() {
        if !evidence.is_nan() {
            gathered.docs.push(doc as DocId);
            gathered.evidence.push(evidence);
        }
    }
    gathered
}

/// What one alternative says about one document; `None` if it does not occur there.
pub(crate) fn evidence_in(
    segment: &Segment,
    doc: DocId,
    posting: &Posting,
    statistics: &Statistics,
    use_weights: bool,
) -> tantivy::Result<Option<Evidence>> {
    let Some(mut reader) = Reader::open(segment, posting, statistics, use_weights)? else {
        return Ok(None);
    };
    if reader.postings.doc() < doc {
        reader.postings.seek(doc);
    }
    if reader.postings.doc() != doc {
        return Ok(None);
    }
    let frequency = reader.postings.term_freq();
    let trusted = reader.trusted_frequency();
    let length = segment.field(posting.list.field()).lengths.fieldnorm(doc);
    let evidence = f64::from(reader.evidence());
    let weight = f64::from(trusted) / f64::from(frequency.max(1));
    Ok(Some(Evidence { frequency, weight, length, evidence }))
}

struct Reader<'a> {
    postings: SegmentPostings,
    segment: &'a Segment,
    statistics: &'a Statistics,
    posting: &'a Posting,
    /// Weights of statements, if they are used and there are any.
    weights: Option<&'a Column<u64>>,
    positions: Vec<u32>,
}

impl<'a> Reader<'a> {
    fn open(
        segment: &'a Segment,
        posting: &'a Posting,
        statistics: &'a Statistics,
        use_weights: bool,
    ) -> tantivy::Result<Option<Reader<'a>>> {
        let Some(list) = posting.list.reader(segment) else { return Ok(None) };
        let Some(info) = list.terms().get(posting.term.as_bytes())? else { return Ok(None) };
        let weights = posting.list.weights(segment).filter(|_| use_weights);
        let option = match weights {
            Some(_) => IndexRecordOption::WithFreqsAndPositions,
            None => IndexRecordOption::WithFreqs,
        };
        let postings = list.read_postings_from_terminfo(&info, option)?;
        let positions = Vec::new();
        Ok(Some(Reader { postings, segment, statistics, posting, weights, positions }))
    }

    fn for_each(&mut self, is_alive: impl Fn(&DocId) -> bool, mut take: impl FnMut(DocId, f32)) {
        let mut doc = self.postings.doc();
        while doc != TERMINATED {
            if is_alive(&doc) {
                take(doc, self.evidence());
            }
            doc = self.postings.advance();
        }
    }

    fn evidence(&mut self) -> f32 {
        let trusted = self.trusted_frequency();
        let field = self.posting.list.field();
        let worth = match self.posting.list {
            // A whole term is one thing, however many others there are.
            PostingList::Subjects => self.statistics.worth(field, 1),
            _ => {
                let lengths = &self.segment.field(field).lengths;
                self.statistics.worth(field, lengths.fieldnorm_id(self.postings.doc()))
            }
        };
        self.posting.factor * worth * trusted
    }

    /// Occurrences, each counting as much as its statement is trusted.
    fn trusted_frequency(&mut self) -> f32 {
        let Some(weights) = self.weights else { return self.postings.term_freq() as f32 };
        self.postings.positions(&mut self.positions);
        let rows = weights.index.value_row_ids(self.postings.doc());
        let weight = |position: &u32| statement_weight(weights, &rows, position / STRIDE);
        self.positions.iter().map(weight).sum::<f64>() as f32
    }
}

/// The weight of a statement, by the rows of its document in the column.
pub(super) fn statement_weight(
    weights: &Column<u64>,
    rows: &std::ops::Range<u32>,
    statement: u32,
) -> f64 {
    let row = rows.start + statement;
    if row < rows.end { weights.values.get_val(row) as f64 / WEIGHT_UNIT } else { 1.0 }
}

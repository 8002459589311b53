//! How well a document answers: BM25F in which evidence is scaled by the weight of its statement.
//!
//! S. Robertson, H. Zaragoza, M. Taylor, "Simple BM25 extension to multiple weighted fields" (2004): the evidence of all
//! fields is added first and saturates afterwards, so a word in many fields is not counted many times over. Each
//! occurrence counts as much as the statement it stands in is trusted:
//!
//! ```text
//! tf′(t,d) = Σ_f w_f · Σ_i c_i · tf_i / (1 − b_f + b_f · len_f / avglen_f)
//! score    = Σ_t qtf · idf(t) · tf′ / (k1 + tf′),    idf(t) = ln(1 + (N − n + 0.5) / (n + 0.5))
//! ```
//!
//! Lengths are those of a document's field as tantivy keeps them (exact up to 40 words), averages are over documents that
//! have the field, and n counts the documents that have the word in any of the fields asked, by counting them. Words are
//! gathered one after the other (term at a time) and not document by document: that gives n exactly, shares the
//! statistics of several indexes, and is quick enough, since no list is read twice.

mod gather;
mod phrases;
mod segment;
mod statistics;

pub(crate) use gather::{Gathered, Posting, PostingList, evidence_in, gather};
pub(crate) use phrases::{gather_near, gather_phrase};
pub(crate) use segment::Segment;
pub(crate) use statistics::Statistics;

/// How rare a word is that `n` of `documents` have.
pub(crate) fn idf(documents: u64, n: u64) -> f64 {
    let n = n.min(documents) as f64;
    (1.0 + (documents as f64 - n + 0.5) / (n + 0.5)).ln()
}

/// More of the same counts for less.
pub(crate) fn saturate(evidence: f64, k1: f64) -> f64 {
    if evidence <= 0.0 { 0.0 } else { evidence / (k1 + evidence) }
}

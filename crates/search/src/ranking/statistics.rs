//! What all searched indexes have in common: how many documents there are, and how long their fields are on average.

use super::Segment;
use crate::fields::{RankingParameters, TextField};
use tantivy::fieldnorm::FieldNormReader;

#[derive(Debug, Clone)]
pub(crate) struct Statistics {
    pub(crate) documents: u64,
    averages: [f64; TextField::ALL.len()],
    /// What an occurrence in a field of this (coded) length is worth, weight of the field included.
    worth: Vec<[f32; 256]>,
}

impl Statistics {
    pub(crate) fn of(segments: &[Segment], parameters: &RankingParameters) -> Statistics {
        let documents = segments.iter().map(Segment::alive_documents).sum();
        let averages = TextField::ALL.map(|field| average_length(segments, field));
        let worth = TextField::ALL.map(|field| {
            let average = averages[field.index()];
            let parameters = parameters.field(field);
            std::array::from_fn(|code| {
                let length = f64::from(FieldNormReader::id_to_fieldnorm(code as u8));
                let norm = 1.0 - parameters.b + parameters.b * length / average;
                (parameters.weight / norm.max(f64::MIN_POSITIVE)) as f32
            })
        });
        Statistics { documents, averages, worth: worth.into() }
    }

    pub(crate) fn average(&self, field: TextField) -> f64 {
        self.averages[field.index()]
    }

    #[inline]
    pub(crate) fn worth(&self, field: TextField, length_code: u8) -> f32 {
        self.worth[field.index()][usize::from(length_code)]
    }
}

/// Over the documents that have the field at all; 1 if none has. Deleted ones do not count, so it is the same however
/// the documents are spread over indexes.
fn average_length(segments: &[Segment], field: TextField) -> f64 {
    let mut by_code = [0u64; 256];
    for segment in segments {
        let lengths = &segment.field(field).lengths;
        for doc in segment.alive() {
            by_code[usize::from(lengths.fieldnorm_id(doc))] += 1;
        }
    }
    let (mut documents, mut words) = (0u64, 0u64);
    for (code, count) in by_code.into_iter().enumerate() {
        let length = u64::from(FieldNormReader::id_to_fieldnorm(code as u8));
        if length > 0 {
            documents += count;
            words += count * length;
        }
    }
    if documents == 0 { 1.0 } else { words as f64 / documents as f64 }
}

//! What is read of one segment of an index: its lists of postings, lengths and columns, opened once.

use crate::fields::TextField;
use crate::index::{IndexPart, optional_u64};
use crate::schema::{IndexFields, column, weights_column};
use std::sync::Arc;
use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::{DocId, InvertedIndexReader, SegmentReader};

pub(crate) struct Segment {
    /// Which of the searched indexes it belongs to.
    pub(crate) index: usize,
    /// Which collection that index is a part of.
    pub(crate) group: usize,
    /// Which documents count here; none if all do.
    present: Option<Vec<bool>>,
    pub(crate) reader: SegmentReader,
    pub(crate) keys: Column<u64>,
    fields: Vec<SegmentField>,
    pub(crate) subject: Arc<InvertedIndexReader>,
    pub(crate) subject_weights: Option<Column<u64>>,
    pub(crate) person: Arc<InvertedIndexReader>,
}

pub(crate) struct SegmentField {
    pub(crate) words: Arc<InvertedIndexReader>,
    pub(crate) pieces: Option<Arc<InvertedIndexReader>>,
    pub(crate) lengths: FieldNormReader,
    pub(crate) weights: Option<Column<u64>>,
}

impl Segment {
    pub(crate) fn open(
        index: usize,
        part: &IndexPart,
        reader: &SegmentReader,
        fields: &IndexFields,
    ) -> tantivy::Result<Segment> {
        let keys = reader.fast_fields().u64(column::KEY)?;
        let present = part.holds.as_ref().map(|held| {
            let is_held = |doc| held_by(held, keys.first(doc).unwrap_or(0));
            (0..reader.max_doc()).map(is_held).collect()
        });
        let field = |field: TextField| {
            let lists = fields.lists(field);
            let list = |list| reader.inverted_index(list);
            Ok(SegmentField {
                words: list(lists.words)?,
                pieces: lists.pieces.map(list).transpose()?,
                lengths: reader.get_fieldnorms_reader(lists.words)?,
                weights: match field.has_weights() {
                    true => optional_u64(reader, &weights_column(field))?,
                    false => None,
                },
            })
        };
        Ok(Segment {
            index,
            group: part.group,
            present,
            reader: reader.clone(),
            keys,
            fields: TextField::ALL.into_iter().map(field).collect::<tantivy::Result<_>>()?,
            subject: reader.inverted_index(fields.subject)?,
            subject_weights: optional_u64(reader, column::SUBJECT_WEIGHTS)?,
            person: reader.inverted_index(fields.person)?,
        })
    }

    pub(crate) fn field(&self, field: TextField) -> &SegmentField {
        &self.fields[field.index()]
    }

    pub(crate) fn key(&self, doc: DocId) -> u64 {
        self.keys.first(doc).unwrap_or(0)
    }

    pub(crate) fn is_alive(&self, doc: DocId) -> bool {
        self.reader.alive_bitset().is_none_or(|alive| alive.is_alive(doc))
            && self.present.as_ref().is_none_or(|present| present[doc as usize])
    }

    /// The documents that count, in their order.
    pub(crate) fn alive(&self) -> impl Iterator<Item = DocId> {
        (0..self.documents()).filter(|doc| self.is_alive(*doc))
    }

    /// How many documents count.
    pub(crate) fn alive_documents(&self) -> u64 {
        match self.present {
            Some(_) => self.alive().count() as u64,
            None => u64::from(self.reader.num_docs()),
        }
    }

    pub(crate) fn documents(&self) -> u32 {
        self.reader.max_doc()
    }
}

/// Whether a key lies in one of some ranges, which are in order.
fn held_by(ranges: &[(u64, u64)], key: u64) -> bool {
    let at = ranges.partition_point(|(_, last)| *last < key);
    ranges.get(at).is_some_and(|(first, _)| *first <= key)
}

impl std::fmt::Debug for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Segment").field("index", &self.index).finish_non_exhaustive()
    }
}

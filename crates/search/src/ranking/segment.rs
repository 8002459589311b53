//! What is read of one segment of an index: its lists of postings, lengths and columns, opened once.

use crate::fields::TextField;
use crate::index::optional_u64;
use crate::schema::{IndexFields, column, weights_column};
use std::sync::Arc;
use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::{DocId, InvertedIndexReader, SegmentReader};

pub(crate) struct Segment {
    /// Which of the searched indexes it belongs to.
    pub(crate) index: usize,
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
        reader: &SegmentReader,
        fields: &IndexFields,
    ) -> tantivy::Result<Segment> {
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
            reader: reader.clone(),
            keys: reader.fast_fields().u64(column::KEY)?,
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
    }

    pub(crate) fn documents(&self) -> u32 {
        self.reader.max_doc()
    }
}

impl std::fmt::Debug for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Segment").field("index", &self.index).finish_non_exhaustive()
    }
}

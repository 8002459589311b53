//! A piece of an index: documents are added, then it is written at once.
//!
//! The files are tantivy's, made by what it offers for that; only how words get from documents into lists of postings is
//! not left to it.

use super::tokens::Tokens;
use super::vocabulary::{Vocabulary, Wanted};
use crate::analysis::{Analyzer, STATEMENT, WORD};
use crate::index::prepare::{Made, MadeList};
use crate::schema::STRIDE;
use std::hint::black_box;
use tantivy::directory::TerminatingWrite;
use tantivy::fastfield::FastFieldsWriter;
use tantivy::fieldnorm::{FieldNormReaders, FieldNormsSerializer, FieldNormsWriter};
use tantivy::index::{Segment, SegmentComponent};
use tantivy::postings::InvertedIndexSerializer;
use tantivy::schema::{Field, Schema};
use tantivy::store::StoreWriter;
use tantivy::{DocId, IndexWriter, TantivyDocument};

/// Words whose places in the vocabulary are waited for together.
const AT_ONCE: usize = 256;

pub(super) struct Piece {
    segment: Segment,
    schema: Schema,
    documents: DocId,
    vocabulary: Vocabulary,
    /// By field.
    tokens: Vec<Tokens>,
    /// Of the documents in their order, and their field.
    keys: Vec<u64>,
    key: Field,
    lengths: FieldNormsWriter,
    columns: FastFieldsWriter,
    store: StoreWriter,
    /// What the next part of a list consists of; kept for its memory.
    cuts: Vec<Cut>,
}

/// A part of a list.
#[derive(Debug, Clone, Copy)]
enum Cut {
    Word {
        start: usize,
        end: usize,
        wanted: Wanted,
    },
    /// A place without a word.
    Nothing,
    /// What follows lies at the next multiple of [`STRIDE`].
    Statement,
}

impl Piece {
    /// `key` is the field of the keys.
    pub(super) fn begin(segment: Segment, key: Field) -> tantivy::Result<Piece> {
        let (index, schema) = (segment.index(), segment.schema());
        let settings = index.settings();
        let store = StoreWriter::new(
            segment.open_write(SegmentComponent::Store)?,
            settings.docstore_compression,
            settings.docstore_blocksize,
            settings.docstore_compress_dedicated_thread,
        )?;
        let tokenizers = index.fast_field_tokenizer().clone();
        Ok(Piece {
            documents: 0,
            vocabulary: Vocabulary::new(),
            tokens: (0..schema.num_fields()).map(|_| Tokens::default()).collect(),
            keys: Vec::new(),
            key,
            lengths: FieldNormsWriter::for_schema(&schema),
            columns: FastFieldsWriter::from_schema_and_tokenizer_manager(&schema, tokenizers)?,
            store,
            cuts: Vec::new(),
            schema,
            segment,
        })
    }

    pub(super) fn add(&mut self, made: &Made, analyzer: &mut Analyzer) -> tantivy::Result<()> {
        for list in &made.lists {
            self.add_list(list, analyzer);
        }
        self.keys.push(made.key);
        self.lengths.record(self.documents, self.key, 1);
        self.columns.add_document(&made.document)?;
        self.store.store(&made.document, &self.schema)?;
        self.documents += 1;
        Ok(())
    }

    /// Bytes in memory, with what writing it takes.
    pub(super) fn memory(&self) -> usize {
        let to_turn = self.tokens.iter().map(Tokens::memory_to_turn).max().unwrap_or(0);
        self.tokens.iter().map(Tokens::memory).sum::<usize>()
            + to_turn
            + self.vocabulary.memory()
            + self.columns.mem_usage()
    }

    fn add_list(&mut self, list: &MadeList, analyzer: &mut Analyzer) {
        let text = list.text.as_bytes();
        let (mut base, mut position, mut piece_position) = (0, 0, 0);
        let (mut length, mut at) = (0, 0);
        while at < text.len() {
            at = cut(text, at, &mut self.cuts);
            let touched = self.cuts.iter().fold(0, |sum: u64, cut| match cut {
                Cut::Word { wanted, .. } => sum ^ self.vocabulary.touch(wanted),
                _ => sum,
            });
            black_box(touched);
            for cut in &self.cuts {
                let (start, end, wanted) = match *cut {
                    Cut::Word { start, end, wanted } => (start, end, wanted),
                    Cut::Nothing => {
                        position += 1;
                        continue;
                    }
                    Cut::Statement => {
                        base += STRIDE;
                        (position, piece_position) = (base, base);
                        continue;
                    }
                };
                let known = self.vocabulary.find(&text[start..end], &wanted, analyzer);
                let tokens = &mut self.tokens[list.field.field_id() as usize];
                tokens.push(self.documents, position, known.number);
                position += 1;
                length += 1;
                let Some(pieces) = list.pieces else { continue };
                let tokens = &mut self.tokens[pieces.field_id() as usize];
                for piece in self.vocabulary.pieces(known) {
                    tokens.push(self.documents, piece_position, *piece);
                    piece_position += 1;
                }
            }
        }
        // Fields without lengths are passed over.
        self.lengths.record(self.documents, list.field, length);
    }

    /// Writes it, and tells the index about it.
    pub(super) fn close(self, index: &IndexWriter<TantivyDocument>) -> tantivy::Result<()> {
        let Piece { segment, schema, documents, vocabulary, tokens, mut lengths, .. } = self;
        lengths.fill_up_to_max_doc(documents);
        let file = segment.open_write(SegmentComponent::FieldNorms)?;
        lengths.serialize(FieldNormsSerializer::from_write(file)?, None)?;
        let lengths = FieldNormReaders::open(segment.open_read(SegmentComponent::FieldNorms)?)?;
        let mut postings = InvertedIndexSerializer::open(&segment)?;
        let order = vocabulary.in_order();
        for ((field, entry), tokens) in schema.fields().zip(tokens) {
            if field == self.key {
                let lengths = lengths.get_field(field)?;
                let mut field = postings.new_field(field, u64::from(documents), lengths)?;
                let mut keys: Vec<(u64, DocId)> = self.keys.iter().copied().zip(0..).collect();
                keys.sort_unstable();
                for same in keys.chunk_by(|a, b| a.0 == b.0) {
                    field.new_term_without_freq(&same[0].0.to_be_bytes())?;
                    same.iter().for_each(|(_, document)| field.write_doc(*document, 0, &[]));
                    field.close_term()?;
                }
                field.close()?;
            } else if tokens.count() > 0 {
                let option = entry.field_type().index_record_option();
                let positions = option.is_some_and(|option| option.has_positions());
                let lengths = lengths.get_field(field)?;
                let mut field = postings.new_field(field, tokens.count() as u64, lengths)?;
                tokens.write(&vocabulary, &order, positions, &mut field)?;
                field.close()?;
            }
        }
        postings.close()?;
        let mut columns = self.columns;
        let mut file = segment.open_write(SegmentComponent::FastFields)?;
        columns.serialize(&mut file, None)?;
        file.terminate()?;
        self.store.close()?;
        let segment = segment.with_max_doc(documents);
        segment.meta().untrack_temp_docstore();
        index.add_segment(segment.meta().clone())
    }
}

/// Finds the next parts of a list, up to [`AT_ONCE`]: each word stands behind [`WORD`], each further statement behind
/// [`STATEMENT`]. Tells where the rest begins.
fn cut(text: &[u8], mut at: usize, cuts: &mut Vec<Cut>) -> usize {
    const SEPARATORS: [u8; 2] = [WORD as u8, STATEMENT as u8];
    cuts.clear();
    while at < text.len() && cuts.len() < AT_ONCE {
        let separator = text[at];
        let start = at + 1;
        if separator == STATEMENT as u8 {
            cuts.push(Cut::Statement);
            at = start;
            continue;
        }
        let length = text[start..].iter().position(|byte| SEPARATORS.contains(byte));
        let end = length.map_or(text.len(), |length| start + length);
        cuts.push(match start == end {
            true => Cut::Nothing,
            false => Cut::Word { start, end, wanted: Wanted::new(&text[start..end]) },
        });
        at = end;
    }
    at
}

//! How documents lie in the index: which columns and lists of postings there are, and what is stored.
//!
//! Each field of words has up to two lists: words as written (folded, with their language), and stems of the pieces of
//! compounds.
//! Statements of a weighted field lie one behind the other, each at a multiple of [`STRIDE`], so that the position of a
//! hit says which statement it is in; a column has the weights of the statements in the same order. What is filtered,
//! counted or sorted by is a column; what is shown is one stored record in JSON, and the text.

use crate::fields::TextField;
use crate::search::Facet;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, SchemaBuilder, TextFieldIndexing,
    TextOptions,
};

/// Grows when the schema, the analysis or the stored record change: indexes of another version are rebuilt.
pub const INDEX_VERSION: u32 = 2;

/// Positions that a statement has for itself; words beyond are not indexed.
pub(crate) const STRIDE: u32 = 2048;

/// Weights are stored in these parts.
pub(crate) const WEIGHT_UNIT: f64 = 10_000.0;

/// The name under which [`crate::analysis::PreparedTokenizer`] is registered.
pub(crate) const PREPARED: &str = "prepared";

/// The lists of postings of a field of words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextLists {
    /// Folded words; lengths of fields are those of this list.
    pub(crate) words: Field,
    pub(crate) pieces: Option<Field>,
}

#[derive(Debug, Clone)]
pub(crate) struct IndexFields {
    pub(crate) key: Field,
    pub(crate) fingerprint: Field,
    pub(crate) text: [TextLists; TextField::ALL.len()],
    pub(crate) weights: [Option<Field>; TextField::ALL.len()],
    /// Whole subject terms, bare and behind their scheme.
    pub(crate) subject: Field,
    pub(crate) subject_weights: Field,
    /// Whole names of authors; the weights are those of the field of words.
    pub(crate) person: Field,
    pub(crate) facets: [Field; Facet::STORED.len()],
    pub(crate) day: Field,
    pub(crate) day_weight: Field,
    pub(crate) captured: Field,
    pub(crate) size: Field,
    pub(crate) versions: Field,
    pub(crate) title_weight: Field,
    pub(crate) title_letters: [Field; 2],
    pub(crate) record: Field,
    pub(crate) stored_text: Field,
}

/// Columns are asked for by name.
pub(crate) mod column {
    pub(crate) const KEY: &str = "key";
    pub(crate) const FINGERPRINT: &str = "fingerprint";
    pub(crate) const SUBJECT_WEIGHTS: &str = "subject_weights";
    pub(crate) const DAY: &str = "day";
    pub(crate) const DAY_WEIGHT: &str = "day_weight";
    pub(crate) const CAPTURED: &str = "captured";
    pub(crate) const SIZE: &str = "size";
    pub(crate) const VERSIONS: &str = "versions";
    pub(crate) const TITLE_WEIGHT: &str = "title_weight";
    pub(crate) const TITLE_LETTERS: [&str; 2] = ["title_letters_0", "title_letters_1"];
}

/// The column of the weights of a field's statements.
pub(crate) fn weights_column(field: TextField) -> String {
    format!("{}_weights", field.name())
}

impl IndexFields {
    pub(crate) fn schema() -> (Schema, IndexFields) {
        let mut builder = Schema::builder();
        let fields = IndexFields {
            key: builder.add_u64_field(column::KEY, FAST | INDEXED),
            fingerprint: builder.add_u64_field(column::FINGERPRINT, FAST),
            text: TextField::ALL.map(|field| text_lists(&mut builder, field)),
            weights: TextField::ALL.map(|field| {
                field.has_weights().then(|| builder.add_u64_field(&weights_column(field), FAST))
            }),
            subject: builder.add_text_field("subject", postings(true, false)),
            subject_weights: builder.add_u64_field(column::SUBJECT_WEIGHTS, FAST),
            person: builder.add_text_field("person", postings(true, false)),
            facets: Facet::STORED.map(|facet| {
                builder.add_text_field(&facet.column(), TextOptions::default().set_fast("raw"))
            }),
            day: builder.add_i64_field(column::DAY, FAST),
            day_weight: builder.add_u64_field(column::DAY_WEIGHT, FAST),
            captured: builder.add_i64_field(column::CAPTURED, FAST),
            size: builder.add_u64_field(column::SIZE, FAST),
            versions: builder.add_u64_field(column::VERSIONS, FAST),
            title_weight: builder.add_u64_field(column::TITLE_WEIGHT, FAST),
            title_letters: column::TITLE_LETTERS.map(|name| builder.add_u64_field(name, FAST)),
            record: builder.add_text_field("record", STORED),
            stored_text: builder.add_text_field("stored_text", STORED),
        };
        (builder.build(), fields)
    }

    pub(crate) fn lists(&self, field: TextField) -> TextLists {
        self.text[field.index()]
    }
}

fn text_lists(builder: &mut SchemaBuilder, field: TextField) -> TextLists {
    let name = field.name();
    let mut list = |suffix: &str, positions, lengths| {
        builder.add_text_field(&format!("{name}{suffix}"), postings(positions, lengths))
    };
    TextLists {
        words: list("", true, true),
        pieces: field.is_stemmed().then(|| list("_pieces", field.has_weights(), false)),
    }
}

fn postings(positions: bool, lengths: bool) -> TextOptions {
    let option = match positions {
        true => IndexRecordOption::WithFreqsAndPositions,
        false => IndexRecordOption::WithFreqs,
    };
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(PREPARED)
            .set_index_option(option)
            .set_fieldnorms(lengths),
    )
}

//! Makes of a document what the index takes: lists of words, columns, the stored record.

use crate::analysis::{Analyzer, Extent, PreparedField, STATEMENT, WORD, normalised_term};
use crate::document::{
    IndexedDocument, IndexedStatement, MAX_STATEMENTS, MAX_TEXT_BYTES, MAX_VALUE_BYTES,
    MIN_STATEMENT_WEIGHT, anchor_weight, cut_text,
};
use crate::fields::TextField;
use crate::schema::{IndexFields, TextLists, WEIGHT_UNIT};
use crate::search::Facet;
use auslese_model::Field as Said;
use auslese_words::{StemLanguage, fold};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use tantivy::TantivyDocument;
use tantivy::schema::Field;

/// Stands between the scheme of a subject term and the term.
pub(crate) const SCHEME: char = '\u{1d}';

/// Bytes that a document usually has beside its text, so that it need not be moved while it grows.
const ROOM: usize = 4 << 10;

/// Bytes of a value by which documents are grouped.
const MAX_FACET_BYTES: usize = 200;

/// A document as the index takes it.
pub(super) struct Made {
    pub(super) key: u64,
    /// Columns, and what is stored.
    pub(super) document: TantivyDocument,
    pub(super) lists: Vec<MadeList>,
}

/// The words of a field, as [`Analyzer`] prepares them.
pub(super) struct MadeList {
    pub(super) field: Field,
    /// Where the pieces of its compounds belong, if they are not a list of their own.
    pub(super) pieces: Option<Field>,
    pub(super) text: String,
}

/// Keeps what was learnt about words, and buffers.
#[derive(Debug)]
pub(super) struct DocumentMaker {
    fields: Arc<IndexFields>,
    analyzer: Analyzer,
    prepared: PreparedField,
}

impl DocumentMaker {
    pub(super) fn new(fields: Arc<IndexFields>) -> DocumentMaker {
        DocumentMaker { fields, analyzer: Analyzer::new(), prepared: PreparedField::default() }
    }

    /// A document that tantivy inverts.
    pub(super) fn make(&mut self, document: IndexedDocument) -> TantivyDocument {
        self.prepared.words_only = false;
        let Made { mut document, lists, .. } = self.made(document);
        for list in lists {
            document.add_text(list.field, list.text);
        }
        document
    }

    /// A document that is inverted here, where pieces of compounds are found with the words.
    pub(super) fn make_for_piece(&mut self, document: IndexedDocument) -> Made {
        self.prepared.words_only = true;
        self.made(document)
    }

    pub(super) fn analyzer(&mut self) -> &mut Analyzer {
        &mut self.analyzer
    }

    fn made(&mut self, mut document: IndexedDocument) -> Made {
        document.text.truncate(document.text.floor_char_boundary(MAX_TEXT_BYTES));
        let room = TantivyDocument::with_capacity(ROOM + document.text.len());
        let mut made = Made { key: document.key, document: room, lists: Vec::new() };
        document.statements = indexed_statements(document.statements);
        self.add_words(&document, &mut made);
        self.add_statements(&document, &mut made);
        self.add_subjects(&document, &mut made);
        self.add_persons(&document, &mut made);
        self.add_columns(&document, &mut made.document);
        let record = serde_json::to_string(&document).unwrap_or_default();
        made.document.add_text(self.fields.record, record);
        if !document.text.is_empty() {
            made.document.add_text(self.fields.stored_text, &document.text);
        }
        made
    }

    fn add_words(&mut self, document: &IndexedDocument, made: &mut Made) {
        let language = stem_language(document);
        self.prepare(TextField::Text, language, std::iter::once(document.text.as_str()));
        self.add_prepared(TextField::Text, made);
        let headings = document.headings.iter().map(|heading| cut_text(heading, MAX_VALUE_BYTES));
        self.prepare(TextField::Headings, language, headings);
        self.add_prepared(TextField::Headings, made);
        let address = [document.host.as_str(), document.path.as_str()];
        let address = address.map(|part| cut_text(part, MAX_VALUE_BYTES));
        self.prepare(TextField::Address, None, address.into_iter());
        self.add_prepared(TextField::Address, made);
    }

    /// Words that are certain: one text behind the other.
    fn prepare<'t>(
        &mut self,
        field: TextField,
        language: Option<StemLanguage>,
        texts: impl Iterator<Item = &'t str>,
    ) {
        let extent = if field.is_stemmed() { Extent::Whole } else { Extent::NamesOfStatement };
        for text in texts {
            self.analyzer.prepare(text, language, extent, &mut self.prepared);
        }
    }

    fn add_statements(&mut self, document: &IndexedDocument, made: &mut Made) {
        let language = stem_language(document);
        for field in TextField::ALL.into_iter().filter(|field| field.has_weights()) {
            let statements = weighted_values(document, field);
            for (nth, (value, weight)) in statements.iter().enumerate() {
                if nth > 0 {
                    self.prepared.next_statement();
                }
                let extent =
                    if field.is_stemmed() { Extent::Statement } else { Extent::NamesOfStatement };
                let value = cut_text(value, MAX_VALUE_BYTES);
                self.analyzer.prepare(value, language, extent, &mut self.prepared);
                if let Some(weights) = self.fields.weights[field.index()] {
                    made.document.add_u64(weights, stored_weight(*weight));
                }
            }
            self.add_prepared(field, made);
        }
    }

    fn add_prepared(&mut self, field: TextField, made: &mut Made) {
        let TextLists { words, pieces } = self.fields.lists(field);
        let prepared = &mut self.prepared;
        if !prepared.words.is_empty() {
            let text = prepared.words.clone();
            made.lists.push(MadeList { field: words, pieces, text });
        }
        if let Some(field) = pieces.filter(|_| prepared.pieces.contains(WORD)) {
            let text = prepared.pieces.clone();
            made.lists.push(MadeList { field, pieces: None, text });
        }
        prepared.words.clear();
        prepared.pieces.clear();
    }

    /// Whole terms, bare and behind their scheme, both at the place of their statement.
    fn add_subjects(&mut self, document: &IndexedDocument, made: &mut Made) {
        let mut terms = String::new();
        for (nth, statement) in subjects(document).enumerate() {
            if nth > 0 {
                terms.push(STATEMENT);
            }
            let term = normalised_term(&statement.value);
            terms.extend([WORD, SCHEME]);
            terms.push_str(&term);
            if let Some(scheme) = &statement.scheme {
                terms.push(WORD);
                terms.push_str(&subject_term(Some(scheme), &term));
            }
            made.document.add_u64(self.fields.subject_weights, stored_weight(statement.weight));
        }
        if !terms.is_empty() {
            made.lists.push(MadeList { field: self.fields.subject, pieces: None, text: terms });
        }
    }

    fn add_persons(&mut self, document: &IndexedDocument, made: &mut Made) {
        let mut names = String::new();
        for (nth, (name, _)) in weighted_values(document, TextField::Author).iter().enumerate() {
            if nth > 0 {
                names.push(STATEMENT);
            }
            names.push(WORD);
            names.push_str(&normalised_term(name));
        }
        if !names.is_empty() {
            made.lists.push(MadeList { field: self.fields.person, pieces: None, text: names });
        }
    }

    fn add_columns(&self, document: &IndexedDocument, made: &mut TantivyDocument) {
        let fields = &self.fields;
        made.add_u64(fields.key, document.key);
        made.add_u64(fields.fingerprint, document.fingerprint);
        for (facet, field) in Facet::STORED.into_iter().zip(fields.facets) {
            for value in facet_values(document, facet) {
                made.add_text(field, value);
            }
        }
        if let Some((date, day)) = document.date.and_then(|date| Some((date, date.first_day()?))) {
            made.add_i64(fields.day, day);
            made.add_u64(fields.day_weight, stored_weight(date.weight));
        }
        if let Some(captured) = document.captured {
            made.add_i64(fields.captured, captured.0);
        }
        made.add_u64(fields.size, document.size);
        made.add_u64(fields.versions, u64::from(document.versions));
        let titles = document.statements.iter().filter(|it| it.field == Said::Title);
        if let Some(weight) = titles.map(|it| it.weight).reduce(f64::max) {
            made.add_u64(fields.title_weight, stored_weight(weight));
        }
        let title = fold(cut_text(&document.title, MAX_FACET_BYTES));
        for (part, field) in fields.title_letters.into_iter().enumerate() {
            made.add_u64(field, first_letters(&title, part));
        }
    }
}

/// Eight bytes of a text as a number that sorts like them.
fn first_letters(text: &str, part: usize) -> u64 {
    let letter = |at: usize| text.as_bytes().get(8 * part + at).copied().unwrap_or(0);
    u64::from_be_bytes(std::array::from_fn(letter))
}

fn stem_language(document: &IndexedDocument) -> Option<StemLanguage> {
    document.language.as_deref().and_then(StemLanguage::from_tag)
}

fn stored_weight(weight: f64) -> u64 {
    (weight.clamp(0.0, 1.0) * WEIGHT_UNIT).round() as u64
}

/// How a subject term of a scheme is written in the index.
pub(crate) fn subject_term(scheme: Option<&str>, normalised: &str) -> String {
    format!("{}{SCHEME}{normalised}", scheme.map(normalised_term).unwrap_or_default())
}

/// What is strong enough, strongest first.
fn indexed_statements(mut statements: Vec<IndexedStatement>) -> Vec<IndexedStatement> {
    statements.retain(|it| it.weight >= MIN_STATEMENT_WEIGHT && !it.value.trim().is_empty());
    statements.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    statements
}

fn subjects(document: &IndexedDocument) -> impl Iterator<Item = &IndexedStatement> {
    let is_subject = |it: &&IndexedStatement| {
        matches!(it.field, Said::Keywords | Said::Classification)
            && !normalised_term(&it.value).is_empty()
    };
    document.statements.iter().filter(is_subject).take(MAX_STATEMENTS)
}

/// The values of a weighted field, strongest first. The same value said twice counts once, with the higher weight.
fn weighted_values(document: &IndexedDocument, field: TextField) -> Vec<(&str, f64)> {
    let mut values: Vec<(&str, f64)> = Vec::new();
    let statements = document.statements.iter();
    let of_field = statements.filter(|it| TextField::of_statement(it.field) == Some(field));
    values.extend(of_field.map(|it| (it.value.as_str(), it.weight)));
    if field == TextField::Title && values.is_empty() && !document.title.trim().is_empty() {
        values.push((&document.title, 1.0));
    }
    if field == TextField::Institution && values.is_empty() && !document.institution.is_empty() {
        values.push((&document.institution, 1.0));
    }
    if field == TextField::Anchors {
        values.extend(document.anchors.iter().map(|(text, n)| (text.as_str(), anchor_weight(*n))));
        values.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
    let mut seen = FxHashSet::default();
    values.retain(|(value, _)| seen.insert(normalised_term(value)));
    values.truncate(MAX_STATEMENTS);
    values
}

fn facet_values(document: &IndexedDocument, facet: Facet) -> Vec<&str> {
    let mut values: Vec<&str> = match facet {
        Facet::Host => vec![&document.host],
        Facet::Institution => vec![&document.institution],
        Facet::Type => vec![&document.document_type],
        Facet::Language => document.language.as_deref().into_iter().collect(),
        Facet::MediaType => vec![&document.media_type],
        Facet::Format => vec![&document.format],
        Facet::Source => vec![document.source.as_str()],
        Facet::Kept => vec![document.kept.as_str()],
        Facet::Collection => vec![&document.collection],
        Facet::Keyword => {
            let keywords = document.statements.iter().filter(|it| it.field == Said::Keywords);
            keywords.filter(|it| it.chosen).map(|it| it.value.trim()).take(MAX_STATEMENTS).collect()
        }
        Facet::Year | Facet::WeightClass => Vec::new(),
    };
    values.retain(|value| !value.is_empty());
    let mut seen = FxHashSet::default();
    values.retain(|value| seen.insert(*value));
    values.into_iter().map(|value| cut_text(value, MAX_FACET_BYTES)).collect()
}

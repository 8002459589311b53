//! Documents as they are stored, for those who read texts: concordances, and the learning of vocabularies.

use super::expand;
use super::facet::FacetFilter;
use super::request::SearchRequest;
use super::searcher::Searcher;
use crate::SearchError;
use crate::analysis::folded_word;
use crate::document::IndexedDocument;
use crate::fields::TextField;
use auslese_model::Field;
use auslese_words::StemLanguage;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::sync::PoisonError;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::store::StoreReader;
use tantivy::{DocId, DocSet, TERMINATED, TantivyDocument};

/// Distinct words of a document that a learner is shown.
pub const MAX_LEARNT_WORDS: usize = 2_000;

/// Which documents are wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DocumentsRequest {
    /// All if there is none.
    pub query: Option<String>,
    pub filters: Vec<FacetFilter>,
    /// Only documents whose text has one of these words as written; all if empty.
    pub containing: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoredDocument {
    /// Which of the searched indexes, in their order.
    pub index: usize,
    /// With its text.
    pub document: IndexedDocument,
}

/// How often a word occurs in texts, as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WordCount {
    pub word: String,
    pub documents: u64,
    pub occurrences: u64,
}

/// Words and subject terms of a document, for learning which go together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearningDocument {
    pub index: usize,
    pub key: u64,
    pub collection: String,
    pub language: Option<String>,
    /// Distinct stems of title and text, each with the first word that has it, in the order of the text.
    pub words: Vec<(String, String)>,
    /// Scheme, term and weight.
    pub subjects: Vec<(Option<String>, String, f64)>,
}

impl Searcher {
    /// Documents in the order of collections and keys, read one by one.
    pub fn documents(&self, request: &DocumentsRequest) -> Result<Documents<'_>, SearchError> {
        let places = self.places(request)?;
        let stores = self.segments().iter().map(|_| None).collect();
        Ok(Documents { searcher: self, places: places.into_iter(), stores })
    }

    /// The same documents by index and key alone, without reading them.
    pub fn document_keys(
        &self,
        request: &DocumentsRequest,
    ) -> Result<Vec<(usize, u64)>, SearchError> {
        let places = self.places(request)?;
        Ok(places.into_iter().map(|(index, key, ..)| (index, key)).collect())
    }

    /// Where the documents lie: index, key, segment and number in it, sorted.
    fn places(
        &self,
        request: &DocumentsRequest,
    ) -> Result<Vec<(usize, u64, usize, DocId)>, SearchError> {
        let mut search = SearchRequest::new(request.query.as_deref().unwrap_or("*"));
        search.filters = request.filters.clone();
        let mut places = Vec::new();
        for (number, found) in self.all_matching(&search)? {
            let segment = &self.segments()[number];
            let containing = self.docs_containing(number, &request.containing)?;
            let wanted = found
                .docs
                .into_iter()
                .filter(|doc| containing.as_ref().is_none_or(|docs| docs.contains(doc)));
            places.extend(wanted.map(|doc| (segment.index, segment.key(doc), number, doc)));
        }
        places.sort_unstable_by_key(|(_, key, number, doc)| {
            (self.segments()[*number].group, *key, *number, *doc)
        });
        Ok(places)
    }

    /// How often words occur in texts, as written but for case and umlauts.
    pub fn exact_counts(&self, words: &[String]) -> Result<Vec<WordCount>, SearchError> {
        let mut counts = Vec::new();
        for word in words {
            let mut count = WordCount { word: word.clone(), documents: 0, occurrences: 0 };
            for number in 0..self.segments().len() {
                self.each_occurrence(number, &folded_word(word), |_, frequency| {
                    count.documents += 1;
                    count.occurrences += u64::from(frequency);
                })?;
            }
            counts.push(count);
        }
        Ok(counts)
    }

    /// The words of texts that a regular expression matches as a whole, most frequent first, and whether that is all.
    pub fn words_matching(&self, pattern: &str) -> Result<(Vec<WordCount>, bool), SearchError> {
        let compiled = expand::compiled(pattern, &(0..pattern.len()))?;
        let found = expand::matching(self.segments(), &[TextField::Text], &compiled);
        let found = found.map_err(|cause| self.broken(cause.into()))?;
        let words: Vec<String> = found.words.into_iter().map(|it| it.word).collect();
        Ok((self.exact_counts(&words)?, !found.is_cut))
    }

    /// Words and subject terms of all documents that have both, in the order of collections and keys.
    pub fn learning_documents(&self) -> Result<LearningDocuments<'_>, SearchError> {
        Ok(LearningDocuments { documents: self.documents(&DocumentsRequest::default())? })
    }

    fn docs_containing(
        &self,
        segment: usize,
        words: &[String],
    ) -> Result<Option<FxHashSet<DocId>>, SearchError> {
        if words.is_empty() {
            return Ok(None);
        }
        let mut docs = FxHashSet::default();
        for word in words {
            self.each_occurrence(segment, &folded_word(word), |doc, _| {
                docs.insert(doc);
            })?;
        }
        Ok(Some(docs))
    }

    fn each_occurrence(
        &self,
        segment: usize,
        word: &str,
        mut take: impl FnMut(DocId, u32),
    ) -> Result<(), SearchError> {
        let segment = &self.segments()[segment];
        let list = &segment.field(TextField::Text).words;
        let broken = |cause: std::io::Error| self.broken(cause.into());
        for term in self.written(word) {
            let info = list.terms().get(term.as_bytes()).map_err(broken)?;
            let Some(info) = info else { continue };
            let option = IndexRecordOption::WithFreqs;
            let mut postings = list.read_postings_from_terminfo(&info, option).map_err(broken)?;
            while postings.doc() != TERMINATED {
                if segment.is_alive(postings.doc()) {
                    take(postings.doc(), postings.term_freq());
                }
                postings.advance();
            }
        }
        Ok(())
    }
}

/// See [`Searcher::documents`].
pub struct Documents<'s> {
    searcher: &'s Searcher,
    /// Index, key, segment, number in the segment.
    places: std::vec::IntoIter<(usize, u64, usize, DocId)>,
    stores: Vec<Option<StoreReader>>,
}

impl Documents<'_> {
    fn read(&mut self, segment: usize, doc: DocId) -> tantivy::Result<IndexedDocument> {
        let store = match &mut self.stores[segment] {
            Some(store) => store,
            empty => empty.insert(self.searcher.segments()[segment].reader.get_store_reader(8)?),
        };
        let stored: TantivyDocument = store.get(doc)?;
        Ok(self.searcher.document_of(&stored))
    }
}

impl Iterator for Documents<'_> {
    type Item = Result<StoredDocument, SearchError>;

    fn next(&mut self) -> Option<Result<StoredDocument, SearchError>> {
        let (index, _, segment, doc) = self.places.next()?;
        let read = self.read(segment, doc).map_err(|cause| self.searcher.broken(cause));
        Some(read.map(|document| StoredDocument { index, document }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl std::fmt::Debug for Documents<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Documents").field("left", &self.places.len()).finish_non_exhaustive()
    }
}

/// See [`Searcher::learning_documents`].
#[derive(Debug)]
pub struct LearningDocuments<'s> {
    documents: Documents<'s>,
}

impl Iterator for LearningDocuments<'_> {
    type Item = Result<LearningDocument, SearchError>;

    fn next(&mut self) -> Option<Result<LearningDocument, SearchError>> {
        loop {
            let StoredDocument { index, document } = match self.documents.next()? {
                Ok(stored) => stored,
                Err(error) => return Some(Err(error)),
            };
            let subjects: Vec<_> = document
                .statements
                .iter()
                .filter(|it| matches!(it.field, Field::Keywords | Field::Classification))
                .map(|it| (it.scheme.clone(), it.value.clone(), it.weight))
                .collect();
            let words = words_to_learn(self.documents.searcher, &document);
            if !subjects.is_empty() && !words.is_empty() {
                return Some(Ok(LearningDocument {
                    index,
                    key: document.key,
                    collection: document.collection,
                    language: document.language,
                    words,
                    subjects,
                }));
            }
        }
    }
}

fn words_to_learn(searcher: &Searcher, document: &IndexedDocument) -> Vec<(String, String)> {
    let language = document.language.as_deref().and_then(StemLanguage::from_tag);
    let mut analyzer = searcher.analyzer().lock().unwrap_or_else(PoisonError::into_inner);
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut words = Vec::new();
    for text in [&document.title, &document.text] {
        analyzer.each_stem(text, language, |word, stem| {
            if words.len() < MAX_LEARNT_WORDS
                && !searcher.is_stop_word(word)
                && word.contains(char::is_alphabetic)
                && !seen.contains(stem)
            {
                seen.insert(stem.to_owned());
                words.push((stem.to_owned(), word.to_owned()));
            }
        });
    }
    words
}

//! Documents like a given one: by its strongest words, and by what the caller knows, such as citations.

use super::evaluate::Evaluation;
use super::plan::{Leaf, LeafKind, Plan, Planned};
use super::results::Hit;
use super::searcher::Searcher;
use crate::SearchError;
use crate::document::IndexedDocument;
use crate::fields::TextField;
use crate::ranking::{Posting, PostingList, idf};
use auslese_words::StemLanguage;
use rustc_hash::FxHashMap;
use std::sync::PoisonError;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED, Term};

/// Words of a document that are looked for in others.
pub const MAX_SIMILAR_TERMS: usize = 25;

/// What a document is to be compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarRequest {
    /// Which of the searched indexes the document is in, in their order; or another part of the same collection.
    pub index: usize,
    pub key: u64,
    pub limit: usize,
    /// Documents of the same collection that are near for other reasons, by key, each with what that is worth; the words of
    /// the best document by words are worth 1.
    pub boosts: Vec<(u64, f64)>,
}

impl Searcher {
    /// The documents most like one, best first; scores are from 0 to 1, plus the boosts.
    pub fn similar(&self, request: &SimilarRequest) -> Result<Vec<Hit>, SearchError> {
        let (segment, doc) = self
            .find(request.index, request.key)?
            .ok_or(SearchError::NoDocument { key: request.key })?;
        let document = self.stored(segment, doc)?;
        let planned = self.strongest_terms(&document)?;
        let gathered = self.gather_all(&planned, true)?;
        let count = |leaf: usize| gathered.iter().map(|it| it[leaf].docs.len() as u64).sum();
        let documents = self.statistics().documents;
        let idf: Vec<f64> =
            (0..planned.leaves.len()).map(|leaf| idf(documents, count(leaf))).collect();
        let mut scores: FxHashMap<(usize, DocId), f32> = FxHashMap::default();
        for (number, gathered) in gathered.iter().enumerate() {
            let mut evaluation = Evaluation {
                searcher: self,
                planned: &planned,
                segment: number,
                gathered,
                idf: &idf,
                use_weights: true,
                alternative_hits: Vec::new(),
            };
            let found = evaluation.run().map_err(|cause| self.broken(cause))?;
            let docs = found.docs.iter().zip(&found.scores);
            scores.extend(docs.map(|(doc, score)| ((number, *doc), *score)));
        }
        scores.remove(&(segment, doc));
        let best = scores.values().copied().fold(f32::MIN_POSITIVE, f32::max);
        scores.values_mut().for_each(|score| *score /= best);
        for (key, boost) in &request.boosts {
            let found = self.find(request.index, *key)?;
            if let Some(place) = found.filter(|it| *it != (segment, doc)) {
                *scores.entry(place).or_insert(0.0) += boost.max(0.0) as f32;
            }
        }
        let scored = scores.into_iter().map(|((segment, doc), score)| (segment, doc, score));
        let ranked = self.best_of(scored, request.limit);
        let hit = |ranked| {
            let document = self.stored_ranked(ranked)?;
            Ok(self.hit(ranked, document, None, None))
        };
        ranked.iter().map(hit).collect()
    }

    /// Where the document of a key lies.
    pub(crate) fn find(
        &self,
        index: usize,
        key: u64,
    ) -> Result<Option<(usize, DocId)>, SearchError> {
        let term = Term::from_field_u64(self.fields().key, key);
        let group = self.segments().iter().find(|it| it.index == index).map(|it| it.group);
        let segments = self.segments().iter().enumerate();
        for (number, segment) in segments.filter(|(_, segment)| Some(segment.group) == group) {
            let list = segment.reader.inverted_index(self.fields().key);
            let list = list.map_err(|cause| self.broken(cause))?;
            let postings = list.read_postings(&term, IndexRecordOption::Basic);
            let postings = postings.map_err(|cause| self.broken(cause.into()))?;
            let Some(mut postings) = postings else { continue };
            while postings.doc() != TERMINATED {
                if segment.is_alive(postings.doc()) {
                    return Ok(Some((number, postings.doc())));
                }
                postings.advance();
            }
        }
        Ok(None)
    }

    /// A plan that looks for the strongest words of title and text.
    fn strongest_terms(&self, document: &IndexedDocument) -> Result<Planned, SearchError> {
        let language = document.language.as_deref().and_then(StemLanguage::from_tag);
        let mut by_stem: FxHashMap<String, u32> = FxHashMap::default();
        let mut analyzer = self.analyzer().lock().unwrap_or_else(PoisonError::into_inner);
        // The title says what a document is about, so its words count thrice.
        for text in [&document.title, &document.title, &document.title, &document.text] {
            analyzer.each_stem(text, language, |word, stem| {
                let is_content = word.chars().count() > 2 && word.contains(char::is_alphabetic);
                if is_content && !self.is_stop_word(word) {
                    *by_stem.entry(stem.to_owned()).or_default() += 1;
                }
            });
        }
        drop(analyzer);
        let mut strongest: Vec<(f64, String)> = Vec::new();
        for (stem, count) in by_stem {
            let found = self.text_documents(&stem)?;
            // Words that only this document has lead nowhere.
            if found > 1 {
                let rarity = idf(self.statistics().documents, found);
                strongest.push((f64::from(count).ln_1p() * rarity, stem));
            }
        }
        strongest.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        strongest.truncate(MAX_SIMILAR_TERMS);
        let fields = [TextField::Text, TextField::Title, TextField::Keywords, TextField::Abstract];
        let mut leaves = Vec::new();
        for (_, stem) in strongest {
            let mut postings = Vec::new();
            for field in fields {
                let (list, factor) = (PostingList::Words(field), 1.0);
                let forms = self.forms(&stem, std::slice::from_ref(&stem), field)?;
                postings.extend(forms.into_iter().map(|term| Posting { list, term, factor }));
            }
            leaves.push(Leaf {
                place: 0..0,
                shown: stem,
                kind: LeafKind::Words(postings),
                frequency: 1.0,
                alternative: None,
            });
        }
        let plan = Plan::Or((0..leaves.len()).map(Plan::Leaf).collect());
        let (restrictions, alternatives, notes) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Planned { plan, leaves, restrictions, alternatives, notes })
    }

    /// How many documents have a stem in their text.
    fn text_documents(&self, stem: &str) -> Result<u64, SearchError> {
        let mut documents = 0;
        let forms = self.forms(stem, &[stem.to_owned()], TextField::Text)?;
        for segment in self.segments() {
            let terms = segment.field(TextField::Text).words.terms();
            for form in &forms {
                let info = terms.get(form.as_bytes());
                let info = info.map_err(|cause| self.broken(cause.into()))?;
                documents += info.map_or(0, |info| u64::from(info.doc_freq));
            }
        }
        Ok(documents)
    }
}

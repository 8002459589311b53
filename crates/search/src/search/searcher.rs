//! One question to one or several indexes, as if they were one.

use super::evaluate::{Evaluation, Found};
use super::facet::{Facet, FacetFilter, FacetTable};
use super::order::Ranked;
use super::plan::{LeafKind, Planned, plan};
use super::request::{MAX_RESULT_WINDOW, QuerySyntax, SearchRequest};
use super::results::{AlternativeHits, Hit, SearchResults};
use super::snippets::Marker;
use super::{suggest, why};
use crate::SearchError;
use crate::analysis::{Analyzer, folded_word};
use crate::document::IndexedDocument;
use crate::fields::{RankingParameters, TextField};
use crate::index::{IndexDir, IndexPart, damaged};
use crate::query;
use crate::ranking::{Gathered, Segment, Statistics, gather, gather_near, gather_phrase, idf};
use crate::schema::IndexFields;
use auslese_words::{StemLanguage, stop_words};
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;
use tantivy::schema::Value;
use tantivy::{DocId, TantivyDocument};

/// Below so many documents, threads cost more than they bring.
const DOCUMENTS_PER_THREAD: u32 = 10_000;

/// The state of some indexes at one moment; open another to see later commits.
#[derive(Debug)]
pub struct Searcher {
    dirs: Vec<PathBuf>,
    fields: Arc<IndexFields>,
    segments: Vec<Segment>,
    statistics: Statistics,
    parameters: RankingParameters,
    languages: Languages,
    stop_words: FxHashSet<String>,
    analyzer: Mutex<Analyzer>,
    facets: [OnceLock<FacetTable>; Facet::ALL.len()],
}

/// The languages whose words have stems in the indexes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Languages {
    pub(crate) english: bool,
    pub(crate) german: bool,
    pub(crate) others: bool,
}

/// What one segment answers.
#[derive(Debug, Default)]
struct SegmentAnswer {
    total: u64,
    best: Vec<Ranked>,
    facets: Vec<Vec<u64>>,
    alternative_hits: Vec<u64>,
}

impl Searcher {
    pub fn open(indexes: &[IndexDir]) -> Result<Searcher, SearchError> {
        Searcher::with_parameters(indexes, RankingParameters::default())
    }

    pub fn with_parameters(
        indexes: &[IndexDir],
        parameters: RankingParameters,
    ) -> Result<Searcher, SearchError> {
        let parts: Vec<IndexPart> = indexes
            .iter()
            .enumerate()
            .map(|(group, index)| IndexPart { index: index.clone(), group, holds: None })
            .collect();
        Searcher::open_parts(&parts, parameters)
    }

    /// Opens indexes of which some are parts of one collection. The answers are those of one index with the documents
    /// of all parts.
    pub fn open_parts(
        parts: &[IndexPart],
        parameters: RankingParameters,
    ) -> Result<Searcher, SearchError> {
        let fields = Arc::new(IndexFields::schema().1);
        let mut segments = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let broken = |cause| damaged(part.index.dir(), cause);
            let searcher = part.index.index().reader().map_err(broken)?.searcher();
            for reader in searcher.segment_readers() {
                segments.push(Segment::open(number, part, reader, &fields).map_err(broken)?);
            }
        }
        let statistics = Statistics::of(&segments, &parameters);
        let mut searcher = Searcher {
            dirs: parts.iter().map(|part| part.index.dir().to_owned()).collect(),
            fields,
            segments,
            statistics,
            parameters,
            languages: Languages::default(),
            stop_words: FxHashSet::default(),
            analyzer: Mutex::new(Analyzer::new()),
            facets: Default::default(),
        };
        searcher.languages = searcher.find_languages()?;
        searcher.stop_words = searcher.find_stop_words();
        Ok(searcher)
    }

    /// How many documents there are.
    pub fn documents_in_all(&self) -> u64 {
        self.statistics.documents
    }

    /// Answers a query.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResults, SearchError> {
        let begun = Instant::now();
        let tree = match request.syntax {
            QuerySyntax::Language => query::parse(&request.query)?,
            QuerySyntax::Words => query::parse_words(&request.query)?,
        };
        let planned = plan(self, &tree, request)?;
        let gathered = self.gather_all(&planned, request.use_weights)?;
        let found_by: Vec<u64> = (0..planned.leaves.len())
            .map(|leaf| gathered.iter().map(|it| it[leaf].docs.len() as u64).sum())
            .collect();
        let idf: Vec<f64> = found_by.iter().map(|n| idf(self.statistics.documents, *n)).collect();
        let window = request.offset.saturating_add(request.limit).min(MAX_RESULT_WINDOW);
        let answers = self.each_segment(|number| {
            self.answer(number, request, &planned, &gathered[number], &idf, window)
        })?;

        let best = self.in_order(answers.iter().flat_map(|it| it.best.iter().copied()), window);
        let shown = best.into_iter().skip(request.offset).take(request.limit);
        let marker = request.snippets.then(|| Marker::new(&planned));
        let mut hits = Vec::new();
        for ranked in shown {
            let document = self.stored(ranked.segment as usize, ranked.doc)?;
            let snippet = marker.as_ref().map(|marker| {
                let mut analyzer = self.analyzer.lock().unwrap_or_else(PoisonError::into_inner);
                marker.snippet(&document, &mut analyzer)
            });
            let why = match request.explain {
                true => {
                    let asked = why::Asked { planned: &planned, idf: &idf };
                    let collection = &document.collection;
                    Some(asked.explain(self, &ranked, collection, request.use_weights)?)
                }
                false => None,
            };
            hits.push(self.hit(&ranked, document, snippet, why));
        }
        let suggestions = suggest::suggestions(&self.segments, &tree, |place| {
            let mut leaves = planned.leaves.iter().zip(&found_by);
            leaves.any(|(leaf, found)| leaf.place == *place && *found == 0)
                && !planned
                    .leaves
                    .iter()
                    .zip(&found_by)
                    .any(|(leaf, n)| leaf.place == *place && *n > 0)
        });
        let suggestions = suggestions.map_err(|cause| self.broken(cause.into()))?;
        Ok(SearchResults {
            total: answers.iter().map(|answer| answer.total).sum(),
            hits,
            facets: self.facet_counts(request, &answers)?,
            alternatives: alternative_hits(&planned, &answers),
            corrected: suggest::corrected(&request.query, &suggestions),
            suggestions,
            notes: planned.notes,
            took_micros: u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
        })
    }

    /// All documents that answer, in no particular order.
    pub(crate) fn all_matching(
        &self,
        request: &SearchRequest,
    ) -> Result<Vec<(usize, Found)>, SearchError> {
        let tree = match request.syntax {
            QuerySyntax::Language => query::parse(&request.query)?,
            QuerySyntax::Words => query::parse_words(&request.query)?,
        };
        let planned = plan(self, &tree, request)?;
        let gathered = self.gather_all(&planned, request.use_weights)?;
        let idf = vec![1.0; planned.leaves.len()];
        self.each_segment(|number| {
            let mut evaluation =
                self.evaluation(number, request, &planned, &gathered[number], &idf);
            let mut found = evaluation.run()?;
            self.filter(number, &request.filters, &mut found)?;
            Ok((number, found))
        })
    }

    pub(crate) fn hit(
        &self,
        ranked: &Ranked,
        mut document: IndexedDocument,
        snippet: Option<super::Snippet>,
        why: Option<super::Why>,
    ) -> Hit {
        document.text = String::new();
        Hit {
            index: self.segments[ranked.segment as usize].index,
            key: document.key,
            id: document.id.clone(),
            score: f64::from(ranked.score),
            title: document.title.clone(),
            snippet,
            document,
            why,
        }
    }

    fn answer(
        &self,
        number: usize,
        request: &SearchRequest,
        planned: &Planned,
        gathered: &[Gathered],
        idf: &[f64],
        window: usize,
    ) -> tantivy::Result<SegmentAnswer> {
        let mut evaluation = self.evaluation(number, request, planned, gathered, idf);
        let mut found = evaluation.run()?;
        let alternative_hits = evaluation.alternative_hits;
        self.filter(number, &request.filters, &mut found)?;
        let mut facets = Vec::new();
        for facet in &request.facets {
            let table = self.facet_table(*facet)?;
            let mut counts = vec![0u64; table.values.len()];
            for doc in &found.docs {
                table.values_of(number, *doc, |value| counts[value] += 1);
            }
            facets.push(counts);
        }
        let total = found.docs.len() as u64;
        let ranked = self.ranked(number, request.sort, found)?;
        Ok(SegmentAnswer { total, best: self.in_order(ranked, window), facets, alternative_hits })
    }

    fn evaluation<'e>(
        &'e self,
        segment: usize,
        request: &SearchRequest,
        planned: &'e Planned,
        gathered: &'e [Gathered],
        idf: &'e [f64],
    ) -> Evaluation<'e> {
        let alternative_hits = vec![0; planned.alternatives.len()];
        let use_weights = request.use_weights;
        Evaluation {
            searcher: self,
            planned,
            segment,
            gathered,
            idf,
            use_weights,
            alternative_hits,
        }
    }

    fn filter(
        &self,
        number: usize,
        filters: &[FacetFilter],
        found: &mut Found,
    ) -> tantivy::Result<()> {
        for filter in filters {
            let table = self.facet_table(filter.facet)?;
            let wanted = table.matching(|value| filter.values.iter().any(|it| it == value));
            found.retain(|doc| table.has_any(number, doc, &wanted) != filter.exclude);
        }
        Ok(())
    }

    /// What each leaf of the plan finds, by segment.
    pub(crate) fn gather_all(
        &self,
        planned: &Planned,
        use_weights: bool,
    ) -> Result<Vec<Vec<Gathered>>, SearchError> {
        self.each_segment(|number| {
            let segment = &self.segments[number];
            let statistics = &self.statistics;
            let leaves = planned.leaves.iter().map(|leaf| match &leaf.kind {
                LeafKind::Words(postings) => gather(segment, postings, statistics, use_weights),
                LeafKind::Phrase { fields, groups } => {
                    gather_phrase(segment, fields, groups, statistics, use_weights)
                }
                LeafKind::Near { fields, groups, distance } => {
                    gather_near(segment, fields, groups, *distance, statistics, use_weights)
                }
            });
            leaves.collect()
        })
    }

    /// What a phrase, or words near each other, give in some fields alone.
    pub(crate) fn gather_in(
        &self,
        segment: &Segment,
        kind: &LeafKind,
        fields: &[TextField],
        use_weights: bool,
    ) -> Result<Gathered, SearchError> {
        let statistics = &self.statistics;
        let gathered = match kind {
            LeafKind::Words(postings) => gather(segment, postings, statistics, use_weights),
            LeafKind::Phrase { groups, .. } => {
                gather_phrase(segment, fields, groups, statistics, use_weights)
            }
            LeafKind::Near { groups, distance, .. } => {
                gather_near(segment, fields, groups, *distance, statistics, use_weights)
            }
        };
        gathered.map_err(|cause| self.broken(cause))
    }

    /// Does the same for every segment, on several cores if there is much to do.
    fn each_segment<T: Send>(
        &self,
        work: impl Fn(usize) -> tantivy::Result<T> + Sync,
    ) -> Result<Vec<T>, SearchError> {
        let documents: u32 = self.segments.iter().map(Segment::documents).sum();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let useful = (documents / DOCUMENTS_PER_THREAD) as usize + 1;
        let threads = cores.min(self.segments.len()).min(useful).max(1);
        let mut done: Vec<(usize, tantivy::Result<T>)> = if threads == 1 {
            (0..self.segments.len()).map(|number| (number, work(number))).collect()
        } else {
            let next = std::sync::atomic::AtomicUsize::new(0);
            let run = || {
                let mut done = Vec::new();
                loop {
                    let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if number >= self.segments.len() {
                        return done;
                    }
                    done.push((number, work(number)));
                }
            };
            thread::scope(|scope| {
                let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
                let mut done = run();
                for other in others {
                    match other.join() {
                        Ok(theirs) => done.extend(theirs),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                done
            })
        };
        done.sort_by_key(|(number, _)| *number);
        let results = done.into_iter().map(|(_, result)| result);
        results.collect::<tantivy::Result<_>>().map_err(|cause| self.broken(cause))
    }

    fn facet_counts(
        &self,
        request: &SearchRequest,
        answers: &[SegmentAnswer],
    ) -> Result<Vec<super::FacetCounts>, SearchError> {
        let mut counted = Vec::new();
        for (nth, facet) in request.facets.iter().enumerate() {
            let table = self.facet_table(*facet).map_err(|cause| self.broken(cause))?;
            let mut counts = vec![0u64; table.values.len()];
            for answer in answers {
                for (sum, count) in counts.iter_mut().zip(&answer.facets[nth]) {
                    *sum += count;
                }
            }
            counted.push(table.counts(*facet, &counts, request.facet_values));
        }
        Ok(counted)
    }

    pub(crate) fn facet_table(&self, facet: Facet) -> tantivy::Result<&FacetTable> {
        let cell = &self.facets[facet as usize];
        match cell.get() {
            Some(table) => Ok(table),
            None => {
                let table = FacetTable::build(facet, &self.segments)?;
                Ok(cell.get_or_init(|| table))
            }
        }
    }

    pub(crate) fn stored_ranked(&self, ranked: &Ranked) -> Result<IndexedDocument, SearchError> {
        self.stored(ranked.segment as usize, ranked.doc)
    }

    /// A document as it is stored, with its text.
    pub(crate) fn stored(
        &self,
        segment: usize,
        doc: DocId,
    ) -> Result<IndexedDocument, SearchError> {
        let reader = &self.segments[segment].reader;
        let store = reader.get_store_reader(1).map_err(|cause| self.broken(cause.into()))?;
        let stored: TantivyDocument = store.get(doc).map_err(|cause| self.broken(cause))?;
        Ok(self.document_of(&stored))
    }

    pub(crate) fn document_of(&self, stored: &TantivyDocument) -> IndexedDocument {
        let text = |field| {
            let value = stored.get_first(field);
            value.and_then(|value| value.as_str()).unwrap_or_default()
        };
        let mut document: IndexedDocument =
            serde_json::from_str(text(self.fields.record)).unwrap_or_default();
        document.text = text(self.fields.stored_text).to_owned();
        document
    }

    fn find_languages(&self) -> Result<Languages, SearchError> {
        let table = self.facet_table(Facet::Language).map_err(|cause| self.broken(cause))?;
        let mut languages = Languages::default();
        let mut with_language = 0;
        for (number, segment) in self.segments.iter().enumerate() {
            for doc in segment.alive() {
                table.values_of(number, doc, |value| {
                    with_language += 1;
                    match StemLanguage::from_tag(&table.values[value]) {
                        Some(StemLanguage::English) => languages.english = true,
                        Some(StemLanguage::German) => languages.german = true,
                        None => languages.others = true,
                    }
                });
            }
        }
        languages.others |= with_language < self.statistics.documents;
        Ok(languages)
    }

    fn find_stop_words(&self) -> FxHashSet<String> {
        let held = |language: &StemLanguage| match language {
            StemLanguage::English => self.languages.english,
            StemLanguage::German => self.languages.german,
        };
        let languages = StemLanguage::ALL.into_iter().filter(held);
        languages.flat_map(stop_words).map(folded_word).collect()
    }

    pub(crate) fn is_stop_word(&self, word: &str) -> bool {
        self.stop_words.contains(word)
    }

    pub(crate) fn stem(&self, word: &str, language: StemLanguage) -> String {
        self.analyzer.lock().unwrap_or_else(PoisonError::into_inner).stem(word, language)
    }

    pub(crate) fn languages(&self) -> Languages {
        self.languages
    }

    pub(crate) fn fields(&self) -> &IndexFields {
        &self.fields
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    pub fn parameters(&self) -> &RankingParameters {
        &self.parameters
    }

    pub(crate) fn analyzer(&self) -> &Mutex<Analyzer> {
        &self.analyzer
    }

    /// Something could not be read. Which of several indexes it was, is not known here.
    pub(crate) fn broken(&self, cause: tantivy::TantivyError) -> SearchError {
        damaged(&self.dirs.first().cloned().unwrap_or_default(), cause)
    }
}

fn alternative_hits(planned: &Planned, answers: &[SegmentAnswer]) -> Vec<AlternativeHits> {
    let numbered = planned.alternatives.iter().enumerate();
    let counted = numbered.map(|(number, (collection, alternative))| AlternativeHits {
        id: alternative.id.clone(),
        collection: collection.clone(),
        hits: answers.iter().map(|answer| answer.alternative_hits[number]).sum(),
    });
    counted.collect()
}

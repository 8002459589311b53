//! Collections of others, and runs for evaluation.
//!
//! A collection is a file of JSON lines, `{"id", "title", "text", "lang"?, "subjects": [{"term", "weight"?,
//! "scheme"?}]}`. A bad line costs one line. The language of short texts is hard to tell, so where a document does not
//! say its language, that of most of the first documents decides if the document alone is not clear. Results are
//! written as TREC runs, `qid Q0 docid rank score tag`.

use crate::SearchError;
use crate::document::{IndexedDocument, IndexedStatement, Kept, Source, cut_text};
use crate::search::Hit;
use auslese_model::Field;
use auslese_words::{Care, Detector};
use rustc_hash::{FxHashMap, FxHasher};
use serde::Deserialize;
use std::collections::VecDeque;
use std::hash::Hasher;
use std::io::{self, BufRead, Read, Write};
use thiserror::Error;

/// Longer lines of a collection are not read, in bytes.
pub const MAX_LINE_BYTES: usize = 16 << 20;

/// Hits of a query in a run.
pub const RUN_HITS: usize = 1_000;

/// Documents that decide about the language of a collection.
const LANGUAGE_SAMPLE: usize = 200;

/// Below this probability, the language of most documents is believed rather than that of one.
const SURE: f64 = 0.7;

/// A line that is no document.
#[derive(Debug, Error)]
#[error("line {line}: {reason}")]
pub struct BadLine {
    /// From 1.
    pub line: u64,
    pub reason: String,
}

/// Reads a collection; keys are numbers of lines.
pub fn read_foreign<R: BufRead>(
    lines: R,
    collection: &str,
) -> Result<ForeignLines<R>, SearchError> {
    let detector = Detector::new(auslese_language_data::LANGUAGE_MODEL)
        .map_err(|error| SearchError::LanguageData(Box::new(error)))?;
    let mut reader = ForeignLines {
        lines,
        collection: collection.to_owned(),
        detector,
        usual: None,
        line: 0,
        ahead: VecDeque::new(),
        ended: false,
    };
    reader.sample_languages();
    Ok(reader)
}

/// Documents of a collection and its bad lines, in order. A file that cannot be read further ends with a bad line.
pub struct ForeignLines<R> {
    lines: R,
    collection: String,
    detector: Detector,
    /// The language of most documents.
    usual: Option<String>,
    line: u64,
    ahead: VecDeque<Result<Entry, BadLine>>,
    ended: bool,
}

struct Entry {
    line: u64,
    hash: u64,
    record: ForeignRecord,
}

#[derive(Debug, Deserialize)]
struct ForeignRecord {
    id: Id,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    lang: Option<String>,
    #[serde(default)]
    subjects: Vec<ForeignSubject>,
}

/// Some collections number their documents.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum ForeignSubject {
    Plain(String),
    Weighted {
        term: String,
        #[serde(default)]
        weight: Option<f64>,
        #[serde(default)]
        scheme: Option<String>,
    },
}

impl<R: BufRead> ForeignLines<R> {
    fn sample_languages(&mut self) {
        let mut languages: FxHashMap<String, u32> = FxHashMap::default();
        let mut sampled = 0;
        while sampled < LANGUAGE_SAMPLE {
            let Some(entry) = self.read_line() else { break };
            if let Ok(entry) = &entry {
                sampled += 1;
                let (language, _) = self.detect(&entry.record).unwrap_or_default();
                *languages.entry(language).or_default() += 1;
            }
            self.ahead.push_back(entry);
        }
        languages.remove("");
        let most = languages.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        self.usual = most.map(|(language, _)| language);
    }

    fn detect(&self, record: &ForeignRecord) -> Option<(String, f64)> {
        let title = record.title.as_deref().unwrap_or_default();
        let text = record.text.as_deref().unwrap_or_default();
        let sample = format!("{title}\n{}", cut_text(text, 4096));
        let detected = self.detector.detect(&sample, 1, Care::Quick).into_iter().next()?;
        Some((detected.language, detected.probability))
    }

    fn read_line(&mut self) -> Option<Result<Entry, BadLine>> {
        while !self.ended {
            self.line += 1;
            let bad = |reason: String| Some(Err(BadLine { line: self.line, reason }));
            let mut bytes = Vec::new();
            let mut limited = (&mut self.lines).take(MAX_LINE_BYTES as u64 + 1);
            match limited.read_until(b'\n', &mut bytes) {
                Err(error) => {
                    self.ended = true;
                    return bad(format!("cannot be read: {error}"));
                }
                Ok(0) => self.ended = true,
                Ok(read) if read > MAX_LINE_BYTES && !bytes.ends_with(b"\n") => {
                    if skip_line(&mut self.lines).is_err() {
                        self.ended = true;
                    }
                    return bad(format!("longer than {MAX_LINE_BYTES} bytes"));
                }
                Ok(_) if bytes.trim_ascii().is_empty() => {}
                Ok(_) => {
                    let line = self.line;
                    let mut hasher = FxHasher::default();
                    hasher.write(&bytes);
                    let hash = hasher.finish();
                    let read = serde_json::from_slice(&bytes);
                    return Some(match read {
                        Ok(record) => Ok(Entry { line, hash, record }),
                        Err(error) => Err(BadLine { line, reason: error.to_string() }),
                    });
                }
            }
        }
        None
    }

    fn document(&self, entry: Entry) -> IndexedDocument {
        let Entry { line, hash, record } = entry;
        let language = record.lang.clone().or_else(|| {
            let own = self.detect(&record).filter(|(_, sure)| *sure >= SURE);
            own.map(|(language, _)| language).or_else(|| self.usual.clone())
        });
        IndexedDocument {
            key: line,
            id: match record.id {
                Id::Text(text) => text,
                Id::Number(number) => number.to_string(),
            },
            fingerprint: hash,
            collection: self.collection.clone(),
            source: Source::Foreign,
            kept: Kept::Unknown,
            language,
            title: record.title.unwrap_or_default(),
            text: record.text.unwrap_or_default(),
            statements: record.subjects.into_iter().map(ForeignSubject::statement).collect(),
            ..IndexedDocument::default()
        }
    }
}

impl ForeignSubject {
    fn statement(self) -> IndexedStatement {
        let (value, weight, scheme) = match self {
            ForeignSubject::Plain(term) => (term, 1.0, None),
            ForeignSubject::Weighted { term, weight, scheme } => {
                (term, weight.filter(|it| it.is_finite()).unwrap_or(1.0).clamp(0.0, 1.0), scheme)
            }
        };
        IndexedStatement { field: Field::Keywords, value, weight, scheme, chosen: true }
    }
}

impl<R: BufRead> Iterator for ForeignLines<R> {
    type Item = Result<IndexedDocument, BadLine>;

    fn next(&mut self) -> Option<Result<IndexedDocument, BadLine>> {
        let entry = match self.ahead.pop_front() {
            Some(entry) => entry,
            None => self.read_line()?,
        };
        Some(entry.map(|entry| self.document(entry)))
    }
}

impl<R> std::fmt::Debug for ForeignLines<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ForeignLines").field("line", &self.line).finish_non_exhaustive()
    }
}

fn skip_line(lines: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = lines.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        lines.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

/// Writes the hits of one query as lines of a TREC run. Evaluation programs sort by score and break ties in their own
/// way, so equal scores are made to differ a little.
pub fn write_run(out: &mut impl Write, query: &str, hits: &[Hit], tag: &str) -> io::Result<()> {
    let mut last = f64::INFINITY;
    for (nth, hit) in hits.iter().take(RUN_HITS).enumerate() {
        let score = if hit.score < last { hit.score } else { last - TIE };
        last = score;
        let id: String = hit.id.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
        writeln!(out, "{query} Q0 {id} {} {score:.9} {tag}", nth + 1)?;
    }
    Ok(())
}

/// By how much the later of two equal scores is lowered; nine digits are written.
const TIE: f64 = 1e-8;

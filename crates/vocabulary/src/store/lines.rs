//! Vocabularies and concordances as lines of JSON, our own form.
//!
//! The first line says what the file is; then one line per concept, by address, or per mapping, by
//! source and target. Within a line keys and lists have a fixed order, and what is empty is left
//! out. So two states of a vocabulary differ in the lines whose concepts differ.

use crate::{Concept, Concordance, Label, LabelKind, Mapping, ShortName, Vocabulary};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

const VOCABULARY_FORMAT: &str = "auslese-vocabulary-1";
const CONCORDANCE_FORMAT: &str = "auslese-concordance-1";

/// Bytes of a line that are read; what is imported stays below.
const MAX_LINE: u64 = 64 << 20;

/// Why a file of the folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error("cannot read")]
    Read(#[from] io::Error),
    #[error("line {line}: expected {expected}")]
    Line {
        line: usize,
        expected: &'static str,
        #[source]
        cause: serde_json::Error,
    },
    #[error("line 1: its format is {found:?}, this program reads {expected:?}")]
    Format { found: String, expected: &'static str },
    #[error("line {line} is longer than {MAX_LINE} bytes")]
    TooLong { line: usize },
    #[error("it is empty")]
    Empty,
    #[error("it ends early: {found} of {expected} lines are there")]
    Incomplete { found: usize, expected: usize },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VocabularyHead {
    format: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    title: BTreeMap<String, String>,
    base: String,
    languages: Vec<String>,
    source: String,
    concepts: usize,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConcordanceHead {
    format: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    source: String,
    mappings: usize,
}

/// A concept as it is written.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConceptLine {
    uri: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notation: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pref: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    alt: BTreeMap<String, Vec<String>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    hidden: BTreeMap<String, Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broader: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    narrower: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    note: BTreeMap<String, Vec<String>>,
}

pub(super) fn write_vocabulary(vocabulary: &Vocabulary, into: &mut impl Write) -> io::Result<()> {
    let head = VocabularyHead {
        format: VOCABULARY_FORMAT.to_owned(),
        title: vocabulary.title.clone(),
        base: vocabulary.base.clone(),
        languages: vocabulary.languages(),
        source: vocabulary.source.clone(),
        concepts: vocabulary.concepts().len(),
    };
    write_line(&head, into)?;
    vocabulary.concepts().iter().try_for_each(|it| write_line(&ConceptLine::of(it), into))
}

pub(super) fn read_vocabulary(
    id: &ShortName,
    from: &mut impl BufRead,
) -> Result<Vocabulary, LineError> {
    let mut lines = Lines { from, line: 0, buffer: Vec::new() };
    let head: VocabularyHead = lines.next("the head of a vocabulary")?.ok_or(LineError::Empty)?;
    check_format(head.format, VOCABULARY_FORMAT)?;
    let mut concepts = Vec::new();
    while let Some(line) = lines.next::<ConceptLine>("a concept")? {
        concepts.push(line.concept());
    }
    check_length(concepts.len(), head.concepts)?;
    let mut vocabulary = Vocabulary::new(id.clone(), concepts);
    vocabulary.title = head.title;
    vocabulary.base = head.base;
    vocabulary.source = head.source;
    Ok(vocabulary)
}

pub(super) fn write_concordance(
    concordance: &Concordance,
    into: &mut impl Write,
) -> io::Result<()> {
    let head = ConcordanceHead {
        format: CONCORDANCE_FORMAT.to_owned(),
        title: concordance.title.clone(),
        source: concordance.source.clone(),
        mappings: concordance.mappings().len(),
    };
    write_line(&head, into)?;
    concordance.mappings().iter().try_for_each(|it| write_line(it, into))
}

pub(super) fn read_concordance(
    id: &ShortName,
    from: &mut impl BufRead,
) -> Result<Concordance, LineError> {
    let mut lines = Lines { from, line: 0, buffer: Vec::new() };
    let head: ConcordanceHead = lines.next("the head of a concordance")?.ok_or(LineError::Empty)?;
    check_format(head.format, CONCORDANCE_FORMAT)?;
    let mut mappings = Vec::new();
    while let Some(mapping) = lines.next::<Mapping>("a mapping")? {
        mappings.push(mapping);
    }
    check_length(mappings.len(), head.mappings)?;
    let mut concordance = Concordance::new(id.clone(), mappings);
    concordance.title = head.title;
    concordance.source = head.source;
    Ok(concordance)
}

fn check_format(found: String, expected: &'static str) -> Result<(), LineError> {
    if found == expected { Ok(()) } else { Err(LineError::Format { found, expected }) }
}

fn check_length(found: usize, expected: usize) -> Result<(), LineError> {
    if found == expected { Ok(()) } else { Err(LineError::Incomplete { found, expected }) }
}

fn write_line(line: &impl Serialize, into: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *into, line)?;
    into.write_all(b"\n")
}

struct Lines<'f, R> {
    from: &'f mut R,
    line: usize,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<'_, R> {
    fn next<T: for<'de> Deserialize<'de>>(
        &mut self,
        expected: &'static str,
    ) -> Result<Option<T>, LineError> {
        self.buffer.clear();
        let n = (&mut *self.from).take(MAX_LINE).read_until(b'\n', &mut self.buffer)?;
        if n == 0 {
            return Ok(None);
        }
        self.line += 1;
        if n as u64 == MAX_LINE {
            return Err(LineError::TooLong { line: self.line });
        }
        let read = serde_json::from_slice(&self.buffer);
        read.map(Some).map_err(|cause| LineError::Line { line: self.line, expected, cause })
    }
}

impl ConceptLine {
    fn of(concept: &Concept) -> ConceptLine {
        let mut line = ConceptLine {
            uri: concept.uri.clone(),
            notation: concept.notations.clone(),
            broader: concept.broader.clone(),
            narrower: concept.narrower.clone(),
            related: concept.related.clone(),
            ..ConceptLine::default()
        };
        for Label { kind, language, text } in &concept.labels {
            let (language, text) = (language.clone(), text.clone());
            match kind {
                // A second one of a language cannot stand there; it keeps its text.
                LabelKind::Preferred if !line.pref.contains_key(&language) => {
                    line.pref.insert(language, text);
                }
                LabelKind::Preferred | LabelKind::Alternative => {
                    line.alt.entry(language).or_default().push(text);
                }
                LabelKind::Hidden => line.hidden.entry(language).or_default().push(text),
            }
        }
        for (language, note) in &concept.scope_notes {
            line.note.entry(language.clone()).or_default().push(note.clone());
        }
        line
    }

    fn concept(self) -> Concept {
        let count = self.pref.len() + self.alt.len() + self.hidden.len();
        let mut labels = Vec::with_capacity(count);
        let pref = self.pref.into_iter();
        labels.extend(pref.map(|(language, text)| Label {
            kind: LabelKind::Preferred,
            language,
            text,
        }));
        let several =
            [(LabelKind::Alternative, self.alt), (LabelKind::Hidden, self.hidden)].into_iter();
        for (kind, by_language) in several {
            for (language, texts) in by_language {
                labels.extend(texts.into_iter().map(|text| Label {
                    kind,
                    language: language.clone(),
                    text,
                }));
            }
        }
        let notes = self.note.into_iter();
        let scope_notes = notes
            .flat_map(|(language, notes)| notes.into_iter().map(move |it| (language.clone(), it)))
            .collect();
        Concept {
            uri: self.uri,
            notations: self.notation,
            labels,
            broader: self.broader,
            narrower: self.narrower,
            related: self.related,
            scope_notes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_to_read() {
        let concept = Concept {
            uri: "http://v/1".to_owned(),
            notations: vec!["W1".to_owned()],
            labels: vec![
                Label {
                    kind: LabelKind::Preferred,
                    language: "de".to_owned(),
                    text: "Fluss".to_owned(),
                },
                Label {
                    kind: LabelKind::Alternative,
                    language: "de".to_owned(),
                    text: "Strom".to_owned(),
                },
            ],
            broader: vec!["http://v/2".to_owned()],
            ..Concept::default()
        };
        let vocabulary = Vocabulary::new(ShortName::new("wasser").unwrap(), vec![concept]);
        let mut bytes = Vec::new();
        write_vocabulary(&vocabulary, &mut bytes).unwrap();
        assert_eq!(
            String::from_utf8(bytes.clone()).unwrap(),
            r#"{"format":"auslese-vocabulary-1","base":"http://v/","languages":["de"],"source":"","concepts":1}
{"uri":"http://v/1","notation":["W1"],"pref":{"de":"Fluss"},"alt":{"de":["Strom"]},"broader":["http://v/2"]}
"#
        );
        assert_eq!(read_vocabulary(&vocabulary.id, &mut bytes.as_slice()).unwrap(), vocabulary);
    }

    #[test]
    fn damaged_files() {
        let head = r#"{"format":"auslese-vocabulary-1","base":"","languages":[],"source":"","concepts":2}"#;
        #[rustfmt::skip]
        let cases = [
            (String::new(),                                   "it is empty"),
            (head.replace("vocabulary-1", "vocabulary-9"),    "line 1: its format is \"auslese-vocabulary-9\""),
            (format!("{head}\n{{\"uri\":\"a\"}}\n"),          "it ends early: 1 of 2"),
            (format!("{head}\n{{\"uri\":\"a\"}}\n{{\"urx\""), "line 3: expected a concept"),
            ("\u{0}\u{1}".to_owned(),                         "line 1: expected the head"),
        ];
        for (text, message) in cases {
            let id = ShortName::new("v").unwrap();
            let error = read_vocabulary(&id, &mut text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}

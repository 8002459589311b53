//! Frequency lists: how often each form occurs, and in how many documents.
//!
//! Memory is bounded. When there are more forms than [`MAX_FREQUENCY_FORMS`], the rarest go, and the list
//! says up to which count forms may be missing (lossy counting).

use crate::document::ExportedDocument;
use crate::tokens::sentences;
use auslese_words::PieceKind;
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// Forms that are counted at the same time.
pub const MAX_FREQUENCY_FORMS: usize = 1_000_000;

/// Longest form that is counted, in bytes; longer ones are no words.
const MAX_FORM: usize = 200;

/// How often each form occurs in one document, as written.
#[derive(Debug, Default)]
pub struct DocumentForms {
    forms: FxHashMap<Box<str>, u64>,
}

impl DocumentForms {
    pub fn of(document: &ExportedDocument) -> DocumentForms {
        let mut forms: FxHashMap<Box<str>, u64> = FxHashMap::default();
        for paragraph in document.paragraphs() {
            for token in sentences(&paragraph.text).iter().flatten() {
                if token.kind != PieceKind::Word || token.form.len() > MAX_FORM {
                    continue;
                }
                match forms.get_mut(token.form) {
                    Some(times) => *times += 1,
                    None => drop(forms.insert(token.form.into(), 1)),
                }
            }
        }
        DocumentForms { forms }
    }
}

/// Counts of forms over documents.
#[derive(Debug, Default)]
pub struct Frequencies {
    forms: FxHashMap<Box<str>, Count>,
    words: u64,
    documents: u64,
    /// Forms with at most this count may have been dropped, and others counted that much too low.
    dropped: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    times: u64,
    documents: u64,
}

impl Frequencies {
    pub fn add(&mut self, document: DocumentForms) {
        self.documents += 1;
        for (form, times) in document.forms {
            self.words += times;
            if self.forms.len() >= MAX_FREQUENCY_FORMS && !self.forms.contains_key(&form) {
                self.make_room();
            }
            let count = self.forms.entry(form).or_default();
            count.times += times;
            count.documents += 1;
        }
    }

    /// Drops the rarest until half of the room is free.
    fn make_room(&mut self) {
        while self.forms.len() > MAX_FREQUENCY_FORMS / 2 {
            self.dropped += 1;
            let limit = self.dropped;
            self.forms.retain(|_, count| count.times > limit);
        }
    }

    /// The list, most frequent first: form, frequency, per million words, documents.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# {} words in {} documents", self.words, self.documents)?;
        if self.dropped > 0 {
            let limit = self.dropped;
            writeln!(
                out,
                "# forms that occur up to {limit} times may be missing, and counts too low by as much"
            )?;
        }
        writeln!(out, "form\tfrequency\tper_million\tdocuments")?;
        let mut forms: Vec<(&str, &Count)> =
            self.forms.iter().map(|(form, count)| (&**form, count)).collect();
        forms.sort_unstable_by(|a, b| b.1.times.cmp(&a.1.times).then_with(|| a.0.cmp(b.0)));
        for (form, count) in forms {
            let per_million = count.times as f64 * 1e6 / self.words.max(1) as f64;
            writeln!(out, "{form}\t{}\t{per_million:.3}\t{}", count.times, count.documents)?;
        }
        Ok(())
    }
}

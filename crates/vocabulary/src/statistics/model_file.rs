//! A model as a file: a line of JSON, then words, terms and pairs as lines of text.
//!
//! Words and terms are sorted and stand for their number; the pairs of a term are one line of
//! `gap:count`, the gap being the distance to the previous word's number. The same counts give the
//! same bytes.

use super::learner::{MAX_LEARNT_PAIRS, MAX_LEARNT_TERMS};
use super::model::{Controlled, FreeTerm, TransferModel, TransferModelHead};
use auslese_words::fold;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};

const FORMAT: &str = "auslese-transfer-1";

/// Bytes of a line; a term may go with every word.
const MAX_LINE: u64 = 64 << 20;

/// Why a file is no model.
#[derive(Debug, thiserror::Error)]
pub enum ModelFileError {
    #[error("cannot read")]
    Read(#[from] io::Error),
    #[error("line 1: expected the head of a model")]
    Head(#[source] serde_json::Error),
    #[error("line 1: its format is {0:?}, this program reads {FORMAT:?}")]
    Format(String),
    #[error("line {line}: expected {expected}")]
    Line { line: usize, expected: &'static str },
    #[error("it has more than {0}")]
    TooLarge(&'static str),
}

#[derive(Debug, Serialize, Deserialize)]
struct FileHead {
    format: String,
    terms: usize,
    controlled: usize,
    #[serde(flatten)]
    head: TransferModelHead,
}

impl TransferModel {
    pub fn write(&self, into: &mut impl Write) -> io::Result<()> {
        let head = FileHead {
            format: FORMAT.to_owned(),
            terms: self.terms.len(),
            controlled: self.controlled.len(),
            head: self.head.clone(),
        };
        serde_json::to_writer(&mut *into, &head)?;
        writeln!(into)?;
        for term in &self.terms {
            writeln!(into, "{}\t{}\t{}", term.key, plain(&term.shown), term.n)?;
        }
        for it in &self.controlled {
            writeln!(into, "{}\t{}\t{}", plain(&it.scheme), plain(&it.shown), it.n)?;
        }
        let mut pairs = self.pairs_by_controlled().iter().peekable();
        for at in 0..self.controlled.len() as u32 {
            let mut last = 0;
            let mut between = "";
            while let Some((term, _, n)) = pairs.next_if(|it| it.1 == at) {
                write!(into, "{between}{}:{n}", term - last)?;
                (last, between) = (*term, " ");
            }
            writeln!(into)?;
        }
        Ok(())
    }

    pub fn read(from: &mut impl BufRead) -> Result<TransferModel, ModelFileError> {
        let mut lines = FileLines { from, line: 0, text: String::new() };
        let text = lines.next("the head of a model")?;
        let head: FileHead = serde_json::from_str(text).map_err(ModelFileError::Head)?;
        if head.format != FORMAT {
            return Err(ModelFileError::Format(head.format));
        }
        if head.terms > MAX_LEARNT_TERMS || head.controlled > MAX_LEARNT_TERMS {
            return Err(ModelFileError::TooLarge("1,000,000 words or terms"));
        }
        let mut terms: Vec<FreeTerm> = Vec::new();
        for _ in 0..head.terms {
            let (key, shown, n) = lines.three("word, form and number, in order")?;
            if terms.last().is_some_and(|before| before.key >= key) {
                return Err(lines.fault("words in order"));
            }
            terms.push(FreeTerm { key, shown, n });
        }
        let mut controlled: Vec<Controlled> = Vec::new();
        for _ in 0..head.controlled {
            let (scheme, shown, n) = lines.three("vocabulary, term and number")?;
            let key = fold(&shown);
            let it = Controlled { scheme, key, shown, n };
            let rises = |before: &Controlled| (&before.scheme, &before.key) < (&it.scheme, &it.key);
            if controlled.last().is_some_and(|before| !rises(before)) {
                return Err(lines.fault("terms in order"));
            }
            controlled.push(it);
        }
        let mut pairs = Vec::new();
        for it in 0..controlled.len() as u32 {
            lines.pairs(it, terms.len(), &mut pairs)?;
            if pairs.len() > MAX_LEARNT_PAIRS {
                return Err(ModelFileError::TooLarge("3,600,000 pairs"));
            }
        }
        Ok(TransferModel::from_sorted(head.head, terms, controlled, pairs))
    }
}

/// Tabs and line ends would break the file.
fn plain(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

struct FileLines<'f, R> {
    from: &'f mut R,
    line: usize,
    text: String,
}

impl<R: BufRead> FileLines<'_, R> {
    fn next(&mut self, expected: &'static str) -> Result<&str, ModelFileError> {
        self.text.clear();
        self.line += 1;
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        let n = (&mut *self.from).take(MAX_LINE).read_until(b'\n', &mut bytes)?;
        let line = self.line;
        let fault = || ModelFileError::Line { line, expected };
        self.text = String::from_utf8(bytes).map_err(|_| fault())?;
        if n == 0 || n as u64 == MAX_LINE {
            return Err(fault());
        }
        Ok(self.text.trim_end_matches('\n'))
    }

    fn three(&mut self, expected: &'static str) -> Result<(String, String, u32), ModelFileError> {
        let text = self.next(expected)?;
        let mut cells = text.split('\t');
        let row = (cells.next(), cells.next(), cells.next().and_then(|it| it.parse().ok()));
        match (row, cells.next()) {
            ((Some(first), Some(second), Some(n)), None) => {
                Ok((first.to_owned(), second.to_owned(), n))
            }
            _ => Err(self.fault(expected)),
        }
    }

    fn pairs(
        &mut self,
        controlled: u32,
        terms: usize,
        into: &mut Vec<(u32, u32, u32)>,
    ) -> Result<(), ModelFileError> {
        const EXPECTED: &str = "pairs of gap:count within the words";
        let line = self.line + 1;
        let text = self.next(EXPECTED)?;
        let mut at: u32 = 0;
        for pair in text.split(' ').filter(|pair| !pair.is_empty()) {
            let read = pair.split_once(':').and_then(|(gap, n)| {
                let place = at.checked_add(gap.parse().ok()?)?;
                Some((place, n.parse().ok()?)).filter(|_| (place as usize) < terms)
            });
            let Some((place, n)) = read else {
                return Err(ModelFileError::Line { line, expected: EXPECTED });
            };
            at = place;
            into.push((place, controlled, n));
        }
        Ok(())
    }

    fn fault(&self, expected: &'static str) -> ModelFileError {
        ModelFileError::Line { line: self.line, expected }
    }
}

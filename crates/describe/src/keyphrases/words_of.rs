//! A text as a row of words, each with its stem, and where phrases must end.
//!
//! Words are runs of letters and digits. A hyphen or white space between two of them lets a phrase go
//! on (`web-service`, a line end), everything else ends it: punctuation, an empty line, a number.
//! Spelling is looked at once per form: most words of a text are repeats.

use super::MAX_KEYPHRASE_TEXT;
use auslese_words::{StemLanguage, Stemmer, stop_words};
use rustc_hash::{FxHashMap, FxHashSet};

/// The row of words of a text, without numbers.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) words: Vec<Word>,
    /// What is known of each form, by [`Word::form`].
    pub(super) forms: Vec<Form>,
    /// The stems of this text, by [`Form::stem`].
    pub(super) stems: Vec<Box<str>>,
    /// How many words each paragraph has, by [`Word::paragraph`].
    pub(super) paragraphs: Vec<u32>,
}

/// A word at its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    /// Where it begins and ends in the text, in bytes.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) form: u32,
    pub(super) paragraph: u32,
    /// How many words of its paragraph come before it.
    pub(super) place_in_paragraph: u32,
    /// Whether a phrase may go on from the word before to this one.
    pub(super) goes_on: bool,
    pub(super) case: Case,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// Begins with a small letter, or with a digit.
    Small,
    /// Begins with a capital.
    Initial,
    /// Has capitals only, at least two.
    Capitals,
}

/// A word in lower case, wherever it occurs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) stem: u32,
    /// It may not begin or end a phrase.
    pub(super) is_stop: bool,
    /// It was never seen otherwise than with an initial capital.
    pub(super) is_name: bool,
}

/// Reads texts of one language. What it learns of words serves the next text.
#[derive(Debug)]
pub(super) struct Reader {
    stemmer: Stemmer,
    stops: FxHashSet<&'static str>,
    known: FxHashMap<Box<str>, Known>,
}

/// More forms are not remembered from text to text.
const MAX_REMEMBERED_FORMS: usize = 200_000;

#[derive(Debug, Clone)]
struct Known {
    stem: Box<str>,
    is_stop: bool,
}

impl Reader {
    pub(super) fn new(language: StemLanguage) -> Reader {
        let stops = stop_words(language).collect();
        Reader { stemmer: Stemmer::new(language), stops, known: FxHashMap::default() }
    }

    pub(super) fn language(&self) -> StemLanguage {
        self.stemmer.language()
    }

    /// The stems of a phrase, with blanks between them.
    pub(super) fn stem_phrase(&mut self, phrase: &str) -> String {
        let row = self.read(phrase);
        let stems =
            row.words.iter().map(|it| &*row.stems[row.forms[it.form as usize].stem as usize]);
        stems.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn read(&mut self, text: &str) -> Row {
        if self.known.len() > MAX_REMEMBERED_FORMS {
            self.known.clear();
        }
        let text = &text[..text.floor_char_boundary(MAX_KEYPHRASE_TEXT)];
        let mut reading = Reading {
            reader: self,
            row: Row::default(),
            forms: FxHashMap::default(),
            stems: FxHashMap::default(),
            folded: String::new(),
        };
        reading.walk(text);
        let mut row = reading.row;
        row.mark_names();
        row
    }

    fn known(&mut self, folded: &str) -> &Known {
        if !self.known.contains_key(folded) {
            let stem = self.stemmer.stem(folded).into_owned().into_boxed_str();
            let one_letter = folded.chars().nth(1).is_none();
            let is_stop = one_letter || self.stops.contains(folded);
            self.known.insert(folded.into(), Known { stem, is_stop });
        }
        &self.known[folded]
    }
}

/// One text being read.
struct Reading<'r> {
    reader: &'r mut Reader,
    row: Row,
    forms: FxHashMap<Box<str>, u32>,
    stems: FxHashMap<Box<str>, u32>,
    folded: String,
}

impl Reading<'_> {
    fn walk(&mut self, text: &str) {
        let mut end = 0;
        let mut broken = true;
        self.row.paragraphs.push(0);
        for span in auslese_words::token_spans(text) {
            let between = Between::of(&text[end..span.start]);
            end = span.end;
            if between == Between::Paragraph && self.row.paragraphs.last() != Some(&0) {
                self.row.paragraphs.push(0);
            }
            broken |= between != Between::Nothing;
            let word = &text[span.clone()];
            if word.bytes().all(|byte| byte.is_ascii_digit()) {
                broken = true;
                continue;
            }
            self.push(word, span.start, span.end, !broken);
            broken = false;
        }
    }

    fn push(&mut self, written: &str, start: usize, end: usize, goes_on: bool) {
        let case = Case::of(written);
        self.folded.clear();
        if written.is_ascii() {
            self.folded.push_str(written);
            self.folded.make_ascii_lowercase();
        } else {
            self.folded.extend(written.chars().flat_map(char::to_lowercase));
        }
        let form = match self.forms.get(self.folded.as_str()) {
            Some(form) => *form,
            None => self.new_form(),
        };
        let paragraph = self.row.paragraphs.len() - 1;
        let place_in_paragraph = self.row.paragraphs[paragraph];
        self.row.paragraphs[paragraph] += 1;
        self.row.words.push(Word {
            start: start as u32,
            end: end as u32,
            form,
            paragraph: paragraph as u32,
            place_in_paragraph,
            goes_on,
            case,
        });
    }

    fn new_form(&mut self) -> u32 {
        let known = self.reader.known(&self.folded);
        let is_stop = known.is_stop;
        let stem = match self.stems.get(&known.stem) {
            Some(stem) => *stem,
            None => {
                let stem = self.row.stems.len() as u32;
                self.row.stems.push(known.stem.clone());
                self.stems.insert(known.stem.clone(), stem);
                stem
            }
        };
        let form = self.row.forms.len() as u32;
        self.row.forms.push(Form { stem, is_stop, is_name: true });
        self.forms.insert(self.folded.as_str().into(), form);
        form
    }
}

impl Row {
    fn mark_names(&mut self) {
        for word in self.words.iter().filter(|word| word.case != Case::Initial) {
            self.forms[word.form as usize].is_name = false;
        }
    }
}

impl Case {
    fn of(word: &str) -> Case {
        let mut letters = word.chars();
        if !letters.next().is_some_and(char::is_uppercase) {
            return Case::Small;
        }
        match letters.clone().next().is_some() && letters.all(|it| !it.is_lowercase()) {
            true => Case::Capitals,
            false => Case::Initial,
        }
    }
}

/// What stands between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    /// White space or a hyphen: a phrase goes on.
    Nothing,
    /// It ends.
    Punctuation,
    /// An empty line or a new page.
    Paragraph,
}

impl Between {
    fn of(gap: &str) -> Between {
        let mut lines = 0;
        let mut hyphens = 0;
        let mut punctuation = false;
        for letter in gap.chars() {
            match letter {
                '\n' => lines += 1,
                '\u{c}' | '\u{2029}' => lines += 2,
                '-' | '\u{2010}' | '\u{2011}' | '\u{ad}' => hyphens += 1,
                letter if letter.is_whitespace() => {}
                _ => punctuation = true,
            }
        }
        match (lines, punctuation || hyphens > 1) {
            (2.., _) => Between::Paragraph,
            (_, true) => Between::Punctuation,
            _ => Between::Nothing,
        }
    }
}

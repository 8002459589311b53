//! Titles inside entries: whether a known title stands in an entry, and what much resembles it.
//!
//! Texts are compared by their letters alone, folded and without what stands between words, so that
//! case, accents, ligatures, ß and ss, punctuation and hyphens at the ends of lines do not matter. A title
//! must begin and end where words do, and there must be a sign at both ends: "Lineare Algebra" does
//! not stand in "Einführung in die lineare Algebra".

use crate::shapes::similarity_of_folded;
use auslese_words::{fold, token_spans};
use std::ops::Range;

/// Letters of the shortest title that is looked for.
const LEAST_LETTERS: usize = 5;

/// Places of an entry at which something much like a title is tried.
const MAX_WINDOWS: usize = 8;

/// How much a title counts that lacks its subtitle.
const MAIN_TITLE: f64 = 0.93;

/// How much alike titles must be that differ in letters: some six letters of a hundred.
const LEAST_SIMILARITY: f64 = 0.85;

/// A text as its letters.
#[derive(Debug, Clone, Default)]
pub(super) struct Folded {
    letters: String,
    words: Vec<Word>,
}

#[derive(Debug, Clone)]
struct Word {
    /// In the letters.
    letters: Range<usize>,
    /// In the text.
    text: Range<usize>,
}

impl Folded {
    pub(super) fn of(text: &str) -> Folded {
        let mut folded = Folded::default();
        for span in token_spans(text) {
            let start = folded.letters.len();
            folded.letters.push_str(&fold(&text[span.clone()]));
            folded.words.push(Word { letters: start..folded.letters.len(), text: span });
        }
        folded
    }

    pub(super) fn letters(&self) -> &str {
        &self.letters
    }

    pub(super) fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(|word| &self.letters[word.letters.clone()])
    }

    /// Two words at a time as one, since a hyphen or the end of a line may have parted them.
    pub(super) fn pairs(&self) -> impl Iterator<Item = &str> {
        let pair = |pair: &[Word]| pair[0].letters.start..pair[1].letters.end;
        self.words.windows(2).map(move |words| &self.letters[pair(words)])
    }

    /// Whether some letters are whole words of a part of the text.
    pub(super) fn has_words(&self, letters: &str, within: Range<usize>) -> bool {
        self.places(letters).any(|found| within.start <= found.start && found.end <= within.end)
    }

    /// Whether some of these stand in the text as whole words.
    pub(super) fn has_any(&self, families: &[String]) -> bool {
        families.iter().any(|letters| self.places(letters).next().is_some())
    }

    /// Where letters stand as whole words, as a part of the text.
    fn places(&self, letters: &str) -> impl Iterator<Item = Range<usize>> {
        let found = self.letters.match_indices(letters).filter(|_| !letters.is_empty());
        found.filter_map(|(at, letters)| {
            let first = self.words.binary_search_by_key(&at, |word| word.letters.start).ok()?;
            let end = at + letters.len();
            let last = self.words.binary_search_by_key(&end, |word| word.letters.end).ok()?;
            Some(self.words[first].text.start..self.words[last].text.end)
        })
    }

    /// The part between two words of the text, by the end of the one and the beginning of the other.
    fn before<'a>(&self, text: &'a str, start: usize) -> &'a str {
        let word = self.words.partition_point(|word| word.text.start < start);
        let end = word.checked_sub(1).map_or(0, |before| self.words[before].text.end);
        &text[end.min(start)..start]
    }

    fn behind<'a>(&self, text: &'a str, end: usize) -> &'a str {
        let word = self.words.partition_point(|word| word.text.start < end);
        let next = self.words.get(word).map_or(text.len(), |word| word.text.start);
        &text[end..next.max(end)]
    }
}

/// How a title stands in an entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TitleFit {
    /// Where, in the text of the entry.
    pub(super) place: Range<usize>,
    /// 1 if letter by letter.
    pub(super) likeness: f64,
}

/// An entry in which titles are looked for.
#[derive(Debug)]
pub(super) struct EntryText<'a> {
    pub(super) text: &'a str,
    pub(super) folded: &'a Folded,
    /// Where the entry has its title, if it was understood.
    pub(super) title: Option<Range<usize>>,
}

impl EntryText<'_> {
    /// Where a title stands in the entry letter by letter, if it does.
    pub(super) fn exact(&self, title: &Folded) -> Option<TitleFit> {
        if title.letters.len() < LEAST_LETTERS {
            return None;
        }
        let mut places = self.folded.places(&title.letters);
        let place = places.find(|place| self.begins(place) && self.ends(place))?;
        Some(TitleFit { place, likeness: 1.0 })
    }

    /// The entry's title, if it is a work's title without its subtitle. Nothing may follow it in the
    /// entry's title: another subtitle is another work.
    pub(super) fn without_subtitle(&self, main: &Folded) -> Option<TitleFit> {
        let place = self.title.clone()?;
        let is_main = Folded::of(&self.text[place.clone()]).letters == main.letters;
        is_main.then_some(TitleFit { place, likeness: MAIN_TITLE })
    }

    fn begins(&self, place: &Range<usize>) -> bool {
        let before = self.folded.before(self.text, place.start);
        place.start == before.len() || before.contains(is_sign)
    }

    /// Within a longer title, only what follows may be cut off that is a subtitle, or place and year.
    fn ends(&self, place: &Range<usize>) -> bool {
        let behind = self.folded.behind(self.text, place.end);
        match self
            .title
            .as_ref()
            .filter(|title| place.end < title.end && title.start <= place.start)
        {
            Some(title) => {
                let rest = &self.text[place.end..title.end];
                let is_dated = rest.contains(|sign: char| sign.is_ascii_digit());
                behind.contains(begins_subtitle) || (is_dated && behind.contains(','))
            }
            None => place.end + behind.len() == self.text.len() || behind.contains(is_sign),
        }
    }

    /// The part of the entry that is most like a title. The time is the square of its length.
    pub(super) fn alike(&self, title: &Folded) -> Option<TitleFit> {
        let windows = self.title.iter().cloned().chain(self.windows(title));
        let likeness = |place: Range<usize>| {
            let part = Folded::of(&self.text[place.clone()]);
            let same_numbers = numbers(&part).eq(numbers(title));
            let likeness = similarity_of_folded(&joined(&part), &joined(title));
            let is_like = same_numbers && likeness >= LEAST_SIMILARITY;
            // Only letter by letter is certain.
            is_like.then_some(TitleFit { place, likeness: likeness.min(0.99) })
        };
        windows.filter_map(likeness).max_by(|a, b| a.likeness.total_cmp(&b.likeness))
    }

    /// Parts with as many words as the title, where its first or second word stands in the entry.
    fn windows(&self, title: &Folded) -> impl Iterator<Item = Range<usize>> {
        let starts: Vec<&str> = title.words().take(2).collect();
        let length = title.words.len();
        let words: Vec<&str> = self.folded.words().collect();
        let mut windows = Vec::new();
        for (number, word) in words.iter().enumerate() {
            let Some(offset) = starts.iter().position(|start| start == word) else { continue };
            let first = number.saturating_sub(offset);
            let last = (first + length - 1).min(words.len() - 1);
            let place = self.folded.words[first].text.start..self.folded.words[last].text.end;
            if windows.len() < MAX_WINDOWS && self.begins(&place) && self.ends(&place) {
                windows.push(place);
            }
        }
        windows.into_iter()
    }
}

/// What stands before the subtitle, if there is one.
pub(super) fn main_title(title: &str) -> Option<&str> {
    let signs = [": ", ". ", " – ", " — ", " - ", "? "];
    let end = signs.iter().filter_map(|sign| title.find(sign)).min()?;
    let main = title[..end].trim();
    (token_spans(main).nth(1).is_some()).then_some(main)
}

fn joined(text: &Folded) -> String {
    text.words().collect::<Vec<_>>().join(" ")
}

/// Numbers tell parts of a work and editions apart, however much alike the rest is.
fn numbers(title: &Folded) -> impl Iterator<Item = &str> {
    title.words().filter(|word| {
        word.bytes().all(|byte| byte.is_ascii_digit())
            || word.bytes().all(|byte| matches!(byte, b'i' | b'v' | b'x'))
    })
}

fn is_sign(letter: char) -> bool {
    !letter.is_alphanumeric()
        && !letter.is_whitespace()
        && !matches!(letter, '-' | '‐' | '‑' | '\'' | '’')
}

fn begins_subtitle(letter: char) -> bool {
    matches!(letter, ':' | '.' | ';' | '?' | '!' | '–' | '—' | '(')
}

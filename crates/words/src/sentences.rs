//! Where sentences begin and end, with German in mind.
//!
//! A sentence ends with `.`, `!`, `?` or `…`, with closing quotes and brackets behind, followed by
//! white space and by something a sentence can begin with. That is the easy part; the dot is the
//! hard one, because it also ends abbreviations (`z. B.`, `Prof. Dr.`, `usw.`), initials and
//! ordinal numbers (`3. Oktober`). What decides then is the word before the dot (see
//! [`abbreviations`]) and the word behind it: a capitalised article, pronoun or preposition begins
//! a sentence, any other capitalised word may be a noun.
//!
//! Tabs and empty lines end a sentence; a single line feed is white space. All marks are found in
//! one pass, and each decision looks at two words of bounded length, so the time is linear.

mod abbreviations;

use abbreviations::{Abbreviation, abbreviation, begins_sentences, is_month};
use std::ops::Range;

/// Longest word that is compared with the lists, in bytes; no entry is longer.
const LONGEST_ENTRY: usize = 24;

/// The sentences of a text, without white space around them.
///
/// ```
/// let text = "Prof. Dr. Maier liest am 3. Oktober, z. B. über Goethe. Kommen Sie?";
/// let sentences: Vec<&str> = auslese_words::sentences(text).collect();
/// assert_eq!(sentences[1], "Kommen Sie?");
/// ```
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    sentence_spans(text).map(|span| &text[span])
}

/// Where the sentences of a text stand, in bytes.
pub fn sentence_spans(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        while start < text.len() {
            let end = next_end(text, start);
            let sentence = text[start..end].trim();
            let at = start + (text[start..end].len() - text[start..end].trim_start().len());
            start = end;
            if !sentence.is_empty() {
                return Some(at..at + sentence.len());
            }
        }
        None
    })
}

/// The end of the sentence that begins at `start`: behind its last mark, or the end of the text.
fn next_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'\t' => return at + 1,
            b'\n' if bytes.get(at + 1) == Some(&b'\n') => return at + 2,
            b'.' | b'!' | b'?' | 0xE2 | 0xE3 | 0xEF => {
                let Some(marks) = marks(text, at) else {
                    at += 1;
                    continue;
                };
                if ends_here(text, start, &marks) {
                    return marks.end;
                }
                at = marks.end;
            }
            _ => at += 1,
        }
    }
    text.len()
}

/// A run of marks with what closes behind it.
struct Marks {
    start: usize,
    end: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dot,
    /// Several dots, or `…`.
    Ellipsis,
    /// `!` or `?`, alone or among others.
    Loud,
    /// A mark of East Asian scripts, which needs no space behind it.
    FullWidth,
}

fn marks(text: &str, start: usize) -> Option<Marks> {
    let mut kind = None;
    let mut end = start;
    let mut closing = false;
    for letter in text.get(start..)?.chars() {
        let next = match letter {
            '.' if !closing => match kind {
                None => Some(Kind::Dot),
                Some(Kind::Dot) => Some(Kind::Ellipsis),
                other => other,
            },
            '…' if !closing && kind != Some(Kind::Loud) => Some(Kind::Ellipsis),
            '!' | '?' | '‼' | '⁇' | '⁈' | '⁉' | '‽' if !closing => Some(Kind::Loud),
            '。' | '！' | '？' | '｡' if !closing => Some(Kind::FullWidth),
            _ if kind.is_some() && closes(letter) => {
                closing = true;
                kind
            }
            _ => break,
        };
        kind = next;
        end += letter.len_utf8();
    }
    Some(Marks { start, end, kind: kind? })
}

fn closes(letter: char) -> bool {
    matches!(
        letter,
        '"' | '\''
            | ')'
            | ']'
            | '}'
            | '»'
            | '«'
            | '“'
            | '”'
            | '’'
            | '‘'
            | '›'
            | '‹'
            | '」'
            | '』'
    )
}

fn opens(letter: char) -> bool {
    matches!(
        letter,
        '"' | '\''
            | '('
            | '['
            | '{'
            | '»'
            | '«'
            | '„'
            | '‚'
            | '“'
            | '”'
            | '‘'
            | '›'
            | '‹'
            | '–'
            | '—'
            | '-'
            | '•'
            | '*'
            | '·'
            | '¿'
            | '¡'
            | '§'
    )
}

fn ends_here(text: &str, start: usize, marks: &Marks) -> bool {
    let behind = &text[marks.end..];
    if marks.kind == Kind::FullWidth || behind.is_empty() {
        return true;
    }
    if !behind.starts_with(char::is_whitespace) {
        return false;
    }
    let next = next_word(behind);
    let Some(first) = next.chars().next() else { return true };
    if first.is_lowercase() {
        return false;
    }
    match marks.kind {
        Kind::Loud | Kind::Ellipsis | Kind::FullWidth => true,
        Kind::Dot => dot_ends(&text[start..marks.start], next),
    }
}

/// Whether a dot between these ends a sentence; `next` begins with a capital or no letter at all.
fn dot_ends(before: &str, next: &str) -> bool {
    let word = last_word(before);
    if is_ordinal(word) {
        // A number that stands alone is the label of what follows it.
        let is_label = before.trim() == word;
        return !is_label && !is_month(next) && begins_sentences(next);
    }
    let mut letters = word.chars();
    let (first, second) = (letters.next(), letters.next());
    if first.is_some_and(char::is_alphabetic) && second.is_none() {
        // `z. B.`, `d. h.`, `J. W. Goethe`; but `Vitamin C. Das` begins anew.
        return !is_part_of_abbreviation(before) && begins_sentences(next);
    }
    match abbreviation(word) {
        None => true,
        Some(Abbreviation::Never) => false,
        Some(Abbreviation::Sometimes) => begins_sentences(next),
        Some(Abbreviation::BeforeNumbers) => !next.starts_with(|c: char| c.is_ascii_digit()),
    }
}

/// Whether a single letter follows another one with a dot, as the `B` in `z. B.`, or is lower case.
fn is_part_of_abbreviation(before: &str) -> bool {
    let letter = last_word(before);
    let rest = before[..before.len() - letter.len()].trim_end();
    let follows_letter = rest.strip_suffix('.').is_some_and(|rest| {
        let mut letters = last_word(rest).chars();
        letters.next().is_some() && letters.next().is_none()
    });
    follows_letter || letter.starts_with(char::is_lowercase)
}

/// A number of up to three digits, or a Roman one of at least two.
fn is_ordinal(word: &str) -> bool {
    let arabic = (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    let roman = (2..=6).contains(&word.len()) && word.bytes().all(|byte| b"IVXLC".contains(&byte));
    arabic || roman
}

/// The letters and digits at the end; as much of them as the lists may know.
fn last_word(text: &str) -> &str {
    let mut start = text.len();
    for (at, letter) in text.char_indices().rev() {
        if !letter.is_alphanumeric() || text.len() - at > LONGEST_ENTRY {
            break;
        }
        start = at;
    }
    &text[start..]
}

/// The word that follows white space and opening marks.
fn next_word(text: &str) -> &str {
    let word = text.trim_start().trim_start_matches(opens);
    let word = word.trim_start();
    let end = word
        .char_indices()
        .find(|(at, letter)| !letter.is_alphanumeric() || *at > LONGEST_ENTRY)
        .map_or(word.len(), |(at, letter)| if at == 0 { letter.len_utf8() } else { at });
    &word[..end]
}

#[cfg(test)]
mod tests;

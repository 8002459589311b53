//! Names that a collection itself gives away.
//!
//! No list knows the people and places of a particular web. A name is written with a capital also
//! inside a sentence, is never written in lower case, and is not in the word list. German writes
//! nouns with a capital too, so the list has to know the nouns; what it does not know, and stands
//! behind another word often enough, is taken for a name.

use super::Recogniser;
use super::tally::Fate;
use auslese_words::{PieceKind, pieces};
use std::collections::HashMap;

/// Different words that are watched; further ones are not taken up.
pub const MAX_NAME_CANDIDATES: usize = 1_000_000;

/// How often a name must occur inside sentences to be one.
pub const LEAST_NAME_COUNT: u32 = 3;

/// Collects names from texts.
#[derive(Debug)]
pub struct NameCollector<'r> {
    recogniser: &'r Recogniser,
    seen: HashMap<String, Sightings>,
}

/// A word that is taken for a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundName {
    /// With a capital; further ones are not kept.
    pub name: String,
    /// How often it occurs inside sentences.
    pub count: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sightings {
    inside_sentences: u32,
    lower_case: bool,
}

impl<'r> NameCollector<'r> {
    pub fn new(recogniser: &'r Recogniser) -> NameCollector<'r> {
        NameCollector { recogniser, seen: HashMap::new() }
    }

    /// Watches the words of a text that the lists do not know.
    pub fn watch(&mut self, text: &str) {
        let mut inside = false;
        for piece in pieces(text) {
            let token = &text[piece.span.clone()];
            match piece.kind {
                PieceKind::Word => {
                    if self.recogniser.lists().fate(text, &piece) == Fate::Unknown {
                        self.note(token, inside);
                    }
                    inside = true;
                }
                // What follows these may begin a sentence, a heading, a cell.
                PieceKind::Symbol => inside &= matches!(token, "," | "-"),
                PieceKind::Number | PieceKind::Url | PieceKind::Mail => inside = false,
            }
        }
    }

    /// The names, most frequent first.
    pub fn finish(self) -> Vec<FoundName> {
        let mut names: Vec<FoundName> = self
            .seen
            .into_iter()
            .filter(|(_, seen)| !seen.lower_case && seen.inside_sentences >= LEAST_NAME_COUNT)
            .map(|(word, seen)| FoundName { name: capital(&word), count: seen.inside_sentences })
            .collect();
        names.sort_by(|one, other| (other.count, &one.name).cmp(&(one.count, &other.name)));
        names
    }

    fn note(&mut self, word: &str, inside: bool) {
        let key = word.to_lowercase();
        if self.seen.len() >= MAX_NAME_CANDIDATES && !self.seen.contains_key(&key) {
            return;
        }
        let sightings = self.seen.entry(key).or_default();
        let mut letters = word.chars();
        match letters.next().is_some_and(char::is_uppercase) {
            true if inside => sightings.inside_sentences += 1,
            true => {}
            false => sightings.lower_case = true,
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

//! The word table: what the words in names of organisations are worth.
//!
//! The table is data (`data/name-words.txt`), read once. Every word leads to one entry: the class it
//! belongs to and the spelling that stands for it and its translations.

use super::TokenClass;
use auslese_words::{fold, one_letter_lost};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What the table says about a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) class: TokenClass,
    /// Stands for the word in all its spellings and translations.
    pub(super) word: String,
}

#[derive(Debug, Default)]
pub(super) struct WordTable {
    entries: FxHashMap<String, Entry>,
    /// Endings of words for fields of study.
    endings: Vec<String>,
    /// By their first word; the longest first.
    phrases: FxHashMap<String, Vec<Phrase>>,
    placeholders: Vec<Vec<String>>,
}

#[derive(Debug)]
pub(super) struct Phrase {
    pub(super) words: Vec<String>,
    pub(super) replacement: Vec<String>,
}

/// Institution words shorter than this are not looked for behind spelling mistakes.
const MIN_MISSPELT: usize = 8;

/// Adjective endings, so that `Technischen Universität` reads as `Technische Universität`.
const ADJECTIVE_ENDINGS: [&str; 4] = ["en", "er", "es", "em"];

/// Words that end a compound and name the kind of body: `Musikhochschule`, `Fernuniversität`.
const COMPOUND_HEADS: [&str; 6] =
    ["fachhochschule", "hochschule", "universitaet", "akademie", "schule", "kolleg"];

/// Words that begin a compound and name the kind of body: `Universitätsbibliothek`.
const COMPOUND_STARTS: [(&str, &str); 3] =
    [("universitaets", "universitaet"), ("hochschul", "hochschule"), ("uni", "universitaet")];

/// The shipped table.
pub(super) fn word_table() -> &'static WordTable {
    static TABLE: LazyLock<WordTable> =
        LazyLock::new(|| WordTable::read(include_str!("../../data/name-words.txt")));
    &TABLE
}

impl WordTable {
    /// Reads a table; lines outside a known section are passed over.
    fn read(text: &str) -> WordTable {
        let mut table = WordTable::default();
        let mut section = "";
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        for line in lines.filter(|line| !line.starts_with('#')) {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some(name) => section = name,
                None => table.add(section, line),
            }
        }
        for phrases in table.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
        }
        table
    }

    fn add(&mut self, section: &str, line: &str) {
        let (word, others) = line.split_once('=').unwrap_or((line, ""));
        match (section, class_of_section(section)) {
            ("phrase", _) => self.add_phrase(folded_words(word), folded_words(others)),
            ("placeholder", _) => self.placeholders.push(folded_words(line)),
            ("subject", _) if line.starts_with('-') => self.endings.push(fold(&line[1..])),
            (_, Some(class)) => self.add_word(class, &fold(word.trim()), &folded_words(others)),
            (_, None) => {}
        }
    }

    fn add_word(&mut self, class: TokenClass, word: &str, others: &[String]) {
        let entry = Entry { class, word: word.to_owned() };
        for spelling in others.iter().map(String::as_str).chain([word]) {
            self.entries.insert(spelling.to_owned(), entry.clone());
        }
    }

    fn add_phrase(&mut self, words: Vec<String>, replacement: Vec<String>) {
        if let Some(first) = words.first() {
            self.phrases.entry(first.clone()).or_default().push(Phrase { words, replacement });
        }
    }

    /// The longest phrase that the words begin with.
    pub(super) fn phrase_at<'a>(
        &self,
        words: impl Iterator<Item = &'a str> + Clone,
    ) -> Option<&Phrase> {
        let first = words.clone().next()?;
        self.phrases.get(first)?.iter().find(|phrase| {
            let mut words = words.clone();
            phrase.words.iter().all(|word| words.next() == Some(word))
        })
    }

    /// Whether the words contain what stands where a registry tells no name.
    pub(super) fn has_placeholder(&self, words: &[&str]) -> bool {
        self.placeholders
            .iter()
            .any(|phrase| words.windows(phrase.len()).any(|window| window == phrase.as_slice()))
    }

    /// What the table says about a folded word; `None` if it is a name.
    pub(super) fn entry(&self, word: &str) -> Option<Entry> {
        self.listed(word)
            .cloned()
            .or_else(|| self.subject_by_ending(word))
            .or_else(|| self.misspelt_institution(word))
    }

    /// What the table says about a word that stands in it, in any inflection.
    pub(super) fn listed(&self, word: &str) -> Option<&Entry> {
        self.entries.get(word).or_else(|| self.entries.get(&uninflected(word)?))
    }

    fn subject_by_ending(&self, word: &str) -> Option<Entry> {
        let ends = |ending: &String| word.len() > ending.len() && word.ends_with(ending.as_str());
        self.endings
            .iter()
            .any(ends)
            .then(|| Entry { class: TokenClass::Subject, word: stem(word).to_owned() })
    }

    /// Half of all letters of a name are often in `Universität`: so are the mistakes.
    fn misspelt_institution(&self, word: &str) -> Option<Entry> {
        COMPOUND_HEADS
            .iter()
            .filter(|head| head.len() >= MIN_MISSPELT && one_letter_lost(word, head))
            .find_map(|head| self.entries.get(*head).cloned())
    }

    /// The parts of a compound with an institution word in it, such as `musik`, `hochschule`.
    pub(super) fn parts<'a>(&self, word: &'a str) -> Option<(&'a str, &'a str)> {
        self.ends_with_institution(word).or_else(|| self.begins_with_institution(word))
    }

    fn ends_with_institution<'a>(&self, word: &'a str) -> Option<(&'a str, &'a str)> {
        let head = COMPOUND_HEADS.iter().find(|head| word.ends_with(**head))?;
        let (modifier, head) = word.split_at(word.len() - head.len());
        let known = |modifier: &&str| self.entries.contains_key(*modifier);
        let without_link = modifier.strip_suffix('s').filter(known);
        (modifier.len() > 1).then_some((without_link.unwrap_or(modifier), head))
    }

    fn begins_with_institution<'a>(&self, word: &'a str) -> Option<(&'a str, &'a str)> {
        COMPOUND_STARTS.iter().find_map(|(start, institution)| {
            let rest = word.strip_prefix(start)?;
            let entry = self.entries.get(rest)?;
            matches!(entry.class, TokenClass::Unit | TokenClass::Related)
                .then_some((*institution, rest))
        })
    }
}

/// A word without the ending that German adjectives take: `westfaelischen` as `westfaelisch`.
pub(super) fn stem(word: &str) -> &str {
    let endings = ADJECTIVE_ENDINGS.into_iter().chain(["e"]);
    endings
        .filter_map(|ending| word.strip_suffix(ending))
        .find(|stem| stem.ends_with("isch") || stem.ends_with("lich"))
        .unwrap_or(word)
}

/// `technischen` and `technisch` as the table has it: `technische`.
fn uninflected(word: &str) -> Option<String> {
    let stem = ADJECTIVE_ENDINGS.into_iter().find_map(|ending| word.strip_suffix(ending));
    let stem = stem.or_else(|| word.ends_with("isch").then_some(word))?;
    (stem.len() >= 4).then(|| format!("{stem}e"))
}

fn folded_words(text: &str) -> Vec<String> {
    // Only the table itself has words with dots: they stand for what no name contains as a word.
    text.split_whitespace().map(fold).collect()
}

fn class_of_section(section: &str) -> Option<TokenClass> {
    Some(match section {
        "institution" => TokenClass::Institution,
        "unit" => TokenClass::Unit,
        "office" => TokenClass::Office,
        "related" => TokenClass::Related,
        "distinguishing" => TokenClass::Distinguishing,
        "subject" => TokenClass::Subject,
        "qualifier" => TokenClass::Qualifier,
        "legal" => TokenClass::Legal,
        "filler" => TokenClass::Filler,
        "function" => TokenClass::Function,
        "place" => TokenClass::Name,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str) -> Option<(TokenClass, String)> {
        word_table().entry(&fold(word)).map(|entry| (entry.class, entry.word))
    }

    #[test]
    fn words() {
        use TokenClass::{Distinguishing, Institution, Name, Subject, Unit};
        #[rustfmt::skip]
        let cases = [
            ("Universität",         Some((Institution, "universitaet"))),
            ("université",          Some((Institution, "universitaet"))),
            ("Univesität",          Some((Institution, "universitaet"))),
            ("Fachhochschule",      Some((Institution, "hochschule"))),
            ("Technischen",         Some((Distinguishing, "technische"))),
            ("Medical",             Some((Distinguishing, "medizinische"))),
            ("philosophisch",       Some((Distinguishing, "philosophische"))),
            ("Sozialwissenschaften", Some((Subject, "sozialwissenschaften"))),
            ("Rechenzentrum",       Some((Unit, "rechenzentrum"))),
            ("Munich",              Some((Name, "muenchen"))),
            ("Viadrina",            None),
        ];
        for (word, expected) in cases {
            let expected = expected.map(|(class, word)| (class, word.to_owned()));
            assert_eq!(check(word), expected, "{word}");
        }
    }

    #[test]
    fn compounds() {
        #[rustfmt::skip]
        let cases = [
            ("musikhochschule",           Some(("musik", "hochschule"))),
            ("wirtschaftsuniversitaet",   Some(("wirtschaft", "universitaet"))),
            ("universitaetsbibliothek",   Some(("universitaet", "bibliothek"))),
            ("hochschulrechenzentrum",    Some(("hochschule", "rechenzentrum"))),
            ("universitaetsstrasse",      None),
            ("konstanz",                  None),
        ];
        for (word, expected) in cases {
            assert_eq!(word_table().parts(word), expected, "{word}");
        }
    }

    #[test]
    fn the_table_is_well_formed() {
        let mut section = "";
        let mut seen: FxHashMap<String, &str> = FxHashMap::default();
        for line in include_str!("../../data/name-words.txt").lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name;
                let known = class_of_section(name).is_some();
                assert!(known || ["phrase", "placeholder"].contains(&name), "[{name}]");
                continue;
            }
            assert_eq!(line.matches('=').count() == 1, line.contains('='), "{line}");
            if class_of_section(section).is_none() {
                continue;
            }
            for word in line.split(['=', ' ']).filter(|word| !word.is_empty()) {
                let before = seen.insert(fold(word), section);
                assert!(before.is_none(), "{word} stands in [{section}] and [{}]", before.unwrap());
            }
        }
        assert!(seen.len() > 300, "{}", seen.len());
    }
}

//! The words of the language: sources, steps, measures and comparisons, with the arguments they take.
//!
//! The checker, its suggestions and the test that compares the manual with the program read these
//! tables; what a word does stands in [`super::evaluate`].

use super::syntax::{Kind, Relation};

/// What an argument must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    /// One text or more.
    Texts,
    /// A text that may be left out.
    MaybeText,
    /// The name of a field.
    Field,
    /// A number from 1 on.
    Count,
    /// The same, but it may be left out.
    MaybeCount,
    XPath,
    Regex,
    /// One that is asked of classes and ids.
    ClassRegex,
    Value,
}

/// A source or a step.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) name: &'static str,
    pub(crate) takes: &'static [Shape],
    /// An example for messages.
    pub(crate) usage: &'static str,
}

const fn word(name: &'static str, takes: &'static [Shape], usage: &'static str) -> Word {
    Word { name, takes, usage }
}

#[rustfmt::skip]
pub(crate) static SOURCES: [Word; 23] = [
    word("classed",       &[Shape::ClassRegex],             "classed(\"(?i)byline|author\")"),
    word("meta",          &[Shape::Texts],                  "meta(\"og:title\")"),
    word("jsonld",        &[Shape::Text, Shape::MaybeText], "jsonld(\"author.name\", \"Article\")"),
    word("microdata",     &[Shape::Text, Shape::MaybeText], "microdata(\"headline\", \"Article\")"),
    word("rdfa",          &[Shape::Texts],                  "rdfa(\"dc:title\")"),
    word("jsonld-types",  &[],                              "jsonld-types"),
    word("microdata-types", &[],                            "microdata-types"),
    word("coins-count",   &[],                              "coins-count"),
    word("coins",         &[Shape::Texts],                  "coins(\"rft.atitle\")"),
    word("address",       &[],                              "address"),
    word("address-dates", &[],                              "address-dates"),
    word("address-words", &[],                              "address-words"),
    word("host",          &[],                              "host"),
    word("file-name",     &[],                              "file-name"),
    word("anchors",       &[],                              "anchors"),
    word("site-name",     &[],                              "site-name"),
    word("institution",   &[],                              "institution"),
    word("home",          &[],                              "home"),
    word("last-modified", &[],                              "last-modified"),
    word("language",      &[],                              "language"),
    word("blocks",        &[],                              "blocks"),
    word("chosen",        &[Shape::Field],                  "chosen(\"title\")"),
    word("nothing",       &[],                              "nothing"),
];

#[rustfmt::skip]
pub(crate) static STEPS: [Word; 40] = [
    word("first",      &[],                           "first"),
    word("last",       &[],                           "last"),
    word("limit",      &[Shape::Count],               "limit(3)"),
    word("skip",       &[Shape::Count],               "skip(1)"),
    word("unique",     &[],                           "unique"),
    word("repeated",   &[],                           "repeated"),
    word("longest",    &[],                           "longest"),
    word("shortest",   &[],                           "shortest"),
    word("text",       &[],                           "text"),
    word("own-text",   &[],                           "own-text"),
    word("runs",       &[],                           "runs"),
    word("alike",      &[],                           "alike"),
    word("at",         &[Shape::XPath],               "at(`ancestor::table[1]`)"),
    word("attribute",  &[Shape::Text],                "attribute(\"alt\")"),
    word("lines",      &[],                           "lines"),
    word("cells",      &[],                           "cells"),
    word("next",       &[Shape::MaybeCount],          "next"),
    word("previous",   &[Shape::MaybeCount],          "previous"),
    word("sentences",  &[Shape::Count],               "sentences(3)"),
    word("split",      &[Shape::Regex],               "split(\"\\s+und\\s+\")"),
    word("capture",    &[Shape::Regex],               "capture(\"Stand: (.+)\")"),
    word("remove",     &[Shape::Regex],               "remove(\"^Von \")"),
    word("replace",    &[Shape::Regex, Shape::Text],  "replace(\"_\", \" \")"),
    word("without",    &[Shape::Value],               "without(SITE)"),
    word("after",      &[Shape::Value],               "after(LABELS)"),
    word("parts",      &[],                           "parts"),
    word("without-site", &[],                         "without-site"),
    word("names",      &[],                           "names"),
    word("nicknames",  &[],                           "nicknames"),
    word("institutions", &[],                         "institutions"),
    word("dates",      &[],                           "dates"),
    word("cited-title", &[],                          "cited-title"),
    word("cited-authors", &[],                        "cited-authors"),
    word("list",       &[],                           "list"),
    word("joined",     &[Shape::Text],                "joined(\"; \")"),
    word("lower",      &[],                           "lower"),
    word("trimmed",    &[],                           "trimmed"),
    word("cut",        &[Shape::Count],               "cut(40)"),
    word("resolved",   &[],                           "resolved"),
    word("where",      &[],                           "where words(it) < 20"),
];

/// A comparison of texts or places: its word, the word that follows, if any, and what it means.
#[rustfmt::skip]
pub(crate) const RELATIONS: [(&str, &str, Relation); 10] = [
    ("equals",   "",     Relation::Equals),
    ("same",     "as",   Relation::Same),
    ("contains", "",     Relation::Contains),
    ("mentions", "",     Relation::Mentions),
    ("starts",   "with", Relation::StartsWith),
    ("ends",     "with", Relation::EndsWith),
    ("in",       "",     Relation::In),
    ("inside",   "",     Relation::Inside),
    ("before",   "",     Relation::Before),
    ("after",    "",     Relation::After),
];

/// Comparisons that take something else than a value.
pub(crate) const OTHER_COMPARISONS: [&str; 3] = ["matches", "like", "is"];

/// What may follow `is`.
pub(crate) const KINDS: [(&str, Kind); 5] = [
    ("generic", Kind::Generic),
    ("name", Kind::Name),
    ("organisation", Kind::Organisation),
    ("boilerplate", Kind::Boilerplate),
    ("site-wide", Kind::SiteWide),
];

/// What can be counted or measured of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// How many items it has.
    Count,
    Words,
    /// In characters.
    Length,
    /// How far down the page it stands, from 0 to 1.
    Position,
    /// The share of its characters inside links.
    Links,
    /// The share of its words that begin with a capital letter.
    Capitals,
    /// The share of its characters that are digits.
    Digits,
    /// The first number written in it.
    Number,
}

impl Measure {
    pub(crate) const ALL: [(&'static str, Measure); 8] = [
        ("count", Measure::Count),
        ("words", Measure::Words),
        ("length", Measure::Length),
        ("position", Measure::Position),
        ("links", Measure::Links),
        ("capitals", Measure::Capitals),
        ("digits", Measure::Digits),
        ("number", Measure::Number),
    ];

    pub(crate) fn named(word: &str) -> Option<Measure> {
        Measure::ALL.into_iter().find(|(name, _)| *name == word).map(|(_, measure)| measure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual names every word, in code.
    #[test]
    fn every_word_is_in_the_manual() {
        let manual = include_str!("../../../../docs/heuristics.md");
        let calls = SOURCES.iter().chain(&STEPS).map(|word| word.name);
        let relations = RELATIONS.iter().map(|(name, ..)| *name);
        let measures = Measure::ALL.iter().map(|(name, _)| *name);
        let kinds = KINDS.iter().map(|(name, _)| *name);
        let words = calls.chain(relations).chain(OTHER_COMPARISONS).chain(measures).chain(kinds);
        let is_told = |word: &str| {
            let ends = |rest: &str| rest.starts_with([' ', '`', '(', ',']);
            manual.split(word).skip(1).any(ends)
                && manual.lines().any(|line| line.starts_with('|') && line.contains(word))
        };
        let missing: Vec<&str> = words.filter(|word| !is_told(word)).collect();
        assert!(missing.is_empty(), "docs/heuristics.md lacks {missing:?}");
    }

    #[test]
    fn names_of_words_are_different() {
        for words in [&SOURCES[..], &STEPS[..]] {
            let mut names: Vec<&str> = words.iter().map(|word| word.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), words.len());
        }
    }
}

//! Counts the features of orality, sentence by sentence.

use super::WORDS;
use super::verbs::{is_full_verb, is_noun};
use crate::features::count;
use crate::features::lexicon::Classes;
use crate::features::words::Word;
use std::collections::BTreeMap;

/// Running counts. One document has at most 64 MiB of text, so none of them overflows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    words: u32,
    letters: u32,
    first_person: u32,
    full_verbs: u32,
    nouns: u32,
    subordinators: u32,
    interjections: u32,
    answers: u32,
    /// Forms of `dieser`.
    long_demonstratives: u32,
    /// `der`, `die`, `das` standing for themselves.
    short_demonstratives: u32,
}

impl Tally {
    /// Counts one sentence; `words` are those of `text`.
    pub(crate) fn sentence(&mut self, text: &str, words: &[Word<'_>]) {
        for (at, word) in words.iter().enumerate().filter(|(_, word)| word.has_letter()) {
            self.words += 1;
            self.letters += count(word.letters());
            self.first_person += u32::from(word.is(Classes::FIRST_PERSON));
            self.interjections += u32::from(word.is(Classes::INTERJECTION));
            self.answers += u32::from(word.is(Classes::ANSWER));
            self.long_demonstratives += u32::from(word.is(Classes::DEMONSTRATIVE));
            self.short_demonstratives += u32::from(is_short_demonstrative(words, at));
            self.subordinators += u32::from(is_subordinator(text, words, at));
            self.full_verbs += u32::from(is_full_verb(words, at));
            self.nouns += u32::from(is_noun(words, at));
        }
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        self.words += other.words;
        self.letters += other.letters;
        self.first_person += other.first_person;
        self.full_verbs += other.full_verbs;
        self.nouns += other.nouns;
        self.subordinators += other.subordinators;
        self.interjections += other.interjections;
        self.answers += other.answers;
        self.long_demonstratives += other.long_demonstratives;
        self.short_demonstratives += other.short_demonstratives;
    }

    /// Nothing if there are no words. Where nothing is there to divide by, one is taken.
    pub(crate) fn write(&self, features: &mut BTreeMap<String, f64>) {
        if self.words == 0 {
            return;
        }
        let mut set = |name: &str, count: u32, of: u32| {
            features.insert(name.to_owned(), f64::from(count) / f64::from(of.max(1)));
        };
        let demonstratives = self.long_demonstratives + self.short_demonstratives;
        set(WORDS, self.words, 1);
        set("orality.mean_word_length", self.letters, self.words);
        set("orality.first_person", self.first_person, self.words);
        set("orality.verbs_per_noun", self.full_verbs, self.nouns);
        set("orality.short_demonstratives", self.short_demonstratives, demonstratives);
        set("orality.subordinators_per_verb", self.subordinators, self.full_verbs);
        set("orality.interjections", self.interjections, self.words);
        set("orality.answer_particles", self.answers, self.words);
        set("orality.demonstratives", demonstratives, self.words);
    }
}

/// `der`, `die`, `das` before a finite verb: *das* ist schön, *der* kommt. Before anything else they
/// are mostly articles, or relative pronouns, whose verb comes last.
fn is_short_demonstrative(words: &[Word<'_>], at: usize) -> bool {
    if !words[at].is(Classes::ARTICLE) {
        return false;
    }
    let Some(next) = words.get(at + 1) else { return at > 0 };
    !next.is_capitalised()
        && (next.is(Classes::AUXILIARY) || next.is(Classes::VERB) && !next.text.ends_with("en"))
}

fn is_subordinator(text: &str, words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    word.is(Classes::SUBORDINATOR)
        || word.is(Classes::SUBORDINATOR_IN_FRONT)
            && (at == 0 || follows_comma(text, words, at))
            // `Seit gestern`, `Um acht Uhr`: before a noun or number it is a preposition.
            && words.get(at + 1).is_some_and(|next| next.has_letter() && !next.is_capitalised())
}

fn follows_comma(text: &str, words: &[Word<'_>], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    text[words[before].end()..words[at].start].contains(',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::words::running_words;

    fn check(text: &str) -> Tally {
        let mut tally = Tally::default();
        let words: Vec<Word<'_>> = running_words(text).collect();
        tally.sentence(text, &words);
        tally
    }

    #[test]
    fn counts() {
        #[rustfmt::skip]
        let cases = [
            // text                                                  ich, sub, interj, answer, dies, das
            ("Ach ja, das ist doch schön, sag ich mir.",             (2, 0, 1, 1, 0, 1)),
            ("Das Haus, das ich sah, ist groß.",                     (1, 0, 0, 0, 0, 0)),
            ("Weil es regnete, blieben wir, um zu lesen.",           (1, 2, 0, 0, 0, 0)),
            ("Diese Frage ist größer als jene.",                     (0, 0, 0, 0, 1, 0)),
            ("Der kommt nicht.",                                     (0, 0, 0, 0, 0, 1)),
            ("Seit Montag ist dieses Buch da.",                      (0, 0, 0, 0, 1, 0)),
            ("Als er kam, dass heißt, obwohl er kam",                (0, 3, 0, 0, 0, 0)),
        ];
        for (text, expected) in cases {
            let it = check(text);
            let told = (
                it.first_person,
                it.subordinators,
                it.interjections,
                it.answers,
                it.long_demonstratives,
                it.short_demonstratives,
            );
            assert_eq!(told, expected, "{text}");
        }
    }

    #[test]
    fn speech_and_writing_differ() {
        let spoken = "Ach, das hab ich dir doch gesagt, ja, wir kommen und dann gehen wir, und das \
                      macht mir nichts, weil ich das so mag.";
        let written = "Die Entwicklung wissenschaftlicher Einrichtungen innerhalb staatlicher \
                       Strukturen erforderte umfangreiche Untersuchungen dieser Zusammenhänge.";
        let features = |text| {
            let mut features = BTreeMap::new();
            check(text).write(&mut features);
            features
        };
        let (spoken, written) = (features(spoken), features(written));
        assert!(spoken["orality.mean_word_length"] < written["orality.mean_word_length"]);
        assert!(spoken["orality.verbs_per_noun"] > written["orality.verbs_per_noun"]);
        assert!(spoken["orality.first_person"] > written["orality.first_person"]);
    }
}

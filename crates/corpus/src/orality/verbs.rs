//! Guesses which words are full verbs and which are nouns, without a tagger.
//!
//! German writes nouns with a capital, so a capitalised word inside a sentence is one. Verbs are
//! known by a list of forms, or by their ending where no list speaks against it: `-t`, `-te`,
//! `-ten`, `-en`, and `-e` or `-st` beside `ich` and `du`. A word before a noun that ends like an
//! adjective is taken as one.

use crate::features::lexicon::Classes;
use crate::features::words::Word;

/// Whether a word counts as a noun or name.
pub(super) fn is_noun(words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    at > 0
        && word.is_capitalised()
        && word.text.len() > 1
        && !word.is(Classes::FUNCTION | Classes::POLITE | Classes::FAMILIAR | Classes::AUXILIARY)
}

/// Whether a word counts as a full verb, finite or not.
pub(super) fn is_full_verb(words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    if word.is(Classes::AUXILIARY) || !word.has_letter() {
        return false;
    }
    if word.is_capitalised() && at > 0 {
        return false;
    }
    let neighbour = |class| {
        let before = at.checked_sub(1).is_some_and(|before| words[before].is(class));
        before || words.get(at + 1).is_some_and(|after| after.is(class))
    };
    // `liebe`, `suche` and `meine` are verbs beside `ich` only.
    if word.is(Classes::VERB) && !(word.text.ends_with('e') && before_noun(words, at)) {
        return !word.is_capitalised() || at == 0 && words.len() > 1;
    }
    if word.is(Classes::NO_VERB | Classes::FUNCTION | Classes::DETERMINER) || at == 0 {
        return false;
    }
    let text = word.text;
    if text.len() < 4 || text.contains('-') {
        return false;
    }
    if text.ends_with('e') && is_first_person_beside(words, at)
        || text.ends_with("st") && neighbour(Classes::FAMILIAR)
    {
        return true;
    }
    ends_like_verb(text)
        && !ends_like_adjective(text)
        && !(has_case_ending(text) && before_noun(words, at))
}

/// Whether the word before or behind is `ich`.
fn is_first_person_beside(words: &[Word<'_>], at: usize) -> bool {
    let is_ich = |word: &Word<'_>| word.text.eq_ignore_ascii_case("ich");
    words[at - 1..].iter().take(3).any(is_ich)
}

fn before_noun(words: &[Word<'_>], at: usize) -> bool {
    words.get(at + 1).is_some_and(Word::is_capitalised)
        && words.get(at + 1).is_some_and(|next| !next.is(Classes::FUNCTION | Classes::POLITE))
}

fn ends_like_verb(text: &str) -> bool {
    ["en", "ern", "eln", "te", "t"].iter().any(|ending| text.ends_with(ending))
}

/// Endings that adjectives have in front of nouns.
fn has_case_ending(text: &str) -> bool {
    ["en", "te"].iter().any(|ending| text.ends_with(ending))
}

fn ends_like_adjective(text: &str) -> bool {
    #[rustfmt::skip]
    const ENDINGS: &[&str] = &[
        "lichen", "ischen", "igen", "baren", "samen", "losen", "haften", "haft", "iven", "ellen", "alen", "ären", "enten", "anten", "enden",
        "lichsten", "igsten", "eren", "icht", "bert", "seits", "mals", "ent", "ant",
    ];
    ENDINGS.iter().any(|ending| text.ends_with(ending)) && !text.ends_with("ieren")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::words::running_words;

    fn check(text: &str) -> (Vec<&str>, Vec<&str>) {
        let words: Vec<Word<'_>> = running_words(text).collect();
        let pick = |test: fn(&[Word<'_>], usize) -> bool| {
            (0..words.len()).filter(|at| test(&words, *at)).map(|at| words[at].text).collect()
        };
        (pick(is_full_verb), pick(is_noun))
    }

    #[test]
    fn verbs_and_nouns() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("Die Studenten besuchen heute die Vorlesung.",       &["besuchen"],            &["Studenten", "Vorlesung"]),
            ("Er ging nach Hause und schrieb einen Brief.",       &["ging", "schrieb"],     &["Hause", "Brief"]),
            ("Ich habe das nicht gewusst.",                       &["gewusst"],             &[]),
            ("Gestern lernte ich mit dem neuen Buch.",            &["lernte"],              &["Buch"]),
            ("Das kann man nicht verstehen.",                     &["verstehen"],           &[]),
            ("Die verschiedenen Arten wurden bestimmt.",          &["bestimmt"],            &["Arten"]),
            ("Ich arbeite und du arbeitest.",                     &["arbeite", "arbeitest"], &[]),
            ("Wir haben die wissenschaftlichen Ergebnisse diskutiert.", &["diskutiert"],    &["Ergebnisse"]),
            ("Können Sie mir helfen?",                            &["helfen"],              &[]),
            ("Es ist jetzt oben.",                                &[],                      &[]),
        ];
        for (text, verbs, nouns) in cases {
            assert_eq!(check(text), (verbs.to_vec(), nouns.to_vec()), "{text}");
        }
    }
}

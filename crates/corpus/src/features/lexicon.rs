//! Word classes by lists, where a tagger would be too slow and too large.
//!
//! The lists are in [`lists`]; one look-up tells all classes of a word. Words are compared in lower
//! case, since what begins a sentence is capitalised anyway.

mod lists;

use super::words::is_invisible;
use rustc_hash::FxHashMap;
use std::ops::BitOr;
use std::sync::LazyLock;

/// A set of word classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Classes(u16);

impl Classes {
    /// Articles, prepositions, pronouns, conjunctions of German and five other languages.
    pub(crate) const FUNCTION: Classes = Classes(1);
    /// `ich`, `wir` and their cases.
    pub(crate) const FIRST_PERSON: Classes = Classes(1 << 1);
    /// `dieser` and its forms.
    pub(crate) const DEMONSTRATIVE: Classes = Classes(1 << 2);
    /// `der`, `die`, `das`: articles, relative pronouns, and sometimes demonstratives.
    pub(crate) const ARTICLE: Classes = Classes(1 << 3);
    pub(crate) const SUBORDINATOR: Classes = Classes(1 << 4);
    /// Words that subordinate only at the beginning of a clause.
    pub(crate) const SUBORDINATOR_IN_FRONT: Classes = Classes(1 << 5);
    pub(crate) const INTERJECTION: Classes = Classes(1 << 6);
    pub(crate) const ANSWER: Classes = Classes(1 << 7);
    /// Forms of *sein*, *haben*, *werden* and the modal verbs.
    pub(crate) const AUXILIARY: Classes = Classes(1 << 8);
    /// Full verbs that their ending does not betray: `ging`, `kam`.
    pub(crate) const VERB: Classes = Classes(1 << 9);
    /// Words that end like verbs and are none: `jetzt`, `oben`.
    pub(crate) const NO_VERB: Classes = Classes(1 << 10);
    /// `du` and its forms.
    pub(crate) const FAMILIAR: Classes = Classes(1 << 11);
    /// `Sie` and its forms; only capitalised within a sentence.
    pub(crate) const POLITE: Classes = Classes(1 << 12);
    /// Forms of `mein` and `unser`, and others that stand before nouns.
    pub(crate) const DETERMINER: Classes = Classes(1 << 13);

    pub(crate) fn intersects(self, other: Classes) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Classes {
    type Output = Classes;

    fn bitor(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }
}

/// The classes of a word; `key` is working space.
pub(crate) fn classes(word: &str, key: &mut String) -> Classes {
    if word.len() > LEXICON.longest {
        return Classes::default();
    }
    key.clear();
    if word.is_ascii() {
        key.push_str(word);
        key.make_ascii_lowercase();
    } else {
        let seen = word.chars().filter(|letter| !is_invisible(*letter));
        key.extend(seen.flat_map(char::to_lowercase));
    }
    LEXICON.words.get(key.as_str()).copied().unwrap_or_default()
}

struct Lexicon {
    words: FxHashMap<&'static str, Classes>,
    /// In bytes.
    longest: usize,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut words: FxHashMap<&'static str, Classes> = FxHashMap::default();
    for (class, list) in lists::ALL {
        for word in list.split_whitespace() {
            let known = words.entry(word).or_default();
            *known = *known | *class;
        }
    }
    let longest = words.keys().map(|word| word.len()).max().unwrap_or(0);
    Lexicon { words, longest }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_up() {
        #[rustfmt::skip]
        let cases = [
            ("Ich",       Classes::FIRST_PERSON, true),
            ("WEIL",      Classes::SUBORDINATOR, true),
            ("Ähm",       Classes::INTERJECTION, true),
            ("könnten",   Classes::AUXILIARY,    true),
            ("o\u{AD}der", Classes::FUNCTION,     true),
            ("Haus",      Classes::FUNCTION,     false),
            ("the",       Classes::FUNCTION,     true),
        ];
        let mut key = String::new();
        for (word, class, expected) in cases {
            assert_eq!(classes(word, &mut key).intersects(class), expected, "{word}");
        }
    }

    #[test]
    fn lists_are_in_lower_case() {
        for (_, list) in lists::ALL {
            assert_eq!(list.to_lowercase(), *list);
        }
    }
}

//! Which spellings count as the same word.
//!
//! What nobody sees makes no difference, however strictly words are compared: soft hyphens and
//! other invisible signs are dropped, curly apostrophes and typographic hyphens are the plain ones,
//! and a letter followed by a combining mark is the letter in one piece where there is one. PDF and
//! web pages write the same word in all of these ways.

use auslese_words::fold;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// How strictly words are compared and counted apart.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Sensitivity {
    /// Each spelling is a word of its own: `Essen` is not `essen`.
    AsWritten,
    /// Upper and lower case are one.
    #[default]
    IgnoreCase,
    /// Case and accents are one, `ä` is `ae` and `ß` is `ss`.
    Folded,
}

impl Sensitivity {
    /// The form under which a token is compared and counted.
    ///
    /// ```
    /// use auslese_kwic::Sensitivity;
    ///
    /// assert_eq!(Sensitivity::AsWritten.form("geht’s"), "geht's");
    /// assert_eq!(Sensitivity::IgnoreCase.form("U\u{308}bung"), "übung");
    /// assert_eq!(Sensitivity::Folded.form("Übung"), "uebung");
    /// ```
    pub fn form(self, token: &str) -> Cow<'_, str> {
        if token.is_ascii() {
            return match self {
                Sensitivity::AsWritten => Cow::Borrowed(token),
                _ if !token.bytes().any(|byte| byte.is_ascii_uppercase()) => Cow::Borrowed(token),
                _ => Cow::Owned(token.to_ascii_lowercase()),
            };
        }
        let seen = as_seen(token);
        match self {
            Sensitivity::AsWritten => seen,
            Sensitivity::IgnoreCase => Cow::Owned(seen.to_lowercase()),
            Sensitivity::Folded => Cow::Owned(fold(&seen)),
        }
    }
}

impl fmt::Display for Sensitivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sensitivity::AsWritten => "as-written",
            Sensitivity::IgnoreCase => "ignore-case",
            Sensitivity::Folded => "folded",
        })
    }
}

/// Whether a sign stands between the parts of a compound.
pub(crate) fn is_hyphen(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}' | '\u{2011}')
}

/// Whether a sign inside of a word is an apostrophe.
pub(crate) fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | 'ʼ')
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

/// The word without differences that nobody sees.
fn as_seen(token: &str) -> Cow<'_, str> {
    let differs = |letter: char| {
        is_invisible(letter)
            || is_mark(letter)
            || matches!(letter, '’' | 'ʼ' | '\u{2010}' | '\u{2011}')
    };
    if !token.contains(differs) {
        return Cow::Borrowed(token);
    }
    let mut seen = String::with_capacity(token.len());
    for letter in token.chars().filter(|letter| !is_invisible(*letter)) {
        match letter {
            letter if is_apostrophe(letter) => seen.push('\''),
            letter if is_hyphen(letter) => seen.push('-'),
            mark if is_mark(mark) => {
                match seen.chars().next_back().and_then(|base| composed(base, mark)) {
                    Some(whole) => {
                        seen.pop();
                        seen.push(whole);
                    }
                    None => seen.push(mark),
                }
            }
            letter => seen.push(letter),
        }
    }
    Cow::Owned(seen)
}

/// A letter and a mark as one letter, for the letters of European languages written in Latin.
#[rustfmt::skip]
fn composed(base: char, mark: char) -> Option<char> {
    let (bases, wholes) = match mark {
        '\u{300}' => ("aeiouAEIOUnN",             "àèìòùÀÈÌÒÙǹǸ"),
        '\u{301}' => ("aeiouyAEIOUYcnszlrCNSZLR", "áéíóúýÁÉÍÓÚÝćńśźĺŕĆŃŚŹĹŔ"),
        '\u{302}' => ("aeiouAEIOUcghjswyCGHJSWY", "âêîôûÂÊÎÔÛĉĝĥĵŝŵŷĈĜĤĴŜŴŶ"),
        '\u{303}' => ("aoniuAONIU",               "ãõñĩũÃÕÑĨŨ"),
        '\u{304}' => ("aeiouAEIOU",               "āēīōūĀĒĪŌŪ"),
        '\u{306}' => ("aeiougAEIOUG",             "ăĕĭŏŭğĂĔĬŎŬĞ"),
        '\u{307}' => ("cegzCEGZI",                "ċėġżĊĖĠŻİ"),
        '\u{308}' => ("aeiouyAEIOUY",             "äëïöüÿÄËÏÖÜŸ"),
        '\u{30a}' => ("auAU",                     "åůÅŮ"),
        '\u{30b}' => ("ouOU",                     "őűŐŰ"),
        '\u{30c}' => ("cdenrstzCDENRSTZ",         "čďěňřšťžČĎĚŇŘŠŤŽ"),
        '\u{327}' => ("cstCST",                   "çşţÇŞŢ"),
        '\u{328}' => ("aeiuAEIU",                 "ąęįųĄĘĮŲ"),
        _ => return None,
    };
    let at = bases.chars().position(|it| it == base)?;
    wholes.chars().nth(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms() {
        #[rustfmt::skip]
        let cases = [
            // token                as written     ignoring case  folded
            ("Haus",                "Haus",        "haus",        "haus"),
            ("Übung",               "Übung",       "übung",       "uebung"),
            ("U\u{308}bung",        "Übung",       "übung",       "uebung"),
            ("Uni\u{ad}versität",   "Universität", "universität", "universitaet"),
            ("STRAẞE",              "STRAẞE",      "straße",      "strasse"),
            ("geht’s",              "geht's",      "geht's",      "geht's"),
            ("E\u{2011}Mail",       "E-Mail",      "e-mail",      "e-mail"),
            ("e\u{301}te\u{301}",   "été",         "été",         "ete"),
            ("q\u{301}",            "q\u{301}",    "q\u{301}",    "q"),
            ("ΟΔΟΣ",                "ΟΔΟΣ",        "οδος",        "οδοσ"),
        ];
        for (token, written, lower, folded) in cases {
            assert_eq!(Sensitivity::AsWritten.form(token), written, "{token}");
            assert_eq!(Sensitivity::IgnoreCase.form(token), lower, "{token}");
            assert_eq!(Sensitivity::Folded.form(token), folded, "{token}");
        }
    }

    #[test]
    fn every_composed_letter_has_its_base() {
        for mark in '\u{300}'..='\u{36f}' {
            for base in ('a'..='z').chain('A'..='Z') {
                if let Some(whole) = composed(base, mark) {
                    let parts = format!("{base}{mark}");
                    assert_eq!(fold(&whole.to_string()), fold(&parts), "{parts}");
                }
            }
        }
    }

    proptest! {
        /// What an index of folded words is asked for is what it has, sigmas apart.
        #[test]
        fn forms_fold_as_their_words_do(token in "[^σςΣ\u{ad}\u{200b}-\u{200d}’ʼ\u{2010}\u{2011}\u{2060}\u{feff}]{0,20}") {
            for how in [Sensitivity::AsWritten, Sensitivity::IgnoreCase, Sensitivity::Folded] {
                prop_assert_eq!(fold(&how.form(&token)), fold(&token));
            }
        }

        #[test]
        fn marks_do_not_matter(token in "[aouncsAOUNCS\u{300}-\u{30c}\u{327}\u{328}]{0,12}") {
            for how in [Sensitivity::AsWritten, Sensitivity::IgnoreCase] {
                prop_assert_eq!(fold(&how.form(&token)), fold(&token));
            }
        }

        #[test]
        fn a_form_is_its_own_form(token in "\\PC{0,20}") {
            for how in [Sensitivity::AsWritten, Sensitivity::IgnoreCase, Sensitivity::Folded] {
                let once = how.form(&token).into_owned();
                prop_assert_eq!(how.form(&once), once.as_str());
            }
        }
    }
}

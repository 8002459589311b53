//! Names of vocabularies, concordances and models: short, and safe as names of files.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Longer names are cut or refused, in bytes.
pub const MAX_SHORT_NAME: usize = 64;

/// Small letters, digits, `-`, `_` and `.`; begins with a letter or digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ShortName(String);

impl ShortName {
    /// `None` if the text is no short name as it stands.
    pub fn new(text: &str) -> Option<ShortName> {
        let fits = (1..=MAX_SHORT_NAME).contains(&text.len());
        let starts = text.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        let safe = |letter: char| {
            letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_.".contains(letter)
        };
        (fits && starts && text.chars().all(safe)).then(|| ShortName(text.to_owned()))
    }

    /// The short name nearest to any text: folded, everything else as hyphens. `None` if nothing
    /// remains.
    ///
    /// ```
    /// use auslese_vocabulary::ShortName;
    ///
    /// assert_eq!(ShortName::near("Thesaurus für Löwen").unwrap().as_str(), "thesaurus-fuer-loewen");
    /// ```
    pub fn near(text: &str) -> Option<ShortName> {
        ShortName::new(&hyphenated(text, MAX_SHORT_NAME))
    }

    /// The name of a file without its folder and endings.
    pub fn of_file(file: &str) -> Option<ShortName> {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let stem = ENDINGS.iter().fold(name, |name, ending| {
            let cut = name.len().saturating_sub(ending.len());
            match name.get(cut..) {
                Some(end) if cut > 0 && end.eq_ignore_ascii_case(ending) => &name[..cut],
                _ => name,
            }
        });
        ShortName::near(stem)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// This name with an ending, the name cut so that both fit.
    pub(crate) fn with_ending(&self, ending: &str) -> ShortName {
        let keep = MAX_SHORT_NAME.saturating_sub(ending.len()).min(self.0.len());
        ShortName(format!("{}{ending}", &self.0[..keep]))
    }
}

/// Endings that say how a file is written and not what it is; outermost first.
const ENDINGS: [&str; 13] = [
    ".gz", ".ttl", ".nt", ".n3", ".rdf", ".xml", ".owl", ".tsv", ".jsonl", ".ndjson", ".json",
    ".sssom", ".skos",
];

/// Folded, with hyphens for all that is no letter or digit of ASCII, in at most so many bytes.
pub(crate) fn hyphenated(text: &str, max: usize) -> String {
    let mut name = String::new();
    for letter in auslese_words::fold(text).chars() {
        if name.len() >= max {
            break;
        }
        match letter {
            'a'..='z' | '0'..='9' => name.push(letter),
            '_' | '.' if !name.is_empty() => name.push(letter),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    name.trim_end_matches(['-', '.', '_']).to_owned()
}

impl fmt::Display for ShortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ShortName {
    type Error = String;

    fn try_from(text: String) -> Result<ShortName, String> {
        ShortName::new(&text).ok_or_else(|| {
            format!("{text:?} is no short name: small letters, digits, -, _ and . are allowed")
        })
    }
}

impl From<ShortName> for String {
    fn from(name: ShortName) -> String {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_of_files() {
        #[rustfmt::skip]
        let cases = [
            ("/data/STW 9.ttl",      Some("stw-9")),
            ("a\\b\\msc.rdf.gz",     Some("msc")),
            ("k.sssom.tsv",          Some("k")),
            ("Größen.NT",            Some("groessen")),
            ("../..",                None),
            (".ttl",                 Some("ttl")),
            ("",                     None),
        ];
        for (file, expected) in cases {
            let name = ShortName::of_file(file);
            assert_eq!(name.as_ref().map(ShortName::as_str), expected, "{file}");
        }
    }

    proptest! {
        #[test]
        fn what_is_near_is_a_name(text in "\\PC{0,90}") {
            if let Some(name) = ShortName::near(&text) {
                prop_assert_eq!(ShortName::new(name.as_str()), Some(name.clone()));
                let longer = name.with_ending("-mappings");
                prop_assert_eq!(ShortName::new(longer.as_str()), Some(longer.clone()));
            }
        }
    }
}

//! The form of the word lists in `data/`.
//!
//! One entry per line, `#` begins a comment. Entries are compared folded (case, umlauts, accents
//! do not matter). A star at the end or the beginning of an entry stands for anything.

use aho_corasick::AhoCorasick;
use auslese_words::fold;
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

#[derive(Debug, Default)]
pub(crate) struct WordFile {
    exact: FxHashSet<String>,
    beginnings: Vec<String>,
    endings: Vec<String>,
    /// Finds what entries have beside their stars.
    anywhere: OnceLock<Option<AhoCorasick>>,
}

impl WordFile {
    pub(crate) fn parse(text: &str) -> WordFile {
        let mut file = WordFile::default();
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        for entry in lines.filter(|entry| !entry.is_empty()).map(fold) {
            if let Some(beginning) = entry.strip_suffix('*') {
                file.beginnings.push(beginning.to_owned());
            } else if let Some(ending) = entry.strip_prefix('*') {
                file.endings.push(ending.to_owned());
            } else {
                file.exact.insert(entry);
            }
        }
        file
    }

    /// Whether any word of a folded text may be one that the file has.
    pub(crate) fn may_have_some(&self, folded: &str) -> bool {
        let all = || self.exact.iter().chain(&self.beginnings).chain(&self.endings);
        let automaton = self.anywhere.get_or_init(|| AhoCorasick::new(all()).ok());
        automaton.as_ref().is_none_or(|automaton| automaton.is_match(folded))
    }

    /// `folded` is folded already, since callers ask several lists.
    pub(crate) fn has(&self, folded: &str) -> bool {
        self.exact.contains(folded)
            || self.beginnings.iter().any(|beginning| folded.starts_with(beginning.as_str()))
            || self.endings.iter().any(|ending| folded.ends_with(ending.as_str()))
    }
}

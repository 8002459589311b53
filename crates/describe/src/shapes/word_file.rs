//! The form of the word lists in `data/`.
//!
//! One entry per line, `#` begins a comment. Entries are compared folded (case, umlauts, accents
//! do not matter). A star at the end or the beginning of an entry stands for anything.

use auslese_words::fold;
use rustc_hash::FxHashSet;

#[derive(Debug, Default)]
pub(crate) struct WordFile {
    exact: FxHashSet<String>,
    beginnings: Vec<String>,
    endings: Vec<String>,
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

    /// `folded` is folded already, since callers ask several lists.
    pub(crate) fn has(&self, folded: &str) -> bool {
        self.exact.contains(folded)
            || self.beginnings.iter().any(|beginning| folded.starts_with(beginning.as_str()))
            || self.endings.iter().any(|ending| folded.ends_with(ending.as_str()))
    }
}

//! What is read out of texts: names and dates.
//!
//! Several rules ask the same lines for their dates, or for names and then for whether there are any. Reading is
//! dear, so a page remembers what was read.

use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What a text is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    Names,
    Nicknames,
    Dates,
    /// Dates that may be seconds, as in attributes.
    Timestamps,
}

/// What was found, by what was sought and by text.
#[derive(Debug, Default)]
pub(super) struct Readings {
    found: [RefCell<FxHashMap<Box<str>, Vec<String>>>; 4],
}

impl Readings {
    /// What is found in a text; read only if nobody asked before.
    pub(super) fn of(
        &self,
        sought: Sought,
        text: &str,
        read: impl FnOnce(&str) -> Vec<String>,
    ) -> Vec<String> {
        let found = &self.found[sought as usize];
        if let Some(known) = found.borrow().get(text) {
            return known.clone();
        }
        let new = read(text);
        found.borrow_mut().insert(text.into(), new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_once_for_each_thing() {
        let readings = Readings::default();
        let read =
            |sought, what: &str| readings.of(sought, "1. 2. 2004", |_| vec![what.to_owned()]);
        assert_eq!(read(Sought::Dates, "first"), ["first"]);
        assert_eq!(read(Sought::Dates, "second"), ["first"]);
        assert_eq!(read(Sought::Names, "third"), ["third"]);
    }
}

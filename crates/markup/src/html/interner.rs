//! Names while a tree is built: a known name, or the number of one that this page brought along.

use crate::names::Known;
use rustc_hash::FxHashMap;

/// A name of an element or attribute. Equal names are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) known: Known,
    /// Among the names that are not known; 0 for those that are.
    pub(super) other: u32,
}

impl From<Known> for Name {
    fn from(known: Known) -> Name {
        Name { known, other: 0 }
    }
}

/// The names of a page that are not known.
#[derive(Debug, Default)]
pub(super) struct Interner {
    numbers: FxHashMap<Box<str>, u32>,
    pub(super) names: Vec<Box<str>>,
}

impl Interner {
    /// The name with this text and hash.
    #[inline]
    pub(super) fn name(&mut self, text: &str, hash: u32) -> Name {
        match Known::of(text.as_bytes(), hash) {
            Known::Other => Name { known: Known::Other, other: self.number(text) },
            known => Name::from(known),
        }
    }

    pub(super) fn text(&self, name: Name) -> &str {
        match name.known {
            Known::Other => &self.names[name.other as usize],
            known => known.as_str(),
        }
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }
}

//! Addresses that pages of a site name again and again, and that are stored already.
//!
//! Nine of ten links lead to what is known: menus, footers, the next page and the last. Whoever reads a
//! page asks here first, before anything is made of a link. What this table knows was in a window that is
//! stored, under the very same spelling; what it does not know is looked up like any other address. It has
//! a fixed size, and of two addresses that fall on one place the later one stays.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use url::Url;

/// Addresses that are remembered, at eight bytes each: what the pages of a site have in common, in a table
/// that stays in the processor's nearest memory.
const PLACES: usize = 1 << 13;

#[derive(Debug)]
pub(crate) struct Familiar {
    /// Keyed at random, so that nobody can make up addresses that are taken for each other.
    hasher: RandomState,
    places: Box<[AtomicU64]>,
}

impl Default for Familiar {
    fn default() -> Familiar {
        let places = (0..PLACES).map(|_| AtomicU64::new(0)).collect();
        Familiar { hasher: RandomState::new(), places }
    }
}

/// An address as it is spelled, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spelling(u64);

impl Familiar {
    pub(crate) fn spelling(&self, url: &Url) -> Spelling {
        Spelling(self.hasher.hash_one(url.as_str()))
    }

    pub(crate) fn knows(&self, spelling: Spelling) -> bool {
        self.place(spelling).load(Ordering::Relaxed) == spelling.0
    }

    /// Notes an address whose window is stored.
    pub(crate) fn note(&self, spelling: Spelling) {
        self.place(spelling).store(spelling.0, Ordering::Relaxed);
    }

    fn place(&self, spelling: Spelling) -> &AtomicU64 {
        &self.places[spelling.0 as usize % PLACES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_noted_is_known() {
        let familiar = Familiar::default();
        let spelling = |number: usize| {
            familiar.spelling(&Url::parse(&format!("http://h.example/{number}")).unwrap())
        };
        (0..500).for_each(|number| familiar.note(spelling(number)));
        let known = (0..500).filter(|number| familiar.knows(spelling(*number))).count();
        assert!(known > 450, "{known}");
        assert!((500..20_000).all(|number| !familiar.knows(spelling(number))));
    }
}

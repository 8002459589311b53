//! Expressions that are asked of the same short texts, the classes and ids of a page.
//!
//! Most of them list words, and these are looked for together ([`super::word_lists`]); what that does not tell is
//! asked one by one.

use super::word_lists::{Told, WordLists};
use super::{Checking, Pattern};
use crate::western::Letters;
use std::ops::Range;
use std::sync::OnceLock;

#[derive(Debug, Default)]
pub(crate) struct PatternGroup {
    patterns: Vec<Pattern>,
    /// Made when first needed.
    lists: OnceLock<Option<WordLists>>,
}

/// What was found in a text for all expressions of a group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    listed: u64,
    is_ascii: bool,
}

impl PatternGroup {
    /// Adds an expression; it is known by its number.
    pub(crate) fn add(&mut self, source: &str, checking: Checking) -> Result<usize, regex::Error> {
        self.patterns.push(Pattern::new(source, checking)?);
        Ok(self.patterns.len() - 1)
    }

    /// Looks for all expressions in the parts of a text, between which are line feeds.
    pub(crate) fn look(&self, text: &str, parts: &[Range<usize>]) -> Vec<Found> {
        let lists = self.lists();
        let listed = lists.map_or_else(|| vec![0; parts.len()], |it| it.found(text, parts));
        let all_ascii = text.is_ascii();
        let found = |(listed, part): (u64, &Range<usize>)| {
            let is_ascii = lists.is_some() && (all_ascii || text[part.clone()].is_ascii());
            Found { listed, is_ascii }
        };
        listed.into_iter().zip(parts).map(found).collect()
    }

    /// Whether an expression matches a text in which this was found.
    #[inline]
    pub(crate) fn is_match(&self, number: usize, found: Found, text: &str) -> bool {
        let told = match self.lists() {
            Some(lists) if found.is_ascii => lists.told(number, found.listed),
            _ => Told::Perhaps,
        };
        match told {
            Told::Matches => true,
            Told::No => false,
            Told::Perhaps => self.patterns[number].is_match(text, Letters::of(text)),
        }
    }

    fn lists(&self) -> Option<&WordLists> {
        let expressions = || self.patterns.iter().map(|it| &it.ways.whole.expression);
        self.lists.get_or_init(|| WordLists::of(expressions())).as_ref()
    }
}

//! The stack of open elements (§13.2.4.2), with the questions that are asked of it.
//!
//! How many HTML elements of each name are open is counted, because most questions are about
//! elements that are not open at all.

use super::arena::Id;
use super::categories::{Categories, IMPLIED_END, categories};
use super::interner::Name;
use crate::names::{KNOWN_NAMES, Known};
use crate::tree::Namespace;

#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) id: Id,
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    pub(super) categories: Categories,
}

impl Open {
    pub(super) fn new(id: Id, name: Name, namespace: Namespace) -> Open {
        Open { id, name, namespace, categories: categories(name, namespace) }
    }

    /// Whether this is the HTML element of that name.
    #[inline]
    pub(super) fn is(&self, name: impl Into<Name>) -> bool {
        self.name == name.into() && self.namespace == Namespace::Html
    }

    #[inline]
    pub(super) fn is_in(&self, category: Categories) -> bool {
        self.categories & category != 0
    }
}

#[derive(Debug)]
pub(super) struct OpenElements {
    list: Vec<Open>,
    counts: [u16; KNOWN_NAMES],
}

impl Default for OpenElements {
    fn default() -> OpenElements {
        OpenElements { list: Vec::with_capacity(64), counts: [0; KNOWN_NAMES] }
    }
}

impl OpenElements {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn all(&self) -> &[Open] {
        &self.list
    }

    /// The current node; there always is one once the root is open.
    #[inline]
    pub(super) fn current(&self) -> Open {
        self.list[self.list.len() - 1]
    }

    #[inline]
    pub(super) fn current_is(&self, name: Known) -> bool {
        self.list.last().is_some_and(|open| open.is(name))
    }

    #[inline]
    pub(super) fn push(&mut self, open: Open) {
        self.count(open, 1);
        self.list.push(open);
    }

    /// Puts the current node into another category.
    pub(super) fn mark_current(&mut self, category: Categories) {
        if let Some(open) = self.list.last_mut() {
            open.categories |= category;
        }
    }

    /// Takes the current node off; the root stays.
    pub(super) fn pop(&mut self) -> Open {
        let open = self.current();
        if self.list.len() > 1 {
            self.list.pop();
            self.count(open, u16::MAX);
        }
        open
    }

    pub(super) fn remove(&mut self, at: usize) {
        let open = self.list.remove(at);
        self.count(open, u16::MAX);
    }

    pub(super) fn insert(&mut self, at: usize, open: Open) {
        self.count(open, 1);
        self.list.insert(at, open);
    }

    pub(super) fn replace(&mut self, at: usize, open: Open) {
        let before = std::mem::replace(&mut self.list[at], open);
        self.count(before, u16::MAX);
        self.count(open, 1);
    }

    pub(super) fn truncate(&mut self, length: usize) {
        while self.list.len() > length.max(1) {
            self.pop();
        }
    }

    #[inline]
    fn count(&mut self, open: Open, change: u16) {
        if open.namespace == Namespace::Html {
            let count = &mut self.counts[open.name.known as usize];
            *count = count.wrapping_add(change);
        }
    }

    /// Whether an HTML element of that name is open.
    #[inline]
    pub(super) fn has(&self, name: Known) -> bool {
        self.counts[name as usize] > 0
    }

    pub(super) fn position_of(&self, id: Id) -> Option<usize> {
        self.list.iter().rposition(|open| open.id == id)
    }

    /// Whether an HTML element of that name is open within the innermost scope.
    pub(super) fn has_in_scope(&self, name: Known, scope: Categories) -> bool {
        self.has(name) && self.any_in_scope(scope, |open| open.is(name))
    }

    pub(super) fn any_in_scope(&self, scope: Categories, wanted: impl Fn(&Open) -> bool) -> bool {
        for open in self.list.iter().rev() {
            if wanted(open) {
                return true;
            }
            if open.is_in(scope) {
                return false;
            }
        }
        false
    }

    /// Closes elements whose end tag may be left out.
    pub(super) fn close_implied(&mut self) {
        self.close_all_in(IMPLIED_END);
    }

    pub(super) fn close_all_in(&mut self, category: Categories) {
        while self.current().is_in(category) {
            self.pop();
        }
    }

    pub(super) fn close_implied_except(&mut self, name: Name) {
        while self.current().is_in(IMPLIED_END) && !self.current().is(name) {
            self.pop();
        }
    }

    /// Closes elements until one of them is wanted; how many were closed.
    pub(super) fn pop_until(&mut self, wanted: impl Fn(&Open) -> bool) -> usize {
        let mut count = 1;
        while self.list.len() > 1 && !wanted(&self.pop()) {
            count += 1;
        }
        count
    }

    /// Closes elements until the current one is in the category.
    pub(super) fn clear_to(&mut self, category: Categories) {
        while self.list.len() > 1 && !self.current().is_in(category) {
            self.pop();
        }
    }
}

//! The start tags that were left out because they lay too deep and are still open, so that their
//! end tags do not close elements outside.

use super::interner::Name;
use crate::names::Known;
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(super) struct DroppedTags {
    open: Vec<Name>,
    counts: FxHashMap<(Known, u32), usize>,
    pub(super) total: usize,
}

impl DroppedTags {
    pub(super) fn start(&mut self, name: Name) {
        self.total += 1;
        self.open.push(name);
        *self.counts.entry((name.known, name.other)).or_default() += 1;
    }

    /// Whether the end tag belongs to one of them.
    #[inline]
    pub(super) fn end(&mut self, name: Name) -> bool {
        !self.open.is_empty() && self.close(name)
    }

    fn close(&mut self, name: Name) -> bool {
        if self.counts.get(&(name.known, name.other)).copied().unwrap_or(0) == 0 {
            return false;
        }
        while let Some(open) = self.open.pop() {
            if let Some(count) = self.counts.get_mut(&(open.known, open.other)) {
                *count -= 1;
            }
            if open == name {
                break;
            }
        }
        true
    }
}

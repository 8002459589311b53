//! Politeness groups, and the order of turns.
//!
//! Turns are kept in heaps with lazy removal: an entry counts only if its owner still names its
//! ticket. Entries may be too early (their owner is looked at again when they come up), never too
//! late. Tickets also keep the order of arrival among equal times.

use super::GroupKey;
use auslese_model::{ServerId, Timestamp};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Servers that share one clock.
#[derive(Debug)]
pub(super) struct Group {
    /// No request before this.
    pub(super) next_at: Timestamp,
    pub(super) active: u32,
    pub(super) members: u32,
    pub(super) turns: BinaryHeap<Turn<ServerId>>,
    /// The valid entry among the turns of all groups, if any.
    pub(super) scheduled: Option<(Timestamp, u64)>,
}

impl Group {
    pub(super) fn new() -> Group {
        Group {
            next_at: Timestamp(i64::MIN),
            active: 0,
            members: 0,
            turns: BinaryHeap::new(),
            scheduled: None,
        }
    }

    pub(super) fn hold_until(&mut self, time: Timestamp) {
        self.next_at = self.next_at.max(time);
    }

    /// Whether nobody would miss it.
    pub(super) fn is_over(&self, now: Timestamp) -> bool {
        self.members == 0 && self.active == 0 && self.next_at <= now
    }
}

pub(super) type GroupTurns = BinaryHeap<Turn<GroupKey>>;

/// A place in a heap; the earliest comes first, and of these the one that came first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn<Owner> {
    pub(super) due: Timestamp,
    pub(super) ticket: u64,
    pub(super) owner: Owner,
}

impl<Owner> Ord for Turn<Owner> {
    fn cmp(&self, other: &Turn<Owner>) -> Ordering {
        (other.due, other.ticket).cmp(&(self.due, self.ticket))
    }
}

impl<Owner> PartialOrd for Turn<Owner> {
    fn partial_cmp(&self, other: &Turn<Owner>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Owner> PartialEq for Turn<Owner> {
    fn eq(&self, other: &Turn<Owner>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<Owner> Eq for Turn<Owner> {}

//! The committer notes which servers link to which, where that counts: the paths by which members
//! can be reached.
//!
//! A new address tells the catalog by itself where it was found. A link to an address that is known
//! already is no offer and would leave no trace; of these, each pair of servers is noted once, in the
//! commit of the page that has the link.

use crate::committing::Committer;
use crate::found::Found;
use auslese_model::{ServerId, ServerLink};
use rustc_hash::FxHashSet;

/// The links seen so far, and those among them that are not stored yet.
#[derive(Debug, Default)]
pub(crate) struct LinkNotes {
    known: FxHashSet<ServerLink>,
    new: Vec<ServerLink>,
}

impl LinkNotes {
    fn note(&mut self, link: ServerLink) {
        if link.server != link.from && self.known.insert(link) {
            self.new.push(link);
        }
    }
}

impl Committer {
    /// Notes a link to an address that is known already.
    pub(crate) fn note_link(&mut self, found: &Found, from: Option<ServerId>) {
        if let (Some(links), Some(from)) = (&mut self.links, from)
            && let Some(server) = self.servers.get(&found.request.origin())
        {
            links.note(ServerLink { server, from });
        }
    }

    /// These were not stored after all.
    pub(crate) fn note_again(&mut self, links: &[ServerLink]) {
        if let Some(notes) = &mut self.links {
            notes.new.extend_from_slice(links);
        }
    }

    /// What was noted since the last call, for the commit.
    pub(crate) fn new_links(&mut self) -> Vec<ServerLink> {
        self.links.as_mut().map(|links| std::mem::take(&mut links.new)).unwrap_or_default()
    }
}

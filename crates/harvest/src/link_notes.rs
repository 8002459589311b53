//! The committer notes which servers link to which, where that counts: the paths by which members
//! can be reached.
//!
//! A new address tells the catalog by itself where it was found. A link to an address that is known
//! already is no offer and would leave no trace; of these, each pair of servers is noted once.

use crate::HarvestError;
use crate::committing::Committer;
use crate::found::Found;
use auslese_catalog::ServerLink;
use auslese_model::ServerId;
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

    /// Stores what was noted since the last call.
    pub(crate) async fn store_links(&mut self) -> Result<(), HarvestError> {
        let Some(links) = &mut self.links else { return Ok(()) };
        let new = std::mem::take(&mut links.new);
        if new.is_empty() {
            return Ok(());
        }
        while let Err(error) = self.catalog.note_links(&new).await {
            self.wait_out(error.into()).await?;
        }
        Ok(())
    }
}

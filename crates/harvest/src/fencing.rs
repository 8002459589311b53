//! The committer of a worker among others: what is stored under which lease, and what is not.
//!
//! Every result was fetched under a lease of its server. If that lease was lost meanwhile, nothing of
//! it is stored: no capture, no state, no link, no clock. Mostly this is known before anything is
//! appended to the archive. If only the catalog knows, it refuses the whole window; the records that
//! were appended are cut off again, and the window is stored without the servers that were lost. So
//! the archive holds no record that the catalog does not know, and the catalog none that is not ours.

use crate::HarvestError;
use crate::book::Stored;
use crate::committing::Committer;
use crate::crew::Crew;
use crate::fault::{self, Step};
use auslese_archive::WriterMark;
use auslese_catalog::{CatalogError, Fence, Settled, Window};
use auslese_model::{Commit, RequestKey, ServerId, Timestamp};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the committer of a worker among others keeps in mind.
#[derive(Debug)]
pub(crate) struct Fencing {
    pub(crate) crew: Arc<Crew>,
    /// The epochs of the leases.
    pub(crate) leases: FxHashMap<ServerId, i64>,
    /// Keys in the set of seen ones that the catalog does not know: their windows were refused.
    unsaid: FxHashSet<u64>,
    /// The last note of other processes that was read; none before the first look.
    pub(crate) last_note: Option<i64>,
    /// Nobody else was there when this worker began.
    pub(crate) is_first: bool,
}

impl Fencing {
    pub(crate) fn new(crew: Arc<Crew>, is_first: bool) -> Fencing {
        Fencing {
            crew,
            leases: FxHashMap::default(),
            unsaid: FxHashSet::default(),
            last_note: None,
            is_first,
        }
    }
}

/// What became of a window.
#[derive(Debug)]
pub(crate) enum Kept {
    Whole(Settled),
    /// These servers are not ours any more.
    Nothing {
        lost: Vec<ServerId>,
    },
}

impl Committer {
    /// Whether a server is ours just now.
    pub(crate) fn has(&self, server: ServerId) -> bool {
        self.fencing.as_ref().is_none_or(|fencing| fencing.leases.contains_key(&server))
    }

    /// Whether the lease under which something was fetched still holds, as far as is known here.
    pub(crate) fn is_fetched_under(&self, server: ServerId, epoch: i64) -> bool {
        self.fencing.as_ref().is_none_or(|fencing| fencing.leases.get(&server) == Some(&epoch))
    }

    /// Whether a request of the window that was sifted is new; from now on it is not.
    pub(crate) fn is_new(&mut self, key: RequestKey) -> bool {
        let key = key.short();
        self.fresh.remove(&key)
            || self.fencing.as_mut().is_some_and(|fencing| fencing.unsaid.remove(&key))
    }

    /// Commits a window that tells of these servers.
    pub(crate) async fn store(
        &mut self,
        commit: &Commit,
        servers: &[ServerId],
    ) -> Result<Kept, HarvestError> {
        self.window += 1;
        let window = Window { run: self.run, number: self.window, at: Timestamp::now() };
        let epochs = self.epochs_of(commit, servers);
        fault::reach(Step::BeforeCommit);
        let kept = loop {
            let result = match &self.fencing {
                None => self.catalog.commit(commit, window).await.map(|_| Settled::default()),
                Some(fencing) => {
                    let fence = Fence { worker: &fencing.crew.name, epochs: &epochs };
                    self.catalog.commit_fenced(commit, window, &fence).await
                }
            };
            match result {
                Ok(settled) => break Kept::Whole(settled),
                Err(CatalogError::LeaseLost { servers }) => break Kept::Nothing { lost: servers },
                Err(error) => self.wait_out(error.into()).await?,
            }
        };
        fault::reach(Step::AfterCommit);
        Ok(kept)
    }

    /// The leases under which a window is stored.
    fn epochs_of(&self, commit: &Commit, servers: &[ServerId]) -> BTreeMap<ServerId, i64> {
        let Some(fencing) = &self.fencing else { return BTreeMap::new() };
        let clocks = commit.clocks.iter().map(|clock| clock.server);
        let servers = servers.iter().copied().chain(clocks);
        servers.filter_map(|server| Some((server, *fencing.leases.get(&server)?))).collect()
    }

    /// Takes back what was appended for a window that the catalog refused.
    pub(crate) async fn take_back(
        &mut self,
        mark: &WriterMark,
        commit: &Commit,
        keys: Vec<u64>,
        lost: &[ServerId],
    ) -> Result<(), HarvestError> {
        tracing::info!("{} servers are lost; what came from them is not stored", lost.len());
        while let Err(error) = self.writer.rewind(mark) {
            self.wait_out(error.into()).await?;
        }
        for server in &commit.servers {
            self.servers.forget(&server.origin);
        }
        self.note_again(&commit.links);
        if let Some(fencing) = &mut self.fencing {
            fencing.unsaid.extend(keys);
            lost.iter().for_each(|server| _ = fencing.leases.remove(server));
        }
        self.traps.forget(lost);
        Ok(())
    }

    /// Follows what the catalog knew better: requests and servers that others have found before.
    pub(crate) fn follow(&mut self, settled: &Settled, commit: &Commit, stored: &mut Stored) {
        if !settled.known.is_empty() {
            stored.queued.retain(|pending| !settled.known.contains(&pending.id));
            stored.offered = stored.offered.saturating_sub(settled.known.len() as u64);
        }
        for (given, real) in &settled.servers {
            if let Some(server) = commit.servers.iter().find(|server| server.id == *given) {
                self.servers.insert(server.origin.clone(), *real);
            }
            self.traps.forget(&[*given]);
        }
    }
}

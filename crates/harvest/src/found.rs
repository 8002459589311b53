//! A request that was found and wanted, before it has a number.

use crate::familiar::Spelling;
use auslese_model::{
    Cause, HopPath, NewServer, Offer, Origin, Request, RequestId, RequestKey, ServerId, State,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a page (or a person) asks to be fetched.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) key: RequestKey,
    /// By which it becomes familiar, if a page named it.
    pub(crate) spelling: Option<Spelling>,
    pub(crate) request: Request,
    pub(crate) state: State,
    pub(crate) priority: i16,
    pub(crate) hops: HopPath,
    pub(crate) via: Option<RequestId>,
    pub(crate) via_url: Option<Arc<str>>,
    pub(crate) cause: Option<Cause>,
    pub(crate) label: Option<String>,
}

impl Found {
    pub(crate) fn into_offer(self, id: RequestId, server: ServerId) -> Offer {
        Offer {
            id,
            key: self.key,
            server,
            request: self.request,
            state: self.state,
            priority: self.priority,
            hops: self.hops,
            via: self.via,
            cause: self.cause,
        }
    }
}

/// The numbers of all servers met so far.
#[derive(Debug, Default)]
pub(crate) struct Servers {
    numbers: FxHashMap<Origin, ServerId>,
}

impl Servers {
    pub(crate) fn insert(&mut self, origin: Origin, id: ServerId) {
        self.numbers.insert(origin, id);
    }

    pub(crate) fn forget(&mut self, origin: &Origin) {
        self.numbers.remove(origin);
    }

    pub(crate) fn get(&self, origin: &Origin) -> Option<ServerId> {
        self.numbers.get(origin).copied()
    }

    /// Where a server is; asked seldom, so all of them are looked through.
    pub(crate) fn origin(&self, id: ServerId) -> Option<&Origin> {
        self.numbers.iter().find(|(_, number)| **number == id).map(|(origin, _)| origin)
    }

    /// Registers a server that [`Servers::get`] did not know.
    pub(crate) fn register(
        &mut self,
        origin: Origin,
        id: ServerId,
        label: Option<String>,
    ) -> NewServer {
        self.numbers.insert(origin.clone(), id);
        NewServer { id, origin, label }
    }
}

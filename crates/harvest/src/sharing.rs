//! The conductor shares servers with other workers.
//!
//! A worker serves the servers it has leased, and only those. It gives back servers that are finished,
//! and some of its others when somebody waits for work; before it lets go of a server, all that was
//! fetched from it is committed. A server whose lease was lost is dropped at once: what comes of
//! requests on their way is not stored, because another worker sends them again.
//!
//! A worker that has nothing to do waits. Others may find work for it, so the crawl is over only when
//! all workers wait and nothing can be leased.

use crate::committing::Question;
use crate::conductor::Conductor;
use crate::crew::Crew;
use crate::job::SERVERS_LEASED;
use auslese_catalog::{Claimed, Doing, Outlook};
use auslese_model::{Lease, ServerId, Timestamp};
use rustc_hash::{FxHashMap, FxHashSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Servers that may be leased without knowing how many there are.
const A_FEW: u64 = 4;
/// How long a worker waits before it gives servers away again: those who wait have to take them first.
const SHARING_PAUSE: Duration = Duration::from_millis(500);

/// What a worker among others keeps in mind.
#[derive(Debug)]
pub(crate) struct Among {
    pub(crate) crew: Arc<Crew>,
    /// The epochs of the leases.
    pub(crate) epochs: FxHashMap<ServerId, i64>,
    /// The addresses that were claimed for servers.
    addresses: FxHashMap<ServerId, IpAddr>,
    /// Servers that are not served any more, and wait for the end of what is on its way.
    leaving: FxHashMap<ServerId, Leaving>,
    /// Leases that wait until their address is claimed.
    awaiting: FxHashMap<ServerId, Lease>,
    /// Questions to give servers back that are not answered.
    releasing: usize,
    /// Addresses that were found and are being claimed.
    claiming: FxHashMap<ServerId, IpAddr>,
    outlook: Option<Outlook>,
    /// The change of doings after which everything was found to be over.
    over: Option<u64>,
    shared_at: Option<Instant>,
    /// Workers that had died when parked requests were last taken up.
    died: u64,
    /// Nobody else was there when this worker began.
    pub(crate) is_first: bool,
}

/// Why a server is not served any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaving {
    Lost,
    GivenBack,
}

impl Among {
    pub(crate) fn new(crew: Arc<Crew>, is_first: bool) -> Among {
        Among {
            crew,
            epochs: FxHashMap::default(),
            addresses: FxHashMap::default(),
            leaving: FxHashMap::default(),
            awaiting: FxHashMap::default(),
            releasing: 0,
            claiming: FxHashMap::default(),
            outlook: None,
            over: None,
            shared_at: None,
            died: 0,
            is_first,
        }
    }
}

impl Conductor {
    /// The lease under which a request to this server is sent now.
    pub(crate) fn epoch(&self, server: ServerId) -> i64 {
        let among = self.among.as_ref();
        among.map_or(0, |among| among.epochs.get(&server).copied().unwrap_or(-1))
    }

    /// Whether a request that was sent under this lease counts.
    pub(crate) fn is_ours(&self, server: ServerId, epoch: i64) -> bool {
        self.among.as_ref().is_none_or(|among| among.epochs.get(&server) == Some(&epoch))
    }

    /// Whether requests may be sent just now.
    pub(crate) fn may_send(&self) -> bool {
        self.among.as_ref().is_none_or(|among| among.crew.may_send())
    }

    /// How many servers to ask for.
    pub(crate) fn lease_limit(&self) -> u32 {
        let leased = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        let room = SERVERS_LEASED.saturating_sub(leased);
        let Some(among) = &self.among else { return room };
        match &among.outlook {
            None if among.is_first => room,
            None => room.min(1),
            // Others wait for work, and this worker has some.
            Some(outlook) if outlook.waiting > 0 && !self.scheduler.is_finished() => 0,
            Some(outlook) => {
                let share = outlook.free.div_ceil(outlook.busy + outlook.waiting + 1);
                room.min(u32::try_from(share.max(A_FEW)).unwrap_or(u32::MAX))
            }
        }
    }

    /// Takes servers in; those that are not wanted any more go back.
    pub(crate) fn take_leases(&mut self, leases: Vec<Lease>) {
        let mut unwanted = Vec::new();
        for lease in leases {
            let server = lease.server;
            let Some(among) = &mut self.among else {
                self.add_server(lease);
                continue;
            };
            if among.leaving.contains_key(&server) {
                unwanted.push(server);
                continue;
            }
            among.epochs.insert(server, lease.epoch);
            let known = lease.clock.address.map(|address| address.to_canonical());
            if let Some(address) = known {
                among.addresses.insert(server, address);
            }
            let literal = lease.origin.host.address().filter(|_| known.is_none());
            match literal.filter(|_| among.crew.by_address) {
                Some(address) => {
                    let epoch = lease.epoch;
                    among.awaiting.insert(server, lease);
                    among.claiming.insert(server, address.to_canonical());
                    self.ask(Question::Claim { server, epoch, address });
                }
                None => self.add_server(lease),
            }
        }
        self.give(unwanted);
    }

    /// Gives servers back. Until that is done, nobody else can lease them, and nothing is over.
    fn give(&mut self, servers: Vec<ServerId>) {
        if let Some(among) = self.among.as_mut().filter(|_| !servers.is_empty()) {
            among.releasing += 1;
            self.ask(Question::Release { servers });
        }
    }

    pub(crate) fn released(&mut self) {
        if let Some(among) = &mut self.among {
            among.releasing = among.releasing.saturating_sub(1);
        }
    }

    /// Claims the address that was found for a server, if it has to be; nothing is sent before.
    pub(crate) fn must_claim(&mut self, server: ServerId, address: Option<IpAddr>) -> bool {
        let Some(among) = self.among.as_mut().filter(|among| among.crew.by_address) else {
            return false;
        };
        let (Some(address), Some(epoch)) = (address, among.epochs.get(&server).copied()) else {
            return false;
        };
        let address = address.to_canonical();
        if among.addresses.get(&server) == Some(&address) {
            return false;
        }
        among.claiming.insert(server, address);
        self.ask(Question::Claim { server, epoch, address });
        true
    }

    pub(crate) fn claimed(&mut self, server: ServerId, claimed: Claimed) {
        let Some(among) = &mut self.among else { return };
        let address = among.claiming.remove(&server);
        let awaiting = among.awaiting.remove(&server);
        match claimed {
            Claimed::Granted { next_at } => {
                if let Some(address) = address {
                    among.addresses.insert(server, address);
                }
                match awaiting {
                    Some(lease) => self.add_server(lease),
                    None => self.scheduler.resolved(server, Ok(address), Timestamp::now()),
                }
                self.scheduler.start_after(server, next_at);
            }
            Claimed::Held | Claimed::Lost => self.lose_server(server),
        }
    }

    /// The lease of a server is not ours any more.
    pub(crate) fn lose_server(&mut self, server: ServerId) {
        self.part_with(server, Leaving::Lost);
    }

    fn part_with(&mut self, server: ServerId, why: Leaving) {
        let Some(among) = &mut self.among else { return };
        among.addresses.remove(&server);
        among.claiming.remove(&server);
        among.awaiting.remove(&server);
        if why == Leaving::Lost {
            among.epochs.remove(&server);
            self.scheduler.origin(server).into_iter().for_each(|it| among.crew.lose(it.clone()));
        }
        let known = among.leaving.entry(server).or_insert(why);
        if why == Leaving::Lost {
            *known = why;
        }
        self.labels.remove(&server);
        self.scheduler.retire(server);
    }

    /// Lets go of servers that nothing is on its way from any more.
    pub(crate) fn let_go(&mut self) {
        let Some(among) = &mut self.among else { return };
        if among.leaving.is_empty() {
            return;
        }
        let (now, scheduler, crew) = (Timestamp::now(), &mut self.scheduler, &among.crew);
        let mut given_back = Vec::new();
        among.leaving.retain(|server, why| {
            let is_ready = *why == Leaving::Lost || scheduler.is_settled(*server);
            if !is_ready {
                return true;
            }
            let origin = scheduler.origin(*server).cloned();
            let is_gone = origin.is_none() || scheduler.remove_server(*server, now).is_some();
            if let Some(origin) = origin.filter(|_| is_gone) {
                crew.forget(&origin);
            }
            if is_gone && *why == Leaving::GivenBack {
                given_back.push(*server);
            }
            !is_gone
        });
        for server in &given_back {
            among.epochs.remove(server);
        }
        self.give(given_back);
    }

    /// A heartbeat came so late that servers may be lost: only these are still ours.
    pub(crate) fn beaten_late(&mut self, held: &[(ServerId, i64)]) {
        let Some(among) = &self.among else { return };
        let held: FxHashSet<(ServerId, i64)> = held.iter().copied().collect();
        let lost =
            among.epochs.iter().filter(|(server, epoch)| !held.contains(&(**server, **epoch)));
        let lost: Vec<ServerId> = lost.map(|(server, _)| *server).collect();
        let crew = among.crew.clone();
        if lost.is_empty() {
            return crew.doubt_is_over();
        }
        tracing::warn!("{} servers were lost to other workers, or given up", lost.len());
        for server in &lost {
            self.lose_server(*server);
        }
        crew.doubt_is_over();
        // One that was leased at this very moment is ours still, and nobody serves it.
        self.give(lost);
    }

    /// What the others do.
    pub(crate) fn looked_around(&mut self, outlook: Outlook, changes: u64) {
        let Some(among) = &mut self.among else { return };
        let is_current = *among.crew.doing.borrow() == (Doing::Waiting, changes);
        among.over = (is_current && outlook.is_over()).then_some(changes);
        let has_died = outlook.died > among.died;
        among.died = outlook.died;
        let (free, waiting) = (outlook.free, outlook.waiting);
        self.scheduler.note_used(outlook.captures, outlook.bytes);
        for server in &outlook.news {
            self.scheduler.has_more(*server);
        }
        self.numbers.waiting_workers = waiting;
        self.numbers.busy_workers = outlook.busy;
        among.outlook = Some(outlook);
        if has_died {
            // It may have left requests that wait for a verdict.
            among.over = None;
            self.take_up_parked();
        }
        self.return_idle();
        if free > 0 {
            self.state.lease_again = true;
        } else if waiting > 0 {
            self.share(waiting);
        }
    }

    /// Gives back servers that have nothing to do.
    fn return_idle(&mut self) {
        let now = Timestamp::now();
        let Some(among) = &self.among else { return };
        let idle = self.scheduler.idle_servers().into_iter();
        let idle: Vec<ServerId> = idle.filter(|it| !among.leaving.contains_key(it)).collect();
        let mut returned = Vec::new();
        for server in idle {
            if self.scheduler.remove_server(server, now).is_some() {
                self.labels.remove(&server);
                returned.push(server);
            }
        }
        let Some(among) = &mut self.among else { return };
        for server in &returned {
            among.epochs.remove(server);
            among.addresses.remove(server);
        }
        self.give(returned);
    }

    /// Gives some groups of servers to those who wait.
    fn share(&mut self, waiting: u64) {
        let Some(among) = &mut self.among else { return };
        if among.shared_at.is_some_and(|at| at.elapsed() < SHARING_PAUSE) {
            return;
        }
        let groups = self.scheduler.busy_groups();
        let keep = groups.len().div_ceil(usize::try_from(waiting + 1).unwrap_or(usize::MAX));
        if keep == groups.len() {
            return;
        }
        among.shared_at = Some(Instant::now());
        for server in groups.into_iter().skip(keep).flatten() {
            self.part_with(server, Leaving::GivenBack);
        }
    }

    /// Whether the crawl is over for this worker, who has nothing to do itself.
    pub(crate) fn is_over(&mut self) -> bool {
        let quiet = self.is_quiet();
        let idle = quiet && !self.state.leasing && !self.state.lease_again;
        let Some(among) = &mut self.among else { return idle };
        let quiet =
            quiet && among.leaving.is_empty() && among.claiming.is_empty() && among.releasing == 0;
        let changes = among.crew.does(if quiet { Doing::Waiting } else { Doing::Working });
        idle && quiet && among.over == Some(changes)
    }
}

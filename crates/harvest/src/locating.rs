//! The conductor finds the addresses of hosts whose links cannot be judged without them.
//!
//! Such links are parked in the catalog; when the address is known, or known not to exist, they are
//! judged again and queued or refused. Where membership counts, the verdict on the host comes in
//! between (see `judging`).

use crate::committing::Question;
use crate::conductor::{Conductor, Event};
use auslese_model::{Cause, CauseKind, Change, HostName, Pending, StateChange, Timestamp};
use auslese_net::Resolution;
use std::sync::Arc;

impl Conductor {
    /// Asks for the addresses of a host whose links cannot be judged without them.
    pub(crate) fn locate(&mut self, host: HostName) {
        if self.state.unsure.contains_key(&host) || !self.state.locating.insert(host.clone()) {
            return;
        }
        self.state.in_flight += 1;
        let (net, sender) = (self.net.clone(), self.sender.clone());
        tokio::spawn(async move {
            let result = net.resolve(&host).await;
            let _ = sender.send(Event::Located { host, result });
        });
    }

    pub(crate) fn located(&mut self, host: HostName, result: Result<Arc<Resolution>, Cause>) {
        match result {
            Ok(resolution) => {
                if self.state.archived.insert(host.clone()) {
                    self.archive_resolution(&resolution);
                }
                self.workshop.facts.learn(host.clone(), resolution.addresses.clone());
                if self.judges.is_some() {
                    return self.judge(host);
                }
            }
            Err(cause) if cause.kind.is_temporary() => {
                // Its links wait for the next run; what is found later asks again.
                tracing::info!("{host} is left waiting: {cause}");
                self.state.locating.remove(&host);
                return;
            }
            Err(cause) => {
                self.workshop.facts.learn(host.clone(), Vec::new());
                self.state.unlocated.insert(host.clone(), cause);
            }
        }
        self.ask(Question::Parked { host });
    }

    /// Looks for hosts whose links wait, in the store.
    pub(crate) fn take_up_parked(&mut self) {
        self.state.taking_up += 1;
        self.ask(Question::ParkedHosts);
    }

    /// Judges the links of a host again, now that its addresses are known.
    pub(crate) fn unpark(&mut self, host: &HostName, parked: Vec<Pending>, more: bool) {
        let (mut moves, mut queued) = (Vec::new(), Vec::new());
        for pending in parked {
            // It was parked while it was being sent; what comes of it counts.
            if self.state.taken.contains(&pending.id) {
                continue;
            }
            let refusal = self.workshop.refusal(&pending);
            let unlocated = || self.state.unlocated.get(host).cloned();
            let change = match refusal.map(|cause| unlocated().unwrap_or(cause)) {
                Some(cause) if cause.kind == CauseKind::NoSuchName => Change::Failed { cause },
                Some(cause) => Change::Refused { cause },
                None => Change::Again { not_before: Timestamp(0), attempts: 0, cause: None },
            };
            self.numbers.parked = self.numbers.parked.saturating_sub(1);
            match change {
                Change::Refused { .. } => self.numbers.refused += 1,
                Change::Failed { .. } => self.numbers.failed += 1,
                _ => self.numbers.queued += 1,
            }
            moves.push(StateChange { request: pending.id, change: change.clone() });
            if matches!(change, Change::Again { .. }) {
                queued.push(pending);
            }
        }
        if !moves.is_empty() {
            self.state.moving += 1;
            self.ask(Question::Move { moves, queued });
        }
        if more {
            self.ask(Question::Parked { host: host.clone() });
        } else {
            self.state.locating.remove(host);
        }
    }
}

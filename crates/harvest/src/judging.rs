//! The conductor has hosts judged: do they belong to the organisation?
//!
//! Registries are slow and want to be asked rarely, so a verdict may take long. Links of a host that
//! is being judged are parked in the catalog; the crawl goes on with others. A verdict releases them
//! or refuses them. A host that stays unsure keeps its links parked, for a person, for a later
//! attempt, or for a later run.

use crate::committing::Question;
use crate::conductor::{Conductor, Event};
use auslese_catalog::Catalog;
use auslese_crawl::{HostFacts, HostVerdict};
use auslese_discover::{Investigator, Occasion};
use auslese_model::{HostName, Indicator, Membership, OpenQuestion, Timestamp, Verdict};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Hosts with links to one that is judged, as far as they are looked at.
pub(crate) const LINKING_HOSTS: usize = 1_000;

/// Hosts that are looked up at a time for being judged again, so that resolvers are not flooded.
const JUDGED_AGAIN_AT_ONCE: usize = 64;

/// How often, and with which pauses, a catalog out of reach is asked who links to a host.
const ATTEMPTS: u32 = 60;
const ATTEMPT_PAUSE: Duration = Duration::from_secs(1);

/// What judges hosts during a crawl.
#[derive(Debug, Clone)]
pub(crate) struct Judges {
    pub(crate) investigator: Investigator,
    /// Tells which hosts link to one.
    pub(crate) catalog: Catalog,
    /// How long one host is waited for.
    pub(crate) patience: Duration,
    /// Hosts that are judged at a time.
    pub(crate) turns: Arc<Semaphore>,
    /// Since when others judge hosts, too; none if nobody else does.
    pub(crate) others_since: Option<Timestamp>,
}

impl Judges {
    async fn judge(&self, host: &HostName) -> Verdict {
        let _turn = self.turns.acquire().await.expect("the semaphore is never closed");
        if let Some(verdict) = self.verdict_of_others(host).await {
            return verdict;
        }
        let mut attempts = 0;
        let linked_from = loop {
            let error = match self.catalog.linking_hosts(host, LINKING_HOSTS).await {
                Ok(hosts) => break hosts,
                Err(error) => error,
            };
            attempts += 1;
            if error.is_temporary() && attempts < ATTEMPTS {
                tokio::time::sleep(ATTEMPT_PAUSE).await;
            } else {
                let why = format!("the catalog cannot be read: {error}");
                let open = OpenQuestion { indicator: Indicator::Links, why };
                return self.undecided(host, "nobody knows who links to it".to_owned(), open);
            }
        };
        let occasion = Occasion { linked_from, ..Occasion::default() };
        let verdict = self.investigator.investigate_as(host, occasion);
        match tokio::time::timeout(self.patience, verdict).await {
            Ok(verdict) => verdict,
            Err(_) => {
                let why = "the registries took too long".to_owned();
                let open = OpenQuestion { indicator: Indicator::Holder, why };
                self.undecided(host, format!("no verdict within {:?}", self.patience), open)
            }
        }
    }

    /// What another worker has found out about a host since this one began; registries are asked once.
    async fn verdict_of_others(&self, host: &HostName) -> Option<Verdict> {
        let since = self.others_since?;
        // Without it, the host is judged here.
        let verdict = self.catalog.verdict(host).await.ok().flatten()?;
        let holds = verdict.at >= since
            && verdict.until > Timestamp::now()
            && verdict.membership != Membership::Unsure
            && self.investigator.agrees_with(&verdict);
        holds.then_some(verdict)
    }

    /// What is said of a host when something was not answered in time: nothing for good.
    fn undecided(&self, host: &HostName, reason: String, open: OpenQuestion) -> Verdict {
        let now = Timestamp::now();
        Verdict {
            host: host.clone(),
            membership: Membership::Unsure,
            score: 0.0,
            case: None,
            decided_by: None,
            reason,
            label: None,
            evidence: Vec::new(),
            open: vec![open],
            at: now,
            until: now.plus(self.investigator.retry_after()),
        }
    }
}

impl Conductor {
    /// Has a host judged whose addresses are known; its links stay parked until then.
    pub(crate) fn judge(&mut self, host: HostName) {
        let Some(judges) = self.judges.clone() else { return };
        let (sender, decided) = (self.sender.clone(), self.state.decided);
        tokio::spawn(async move {
            tokio::select! {
                verdict = judges.judge(&host) => {
                    // Nobody listens any more when the crawl has just ended.
                    let _ = sender.send(Event::Judged { verdict: Box::new(verdict), decided });
                }
                // Registries are not asked for a crawl that has ended.
                () = sender.closed() => {}
            }
        });
    }

    pub(crate) fn judged(&mut self, verdict: Verdict, decided: u64) {
        if decided != self.state.decided {
            // People decided something meanwhile. The answers are known now, so it does not take
            // long.
            return self.judge(verdict.host);
        }
        self.workshop.facts.learn_verdict(&verdict);
        let (host, membership, until) = (verdict.host.clone(), verdict.membership, verdict.until);
        self.state.verdicts.push(verdict);
        if membership == Membership::Unsure {
            self.state.locating.remove(&host);
            self.state.unsure.insert(host, until);
        } else {
            // Stored first: no link is refused without the verdict on its host, and links that an
            // earlier verdict refused are parked again with this one.
            self.keep_verdicts();
            self.ask(Question::Parked { host });
        }
    }

    /// Has hosts judged again that were foreign by other profiles or settings, a few at a time: what
    /// was refused for their sake is taken up if they belong now.
    pub(crate) fn judge_by_new_yardstick(&mut self) {
        while self.state.locating.len() < JUDGED_AGAIN_AT_ONCE
            && let Some(host) = self.state.foreign_before.pop()
        {
            if self.workshop.facts.verdict(&host) == HostVerdict::Unknown {
                self.locate(host);
            }
        }
    }

    /// Has hosts judged again whose open questions may have an answer by now, as long as the crawl
    /// has something else to do; it does not go on for their sake.
    pub(crate) fn judge_again(&mut self) {
        if self.state.under_way == 0 && self.scheduler.is_finished() {
            return;
        }
        let now = Timestamp::now();
        let due: Vec<HostName> =
            self.state.unsure.extract_if(|_, until| *until <= now).map(|(host, _)| host).collect();
        due.into_iter().for_each(|host| self.locate(host));
    }

    /// Stores verdicts, and what was asked for them.
    pub(crate) fn keep_verdicts(&mut self) {
        let Some(judges) = &self.judges else { return };
        let verdicts = std::mem::take(&mut self.state.verdicts);
        let lookups = judges.investigator.take_new_lookups();
        if !verdicts.is_empty() || !lookups.is_empty() {
            self.ask(Question::Learn { verdicts, lookups });
        }
    }
}

//! The conductor follows what people decide on hosts, before the crawl and while it runs.
//!
//! An accepted host is taken up at once: its start page is a seed, and links to it that were refused
//! are judged again. Of a rejected host nothing more is fetched. A decision that is withdrawn leaves
//! the host to its evidence: whatever waits for it is judged again.

use crate::committing::{Entry, Question};
use crate::conductor::Conductor;
use crate::found::Found;
use crate::job::Seed;
use auslese_catalog::{HandDecision, HostPattern};
use auslese_crawl::{HostFacts, HostVerdict};
use auslese_discover::judge::{self, RuleSays};
use auslese_model::{Cause, CauseKind, Change, HostName, Indicator, Membership, Pending, Verdict};
use url::Url;

impl Conductor {
    /// Follows the decisions of people as they are now.
    pub(crate) fn decided_by_hand(&mut self, decisions: Vec<HandDecision>) {
        let Some(judges) = &self.judges else { return };
        if let Err(error) = judges.investigator.set_decisions(&for_judges(&decisions)) {
            tracing::warn!("decisions by hand cannot be followed: {error}");
            return;
        }
        let before = std::mem::replace(&mut self.state.decisions, decisions);
        let change = DecisionChange::between(&before, &self.state.decisions);
        if change.is_empty() {
            return;
        }
        self.state.decided += 1;
        let concerned = |host: &HostName| change.patterns().any(|it| it.covers(host));
        self.workshop.facts.forget_verdicts(concerned);
        self.state.unsure.retain(|host, _| !concerned(host));
        self.state.withdrawn.retain(|it| !change.accepted.contains(it));
        self.drop_unwanted(&change);
        // Links that were dropped before nobody remembers; the start page leads to them again.
        let seeds = start_pages(&change.accepted);
        let found: Vec<Found> = seeds.iter().filter_map(|seed| self.workshop.seed(seed)).collect();
        if !found.is_empty() {
            self.enter(Entry::Seeds(found));
        }
        self.judge_queued_again(&change.withdrawn_accepts);
        for hosts in change.accepted.iter().chain(&change.withdrawn_rejects).cloned() {
            self.ask(Question::Reopen { hosts });
        }
        self.take_up_parked();
    }

    /// Takes what waits in memory out of the queues: it is refused, or judged again with what waits
    /// in the store.
    fn drop_unwanted(&mut self, change: &DecisionChange) {
        let is_unwanted = |pending: &Pending| {
            let host = pending.request.host();
            let mut patterns = change.rejected.iter().chain(&change.withdrawn_accepts);
            patterns.any(|pattern| pattern.covers(&host))
        };
        for pending in self.scheduler.drop_matching(is_unwanted) {
            match self.rejection(&pending.request.host()) {
                Some(cause) => {
                    self.state.under_way += 1;
                    self.lose(pending, Change::Refused { cause });
                }
                None => self.scheduler.settled(pending.server, &[pending.id]),
            }
        }
    }

    /// Has everything judged that waits for hosts which people do not accept any more.
    fn judge_queued_again(&mut self, withdrawn: &[HostPattern]) {
        for hosts in withdrawn.iter().cloned() {
            self.state.withdrawn.push(hosts.clone());
            let cause = Cause::new(CauseKind::Scope, format!("{hosts} is not accepted any more"));
            self.ask(Question::Refuse { hosts: hosts.clone(), cause });
            self.ask(Question::Reopen { hosts });
        }
    }

    /// Brings what earlier runs left behind into line with what people say now: links to hosts that
    /// were accepted since are taken up, hosts that were decided on otherwise are judged again.
    pub(crate) fn catch_up_with_decisions(&mut self, outdated: Vec<Verdict>) {
        let accepted = self.state.decisions.iter().filter(|decision| decision.accept);
        let accepted: Vec<HostPattern> = accepted.map(|it| it.pattern.clone()).collect();
        for hosts in accepted {
            self.ask(Question::Reopen { hosts });
        }
        let was_accepted = |it: &&Verdict| it.membership == Membership::Member;
        let withdrawn = outdated.iter().filter(was_accepted).filter(|it| {
            it.decided_by == Some(Indicator::Rule) && self.rejection(&it.host).is_none()
        });
        let withdrawn: Vec<HostPattern> =
            withdrawn.map(|it| HostPattern::Host(it.host.clone())).collect();
        self.judge_queued_again(&withdrawn);
        outdated.into_iter().for_each(|verdict| self.locate(verdict.host));
    }

    /// Why the requests of a host are not wanted, if a person rejected it.
    pub(crate) fn rejection(&self, host: &HostName) -> Option<Cause> {
        let rule = self.judges.as_ref()?.investigator.rule_on(host)?;
        (rule.says == RuleSays::Never).then(|| {
            Cause::new(
                CauseKind::Scope,
                format!("{} never belongs ({})", rule.pattern, rule.source),
            )
        })
    }

    /// Whether the requests of a host wait in the store for a new verdict, because the decision by
    /// which they were queued was withdrawn.
    pub(crate) fn is_withdrawn(&self, host: &HostName) -> bool {
        self.state.withdrawn.iter().any(|it| it.covers(host))
            && !matches!(self.workshop.facts.verdict(host), HostVerdict::Member(_))
    }
}

/// What is different between the decisions of two moments.
#[derive(Debug, Default, PartialEq, Eq)]
struct DecisionChange {
    accepted: Vec<HostPattern>,
    rejected: Vec<HostPattern>,
    withdrawn_accepts: Vec<HostPattern>,
    withdrawn_rejects: Vec<HostPattern>,
}

impl DecisionChange {
    fn between(before: &[HandDecision], now: &[HandDecision]) -> DecisionChange {
        // Who only writes another note decides nothing.
        let missing_in = |there: &[HandDecision], decision: &HandDecision| {
            let same = |it: &HandDecision| {
                (&it.pattern, it.accept) == (&decision.pattern, decision.accept)
            };
            !there.iter().any(same)
        };
        let patterns = |here: &[HandDecision], there: &[HandDecision], accept: bool| {
            let new = here.iter().filter(|it| it.accept == accept && missing_in(there, it));
            new.map(|it| it.pattern.clone()).collect()
        };
        DecisionChange {
            accepted: patterns(now, before, true),
            rejected: patterns(now, before, false),
            withdrawn_accepts: patterns(before, now, true),
            withdrawn_rejects: patterns(before, now, false),
        }
    }

    fn is_empty(&self) -> bool {
        self.patterns().next().is_none()
    }

    fn patterns(&self) -> impl Iterator<Item = &HostPattern> {
        let now = self.accepted.iter().chain(&self.rejected);
        now.chain(&self.withdrawn_accepts).chain(&self.withdrawn_rejects)
    }
}

/// The start pages of hosts that people accepted.
pub(crate) fn accepted_hosts(decisions: &[HandDecision]) -> Vec<Seed> {
    let accepted = decisions.iter().filter(|decision| decision.accept);
    start_pages(accepted.map(|decision| &decision.pattern))
}

fn start_pages<'a>(patterns: impl IntoIterator<Item = &'a HostPattern>) -> Vec<Seed> {
    let urls = patterns.into_iter().filter_map(|pattern| match pattern {
        HostPattern::Host(host) => Url::parse(&format!("http://{host}/")).ok(),
        HostPattern::Domain(_) => None,
    });
    urls.map(|url| Seed { url, label: None }).collect()
}

/// Decisions as the judges know them.
pub(crate) fn for_judges(decisions: &[HandDecision]) -> Vec<judge::HandDecision> {
    let convert = |decision: &HandDecision| judge::HandDecision {
        host_pattern: decision.pattern.to_string(),
        accept: decision.accept,
        note: decision.note.clone(),
    };
    decisions.iter().map(convert).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Timestamp;

    fn decision(pattern: &str, accept: bool, note: &str) -> HandDecision {
        let pattern = HostPattern::parse(pattern).unwrap();
        let (note, by) = (note.to_owned(), "test".to_owned());
        HandDecision { pattern, accept, note, by, at: Timestamp(0) }
    }

    #[test]
    fn what_changed() {
        let before = [
            decision("stays.example", true, ""),
            decision(".gone.example", true, ""),
            decision("turned.example", false, ""),
            decision("forgiven.example", false, ""),
        ];
        let now = [
            decision("stays.example", true, "with another note"),
            decision("turned.example", true, ""),
            decision("new.example", false, ""),
        ];
        let patterns = |texts: &[&str]| -> Vec<HostPattern> {
            texts.iter().map(|text| HostPattern::parse(text).unwrap()).collect()
        };
        let change = DecisionChange::between(&before, &now);
        let expected = DecisionChange {
            accepted: patterns(&["turned.example"]),
            rejected: patterns(&["new.example"]),
            withdrawn_accepts: patterns(&[".gone.example"]),
            withdrawn_rejects: patterns(&["turned.example", "forgiven.example"]),
        };
        assert_eq!(change, expected);
        assert!(DecisionChange::between(&now, &now).is_empty() && !change.is_empty());
    }
}

//! Notes that other processes leave for a running crawl: pause, resume, stop, exclude, and decisions on
//! hosts.
//!
//! An exclusion works at once on everything that waits, in memory and in the store, and on what is
//! found or leased later. Its note stays unheeded in the catalog, so that it holds for every later
//! run as well.

use crate::committing::Question;
use crate::conductor::Conductor;
use crate::stopping::{asks_to_stop, is_stop};
use auslese_catalog::{Control, DECISION_NOTE, TEMPLATE_NOTE};
use auslese_model::{Change, Pending, ServerId};

impl Conductor {
    /// Follows the notes that other processes have left.
    pub(crate) fn obey(&mut self, controls: Vec<Control>) {
        let mut new_exclusion = false;
        for control in controls {
            match control.kind.as_str() {
                "pause" => {
                    self.scheduler.pause();
                    self.state.paused_by_hand = true;
                }
                "resume" => {
                    self.scheduler.resume();
                    self.state.paused_by_hand = false;
                }
                _ if is_stop(&control) => {
                    if asks_to_stop(&control, self.run) {
                        self.outside.stop.want();
                    }
                }
                "exclude" => new_exclusion |= self.workshop.exclusions.add(&control),
                DECISION_NOTE => self.ask(Question::Decisions),
                TEMPLATE_NOTE => {
                    if let Some(server) = control.body.get("server").and_then(|it| it.as_i64()) {
                        self.ask(Question::Templates { server: ServerId(server) });
                    }
                }
                other => tracing::warn!("a note of an unknown kind was left: {other}"),
            }
        }
        if new_exclusion {
            self.drop_excluded();
        }
    }

    /// Refuses everything that waits and is now excluded.
    fn drop_excluded(&mut self) {
        let workshop = self.workshop.clone();
        let is_excluded =
            |pending: &Pending| workshop.exclusions.cause_of(pending, &workshop.facts).is_some();
        let dropped = self.scheduler.drop_matching(is_excluded);
        self.admitted(dropped);
        self.ask(Question::Exclude { taken: self.state.taken.clone() });
    }

    /// Refuses everything that waits in memory and is of a quarantined template; what waits in the
    /// store is refused when its turn comes.
    pub(crate) fn drop_held(&mut self) {
        let held = self.workshop.held.clone();
        let dropped = self.scheduler.drop_matching(|pending| held.cause(pending).is_some());
        self.admitted(dropped);
    }

    /// A person has decided on a URL template of a server.
    pub(crate) fn templates_decided(&mut self, server: ServerId) {
        self.drop_held();
        match self.labels.contains_key(&server) {
            true => self.scheduler.has_more(server),
            false => self.state.lease_again = true,
        }
    }

    /// Requests from the store that may be scheduled; those that are excluded are refused here, and
    /// those that were just sent back to be judged again are left to the store.
    pub(crate) fn admitted(&mut self, mut pending: Vec<Pending>) -> Vec<Pending> {
        pending.retain(|pending| self.may_be_sent(&pending.request));
        let workshop = self.workshop.clone();
        let judges_by_rules = self.judges.as_ref().is_some_and(|it| it.investigator.has_rules());
        if workshop.exclusions.is_empty()
            && workshop.held.is_empty()
            && !judges_by_rules
            && self.state.withdrawn.is_empty()
        {
            return pending;
        }
        let mut admitted = Vec::with_capacity(pending.len());
        for pending in pending {
            if self.is_withdrawn(&pending.request.host()) {
                continue;
            }
            let excluded = workshop.exclusions.cause_of(&pending, &workshop.facts);
            let excluded = excluded.or_else(|| workshop.held.cause(&pending));
            match excluded.or_else(|| self.rejection(&pending.request.host())) {
                Some(cause) => {
                    self.state.under_way += 1;
                    self.lose(pending, Change::Refused { cause });
                }
                None => admitted.push(pending),
            }
        }
        admitted
    }
}

//! Before a window is entered: which of the requests it names are new, asked all at once, and what its
//! pages have to show.

use crate::HarvestError;
use crate::committing::{Committer, Entry};
use crate::found::Found;
use crate::processing::{Caught, Outcome, Processed};
use crate::trapping::{Counted, Offered, Shows};
use auslese_crawl::{Shown, Template};
use auslese_model::{Digest, Pending, RequestId, ServerId, TemplateChange};

/// Where requests were found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Source<'a> {
    pub(crate) from: Option<ServerId>,
    /// The request they were found by, if they do not say so themselves.
    pub(crate) via: Option<RequestId>,
    /// The make of the page, if it is counted.
    pub(crate) kin: Option<&'a str>,
}

impl Committer {
    /// Finds out which requests of a window are new. What is held back is left out: it does not count
    /// as seen.
    pub(crate) async fn sift_window(&mut self, window: &[Entry]) -> Result<(), HarvestError> {
        let mut keys = Vec::new();
        for entry in window {
            match entry {
                Entry::Result(processed) => {
                    let Processed { pending, epoch, prerequisite, found, .. } = &**processed;
                    if self.is_fetched_under(pending.server, *epoch) {
                        keys.extend(prerequisite.as_ref().map(|found| found.key.short()));
                        self.add_keys(found, &mut keys);
                    }
                }
                Entry::Seeds(found) => self.add_keys(found, &mut keys),
                Entry::Record(_) => {}
            }
        }
        self.sift(&keys).await
    }

    fn add_keys(&self, found: &[Found], keys: &mut Vec<u64>) {
        let is_held = |found: &&Found| {
            let server = self.servers.get(&found.request.origin());
            server.is_some_and(|server| self.traps.holder(server, found).is_some())
        };
        match self.traps.holds_nothing() {
            true => keys.extend(found.iter().map(|found| found.key.short())),
            false => {
                let passing = found.iter().filter(|found| !is_held(found));
                keys.extend(passing.map(|found| found.key.short()));
            }
        }
    }

    /// Notes which of these keys are new. A full disk is waited for.
    pub(crate) async fn sift(&mut self, keys: &[u64]) -> Result<(), HarvestError> {
        let is_new = loop {
            match self.seen.insert_all(keys) {
                Ok(is_new) => break is_new,
                Err(error) => self.wait_out(error.into()).await?,
            }
        };
        self.fresh.clear();
        let fresh = keys.iter().zip(is_new).filter(|(_, is_new)| *is_new);
        self.fresh.extend(fresh.map(|(key, _)| *key));
        Ok(())
    }

    /// Remembers the addresses of a window that is stored, so that the next pages that name them need
    /// not ask. While anything is held back nobody asks, and what is held back is not stored.
    pub(crate) fn note_familiar(&self, window: &[Entry]) {
        if !self.traps.holds_nothing() {
            return;
        }
        for entry in window {
            if let Entry::Result(processed) = entry
                && self.is_fetched_under(processed.pending.server, processed.epoch)
            {
                let spellings = processed.found.iter().filter_map(|found| found.spelling);
                spellings.for_each(|spelling| self.familiar.note(spelling));
            }
        }
    }

    /// Says in the log that a template is held back from now on.
    pub(crate) fn tell_of_trap(&self, change: &TemplateChange) {
        let server = self.servers.origin(change.server).map(ToString::to_string);
        let why = change.quarantined.as_deref().unwrap_or_default();
        tracing::warn!(server, template = &*change.template, "quarantined as a trap: {why}");
    }

    /// Reads how the templates of some servers stand.
    pub(crate) async fn load_templates(
        &mut self,
        servers: &[ServerId],
    ) -> Result<(), HarvestError> {
        let templates = loop {
            match self.catalog.templates_of(servers).await {
                Ok(templates) => break templates,
                Err(error) => self.wait_out(error.into()).await?,
            }
        };
        self.traps.load(servers, templates);
        Ok(())
    }
}

/// As what an answer is counted; none for what is not of the crawl's own finding, or was there before,
/// or will be asked for again.
pub(crate) fn counted(processed: &Processed) -> Option<Counted> {
    let Processed { pending, prerequisite, outcome, .. } = processed;
    let Outcome::Caught(caught) = outcome else { return None };
    let is_counted = prerequisite.is_none()
        && pending.known.is_none()
        && pending.request.body.is_none()
        && pending.hops.trailing('Q') == 0
        && caught.after.is_none()
        && has_something(caught);
    let is_embedded = pending.hops.trailing('E') > 0;
    is_counted.then(|| Counted {
        template: Template::of(&pending.request.url),
        is_page: caught.is_page || !is_embedded,
        is_embedded,
    })
}

/// A body that was not taken in says nothing, for or against its page.
fn has_something(caught: &Caught) -> bool {
    let is_success = (200..300).contains(&caught.exchange.response.status);
    !is_success || caught.digest.is_some() || !caught.phrases.is_empty() || caught.is_page
}

/// What an answer has to show: its text, which may be none, or the file it is; of a redirect, where it leads to.
pub(crate) fn shows<'a>(
    pending: &Pending,
    counted: &'a Counted,
    caught: &'a Caught,
    news: Offered,
) -> Shows<'a> {
    let (shown, brings_files) = match caught.exchange.response.status {
        200..=299 if caught.is_page || !caught.phrases.is_empty() => {
            (Some(Shown::Phrases(&caught.phrases)), news.file)
        }
        200..=299 => (caught.digest.as_ref().map(Digest::prefix).map(Shown::Digest), news.file),
        300..=399 => (None, news.elsewhere),
        _ => (None, false),
    };
    let (request, server) = (pending.id, pending.server);
    Shows { request, server, counted, shown, brings_files, leads_on: news.here }
}

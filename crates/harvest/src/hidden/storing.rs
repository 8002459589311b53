//! The committer's part in talks: whether a request was answered already, and keeping what talks bring.

use super::conversing::{Left, Opened, Opening};
use crate::HarvestError;
use crate::book::Book;
use crate::committing::{Committer, Report};
use crate::sifting::Source;
use auslese_catalog::{CatalogError, KnownRequest, StoredCapture};
use auslese_model::{Change, Commit, Pending, State, StateChange, Storage, Timestamp};
use tokio::sync::mpsc;

impl Committer {
    /// Finds the answer to a request of a talk, or queues it.
    pub(crate) async fn open(
        &mut self,
        opening: Opening,
        reports: &mpsc::UnboundedSender<Report>,
    ) -> Result<(), HarvestError> {
        let (number, key) = (opening.number, opening.found.key);
        let known = loop {
            match self.catalog.find_keys(&[key]).await {
                Ok(mut known) => break known.remove(&key),
                Err(error) => self.wait_out(error.into()).await?,
            }
        };
        let opened = match known {
            _ if !self.is_ours(&opening).await? => {
                let host = opening.found.request.host();
                Opened::Refused(format!("{host} is not part of the harvest"))
            }
            Some(known) => self.known(&opening, known).await?,
            None => {
                let mut book = Book::default();
                self.sift(&[key.short()]).await?;
                self.offer(&[opening.found], &Source::default(), &mut book).await?;
                let (commit, stored) = book.close();
                self.store(&commit, &[]).await?;
                let _ = reports.send(Report::Committed(stored));
                Opened::Offered
            }
        };
        let _ = reports.send(Report::Opened { number, key, opened });
        Ok(())
    }

    /// Databases are asked where they stand, and where the harvest has something of.
    async fn is_ours(&mut self, opening: &Opening) -> Result<bool, HarvestError> {
        let host = opening.found.request.host();
        if host == opening.home {
            return Ok(true);
        }
        loop {
            match self.catalog.has_bodies_of(&host).await {
                Ok(has) => return Ok(has),
                Err(error) => self.wait_out(error.into()).await?,
            }
        }
    }

    async fn known(
        &mut self,
        opening: &Opening,
        known: KnownRequest,
    ) -> Result<Opened, HarvestError> {
        let answered = loop {
            match self.answer_to(opening, &known).await {
                Ok(answered) => break answered,
                Err(error) => self.wait_out(error.into()).await?,
            }
        };
        if let Some(stored) = answered {
            return Ok(Opened::Answered(Box::new(stored)));
        }
        if known.state != State::Queued {
            let change = Change::Again { not_before: Timestamp(0), attempts: 0, cause: None };
            let changes = vec![StateChange { request: known.id, change }];
            self.store(&Commit { changes, ..Commit::default() }, &[]).await?;
        }
        Ok(Opened::Queued(Box::new(Pending {
            id: known.id,
            server: known.server,
            request: opening.found.request.clone(),
            priority: opening.found.priority,
            hops: known.hops,
            via: known.via,
            via_url: None,
            attempts: 0,
            not_before: Timestamp(0),
            known: None,
        })))
    }

    /// The answer that the talk has not heard yet, with the place of its body.
    async fn answer_to(
        &self,
        opening: &Opening,
        known: &KnownRequest,
    ) -> Result<Option<StoredCapture>, CatalogError> {
        let captures = self.catalog.captures_of_request(known.id).await?;
        // Answers that were to be asked again are in the catalog, too, as headers only.
        let is_final =
            |it: &&StoredCapture| !matches!(it.capture.storage, Storage::HeaderOnly { .. });
        let found = match opening.any_age && opening.heard == 0 {
            true => captures.iter().rfind(|it| it.capture.status == 200 && is_final(it)),
            false => captures
                .iter()
                .filter(|it| it.capture.at >= opening.since && is_final(it))
                .nth(opening.heard),
        };
        let Some(mut found) = found.cloned() else { return Ok(None) };
        if let Storage::Revisit { original, .. } = found.capture.storage
            && let Some(stored) = self.catalog.capture(original).await?
        {
            found.capture.storage = stored.capture.storage;
        }
        Ok(Some(found))
    }

    /// Stores what a talk leaves behind.
    pub(crate) async fn keep(&mut self, left: Left) -> Result<(), HarvestError> {
        let now = Timestamp::now();
        match left {
            Left::Records { database, records } => {
                while let Err(error) = self.catalog.store_records(database, &records, now).await {
                    self.wait_out(error.into()).await?;
                }
            }
            Left::End { conversation } => {
                let conversation = *conversation;
                let database = conversation.database;
                let cost = (conversation.requests, conversation.bytes);
                let mut findings = conversation.talk.finish();
                if let Some((plan, queries)) = findings.plan.take() {
                    while let Err(error) = self.catalog.store_plan(database, &plan, queries).await {
                        self.wait_out(error.into()).await?;
                    }
                }
                let asked = findings.asked(self.run, now, cost);
                while let Err(error) = self.catalog.store_asked(database, &asked).await {
                    self.wait_out(error.into()).await?;
                }
            }
        }
        Ok(())
    }
}

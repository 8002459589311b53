//! The committer appends records to the archive: whole answers, or references to earlier ones.

use crate::book::Book;
use crate::committing::Committer;
use crate::processing::{Caught, Storing};
use crate::{HarvestError, Revisits};
use auslese_archive::{Encoded, Original, encode_revisit};
use auslese_model::{CaptureId, Digest, Pending, Place, Storage};

impl Committer {
    /// Writes the records of a capture, unless only its header is wanted.
    pub(crate) async fn put(
        &mut self,
        pending: &Pending,
        capture: CaptureId,
        caught: &Caught,
        book: &mut Book,
    ) -> Result<Storage, HarvestError> {
        let encoded = match &caught.storing {
            Storing::HeaderOnly(reason) => {
                return Ok(Storage::HeaderOnly { reason: reason.clone() });
            }
            Storing::Body(encoded) => encoded,
        };
        if caught.exchange.response.status == 304
            && let Some(known) = &pending.known
        {
            let original = Original {
                record_id: known.record_id.clone(),
                uri: known.uri.clone(),
                date: known.at,
                payload_digest: known.digest.clone(),
            };
            let revisit =
                encode_revisit(&caught.exchange, &caught.notes, &original, &self.archive)?;
            let place = self.append(&revisit).await?;
            return Ok(Storage::Revisit { place, original: known.capture });
        }
        let digest = encoded.payload_digest().filter(|_| caught.exchange.response.status == 200);
        if let Some(digest) = digest
            && let Some((original, of)) = self.original(pending, digest, book).await?
        {
            let revisit =
                encode_revisit(&caught.exchange, &caught.notes, &original, &self.archive)?;
            let place = self.append(&revisit).await?;
            return Ok(Storage::Revisit { place, original: of });
        }
        let place = self.append(encoded).await?;
        if let Some(digest) = digest
            && self.revisits != Revisits::Off
        {
            self.digests.insert(digest.prefix());
            let original = Original {
                record_id: place.record_id.clone(),
                uri: pending.request.url.to_string(),
                date: caught.exchange.started,
                payload_digest: Some(digest.clone()),
            };
            book.original(digest.clone(), original, capture);
        }
        Ok(Storage::Stored(place))
    }

    /// The earlier capture that already holds this payload, where revisits are wanted.
    async fn original(
        &mut self,
        pending: &Pending,
        digest: &Digest,
        book: &Book,
    ) -> Result<Option<(Original, CaptureId)>, HarvestError> {
        if self.revisits == Revisits::Off || !self.digests.contains(&digest.prefix()) {
            return Ok(None);
        }
        let suits =
            |uri: &str| self.revisits == Revisits::Digest || uri == pending.request.url.as_str();
        if let Some((original, capture)) = book.original_of(digest)
            && suits(&original.uri)
        {
            return Ok(Some((original.clone(), *capture)));
        }
        let known = loop {
            match self.catalog.originals(std::slice::from_ref(digest)).await {
                Ok(known) => break known,
                Err(error) => self.wait_out(error.into()).await?,
            }
        };
        let suits =
            |uri: &str| self.revisits == Revisits::Digest || uri == pending.request.url.as_str();
        let known = known.into_iter().flatten();
        Ok(known
            .filter(|known| suits(&known.uri))
            .map(|known| {
                let original = Original {
                    record_id: known.record_id,
                    uri: known.uri,
                    date: known.at,
                    payload_digest: Some(digest.clone()),
                };
                (original, known.capture)
            })
            .next())
    }

    pub(crate) async fn append(&mut self, encoded: &Encoded) -> Result<Place, HarvestError> {
        loop {
            match self.writer.append(encoded) {
                Ok(place) => return Ok(place),
                Err(error) => self.wait_out(error.into()).await?,
            }
        }
    }
}

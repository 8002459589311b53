//! What can be done with the objects of a bucket.

use crate::answers::{Listed, Unfinished, objects, parts_document, reason, unfinished, upload_id};
use crate::client::{Answer, Depot, Failed, Request};
use crate::error::DepotError;

/// The field of an object that keeps the SHA-256 of its bytes: the tag that a store gives to an object that came in
/// parts is no digest of it.
const DIGEST_FIELD: &str = "x-amz-meta-sha256";

/// Bytes that an attempt to read must bring so that it does not count as failed.
const LEAST_PROGRESS: u64 = 16 << 10;

/// What is known of an object without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectNote {
    pub length: u64,
    /// In hexadecimal digits, of objects that we have stored.
    pub sha256: Option<String>,
}

/// What may be there already when an object is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// Nothing.
    New,
    /// Anything; it is replaced.
    Anew,
}

impl Depot {
    /// What is known of an object; `None` if it is not there.
    pub fn look(&self, key: &str) -> Result<Option<ObjectNote>, DepotError> {
        match self.ask(&Request::new("HEAD", key)) {
            Ok(answer) => Ok(Some(note_of(&answer, &self.what(&Request::new("HEAD", key)))?)),
            // An answer to HEAD has no body, so a bucket that is not there looks like an object that is not. Whoever
            // writes hears of it.
            Err(DepotError::NotFound { .. }) => Ok(None),
            // For the same reason it does not say why it refuses; reading a byte does.
            Err(error @ DepotError::Refused { .. }) => match self.read(key, 0, 1) {
                Err(told @ DepotError::Refused { .. }) => Err(told),
                _ => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Reads a stretch of an object. If an answer is cut off, the next attempt goes on from where it ended.
    pub fn read(&self, key: &str, offset: u64, length: u64) -> Result<Vec<u8>, DepotError> {
        let mut bytes = Vec::new();
        if length == 0 {
            return Ok(bytes);
        }
        let mut attempt = 0;
        loop {
            let have = bytes.len() as u64;
            let range = format!("bytes={}-{}", offset + have, offset + length - 1);
            let headers = [("range", range.as_str())];
            let limit = length - have;
            let request = Request { headers: &headers, limit, ..Request::new("GET", key) };
            match self.attempt(&request, &mut bytes) {
                Ok(head) if head.status == 206 || (offset == 0 && have == 0) => return Ok(bytes),
                Ok(head) => {
                    let why = format!("status {} instead of a stretch of the object", head.status);
                    return Err(DepotError::Answer { what: self.what(&request), why });
                }
                Err(failed) => {
                    // Whoever gets further each time is slow, not broken.
                    let got_further = bytes.len() as u64 >= have + LEAST_PROGRESS;
                    attempt = if got_further { 1 } else { attempt + 1 };
                    if matches!(&failed, Failed::Connection(_)) && bytes.len() as u64 == length {
                        return Ok(bytes);
                    }
                    self.pause_after(&request, failed, attempt)?;
                }
            }
        }
    }

    /// Writes an object at once.
    pub fn write(&self, key: &str, bytes: &[u8], writing: Writing) -> Result<(), DepotError> {
        let digest = crate::sign::sha256(bytes);
        let mut headers = vec![(DIGEST_FIELD, digest.as_str())];
        headers.extend(self.condition(writing));
        let request = Request { headers: &headers, body: bytes, ..Request::new("PUT", key) };
        match self.ask(&request) {
            Ok(_) => Ok(()),
            Err(error) if is_conflict(&error) => {
                self.compare(key, bytes.len() as u64, &digest).map(|_| ())
            }
            Err(error) => Err(error),
        }
    }

    /// Begins an upload in parts.
    pub(crate) fn begin_upload(&self, key: &str, digest: &str) -> Result<String, DepotError> {
        let headers = [(DIGEST_FIELD, digest)];
        let query = [("uploads", "")];
        let request = Request { headers: &headers, query: &query, ..Request::new("POST", key) };
        let answer = self.ask(&request)?;
        upload_id(&answer.body).ok_or_else(|| DepotError::Answer {
            what: self.what(&request),
            why: "it names no upload".to_owned(),
        })
    }

    /// Uploads a part and returns its tag.
    pub(crate) fn upload_part(
        &self,
        key: &str,
        upload: &str,
        number: u64,
        bytes: &[u8],
    ) -> Result<String, DepotError> {
        let number = number.to_string();
        let query = [("partNumber", number.as_str()), ("uploadId", upload)];
        let request = Request { query: &query, body: bytes, ..Request::new("PUT", key) };
        let answer = self.ask(&request)?;
        answer.head.field("etag").map(str::to_owned).ok_or_else(|| DepotError::Answer {
            what: self.what(&request),
            why: "it has no tag for the part".to_owned(),
        })
    }

    /// Makes an object of the parts of an upload.
    pub(crate) fn complete_upload(
        &self,
        key: &str,
        upload: &str,
        tags: &[String],
        writing: Writing,
    ) -> Result<(), DepotError> {
        let document = parts_document(tags);
        let headers: Vec<(&str, &str)> = self.condition(writing).into_iter().collect();
        let request = Request {
            query: &[("uploadId", upload)],
            headers: &headers,
            body: document.as_bytes(),
            ..Request::new("POST", key)
        };
        let answer = self.ask(&request)?;
        // Stores begin to answer before they know how it ends.
        match reason(&answer.body) {
            None => Ok(()),
            Some(reason) => Err(DepotError::Refused {
                what: self.what(&request),
                status: answer.head.status,
                code: reason.code,
                message: reason.message,
            }),
        }
    }

    /// Gives up an upload; what was stored of it goes. One that is gone already is no error.
    pub fn give_up(&self, upload: &Unfinished) -> Result<(), DepotError> {
        let query = [("uploadId", upload.upload.as_str())];
        let request = Request { query: &query, ..Request::new("DELETE", &upload.key) };
        match self.ask(&request) {
            Ok(_) | Err(DepotError::NotFound { .. }) => Ok(()),
            Err(DepotError::Refused { code, .. }) if code == "NoSuchUpload" => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Deletes an object; one that is not there is no error.
    pub fn delete(&self, key: &str) -> Result<(), DepotError> {
        match self.ask(&Request::new("DELETE", key)) {
            Ok(_) | Err(DepotError::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The objects whose keys begin with a text, by key.
    pub fn list(&self, beginning: &str) -> Result<Vec<Listed>, DepotError> {
        let mut all = Vec::new();
        let mut token: Option<String> = None;
        loop {
            let mut query = vec![("list-type", "2"), ("prefix", beginning)];
            query.extend(token.as_deref().map(|token| ("continuation-token", token)));
            let answer = self.ask(&Request { query: &query, ..Request::new("GET", "") })?;
            let page = objects(&answer.body);
            all.extend(page.items);
            match page.next {
                Some((next, _)) if Some(&next) != token.as_ref() => token = Some(next),
                _ => return Ok(all),
            }
        }
    }

    /// The uploads to keys with this beginning that were begun and not completed.
    pub fn unfinished(&self, beginning: &str) -> Result<Vec<Unfinished>, DepotError> {
        let mut all = Vec::new();
        let mut marker: Option<(String, String)> = None;
        loop {
            let mut query = vec![("uploads", ""), ("prefix", beginning)];
            if let Some((key, upload)) = &marker {
                query.push(("key-marker", key));
                if !upload.is_empty() {
                    query.push(("upload-id-marker", upload));
                }
            }
            let answer = self.ask(&Request { query: &query, ..Request::new("GET", "") })?;
            let page = unfinished(&answer.body);
            // Some stores take no account of the beginning.
            all.extend(page.items.into_iter().filter(|item| item.key.starts_with(beginning)));
            match page.next {
                Some(next) if Some(&next) != marker.as_ref() => marker = Some(next),
                _ => return Ok(all),
            }
        }
    }

    /// Whether what lies at a key is what was to be written there: then somebody has done it before, probably we.
    pub(crate) fn compare(
        &self,
        key: &str,
        length: u64,
        sha256: &str,
    ) -> Result<ObjectNote, DepotError> {
        let address = self.address(key);
        let Some(found) = self.look(key)? else {
            return Err(DepotError::NotFound { address });
        };
        let taken = |why| DepotError::Taken { address, why };
        if found.length != length {
            return Err(taken(format!("it has {} bytes, not {length}", found.length)));
        }
        let digest = match &found.sha256 {
            Some(digest) => digest.clone(),
            // Somebody else has stored it: only its bytes can tell.
            None => self.digest_of(key, length)?,
        };
        match digest == sha256 {
            true => Ok(found),
            false => Err(taken("it has other bytes of the same length".to_owned())),
        }
    }

    /// The SHA-256 of an object, read block by block.
    pub fn digest_of(&self, key: &str, length: u64) -> Result<String, DepotError> {
        let mut hash = ring::digest::Context::new(&ring::digest::SHA256);
        let mut offset = 0;
        while offset < length {
            let piece = self.read(key, offset, self.settings.part.min(length - offset))?;
            if piece.is_empty() {
                let why = format!("it ends at byte {offset} of {length}");
                return Err(DepotError::Changed { address: self.address(key), why });
            }
            hash.update(&piece);
            offset += piece.len() as u64;
        }
        Ok(data_encoding::HEXLOWER.encode(hash.finish().as_ref()))
    }

    fn condition(&self, writing: Writing) -> Option<(&'static str, &'static str)> {
        (writing == Writing::New && self.settings.conditional).then_some(("if-none-match", "*"))
    }
}

/// Whether a store refused to write because something is there.
pub(crate) fn is_conflict(error: &DepotError) -> bool {
    matches!(error, DepotError::Refused { status: 412, .. })
        || matches!(error, DepotError::Refused { code, .. } if code == "PreconditionFailed")
}

fn note_of(answer: &Answer, what: &str) -> Result<ObjectNote, DepotError> {
    let length = answer.head.field("content-length").and_then(|text| text.parse().ok());
    let length = length.ok_or_else(|| DepotError::Answer {
        what: what.to_owned(),
        why: "it tells no length".to_owned(),
    })?;
    Ok(ObjectNote { length, sha256: answer.head.field(DIGEST_FIELD).map(str::to_owned) })
}

//! Stores a file: in parts, under the condition that nothing else lies there, and so that it can be done again.
//!
//! The object appears whole or not at all. If one of that name is there, its length and digest tell whether it is the
//! same; then the work was done before, by a process that died before it could say so.

use crate::answers::Unfinished;
use crate::client::Depot;
use crate::error::DepotError;
use crate::objects::{Writing, is_conflict};
use crate::settings::{MOST_PARTS, SMALLEST_PART};
use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA256};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// A file that lies in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uploaded {
    pub length: u64,
    /// In hexadecimal digits.
    pub sha256: String,
    /// Whether it was there already.
    pub was_there: bool,
}

/// Moments of an upload, for who watches one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Nothing was sent yet.
    Before,
    /// A part is in the store; this many bytes are.
    Part {
        bytes: u64,
    },
    /// All parts are there, and the object is not.
    BeforeComplete,
    Complete,
}

/// Whether an upload goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Onward {
    Go,
    Stop,
}

impl Depot {
    /// Stores a file under a key. `watch` hears of every step, and may stop it.
    pub fn upload(
        &self,
        file: &Path,
        key: &str,
        writing: Writing,
        watch: &mut dyn FnMut(Moment) -> Onward,
    ) -> Result<Uploaded, DepotError> {
        let cannot = |cause| DepotError::File { file: file.to_owned(), cause };
        let mut opened = File::open(file).map_err(cannot)?;
        let (length, sha256) = summed(&mut opened).map_err(cannot)?;
        // Also for stores that know no conditions, and it spares the upload.
        if writing == Writing::New && self.look(key)?.is_some() {
            self.compare(key, length, &sha256)?;
            return Ok(Uploaded { length, sha256, was_there: true });
        }
        opened.rewind().map_err(cannot)?;
        let go = |onward| match onward {
            Onward::Go => Ok(()),
            Onward::Stop => Err(DepotError::Stopped { address: self.address(key) }),
        };
        go(watch(Moment::Before))?;
        if length <= self.settings.part {
            let mut bytes = Vec::new();
            opened.read_to_end(&mut bytes).map_err(cannot)?;
            if bytes.len() as u64 != length {
                return Err(cannot(changed()));
            }
            go(watch(Moment::BeforeComplete))?;
            self.write(key, &bytes, writing)?;
        } else {
            let upload =
                Unfinished { key: key.to_owned(), upload: self.begin_upload(key, &sha256)? };
            let parts = Parts { depot: self, upload: &upload, length, writing };
            let done = parts.send(&mut opened, &sha256, &mut |moment| go(watch(moment)), cannot);
            if let Err(error) = done {
                // If this fails too, the next start does it.
                if let Err(other) = self.give_up(&upload) {
                    tracing::debug!("an upload to {key} stays unfinished: {other}");
                }
                return Err(error);
            }
        }
        watch(Moment::Complete);
        Ok(Uploaded { length, sha256, was_there: false })
    }
}

/// An upload in parts.
struct Parts<'a> {
    depot: &'a Depot,
    upload: &'a Unfinished,
    length: u64,
    writing: Writing,
}

impl Parts<'_> {
    fn send(
        &self,
        file: &mut File,
        sha256: &str,
        step: &mut dyn FnMut(Moment) -> Result<(), DepotError>,
        cannot: impl Fn(io::Error) -> DepotError,
    ) -> Result<(), DepotError> {
        let Unfinished { key, upload } = self.upload;
        let part = part_length(self.length, self.depot.settings.part);
        let mut tags = Vec::new();
        let (mut sent, mut hash) = (0, Context::new(&SHA256));
        let mut bytes = Vec::new();
        while sent < self.length {
            bytes.clear();
            file.take(part).read_to_end(&mut bytes).map_err(&cannot)?;
            if bytes.is_empty() {
                return Err(cannot(changed()));
            }
            hash.update(&bytes);
            tags.push(self.depot.upload_part(key, upload, tags.len() as u64 + 1, &bytes)?);
            sent += bytes.len() as u64;
            step(Moment::Part { bytes: sent })?;
        }
        if sent != self.length || HEXLOWER.encode(hash.finish().as_ref()) != sha256 {
            return Err(cannot(changed()));
        }
        step(Moment::BeforeComplete)?;
        match self.depot.complete_upload(key, upload, &tags, self.writing) {
            Ok(()) => Ok(()),
            // The first attempt may have succeeded although its answer was lost.
            Err(error) if is_conflict(&error) || is_gone(&error) => {
                self.depot.compare(key, self.length, sha256).map(|_| ())
            }
            Err(error) => Err(error),
        }
    }
}

fn is_gone(error: &DepotError) -> bool {
    matches!(error, DepotError::NotFound { .. })
        || matches!(error, DepotError::Refused { code, .. } if code == "NoSuchUpload")
}

/// The length of a part: as set, unless there would be too many or they would be too small for the protocol.
fn part_length(length: u64, wanted: u64) -> u64 {
    wanted.max(SMALLEST_PART).max(length.div_ceil(MOST_PARTS))
}

/// Length and SHA-256 of a file.
fn summed(file: &mut File) -> io::Result<(u64, String)> {
    let mut hash = Context::new(&SHA256);
    let mut buffer = vec![0; 256 << 10];
    let mut length = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((length, HEXLOWER.encode(hash.finish().as_ref()))),
            Ok(count) => {
                hash.update(&buffer[..count]);
                length += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn changed() -> io::Error {
    io::Error::other("the file changed while it was stored")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_parts() {
        const MIB: u64 = 1 << 20;
        #[rustfmt::skip]
        let cases = [
            // length            wanted     part
            (100 * MIB,          16 * MIB,  16 * MIB),
            (100 * MIB,          1,         5 * MIB),
            (MOST_PARTS * 32 * MIB, 16 * MIB, 32 * MIB),
            (MOST_PARTS * 32 * MIB + 1, 16 * MIB, 32 * MIB + 1),
        ];
        for (length, wanted, part) in cases {
            assert_eq!(part_length(length, wanted), part, "{length} {wanted}");
            assert!(length.div_ceil(part) <= MOST_PARTS);
        }
    }
}

//! Digests of blocks and payloads, in one pass over bodies of any size.

use crate::error::ArchiveError;
use auslese_model::{Algorithm, Body, Digest};
use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How much of a body is in memory at a time while it is copied or hashed.
pub(crate) const COPY_BUFFER: usize = 64 * 1024;

/// The payload digest of a body; give it the body without transfer coding
/// ([`auslese_model::Response::payload`]).
pub fn payload_digest(body: &Body, algorithm: Algorithm) -> io::Result<Digest> {
    let mut hasher = Hasher::new(algorithm);
    each_piece(body, |piece| hasher.update(piece))?;
    Ok(hasher.finish())
}

/// The SHA-256 of a whole file, in hexadecimal digits.
pub fn file_digest(path: &Path) -> Result<String, ArchiveError> {
    let digest = File::open(path).and_then(|mut file| {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; COPY_BUFFER];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(hash.finalize()),
                count => hash.update(&buffer[..count]),
            }
        }
    });
    Ok(data_encoding::HEXLOWER.encode(&digest.map_err(ArchiveError::io(path))?))
}

/// An unfinished digest.
#[derive(Debug, Clone)]
pub(crate) enum Hasher {
    Sha256(Sha256),
    Sha1(Sha1),
}

impl Hasher {
    pub(crate) fn new(algorithm: Algorithm) -> Hasher {
        match algorithm {
            Algorithm::Sha256 => Hasher::Sha256(Sha256::new()),
            Algorithm::Sha1 => Hasher::Sha1(Sha1::new()),
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Sha256(hash) => hash.update(bytes),
            Hasher::Sha1(hash) => hash.update(bytes),
        }
    }

    pub(crate) fn finish(self) -> Digest {
        match self {
            Hasher::Sha256(hash) => {
                Digest { algorithm: Algorithm::Sha256, bytes: hash.finalize().to_vec() }
            }
            Hasher::Sha1(hash) => {
                Digest { algorithm: Algorithm::Sha1, bytes: hash.finalize().to_vec() }
            }
        }
    }
}

/// Shows a body piece by piece. A spilled body that ends early is an error: its length was
/// already promised in a header.
pub(crate) fn each_piece(body: &Body, mut see: impl FnMut(&[u8])) -> io::Result<()> {
    if let Body::Memory(bytes) = body {
        see(bytes);
        return Ok(());
    }
    let mut reader = body.reader();
    let mut buffer = vec![0; COPY_BUFFER];
    let mut left = body.len();
    while left > 0 {
        match reader.read(&mut buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                see(&buffer[..count]);
                left -= count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_nothing() {
        let digest = |algorithm| payload_digest(&Body::empty(), algorithm).unwrap().to_string();
        assert_eq!(digest(Algorithm::Sha1), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(
            digest(Algorithm::Sha256),
            "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ===="
        );
    }
}

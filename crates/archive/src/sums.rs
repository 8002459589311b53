//! The check sums that others ask for with a file, in one pass.

use crate::digest::COPY_BUFFER;
use data_encoding::HEXLOWER;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};

/// Length and check sums of a file, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSums {
    pub bytes: u64,
    pub md5: String,
    pub sha1: String,
    pub sha256: String,
}

/// Copies everything and sums it up.
pub fn copy_summed(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<FileSums> {
    let (mut md5, mut sha1, mut sha256) = (Md5::new(), Sha1::new(), Sha256::new());
    let mut buffer = vec![0; COPY_BUFFER];
    let mut bytes = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                let piece = &buffer[..count];
                md5.update(piece);
                sha1.update(piece);
                sha256.update(piece);
                to.write_all(piece)?;
                bytes += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(FileSums {
        bytes,
        md5: HEXLOWER.encode(&md5.finalize()),
        sha1: HEXLOWER.encode(&sha1.finalize()),
        sha256: HEXLOWER.encode(&sha256.finalize()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_abc() {
        let mut copy = Vec::new();
        let sums = copy_summed(&mut b"abc".as_slice(), &mut copy).unwrap();
        assert_eq!((sums.bytes, copy.as_slice()), (3, b"abc".as_slice()));
        assert_eq!(sums.md5, "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(sums.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert!(sums.sha256.starts_with("ba7816bf8f01cfea414140de5dae2223"), "{}", sums.sha256);
    }
}

//! Content codings and content types that do not say what is inside.

use super::PAGE;
use crate::answer::{Answer, gzip};
use flate2::{Compress, Compression, Crc, FlushCompress};

/// A small file that unpacks to (about) so many zeros; 1 GiB takes about 1 MB.
///
/// One MiB is compressed once and its block repeated, because compressing all of it would take longer
/// than any test should.
pub fn gzip_bomb(unpacked: u64) -> Answer {
    const BLOCK: usize = 1 << 20;
    let blocks = unpacked.div_ceil(BLOCK as u64);
    let zeros = vec![0; BLOCK];
    let mut compress = Compress::new(Compression::best(), false);
    let mut block = Vec::with_capacity(BLOCK);
    compress
        .compress_vec(&zeros, &mut block, FlushCompress::Full)
        .expect("memory is there for a MiB of zeros");
    let mut block_crc = Crc::new();
    block_crc.update(&zeros);
    let mut crc = Crc::new();

    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    for _ in 0..blocks {
        bytes.extend_from_slice(&block);
        crc.combine(&block_crc);
    }
    // The last block, empty; then checksum and length.
    bytes.extend_from_slice(&[3, 0]);
    bytes.extend_from_slice(&crc.sum().to_le_bytes());
    bytes.extend_from_slice(&crc.amount().to_le_bytes());
    encoded("gzip", bytes)
}

/// A gzip stream with a wrong byte in the middle.
pub fn broken_gzip() -> Answer {
    let mut bytes = gzip(PAGE.repeat(100).as_bytes());
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    encoded("gzip", bytes)
}

/// A gzip stream that ends early.
pub fn cut_gzip() -> Answer {
    let mut bytes = gzip(PAGE.as_bytes());
    bytes.truncate(bytes.len() / 2);
    encoded("gzip", bytes)
}

/// Compressed twice, and said so once.
pub fn gzip_twice() -> Answer {
    encoded("gzip", gzip(&gzip(PAGE.as_bytes())))
}

/// Right, but for clients that did not ask for it, too.
pub fn gzip_unasked() -> Answer {
    encoded("gzip", gzip(PAGE.as_bytes()))
}

/// Said to be gzip, but plain.
pub fn gzip_that_is_none() -> Answer {
    encoded("gzip", PAGE.as_bytes().to_vec())
}

pub fn unknown_content_coding() -> Answer {
    encoded("x-zauberei", PAGE.as_bytes().to_vec())
}

/// Bytes behind the gzip stream.
pub fn garbage_after_gzip() -> Answer {
    let mut bytes = gzip(PAGE.as_bytes());
    bytes.extend_from_slice(b"und noch etwas");
    encoded("gzip", bytes)
}

/// A zip file that claims to be text.
pub fn wrong_content_type() -> Answer {
    Answer::file("text/plain", EMPTY_ZIP)
}

pub fn no_content_type() -> Answer {
    Answer::body(PAGE)
}

pub fn two_content_types() -> Answer {
    Answer::file("image/gif", PAGE).header("Content-Type", "text/html")
}

/// The smallest zip file: only the end of an empty directory.
pub const EMPTY_ZIP: &[u8] = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

fn encoded(coding: &str, body: Vec<u8>) -> Answer {
    Answer::file("text/html", body).header("Content-Encoding", coding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    #[test]
    fn the_bomb_is_a_valid_gzip_file() {
        let answer = gzip_bomb(3 << 20);
        let body = answer.fixed_body().unwrap();
        let mut unpacked = Vec::new();
        GzDecoder::new(&body[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked.len(), 3 << 20);
        assert!(body.len() * 500 < unpacked.len() && unpacked.iter().all(|byte| *byte == 0));
    }
}

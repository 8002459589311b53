//! Looks at the streams that the parser of the file decodes by itself, before it does.
//!
//! Objects may be packed into streams, and so may the index of objects. The parser unpacks them
//! without a limit; here they are unpacked first, to nowhere, to see how much comes out. Everything
//! else is decoded by [`super::filters`], which has limits. In encrypted files this cannot be seen.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// Bytes all packed objects of a document may unpack to. The largest honest files, with hundreds
/// of thousands of objects, have some 50 MB.
pub const MAX_PACKED_BYTES: u64 = 128 << 20;

/// Bytes of a stream's dictionary that are looked at, back from its beginning.
const MAX_DICTIONARY: usize = 2_048;

/// Whether the packed objects of a file can be unpacked.
pub(super) fn are_within_limits(bytes: &[u8]) -> bool {
    let mut left = MAX_PACKED_BYTES;
    let mut before = 0;
    for at in memchr::memmem::find_iter(bytes, b"stream") {
        let behind = &bytes[at + b"stream".len()..];
        let is_end = bytes[..at].ends_with(b"end");
        let dictionary = &bytes[before.max(at.saturating_sub(MAX_DICTIONARY))..at];
        before = at;
        if is_end || !is_of_objects(dictionary) {
            continue;
        }
        if count(dictionary, b"FlateDecode") + count(dictionary, b"LZWDecode") > 1 {
            return false;
        }
        let data = behind.strip_prefix(b"\r").unwrap_or(behind);
        let data = data.strip_prefix(b"\n").unwrap_or(data);
        let mut unpacked = ZlibDecoder::new(data).take(left);
        let length = std::io::copy(&mut unpacked, &mut std::io::sink());
        // A stream that cannot be unpacked to its end is not of use to the parser either.
        left -= length.unwrap_or_default().min(left);
        if left == 0 {
            return false;
        }
    }
    true
}

/// Whether a dictionary says so, or hides what it says.
fn is_of_objects(dictionary: &[u8]) -> bool {
    [&b"/ObjStm"[..], b"/XRef", b"/First", b"#"].iter().any(|word| count(dictionary, word) > 0)
}

fn count(text: &[u8], word: &[u8]) -> usize {
    memchr::memmem::find_iter(text, word).count()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn file(dictionary: &str, megabytes: usize) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        for _ in 0..megabytes {
            encoder.write_all(&vec![b' '; 1 << 20]).expect("memory takes all");
        }
        let data = encoder.finish().expect("memory takes all");
        [format!("%PDF-1.5\n1 0 obj {dictionary} stream\n").as_bytes(), &data, b"\nendstream"]
            .concat()
    }

    #[test]
    fn large_packed_objects() {
        #[rustfmt::skip]
        let cases = [
            ("<</Type /ObjStm /Filter /FlateDecode>>",                   1,   true),
            ("<</Type /ObjStm /Filter /FlateDecode>>",                   130, false),
            ("<</N 5 /First 9 /Filter /FlateDecode>>",                   130, false),
            ("<</Type /O#62jStm /Filter /FlateDecode>>",                 130, false),
            ("<</Type /XRef /Filter [/FlateDecode /FlateDecode]>>",      1,   false),
            ("<</Type /XObject /Subtype /Image /Filter /FlateDecode>>",  130, true),
        ];
        for (dictionary, megabytes, expected) in cases {
            assert_eq!(are_within_limits(&file(dictionary, megabytes)), expected, "{dictionary}");
        }
    }
}

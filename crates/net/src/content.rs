//! Takes content codings off a body: gzip and deflate, within limits.
//!
//! What could be read is returned, whatever was wrong: half a page is better than none, and the
//! oddities say that it is half. A body that is not what its header says comes back as it is. The
//! size limit and the ratio limit stop bombs; brotli and zstd are not asked for and not read.

use crate::oddity::{self, Oddities};
use auslese_model::{Body, Oddity, Response};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::borrow::Cow;

/// Bounds of decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Longest decoded body: 64 MiB. It also bounds how much of an uncoded body is returned.
    pub bytes: u64,
    /// Largest growth by one coding: 200-fold. Real pages stay below 30; gzip can do 1,032.
    /// Not counted before 1 MiB has come out, because short runs of blanks are no bomb.
    pub ratio: u64,
}

impl Default for DecodeLimits {
    fn default() -> DecodeLimits {
        DecodeLimits { bytes: 64 << 20, ratio: 200 }
    }
}

/// Decoded bytes below which no ratio is too high.
const RATIO_FROM: usize = 1 << 20;
/// Codings on top of each other that are taken off.
const LAYERS: usize = 3;
/// Room made at a time for decoded bytes.
const STEP: usize = 64 << 10;

/// A body without its content coding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedBody<'a> {
    /// Those of the response itself, if nothing had to be taken off.
    pub bytes: Cow<'a, [u8]>,
    pub oddities: Vec<Oddity>,
}

/// The body as a reader sees it: transfer coding and content codings off.
pub fn decode_content(response: &Response, limits: DecodeLimits) -> DecodedBody<'_> {
    let mut oddities = Oddities::default();
    let limit = usize::try_from(limits.bytes).unwrap_or(usize::MAX);
    let mut bytes = match response.payload() {
        Body::Memory(bytes) => Cow::Borrowed(&bytes[..bytes.len().min(limit.saturating_add(1))]),
        spilled => spilled.prefix(limit.saturating_add(1)).map_or_else(
            |error| {
                oddities.note(oddity::CUT_CONTENT, || error.to_string());
                Cow::default()
            },
            Cow::Owned,
        ),
    };
    let codings = codings(response);
    if codings.len() > LAYERS {
        oddities.note(oddity::CODING_LAYERS, || codings.join(", "));
    }
    for coding in codings.iter().rev().take(LAYERS) {
        let decoded = match coding.as_str() {
            "gzip" | "x-gzip" => Inflating::new(&bytes, limits, &mut oddities).gzip(),
            "deflate" => Inflating::new(&bytes, limits, &mut oddities).deflate(),
            other => {
                oddities.note(oddity::CONTENT_CODING, || oddity::shown(other.as_bytes()));
                break;
            }
        };
        match decoded {
            Some(decoded) => bytes = Cow::Owned(decoded),
            None if bytes.is_empty() => break,
            None => {
                oddities.note(oddity::NOT_COMPRESSED, || {
                    format!("{coding}: {}", oddity::shown(&bytes[..bytes.len().min(16)]))
                });
                break;
            }
        }
    }
    if bytes.len() > limit {
        match &mut bytes {
            Cow::Borrowed(bytes) => *bytes = &bytes[..limit],
            Cow::Owned(bytes) => bytes.truncate(limit),
        }
        oddities.note(oddity::DECODED_SIZE, || format!("{limit} bytes"));
    }
    DecodedBody { bytes, oddities: oddities.into_list() }
}

/// The codings in the order they were put on; `identity` is none.
fn codings(response: &Response) -> Vec<String> {
    response
        .headers
        .all("content-encoding")
        .flat_map(|value| {
            value.split(',').map(|name| name.trim().to_ascii_lowercase()).collect::<Vec<_>>()
        })
        .filter(|name| !name.is_empty() && name != "identity")
        .collect()
}

struct Inflating<'a> {
    input: &'a [u8],
    whole: usize,
    output: Vec<u8>,
    limits: DecodeLimits,
    oddities: &'a mut Oddities,
}

/// How one compressed stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StreamEnd {
    Whole,
    /// An oddity says why it is not whole.
    Stopped,
}

impl<'a> Inflating<'a> {
    fn new(input: &'a [u8], limits: DecodeLimits, oddities: &'a mut Oddities) -> Inflating<'a> {
        Inflating { input, whole: input.len(), output: Vec::new(), limits, oddities }
    }

    /// All members of a gzip body; `None` if it does not begin like one.
    fn gzip(mut self) -> Option<Vec<u8>> {
        let mut members = 0;
        while let Some(header) = gzip_header(self.input) {
            let Some(header) = header else {
                self.oddities.note(oddity::CUT_CONTENT, || "within the gzip header".to_owned());
                return Some(self.output);
            };
            members += 1;
            self.input = &self.input[header..];
            let start = self.output.len();
            if self.inflate(false) == StreamEnd::Stopped || !self.gzip_trailer(start) {
                return Some(self.output);
            }
        }
        if members > 0 && !self.input.is_empty() {
            let count = self.input.len();
            self.oddities.note(oddity::TRAILING_CONTENT, || format!("{count} bytes"));
        }
        (members > 0).then_some(self.output)
    }

    /// Checks checksum and length after a member; `false` if they are cut off.
    fn gzip_trailer(&mut self, start: usize) -> bool {
        let Some((trailer, rest)) = self.input.split_at_checked(8) else {
            self.oddities.note(oddity::CUT_CONTENT, || "within the gzip trailer".to_owned());
            return false;
        };
        self.input = rest;
        let mut crc = Crc::new();
        crc.update(&self.output[start..]);
        let said = (word(&trailer[..4]), word(&trailer[4..]));
        if said != (crc.sum(), crc.amount()) {
            self.oddities.note(oddity::CONTENT_CHECKSUM, || format!("{:08x}", said.0));
        }
        true
    }

    /// A zlib stream as the RFC says, or a raw one as many servers send.
    fn deflate(mut self) -> Option<Vec<u8>> {
        let zlib = is_zlib(self.input);
        let end = self.inflate(zlib);
        if end == StreamEnd::Whole && !self.input.is_empty() {
            let count = self.input.len();
            self.oddities.note(oddity::TRAILING_CONTENT, || format!("{count} bytes"));
        }
        (end == StreamEnd::Whole || !self.output.is_empty()).then_some(self.output)
    }

    /// Inflates one stream to its end, to its first fault, or to a limit.
    fn inflate(&mut self, zlib: bool) -> StreamEnd {
        let mut inflater = Decompress::new(zlib);
        let limit = usize::try_from(self.limits.bytes).unwrap_or(usize::MAX);
        loop {
            self.output.reserve(STEP);
            let before = (inflater.total_in(), self.output.len());
            let result =
                inflater.decompress_vec(self.input, &mut self.output, FlushDecompress::None);
            let used = usize::try_from(inflater.total_in() - before.0).unwrap_or(usize::MAX);
            self.input = &self.input[used.min(self.input.len())..];
            if self.output.len() > limit {
                self.output.truncate(limit);
                self.oddities.note(oddity::DECODED_SIZE, || format!("{limit} bytes"));
                return StreamEnd::Stopped;
            }
            if self.is_bomb() {
                let ratio = self.limits.ratio;
                self.oddities.note(oddity::DECODED_RATIO, || format!("more than {ratio}-fold"));
                return StreamEnd::Stopped;
            }
            let stuck = used == 0 && self.output.len() == before.1;
            match result {
                Ok(Status::StreamEnd) => return StreamEnd::Whole,
                Ok(Status::Ok | Status::BufError) if stuck => {
                    let count = self.output.len();
                    self.oddities.note(oddity::CUT_CONTENT, || format!("after {count} bytes"));
                    return StreamEnd::Stopped;
                }
                Ok(Status::Ok | Status::BufError) => {}
                Err(error) => {
                    self.oddities.note(oddity::BROKEN_CONTENT, || error.to_string());
                    return StreamEnd::Stopped;
                }
            }
        }
    }

    fn is_bomb(&self) -> bool {
        let read = (self.whole - self.input.len()) as u64;
        self.output.len() > RATIO_FROM
            && self.output.len() as u64 > read.saturating_mul(self.limits.ratio)
    }
}

/// Length of a gzip member header (RFC 1952); `None` if there is none, `Some(None)` if it is cut.
fn gzip_header(input: &[u8]) -> Option<Option<usize>> {
    if !input.starts_with(&[0x1f, 0x8b, 8]) {
        return None;
    }
    Some(gzip_header_length(input))
}

fn gzip_header_length(input: &[u8]) -> Option<usize> {
    const HEADER_CRC: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let flags = *input.get(3)?;
    let mut at = 10;
    if flags & EXTRA != 0 {
        let length = input.get(at..at + 2)?;
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for field in [NAME, COMMENT] {
        if flags & field != 0 {
            at += memchr::memchr(0, input.get(at..)?)? + 1;
        }
    }
    if flags & HEADER_CRC != 0 {
        at += 2;
    }
    (at <= input.len()).then_some(at)
}

/// Whether the first two bytes are a zlib header: method 8, and a multiple of 31 together.
fn is_zlib(input: &[u8]) -> bool {
    matches!(input, [first, second, ..]
        if first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0)
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::{Body, Headers};
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    /// Coding, body, what comes out, oddities.
    type Case<'a> = (&'a str, Vec<u8>, &'a [u8], &'a [&'a str]);

    fn decode(coding: &str, body: Vec<u8>, limits: DecodeLimits) -> (Vec<u8>, Vec<String>) {
        let response = Response {
            version: "HTTP/1.1".to_owned(),
            status: 200,
            head: Vec::new(),
            headers: [("Content-Encoding", coding)].into_iter().collect::<Headers>(),
            body: Body::Memory(body),
            decoded: None,
            truncated: None,
            stopped: None,
            oddities: Vec::new(),
        };
        let decoded = decode_content(&response, limits);
        (
            decoded.bytes.into_owned(),
            decoded.oddities.into_iter().map(|oddity| oddity.kind).collect(),
        )
    }

    macro_rules! compressed {
        ($encoder:ident, $bytes:expr) => {{
            let mut encoder = $encoder::new(Vec::new(), Compression::default());
            encoder.write_all($bytes).unwrap();
            encoder.finish().unwrap()
        }};
    }

    #[test]
    fn codings() {
        let text = b"Der Inhalt der Seite. ".repeat(50);
        let gzip = compressed!(GzEncoder, &text);
        let zlib = compressed!(ZlibEncoder, &text);
        let raw = compressed!(DeflateEncoder, &text);
        let named = {
            let builder = flate2::GzBuilder::new().filename("a").comment("b").extra("cd");
            let mut encoder = builder.write(Vec::new(), Compression::default());
            encoder.write_all(&text).unwrap();
            encoder.finish().unwrap()
        };
        let mut checksum = gzip.clone();
        let at = checksum.len() - 8;
        checksum[at] ^= 1;
        let twice = text.repeat(2);
        let layered = compressed!(GzEncoder, &zlib);
        #[rustfmt::skip]
        let cases: Vec<Case<'_>> = vec![
            ("",              text.clone(),                   &text,  &[]),
            ("identity",      text.clone(),                   &text,  &[]),
            ("gzip",          gzip.clone(),                   &text,  &[]),
            (" X-GZip ",      gzip.clone(),                   &text,  &[]),
            ("gzip",          named,                          &text,  &[]),
            ("gzip",          [gzip.clone(), gzip.clone()].concat(), &twice, &[]),
            ("deflate",       zlib.clone(),                   &text,  &[]),
            ("deflate",       raw,                            &text,  &[]),
            ("deflate, gzip", layered,                        &text,  &[]),
            ("gzip",          checksum,                       &text,  &[oddity::CONTENT_CHECKSUM]),
            ("gzip",          gzip[..gzip.len() - 4].to_vec(), &text, &[oddity::CUT_CONTENT]),
            ("gzip",          gzip[..5].to_vec(),             b"",    &[oddity::CUT_CONTENT]),
            ("gzip",          Vec::new(),                     b"",    &[]),
            ("deflate",       [zlib, b"rest".to_vec()].concat(), &text, &[oddity::TRAILING_CONTENT]),
            ("br",            b"xyz".to_vec(),                b"xyz", &[oddity::CONTENT_CODING]),
            ("gzip",          b"xyz".to_vec(),                b"xyz", &[oddity::NOT_COMPRESSED]),
        ];
        for (coding, body, expected, odd) in cases {
            let length = body.len();
            let found = decode(coding, body, DecodeLimits::default());
            assert!(found.0 == expected, "{coding} {length}: {}", found.0.len());
            assert_eq!(found.1, odd, "{coding} {length}");
        }
    }

    #[test]
    fn bombs() {
        let zeros = vec![0; 8 << 20];
        let bomb = compressed!(GzEncoder, &zeros);
        let (bytes, odd) =
            decode("gzip", bomb.clone(), DecodeLimits { bytes: 5000, ratio: 10_000 });
        assert_eq!((bytes.len(), odd), (5000, vec![oddity::DECODED_SIZE.to_owned()]));
        let (bytes, odd) = decode("gzip", bomb, DecodeLimits { bytes: 1 << 30, ratio: 100 });
        assert!(bytes.len() < 3 << 20, "{}", bytes.len());
        assert_eq!(odd, [oddity::DECODED_RATIO]);
        let (bytes, odd) = decode("", zeros, DecodeLimits { bytes: 5000, ratio: 1 });
        assert_eq!((bytes.len(), odd), (5000, vec![oddity::DECODED_SIZE.to_owned()]));
        let layers = ["gzip"; 50].join(",");
        let (_, odd) = decode(&layers, b"x".to_vec(), DecodeLimits::default());
        assert!(odd.contains(&oddity::CODING_LAYERS.to_owned()));
    }

    proptest! {
        #[test]
        fn any_bytes(
            bytes in proptest::collection::vec(any::<u8>(), 0..300),
            flip in any::<(usize, u8)>(),
            coding in proptest::sample::select(vec!["gzip", "deflate", "gzip, deflate", "x"]),
        ) {
            let limits = DecodeLimits { bytes: 10_000, ratio: 50 };
            decode(coding, bytes.clone(), limits);
            let mut damaged = compressed!(GzEncoder, &bytes);
            let at = flip.0 % damaged.len();
            damaged[at] ^= flip.1;
            let (decoded, _) = decode(coding, damaged, limits);
            prop_assert!(decoded.len() <= 10_000);
        }
    }
}

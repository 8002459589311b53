//! Digests as WARC writes them: an algorithm and base32 text.

use data_encoding::BASE32;
use serde::{Deserialize, Serialize};
use std::fmt;

/// sha256 by default; sha1 for archives whose older CDX files know nothing else.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    #[default]
    Sha256,
    Sha1,
}

impl Algorithm {
    pub fn as_str(self) -> &'static str {
        match self {
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha1 => "sha1",
        }
    }

    fn size(self) -> usize {
        match self {
            Algorithm::Sha256 => 32,
            Algorithm::Sha1 => 20,
        }
    }
}

/// A digest with the algorithm that made it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest {
    pub algorithm: Algorithm,
    pub bytes: Vec<u8>,
}

impl Digest {
    /// Reads `sha256:BASE32`, `sha1:BASE32`, or hexadecimal digits after the colon.
    pub fn parse(text: &str) -> Option<Digest> {
        let (name, value) = text.split_once(':')?;
        let algorithm = match name.to_ascii_lowercase().as_str() {
            "sha256" | "sha-256" => Algorithm::Sha256,
            "sha1" | "sha-1" => Algorithm::Sha1,
            _ => return None,
        };
        let bytes = if value.len() == algorithm.size() * 2 {
            data_encoding::HEXLOWER_PERMISSIVE.decode(value.as_bytes()).ok()?
        } else {
            BASE32.decode(value.to_ascii_uppercase().as_bytes()).ok()?
        };
        (bytes.len() == algorithm.size()).then_some(Digest { algorithm, bytes })
    }

    /// The first eight bytes as a number: enough to ask "seen before?" in memory.
    pub fn prefix(&self) -> u64 {
        self.bytes.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.algorithm.as_str(), BASE32.encode(&self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_spellings() {
        let base32 = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
        let hex = "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709";
        assert_eq!(Digest::parse(base32), Digest::parse(hex));
        assert_eq!(Digest::parse(hex).unwrap().to_string(), base32);
        assert_eq!(Digest::parse(hex).unwrap().prefix(), 0xda39_a3ee_5e6b_4b0d);
        for bad in ["sha1:zz", "md5:d41d8cd98f00b204e9800998ecf8427e", "sha1", ""] {
            assert_eq!(Digest::parse(bad), None, "{bad}");
        }
    }
}

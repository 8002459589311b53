//! Addresses in object storage: `s3://BUCKET/KEY`, where the key may be the beginning of many.

use crate::error::DepotError;
use std::fmt;
use std::str::FromStr;

/// What every address begins with.
const SCHEME: &str = "s3://";
/// Bytes of a key, by the protocol.
const LONGEST_KEY: usize = 1024;

/// A bucket, and a key or the beginning of keys in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreAddress {
    pub bucket: String,
    /// Without a slash at either end; may be empty.
    pub key: String,
}

impl StoreAddress {
    /// Whether a text means a place in object storage.
    pub fn is_meant_by(text: &str) -> bool {
        text.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
    }

    /// The place of something below this one.
    #[must_use]
    pub fn below(&self, name: &str) -> StoreAddress {
        let key = match self.key.as_str() {
            "" => name.to_owned(),
            key => format!("{key}/{name}"),
        };
        StoreAddress { bucket: self.bucket.clone(), key }
    }

    /// The last part of the key.
    pub fn name(&self) -> &str {
        self.key.rsplit('/').next().unwrap_or_default()
    }
}

impl FromStr for StoreAddress {
    type Err = DepotError;

    fn from_str(text: &str) -> Result<StoreAddress, DepotError> {
        let wrong = |why| DepotError::Address { text: text.to_owned(), why };
        if !StoreAddress::is_meant_by(text) {
            return Err(wrong("it begins with s3://"));
        }
        let rest = &text[SCHEME.len()..];
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if bucket.len() < 3
            || bucket.len() > 63
            || !bucket.chars().all(plain)
            || !bucket.starts_with(|c: char| c.is_ascii_alphanumeric())
        {
            return Err(wrong("a bucket has 3 to 63 letters, digits, dots and hyphens"));
        }
        let key = key.trim_end_matches('/');
        if key.len() > LONGEST_KEY {
            return Err(wrong("a key has 1024 bytes at most"));
        }
        let is_step = |part: &str| part.is_empty() || part == "." || part == "..";
        if !key.is_empty() && key.split('/').any(is_step) {
            return Err(wrong("parts of a key are neither empty nor . nor .."));
        }
        if key.chars().any(char::is_control) {
            return Err(wrong("a key has no control characters"));
        }
        Ok(StoreAddress { bucket: bucket.to_owned(), key: key.to_owned() })
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.as_str() {
            "" => write!(f, "{SCHEME}{}", self.bucket),
            key => write!(f, "{SCHEME}{}/{key}", self.bucket),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        #[rustfmt::skip]
        let cases = [
            ("s3://archive",               Some(("archive", ""))),
            ("s3://archive/",              Some(("archive", ""))),
            ("S3://archive/giessen/2026/", Some(("archive", "giessen/2026"))),
            ("s3://archive/größe",         Some(("archive", "größe"))),
            ("s3://ar",                    None),
            ("s3:///key",                  None),
            ("s3://arch ive/key",          None),
            ("s3://-archive/key",          None),
            ("s3://archive//key",          None),
            ("s3://archive/../key",        None),
            ("s3://archive/a\nb",          None),
            ("https://archive/key",        None),
            ("archive",                    None),
            ("ß3:",                        None),
        ];
        for (text, expected) in cases {
            let found = text.parse::<StoreAddress>().ok();
            let found = found.as_ref().map(|it| (it.bucket.as_str(), it.key.as_str()));
            assert_eq!(found, expected, "{text}");
        }
        let address: StoreAddress = "s3://archive/giessen".parse().unwrap();
        let file = address.below("a.warc.gz");
        assert_eq!(file.to_string(), "s3://archive/giessen/a.warc.gz");
        assert_eq!(file.name(), "a.warc.gz");
        let bare: StoreAddress = "s3://archive".parse().unwrap();
        assert_eq!(bare.below("a").to_string(), "s3://archive/a");
    }
}

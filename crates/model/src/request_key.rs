//! By what a request is recognised when it comes again.
//!
//! A key is a digest, but begins with where its address stands: host and directories. What stands side by
//! side on a site is found together, and lies side by side in an index of keys then. Among ten million keys that are
//! evenly spread each new one would have to be written to a page of its own.

use crate::Method;
use sha2::{Digest as _, Sha256};

/// 128 bits over method, canonical URL and body: two requests with one key are the same request.
///
/// The first 16 bits are of the host, 8 bits each of its first four directories, and 80 of a digest of it all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestKey(pub [u8; 16]);

/// Bytes of a key that tell where the address stands.
const SHELF: usize = 6;
/// Of these, bytes that tell the host.
const HOST: usize = 2;

impl RequestKey {
    pub fn new(method: Method, canonical: &str, body: &[u8]) -> RequestKey {
        RequestKey::with_digest(canonical, digest(method, canonical, body))
    }

    /// The key of a request whose digest is known, but not the canonical form of its URL. Any spelling
    /// of it will do: the canonical form differs from the URL as found in nothing by which it is put on its shelf.
    pub fn with_digest(url: &str, digest: [u8; 16]) -> RequestKey {
        let mut key = [0; 16];
        key[..SHELF].copy_from_slice(&shelf(url));
        key[SHELF..].copy_from_slice(&digest[..16 - SHELF]);
        RequestKey(key)
    }

    /// 64 bits of the digest, which the seen set holds in memory.
    pub fn short(self) -> u64 {
        first_half(&self.0[SHELF..])
    }
}

/// 128 bits over a text, the same on every machine: recognises what is no request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextKey(pub [u8; 16]);

impl TextKey {
    pub fn new(text: &str) -> TextKey {
        TextKey(digest(Method::Get, text, &[]))
    }

    pub fn short(self) -> u64 {
        first_half(&self.0)
    }
}

fn digest(method: Method, text: &str, body: &[u8]) -> [u8; 16] {
    let mut hash = Sha256::new();
    hash.update(method.as_str());
    hash.update(b" ");
    hash.update(text);
    if !body.is_empty() {
        hash.update(b"\0");
        hash.update(body);
    }
    let mut half = [0; 16];
    half.copy_from_slice(&hash.finalize()[..16]);
    half
}

fn first_half(bytes: &[u8]) -> u64 {
    let mut half = [0; 8];
    half.copy_from_slice(&bytes[..8]);
    u64::from_be_bytes(half)
}

/// Host and first directories, as numbers. Port, credentials, parameters of directories, sessions that stand for a
/// directory, and the way characters are escaped make no difference.
fn shelf(url: &str) -> [u8; SHELF] {
    let mut shelf = [0; SHELF];
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let mut parts = rest[..end].split('/');
    let authority = parts.next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let name = host.split(':').next().unwrap_or_default().trim_end_matches('.');
    shelf[..HOST].copy_from_slice(&number(name).to_be_bytes()[..HOST]);
    // Behind the last slash is the name of a file.
    parts.next_back();
    let directories = parts.filter(|part| !part.starts_with('('));
    for (place, directory) in shelf[HOST..].iter_mut().zip(directories) {
        let name = directory.split(';').next().unwrap_or_default();
        *place = number(name).to_be_bytes()[0];
    }
    shelf
}

/// A name as a number, by FNV-1a: keys are stored, so it must be the same always and everywhere.
fn number(name: &str) -> u32 {
    let mut number = 0x811c_9dc5_u32;
    let mut bytes = name.as_bytes();
    while let [byte, rest @ ..] = bytes {
        let (byte, rest) = escaped(bytes).unwrap_or((*byte, rest));
        number = (number ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        bytes = rest;
    }
    // The last characters of a name have not reached the first bits yet.
    number.wrapping_mul(0x9e37_79b1)
}

/// The byte that an escape means, and what follows it.
fn escaped(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let [b'%', first, second, rest @ ..] = bytes else { return None };
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let byte = u8::try_from(digit(first)? * 16 + digit(second)?).ok()?;
    Some((byte, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_tell_requests_apart() {
        let url = "http://h.example/q";
        let key = |method, body: &[u8]| RequestKey::new(method, url, body);
        assert_eq!(key(Method::Get, b""), key(Method::Get, b""));
        assert_ne!(key(Method::Get, b""), key(Method::Post, b""));
        assert_ne!(key(Method::Post, b"a=1"), key(Method::Post, b"a=2"));
        let shorts: HashSet<u64> = (0..1000)
            .map(|page| RequestKey::new(Method::Get, &format!("{url}/{page}"), b"").short())
            .collect();
        assert_eq!(shorts.len(), 1000);
    }

    /// Keys are stored: a program that makes others finds nothing in an older catalog.
    #[test]
    fn keys_stay_what_they_are() {
        let hexadecimal =
            |bytes: [u8; 16]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let key = RequestKey::new(Method::Get, "http://h.example/a/b/c.html?d=1", b"");
        assert_eq!(hexadecimal(key.0), "6bbb6cb30000e811180de2b1e2fbdc33");
        assert_eq!(hexadecimal(TextKey::new("a text").0), "9571f4f106c996b2bd3f2501976b09ec");
    }

    #[test]
    fn neighbours_stand_side_by_side() {
        let page = shelf("http://h.example/a/b/c/d/e/f.html");
        #[rustfmt::skip]
        let cases = [
            // another address                                  bytes in common
            ("http://h.example/a/b/c/d/e/g.html?h=1#i",         6),
            ("http://h.example/a/b/c/d/x/y/z",                  6),
            ("http://h.example/a/b/c/x/e/f.html",               5),
            ("http://h.example/a/b/x/d/e/f.html",               4),
            ("http://h.example/x/b/c/d/e/f.html",               2),
            ("http://x.example/a/b/c/d/e/f.html",               0),
            ("https://me:secret@h.example.:8443/a/b/c/d/e/",    6),
            ("http://h.example/%61/b;v=1/(S(abc))/c/%64/e/f",   6),
        ];
        for (other, common) in cases {
            let same = page.iter().zip(shelf(other)).take_while(|(one, two)| *one == two).count();
            assert_eq!(same, common, "{other}");
        }
        assert_eq!(shelf("http://h.example"), shelf("http://h.example/?a/b/c"));
        assert_eq!(shelf("http://h.example/file")[HOST..], [0; 4]);
    }

    #[test]
    fn names_are_spread_evenly() {
        let numbers: HashSet<u8> =
            (1..=1000).map(|number| shelf(&format!("http://h.example/{number}/"))[HOST]).collect();
        assert!(numbers.len() > 240, "{}", numbers.len());
        let hosts: HashSet<[u8; 2]> = (1..=1000)
            .map(|number| shelf(&format!("http://h{number}.example/")))
            .map(|shelf| [shelf[0], shelf[1]])
            .collect();
        assert!(hosts.len() > 980, "{}", hosts.len());
    }

    #[test]
    fn any_text_has_a_key() {
        for text in ["", "%", "://", "a%2", "http://", "http://[::1]:80/%%41/ä%ff/", "/(/;/", "@:@"]
        {
            assert_eq!(RequestKey::new(Method::Get, text, b"").0.len(), 16);
        }
    }
}

//! Signatures of requests, by version 4 of Amazon's scheme (AWS4-HMAC-SHA256).
//!
//! The digest of the body is always part of the signature, so a store refuses a body that was damaged on its way.

use crate::credentials::Credentials;
use auslese_model::Timestamp;
use data_encoding::HEXLOWER;
use ring::{digest, hmac};
use std::fmt::Write as _;

/// A request as far as it is signed.
#[derive(Debug)]
pub(crate) struct Signed<'a> {
    pub(crate) method: &'a str,
    /// The path as it is sent.
    pub(crate) path: &'a str,
    /// Names and values before they are encoded.
    pub(crate) query: &'a [(&'a str, &'a str)],
    /// What is signed: names in small letters with their values, `host` among them, sorted.
    pub(crate) headers: &'a [(String, String)],
    pub(crate) body_digest: &'a str,
}

/// The value of the header `Authorization`.
pub(crate) fn authorization(
    signed: &Signed<'_>,
    credentials: &Credentials,
    region: &str,
    at: Timestamp,
) -> String {
    let time = amazon_time(at);
    let day = &time[..8];
    let scope = format!("{day}/{region}/s3/aws4_request");
    let names: Vec<&str> = signed.headers.iter().map(|(name, _)| name.as_str()).collect();
    let names = names.join(";");
    let mut request = format!("{}\n{}\n{}\n", signed.method, signed.path, query_text(signed.query));
    for (name, value) in signed.headers {
        let _ = writeln!(request, "{name}:{}", value.trim());
    }
    let _ = write!(request, "\n{names}\n{}", signed.body_digest);
    let to_sign = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", sha256(request.as_bytes()));
    let mut key = format!("AWS4{}", credentials.secret).into_bytes();
    for part in [day, region, "s3", "aws4_request"] {
        key = keyed(&key, part);
    }
    let signature = HEXLOWER.encode(&keyed(&key, &to_sign));
    let access_key = &credentials.access_key;
    format!(
        "AWS4-HMAC-SHA256 Credential={access_key}/{scope}, SignedHeaders={names}, Signature={signature}"
    )
}

/// `20261115T214000Z`.
pub(crate) fn amazon_time(at: Timestamp) -> String {
    let digits = at.digits14();
    format!("{}T{}Z", &digits[..8], &digits[8..])
}

/// The SHA-256 of some bytes in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(digest::digest(&digest::SHA256, bytes).as_ref())
}

/// The query as it is sent, in the order that signatures need.
pub(crate) fn query_text(query: &[(&str, &str)]) -> String {
    let mut pairs: Vec<String> = query
        .iter()
        .map(|(name, value)| format!("{}={}", encoded(name, false), encoded(value, false)))
        .collect();
    pairs.sort_unstable();
    pairs.join("&")
}

/// Everything but letters, digits and `-._~` in percent signs; slashes stay in paths.
pub(crate) fn encoded(text: &str, is_path: bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            b'/' if is_path => encoded.push('/'),
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

fn keyed(key: &[u8], text: &str) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credentials() -> Credentials {
        Credentials {
            access_key: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
            token: None,
        }
    }

    /// The examples of Amazon's documentation ("Signature Calculations for the Authorization Header").
    #[test]
    fn the_examples_of_the_documentation() {
        let at = Timestamp::from_civil((2013, 5, 24), (0, 0, 0)).unwrap();
        let empty = sha256(b"");
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let host = header("host", "examplebucket.s3.amazonaws.com");
        let date = header("x-amz-date", "20130524T000000Z");
        let sum = header("x-amz-content-sha256", &empty);
        let get = [host.clone(), header("range", "bytes=0-9"), sum.clone(), date.clone()];
        let list = [host, sum, date];
        type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [(String, String)], &'a str);
        #[rustfmt::skip]
        let cases: [Case<'_>; 2] = [
            (
                "/test.txt",
                &[],
                &get,
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            ),
            (
                "/",
                &[("max-keys", "2"), ("prefix", "J")],
                &list,
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
            ),
        ];
        for (path, query, headers, signature) in cases {
            let signed = Signed { method: "GET", path, query, headers, body_digest: &empty };
            let found = authorization(&signed, &credentials(), "us-east-1", at);
            assert!(found.ends_with(&format!("Signature={signature}")), "{path}: {found}");
        }
    }

    #[test]
    fn encodings() {
        assert_eq!(encoded("a/ö ü+~.txt", true), "a/%C3%B6%20%C3%BC%2B~.txt");
        assert_eq!(encoded("a/b", false), "a%2Fb");
        assert_eq!(query_text(&[("uploads", ""), ("prefix", "a b")]), "prefix=a%20b&uploads=");
    }
}

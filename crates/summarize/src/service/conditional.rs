//! What a request says about the form of its answer: whether it may be compressed, and what is known already.

use hyper::header::{ACCEPT_ENCODING, HeaderMap, HeaderName, IF_NONE_MATCH};

/// Whether gzip is accepted (RFC 9110, 12.5.3).
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let text = joined(headers, ACCEPT_ENCODING);
    let mut any = false;
    for item in text.split(',') {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let quality = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        let is_wanted = quality.is_none_or(|q| q.parse::<f32>().is_ok_and(|q| q > 0.0));
        match name.as_str() {
            "gzip" | "x-gzip" => return is_wanted,
            "*" => any = is_wanted,
            _ => {}
        }
    }
    any
}

/// Whether the caller has what the ETag stands for; the mark of weak ones does not count (RFC 9110, 13.1.2).
pub(super) fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let text = joined(headers, IF_NONE_MATCH);
    let mut known = text.split(',').map(str::trim);
    known.any(|it| it == "*" || it.strip_prefix("W/").unwrap_or(it) == etag)
}

fn joined(headers: &HeaderMap, name: HeaderName) -> String {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(&name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn encodings() {
        #[rustfmt::skip]
        let cases: [(&[&str], bool); 9] = [
            (&[],                        false),
            (&["gzip"],                  true),
            (&["br, GZIP;q=0.5"],        true),
            (&["br", "gzip"],            true),
            (&["gzip;q=0"],              false),
            (&["gzip; q=0.000, *"],      false),
            (&["*"],                     true),
            (&["br, *;q=0"],             false),
            (&["gzip;q=x"],              false),
        ];
        for (values, expected) in cases {
            assert_eq!(takes_gzip(&headers(ACCEPT_ENCODING, values)), expected, "{values:?}");
        }
    }

    #[test]
    fn etags() {
        #[rustfmt::skip]
        let cases: [(&[&str], bool); 6] = [
            (&[],                     false),
            (&["\"a\""],              true),
            (&["\"b\", W/\"a\""],     true),
            (&["\"b\"", "\"a\""],     true),
            (&["*"],                  true),
            (&["\"a-gzip\", a"],      false),
        ];
        for (values, expected) in cases {
            assert_eq!(is_known(&headers(IF_NONE_MATCH, values), "\"a\""), expected, "{values:?}");
        }
    }
}

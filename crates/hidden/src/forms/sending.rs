//! Fields to bytes, as browsers do it: the encoding of the form, and the three forms of a body.

use auslese_model::{Method, Request};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use url::Url;

/// How the body of a POST is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enctype {
    UrlEncoded,
    Multipart,
    Plain,
}

impl Enctype {
    pub(super) fn of(attribute: Option<&str>) -> Enctype {
        match attribute.map(str::to_ascii_lowercase).as_deref() {
            Some("multipart/form-data") => Enctype::Multipart,
            Some("text/plain") => Enctype::Plain,
            _ => Enctype::UrlEncoded,
        }
    }
}

/// The encoding in which fields are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// The first encoding of `accept-charset` that is known, else that of the page.
    pub(super) fn of_form(accept: Option<&str>, page: &str) -> Encoding {
        let mut labels = accept.unwrap_or_default().split([' ', ',', '\t', '\n']);
        let found = labels.find_map(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
        let found = found.or_else(|| encoding_rs::Encoding::for_label(page.as_bytes()));
        Encoding(found.unwrap_or(encoding_rs::UTF_8).output_encoding())
    }

    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The bytes of a text; what the encoding does not have becomes `&#n;`, line ends become CRLF.
    fn bytes(self, text: &str) -> Vec<u8> {
        let lines = text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
        self.0.encode(&lines).0.into_owned()
    }
}

/// The request that a form with these fields makes.
pub(crate) fn request(
    method: Method,
    action: &Url,
    enctype: Enctype,
    encoding: Encoding,
    fields: &[(String, String)],
) -> Option<Request> {
    if method != Method::Post {
        let mut url = action.clone();
        let query = url_encoded(encoding, fields);
        url.set_query(Some(&query));
        return Request::new(Method::Get, url, None);
    }
    let body = match enctype {
        Enctype::UrlEncoded => (
            "application/x-www-form-urlencoded".to_owned(),
            url_encoded(encoding, fields).into_bytes(),
        ),
        Enctype::Multipart => multipart(encoding, fields),
        Enctype::Plain => ("text/plain".to_owned(), plain(encoding, fields)),
    };
    Request::new(Method::Post, action.clone(), Some(body))
}

fn url_encoded(encoding: Encoding, fields: &[(String, String)]) -> String {
    let mut out = String::new();
    for (at, (name, value)) in fields.iter().enumerate() {
        if at > 0 {
            out.push('&');
        }
        for (part, end) in [(name, "="), (value, "")] {
            out.extend(url::form_urlencoded::byte_serialize(&encoding.bytes(part)));
            out.push_str(end);
        }
    }
    out
}

/// The boundary depends on the content alone, so that the same fields make the same request.
fn multipart(encoding: Encoding, fields: &[(String, String)]) -> (String, Vec<u8>) {
    let mut hasher = FxHasher::default();
    hasher.write(url_encoded(encoding, fields).as_bytes());
    let boundary = format!("----auslese{:016x}", hasher.finish());
    let mut body = Vec::new();
    for (name, value) in fields {
        let name = escaped_name(&encoding.bytes(name));
        body.extend_from_slice(
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"").as_bytes(),
        );
        body.extend_from_slice(&name);
        body.extend_from_slice(b"\"\r\n\r\n");
        body.extend_from_slice(&encoding.bytes(value));
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}

fn escaped_name(name: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(name.len());
    for byte in name {
        match byte {
            b'"' => escaped.extend_from_slice(b"%22"),
            b'\r' => escaped.extend_from_slice(b"%0D"),
            b'\n' => escaped.extend_from_slice(b"%0A"),
            other => escaped.push(*other),
        }
    }
    escaped
}

fn plain(encoding: Encoding, fields: &[(String, String)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend_from_slice(&encoding.bytes(name));
        body.push(b'=');
        body.extend_from_slice(&encoding.bytes(value));
        body.extend_from_slice(b"\r\n");
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(method: Method, enctype: Enctype, accept: &str, fields: &[(&str, &str)]) -> String {
        let fields: Vec<(String, String)> =
            fields.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let action = "http://a.example/s.cgi?old=1#x".parse().unwrap();
        let encoding = Encoding::of_form(Some(accept), "UTF-8");
        let request = request(method, &action, enctype, encoding, &fields).unwrap();
        match request.body {
            None => request.url.to_string(),
            Some((kind, body)) => {
                format!("{} {kind} {}", request.url, String::from_utf8_lossy(&body))
            }
        }
    }

    #[test]
    fn bodies_and_queries() {
        use Enctype::{Multipart, Plain, UrlEncoded};
        use Method::{Get, Post};
        #[rustfmt::skip]
        let cases = [
            (Get,  UrlEncoded, "",           vec![("ort", "Röbel/M."), ("x", "a b")],  "http://a.example/s.cgi?ort=R%C3%B6bel%2FM.&x=a+b"),
            (Get,  UrlEncoded, "iso-8859-1", vec![("ort", "Röbel €Ł")],               "http://a.example/s.cgi?ort=R%F6bel+%80%26%23321%3B"),
            (Get,  Multipart,  "",           vec![],                                  "http://a.example/s.cgi?"),
            (Get,  UrlEncoded, "utf-16",     vec![("a", "ö")],                        "http://a.example/s.cgi?a=%C3%B6"),
            (Get,  UrlEncoded, "weird, koi8-r", vec![("a", "Ж")],                     "http://a.example/s.cgi?a=%F6"),
            (Post, UrlEncoded, "",           vec![("t", "a\nb\r\nc")],                "http://a.example/s.cgi?old=1 application/x-www-form-urlencoded t=a%0D%0Ab%0D%0Ac"),
            (Post, Plain,      "",           vec![("a", "1"), ("b", "2")],            "http://a.example/s.cgi?old=1 text/plain a=1\r\nb=2\r\n"),
        ];
        for (method, enctype, accept, fields, expected) in cases {
            assert_eq!(sent(method, enctype, accept, &fields), expected, "{fields:?}");
        }
        let multipart = sent(Post, Multipart, "", &[("a\"b", "ö")]);
        assert!(multipart.contains("name=\"a%22b\"\r\n\r\nö\r\n------auslese"), "{multipart}");
        assert_eq!(multipart, sent(Post, Multipart, "", &[("a\"b", "ö")]));
    }
}

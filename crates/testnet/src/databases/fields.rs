//! The fields of a form on their way between texts and bytes.

use crate::answer::Answer;
use crate::request::Asked;

/// In which encoding pages are sent and fields are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charset {
    #[default]
    Utf8,
    Latin1,
}

impl Charset {
    pub(super) fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "utf-8",
            Charset::Latin1 => "iso-8859-1",
        }
    }

    /// What the encoding does not have becomes `&#n;`.
    fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            Charset::Utf8 => text.as_bytes().to_owned(),
            Charset::Latin1 => text
                .chars()
                .flat_map(|sign| match u8::try_from(sign) {
                    Ok(byte) => vec![byte],
                    Err(_) => format!("&#{};", u32::from(sign)).into_bytes(),
                })
                .collect(),
        }
    }

    fn text(self, bytes: &[u8]) -> String {
        match self {
            Charset::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Charset::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect(),
        }
    }

    pub(super) fn answer(self, html: &str) -> Answer {
        Answer::file(&format!("text/html; charset={}", self.name()), self.bytes(html))
    }

    /// `name=value&…`, for an address; empty values are left out.
    pub(super) fn query<'a>(self, fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let pairs = fields.map(|(name, value)| format!("{name}={}", percent(&self.bytes(value))));
        pairs.collect::<Vec<_>>().join("&")
    }
}

fn percent(bytes: &[u8]) -> String {
    let sign = |byte: &u8| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' => char::from(*byte).into(),
        byte => format!("%{byte:02X}"),
    };
    bytes.iter().map(sign).collect()
}

/// Text for HTML and XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// What was filled in: the query, and for POST the body as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn of(asked: &Asked, charset: Charset) -> Fields {
        let query = asked.path_and_query().split_once('?').map_or("", |(_, query)| query);
        let body = if asked.method == "POST" { asked.body.as_slice() } else { &[] };
        let pairs = [query.as_bytes(), body].into_iter().flat_map(|part| part.split(is(b'&')));
        let pairs = pairs.filter(|pair| !pair.is_empty()).map(|pair| {
            let mut sides = pair.splitn(2, is(b'='));
            let mut side = || charset.text(&decoded(sides.next().unwrap_or_default()));
            (side(), side())
        });
        Fields(pairs.collect())
    }

    /// The first value of a field without white space at its ends; empty if there is none.
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.trim())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

fn is(wanted: u8) -> impl Fn(&u8) -> bool {
    move |byte| *byte == wanted
}

/// Undoes `%41` and `+`; a lone `%` stays.
fn decoded(mut bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    while let Some((first, rest)) = bytes.split_first() {
        let code = rest
            .get(..2)
            .filter(|_| *first == b'%')
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match code {
            Some(byte) => decoded.push(byte),
            None => decoded.push(if *first == b'+' { b' ' } else { *first }),
        }
        bytes = if code.is_some() { &rest[2..] } else { rest };
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_to_texts_and_back() {
        #[rustfmt::skip]
        let cases = [
            ("R%C3%B6bel+a%2Fb",  Charset::Utf8,   "Röbel a/b"),
            ("R%F6bel",           Charset::Latin1, "Röbel"),
            ("A%",                Charset::Utf8,   "A%"),
            ("100%zz%4",          Charset::Utf8,   "100%zz%4"),
            ("%+A",               Charset::Utf8,   "% A"),
        ];
        for (bytes, charset, text) in cases {
            assert_eq!(charset.text(&decoded(bytes.as_bytes())), text, "{bytes}");
        }
        let query = |charset: Charset| charset.query([("ort", "Röbel"), ("x", ""), ("y", "a b")]);
        assert_eq!(query(Charset::Utf8), "ort=R%C3%B6bel&y=a%20b");
        assert_eq!(query(Charset::Latin1), "ort=R%F6bel&y=a%20b");
        assert_eq!(Charset::Latin1.bytes("ö€"), b"\xf6&#8364;");
    }
}

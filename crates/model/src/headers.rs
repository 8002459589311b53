//! Header lines as they came: order, case and odd bytes kept.

/// The parsed header lines of a message, in order, names as sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers {
    lines: Vec<(String, Vec<u8>)>,
}

impl Headers {
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<Vec<u8>>) {
        self.lines.push((name.into(), value.into()));
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.lines.iter().map(|(name, value)| (name.as_str(), value.as_slice()))
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The first value of a header, as text; see [`Headers::all`].
    pub fn get(&self, name: &str) -> Option<String> {
        self.all(name).next()
    }

    /// All values of a header. Bytes that are not UTF-8 are read as Latin-1, which is what old
    /// servers mean by them.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        self.iter()
            .filter(move |(candidate, _)| candidate.eq_ignore_ascii_case(name))
            .map(|(_, value)| header_text(value))
    }

    pub fn contains(&self, name: &str) -> bool {
        self.iter().any(|(candidate, _)| candidate.eq_ignore_ascii_case(name))
    }
}

impl<N: Into<String>, V: Into<Vec<u8>>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(lines: I) -> Headers {
        Headers { lines: lines.into_iter().map(|(n, v)| (n.into(), v.into())).collect() }
    }
}

fn header_text(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) => text.trim().to_owned(),
        Err(_) => value.iter().map(|byte| char::from(*byte)).collect::<String>().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookup() {
        let headers: Headers =
            [("Server", &b" caf\xe9/1 "[..]), ("set-cookie", b"a"), ("Set-Cookie", b"b")]
                .into_iter()
                .collect();
        assert_eq!(headers.get("server").as_deref(), Some("café/1"));
        assert_eq!(headers.all("SET-COOKIE").collect::<Vec<_>>(), ["a", "b"]);
        assert!(!headers.contains("Date"));
    }
}

//! Bytes to objects.
//!
//! As lenient as the original parser where that does no harm: blanks before names, CRLF, `@FILE{` without a
//! blank and a size of 0 are read. Streams of a gatherer put objects into `@UPDATE { … }`; `@DELETE` and
//! `@REFRESH` hold addresses. Their brackets are looked through, and a deleted object keeps its kind.

use super::{MAX_SOIF_NAME, MAX_SOIF_VALUE, SoifAttribute, SoifObject};

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {problem}")]
pub struct SoifError {
    /// From the start of the file.
    pub offset: usize,
    pub problem: &'static str,
}

/// What a lenient reader got out of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SoifReading {
    pub objects: Vec<SoifObject>,
    /// What was passed over, in the order of places.
    pub errors: Vec<SoifError>,
}

/// All objects of a file, or the first thing that is wrong with it.
pub fn read_soif(bytes: &[u8]) -> Result<Vec<SoifObject>, SoifError> {
    let mut reader = Reader { bytes, at: 0, open: 0 };
    let mut objects = Vec::new();
    while let Some(object) = reader.object()? {
        objects.push(object);
    }
    Ok(objects)
}

/// Errors after which a lenient reader gives up: what has so many is no SOIF, and each costs another look at
/// what follows.
const MAX_ERRORS: usize = 1_000;

/// The objects that can be read. After an error reading goes on at the next line `}` that is followed by a
/// line that begins with `@`, or by the end of the file.
pub fn read_soif_lenient(bytes: &[u8]) -> SoifReading {
    let mut reader = Reader { bytes, at: 0, open: 0 };
    let mut reading = SoifReading::default();
    loop {
        let start = reader.at;
        match reader.object() {
            Ok(Some(object)) => reading.objects.push(object),
            Ok(None) => return reading,
            Err(error) => {
                // Objects that end where they should are in order, so the search begins with the broken one.
                reader.at = next_object(bytes, error_floor(bytes, start));
                reader.open = 0;
                reading.errors.push(error);
                if reading.errors.len() == MAX_ERRORS {
                    return reading;
                }
            }
        }
    }
}

/// Where to look for the end of a broken object: behind its own `@`, if it has one.
fn error_floor(bytes: &[u8], start: usize) -> usize {
    let left = &bytes[start..];
    let begins = left.trim_ascii_start();
    start + (left.len() - begins.len()) + usize::from(begins.starts_with(b"@"))
}

/// The first `@` at the start of a line that follows a line `}`, from `from` on.
fn next_object(bytes: &[u8], from: usize) -> usize {
    let mut after_brace = false;
    let mut at = from;
    // The rest of a line that has begun does not count.
    while at < bytes.len() {
        let end =
            bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |it| at + it);
        let line = bytes[at..end].trim_ascii();
        let is_start = at == 0 || bytes[at - 1] == b'\n';
        if is_start {
            if after_brace && line.starts_with(b"@") {
                return at;
            }
            after_brace = line == b"}" || (after_brace && line.is_empty());
        }
        at = end + 1;
    }
    bytes.len()
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Brackets of a stream that are open.
    open: usize,
}

impl<'a> Reader<'a> {
    fn error<T>(&self, offset: usize, problem: &'static str) -> Result<T, SoifError> {
        Err(SoifError { offset, problem })
    }

    fn skip_space(&mut self) {
        let left = &self.bytes[self.at..];
        self.at += left.len() - left.trim_ascii_start().len();
    }

    fn skip_blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// The next object, if there is one.
    fn object(&mut self) -> Result<Option<SoifObject>, SoifError> {
        loop {
            self.skip_space();
            if self.at == self.bytes.len() {
                let problem = "a stream of objects does not end";
                return if self.open > 0 { self.error(self.at, problem) } else { Ok(None) };
            }
            if self.open > 0 && self.eat(b'}') {
                self.open -= 1;
                continue;
            }
            if !self.eat(b'@') {
                return self.error(self.at, "expected @ at the start of an object");
            }
            let kind = self.name(b"{", "expected the type of an object")?;
            self.skip_blanks();
            if !self.eat(b'{') {
                return self.error(self.at, "expected { after the type of an object");
            }
            if is_stream(&kind) && self.has_objects_inside() {
                self.open += 1;
                continue;
            }
            return self.content(kind).map(Some);
        }
    }

    /// Whether the bracket holds objects or nothing, not an address and attributes.
    fn has_objects_inside(&self) -> bool {
        matches!(self.bytes[self.at..].trim_ascii_start().first(), Some(b'@' | b'}'))
    }

    fn content(&mut self, kind: String) -> Result<SoifObject, SoifError> {
        self.skip_blanks();
        let start = self.at;
        let url = self.line_word();
        if url.is_empty() {
            return self.error(start, "expected an address, or - for none");
        }
        let url = (url != "-").then_some(url);
        let mut attributes = Vec::new();
        loop {
            self.skip_space();
            if self.eat(b'}') {
                let attributes = attributes.into_iter().map(|(name, value): (String, &[u8])| {
                    SoifAttribute { name, value: value.to_vec() }
                });
                return Ok(SoifObject { kind, url, attributes: attributes.collect() });
            }
            if self.at == self.bytes.len() {
                return self.error(self.at, "the object does not end");
            }
            attributes.push(self.attribute()?);
        }
    }

    fn attribute(&mut self) -> Result<(String, &'a [u8]), SoifError> {
        let name = self.name(b"{", "expected the name of an attribute, or }")?;
        if !self.eat(b'{') {
            return self.error(self.at, "expected the size of the value in braces");
        }
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        let Ok(size) = digits.parse::<usize>() else {
            return self.error(start, "expected the size of the value in bytes");
        };
        if size > MAX_SOIF_VALUE {
            return self.error(start, "the value is too large");
        }
        if !self.eat(b'}') || !self.eat(b':') || !self.eat(b'\t') {
            return self.error(self.at, "expected }, a colon and a tab after the size");
        }
        let bytes = self.bytes;
        let Some(value) = bytes.get(self.at..self.at + size) else {
            return self.error(self.at, "the value is longer than the file");
        };
        self.at += size;
        // An empty value may be followed by the next line at once.
        let ends = matches!(self.bytes.get(self.at), None | Some(b'\n'))
            || self.bytes[self.at..].starts_with(b"\r\n");
        if !ends {
            return self.error(self.at, "the value does not end with its line: its size is wrong");
        }
        Ok((name, value))
    }

    /// A name up to one of the signs, or to white space.
    fn name(&mut self, ends: &[u8], problem: &'static str) -> Result<String, SoifError> {
        let start = self.at;
        let is_end = |byte: &u8| ends.contains(byte) || byte.is_ascii_whitespace() || *byte == b'}';
        let left = &self.bytes[start..];
        let length = left.iter().position(is_end).unwrap_or(left.len());
        if length == 0 || length > MAX_SOIF_NAME {
            return self.error(start, problem);
        }
        self.at += length;
        Ok(String::from_utf8_lossy(&left[..length]).into_owned())
    }

    /// A word up to white space or the end of the object.
    fn line_word(&mut self) -> String {
        let left = &self.bytes[self.at..];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'}';
        let length = left.iter().position(is_end).unwrap_or(left.len()).min(MAX_SOIF_NAME);
        self.at += length;
        String::from_utf8_lossy(&left[..length]).into_owned()
    }
}

fn is_stream(kind: &str) -> bool {
    ["UPDATE", "REFRESH", "DELETE"].iter().any(|stream| stream.eq_ignore_ascii_case(kind))
}

#[cfg(test)]
mod tests {
    use super::super::write_soif;
    use super::*;
    use proptest::prelude::*;

    fn shown(objects: &[SoifObject]) -> String {
        let attribute =
            |it: &SoifAttribute| format!("{}={:?}", it.name, String::from_utf8_lossy(&it.value));
        let object = |it: &SoifObject| {
            let attributes: Vec<String> = it.attributes.iter().map(attribute).collect();
            format!("{} {} [{}]", it.kind, it.url.as_deref().unwrap_or("-"), attributes.join(" "))
        };
        objects.iter().map(object).collect::<Vec<_>>().join("; ")
    }

    /// The objects, or where it is wrong and why.
    type Read = Result<&'static str, (usize, &'static str)>;

    #[test]
    fn strict_reading() {
        #[rustfmt::skip]
        let cases: &[(&str, Read)] = &[
            ("",                                                  Ok("")),
            ("@FILE { http://a/\nTitle{5}:\tHotel\n}\n",          Ok("FILE http://a/ [Title=\"Hotel\"]")),
            ("@FILE{ -\nA{0}:\t\nB{1}:\tx\n}",                    Ok("FILE - [A=\"\" B=\"x\"]")),
            ("@FILE { http://a/\r\n  Title{5}:\tHotel\r\n}\r\n",  Ok("FILE http://a/ [Title=\"Hotel\"]")),
            ("@FILE { - }",                                       Ok("FILE - []")),
            ("@FILE { -\nA{8}:\ta\n}\n@X {\n}\n",                 Ok("FILE - [A=\"a\\n}\\n@X {\"]")),
            ("@FILE { a\n}\n\n@FILE { b\n}\n",                    Ok("FILE a []; FILE b []")),
            ("@DELETE { }\n@REFRESH { }\n@UPDATE {\n@FILE { a\nT{1}:\tx\n}\n@FILE { b\n}\n}\n", Ok("FILE a [T=\"x\"]; FILE b []")),
            ("@DELETE { http://a/ }",                             Ok("DELETE http://a/ []")),
            ("x",                                                 Err((0, "expected @"))),
            ("@FILE { \nT{1}:\tx\n}",                             Err((8, "expected an address"))),
            ("@FILE { a\nT{1}: x\n}",                             Err((15, "expected }, a colon and a tab"))),
            ("@FILE { a\nT{x}:\tx\n}",                            Err((12, "expected the size"))),
            ("@FILE { a\nT{1}:\txy\n}",                           Err((17, "the value does not end"))),
            ("@FILE { a\nT{99}:\tx\n}",                           Err((17, "the value is longer"))),
            ("@FILE { a\nT{99999999999999999999}:\tx\n}",         Err((12, "expected the size"))),
            ("@FILE { a\nT{999999999}:\tx\n}",                    Err((12, "the value is too large"))),
            ("@FILE { a\nT{1}:\tx\n",                             Err((18, "the object does not end"))),
            ("@FILE a",                                           Err((6, "expected {"))),
            ("@UPDATE { @FILE { a\n}\n",                          Err((22, "a stream"))),
        ];
        for (text, expected) in cases {
            match (read_soif(text.as_bytes()), expected) {
                (Ok(objects), Ok(expected)) => assert_eq!(shown(&objects), *expected, "{text:?}"),
                (Err(error), Err((offset, problem))) => {
                    assert_eq!(error.offset, *offset, "{text:?}: {error}");
                    assert!(error.problem.starts_with(problem), "{text:?}: {error}");
                }
                (found, _) => panic!("{text:?}: {found:?}"),
            }
        }
    }

    #[test]
    fn lenient_reading_goes_on_at_the_next_object() {
        #[rustfmt::skip]
        let cases = [
            ("@FILE { a\nT{9}:\tx\n}\n@FILE { b\nT{1}:\ty\n}\n",           "FILE b [T=\"y\"]", 1),
            ("@FILE { a\nT{1}:\txyz\n}\n\n@FILE { b\n}\n",                 "FILE b []", 1),
            ("@FILE { a\n}\nMüll\n}\n@FILE { b\n}\n",                       "FILE a []; FILE b []", 1),
            ("@FILE { a\nT{99}:\tx\n@FILE { no\n}\n@FILE { b\n}\n@FILE { c\n}", "FILE b []; FILE c []", 1),
            ("@FILE { \n}\n@FILE { b\n}\n",                                "FILE b []", 1),
            ("@@@@",                                                       "", 1),
        ];
        for (text, expected, errors) in cases {
            let reading = read_soif_lenient(text.as_bytes());
            assert_eq!(shown(&reading.objects), expected, "{text:?}");
            assert_eq!(reading.errors.len(), errors, "{text:?}: {:?}", reading.errors);
        }
    }

    fn object() -> impl Strategy<Value = SoifObject> {
        let value = prop_oneof![
            prop::collection::vec(any::<u8>(), 1..40),
            Just(b"}\n@FILE { x\nT{1}:\tx\n}\n".to_vec()),
            Just(b"\r\n}".to_vec()),
        ];
        let attribute = ("[A-Za-z][A-Za-z0-9.<>-]{0,8}", value)
            .prop_map(|(name, value)| SoifAttribute { name, value });
        let url = prop::option::of("[a-z]{1,5}://[!-z]{0,9}");
        ("[A-Z]{1,6}", url, prop::collection::vec(attribute, 0..5))
            .prop_map(|(kind, url, attributes)| SoifObject { kind, url, attributes })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(objects in prop::collection::vec(object(), 0..4)) {
            let mut bytes = Vec::new();
            objects.iter().for_each(|object| write_soif(object, &mut bytes));
            prop_assert_eq!(read_soif(&bytes), Ok(objects.clone()));
            let lenient = read_soif_lenient(&bytes);
            prop_assert_eq!(lenient, SoifReading { objects, errors: Vec::new() });
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_soif(&bytes);
            let _ = read_soif_lenient(&bytes);
        }

        #[test]
        fn broken_files_lose_little(objects in prop::collection::vec(object(), 3..6), cut in any::<prop::sample::Index>()) {
            let mut bytes = Vec::new();
            objects.iter().for_each(|object| write_soif(object, &mut bytes));
            let at = cut.index(bytes.len());
            bytes.remove(at);
            let _ = read_soif_lenient(&bytes);
            prop_assert!(read_soif(&bytes).map_or_else(|error| error.offset, |_| 0) <= bytes.len());
        }

        #[test]
        fn anything_can_be_written(kind in "\\PC{0,9}", url in "\\PC{0,9}", name in "\\PC{0,9}", value in prop::collection::vec(any::<u8>(), 1..9)) {
            let mut object = SoifObject::new(&kind, Some(&url));
            object.add(&name, value.clone());
            let mut bytes = Vec::new();
            write_soif(&object, &mut bytes);
            let read = read_soif(&bytes);
            prop_assert!(read.is_ok(), "{read:?} {bytes:?}");
            if let Some(object) = read.unwrap().first() && !object.attributes.is_empty() {
                prop_assert_eq!(&object.attributes[0].value, &value);
            }
        }
    }
}

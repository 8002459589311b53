//! SOIF, the Summary Object Interchange Format of Harvest: objects with an address and attributes.
//!
//! ```text
//! @FILE { http://www.example.org/
//! Title{5}:<TAB>Hotel
//! Author{7}:<TAB>A. Weber
//! }
//! ```
//!
//! The number in braces is the length of the value in bytes, so that a value may hold anything. A wrong
//! number therefore spoils what follows: [`read_soif`] refuses it with its place, [`read_soif_lenient`]
//! looks for the next object that begins on a line of its own.
//!
//! Several values of one attribute are written in three ways: joined by line feeds (Harvest), as
//! `Author-1`, `Author-2` (Sun's RDM), or by repeating the name. All are read; the first is written unless
//! the second is asked for ([`SoifLists`]).

mod reading;
mod writing;

pub use reading::{SoifError, SoifReading, read_soif, read_soif_lenient};
pub use writing::{SoifLists, SoifWriter, write_soif};

/// The media type of SOIF.
pub const SOIF_MEDIA_TYPE: &str = "application/index.obj.HARVEST-SOIF-1";

/// Bytes of one value.
pub const MAX_SOIF_VALUE: usize = 64 << 20;

/// Bytes of a type, an address or the name of an attribute.
pub const MAX_SOIF_NAME: usize = 64 << 10;

/// An object: what is known about an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoifObject {
    /// `FILE` as a rule.
    pub kind: String,
    /// The address; none is written as `-`.
    pub url: Option<String>,
    pub attributes: Vec<SoifAttribute>,
}

/// A name and a value as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoifAttribute {
    pub name: String,
    pub value: Vec<u8>,
}

impl SoifAttribute {
    /// The value as text; what is no UTF-8 is read as Latin-1.
    pub fn text(&self) -> String {
        as_text(&self.value)
    }
}

impl SoifObject {
    pub fn new(kind: &str, url: Option<&str>) -> SoifObject {
        SoifObject { kind: kind.to_owned(), url: url.map(str::to_owned), attributes: Vec::new() }
    }

    /// Adds an attribute as it is.
    pub fn add(&mut self, name: &str, value: impl Into<Vec<u8>>) {
        self.attributes.push(SoifAttribute { name: name.to_owned(), value: value.into() });
    }

    /// Adds several values of an attribute. Line feeds in a value become spaces, because they stand between
    /// values; empty values are left out.
    pub fn add_all<'a>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = &'a str>,
        lists: SoifLists,
    ) {
        let values = values.into_iter().filter(|value| !value.is_empty());
        let values = values.map(|value| value.replace("\r\n", " ").replace(['\n', '\r'], " "));
        match lists {
            SoifLists::Joined => {
                let values: Vec<String> = values.collect();
                if !values.is_empty() {
                    self.add(name, values.join("\n"));
                }
            }
            SoifLists::Numbered => {
                for (at, value) in values.enumerate() {
                    self.add(&format!("{name}-{}", at + 1), value);
                }
            }
        }
    }

    /// The value of an attribute; case does not count. Of several the last is meant, as in Harvest.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        let mut named =
            self.attributes.iter().rev().filter(|it| it.name.eq_ignore_ascii_case(name));
        named.next().map(|attribute| attribute.value.as_slice())
    }

    /// The value as text; what is no UTF-8 is read as Latin-1.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(as_text)
    }

    /// All values of an attribute, in whichever way they are written: lines of the attribute, of all
    /// attributes of that name, and of those with the name and a number, in the order of numbers.
    pub fn values(&self, name: &str) -> Vec<String> {
        let mut found: Vec<(u64, &SoifAttribute)> = self
            .attributes
            .iter()
            .filter_map(|attribute| Some((number_of(&attribute.name, name)?, attribute)))
            .collect();
        found.sort_by_key(|(number, _)| *number);
        let mut values = Vec::new();
        for (_, attribute) in found {
            let text = as_text(&attribute.value);
            values.extend(
                text.split('\n').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned),
            );
        }
        values
    }

    /// The object in an object: attributes `Embed<k>-Name` as `Name`.
    pub fn embedded(&self, number: u64) -> Vec<SoifAttribute> {
        let start = format!("embed<{number}>-");
        let mut inside = Vec::new();
        for attribute in &self.attributes {
            let lower = attribute.name.to_ascii_lowercase();
            if lower.starts_with(&start) {
                let name = attribute.name[start.len()..].to_owned();
                inside.push(SoifAttribute { name, value: attribute.value.clone() });
            }
        }
        inside
    }
}

/// 0 for the name itself, n for the name with `-n`.
fn number_of(written: &str, name: &str) -> Option<u64> {
    if written.eq_ignore_ascii_case(name) {
        return Some(0);
    }
    let (start, rest) = written.split_at_checked(name.len())?;
    let digits = rest.strip_prefix('-')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    (start.eq_ignore_ascii_case(name) && is_number).then(|| digits.parse().unwrap_or(u64::MAX))
}

fn as_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_all_three_ways() {
        let mut object = SoifObject::new("FILE", None);
        object.add("author", "Weber\nHeuer");
        object.add("Author-10", "Zehn");
        object.add("AUTHOR-2", "Zwei");
        object.add("Author-x", "keiner");
        object.add("Authority", "keiner");
        object.add("Author", "Noch einer");
        assert_eq!(object.values("Author"), ["Weber", "Heuer", "Noch einer", "Zwei", "Zehn"]);
        assert_eq!(object.text("AUTHOR").as_deref(), Some("Noch einer"));
        assert_eq!(object.get("Title"), None);
    }

    #[test]
    fn lists_are_written_in_both_ways() {
        let mut object = SoifObject::new("FILE", None);
        object.add_all("Ort", ["Waren\nMüritz", "", "Röbel"], SoifLists::Joined);
        object.add_all("Name", ["a", "b"], SoifLists::Numbered);
        object.add_all("Leer", [""], SoifLists::Joined);
        let names: Vec<&str> = object.attributes.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["Ort", "Name-1", "Name-2"]);
        assert_eq!(object.values("ort"), ["Waren Müritz", "Röbel"]);
        assert_eq!(object.values("name"), ["a", "b"]);
    }

    #[test]
    fn texts_in_old_encodings_and_embedded_objects() {
        let mut object = SoifObject::new("FILE", None);
        object.add("Ort", b"R\xf6bel".to_vec());
        object.add("Embed<1>-Title", "innen");
        object.add("embed<12>-Title", "anderswo");
        assert_eq!(object.text("ort").as_deref(), Some("Röbel"));
        let inside = object.embedded(1);
        assert_eq!((inside.len(), inside[0].name.as_str()), (1, "Title"));
    }
}

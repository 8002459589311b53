//! Objects to bytes.

use super::SoifObject;
use std::io::{self, Write};

/// How several values of one attribute are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SoifLists {
    /// One attribute, its values joined by line feeds, as Harvest does.
    #[default]
    Joined,
    /// `Name-1`, `Name-2` and so on.
    Numbered,
}

/// Appends an object. Attributes with an empty value are left out, as Harvest does; signs that would end a
/// name or an address are replaced.
pub fn write_soif(object: &SoifObject, out: &mut Vec<u8>) {
    write_object(object, out).expect("a vector takes everything");
}

fn write_object(object: &SoifObject, out: &mut Vec<u8>) -> io::Result<()> {
    let mut writer = SoifWriter::begin(out, &object.kind, object.url.as_deref())?;
    for attribute in &object.attributes {
        writer.attribute(&attribute.name, &attribute.value)?;
    }
    writer.end().map(drop)
}

/// Writes an object attribute by attribute, for those that are too large to be held in memory.
#[derive(Debug)]
pub struct SoifWriter<W> {
    out: W,
}

impl<W: Write> SoifWriter<W> {
    pub fn begin(mut out: W, kind: &str, url: Option<&str>) -> io::Result<SoifWriter<W>> {
        let (kind, url) = (word(kind, "FILE"), word(url.unwrap_or("-"), "-"));
        out.write_all(format!("@{kind} {{ {url}\n").as_bytes())?;
        Ok(SoifWriter { out })
    }

    /// Nothing is written for an empty value.
    pub fn attribute(&mut self, name: &str, value: &[u8]) -> io::Result<()> {
        if value.is_empty() {
            return Ok(());
        }
        let name = word(name, "-");
        self.out.write_all(format!("{name}{{{}}}:\t", value.len()).as_bytes())?;
        self.out.write_all(value)?;
        self.out.write_all(b"\n")
    }

    /// Without its end an object is refused by strict readers.
    pub fn end(mut self) -> io::Result<W> {
        self.out.write_all(b"}\n")?;
        Ok(self.out)
    }
}

/// A word as it may stand in a head: without white space, braces and signs that begin or end objects.
fn word(text: &str, empty: &str) -> String {
    let clean = |c: char| match c {
        _ if c.is_whitespace() || c.is_control() => '_',
        '{' | '}' => '_',
        c => c,
    };
    let word: String = text.trim().chars().map(clean).collect();
    let word = word.trim_start_matches('@');
    if word.is_empty() { empty.to_owned() } else { word.to_owned() }
}

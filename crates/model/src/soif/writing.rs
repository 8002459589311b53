//! Objects to bytes.

use super::SoifObject;

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
    out.push(b'@');
    out.extend_from_slice(word(&object.kind, "FILE").as_bytes());
    out.extend_from_slice(b" { ");
    out.extend_from_slice(word(object.url.as_deref().unwrap_or("-"), "-").as_bytes());
    out.push(b'\n');
    for attribute in object.attributes.iter().filter(|it| !it.value.is_empty()) {
        out.extend_from_slice(word(&attribute.name, "-").as_bytes());
        out.extend_from_slice(format!("{{{}}}:\t", attribute.value.len()).as_bytes());
        out.extend_from_slice(&attribute.value);
        out.push(b'\n');
    }
    out.extend_from_slice(b"}\n");
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

//! WARC record headers: named fields in order, and the identities of records.

use crate::settings::Description;
use auslese_model::Timestamp;
use std::fmt::Write;
use std::io;

/// The version line of every record we write.
pub(crate) const VERSION: &str = "WARC/1.1";

/// The block type of warcinfo and metadata records.
pub(crate) const WARC_FIELDS: &str = "application/warc-fields";

/// A record as found in a file: its header, and where it lies. The block is read from the
/// [`crate::Reader`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The version line, such as `WARC/1.1`.
    pub version: String,
    pub fields: Fields,
    /// Where the record begins in the file; in a gzip file, where its member begins.
    pub offset: u64,
    /// How many records of the same gzip member come before it: 0 in files made for replay.
    pub place_in_member: u64,
    /// The length of the block by the header.
    pub content_length: u64,
}

impl Record {
    /// `response`, `revisit`, …; empty if the record does not say.
    pub fn kind(&self) -> &str {
        self.fields.get("WARC-Type").unwrap_or("")
    }

    /// `urn:uuid:…`, without angle brackets.
    pub fn id(&self) -> Option<&str> {
        self.fields.get("WARC-Record-ID").map(bare)
    }

    /// The address that was asked for, without the angle brackets some tools write.
    pub fn target(&self) -> Option<&str> {
        self.fields.get("WARC-Target-URI").map(bare)
    }
}

/// An identifier without angle brackets.
pub(crate) fn bare(id: &str) -> &str {
    let id = id.trim();
    id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or(id)
}

/// Named fields in the order they stand in; names are compared without regard to case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Adds a field. Line ends inside the value become spaces: a value from outside must not be
    /// able to add fields of its own.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let mut value = value.into();
        if value.contains(char::is_control) {
            value = value.replace(char::is_control, " ");
        }
        self.0.push((name.into(), value));
    }

    /// The first field of that name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    pub fn all<'a, 'n>(&'a self, name: &'n str) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        self.iter().filter(move |(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, v)| v)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Continues the last field, as folded lines do.
    pub(crate) fn extend_last(&mut self, more: &str) {
        if let Some((_, value)) = self.0.last_mut() {
            value.push(' ');
            value.push_str(more);
        }
    }

    /// One line each, without the empty line that ends a header.
    pub(crate) fn to_lines(&self) -> String {
        let mut lines = String::new();
        for (name, value) in self.iter() {
            // Writing to a string cannot fail.
            let _ = write!(lines, "{name}: {value}\r\n");
        }
        lines
    }
}

/// The fields every record begins with (behind the version line and the warcinfo's id).
pub(crate) fn begin(kind: &str, id: &str, at: Timestamp) -> Fields {
    let mut fields = Fields::default();
    fields.push("WARC-Type", kind);
    fields.push("WARC-Record-ID", format!("<{id}>"));
    fields.push("WARC-Date", at.to_string());
    fields
}

/// The block of a warcinfo record. It names no file and no time, so that two runs with the same
/// settings write the same block.
pub(crate) fn warcinfo_block(description: &Description) -> Vec<u8> {
    let mut fields = Fields::default();
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            fields.push(name, value);
        }
    };
    add("software", &description.software);
    add("format", "WARC File Format 1.1");
    add(
        "conformsTo",
        "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    );
    add("operator", &description.operator);
    add("hostname", &description.hostname);
    add("http-header-user-agent", &description.user_agent);
    add("robots", &description.robots);
    add("isPartOf", &description.is_part_of);
    add("description", &description.description);
    fields.to_lines().into_bytes()
}

/// A new identity: `urn:uuid:` and a random UUID (version 4, RFC 9562).
pub(crate) fn new_id() -> io::Result<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::from)?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = data_encoding::HEXLOWER.encode(&bytes);
    Ok(format!(
        "urn:uuid:{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_random_uuids() {
        let (one, two) = (new_id().unwrap(), new_id().unwrap());
        assert_ne!(one, two);
        assert_eq!(one.len(), "urn:uuid:".len() + 36);
        assert_eq!(&one[23..24], "4");
        assert!("89ab".contains(&one[28..29]), "{one}");
    }

    #[test]
    fn values_cannot_add_lines() {
        let mut fields = Fields::default();
        fields.push("oddity", "a\r\nWARC-Type: response\0");
        assert_eq!(fields.to_lines(), "oddity: a  WARC-Type: response \r\n");
    }
}

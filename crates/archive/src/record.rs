//! WARC record headers: named fields in order, and the identities of records.

use crate::settings::Description;
use auslese_model::Timestamp;
use std::cell::RefCell;
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

    /// When it was made; none if the record says nothing readable.
    pub fn date(&self) -> Option<Timestamp> {
        read_date(self.fields.get("WARC-Date")?)
    }

    /// Whether the block is an HTTP message.
    pub fn holds_http(&self) -> bool {
        let media_type = self.fields.get("Content-Type").unwrap_or("");
        let essence = media_type.split(';').next().unwrap_or("").trim();
        matches!(self.kind(), "response" | "request" | "revisit")
            && essence.eq_ignore_ascii_case("application/http")
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

/// A time as WARC and ARC files write it: `2026-11-15T21:40:00Z`, with or without a fraction, or
/// the same as digits alone. A time that ends early counts from its beginning.
pub fn read_date(text: &str) -> Option<Timestamp> {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    let part = |from: usize, to: usize| digits.get(from..to).map(|part| part.parse::<u32>());
    let year = part(0, 4)?.ok()?;
    let or = |part: Option<Result<u32, _>>, otherwise: u32| match part {
        Some(Ok(number)) => number,
        _ => otherwise,
    };
    let date = (i64::from(year), or(part(4, 6), 1), or(part(6, 8), 1));
    let time = (or(part(8, 10), 0), or(part(10, 12), 0), or(part(12, 14), 0));
    let micros: String = fraction.chars().take_while(char::is_ascii_digit).take(6).collect();
    let micros = format!("{micros:0<6}").parse().unwrap_or(0);
    Some(Timestamp(Timestamp::from_civil(date, time)?.0 + micros))
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

    /// Gives a field another value, or adds it.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let at = self.0.iter().position(|(field, _)| field.eq_ignore_ascii_case(name));
        let mut one = Fields::default();
        one.push(name, value);
        match (at, one.0.pop()) {
            (Some(at), Some((_, value))) => self.0[at].1 = value,
            (None, Some(field)) => self.0.push(field),
            (_, None) => {}
        }
    }

    /// Takes all fields of a name away.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(field, _)| !field.eq_ignore_ascii_case(name));
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

/// Random bytes for that many identities are asked of the system at once: each capture takes three.
const IDS_AT_ONCE: usize = 64;

thread_local! {
    /// Random bytes that no identity has yet.
    static RANDOM: RefCell<Vec<[u8; 16]>> = const { RefCell::new(Vec::new()) };
}

fn random_bytes() -> io::Result<[u8; 16]> {
    RANDOM.with_borrow_mut(|left| {
        if left.is_empty() {
            left.resize(IDS_AT_ONCE, [0; 16]);
            if let Err(error) = getrandom::fill(left.as_flattened_mut()) {
                left.clear();
                return Err(error.into());
            }
        }
        Ok(left.pop().expect("there are some"))
    })
}

/// A new identity: `urn:uuid:` and a random UUID (version 4, RFC 9562).
pub(crate) fn new_id() -> io::Result<String> {
    let mut bytes = random_bytes()?;
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
    fn dates() {
        #[rustfmt::skip]
        let cases = [
            ("2026-11-15T21:40:00Z",        Some("2026-11-15T21:40:00.000000Z")),
            ("2026-11-15T21:40:00.12Z",     Some("2026-11-15T21:40:00.120000Z")),
            ("2026-11-15T21:40:00.1234567Z", Some("2026-11-15T21:40:00.123456Z")),
            ("20010305120102",              Some("2001-03-05T12:01:02.000000Z")),
            ("200103051201",                Some("2001-03-05T12:01:00.000000Z")),
            ("2001",                        Some("2001-01-01T00:00:00.000000Z")),
            ("20011345",                    None),
            ("soon",                        None),
            ("",                            None),
        ];
        for (text, expected) in cases {
            let read = read_date(text).map(|time| time.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn fields_are_set_and_removed() {
        let mut fields = Fields::default();
        fields.push("A", "1");
        fields.push("b", "2");
        fields.set("B", "3\n");
        fields.set("c", "4");
        fields.remove("a");
        assert_eq!(fields.to_lines(), "b: 3 \r\nc: 4\r\n");
    }

    #[test]
    fn values_cannot_add_lines() {
        let mut fields = Fields::default();
        fields.push("oddity", "a\r\nWARC-Type: response\0");
        assert_eq!(fields.to_lines(), "oddity: a  WARC-Type: response \r\n");
    }
}

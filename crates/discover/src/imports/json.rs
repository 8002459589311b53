//! JSON of certificate searches: an array of objects, or one object after the other.
//!
//! crt.sh sends one array on one line, however long. So the stream is cut into objects by counting
//! braces, and each object is parsed for itself; what stands between them does not matter. A brace at
//! the very beginning of a line begins an object in any case, so that a broken one costs only itself.
//! In an object, names are looked for under the keys that the known services use.

use super::lines::text_of;
use super::list::take_entry;
use super::{DropReason, Finds, MAX_ITEM};
use serde_json::Value;
use std::io::{self, BufRead};

/// Keys of names: crt.sh, Cert Spotter, Censys, streams of logs, and tools that list subdomains.
const KEYS: [&str; 12] = [
    "name_value",
    "common_name",
    "dns_names",
    "names",
    "all_domains",
    "subject_alt_names",
    "host",
    "hostname",
    "domain",
    "subdomain",
    "fqdn",
    "url",
];

/// Keys under which only certificates have their names.
const CERTIFICATE_KEYS: [&str; 5] =
    ["name_value", "common_name", "dns_names", "all_domains", "subject_alt_names"];

/// A key of certificates and of mere lists; beside one of the others it is a certificate's.
const AMBIGUOUS_KEY: &str = "names";
const BESIDE_IT: [&str; 5] = ["fingerprint_sha256", "issuer", "issuer_dn", "subject", "validity"];

/// Keys that lead to other certificates than the one that is named.
const NOT_BELOW: [&str; 4] = ["issuer", "issuer_name", "chain", "ca"];

pub(crate) fn read(source: &mut dyn BufRead, finds: &mut Finds) -> io::Result<u64> {
    let mut objects = Objects::default();
    let mut line = 1;
    loop {
        let buffer = source.fill_buf()?;
        let length = buffer.len();
        if length == 0 {
            break;
        }
        for byte in buffer {
            line += u64::from(*byte == b'\n');
            objects.push(*byte, line, finds);
        }
        source.consume(length);
    }
    objects.end(finds);
    Ok(line)
}

/// The object that is being read.
#[derive(Debug, Default)]
struct Objects {
    bytes: Vec<u8>,
    depth: usize,
    in_text: bool,
    escaped: bool,
    too_long: bool,
    at_line_start: bool,
    /// Where it begins.
    line: u64,
}

impl Objects {
    fn push(&mut self, byte: u8, line: u64, finds: &mut Finds) {
        if byte == b'{' && self.at_line_start {
            self.end(finds);
        }
        self.at_line_start = byte == b'\n';
        if self.depth == 0 {
            if byte != b'{' {
                return;
            }
            self.line = line;
        }
        if self.bytes.len() < MAX_ITEM {
            self.bytes.push(byte);
        } else {
            self.too_long = true;
        }
        match (self.in_text, byte) {
            (true, _) if self.escaped => self.escaped = false,
            (true, b'\\') => self.escaped = true,
            (_, b'"') => self.in_text = !self.in_text,
            (false, b'{') => self.depth += 1,
            (false, b'}') => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.take(finds);
                }
            }
            _ => {}
        }
    }

    /// Tells an object that is complete, and begins anew.
    fn take(&mut self, finds: &mut Finds) {
        let object = std::mem::take(self);
        match serde_json::from_slice::<Value>(&object.bytes) {
            _ if object.too_long => object.drop(finds, DropReason::TooLong),
            Ok(value) => {
                tell_names(&value, object.line, finds);
                tell_certificate(&value, object.line, finds);
            }
            Err(_) => object.drop(finds, DropReason::Malformed),
        }
    }

    fn end(&mut self, finds: &mut Finds) {
        if self.depth > 0 {
            std::mem::take(self).drop(finds, DropReason::Malformed);
        }
    }

    fn drop(&self, finds: &mut Finds, why: DropReason) {
        finds.drop(&text_of(&self.bytes[..self.bytes.len().min(1000)]), self.line, why);
    }
}

/// Looks for names everywhere below; the parser has bounded the depth.
fn tell_names(value: &Value, line: u64, finds: &mut Finds) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| tell_names(item, line, finds)),
        Value::Object(fields) => {
            for (key, field) in fields {
                if KEYS.contains(&key.as_str()) {
                    tell_texts(field, line, finds);
                }
                if !NOT_BELOW.contains(&key.as_str()) {
                    tell_names(field, line, finds);
                }
            }
        }
        _ => {}
    }
}

/// A text may hold several names, one per line; common names may be words instead.
fn tell_texts(value: &Value, line: u64, finds: &mut Finds) {
    match value {
        Value::String(text) => text.lines().for_each(|name| take_entry(name, line, finds)),
        Value::Array(items) => {
            let texts = items.iter().filter(|item| item.is_string());
            texts.for_each(|item| tell_texts(item, line, finds));
        }
        _ => {}
    }
}

/// Tells the names of an object that stand together. What its fields hold belongs to the same
/// certificate; the items of a list are certificates of their own.
fn tell_certificate(object: &Value, line: u64, finds: &mut Finds) {
    let mut names = Vec::new();
    gather(object, line, &mut names, finds);
    finds.certificate(names.into_iter(), line);
}

fn gather<'a>(value: &'a Value, line: u64, names: &mut Vec<&'a str>, finds: &mut Finds) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| tell_certificate(item, line, finds)),
        Value::Object(fields) => {
            let is_certificate = BESIDE_IT.iter().any(|key| fields.contains_key(*key));
            for (key, field) in fields {
                let key = key.as_str();
                if CERTIFICATE_KEYS.contains(&key) || (key == AMBIGUOUS_KEY && is_certificate) {
                    names.extend(texts(field));
                }
                if !NOT_BELOW.contains(&key) {
                    gather(field, line, names, finds);
                }
            }
        }
        _ => {}
    }
}

/// The lines of a text, or of the texts in a list.
fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        other => std::slice::from_ref(other),
    };
    items.iter().filter_map(Value::as_str).flat_map(str::lines)
}

//! Zones: the names that have an address or are another name for a host.
//!
//! Owners of A, AAAA, CNAME, HTTPS and SVCB records count, and in reverse zones what PTR records
//! lead to. A zone that is handed on to other name servers is reported, since its names are theirs.
//!
//! Relative names need the zone's origin. If the file neither begins with an `$ORIGIN` nor has an SOA
//! with a full name, it is guessed from the file's name (`db.uni.example`, `uni.example.zone`), and that is said.

mod entries;
mod generate;

use super::MAX_EXPANDED_LINES;
use super::files::{Include, Includes, Loaded, SourceFile, Want};
use super::host_text::{HostText, read_host};
use super::report::{Endpoint, Findings, MAX_FOUND, Place, WhyReported};
use entries::{Entry, entries};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};

pub(super) fn read(
    source: &SourceFile,
    load: &mut dyn FnMut(&Include<'_>) -> Loaded,
    findings: &mut Findings,
) {
    let mut reader = Reader {
        includes: Includes::new(load),
        home: source.path.parent().map(Path::to_owned).unwrap_or_default(),
        origin: None,
        apex: None,
        owner: None,
        handed_on: BTreeSet::new(),
        records_left: MAX_EXPANDED_LINES,
        findings,
    };
    let entries = entries(&source.text);
    reader.begin(&entries, source);
    reader.read_entries(&entries, source);
}

struct Reader<'a> {
    includes: Includes<'a>,
    home: PathBuf,
    /// What relative names are completed with; without the final dot.
    origin: Option<String>,
    /// The zone's own name.
    apex: Option<String>,
    /// Of the last record.
    owner: Option<String>,
    handed_on: BTreeSet<String>,
    /// How many more records `$GENERATE` may make.
    records_left: usize,
    findings: &'a mut Findings,
}

impl Reader<'_> {
    /// Finds out which zone it is, unless the first line of it says so.
    fn begin(&mut self, entries: &[Entry], source: &SourceFile) {
        let soa = entries.iter().find(|entry| record_of(entry).is_some_and(|r| r.kind == "SOA"));
        let owner = soa.and_then(|entry| entry.words.first()).filter(|owner| owner.ends_with('.'));
        let first = entries.iter().find(|entry| !is_ttl_directive(entry));
        if let Some(name) = owner {
            self.origin = Some(name.trim_end_matches('.').to_owned());
        } else if first.is_some_and(|entry| entry.words[0].eq_ignore_ascii_case("$ORIGIN")) {
            self.origin = None;
        } else if let Some(name) = origin_in_file_name(&source.path) {
            let place = Place::file(&source.name());
            self.findings.report(&name, &place, "$ORIGIN", WhyReported::GuessedOrigin);
            self.origin = Some(name);
        }
        self.apex.clone_from(&self.origin);
    }

    fn read_entries(&mut self, entries: &[Entry], source: &SourceFile) {
        self.includes.enter(source);
        for entry in entries {
            let place = Place::new(&source.name(), entry.line);
            match entry.words[0].to_ascii_uppercase().as_str() {
                _ if entry.same_owner => self.record(entry, &place),
                "$ORIGIN" => {
                    let name = entry.words.get(1).and_then(|name| self.complete(name));
                    self.origin = name.or(self.origin.take());
                }
                "$INCLUDE" => self.include(&entry.words[1..], &place),
                "$GENERATE" => self.generate(&entry.words[1..], &place),
                directive if directive.starts_with('$') => {}
                _ => self.record(entry, &place),
            }
        }
        self.includes.leave();
    }

    fn include(&mut self, words: &[String], place: &Place) {
        let [file, origin @ ..] = words else { return };
        let home = self.home.clone();
        let include = Include { pattern: file, base: &home, want: Want::Files };
        let Some(files) = self.includes.find(&include, place, self.findings) else {
            return self.findings.report(file, place, "$INCLUDE", WhyReported::MissingInclude);
        };
        // The included file cannot change the origin of the one that includes it.
        let before = (self.origin.clone(), self.owner.clone());
        if let Some(origin) = origin.first().and_then(|name| self.complete(name)) {
            self.origin = Some(origin);
        }
        files.iter().for_each(|file| self.read_entries(&entries(&file.text), file));
        (self.origin, self.owner) = before;
    }

    fn generate(&mut self, words: &[String], place: &Place) {
        let [range, record @ ..] = words else { return };
        let length: usize = record.iter().map(String::len).sum();
        let is_record = !record.is_empty() && length <= MAX_GENERATED;
        let Some(numbers) = generate::range(range).filter(|_| is_record) else {
            return self.findings.report(range, place, "$GENERATE", WhyReported::Unreadable);
        };
        for number in numbers {
            if self.records_left == 0 {
                let why = WhyReported::TooMuchExpansion;
                return self.findings.report(range, place, "$GENERATE", why);
            }
            self.records_left -= 1;
            let words = record.iter().map(|word| generate::put_in(word, number)).collect();
            let entry = Entry { line: 0, same_owner: false, words };
            self.record(&entry, place);
        }
    }

    fn record(&mut self, entry: &Entry, place: &Place) {
        let owner = match (entry.same_owner, &self.owner) {
            (true, Some(owner)) => Some(owner.clone()),
            (true, None) => None,
            (false, _) => self.complete(&entry.words[0]),
        };
        let Some(record) = record_of(entry) else { return };
        let Some(owner) = owner else {
            return self.findings.report(&entry.words[0], place, "record", WhyReported::NoOrigin);
        };
        self.tell(&owner, &record, place);
        self.owner = Some(owner);
    }

    fn tell(&mut self, owner: &str, record: &Record<'_>, place: &Place) {
        let value = record.data.first().map_or("", String::as_str);
        match record.kind {
            "SOA" => self.apex = Some(owner.to_owned()),
            "A" | "AAAA" => {
                let address: Option<IpAddr> = value.parse().ok();
                let at: Vec<_> = address.map(Endpoint::address).into_iter().collect();
                self.findings.host(owner, place, record.kind, &at);
            }
            "CNAME" | "HTTPS" | "SVCB" => self.findings.host(owner, place, record.kind, &[]),
            "PTR" if is_reverse(owner) => {
                let at: Vec<_> = reversed(owner).map(Endpoint::address).into_iter().collect();
                match self.complete(value) {
                    Some(name) => self.findings.host(&name, place, "PTR", &at),
                    None => self.findings.report(value, place, "PTR", WhyReported::NoOrigin),
                }
            }
            "NS" => self.tell_delegation(owner, place),
            _ => {}
        }
    }

    fn tell_delegation(&mut self, owner: &str, place: &Place) {
        let below = self.apex.as_deref().is_some_and(|apex| !apex.eq_ignore_ascii_case(owner));
        let room = self.handed_on.len() < MAX_FOUND;
        if below && room && self.handed_on.insert(owner.to_owned()) {
            self.findings.report(owner, place, "NS", WhyReported::Delegated);
        }
    }

    /// The full name, without its final dot; `None` if it is relative and nobody told to what.
    fn complete(&self, name: &str) -> Option<String> {
        match (name.strip_suffix('.'), &self.origin) {
            (Some(full), _) => Some(full.to_owned()),
            (None, Some(origin)) if name == "@" => Some(origin.clone()),
            (None, Some(origin)) if origin.is_empty() => Some(name.to_owned()),
            (None, Some(origin)) => Some(format!("{name}.{origin}")),
            (None, None) => None,
        }
    }
}

/// Longest record that `$GENERATE` repeats, in bytes.
const MAX_GENERATED: usize = 1024;

struct Record<'e> {
    kind: &'static str,
    data: &'e [String],
}

/// Types that are looked at.
const KINDS: [&str; 8] = ["SOA", "NS", "A", "AAAA", "CNAME", "HTTPS", "SVCB", "PTR"];

/// Finds the type behind owner, time to live and class, the latter two in any order.
fn record_of(entry: &Entry) -> Option<Record<'_>> {
    let words = &entry.words[usize::from(!entry.same_owner)..];
    let mut before = 0;
    while before < 2 && words.get(before).is_some_and(|word| is_ttl(word) || is_class(word)) {
        before += 1;
    }
    let kind = words.get(before)?;
    let kind = KINDS.iter().find(|known| kind.eq_ignore_ascii_case(known))?;
    Some(Record { kind, data: &words[before + 1..] })
}

/// `3600` or `1h30m`.
fn is_ttl(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|b| b.is_ascii_digit() || b"smhdwSMHDW".contains(&b))
}

fn is_ttl_directive(entry: &Entry) -> bool {
    entry.words[0].eq_ignore_ascii_case("$TTL")
}

fn is_class(word: &str) -> bool {
    ["IN", "CH", "HS"].iter().any(|class| word.eq_ignore_ascii_case(class))
}

fn is_reverse(owner: &str) -> bool {
    let owner = owner.to_ascii_lowercase();
    owner.ends_with(".in-addr.arpa") || owner.ends_with(".ip6.arpa")
}

/// The address of a reverse name, if it is complete.
fn reversed(owner: &str) -> Option<IpAddr> {
    let owner = owner.to_ascii_lowercase();
    if let Some(labels) = owner.strip_suffix(".in-addr.arpa") {
        let bytes: Vec<u8> = labels.rsplit('.').map_while(|label| label.parse().ok()).collect();
        return <[u8; 4]>::try_from(bytes).ok().map(|bytes| Ipv4Addr::from(bytes).into());
    }
    let labels = owner.strip_suffix(".ip6.arpa")?;
    let mut digits = labels.rsplit('.').map(|label| u8::from_str_radix(label, 16).ok());
    let mut address = 0u128;
    for _ in 0..32 {
        address = address << 4 | u128::from(digits.next()??.min(15));
    }
    digits.next().is_none().then(|| Ipv6Addr::from(address).into())
}

/// Guesses the zone from names such as `db.uni.example` and `uni.example.zone`.
fn origin_in_file_name(path: &Path) -> Option<String> {
    let mut name = path.file_name()?.to_str()?.to_ascii_lowercase();
    for ending in [".signed", ".txt", ".zone", ".db", ".hosts", ".master", ".dns"] {
        name.truncate(name.strip_suffix(ending).unwrap_or(&name).len());
    }
    let beginnings = ["db.", "named.", "zone.", "master.", "pri."];
    let name = beginnings.iter().find_map(|begin| name.strip_prefix(begin)).unwrap_or(&name);
    match read_host(name) {
        HostText::Name(host) => Some(host.as_str().to_owned()),
        HostText::Address(_) | HostText::Not(_) => None,
    }
}

#[cfg(test)]
mod tests;

//! Checks a WARC file: is every byte what its headers promise?
//!
//! Four kinds of faults are told apart: the bytes are no sequence of records; a record lacks what
//! the standard demands; its digests do not fit; it refers to a record in the wrong way. Each is
//! named with the record and its place, and the report says up to where the file is sound, which
//! is what a repair may keep.

use crate::chunked::Dechunked;
use crate::digest::{COPY_BUFFER, Hasher};
use crate::error::{ArchiveError, Damage};
use crate::reader::{Reader, RecordEnd};
use crate::record::{Record, bare};
use auslese_model::Digest;
use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::fmt;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::{self, BufRead, Read, Seek};
use std::path::{Path, PathBuf};

/// More faults than this are counted only.
const FAULTS_KEPT: usize = 1000;

/// What was found in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub file: PathBuf,
    pub records: u64,
    /// Digests that were compared.
    pub digests: u64,
    /// The first faults, in the order of the file; faults of reference come last.
    pub faults: Vec<Fault>,
    /// All faults, also those not kept.
    pub fault_count: u64,
    /// The length up to which the file consists of whole and true records.
    pub sound_until: u64,
}

impl Report {
    pub fn is_sound(&self) -> bool {
        self.fault_count == 0
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Counted from 1; of the record in which the fault is, or that should have been there.
    pub record: u64,
    pub offset: u64,
    /// The id and type of the record, where they could be read.
    pub id: Option<String>,
    pub record_type: Option<String>,
    pub kind: FaultKind,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { record, offset, id, record_type, kind } = self;
        write!(f, "record {record} at byte {offset}")?;
        if let Some(record_type) = record_type {
            write!(f, " ({record_type}")?;
            if let Some(id) = id {
                write!(f, " {id}")?;
            }
            f.write_str(")")?;
        }
        write!(f, ": {kind}")
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    #[error("{0}")]
    Damaged(Damage),
    #[error("the first record is not a warcinfo record")]
    NoWarcinfo,
    #[error("the gzip member holds more than this record, so no offset leads to it")]
    SharedMember,
    #[error("the field {0} is missing")]
    MissingField(&'static str),
    #[error("the field {name} cannot be read: {value:?}")]
    BadField { name: &'static str, value: String },
    #[error("the block digest is {found}, not {claimed}")]
    BlockDigest { claimed: String, found: String },
    #[error("the payload digest is {found}, not {claimed}")]
    PayloadDigest { claimed: String, found: String },
    #[error("the payload digest covers the chunk framing, which is no part of the payload")]
    DigestOfFraming,
    #[error("the id is that of record {0}, too")]
    RepeatedId(u64),
    #[error("{field} names {target}, which is not in this file")]
    Dangling { field: &'static str, target: String },
    #[error("it refers to record {0}, which is a revisit itself")]
    RevisitOfRevisit(u64),
    #[error("its payload digest is not that of record {0}, to which it refers")]
    RevisitDigest(u64),
}

impl FaultKind {
    /// Whether the fault is in the record's own bytes, rather than in how records go together.
    fn is_of_bytes(&self) -> bool {
        !matches!(
            self,
            FaultKind::NoWarcinfo
                | FaultKind::Dangling { .. }
                | FaultKind::RevisitOfRevisit(_)
                | FaultKind::RevisitDigest(_)
                | FaultKind::RepeatedId(_)
        )
    }
}

/// Checks one file. Faults are the result; an error means that it could not be read at all.
pub fn verify(path: &Path) -> Result<Report, ArchiveError> {
    let file = File::open(path).map_err(ArchiveError::io(path))?;
    verify_bytes(path, file)
}

/// The same for anything that can seek; `name` is for the report.
pub fn verify_bytes<R: Read + Seek>(name: &Path, file: R) -> Result<Report, ArchiveError> {
    let mut reader = Reader::new(name, file, 0)?;
    let mut check = Check::new(name);
    loop {
        match reader.next_record() {
            Ok(Some(record)) => check.record(&record, &mut reader)?,
            Ok(None) => return Ok(check.finish()),
            Err(error) => check.damaged(None, error)?,
        }
    }
}

struct Check {
    report: Report,
    /// All records by the hash of their id: some 30 bytes per record.
    known: HashMap<u64, Known>,
    hash: RandomState,
    /// Records named as concurrent that have not come yet, and the fault if they never do.
    awaited: HashMap<u64, Vec<Fault>>,
    sound: bool,
}

#[derive(Clone, Copy)]
struct Known {
    number: u64,
    revisit: bool,
    /// Hash of the payload digest.
    payload: Option<u64>,
}

impl Check {
    fn new(path: &Path) -> Check {
        Check {
            report: Report {
                file: path.to_path_buf(),
                records: 0,
                digests: 0,
                faults: Vec::new(),
                fault_count: 0,
                sound_until: 0,
            },
            known: HashMap::new(),
            hash: RandomState::new(),
            awaited: HashMap::new(),
            sound: true,
        }
    }

    fn record<R: Read + Seek>(
        &mut self,
        record: &Record,
        reader: &mut Reader<R>,
    ) -> Result<(), ArchiveError> {
        self.report.records += 1;
        let before = self.report.fault_count;
        let kept_before = self.report.faults.len();
        self.check_fields(record);
        self.check_identity(record);
        let digests = self.check_digests(record, reader);
        match digests.and_then(|()| reader.end_record()) {
            Ok(end) => {
                self.check_member(record, end);
                if self.sound {
                    self.report.sound_until = end.next;
                }
            }
            Err(error) => {
                // Whatever else seemed wrong with the record follows from the damage.
                self.report.faults.truncate(kept_before);
                self.report.fault_count = before;
                self.damaged(Some(record), error)?;
            }
        }
        Ok(())
    }

    fn check_fields(&mut self, record: &Record) {
        if self.report.records == 1 && record.kind() != "warcinfo" {
            self.fault(record, FaultKind::NoWarcinfo);
        }
        for name in ["WARC-Type", "WARC-Record-ID", "WARC-Date"] {
            if record.fields.get(name).is_none_or(str::is_empty) {
                self.fault(record, FaultKind::MissingField(name));
            }
        }
        let for_kind: &[&'static str] = match record.kind() {
            "response" | "request" | "resource" | "conversion" => &["WARC-Target-URI"],
            "revisit" => &["WARC-Target-URI", "WARC-Profile"],
            _ => &[],
        };
        for name in for_kind {
            if record.fields.get(name).is_none() {
                self.fault(record, FaultKind::MissingField(name));
            }
        }
        let date = record.fields.get("WARC-Date").unwrap_or("");
        if !date.is_empty() && !is_date(date) {
            self.bad_field(record, "WARC-Date", date);
        }
        // The grammar of WARC 1.0 could be read so that brackets belong there, and wget does.
        let target = match record.version.as_str() {
            "WARC/1.0" => record.target().unwrap_or(""),
            _ => record.fields.get("WARC-Target-URI").unwrap_or(""),
        };
        if target.starts_with('<') || target.contains(char::is_whitespace) {
            self.bad_field(record, "WARC-Target-URI", target);
        }
    }

    fn check_identity(&mut self, record: &Record) {
        let revisit = record.kind() == "revisit";
        let payload = record.fields.get("WARC-Payload-Digest").map(|text| self.hash.hash_one(text));
        if let Some(id) = record.id() {
            let id = self.hash.hash_one(id);
            let known = Known { number: self.report.records, revisit, payload };
            match self.known.entry(id) {
                Entry::Occupied(earlier) => {
                    let number = earlier.get().number;
                    self.fault(record, FaultKind::RepeatedId(number));
                }
                Entry::Vacant(place) => {
                    place.insert(known);
                }
            }
            self.awaited.remove(&id);
        }
        for target in record.fields.all("WARC-Concurrent-To").map(bare) {
            let id = self.hash.hash_one(target);
            if !self.known.contains_key(&id) {
                let kind =
                    FaultKind::Dangling { field: "WARC-Concurrent-To", target: target.into() };
                let fault = self.fault_of(record, kind);
                self.awaited.entry(id).or_default().push(fault);
            }
        }
        if revisit {
            self.check_original(record, payload);
        }
    }

    /// A revisit may refer to a record of another file; if it is in this one, it must fit.
    fn check_original(&mut self, record: &Record, payload: Option<u64>) {
        let target = record.fields.get("WARC-Refers-To").map(bare);
        let original = target.and_then(|id| self.known.get(&self.hash.hash_one(id))).copied();
        match original {
            Some(original) if original.revisit => {
                self.fault(record, FaultKind::RevisitOfRevisit(original.number));
            }
            Some(original) if payload.is_some() && payload != original.payload => {
                self.fault(record, FaultKind::RevisitDigest(original.number));
            }
            _ => {}
        }
    }

    /// Reads the block once and compares both digests.
    fn check_digests<R: Read + Seek>(
        &mut self,
        record: &Record,
        reader: &mut Reader<R>,
    ) -> Result<(), ArchiveError> {
        let mut block = Claim::of(record, "WARC-Block-Digest");
        // A revisit holds no payload: its digest is that of another record's.
        let claimed = (record.kind() != "revisit").then_some("WARC-Payload-Digest");
        let mut payload = claimed.and_then(|name| Claim::of(record, name));
        let mut framed = None;
        if record.holds_http() {
            let head = reader.http_head()?;
            see(&mut block, &head.raw);
            if head.is_chunked() {
                framed = payload.clone();
            }
        }
        let chunked = framed.is_some();
        let mut body = Teed {
            inner: reader.block(),
            seen: |piece: &[u8]| {
                see(&mut block, piece);
                see(&mut framed, piece);
            },
        };
        let read = if chunked {
            read_all(&mut Dechunked::new(&mut body), |piece| see(&mut payload, piece))
        } else {
            read_all(&mut body, |piece| see(&mut payload, piece))
        };
        let read = read.and_then(|()| read_all(&mut body, |_| {}));
        read.map_err(|cause| reader.failed(cause))?;
        let framing_fits = framed.is_some_and(|claim| claim.compare().is_none());
        if let Some((claimed, found)) = self.compare(block) {
            self.fault(record, FaultKind::BlockDigest { claimed, found });
        }
        if let Some((claimed, found)) = self.compare(payload) {
            let kind = match framing_fits {
                true => FaultKind::DigestOfFraming,
                false => FaultKind::PayloadDigest { claimed, found },
            };
            self.fault(record, kind);
        }
        Ok(())
    }

    fn compare(&mut self, claim: Option<Claim>) -> Option<(String, String)> {
        let claim = claim?;
        self.report.digests += 1;
        claim.compare()
    }

    fn check_member(&mut self, record: &Record, end: RecordEnd) {
        if !end.alone {
            self.fault(record, FaultKind::SharedMember);
        }
    }

    fn bad_field(&mut self, record: &Record, name: &'static str, value: &str) {
        self.fault(record, FaultKind::BadField { name, value: value.to_owned() });
    }

    /// Damage is a fault; anything else ends the check.
    fn damaged(
        &mut self,
        record: Option<&Record>,
        error: ArchiveError,
    ) -> Result<(), ArchiveError> {
        let ArchiveError::Damaged { offset, damage, .. } = error else { return Err(error) };
        let kind = FaultKind::Damaged(damage);
        match record {
            Some(record) => self.fault(record, kind),
            None => {
                let number = self.report.records + 1;
                let fault = Fault { record: number, offset, id: None, record_type: None, kind };
                self.keep(fault);
            }
        }
        Ok(())
    }

    fn fault(&mut self, record: &Record, kind: FaultKind) {
        let fault = self.fault_of(record, kind);
        self.keep(fault);
    }

    fn fault_of(&self, record: &Record, kind: FaultKind) -> Fault {
        Fault {
            record: self.report.records,
            offset: record.offset,
            id: record.id().map(str::to_owned),
            record_type: Some(record.kind().to_owned()),
            kind,
        }
    }

    fn keep(&mut self, fault: Fault) {
        self.sound &= !fault.kind.is_of_bytes();
        self.report.fault_count += 1;
        if self.report.faults.len() < FAULTS_KEPT {
            self.report.faults.push(fault);
        }
    }

    fn finish(mut self) -> Report {
        let mut dangling: Vec<Fault> =
            std::mem::take(&mut self.awaited).into_values().flatten().collect();
        dangling.sort_by_key(|fault| fault.record);
        for fault in dangling {
            self.keep(fault);
        }
        self.report
    }
}

/// A digest that a record claims, and what its bytes give.
#[derive(Clone)]
struct Claim {
    claimed: Digest,
    hasher: Hasher,
}

impl Claim {
    /// `None` if there is no such field, or its algorithm is one we do not know.
    fn of(record: &Record, field: &str) -> Option<Claim> {
        let claimed = Digest::parse(record.fields.get(field)?)?;
        Some(Claim { hasher: Hasher::new(claimed.algorithm), claimed })
    }

    /// Claimed and found, if they differ.
    fn compare(self) -> Option<(String, String)> {
        let found = self.hasher.finish();
        (found != self.claimed).then(|| (self.claimed.to_string(), found.to_string()))
    }
}

fn see(claim: &mut Option<Claim>, piece: &[u8]) {
    if let Some(claim) = claim {
        claim.hasher.update(piece);
    }
}

/// Shows every byte that is consumed.
struct Teed<B, F> {
    inner: B,
    seen: F,
}

impl<B: BufRead, F: FnMut(&[u8])> Read for Teed<B, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<B: BufRead, F: FnMut(&[u8])> BufRead for Teed<B, F> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if let Ok(ahead) = self.inner.fill_buf() {
            (self.seen)(&ahead[..count.min(ahead.len())]);
        }
        self.inner.consume(count);
    }
}

fn read_all(reader: &mut impl Read, mut see: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; COPY_BUFFER];
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(()),
            count => see(&buffer[..count]),
        }
    }
}

/// Whether this is a date as WARC writes it, of any precision.
fn is_date(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"-:.TZ".contains(&byte));
    plain && digits >= 4 && text.starts_with(|c: char| c.is_ascii_digit())
}

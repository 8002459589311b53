//! Lists of hosts that others collected: certificate transparency, CDX files, plain lists.
//!
//! A server elsewhere that nobody links to (case 5) can only come from somebody who has seen it. Such
//! exports are large, so they are read as a stream: memory holds one line or one object and the set
//! of hosts. Each name is brought into one form; what names no host (mail addresses and IP addresses
//! in certificates, for instance) is counted by reason, and the first of each are kept.

mod cdx;
mod certificates;
mod drops;
mod format;
mod json;
mod lines;
mod list;
mod table;

pub use certificates::ImportedCertificate;
pub use drops::{DropReason, Dropped};
pub use format::ImportFormat;

use crate::vhosts::{HostText, WhyNotNamed, read_host};
use auslese_model::HostName;
use certificates::Certificates;
use drops::Drops;
use flate2::bufread::MultiGzDecoder;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

/// Most hosts that are kept of one import; later ones are counted as dropped.
pub(crate) const MAX_HOSTS: usize = 5_000_000;

/// Longest line, record or JSON object, in bytes. Certificates with thousands of names fit.
pub(crate) const MAX_ITEM: usize = 4 * 1024 * 1024;

/// Most bytes that a compressed list may become. Indexes of large archives have some gigabytes.
const MAX_UNPACKED: u64 = 64 << 30;

/// Why a file cannot be imported at all.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("cannot read the list")]
    Io(#[from] io::Error),
    #[error("the list is compressed in a way that is not read; unpack it first")]
    Compressed,
    #[error("the list is longer than {MAX_UNPACKED} bytes when it is unpacked")]
    TooLarge,
}

/// What a list brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Import {
    pub format: ImportFormat,
    /// Sorted, each once (and once more if it also occurs as a wildcard).
    pub hosts: Vec<ImportedHost>,
    /// Which names stand together in one certificate, if it is an export of a log.
    pub certificates: Vec<ImportedCertificate>,
    /// The first few things of each reason that name no host.
    pub reported: Vec<Dropped>,
    /// How many there are of each reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// Lines that were read.
    pub lines: u64,
}

/// A host of the list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ImportedHost {
    pub host: HostName,
    /// It stands for all names below: the list has `*.host`.
    pub wildcard: bool,
    /// The line where it stands first, from 1.
    pub place: u64,
}

/// Reads a list, which may be compressed with gzip; its format is recognised by content if it is not
/// given.
pub fn read_import(source: impl Read, format: Option<ImportFormat>) -> Result<Import, ImportError> {
    let mut source = BufReader::with_capacity(BUFFER, source);
    if !source.fill_buf()?.starts_with(GZIP) {
        return read_plain(&mut source, format);
    }
    let unpacked = MultiGzDecoder::new(source).take(MAX_UNPACKED);
    let mut unpacked = BufReader::with_capacity(BUFFER, unpacked);
    let import = read_plain(&mut unpacked, format)?;
    if unpacked.get_ref().limit() == 0 { Err(ImportError::TooLarge) } else { Ok(import) }
}

fn read_plain(
    source: &mut dyn BufRead,
    format: Option<ImportFormat>,
) -> Result<Import, ImportError> {
    let mut head = Vec::new();
    source.take(HEAD).read_to_end(&mut head)?;
    if head.starts_with(GZIP) || head.starts_with(b"PK\x03\x04") {
        return Err(ImportError::Compressed);
    }
    let format = format.unwrap_or_else(|| ImportFormat::recognise(&head));
    let mut whole = io::Cursor::new(head).chain(source);
    let mut finds = Finds::default();
    let lines = read_as(format, &mut whole, &mut finds)?;
    Ok(finds.into_import(format, lines))
}

/// How a file compressed with gzip begins.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Bytes that are read at once.
const BUFFER: usize = 64 * 1024;

/// Bytes from which the format is recognised.
const HEAD: u64 = 64 * 1024;

fn read_as(format: ImportFormat, source: &mut dyn BufRead, finds: &mut Finds) -> io::Result<u64> {
    match format {
        ImportFormat::Json => json::read(source, finds),
        ImportFormat::Csv => table::read(source, finds),
        ImportFormat::Cdx => cdx::read_cdx(source, finds),
        ImportFormat::Cdxj => cdx::read_cdxj(source, finds),
        ImportFormat::List => list::read(source, finds),
    }
}

/// Hosts while a list is read.
#[derive(Debug, Default)]
struct Finds {
    hosts: BTreeMap<(HostName, bool), u64>,
    certificates: Certificates,
    drops: Drops,
}

impl Finds {
    /// Takes a name, with or without a port, as it stands in a list or a certificate.
    fn name(&mut self, text: &str, line: u64) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if text.contains('@') {
            return self.drops.add(text, line, DropReason::MailAddress);
        }
        let (text, wildcard) = match text.strip_prefix("*.") {
            Some(below) => (below, true),
            None => (text, false),
        };
        match read_host(text) {
            HostText::Name(host) => self.host(host, wildcard, line),
            HostText::Address(_) => self.drops.add(text, line, DropReason::Address),
            HostText::Not(why) => self.drops.add(text, line, why.into()),
        }
    }

    /// Takes a URL, of which only the host matters.
    fn url(&mut self, text: &str, line: u64) {
        match url::Url::parse(text) {
            Ok(url) if !matches!(url.scheme(), "http" | "https" | "ftp") => {
                self.drops.add(text, line, DropReason::NotWeb);
            }
            Ok(url) => match url.host_str() {
                Some(host) => self.name(host, line),
                None => self.drops.add(text, line, DropReason::Unreadable),
            },
            Err(_) => self.drops.add(text, line, DropReason::Unreadable),
        }
    }

    /// Takes names that stand together in one certificate; as hosts they are taken for themselves.
    fn certificate<'a>(&mut self, names: impl Iterator<Item = &'a str>, line: u64) {
        self.certificates.add(names, line);
    }

    fn drop(&mut self, text: &str, line: u64, why: DropReason) {
        self.drops.add(text, line, why);
    }

    fn host(&mut self, host: HostName, wildcard: bool, line: u64) {
        let key = (host, wildcard);
        if self.hosts.contains_key(&key) {
            return;
        }
        if self.hosts.len() >= MAX_HOSTS {
            return self.drops.add(key.0.as_str(), line, DropReason::TooMany);
        }
        self.hosts.insert(key, line);
    }

    fn into_import(self, format: ImportFormat, lines: u64) -> Import {
        let host = |((host, wildcard), place)| ImportedHost { host, wildcard, place };
        let hosts = self.hosts.into_iter().map(host).collect();
        let (reported, dropped) = self.drops.into_parts();
        let certificates = self.certificates.into_list();
        Import { format, hosts, certificates, reported, dropped, lines }
    }
}

impl From<WhyNotNamed> for DropReason {
    fn from(why: WhyNotNamed) -> DropReason {
        match why {
            WhyNotNamed::Wildcard => DropReason::Wildcard,
            WhyNotNamed::Unqualified => DropReason::Unqualified,
            WhyNotNamed::Service => DropReason::Service,
            WhyNotNamed::Empty | WhyNotNamed::Variable | WhyNotNamed::Unreadable => {
                DropReason::Unreadable
            }
        }
    }
}

#[cfg(test)]
mod tests;

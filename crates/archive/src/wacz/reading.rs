//! Reads the packages of strangers: what WARC files are in one, and whether its files are what its description says.

use super::zip::ZipFile;
use super::{ARCHIVE, DESCRIPTION, DESCRIPTION_DIGEST};
use crate::error::{ArchiveError, PackageFault};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Bytes of a description.
pub(crate) const MAX_DESCRIPTION: u64 = 64 << 20;
/// Faults of a package that are told one by one.
const FAULTS_TOLD: usize = 20;

/// A package whose directory and description were read.
#[derive(Debug)]
pub struct Wacz {
    path: PathBuf,
    zip: ZipFile,
    /// What the description says of files, by their paths.
    stated: BTreeMap<String, Stated>,
    faults: PackageFaults,
}

/// Where a package is not what it says, the first few; and how often.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackageFaults {
    pub told: Vec<String>,
    pub count: u64,
}

impl PackageFaults {
    fn note(&mut self, fault: String) {
        self.count += 1;
        if self.told.len() < FAULTS_TOLD {
            self.told.push(fault);
        }
    }
}

/// A WARC file in a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedWarc {
    /// Its path within the package.
    pub path: String,
    pub size: u64,
}

/// A WARC file that was taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackedWarc {
    pub size: u64,
    /// How it differs from what the package says of it.
    pub faults: Vec<String>,
}

#[derive(Debug, Clone)]
struct Stated {
    hash: Option<String>,
    bytes: Option<u64>,
}

/// The parts of a description that are checked; whatever else stands there is of no concern.
#[derive(Debug, Deserialize)]
struct Description {
    #[serde(default)]
    profile: Option<String>,
    #[serde(default)]
    resources: Vec<StatedResource>,
}

#[derive(Debug, Deserialize)]
struct StatedResource {
    #[serde(default)]
    path: Option<String>,
    /// Older tools wrote it as a member of an object `stats`.
    #[serde(default)]
    hash: Option<String>,
    #[serde(default)]
    bytes: Option<u64>,
    #[serde(default)]
    stats: Option<OldStats>,
}

#[derive(Debug, Deserialize)]
struct OldStats {
    #[serde(default)]
    hash: Option<String>,
    #[serde(default)]
    bytes: Option<u64>,
}

impl Wacz {
    /// Whether a file begins as packages do.
    pub fn is_one(path: &Path) -> Result<bool, ArchiveError> {
        ZipFile::is_one(path)
    }

    pub fn open(path: &Path) -> Result<Wacz, ArchiveError> {
        let zip = ZipFile::open(path)?;
        let fault = |fault| ArchiveError::Package { file: path.to_owned(), fault };
        let (text, digest) =
            small(&zip, DESCRIPTION).map_err(ArchiveError::io(path))?.map_err(fault)?;
        let description: Description = serde_json::from_slice(&text)
            .map_err(|error| fault(PackageFault::Description(error.to_string())))?;
        if description.profile.as_deref() == Some("multi-wacz-package") {
            return Err(fault(PackageFault::Collection));
        }
        let mut wacz = Wacz {
            path: path.to_owned(),
            zip,
            stated: stated(description),
            faults: PackageFaults::default(),
        };
        if wacz.zip.entry(DESCRIPTION_DIGEST).is_some() {
            wacz.check_description(&digest)?;
        }
        for path in wacz.stated.keys().filter(|path| wacz.zip.entry(path).is_none()) {
            wacz.faults.note(format!("{path} is missing"));
        }
        Ok(wacz)
    }

    /// The WARC files, in the order of the package.
    pub fn warcs(&self) -> Vec<PackedWarc> {
        let warcs = self.zip.entries.iter().filter(|entry| is_warc(&entry.name));
        warcs.map(|entry| PackedWarc { path: entry.name.clone(), size: entry.size }).collect()
    }

    /// Writes a WARC file to a file of its own, and compares it with what the package says. It is written even if it
    /// differs: what can be read of it is for others to say.
    ///
    /// # Errors
    /// Only if `out` cannot be written, or the package cannot be read.
    pub fn unpack(&self, warc: &PackedWarc, out: &mut dyn Write) -> io::Result<UnpackedWarc> {
        let Some(entry) = self.zip.entry(&warc.path) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let unpacked = self.zip.unpack(entry, out)?;
        let mut faults = Vec::new();
        faults.extend(unpacked.fault);
        if faults.is_empty() {
            faults.extend(self.difference(&warc.path, unpacked.size, &unpacked.sha256));
        }
        let faults = faults.into_iter().map(|fault| format!("{}: {fault}", warc.path)).collect();
        Ok(UnpackedWarc { size: unpacked.size, faults })
    }

    /// Compares all other files with what the description says, and tells what is wrong with the package.
    pub fn check_others(mut self) -> Result<PackageFaults, ArchiveError> {
        for entry in &self.zip.entries {
            let name = entry.name.as_str();
            if is_warc(name) || [DESCRIPTION, DESCRIPTION_DIGEST].contains(&name) {
                continue;
            }
            let unpacked = self.zip.unpack(entry, &mut io::sink());
            let unpacked = unpacked.map_err(ArchiveError::io(&self.path))?;
            let differs = || self.difference(name, unpacked.size, &unpacked.sha256);
            if let Some(fault) = unpacked.fault.clone().or_else(differs) {
                self.faults.note(format!("{name}: {fault}"));
            }
        }
        Ok(self.faults)
    }

    /// How a file differs from what the description says of it.
    fn difference(&self, path: &str, size: u64, sha256: &str) -> Option<String> {
        let Some(stated) = self.stated.get(path) else {
            return Some("the description does not name it".to_owned());
        };
        if let Some(bytes) = stated.bytes.filter(|bytes| *bytes != size) {
            return Some(format!("it has {size} bytes, but the description says {bytes}"));
        }
        match stated.hash.as_deref().map(|hash| hash.split_once(':').unwrap_or(("sha256", hash))) {
            Some(("sha256", hash)) if hash.eq_ignore_ascii_case(sha256) => None,
            Some(("sha256", _)) => Some("its SHA-256 is not that of the description".to_owned()),
            Some(_) => None,
            None => Some("the description has no hash of it".to_owned()),
        }
    }

    fn check_description(&mut self, sha256: &str) -> Result<(), ArchiveError> {
        #[derive(Deserialize)]
        struct Stated {
            hash: String,
        }
        let digest = small(&self.zip, DESCRIPTION_DIGEST).map_err(ArchiveError::io(&self.path))?;
        let stated = digest.ok().and_then(|(text, _)| serde_json::from_slice::<Stated>(&text).ok());
        let hash = stated.as_ref().map(|stated| stated.hash.as_str());
        if hash.and_then(|hash| hash.strip_prefix("sha256:")) != Some(sha256) {
            self.faults
                .note(format!("{DESCRIPTION} is not the one that {DESCRIPTION_DIGEST} names"));
        }
        Ok(())
    }
}

fn is_warc(name: &str) -> bool {
    const ENDINGS: [&str; 4] = [".warc", ".warc.gz", ".arc", ".arc.gz"];
    name.starts_with(ARCHIVE) && ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn stated(description: Description) -> BTreeMap<String, Stated> {
    let resources = description.resources.into_iter().filter_map(|resource| {
        let StatedResource { path, hash, bytes, stats } = resource;
        let (old_hash, old_bytes) = stats.map_or((None, None), |stats| (stats.hash, stats.bytes));
        Some((path?, Stated { hash: hash.or(old_hash), bytes: bytes.or(old_bytes) }))
    });
    resources.collect()
}

/// A file that is read into memory, and its SHA-256.
fn small(zip: &ZipFile, name: &str) -> io::Result<Result<(Vec<u8>, String), PackageFault>> {
    let Some(entry) = zip.entry(name) else { return Ok(Err(PackageFault::NoDescription)) };
    let refused = |why| Ok(Err(PackageFault::Entry { name: name.to_owned(), why }));
    if entry.size > MAX_DESCRIPTION {
        return refused("it is too long");
    }
    let mut bytes = Vec::new();
    let unpacked = zip.unpack(entry, &mut bytes)?;
    match unpacked.fault {
        Some(_) => refused("it cannot be unpacked"),
        None => Ok(Ok((bytes, unpacked.sha256))),
    }
}

//! What can go wrong with archive files, grouped by what the caller can do about it.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Pause and try again when there is room: nothing was half written.
    #[error("no room left to write {file}")]
    DiskFull {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    /// Pause and try again when the disk can be written.
    #[error("{file} lies on a disk that cannot be written")]
    ReadOnly {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("cannot read or write {file}")]
    Io {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("{file} is missing, but the catalog counts on {committed} bytes of it")]
    Missing { file: PathBuf, committed: u64 },
    #[error("{file} has {found} bytes, but the catalog counts on {committed}")]
    Short { file: PathBuf, found: u64, committed: u64 },
    /// The catalog is probably an older copy: cutting the file would destroy what is archived.
    #[error("{file} has {found} bytes, but the catalog knows only {committed} of them")]
    Longer { file: PathBuf, found: u64, committed: u64 },
    /// What could not be read is not therefore damaged: nothing that was found meanwhile counts.
    #[error("the store of the archive cannot be read: {why}")]
    OutOfReach { why: String },
    #[error("{file} is damaged at byte {offset}: {damage}")]
    Damaged { file: PathBuf, offset: u64, damage: Damage },
    #[error("{file} is no package that can be trusted: {fault}")]
    Package { file: PathBuf, fault: PackageFault },
    #[error("{setting} = {value:?} cannot be part of a file name")]
    Setting { setting: &'static str, value: String },
}

/// How the bytes of a WARC file fail to be a sequence of records.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("the gzip data is broken ({0})")]
    Gzip(String),
    #[error("neither a gzip member nor a WARC record begins here")]
    NotARecord,
    #[error("the record header is longer than {0} bytes")]
    LongHeader(usize),
    #[error("the record header ends too early")]
    CutHeader,
    #[error("the record header has no readable Content-Length")]
    NoLength,
    #[error("{missing} bytes of the block are missing")]
    CutBlock { missing: u64 },
    #[error("the record does not end with two line ends")]
    NoSeparator,
    #[error("the record shares its compression with others, so that nothing can point to it")]
    Shared,
    #[error("no ARC record begins here")]
    NotAnArcRecord,
}

/// How a zip file of a stranger fails to be one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PackageFault {
    #[error("it has no zip directory at its end")]
    NoDirectory,
    #[error("its zip directory is wrong: {0}")]
    Directory(&'static str),
    #[error("it has {0} entries")]
    ManyEntries(u64),
    #[error("its zip directory has {0} bytes")]
    LongDirectory(u64),
    #[error("{name}: {why}")]
    Entry { name: String, why: &'static str },
    #[error("there is no datapackage.json in it")]
    NoDescription,
    #[error("its datapackage.json cannot be read: {0}")]
    Description(String),
    #[error("it is a collection of other packages, which must be imported one by one")]
    Collection,
}

impl ArchiveError {
    /// Whether the same call may succeed once somebody has made room.
    pub fn can_wait(&self) -> bool {
        matches!(self, ArchiveError::DiskFull { .. } | ArchiveError::ReadOnly { .. })
    }

    pub(crate) fn io(file: impl AsRef<Path>) -> impl FnOnce(io::Error) -> ArchiveError {
        move |cause| {
            let file = file.as_ref().to_path_buf();
            match cause.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    ArchiveError::DiskFull { file, cause }
                }
                io::ErrorKind::ReadOnlyFilesystem => ArchiveError::ReadOnly { file, cause },
                _ => ArchiveError::Io { file, cause },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_whether_waiting_helps() {
        const ENOSPC: i32 = 28;
        const EDQUOT: i32 = 122;
        const EROFS: i32 = 30;
        const EIO: i32 = 5;
        for (code, waits) in [(ENOSPC, true), (EDQUOT, true), (EROFS, true), (EIO, false)] {
            let error = ArchiveError::io("a.warc.gz")(io::Error::from_raw_os_error(code));
            assert_eq!(error.can_wait(), waits, "{error:?}");
        }
    }
}

//! Opens files that the command line names.
//!
//! A file that is not there is a mistake of the command line, whichever command it was given to. And
//! devices are refused, because some of them never end.

use crate::messages::{Exit, Failure};
use anyhow::{Context, anyhow};
use std::fs::{File, FileType};
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// Most bytes of a table or list that is read as a whole.
const LARGEST_TABLE: u64 = 256 << 20;

/// Opens a file or a pipe for reading.
pub(crate) fn open(file: &Path) -> Result<File, Failure> {
    let cannot_read = || format!("cannot read {}", file.display());
    let usage = |error: anyhow::Error| Failure::new(Exit::Usage, error);
    // Asked before opening: opening some devices has effects.
    let metadata = file.metadata().with_context(cannot_read).map_err(usage)?;
    if let Some(kind) = unreadable(metadata.file_type()) {
        return Err(usage(anyhow!("it is a {kind}").context(cannot_read())));
    }
    File::open(file).with_context(cannot_read).map_err(usage)
}

/// Reads a table or list as a whole.
pub(crate) fn read_table(file: &Path) -> Result<Vec<u8>, Failure> {
    let cannot_read = || format!("cannot read {}", file.display());
    let mut bytes = Vec::new();
    open(file)?.take(LARGEST_TABLE + 1).read_to_end(&mut bytes).with_context(cannot_read)?;
    if bytes.len() as u64 > LARGEST_TABLE {
        let error = anyhow!("the file is too large for a table").context(cannot_read());
        return Err(Failure::new(Exit::Usage, error));
    }
    Ok(bytes)
}

/// What a thing is called that is no file to be read.
fn unreadable(kind: FileType) -> Option<&'static str> {
    match kind {
        kind if kind.is_dir() => Some("directory"),
        kind if kind.is_char_device() || kind.is_block_device() => Some("device"),
        kind if kind.is_socket() => Some("socket"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("table.csv");
        std::fs::write(&file, "host").unwrap();
        assert_eq!(read_table(&file).unwrap(), b"host");
        #[rustfmt::skip]
        let cases = [
            (dir.path().to_owned(),       "it is a directory"),
            ("/dev/zero".into(),          "it is a device"),
            (dir.path().join("missing"),  "No such file"),
        ];
        for (file, cause) in cases {
            let failure = read_table(&file).unwrap_err();
            assert_eq!(failure.exit, Exit::Usage, "{}", file.display());
            assert!(failure.to_string().contains(cause), "{failure}");
        }
    }
}

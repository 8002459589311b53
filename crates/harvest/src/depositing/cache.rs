//! The copies of stored files that stay in the folder, so that what is read often need not be fetched.

use auslese_catalog::WarcFile;
use auslese_depot::DepotError;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Removes copies of stored files, those first that nobody has read for longest, until the rest is small enough. Files
/// that are not stored, or not as long as what was stored, stay.
pub(super) fn make_room(archive: &Path, files: &[WarcFile], limit: u64) -> Result<(), DepotError> {
    let mut copies: Vec<(SystemTime, u64, PathBuf)> = files
        .iter()
        .filter(|file| file.stored_at.is_some() && file.progress.closed)
        .filter_map(|file| {
            let path = archive.join(&file.progress.file);
            let found = fs::metadata(&path).ok()?;
            (found.len() == file.progress.length).then(|| (used(&found), found.len(), path))
        })
        .collect();
    copies.sort_unstable();
    let mut bytes: u64 = copies.iter().map(|(_, length, _)| length).sum();
    for (_, length, path) in copies {
        if bytes <= limit {
            break;
        }
        match fs::remove_file(&path) {
            // Uploads end side by side, and each makes room.
            Err(cause) if cause.kind() != ErrorKind::NotFound => {
                return Err(DepotError::File { file: path, cause });
            }
            _ => bytes -= length,
        }
    }
    Ok(())
}

/// When a file was last written or read. File systems may note reading late or never; then its age counts.
fn used(metadata: &Metadata) -> SystemTime {
    let written = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    metadata.accessed().map_or(written, |read| read.max(written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::{Timestamp, WarcProgress};
    use std::fs::{File, FileTimes};
    use std::time::Duration;

    #[test]
    fn what_was_read_last_stays() {
        let dir = tempfile::tempdir().unwrap();
        #[rustfmt::skip]
        let files = [
            // name   bytes on disk and in the catalog   stored   read at   stays
            ("a",     10, 10,                            true,    100,      false),
            ("b",     10, 10,                            true,    300,      true),
            ("c",     10, 10,                            true,    200,      true),
            ("d",     10, 10,                            false,   1,        true), // not stored
            ("e",     12, 10,                            true,    2,        true), // something else
        ];
        let mut known = Vec::new();
        for (name, length, committed, stored, read, _) in files {
            let file = File::create(dir.path().join(name)).unwrap();
            file.set_len(length).unwrap();
            let at = SystemTime::UNIX_EPOCH + Duration::from_secs(read);
            file.set_times(FileTimes::new().set_accessed(at).set_modified(at)).unwrap();
            let file = name.to_owned();
            known.push(WarcFile {
                progress: WarcProgress { file, length: committed, records: 1, closed: true },
                worker: None,
                stored_at: stored.then_some(Timestamp(1)),
                sha256: None,
            });
        }
        make_room(dir.path(), &known, 25).unwrap();
        for (name, .., stays) in files {
            assert_eq!(dir.path().join(name).exists(), stays, "{name}");
        }
        make_room(dir.path(), &known, 0).unwrap();
        let left = ["a", "b", "c", "d", "e"].map(|name| dir.path().join(name).exists());
        assert_eq!(left, [false, false, false, true, true]);
    }
}

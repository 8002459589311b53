//! Brings an archive directory back to what the catalog has committed.
//!
//! After a kill, open files may be longer than committed, may still carry `.open` although they
//! were committed as closed, or may not be known to the catalog at all. All three are repaired
//! here; what is not known is set aside, never deleted. A committed file that is missing or too
//! short cannot come from a kill of ours, nor can one that is longer than a window explains: the
//! catalog may be an older copy. Both are refused before anything is changed.

use crate::error::{ArchiveError, Damage};
use crate::reader::Reader;
use crate::record::warcinfo_block;
use crate::settings::ArchiveSettings;
use crate::writer::{FILE_SUFFIX, OPEN_SUFFIX, close_name, open_path};
use auslese_model::WarcProgress;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Where open files go that the catalog does not know.
const UNCOMMITTED: &str = "uncommitted";

/// More records than this are never left behind by one window: it holds some hundred exchanges of
/// three records each.
const WINDOW_RECORDS: usize = 4_000;

/// What a writer goes on from.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) current: Option<Continued>,
    /// Files that grow no more, but are not committed as closed yet.
    pub(crate) finished: Vec<WarcProgress>,
}

/// A file that is written further.
#[derive(Debug)]
pub(crate) struct Continued {
    pub(crate) progress: WarcProgress,
    pub(crate) file: File,
    pub(crate) warcinfo_id: String,
}

pub(crate) fn recover(
    dir: &Path,
    settings: &ArchiveSettings,
    committed: &[WarcProgress],
) -> Result<Recovered, ArchiveError> {
    let mut growing = Vec::new();
    let mut finished = Vec::new();
    for progress in committed {
        refuse_longer(dir, progress)?;
    }
    for progress in committed {
        match restore(dir, progress)? {
            Restored::Closed if progress.closed => {}
            Restored::Closed => finished.push(WarcProgress { closed: true, ..progress.clone() }),
            Restored::Open(file) => growing.push((progress.clone(), file)),
        }
    }
    set_unknown_aside(dir, settings, committed)?;
    // Normally there is one at most. The youngest is continued; names sort by time.
    growing.sort_by(|(one, _), (other, _)| one.file.cmp(&other.file));
    let mut current = None;
    if let Some((progress, file)) = growing.pop() {
        let (warcinfo_id, block) = read_warcinfo(&open_path(dir, &progress.file))?;
        if block == warcinfo_block(&settings.description) {
            current = Some(Continued { progress, file, warcinfo_id });
        } else {
            // The file's description would not be true of what is written from now on.
            growing.push((progress, file));
        }
    }
    let full = growing.into_iter().map(|(progress, _)| WarcProgress { closed: true, ..progress });
    finished.extend(full);
    Ok(Recovered { current, finished })
}

enum Restored {
    Closed,
    Open(File),
}

/// Gives a committed file its committed length and name.
fn restore(dir: &Path, progress: &WarcProgress) -> Result<Restored, ArchiveError> {
    let open = open_path(dir, &progress.file);
    if open.try_exists().map_err(ArchiveError::io(&open))? {
        let file = cut(&open, progress.length)?;
        if !progress.closed {
            return Ok(Restored::Open(file));
        }
        close_name(dir, &progress.file)?;
        return Ok(Restored::Closed);
    }
    // One that is not committed as closed got its name before the catalog knew.
    let closed = dir.join(&progress.file);
    let found = fs::metadata(&closed).map_err(missing(&closed, progress.length))?.len();
    if found < progress.length {
        return Err(ArchiveError::Short { file: closed, found, committed: progress.length });
    }
    Ok(Restored::Closed)
}

/// Refuses files that hold much more than the catalog knows.
fn refuse_longer(dir: &Path, progress: &WarcProgress) -> Result<(), ArchiveError> {
    let open = open_path(dir, &progress.file);
    let (path, is_open) = match open.try_exists().map_err(ArchiveError::io(&open))? {
        true => (open, true),
        false => (dir.join(&progress.file), false),
    };
    let committed = progress.length;
    let found = match fs::metadata(&path) {
        Ok(metadata) => metadata.len(),
        Err(cause) => return Err(missing(&path, committed)(cause)),
    };
    if found <= committed || (is_open && is_one_window(&path, committed)?) {
        return Ok(());
    }
    Err(ArchiveError::Longer { file: path, found, committed })
}

/// Whether no more lies behind the committed records than one window leaves there.
fn is_one_window(path: &Path, committed: u64) -> Result<bool, ArchiveError> {
    let mut reader = Reader::open_at(path, committed)?;
    for _ in 0..=WINDOW_RECORDS {
        // What follows the last whole record of a torn write is damage, and no record.
        let Ok(Some(_)) = reader.next_record() else { return Ok(true) };
        if reader.end_record().is_err() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Opens a file and cuts it to a length that it must have at least.
fn cut(path: &Path, committed: u64) -> Result<File, ArchiveError> {
    let file = File::options().read(true).write(true).open(path);
    let file = file.map_err(missing(path, committed))?;
    let found = file.metadata().map_err(ArchiveError::io(path))?.len();
    if found < committed {
        return Err(ArchiveError::Short { file: path.to_path_buf(), found, committed });
    }
    if found > committed {
        file.set_len(committed).map_err(ArchiveError::io(path))?;
    }
    Ok(file)
}

fn missing(path: &Path, committed: u64) -> impl FnOnce(io::Error) -> ArchiveError {
    move |cause| match cause.kind() {
        io::ErrorKind::NotFound => ArchiveError::Missing { file: path.to_path_buf(), committed },
        _ => ArchiveError::io(path)(cause),
    }
}

/// Sets open files of this worker aside that the catalog does not know: nothing refers to them, but
/// if the catalog is an older copy they hold what it has lost.
fn set_unknown_aside(
    dir: &Path,
    settings: &ArchiveSettings,
    committed: &[WarcProgress],
) -> Result<(), ArchiveError> {
    let known: HashSet<&str> = committed.iter().map(|progress| progress.file.as_str()).collect();
    for entry in fs::read_dir(dir).map_err(ArchiveError::io(dir))? {
        let entry = entry.map_err(ArchiveError::io(dir))?;
        let name = entry.file_name();
        let Some(file) = name.to_str().and_then(|name| name.strip_suffix(OPEN_SUFFIX)) else {
            continue;
        };
        if is_of_worker(file, &settings.worker) && !known.contains(file) {
            let aside = dir.join(UNCOMMITTED);
            fs::create_dir_all(&aside).map_err(ArchiveError::io(&aside))?;
            fs::rename(entry.path(), aside.join(&name)).map_err(ArchiveError::io(entry.path()))?;
        }
    }
    Ok(())
}

/// Whether a file name is one this worker gives: `…-TIME-SERIAL-WORKER.warc.gz`. Time and serial
/// are looked at too, because another worker's name may end like this one's.
fn is_of_worker(file: &str, worker: &str) -> bool {
    let numbers = file
        .strip_suffix(FILE_SUFFIX)
        .and_then(|name| name.strip_suffix(worker))
        .and_then(|name| name.strip_suffix('-'))
        .and_then(|name| name.rsplit_once('-'));
    let Some((rest, serial)) = numbers else { return false };
    let time = rest.rsplit('-').next().unwrap_or(rest);
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    time.len() == 14 && digits(time) && serial.len() >= 5 && digits(serial)
}

/// Id and block of the warcinfo record at the beginning of a file.
fn read_warcinfo(path: &Path) -> Result<(String, Vec<u8>), ArchiveError> {
    /// Ours are far shorter.
    const BLOCK_LIMIT: u64 = 64 * 1024;
    let mut reader = Reader::open(path)?;
    let record = reader.next_record()?.filter(|record| record.kind() == "warcinfo");
    let id = record.as_ref().and_then(|record| record.id()).map(str::to_owned);
    let id = id.ok_or_else(|| ArchiveError::Damaged {
        file: path.to_path_buf(),
        offset: 0,
        damage: Damage::NotARecord,
    })?;
    let mut block = Vec::new();
    let read = reader.block().take(BLOCK_LIMIT).read_to_end(&mut block);
    read.map_err(|cause| reader.failed(cause))?;
    reader.end_record()?;
    Ok((id, block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_of_a_worker() {
        #[rustfmt::skip]
        let cases = [
            ("uni-20261115214000-00001-main.warc.gz",       true),
            ("a-b-20261115214000-123456-main.warc.gz",      true),
            ("uni-20261115214000-00001-x-main.warc.gz",     false),
            ("uni-20261115214000-00001-12345-main.warc.gz", false),
            ("uni-20261115214000-00001-other.warc.gz",      false),
            ("foreign.warc.gz",                             false),
            ("-main.warc.gz",                               false),
        ];
        for (name, expected) in cases {
            assert_eq!(is_of_worker(name, "main"), expected, "{name}");
        }
    }
}

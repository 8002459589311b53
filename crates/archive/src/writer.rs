//! Appends encoded records to WARC files and keeps the files in step with the catalog.
//!
//! A file is called `NAME.warc.gz.open` while it is written. The catalog commits how long it is;
//! bytes beyond that do not count and are cut off at the next start ([`crate::recover`]). A full
//! file is renamed only after the catalog knows that it is closed, so the catalog never waits for
//! a file under the wrong name. What cannot be written whole is taken back at once: a full disk
//! leaves whole records, and the same call may be repeated later.

use crate::encode::{Encoded, encode_warcinfo};
use crate::error::ArchiveError;
use crate::gzip::{Member, Opening};
use crate::record::{VERSION, new_id, warcinfo_block};
use crate::recover::{self, Continued};
use crate::settings::ArchiveSettings;
use auslese_model::{Place, Timestamp, WarcProgress};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// What a file's name ends in while it is written.
pub(crate) const OPEN_SUFFIX: &str = ".open";
/// What every file's name ends in.
pub(crate) const FILE_SUFFIX: &str = ".warc.gz";

/// The path of an archive file, which may still be open.
pub fn path_of(dir: &Path, file: &str) -> PathBuf {
    let closed = dir.join(file);
    if closed.exists() { closed } else { open_path(dir, file) }
}

pub(crate) fn open_path(dir: &Path, file: &str) -> PathBuf {
    dir.join(format!("{file}{OPEN_SUFFIX}"))
}

/// The one writer of a worker's files in a directory.
///
/// The order of one commit window: [`append`](Writer::append) …, [`sync`](Writer::sync),
/// [`progress`](Writer::progress) into the transaction, the transaction,
/// [`committed`](Writer::committed).
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    settings: ArchiveSettings,
    current: Option<OpenFile>,
    finished: Vec<Finished>,
    serial: u32,
    /// Names that are not given again: the catalog knows them, and their files may lie elsewhere by now.
    taken: HashSet<String>,
}

/// The file that grows.
#[derive(Debug)]
struct OpenFile {
    name: String,
    path: PathBuf,
    file: File,
    /// Of whole records.
    length: u64,
    records: u64,
    opening: Opening,
    /// There may be bytes behind `length` that could not be cut off yet.
    ragged: bool,
    unsynced: bool,
    /// Memory in which pieces are joined before they are written; empty in between.
    joined: Vec<u8>,
}

/// A file that grows no more and waits for its commit and its final name.
#[derive(Debug)]
struct Finished {
    progress: WarcProgress,
    unsynced: Option<File>,
    /// [`Writer::progress`] has named it as closed.
    told: bool,
    /// It was still growing after the last commit.
    begun: bool,
}

/// A state of the archive, see [`Writer::mark`].
#[derive(Debug, Clone)]
pub struct WriterMark {
    current: Option<WarcProgress>,
}

impl Writer {
    /// Brings the directory into the state the catalog knows and goes on from there.
    ///
    /// `committed` holds the progress of all files of this worker. Files are cut to their
    /// committed length, pending renames are done, open files of this worker that were never
    /// committed are set aside in the folder `uncommitted`.
    ///
    /// # Errors
    /// Refuses to start if a committed file is missing or too short: then data was lost outside
    /// of our control, and somebody should know before more is written.
    pub fn open(
        dir: &Path,
        settings: ArchiveSettings,
        committed: &[WarcProgress],
    ) -> Result<Writer, ArchiveError> {
        check_name("prefix", &settings.prefix)?;
        check_name("worker", &settings.worker)?;
        fs::create_dir_all(dir).map_err(ArchiveError::io(dir))?;
        let recovered = recover::recover(dir, &settings, committed)?;
        let finished = recovered.finished.into_iter();
        Ok(Writer {
            dir: dir.to_path_buf(),
            settings,
            current: recovered.current.map(|from| OpenFile::continued(dir, from)),
            finished: finished
                .map(|progress| Finished { progress, unsynced: None, told: false, begun: false })
                .collect(),
            serial: 0,
            taken: committed.iter().map(|progress| progress.file.clone()).collect(),
        })
    }

    /// Gives none of these names to a new file: files of these names lie elsewhere.
    pub fn reserve_names(&mut self, names: impl IntoIterator<Item = String>) {
        self.taken.extend(names);
    }

    /// Appends all records of an exchange, or none of them, and tells where the first one is.
    ///
    /// # Errors
    /// After an error the file ends with the last whole exchange; see
    /// [`ArchiveError::can_wait`] for whether to try again.
    pub fn append(&mut self, encoded: &Encoded) -> Result<Place, ArchiveError> {
        let current = self.room_for(encoded)?;
        let offset = current.length;
        let length = current.append(&encoded.members)?;
        let record_id = encoded.record_id().to_owned();
        Ok(Place { file: current.name.clone(), offset, length, record_id })
    }

    /// Waits until the disk has everything appended so far, if the settings ask for it.
    pub fn sync(&mut self) -> Result<(), ArchiveError> {
        if !self.settings.fsync {
            return Ok(());
        }
        for finished in &mut self.finished {
            if let Some(file) = &finished.unsynced {
                let path = open_path(&self.dir, &finished.progress.file);
                file.sync_data().map_err(ArchiveError::io(path))?;
                finished.unsynced = None;
            }
        }
        if let Some(current) = self.current.as_mut().filter(|current| current.unsynced) {
            current.file.sync_data().map_err(ArchiveError::io(&current.path))?;
            current.unsynced = false;
        }
        Ok(())
    }

    /// How far each file is, for the transaction; files whose closing is committed already are
    /// not named again.
    pub fn progress(&mut self) -> Vec<WarcProgress> {
        let finished = self.finished.iter_mut().map(|finished| {
            finished.told = true;
            finished.progress.clone()
        });
        finished.chain(self.current.iter().map(OpenFile::progress)).collect()
    }

    /// To be called after the transaction that holds the last [`progress`](Writer::progress):
    /// gives files that were named as closed their final name. Repeat it after an error.
    pub fn committed(&mut self) -> Result<(), ArchiveError> {
        self.finished.iter_mut().for_each(|finished| finished.begun = false);
        let told = self.finished.iter().any(|finished| finished.told);
        while let Some(index) = self.finished.iter().position(|finished| finished.told) {
            close_name(&self.dir, &self.finished[index].progress.file)?;
            self.finished.remove(index);
        }
        if told { self.sync_dir() } else { Ok(()) }
    }

    /// Where the archive stands now, to come back to.
    pub fn mark(&self) -> WriterMark {
        WriterMark { current: self.current.as_ref().map(OpenFile::progress) }
    }

    /// Takes back everything that was appended since a mark, as long as nothing of it was committed:
    /// files are cut, and files that were begun since are removed. Repeat it after an error.
    pub fn rewind(&mut self, mark: &WriterMark) -> Result<(), ArchiveError> {
        let is_marked =
            |name: &str| mark.current.as_ref().is_some_and(|marked| marked.file == name);
        if let Some(current) = &mut self.current {
            match &mark.current {
                Some(marked) if marked.file == current.name => {
                    (current.length, current.records) = (marked.length, marked.records);
                    current.ragged = true;
                    current.cut()?;
                }
                _ => {
                    remove_begun(&current.path)?;
                    self.current = None;
                }
            }
        }
        while let Some(index) = self.finished.iter().position(|finished| finished.begun) {
            let name = &self.finished[index].progress.file;
            if is_marked(name) {
                let marked = mark.current.as_ref().expect("a file was marked");
                let path = open_path(&self.dir, name);
                let file = File::options().write(true).open(&path);
                file.and_then(|file| file.set_len(marked.length))
                    .map_err(ArchiveError::io(path))?;
                let finished = &mut self.finished[index];
                finished.progress = WarcProgress { closed: true, ..marked.clone() };
                finished.begun = false;
            } else {
                remove_begun(&open_path(&self.dir, name))?;
                self.finished.remove(index);
            }
        }
        Ok(())
    }

    /// Closes the current file: the next [`progress`](Writer::progress) says so, and the next
    /// append begins another one.
    pub fn finish(&mut self) -> Result<(), ArchiveError> {
        if let Some(current) = &mut self.current {
            current.cut()?;
        }
        self.finished.extend(self.current.take().map(OpenFile::finish));
        Ok(())
    }

    /// Closes and renames all files at once, for archives without a catalog. With one, a file that
    /// the catalog has never heard of must not get its final name, so a crawl ends otherwise:
    /// [`finish`](Writer::finish), and then a last commit window.
    pub fn close(mut self) -> Result<Vec<WarcProgress>, ArchiveError> {
        self.finish()?;
        self.sync()?;
        let progress = self.progress();
        self.committed()?;
        Ok(progress)
    }

    /// A file with room for this exchange: the current one, or a new one.
    fn room_for(&mut self, encoded: &Encoded) -> Result<&mut OpenFile, ArchiveError> {
        let full = self.current.as_ref().is_some_and(|current| {
            // A file that holds nothing but its warcinfo record takes any exchange.
            let length = current.length.saturating_add(encoded.length(&current.opening));
            current.records > 1 && length > self.settings.rotate_at
        });
        if full {
            self.finish()?;
        }
        let current = match self.current.take() {
            Some(current) => current,
            None => self.create()?,
        };
        Ok(self.current.insert(current))
    }

    fn create(&mut self) -> Result<OpenFile, ArchiveError> {
        let at = Timestamp::now();
        let (name, file) = self.create_file(at)?;
        let path = open_path(&self.dir, &name);
        let id = new_id().map_err(ArchiveError::io(&path))?;
        let block = warcinfo_block(&self.settings.description);
        let warcinfo = encode_warcinfo(&id, &name, &block, at, &self.settings)?;
        let mut open = OpenFile {
            name,
            path,
            file,
            length: 0,
            records: 0,
            opening: Opening::new(&format!("{VERSION}\r\n")),
            ragged: false,
            unsynced: true,
            joined: Vec::new(),
        };
        if let Err(error) = open.append(&[warcinfo]) {
            // An empty file would be of no use; if it cannot be removed, the next start does it.
            let _ = fs::remove_file(&open.path);
            return Err(error);
        }
        open.opening = opening_for(&id);
        self.sync_dir()?;
        Ok(open)
    }

    /// Names are unique: the time and the serial number tell files of one worker apart, the
    /// worker's name those of several.
    fn create_file(&mut self, at: Timestamp) -> Result<(String, File), ArchiveError> {
        let ArchiveSettings { prefix, worker, .. } = &self.settings;
        let time = at.digits14();
        loop {
            let name = format!("{prefix}-{time}-{:05}-{worker}{FILE_SUFFIX}", self.serial);
            self.serial = self.serial.wrapping_add(1);
            let path = open_path(&self.dir, &name);
            if self.taken.contains(&name) || self.dir.join(&name).exists() {
                continue;
            }
            match File::options().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((name, file)),
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
                Err(cause) => return Err(ArchiveError::io(path)(cause)),
            }
        }
    }

    /// Makes new names last through a power cut.
    fn sync_dir(&self) -> Result<(), ArchiveError> {
        if !self.settings.fsync {
            return Ok(());
        }
        File::open(&self.dir).and_then(|dir| dir.sync_all()).map_err(ArchiveError::io(&self.dir))
    }
}

/// Removes a file that the catalog has never heard of.
fn remove_begun(path: &Path) -> Result<(), ArchiveError> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(ArchiveError::io(path)(cause)),
        _ => Ok(()),
    }
}

/// Gives a file its final name.
pub(crate) fn close_name(dir: &Path, name: &str) -> Result<(), ArchiveError> {
    let open = open_path(dir, name);
    if !open.exists() && dir.join(name).exists() {
        return Ok(());
    }
    fs::rename(&open, dir.join(name)).map_err(ArchiveError::io(open))
}

/// What the records of a file begin with: they name its warcinfo record.
fn opening_for(warcinfo_id: &str) -> Opening {
    Opening::new(&format!("{VERSION}\r\nWARC-Warcinfo-ID: <{warcinfo_id}>\r\n"))
}

/// Parts of a file name must not lead elsewhere or end the name.
fn check_name(setting: &'static str, value: &str) -> Result<(), ArchiveError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if value.is_empty() || value.starts_with('.') || value.len() > 100 || !value.chars().all(plain)
    {
        return Err(ArchiveError::Setting { setting, value: value.to_owned() });
    }
    Ok(())
}

impl OpenFile {
    fn continued(dir: &Path, from: Continued) -> OpenFile {
        OpenFile {
            path: open_path(dir, &from.progress.file),
            name: from.progress.file,
            file: from.file,
            length: from.progress.length,
            records: from.progress.records,
            opening: opening_for(&from.warcinfo_id),
            ragged: false,
            unsynced: false,
            joined: Vec::new(),
        }
    }

    /// Writes all members, or takes back what was written. Gives the length of the first.
    fn append(&mut self, members: &[Member]) -> Result<u64, ArchiveError> {
        self.cut()?;
        let pending = std::mem::take(&mut self.joined);
        let mut sink = Sink { file: &self.file, position: self.length, pending };
        let written = members
            .iter()
            .try_for_each(|member| member.write(&self.opening, &mut sink))
            .and_then(|()| sink.flush());
        let end = sink.position;
        self.joined = sink.pending;
        self.joined.clear();
        if let Err(error) = written {
            self.ragged = true;
            // If this fails too, the next append or start cuts.
            let _ = self.cut();
            return Err(ArchiveError::io(&self.path)(error));
        }
        self.length = end;
        self.records += members.len() as u64;
        self.unsynced = true;
        Ok(members.first().map_or(0, |member| member.length(&self.opening)))
    }

    /// Cuts off what an earlier error may have left behind.
    fn cut(&mut self) -> Result<(), ArchiveError> {
        if self.ragged {
            self.file.set_len(self.length).map_err(ArchiveError::io(&self.path))?;
            self.ragged = false;
        }
        Ok(())
    }

    fn progress(&self) -> WarcProgress {
        WarcProgress {
            file: self.name.clone(),
            length: self.length,
            records: self.records,
            closed: false,
        }
    }

    fn finish(self) -> Finished {
        let progress = WarcProgress { closed: true, ..self.progress() };
        let unsynced = self.unsynced.then_some(self.file);
        Finished { progress, unsynced, told: false, begun: true }
    }
}

/// Writes at a position, in few large pieces.
struct Sink<'a> {
    file: &'a File,
    position: u64,
    pending: Vec<u8>,
}

/// Pieces are joined up to this size.
const SINK_BUFFER: usize = 256 * 1024;

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.pending.len() + bytes.len() > SINK_BUFFER {
            self.flush()?;
        }
        if bytes.len() >= SINK_BUFFER {
            self.file.write_all_at(bytes, self.position)?;
            self.position += bytes.len() as u64;
        } else {
            self.pending.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all_at(&self.pending, self.position)?;
        self.position += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gzip::Pieces;
    use auslese_model::Body;
    use std::sync::Arc;

    fn open_file(file: File) -> OpenFile {
        OpenFile {
            name: "a.warc.gz".into(),
            path: "a.warc.gz.open".into(),
            file,
            length: 0,
            records: 0,
            opening: opening_for("urn:uuid:0"),
            ragged: false,
            unsynced: false,
            joined: Vec::new(),
        }
    }

    fn member(body: &Body) -> Member {
        let pieces = Pieces { head: b"head".to_vec(), body: Some(body), tail: b"" };
        Member::compress(pieces, 0, &std::env::temp_dir()).unwrap()
    }

    #[test]
    fn a_full_disk_is_told_and_can_be_waited_for() {
        let small = member(&Body::Memory(b"text".to_vec()));
        let mut open = open_file(File::options().write(true).open("/dev/full").unwrap());
        let error = open.append(&[small]).unwrap_err();
        assert!(matches!(error, ArchiveError::DiskFull { .. }), "{error}");
        assert_eq!((open.length, open.records, open.ragged), (0, 0, true));
        // The disk has room again, but still the beginning of what did not fit.
        open.file = tempfile::tempfile().unwrap();
        open.file.write_all_at(b"torn", 0).unwrap();
        let small = member(&Body::Memory(b"text".to_vec()));
        let length = open.append(&[small]).unwrap();
        assert_eq!(open.file.metadata().unwrap().len(), length);
    }

    #[test]
    fn a_failure_in_the_middle_leaves_whole_exchanges() {
        let mut open = open_file(tempfile::tempfile().unwrap());
        open.append(&[member(&Body::Memory(b"first".to_vec()))]).unwrap();
        let length = open.length;
        // A member whose file lost its end while it waited: most of it is written before that
        // shows.
        let large = Member::compress(
            Pieces { head: Vec::new(), body: Some(&Body::Memory(vec![1; 3_000_000])), tail: b"" },
            0,
            &std::env::temp_dir(),
        )
        .unwrap();
        let Body::Spilled { file, .. } = large.deflated() else { panic!("a large member") };
        Arc::clone(file).set_len(2_000_000).unwrap();
        let error = open.append(&[large]).unwrap_err();
        assert!(matches!(error, ArchiveError::Io { .. }), "{error}");
        assert_eq!(open.file.metadata().unwrap().len(), length);
        assert_eq!((open.length, open.records), (length, 1));
    }
}

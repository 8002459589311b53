//! The harvest as a directory: what lies where, and who may write.
//!
//! One crawl at a time holds the lock; readers need none. The lock belongs to the process, so a
//! killed crawl leaves nothing behind that a person would have to remove. Whoever holds it may note the run it is at, so
//! that others can tell a crawl that lives from one that died while another command has the harvest.

use crate::HarvestError;
use crate::depositing::ArchiveStore;
use auslese_archive::Holdings;
use auslese_model::RunId;
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The name of the configuration file, which makes a directory a harvest.
pub const CONFIG_FILE: &str = "auslese.toml";
const CATALOG_FILE: &str = "catalog.sqlite";
const LOCK_FILE: &str = "auslese.lock";
/// Name and number of the worker in this directory.
const WORKER_FILE: &str = "auslese.worker";

/// The paths of one harvest, and the store in which files of its archive lie, if there is one.
#[derive(Debug, Clone)]
pub struct HarvestDir {
    root: PathBuf,
    store: Option<ArchiveStore>,
}

impl HarvestDir {
    /// The harvest in an existing directory.
    pub fn open(root: impl Into<PathBuf>) -> Result<HarvestDir, HarvestError> {
        let dir = HarvestDir { root: root.into(), store: None };
        if !dir.root.is_dir() {
            return Err(HarvestError::NoDirectory { path: dir.root });
        }
        if dir.is_harvest() { Ok(dir) } else { Err(HarvestError::NotAHarvest { path: dir.root }) }
    }

    /// A harvest in a directory that is new, empty, or a harvest already.
    pub fn create(root: impl Into<PathBuf>) -> Result<HarvestDir, HarvestError> {
        let dir = HarvestDir { root: root.into(), store: None };
        fs::create_dir_all(&dir.root).map_err(|cause| dir.io(&dir.root, cause))?;
        let mut entries = fs::read_dir(&dir.root).map_err(|cause| dir.io(&dir.root, cause))?;
        if entries.next().is_some() && !dir.is_harvest() {
            return Err(HarvestError::NotEmpty { path: dir.root });
        }
        Ok(dir)
    }

    /// The same harvest, with a store for what the folder `archive` lacks.
    #[must_use]
    pub fn with_store(self, store: ArchiveStore) -> HarvestDir {
        HarvestDir { store: Some(store), ..self }
    }

    /// The store in which files of the archive lie, if there is one.
    pub fn store(&self) -> Option<&ArchiveStore> {
        self.store.as_ref()
    }

    fn is_harvest(&self) -> bool {
        // The lock alone counts too: it is the first thing a new harvest gets.
        [CONFIG_FILE, CATALOG_FILE, LOCK_FILE].iter().any(|name| self.root.join(name).exists())
    }

    /// Makes the folders a crawl writes to.
    pub fn prepare(&self) -> Result<(), HarvestError> {
        for path in [self.archive(), self.runs(), self.spill()] {
            fs::create_dir_all(&path).map_err(|cause| self.io(&path, cause))?;
        }
        Ok(())
    }

    /// Takes the harvest for this process alone, until the value is dropped.
    pub fn lock(&self) -> Result<HarvestLock, HarvestError> {
        let path = self.root.join(LOCK_FILE);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(&path)
            .map_err(|cause| self.io(&path, cause))?;
        if !is_locked_soon(&file) {
            let mut holder = String::new();
            // The holder's number is a courtesy; the lock itself is what counts.
            let _ = file.read_to_string(&mut holder);
            // It takes a moment until the holder has written its number.
            let holder = match holder.lines().next().unwrap_or_default() {
                "" => "which has just begun".to_owned(),
                holder => holder.to_owned(),
            };
            return Err(HarvestError::InUse { path: self.root.clone(), holder });
        }
        // A full disk must not keep anybody from going on: the crawl itself waits for space.
        let _ = note_holder(&mut file);
        Ok(HarvestLock { file })
    }

    /// Who has the harvest just now. Nothing is written; whoever wants the lock in this very moment waits for it.
    pub fn holder(&self) -> Result<Holder, HarvestError> {
        let path = self.root.join(LOCK_FILE);
        let flags = OFlags::NOFOLLOW.bits().cast_signed();
        let mut file = match File::options().read(true).custom_flags(flags).open(&path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Holder::Nobody);
            }
            Err(cause) => return Err(self.io(&path, cause)),
        };
        match flock(&file, FlockOperation::NonBlockingLockShared) {
            Ok(()) => Ok(Holder::Nobody),
            Err(Errno::WOULDBLOCK) => {
                let mut noted = String::new();
                // What the holder noted is a courtesy, as above.
                let _ = file.read_to_string(&mut noted);
                let run = noted.lines().find_map(|line| line.strip_prefix(RUN_NOTE)?.parse().ok());
                Ok(Holder::Process { run: run.map(RunId) })
            }
            Err(cause) => Err(self.io(&path, cause.into())),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn config(&self) -> PathBuf {
        self.root.join(CONFIG_FILE)
    }

    pub fn catalog(&self) -> PathBuf {
        self.root.join(CATALOG_FILE)
    }

    /// The folder in which archive files are written; to read them, see [`HarvestDir::holdings`].
    pub fn archive(&self) -> PathBuf {
        self.root.join("archive")
    }

    /// The files of the archive, wherever they lie.
    pub fn holdings(&self) -> Holdings {
        let holdings = Holdings::local(self.archive());
        match &self.store {
            Some(store) => holdings.with_store(store.remote()),
            None => holdings,
        }
    }

    /// Whether anything was archived here.
    pub(crate) fn has_archive_files(&self) -> bool {
        let Ok(mut entries) = fs::read_dir(self.archive()) else { return false };
        entries.any(|entry| {
            let name = entry.map(|entry| entry.file_name()).unwrap_or_default();
            let name = name.to_string_lossy();
            name.ends_with(".warc.gz") || name.ends_with(".warc.gz.open")
        })
    }

    pub fn mirror(&self) -> PathBuf {
        self.root.join("mirror")
    }

    /// The search index.
    pub fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Vocabularies and concordances.
    pub fn vocabularies(&self) -> PathBuf {
        self.root.join("vocabularies")
    }

    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// Where large bodies wait until they are archived: beside the archive, so that a full disk
    /// shows itself in one place.
    pub fn spill(&self) -> PathBuf {
        self.root.join("runs").join("spill")
    }

    /// What tells this directory from those of other workers, made when it is first asked for. A harvest
    /// that has an archive already goes on under the name it had.
    pub fn worker_mark(&self, given: Option<&str>) -> Result<WorkerMark, HarvestError> {
        let path = self.root.join(WORKER_FILE);
        let machine = machine_name();
        let known = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
                let identity = RandomState::new().hash_one(std::process::id());
                // An archive that is a link is shared with others, and tells nothing of this directory.
                let is_link = fs::symlink_metadata(self.archive()).is_ok_and(|it| it.is_symlink());
                let name = match self.has_archive_files() && !is_link {
                    true => "main".to_owned(),
                    false => format!("{machine}-{:04x}", identity & 0xffff),
                };
                let text = format!("{name} {identity:016x}\n");
                fs::write(&path, &text).map_err(|cause| self.io(&path, cause))?;
                text
            }
            Err(cause) => return Err(self.io(&path, cause)),
        };
        let mut words = known.split_whitespace().map(str::to_owned);
        let (Some(name), Some(identity)) = (words.next(), words.next()) else {
            let cause = std::io::Error::other("it should hold a name and a number");
            return Err(self.io(&path, cause));
        };
        Ok(WorkerMark { name: given.map_or(name, str::to_owned), identity, machine })
    }

    fn io(&self, path: &Path, cause: std::io::Error) -> HarvestError {
        HarvestError::Io { path: path.to_owned(), cause }
    }
}

/// Who works in a directory, where several do so in different ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerMark {
    pub name: String,
    /// A random number as text, which no other directory has.
    pub identity: String,
    pub machine: String,
}

/// The name of this machine, in letters that file names may have.
fn machine_name() -> String {
    let system = rustix::system::uname();
    let name = system.nodename().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
    let name: String = name.split('.').next().unwrap_or_default().chars().map(plain).collect();
    match name.trim_matches('-') {
        "" => "worker".to_owned(),
        name => name.chars().take(40).collect(),
    }
}

/// How long a lock may outlive its holder: a child that is just being started has everything its parent
/// has, until its own program begins.
const LOCK_PATIENCE: Duration = Duration::from_millis(500);
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Takes the lock, now or within a moment.
fn is_locked_soon(file: &File) -> bool {
    let started = Instant::now();
    loop {
        if flock(file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return true;
        }
        if started.elapsed() >= LOCK_PATIENCE {
            return false;
        }
        std::thread::sleep(LOCK_PAUSE);
    }
}

fn note_holder(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.write_all(format!("process {}\n", std::process::id()).as_bytes())
}

/// Who has a harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    Nobody,
    /// A process, and the run it noted.
    Process {
        run: Option<RunId>,
    },
}

/// What stands before the number of the run in the lock file.
const RUN_NOTE: &str = "run ";

/// Proof that this process alone writes to the harvest.
#[derive(Debug)]
pub struct HarvestLock {
    file: File,
}

impl HarvestLock {
    /// Notes which run this process is at, for whoever looks.
    pub(crate) fn note_run(&mut self, run: RunId) {
        // As above: a full disk must not keep anybody from going on.
        let _ = writeln!(self.file, "{RUN_NOTE}{}", run.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_the_harvest() {
        let folder = tempfile::tempdir().unwrap();
        let dir = HarvestDir::create(folder.path().join("harvest")).unwrap();
        assert_eq!(dir.holder().unwrap(), Holder::Nobody);
        let mut lock = dir.lock().unwrap();
        assert_eq!(dir.holder().unwrap(), Holder::Process { run: None });
        lock.note_run(RunId(7));
        assert_eq!(dir.holder().unwrap(), Holder::Process { run: Some(RunId(7)) });
        let refused = dir.lock().unwrap_err().to_string();
        assert!(!refused.contains("run"), "{refused}");
        drop(lock);
        assert_eq!(dir.holder().unwrap(), Holder::Nobody);
        // The next holder does not inherit the note.
        let _lock = dir.lock().unwrap();
        assert_eq!(dir.holder().unwrap(), Holder::Process { run: None });
    }
}

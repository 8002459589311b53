//! Kills at every point of the commit window: what was committed is there once, the rest is gone.
//!
//! A kill is simulated by forgetting the writer: it does nothing when it is dropped, so its files
//! stay as a killed process would leave them. Torn writes are added by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod exchanges;

use auslese_archive::{
    ArchiveError, ArchiveSettings, Encoded, Notes, Reader, Writer, encode, verify,
};
use auslese_model::WarcProgress;
use exchanges::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The part of the catalog that matters here.
#[derive(Default)]
struct Catalog {
    warcs: BTreeMap<String, WarcProgress>,
    captures: BTreeSet<String>,
}

impl Catalog {
    fn commit(&mut self, progress: &[WarcProgress], captures: &mut Vec<String>) {
        for warc in progress {
            let before = self.warcs.insert(warc.file.clone(), warc.clone());
            assert!(before.is_none_or(|before| !before.closed), "closed twice: {warc:?}");
        }
        self.captures.extend(captures.drain(..));
    }

    fn warcs(&self) -> Vec<WarcProgress> {
        self.warcs.values().cloned().collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Append,
    /// A whole window: progress, transaction, rename.
    Commit,
    KillBeforeTransaction,
    KillTornWrite,
    KillBeforeRename,
    /// Files that are committed as open got their final name.
    KillAfterEarlyClose,
    /// The catalog refuses the window; the archive takes it back.
    Refused,
    Finish,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => Just(Step::Append),
        3 => Just(Step::Commit),
        1 => Just(Step::KillBeforeTransaction),
        1 => Just(Step::KillTornWrite),
        1 => Just(Step::KillBeforeRename),
        1 => Just(Step::KillAfterEarlyClose),
        2 => Just(Step::Refused),
        1 => Just(Step::Finish),
    ];
    prop::collection::vec(step, 1..40)
}

fn small_files() -> ArchiveSettings {
    ArchiveSettings { rotate_at: 6_000, ..settings() }
}

fn encoded(number: usize) -> Encoded {
    let url = format!("http://h.example/{number}");
    encode(&page(&url, &"text ".repeat(number % 50)), &Notes::default(), &small_files()).unwrap()
}

fn run(steps: &[Step], dir: &Path) -> Catalog {
    let mut catalog = Catalog::default();
    let mut window = Vec::new();
    let mut writer = Writer::open(dir, small_files(), &[]).unwrap();
    let mut mark = writer.mark();
    for (number, step) in steps.iter().enumerate() {
        let killed = match step {
            Step::Append => {
                let place = writer.append(&encoded(number)).unwrap();
                window.push(place.record_id);
                false
            }
            Step::Finish => {
                writer.finish().unwrap();
                false
            }
            Step::Commit => {
                catalog.commit(&writer.progress(), &mut window);
                writer.committed().unwrap();
                mark = writer.mark();
                false
            }
            Step::Refused => {
                writer.progress();
                writer.rewind(&mark).unwrap();
                window.clear();
                false
            }
            Step::KillBeforeTransaction => {
                writer.progress();
                true
            }
            Step::KillTornWrite => {
                tear(dir);
                true
            }
            Step::KillBeforeRename => {
                catalog.commit(&writer.progress(), &mut window);
                true
            }
            Step::KillAfterEarlyClose => {
                catalog.commit(&writer.progress(), &mut window);
                writer.close().unwrap();
                writer = Writer::open(dir, small_files(), &catalog.warcs()).unwrap();
                true
            }
        };
        if killed {
            window.clear();
            drop(writer);
            writer = Writer::open(dir, small_files(), &catalog.warcs()).unwrap();
            mark = writer.mark();
        }
    }
    window.clear();
    drop(writer);
    let writer = Writer::open(dir, small_files(), &catalog.warcs()).unwrap();
    catalog.commit(&writer.close().unwrap(), &mut window);
    catalog
}

/// Half a record behind the end of every open file.
fn tear(dir: &Path) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "open") {
            let mut file = File::options().append(true).open(path).unwrap();
            file.write_all(b"\x1f\x8b\x08\0\0\0\0\0\0\xffhalf a rec").unwrap();
        }
    }
}

/// The files of an archive, without those that were set aside.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_file()).collect()
}

/// The ids of all responses in a directory, each of whose files must be sound and closed.
fn archived(dir: &Path) -> Vec<String> {
    let mut ids = Vec::new();
    for path in files(dir) {
        assert!(path.to_str().unwrap().ends_with(".warc.gz"), "{}", path.display());
        let report = verify(&path).unwrap();
        assert!(report.is_sound(), "{:?}", report.faults);
        let mut reader = Reader::open(&path).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            if record.kind() == "response" {
                ids.push(record.id().unwrap().to_owned());
            }
        }
    }
    ids.sort();
    ids
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_is_committed_is_archived_once(steps in steps()) {
        let dir = tempfile::tempdir().unwrap();
        let catalog = run(&steps, dir.path());
        let committed: Vec<String> = catalog.captures.iter().cloned().collect();
        prop_assert_eq!(archived(dir.path()), committed);
        for warc in catalog.warcs.values() {
            prop_assert!(warc.closed);
            prop_assert_eq!(fs::metadata(dir.path().join(&warc.file)).unwrap().len(), warc.length);
        }
    }
}

#[test]
fn lost_data_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), settings(), &[]).unwrap();
    writer.append(&encoded(1)).unwrap();
    let open = writer.progress();
    let closed = writer.close().unwrap();
    let path = dir.path().join(&closed[0].file);
    for committed in [&open, &closed] {
        assert!(Writer::open(dir.path(), settings(), committed).is_ok());
    }
    File::options().write(true).open(&path).unwrap().set_len(closed[0].length - 1).unwrap();
    for committed in [&open, &closed] {
        let error = Writer::open(dir.path(), settings(), committed).unwrap_err();
        assert!(matches!(error, ArchiveError::Short { .. }), "{error}");
    }
    fs::remove_file(&path).unwrap();
    for committed in [&open, &closed] {
        let error = Writer::open(dir.path(), settings(), committed).unwrap_err();
        assert!(matches!(error, ArchiveError::Missing { .. }), "{error}");
    }
}

#[test]
fn open_files_of_others_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let other = ArchiveSettings { worker: "other".into(), ..settings() };
    let mut theirs = Writer::open(dir.path(), other, &[]).unwrap();
    theirs.append(&encoded(1)).unwrap();
    let mut ours = Writer::open(dir.path(), settings(), &[]).unwrap();
    ours.append(&encoded(2)).unwrap();
    drop(ours);
    Writer::open(dir.path(), settings(), &[]).unwrap();
    let names = files(dir.path());
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(names[0].to_string_lossy().ends_with("-other.warc.gz.open"), "{names:?}");
    assert_eq!(files(&dir.path().join("uncommitted")).len(), 1, "ours is set aside, not deleted");
    theirs.close().unwrap();
}

#[test]
fn an_older_catalog_destroys_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), settings(), &[]).unwrap();
    writer.append(&encoded(1)).unwrap();
    let older = writer.progress();
    writer.append(&encoded(2)).unwrap();
    writer.close().unwrap();
    let before: Vec<u64> =
        files(dir.path()).iter().map(|path| path.metadata().unwrap().len()).collect();
    let error = Writer::open(dir.path(), settings(), &older).unwrap_err();
    assert!(matches!(error, ArchiveError::Longer { .. }), "{error:?}");
    let after: Vec<u64> =
        files(dir.path()).iter().map(|path| path.metadata().unwrap().len()).collect();
    assert_eq!(before, after);
}

#[test]
fn a_changed_description_begins_a_new_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), settings(), &[]).unwrap();
    let first = writer.append(&encoded(1)).unwrap();
    let committed = writer.progress();
    drop(writer);
    let mut writer = Writer::open(dir.path(), settings(), &committed).unwrap();
    assert_eq!(writer.append(&encoded(2)).unwrap().file, first.file);
    let committed = writer.progress();
    drop(writer);
    let mut changed = settings();
    changed.description.operator = "Somebody Else".into();
    let mut writer = Writer::open(dir.path(), changed, &committed).unwrap();
    assert_ne!(writer.append(&encoded(3)).unwrap().file, first.file);
    let closed = writer.close().unwrap();
    assert_eq!(closed.len(), 2);
    assert_eq!(archived(dir.path()).len(), 3);
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for prefix in ["", "../up", "a/b", ".hidden", "a b", "ä"] {
        let settings = ArchiveSettings { prefix: prefix.into(), ..settings() };
        let error = Writer::open(dir.path(), settings, &[]).unwrap_err();
        assert!(matches!(error, ArchiveError::Setting { .. }), "{prefix}");
    }
}

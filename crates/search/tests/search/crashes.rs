//! What is left when a run ends in the middle.

use crate::{document, indexed, keys, options};
use auslese_search::{IndexDir, Rebuild, SearchError, SearchRequest, Searcher};
use std::fs;

#[test]
fn what_is_not_committed_is_not_there() {
    let found = indexed([document(1, "", "one", "")]);
    let mut writer = found.index.writer(options()).unwrap();
    writer.put(document(2, "", "two", "")).unwrap();
    writer.remove(1).unwrap();
    drop(writer);
    let again = IndexDir::open(found.index.dir()).unwrap();
    assert_eq!(again.state().unwrap(), "state");
    assert_eq!(again.fingerprints().unwrap().into_iter().collect::<Vec<_>>(), [(1, 1)]);
    // The lock is free again, and the next update repairs.
    let mut writer = again.writer(options()).unwrap();
    writer.put(document(2, "", "two", "")).unwrap();
    writer.commit("later").unwrap();
    assert_eq!(again.state().unwrap(), "later");
    assert_eq!(again.fingerprints().unwrap().len(), 2);
}

#[test]
fn a_key_has_one_document() {
    let found = indexed([document(1, "", "one", ""), document(2, "", "two", "")]);
    let mut writer = found.index.writer(options()).unwrap();
    for round in 0..5 {
        writer.put(document(1, "", &format!("round{round}"), "")).unwrap();
    }
    writer.remove(2).unwrap();
    writer.remove(99).unwrap();
    writer.commit("next").unwrap();
    assert_eq!(found.keys("round4"), [1]);
    assert_eq!(found.keys("one two round0 round1 round2 round3"), [0; 0]);
    assert_eq!(found.searcher().documents_in_all(), 1);
}

#[test]
fn leftovers_of_a_killed_process_do_no_harm() {
    let found = indexed([document(1, "", "one", "")]);
    let dir = found.index.dir();
    for name in [".tantivy-writer.lock", ".tantivy-meta.lock"] {
        fs::write(dir.join(name), "").unwrap();
    }
    // Files of a commit that was never made.
    for name in ["0123456789abcdef0123456789abcdef.idx", "0123456789abcdef0123456789abcdef.store"] {
        fs::write(dir.join(name), b"half a file").unwrap();
    }
    fs::write(dir.join(".tmpAbCdEf"), b"half of meta.json").unwrap();
    let index = IndexDir::open(dir).unwrap();
    let mut writer = index.writer(options()).unwrap();
    writer.put(document(2, "", "two", "")).unwrap();
    writer.commit("after").unwrap();
    assert_eq!(index.fingerprints().unwrap().len(), 2);
}

#[test]
fn one_writer_at_a_time() {
    let found = indexed([]);
    let first = found.index.writer(options()).unwrap();
    let second = found.index.writer(options());
    assert!(matches!(second, Err(SearchError::Locked { .. })));
    drop(first);
    assert!(found.index.writer(options()).is_ok());
}

#[test]
fn damage_is_found() {
    let found = indexed((1..50).map(|key| document(key, "", "title", "some text")));
    let dir = found.index.dir();
    found.index.verify().unwrap();
    let file = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|it| it == "store"))
        .unwrap();
    let bytes = fs::read(&file).unwrap();
    let mut flipped = bytes.clone();
    flipped[3] ^= 0xff;
    fs::remove_file(&file).unwrap();
    fs::write(&file, &flipped).unwrap();
    let verified = IndexDir::open(dir).unwrap().verify();
    assert!(matches!(verified, Err(SearchError::Damaged { .. })));
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let opened = IndexDir::open(dir);
    assert!(matches!(opened, Err(SearchError::Damaged { .. })), "{opened:?}");
    fs::write(dir.join("meta.json"), "{}").unwrap();
    assert!(matches!(IndexDir::open(dir), Err(SearchError::Damaged { .. })));
    let message = IndexDir::open(dir).unwrap_err().to_string();
    assert!(message.contains("rebuild"), "{message}");
}

#[test]
fn other_versions_are_refused() {
    let found = indexed([]);
    let meta = found.index.dir().join("meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    let version = format!("\\\"version\\\":{}", auslese_search::INDEX_VERSION);
    assert!(text.contains(&version), "{text}");
    fs::write(&meta, text.replace(&version, "\\\"version\\\":999")).unwrap();
    let opened = IndexDir::open(found.index.dir());
    assert!(matches!(&opened, Err(SearchError::OtherVersion { found, .. }) if found == "999"));
    let nothing = found.index.dir().join("nothing");
    assert!(matches!(IndexDir::open(&nothing), Err(SearchError::Missing { .. })));
}

#[test]
fn rebuilding_swaps_the_index() {
    let found = indexed([document(1, "", "old", "")]);
    let dir = found.index.dir();
    fs::write(dir.join("meta.json"), "broken").unwrap();
    let rebuild = Rebuild::begin(dir).unwrap();
    let mut writer = rebuild.index().writer(options()).unwrap();
    writer.put(document(2, "", "fresh", "")).unwrap();
    writer.commit("fresh").unwrap();
    writer.finish().unwrap();
    let index = rebuild.finish().unwrap();
    assert_eq!(index.state().unwrap(), "fresh");
    let results = Searcher::open(&[index]).unwrap().search(&SearchRequest::new("fresh")).unwrap();
    assert_eq!(keys(&results), [2]);
    // Killed between the two renames: the old one is put back.
    let old = dir.with_file_name("index.old");
    fs::rename(dir, &old).unwrap();
    assert_eq!(IndexDir::open(dir).unwrap().state().unwrap(), "fresh");
    assert!(!old.exists());
}

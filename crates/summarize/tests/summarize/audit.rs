//! SQL is put together in one place.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn one_place_asserts_that_sql_is_safe() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 10, "{files:?}");
    let asserting: Vec<&PathBuf> = files
        .iter()
        .filter(|file| fs::read_to_string(file).unwrap().contains("AssertSqlSafe"))
        .collect();
    let [file] = &asserting[..] else { panic!("{asserting:?}") };
    assert!(file.ends_with("names.rs"), "{file:?}");
}

//! Reads the files of a set from a folder.
//!
//! A set may come from a stranger, so nothing is read that need not end: regular files only, and of each
//! no more than a file of heuristics may have.

use super::faults::HeuristicsError;
use super::{MAX_HEURISTICS_FILE, MAX_HEURISTICS_FILES, too_large};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The ending of files of heuristics.
const ENDING: &str = "heur";

/// A folder's files of heuristics, by name and text.
pub(super) fn read(dir: &Path) -> Result<Vec<(String, String)>, HeuristicsError> {
    let unreadable = |cause| unreadable(&dir.display().to_string(), &cause);
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_none_or(|ending| ending != ENDING) {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = text_of(&path, &name)?;
        files.push((name, text));
        if files.len() > MAX_HEURISTICS_FILES {
            break;
        }
    }
    Ok(files)
}

fn text_of(path: &Path, name: &str) -> Result<String, HeuristicsError> {
    let unreadable = |cause| unreadable(name, &cause);
    // Asked before opening: a pipe waits for somebody who writes.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(HeuristicsError::of_file(name, "it is no file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_HEURISTICS_FILE as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > MAX_HEURISTICS_FILE {
        return Err(too_large(name));
    }
    String::from_utf8(bytes).map_err(|_| HeuristicsError::of_file(name, "it is not in UTF-8"))
}

fn unreadable(what: &str, cause: &io::Error) -> HeuristicsError {
    HeuristicsError::of_file(what, format!("cannot be read: {cause}"))
}

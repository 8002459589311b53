//! The pages that a benchmark is told to read.

use std::path::{Path, PathBuf};

/// All HTML files among the arguments, and in the directories among them.
pub(crate) fn given() -> Vec<Vec<u8>> {
    let paths = std::env::args_os().skip(1).map(PathBuf::from);
    let mut pages = Vec::new();
    paths.for_each(|path| collect(&path, &mut pages));
    pages
}

fn collect(path: &Path, pages: &mut Vec<Vec<u8>>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), pages));
    } else if path.extension().is_some_and(|suffix| suffix == "html" || suffix == "htm") {
        pages.extend(std::fs::read(path));
    }
}

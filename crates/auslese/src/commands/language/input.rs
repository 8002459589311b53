//! A file as blocks of text.
//!
//! HTML is recognised by its name or its beginning, and gives one block per line of
//! its visible text; other text gives one per line. What is neither is refused with the reason.

use crate::loose_files::{self, foreign_format};
use crate::messages::{Exit, Failure};
use anyhow::{Context, anyhow};
use auslese_corpus::looks_like_html;
use auslese_markup::{decode, parse};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the mirror keeps what is about it.
const MIRROR_NOTES: &str = "@auslese";

/// A text that was read.
#[derive(Debug)]
pub(in crate::commands) struct Input {
    /// The path as it was given.
    pub(in crate::commands) id: String,
    pub(in crate::commands) text: String,
    pub(super) html_lang: Option<String>,
}

impl Input {
    pub(in crate::commands) fn read(path: &Path) -> Result<Input, Failure> {
        let id = path.to_string_lossy().into_owned();
        let unreadable = |cause: anyhow::Error| {
            Failure::new(Exit::Failures, cause.context(format!("cannot read {id}")))
        };
        let bytes = loose_files::read(path)?;
        if let Some(format) = foreign_format(&bytes) {
            return Err(unreadable(anyhow!("it is {format}, not a text")));
        }
        Ok(Input::of(id, &bytes))
    }

    fn of(id: String, bytes: &[u8]) -> Input {
        if !looks_like_html(&id, bytes) {
            let text = decode(bytes, None).0.into_owned();
            return Input { id, text, html_lang: None };
        }
        let page = parse(bytes, None);
        let html_lang = page
            .tree()
            .elements_named("html")
            .find_map(|(_, html)| html.attribute("lang"))
            .map(str::to_owned);
        Input { id, text: page.text(), html_lang }
    }

    pub(super) fn blocks(&self) -> Vec<&str> {
        self.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }
}

/// The files that are named, and those in directories that are named: in the order of their names,
/// without what the mirror keeps about itself. Symbolic links to directories are not followed.
pub(in crate::commands) fn files_in(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut waiting = vec![path.clone()];
        while let Some(next) = waiting.pop() {
            // The kind of an entry, not of what it may point to.
            let is_folder = next == *path || next.symlink_metadata().is_ok_and(|it| it.is_dir());
            if !is_folder {
                files.extend(next.is_file().then_some(next));
                continue;
            }
            let entries = fs::read_dir(&next).and_then(Iterator::collect::<io::Result<Vec<_>>>);
            let entries = entries.with_context(|| format!("cannot read {}", next.display()))?;
            let mut inside: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
            inside.retain(|path| !path.ends_with(MIRROR_NOTES));
            inside.sort_unstable_by(|one, other| other.cmp(one));
            waiting.append(&mut inside);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_is() {
        #[rustfmt::skip]
        let cases: &[(&[u8], &[&str], Option<&str>)] = &[
            (b"Hallo\n\nWelt\n",                                 &["Hallo", "Welt"], None),
            (b"<!DOCTYPE html><html lang=de><p>Hallo<p>Welt",    &["Hallo", "Welt"], Some("de")),
            (b"\n <p>K\xF6ln</p>",                               &["Köln"],          None),
            (b"Warning: x\n<!DOCTYPE HTML><p>Hallo",             &["Warning: x", "Hallo"], None),
            (b"a < b <p> c",                                     &["a < b <p> c"],   None),
            (b"\xff\xfeH\0i\0",                                  &["Hi"],            None),
            (b"",                                                &[],                None),
        ];
        for (bytes, blocks, lang) in cases {
            let input = Input::of("x".to_owned(), bytes);
            assert_eq!((input.blocks().as_slice(), input.html_lang.as_deref()), (*blocks, *lang));
        }
    }
}

//! The lists of pages: what a reader is offered to begin with, and where it can search for words.

use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufWriter, Cursor, Read, Seek, Write};
use std::path::Path;

/// A page as the lists name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaczPage {
    pub id: String,
    pub url: String,
    /// When it was captured, in whole seconds, such as `2026-11-15T21:40:00Z`.
    pub ts: String,
    pub title: String,
    /// What can be read on it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl WaczPage {
    /// Its line in a list.
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("strings only");
        line.push(b'\n');
        line
    }
}

/// A list of pages, in a file without a name until it is packed.
#[derive(Debug)]
pub struct PageList {
    lines: BufWriter<File>,
    length: u64,
    count: u64,
}

impl PageList {
    pub fn new(spill_dir: &Path) -> io::Result<PageList> {
        let lines = BufWriter::new(tempfile::tempfile_in(spill_dir)?);
        Ok(PageList { lines, length: 0, count: 0 })
    }

    /// Adds a line, as [`WaczPage::to_line`] makes it.
    pub fn push(&mut self, line: &[u8]) -> io::Result<()> {
        self.length += line.len() as u64;
        self.count += 1;
        self.lines.write_all(line)
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// The whole list behind its first line, and how long it is.
    pub(super) fn into_bytes(self, id: &str, title: &str) -> io::Result<(impl Read, u64)> {
        let head = json!({
            "format": "json-pages-1.0",
            "id": id,
            "title": title,
            "hasText": self.count > 0,
        });
        let head = format!("{head}\n").into_bytes();
        let length = head.len() as u64 + self.length;
        let mut lines = self.lines.into_inner().map_err(io::IntoInnerError::into_error)?;
        lines.rewind()?;
        Ok((Cursor::new(head).chain(lines), length))
    }
}

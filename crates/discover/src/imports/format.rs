//! Which kind of list it is.

use super::cdx;
use super::table;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImportFormat {
    /// An array of objects, or one object after the other: crt.sh, Cert Spotter, Censys and others.
    Json,
    /// A table whose first line names its columns.
    Csv,
    /// An index of web archives, fields separated by blanks.
    Cdx,
    /// An index of web archives, with JSON.
    Cdxj,
    /// A host or URL per line; of tables without a heading, the first column.
    List,
}

impl ImportFormat {
    pub const ALL: [ImportFormat; 5] = [
        ImportFormat::Json,
        ImportFormat::Csv,
        ImportFormat::Cdx,
        ImportFormat::Cdxj,
        ImportFormat::List,
    ];

    /// The name on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            ImportFormat::Json => "json",
            ImportFormat::Csv => "csv",
            ImportFormat::Cdx => "cdx",
            ImportFormat::Cdxj => "cdxj",
            ImportFormat::List => "list",
        }
    }

    pub fn parse(text: &str) -> Option<ImportFormat> {
        ImportFormat::ALL.into_iter().find(|format| format.as_str() == text)
    }

    /// Tells the format by the beginning of a file; whatever it is not, it may be a list.
    pub(crate) fn recognise(head: &[u8]) -> ImportFormat {
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches('\u{feff}');
        if text.trim_start().starts_with(['[', '{']) {
            return ImportFormat::Json;
        }
        let mut lines =
            text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let first = lines.next().unwrap_or_default();
        if cdx::is_header(first) {
            return ImportFormat::Cdx;
        }
        let mut records = [first].into_iter().chain(lines.take(10));
        if records.clone().any(cdx::is_cdxj) {
            ImportFormat::Cdxj
        } else if records.any(cdx::is_cdx) {
            ImportFormat::Cdx
        } else if table::is_heading(first) {
            ImportFormat::Csv
        } else {
            ImportFormat::List
        }
    }
}

impl fmt::Display for ImportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

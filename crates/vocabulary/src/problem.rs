//! What was wrong with an imported file, and where.
//!
//! An error means that the file is not what it claims to be, and nothing of it is taken over. A
//! warning means that the file was read and something in it is odd or left out; both say the line.

use serde::Serialize;
use std::fmt;

/// Problems of one import that are told; further ones are counted.
pub const MAX_PROBLEMS: usize = 200;

/// Characters of a message; foreign parsers quote what they could not read.
const MAX_MESSAGE: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub severity: Severity,
    pub file: String,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// From 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Warning,
    Error,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        let severity = match self.severity {
            Severity::Warning => "warning: ",
            Severity::Error => "",
        };
        write!(f, ": {severity}{}", self.message)
    }
}

/// The problems of one file, collected.
#[derive(Debug, Clone, Default)]
pub(crate) struct Problems {
    file: String,
    pub(crate) told: Vec<Problem>,
    /// Further ones.
    pub(crate) untold: u64,
    errors: u64,
}

impl Problems {
    pub(crate) fn of(file: &str) -> Problems {
        Problems { file: file.to_owned(), ..Problems::default() }
    }

    pub(crate) fn error(&mut self, line: Option<u64>, message: impl Into<String>) {
        self.error_at(line, None, message);
    }

    pub(crate) fn error_at(
        &mut self,
        line: Option<u64>,
        column: Option<u64>,
        message: impl Into<String>,
    ) {
        self.errors += 1;
        self.add(Severity::Error, line, column, message.into());
    }

    pub(crate) fn warning(&mut self, line: Option<u64>, message: impl Into<String>) {
        self.add(Severity::Warning, line, None, message.into());
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether so many errors were found that reading on tells nothing new.
    pub(crate) fn enough_errors(&self) -> bool {
        self.errors >= ENOUGH_ERRORS
    }

    fn add(&mut self, severity: Severity, line: Option<u64>, column: Option<u64>, message: String) {
        // An error is told even where warnings have taken all the room.
        let room = self.told.len() < MAX_PROBLEMS
            || (severity == Severity::Error && self.errors <= ENOUGH_ERRORS);
        if !room {
            self.untold += 1;
            return;
        }
        let message = match message.char_indices().nth(MAX_MESSAGE) {
            Some((end, _)) => format!("{} …", &message[..end]),
            None => message,
        };
        self.told.push(Problem { severity, file: self.file.clone(), line, column, message });
    }
}

/// Errors after which a file is not read further.
const ENOUGH_ERRORS: u64 = 20;

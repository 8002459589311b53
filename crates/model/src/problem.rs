//! What is wrong or doubtful about a database, with its code and its subject.

use serde::Serialize;

/// A problem that people are told of. Its code begins with `E_` if something cannot be done, with `W_`
/// otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub code: &'static str,
    /// What it is about: the name of a piece of metadata, of a control, of an attribute; or an address.
    pub subject: String,
    pub message: String,
}

impl Problem {
    /// A problem that somebody who drives the asking has noticed.
    pub fn new(code: &'static str, subject: &str, message: String) -> Problem {
        debug_assert!(code.starts_with("E_") || code.starts_with("W_"), "{code}");
        Problem { code, subject: subject.to_owned(), message }
    }

    pub fn error(code: &'static str, subject: &str, message: String) -> Problem {
        debug_assert!(code.starts_with("E_"), "{code}");
        Problem { code, subject: subject.to_owned(), message }
    }

    pub fn warning(code: &'static str, subject: &str, message: String) -> Problem {
        debug_assert!(code.starts_with("W_"), "{code}");
        Problem { code, subject: subject.to_owned(), message }
    }

    pub fn is_error(&self) -> bool {
        self.code.starts_with("E_")
    }
}

//! Regular expressions that stand for a list of values, for elements of forms that take any text.
//!
//! They are not compared with texts but written out, so only those are allowed that have finitely many
//! values: `[A-Z]%` is `A%` to `Z%`. The order is that of writing: what stands further left changes slower,
//! classes go as they are written, shorter repetitions come first. How many values there are is known before
//! any is made.

mod expansion;
mod grammar;

use std::fmt;

/// Bytes of an expression.
pub const MAX_FINITE_LENGTH: usize = 4096;

/// Groups within groups.
pub const MAX_FINITE_DEPTH: usize = 64;

/// Largest number in braces.
pub const MAX_FINITE_REPEAT: u64 = 1000;

/// Bytes of a value.
pub const MAX_FINITE_VALUE: u64 = 1000;

/// What can be wrong with an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FiniteCode {
    Syntax,
    /// There is no end to its values: `*`, `+`, `{2,}`.
    Infinite,
    /// A sign that means something in other regular expressions.
    Unsupported,
    /// There are more values than allowed, or longer ones.
    TooBig,
}

impl FiniteCode {
    pub fn as_str(self) -> &'static str {
        match self {
            FiniteCode::Syntax => "E_SYNTAX",
            FiniteCode::Infinite => "E_INFINITE",
            FiniteCode::Unsupported => "E_UNSUPPORTED",
            FiniteCode::TooBig => "E_PRODUCT_TOO_BIG",
        }
    }
}

impl fmt::Display for FiniteCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why an expression has no values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code} at {offset}: {message}")]
pub struct FiniteError {
    pub code: FiniteCode,
    /// In bytes from the start of the text, the first slash included.
    pub offset: usize,
    pub message: String,
}

/// An expression with finitely many values.
///
/// ```
/// use auslese_hidden::FiniteRegex;
/// let towns = FiniteRegex::parse("/[A-C][0-9]?/").unwrap();
/// assert_eq!(towns.count(), 33);
/// assert_eq!(towns.values(100).unwrap()[..3], ["A", "A0", "A1"]);
/// assert!(towns.values(32).is_err());
/// ```
#[derive(Debug, Clone)]
pub struct FiniteRegex {
    root: Part,
}

#[derive(Debug, Clone)]
enum Part {
    /// One of these characters, each once.
    Class(Vec<char>),
    Sequence(Vec<Part>),
    Alternatives(Vec<Part>),
    Repeat {
        part: Box<Part>,
        least: u64,
        most: u64,
    },
}

impl FiniteRegex {
    /// Reads an expression between slashes.
    pub fn parse(text: &str) -> Result<FiniteRegex, FiniteError> {
        grammar::parse(text).map(|root| FiniteRegex { root })
    }

    /// How many values there are at most; fewer if some are the same.
    pub fn count(&self) -> u64 {
        self.root.count()
    }

    /// All values, each once, unless there are more than `cap`.
    pub fn values(&self, cap: u64) -> Result<Vec<String>, FiniteError> {
        let too_big = |message| FiniteError { code: FiniteCode::TooBig, offset: 0, message };
        let count = self.count();
        if count > cap {
            return Err(too_big(format!("{count} values, and {cap} are allowed")));
        }
        let longest = self.root.longest();
        if longest > MAX_FINITE_VALUE {
            return Err(too_big(format!(
                "values of {longest} bytes, and {MAX_FINITE_VALUE} are allowed"
            )));
        }
        Ok(self.root.values())
    }
}

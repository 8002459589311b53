//! What can be wrong with what a person wrote: scope rules and durations in `auslese.toml`.
//!
//! Nothing that comes from the web ends up here; that is recorded as a [`auslese_model::Cause`] or
//! an [`auslese_model::Oddity`].

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CrawlError {
    #[error("{fault} (line {line}, column {column})")]
    Rule {
        /// Counted from 1, within the text that was given.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        fault: RuleFault,
    },
    #[error("the regular expressions of the scope are too large together: {problem}")]
    Regexes { problem: String },
    #[error("`{text}` is no duration: {problem}")]
    Duration { text: String, problem: &'static str },
}

/// What is wrong at that place, and what was perhaps meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFault {
    pub problem: String,
    pub meant: Option<&'static str>,
}

impl fmt::Display for RuleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        match self.meant {
            Some(meant) => write!(f, "; did you mean `{meant}`?"),
            None => Ok(()),
        }
    }
}
